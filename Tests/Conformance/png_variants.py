"""PNG files of every kind, written with the writer of the golden files.

Each variant is (feature, name, bytes, wanted): `wanted` is None where libpng decides, "error" where
the file must be refused, or an orientation.
"""

import os
import struct
import sys
import zlib

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../Fixtures/golden/png"))
import generate as writer  # noqa: E402

TYPES = {writer.GRAY: (1, 2, 4, 8, 16), writer.RGB: (8, 16), writer.PALETTE: (1, 2, 4, 8),
         writer.GRAY_ALPHA: (8, 16), writer.RGBA: (8, 16)}
SIZES = [(1, 1), (2, 9), (5, 3), (8, 8), (31, 2), (1, 40), (37, 19)]


def make(color_type, depth, size, transparent=False, **options):
    width, height = size
    samples = writer.sample_picture(width, height, depth, writer.CHANNELS[color_type])
    palette = transparency = None
    if color_type == writer.PALETTE:
        count = 1 << depth
        palette = writer.random.integers(0, 256, (count, 3))
        if transparent:
            transparency = bytes(writer.random.integers(0, 256, max(1, count // 2)).tolist())
    elif transparent:
        key = samples[height // 2, width // 2]
        samples[0, 0] = key
        transparency = struct.pack(f">{len(key)}H", *key.tolist())
    return writer.png(samples, depth, color_type, palette=palette, transparency=transparency, **options)


def types():
    for color_type, depths in TYPES.items():
        for depth in depths:
            kind = f"{writer.NAMES[color_type]} {depth} bit"
            for size in SIZES:
                for interlaced in (False, True):
                    name = f"{kind}-{size[0]}x{size[1]}{'-interlaced' if interlaced else ''}"
                    feature = "Adam7 interlacing" if interlaced else kind
                    yield feature, name, make(color_type, depth, size, interlaced=interlaced), None
            if color_type in (writer.GRAY, writer.RGB, writer.PALETTE):
                for interlaced in (False, True):
                    yield ("transparent colours (tRNS)", f"{kind}-transparent-{interlaced}",
                           make(color_type, depth, (19, 14), True, interlaced=interlaced), None)


def filters():
    for color_type, depths in TYPES.items():
        for depth in depths:
            for kind in range(5):
                yield (f"filter {kind}", f"filter{kind}-{color_type}-{depth}",
                       make(color_type, depth, (23, 6), filters=(kind,)), None)


def compression():
    for level in range(10):
        yield "compression level", f"level{level}", make(writer.RGB, 8, (40, 30), level=level), None
    samples = writer.sample_picture(40, 30, 8, 3)
    rows = writer.stored_rows(samples, 8, (1, 4), False)
    header = writer.chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0))
    strategies = {"filtered": zlib.Z_FILTERED, "huffman": zlib.Z_HUFFMAN_ONLY, "rle": zlib.Z_RLE,
                  "fixed": zlib.Z_FIXED}
    for name, strategy in strategies.items():
        for window in (9, 12, 15):
            maker = zlib.compressobj(9, zlib.DEFLATED, window, 1, strategy)
            data = maker.compress(rows) + maker.flush()
            yield ("compression strategy", f"{name}{window}", writer.SIGNATURE + header
                   + writer.chunk(b"IDAT", data) + writer.chunk(b"IEND", b""), None)
    for parts in (2, 3, 10, 100):
        yield "split image data", f"parts{parts}", make(writer.RGB, 8, (40, 30), parts=parts), None


def other_chunks():
    chunk = writer.chunk
    extras = {
        "gamma 1": chunk(b"gAMA", struct.pack(">I", 100000)),
        "gamma 0.45": chunk(b"gAMA", struct.pack(">I", 45455)),
        "sRGB": chunk(b"sRGB", b"\0"),
        "chromaticities": chunk(b"cHRM", struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000,
                                                      15000, 6000)),
        "resolution": chunk(b"pHYs", struct.pack(">IIB", 2835, 2835, 1)),
        "background": chunk(b"bKGD", struct.pack(">3H", 1, 2, 3)),
        "text": chunk(b"tEXt", b"Comment\0x" * 50),
        "compressed text": chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"x" * 500)),
        "international text": chunk(b"iTXt", "Title\0\0\0de\0Würfel\0Würfel".encode()),
        "time": chunk(b"tIME", struct.pack(">HBBBBB", 2024, 2, 29, 23, 59, 60)),
        "private": chunk(b"diCe", b"anything"),
        "empty private": chunk(b"vpAg", b""),
        "animation": chunk(b"acTL", struct.pack(">II", 1, 0)),
        "suggested palette": chunk(b"sPLT", b"name\0\x08" + bytes(12)),
    }
    for name, extra in extras.items():
        yield "other chunks ignored", f"{name}-before", make(writer.RGB, 8, (9, 7), extra=extra), None
    for name in ("text", "time", "private", "international text"):
        yield ("other chunks ignored", f"{name}-after",
               make(writer.RGB, 8, (9, 7), tail=extras[name]), None)
    yield "bytes behind the end", "behind", make(writer.GRAY, 8, (9, 7)) + b"\0" * 40, None


def orientations():
    for orientation in range(1, 9):
        for order, mark in ((">", b"MM\0*"), ("<", b"II*\0")):
            block = mark + struct.pack(order + "IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
            yield ("EXIF orientation", f"orientation{orientation}{'be' if order == '>' else 'le'}",
                   make(writer.RGB, 8, (4, 3), extra=writer.chunk(b"eXIf", block)), orientation)
        for name, text in writer.text_orientations(orientation).items():
            yield ("orientation in text", f"{name}{orientation}",
                   make(writer.RGB, 8, (4, 3), tail=text), orientation)


def damaged(kind, data):
    """A file with a chunk whose checksum is wrong."""
    extra = writer.chunk(kind, data)
    return make(writer.RGB, 8, (9, 7), extra=extra[:-1] + bytes([extra[-1] ^ 1]))


def lenient():
    samples = writer.sample_picture(9, 7, 8, 3)
    header = writer.SIGNATURE + writer.chunk(b"IHDR", struct.pack(">IIBBBBB", 9, 7, 8, 2, 0, 0, 0))
    rows = writer.stored_rows(samples, 8, (2,), False)
    data, end, text = zlib.compress(rows), writer.chunk(b"IEND", b""), writer.chunk(b"tEXt", b"a\0b")
    idat = lambda content: writer.chunk(b"IDAT", content)
    cases = {
        "bytes behind the stream": header + idat(data + b"more") + end,
        "a chunk behind the stream": header + idat(data) + idat(b"more") + end,
        "a chunk behind others": header + idat(data) + text + idat(b"more") + end,
        "a surplus row": header + idat(zlib.compress(rows + bytes(28))) + end,
        "many surplus rows": header + idat(zlib.compress(rows + bytes(999_999))) + end,
    }
    for kind, content in ((b"tEXt", b"a\0b"), (b"zTXt", b"a\0\0b"), (b"iTXt", b"a"), (b"sPLT", b"a\0\x08"),
                          (b"gAMA", bytes(4)), (b"iCCP", b"a\0\0b"), (b"tIME", bytes(7)), (b"pHYs", bytes(9))):
        cases[f"damaged {kind.decode()}"] = damaged(kind, content)
    for name, content in cases.items():
        yield "read with a warning", name, content, None


def refused():
    good = make(writer.RGB, 8, (9, 7))
    header = lambda *values: writer.SIGNATURE + writer.chunk(
        b"IHDR", struct.pack(">IIBBBBB", *values)) + good[33:]
    cases = {
        "zero width": header(0, 7, 8, 2, 0, 0, 0), "zero height": header(9, 0, 8, 2, 0, 0, 0),
        "huge": header(1 << 31, 7, 8, 2, 0, 0, 0), "3 bits": header(9, 7, 3, 2, 0, 0, 0),
        "1-bit colour": header(9, 7, 1, 2, 0, 0, 0), "colour type 5": header(9, 7, 8, 5, 0, 0, 0),
        "compression 1": header(9, 7, 8, 2, 1, 0, 0), "filtering 1": header(9, 7, 8, 2, 0, 1, 0),
        "interlacing 2": header(9, 7, 8, 2, 0, 0, 2),
        "taller than its data": header(9, 8, 8, 2, 0, 0, 0),
        "unknown critical chunk": make(writer.RGB, 8, (9, 7), extra=writer.chunk(b"ABCD", b"")),
        "wrong checksum": good[:-6] + bytes([good[-6] ^ 1]) + good[-5:],
        "damaged signature": b"\x8aPNG" + good[4:],
        "no palette": writer.png(writer.sample_picture(4, 4, 8, 1), 8, writer.PALETTE),
        "filter 5": writer.SIGNATURE + good[8:33] + writer.chunk(b"IDAT", zlib.compress(
            b"\x05" + bytes(27) + bytes(28 * 6))) + writer.chunk(b"IEND", b""),
        "cut": good[:-20], "two headers": good[:33] + good[8:],
        "damaged palette": damaged(b"PLTE", bytes(3)), "damaged transparency": damaged(b"tRNS", bytes(6)),
        "Apple's": writer.SIGNATURE + writer.chunk(b"CgBI", b"P\0 \2") + good[8:],
    }
    for name, data in cases.items():
        yield "refused as they must", name, data, "error"


def variants():
    for group in (types, filters, compression, other_chunks, orientations, lenient, refused):
        yield from group()
