// The age of what a page shows, which every page of the hall says.
"use strict";

/** Age in seconds from which the page is marked as old. It is confirmed every 5 s. */
const OLD = 10;
/** Age in seconds from which nothing on the page can be relied on. */
const LOST = 20;

const seconds = () => performance.now() / 1000;
const label = document.getElementById("age");

/** Shows the age of the page; returns whether nothing on the page can be relied on.
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
