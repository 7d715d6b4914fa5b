// Reads pictures and a film with the module itself, then uses the page as a person would, and posts what
// was read. What is right is decided by `compare.py`, which knows what the command line tool reads.

import { DiceVision } from "../site/dicevision.js";

const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());

async function pixels(name) {
  const bitmap = await createImageBitmap(await (await fetch(name)).blob(), {
    colorSpaceConversion: "none",
  });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

async function until(what, condition, seconds) {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const value = condition();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen within ${seconds} s.`);
}

async function readWithModule(inputs) {
  const vision = await DiceVision.load({
    module: fetch("../site/dicevision.wasm"),
    weights: await bytes("../site/fast.dvweights"),
    secondStage: await bytes("../site/second-stage.dvweights"),
  });
  const pictures = {};
  for (const name of inputs.pictures) pictures[name] = vision.detect(await pixels(name)).dice;

  vision.forget();
  const events = [];
  const milliseconds = [];
  for (const [frame, name] of inputs.frames.entries()) {
    const picture = await pixels(name);
    const begin = performance.now();
    const result = vision.follow(picture, frame / inputs.framesPerSecond);
    if (result.ranDetector) milliseconds.push(performance.now() - begin);
    for (const event of result.events) events.push({ frame, ...event });
  }

  // Errors are sentences, and the module goes on afterwards.
  const refusals = [];
  const refused = (call) => {
    try {
      call();
      refusals.push("");
    } catch (error) {
      refusals.push(error.message);
    }
  };
  refused(() => vision.detect({ data: new Uint8Array(16), width: 3, height: 2 }));
  refused(() => vision.detect({ data: new Uint8Array(16), width: 0, height: -1 }));
  refused(() => vision.detect({ data: new Uint8Array(16), width: 65536, height: 65536 }));
  refused(() => vision.follow({ data: new Uint8Array(16), width: 2, height: 2 }, NaN));
  let broken = "";
  try {
    await DiceVision.load({
      module: fetch("../site/dicevision.wasm"), weights: new Uint8Array(100),
    });
  } catch (error) {
    broken = error.message;
  }
  const again = vision.detect(await pixels(inputs.pictures[0])).dice;
  return {
    pictures, events, milliseconds, refusals, broken, again,
    memoryByteCount: vision.memoryByteCount,
  };
}

// A computer with too much to do shows the page too few frames of the throw to tell it right: the film before the
// camera begins anew, and the page has some throws to tell one as `values`.
const throwLimit = 3;

async function readWithPage(values) {
  const frame = document.getElementById("page");
  frame.src = "../site/index.html";
  await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  const page = frame.contentDocument;
  const find = (id) => page.getElementById(id);
  await until("The page's readiness", () => page.body.dataset.ready, 60);

  find("sample-picture").click();
  const sample = await until("A reading", () => find("faces").dataset.values, 60);

  find("camera").click();
  const rolls = await until(
    "A roll before the camera",
    () => {
      if (page.getElementById("welcome").hidden === false) throw new Error(find("notice").textContent);
      // The last one stands on top.
      const told = [...page.querySelectorAll("#rolls li .faces")]
        .map((faces) => faces.dataset.values)
        .reverse();
      return (told.at(-1) === values || told.length >= throwLimit) && told;
    },
    240,
  );
  const spoken = find("told").textContent;
  await until("A frame rate", () => find("rate").dataset.framesPerSecond, 30);
  const { framesPerSecond, milliseconds } = find("rate").dataset;
  return { sample, rolls, spoken, framesPerSecond, milliseconds };
}

let report;
try {
  const inputs = await (await fetch("inputs.json")).json();
  const module = await readWithModule(inputs);
  const values = module.events.find((event) => event.event === "rollEnded")?.values.join(" ");
  report = { module, page: await readWithPage(values) };
} catch (error) {
  report = { failure: `${error.message} ${error.stack}` };
}
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
