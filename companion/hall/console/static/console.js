// Keeps an open page up to date. The hall sends rendered HTML for everything that has changed.
"use strict";

/** Replaces an element if it has changed. Keeps the list of actions open, the focus on a card, and
 * the scroll positions of the lists.
 * @param {Element | null} old @param {Element | null} fresh */
function exchange(old, fresh) {
  if (old && fresh && old.outerHTML !== fresh.outerHTML) {
    const open = old.querySelector("details[open]");
    const hasFocus = old === document.activeElement;
    const scrolled = [...old.querySelectorAll("ul")].map((list) => list.scrollTop);
    old.replaceWith(fresh);
    if (open) fresh.querySelector("details")?.setAttribute("open", "");
    if (hasFocus && fresh instanceof HTMLElement) fresh.focus({ preventScroll: true });
    fresh.querySelectorAll("ul").forEach((list, place) => { list.scrollTop = scrolled[place] ?? 0; });
  }
}

/** @param {string} html @returns {DocumentFragment} */
function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** Compares names in natural order: table-10 comes after table-9. */
const natural = new Intl.Collator("en", { numeric: true }).compare;
let isSorted = true;

/** Sorts the cards before the next redraw. Tables that need an arbiter come first. */
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
  const update = JSON.parse(message.data);
  for (const [id, html] of Object.entries(update.parts ?? {})) {
    const fresh = parse(html).firstElementChild;
    const old = document.getElementById(id);
    if (old) exchange(old, fresh);
    else if (fresh) document.getElementById("tables")?.append(fresh);
  }
  if (update.main) {
    const main = parse(update.main);
    for (const fresh of main.querySelectorAll("section")) {
      exchange(document.getElementById(fresh.id), fresh);
    }
  }
  sort();
  tick();
}

// The age of the page's content. Each heartbeat carries the time of the hall's clock, so a delayed
// heartbeat does not make the page look newer than it is.

/** Interval between attempts to reach the hall again, in seconds. */
const RETRY = 5;

/** The hall's clock minus the page's clock, in seconds. The largest difference since the connection
 * was made has the least delay. Until the first heartbeat, the page's age counts from its request. */
let offset = Number(label?.dataset.at);
let isReconnected = true;
/** Time on the hall's clock up to which the page is complete. */
let confirmed = Number(label?.dataset.at);

/** @param {MessageEvent} message */
function takePulse(message) {
  /** @type {import("/page_data").Pulse} */
  const pulse = JSON.parse(message.data);
  const difference = pulse.at - seconds();
  offset = isReconnected ? difference : Math.max(offset, difference);
  isReconnected = false;
  exchange(document.getElementById("problem"), parse(pulse.problem).firstElementChild);
  // A failure message already says that nothing new arrives.
  confirmed = document.querySelector("#problem p") ? pulse.at : pulse.complete_until;
  tick();
}

/** Shows the age of the page, and the running clocks unless their state is unknown. */
function tick() {
  const isLost = showAge(seconds() + offset - confirmed);
  if (isLost || document.querySelector("#problem p")) return;
  for (const clock of document.querySelectorAll(".clock[data-until]")) {
    const left = Number(clock.getAttribute("data-until")) - seconds() - offset;
    const whole = Math.max(0, Math.ceil(left));
    clock.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }
}

// The connection to the hall. The browser reopens a broken stream, but not one that the hall has
// refused, and it does not notice that a hall has stopped sending.

/** @type {EventSource | undefined} */
let stream;
let triedAt = 0;

/** Opens the stream if the page is visible, or else closes it. The browser has only six connections
 * to the hall, so pages in other tabs must not hold one.
 * @param {string} address */
function connect(address) {
  triedAt = seconds();
  stream?.close();
  if (document.hidden) return;
  stream = new EventSource(address);
  stream.onopen = () => { isReconnected = true; };  // a restarted hall may have a different clock
  stream.onmessage = show;
  stream.addEventListener("pulse", takePulse);
}

/** Reconnects once the hall answers. Shows the sign-in page if the arbiter has been signed out.
 * @param {string} address */
async function comeBack(address) {
  triedAt = seconds();
  try {
    const signal = AbortSignal.timeout((RETRY - 1) * 1000);
    const answer = await fetch(location.href, { method: "HEAD", signal });
    if (answer.redirected) location.reload();
    else if (answer.ok) connect(address);
  } catch {
    // The hall is still down.
  }
}

const address = document.querySelector("[data-stream]")?.getAttribute("data-stream");
if (address) {
  sort();
  tick();
  connect(address);
  document.addEventListener("visibilitychange", () => connect(address));
  setInterval(() => {
    tick();
    const isDead = document.body.dataset.age === "lost" || stream?.readyState === EventSource.CLOSED;
    if (isDead && !document.hidden && seconds() - triedAt > RETRY) void comeBack(address);
  }, 250);
}
