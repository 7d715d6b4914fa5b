// Shows what the game tells: every rule is the module's, nothing here knows who may do what.

import { showFaces } from "../faces.js";
import { Board } from "./board.js";
import { Practice } from "./practice.js";
import { answered, asked, spelled } from "./questions.js";
import { sounds } from "./sounds.js";
import { text } from "./texts.js";

const stepMilliseconds = 320;

/** The game on the page. */
export class Play {
  #page;
  #board;
  #practice;
  #names = [];
  #chain = Promise.resolve();
  /** What was told last, to tell it again in another language. */
  #lines = () => ["", ""];
  #origin = null;
  /** Which game is shown: what is left to show of an earlier one is passed over. */
  #game = 0;
  /** What was told and is not shown yet. */
  #waiting = 0;
  /** The state that is shown, which may be an earlier one than that of now. */
  #shown = null;
  /** Where the game stands. */
  state = null;

  constructor(page) {
    this.#page = page;
    this.#board = new Board(page.board);
    this.#practice = new Practice(page);
  }

  /** Begins a game, or goes on with one; `andThen` as of `show`. */
  begin(told, andThen) {
    const { play, players } = told.state;
    this.#names = players.map((player) => player.name);
    this.#page.play.dataset.play = play;
    document.body.dataset.play = play;
    if (play === "board") this.#board.name(this.#names);
    for (const [player, card] of [...this.#page.players.children].entries()) {
      const name = this.#names[player];
      card.hidden = name === undefined;
      if (card.hidden) continue;
      card.querySelector("b").textContent = name;
      card.querySelector(".token").textContent = [...name][0].toUpperCase();
    }
    this.#origin = null;
    this.#shown = null;
    this.#page.questions.dataset.key = "";
    this.show(told, andThen);
  }

  /** Shows no game any more; what is still told of one is not shown. */
  leave() {
    this.state = null;
    this.#game += 1;
    this.tell("");
  }

  /** Where the latest roll comes from: "camera", "picture", "virtual". */
  set origin(origin) {
    this.#origin = origin;
  }

  /**
   * Shows outputs one after the other, then the state.
   *
   * @param {(told: object) => void} [andThen] is called with what was told when all of it is shown.
   */
  show(told, andThen) {
    const isFirst = this.state === null;
    const game = this.#game;
    this.state = told.state;
    this.#waiting += 1;
    document.body.dataset.busy = "true";
    this.#chain = this.#chain.then(async () => {
      for (const output of told.outputs) {
        if (game === this.#game) await this.#output(output, told);
      }
      if (game !== this.#game) return;
      if (isFirst) this.#resumed(told.state);
      this.#render(told.state);
      andThen?.(told);
    }).catch(reportError).finally(() => {
      this.#waiting -= 1;
      if (this.#waiting === 0) delete document.body.dataset.busy;
    });
    return this.#chain;
  }

  /** Tells something by the way, below the main line. */
  note(make) {
    const lines = this.#lines;
    this.#say(() => [lines()[0], make()]);
  }

  /** Tells screen readers. */
  tell(sentence) {
    this.#page.told.textContent = sentence;
  }

  /** All texts anew, in the language of now. */
  translate() {
    if (!this.state) return;
    this.#write();
    if (this.#shown) this.#render(this.#shown);
  }

  /** Shows a main line and one below it; `alsoTold` is what screen readers cannot see elsewhere. */
  #say(lines, alsoTold = () => "") {
    this.#lines = lines;
    this.#write();
    this.tell([...lines(), alsoTold()].filter(Boolean).join(" "));
  }

  #write() {
    const [main, note] = this.#lines();
    this.#page.status.textContent = main;
    this.#page.note.textContent = note ?? "";
  }

  #turn(player) {
    const key = this.state.play === "practice" ? "turnPractice" : "turn";
    this.#say(() => [text(key, { name: this.#names[player] }), text("howToRoll")]);
  }

  /** A game begins, or goes on where it was left. */
  #resumed(state) {
    const { phase, turn, questions } = state;
    if (phase === "waitingForRoll") this.#turn(turn);
    else if (phase === "answering") {
      const key = questions.length > 1 ? "askBoth" : questions[0].operation === "count" ? "howMany" : "ask";
      this.#say(() => [text("welcomeBack"), text(key)],
        () => asked(questions));
    } else this.#say(() => [text("welcomeBack"), ""]);
  }

  // MARK: Outputs

  async #output(output, { state, outputs }) {
    const { kind } = output;
    if (kind === "turn") this.#turn(output.player);
    else if (kind === "asked") this.#asked(output, state);
    else if (kind === "rollRefused") this.#refused(output);
    else if (kind === "wrong") this.#wrong(output, outputs);
    else if (kind === "right") {
      sounds.right();
      this.#say(() => [answered(output), ""]);
    } else if (kind === "level") {
      sounds.won();
      const lines = this.#lines;
      this.#say(() => [lines()[0], text("newLevel", { level: text(`level${output.level}`) })]);
    } else if (kind === "moved") await this.#moved(output);
    else if (kind === "won") {
      sounds.won();
      this.#say(() => [text("won", { name: this.#names[output.player] }), ""]);
    } else if (kind === "undone") this.#undone(state);
  }

  #asked({ questions }, { play, values, turn }) {
    const isPractice = play === "practice";
    if (questions.length === 1 && !isPractice) return;
    sounds.asked();
    const isVirtual = this.#origin === "virtual";
    this.#say(() => isPractice ? [
      text(isVirtual ? "valuesVirtual" : "values", { values: values.join(", ") }),
      text(questions[0].operation === "count" ? "howMany" : "ask"),
    ] : [
      text(isVirtual ? "rolledVirtual" : "rolled", { name: this.#names[turn], first: values[0], second: values[1] }),
      text("askBoth"),
    ], () => asked(questions));
  }

  #refused({ reason, found, required }) {
    const isPractice = this.state.play === "practice";
    const key = reason === "value" ? "badValue"
      : reason === "diceCount" && isPractice ? "diceCountLeast" : reason;
    if (key === "alreadyRolled") return;
    this.note(() => text(key, { found, required }));
  }

  #wrong({ number, attemptsLeft }, outputs) {
    sounds.wrong();
    const hint = outputs.find((other) => other.kind === "hint")?.hint;
    const revealed = outputs.find((other) => other.kind === "revealed");
    this.#say(() => {
      if (revealed) {
        const answers = revealed.questions.map((each) => spelled(each.question, each.answer));
        return [text("wrongOver", { number }), text("revealed", { answers: answers.join(", ") })];
      }
      const tries = attemptsLeft === 1 ? text("triesOne") : text("tries", { count: attemptsLeft });
      const name = hint?.name === "answer" ? "answerIs" : hint?.name;
      return [text("wrong", { number }), `${name ? text(name, hint.numbers) : ""} ${tries}`.trim()];
    });
  }

  async #moved({ player, from, over }) {
    const game = this.#game;
    const lines = this.#lines;
    const to = over.at(-1) ?? from;
    const name = this.#names[player];
    const key = over.length === 0 ? "stays" : to === from ? "round" : "moved";
    this.#say(() => [lines()[0], text(key, { name, from, to })]);
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isStill) {
      this.#board.move(player, over.slice(-1), 0, () => sounds.step(0));
      return;
    }
    await this.#board.move(
      player, over, stepMilliseconds, (step) => sounds.step(step), () => game !== this.#game);
  }

  #undone(state) {
    const { phase, turn } = state;
    if (phase === "waitingForRoll") this.#turn(turn);
    else if (phase === "answering") {
      this.#say(() => [text("undone"), text(state.play === "practice" ? "ask" : "askBoth")]);
    }
    else this.#say(() => [text("undone"), ""]);
  }

  // MARK: State

  #render(state) {
    const page = this.#page;
    this.#shown = state;
    const { phase, turn, players, values } = state;
    const sections = players.map((player) => player.section);
    const isOver = phase === "won";
    const isPractice = state.play === "practice";
    const origins = { virtual: "virtual", picture: "fromPicture" };
    const origin = values.length > 0 && origins[this.#origin] ? text(origins[this.#origin]) : "";
    for (const [player, { section, distance, streak, longestStreak }] of players.entries()) {
      const card = page.players.children[player];
      card.classList.toggle("active", player === turn);
      if (player === turn) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
      card.querySelector(".place").textContent = isPractice ? text("streak", { streak, longestStreak })
        : distance === 0 ? text("placeWon") : text("place", { section, distance });
    }
    if (isPractice) this.#practice.render(state, origin);
    else {
      this.#board.place(sections);
      this.#board.turn(turn);
      page.board.setAttribute("aria-label", text("boardIs", {
        first: this.#names[0], second: this.#names[1], one: sections[0], two: sections[1],
      }));
      showFaces(page.faces, values);
      const isFar = values.length === 0;
      page.origin.classList.toggle("far", isFar);
      page.origin.textContent = isFar ? text("toGo", { distance: players[turn].distance }) : origin;
    }
    page.play.dataset.phase = phase;
    page.play.dataset.turn = turn;
    page.answering.hidden = phase !== "answering";
    page.answered.hidden = phase !== "answered";
    page.dice.hidden = isOver;
    page.won.hidden = !isOver;
    page.undo.hidden = !state.canUndo;
    page.next.textContent = isPractice ? text("nextRoll") : text("next", { name: this.#names[1 - turn] });
    this.#questions(state);
    if (isOver) this.#report(state);
    Object.assign(document.body.dataset, {
      phase, turn, values: values.join(" "), sections: sections.join(" "), winner: state.winner ?? "",
      level: players[turn].level ?? "", streak: players[turn].streak,
      asked: players.reduce((sum, player) => sum + player.asked, 0),
    });
  }

  #questions({ phase, questions }) {
    if (phase !== "answering") return;
    const { questions: list } = this.#page;
    const key = questions.map((question) => question.text).join();
    const isSame = list.dataset.key === key;
    // One that was chosen stays beside the other one.
    const isChoice = !isSame && questions.length === 1 && list.dataset.key?.split(",").includes(key);
    if (!isSame && !isChoice) {
      list.dataset.key = key;
      list.replaceChildren(...questions.map((question) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.operation = question.operation;
        return button;
      }));
    }
    // A single question of a practice is no choice.
    list.classList.toggle("single", list.children.length === 1);
    for (const button of list.children) {
      const each = questions.find((question) => question.operation === button.dataset.operation);
      if (each) button.textContent = asked([each], "");
      button.disabled = list.children.length === 1;
      const isOpen = questions.some((question) => question.operation === button.dataset.operation);
      button.setAttribute("aria-pressed", String(isChoice && isOpen));
    }
  }

  #report({ players }) {
    this.#page.report.replaceChildren(...players.map((player, index) => {
      const item = document.createElement("li");
      item.textContent = text("report", {
        name: this.#names[index], right: player.right, asked: player.asked, first: player.firstTime,
      });
      return item;
    }));
  }
}
