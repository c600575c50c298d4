// Speaks announcements with the phone's own voice, for this player's earphone. Off by default.

export class Voice {
  constructor() {
    this.on = false;
    /** @type {number | null} number of the latest announcement, or null before the first view */
    this.heard = null;
  }

  /** Switch the voice on or off. Call this from a touch handler, because phones require a touch before speech. */
  toggle() {
    this.on = !this.on && "speechSynthesis" in window;
    if (this.on) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
    else window.speechSynthesis?.cancel();
  }

  /** @param {{n: number, text: string}[]} said @param {string} language */
  hear(said, language) {
    const { heard } = this;
    const isNew = (/** @type {{n: number}} */ each) => heard !== null && each.n > heard;
    for (const each of said.filter(isNew)) if (this.on) this.say(each.text, language);
    this.heard = said.length ? said[said.length - 1].n : (heard ?? -1);
  }

  /** @param {string} text @param {string} language */
  say(text, language) {
    const words = new SpeechSynthesisUtterance(text);
    words.lang = language;
    speechSynthesis.speak(words);
  }
}
