#!/usr/bin/env python3
"""Writes the golden files of the weight format beside itself.

    python3 Fixtures/golden/weights/generate.py

`*.dvweights` come from the writer in weight_format.py, numbers from NumPy 2.4.6, checksums from
xxhash 4.1.0 and bfloat16 from ml_dtypes 0.6.0 (`pip install numpy xxhash ml_dtypes`). Files:

- smallest.dvweights: the smallest legal file, printed in Docs/WeightFormat.md
- everything.dvweights: every kind of layer, activation and storage
- everything.values: the float32 values that were stored, tensor after tensor, little-endian
- everything.read: the float32 values that a reader gets
- newer.dvweights: minor version 7 with a section that readers of 1.0 skip
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
    shapes = [
        (3, 3, 3, 4), (4,),  # 0: convolution 3x3 stride 2 leaky, float16
        (1, 1, 4, 4), (4,),  # 2: 1x1 sigmoid weighted, bfloat16
        (2, 2, 8, 7), (7,),  # 4: 2x2 stride 2 identity, int8
        (1, 1, 7, 7), (7,),  # 6: shared by two convolutions, float32
        (5, 5, 11, 7), (7,),  # 8: 5x5, int8
    ]
    storages = [
        w.FLOAT16, w.FLOAT32, w.BFLOAT16, w.FLOAT16, w.INT8, w.BFLOAT16, w.FLOAT32, w.INT8,
        w.INT8, w.FLOAT32]
    values = []
    for shape in shapes:
        values.append(random.normal(0, 0.5, shape).astype(np.float32))
    values[4][..., 3] = 0  # a channel of zeros has the scale 0
    values[0].flat[:6] = [0, -0.0, 65504, -2.0 ** -24, 2.0 ** -25, 1e-30]
    values[2].flat[:3] = [3e38, -1e-40, 1.00390625]
    layers = [
        w.convolution(None, 3, 4, 3, 2, 1, 0, 1, w.LEAKY, 0.125),  # 0: /2, 4
        w.convolution(0, 4, 4, 1, 1, 0, 2, 3, w.SILU),  # 1: /2, 4
        w.addition(0, 1),  # 2: /2, 4
        w.max_pooling(2, 2, 2, 0),  # 3: /4, 4
        w.max_pooling(3, 5, 1, 2),  # 4: /4, 4
        w.concatenation([3, 4]),  # 5: /4, 8
        w.convolution(5, 8, 7, 2, 2, 0, 4, 5),  # 6: /8, 7
        w.convolution(6, 7, 7, 1, 1, 0, 6, 7, w.LEAKY, 0),  # 7: /8, 7
        w.head(7, 8, 48.5, 2),  # 8
        w.upsampling(6, 4),  # 9: /2, 7
        w.concatenation([9, 2]),  # 10: /2, 11
        w.convolution(10, 11, 7, 5, 1, 2, 8, 9),  # 11: /2, 7
        w.convolution(11, 7, 7, 1, 1, 0, 6, 7),  # 12: /2, 7
        w.head(12, 2, 12.25, 2),  # 13
    ]
    file = w.File(
        {
            "NAME": w.name("everything \u2682"),
            "INPT": w.input_rules(
                96, 64, 1, 2, 7, scales=(1 / 255, 0.5, -2), biases=(0, -1.5, 0.25)),
            "LABL": w.labels(["heads", "Zahl \u00e9"]),
            "THRS": w.thresholds(0.45, 1),
            "LAYR": w.layers(layers),
            "PROV": w.provenance([
                ("licence", "MIT"),
                ("credits", "first line\nsecond line: \u4e16\u754c\n"),
                ("credits", ""),
            ]),
        },
        [(shape, storage, w.stored(value, storage)[0])
         for shape, storage, value in zip(shapes, storages, values)])
    (FOLDER / "everything.dvweights").write_bytes(file.bytes())
    (FOLDER / "everything.values").write_bytes(
        b"".join(value.astype("<f4").tobytes() for value in values))
    (FOLDER / "everything.read").write_bytes(
        b"".join(w.stored(value, storage)[1].astype("<f4").tobytes()
                 for storage, value in zip(storages, values)))


def newer():
    file = w.smallest()
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
    everything()
    newer()
    rounding()
    float16()
    checksums()
