#!/usr/bin/env python3
"""Writes the golden files of the weight format beside itself.

    python3 Fixtures/golden/weights/generate.py

`*.dvweights` come from the writer in weight_format.py, numbers from NumPy 2.4.6, checksums from
xxhash 4.1.0 and bfloat16 from ml_dtypes 0.6.0 (`pip install numpy xxhash ml_dtypes`). Files:

- smallest.dvweights: the smallest legal file, printed in Docs/WeightFormat.md
- detector.dvweights: a picture, a convolution with two tensors, a head
- everything.dvweights: every kind of input, layer, activation, option and storage
- everything.values: the float32 values that were stored, tensor after tensor, little-endian
- everything.read: the float32 values that a reader gets
- newer.dvweights: minor version 7 with a section that readers of 2.0 skip
- rounding.bin: records of a float32, its nearest float16 and its nearest bfloat16 (infinite where
  too large), 8 bytes each, little-endian
- float16.txt: XXH64 of the 65 536 float32 values of all float16, every NaN as 0x7FC00000
- xxhash64.txt: the XXH64 of the first n bytes of 0, 1, 2, ..., one line for each n
"""

import pathlib
import sys

import ml_dtypes
import numpy as np
import xxhash

sys.dont_write_bytecode = True
import weight_format as w  # noqa: E402

FOLDER = pathlib.Path(__file__).parent

random = np.random.Generator(np.random.PCG64(20240229))


def everything():
    tensors = [
        ((3, 3, 3, 4), w.FLOAT16), ((4,), w.FLOAT32),  # 0: convolution 3x3 stride 2
        ((1, 1, 4, 4), w.BFLOAT16), ((4,), w.FLOAT16),  # 2: convolution 1x1
        ((2, 3, 8, 7), w.INT8), ((7,), w.BFLOAT16),  # 4: rectangular convolution
        ((1, 1, 7, 7), w.FLOAT32), ((7,), w.INT8),  # 6: shared by two convolutions
        ((3, 3, 1, 7), w.INT8), ((7,), w.FLOAT32),  # 8: depthwise convolution
        ((3, 3, 7, 6), w.INT8), ((6,), w.FLOAT32), ((6,), w.FLOAT32),  # 10: transposed, slopes
        ((7,), w.FLOAT32), ((7,), w.FLOAT32), ((7,), w.FLOAT32), ((7,), w.FLOAT32),  # 13: scale...
        ((1, 1, 4), w.FLOAT16),  # 17: constant
        ((12, 4), w.INT8), ((4,), w.FLOAT32),  # 18: dense
        ((1, 1, 4, 6), w.FLOAT16), ((6,), w.FLOAT32),  # 20: convolution in two groups
    ]
    values = [random.normal(0, 0.5, shape).astype(np.float32) for shape, _ in tensors]
    # What needs no random numbers.
    integers = [  # 22: requantization, requantized sum, table
        [[16384 + 10 * channel, 7 * channel, -channel] for channel in range(10)],
        [[32768, 0, 0], [-40000, 12345, -2], [50000, 1, -19]],
        [3 * place - 7 for place in range(256)],
    ]
    for numbers in integers:
        values.append(np.array(numbers, np.float32))
        tensors.append((values[-1].shape, w.FLOAT32))
    values[4][..., 3] = 0  # a channel of zeros has the scale 0
    values[0].flat[:6] = [0, -0.0, 65504, -2.0 ** -24, 2.0 ** -25, 1e-30]
    values[2].flat[:3] = [3e38, -1e-40, 1.00390625]
    values[16] = np.abs(values[16])  # variances
    act = w.activation
    layers = [
        w.convolution(
            "input 0", 3, 4, w.window((3, 3), (2, 2), padding=(1, 1, 1, 1)), 0, 1,
            function=act(w.LEAKY, 0.125)),  # 0: 8 x 12 x 4
        w.convolution(0, 4, 4, w.window((1, 1)), 2, 3, function=act(w.SILU)),  # 1: 8 x 12 x 4
        w.elementwise(w.ADDITION, 0, 1, act(w.CLAMP, 0, 6)),  # 2: 8 x 12 x 4
        w.pooling(2, w.MAXIMUM, w.window((2, 2), (2, 2))),  # 3: 4 x 6 x 4
        w.pooling(3, w.MAXIMUM, w.window((5, 5), padding=(2, 2, 2, 2))),  # 4: 4 x 6 x 4
        w.concatenation([3, 4]),  # 5: 4 x 6 x 8
        w.convolution(
            5, 8, 7, w.window((2, 3), (2, 1), padding=(0, 1, 0, 1)), 4, 5),  # 6: 2 x 6 x 7
        w.convolution(6, 7, 7, w.window((1, 1)), 6, 7, function=act(w.LEAKY, 0)),  # 7: 2 x 6 x 7
        w.convolution(
            7, 7, 7, w.window((3, 3), dilation=(1, 2), padding=(1, 2, 1, 2)), 8, 9, groups=7,
            function=act(w.HARD_SWISH)),  # 8: 2 x 6 x 7
        w.transposed_convolution(
            8, 7, 6, w.window((3, 3), (2, 2), padding=(1, 1, 1, 1)), 10, 11, extra=(1, 0),
            function=act(w.PARAMETRIC, 12)),  # 9: 4 x 11 x 6
        w.slice_of(9, w.WIDTH, 1, 5, 2),  # 10: 4 x 5 x 6
        w.padding(10, (1, 0, 2, 0), after=1, constant=-1.5),  # 11: 7 x 5 x 7
        w.padding(11, (0, 1, 0, 2), mode=2),  # 12: 7 x 8 x 7
        w.padding(12, (1, 0, 0, 0), mode=1),  # 13: 8 x 8 x 7
        w.slice_of(13, w.HEIGHT, 0, 4, 2),  # 14: 4 x 8 x 7
        w.slice_of(14, w.CHANNELS, 2, 1),  # 15: 4 x 8 x 1
        w.resizing(15, 2, 1, w.BILINEAR, w.HALF_PIXEL),  # 16: 8 x 8 x 1
        w.elementwise(w.SUBTRACTION, 16, "input 2", act(w.TANH)),  # 17: 8 x 8 x 1
        w.elementwise(w.MULTIPLICATION, 17, 13, act(w.SIGMOID)),  # 18: 8 x 8 x 7
        w.batch_normalization(18, 13, 14, 15, 16, 1e-3),  # 19: 8 x 8 x 7
        w.resizing(
            19, 3, 5, w.NEAREST_PREFERRING_CEILING, w.ALIGN_CORNERS, is_size=True),  # 20: 3 x 5 x 7
        w.resizing(20, 2, 2, w.NEAREST_FLOOR, w.ASYMMETRIC),  # 21: 6 x 10 x 7
        w.resizing(
            21, 2, 2, w.NEAREST_PREFERRING_FLOOR, w.HALF_PIXEL, is_size=True),  # 22: 2 x 2 x 7
        w.resizing(22, 1, 2, w.NEAREST_CEILING, w.ALIGN_CORNERS),  # 23: 2 x 4 x 7
        w.rearrangement(23, (2, 4, 7), (2, 0, 1), (7, 2, 4)),  # 24: 7 x 2 x 4
        w.constant(17, (1, 1, 4)),  # 25: 1 x 1 x 4
        w.elementwise(w.DIVISION, 24, 25, act(w.HARD_SIGMOID, 0.25, 0.5)),  # 26: 7 x 2 x 4
        w.pointwise("input 1", act(w.ELU, 1.5)),  # 27: 1 x 5 x 4
        w.reduction(26, w.MEAN, w.HEIGHT),  # 28: 1 x 2 x 4
        w.concatenation([27, 28], w.WIDTH),  # 29: 1 x 7 x 4
        w.elementwise(w.GREATER, 29, 25, act(w.GELU)),  # 30: 1 x 7 x 4
        w.elementwise(w.SMALLER, 30, 25, act(w.SOFTPLUS)),  # 31: 1 x 7 x 4
        w.softmax(31, w.WIDTH),  # 32: 1 x 7 x 4
        w.reduction(32, w.GREATEST, w.CHANNELS),  # 33: 1 x 7 x 1
        w.reduction(32, w.SUM, w.HEIGHT, w.WIDTH),  # 34: 1 x 1 x 4
        w.reduction(31, w.INDEX_OF_MAXIMUM, w.CHANNELS),  # 35: 1 x 7 x 1
        w.concatenation([33, 35], w.HEIGHT),  # 36: 2 x 7 x 1
        w.pooling(36, w.AVERAGE, w.window((2, 2), padding=(1, 0, 0, 0))),  # 37: 2 x 6 x 1
        w.pooling(
            37, w.AVERAGE_WITH_PADDING, w.window((3, 3), padding=(1, 1, 1, 1))),  # 38: 2 x 6 x 1
        w.dense(38, 4, 18, 19, act(w.EXPONENTIAL)),  # 39: 1 x 1 x 4
        w.elementwise(w.ADDITION, 39, 34, act(w.LINEAR, 2, -1)),  # 40: 1 x 1 x 4
        w.pointwise(40, act(w.LOGARITHM, 0.001)),  # 41
        w.pointwise(41, act(w.SQUARE_ROOT)),  # 42
        w.pointwise(42, act(w.RECIPROCAL)),  # 43
        w.pointwise(43, act(w.ABSOLUTE)),  # 44
        w.pointwise(44, act(w.POWER, 2.5)),  # 45
        w.pointwise(45, act(w.FLOOR)),  # 46
        w.softmax(46),  # 47: 1 x 1 x 4
        w.convolution(5, 8, 6, w.window((1, 1)), 20, 21, groups=2),  # 48: 4 x 6 x 6
        w.convolution(7, 7, 7, w.window((1, 1)), 6, 7),  # 49: 2 x 6 x 7
        w.softmax(21, w.HEIGHT),  # 50: 6 x 10 x 7
        w.matrix_product(50, 21, transposes_second=True),  # 51: 6 x 10 x 10
        w.matrix_product(51, 21),  # 52: 6 x 10 x 7
        w.matrix_product(52, 50, transposes_first=True),  # 53: 6 x 7 x 7
        w.matrix_product(53, 21, True, True),  # 54: 6 x 7 x 10
        w.ranking(54, 3),  # 55: 6 x 3 x 10
        w.selection(54, 55),  # 56: 6 x 3 x 10
        w.pointwise(56, act(w.ERROR_FUNCTION)),  # 57: 6 x 3 x 10
        w.pointwise(57, act(w.FLOOR)),  # 58: 6 x 3 x 10
        w.pointwise(58, act(w.REQUANTIZATION, 22)),  # 59: 6 x 3 x 10
        w.elementwise(
            w.REQUANTIZED_SUM, 59, 58, act(w.REQUANTIZATION_ONCE, 22), tensor=23),  # 60: 6 x 3 x 10
        w.pointwise(60, act(w.TABLE, 24)),  # 61: 6 x 3 x 10
    ]
    file = w.File(
        w.sections(
            "everything \u2682",
            [
                w.image(
                    "picture", (16, 24, 3), True, order=1, crop=2, padding=7,
                    scales=(1 / 255, 0.5, -2), biases=(0, -1.5, 0.25)),
                w.tensor("Ton \u00e9", (1, 5, 4)),
                w.image("gray", (8, 8, 1), order=2, crop=0, padding=0, scales=(2,), biases=(-1,)),
            ],
            layers,
            [
                w.output("boxes", 48, "grid boxes", ["heads", "Zahl \u00e9"], [
                    ("base size", [48.5]), ("anchors", [1, -2.5, 1e-30])]),
                w.output("plain", 49),
                w.output("classes", 47, "classes", ["a", "b", "c", "d"]),
                w.output("again", 47),
                w.output("map", 50),
                w.output("products", 54),
                w.output("greatest", 57),
                w.output("integers", 61),
            ],
            task="tests of a reader",
            profile=[("tile sizes", [416, 640]), ("weight", [0.5])],
            entries=[
                ("licence", "MIT"),
                ("credits", "first line\nsecond line: \u4e16\u754c\n"),
                ("credits", ""),
            ]),
        [(shape, storage, w.stored(value, storage)[0])
         for (shape, storage), value in zip(tensors, values)])
    (FOLDER / "everything.dvweights").write_bytes(file.bytes())
    (FOLDER / "everything.values").write_bytes(
        b"".join(value.astype("<f4").tobytes() for value in values))
    (FOLDER / "everything.read").write_bytes(
        b"".join(w.stored(value, storage)[1].astype("<f4").tobytes()
                 for (_, storage), value in zip(tensors, values)))


def newer():
    file = w.detector()
    file.minor = 7
    file.appended = b"note" + (5).to_bytes(4, "little") + b"hello" + b"more" + bytes(4)
    (FOLDER / "newer.dvweights").write_bytes(file.bytes())


def rounding():
    """Both sides of, and exactly on, the boundaries between neighbours; and random patterns."""
    bits = [0, 1, 2, 0x7F800000, 0x7F7FFFFF, 0x477FEFFF, 0x477FF000, 0x477FE000, 0x33000000,
            0x33000001, 0x32FFFFFF, 0x387FFFFF, 0x38800000, 0x387FE000, 0x387FDFFF, 0x7F7F7FFF,
            0x7F7F8000, 0x7F7F0000]
    for exponent in list(range(0, 256, 15)) + list(range(101, 115)) + list(range(140, 145)):
        for fraction in (0, 0x7FFFFF, 0x2AAAAA):
            for width in (13, 16):
                for shift in (width, width + (113 - exponent if 102 <= exponent < 113 else 0)):
                    if shift > 23:
                        continue
                    for unit in (0, 1):
                        base = (exponent << 23 | fraction) >> shift << shift
                        base += (unit << shift) + (1 << shift >> 1)
                        bits += [base - 1, base, base + 1]
    bits += random.integers(0, 0x7F800000, 1200).tolist()
    bits += random.integers(0x32000000, 0x48000000, 800).tolist()
    bits = sorted({b for b in bits if 0 <= b <= 0x7F800000})
    bits = np.array(bits + [b | 0x80000000 for b in bits], np.uint32)
    values = bits.view(np.float32)
    with np.errstate(over="ignore", under="ignore"):
        half = values.astype(np.float16).view(np.uint16)
        brain = values.astype(ml_dtypes.bfloat16).view(np.uint16)
    records = np.zeros(len(bits), dtype=[("f", "<u4"), ("h", "<u2"), ("b", "<u2")])
    records["f"], records["h"], records["b"] = bits, half, brain
    (FOLDER / "rounding.bin").write_bytes(records.tobytes())
    finite = np.isfinite(values) & (np.abs(values) < 3e38)
    assert (w.bfloat16_bits(values[finite]) == brain[finite]).all()


def float16():
    values = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    values = values.view(np.uint32)
    values[(values & 0x7FFFFFFF) > 0x7F800000] = 0x7FC00000
    (FOLDER / "float16.txt").write_text(
        "%016x\n" % xxhash.xxh64_intdigest(values.astype("<u4").tobytes()))


def checksums():
    data = bytes(index % 256 for index in range(300))
    lines = []
    for count in range(301):
        lines.append("%016x" % xxhash.xxh64_intdigest(data[:count]))
        assert w.xxh64(data[:count]) == int(lines[-1], 16)
    (FOLDER / "xxhash64.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    (FOLDER / "smallest.dvweights").write_bytes(w.smallest().bytes())
    (FOLDER / "detector.dvweights").write_bytes(w.detector().bytes())
    everything()
    newer()
    rounding()
    float16()
    checksums()
