// Keeps a tournament page up to date by polling, and shows the page's age.
"use strict";

/** Interval between requests, in seconds. Every other request is for the next part of the page. */
const POLL = 5;

let shown = location.href;
/** Time at which the shown state was requested. The initial page was requested at time 0. */
let requested = 0;
let requests = 0;

async function poll() {
  const at = seconds();
  const old = document.querySelector("main");
  const address = ++requests % 2 ? shown : old?.dataset.next || shown;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout((POLL - 1) * 1000) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("main");
    if (answer.ok && old && fresh) {
      if (old.outerHTML !== fresh.outerHTML) old.replaceWith(fresh);
      shown = address;
      requested = at;
    }
  } catch {
    // The hall is down. The page's growing age shows this.
  }
}

const tick = () => showAge(seconds() - requested);
tick();
setInterval(tick, 250);
setInterval(poll, POLL * 1000);
