// Shows what the game tells: every rule is the module's, nothing here knows who may do what.

import { showFaces } from "../faces.js";
import { Board } from "./board.js";
import { sounds } from "./sounds.js";
import { text } from "./texts.js";

const stepMilliseconds = 320;

/** The game on the page. */
export class Play {
  #page;
  #board;
  #names = [];
  #chain = Promise.resolve();
  /** What was told last, to tell it again in another language. */
  #lines = () => ["", ""];
  #origin = null;
  /** What was told and is not shown yet. */
  #waiting = 0;
  /** Where the game stands. */
  state = null;

  constructor(page) {
    this.#page = page;
    this.#board = new Board(page.board);
  }

  /** Begins a game between two players. */
  begin(names, told) {
    this.#names = names;
    this.#board.name(names);
    for (const [player, card] of [...this.#page.players.children].entries()) {
      card.querySelector("b").textContent = names[player];
      card.querySelector(".token").textContent = [...names[player]][0].toUpperCase();
    }
    this.#origin = null;
    this.show(told);
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
    this.state = told.state;
    this.#waiting += 1;
    document.body.dataset.busy = "true";
    this.#chain = this.#chain.then(async () => {
      for (const output of told.outputs) await this.#output(output, told);
      if (isFirst) this.#turn(told.state.turn);
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
    const [main] = this.#lines();
    this.#say(() => [main, make()]);
  }

  /** Tells screen readers. */
  tell(sentence) {
    this.#page.told.textContent = sentence;
  }

  /** All texts anew, in the language of now. */
  translate() {
    if (!this.state) return;
    this.#write();
    this.#render(this.state);
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
    this.#say(() => [text("turn", { name: this.#names[player] }), text("howToRoll")]);
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
      const { number, question } = output;
      this.#say(() => [text("right", { number, question: question.text }), ""]);
    } else if (kind === "moved") await this.#moved(output);
    else if (kind === "won") {
      sounds.won();
      this.#say(() => [text("won", { name: this.#names[output.player] }), ""]);
    } else if (kind === "undone") this.#undone(state);
  }

  #asked({ questions }, { values, turn }) {
    if (questions.length === 1) return;
    sounds.asked();
    const key = this.#origin === "virtual" ? "rolledVirtual" : "rolled";
    this.#say(() => [
      text(key, { name: this.#names[turn], first: values[0], second: values[1] }), text("askBoth"),
    ], () => `${questions.map((question) => question.text).join(` ${text("or")} `)}?`);
  }

  #refused({ reason, found, required }) {
    const key = reason === "value" ? "badValue" : reason;
    if (key === "alreadyRolled") return;
    this.note(() => text(key, { found, required }));
  }

  #wrong({ number, attemptsLeft }, outputs) {
    sounds.wrong();
    const hint = outputs.find((other) => other.kind === "hint")?.hint;
    const revealed = outputs.find((other) => other.kind === "revealed");
    this.#say(() => {
      if (revealed) {
        const answers = revealed.questions.map((each) => `${each.question.text} = ${each.answer}`);
        return [text("wrongOver", { number }), text("revealed", { answers: answers.join(", ") })];
      }
      const tries = attemptsLeft === 1 ? text("triesOne") : text("tries", { count: attemptsLeft });
      const name = hint?.name === "answer" ? "answerIs" : hint?.name;
      return [text("wrong", { number }), `${name ? text(name, hint.numbers) : ""} ${tries}`.trim()];
    });
  }

  async #moved({ player, from, over }) {
    const [main] = this.#lines();
    const to = over.at(-1) ?? from;
    const name = this.#names[player];
    const key = over.length === 0 ? "stays" : to === from ? "round" : "moved";
    this.#say(() => [main, text(key, { name, from, to })]);
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isStill) {
      this.#board.move(player, over.slice(-1), 0, () => sounds.step(0));
      return;
    }
    await this.#board.move(player, over, stepMilliseconds, (step) => sounds.step(step));
  }

  #undone(state) {
    const { phase, turn } = state;
    if (phase === "waitingForRoll") this.#turn(turn);
    else if (phase === "answering") this.#say(() => [text("undone"), text("askBoth")]);
    else this.#say(() => [text("undone"), ""]);
  }

  // MARK: State

  #render(state) {
    const page = this.#page;
    const { phase, turn, players, values } = state;
    const sections = players.map((player) => player.section);
    const isOver = phase === "won";
    this.#board.place(sections);
    this.#board.turn(turn);
    page.board.setAttribute("aria-label", text("boardIs", {
      first: this.#names[0], second: this.#names[1], one: sections[0], two: sections[1],
    }));
    for (const [player, card] of [...page.players.children].entries()) {
      const { section, distance } = players[player];
      card.classList.toggle("active", player === turn);
      if (player === turn) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
      card.querySelector(".place").textContent = distance === 0 ? text("placeWon") : text("place", { section, distance });
    }
    showFaces(page.faces, values);
    const origins = { virtual: "virtual", picture: "fromPicture" };
    const origin = values.length > 0 && origins[this.#origin];
    const isFar = values.length === 0;
    page.origin.classList.toggle("far", isFar);
    page.origin.textContent = origin ? text(origin)
      : isFar ? text("toGo", { distance: players[turn].distance }) : "";
    page.play.dataset.phase = phase;
    page.play.dataset.turn = turn;
    page.answering.hidden = phase !== "answering";
    page.answered.hidden = phase !== "answered";
    page.dice.hidden = isOver;
    page.won.hidden = !isOver;
    page.undo.hidden = !state.canUndo;
    page.next.textContent = text("next", { name: this.#names[1 - turn] });
    this.#questions(state);
    if (isOver) this.#report(state);
    Object.assign(document.body.dataset, {
      phase, turn, values: values.join(" "), sections: sections.join(" "), winner: state.winner ?? "",
      asked: players.reduce((sum, player) => sum + player.asked, 0),
    });
  }

  #questions({ phase, questions }) {
    if (phase !== "answering") return;
    const { questions: list } = this.#page;
    const key = questions.map((question) => question.text).join();
    if (list.dataset.key === key) return;
    // One that was chosen stays beside the other one.
    const isChoice = questions.length === 1 && list.dataset.key?.split(",").includes(key);
    if (!isChoice) {
      list.dataset.key = key;
      list.replaceChildren(...questions.map((question) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.operation = question.operation;
        button.textContent = `${question.text} = ?`;
        return button;
      }));
    }
    for (const button of list.children) {
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
