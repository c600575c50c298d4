// Setup editor: the four rows of an army, and a tray with the pieces that have not been placed. The player drags a
// piece to its place, or touches the piece and then the place.

import { Drag } from "/drag.js";
import { keep, kept } from "/kept.js";
import { make } from "/parts.js";
import { count, drawField, drawPiece, markAs, read, write } from "/setup.js";
import { ofPlace } from "/squares.js";

const DRAFT = "draft";

/** @typedef {import("/setup.js").Setup} Setup */
/** @typedef {import("/page_data").RankCount} Rank */
/** @typedef {{rank: string, from: number | null}} Held a selected piece, and the place from which it comes */

export class Editor {
  /** @param {HTMLElement} root @param {() => void} changed */
  constructor(root, changed) {
    this.changed = changed;
    this.setup = read(kept(DRAFT) ?? "");
    this.side = "";
    /** @type {Rank[]} */
    this.ranks = [];
    /** @type {string[]} the squares on which the board detects pieces */
    this.stands = [];
    /** @type {Held | null} */
    this.held = null;
    this.drag = new Drag(root, {
      grasp: (pressed) => this.grasp(pressed),
      draw: ({ rank }) => drawPiece(rank, this.side),
      below: (found) => found?.closest("[data-at]") ?? null,
      drop: (held, place) => this.drop(held, place),
    });
  }

  /**
   * Update the editor from the table. A different game may have a different army.
   * @param {string} side @param {Rank[]} ranks @param {string[]} stands
   */
  follow(side, ranks, stands) {
    Object.assign(this, { side, ranks, stands });
    markAs(ranks);
    const left = new Map(ranks.map((each) => [each.rank, each.count]));
    this.setup = this.setup.map((rank) => {
      const more = rank ? (left.get(rank) ?? 0) : 0;
      if (rank) left.set(rank, more - 1);
      return more > 0 ? rank : null;
    });
  }

  get isComplete() {
    return this.ranks.every((each) => !this.left(each));
  }

  /** Replace the setup, and clear the selection. @param {Setup} setup */
  take(setup) {
    this.setup = setup;
    keep(DRAFT, write(setup));
    this.hold(null);
  }

  draw() {
    const field = drawField(this.setup, this.side, (at) => this.place(at));
    const tiles = this.ranks.map((each) => this.tile(each));
    return this.isComplete ? [field] : [field, make("div", { class: "tray" }, ...tiles)];
  }

  /** @param {number} at */
  place(at) {
    const rank = this.setup[at];
    const square = ofPlace(at, this.side);
    const called = this.ranks.find((each) => each.rank === rank)?.name ?? "";
    const kind = this.held?.from === at ? "held" : !rank && this.stands.includes(square) ? "stands" : "";
    const attributes = { type: "button", class: kind, "data-at": at, "aria-label": `${square} ${called}`.trim() };
    const made = make("button", attributes);
    made.onclick = () => this.drag.wasDrag || this.touchPlace(at);
    return made;
  }

  /** @param {Rank} each */
  tile(each) {
    const { rank, name } = each;
    const left = this.left(each);
    const kind = this.held?.from === null && this.held.rank === rank ? "held" : left ? "" : "used";
    const attributes = { type: "button", class: kind, "data-rank": rank, "aria-label": `${name} ×${left}` };
    const made = make("button", attributes, drawPiece(rank, this.side), make("small", {}, `×${left}`));
    made.toggleAttribute("disabled", !left && !this.held);
    made.onclick = () => this.drag.wasDrag || this.touchTile(each);
    return made;
  }

  /** Put the selected piece on a place, or select the piece there. @param {number} at */
  touchPlace(at) {
    const { held } = this;
    const rank = this.setup[at];
    if (!held) this.hold(rank ? { rank, from: at } : null);
    else {
      this.put(held, at);
      // While pieces of this rank are left, the next touch places another one.
      const more = this.ranks.some((each) => each.rank === held.rank && this.left(each));
      if (held.from === null && more) this.hold(held);
    }
  }

  /** Select a piece from the tray, or return the selected piece to the tray. @param {Rank} each */
  touchTile(each) {
    if (this.held && this.held.from !== null) this.put(this.held, null);
    else this.hold(this.held?.rank !== each.rank && this.left(each) ? { rank: each.rank, from: null } : null);
  }

  /** @param {Element} pressed @returns {Held | null} */
  grasp(pressed) {
    const found = pressed.closest("[data-at], .tray [data-rank]:not(.used)");
    if (!(found instanceof HTMLElement)) return null;
    const from = found.dataset.at === undefined ? null : Number(found.dataset.at);
    const rank = from === null ? found.dataset.rank : this.setup[from];
    return rank ? { rank, from } : null;
  }

  /** @param {Held} held @param {Element | null} place */
  drop(held, place) {
    if (place instanceof HTMLElement) this.put(held, Number(place.dataset.at));
    else this.put(held, null);
  }

  /**
   * Put a piece on a place, or into the tray if `at` is null. If the place is occupied, the two pieces swap places.
   * @param {Held} held @param {number | null} at
   */
  put({ rank, from }, at) {
    const after = [...this.setup];
    if (from !== null) after[from] = at === null ? null : after[at];
    if (at !== null) after[at] = rank;
    this.take(after);
  }

  /** @param {Held | null} held */
  hold(held) {
    this.held = held;
    this.changed();
  }

  /** Number of pieces of a rank that have not been placed. @param {Rank} each */
  left(each) {
    return each.count - count(this.setup, each.rank);
  }
}
