// What goes wrong in families: palms on the pad, taps too many, a page that is hidden, files that do not arrive.
// Each check gives sentences about what the page did wrong.

import { draw } from "./digits.js";

/** Settings that no page of this kind has written. */
export const strangeSettings = [
  "null", "5", '"x"', "[]", "{", '{"names":"Ann"}', '{"names":5}', '{"names":["a","b","c"]}', '{"names":[{},null]}',
  '{"language":"toString"}', '{"level":"1\\"]","mode":"none","names":["' + "x".repeat(500) + '"]}',
];

/** Mishaps in a game whose first roll is awaited. */
export async function mishaps({ find, state, settled, until, choose }, frame) {
  const found = [];
  const check = (isRight, sentence) => isRight || found.push(sentence);
  const { MouseEvent, PointerEvent, Event } = frame.contentWindow;
  const page = frame.contentDocument;

  // The second tap of a double tap on the button that began the game.
  find("roll").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }));
  check(!state().busy && state().phase === "waitingForRoll", "A double tap on the first button rolls dice.");
  find("roll").click();
  await settled("answering");

  // A palm lies on the pad before the pen comes, and goes after it.
  const { left, top, width, height } = find("pad").getBoundingClientRect();
  const palm = (name) => find("pad").dispatchEvent(new PointerEvent(name, {
    bubbles: true, cancelable: true, pointerId: 11, pointerType: "touch", width: 60, height: 60,
    clientX: left + 0.95 * width, clientY: top + 0.9 * height,
  }));
  palm("pointerdown");
  draw(find("pad"), "7");
  palm("pointerup");
  palm("pointerdown");
  palm("pointerup");
  check(find("pad").dataset.digits === "7", `A palm beside a 7 makes it "${find("pad").dataset.digits}".`);

  // Another language in the middle of an answer.
  const language = find("language").value;
  find("language").value = "es";
  find("language").dispatchEvent(new Event("change"));
  check(find("given").textContent === "Leo 7", `An answer is "${find("given").textContent}" in Spanish.`);
  check(find("status").textContent.startsWith("Dados"), `A roll is "${find("status").textContent}" in Spanish.`);
  find("language").value = language;
  find("language").dispatchEvent(new Event("change"));
  find("clear").click();

  // Nobody listens for a page that is hidden.
  choose("speak");
  const hide = (isHidden) => {
    Object.defineProperty(page, "hidden", { value: isHidden, configurable: true });
    page.dispatchEvent(new Event("visibilitychange"));
  };
  const listens = () => find("talk").classList.contains("listens");
  find("always").click();
  await until("Listening", listens);
  hide(true);
  check(!listens(), "A hidden page listens.");
  hide(false);
  await until("Listening again", listens);
  find("always").click();
  choose("write");
  return found;
}

/** Pages where files are missing: without the reader there are virtual dice, without the rest a sentence. */
export async function missing({ find, settled, until }, frame, addresses) {
  const found = [];
  const check = (isRight, sentence) => isRight || found.push(sentence);
  const open = async (address) => {
    frame.src = address;
    await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  };
  await open(addresses.reader);
  await until("A game without a reader", () => !find("begin").disabled);
  find("begin").click();
  await settled("waitingForRoll");
  find("camera").click();
  await until("Words about the reader", () => find("note").textContent.includes("did not start"));
  check(find("stage").hidden, "There is no reader, and a camera is shown.");
  find("roll").click();
  await settled("answering");
  find("leave").click();
  check(!find("begin").disabled, "Without a reader no second game begins.");

  for (const [kind, words] of [["weights", "did not load"], ["code", "Load the page again"]]) {
    await open(addresses[kind]);
    await until(`Words about the ${kind}`, () => find("begin").textContent.includes(words));
    check(find("begin").disabled, `A game without its ${kind} can be begun.`);
  }
  return found;
}
