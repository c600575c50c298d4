// Values in this phone's local storage, which last until the browser's data is cleared.

/** @param {string} key @returns {any} null if the key is missing */
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
    // If the browser does not allow local storage, a reload loses the value.
  }
}
