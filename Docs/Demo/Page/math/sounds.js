// Sounds, made as they are heard.

let context = null;
let isOn = true;

/** Turns sounds on or off. */
export function setSounds(on) {
  isOn = on;
}

function output() {
  if (!isOn || !window.AudioContext) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

/** A note that rings and fades, so many seconds from now. */
function note(frequency, delay, length, { type = "triangle", volume = 0.18 } = {}) {
  const audio = output();
  if (!audio) return;
  const begin = audio.currentTime + delay;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = type;
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(volume, begin + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(begin);
  oscillator.stop(begin + length + 0.02);
}

/** A short knock, as of a die on wood. */
function knock(delay, volume) {
  const audio = output();
  if (!audio) return;
  const count = Math.round(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, count, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < count; n += 1) samples[n] = (Math.random() * 2 - 1) * Math.exp(-n / (count / 7));
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const gain = audio.createGain();
  filter.type = "bandpass";
  filter.frequency.value = 900 + 900 * Math.random();
  gain.gain.value = volume;
  source.buffer = buffer;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(audio.currentTime + delay);
}

export const sounds = {
  roll() {
    for (const [index, delay] of [0, 0.09, 0.16, 0.27, 0.41].entries()) knock(delay, 0.7 - 0.1 * index);
  },
  asked() {
    note(523, 0, 0.18);
    note(659, 0.1, 0.24);
  },
  step(index) {
    note(392 * 2 ** ([0, 2, 4, 7, 9, 12, 14, 16, 19, 21, 24, 26][index % 12] / 12), 0, 0.2);
  },
  right() {
    note(659, 0, 0.2);
    note(988, 0.12, 0.4);
  },
  wrong() {
    note(262, 0, 0.22, { type: "sine" });
    note(208, 0.14, 0.34, { type: "sine" });
  },
  won() {
    for (const [index, frequency] of [523, 659, 784, 1047, 784, 1047, 1319].entries()) {
      note(frequency, 0.13 * index, 0.45);
    }
  },
};
