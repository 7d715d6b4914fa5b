"""Writes average-precision.json and readings.json beside this file.

    python3 Fixtures/golden/metrics/generate.py

needs numpy and pycocotools (written with 2.4.6 and 2.0.11). The detections are drawn with fixed
seeds. Expected average precision comes from pycocotools' COCOeval; expected counts of right
readings from a search over all assignments, photo by photo.
"""

import contextlib
import io
import json
import pathlib

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

FOLDER = pathlib.Path(__file__).parent
DECIMALS = 3


def evaluate(images, class_count, limit):
    """Precision [T, R, K] and recall [T, K] of COCOeval."""
    truth, detections = [], []
    for index, image in enumerate(images):
        for c, x, y, w, h in image["truth"]:
            truth.append(dict(id=len(truth) + 1, image_id=index + 1, category_id=c + 1,
                              bbox=[x, y, w, h], area=w * h, iscrowd=0))
        for c, x, y, w, h, s in image["detections"]:
            detections.append(dict(id=len(detections) + 1, image_id=index + 1, category_id=c + 1,
                                   bbox=[x, y, w, h], area=w * h, iscrowd=0, score=s))
    frames = [dict(id=i + 1) for i in range(len(images))]
    classes = [dict(id=c + 1, name=str(c + 1)) for c in range(class_count)]
    with contextlib.redirect_stdout(io.StringIO()):
        sides = []
        for annotations in (truth, detections):
            side = COCO()
            side.dataset = dict(images=frames, categories=classes, annotations=annotations)
            side.createIndex()
            sides.append(side)
        evaluation = COCOeval(*sides, iouType="bbox")
        evaluation.params.maxDets = [limit]
        evaluation.params.areaRng = [[0, 1e10]]
        evaluation.params.areaRngLbl = ["all"]
        evaluation.evaluate()
        evaluation.accumulate()
    return evaluation.eval["precision"][:, :, :, 0, 0], evaluation.eval["recall"][:, :, 0, 0]


def expected(images, class_count, limit):
    precision, recall = evaluate(images, class_count, limit)

    def mean(values):
        values = values[values > -1]
        return float(values.mean()) if values.size else None

    return dict(
        detectionLimit=limit,
        at50=mean(precision[0]), at75=mean(precision[5]), at50To95=mean(precision),
        averageRecall=mean(recall),
        classes=[
            None if precision[0, 0, c] < 0 else dict(
                averagePrecision=[float(v) for v in precision[:, :, c].mean(axis=1)],
                recall=[float(v) for v in recall[:, c]])
            for c in range(class_count)
        ],
    )


def rounded(values, decimals):
    return [int(values[0])] + [round(float(v), decimals) for v in values[1:]]


def random_images(seed, *, count, classes, dice, found=0.9, jitter=0.1, wrong=0.1, spurious=1.0,
                  duplicates=0.2, score_decimals=3, decimals=DECIMALS, empty=0.1, size=(20, 80)):
    """Photos with dice, some found, some twice, some misread, and a few readings of nothing."""
    random = np.random.default_rng(seed)
    images = []
    for _ in range(count):
        truth, detections = [], []
        if random.random() >= empty:
            for _ in range(random.integers(1, dice + 1)):
                w, h = random.uniform(*size, 2)
                truth.append([random.choice(classes), *random.uniform(0, 400, 2), w, h])

        def detect(c, x, y, w, h, score):
            shift = random.normal(0, jitter, 4)
            detections.append([c, x + shift[0] * w, y + shift[1] * h, w * np.exp(shift[2]),
                               h * np.exp(shift[3]), round(score, score_decimals)])

        for c, x, y, w, h in truth:
            if random.random() >= found:
                continue
            while True:
                seen = random.choice(classes) if random.random() < wrong else c
                detect(seen, x, y, w, h, random.beta(5, 2))
                if random.random() >= duplicates:
                    break
        for _ in range(random.poisson(spurious)):
            detect(random.choice(classes), *random.uniform(0, 400, 2), *random.uniform(*size, 2),
                   random.beta(2, 5))
        random.shuffle(detections)
        images.append(dict(truth=[rounded(t, decimals) for t in truth],
                           detections=[rounded(d[:5], decimals) + [round(d[5], score_decimals)]
                                       for d in detections]))
    return images


def grid_images(seed, count):
    """Boxes on a coarse grid with few scores: equal overlaps, overlaps of exactly 1/2, 3/4 and 1."""
    random = np.random.default_rng(seed)
    images = []
    for _ in range(count):
        def box():
            return [int(random.integers(0, 2)), *(4 * random.integers(0, 2, 2)).tolist(),
                    *(4 * random.integers(1, 4, 2)).tolist()]
        images.append(dict(truth=[box() for _ in range(random.integers(0, 6))],
                           detections=[box() + [float(random.choice([0.25, 0.5, 0.75]))]
                                       for _ in range(random.integers(0, 12))]))
    return images


def average_precision_cases():
    six = list(range(6))
    crowded = random_images(11, count=2, classes=[0], dice=6, duplicates=0.93, spurious=70,
                            empty=0, score_decimals=2)
    # The dice themselves come last of 130, so that a limit of 100 cuts some of them off.
    for image in crowded:
        image["detections"] += [t + [round(0.05 + 0.01 * i, 2)]
                                for i, t in enumerate(image["truth"])]
    plain = random_images(1, count=16, classes=six, dice=8)
    yield "dice", plain, 6, [100, 3, 1]
    yield "loose boxes", random_images(2, count=8, classes=six, dice=8, jitter=0.25), 6, [100]
    yield "one decimal of confidence", random_images(
        3, count=12, classes=[0, 1, 2], dice=8, score_decimals=1), 3, [100, 2]
    yield "grid", grid_images(4, 40), 2, [100, 4]
    yield "crowded", crowded, 1, [100, 10, 500]
    yield "class without truth", [
        dict(truth=[t for t in image["truth"] if t[0] != 2], detections=image["detections"])
        for image in plain[:6]], 6, [100]
    yield "class without detections", [
        dict(truth=image["truth"], detections=[d for d in image["detections"] if d[0] != 3])
        for image in plain[:6]], 6, [100]
    yield "more classes than seen", plain[:4], 9, [100]
    yield "perfect", [
        dict(truth=image["truth"], detections=[t + [0.5] for t in image["truth"]])
        for image in plain[:6]], 6, [100]
    yield "no detections", [dict(truth=i["truth"], detections=[]) for i in plain[:4]], 6, [100]
    yield "no truth", [dict(truth=[], detections=i["detections"]) for i in plain[:4]], 6, [100]
    yield "boxes without area", [
        dict(truth=[[0, 1, 1, 0, 5], [0, 9, 9, 4, 4]],
             detections=[[0, 1, 1, 0, 5, 0.9], [0, 9, 9, 4, 4, 0.8], [0, 11, 9, 4, 0, 0.7]])
    ], 1, [100]
    yield "negative and great confidences", [
        dict(truth=i["truth"],
             detections=[d[:5] + [round(40 * (d[5] - 0.5), 2)] for d in i["detections"]])
        for i in plain[:6]], 6, [100]


def most_pairs(edges):
    """The size of the greatest matching: a search over all assignments, reading by reading."""
    memory = {}

    def search(reading, taken):
        if reading == len(edges):
            return 0
        key = (reading, taken)
        if key not in memory:
            memory[key] = max([search(reading + 1, taken)] + [
                1 + search(reading + 1, taken | 1 << die)
                for die in edges[reading] if not taken >> die & 1])
        return memory[key]

    return search(0, 0)


def reading_case(name, images, class_count, threshold):
    right = dice = readings = exact = 0
    by_class = [[0, 0, 0] for _ in range(class_count)]
    for image in images:
        shown = [d for d in image["detections"] if d[5] >= threshold]
        edges = [[i for i, t in enumerate(image["truth"])
                  if t[0] == d[0] and t[1] <= d[1] + d[3] / 2 <= t[1] + t[3]
                  and t[2] <= d[2] + d[4] / 2 <= t[2] + t[4]] for d in shown]
        pairs = most_pairs(edges)
        for c in range(class_count):
            by_class[c][0] += most_pairs([e for e, d in zip(edges, shown) if d[0] == c])
            by_class[c][1] += sum(t[0] == c for t in image["truth"])
            by_class[c][2] += sum(d[0] == c for d in shown)
        right += pairs
        dice += len(image["truth"])
        readings += len(shown)
        exact += pairs == len(image["truth"]) == len(shown)
    return dict(name=name, classCount=class_count, threshold=threshold, images=images,
                right=right, dice=dice, readings=readings, photos=len(images), exact=exact,
                byClass=by_class)


def write(name, cases):
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    (FOLDER / name).write_text("[\n" + lines + "\n]\n")


write("average-precision.json", [
    dict(name=name, classCount=count, images=images,
         expected=[expected(images, count, limit) for limit in limits])
    for name, images, count, limits in average_precision_cases()])

six = list(range(6))
plain = random_images(21, count=40, classes=six, dice=3, wrong=0.05, spurious=0.2, duplicates=0.05)
heap = random_images(22, count=10, classes=[0, 1], dice=12, size=(60, 200), wrong=0.3)
write("readings.json", [
    reading_case("dice", plain, 6, 0.0),
    reading_case("dice above 0.5", plain, 6, 0.5),
    reading_case("dice above 0.8", plain, 6, 0.8),
    reading_case("overlapping dice of two values", heap, 2, 0.3),
])
