#!/usr/bin/env python3
"""Writes pictures.pack and streams.pack, the golden files of the PNG and zlib tests.

    python3 Fixtures/golden/png/generate.py            # needs Pillow and NumPy
    python3 Fixtures/golden/png/generate.py --unpack DIRECTORY   # writes the single files

Every picture is made here from stored samples, with a writer of its own for what Pillow cannot write
(interlacing, bit depths, chosen filters, split IDAT chunks). Its expected samples are computed here
from the rules of the specification, and compared with what Pillow decodes. Where Pillow is known to
differ, `pillow_differs` says why, and the comparison must fail.

pictures.pack, all integers big-endian:
    u32 number of pictures, then for each:
        text name, u32 width, u32 height, u8 channels, u8 orientation,
        u32 byte count and the expected samples, u16 number of files, then for each:
            text name, u32 byte count and the PNG file
    text: u8 byte count and UTF-8.

streams.pack:
    u32 number of streams, then for each:
        text name, u32 output byte count, u32 CRC-32 of the output, u32 byte count and the zlib stream
"""

import io
import os
import struct
import sys
import warnings
import zlib

import numpy as np
from PIL import Image, ImageFile

HERE = os.path.dirname(os.path.abspath(__file__))
SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}
NAMES = {GRAY: "gray", RGB: "rgb", PALETTE: "palette", GRAY_ALPHA: "grayalpha", RGBA: "rgba"}
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]

random = np.random.default_rng(20240607)
fresh = np.random.default_rng(20250607)


# --- a PNG writer --------------------------------------------------------------------------------


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed_rows(samples, depth):
    """Bytes of each row of samples [height, width, channels]."""
    height = samples.shape[0]
    rows = samples.reshape(height, -1)
    if depth == 16:
        return [row.astype(">u2").tobytes() for row in rows]
    if depth == 8:
        return [row.astype(np.uint8).tobytes() for row in rows]
    result = []
    for row in rows:
        bits = "".join(format(int(value), f"0{depth}b") for value in row)
        bits += "0" * (-len(bits) % 8)
        result.append(bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)))
    return result


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def filtered(row, above, kind, distance):
    out = bytearray()
    for i, x in enumerate(row):
        a = row[i - distance] if i >= distance else 0
        b = above[i]
        c = above[i - distance] if i >= distance else 0
        out.append((x - [0, a, b, (a + b) // 2, paeth(a, b, c)][kind]) % 256)
    return bytes(out)


def stored_rows(samples, depth, filters, interlaced):
    """The uncompressed stream: filter numbers come from `filters` in turn."""
    distance = max(1, samples.shape[2] * depth // 8)
    stream, count = b"", 0
    for x0, y0, dx, dy in ADAM7 if interlaced else [(0, 0, 1, 1)]:
        part = samples[y0::dy, x0::dx]
        if part.size == 0:
            continue
        rows = packed_rows(part, depth)
        above = bytes(len(rows[0]))
        for row in rows:
            kind = filters[count % len(filters)]
            stream += bytes([kind]) + filtered(row, above, kind, distance)
            above, count = row, count + 1
    return stream


def png(samples, depth, color_type, filters=(0, 1, 2, 3, 4), interlaced=False, palette=None,
        transparency=None, parts=1, level=6, extra=b"", tail=b""):
    height, width = samples.shape[:2]
    data = zlib.compress(stored_rows(samples, depth, filters, interlaced), level)
    result = SIGNATURE
    result += chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, interlaced))
    result += extra
    if palette is not None:
        result += chunk(b"PLTE", palette.astype(np.uint8).tobytes())
    if transparency is not None:
        result += chunk(b"tRNS", transparency)
    step = -(-len(data) // parts)
    for start in range(0, len(data), step):
        result += chunk(b"IDAT", data[start : start + step])
        if parts > 3:
            result += chunk(b"IDAT", b"")
    return result + tail + chunk(b"IEND", b"")


# --- the expected samples --------------------------------------------------------------------------


def expected(samples, depth, color_type, palette=None, transparency=None):
    """What the decoder must return: [height, width, channels] of 8 bits."""
    if color_type == PALETTE:
        colors = palette[samples[:, :, 0]].astype(np.uint8)
        if transparency is None:
            return colors
        alpha = np.full(256, 255, np.uint8)
        alpha[: len(transparency)] = list(transparency)
        return np.concatenate([colors, alpha[samples]], axis=2)
    eight = (samples >> 8 if depth == 16 else samples * (255 // ((1 << depth) - 1))).astype(np.uint8)
    if color_type == GRAY_ALPHA:
        return np.concatenate([eight[:, :, :1]] * 3 + [eight[:, :, 1:]], axis=2)
    if transparency is None:
        return eight
    key = np.array(struct.unpack(f">{samples.shape[2]}H", transparency)) & ((1 << depth) - 1)
    alpha = np.where((samples == key).all(axis=2, keepdims=True), 0, 255).astype(np.uint8)
    return np.concatenate([eight] * (1 if color_type == RGB else 3) + [alpha], axis=2)


def pillow(data, channels):
    image = Image.open(io.BytesIO(data))
    image.load()
    return np.asarray(image.convert({1: "L", 3: "RGB", 4: "RGBA"}[channels])).reshape(
        image.height, image.width, channels)


def pillow_differs(depth, color_type, transparency):
    """Why Pillow gives other samples, or None."""
    if color_type == GRAY and depth == 16:
        return "kept as I;16, whose conversion to L clips"
    if color_type == GRAY and depth in (2, 4) and transparency is not None:
        return "the transparent value is not scaled like the samples"
    if depth == 16 and transparency is not None:
        return "the transparent colour of 16 bits is compared with samples of 8 bits"
    return None


# --- pictures --------------------------------------------------------------------------------------


def sample_picture(width, height, depth, channels):
    """A gradient with noise, so that all filters and all bits have work to do."""
    y, x, c = np.mgrid[0:height, 0:width, 0:channels]
    top = (1 << depth) - 1
    smooth = (x * (3 + c) + y * (5 - c)) / (3.0 * width + 5.0 * height) * top
    noise = random.integers(-(top // 6) - 1, top // 6 + 2, smooth.shape)
    return np.clip(smooth + noise, 0, top).astype(np.int64)


pictures = []


def add(name, want, files, orientation=1):
    pictures.append((name, want, orientation, files))


def check(name, data, want, reason):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same = np.array_equal(pillow(data, want.shape[2]), want)
    if reason is None:
        assert same, f"{name}: Pillow decodes something else"
    return same


def add_type(color_type, depth, size, transparent):
    width, height = size
    samples = sample_picture(width, height, depth, CHANNELS[color_type])
    palette = transparency = None
    if color_type == PALETTE:
        count = min(1 << depth, 200)
        samples = np.minimum(samples, count - 1)
        palette = random.integers(0, 256, (count, 3))
        if transparent:
            alpha_count = [1, 2, 5, 100][[1, 2, 4, 8].index(depth)]
            transparency = bytes(random.integers(0, 256, alpha_count).tolist())
    elif transparent:
        key = np.maximum(samples[height // 2, width // 2], 1)
        # One more pixel of that colour, and one that differs in the lowest bit.
        samples[0, 0] = key
        samples[height - 1, width - 1] = key
        samples[height - 1, width - 1, 0] ^= 1
        transparency = struct.pack(f">{len(key)}H", *key.tolist())
    want = expected(samples, depth, color_type, palette, transparency)
    name = f"{NAMES[color_type]}{depth}{'-transparent' if transparent else ''}-{width}x{height}"
    files = []
    for interlaced in (False, True):
        data = png(samples, depth, color_type, palette=palette, transparency=transparency,
                   interlaced=interlaced)
        reason = pillow_differs(depth, color_type, transparency)
        same = check(name, data, want, reason)
        if reason and size == (33, 17):
            assert not same, f"{name}: Pillow agrees, although: {reason}"
        files.append(("interlaced" if interlaced else "plain", data))
    add(name, want, files)


def add_types():
    sizes = [(1, 1), (2, 3), (7, 5), (8, 8), (33, 17)]
    plain = [(t, d) for t in (GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA) for d in (1, 2, 4, 8, 16)
             if d in {GRAY: (1, 2, 4, 8, 16), PALETTE: (1, 2, 4, 8)}.get(t, (8, 16))]
    for color_type, depth in plain:
        for size in sizes:
            add_type(color_type, depth, size, False)
    for color_type, depth in plain:
        if color_type in (GRAY, RGB, PALETTE):
            for size in sizes[3:]:
                add_type(color_type, depth, size, True)


def add_small_interlaced():
    for height in range(1, 10):
        for width in range(1, 10):
            samples = sample_picture(width, height, 8, 1)
            want = expected(samples, 8, GRAY)
            data = png(samples, 8, GRAY, interlaced=True)
            check("small", data, want, None)
            add(f"small-{width}x{height}", want, [("interlaced", data)])


def add_filters():
    for color_type, depth in ((GRAY, 2), (GRAY, 8), (GRAY_ALPHA, 8), (RGB, 8), (RGBA, 8), (RGB, 16),
                              (RGBA, 16)):
        samples = random.integers(0, 1 << depth, (6, 19, CHANNELS[color_type]))
        want = expected(samples, depth, color_type)
        files = []
        for kind in range(5):
            data = png(samples, depth, color_type, filters=(kind,))
            check("filters", data, want, None)
            files.append((f"filter{kind}", data))
        add(f"filters-{NAMES[color_type]}{depth}", want, files)


def add_structures():
    samples = sample_picture(21, 13, 8, 3)
    want = expected(samples, 8, RGB)
    text = chunk(b"tEXt", b"Comment\0nothing") + chunk(b"gAMA", struct.pack(">I", 100000))
    files = [
        ("parts2", png(samples, 8, RGB, parts=2)),
        ("parts5", png(samples, 8, RGB, parts=5)),
        ("parts40", png(samples, 8, RGB, parts=40)),
        ("stored", png(samples, 8, RGB, level=0)),
        ("other-chunks", png(samples, 8, RGB, extra=text, tail=chunk(b"tIME", bytes(7)))),
        ("suggested-palette", png(samples, 8, RGB, palette=np.zeros((4, 3)))),
        ("bytes-after-end", png(samples, 8, RGB) + b"more"),
    ]
    for name, data in files:
        check(name, data, want, None)
    add("structures", want, files)

    indices = random.integers(0, 4, (5, 9, 1))
    palette = random.integers(0, 256, (7, 3))
    want = expected(indices, 2, PALETTE, palette)
    data = png(indices, 2, PALETTE, palette=palette)
    check("long palette", data, want, None)
    add("palette2-with-seven-colors", want, [("plain", data)])
    data = png(indices, 2, PALETTE, palette=palette, transparency=b"")
    add("palette2-with-empty-alpha", expected(indices, 2, PALETTE, palette, b""), [("plain", data)])


def add_pillow_files():
    rgb = Image.fromarray(sample_picture(23, 11, 8, 3).astype(np.uint8))
    rgba = Image.fromarray(sample_picture(23, 11, 8, 4).astype(np.uint8))
    for image in (rgb, rgba, rgb.convert("L"), rgba.convert("LA"), rgb.convert("1"), rgb.quantize(5),
                  rgb.quantize(90)):
        channels = {"RGB": 3, "RGBA": 4, "L": 1, "LA": 4, "1": 1, "P": 3}[image.mode]
        files = []
        for level in (1, 9):
            buffer = io.BytesIO()
            image.save(buffer, "PNG", compress_level=level)
            files.append((f"level{level}", buffer.getvalue()))
        add(f"pillow-{image.mode}-{len(image.getcolors(999))}", pillow(files[0][1], channels), files)
    small = rgb.crop((0, 0, 3, 2))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0110] = "camera"
        exif[0x0112] = orientation
        buffer = io.BytesIO()
        small.save(buffer, "PNG", exif=exif)
        samples = np.asarray(small).astype(np.int64)
        block = exif.tobytes()
        files = [
            ("pillow", buffer.getvalue()),
            ("with-prefix", png(samples, 8, RGB, tail=chunk(b"eXIf", block))),
            ("big-endian", png(samples, 8, RGB, extra=chunk(
                b"eXIf", b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)))),
        ]
        for _, data in files[:1]:
            assert Image.open(io.BytesIO(data)).getexif()[0x0112] == orientation
        add(f"orientation{orientation}", np.asarray(small), files, orientation)


def text_orientations(orientation):
    """Text chunks that say how a picture stands, as Photoshop and ImageMagick write them."""
    block = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    digits = block.hex()
    lines = "\n".join(digits[i : i + 72] for i in range(0, len(digits), 72))
    raw = lambda name: f"\n{name}\n{len(block):8}\n{lines}\n".encode()
    attribute = b"<rdf:Description tiff:Orientation=\"%d\"/>" % orientation
    element = b"<tiff:Orientation>%d</tiff:Orientation>" % orientation
    xmp = b"XML:com.adobe.xmp\0"
    return {
        "xmp-attribute": chunk(b"iTXt", xmp + b"\0\0\0\0" + attribute),
        "xmp-element": chunk(b"iTXt", xmp + b"\0\0en\0XMP\0" + element),
        "xmp-packed": chunk(b"iTXt", xmp + b"\1\0\0\0" + zlib.compress(element)),
        "raw-exif": chunk(b"tEXt", b"Raw profile type exif\0" + raw("exif")),
        "raw-exif-packed": chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(raw("exif"))),
        "raw-app1-packed": chunk(b"zTXt", b"Raw profile type APP1\0\0" + zlib.compress(raw("generic profile"))),
    }


def add_text_orientations():
    samples = fresh_picture(3, 2)
    for orientation in range(1, 9):
        files = []
        for name, text in text_orientations(orientation).items():
            for place in ("extra", "tail"):
                data = png(samples, 8, RGB, **{place: text})
                image = Image.open(io.BytesIO(data))
                image.load()
                # Pillow does not know ImageMagick's older name.
                assert "app1" in name or image.getexif()[0x0112] == orientation, name
                files.append((f"{name}-{place}", data))
        # Each beats those behind it.
        kinds = text_orientations(orientation % 8 + 1)
        exif = chunk(b"eXIf", b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0))
        files.append(("exif-beats-text", png(samples, 8, RGB, extra=kinds["raw-exif"], tail=exif)))
        files.append(("raw-beats-xmp", png(
            samples, 8, RGB, extra=kinds["xmp-packed"] + text_orientations(orientation)["raw-exif"])))
        add(f"text-orientation{orientation}", samples.astype(np.uint8), files, orientation)


def fresh_picture(width, height):
    """Colours from a generator of their own."""
    return fresh.integers(0, 256, (height, width, 3))


def add_leniencies():
    """What libpng reads with a warning."""
    samples = fresh_picture(7, 5)
    header = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 7, 5, 8, RGB, 0, 0, 0))
    rows = stored_rows(samples, 8, (4,), False)
    data, end = zlib.compress(rows), chunk(b"IEND", b"")
    wrong = lambda kind, body: chunk(kind, body)[:-1] + bytes([chunk(kind, body)[-1] ^ 1])
    # A checksum of the rows alone: surplus rows come before it.
    longer = zlib.compress(rows + bytes(22))
    files = [
        ("bytes-behind-stream", header + chunk(b"IDAT", data + b"surplus") + end),
        ("chunk-behind-stream", header + chunk(b"IDAT", data) + chunk(b"IDAT", b"surplus") + end),
        ("chunk-behind-others", header + chunk(b"IDAT", data) + chunk(b"tEXt", b"a\0b")
         + chunk(b"IDAT", b"surplus") + end),
        ("surplus-row", header + chunk(b"IDAT", longer) + end),
        ("surplus-rows", header + chunk(b"IDAT", zlib.compress(rows + bytes(200_000))) + end),
        ("damaged-text", header + wrong(b"tEXt", b"a\0b") + chunk(b"IDAT", data) + wrong(b"zTXt", b"c\0\0d") + end),
        ("damaged-others", header + wrong(b"sPLT", b"name\0\x08" + bytes(6)) + wrong(b"gAMA", bytes(4))
         + wrong(b"iCCP", b"x\0\0") + wrong(b"pHYs", bytes(9)) + chunk(b"IDAT", data) + wrong(b"tIME", bytes(7)) + end),
        ("no-end", header + chunk(b"IDAT", data)),
        ("cut-in-text", header + chunk(b"IDAT", data) + chunk(b"tEXt", b"a\0text")[:-6]),
        ("cut-in-end", header + chunk(b"IDAT", data) + end[:-1]),
    ]
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    for name, file in files:
        # Pillow's rows are whole, but it gives up at a text that is cut.
        if name != "cut-in-text":
            check(name, file, samples, None)
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    add("lenient", samples.astype(np.uint8), files)


# --- zlib streams ------------------------------------------------------------------------------------


def sources():
    words = ["die", "dice", "top", "face", "pip", "roll", "value", "tray", "six", "\n"]
    text = " ".join(words[i] for i in random.integers(0, len(words), 500)).encode()
    skewed = bytes(np.minimum(random.exponential(9, 1500).astype(int), 255).tolist())
    noise = random.integers(0, 256, 600, np.uint8).tobytes()
    runs = b"".join(bytes([i]) * (i * 5 % 300 + 1) for i in range(0, 120, 3))
    short = b"".join(bytes(range(i)) * (40 // i + 2) for i in range(1, 20))
    return {"empty": b"", "one": b"A", "text": text, "skewed": skewed, "noise": noise, "runs": runs,
            "short-distances": short}


def streams():
    strategies = {"default": zlib.Z_DEFAULT_STRATEGY, "filtered": zlib.Z_FILTERED,
                  "huffman": zlib.Z_HUFFMAN_ONLY, "rle": zlib.Z_RLE, "fixed": zlib.Z_FIXED}
    result = []

    def add_stream(name, data, level=6, strategy=zlib.Z_DEFAULT_STRATEGY, memory=8, window=15,
                   flush=None):
        maker = zlib.compressobj(level, zlib.DEFLATED, window, memory, strategy)
        stream = b""
        if flush is not None:
            for start in range(0, len(data), 100):
                stream += maker.compress(data[start : start + 100]) + maker.flush(flush)
        else:
            stream = maker.compress(data)
        stream += maker.flush()
        assert zlib.decompress(stream) == data
        result.append((name, data, stream))

    for source, data in sources().items():
        for level in (0, 1, 6, 9):
            for strategy, value in strategies.items():
                if level == 6 or strategy == "default":
                    add_stream(f"{source}-{level}-{strategy}", data, level, value)
        add_stream(f"{source}-small-blocks", data, 9, memory=1)
        add_stream(f"{source}-small-window", data, 9, window=9)
    text = sources()["text"]
    add_stream("text-sync-flush", text, 9, flush=zlib.Z_SYNC_FLUSH)
    add_stream("text-full-flush", text, 9, flush=zlib.Z_FULL_FLUSH)
    zeros = bytes(400_000)
    add_stream("zeros", zeros, 9)
    # Matches at the largest distances, and output much longer than the window.
    noise = random.integers(0, 256, 8000, np.uint8).tobytes()
    far = (noise + bytes(32768 - 262 - len(noise))) * 6
    add_stream("far", far, 9)
    levels = np.cumsum(random.integers(-2, 3, 24000)).astype(np.uint8).tobytes()
    add_stream("walk", levels * 5, 6)
    # Codes of up to 15 bits: counts that grow like Fibonacci numbers.
    counts, a, b = [], 1, 1
    while a < 12000:
        counts.append(a)
        a, b = b, a + b
    steps = b"".join(bytes([i * 7]) * count for i, count in enumerate(counts))
    shuffled = np.frombuffer(steps, np.uint8)[random.permutation(len(steps))].tobytes()
    add_stream("long-codes", shuffled, 9, zlib.Z_HUFFMAN_ONLY, memory=9)
    return result


# --- packing -------------------------------------------------------------------------------------------


def text(value):
    data = value.encode()
    return struct.pack(">B", len(data)) + data


def blob(data):
    return struct.pack(">I", len(data)) + data


def main():
    add_types()
    add_small_interlaced()
    add_filters()
    add_structures()
    add_pillow_files()
    add_text_orientations()
    add_leniencies()
    packed = struct.pack(">I", len(pictures))
    for name, want, orientation, files in pictures:
        height, width, channels = want.shape
        packed += text(name) + struct.pack(">IIBB", width, height, channels, orientation)
        packed += blob(want.astype(np.uint8).tobytes()) + struct.pack(">H", len(files))
        for file_name, data in files:
            packed += text(file_name) + blob(data)
    all_streams = streams()
    packed_streams = struct.pack(">I", len(all_streams))
    for name, data, stream in all_streams:
        packed_streams += text(name) + struct.pack(">II", len(data), zlib.crc32(data)) + blob(stream)
    if sys.argv[1:2] == ["--unpack"]:
        os.makedirs(sys.argv[2], exist_ok=True)
        for name, _, _, files in pictures:
            for file_name, data in files:
                with open(os.path.join(sys.argv[2], f"{name}-{file_name}.png"), "wb") as file:
                    file.write(data)
        return
    for name, data in (("pictures.pack", packed), ("streams.pack", packed_streams)):
        with open(os.path.join(HERE, name), "wb") as file:
            file.write(data)
        print(name, len(data))
    print(len(pictures), "pictures,", sum(len(p[3]) for p in pictures), "files,",
          len(all_streams), "streams")


if __name__ == "__main__":
    main()
