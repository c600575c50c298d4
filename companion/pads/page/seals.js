// The openings of this player's army. Each stays on this phone until its piece is declared, and all of them until the
// player proves the army after the game. engine/deduction/commitment.py says what a seal is.

import { keep, kept } from "/kept.js";
import { inOrder } from "/squares.js";

const SEALS = "seals";
/** How many are kept: it may take a while to hear which of them the referee has. */
const MOST = 8;
const SALT = 16;

/** @typedef {{rank: string, salt: string}} Opening */
/** @typedef {{[piece: string]: Opening}} Openings by the square on which each piece was set up */

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
const sum = (text) => hex(sha256(new TextEncoder().encode(text)));

export class Seals {
  constructor() {
    /** @type {{digest: string, openings: Openings}[]} the latest first */
    this.all = kept(SEALS) ?? [];
  }

  /** Seal an army and return what is told of it. @param {string} side @param {import("/setup.js").Army} army */
  seal(side, army) {
    /** @type {Openings} */
    const openings = {};
    const pieces = inOrder(Object.keys(army));
    const sums = pieces.map((piece) => {
      const salt = hex(crypto.getRandomValues(new Uint8Array(SALT)));
      openings[piece] = { rank: army[piece], salt };
      return sum(`boomboard/1 ${side} ${piece} ${army[piece]} ${salt}`);
    });
    this.all = [{ digest: sum(sums.join(" ")), openings }, ...this.all].slice(0, MOST);
    keep(SEALS, this.all);
    return pieces.map((piece, at) => `${piece}:${sums[at]}`).join(" ");
  }

  /** What opens the seals that the referee has, if this phone has it. @param {string} digest */
  find(digest) {
    return this.all.find((each) => each.digest === digest)?.openings;
  }
}

/** Write what opens a whole army. @param {Openings} openings */
export const written = (openings) =>
  inOrder(Object.keys(openings))
    .map((piece) => `${piece}:${openings[piece].rank}:${openings[piece].salt}`)
    .join(" ");
