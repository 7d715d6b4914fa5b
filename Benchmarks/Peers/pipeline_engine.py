"""A picture file to values with Pillow, ONNX Runtime and NumPy: called by pipeline.py.

    python3 pipeline_engine.py pillow|pillow-draft THREADS FOLDER

`pillow-draft` lets Pillow leave out detail while it decodes, down to a size that still has two
pixels for each of the network's; `pillow` decodes all of the picture.
"""

import io
import json
import os
import sys

import numpy as np
import onnxruntime
from PIL import Image

from protocol import serve


def sigmoid(values):
    return 1 / (1 + np.exp(-values))


def suppressed(boxes, confidences, limit):
    """The indices of the boxes to keep, most confident first; boxes are x, y, width, height."""
    order = np.argsort(-confidences, kind="stable")
    ends = boxes[:, :2] + boxes[:, 2:]
    areas = boxes[:, 2] * boxes[:, 3]
    kept = []
    while order.size:
        first, rest = order[0], order[1:]
        kept.append(first)
        low = np.maximum(boxes[first, :2], boxes[rest, :2])
        high = np.minimum(ends[first], ends[rest])
        shared = np.prod(np.maximum(high - low, 0), axis=1)
        order = rest[shared <= limit * (areas[first] + areas[rest] - shared)]
    return kept


def prepare():
    drafts, threads, folder = sys.argv[1] == "pillow-draft", int(sys.argv[2]), sys.argv[3]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        os.path.join(folder, "model.onnx"), options, providers=["CPUExecutionProvider"])
    rules = session.get_modelmeta().custom_metadata_map
    width, height = int(rules["inputWidth"]), int(rules["inputHeight"])
    scales = np.array(json.loads(rules["scales"]), np.float32).reshape(3, 1, 1)
    biases = np.array(json.loads(rules["biases"]), np.float32).reshape(3, 1, 1)
    heads = json.loads(rules["heads"])
    labels = [float(label) for label in json.loads(rules["labels"])]
    padding = int(rules["paddingValue"])
    confidence_limit = float(rules["confidenceThreshold"])
    overlap_limit = float(rules["intersectionOverUnionThreshold"])
    if rules["cropAndScale"] != "scaleFit":
        raise SystemExit("only networks that scale to fit are compared")
    with open(os.path.join(folder, "picture.jpg"), "rb") as file:
        data = file.read()
    dice = []

    def run():
        with Image.open(io.BytesIO(data)) as picture:
            columns, rows = picture.size
            scale = min(width / columns, height / rows)
            size = round(columns * scale), round(rows * scale)
            if drafts:
                picture.draft("RGB", (2 * size[0], 2 * size[1]))
            small = picture.convert("RGB").resize(size, Image.Resampling.BILINEAR)
        left, top = (width - size[0]) // 2, (height - size[1]) // 2
        canvas = np.full((height, width, 3), padding, np.uint8)
        canvas[top:top + size[1], left:left + size[0]] = np.asarray(small)
        channels = canvas.transpose(2, 0, 1)
        if rules["channelOrder"] == "bgr":
            channels = channels[::-1]
        image = channels.astype(np.float32) * scales + biases
        outputs = session.run([head["output"] for head in heads], {"image": image[None]})
        boxes, confidences, classes = [], [], []
        for head, output in zip(heads, outputs):
            logits = output[0, 5:]
            odds = np.exp(logits - logits.max(axis=0))
            odds /= odds.sum(axis=0)
            certainty = sigmoid(output[0, 4]) * odds.max(axis=0)
            row, column = np.nonzero(certainty >= confidence_limit)
            cells = output[0, :, row, column]
            stride, base = head["stride"], head["baseSize"]
            extent = base * np.exp(np.clip(cells[:, 2:4], -4, 4))
            centre = (np.stack([column, row], 1) + 2 * sigmoid(cells[:, :2]) - 0.5) * stride
            boxes.append(np.concatenate([centre - extent / 2, extent], 1))
            confidences.append(certainty[row, column])
            classes.append(odds.argmax(axis=0)[row, column])
        boxes, confidences, classes = map(np.concatenate, [boxes, confidences, classes])
        boxes[:, :2] -= [left, top]
        boxes /= scale
        kept = suppressed(boxes, confidences, overlap_limit)
        dice[:] = [[labels[classes[index]], confidences[index], *boxes[index]] for index in kept]

    def write(path):
        run()
        ordered = sorted(dice, key=lambda die: die[2] + die[4] / 2)
        np.array(ordered, np.float32).tofile(path)

    return run, write


serve(prepare)
