"""Measures what each stage of the pipeline pays.

    python3 ablate.py TOOL [--stages STAGES]... [--samples N] [--seed N] [--each] [--keep FOLDER]
      [--format text|json] ANNOTATIONS... [-- OPTIONS]

Calls `dicevision evaluate dice` on the annotation files with all stages, and once without each of them
(`--without STAGE`). Every report holds all detections of every photo, each with its confidence and
whether it is right; what is compared follows from these alone.

A stage changes confidences, so the same threshold means something else without it. Both pipelines are
therefore compared at as many wrong detections, which are false positives and wrong values: as many as
the whole pipeline has at the threshold of its weights. Each gets the lowest threshold at which it has
no more of them.

Intervals are those of a paired bootstrap: photos are drawn anew, with replacement and within their
sets, both pipelines are matched again on what was drawn, and the difference is taken. The middle 95 %
of the differences are the interval. The same seed draws the same photos.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

STAGES = [
    "tiled-inference", "blind-tiling", "crop-classification", "second-crop", "second-crop-fusion",
    "score-fusion", "contextual-rescoring",
    "tiled-inference,crop-classification",
]


class Pipeline:
    """The detections of one pipeline over a list of photos, the same ones for all pipelines."""

    def __init__(self, report):
        self.threshold = report["confidenceThreshold"]
        self.names = []
        self.sets = []  # for each photo the number of its set
        self.dice = []
        self.bounds = []  # for each photo the thresholds between which it is exactly right
        readings = []
        for number, group in enumerate(report["sets"]):
            for photo in group["photos"]:
                index = len(self.dice)
                right = [r["confidence"] for r in photo["detections"] if r["isRight"]]
                wrong = [r["confidence"] for r in photo["detections"] if not r["isRight"]]
                self.names.append((group["name"], photo["name"]))
                self.sets.append(number)
                self.dice.append(photo["dieCount"])
                is_complete = len(right) == photo["dieCount"]
                self.bounds.append(
                    (max(wrong, default=0.0), min(right, default=2.0)) if is_complete else (2.0, 0.0))
                readings += [(confidence, 1, index) for confidence in right]
                readings += [(confidence, 0, index) for confidence in wrong]
        readings.sort(key=lambda reading: (-reading[0], reading[1]))
        self.readings = readings

    def wrong_count(self, weights):
        """Wrong detections at the threshold of the weights."""
        return sum(weights[index] for confidence, is_right, index in self.readings
                   if not is_right and confidence >= self.threshold)

    def matched(self, wrong_count, weights):
        """What the lowest threshold gives at which there are at most so many wrong detections."""
        right = wrong = 0
        threshold = 0.0
        for confidence, is_right, index in self.readings:
            weight = weights[index]
            if not weight:
                continue
            if is_right:
                right += weight
            elif wrong + weight > wrong_count:
                # A reading as sure as the threshold would be shown, so the threshold lies above.
                threshold = confidence
                break
            else:
                wrong += weight
        exact = sum(weight for weight, (low, high) in zip(weights, self.bounds)
                    if weight and low <= threshold < high)
        return {"threshold": threshold, "right": right, "wrong": wrong, "exact": exact}


def drawn(sets, generator):
    """How often each photo is drawn: as many as there are from each set."""
    weights = [0] * len(sets)
    members = {}
    for index, number in enumerate(sets):
        members.setdefault(number, []).append(index)
    for indices in members.values():
        for index in generator.choices(indices, k=len(indices)):
            weights[index] += 1
    return weights


def share(part, whole):
    return part / whole if whole else 0.0


def compare(whole, part, chosen, samples, seed):
    """Both pipelines on some of the photos; differences are the whole one's less the other's."""
    once = [1 if is_chosen else 0 for is_chosen in chosen]
    sets = [number if is_chosen else None for number, is_chosen in zip(whole.sets, chosen)]
    indices = [index for index, is_chosen in enumerate(chosen) if is_chosen]

    def both(weights):
        wrong_count = whole.wrong_count(weights)
        dice = sum(weight * count for weight, count in zip(weights, whole.dice))
        photos = sum(weights)
        results = []
        for pipeline in (whole, part):
            result = pipeline.matched(wrong_count, weights)
            result["diceReadRight"] = share(result["right"], dice)
            result["photosExactlyRight"] = share(result["exact"], photos)
            results.append(result)
        return results

    results = both(once)
    generator = random.Random(seed)
    differences = {"diceReadRight": [], "photosExactlyRight": []}
    for _ in range(samples):
        weights = [0] * len(sets)
        for place, weight in enumerate(drawn([sets[index] for index in indices], generator)):
            weights[indices[place]] = weight
        one, other = both(weights)
        for key, values in differences.items():
            values.append(one[key] - other[key])
    row = {"photoCount": len(indices), "dieCount": sum(whole.dice[index] for index in indices),
           "with": results[0], "without": results[1]}
    for name, pipeline in (("with", whole), ("without", part)):
        row[name]["wrongAtDefault"] = pipeline.wrong_count(once)
    for key, values in differences.items():
        values.sort()
        row[key] = {"difference": results[0][key] - results[1][key]}
        if values:
            last = len(values) - 1
            row[key]["interval95"] = [values[round(0.025 * last)], values[round(0.975 * last)]]
    return row


def evaluate(tool, annotations, options, without, keep):
    name = without.replace(",", "+") or "all"
    path = keep / f"{name}.json" if keep else None
    if path and path.exists():
        return json.loads(path.read_text())
    print(f"Evaluating {'without ' + without if without else 'all stages'} ...", file=sys.stderr)
    arguments = [tool, "evaluate", "dice", "--format", "json", *options]
    if without:
        arguments += ["--without", without]
    result = subprocess.run(arguments + annotations, stdout=subprocess.PIPE, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(arguments)} failed with status {result.returncode}")
    report = json.loads(result.stdout)
    if path:
        keep.mkdir(parents=True, exist_ok=True)
        path.write_bytes(result.stdout)
    return report


def percent(value):
    return f"{100 * value:.1f}"


def change(entry):
    text = f"{100 * entry['difference']:+.1f}"
    if "interval95" in entry:
        low, high = entry["interval95"]
        text += f" ({100 * low:+.1f} to {100 * high:+.1f})"
    return text


def table(rows, title):
    head = ["stage", "dice right, %: with", "without", "gain, points", "photos exact, %: with",
            "without", "gain, points", "wrong detections: with", "without, same threshold", "matched"]
    lines = [head, ["---", *["--:"] * (len(head) - 1)]]
    for stage, row in rows:
        one, other = row["with"], row["without"]
        lines.append([
            stage.replace(",", " and "), percent(one["diceReadRight"]),
            percent(other["diceReadRight"]), change(row["diceReadRight"]),
            percent(one["photosExactlyRight"]), percent(other["photosExactlyRight"]),
            change(row["photosExactlyRight"]), str(one["wrongAtDefault"]),
            str(other["wrongAtDefault"]), str(other["wrong"]),
        ])
    count = rows[0][1]
    text = f"{title}: {count['photoCount']} photos, {count['dieCount']} dice\n\n"
    return text + "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        place = arguments.index("--")
        arguments, options = arguments[:place], arguments[place + 1:]
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("annotations", nargs="+")
    parser.add_argument("--stages", action="append", help="stages to leave out together")
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", action="store_true", help="a table for each set, too")
    parser.add_argument("--keep", type=pathlib.Path, help="keeps reports, and takes them from there")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    choice = parser.parse_args(arguments)

    def pipeline(without):
        return Pipeline(
            evaluate(choice.tool, choice.annotations, options, without, choice.keep))

    whole = pipeline("")
    groups = {"all": [True] * len(whole.sets)}
    if choice.each:
        for name in dict.fromkeys(name for name, _ in whole.names):
            groups[name] = [group == name for group, _ in whole.names]
    rows = {name: [] for name in groups}
    for stage in choice.stages or STAGES:
        part = pipeline(stage)
        if part.names != whole.names:
            sys.exit("The reports are of different photos.")
        for name, chosen in groups.items():
            rows[name].append((stage, compare(whole, part, chosen, choice.samples, choice.seed)))
    if choice.format == "json":
        result = {name: dict(entries) for name, entries in rows.items()}
        print(json.dumps({"samples": choice.samples, "seed": choice.seed, "groups": result}, indent=2))
    else:
        print("\n".join(table(entries, name) for name, entries in rows.items()), end="")


main()
