"""Measures what the confidence threshold does, and draws it.

    python3 measure.py [--tool PROGRAM] [--csv FILE] [--weights NAME] --output FILE.svg ANNOTATIONS...

Calls `dicevision evaluate dice --confidence C` on the annotation files for each threshold, and reads its
report: the share of dice read right, of detections that are right, and of photos read exactly right, over
all sets together. Numbers come from the reports alone. --csv also writes them as a table.

The documentation's curve, with the photos in a folder PHOTOS:

    python3 Docs/Thresholds/measure.py --csv Docs/Thresholds/confidence.csv \\
      --output Sources/Kits/DiceVisionKit/DiceVisionKit.docc/Resources/thresholds.svg PHOTOS/*/validation.json
"""

import argparse
import json
import subprocess
import sys

THRESHOLDS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98]
# The keys of the report, how the curves are called, and their colours (told apart by lightness, too).
CURVES = [
    ("diceReadRight", "dice read right", "#1b6ec2"),
    ("detectionsThatAreRight", "detections that are right", "#c2541b"),
    ("photosReadExactlyRight", "photos read exactly right", "#1f8a4c"),
]


def call(arguments):
    try:
        return json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)
    except subprocess.CalledProcessError as error:
        sys.exit(error.stderr.decode())


def shares(sets):
    """The three shares over all sets: counts are added up, a share without a total is left out."""
    found = {}
    for key, _, _ in CURVES:
        counts = [part["detections"][key] for part in sets]
        total = sum(part["total"] for part in counts)
        if total:
            found[key] = sum(part["count"] for part in counts) / total
    return found


def drawing(rows, default, caption):
    """The curves as SVG; colours of texts suit light and dark pages."""
    left, top, width, height = 52, 46, 560, 300
    low = min(90, 10 * int(10 * min(share for _, row in rows for share in row.values())))

    def x(threshold):
        return left + width * threshold

    def y(share):
        return top + height * (100 - 100 * share) / (100 - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 {top + height + 62}" '
        'font-family="system-ui, sans-serif" font-size="13" fill="#777">',
        f"<title>{caption}</title>",
    ]
    for percent in range(low, 101, 10):
        level = y(percent / 100)
        parts.append(f'<path d="M{left} {level:.1f}h{width}" stroke="#8883"/>')
        parts.append(f'<text x="{left - 8}" y="{level + 4:.1f}" text-anchor="end">{percent} %</text>')
    for tenth in range(0, 11, 2):
        place = x(tenth / 10)
        parts.append(f'<text x="{place:.1f}" y="{top + height + 20}" text-anchor="middle">'
                     f"{tenth / 10:g}</text>")
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 42}" text-anchor="middle">'
                 "confidence threshold</text>")
    parts.append(f'<path d="M{x(default):.1f} {top}v{height}" stroke="#888" stroke-dasharray="4 4"/>')
    parts.append(f'<text x="{x(default) + 6:.1f}" y="{top + height - 8}">default</text>')
    place = left
    for key, name, color in CURVES:
        points = " ".join(f"{x(c):.1f},{y(row[key]):.1f}" for c, row in rows if key in row)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2.5"/>')
        for c, row in rows:
            if key in row:
                parts.append(f'<circle cx="{x(c):.1f}" cy="{y(row[key]):.1f}" r="3" fill="{color}"/>')
        parts.append(f'<circle cx="{place + 5}" cy="20" r="5" fill="{color}"/>')
        parts.append(f'<text x="{place + 16}" y="24">{name}</text>')
        place += 34 + 7 * len(name)
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default="dicevision")
    parser.add_argument("--weights", default="standard")
    parser.add_argument("--output", required=True)
    parser.add_argument("--csv")
    parser.add_argument("annotations", nargs="+")
    options = parser.parse_args()

    evaluate = [options.tool, "evaluate", "dice", "--format", "json", "--weights", options.weights]
    default = call([*evaluate, *options.annotations])["confidenceThreshold"]
    rows, photos, dice = [], 0, 0
    for threshold in THRESHOLDS:
        report = call([*evaluate, "--confidence", str(threshold), *options.annotations])
        rows.append((threshold, shares(report["sets"])))
        photos = sum(part["photoCount"] for part in report["sets"])
        dice = sum(part["dieCount"] for part in report["sets"])
        print(threshold, " ".join(f"{100 * share:.1f}" for share in rows[-1][1].values()), flush=True)
    caption = f"{options.weights}: {photos} photos with {dice} dice"
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(drawing(rows, default, caption))
    if options.csv:
        with open(options.csv, "w", encoding="utf-8") as file:
            file.write(",".join(["confidence"] + [key for key, _, _ in CURVES]) + "\n")
            for threshold, row in rows:
                cells = [f"{row[key]:.4f}" if key in row else "" for key, _, _ in CURVES]
                file.write(",".join([f"{threshold:g}", *cells]) + "\n")


main()
