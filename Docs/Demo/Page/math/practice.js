// Shows a practice: the dice, large, the level, and how far it is to the next one.

import { showFaces } from "../faces.js";
import { text } from "./texts.js";

/** The part of the page that stands in the board's place. */
export class Practice {
  #page;

  constructor(page) {
    this.#page = page;
  }

  render({ values, players: [{ level, streak }], advancesAfter }, origin) {
    const page = this.#page;
    page["practice-level"].textContent = text("levelIs", { level, name: text(`level${level}`) });
    const faces = page["practice-faces"];
    const isEmpty = values.length === 0;
    showFaces(faces, isEmpty ? [0, 0] : values);
    faces.classList.toggle("many", values.length > 4);
    faces.classList.toggle("none", isEmpty);
    faces.ariaHidden = isEmpty ? "true" : null;
    page["practice-origin"].textContent = origin;
    const { steps } = page;
    const isLast = level === 5 || !advancesAfter;
    steps.hidden = isLast;
    if (isLast) return;
    const done = streak % advancesAfter;
    steps.setAttribute("aria-label", text("toNextLevel", { done, count: advancesAfter }));
    steps.replaceChildren(...Array.from({ length: advancesAfter }, (_, step) => {
      const dot = document.createElement("span");
      dot.classList.toggle("done", step < done);
      return dot;
    }));
  }
}
