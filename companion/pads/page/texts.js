// The page's own texts, in the phone's language until the table specifies a language.

/** @type {Record<string, string>} */
let texts = {};
let language = "";
let wrong = "";

/** Load the texts of a language, if available, and return whether they have changed. @param {string} code */
export async function loadTexts(code) {
  if (code === language) return false;
  language = code;
  try {
    const answer = await fetch(`/texts/${code}`);
    if (answer.ok) texts = await answer.json();
  } catch (_error) {
    language = "";
  }
  showProblem(wrong);
  return true;
}

/** Use the phone's language, or else English. */
export async function loadDefaultTexts() {
  await loadTexts("en");
  await loadTexts(navigator.language.slice(0, 2));
}

/** @param {string} key */
export const text = (key) => texts[key] ?? "";

/**
 * Show a problem at the top of the page, or hide it if `what` is empty. Without a seat, the page shows nothing else.
 * @param {string} what
 */
export function showProblem(what) {
  wrong = what;
  document.body.classList.toggle("out", what === "out" || what === "taken");
  const told = document.getElementById("problem");
  if (!told) return;
  told.textContent = text(what);
  told.hidden = !what;
}
