// Shared parts of the players' and spectators' pages: board, armies, clocks and announcements.

import { draw, make, part, portrait } from "/parts.js";
import { drawRows, markAs, read } from "/setup.js";
import { COLUMNS } from "/squares.js";
import { text } from "/texts.js";

/** @typedef {import("/page_data").SpectatorPage & {you?: string}} View `you` is set on a player's page */

/** @param {View} view */
export function show(view) {
  document.documentElement.lang = view.language;
  part("title").textContent = view.title;
  part("text").textContent = view.text;
  part("text").hidden = !view.text;
  showBoard(view);
  showArmies(view);
  part("said").replaceChildren(...view.said.map((each) => make("li", {}, each.text)).reverse());
}

/** @typedef {Pick<View, "title" | "board" | "marked" | "ranks" | "you">} Position */

/** Draw the board, with this player's side at the bottom. @param {Position} view */
export function showBoard(view) {
  const board = part("board");
  board.toggleAttribute("hidden", !view.board);
  if (!view.board) return;
  const turned = view.you === "blue";
  const drawn = [draw("rect", { x: 4, y: 0, width: 100, height: 100, rx: 2, class: "wood" })];
  /** @param {number} column @param {number} row */
  const at = (column, row) => (turned ? [94 - column * 10, row * 10] : [4 + column * 10, (9 - row) * 10]);
  for (let row = 0; row < 10; row++) {
    for (let column = 0; column < 10; column++) {
      const [x, y] = at(column, row);
      const lake = (row === 4 || row === 5) && [2, 3, 6, 7].includes(column);
      const square = `${COLUMNS[column]}${row + 1}`;
      const marked = view.marked?.includes(square);
      const kind = lake ? "lake" : marked ? "marked" : "square";
      drawn.push(draw("rect", { x: x + 0.3, y: y + 0.3, width: 9.4, height: 9.4, rx: 0.8, class: kind }));
      drawn.push(...piece(view.board[(9 - row) * 10 + column], x + 5, y + 5));
      const sign = view.ranks?.[square];
      if (sign) drawn.push(letter(sign, x + 5, y + 6.4, "sign"));
    }
    const [x, y] = at(row, row);
    drawn.push(letter(COLUMNS[row], x + 5, 103), letter(String(row + 1), 2, y + 6.2));
  }
  board.replaceChildren(...drawn);
  board.setAttribute("aria-label", view.title);
}

/** Red's pieces are blocks and Blue's pieces are round, for players who cannot distinguish the colours. */
/** @param {string} what @param {number} x @param {number} y */
function piece(what, x, y) {
  if (what === "r") return [draw("rect", { x: x - 3.2, y: y - 3.2, width: 6.4, height: 6.4, rx: 0.9, class: "red" })];
  if (what === "b") return [draw("circle", { cx: x, cy: y, r: 3.5, class: "blue" })];
  return what === "?" ? [draw("circle", { cx: x, cy: y, r: 2.6, class: "unknown" })] : [];
}

/** @param {string} text @param {number} x @param {number} y */
function letter(text, x, y, kind = "letter") {
  const drawn = draw("text", { x, y, class: kind });
  drawn.textContent = text;
  return drawn;
}

/** Show the captured pieces and the setup of each army, the other side's army first. @param {View} view */
function showArmies(view) {
  const sides = [...(view.sides ?? [])].sort((one) => (one.side === view.you ? 1 : -1));
  const armies = sides.map((army) => {
    const fallen = army.fallen.map((each) =>
      make(
        "li",
        { title: each.name },
        make(
          "span",
          { role: "img", "aria-label": each.name },
          ...(each.rank ? [portrait(each.rank)] : []),
          /\d|\?|^S$/.test(each.sign) ? each.sign : "",
        ),
        ...(each.count > 1 ? [make("small", {}, `×${each.count}`)] : []),
      ),
    );
    if (army.signs) markAs(Object.entries(army.signs).map(([rank, sign]) => ({ rank, sign })));
    const setup = army.setup ? [drawRows(read(army.setup), army.side)] : [];
    return make("div", { class: `army ${army.side}` }, make("h2", {}, army.name), make("ul", {}, ...fallen), ...setup);
  });
  part("armies").replaceChildren(...armies);
}

/** Offer the score sheet and the story of a game that is finally over. @param {View} view */
export function showSheet(view) {
  const links = { sheet: `/sheet/${view.language}`, story: `/story#${view.language}` };
  for (const [name, address] of Object.entries(links)) {
    const link = part(name);
    link.hidden = !view.sheet;
    link.textContent = text(name);
    link.setAttribute("href", address);
  }
}

/** Counts down the displayed clocks without further requests to the table. */
export class Clocks {
  constructor() {
    /** @type {{view: View, since: number} | null} */
    this.latest = null;
    setInterval(() => this.tick(), 250);
  }

  /** @param {View} view @param {number} now time of the view on the table's clock */
  show(view, now) {
    this.latest = { view, since: performance.now() / 1000 - now };
    this.tick();
  }

  tick() {
    if (!this.latest) return;
    const { view, since } = this.latest;
    const { clock } = view;
    const gone = clock ? performance.now() / 1000 - since - clock.at : 0;
    const sides = view.sides ?? [];
    const shown = sides.map(({ side, name }) => {
      const left = side === "red" ? clock?.red : clock?.blue;
      const time = typeof left === "number" ? written(left - (clock?.runs === side ? gone : 0)) : "";
      const kind = `clock ${side}${view.turn === side ? " moves" : ""}${view.you === side ? " you" : ""}`;
      return make("div", { class: kind }, make("span", {}, name), make("b", {}, time));
    });
    if (typeof clock?.setup === "number") shown.push(make("div", { class: "clock" }, written(clock.setup - gone)));
    part("clocks").replaceChildren(...shown);
  }
}

/** @param {number} seconds */
function written(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
