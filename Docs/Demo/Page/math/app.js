// Dice Math: real dice, sums, and a board for two or a practice for one. This file ties the parts together.

import { Answers } from "./answers.js";
import { Board } from "./board.js";
import { Dice } from "./dice.js";
import { DiceMath } from "./game.js";
import { showLog } from "./log.js";
import { Play } from "./play.js";
import { forget, keep, kept, offers } from "./saved.js";
import { remember, remembered } from "./settings.js";
import { setSounds, sounds } from "./sounds.js";
import { passOverSecondTaps } from "./taps.js";
import { languages, setLanguage, text, translate } from "./texts.js";
import { hasVectors } from "../vectors.js";

const page = {};
for (const node of document.querySelectorAll("[id]")) page[node.id] = node;

/** When the clock began: that of a game that is gone on with goes on where it stopped. */
let beginning = 0;
const now = () => beginning + performance.now() / 1000;
const address = new URLSearchParams(location.search);
/** Virtual dice, the same again with the same seed. */
const seed = Number(address.get("seed") ?? crypto.getRandomValues(new Uint32Array(1))[0]);

// MARK: Loading

async function fetched(name) {
  const response = await fetch(new URL(`../${name}`, import.meta.url));
  if (!response.ok) throw new Error(`${name} cannot be loaded (${response.status}).`);
  return response.arrayBuffer();
}

/** The module, compiled once for the page and its workers. */
const compiled = fetched("dicemath.wasm").then((bytes) => WebAssembly.compile(bytes));

let math = null;
let answers = null;
const play = new Play(page);

/** Whether what is told of the camera or a file is that it cannot be had. */
let hasProblem = false;

/** Of the tracker's roll that the open question is about. */
let rollNumber = null;

const dice = new Dice(page, {
  roll(values, origin, number) {
    if (play.state?.phase === "won" || !play.state) return;
    const isNew = play.state.phase !== "answering";
    if (isNew) play.origin = origin;
    if (isNew) rollNumber = number;
    if (origin === "virtual") sounds.roll();
    tell(math.rollEnded(values, now()));
  },
  revised(values, number) {
    // A later roll than the one that counts is nobody's question.
    if (play.state && number === rollNumber) tell(math.rollRevised(values, now()));
  },
  cleared() {
    if (play.state) tell(math.diceCleared(now()));
  },
  seen(phase, count) {
    see(phase === "rolling" ? "rolling" : count === 0 ? "looking" : count === 1 ? "seeOne" : "see", count);
  },
  stopped() {
    page.stage.hidden = true;
    page.seen.hidden = true;
    nameCamera();
  },
  problem(key) {
    play.note(() => text(key));
    hasProblem = true;
  },
  ready() {
    document.body.dataset.readyMilliseconds = performance.now().toFixed(0);
    document.body.dataset.ready = "true";
  },
}, seed);

/** Says that there is no game, and why. */
function fail() {
  const key = hasVectors() ? "notLoaded" : "broken";
  page.begin.disabled = true;
  page.begin.classList.add("broken");
  page.begin.dataset.text = key;
  page.begin.textContent = text(key);
  play.tell(text(key));
}

async function load() {
  try {
    const module = await compiled;
    dice.start(module);
    const names = ["digits.dvweights", "pen-ways.dvweights", "digit-or-none.dvweights"];
    const weights = await Promise.all(names.map(fetched));
    math = await DiceMath.load(module);
    math.openInk(...weights.map((bytes) => new Uint8Array(bytes)));
    answers = new Answers(page, math, module, {
      answer: (number, openness) => tell(math.answerChanged(number, openness, now())),
      say: (sentence) => play.tell(sentence),
    });
    translate(document);
    page.begin.disabled = false;
    page.begin.classList.remove("broken");
    page.begin.dataset.text = "play";
    page.begin.textContent = text("play");
    offer();
  } catch {
    fail();
  }
}

// MARK: The game

/** Shows what the game told, and makes ready for what comes next. */
function tell(told) {
  if (told.outputs.length === 0) return;
  const kinds = told.outputs.map((output) => output.kind);
  if (!kinds.every((kind) => kind === "heard")) keep(math, told.state);
  document.body.dataset.pending = told.state.pending ?? "";
  // What is read of an answer is shown where it is given.
  if (kinds.every((kind) => kind === "heard")) {
    play.state = told.state;
    return;
  }
  const { phase } = told.state;
  if (phase !== "answering") answers.close();
  play.show(told, () => {
    if (kinds.includes("asked") || kinds.includes("undone")) {
      if (phase === "answering") answers.open();
    } else if (kinds.includes("wrong")) answers.reset();
    dice.hold(phase === "answering" || phase === "answered");
    page.take.hidden = !dice.isOn;
    follow(kinds, phase);
  });
}

/** Takes the focus along where what had it is gone. */
function follow(kinds, phase) {
  const { activeElement } = document;
  const isLost = !activeElement || activeElement === document.body || !activeElement.checkVisibility();
  if (phase === "answered" && kinds.some((kind) => kind === "right" || kind === "revealed")) {
    page.next.focus();
  } else if (phase === "won") page.again.focus();
  else if (isLost) page.status.focus();
}

/** Shows a game that begins or goes on. */
function begin(told) {
  page.start.hidden = true;
  page.play.hidden = false;
  document.body.dataset.screen = "play";
  rollNumber = null;
  play.state = null;
  // What two dice can make, right or wrong; products are larger.
  answers.expect(told.state.play === "board" ? 12 : 36);
  play.begin(told, ({ state }) => {
    if (state.phase === "answering") answers.open();
    page.take.hidden = true;
  });
  page.status.focus();
}

/** Leaves the game, which can go on later. */
function leave() {
  dice.stop();
  answers.close();
  play.leave();
  delete document.body.dataset.screen;
  page.play.hidden = true;
  page.undo.hidden = true;
  page.start.hidden = false;
  offer();
}

setInterval(() => {
  if (play.state?.phase !== "answering" || play.state.pending === null || answers.isBusy) return;
  tell(math.time(now()));
}, 100);

// MARK: Controls

/** Which is chosen on the first screen, "board" or "practice". */
const mode = () => page.modes.querySelector(":checked").value;

function choose(chosen) {
  page.modes.querySelector(`[value="${chosen}"]`).checked = true;
  const isPractice = chosen === "practice";
  page.start.dataset.mode = chosen;
  page.levels.hidden = page.advances.hidden = !isPractice;
  page["name-1"].parentElement.hidden = isPractice;
  for (const [node, key] of [
    [page.motto, isPractice ? "mottoPractice" : "motto"],
    [page.goal, isPractice ? "goalPractice" : "goal"], [page["first-label"], isPractice ? "name" : "firstPlayer"],
  ]) {
    node.dataset.text = key;
    node.textContent = text(key);
  }
  page["name-problem"].textContent = "";
  page["name-0"].placeholder = text(isPractice ? "player" : "red");
}

page.modes.onchange = () => {
  remember({ mode: mode() });
  choose(mode());
};

page.start.onsubmit = (event) => {
  event.preventDefault();
  const typed = [0, 1].map((player) => page[`name-${player}`].value.trim().normalize());
  const names = [typed[0] || page["name-0"].placeholder, typed[1] || text("blue")];
  beginning = 0;
  if (mode() === "practice") {
    const level = Number(page.levels.querySelector(":checked").value);
    const advances = page.advance.checked;
    remember({ names: [typed[0], page["name-1"].value], level, advances });
    begin(math.practise({ name: names[0], level, advancesAfter: advances ? 5 : 0 }));
    return;
  }
  if (names[0] === names[1]) {
    page["name-problem"].textContent = text("sameNames");
    page["name-1"].focus();
    return;
  }
  page["name-problem"].textContent = "";
  remember({ names: typed });
  begin(math.begin({ names }));
};

// MARK: Games to go on with

let offered = { games: [], problems: [] };

/** Offers the games that are kept. */
function offer() {
  offered = offers(math);
  document.body.dataset.refused = offered.problems.join(" ");
  showOffers();
}

function showOffers() {
  const { games, problems } = offered;
  page["saved-problem"].textContent = problems.length > 0 ? text("savedBroken") : "";
  page.saved.hidden = games.length === 0;
  page["saved-list"].replaceChildren(...games.map(({ play: kind, state: { players } }) => {
    const [first, second] = players;
    const game = kind === "board" ? text("goOnBoard", {
      first: first.name, one: first.section, second: second.name, two: second.section,
    }) : text("goOnPractice", { first: first.name, level: text(`level${first.level}`) });
    const goOn = document.createElement("button");
    Object.assign(goOn, { type: "button", className: "main", textContent: game });
    goOn.dataset.goOn = kind;
    goOn.onclick = () => resume(kind);
    const drop = document.createElement("button");
    Object.assign(drop, { type: "button", textContent: text("forget") });
    drop.setAttribute("aria-label", text("forgetGame", { game }));
    drop.dataset.forget = kind;
    drop.onclick = () => {
      forget(kind);
      offer();
      page.begin.focus();
    };
    const item = document.createElement("li");
    item.append(goOn, drop);
    return item;
  }));
}

function resume(kind) {
  try {
    const told = math.restore(kept(kind) ?? "");
    if (told.state.play !== kind) throw new Error();
    beginning = told.state.time - performance.now() / 1000;
    begin(told);
  } catch {
    // Another window has changed it meanwhile.
    offer();
    page["saved-problem"].textContent = text("savedGone");
    page.begin.focus();
  }
}

page.camera.onclick = () => {
  if (dice.isOn) return dice.stop();
  page.stage.hidden = false;
  const started = dice.useCamera();
  if (dice.isOn) show();
  return started;
};
page.roll.onclick = () => {
  const counts = play.state.play === "practice" && play.state.players[0].level === 1;
  dice.roll(counts ? 0 : 2);
};
page.open.onclick = () => page.file.click();
page.file.onchange = () => {
  const [file] = page.file.files;
  page.file.value = "";
  if (!file) return;
  dice.useFile(file);
  show();
};

/** Shows the stage. */
function show() {
  page.stage.hidden = false;
  page.seen.hidden = false;
  see("looking");
  nameCamera();
  if (hasProblem) play.note(() => text("howToRoll"));
  hasProblem = false;
}

/** Says what the reader sees; the text's key and its number stay for another language. */
function see(key = page.seen.dataset.key, count = page.seen.dataset.count) {
  Object.assign(page.seen.dataset, { key, count });
  page.seen.textContent = text(key, { count });
}

/** The button for the camera also ends what is shown. */
function nameCamera() {
  page.camera.textContent = text(!dice.isOn ? "camera" : dice.isCamera ? "stopCamera" : "closeFile");
}

page.questions.onclick = ({ target }) => {
  const { operation } = target.dataset;
  if (operation) tell(math.operationChosen(operation, now()));
};
page.next.onclick = () => tell(math.diceCleared(now()));
page.undo.onclick = () => tell(math.undo(now()));
page.again.onclick = () => tell(math.restart(now()));
page.new.onclick = () => {
  leave();
  page["name-0"].focus();
};
page.leave.onclick = () => {
  leave();
  (page["saved-list"].querySelector("button") ?? page.begin).focus();
};
page["show-log"].onclick = () => {
  showLog(page["log-parts"], math.log(), play.state.players);
  page.log.showModal();
};
page["close-log"].onclick = () => page.log.close();
page.log.onclick = ({ target }) => target === page.log && page.log.close();

page.sound.onclick = () => {
  remember({ sound: page.sound.getAttribute("aria-pressed") !== "true" });
  useSound();
  sounds.step(4);
};

function useSound() {
  const isOn = remembered.sound !== false;
  setSounds(isOn);
  page.sound.setAttribute("aria-pressed", String(isOn));
}

function useLanguage(code) {
  setLanguage(code);
  translate(document);
  document.title = text("title");
  page["name-1"].placeholder = text("blue");
  choose(mode());
  showOffers();
  nameCamera();
  if (dice.isOn) see();
  answers?.translate();
  play.translate();
}

page.language.append(...Object.entries(languages).map(([code, name]) => new Option(name, code)));
page.language.onchange = () => {
  remember({ language: page.language.value });
  useLanguage(page.language.value);
};

const asked = address.get("language") ?? remembered.language;
const spoken = navigator.languages.map((tag) => tag.split("-")[0]).find((tag) => Object.hasOwn(languages, tag));
page.language.value = Object.hasOwn(languages, asked) ? asked : spoken ?? "en";
for (const player of [0, 1]) {
  const name = remembered.names?.[player];
  if (typeof name === "string") page[`name-${player}`].value = name.slice(0, page["name-0"].maxLength);
}
page.levels.querySelector(`[value="${Number(remembered.level) || 2}"]`)?.click();
page.advance.checked = remembered.advances !== false;
if (remembered.mode === "practice") choose("practice");
passOverSecondTaps();
new Board(page["hero-board"]).place([4, 7]);
useSound();
useLanguage(page.language.value);
load();
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  navigator.serviceWorker.register("sw.js").catch(() => {});
}
