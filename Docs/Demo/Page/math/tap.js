// Takes the microphone's sound out of the audio thread, in blocks of some 40 ms.

class Tap extends AudioWorkletProcessor {
  #block = new Float32Array(2048);
  #count = 0;

  process([[channel]]) {
    if (!channel) return true;
    for (const sample of channel) {
      this.#block[this.#count] = sample;
      this.#count += 1;
      if (this.#count === this.#block.length) {
        this.port.postMessage(this.#block, [this.#block.buffer]);
        this.#block = new Float32Array(2048);
        this.#count = 0;
      }
    }
    return true;
  }
}

registerProcessor("tap", Tap);
