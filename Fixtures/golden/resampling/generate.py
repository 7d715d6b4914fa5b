#!/usr/bin/env python3
"""Pictures resized by Pillow, to compare resampling with.

    python3 Fixtures/golden/resampling/generate.py

Writes `cases.txt` and `expected.bin` beside this file. Needs Pillow 12 or later and NumPy. The
sources are computed from a formula (`sample` below), so they need no file. A line of `cases.txt`:

    kind width height orientation regionX regionY regionWidth regionHeight rule outWidth outHeight

The region is normalised, with the origin at the lower left of the upright picture. The expected
samples of all lines follow each other in `expected.bin`:

    gray, rgb, rgba  outHeight * outWidth * channels bytes; rule `fill`, `crop` or `fit` is the
                     crop-and-scale rule, with a padding of 114, and `resize` plain resizing of the
                     stored picture
    bt601video, bt601full, bt709video, bt709full
                     4:2:0 sources with that encoding, outHeight * outWidth * 3 bytes
"""

import pathlib

import numpy as np
from PIL import Image

BILINEAR = Image.Resampling.BILINEAR
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
MATRICES = {"bt601": (0.299, 0.114), "bt709": (0.2126, 0.0722)}
CHANNELS = {"gray": 1, "rgb": 3, "rgba": 4}


def source(width, height, channels, seed=0):
    """sample(x, y, c) = (3x^2 + 5y^2 + 7xy + 85c + 11 (x / 5) (y / 3) + seed) mod 256."""
    y, x, c = np.mgrid[0:height, 0:width, 0:channels].astype(np.int64)
    value = 3 * x * x + 5 * y * y + 7 * x * y + 85 * c + 11 * (x // 5) * (y // 3) + seed
    return (value % 256).astype(np.uint8)


def picture(samples):
    return Image.fromarray(samples[:, :, 0] if samples.shape[2] == 1 else samples)


def turned(image, orientation):
    return image.transpose(TURNS[orientation]) if orientation in TURNS else image


def boxes(size, region, rule, out):
    """The box to take from the upright picture, and where it goes in the input."""
    width, height = size
    x, y, w, h = region
    left, top, w, h = x * width, (1 - y - h) * height, w * width, h * height
    target = (0, 0, *out)
    if rule == "crop":
        scale = max(out[0] / w, out[1] / h)
        cw, ch = out[0] / scale, out[1] / scale
        left, top, w, h = left + (w - cw) / 2, top + (h - ch) / 2, cw, ch
    elif rule == "fit":
        scale = min(out[0] / w, out[1] / h)
        cw, ch = round(w * scale), round(h * scale)
        assert abs(cw - w * scale) < 1e-9 and abs(ch - h * scale) < 1e-9
        assert (out[0] - cw) % 2 == 0 and (out[1] - ch) % 2 == 0
        target = ((out[0] - cw) // 2, (out[1] - ch) // 2, cw, ch)
    box = (left, top, left + w, top + h)
    box = (max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height))
    return box, target


def resize(plane, size, box, float_mode=False):
    image = Image.fromarray(plane.astype(np.float32)) if float_mode else plane
    return image.resize(size, BILINEAR, box=box)


def expected(kind, width, height, orientation, region, rule, out):
    if kind in CHANNELS:
        image = picture(source(width, height, CHANNELS[kind]))
        if rule == "resize":
            return np.asarray(image.resize(out, BILINEAR))
        upright = turned(image, orientation)
        box, (tx, ty, tw, th) = boxes(upright.size, region, rule, out)
        channels = CHANNELS[kind]
        result = np.full((out[1], out[0], channels), 114, np.uint8)
        part = np.asarray(resize(upright, (tw, th), box)).reshape(th, tw, channels)
        result[ty : ty + th, tx : tx + tw] = part
        return result
    # Planes are resized in floating point, then converted.
    assert orientation == 1 and rule == "fill"
    (kr, kb), full = MATRICES[kind[:5]], kind.endswith("full")
    box, _ = boxes((width, height), region, rule, out)
    half = tuple(v / 2 for v in box)
    cw, ch = (width + 1) // 2, (height + 1) // 2
    planes = [source(width, height, 1)[:, :, 0]]
    chroma = source(cw, ch, 2, seed=40)
    # Gentle chroma, so that few colours lie outside the cube.
    chroma = 96 + chroma // 4
    planes += [chroma[:, :, 0], chroma[:, :, 1]]
    y, cb, cr = (
        np.asarray(resize(p, out, b, float_mode=True), np.float64)
        for p, b in zip(planes, (box, half, half))
    )
    if full:
        y, pb, pr = y, cb - 128, cr - 128
    else:
        y, pb, pr = (y - 16) * 255 / 219, (cb - 128) * 255 / 224, (cr - 128) * 255 / 224
    red = y + 2 * (1 - kr) * pr
    blue = y + 2 * (1 - kb) * pb
    green = (y - kr * red - kb * blue) / (1 - kr - kb)
    return np.clip(np.rint(np.stack([red, green, blue], -1)), 0, 255).astype(np.uint8)


ALL = (0, 0, 1, 1)
PART = (0.125, 0.25, 0.5, 0.375)
CASES = (
    # Every orientation, shrunk and enlarged, all of the picture and a part of it.
    [("rgb", 61, 47, o, ALL, "fill", 24, 20) for o in range(1, 9)]
    + [("rgb", 64, 48, o, PART, "fill", 15, 11) for o in range(1, 9)]
    + [("rgb", 16, 9, o, PART, "fill", 19, 23) for o in range(1, 9)]
    # Crops, and parts at the borders.
    + [("rgb", 80, 45, o, ALL, "crop", 32, 32) for o in (1, 6)]
    + [("rgb", 80, 40, o, ALL, "fit", 32, 32) for o in (1, 3, 8)]
    + [("rgb", 40, 30, 1, r, "fill", 17, 13) for r in (
        (0, 0, 0.25, 0.25), (0.75, 0.75, 0.25, 0.25), (0, 0.5, 1, 0.03125), (0.875, 0, 0.125, 1))]
    # One pixel, one row, one column.
    + [("rgb", w, h, 1, ALL, "fill", 8, 5) for w, h in ((1, 1), (1, 9), (9, 1), (2, 2), (3, 1))]
    # Gray, and the same size.
    + [("gray", 37, 29, o, ALL, "fill", 16, 9) for o in (1, 5)]
    + [("rgb", 20, 15, 1, ALL, "fill", 20, 15), ("gray", 19, 5, 1, ALL, "fill", 40, 33)]
    # Far down: more rows in an output than one pass of 16-bit sums takes.
    + [("rgb", 50, 2000, 1, ALL, "fill", 10, 13), ("rgb", 1900, 60, 6, ALL, "fill", 7, 9)]
    + [("rgb", 640, 480, 1, ALL, "fill", 41, 33), ("gray", 333, 400, 1, ALL, "fill", 100, 17)]
    # Plain resizing.
    + [(k, 53, 31, 1, ALL, "resize", w, h) for k in ("gray", "rgb", "rgba")
       for w, h in ((20, 12), (60, 9), (53, 40))]
    # Separate planes.
    + [(k, w, h, 1, r, "fill", 24, 20) for k in (
        "bt601video", "bt601full", "bt709video", "bt709full")
       for w, h, r in ((96, 80, ALL), (61, 47, ALL), (64, 48, PART))]
)

if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent
    lines, data = [], bytearray()
    for kind, width, height, orientation, region, rule, w, h in CASES:
        numbers = " ".join(repr(float(v)) for v in region)
        lines.append(f"{kind} {width} {height} {orientation} {numbers} {rule} {w} {h}")
        result = expected(kind, width, height, orientation, region, rule, (w, h))
        data += np.ascontiguousarray(result, np.uint8).tobytes()
    (folder / "cases.txt").write_text("\n".join(lines) + "\n")
    (folder / "expected.bin").write_bytes(bytes(data))
    print(f"{len(lines)} cases, {len(data)} bytes")
