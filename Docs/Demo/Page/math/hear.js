// Hears numbers beside the page.
//
// Gets   {kind: "start", module, sampleRate, greatest}   the compiled module, the greatest number to expect
//        {kind: "sound", samples, isOver, source}     samples of one channel
// Tells  {kind: "ready"}, {kind: "failure", message}, {kind: "events", events, source}

import { DiceMath } from "./game.js";

let ears = null;

async function start({ module, sampleRate, greatest }) {
  const response = await fetch(new URL("../speech.dvweights", import.meta.url));
  if (!response.ok) throw new Error(`The weights of speech cannot be loaded (${response.status}).`);
  const weights = new Uint8Array(await response.arrayBuffer());
  ears = await DiceMath.load(module);
  ears.openEars(weights, sampleRate, greatest);
  postMessage({ kind: "ready" });
}

self.onmessage = async ({ data }) => {
  try {
    if (data.kind === "start") await start(data);
    else if (ears) {
      const events = ears.hear(data.samples, data.isOver);
      if (events.length > 0) postMessage({ kind: "events", events, source: data.source });
    }
  } catch (error) {
    postMessage({ kind: "failure", message: error.message });
  }
};
