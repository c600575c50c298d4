// Adapts a question about sealed pieces to this phone: it can be answered only with the sealed ranks.

import { written } from "/seals.js";
import { text } from "/texts.js";

/** @typedef {import("/pad.js").Ask} Ask @typedef {import("/pad.js").Choice} Choice */
/** @typedef {import("/seals.js").Opening} Opening @typedef {import("/seals.js").Openings} Openings */

/** @param {Choice} choice @param {object} more */
const adding = (choice, more) => ({ ...choice, say: { ...choice.say, ...more } });

/** @param {Ask} ask @param {Openings | undefined} openings @returns {Ask} */
export function sealedAsk(ask, openings) {
  if (!ask.opens) return ask;
  if (!openings && ask.opens === "all") return { ...ask, texts: [text("elsewhere")], choices: [] };
  if (!openings) return unopened(ask);
  if (ask.opens === "all") {
    const army = written(openings);
    return { ...ask, choices: ask.choices.map((each) => adding(each, { army })) };
  }
  const opening = openings[ask.opens];
  return ask.guess ? guess(ask, opening) : declaration(ask, opening);
}

/** The opening is on another phone. @param {Ask} ask @returns {Ask} */
function unopened(ask) {
  const choices = ask.choices.filter(({ say }) => say.do === "no-attack");
  return { ...ask, texts: [...ask.texts, text("unopened")], choices, more: "" };
}

/** Offer only the true answer. @param {Ask} ask @param {Opening} opening @returns {Ask} */
function guess(ask, opening) {
  const right = opening.rank === ask.guess;
  const choices = ask.choices.filter(({ say }) => say.right === right);
  return { ...ask, choices: choices.map((each) => adding(each, opening)) };
}

/**
 * Offer the sealed rank, and the other ranks in case pieces were mixed up.
 * @param {Ask} ask @param {Opening} opening
 */
function declaration(ask, { rank, salt }) {
  /** @param {Choice} choice */
  const opened = (choice) => (choice.say.rank === rank ? adding(choice, { salt }) : choice);
  const tiles = [...ask.choices, ...(ask.others ?? [])].filter((each) => each.rank);
  const choices = ask.choices.filter((each) => !each.rank);
  return {
    ...ask,
    choices: [...tiles.filter((each) => each.rank === rank), ...choices].map(opened),
    more: text("another"),
    about: text("mixed"),
    others: tiles.filter((each) => each.rank !== rank),
  };
}
