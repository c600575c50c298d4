// The story of the previous game: three moments, each with the positions around it, and closing paragraphs.

import { make, part } from "/parts.js";
import { showBoard } from "/show.js";
import { loadTexts, loadDefaultTexts, text, showProblem } from "/texts.js";

/** Time between attempts to load the story, in milliseconds. */
const RETRY = 4000;

/** @typedef {import("/page_data").StoryData} Story */

class StoryPage {
  /** @param {Story} story */
  constructor(story) {
    this.story = story;
    this.moment = 0;
    this.step = story.moments[0]?.start ?? 0;
    part("back").onclick = () => this.go(-1);
    part("forward").onclick = () => this.go(1);
    part("closing").replaceChildren(...story.closing.map((each) => make("p", {}, each)));
    this.show();
  }

  /** @param {number} steps */
  go(steps) {
    this.step += steps;
    this.show();
  }

  /** @param {number} moment */
  open(moment) {
    this.moment = moment;
    this.step = this.story.moments[moment].start;
    this.show();
  }

  show() {
    part("title").textContent = text("story");
    const steps = this.story.moments[this.moment]?.steps ?? [];
    const shown = steps[this.step];
    part("place").textContent = shown?.place ?? "";
    part("text").textContent = shown?.text ?? "";
    showBoard({ title: shown?.text ?? "", ...shown });
    part("back").toggleAttribute("disabled", this.step <= 0);
    part("forward").toggleAttribute("disabled", this.step >= steps.length - 1);
    const parts = this.story.moments.map((_moment, number) => {
      const kind = number === this.moment ? "choice armed" : "choice";
      const button = make("button", { type: "button", class: kind }, String(number + 1));
      button.onclick = () => this.open(number);
      return button;
    });
    part("parts").replaceChildren(...parts);
  }
}

await loadDefaultTexts();
const language = location.hash.slice(1);
await loadTexts(language);
document.documentElement.lang = language;

/** Load the story, with retries. If there is no story any more, show the spectators' page. */
async function load() {
  const answer = await fetch(`/story/${language}`).catch(() => null);
  /** @type {Story | null} */
  const story = answer?.ok ? await answer.json().catch(() => null) : null;
  if (answer?.status === 404) location.replace("/watch");
  else if (!story) setTimeout(load, RETRY);
  showProblem(story ? "" : "away");
  if (story) new StoryPage(story);
}

await load();
