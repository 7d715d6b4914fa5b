// Where rolls come from: a camera, a film or picture that is opened, or chance.

import { clear, draw } from "../overlay.js";
import { show, startCamera, startFilm } from "../sources.js";

/** Names of what may go wrong, by the browser's names. */
const problems = {
  NotAllowedError: "cameraRefused", NotFoundError: "cameraNone", OverconstrainedError: "cameraNone",
  NotReadableError: "cameraBusy", SecurityError: "cameraUnsafe",
};

/** Random numbers that begin alike with the same seed. */
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Reads dice, and tells of rolls. */
export class Dice {
  #page;
  #tell;
  #worker;
  #random;
  #source = 0;
  #stop = () => {};
  #waiting = 0;
  #begin = 0;
  #isFilm = false;
  #isBroken = false;
  #times = [];

  /**
   * @param {object} page the elements `video`, `still` and `overlay`.
   * @param {object} tell `roll(values, origin, number)`, `revised(values, number)`, `cleared()`,
   *   `seen(phase, count)`, `stopped()`, `problem(key)`, `ready()`.
   * @param {number} seed of virtual dice.
   */
  constructor(page, tell, seed) {
    this.#page = page;
    this.#tell = tell;
    this.#random = chance(seed);
    this.#worker = new Worker(new URL("eyes.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#take(data);
    this.#worker.onerror = () => this.#break();
  }

  /** Loads the networks, with the compiled module. */
  start(module) {
    this.#worker.postMessage({ kind: "start", module, tiling: true });
  }

  /** Whether a camera, film or picture is shown. */
  isOn = false;

  /** Whether it is a camera. */
  isCamera = false;

  /** Ends what is shown. */
  stop() {
    this.#stop();
    this.#stop = () => {};
    this.#source += 1;
    this.#isFilm = false;
    this.isOn = this.isCamera = false;
    this.#worker.postMessage({ kind: "forget" });
    clear(this.#page.overlay);
    this.#page.video.hidden = this.#page.still.hidden = true;
    this.#tell.stopped();
    return this.#source;
  }

  /** Shows something else; the number that names it. */
  #show(node) {
    const current = this.stop();
    node.hidden = false;
    this.isOn = true;
    this.#begin = performance.now();
    this.#times = [];
    return current;
  }

  async useCamera() {
    if (this.#isBroken) return this.#fail("noReader");
    const current = this.#show(this.#page.video);
    this.isCamera = true;
    try {
      const camera = await startCamera(
        this.#page.video, null, (video, time) => this.#offer(video, time, current),
        () => current === this.#source && this.#fail("cameraGone"),
      );
      if (current !== this.#source) camera.stop();
      else this.#stop = camera.stop;
    } catch (error) {
      if (current === this.#source) this.#fail(problems[error.name] ?? "cameraGone");
    }
  }

  /** Reads a film or a picture. */
  async useFile(file) {
    if (this.#isBroken) return this.#fail("noReader");
    const isFilm = file.type.startsWith("video/");
    const current = this.#show(isFilm ? this.#page.video : this.#page.still);
    try {
      if (isFilm) {
        const film = await startFilm(
          this.#page.video, file, (video, time) => this.#offer(video, time, current),
          () => this.#worker.postMessage({ kind: "forget" }),
        );
        if (current !== this.#source) return film.stop();
        this.#stop = film.stop;
        this.#isFilm = true;
      } else {
        const bitmap = await createImageBitmap(file, { colorSpaceConversion: "none" });
        if (current !== this.#source) return;
        this.#shape(bitmap.width, bitmap.height);
        show(this.#page.still, bitmap);
        this.#waiting += 1;
        this.#worker.postMessage({ kind: "picture", bitmap, source: current }, [bitmap]);
      }
    } catch {
      if (current === this.#source) this.#fail("noFile");
    }
  }

  /** Rolls virtual dice, as many as are asked for, or 1 to 6 by chance for 0. */
  roll(count = 2) {
    this.stop();
    const value = () => 1 + Math.floor(this.#random() * 6);
    const values = Array.from({ length: count || value() }, value);
    this.#tell.roll(values, "virtual", null);
  }

  /** Stops a film while a question is open, and lets it go on; cameras go on anyway. */
  hold(isHeld) {
    if (!this.#isFilm) return;
    if (isHeld) this.#page.video.pause();
    else this.#page.video.play().catch(() => {});
  }

  /** There is no reader: virtual dice are left. */
  #break() {
    this.#isBroken = true;
    if (this.isOn) this.#fail("noReader");
  }

  #fail(key) {
    this.stop();
    this.#tell.problem(key);
  }

  #shape(width, height) {
    this.#page.stage.style.setProperty("--shape", (width / height).toFixed(4));
  }

  /** Takes a frame to the worker unless it is busy: frames are dropped, never late. */
  async #offer(video, time, current) {
    if (this.#waiting > 0 || current !== this.#source) return;
    this.#waiting += 1;
    this.#shape(video.videoWidth, video.videoHeight);
    try {
      const bitmap = await createImageBitmap(video);
      this.#worker.postMessage({ kind: "frame", bitmap, source: current, time }, [bitmap]);
    } catch {
      // A video that has just ended has no frame.
      this.#waiting -= 1;
    }
  }

  #take(data) {
    if (data.kind === "ready") return this.#tell.ready();
    if (data.source) this.#waiting -= 1;
    if (data.kind === "failure") {
      if (!data.source) this.#break();
      else if (data.source === this.#source) this.#fail(this.isCamera ? "noReader" : "noFile");
      return;
    }
    if (data.source !== this.#source) return;
    this.#measure(data);
    draw(this.#page.overlay, data);
    this.#tell.seen(data.phase ?? "ended", data.dice.length);
    if (data.kind === "picture") {
      this.#tell.roll(data.values, "picture", null);
      return;
    }
    for (const event of data.events) {
      const number = `${this.#source}.${event.roll}`;
      if (event.event === "rollEnded") this.#tell.roll(event.values, "camera", number);
      if (event.event === "resultRevised") this.#tell.revised(event.values, number);
      if (event.event === "cleared") this.#tell.cleared();
    }
  }

  /** Notes for tests how soon the first frame was read, and how many a second. */
  #measure({ milliseconds }) {
    const now = performance.now();
    const { dataset } = this.#page.stage;
    dataset.firstReading ??= (now - this.#begin).toFixed(0);
    this.#times.push(now);
    while (this.#times[0] < now - 2000) this.#times.shift();
    const span = (now - this.#times[0]) / 1000;
    if (span > 1) dataset.framesPerSecond = ((this.#times.length - 1) / span).toFixed(1);
    dataset.milliseconds = milliseconds.toFixed(1);
  }
}
