// The squares of the board.

export const COLUMNS = "abcdefghik";
const WIDTH = COLUMNS.length;

/** Number of a square, counted row by row from a1. @param {string} square */
const number = (square) => WIDTH * Number(square.slice(1)) + COLUMNS.indexOf(square[0]);

/** @param {string[]} squares */
export const inOrder = (squares) => [...squares].sort((one, other) => number(one) - number(other));

/**
 * The square of a place in a side's four rows. Places are counted as that side sees them: the front row first, each row
 * from the left.
 * @param {number} at @param {string} side
 */
export function ofPlace(at, side) {
  const [row, column] = [Math.floor(at / WIDTH), at % WIDTH];
  return side === "red" ? `${COLUMNS[column]}${4 - row}` : `${COLUMNS[WIDTH - 1 - column]}${7 + row}`;
}
