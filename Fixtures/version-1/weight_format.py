"""A writer of version 1 of the weight format.

It shares no code with the Swift module and checks nothing: the generator beside it also writes files
that break a rule. Needs Python 3.9 and NumPy.
"""

import importlib.util
import pathlib
import struct

import numpy as np

# What did not change since stands in the writer of version 2, which has the same file name.
_place = pathlib.Path(__file__).parent / "../golden/weights/weight_format.py"
_spec = importlib.util.spec_from_file_location("weight_format_2", _place)
_version_2 = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_version_2)
MAGIC, seal = _version_2.MAGIC, _version_2.seal
text, stored = _version_2.text, _version_2.stored

FLOAT32, FLOAT16, BFLOAT16, INT8 = 1, 2, 3, 4
IDENTITY, LEAKY, SILU = 0, 1, 2


def name(value):
    return text(value)


def input_rules(width, height, order=0, crop=1, padding=114, scales=(1, 1, 1), biases=(0, 0, 0)):
    return struct.pack("<IIBBBB3f3f", width, height, order, crop, padding, 0, *scales, *biases)


def labels(values):
    return struct.pack("<I", len(values)) + b"".join(map(text, values))


def thresholds(intersection_over_union, confidence):
    return struct.pack("<2f", intersection_over_union, confidence)


def source(index):
    """The code of a source: None is the network's input."""
    return 0 if index is None else index + 1


def record(kind, payload):
    return struct.pack("<HH", kind, len(payload)) + payload


def convolution(
        reads, inputs, outputs, kernel, stride, padding, weights, bias, activation=IDENTITY, slope=0.0):
    return record(1, struct.pack(
        "<III4BfII", source(reads), inputs, outputs, kernel, stride, padding, activation, slope,
        weights, bias))


def max_pooling(reads, size, stride, padding):
    return record(2, struct.pack("<I4B", source(reads), size, stride, padding, 0))


def upsampling(reads, factor):
    return record(3, struct.pack("<II", source(reads), factor))


def concatenation(reads):
    return record(4, struct.pack("<I", len(reads)) + b"".join(
        struct.pack("<I", source(index)) for index in reads))


def addition(first, second):
    return record(5, struct.pack("<II", source(first), source(second)))


def head(reads, stride, base_size, classes):
    return record(6, struct.pack("<IIfI", source(reads), stride, base_size, classes))


def layers(records):
    return struct.pack("<I", len(records)) + b"".join(records)


def provenance(entries):
    return struct.pack("<I", len(entries)) + b"".join(
        text(key) + text(value) for key, value in entries)


class File(_version_2.File):
    """The parts of a file; `bytes()` puts them together. Change the parts to break rules."""

    version = 1, 0
    order = "NAME", "INPT", "LABL", "THRS", "LAYR", "TENS", "PROV"
    tensor_padding = bytes(2)


def smallest():
    """The smallest legal file: a 1x1 convolution and a head for one class."""
    weights = np.arange(18, dtype=np.float32).reshape(1, 1, 3, 6) / 8 - 1
    bias = np.arange(6, dtype=np.float32) / -2
    return File(
        {
            "NAME": name("a"),
            "INPT": input_rules(32, 32),
            "LABL": labels(["1"]),
            "THRS": thresholds(0.5, 0.25),
            "LAYR": layers([
                convolution(None, 3, 6, 1, 1, 0, weights=0, bias=1),
                head(0, 1, 8, 1),
            ]),
            "PROV": provenance([]),
        },
        [
            (weights.shape, FLOAT16, stored(weights, FLOAT16)[0]),
            (bias.shape, FLOAT16, stored(bias, FLOAT16)[0]),
        ])
