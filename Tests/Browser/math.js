// Plays a game as two people would: rolls before the camera and virtual ones, answers drawn, spoken and
// typed. It waits for what the page says of itself, never for a time, and posts what happened. Who must
// have won is decided by `math.py`, which knows the rules by itself.

import { draw } from "./digits.js";
import { problems } from "./walk.js";

const frame = document.getElementById("page");

async function until(what, condition, seconds = 60) {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const value = condition();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { dataset } = frame.contentDocument.body;
  throw new Error(`${what} did not happen within ${seconds} s: ${JSON.stringify(dataset)}`);
}

const find = (id) => frame.contentDocument.getElementById(id);
const state = () => frame.contentDocument.body.dataset;

async function open(address) {
  frame.src = address;
  await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  await until("The page's readiness", () => state().ready && !find("begin").disabled);
}

function key(name) {
  const { KeyboardEvent } = frame.contentWindow;
  frame.contentDocument.body.dispatchEvent(
    new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
}

function choose(way) {
  find("ways").querySelector(`[value="${way}"]`).click();
}

/** Waits until the page shows all that it was told, in a phase. */
function settled(...phases) {
  return until(`One of ${phases}`, () => !state().busy && phases.includes(state().phase) && state().phase);
}

/** Waits until so many questions are over. Dice that leave the film meanwhile pass the turn on. */
function over(count) {
  return until(`The end of question ${count}`, () => !state().busy && Number(state().asked) === count);
}

// MARK: Answers

async function write(number) {
  choose("write");
  draw(find("pad"), String(number));
  const read = find("pad").dataset.text;
  if (read !== String(number)) throw new Error(`${number} was drawn and ${read} was read.`);
}

async function say(number) {
  choose("speak");
  const { PointerEvent } = frame.contentWindow;
  const pointer = (name) =>
    find("talk").dispatchEvent(new PointerEvent(name, { bubbles: true, cancelable: true, pointerId: 7 }));
  pointer("pointerdown");
  // The recording goes round: what was heard wrong is heard anew.
  await until(`Hearing ${number}`, () => state().pending === String(number), 40);
  pointer("pointerup");
}

function type(number) {
  choose("write");
  // Digits may be typed anywhere: they find the field.
  for (const digit of String(number)) key(digit);
  if (find("typed").value !== String(number)) throw new Error(`${number} was typed and is not there.`);
  find("way-type").requestSubmit();
}

// MARK: The game

/** What the test knows of the rules, to choose between two answers: where a pawn would land. */
const landing = (section, distance) => ((section - 1 + distance) % 9) + 1;

async function play({ spoken, virtualFrom, limit }) {
  find("name-0").value = "Ann";
  find("name-1").value = "Ben";
  find("begin").click();
  await settled("waitingForRoll");
  const told = [];
  new MutationObserver(() => told.push(find("told").textContent)).observe(find("told"), { childList: true });
  const turns = [];
  let camera = null;
  let hasErred = false;
  let hasUndone = false;
  while (turns.length < limit) {
    const player = Number(state().turn);
    const isVirtual = turns.length >= virtualFrom && state().phase === "waitingForRoll";
    if (isVirtual) find("roll").click();
    else if (turns.length === 0) find("camera").click();
    await settled("answering");
    if (!isVirtual && turns.length === 0) {
      camera = await until("A frame rate", () => find("stage").dataset.framesPerSecond && { ...find("stage").dataset });
    }
    const values = state().values.split(" ").map(Number);
    const section = Number(state().sections.split(" ")[player]);
    const answers = [values[0] + values[1], Math.abs(values[0] - values[1])];
    const winning = answers.find((answer) => landing(section, answer) === 9);
    const speaks = spoken !== null && isVirtual && answers.includes(spoken)
      && !turns.some((turn) => turn.way === "spoken");
    const answer = speaks ? spoken : winning ?? answers[0];
    const turn = { player, values, answer, way: "drawn", isVirtual };
    if (!hasErred) {
      // No answer to two dice, and a hint.
      type(99);
      await until("A hint", () => find("status").textContent.includes("99") && !state().busy);
      turn.hint = find("note").textContent;
      hasErred = true;
    }
    if (speaks) {
      turn.way = "spoken";
      await say(answer);
    } else if (turns.length % 2 === 1) {
      turn.way = "typed";
      type(answer);
    } else await write(answer);
    await over(turns.length + 1);
    if (turn.way === "typed" && isVirtual && !hasUndone) {
      find("undo").click();
      await over(turns.length);
      turn.undone = state().sections;
      type(answer);
      await over(turns.length + 1);
      hasUndone = true;
    }
    turn.sections = state().sections.split(" ").map(Number);
    turn.told = told.splice(0).join(" ");
    turns.push(turn);
    if (state().phase === "won") break;
    if (state().phase === "answered") find("next").click();
    await settled("waitingForRoll", "answering");
  }
  return { turns, camera, winner: state().winner, status: find("status").textContent };
}

/** Every screen, looked at for what keyboards and screen readers need. */
function look(name, found) {
  for (const problem of problems(frame.contentDocument)) found.push(`${name}: ${problem}`);
}

let report;
try {
  const inputs = await (await fetch("math.json")).json();
  const found = [];
  await open(`../site/math/index.html?language=en&seed=${inputs.seed}`);
  const readyMilliseconds = Number(state().readyMilliseconds);
  look("start", found);
  const game = await play(inputs);
  look("won", found);

  // Without the server everything is still there, in another language.
  await frame.contentWindow.navigator.serviceWorker.ready;
  await until("All files in the cache", () => frame.contentWindow.navigator.serviceWorker.controller);
  await fetch("/down", { method: "POST" });
  await open(`../site/math/index.html?language=de&seed=${inputs.seed}`);
  find("begin").click();
  await settled("waitingForRoll");
  look("roll", found);
  find("roll").click();
  await settled("answering");
  for (const way of ["write", "speak", "type"]) {
    choose(way);
    look(way, found);
  }
  const offline = { values: state().values, status: find("status").textContent };
  report = { game, readyMilliseconds, problems: found, offline };
} catch (error) {
  report = { failure: `${error.message} ${error.stack}` };
}
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
