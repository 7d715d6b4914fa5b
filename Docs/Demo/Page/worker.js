// Reads dice beside the page, so that the page stays smooth. Takes one picture at a time.
//
// Gets   {kind: "start", tiling, module}         loads the weights, and the module unless one is given
//        {kind: "options", tiling}               begins anew with other options
//        {kind: "forget"}                        the next frame begins another film
//        {kind: "picture", bitmap, source}       dice of a picture
//        {kind: "frame", bitmap, source, time}   dice and rolls of a film, time in seconds
// Tells  {kind: "ready", byteCount}, {kind: "failure", source, message},
//        {kind: "picture" | "frame", source, width, height, time, milliseconds, …result}

import { DiceVision } from "./dicevision.js";

/** Pictures with more pixels are read in a smaller copy. */
const pixelLimit = 16_000_000;

let vision = null;
/** What was asked for before all is loaded waits. */
let started = null;
/** What the module was made from, to make it again. */
let parts = null;
let canvas = null;
let context = null;

async function fetched(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name} cannot be loaded (${response.status}).`);
  return response.arrayBuffer();
}

async function start(options) {
  const names = ["fast.dvweights", "second-stage.dvweights", ...(options.module ? [] : ["dicevision.wasm"])];
  const [weights, secondStage, code] = await Promise.all(names.map(fetched));
  parts = {
    weights: new Uint8Array(weights), secondStage: new Uint8Array(secondStage), ...options,
    module: options.module ?? (await WebAssembly.compile(code)),
  };
  vision = await DiceVision.load(parts);
  return (code?.byteLength ?? 0) + weights.byteLength + secondStage.byteLength;
}

/** The pixels of a bitmap, which is given back. */
function pixels(bitmap) {
  const scale = Math.min(1, Math.sqrt(pixelLimit / (bitmap.width * bitmap.height)));
  const width = Math.max(1, Math.floor(bitmap.width * scale));
  const height = Math.max(1, Math.floor(bitmap.height * scale));
  if (canvas?.width !== width || canvas?.height !== height) {
    canvas = new OffscreenCanvas(width, height);
    context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  }
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}

function read({ kind, bitmap, source, time }) {
  const picture = pixels(bitmap);
  const begin = performance.now();
  const result = kind === "picture" ? vision.detect(picture) : vision.follow(picture, time);
  const milliseconds = performance.now() - begin;
  return { kind, source, time, milliseconds, width: picture.width, height: picture.height, ...result };
}

self.onmessage = async ({ data }) => {
  try {
    if (data.kind === "start") {
      started = start({ tiling: data.tiling, module: data.module });
      postMessage({ kind: "ready", byteCount: await started });
      return;
    }
    await started;
    switch (data.kind) {
      case "options":
        parts.tiling = data.tiling;
        vision.open({ tiling: data.tiling });
        break;
      case "forget":
        vision.forget();
        break;
      default:
        postMessage(read(data));
    }
  } catch (error) {
    let { message } = error;
    if (error instanceof WebAssembly.RuntimeError) {
      // A module that was stopped in the middle of its work is not to be used again.
      message = "That needs more memory than there is.";
      if (parts) vision = await DiceVision.load(parts);
    }
    postMessage({ kind: "failure", source: data.source, message });
  }
};
