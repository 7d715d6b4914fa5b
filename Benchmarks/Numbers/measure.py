"""Measures `dicevision numbers` on drawings: digits of writers, numbers composed of them, letters.

    python3 measure.py TOOL STROKES [WRITER...]

STROKES is a file of pen strokes as `dicevision train pen-ways` takes it, WRITER whose digits are read (all
without one). Letters come from four typefaces of A. V. Hershey, whose strokes PyPI's Hershey-Fonts has;
without it there are scribbles alone. Letters that look like digits (B, D, G, I, J, L, O, Q, S, Z, b, c, g, i,
j, l, o, p, q, s, v, z) are left out. Seeds are fixed.
"""

import collections
import gzip
import json
import math
import random
import subprocess
import sys
import tempfile

LETTERS = "ACEFHKMNPRTUVWXYadefhkmnrtuwxy"
WORDS = ["hat", "man", "few", "key", "tea", "wax", "arm", "fun", "Mr", "we", "my", "ha"]
TYPEFACES = ["futural", "rowmans", "cursive", "scripts"]


def digits(path, writers):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    by_writer = collections.defaultdict(list)
    with opened as file:
        for line in filter(str.strip, file):
            digit = json.loads(line)
            if not writers or digit["writer"] in writers:
                by_writer[digit["writer"]].append(digit)
    return dict(sorted(by_writer.items()))


def box(strokes):
    xs = [x for stroke in strokes for x, *_ in stroke]
    ys = [y for stroke in strokes for _, y, *_ in stroke]
    return min(xs), min(ys), max(xs), max(ys)


def number(samples, low, high, chance):
    """Digits side by side with gaps of low to high times their mean height, feet nearly level."""
    boxes = [box(sample["strokes"]) for sample in samples]
    height = sum(max(1, bottom - top) for _, top, _, bottom in boxes) / len(samples)
    strokes, place = [], 0
    for sample, (left, _, right, bottom) in zip(samples, boxes):
        rise = chance.uniform(-0.05, 0.05) * height
        strokes += [[[x + place - left, y - bottom + rise] for x, y, *_ in stroke]
                    for stroke in sample["strokes"]]
        place += right - left + chance.uniform(low, high) * height
    return "".join(sample["label"] for sample in samples), strokes


def bent(strokes, chance):
    """Strokes as another hand might draw them: turned, slanted, stretched, bent, each a little moved."""
    left, top, right, bottom = box(strokes)
    size = max(right - left, bottom - top) or 1
    turn, slant = chance.uniform(-0.2, 0.2), chance.uniform(-0.25, 0.25)
    width, wave = math.exp(chance.uniform(-0.2, 0.2)), chance.uniform(0, 0.05)
    phases = [chance.uniform(0, 2 * math.pi) for _ in range(4)]
    result = []
    for stroke in strokes:
        points = [stroke[0]]
        for (x, y), (nextX, nextY) in zip(stroke, stroke[1:]):
            points += [(x + (nextX - x) * k / 5, y + (nextY - y) * k / 5) for k in range(1, 6)]
        shift = chance.gauss(0, 0.018), chance.gauss(0, 0.018)
        line = []
        for x, y in points:
            x, y = (x - (left + right) / 2) / size * width, (y - (top + bottom) / 2) / size
            x += slant * y
            x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
            u = x + wave * (math.sin(4 * y + phases[0]) + math.sin(7 * x + phases[1]) / 2) + shift[0]
            v = y + wave * (math.sin(4 * x + phases[2]) + math.sin(7 * y + phases[3]) / 2) + shift[1]
            line.append([round(200 * u + 250, 1), round(200 * v + 250, 1)])
        result.append(line)
    return result


def scribble(chance):
    strokes = []
    for _ in range(chance.choice([1, 1, 2, 3])):
        x, y, angle, turn = chance.uniform(0, 200), chance.uniform(0, 200), chance.uniform(0, 7), 0
        wildness, stroke = chance.uniform(0.05, 0.4), []
        for _ in range(chance.randint(50, 200)):
            stroke.append([round(x, 1), round(y, 1)])
            turn = 0.9 * turn + wildness * chance.gauss(0, 1)
            angle += turn
            x += 8 * math.cos(angle) + 0.03 * (100 - x)
            y += 8 * math.sin(angle) + 0.03 * (100 - y)
        strokes.append(stroke)
    return strokes


def drawings(by_writer):
    """Kinds, texts and strokes."""
    for writer, samples in by_writer.items():
        for sample in samples:
            yield f"single digits, {writer}", sample["label"], sample["strokes"]
    chance = random.Random(7)
    writers = list(by_writer)
    for kind, count, low, high in [
            ("two digits", 2, 0.12, 0.5), ("three digits", 3, 0.12, 0.5),
            ("two that nearly touch", 2, 0, 0.04), ("three that nearly touch", 3, 0, 0.04)]:
        for index in range(900):
            samples = by_writer[writers[index % len(writers)]]
            yield kind, *number([chance.choice(samples) for _ in range(count)], low, high, chance)
    chance = random.Random(11)
    for _ in range(200):
        yield "scribbles", "", scribble(chance)
    try:
        from HersheyFonts import HersheyFonts
    except ImportError:
        return
    def strokes(font, text):
        return [[[x, -y] for x, y in stroke] for stroke in font.strokes_for_text(text)]
    for name in TYPEFACES:
        font = HersheyFonts()
        font.load_default_font(name)
        font.normalize_rendering(100)
        for letter in LETTERS * 5:
            yield "letters", "", bent(strokes(font, letter), chance)
        if name == TYPEFACES[0]:
            for word in WORDS * 10:
                yield "words of letters", "", bent(strokes(font, word), chance)


def calibration_error(readings):
    bins = collections.defaultdict(list)
    for confidence, is_right in readings:
        bins[min(9, int(confidence * 10))].append((confidence, is_right))
    return sum(
        abs(sum(c - r for c, r in part)) for part in bins.values()) / max(1, len(readings))


def main():
    tool, path, *writers = sys.argv[1:]
    made = list(drawings(digits(path, set(writers))))
    lines = "".join(
        json.dumps({"id": index, "strokes": strokes}) + "\n"
        for index, (_, _, strokes) in enumerate(made))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(lines)
        file.flush()
        answers = subprocess.run(
            [tool, "numbers", file.name, "--format", "json"], stdout=subprocess.PIPE, text=True,
            check=True).stdout.splitlines()
    rows = collections.defaultdict(list)
    for line in answers:
        answer = json.loads(line)
        kind, text, _ = made[answer["id"]]
        confidence = math.prod(digit["confidence"] for digit in answer["digits"])
        reading = (confidence if answer["digits"] else 0, answer["text"] == text)
        rows[kind].append(reading)
        if kind.startswith("single"):
            rows["single digits of all writers"].append(reading)
    for kind, readings in rows.items():
        right = 100 * sum(is_right for _, is_right in readings) / len(readings)
        line = f"{right:6.2f} % of {len(readings):5} right"
        if not kind.startswith(("scribbles", "letters", "words")):
            mean = 100 * sum(confidence for confidence, _ in readings) / len(readings)
            line += f", confidence {mean:.1f} %, off by {100 * calibration_error(readings):.1f} %"
        print(f"{line}: {kind}")


main()
