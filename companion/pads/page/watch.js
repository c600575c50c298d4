// The spectators' page, which shows only public information.

import { Clocks, show, showSheet } from "/show.js";
import { loadTexts, loadDefaultTexts, showProblem } from "/texts.js";

await loadDefaultTexts();
const clocks = new Clocks();
/** @type {EventSource | null} */
let events = null;

function listen() {
  events?.close();
  events = new EventSource("/watch/events");
  events.onmessage = ({ data }) => {
    /** @type {import("/page_data").SpectatorUpdate} */
    const { now, state } = JSON.parse(data);
    show(state);
    clocks.show(state, now);
    showSheet(state);
    loadTexts(state.language).then((isNew) => isNew && showSheet(state));
    showProblem("");
  };
  events.onerror = () => showProblem("away");
  events.onopen = () => showProblem("");
}

listen();
setInterval(() => events?.readyState === EventSource.CLOSED && listen(), 3000);
