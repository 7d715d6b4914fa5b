"""What people say in recordings that Debian packages bring: numbers, letters and words that are no numbers.

`apt-get install` brings csmash-data, scid-data, tuxpaint-stamps-default, klettres-data, ktuberling-data, qabcs-data and
bambam, hedgewars-data and flightgear-data-base, or `apt-get download` and `dpkg-deb -x PACKAGE FOLDER` without what they depend on.
"""

import pathlib
import re

# Voices that only measure are other ones than those that teach.
MEASURED = {"klettres": ["en_GB"], "ktuberling": ["en"], "qabcs": ["en", "en_gb"]}


def others(text):
    """A "*" for each word."""
    return " ".join("*" for _ in re.findall(r"\w+", text)) or "*"


def counted(folder, words):
    return [(folder / f"{word}.wav", word) for word in words]


def csmash(share, words):
    """The scores of a game of table tennis: one man."""
    folder = share / "games/csmash/wav"
    if folder.exists():
        names = [word for word in words if (folder / f"{word}.wav").exists()]
        yield "csmash", counted(folder, names) + [(folder / "all.wav", "*")]


def scid(share, words):
    """Moves of chess: one man."""
    folder = share / "scid/sounds"
    if folder.exists():
        named = "a b c d e f g h Bishop Check King Knight Mate Queen Rook".split()
        yield "scid", [(folder / f"{number}.wav", words[number]) for number in range(1, 9)] + \
            [(folder / f"{name}.wav", "*") for name in named]


def flightgear(share, words):
    """Heights that an aircraft warns of: tens and hundreds, and other words, by one voice."""
    folder = share / "games/flightgear/Sounds/mk-viii"
    if folder.exists():
        heights = {10: "ten", 20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 100: "one hundred",
                   200: "two hundred", 300: "three hundred", 400: "four hundred", 500: "five hundred"}
        yield "flightgear", [(folder / f"altitude-{number}.wav", text) for number, text in heights.items()] + \
            [(path, others(path.stem)) for path in sorted(folder.glob("[a-z]*.wav"))
             if not path.stem.startswith("altitude")]


def hedgewars(share, words):
    """What hedgehogs call in a game, by a dozen people."""
    for folder in sorted((share / "games/hedgewars/Data/Sounds/voices").glob("*")):
        found = [(path, "*") for path in sorted(folder.glob("*.ogg")) if "one" not in path.stem]
        if len(found) > 20:
            yield f"hedgewars-{folder.name}", found


def tuxpaint(share, words):
    """What stamps show, in a dozen languages, by volunteers."""
    voices = {}
    for path in sorted((share / "tuxpaint/stamps").rglob("*_desc*.ogg")):
        match = re.match(r"(.*)_desc(?:_([A-Za-z_]+))?$", path.stem)
        if not match or "symbols/math" in str(path):
            continue
        language = match[2] or "en"
        text = "letter" if "alphabets" in str(path) else described(path.with_name(f"{match[1]}.txt"), language)
        if text is None or language == "en" and set(words) & set(re.findall(r"[a-z]+", text.lower())):
            continue
        voices.setdefault(language, []).append((path, others(text)))
    for language, found in voices.items():
        if len(found) > 20:
            yield f"tuxpaint-{language}", found


def described(path, language):
    """What a stamp's text says in a language: English in the first line, others in lines that name them."""
    if not path.exists():
        return None
    lines = path.read_text(errors="replace").splitlines()
    if language == "en":
        return lines[0] if lines else None
    return next((line.split("=", 1)[1] for line in lines if line.startswith(f"{language}.utf8=")), None)


def by_language(game, folder, patterns, measured):
    """A game's recordings of each language: letters, but for the one that is a number's name, syllables and words."""
    if not folder.exists():
        return
    for language in sorted(folder.iterdir()):
        if not language.is_dir() or (language.name in MEASURED[game]) != measured:
            continue
        found = [path for pattern in patterns for path in sorted(language.glob(pattern))]
        found = [(path, "*") for path in found if path.stem.lower() not in ("o", "oh")]
        if found:
            yield f"{game}-{language.name}", found


def games(share, measured):
    yield from by_language("klettres", share / "klettres", ["alpha/*.ogg", "syllab/*.ogg"], measured)
    yield from by_language("ktuberling", share / "ktuberling/sounds", ["*.ogg", "*.wav"], measured)
    yield from by_language("qabcs", share / "qabcs/abcs", ["**/*.ogg"], measured)


def teaching(share, words):
    """Voices and their recordings, to learn from: pairs of a voice and of files with their labels."""
    share = pathlib.Path(share)
    for source in (csmash, scid, flightgear, hedgewars, tuxpaint):
        yield from source(share, words)
    yield from games(share, measured=False)


def measuring(share, words):
    """Voices of people that none of the others belongs to, to measure with."""
    share = pathlib.Path(share)
    folder = share / "tuxpaint/stamps/symbols/math"
    for voice, end in (("tuxpaint-digits-us", ""), ("tuxpaint-digits-gb", "_en_GB")):
        if folder.exists():
            yield voice, [(folder / f"{number}{end}.ogg", words[number]) for number in range(10)]
    folder = share / "bambam/extensions/alphanumeric-en_US/sounds"
    if folder.exists():
        yield "bambam", [(folder / f"{number}.ogg", words[number]) for number in range(10)] + \
            [(folder / f"{letter}.ogg", "*") for letter in "abcdefghijklmnpqrstuvwxyz"]
    yield from games(share, measured=True)
