// What this phone keeps, until its browser's memory is emptied.

/** @param {string} key @returns {any} null if it is not there */
export function kept(key) {
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
  } catch (_error) {
    // Where nothing may be kept, a reload forgets it.
  }
}
