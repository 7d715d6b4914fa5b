"""Compares the fields that `dicevision field` finds with known corners.

    python3 measure.py TOOL FOLDER

FOLDER has pictures and corners.json, as render.py writes them.
"""

import json
import os
import subprocess
import sys


def area(corners):
    following = corners[1:] + corners[:1]
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(corners, following)) / 2


def common(one, other):
    """The area that two convex quadrilaterals share."""
    part = one if area(one) > 0 else one[::-1]
    other = other if area(other) > 0 else other[::-1]
    for (ax, ay), (bx, by) in zip(other, other[1:] + other[:1]):
        def side(point):
            return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)

        kept = []
        for a, b in zip(part, part[1:] + part[:1]):
            if side(a) >= 0:
                kept.append(a)
            if (side(a) >= 0) != (side(b) >= 0):
                share = side(a) / (side(a) - side(b))
                kept.append([a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])])
        part = kept
        if len(part) < 3:
            return 0
    return abs(area(part))


def overlap(one, other):
    shared = common(one, other)
    return shared / (abs(area(one)) + abs(area(other)) - shared)


def main():
    tool, folder = sys.argv[1:3]
    with open(os.path.join(folder, "corners.json")) as file:
        records = json.load(file)
    paths = [os.path.join(folder, record["image"]) for record in records]
    for preferred, truth in (("playing-field", "corners"), ("frame", "frame")):
        call = [tool, "field", "--json", "--prefer", preferred, *paths]
        lines = subprocess.run(call, check=True, capture_output=True, text=True).stdout.splitlines()
        first = candidates = 0
        for line, record in zip(lines, records, strict=True):
            found = json.loads(line)
            all_found = [found["corners"], *found["others"]] if found["corners"] else []
            overlaps = [overlap(corners, record[truth]) for corners in all_found]
            first += bool(overlaps) and overlaps[0] > .9
            candidates += any(value > .9 for value in overlaps)
        print(f"--prefer {preferred}: {first} of {len(records)} with an IoU over 0.9, "
              f"{candidates} among the candidates")


main()
