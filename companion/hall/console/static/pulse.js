// The age of a page's content, which every page of the hall shows.
"use strict";

/** Age in seconds at which the page is marked as old. The hall confirms the page every 5 s. */
const OLD = 10;
/** Age in seconds from which the page is no longer reliable. */
const LOST = 20;

const seconds = () => performance.now() / 1000;
const label = document.getElementById("age");

/** Shows the age of the page, and returns whether the page is no longer reliable.
 * @param {number} since The age in seconds. @returns {boolean} */
function showAge(since) {
  const age = Math.max(0, since);
  const isLost = age >= LOST;
  document.body.dataset.age = isLost ? "lost" : age >= OLD ? "old" : "fresh";
  if (label) {
    const [number, unit] = age < 60 ? [age, "second"] : [age / 60, "minute"];
    const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { style: "short" });
    const text = (isLost ? label.dataset.lost : label.dataset.fresh) ?? "";
    label.textContent = text.replace("{age}",
      words.format(-Math.floor(Number(number)), /** @type {"second"} */ (unit)));
  }
  return isLost;
}
