// What was asked and answered, for parents and teachers: totals by kind of question, and the latest.

import { spelled } from "./questions.js";
import { currentLanguage, text } from "./texts.js";

/** As many questions as are listed. */
const limit = 50;

function element(name, content, attributes = {}) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...[content].flat());
  return node;
}

function seconds(value) {
  const digits = value < 10 ? 1 : 0;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return text("seconds", { seconds: value.toLocaleString(currentLanguage(), format) });
}

function table(totals) {
  const heads = ["kind", "askedCount", "rightAnswers", "firstTry", "each"];
  return element("table", [
    element("thead", element("tr", heads.map((key) => element("th", text(key), { scope: "col" })))),
    element("tbody", totals.map((total) => element("tr", [
      element("th", text(total.operation), { scope: "row" }),
      ...[total.asked, total.right, total.firstTime, seconds(total.seconds / total.asked)]
        .map((value) => element("td", String(value))),
    ]))),
  ]);
}

function line({ question, answer, wrongAnswers, isRight, seconds: time }) {
  const parts = [spelled(question, answer)];
  if (wrongAnswers.length > 0) parts.push(text("entryWrong", { numbers: wrongAnswers.join(", ") }));
  if (!isRight) parts.push(text("entryOpen"));
  parts.push(seconds(time));
  return parts.join(" · ");
}

/** Fills a place with the log. */
export function showLog(place, { totals, entries }, players) {
  if (entries.length === 0 && totals.length === 0) {
    place.replaceChildren(element("p", text("logEmpty")));
    return;
  }
  const parts = [];
  for (const [player, { name }] of players.entries()) {
    const own = totals.filter((total) => total.player === player);
    if (own.length === 0) continue;
    parts.push(element("h3", `${name}: ${text("logTotals")}`), table(own));
    const latest = entries.filter((entry) => entry.player === player).slice(0, limit);
    if (latest.length === 0) continue;
    parts.push(
      element("h3", `${name}: ${text("logLatest")}`),
      element("ul", latest.map((entry) => element("li", line(entry), { class: entry.isRight ? "right" : "open" }))));
  }
  place.replaceChildren(...parts);
}
