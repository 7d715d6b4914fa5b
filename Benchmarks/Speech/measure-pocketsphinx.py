"""Hears the recordings of corpora with PocketSphinx and a grammar of the numbers that DiceGameKit knows.

    python3 measure-pocketsphinx.py CORPUS:VOICE [CORPUS:VOICE ...]

CORPUS is a folder of make-corpus.py. Prints for each voice and kind how many recordings are right: all words of a
number, or nothing for other words. Needs pocketsphinx, numpy and scipy of PyPI; the package brings its American model.
"""

import collections
import pathlib
import sys
import tempfile

import numpy
from pocketsphinx import Config, Decoder, get_model_path
from scipy.io import wavfile
from scipy.signal import resample_poly

ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " \
    "seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
RATE = 16000
GRAMMAR = f"""#JSGF V1.0;
grammar numbers;
<digit> = {" | ".join(ONES[1:10])};
<small> = <digit> | {" | ".join(ONES[10:])} | ({" | ".join(TENS)}) [<digit>];
<hundreds> = [a | <digit>] hundred [[and] <small>];
<digits> = (<digit> | zero | oh)+;
public <number> = zero | <small> | <hundreds> | <digits>;
"""


def decoder():
    with tempfile.NamedTemporaryFile("w", suffix=".gram") as file:
        file.write(GRAMMAR)
        file.flush()
        model = pathlib.Path(get_model_path()) / "en-us"
        return Decoder(Config(
            hmm=str(model / "en-us"), dict=str(model / "cmudict-en-us.dict"), jsgf=file.name, loglevel="FATAL"))


def heard(recogniser, path):
    """The words in a recording, with a quarter of a second of faint noise around it."""
    rate, samples = wavfile.read(path)
    if rate != RATE:
        samples = resample_poly(samples.astype(float), RATE, rate)
    quiet = numpy.random.default_rng(1).integers(-20, 20, RATE // 4)
    recogniser.start_utt()
    recogniser.process_raw(numpy.r_[quiet, samples, quiet].astype(numpy.int16).tobytes(), full_utt=True)
    recogniser.end_utt()
    found = recogniser.hyp()
    return found.hypstr.split() if found else []


def kind(words):
    if "*" in words:
        return "other words"
    if len(words) == 1:
        return "one word"
    return "digit by digit" if set(words) <= {*ONES[:10], "oh"} else "several words"


def same(words):
    """Words without those that change no number."""
    return ["oh" if word == "zero" else word for word in words if word != "and"]


def main():
    recogniser = decoder()
    counts, right = collections.Counter(), collections.Counter()
    for place in sys.argv[1:]:
        folder, voice = place.rsplit(":", 1)
        for line in open(pathlib.Path(folder) / "labels.tsv"):
            name, speaker, text = line.rstrip("\n").split("\t")
            if speaker != voice:
                continue
            words, key = text.split(), (voice, kind(text.split()))
            found = heard(recogniser, pathlib.Path(folder) / name)
            counts[key] += 1
            right[key] += found == [] if "*" in words else same(found) == same(words)
    for key in sorted(counts):
        print(*key, f"{right[key]} of {counts[key]}, {100 * right[key] / counts[key]:.0f} %")


main()
