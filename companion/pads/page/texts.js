// The page's own texts, in the language of the phone until the table says which.

/** @type {Record<string, string>} */
let texts = {};
let language = "";
let wrong = "";

/** Take the texts of a language, if there is such a one; say whether they are others. @param {string} code */
export async function speak(code) {
  if (code === language) return false;
  language = code;
  try {
    const answer = await fetch(`/texts/${code}`);
    if (answer.ok) texts = await answer.json();
  } catch (_error) {
    language = "";
  }
  trouble(wrong);
  return true;
}

/** Speak as the phone does, or else English. */
export async function speakAsUsual() {
  await speak("en");
  await speak(navigator.language.slice(0, 2));
}

/** @param {string} key */
export const text = (key) => texts[key] ?? "";

/**
 * Say what is wrong above everything else; nothing if nothing is. Who has no seat sees no more.
 * @param {string} what
 */
export function trouble(what) {
  wrong = what;
  document.body.classList.toggle("out", what === "out" || what === "taken");
  const told = document.getElementById("trouble");
  if (!told) return;
  told.textContent = text(what);
  told.hidden = !what;
}
