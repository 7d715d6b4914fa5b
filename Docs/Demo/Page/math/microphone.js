// The microphone: opened when somebody wants to speak, closed when the question is over.

const rates = [8_000, 48_000];

/**
 * Hears numbers; what is heard is told to `onEvent`, how loud it is (0...1) to `onLevel`. `onEnd` is called where
 * the microphone is taken away, or the worker fails.
 */
export class Microphone {
  #module;
  #onEvent;
  #onLevel;
  #onEnd;
  #worker = null;
  #open = null;
  #source = 0;
  #isHeard = false;
  #greatest = 12;

  constructor(module, onEvent, onLevel, onEnd) {
    this.#module = module;
    this.#onEvent = onEvent;
    this.#onLevel = onLevel;
    this.#onEnd = onEnd;
  }

  /** Expects numbers from 0 to this one, whenever the microphone is opened again. */
  expect(greatest) {
    if (greatest === this.#greatest) return;
    this.#greatest = greatest;
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** Asks for the microphone, unless it is open; throws where it does not start. */
  async start() {
    this.#open ??= this.#begin();
    try {
      await this.#open;
    } catch (error) {
      this.#open = null;
      throw error;
    }
  }

  async #begin() {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true },
    });
    let context = null;
    try {
      context = new AudioContext();
      if (context.sampleRate < rates[0] || context.sampleRate > rates[1]) {
        await context.close();
        context = new AudioContext({ sampleRate: rates[1] });
      }
      await context.audioWorklet.addModule(new URL("tap.js", import.meta.url));
      const tap = new AudioWorkletNode(context, "tap", { numberOfOutputs: 0 });
      tap.port.onmessage = ({ data }) => this.#take(data);
      context.createMediaStreamSource(stream).connect(tap);
      await context.resume();
      if (!this.#worker) await this.#wake(context.sampleRate);
    } catch (error) {
      await release({ stream, context });
      throw error;
    }
    for (const track of stream.getTracks()) track.onended = () => this.#onEnd();
    return { stream, context };
  }

  /** Starts the worker; one that fails is not asked again. */
  #wake(sampleRate) {
    const worker = new Worker(new URL("hear.js", import.meta.url), { type: "module" });
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      let isReady = false;
      const fail = (message) => {
        worker.terminate();
        if (this.#worker === worker) this.#worker = null;
        if (isReady) this.#onEnd();
        else reject(new Error(message));
      };
      worker.onmessage = ({ data }) => {
        if (data.kind === "ready") {
          isReady = true;
          resolve();
        } else if (data.kind === "failure") fail(data.message);
        else if (data.source === this.#source) {
          for (const event of data.events) this.#onEvent(event);
        }
      };
      worker.onerror = () => fail();
      worker.postMessage({ kind: "start", module: this.#module, sampleRate, greatest: this.#greatest });
    });
  }

  #take(samples) {
    if (!this.#isHeard) return;
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    this.#onLevel(Math.min(1, Math.max(0, (10 * Math.log10(power + 1e-9) + 55) / 45)));
    this.#send(samples, false);
  }

  #send(samples, isOver) {
    this.#worker?.postMessage({ kind: "sound", samples, isOver, source: this.#source }, [samples.buffer]);
  }

  /** Whether sound is listened to. */
  get isHeard() {
    return this.#isHeard;
  }

  /** Listens from now on. */
  listen() {
    this.#isHeard = true;
  }

  /** Listens no more; what was said until now is still heard. */
  rest() {
    if (!this.#isHeard) return;
    this.#isHeard = false;
    this.#send(new Float32Array(1), true);
    this.#onLevel(0);
  }

  /** Forgets what was said and gives the microphone back. */
  async stop() {
    this.rest();
    this.#source += 1;
    const open = this.#open;
    this.#open = null;
    const parts = await open?.catch(() => null);
    if (parts) await release(parts);
  }
}

async function release({ stream, context }) {
  for (const track of stream.getTracks()) track.stop();
  if (context?.state !== "closed") await context?.close();
}
