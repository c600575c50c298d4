// The spectators' page: what everybody may see, and nothing else.

import { Clocks, part, show } from "/show.js";
import { fetchTexts, speak, text, trouble } from "/texts.js";

await fetchTexts();
const clocks = new Clocks();
/** @type {EventSource | null} */
let events = null;

function listen() {
  events?.close();
  events = new EventSource("/watch/events");
  events.onmessage = ({ data }) => {
    const { now, state } = JSON.parse(data);
    speak(state.language);
    show(state);
    clocks.show(state, now);
    const sheet = part("sheet");
    sheet.hidden = !state.sheet;
    sheet.textContent = text("sheet");
    sheet.setAttribute("href", `/sheet/${state.language}`);
    trouble("");
  };
  events.onerror = () => trouble("away");
  events.onopen = () => trouble("");
}

listen();
setInterval(() => events?.readyState === EventSource.CLOSED && listen(), 3000);
