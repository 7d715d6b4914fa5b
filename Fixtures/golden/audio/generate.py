#!/usr/bin/env python3
"""Sound files, resampled sound and features, to compare DiceAudio with.

    python3 Fixtures/golden/audio/generate.py

Needs NumPy, SciPy, FFmpeg and the tools `flac` and `metaflac`. Writes beside this file:

- `NAME.wav` with `NAME.samples`: FFmpeg's files of every coding, and what FFmpeg reads from them as 32-bit floats;
- `NAME.flac` with `NAME.samples`: files of the encoders of Xiph and FFmpeg, and what FFmpeg reads from them;
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
            read(name, path)
    flac()
    sound = signal(700) / 32768
    for before, after in [(8000, 16000), (11025, 16000), (44100, 16000), (48000, 16000), (16000, 8000)]:
        divisor = math.gcd(before, after)
        write(f"resampled-{before}-{after}", resample_poly(sound, after // divisor, before // divisor))
    write("features", features(sound))


def read(name, path):
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"], check=True,
        capture_output=True).stdout
    (FOLDER / f"{name}.samples").write_bytes(raw)


def flac():
    """Sound for every coding of FLAC: the file, its signal, moments, channels, bits, and what the encoder is told."""
    cases = [
        ("tone-1x16", "tone", 400, 1, 16, ["-8", "-b", "256", "-r", "1,3"]),
        ("tone-2x24", "tone", 120, 2, 24, ["-5"]), ("tone-3x16", "tone", 120, 3, 16, ["-3"]),
        ("tone-1x8", "tone", 300, 1, 8, ["-8"]), ("tone-2x32", "tone", 100, 2, 32, ["-5", "-m"]),
        ("steps", "steps", 900, 1, 16, ["-0", "-b", "192"]), ("noise", "noise", 100, 1, 16, ["-8"]),
        ("even", "even", 300, 1, 16, ["-8"]), ("rough", "rough", 200, 1, 24, ["-8", "-p"]),
        ("left-side", "tone", 200, 2, 16, "left_side"), ("right-side", "tone", 200, 2, 16, "right_side"),
        ("mid-side", "tone", 200, 2, 16, "mid_side")]
    with tempfile.TemporaryDirectory() as folder:
        for name, kind, count, channels, bits, told in cases:
            size = (bits + 7) // 8
            source, path = f"{folder}/source", FOLDER / f"flac-{name}.flac"
            with open(source, "wb") as file:
                for value in wave(kind, count, channels, bits):
                    file.write(value.to_bytes(size, "little", signed=True))
            if isinstance(told, str):
                subprocess.run(
                    ["ffmpeg", "-v", "error", "-y", "-f", "s16le", "-ar", "22050", "-ac", str(channels), "-i", source,
                     "-c:a", "flac", "-ch_mode", told, "-frame_size", "128", path], check=True)
            else:
                subprocess.run(
                    ["flac", "-f", "-s", "--no-padding", "--no-seektable", "--force-raw-format", "--endian=little",
                     "--sign=signed", f"--channels={channels}", f"--bps={bits}", "--sample-rate=22050", *told, "-o", path,
                     source], check=True)
            subprocess.run(
                ["metaflac", "--remove", "--block-type=PADDING,VORBIS_COMMENT", "--dont-use-padding", path], check=True)
            if bits == 32:  # older FFmpegs do not read those
                write(f"flac-{name}", [value / 2**31 for value in wave(kind, count, channels, bits)])
            else:
                read(f"flac-{name}", path)


def wave(kind, count, channels, bits):
    """Whole numbers: what goes up and down, with steps, noise or low bits of nought."""
    full = 1 << (bits - 1)
    noise = signal(count * channels)
    for index in range(count):
        for channel in range(channels):
            period = 60 + 5 * channel
            slope = abs(index % period * 4 - 2 * period) - period
            up = slope * full // (2 * period)
            random = int(noise[index * channels + channel])
            yield {"tone": up + random * full // (1 << 22), "steps": 0 if index < count // 2 else -full // 3,
                   "noise": (random * 7919 + index * index * 97) % (2 * full) - full, "even": up // 16 * 16,
                   "rough": up // 2 + random * full // (1 << 19)}[kind]


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
