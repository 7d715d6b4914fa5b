"""JPEG files of every kind, made with cjpeg, jpegtran and Pillow.

Each variant is (feature, name, bytes, wanted): `wanted` is None where djpeg decides, "error WORDS" where
the file must be refused with these words, or an orientation.
"""

import io
import os
import struct
import subprocess
import tempfile

import numpy as np
from PIL import Image

random = np.random.default_rng(77)
SIZES = [(1, 1), (2, 5), (7, 3), (8, 8), (9, 17), (16, 16), (33, 15), (70, 41), (21, 147)]
SAMPLINGS = {"4:4:4": "1x1", "4:2:2": "2x1", "4:2:0": "2x2", "4:4:0": "1x2", "4:1:1": "4x1",
             "4:1:0": "4x2", "4:4:1": "1x4", "3x1": "3x1", "luma below chroma": "1x1,2x1,1x2"}
SCANS = {
    "spectral selection": "0,1,2: 0-0; 0: 1-5; 1: 1-63; 2: 1-63; 0: 6-63;",
    "each band": "0,1,2: 0-0; " + " ".join(f"{c}: {a}-{a + 8};" for c in range(3)
                                          for a in range(1, 63, 9)),
    "successive approximation": "0,1,2: 0-0, 0, 1; 0: 1-63, 0, 2; 1: 1-63, 0, 1; 2: 1-63, 0, 1; "
    "0: 1-63, 2, 1; 0,1,2: 0-0, 1, 0; 0: 1-63, 1, 0; 1: 1-63, 1, 0; 2: 1-63, 1, 0;",
    "deep approximation": "0,1,2: 0-0, 0, 3; 0,1,2: 0-0, 3, 2; 0,1,2: 0-0, 2, 1; 0,1,2: 0-0, 1, 0; "
    + " ".join(f"{c}: 1-63, 0, 3; {c}: 1-63, 3, 2; {c}: 1-63, 2, 1; {c}: 1-63, 1, 0;"
               for c in range(3)),
    "first coefficients apart": "0: 0-0, 0, 1; 1: 0-0, 0, 1; 2: 0-0, 0, 1; 0: 0-0, 1, 0; 1: 0-0, 1, 0; "
    "2: 0-0, 1, 0; 0: 1-63; 1: 1-63; 2: 1-63;",
    "chroma first": "2: 0-0; 1: 0-0; 0: 0-0; 2: 1-63; 1: 1-63; 0: 1-2; 0: 3-63;",
}
SEQUENTIAL = {"components apart": "0; 1; 2;", "luma apart": "0; 1 2;", "chroma first": "2; 1; 0;"}


def picture(width, height):
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.stack([128 + 127 * np.sin(x / 3 + y / 7), 255 * x / max(width - 1, 1),
                       255 * ((x // 5 + y // 4) % 2)], 2) + random.normal(0, 9, (height, width, 3))
    return pixels.clip(0, 255).round().astype(np.uint8)


def cjpeg(pixels, *options, scans=None):
    height, width = pixels.shape[:2]
    pnm = b"P6\n%d %d\n255\n" % (width, height) + pixels.tobytes()
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["cjpeg", *options]
        if scans:
            path = os.path.join(folder, "scans")
            with open(path, "w") as file:
                for scan in filter(None, map(str.strip, scans.split(";"))):
                    # A progressive scan states its approximation.
                    rest = ", 0, 0" if ":" in scan and scan.count(",", scan.index(":")) == 0 else ""
                    file.write(f"{scan}{rest};\n")
            arguments += ["-scans", path]
        return subprocess.run(arguments, input=pnm, check=True, capture_output=True).stdout


def jpegtran(data, *options):
    return subprocess.run(["jpegtran", "-copy", "all", *options], input=data, check=True,
                          capture_output=True).stdout


def segment(marker, content):
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def samplings():
    for name, factors in SAMPLINGS.items():
        for size in SIZES:
            for process, options in (("baseline", ()), ("progressive", ("-progressive",))):
                data = cjpeg(picture(*size), "-quality", "85", "-sample", factors, *options)
                yield f"{process} {name}", f"{name}-{process}-{size[0]}x{size[1]}", data, None


def settings():
    for quality in (1, 5, 20, 50, 75, 90, 98, 100):
        for options in ((), ("-optimize",), ("-progressive",)):
            yield ("quality 1 to 100", f"quality{quality}{''.join(options)}",
                   cjpeg(picture(41, 29), "-quality", str(quality), *options), None)
    for method in ("int", "fast", "float"):
        yield "transform of the encoder", method, cjpeg(picture(41, 29), "-dct", method), None
    for smoothing in (1, 50, 100):
        yield ("transform of the encoder", f"smooth{smoothing}",
               cjpeg(picture(41, 29), "-smooth", str(smoothing)), None)
    yield "16-bit quantization tables", "tables", cjpeg(picture(41, 29), "-quality", "1"), None
    for size in SIZES:
        for options in ((), ("-progressive",), ("-optimize",), ("-restart", "1B")):
            yield ("grayscale", f"gray-{size[0]}x{size[1]}{''.join(options)}",
                   cjpeg(picture(*size), "-grayscale", *options), None)
    for size in ((7, 3), (33, 15)):
        for options in ((), ("-progressive",), ("-sample", "2x2,1x1,1x1")):
            yield ("RGB components", f"rgb-{size[0]}{''.join(options)}",
                   cjpeg(picture(*size), "-rgb", *options), None)


def restarts():
    for interval in ("1B", "2B", "3B", "7B", "1", "2"):
        for factors in ("1x1", "2x2", "2x1"):
            for options in ((), ("-progressive",)):
                yield ("restart intervals", f"restart{interval}-{factors}{''.join(options)}",
                       cjpeg(picture(70, 41), "-restart", interval, "-sample", factors, *options), None)


def scan_scripts():
    for name, scans in SCANS.items():
        for factors in ("1x1", "2x2", "2x1", "1x2"):
            for size in ((33, 15), (16, 16)):
                data = cjpeg(picture(*size), "-quality", "92", "-sample", factors, scans=scans)
                yield f"scans: {name}", f"{name}-{factors}-{size[0]}", data, None
    for name, scans in SEQUENTIAL.items():
        for factors in ("1x1", "2x2"):
            data = cjpeg(picture(33, 15), "-sample", factors, scans=scans)
            yield "sequential in several scans", f"{name}-{factors}", data, None


def transformed():
    base = cjpeg(picture(64, 48), "-quality", "90", "-sample", "2x1")
    for options in (("-rotate", "90"), ("-rotate", "180"), ("-flip", "horizontal"), ("-transpose",),
                    ("-transverse",), ("-crop", "31x17+16+8"), ("-progressive",), ("-optimize",),
                    ("-restart", "1"), ("-grayscale",), ("-rotate", "270", "-progressive")):
        yield "rewritten by jpegtran", "".join(options), jpegtran(base, *options), None


def structures():
    base = cjpeg(picture(20, 14))
    frame = base.index(b"\xff\xc0")
    inserts = {
        "comment": segment(0xFE, b"text"), "long comment": segment(0xFE, bytes(65533)),
        "application data": b"".join(segment(0xE2 + i, bytes(range(i * 10))) for i in range(12)),
        "fill bytes": b"\xff" * 9, "restart interval 0": segment(0xDD, b"\0\0"),
        "thumbnail with markers": segment(0xE1, b"Other\0" + base),
        "profile": segment(0xE2, b"ICC_PROFILE\0\1\1" + bytes(400)),
    }
    for name, extra in inserts.items():
        yield "other segments ignored", name, base[:frame] + extra + base[frame:], None
    yield "bytes behind the end", "behind", base + bytes(100), None
    for orientation in range(1, 9):
        for order, mark in ((">", b"MM\0*"), ("<", b"II*\0")):
            block = mark + struct.pack(order + "IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
            data = base[:2] + segment(0xE1, b"Exif\0\0" + block) + base[2:]
            yield "EXIF orientation", f"{orientation}{mark[:2].decode()}", data, orientation
    for quality in (30, 95):
        for subsampling in (0, 1, 2):
            for progressive in (False, True):
                buffer = io.BytesIO()
                Image.fromarray(picture(37, 23)).save(
                    buffer, "JPEG", quality=quality, subsampling=subsampling, progressive=progressive)
                yield ("written by Pillow", f"pillow-{quality}-{subsampling}-{progressive}",
                       buffer.getvalue(), None)


def arithmetic():
    for size in SIZES:
        for name, factors in SAMPLINGS.items():
            for options in ((), ("-progressive",), ("-restart", "1B"), ("-progressive", "-restart", "2B")):
                yield (f"arithmetic{' progressive' if '-progressive' in options else ''}",
                       f"{name}-{size[0]}x{size[1]}{''.join(options)}",
                       cjpeg(picture(*size), "-arithmetic", "-sample", factors, *options), None)
    for quality in (1, 40, 100):
        for options in (("-grayscale",), ("-rgb",), ("-grayscale", "-progressive"), ("-rgb", "-progressive")):
            yield ("arithmetic gray and RGB", f"arithmetic{quality}{''.join(options)}",
                   cjpeg(picture(41, 29), "-arithmetic", "-quality", str(quality), *options), None)
    for name, scans in {**SCANS, **SEQUENTIAL}.items():
        yield "arithmetic scan scripts", name, cjpeg(picture(33, 15), "-arithmetic", scans=scans), None
    coded = cjpeg(picture(33, 26), "-arithmetic", "-grayscale")
    for band in (1, 2, 20, 63):
        yield ("arithmetic conditions", f"band{band}",
               coded[:2] + segment(0xCC, bytes([0x10, band])) + coded[2:], None)
    for bounds in (0x00, 0x20, 0x31, 0x53, 0xF0):
        yield ("arithmetic conditions", f"bounds{bounds}",
               coded[:2] + segment(0xCC, bytes([0, bounds])) + coded[2:], None)


def inks():
    for width, height in SIZES:
        for options in ({}, {"progressive": True}, {"subsampling": 2}, {"quality": 30}):
            y, x = np.mgrid[0:height, 0:width]
            pixels = np.dstack([picture(width, height), (x * 7 + y * 3) % 256]).astype(np.uint8)
            buffer = io.BytesIO()
            Image.fromarray(pixels, "CMYK").save(buffer, "JPEG", **options)
            cmyk = buffer.getvalue()
            name = f"{width}x{height}{options}"
            yield "CMYK, against Pillow", "inks " + name, cmyk, None
            place = cmyk.index(b"Adobe")
            yield ("YCCK, against Pillow", "inks ycck " + name,
                   cmyk[:place + 11] + b"\2" + cmyk[place + 12:], None)
            yield ("CMYK without Adobe's segment, against Pillow", "inks plain " + name,
                   cmyk[:place - 4] + cmyk[place + 12:], None)
            yield ("CMYK, arithmetic, against Pillow", "inks arithmetic " + name,
                   jpegtran(cmyk, "-arithmetic"), None)


def refused():
    base = cjpeg(picture(20, 14))
    frame = base.index(b"\xff\xc0")
    for bits in (12, 16):
        yield ("refused by name", f"{bits} bits", base[:frame + 4] + bytes([bits]) + base[frame + 5:],
               "error bits are not supported")
    kinds = {0xC3: "Lossless", 0xC5: "Hierarchical", 0xC6: "Hierarchical", 0xC7: "Hierarchical",
             0xCB: "Lossless", 0xCD: "Hierarchical", 0xCE: "Hierarchical", 0xCF: "Hierarchical"}
    for marker, kind in kinds.items():
        yield ("refused by name", f"frame {marker:X}",
               base[:frame + 1] + bytes([marker]) + base[frame + 2:], f"error {kind}")
    yield ("refused by name", "height 0", base[:frame + 5] + b"\0\0" + base[frame + 7:],
           "error DNL")
    yield ("refused by name", "width 0", base[:frame + 7] + b"\0\0" + base[frame + 9:],
           "error 0 pixels wide")
    for share in (0.3, 0.6, 0.9):
        yield "refused: cut off", f"cut {share}", base[:int(len(base) * share)], "error"


def variants():
    for group in (samplings, settings, restarts, scan_scripts, transformed, structures, arithmetic, inks,
                  refused):
        yield from group()
