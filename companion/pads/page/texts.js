// The page's own texts, in the language of the phone until the table says which.

/** @type {Record<string, Record<string, string>>} */
let texts = {};
let language = "en";

export async function fetchTexts() {
  for (;;) {
    try {
      texts = await (await fetch("/texts.json")).json();
      break;
    } catch (_error) {
      await new Promise((go) => setTimeout(go, 1000));
    }
  }
  speak(navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in texts) ?? "en");
}

/** @param {string} code */
export function speak(code) {
  language = code;
}

/** @param {string} key */
export const text = (key) => texts[language]?.[key] ?? "";

/** Say what is wrong above everything else; nothing if nothing is. @param {string} what */
export function trouble(what) {
  const told = document.getElementById("trouble");
  if (!told) return;
  told.textContent = text(what);
  told.hidden = !what;
}
