"""Compares exported models with the golden outputs; called by `run` beside this file."""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime

TOOL = sys.argv[1]
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Fixtures", "golden")
TOLERANCE = 1e-5


def export(weights, folder, *options):
    path = os.path.join(folder, "model.onnx")
    subprocess.run([TOOL, "export", weights, "--output", path, *options], check=True,
                   stderr=subprocess.DEVNULL)
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    return path, inferred


def outputs(path, image):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, {"image": image}), session.get_modelmeta().custom_metadata_map


def compare(name, width, height, folder, *options):
    path, _ = export(os.path.join(GOLDEN, "network", name + ".weights"), folder, *options)
    stem = os.path.join(GOLDEN, "network", f"{name}-{width}x{height}")
    pixels = np.fromfile(stem + ".input", np.uint8).reshape(1, height, width, 3)
    image = np.ascontiguousarray((pixels.astype(np.float32) / np.float32(255)).transpose(0, 3, 1, 2))
    found, metadata = outputs(path, image)
    heads = json.loads(metadata["heads"])
    assert len(found) == len(heads) >= 1
    wanted = np.fromfile(stem + ".outputs", np.float32)
    # For each head [H, W, C], one after the other.
    flat = np.concatenate([head.transpose(0, 2, 3, 1).ravel() for head in found])
    assert flat.shape == wanted.shape, (flat.shape, wanted.shape)
    difference = float(np.abs(flat - wanted).max() / (wanted.max() - wanted.min()))
    assert difference <= TOLERANCE, difference
    print(f"{name} {width}x{height} {' '.join(options)}: difference {difference:.1e} of the range")


with tempfile.TemporaryDirectory() as folder:
    cases = [("small", 96, 64), ("edges", 32, 64), ("edges", 64, 64)]
    for name, width, height in cases:
        compare(name, width, height, folder, "--flexible")
        if min(width, height) >= 64:
            compare(name, width, height, folder, "--input", f"{width}x{height}")
    path, model = export(os.path.join(GOLDEN, "weights", "everything.dvweights"), folder)
    image = np.random.default_rng(1).random((1, 3, 64, 96), np.float32)
    found, metadata = outputs(path, image)
    assert [head.shape for head in found] == [(1, 7, 8, 12), (1, 7, 32, 48)]
    assert json.loads(metadata["labels"]) == ["heads", "Zahl \u00e9"]
    print("everything: loads, and its outputs have the stated shapes")
