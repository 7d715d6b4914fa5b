#!/usr/bin/env python3
"""Writes maps.pack, the golden file of the portable map tests. Needs Pillow and NumPy.

    python3 Fixtures/golden/portable-maps/generate.py

Expected samples are computed here as round-half-up of 255 v / maximum, and compared with Pillow's where
it decodes to 8 bits and rounds no tie (it rounds ties to even).

The layout is that of ../png/generate.py's pictures.pack.
"""

import io
import os
import struct

import numpy as np
from PIL import Image

random = np.random.default_rng(7)
pictures = []


def ascii_file(kind, values, maximum, newline="\n"):
    height, width = values.shape[:2]
    rows = newline.join(" ".join(str(v) for v in row.reshape(-1)) for row in values)
    top = "" if kind == 1 else f"{maximum}{newline}"
    return f"P{kind}{newline}{width} {height}{newline}{top}{rows}{newline}".encode()


def binary_file(kind, values, maximum, separator=b"\n"):
    height, width = values.shape[:2]
    if kind == 4:
        body = np.packbits(values[:, :, 0].astype(np.uint8), axis=1).tobytes()
        return f"P4 {width}\t{height}".encode() + separator + body
    body = values.astype(np.uint8 if maximum < 256 else ">u2").tobytes()
    return f"P{kind}\n{width} {height}\n{maximum}".encode() + separator + body


def add(name, want, files, compare=True):
    height, width, channels = want.shape
    if compare:
        for file_name, data in files:
            image = Image.open(io.BytesIO(data)).convert("L" if channels == 1 else "RGB")
            got = np.asarray(image).reshape(want.shape)
            assert np.array_equal(got, want), (name, file_name)
    pictures.append((name, want.astype(np.uint8), files))


for width, height in ((1, 1), (7, 3), (8, 2), (9, 2), (17, 3)):
    bits = random.integers(0, 2, (height, width, 1))
    run = f"P1 # comment\n{width}\n# another\n{height}\n" + "".join(
        str(v) for v in bits.reshape(-1))
    add(f"bitmap-{width}x{height}", (1 - bits) * 255, [
        ("plain", ascii_file(1, bits, 1)), ("binary", binary_file(4, bits, 1)),
        ("digits", run.encode() + b"\n"), ("blank", binary_file(4, bits, 1, b" "))])

for channels, kinds in ((1, (2, 5)), (3, (3, 6))):
    for maximum in (1, 2, 3, 7, 15, 100, 128, 200, 254, 255, 256, 510, 1000, 1023, 4095, 65534, 65535):
        values = random.integers(0, maximum + 1, (3, 5, channels))
        values[0, 0, 0], values[0, 1, 0] = 0, maximum
        want = (values * 255 + maximum // 2) // maximum
        ties = bool((values * 510 % maximum == 0).any() and ((values * 510 // maximum) % 2 == 1).any())
        add(f"map{channels}-maximum{maximum}", want, [
            ("plain", ascii_file(kinds[0], values, maximum)),
            ("plain-crlf", ascii_file(kinds[0], values, maximum, "\r\n")),
            ("binary", binary_file(kinds[1], values, maximum))],
            compare=not (maximum % 2 == 0 and ties) and not (maximum > 255 and channels == 1))

values = random.integers(0, 256, (2, 3, 3))
add("comments", values, [
    ("header", b"P6 #c\n#d\n3 #e\n2 #f\n255\n" + values.astype(np.uint8).tobytes()),
    ("samples", ascii_file(3, values, 255).replace(b"\n255\n", b"\n# one\n255\n#two 9 9\n"))])

packed = struct.pack(">I", len(pictures))
for name, want, files in pictures:
    height, width, channels = want.shape
    packed += bytes([len(name)]) + name.encode()
    packed += struct.pack(">IIBBI", width, height, channels, 1, want.size) + want.tobytes()
    packed += struct.pack(">H", len(files))
    for file_name, data in files:
        packed += bytes([len(file_name)]) + file_name.encode() + struct.pack(">I", len(data)) + data
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "maps.pack"), "wb") as file:
    file.write(packed)
print(len(pictures), "pictures", len(packed), "bytes")
