// What becomes of a question about sealed pieces on this phone: they can be answered only as they were sealed.

import { written } from "/seals.js";
import { text } from "/texts.js";

/** @typedef {import("/pad.js").Ask} Ask @typedef {import("/pad.js").Choice} Choice */
/** @typedef {import("/seals.js").Opening} Opening @typedef {import("/seals.js").Openings} Openings */

/** @param {Choice} choice @param {object} more */
const adding = (choice, more) => ({ ...choice, say: { ...choice.say, ...more } });

/** @param {Ask} ask @param {Openings | undefined} openings @returns {Ask} */
export function sealedAsk(ask, openings) {
  if (!ask.opens) return ask;
  if (!openings) return unopened(ask);
  if (ask.opens === "all") {
    const army = written(openings);
    return { ...ask, choices: ask.choices.map((each) => adding(each, { army })) };
  }
  const opening = openings[ask.opens];
  return ask.guess ? guess(ask, opening) : declaration(ask, opening);
}

/** Somebody else has what opens it. @param {Ask} ask @returns {Ask} */
function unopened(ask) {
  const choices = ask.choices.filter(({ say }) => say.do === "no-attack");
  return { ...ask, texts: [...ask.texts, text("unopened")], choices, more: "" };
}

/** Offer the true answer alone. @param {Ask} ask @param {Opening} opening @returns {Ask} */
function guess(ask, opening) {
  const right = opening.rank === ask.guess;
  const choices = ask.choices.filter(({ say }) => say.right === right);
  return { ...ask, choices: choices.map((each) => adding(each, opening)) };
}

/**
 * Offer the rank that was sealed, and the others in case pieces were mixed up.
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
