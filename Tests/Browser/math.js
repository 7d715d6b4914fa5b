// Plays a game as two people would: rolls before the camera and virtual ones, answers drawn, spoken and
// typed; then practises as one child does, and closes the page in the middle of a question. It waits for what the page says of itself, never for a time, and posts what happened. Who must
// have won is decided by `math.py`, which knows the rules by itself.

import { draw } from "./digits.js";
import { mishaps, missing, strangeSettings } from "./mishaps.js";
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
  const read = find("pad").dataset.digits;
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

// MARK: A practice, and games that are gone on with

async function begin(mode, level) {
  find("modes").querySelector(`[value="${mode}"]`).click();
  if (level) find("levels").querySelector(`[value="${level}"]`).click();
  find("begin").click();
  await settled("waitingForRoll");
}

/** The answer to what the page asks: numbers with signs between them, or how many dice there are. */
function solution(question, values) {
  const [first, sign, second] = question.split(" ");
  const [one, other] = [Number(first), Number(second)];
  return { "+": one + other, "−": one - other, "×": one * other }[sign] ?? values.length;
}

/** A virtual roll, and its question. */
async function ask() {
  find("roll").click();
  await settled("answering");
  const values = state().values.split(" ").map(Number);
  const question = find("questions").textContent;
  return { values, question, answer: solution(question, values), level: Number(state().level) };
}

async function practise(address, found) {
  await begin("practice", 2);
  look("practice", found);
  const rounds = [];
  let hint = "";
  const finish = async (round) => {
    type(round.answer);
    await over(rounds.length + 1);
    rounds.push({ ...round, streak: Number(state().streak), reached: Number(state().level) });
    find("next").click();
    await settled("waitingForRoll");
  };
  while (rounds.length < 6) {
    const round = await ask();
    if (rounds.length === 0) {
      look("practice, a question", found);
      type(99);
      await until("A hint", () => find("status").textContent.includes("99") && !state().busy);
      hint = find("note").textContent;
    }
    await finish(round);
  }
  // The page is closed while a question waits, and goes on with it.
  const round = await ask();
  await open(address);
  look("a game to go on with", found);
  const offered = find("saved-list").textContent;
  find("saved-list").querySelector("[data-go-on=practice]").click();
  await settled("answering");
  const again = { values: state().values.split(" ").map(Number), question: find("questions").textContent };
  await finish(round);
  find("show-log").click();
  look("log", found);
  const cells = [...find("log-parts").querySelectorAll("tbody tr")]
    .map((row) => [...row.children].slice(1, 4).map((cell) => Number(cell.textContent)));
  const latest = [...find("log-parts").querySelectorAll("li")].map((item) => item.textContent);
  find("close-log").click();
  // Counting, where any number of dice may lie there.
  find("leave").click();
  await begin("practice", 1);
  const counted = await ask();
  type(counted.answer);
  await over(1);
  return { rounds, hint, offered, again, left: round, cells, latest, counted: { ...counted, told: find("status").textContent } };
}

/** A game on the board that is closed after its first answer, and undone when it goes on. */
async function goOn(address) {
  await open(address);
  await begin("board");
  find("roll").click();
  await settled("answering");
  const values = state().values;
  type(values.split(" ").reduce((sum, value) => sum + Number(value), 0));
  await over(1);
  const before = { ...state() };
  await open(address);
  find("saved-list").querySelector("[data-go-on=board]").click();
  await settled("answered", "won");
  const after = { ...state() };
  find("undo").click();
  await over(0);
  return { before, after, undone: { ...state() } };
}

/** Texts that are no games of this page: refused with a sentence, and gone the next time. */
async function refuse(address) {
  const storage = localStorage;
  const saved = storage.getItem("dice-math-board");
  const practice = storage.getItem("dice-math-practice");
  const texts = [
    "", "{", "[".repeat(100_000), '{"kind":"another game"}', saved.slice(0, -1), practice,
    saved.replace('"sections":9', '"sections":12'), saved.replace('"turn":0', '"turn":1e300'),
    saved.replace('"version":1', '"version":2'), saved.replace("[[1,", "[[10,"), `${"9".repeat(400)}`,
  ];
  const refusals = [];
  for (const [number, text] of texts.entries()) {
    storage.setItem("dice-math-board", text);
    storage.setItem("dice-math", strangeSettings[number % strangeSettings.length]);
    await open(address);
    refusals.push({
      sentence: state().refused, shown: find("saved-problem").textContent,
      isGone: storage.getItem("dice-math-board") === null,
      keepsTheOther: find("saved-list").querySelectorAll("[data-go-on=practice]").length === 1,
    });
  }
  return refusals;
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
  const address = `../site/math/index.html?language=en&seed=${inputs.seed}`;
  await open(address);
  const offeredAfterwards = find("saved-list").children.length;
  const practice = await practise(address, found);
  const saved = await goOn(address);
  const refusals = await refuse(address);
  const pages = Object.fromEntries(["reader", "weights", "code"].map(
    (kind) => [kind, `../without-${kind}/math/index.html?language=en`]));
  const tools = { find, state, settled, until, choose };
  const mishappened = await missing(tools, frame, pages);

  // Without the server everything is still there, in another language.
  await open(address);
  await frame.contentWindow.navigator.serviceWorker.ready;
  await until("All files in the cache", () => frame.contentWindow.navigator.serviceWorker.controller);
  await fetch("/down", { method: "POST" });
  await open(`../site/math/index.html?language=de&seed=${inputs.seed}`);
  await begin("board");
  look("roll", found);
  mishappened.push(...(await mishaps(tools, frame)));
  for (const way of ["write", "speak", "type"]) {
    choose(way);
    look(way, found);
  }
  const offline = { values: state().values, status: find("status").textContent };
  report = { game, offeredAfterwards, practice, saved, refusals, readyMilliseconds, problems: found, mishappened, offline };
} catch (error) {
  report = { failure: `${error.message} ${error.stack}` };
}
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
