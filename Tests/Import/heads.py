"""Writes the boxes that heads give for numbers that both sides compute alike: left, top, width, height,
class and confidence of the surest ones.

    python3 Tests/Import/heads.py > Fixtures/golden/models/heads.json

The formulas are written here from the makers' own programs, with NumPy and whole arrays at once, and
share nothing with the Swift code.
"""

import json

import numpy as np


def numbers(count, seed, low, high):
    index = np.arange(count, dtype=np.int64)
    share = ((index * index * 31 + index * 7919 + seed * 104729) % 2003) / 2003.0
    return (low + share * (high - low)).astype(np.float32).astype(np.float64)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def grid(rows, columns):
    y, x = np.mgrid[0:rows, 0:columns]
    return x, y


found = {}


def report(name, cx, cy, w, h, classes, confidence):
    flat = [np.asarray(a).reshape(-1) for a in (cx - w / 2, cy - h / 2, w, h, classes, confidence)]
    order = np.argsort(-flat[5], kind="stable")[:6]
    found[name] = [[float(f"{float(a[i]):.9g}") for a in flat] for i in order]


def anchored(name, seed, rows, columns, anchors, classes, input_size, decode):
    a = np.array(anchors, dtype=np.float64).reshape(-1, 2)
    t = numbers(rows * columns * len(a) * (5 + classes), seed, -3, 3)
    t = t.reshape(rows, columns, len(a), 5 + classes)
    gx, gy = grid(rows, columns)
    sx, sy = input_size[0] / columns, input_size[1] / rows
    cx, cy, w, h, obj, cls = decode(t, gx[..., None], gy[..., None], sx, sy, a)
    confidence = obj * cls.max(-1)
    report(name, cx, cy, w, h, cls.argmax(-1), confidence)


def darknet_yolo(scale):
    def decode(t, gx, gy, sx, sy, a):
        xy = sigmoid(t[..., :2]) * scale - (scale - 1) / 2
        return ((gx + xy[..., 0]) * sx, (gy + xy[..., 1]) * sy, np.exp(t[..., 2]) * a[:, 0],
                np.exp(t[..., 3]) * a[:, 1], sigmoid(t[..., 4]), sigmoid(t[..., 5:]))
    return decode


def darknet_new(t, gx, gy, sx, sy, a):
    # new_coords: the convolution's activation is logistic already.
    xy = t[..., :2] * 2 - 0.5
    wh = (t[..., 2:4] * 2) ** 2 * a
    return ((gx + xy[..., 0]) * sx, (gy + xy[..., 1]) * sy, wh[..., 0], wh[..., 1], t[..., 4],
            t[..., 5:])


def region(t, gx, gy, sx, sy, a):
    xy = sigmoid(t[..., :2])
    return ((gx + xy[..., 0]) * sx, (gy + xy[..., 1]) * sy, np.exp(t[..., 2]) * a[:, 0] * sx,
            np.exp(t[..., 3]) * a[:, 1] * sy, sigmoid(t[..., 4]), softmax(t[..., 5:]))


def yolo_v5(t, gx, gy, sx, sy, a):
    y = sigmoid(t)
    xy = y[..., :2] * 2 - 0.5
    wh = (y[..., 2:4] * 2) ** 2 * a
    return ((gx + xy[..., 0]) * sx, (gy + xy[..., 1]) * sy, wh[..., 0], wh[..., 1], y[..., 4],
            y[..., 5:])


def own(t, gx, gy, sx, sy, a):
    xy = 2 * sigmoid(t[..., :2]) - 0.5
    wh = np.exp(np.clip(t[..., 2:4], -4, 4)) * a
    return ((gx + xy[..., 0]) * sx, (gy + xy[..., 1]) * sy, wh[..., 0], wh[..., 1],
            sigmoid(t[..., 4]), softmax(t[..., 5:]))


def levels(width, height, strides):
    points = []
    for s in strides:
        gx, gy = grid(-(-height // s), -(-width // s))
        points.append(np.stack([gx.ravel(), gy.ravel(), np.full(gx.size, s)], -1))
    return np.concatenate(points).astype(np.float64)


def main():
    anchored("darknet yolo", 1, 3, 4, [12, 16, 30, 22, 64, 80], 4, (128, 96), darknet_yolo(1.05))
    anchored("darknet region", 2, 4, 3, [1.5, 2, 0.8, 0.4], 5, (96, 128), region)
    anchored("anchor grid", 3, 3, 4, [10, 13, 16, 30], 3, (64, 48), yolo_v5)
    anchored("grid boxes", 4, 3, 4, [40, 40], 6, (128, 96), own)
    # Scores in 0...1 for the variant that the network has activated.
    a = np.array([[10.0, 14.0], [81, 82]])
    y = numbers(3 * 4 * 2 * 8, 5, 0, 1).reshape(3, 4, 2, 8)
    gx, gy = grid(3, 4)
    cx, cy, w, h, obj, cls = darknet_new(y, gx[..., None], gy[..., None], 32, 32, a)
    report("darknet yolo, activated", cx, cy, w, h, cls.argmax(-1), obj * cls.max(-1))
    # YOLOX: three scales in one list.
    p = levels(96, 64, [8, 16, 32])
    y = numbers(len(p) * 9, 6, 0, 1).reshape(-1, 9)
    report("free grid", (y[:, 0] + p[:, 0]) * p[:, 2], (y[:, 1] + p[:, 1]) * p[:, 2],
           np.exp(y[:, 2]) * p[:, 2], np.exp(y[:, 3]) * p[:, 2], y[:, 5:].argmax(-1),
           y[:, 4] * y[:, 5:].max(-1))
    # YOLOv8 before decoding: a map of distributions over 16 distances and 3 class logits.
    y = numbers(3 * 4 * 67, 7, -3, 3).reshape(3, 4, 67)
    d = (softmax(y[..., :64].reshape(3, 4, 4, 16)) * np.arange(16)).sum(-1)
    gx, gy = grid(3, 4)
    x1, y1 = (gx + 0.5 - d[..., 0]) * 16, (gy + 0.5 - d[..., 1]) * 16
    x2, y2 = (gx + 0.5 + d[..., 2]) * 16, (gy + 0.5 + d[..., 3]) * 16
    s = sigmoid(y[..., 64:])
    report("distance grid", (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1, s.argmax(-1), s.max(-1))
    # NanoDet-Plus: scores first, 8 distances, points at the corners of cells, strides 8 to 64.
    p = levels(100, 70, [8, 16, 32, 64])
    y = numbers(len(p) * (2 + 32), 8, 0, 1).reshape(-1, 34)
    d = (softmax(y[:, 2:].reshape(-1, 4, 8)) * np.arange(8)).sum(-1) * p[:, 2:3]
    px, py = p[:, 0] * p[:, 2], p[:, 1] * p[:, 2]
    x1, y1, x2, y2 = px - d[:, 0], py - d[:, 1], px + d[:, 2], py + d[:, 3]
    report("nanodet", (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1, y[:, :2].argmax(-1),
           y[:, :2].max(-1))
    # FastestDet's runtime.py.
    y = numbers(3 * 4 * 8, 9, 0, 1).reshape(3, 4, 8)
    gx, gy = grid(3, 4)
    report("center grid", (gx + np.tanh(y[..., 1])) / 4 * 128, (gy + np.tanh(y[..., 2])) / 3 * 96,
           sigmoid(y[..., 3]) * 128, sigmoid(y[..., 4]) * 96, y[..., 5:].argmax(-1),
           y[..., 0] ** 0.6 * y[..., 5:].max(-1) ** 0.4)
    # Decoded rows with and without an objectness.
    y = numbers(20 * 8, 10, 0, 1).reshape(20, 8)
    report("box rows, objectness", y[:, 0] * 90, y[:, 1] * 60, y[:, 2] * 90, y[:, 3] * 60,
           y[:, 5:].argmax(-1), y[:, 4] * y[:, 5:].max(-1))
    report("box rows", y[:, 0], y[:, 1], y[:, 2], y[:, 3], y[:, 4:].argmax(-1), y[:, 4:].max(-1))
    # SSD: offsets from default boxes, a softmax with a background.
    y = numbers(15 * 4, 11, -2, 2).reshape(15, 4)
    z = numbers(15 * 5, 12, -4, 4).reshape(15, 5)
    q = numbers(15 * 4, 13, 0.1, 0.9).reshape(15, 4)
    s = softmax(z)[:, 1:]
    cy, cx = y[:, 0] / 10 * q[:, 2] + q[:, 0], y[:, 1] / 10 * q[:, 3] + q[:, 1]
    h, w = np.exp(y[:, 2] / 5) * q[:, 2], np.exp(y[:, 3] / 5) * q[:, 3]
    report("offsets", cx * 300, cy * 200, w * 300, h * 200, s.argmax(-1), s.max(-1))
    print("{\n" + ",\n".join(f"{json.dumps(name)}: {rows}" for name, rows in found.items()) + "\n}")


main()
