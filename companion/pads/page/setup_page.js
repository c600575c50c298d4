// The page before a game with sealed armies, which shows the army to set up, a list of setups, or the sealed army.

import { Editor } from "/editor.js";
import { keepFocus, make, part } from "/parts.js";
import { armyOf, count, drawField, read, setupOf, write } from "/setup.js";
import { drawKeeper, drawLists } from "/setup_lists.js";
import { ofPlace } from "/squares.js";
import { text } from "/texts.js";

/** @typedef {import("/pad.js").Say} Say @typedef {import("/setup.js").Setup} Setup */
/** @typedef {import("/page_data").SetupTask} ToSetUp */

/** @param {Node[]} inside */
const row = (...inside) => make("div", { class: "row" }, ...inside);

export class SetupPage {
  /**
   * @param {import("/seals.js").Seals} seals
   * @param {import("/pad.js").Twice} twice creates a button that acts on its second touch
   * @param {(say: Say) => void} say sends a command to the table
   */
  constructor(seals, twice, say) {
    this.seals = seals;
    this.twice = twice;
    this.say = say;
    this.root = part("setup");
    this.editor = new Editor(this.root, () => this.render());
    this.side = "";
    /** Digest of the seals that the referee has, or empty if nothing is sealed. */
    this.digest = "";
    /** Digest of the seals that this player wants to replace. */
    this.replaced = "";
    this.isChoosing = false;
    /** @type {ToSetUp | null} */
    this.toSetUp = null;
  }

  /** @param {import("/page_data").PlayerPage} view */
  show({ setup, sealed, you }) {
    this.toSetUp = setup;
    this.digest = sealed;
    this.side = you;
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (!setup || !(this.editor.drag.going || isTyping)) this.render();
  }

  render() {
    const { toSetUp } = this;
    this.root.hidden = !toSetUp;
    const isSealed = Boolean(this.digest) && this.digest !== this.replaced;
    document.body.classList.toggle("sets-up", toSetUp !== null && !isSealed);
    if (!toSetUp) return;
    this.editor.follow(this.side, toSetUp.ranks, toSetUp.stands);
    const page = isSealed ? this.sealed : this.isChoosing ? this.choosing : this.settingUp;
    keepFocus(() => this.root.replaceChildren(...page.call(this, toSetUp)));
  }

  /** @param {ToSetUp} toSetUp */
  sealed({ seals, stands }) {
    const words = seals ? [make("p", {}, seals)] : [];
    const change = row(this.button("change", () => (this.replaced = this.digest)));
    const openings = this.seals.find(this.digest);
    if (!openings) return [make("p", {}, text("elsewhere")), ...words, change];
    const ranks = Object.entries(openings).map(([piece, { rank }]) => [piece, rank]);
    const setup = setupOf(Object.fromEntries(ranks), this.side);
    /** @param {number} at */
    const place = (at) => make("span", stands.includes(ofPlace(at, this.side)) ? {} : { class: "missing" });
    return [make("p", {}, text("sealed")), ...words, ...this.differing(setup, stands), drawField(setup, this.side, place), change];
  }

  /** @param {ToSetUp} toSetUp */
  settingUp({ stands, say }) {
    const { editor, twice } = this;
    const seal = twice({ say, name: text("seal") }, () => this.seal(say));
    const sealing = make("article", {}, make("p", {}, text("complete")), make("div", { class: "choices" }, seal));
    return [
      ...(editor.isComplete ? this.differing(editor.setup, stands) : []),
      ...editor.draw(),
      ...(editor.isComplete ? [sealing] : []),
      row(
        this.button("setups", () => (this.isChoosing = true)),
        twice({ say: { do: "clear", mark: "" }, name: text("clear") }, () => editor.take(read(""))),
        ...(this.digest ? [this.button("back", () => (this.replaced = ""))] : []),
      ),
    ];
  }

  /** @param {ToSetUp} toSetUp */
  choosing({ ranks, known }) {
    /** @param {string} rows */
    const fits = (rows) => ranks.every((each) => count(read(rows), each.rank) === each.count);
    /** @param {string} rows */
    const take = (rows) => {
      this.isChoosing = false;
      this.editor.take(read(rows));
    };
    return [
      ...(this.editor.isComplete ? [drawKeeper(write(this.editor.setup), () => this.render())] : []),
      drawLists(known, fits, take, this.twice),
      row(this.button("back", () => (this.isChoosing = false))),
    ];
  }

  /**
   * Show where the board differs from the setup, once the board has as many pieces as the setup.
   * @param {Setup} setup @param {string[]} stands
   */
  differing(setup, stands) {
    const squares = setup.map((_, at) => ofPlace(at, this.side));
    const differ = squares.filter((square, at) => Boolean(setup[at]) !== stands.includes(square));
    if (!differ.length || stands.length < setup.filter(Boolean).length) return [];
    return [make("p", { class: "differs" }, text("differs").replace("{squares}", differ.join(" ")))];
  }

  /** Send the seals of this army to the referee. @param {Say} say */
  seal(say) {
    this.replaced = "";
    this.say({ ...say, commitments: this.seals.seal(this.side, armyOf(this.editor.setup, this.side)) });
  }

  /** @param {string} key @param {() => void} act */
  button(key, act) {
    const made = make("button", { type: "button" }, text(key));
    made.onclick = () => {
      act();
      this.editor.hold(null);
    };
    return made;
  }
}
