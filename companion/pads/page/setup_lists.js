// The setups to choose from: the player's own named setups on this phone, and well-known setups.

import { keep, kept } from "/kept.js";
import { make } from "/parts.js";
import { text } from "/texts.js";

const SETUPS = "setups";
const LONGEST_NAME = 30;

/** @typedef {import("/pad.js").Twice} Twice */
/** @typedef {import("/page_data").SetupLine} Named */

/** @returns {Named[]} */
const own = () => kept(SETUPS) ?? [];

/** Save a setup. An existing setup with the same name is replaced. @param {Named} named */
const keepSetup = (named) => keep(SETUPS, [named, ...own().filter((each) => each.name !== named.name)]);

/** @param {string} name */
const deleteSetup = (name) =>
  keep(
    SETUPS,
    own().filter((each) => each.name !== name),
  );

/**
 * @param {Named[]} known @param {(rows: string) => boolean} fits
 * @param {(rows: string) => void} take @param {Twice} twice
 */
export function drawLists(known, fits, take, twice) {
  const kept = own().filter(({ rows }) => fits(rows));
  return make(
    "ul",
    { class: "setups" },
    ...kept.map((each) => make("li", {}, loader(each, take), deleter(each, twice))),
    ...known.map((each) => make("li", {}, loader(each, take))),
  );
}

/** @param {Named} named @param {(rows: string) => void} take */
function loader({ name, rows, use }, take) {
  const made = make("button", { type: "button", class: "load" }, make("b", {}, name));
  if (use) made.append(make("small", {}, use));
  made.onclick = () => take(rows);
  return made;
}

/** @param {Named} named @param {Twice} twice */
const deleter = ({ name }, twice) =>
  twice({ say: { do: "delete", mark: name }, name: text("delete") }, () => deleteSetup(name));

/** Form that saves a setup under a name entered by the player. @param {string} rows @param {() => void} done */
export function drawKeeper(rows, done) {
  const asked = { type: "text", maxlength: LONGEST_NAME, placeholder: text("name"), "aria-label": text("name") };
  const name = /** @type {HTMLInputElement} */ (make("input", asked));
  const save = make("button", { type: "button" }, text("keep"));
  save.onclick = () => {
    if (!name.value.trim()) return;
    keepSetup({ name: name.value.trim(), rows });
    done();
  };
  return make("div", { class: "row keeper" }, name, save);
}
