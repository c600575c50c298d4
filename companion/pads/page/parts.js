// Elements from which the pages are built.

import { PORTRAITS } from "/portraits.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} id */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
}

/**
 * Replace elements, and move a visible focus, as of a keyboard, to the new button with the same meaning. The focus of a
 * finger is not moved, because this can disturb the next touch.
 * @param {() => void} replace
 */
export function keepFocus(replace) {
  const old = document.activeElement;
  const keys = old?.matches(":focus-visible") ? ["data-say", "data-at", "data-rank"] : [];
  const key = keys.find((each) => old?.hasAttribute(each));
  const value = key && old?.getAttribute(key);
  replace();
  if (!key || typeof value !== "string" || old?.isConnected) return;
  const fresh = document.querySelector(`[${key}="${CSS.escape(value)}"]`);
  if (fresh instanceof HTMLElement) fresh.focus({ preventScroll: true });
}

/**
 * @param {string} name @param {Record<string, string | number>} [attributes] @param {(Node | string)[]} inside
 */
export function make(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...inside);
  return made;
}

/** @param {string} name @param {Record<string, string | number>} attributes */
export function draw(name, attributes) {
  const drawn = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) drawn.setAttribute(key, String(value));
  return drawn;
}

/** The portrait of a rank. @param {string} rank */
export function portrait(rank) {
  const picture = draw("svg", { viewBox: "0 0 100 100", class: "portrait", "aria-hidden": "true" });
  for (const [path, width] of PORTRAITS[rank] ?? []) {
    const stroke = { "stroke-width": width, fill: "none", stroke: "currentColor" };
    picture.append(draw("path", { d: path, ...(width ? stroke : { fill: "currentColor" }) }));
  }
  return picture;
}
