// The spectators' page, which shows only public information.

import { Clocks, show, showSheet } from "/show.js";
import { loadTexts, loadDefaultTexts, showProblem } from "/texts.js";

/** Time without data after which the stream is reopened, in milliseconds. The table sends something every 4 s. */
const SILENCE = 10000;

await loadDefaultTexts();
const clocks = new Clocks();
/** @type {EventSource | null} */
let events = null;
/** Time at which the table last sent something. */
let heardAt = 0;

function listen() {
  events?.close();
  heardAt = Date.now();
  events = new EventSource("/watch/events");
  events.addEventListener("pulse", () => (heardAt = Date.now()));
  events.onmessage = ({ data }) => {
    heardAt = Date.now();
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
setInterval(() => {
  const isSilent = Date.now() - heardAt > SILENCE;
  if (isSilent) showProblem("away");
  if (isSilent || events?.readyState === EventSource.CLOSED) listen();
}, 3000);
