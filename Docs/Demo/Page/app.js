// The page: sources on one side, the worker that reads dice on the other, results in between.

import { showFaces } from "./faces.js";
import { pictures } from "./film.js";
import { clear, draw } from "./overlay.js";
import { cameraProblem, cameras, show, startCamera, startFilm, startPictures } from "./sources.js";
import { hasVectors } from "./vectors.js";

const page = {};
for (const node of document.querySelectorAll("[id]")) page[node.id] = node;

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });

const greeting = page.notice.textContent;

/** Names what is read; answers about earlier sources are passed over. */
let source = 0;
/** Ends what is read. */
let stop = () => {};
/** Pictures that the worker has not answered yet. */
let waiting = 0;
/** The picture that is shown, to read it again with other options. */
let picture = null;
let latest = null;
/** Whether the reader cannot be had at all. */
let isBroken = false;

// MARK: Sources

/** Ends the current source and makes ready for the next. */
function begin(showing) {
  stop();
  stop = () => {};
  source += 1;
  picture = null;
  latest = null;
  rate.reset();
  worker.postMessage({ kind: "forget" });
  clear(page.overlay);
  page.video.hidden = showing !== page.video;
  page.still.hidden = showing !== page.still;
  page.welcome.hidden = showing !== null;
  page.welcome.classList.remove("problem");
  page.notice.textContent = greeting;
  page.devices.hidden = true;
  page.camera.textContent = "Camera";
  tellNothing(showing ? "Looking for dice" : "Ready");
  return source;
}

function fail(sentence) {
  begin(null);
  page.welcome.classList.add("problem");
  page.notice.textContent = sentence;
  page.told.textContent = sentence;
}

/** Says that there is no reader, and why. */
function failToLoad() {
  isBroken = true;
  fail(hasVectors() ? "The reader did not load. Check the connection, and load the page again."
    : "This browser cannot read dice: it needs WebAssembly with vectors and workers that draw.");
  tellNothing("Not loaded");
  for (const control of document.querySelectorAll(".controls button, .controls input")) control.disabled = true;
}

function shape(width, height) {
  page.stage.style.setProperty("--shape", (width / height).toFixed(4));
}

/** Takes a frame to the worker unless it is busy: frames are dropped, never late. */
async function offer(image, time, current) {
  if (waiting > 0 || current !== source) {
    if (image instanceof ImageBitmap) image.close();
    return;
  }
  waiting += 1;
  try {
    const bitmap = image instanceof ImageBitmap ? image : await createImageBitmap(image);
    worker.postMessage({ kind: "frame", bitmap, source: current, time }, [bitmap]);
  } catch {
    // A video that has just ended has no frame.
    waiting -= 1;
  }
}

async function useCamera(deviceId) {
  const current = begin(page.video);
  page.camera.textContent = "Stop camera";
  try {
    const camera = await startCamera(
      page.video, deviceId,
      (video, time) => {
        shape(video.videoWidth, video.videoHeight);
        offer(video, time, current);
      },
      () => current === source && fail("The camera is gone."),
    );
    if (current !== source) return camera.stop();
    stop = camera.stop;
    const all = await cameras();
    page.devices.hidden = all.length < 2 || current !== source;
    page.device.replaceChildren(...all.map((each) => new Option(each.label, each.deviceId)));
    page.device.value = camera.deviceId ?? "";
  } catch (error) {
    if (current === source) fail(cameraProblem(error));
  }
}

async function useFilm(file) {
  const current = begin(page.video);
  try {
    const film = await startFilm(
      page.video, file,
      (video, time) => {
        shape(video.videoWidth, video.videoHeight);
        offer(video, time, current);
      },
      () => worker.postMessage({ kind: "forget" }),
    );
    if (current !== source) return film.stop();
    stop = film.stop;
  } catch {
    if (current === source) fail("This browser cannot play that film.");
  }
}

async function usePicture(file) {
  const current = begin(page.still);
  try {
    // The numbers of the file, as other programs read them.
    const bitmap = await createImageBitmap(file, { colorSpaceConversion: "none" });
    if (current !== source) return;
    picture = file;
    shape(bitmap.width, bitmap.height);
    show(page.still, bitmap);
    waiting += 1;
    worker.postMessage({ kind: "picture", bitmap, source: current }, [bitmap]);
  } catch {
    if (current === source) fail("That is no picture that this browser can read.");
  }
}

async function useSample(name, use) {
  const current = source;
  try {
    const response = await fetch(name);
    if (!response.ok) throw new Error();
    const sample = await response.blob();
    // Something else may have been asked for meanwhile.
    if (current === source) await use(sample);
  } catch {
    if (current === source) fail("The sample cannot be loaded.");
  }
}

function useThrow(bytes) {
  const current = begin(page.still);
  const film = startPictures(page.still, pictures(bytes), 30, (bitmap, time) => {
    shape(bitmap.width, bitmap.height);
    offer(bitmap, time, current);
  });
  stop = film.stop;
}

function useFile(file) {
  if (!file || isBroken) return;
  if (file.type.startsWith("video/")) useFilm(file);
  else usePicture(file);
}

// MARK: Results

const rate = {
  times: [],
  spent: 0,
  shown: 0,

  reset() {
    this.times = [];
    this.spent = 0;
    page.rate.textContent = "";
    for (const key of Object.keys(page.rate.dataset)) delete page.rate.dataset[key];
  },

  /** Counts an answer; the figures change four times a second. */
  count({ kind, width, height, milliseconds, ranDetector }) {
    const now = performance.now();
    this.times.push(now);
    while (this.times[0] < now - 1500) this.times.shift();
    if (ranDetector !== false) {
      this.spent = this.spent ? 0.8 * this.spent + 0.2 * milliseconds : milliseconds;
    }
    if (kind === "frame" && now - this.shown < 250) return;
    this.shown = now;
    const span = (now - this.times[0]) / 1000;
    const frames = span > 0.4 ? (this.times.length - 1) / span : 0;
    const parts = [`read in ${this.spent.toFixed(this.spent < 10 ? 1 : 0)} ms`, `${width} × ${height}`];
    if (frames) parts.unshift(`${frames.toFixed(0)} frames/s`);
    page.rate.textContent = parts.join(" · ");
    page.rate.dataset.milliseconds = this.spent.toFixed(1);
    if (frames) page.rate.dataset.framesPerSecond = frames.toFixed(1);
  },
};

function tellNothing(state) {
  page.state.textContent = state;
  page.state.classList.remove("rolling");
  tellDice([], true);
}

function tellDice(values, isFaint) {
  page.sum.textContent = values.length ? values.reduce((sum, value) => sum + value, 0) : "–";
  page.sum.parentElement.classList.toggle("faint", isFaint || values.length === 0);
  page.sum.parentElement.classList.toggle("empty", values.length === 0);
  page.faces.classList.toggle("faint", isFaint);
  showFaces(page.faces, values);
}

function dice(count) {
  return count === 0 ? "No dice" : count === 1 ? "One die" : `${count} dice`;
}

function tellPicture(result) {
  page.state.textContent = dice(result.dice.length);
  tellDice(result.values, false);
  page.told.textContent = result.dice.length
    ? `${dice(result.dice.length)}: ${result.values.join(", ")}. Sum ${result.sum}.`
    : "No dice were found.";
}

function tellFrame(result) {
  const isRolling = result.phase === "rolling";
  const shown = result.dice.toSorted((a, b) => a.x + a.width / 2 - b.x - b.width / 2);
  page.state.textContent = isRolling ? "Rolling…"
    : shown.length === 0 ? "Looking for dice" : `${dice(shown.length)} at rest`;
  page.state.classList.toggle("rolling", isRolling);
  tellDice(shown.map((die) => die.value || die.likeliest).filter(Boolean), isRolling);
  for (const event of result.events) {
    if (event.event === "rollEnded" || event.event === "resultRevised") tellRoll(event);
  }
}

function tellRoll({ event, roll, values, sum }) {
  const key = `${source}.${roll}`;
  let entry = page.rolls.querySelector(`[data-roll="${key}"]`);
  if (!entry) {
    entry = document.createElement("li");
    entry.dataset.roll = key;
    const time = document.createElement("time");
    time.dateTime = new Date().toISOString();
    time.textContent = new Date().toLocaleTimeString([], { timeStyle: "short" });
    const faces = document.createElement("ul");
    faces.className = "faces";
    entry.append(document.createElement("b"), faces, time);
    page.rolls.prepend(entry);
    while (page.rolls.children.length > 100) page.rolls.lastChild.remove();
  }
  entry.dataset.event = event;
  entry.querySelector("b").textContent = sum;
  showFaces(entry.querySelector("ul"), values);
  page["no-rolls"].hidden = true;
  page.clear.hidden = false;
  const what = event === "rollEnded" ? "Roll" : "Corrected roll";
  page.told.textContent = `${what}: ${values.join(", ")}. Sum ${sum}.`;
}

worker.onmessage = ({ data }) => {
  if (data.kind === "ready") {
    page.state.textContent = "Ready";
    for (const button of document.querySelectorAll(".controls button")) button.disabled = false;
    document.body.dataset.ready = data.byteCount;
    return;
  }
  if (data.source) waiting -= 1;
  if (data.kind === "failure") {
    if (!data.source) failToLoad();
    else if (data.source === source) fail(data.message);
    return;
  }
  if (data.source !== source) return;
  latest = data;
  rate.count(data);
  draw(page.overlay, data);
  if (data.kind === "picture") tellPicture(data);
  else tellFrame(data);
};

worker.onerror = failToLoad;

// MARK: Controls

page.camera.onclick = () =>
  page.camera.textContent === "Camera" ? useCamera() : begin(null);
page.device.onchange = () => useCamera(page.device.value);
page.open.onclick = () => page.file.click();
page.file.onchange = () => {
  useFile(page.file.files[0]);
  page.file.value = "";
};
page["sample-picture"].onclick = () =>
  useSample("sample.jpg", usePicture);
page["sample-throw"].onclick = () =>
  useSample("sample.mjpeg", async (sample) => useThrow(new Uint8Array(await sample.arrayBuffer())));
page.tiling.onchange = () => {
  worker.postMessage({ kind: "options", tiling: page.tiling.checked });
  if (picture) usePicture(picture);
};
page.clear.onclick = () => {
  page.rolls.replaceChildren();
  page.clear.hidden = true;
  page["no-rolls"].hidden = false;
  page.camera.focus();
};

addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  useFile(event.dataTransfer?.files[0]);
});
addEventListener("paste", (event) => useFile(event.clipboardData?.files[0]));
addEventListener("resize", () => latest && draw(page.overlay, latest));

worker.postMessage({ kind: "start", tiling: page.tiling.checked });
