#!/usr/bin/env python3
"""Makes the golden files of this folder with Pillow, NumPy and ONNX Runtime.

    python3 Fixtures/golden/detector/generate.py

A whole detection, computed without this project's code: Pillow turns the stored picture upright, NumPy
resizes a region of it by the formula of Pillow's bilinear filter (compared with Pillow's own result
where it takes the region), ONNX Runtime computes the network `small` of ../network/generate.py, and
NumPy decodes its heads, carries the boxes back and suppresses.

    picture.png     a stored picture of 150 x 110 with smooth colours and noise
    expected.json   for each case what was asked and the dice from left to right, with boxes in pixels
                    of the upright picture, confidence, objectness and class probabilities

A case whose boxes come closer to a threshold than 1e-3 is left out, so rounding cannot decide it.
"""

import importlib.util
import json
import pathlib

import numpy as np
import onnxruntime
from PIL import Image

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 96, 64
METHODS = {
    1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270, 7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_90,
}


def networks():
    """The generator of the networks, without running its main function."""
    path = HERE.parent / "network" / "generate.py"
    source = path.read_text().replace("\nmain()\n", "\n")
    spec = importlib.util.spec_from_loader("networks", loader=None)
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    exec(compile(source, str(path), "exec"), module.__dict__)
    return module


def picture():
    random = np.random.default_rng(20)
    coarse = Image.fromarray(random.integers(0, 256, (9, 12, 3), dtype=np.uint8))
    smooth = np.asarray(coarse.resize((150, 110), Image.Resampling.BICUBIC)).astype(int)
    noise = random.integers(-25, 26, smooth.shape)
    return Image.fromarray(np.clip(smooth + noise, 0, 255).astype(np.uint8))


def mapping(upright, region, rule):
    """Scale and offset with input = scale * upright + offset, and the box that shows the picture."""
    x, y, width, height = region
    left, top = x * upright[0], (1 - y - height) * upright[1]
    width, height = width * upright[0], height * upright[1]
    sx, sy = WIDTH / width, HEIGHT / height
    if rule == "centerCrop":
        sx = sy = max(sx, sy)
    elif rule == "scaleFit":
        sx = sy = min(sx, sy)
    return (sx, sy), (WIDTH / 2 - sx * (left + width / 2), HEIGHT / 2 - sy * (top + height / 2)), (
        max(0, WIDTH / 2 - sx * width / 2), max(0, HEIGHT / 2 - sy * height / 2),
        min(WIDTH, WIDTH / 2 + sx * width / 2), min(HEIGHT, HEIGHT / 2 + sy * height / 2))


def weights(count, scale, offset, first, last):
    """[last - first, count]: Pillow's bilinear weights, for any places of the output's pixels."""
    support = max(1 / scale, 1)
    result = np.zeros((last - first, count))
    for row in range(first, last):
        center = (row + 0.5 - offset) / scale
        samples = np.arange(max(int(center - support + 0.5), 0),
                            min(int(center + support + 0.5), count))
        values = np.maximum(0, 1 - np.abs(samples + 0.5 - center) / support)
        result[row - first, samples] = values / values.sum()
    return result


def network_input(image, scale, offset, content):
    """float32 [H, W, 3] in 0...255. Input pixels whose centres the picture reaches are resampled, all
    others are 114."""
    first = [int(np.ceil(content[axis] - 0.5)) for axis in (0, 1)]
    last = [int(np.floor(content[axis + 2] + 0.5)) for axis in (0, 1)]
    across, down = (weights(image.size[axis], scale[axis], offset[axis], first[axis], last[axis])
                    for axis in (0, 1))
    result = np.full((HEIGHT, WIDTH, 3), 114, np.float32)
    box = [(value - offset[axis]) / scale[axis]
           for value, axis in ((first[0], 0), (first[1], 1), (last[0], 0), (last[1], 1))]
    for channel, plane in enumerate(image.split()):
        resized = down @ np.asarray(plane, np.float64) @ across.T
        if min(box[:2]) >= 0 and box[2] <= image.size[0] and box[3] <= image.size[1]:
            pillow = plane.convert("F").resize(
                resized.shape[::-1], Image.Resampling.BILINEAR, box=box)
            assert np.abs(np.asarray(pillow) - resized).max() < 1e-3
        result[first[1]:last[1], first[0]:last[0], channel] = resized
    return result


def overlap(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def detect(session, heads, module, image, case):
    scale, offset, content = mapping(image.size, case["region"], case["rule"])
    data = network_input(image, scale, offset, content) / np.float32(255)
    outputs = session.run(None, {"input": data.transpose(2, 0, 1)[None].copy()})
    found, doubtful = [], False
    for index, layer in heads:
        for cell in module.cells(outputs[index][0].transpose(1, 2, 0), layer):
            confidence = cell[4] * cell[5:].max()
            doubtful |= abs(confidence - case["confidenceThreshold"]) < 1e-3
            if confidence < case["confidenceThreshold"]:
                continue
            corners = [(cell[0] - cell[2] / 2 - offset[0]) / scale[0],
                       (cell[1] - cell[3] / 2 - offset[1]) / scale[1],
                       (cell[0] + cell[2] / 2 - offset[0]) / scale[0],
                       (cell[1] + cell[3] / 2 - offset[1]) / scale[1]]
            clipped = [min(max(value, 0), image.size[axis % 2])
                       for axis, value in enumerate(corners)]
            if clipped[0] < clipped[2] and clipped[1] < clipped[3]:
                found.append((confidence, clipped, cell))
    found.sort(key=lambda item: -item[0])
    doubtful |= any(a[0] - b[0] < 1e-4 for a, b in zip(found, found[1:]))
    kept = []
    for item in found:
        values = [overlap(item[1], other[1]) for other in kept
                  if case["suppression"] == "acrossClasses"
                  or item[2][5:].argmax() == other[2][5:].argmax()]
        doubtful |= any(abs(value - case["iouThreshold"]) < 1e-3 for value in values)
        if not any(value > case["iouThreshold"] for value in values):
            kept.append(item)
    kept.sort(key=lambda item: item[1][0] + item[1][2])
    doubtful |= any(abs(a[1][0] + a[1][2] - b[1][0] - b[1][2]) < 1e-2
                    for a, b in zip(kept, kept[1:]))
    case["observations"] = [
        dict(box=[corners[0], corners[1], corners[2] - corners[0], corners[3] - corners[1]],
             confidence=confidence, objectness=cell[4], probabilities=cell[5:].tolist())
        for confidence, corners, cell in kept]
    return not doubtful


def main():
    module = networks()
    network = module.NETWORKS["small"]
    counts = module.channels(network["layers"])
    tensors = module.draw_weights(network)
    session = onnxruntime.InferenceSession(
        module.onnx_model(network, tensors, counts).SerializeToString(),
        providers=["CPUExecutionProvider"])
    heads = [(index, layer) for index, layer in enumerate(network["layers"])
             if layer["kind"] == "head"]
    picture().save(HERE / "picture.png", optimize=True)
    stored = Image.open(HERE / "picture.png")

    cases, left_out = [], 0
    for rule in ("centerCrop", "scaleFit", "scaleFill"):
        for orientation, method in METHODS.items():
            image = stored if method is None else stored.transpose(method)
            for region in ([0, 0, 1, 1], [0.125, 0.25, 0.625, 0.5]):
                number = len(cases) + left_out
                case = dict(
                    rule=rule, orientation=orientation, region=region,
                    iouThreshold=[0.45, 0.3][number % 2],
                    confidenceThreshold=[0.2, 0.27, 0.33][number % 3],
                    suppression=["acrossClasses", "perClass"][number // 2 % 2])
                if detect(session, heads, module, image, case):
                    cases.append(case)
                else:
                    left_out += 1
    text = json.dumps(cases, separators=(",", ":"), default=float)
    text = json.dumps(json.loads(text, parse_float=lambda v: float(f"{float(v):.7g}")),
                      separators=(",", ":")).replace('{"rule"', '\n{"rule"')
    (HERE / "expected.json").write_text(text + "\n")
    print(len(cases), "cases,", left_out, "left out,",
          [len(case["observations"]) for case in cases], "dice")


main()
