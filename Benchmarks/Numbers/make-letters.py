"""Writes letters of Hershey's typefaces as lines of JSON: {"label": "A", "strokes": [[[x, y], ...], ...]}.

    python3 make-letters.py FOLDER cursive timesi timesr greeks > letters-train.jsonl
    python3 make-letters.py FOLDER futural scripts > letters-measure.jsonl

FOLDER holds the .jhf files, as the Debian package hershey-fonts-data has them in /usr/share/hershey-fonts.
Only letters that no digit looks like are written. The Hershey Fonts were originally created by Dr. A. V. Hershey
while working at the U. S. National Bureau of Standards; the format of the font data was originally created by
James Hurt, Cognition, Inc.
"""
import json
import os
import sys

LETTERS = set("ACEFHJKLMNPQRTUVWXYacdefhkmnprtuvwxy")
# What these characters stand for in the Greek typeface looks like digits.
LIKE_DIGITS = {"greeks": set("dxQJ")}


def glyphs(path):
    """The glyphs of a file in order, each as its vertices, two characters for each."""
    with open(path, errors="replace") as file:
        lines = file.read().split("\n")
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if len(line) < 8:
            continue
        count, body = int(line[5:8]), line[8:]
        while len(body) < 2 * count and index < len(lines):
            body += lines[index]
            index += 1
        yield body[: 2 * count]


def strokes(body):
    """The strokes of a glyph; the first vertex holds its sides."""
    result, current = [], []
    for place in range(2, len(body) - 1, 2):
        x, y = body[place], body[place + 1]
        if x + y == " R":
            if current:
                result.append(current)
            current = []
        else:
            current.append([ord(x) - ord("R"), ord(y) - ord("R")])
    return result + [current] if current else result


for name in sys.argv[2:]:
    for index, body in enumerate(glyphs(os.path.join(sys.argv[1], name + ".jhf"))):
        label = chr(32 + index)
        if label in LETTERS - LIKE_DIGITS.get(name, set()) and strokes(body):
            print(json.dumps({"label": label, "strokes": strokes(body)}))
