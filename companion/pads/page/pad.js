// A player's own page: private information, and commands that are given by touching a choice twice.

import { Channel, token } from "/channel.js";
import { keep, kept } from "/kept.js";
import { keepFocus, make, part, portrait } from "/parts.js";
import { sealedAsk } from "/sealed_ask.js";
import { Seals } from "/seals.js";
import { SetupPage } from "/setup_page.js";
import { Clocks, show, showSheet } from "/show.js";
import { loadTexts, loadDefaultTexts, text, showProblem } from "/texts.js";
import { Voice } from "/voice.js";

const SEAT = "seat";
const WORDS = "words";
/** Time in milliseconds for which new choices ignore touches that may be meant for the previous choices. */
const NEW = 350;
/** Time in milliseconds after which a first touch expires. */
const ARMED = 6000;

/** @typedef {import("/page_data").PadCommand} Say @typedef {import("/page_data").PadChoice} Choice @typedef {import("/page_data").PadQuestion} Ask */
/** @typedef {(choice: Choice, mean: () => void) => HTMLElement} Twice creates a button that acts on its second touch */
/** @typedef {import("/page_data").PlayerPage} PlayerPage */

/** Return the seat from the page's URL, which is valid only once, or else the seat that this phone already has. */
function findSeat() {
  const [, letter, code] = /^#([rb])([\w-]{22})$/.exec(location.hash) ?? [];
  if (letter) {
    history.replaceState(null, "", "/");
    const side = letter === "r" ? "red" : "blue";
    const before = kept(SEAT);
    if (before?.from !== code) {
      keep(SEAT, { side, code, token: token(), from: code });
      keep(WORDS, []);
    }
  }
  return kept(SEAT);
}

class Pad {
  /** @param {import("/channel.js").Seat} seat */
  constructor(seat) {
    this.clocks = new Clocks();
    this.voice = new Voice();
    this.seals = new Seals();
    this.setup = new SetupPage(
      this.seals,
      (choice, mean) => this.choice(choice, mean),
      (say) => this.say(JSON.stringify(say)),
    );
    this.asked = "";
    /** The parts of the latest view that determine the buttons, as JSON. */
    this.shown = "";
    this.renewedAt = 0;
    this.others = false;
    this.armed = "";
    this.sending = new Set(kept(WORDS)?.map((/** @type {any} */ word) => JSON.stringify(word.say)));
    /** @type {PlayerPage | null} */
    this.view = null;
    this.channel = new Channel(seat, {
      shown: (view, now) => this.show(view, now),
      seated: (taken) => keep(SEAT, taken),
      sent: (id) => this.sent(id),
      showProblem,
    });
    for (const word of kept(WORDS) ?? []) this.channel.say(word);
    part("sound").onclick = () => {
      this.voice.toggle();
      this.showSound();
    };
    this.channel.run();
  }

  /** @param {PlayerPage} view @param {number} now */
  show(view, now) {
    this.view = view;
    loadTexts(view.language).then((isNew) => isNew && this.showOwn());
    show(view);
    this.clocks.show(view, now);
    this.voice.hear(view.said, view.language);
    const asked = JSON.stringify([view.asks, view.offers]);
    if (asked !== this.asked) {
      this.asked = asked;
      this.renewedAt = Date.now();
      this.others = false;
      this.armed = "";
      this.sending.clear();
      if (view.asks.length && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
    }
    showSheet(view);
    // Replacing a button unnecessarily would lose a tap in progress.
    const shown = JSON.stringify([asked, view.sealed, view.setup, view.you, view.language]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.showOwn();
  }

  /** Show the page's own texts. */
  showOwn() {
    if (this.view) showSheet(this.view);
    this.showSound();
    this.showChoices();
  }

  showSound() {
    part("sound").textContent = text(this.voice.on ? "loud" : "silent");
  }

  showChoices() {
    const { view } = this;
    if (!view) return;
    const openings = this.seals.find(view.sealed);
    keepFocus(() => {
      part("asks").replaceChildren(...view.asks.map((ask) => this.ask(sealedAsk(ask, openings))));
      part("offers").replaceChildren(...view.offers.map((each) => this.choice(each)));
      document.body.classList.toggle("asked", view.asks.length > 0);
      this.setup.show(view);
    });
  }

  /** @param {Ask} ask */
  ask(ask) {
    const others = this.others && Boolean(ask.more);
    const choices = others ? (ask.others ?? []) : ask.choices;
    const texts = others ? [ask.about ?? ""] : ask.texts;
    const inside = [
      ...(ask.title ? [make("h2", {}, ask.title)] : []),
      ...texts.map((each) => make("p", {}, each)),
      make("div", { class: "choices" }, ...choices.map((each) => this.choice(each))),
    ];
    if (ask.more) {
      const turn = make("button", { type: "button", class: "quiet" }, others ? text("back") : ask.more);
      turn.onclick = () => {
        this.others = !this.others;
        this.armed = "";
        this.renewedAt = Date.now();
        this.showChoices();
      };
      inside.push(turn);
    }
    return make("article", {}, ...inside);
  }

  /** @param {Choice} choice @param {(said: string) => void} mean called at the second touch */
  choice(choice, mean = (said) => this.say(said)) {
    const said = JSON.stringify(choice.say);
    const armed = this.armed === said;
    const sending = this.sending.has(said);
    const kind = `choice${choice.rank ? " tile" : ""}${armed ? " armed" : ""}${sending ? " sending" : ""}`;
    const inside = choice.rank
      ? [portrait(choice.rank), make("b", {}, /\d|^S$/.test(choice.sign ?? "") ? (choice.sign ?? "") : "")]
      : [];
    const made = make("button", { type: "button", class: kind, "data-do": choice.say.do }, ...inside);
    made.dataset.say = said;
    if (choice.rank) made.dataset.rank = choice.rank;
    made.append(make("span", {}, armed ? text("again") : choice.name));
    made.toggleAttribute("disabled", this.sending.size > 0);
    made.onclick = () => this.touch(said, mean);
    return made;
  }

  /** Handle a first touch, or the second touch that confirms it. @param {string} said @param {(said: string) => void} mean */
  touch(said, mean) {
    if (Date.now() - this.renewedAt < NEW || this.sending.size) return;
    this.renewedAt = Date.now();
    if (this.armed === said) {
      this.armed = "";
      mean(said);
    } else this.arm(said);
    this.showChoices();
  }

  /** @param {string} said */
  arm(said) {
    const armedAt = this.renewedAt;
    this.armed = said;
    setTimeout(() => {
      if (this.armed !== said || this.renewedAt !== armedAt) return;
      this.armed = "";
      this.showChoices();
    }, ARMED);
  }

  /** @param {string} said */
  say(said) {
    const word = { id: token(), say: JSON.parse(said) };
    this.sending.add(said);
    keep(WORDS, [...(kept(WORDS) ?? []), word]);
    this.channel.say(word);
  }

  /** Register that a message has arrived. @param {string} id */
  sent(id) {
    keep(WORDS, (kept(WORDS) ?? []).filter((/** @type {any} */ word) => word.id !== id));
    setTimeout(() => {
      this.sending.clear();
      this.showChoices();
    }, NEW);
  }
}

await loadDefaultTexts();
const seat = findSeat();
if (seat) {
  const pad = new Pad(seat);
  document.addEventListener("visibilitychange", () => document.hidden || pad.channel.nudge());
  window.addEventListener("online", () => pad.channel.nudge());
} else {
  showProblem("out");
}
window.addEventListener("hashchange", () => location.reload());
