// A setup: the rank on each square of an army's own rows, as its owner sees it. companion/pads/player_view.py
// writes setups in the same format.

import { make, portrait } from "/parts.js";
import { SIGNS } from "/portraits.js";
import { COLUMNS, ofPlace } from "/squares.js";

const PLACES = 40;
const EMPTY = ".";
const LAKES = "cdgh";
/** Symbols on the pieces, as chosen by the players. @type {Readonly<Record<string, string>>} */
let marks = SIGNS;
const RANKS = Object.fromEntries(Object.entries(SIGNS).map(([rank, sign]) => [sign, rank]));

/** @typedef {(string | null)[]} Setup a rank or null for each place */
/** @typedef {{[square: string]: string}} Army ranks by the squares of the board */

/** @param {string} line @returns {Setup} */
export function read(line) {
  const signs = line.split(" ");
  return Array.from({ length: PLACES }, (_, at) => RANKS[signs[at]] ?? null);
}

/** @param {Setup} setup */
export const write = (setup) => setup.map((rank) => (rank ? SIGNS[rank] : EMPTY)).join(" ");

/** @param {Setup} setup @param {string} side */
export function armyOf(setup, side) {
  /** @type {Army} */
  const army = {};
  setup.forEach((rank, at) => {
    if (rank) army[ofPlace(at, side)] = rank;
  });
  return army;
}

/** @param {Army} army @param {string} side @returns {Setup} */
export const setupOf = (army, side) => read("").map((_, at) => army[ofPlace(at, side)] ?? null);

/** Number of pieces of a rank that are set up. @param {Setup} setup @param {string} rank */
export const count = (setup, rank) => setup.filter((each) => each === rank).length;

/** Mark all pieces with the symbols given in `ranks`. @param {{rank: string, sign: string}[]} ranks */
export function markAs(ranks) {
  marks = { ...SIGNS, ...Object.fromEntries(ranks.map(({ rank, sign }) => [rank, sign])) };
}

/** @param {string} rank @param {string} side */
export function drawPiece(rank, side) {
  const sign = /\d|^S$/.test(marks[rank]) ? [make("b", {}, marks[rank])] : [];
  return make("span", { class: `piece ${side}` }, portrait(rank), ...sign);
}

/**
 * Draw the rows of a side, with the lake shore in front of them and the column letters.
 * @param {Setup} setup @param {string} side @param {(at: number) => HTMLElement} place
 */
export function drawField(setup, side, place) {
  const columns = [...COLUMNS].map((_, at) => ofPlace(at, side)[0]);
  const shore = columns.map((column) => make("i", LAKES.includes(column) ? { class: "water" } : {}));
  const letters = columns.map((column) => make("i", {}, column));
  return make(
    "div",
    { class: "field" },
    make("div", { class: "shore" }, ...shore),
    drawRows(setup, side, place),
    make("div", { class: "letters" }, ...letters),
  );
}

/**
 * Draw the four rows of a side; `place` creates the element of each square.
 * @param {Setup} setup @param {string} side @param {(at: number) => HTMLElement} place
 */
export function drawRows(setup, side, place = () => make("span")) {
  const places = setup.map((rank, at) => {
    const made = place(at);
    made.classList.add("place");
    if (rank) made.append(drawPiece(rank, side));
    return made;
  });
  return make("div", { class: "rows" }, ...places);
}
