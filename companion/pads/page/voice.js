// Says announcements into this player's ear, by the phone's own voice; off until it is switched on.

export class Voice {
  constructor() {
    this.on = false;
    this.heard = -1;
  }

  /** Switched by a touch, as phones want it. */
  toggle() {
    this.on = !this.on && "speechSynthesis" in window;
    if (this.on) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
    else window.speechSynthesis?.cancel();
  }

  /** @param {{n: number, text: string}[]} said @param {string} language */
  hear(said, language) {
    const latest = said.length ? said[said.length - 1].n : this.heard;
    const isNew = (/** @type {{n: number}} */ each) => this.heard >= 0 && each.n > this.heard;
    for (const each of said.filter(isNew)) if (this.on) this.say(each.text, language);
    this.heard = Math.max(latest, 0);
  }

  /** @param {string} text @param {string} language */
  say(text, language) {
    const words = new SpeechSynthesisUtterance(text);
    words.lang = language;
    speechSynthesis.speak(words);
  }
}
