// The page's own texts, in the phone's language until the table specifies a language.

/** @type {Record<string, string>} */
let texts = {};
let language = "";
let wrong = "";

/**
 * Load the texts of a language, if available. Return false if this language is already loaded or being loaded, or if
 * another language has been requested in the meantime. A failed request is repeated by the next call.
 * @param {string} code
 */
export async function loadTexts(code) {
  if (code === language) return false;
  language = code;
  try {
    const answer = await fetch(`/texts/${code}`);
    const found = answer.ok ? await answer.json() : null;
    if (code !== language) return false;
    if (found) {
      texts = found;
      document.documentElement.lang = code;
    } else if (answer.status !== 404) language = "";
  } catch (_error) {
    if (code !== language) return false;
    language = "";
  }
  showProblem(wrong);
  return true;
}

/** Use the phone's language, or else English. */
export async function loadDefaultTexts() {
  await loadTexts("en");
  const own = navigator.language.toLowerCase().split("-")[0];
  await loadTexts(own === "no" ? "nb" : own);
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
