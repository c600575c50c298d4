// Values in this phone's local storage, which last until the browser's data is cleared.

/** Values that the browser did not store. A reload loses them. @type {Map<string, unknown>} */
const unsaved = new Map();

/** @param {string} key @returns {any} null if the key is missing */
export function kept(key) {
  if (unsaved.has(key)) return unsaved.get(key);
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch (_error) {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    unsaved.delete(key);
  } catch (_error) {
    unsaved.set(key, value);
  }
}
