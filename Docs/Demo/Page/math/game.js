// The game's part of the module: rules, drawn numbers and spoken ones. Runs in pages, workers and Node.
// Nothing here touches the page or the network.

const places = { digits: 0, penWays: 1, speech: 2, names: 3, numbers: 4, samples: 5, digitOrNone: 6, saved: 7 };
const operations = { sum: 0, difference: 1 };
const opennesses = { closed: 0, lastDigit: 1, anything: 2 };

/** A game or a practice, a canvas to write on, and an ear for numbers. */
export class DiceMath {
  #module;

  /** @param {WebAssembly.Exports} exports what `dicemath.wasm` exports. */
  constructor(exports) {
    this.#module = exports;
  }

  /** @param {WebAssembly.Module} module `dicemath.wasm`, compiled. */
  static async load(module) {
    return new DiceMath((await WebAssembly.instantiate(module, {})).exports);
  }

  /**
   * Begins a game on the board of nine sections.
   *
   * @param {{names: string[], pause?: number, attempts?: number}} rules names that differ; the
   *   seconds that an answer has to stay before it counts; the answers that a roll may get.
   * @returns {{outputs: object[], state: object}} as all calls that go on with the game.
   */
  begin({ names, pause = 1.5, attempts = 3 }) {
    this.#write(places.names, new TextEncoder().encode(names.join("\n")));
    return this.#answer(this.#module.mathBegin(Math.round(pause * 1000), attempts));
  }

  /**
   * Begins a practice.
   *
   * @param {{name: string, level: number, advancesAfter: number, pause?: number, attempts?: number}} rules
   *   what is asked, 1 counting to 5 mixed; after how many answers in a row the next level comes, 0 for never.
   */
  practise({ name, level, advancesAfter, pause = 1.5, attempts = 3 }) {
    this.#write(places.names, new TextEncoder().encode(name));
    return this.#answer(
      this.#module.mathPractice(level, advancesAfter, Math.round(pause * 1000), attempts));
  }

  /** The game as a text to be kept. */
  save() {
    return this.#text(this.#module.mathSave());
  }

  /**
   * Goes on with a game that was kept; the clock has to go on from `state.time`.
   *
   * @throws {Error} with a sentence, where the text is no saved game. The game that there was stays.
   */
  restore(saved) {
    this.#write(places.saved, new TextEncoder().encode(saved));
    return this.#answer(this.#module.mathRestore());
  }

  /** @returns {{totals: object[], entries: object[]}} what was asked and answered, the latest first. */
  log() {
    return this.#answer(this.#module.mathLog());
  }

  rollEnded(values, seconds) {
    return this.#roll(1, values, seconds);
  }

  rollRevised(values, seconds) {
    return this.#roll(2, values, seconds);
  }

  diceCleared(seconds) {
    return this.#tell(3, 0, 0, seconds);
  }

  operationChosen(operation, seconds) {
    return this.#tell(4, operations[operation], 0, seconds);
  }

  /** @param {number | null} number null where nothing readable is left. */
  answerChanged(number, openness, seconds) {
    return this.#tell(5, number ?? -1, opennesses[openness], seconds);
  }

  time(seconds) {
    return this.#tell(6, 0, 0, seconds);
  }

  undo(seconds) {
    return this.#tell(7, 0, 0, seconds);
  }

  restart(seconds) {
    return this.#tell(8, 0, 0, seconds);
  }

  /** Makes ready to read strokes. All three are weight files. */
  openInk(digits, penWays, digitOrNone) {
    this.#write(places.digits, digits);
    this.#write(places.penWays, penWays);
    this.#write(places.digitOrNone, digitOrNone);
    this.#answer(this.#module.mathOpenInk());
  }

  /**
   * Reads what is drawn with one more stroke.
   *
   * @param {number[]} points x, y, x, y and so on; y runs down.
   * @param {boolean} isOver false while the pen is still down: the stroke is not kept.
   * @returns {{text: string, number: number | null, rejected: number[][]}}
   */
  stroke(points, isOver) {
    this.#write(places.numbers, new Uint8Array(Float64Array.from(points).buffer));
    return this.#answer(this.#module.mathStroke(isOver ? 1 : 0));
  }

  undoStroke() {
    return this.#answer(this.#module.mathUndoStroke());
  }

  clearInk() {
    this.#answer(this.#module.mathClearInk());
  }

  /** Makes ready to hear numbers from 0 to `greatest`, from a weight file, at so many samples a second. */
  openEars(weights, sampleRate, greatest = 12) {
    this.#write(places.speech, weights);
    this.#answer(this.#module.mathOpenEars(sampleRate, greatest));
  }

  /**
   * Hears sound.
   *
   * @param {Float32Array} samples of one channel, -1...1.
   * @param {boolean} isOver whether the sound ends with them.
   * @returns {object[]} `speechBegan`, `heard` with a number, or `rejected`.
   */
  hear(samples, isOver = false) {
    this.#write(places.samples, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    return this.#answer(this.#module.mathHear(isOver ? 1 : 0));
  }

  #roll(kind, values, seconds) {
    this.#write(places.numbers, new Uint8Array(Float64Array.from(values).buffer));
    return this.#tell(kind, 0, 0, seconds);
  }

  #tell(kind, number, openness, seconds) {
    return this.#answer(this.#module.mathTell(kind, number, openness, seconds));
  }

  #write(place, bytes) {
    const address = this.#module.mathReserve(place, bytes.length) >>> 0;
    if (address === 0) throw new Error("There is no memory left.");
    new Uint8Array(this.#module.memory.buffer).set(bytes, address);
  }

  #answer(status) {
    return JSON.parse(this.#text(status));
  }

  #text(status) {
    const start = this.#module.mathText() >>> 0;
    const bytes = new Uint8Array(this.#module.memory.buffer, start, this.#module.mathTextByteCount());
    const answer = new TextDecoder().decode(bytes);
    if (status < 0) throw new Error(answer);
    return answer;
  }
}
