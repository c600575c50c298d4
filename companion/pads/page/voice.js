// Speaks announcements with the phone's own voice, for this player's earphone. Off by default.

export class Voice {
  constructor() {
    this.on = false;
    this.heard = -1;
  }

  /** Switch the voice on or off. Call this from a touch handler, because phones require a touch before speech. */
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
