#!/usr/bin/env python3
"""Sound files, resampled sound and features, to compare DiceAudio with.

    python3 Fixtures/golden/audio/generate.py

Needs NumPy, SciPy and FFmpeg. Writes beside this file:

- `NAME.wav` with `NAME.samples`: FFmpeg's files of every coding, and what FFmpeg reads from them as 32-bit floats;
- `resampled-FROM-TO.samples`: SciPy's `resample_poly` of `signal` below;
- `features.samples`: the features of `signal` at 16 kHz, from SciPy's `rfft` and a filter bank as librosa's
  `mel(htk=True, norm=None)`.

All samples are little-endian 32-bit floats.
"""

import math
import pathlib
import subprocess
import tempfile

import numpy
from scipy.fft import rfft
from scipy.io import wavfile
from scipy.signal import resample_poly

FOLDER = pathlib.Path(__file__).parent


def signal(count):
    """Whole numbers of 16 bits from a generator that is easily written in any language."""
    state, result = 1, []
    for index in range(count):
        state = (state * 1103515245 + 12345) % (1 << 31)
        result.append(((state >> 15) % 8192 - 4096) + (index * 37) % 4096 * 4 - 8192)
    return numpy.array(result, dtype=numpy.int16)


def write(name, samples):
    (FOLDER / f"{name}.samples").write_bytes(numpy.asarray(samples, dtype="<f4").tobytes())


def main():
    with tempfile.TemporaryDirectory() as folder:
        source = f"{folder}/source.wav"
        wavfile.write(source, 22050, signal(360).reshape(-1, 3))
        for name, codec in [("pcm8", "pcm_u8"), ("pcm16", "pcm_s16le"), ("pcm24", "pcm_s24le"), ("pcm32", "pcm_s32le"),
                            ("float32", "pcm_f32le"), ("float64", "pcm_f64le"), ("mulaw", "pcm_mulaw"),
                            ("alaw", "pcm_alaw")]:
            path = FOLDER / f"{name}.wav"
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, "-c:a", codec, path], check=True)
            raw = subprocess.run(
                ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"], check=True,
                capture_output=True).stdout
            (FOLDER / f"{name}.samples").write_bytes(raw)
    sound = signal(700) / 32768
    for before, after in [(8000, 16000), (11025, 16000), (44100, 16000), (48000, 16000), (16000, 8000)]:
        divisor = math.gcd(before, after)
        write(f"resampled-{before}-{after}", resample_poly(sound, after // divisor, before // divisor))
    write("features", features(sound))


def features(sound, rate=16000, count=400, hop=160, size=512, bands=40, low=20, high=8000):
    window = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(count) / count)

    def mel(f):
        return 2595 * numpy.log10(1 + f / 700)
    corners = 700 * (10 ** (numpy.linspace(mel(low), mel(high), bands + 2) / 2595) - 1)
    bins = numpy.arange(size // 2 + 1) * rate / size
    filters = numpy.array([
        numpy.maximum(0, numpy.minimum((bins - a) / (b - a), (c - bins) / (c - b)))
        for a, b, c in zip(corners, corners[1:], corners[2:])])
    frames = [abs(rfft(sound[s:s + count] * window, size)) ** 2 for s in range(0, len(sound) - count + 1, hop)]
    return numpy.log(numpy.array(frames) @ filters.T + 1e-10)


if __name__ == "__main__":
    main()
