"""A writer of version 1 of the weight format.

It shares no code with the Swift module and checks nothing: the generator beside it also writes files
that break a rule. Needs Python 3.9 and NumPy.
"""

import struct

import numpy as np

MAGIC = b"\x89DVW\r\n\x1a\n"
FLOAT32, FLOAT16, BFLOAT16, INT8 = 1, 2, 3, 4
IDENTITY, LEAKY, SILU = 0, 1, 2
MASK = (1 << 64) - 1


def xxh64(data):
    """XXH64 with seed 0."""
    p1, p2, p3, p4, p5 = (
        11400714785074694791, 14029467366897019727, 1609587929392839161,
        9650029242287828579, 2870177450012600261)

    def rotate(x, n):
        return (x << n | x >> (64 - n)) & MASK

    def step(lane, word):
        return rotate((lane + word * p2) & MASK, 31) * p1 & MASK

    n = len(data)
    at = 0
    if n >= 32:
        lanes = [(p1 + p2) & MASK, p2, 0, -p1 & MASK]
        while at + 32 <= n:
            words = struct.unpack_from("<4Q", data, at)
            lanes = [step(lane, word) for lane, word in zip(lanes, words)]
            at += 32
        h = sum(rotate(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            h = ((h ^ step(0, lane)) * p1 + p4) & MASK
    else:
        h = p5
    h = (h + n) & MASK
    while at + 8 <= n:
        h = (rotate(h ^ step(0, struct.unpack_from("<Q", data, at)[0]), 27) * p1 + p4) & MASK
        at += 8
    if at + 4 <= n:
        h = (rotate(h ^ struct.unpack_from("<I", data, at)[0] * p1 & MASK, 23) * p2 + p3) & MASK
        at += 4
    while at < n:
        h = rotate(h ^ data[at] * p5 & MASK, 11) * p1 & MASK
        at += 1
    h = (h ^ h >> 33) * p2 & MASK
    h = (h ^ h >> 29) * p3 & MASK
    return h ^ h >> 32


def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<I", len(data)) + data


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


def bfloat16_bits(values):
    """Nearest bfloat16, ties to even, by arithmetic in float64 instead of by bits."""
    exact = np.asarray(values, np.float32).astype(np.float64)
    _, exponent = np.frexp(exact)
    unit = np.ldexp(1.0, np.maximum(exponent - 8, -133))
    rounded = (np.rint(exact / unit) * unit).astype(np.float32)
    return (rounded.view(np.uint32) >> 16).astype("<u2")


def stored(values, storage):
    """The bytes of a tensor and the values that a reader gets from them."""
    values = np.asarray(values, np.float32)
    if storage == FLOAT32:
        return values.astype("<f4").tobytes(), values
    if storage == FLOAT16:
        half = values.astype("<f2")
        return half.tobytes(), half.astype(np.float32)
    if storage == BFLOAT16:
        bits = bfloat16_bits(values)
        return bits.tobytes(), (bits.astype(np.uint32) << 16).view(np.float32)
    channels = values.reshape(-1, values.shape[-1])
    scales = np.abs(channels).max(axis=0) / np.float32(127)
    integers = np.rint(channels / np.where(scales == 0, np.float32(1), scales))
    integers = np.clip(integers, -127, 127).astype(np.int8)
    return (
        scales.astype("<f4").tobytes() + integers.tobytes(),
        (integers.astype(np.float32) * scales).reshape(values.shape))


class File:
    """The parts of a file; `bytes()` puts them together. Change the parts to break rules."""

    def __init__(self, sections, tensors):
        """`sections` maps tags to contents, without TENS; `tensors` lists (shape, storage, bytes)."""
        self.sections = dict(sections)
        self.tensors = list(tensors)
        self.major, self.minor = 1, 0
        self.magic = MAGIC
        self.reserved = bytes(32)
        self.appended = b""  # behind PROV, within the description
        self.tail = b""  # behind the last tensor
        self.gap = 0  # the value of bytes between tensors
        self.offset_changes = {}  # tensor: change of its stated offset
        self.byte_count_changes = {}  # tensor: change of its stated length
        self.description_change = 0

    def table(self, offsets):
        content = struct.pack("<I", len(self.tensors))
        for index, (shape, storage, data) in enumerate(self.tensors):
            content += struct.pack("<BBH", storage, len(shape), 0)
            content += struct.pack("<%dI" % len(shape), *shape)
            content += struct.pack(
                "<QQ", offsets[index] + self.offset_changes.get(index, 0) & MASK,
                len(data) + self.byte_count_changes.get(index, 0) & MASK)
        return content

    def description(self, offsets):
        parts = b""
        for tag in ("NAME", "INPT", "LABL", "THRS", "LAYR", "TENS", "PROV"):
            content = self.sections.get(tag)
            if content is None and tag == "TENS":
                content = self.table(offsets)
            parts += tag.encode() + struct.pack("<I", len(content)) + content
        return parts + self.appended

    def bytes(self):
        offsets = [0] * len(self.tensors)
        length = 64 + len(self.description(offsets))
        end = length
        for index, (_, _, data) in enumerate(self.tensors):
            offsets[index] = (end + 63) // 64 * 64
            end = offsets[index] + len(data)
        body = self.description(offsets)
        for offset, (_, _, data) in zip(offsets, self.tensors):
            body += bytes([self.gap]) * (offset - 64 - len(body)) + data
        body += self.tail
        header = struct.pack(
            "<8sHHIQQ32s", self.magic, self.major, self.minor,
            length - 64 + self.description_change, 64 + len(body), 0, self.reserved)
        return seal(header + body)


def seal(data):
    """The file with the length and checksum that its bytes require."""
    data = bytearray(data)
    struct.pack_into("<QQ", data, 16, len(data), 0)
    struct.pack_into("<Q", data, 24, xxh64(bytes(data)))
    return bytes(data)


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
