"""Golden values for DiceGeometry from independent tools.

    python3 -m pip install numpy pillow torchvision pycocotools opencv-python-headless
    python3 Fixtures/golden/geometry/generate.py

Writes, beside this file:

- overlap.json: intersection over union and its generalized form of every pair of some boxes, by
  torchvision in double precision; null where torchvision divides zero by zero. Intersection over
  union is checked against pycocotools here.
- suppression.json: the indices that torchvision's nms and batched_nms keep, in double precision.
- soft.json: Gaussian soft suppression by OpenCV (single precision, boxes of whole numbers, scores to
  1e-5) and by the few lines of NumPy below (double precision).
- orientation.json: the pixels of a 3 by 2 picture, brought upright by Pillow from each EXIF orientation.

Boxes are [x, y, width, height] in sixteenths of a pixel, so that every edge and area is exact in double
precision and a tool's ratio is the correctly rounded one. Confidences are 1024ths, with many ties.
"""

import json
import math
import pathlib

import cv2
import numpy
import PIL
import pycocotools.mask
import torch
import torchvision
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
UNIT = 16
CONFIDENCE_UNIT = 1024


def write(name, value):
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    (HERE / name).write_text(text.replace('],"', '],\n"').replace("},{", "},\n{") + "\n")


def corners(boxes):
    boxes = torch.tensor(boxes, dtype=torch.float64).reshape(-1, 4) / UNIT
    return torch.cat([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], dim=1)


def overlap():
    rng = numpy.random.default_rng(20240229)
    boxes = [
        [0, 0, 160, 160], [0, 0, 160, 160],  # the same
        [80, 0, 160, 160], [160, 0, 160, 160],  # half over, and touching
        [40, 40, 80, 80], [0, 0, 80, 160],  # inside, half
        [160, 160, 16, 16], [1600, 0, 16, 16],  # at a corner, far away
        [-320, -320, 4000, 4000], [-7, -9, 33, 5],  # around all, negative coordinates
        [80, 80, 0, 0], [80, 0, 0, 160], [0, 80, 160, 0], [5000, 5000, 0, 0],  # no area
    ]  # fmt: skip
    for _ in range(18):
        boxes.append(
            [int(v) for v in rng.integers(0, 400, 2)] + [int(v) for v in rng.integers(1, 400, 2)]
        )
    xyxy = corners(boxes)
    iou = torchvision.ops.box_iou(xyxy, xyxy).numpy()
    giou = torchvision.ops.generalized_box_iou(xyxy, xyxy).numpy()
    exact = numpy.array(boxes, dtype=numpy.float64) / UNIT
    coco = pycocotools.mask.iou(exact, exact, [0] * len(boxes))
    areas = exact[:, 2] * exact[:, 3]
    defined = (areas[:, None] > 0) & (areas[None, :] > 0)
    assert numpy.abs(iou - coco)[defined].max() < 1e-15

    def rows(matrix):
        return [[None if math.isnan(v) else float(v) for v in row] for row in matrix]

    write("overlap.json", {"boxes": boxes, "intersectionOverUnion": rows(iou),
                           "generalizedIntersectionOverUnion": rows(giou)})  # fmt: skip


def scene(rng, count, kind):
    """Boxes as a detector gives them (clusters around objects), or scattered, or of one size."""
    if kind == "clusters":
        objects = rng.integers(0, 8000, (max(1, count // 12), 2))
        sizes = rng.integers(200, 1500, (len(objects), 2))
        pick = rng.integers(0, len(objects), count)
        centers = objects[pick] + rng.integers(-60, 60, (count, 2))
        extents = sizes[pick] + rng.integers(-40, 40, (count, 2))
    elif kind == "scattered":
        centers = rng.integers(0, 6000, (count, 2))
        extents = numpy.exp(rng.random((count, 2)) * 5 + 2).astype(int)
    elif kind == "equal":  # a lattice, so that many overlaps are equal and at a threshold
        centers = rng.integers(0, 20, (count, 2)) * 32
        extents = numpy.full((count, 2), 128)
    corners = centers - extents // 2
    # torchvision's batched_nms keeps classes apart by shifts that count on coordinates from 0 up.
    boxes = numpy.concatenate([corners - corners.min(axis=0, initial=0), extents], axis=1)
    if count > 20:  # some without area
        boxes[5, 2] = 0
        boxes[9, 2:] = 0
    return boxes.astype(int).tolist()


def suppression():
    rng = numpy.random.default_rng(7)
    scenes = []
    for count, kind in [(0, "equal"), (1, "equal"), (2, "clusters"), (40, "clusters"), (70, "equal"),
                        (100, "scattered"), (300, "clusters"), (400, "equal"), (900, "scattered")]:  # fmt: skip
        boxes = scene(rng, count, kind)
        steps = 12 if count == 70 else CONFIDENCE_UNIT
        confidences = (rng.integers(0, steps, count) * (CONFIDENCE_UNIT // steps)).tolist()
        classes = rng.integers(0, 6, count).tolist()
        xyxy = corners(boxes)
        scores = torch.tensor(confidences, dtype=torch.float64) / CONFIDENCE_UNIT
        labels = torch.tensor(classes, dtype=torch.int64)
        runs = []
        for threshold in [0.0, 1 / 3, 0.45, 0.5, 0.6, 0.75, 0.95]:
            runs.append({
                "threshold": threshold,
                "classAgnostic": torchvision.ops.nms(xyxy, scores, threshold).tolist(),
                "perClass": torchvision.ops.batched_nms(xyxy, scores, labels, threshold).tolist(),
            })  # fmt: skip
        scenes.append({"kind": kind, "boxes": boxes, "confidences": confidences, "classIndices": classes,
                       "runs": runs})  # fmt: skip
    write("suppression.json", {"scenes": scenes})


def soft_reference(boxes, confidences, sigma, minimum):
    """Bodla et al. 2017, algorithm 1 with equation 3, the lower index first among equals."""
    boxes = numpy.array(boxes, dtype=numpy.float64)
    low, high = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    area = boxes[:, 2] * boxes[:, 3]
    scores = numpy.array(confidences, dtype=numpy.float64)
    left = [i for i in range(len(boxes)) if scores[i] >= minimum]
    kept, lowered = [], []
    while left:
        best = max(left, key=lambda i: (scores[i], -i))
        kept.append(best)
        lowered.append(float(scores[best]))
        left.remove(best)
        for i in left:
            extent = numpy.maximum(
                numpy.minimum(high[i], high[best]) - numpy.maximum(low[i], low[best]), 0
            )
            shared = extent[0] * extent[1]
            if shared > 0:
                scores[i] *= math.exp(-((shared / (area[i] + area[best] - shared)) ** 2) / sigma)
        left = [i for i in left if scores[i] >= minimum]
    return kept, lowered


def soft():
    rng = numpy.random.default_rng(11)
    scenes = []
    for count, kind in [(1, "clusters"), (30, "clusters"), (120, "clusters"), (150, "equal")]:
        # Whole pixels, for OpenCV; distinct confidences, since it does not state an order for ties.
        boxes = [[v * UNIT for v in box] for box in scene(rng, count, kind)]
        boxes = [box if box[2] > 0 and box[3] > 0 else box[:2] + [UNIT, UNIT] for box in boxes]
        confidences = (rng.permutation(CONFIDENCE_UNIT - 1)[:count] + 1).tolist()
        pixels = (numpy.array(boxes) // UNIT).tolist()
        exact = [c / CONFIDENCE_UNIT for c in confidences]
        runs = []
        for sigma, minimum in [(0.5, 0.001), (0.5, 0.2), (0.1, 0.05), (2.0, 0.0)]:
            kept, lowered = soft_reference(pixels, exact, sigma, minimum)
            run = {
                "sigma": sigma,
                "minimumConfidence": minimum,
                "kept": kept,
                "confidences": lowered,
            }
            if minimum > 0:  # OpenCV's own threshold must be positive
                scores, indices = cv2.dnn.softNMSBoxes(
                    pixels, exact, minimum, 0.3, 0, sigma, cv2.dnn.SOFT_NMSMETHOD_SOFTNMS_GAUSSIAN
                )
                run["keptByOpenCV"] = numpy.array(indices).ravel().tolist()
                run["confidencesByOpenCV"] = [
                    round(float(v), 7) for v in numpy.array(scores).ravel()
                ]
            runs.append(run)
        scenes.append({"kind": kind, "boxes": boxes, "confidences": confidences, "runs": runs})
    write("soft.json", {"scenes": scenes})


def orientation():
    stored = numpy.arange(6, dtype=numpy.uint8).reshape(2, 3)
    upright = []
    for value in range(1, 9):
        image = Image.fromarray(stored)
        image.getexif()[0x0112] = value
        upright.append(numpy.array(ImageOps.exif_transpose(image)).tolist())
    write("orientation.json", {"stored": stored.tolist(), "upright": upright})


if __name__ == "__main__":
    overlap()
    suppression()
    soft()
    orientation()
    for tool in (numpy, PIL, torch, torchvision, cv2):
        print(tool.__name__, tool.__version__)
