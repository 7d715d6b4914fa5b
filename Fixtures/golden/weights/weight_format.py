"""A writer of the weight format, made from Docs/WeightFormat.md alone.

It shares no code with the Swift module and checks nothing: the generators beside it also write files
that break a rule. Needs Python 3.9 and NumPy.
"""

import struct

import numpy as np

MAGIC = b"\x89DVW\r\n\x1a\n"
FLOAT32, FLOAT16, BFLOAT16, INT8 = 1, 2, 3, 4
(IDENTITY, LEAKY, PARAMETRIC, CLAMP, SIGMOID, HARD_SIGMOID, SILU, HARD_SWISH, TANH, GELU, ELU,
 SOFTPLUS, LINEAR, EXPONENTIAL, LOGARITHM, SQUARE_ROOT, RECIPROCAL, ABSOLUTE, POWER,
 FLOOR, ERROR_FUNCTION, REQUANTIZATION, REQUANTIZATION_ONCE, TABLE) = range(24)
HEIGHT, WIDTH, CHANNELS = range(3)  # axes
MAXIMUM, AVERAGE, AVERAGE_WITH_PADDING = range(3)  # pooling
GREATEST, MEAN, SUM, INDEX_OF_MAXIMUM = range(4)  # reductions
ADDITION, SUBTRACTION, MULTIPLICATION, DIVISION, GREATER, SMALLER, REQUANTIZED_SUM = range(7)
(NEAREST_FLOOR, NEAREST_PREFERRING_FLOOR, NEAREST_PREFERRING_CEILING, NEAREST_CEILING,
 BILINEAR) = range(5)
HALF_PIXEL, ALIGN_CORNERS, ASYMMETRIC = range(3)
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


def tensor(input_name, shape, resizable=False):
    """An input of plain numbers."""
    return text(input_name) + struct.pack("<3IB", *shape, int(resizable))


def image(
        input_name, shape, resizable=False, order=0, crop=1, padding=114, scales=(1, 1, 1),
        biases=(0, 0, 0)):
    """An input that is a picture; a gray one (order 2) has one scale and one bias."""
    return text(input_name) + struct.pack(
        "<3I4B%df" % (len(scales) + len(biases)), *shape, 2 + int(resizable), order, crop, padding,
        *scales, *biases)


def items(records):
    """A list: how many there are, then each of them."""
    return struct.pack("<I", len(records)) + b"".join(records)


def named_values(lists):
    return items([text(key) + items([struct.pack("<f", value) for value in values])
                  for key, values in lists])


def output(output_name, layer, kind="", labels=(), parameters=()):
    record = text(output_name) + struct.pack("<I", layer) + text(kind)
    if kind:
        record += items(list(map(text, labels))) + named_values(parameters)
    return record


def source(reads):
    """The code of a source: a number is a layer, "input 2" is an input."""
    if isinstance(reads, str):
        return struct.pack("<I", 2 * int(reads.split()[1]))
    return struct.pack("<I", 2 * reads + 1)


def record(kind, payload):
    return struct.pack("<HH", kind, len(payload)) + payload


def window(size, stride=(1, 1), dilation=(1, 1), padding=(0, 0, 0, 0)):
    """Rows before columns; the padding is top, left, bottom, right."""
    return struct.pack("<HH4B4H", *size, *stride, *dilation, *padding)


def activation(code=IDENTITY, *numbers):
    """Some functions have the index of a tensor, others have floats."""
    has_tensor = code in (PARAMETRIC, REQUANTIZATION, REQUANTIZATION_ONCE, TABLE)
    form = "<BI" if has_tensor else "<B%df" % len(numbers)
    return struct.pack(form, code, *numbers)


def convolution(
        reads, inputs, outputs, place, weights, bias, groups=1, function=activation()):
    return record(1, source(reads) + struct.pack("<II", inputs, outputs) + place + struct.pack(
        "<I", groups) + function + struct.pack("<II", weights, bias))


def transposed_convolution(
        reads, inputs, outputs, place, weights, bias, extra=(0, 0), groups=1,
        function=activation()):
    return record(2, source(reads) + struct.pack("<II", inputs, outputs) + place + struct.pack(
        "<2BI", *extra, groups) + function + struct.pack("<II", weights, bias))


def dense(reads, outputs, weights, bias, function=activation()):
    return record(
        3, source(reads) + struct.pack("<I", outputs) + function + struct.pack(
            "<II", weights, bias))


def pooling(reads, kind, place):
    return record(4, source(reads) + struct.pack("<B", kind) + place)


def reduction(reads, kind, *axes):
    return record(5, source(reads) + struct.pack("<BB", kind, sum(1 << axis for axis in axes)))


def elementwise(operation, first, second, function=activation(), tensor=None):
    """A requantized sum has the index of a tensor."""
    own = b"" if tensor is None else struct.pack("<I", tensor)
    return record(
        6, struct.pack("<B", operation) + source(first) + source(second) + own + function)


def concatenation(reads, axis=CHANNELS):
    return record(7, struct.pack("<BB", axis, len(reads)) + b"".join(map(source, reads)))


def slice_of(reads, axis, start, count, step=1):
    return record(8, source(reads) + struct.pack("<B3I", axis, start, count, step))


def resizing(reads, y, x, interpolation, coordinates, is_size=False):
    return record(
        9, source(reads) + struct.pack("<BIIBB", is_size, y, x, interpolation, coordinates))


def padding(reads, edges, before=0, after=0, constant=None, mode=1):
    """A constant, or the mode 1 (nearest) or 2 (mirrored)."""
    mode = struct.pack("<Bf", 0, constant) if constant is not None else struct.pack("<B", mode)
    return record(10, source(reads) + struct.pack("<6H", *edges, before, after) + mode)


def rearrangement(reads, dimensions, permutation, shape):
    return record(11, source(reads) + struct.pack(
        "<B%dI%dB3I" % (len(dimensions), len(permutation)), len(dimensions), *dimensions,
        *permutation, *shape))


def pointwise(reads, function):
    return record(12, source(reads) + function)


def softmax(reads, axis=CHANNELS):
    return record(13, source(reads) + struct.pack("<B", axis))


def batch_normalization(reads, scale, shift, mean, variance, epsilon):
    return record(14, source(reads) + struct.pack("<4If", scale, shift, mean, variance, epsilon))


def constant(index, shape):
    return record(15, struct.pack("<4I", index, *shape))


def matrix_product(first, second, transposes_first=False, transposes_second=False):
    return record(16, source(first) + source(second) + struct.pack(
        "<B", transposes_first + 2 * transposes_second))


def ranking(reads, count):
    return record(17, source(reads) + struct.pack("<I", count))


def selection(reads, places):
    return record(18, source(reads) + source(places))


def provenance(entries):
    return items([text(key) + text(value) for key, value in entries])


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

    version = 2, 0
    order = "NAME", "TASK", "INPT", "LAYR", "OUTP", "PROF", "TENS", "PROV"
    tensor_padding = b""  # behind a tensor's storage and rank

    def __init__(self, sections, tensors):
        """`sections` maps tags to contents, without TENS; `tensors` lists (shape, storage, bytes)."""
        self.sections = dict(sections)
        self.tensors = list(tensors)
        self.major, self.minor = self.version
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
            content += struct.pack("<BB", storage, len(shape)) + self.tensor_padding
            content += struct.pack("<%dI" % len(shape), *shape)
            content += struct.pack(
                "<QQ", offsets[index] + self.offset_changes.get(index, 0) & MASK,
                len(data) + self.byte_count_changes.get(index, 0) & MASK)
        return content

    def description(self, offsets):
        parts = b""
        for tag in self.order:
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


def sections(name, inputs, layers, outputs, task="", profile=(), entries=()):
    return {
        "NAME": text(name), "TASK": text(task), "INPT": items(inputs), "LAYR": items(layers),
        "OUTP": items(outputs), "PROF": named_values(profile), "PROV": provenance(entries)}


def smallest():
    """The smallest legal file: one number that stays as it is."""
    return File(
        sections(
            "a", [tensor("x", (1, 1, 1))], [pointwise("input 0", activation())],
            [output("y", 0)]), [])


def detector():
    """A picture, a 1x1 convolution with two float16 tensors, and a head for one class."""
    weights = np.arange(18, dtype=np.float32).reshape(1, 1, 3, 6) / 8 - 1
    bias = np.arange(6, dtype=np.float32) / -2
    return File(
        sections(
            "a", [image("image", (32, 32, 3), resizable=True)],
            [convolution("input 0", 3, 6, window((1, 1)), 0, 1)],
            [output("boxes-1", 0, "grid boxes", ["1"], [("base size", [8])])]),
        [
            (weights.shape, FLOAT16, stored(weights, FLOAT16)[0]),
            (bias.shape, FLOAT16, stored(bias, FLOAT16)[0]),
        ])
