// Questions and answers as sentences. Counting has words, all else signs.

import { text } from "./texts.js";

/** What is asked, any of it: `6 + 2 = ? or 6 − 2 = ?`. */
export function asked(questions, end = "?") {
  const parts = questions.map((question) =>
    question.operation === "count" ? text("howManyDice") : `${question.text} = ?`);
  return parts.length > 1 && end ? `${questions.map((each) => each.text).join(` ${text("or")} `)}${end}` : parts.join(" ");
}

/** A question with its answer. */
export function spelled(question, number) {
  return question.operation === "count" ? text("counted", { number }) : `${question.text} = ${number}`;
}

/** Praise. */
export function answered({ question, number }) {
  return question.operation === "count" ? text("rightCount", { number })
    : text("right", { question: question.text, number });
}
