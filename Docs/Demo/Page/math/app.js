// Dice Math: two players, real dice, sums, a board. This file ties the parts together.

import { Answers } from "./answers.js";
import { Board } from "./board.js";
import { Dice } from "./dice.js";
import { DiceMath } from "./game.js";
import { Play } from "./play.js";
import { setSounds, sounds } from "./sounds.js";
import { languages, setLanguage, text, translate } from "./texts.js";

const page = {};
for (const node of document.querySelectorAll("[id]")) page[node.id] = node;

const now = () => performance.now() / 1000;
const address = new URLSearchParams(location.search);
/** Virtual dice, the same again with the same seed. */
const seed = Number(address.get("seed") ?? crypto.getRandomValues(new Uint32Array(1))[0]);

// MARK: What is remembered on this device

const remembered = (() => {
  try {
    return JSON.parse(localStorage.getItem("dice-math") ?? "{}") ?? {};
  } catch {
    return {};
  }
})();

function remember(values) {
  Object.assign(remembered, values);
  try {
    localStorage.setItem("dice-math", JSON.stringify(remembered));
  } catch {
    // A browser that keeps nothing plays as well.
  }
}

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
    const key = phase === "rolling" ? "rolling" : count === 0 ? "looking" : count === 1 ? "seeOne" : "see";
    page.seen.textContent = text(key, { count });
  },
  stopped() {
    page.stage.hidden = true;
    page.seen.hidden = true;
    page.camera.textContent = text("camera");
  },
  problem(key) {
    if (key === "broken") return fail();
    play.note(() => text(key));
  },
  ready() {
    document.body.dataset.readyMilliseconds = performance.now().toFixed(0);
    document.body.dataset.ready = "true";
  },
}, seed);

function fail() {
  page.begin.disabled = true;
  page.begin.classList.add("broken");
  page.begin.dataset.text = "broken";
  page.begin.textContent = text("broken");
}

async function load() {
  try {
    const module = await compiled;
    dice.start(module);
    const [digits, penWays] = await Promise.all(["digits.dvweights", "pen-ways.dvweights"].map(fetched));
    math = await DiceMath.load(module);
    math.openInk(new Uint8Array(digits), new Uint8Array(penWays));
    answers = new Answers(page, math, module, {
      answer: (number, openness) => tell(math.answerChanged(number, openness, now())),
      say: (sentence) => play.tell(sentence),
    });
    translate(document);
    page.begin.disabled = false;
    page.begin.dataset.text = "play";
    page.begin.textContent = text("play");
  } catch {
    fail();
  }
}

// MARK: The game

/** Shows what the game told, and makes ready for what comes next. */
function tell(told) {
  if (told.outputs.length === 0) return;
  const kinds = told.outputs.map((output) => output.kind);
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

function begin(names) {
  page.start.hidden = true;
  page.play.hidden = false;
  document.body.dataset.screen = "play";
  rollNumber = null;
  play.state = null;
  play.begin(names, math.begin({ names }));
  page.status.focus();
}

setInterval(() => {
  if (play.state?.phase !== "answering" || play.state.pending === null || answers.isBusy) return;
  tell(math.time(now()));
}, 100);

// MARK: Controls

page.start.onsubmit = (event) => {
  event.preventDefault();
  const names = ["red", "blue"].map((color, player) => page[`name-${player}`].value.trim() || text(color));
  if (names[0] === names[1]) {
    page["name-problem"].textContent = text("sameNames");
    page["name-1"].focus();
    return;
  }
  page["name-problem"].textContent = "";
  remember({ names: names.map((name, player) => (page[`name-${player}`].value.trim() ? name : "")) });
  begin(names);
};

page.camera.onclick = () => {
  if (dice.isOn) return dice.stop();
  page.stage.hidden = false;
  const started = dice.useCamera();
  if (dice.isOn) show();
  return started;
};
page.roll.onclick = () => dice.roll();
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
  page.seen.textContent = text("looking");
  page.camera.textContent = text("stopCamera");
}

page.questions.onclick = ({ target }) => {
  const { operation } = target.dataset;
  if (operation) tell(math.operationChosen(operation, now()));
};
page.next.onclick = () => tell(math.diceCleared(now()));
page.undo.onclick = () => tell(math.undo(now()));
page.again.onclick = () => tell(math.restart(now()));
page.new.onclick = () => {
  dice.stop();
  play.state = null;
  delete document.body.dataset.screen;
  page.play.hidden = true;
  page.undo.hidden = true;
  page.start.hidden = false;
  page["name-0"].focus();
};

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
  for (const [player, color] of ["red", "blue"].entries()) page[`name-${player}`].placeholder = text(color);
  page.camera.textContent = text(dice.isOn ? "stopCamera" : "camera");
  play.translate();
}

page.language.append(...Object.entries(languages).map(([code, name]) => new Option(name, code)));
page.language.onchange = () => {
  remember({ language: page.language.value });
  useLanguage(page.language.value);
};

const asked = address.get("language") ?? remembered.language;
const spoken = navigator.languages.map((tag) => tag.split("-")[0]).find((tag) => tag in languages);
page.language.value = asked in languages ? asked : spoken ?? "en";
for (const [player, name] of (remembered.names ?? []).entries()) page[`name-${player}`].value = name;
new Board(page["hero-board"]).place([4, 7]);
useSound();
useLanguage(page.language.value);
load();
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  navigator.serviceWorker.register("sw.js").catch(() => {});
}
