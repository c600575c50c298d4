// Keeps an open page as things are now: the hall sends what has changed, ready to be shown.
"use strict";

/** Shows a part of the page anew, unless it is as it was: what is open in it stays open.
 * @param {Element | null} old @param {Element | null} fresh */
function exchange(old, fresh) {
  if (old && fresh && old.outerHTML !== fresh.outerHTML) {
    const open = old.querySelector("details[open]");
    old.replaceWith(fresh);
    if (open) fresh.querySelector("details")?.setAttribute("open", "");
  }
}

/** @param {string} html @returns {DocumentFragment} */
function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** Names as people count: table-10 behind table-9. */
const natural = new Intl.Collator("en", { numeric: true }).compare;
let isSorted = true;

/** Puts the cards in their order before they are drawn next: what needs an arbiter comes first. */
function sort() {
  if (!isSorted) return;
  isSorted = false;
  requestAnimationFrame(() => {
    isSorted = true;
    const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".card")]);
    cards.sort((one, other) =>
      Number(one.dataset.order) - Number(other.dataset.order) || natural(one.id, other.id));
    cards.forEach((card, place) => { card.style.order = String(place); });
  });
}

/** @param {MessageEvent} message */
function show(message) {
  /** @type {import("/page_data").PageUpdate} */
  const told = JSON.parse(message.data);
  exchange(document.getElementById("problem"), parse(told.problem).firstElementChild);
  for (const [id, html] of Object.entries(told.parts ?? {})) {
    const fresh = parse(html).firstElementChild;
    const old = document.getElementById(id);
    if (old) exchange(old, fresh);
    else if (fresh) document.getElementById("tables")?.append(fresh);
  }
  if (told.main) {
    const main = parse(told.main);
    for (const fresh of main.querySelectorAll("section")) {
      exchange(document.getElementById(fresh.id), fresh);
    }
  }
  sort();
  for (const clock of came.keys()) if (!clock.isConnected) came.delete(clock);
}

/** When each clock that is shown was first seen, in milliseconds. @type {Map<Element, number>} */
const came = new Map();

/** Lets the clocks run on that run. */
function tick() {
  for (const clock of document.querySelectorAll(".clock.runs")) {
    if (!came.has(clock)) came.set(clock, performance.now());
    const passed = (performance.now() - (came.get(clock) ?? 0)) / 1000;
    const left = Math.max(0, Math.ceil(Number(clock.getAttribute("data-left")) - passed));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }
}

const address = document.querySelector("[data-stream]")?.getAttribute("data-stream");
if (address) {
  sort();
  tick();
  setInterval(tick, 250);
  new EventSource(address).onmessage = show;
}
