// The openings of this player's army. Each opening stays on this phone until its piece is declared, or until the
// player proves the whole army after the game. engine/deduction/commitment.py explains seals.

import { keep, kept } from "/kept.js";
import { inOrder } from "/squares.js";

const SEALS = "seals";
/** Number of sealed armies to keep, because the referee's answer, which names the valid one, may take a while. */
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
    /** @type {{digest: string, openings: Openings}[]} most recent first */
    this.all = [];
    this.load();
  }

  /** Read the openings again, because another tab may have stored some. */
  load() {
    this.all = kept(SEALS) ?? this.all;
  }

  /** Seal an army, and return its seals as text. @param {string} side @param {import("/setup.js").Army} army */
  seal(side, army) {
    /** @type {Openings} */
    const openings = {};
    this.load();
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

  /** Return the openings of the referee's seals, if they are on this phone. @param {string} digest */
  find(digest) {
    this.load();
    return this.all.find((each) => each.digest === digest)?.openings;
  }
}

/** Return the openings of a whole army as text. @param {Openings} openings */
export const written = (openings) =>
  inOrder(Object.keys(openings))
    .map((piece) => `${piece}:${openings[piece].rank}:${openings[piece].salt}`)
    .join(" ");
