// The library in WebAssembly: weights and pictures in, dice and rolls out. Runs wherever there is
// WebAssembly with 128-bit vectors: pages, workers, Node. Nothing here touches the network or the page.

const places = { picture: 0, weights: 1, secondStage: 2 };
const phases = ["idle", "rolling", "ended"];
const events = ["", "rollStarted", "rollEnded", "resultRevised", "rollAbandoned", "cleared"];

/** Finds dice in pictures, and follows them through the frames of a camera. */
export class DiceVision {
  #module;
  #view = null;

  /**
   * @param {WebAssembly.Exports} exports what the module exports.
   */
  constructor(exports) {
    this.#module = exports;
  }

  /**
   * A detector.
   *
   * @param {object} options
   * @param {BufferSource | WebAssembly.Module | Response | Promise<Response>} options.module
   *   `dicevision.wasm`.
   * @param {Uint8Array} options.weights the weight file of a detector.
   * @param {Uint8Array | null} [options.secondStage] the weight file of a second-stage classifier, which
   *   sees each die once more, alone; null for none.
   * @param {boolean} [options.tiling] whether pictures with small dice are seen again, enlarged and in
   *   tiles.
   */
  static async load({ module, weights, secondStage = null, tiling = true }) {
    const vision = new DiceVision((await instantiate(module)).exports);
    vision.#write(places.weights, weights);
    if (secondStage) vision.#write(places.secondStage, secondStage);
    vision.#hasSecondStage = Boolean(secondStage);
    vision.open({ tiling });
    return vision;
  }

  #hasSecondStage = false;

  /** Begins anew with other options and the same weights. */
  open({ tiling = true, usesSecondStage = this.#hasSecondStage } = {}) {
    this.#check(this.#module.open(usesSecondStage ? 1 : 0, tiling ? 1 : 0));
  }

  /**
   * The dice in a picture, from left to right.
   *
   * @param {{data: Uint8ClampedArray | Uint8Array, width: number, height: number}} picture as
   *   `getImageData` gives it. Its bytes are copied once.
   * @returns {{dice: object[], values: number[], sum: number}} boxes count in pixels from the upper left
   *   corner.
   */
  detect(picture) {
    this.#write(places.picture, picture.data);
    const numbers = this.#numbers(this.#module.detect(picture.width, picture.height));
    const dice = [];
    let at = 1;
    for (let index = 0; index < numbers[0]; index += 1) {
      const [value, confidence, x, y, width, height] = numbers.slice(at, (at += 6));
      dice.push({ value, confidence, x, y, width, height });
    }
    const values = dice.map((die) => die.value);
    return { dice, values, sum: values.reduce((sum, value) => sum + value, 0) };
  }

  /**
   * Takes in the next frame of a camera or a film.
   *
   * @param {{data: Uint8ClampedArray | Uint8Array, width: number, height: number}} picture the frame.
   * @param {number} seconds when it was taken, on any clock that does not run backwards.
   * @returns {{ranDetector: boolean, phase: string, dice: object[], events: object[]}} whether the
   *   detector ran (it is spared while nothing changes), where the roll stands, the dice that are followed,
   *   and what happened in this frame.
   */
  follow(picture, seconds) {
    this.#write(places.picture, picture.data);
    const numbers = this.#numbers(this.#module.follow(picture.width, picture.height, seconds));
    const [ranDetector, phase, dieCount] = numbers;
    const dice = [];
    let at = 3;
    for (let index = 0; index < dieCount; index += 1) {
      const [identity, value, likeliest, confidence, x, y, width, height, isStill] = numbers.slice(
        at,
        (at += 9),
      );
      dice.push({
        identity, value, likeliest, confidence, x, y, width, height, isStill: isStill === 1,
      });
    }
    const told = [];
    while (at < numbers.length) {
      const [kind, roll, startTime, restTime, count] = numbers.slice(at, (at += 5));
      const values = Array.from(numbers.slice(at, (at += count)));
      const sum = values.reduce((total, value) => total + value, 0);
      told.push({ event: events[kind], roll, startTime, restTime, values, sum });
    }
    return { ranDetector: ranDetector === 1, phase: phases[phase], dice, events: told };
  }

  /** Forgets all frames: the next one begins another camera or film. */
  forget() {
    this.#module.forget();
  }

  /** Bytes of the module's memory. */
  get memoryByteCount() {
    return this.#module.memory.buffer.byteLength;
  }

  #write(place, bytes) {
    const address = this.#module.reserve(place, bytes.length) >>> 0;
    if (address === 0) throw new Error("There is no memory left for a picture.");
    // Memory that has grown is another buffer.
    if (this.#view?.buffer !== this.#module.memory.buffer) {
      this.#view = new Uint8Array(this.#module.memory.buffer);
    }
    this.#view.set(bytes, address);
  }

  #numbers(count) {
    this.#check(count);
    return new Float64Array(this.#module.memory.buffer, this.#module.results() >>> 0, count);
  }

  #check(status) {
    if (status >= 0) return;
    const start = this.#module.message() >>> 0;
    const bytes = new Uint8Array(this.#module.memory.buffer, start, this.#module.messageByteCount());
    throw new Error(new TextDecoder().decode(bytes));
  }
}

async function instantiate(module) {
  if (module instanceof WebAssembly.Module) return WebAssembly.instantiate(module, {});
  const source = await module;
  if (typeof Response === "undefined" || !(source instanceof Response)) {
    return (await WebAssembly.instantiate(source, {})).instance;
  }
  // Some servers do not name the type that streaming asks for.
  const isNamed = source.headers.get("Content-Type")?.startsWith("application/wasm");
  if (isNamed) return (await WebAssembly.instantiateStreaming(source, {})).instance;
  return (await WebAssembly.instantiate(await source.arrayBuffer(), {})).instance;
}
