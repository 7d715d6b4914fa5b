// Three ways to answer: written, spoken, typed. All end as a number and what may still become of it.

import { Microphone } from "./microphone.js";
import { Pad } from "./pad.js";
import { text } from "./texts.js";

const noMicrophone = () => text("noMicrophone");

/** Turns what players do into answers. */
export class Answers {
  #page;
  #tell;
  #pad;
  #microphone;
  #isOpen = false;
  /** Whether the button for speaking is held. */
  #isHeld = false;
  /** What was given, in the language of now. */
  #given = () => "";

  /**
   * @param {object} page the elements.
   * @param {object} tell `answer(number | null, openness)` and `say(sentence)`.
   */
  constructor(page, math, module, tell) {
    this.#page = page;
    this.#tell = tell;
    this.#pad = new Pad(page.pad, math, (reading, isOver) => this.#read(reading, isOver));
    this.#microphone = new Microphone(
      module, (event) => this.#hear(event), (level) => (page.level.value = level), () => this.#noMicrophone());
    // Nobody listens for a page that is not seen.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) return this.way === "speak" && this.#listenAlways();
      this.#isHeld = false;
      this.#microphone.stop();
      this.#showTalk();
    });
    page["undo-stroke"].onclick = () => this.#pad.undo();
    page.clear.onclick = () => this.#takeBack();
    for (const input of page.ways.querySelectorAll("input")) {
      input.onchange = () => this.choose(input.value);
    }
    this.#makeKeys();
    this.#makeTalk();
    addEventListener("keydown", (event) => this.#press(event));
    this.choose("write");
  }

  /** Whether the clock of an answer stands still: a pen is down, or somebody speaks. */
  get isBusy() {
    return this.#pad.isDrawing || this.#isHeld;
  }

  /** Expects spoken numbers from 0 to this one. */
  expect(greatest) {
    this.#microphone.expect(greatest);
  }

  /** A question is open. */
  open() {
    this.#isOpen = true;
    this.reset();
    if (this.way === "speak") this.#listenAlways();
  }

  /** No question is open. */
  close() {
    this.#isOpen = false;
    this.#isHeld = false;
    this.#microphone.stop();
    this.#showTalk();
  }

  /** Forgets what was given, for another attempt. */
  reset() {
    this.#pad.clear();
    this.#page.typed.value = "";
    this.#page["pad-here"].hidden = false;
    this.show(() => "", false);
  }

  /** The texts anew, in the language of now. */
  translate() {
    this.#page.given.textContent = this.#given();
    this.#showTalk();
  }

  /** Shows what was given, and whether it waits to be counted. */
  show(make, waits) {
    this.#given = make;
    this.#page.given.textContent = make();
    const { ring } = this.#page;
    ring.classList.remove("waits");
    if (waits) {
      ring.getBoundingClientRect();
      ring.classList.add("waits");
    }
  }

  /** Which way is shown: "write", "speak" or "type". */
  way = "write";

  /** Shows a way to answer. */
  choose(way) {
    this.way = way;
    const page = this.#page;
    page.ways.querySelector(`[value="${way}"]`).checked = true;
    for (const each of ["write", "speak", "type"]) page[`way-${each}`].hidden = each !== way;
    page["undo-stroke"].hidden = way !== "write";
    page.clear.textContent = text(way === "speak" ? "no" : "clear");
    page.clear.dataset.text = way === "speak" ? "no" : "clear";
    page.clear.hidden = way === "type";
    page.given.parentElement.hidden = way === "type";
    if (way !== "write") this.#pad.drop();
    if (way === "speak") this.#listenAlways();
    else {
      this.#isHeld = false;
      this.#microphone.stop();
      this.#showTalk();
    }
  }

  #takeBack() {
    this.reset();
    this.#tell.answer(null, "closed");
  }

  // MARK: Written

  #read({ text: digits, number }, isOver) {
    this.#page["pad-here"].hidden = !this.#pad.isEmpty;
    const isNumber = number !== null && number >= 0;
    const { isEmpty } = this.#pad;
    const sentence = () => isNumber ? text("reading", { number: digits }) : isEmpty ? "" : text("unread");
    this.show(sentence, isOver && isNumber);
    if (!isOver) return;
    this.#page.pad.dataset.digits = digits;
    this.#tell.answer(isNumber ? number : null, "lastDigit");
    if (sentence()) this.#tell.say(sentence());
  }

  // MARK: Spoken

  #makeTalk() {
    const { talk, always } = this.#page;
    const down = (event) => {
      if (event.type === "keydown" && (event.repeat || ![" ", "Enter"].includes(event.key))) return;
      event.preventDefault();
      talk.focus();
      this.#hold();
    };
    const up = () => this.#release();
    talk.addEventListener("pointerdown", down);
    talk.addEventListener("keydown", down);
    talk.addEventListener("keyup", (event) => [" ", "Enter"].includes(event.key) && up());
    talk.addEventListener("blur", up);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, up);
    talk.addEventListener("contextmenu", (event) => event.preventDefault());
    always.onchange = () => {
      if (always.checked) this.#listenAlways();
      else this.#microphone.stop();
      this.#showTalk();
    };
  }

  async #hold() {
    if (!this.#isOpen || this.#page.always.checked) return;
    this.#isHeld = true;
    this.#showTalk();
    if (!(await this.#startMicrophone())) return;
    if (this.#isHeld) this.#microphone.listen();
  }

  #release() {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#microphone.rest();
    this.#showTalk();
  }

  async #listenAlways() {
    if (!this.#page.always.checked || !this.#isOpen || document.hidden) return;
    if ((await this.#startMicrophone()) && this.#isOpen && this.way === "speak" && this.#page.always.checked) {
      this.#microphone.listen();
    }
    this.#showTalk();
  }

  async #startMicrophone() {
    try {
      if (!navigator.mediaDevices?.getUserMedia) throw new Error();
      await this.#microphone.start();
      if (this.#given === noMicrophone) this.show(() => "", false);
      return true;
    } catch {
      this.#noMicrophone();
      return false;
    }
  }

  /** The microphone does not start, or was taken away. */
  #noMicrophone() {
    this.#isHeld = false;
    this.#page.always.checked = false;
    this.#microphone.stop();
    this.#showTalk();
    this.show(noMicrophone, false);
    this.#tell.say(noMicrophone());
  }

  #showTalk() {
    const { talk, always } = this.#page;
    const listens = this.#isHeld || this.#microphone.isHeard;
    talk.classList.toggle("listens", listens);
    talk.disabled = always.checked;
    this.#page["talk-text"].textContent = text(listens ? "talking" : "talk");
  }

  #hear(event) {
    if (!this.#isOpen || this.way !== "speak") return;
    if (event.kind === "heard") {
      const sentence = () => text("heard", { number: event.number });
      this.show(sentence, true);
      // It stands until the pause is over, and may be said again.
      this.#tell.answer(event.number, "anything");
      this.#tell.say(sentence());
    } else if (event.kind === "rejected") {
      this.show(() => text("notHeard"), false);
      this.#tell.answer(null, "closed");
      this.#tell.say(text("notHeard"));
    }
  }

  // MARK: Typed

  #makeKeys() {
    const { keys, typed } = this.#page;
    const add = (label, act, name) => {
      const key = document.createElement("button");
      key.type = "button";
      key.textContent = label;
      if (name) key.dataset.label = name;
      key.onclick = act;
      keys.append(key);
      return key;
    };
    const digit = (value) => add(value, () => (typed.value = (typed.value + value).slice(0, 3)));
    for (const value of "123456789") digit(value);
    add("⌫", () => (typed.value = typed.value.slice(0, -1)), "back");
    digit("0");
    const done = add("", null);
    done.type = "submit";
    done.className = "main";
    done.dataset.text = "done";
    typed.oninput = () => (typed.value = typed.value.replace(/\D/g, ""));
    this.#page["way-type"].onsubmit = (event) => {
      event.preventDefault();
      const number = typed.value;
      typed.value = "";
      if (number !== "") this.#tell.answer(Number(number), "closed");
    };
  }

  /** Digits that are typed anywhere are an answer. */
  #press(event) {
    if (!this.#isOpen || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (!/^[0-9]$/.test(event.key) || event.target === this.#page.typed) return;
    if (event.target instanceof HTMLInputElement && event.target.type === "text") return;
    event.preventDefault();
    if (this.way !== "type") this.choose("type");
    this.#page.typed.value = (this.#page.typed.value + event.key).slice(0, 3);
    this.#page.typed.focus();
  }
}
