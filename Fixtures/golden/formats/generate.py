#!/usr/bin/env python3
"""The first bytes of files as other programs write them, to recognise formats by.

    python3 Fixtures/golden/formats/generate.py

Writes `beginnings.txt` beside this file: a line `format extension hexadecimal bytes` for each file, at
most 64 bytes of it. Needs Pillow 12 or later and ffmpeg.
"""

import io
import pathlib
import subprocess
import tempfile

from PIL import Image

PILLOW = {
    "png": ["png"], "jpeg": ["jpg"], "portableMap": ["ppm", "pgm", "pbm"], "gif": ["gif"],
    "bmp": ["bmp"], "tiff": ["tif"], "webP": ["webp"], "avif": ["avif"], "ico": ["ico"],
    "jpeg2000": ["jp2", "j2k"], "pdf": ["pdf"], "qoi": ["qoi"],
}
FFMPEG = {
    "openEXR": ["exr"], "portableArbitraryMap": ["pam"],
    "portableFloatMap": ["pfm"], "video": ["mp4", "mov", "mkv", "webm", "avi"], "y4m": ["y4m"],
    "png": ["png"], "jpeg": ["jpg"], "tiff": ["tiff"], "bmp": ["bmp"], "jpegXL": ["jxl"],
}
PIXEL_FORMATS = {"pfm": "gbrpf32le", "hdr": "gbrpf32le", "y4m": "yuv420p"}
# Files that no program here writes, from the specifications of the formats.
WRITTEN = {
    "heic": [
        ("heic", b"\0\0\0\x24ftypheic\0\0\0\0mif1MiHEMiPrmiafheic"),
        ("heif", b"\0\0\0\x1cftypmif1\0\0\0\0mif1heicmiaf"),
        ("heic", b"\0\0\0\x18ftypheix\0\0\0\0mif1heix"),
        ("heics", b"\0\0\0\x18ftyphevc\0\0\0\0msf1hevc"),
        ("heifs", b"\0\0\0\x18ftypmsf1\0\0\0\0msf1iso8"),
        ("heif", b"\0\0\0\x14ftypmif1\0\0\0\0miaf"),
        ("heif", b"\0\0\0\x14ftypmif3\0\0\0\0mif3"),
        ("heif", b"\0\0\0\x10ftypmif3\0\0\0\0"),
        ("avci", b"\0\0\0\x18ftypavci\0\0\0\0mif1avci"),
    ],
    "video": [
        ("m4v", b"\0\0\0\x18ftypM4V \0\0\0\1M4V mp42"),
        ("mp4", b"\0\0\0\x1cftypmp42\0\0\0\1isomhvc1mp41"),
        ("3gp", b"\0\0\0\x14ftyp3gp5\0\0\1\0isom"),
    ],
    "radiance": [("hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n")],
    "photoshop": [("psd", b"8BPS\0\1\0\0\0\0\0\0\0\3\0\0\0\4")],
    "cameraRaw": [
        ("cr3", b"\0\0\0\x18ftypcrx \0\0\0\1crx isom"),
        ("raf", b"FUJIFILMCCD-RAW 0201"),
    ],
    "tiff": [("btf", b"MM\0\x2b\0\x08\0\0"), ("dng", b"II*\0\x08\0\0\0")],
    "svg": [
        ("svg", b'<svg xmlns="http://www.w3.org/2000/svg">'),
        ("svg", b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- drawn -->\n<svg>'),
    ],
    "html": [("html", b"\r\n<!DOCTYPE HTML>\n<html>"), ("html", b"<html><body>404"),
             ("html", b"<!-- error --><HTML>")],
    "xml": [("xml", b'<?xml version="1.0"?><Error><Code>AccessDenied</Code>')],
    "zip": [("zip", b"PK\3\4\x14\0\0\0")],
    "gzip": [("gz", b"\x1f\x8b\x08\0")],
}

if __name__ == "__main__":
    lines = []

    def add(name, extension, data):
        lines.append(f"{name} {extension} {data[:64].hex()}")

    picture = Image.radial_gradient("L").resize((64, 64)).convert("RGB")
    for name, extensions in PILLOW.items():
        for extension in extensions:
            buffer = io.BytesIO()
            mode = {"pgm": "L", "pbm": "1"}.get(extension, "RGB")
            try:
                picture.convert(mode).save(buffer, Image.registered_extensions()["." + extension])
            except (KeyError, OSError) as error:
                print("not written:", extension, error)
                continue
            add(name, extension, buffer.getvalue())
    with tempfile.TemporaryDirectory() as folder:
        for name, extensions in FFMPEG.items():
            for extension in extensions:
                path = pathlib.Path(folder, "file." + extension)
                command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=5",
                           "-frames:v", "2" if name in ("video", "y4m") else "1", "-bitexact", path]
                if extension in PIXEL_FORMATS:
                    command[-2:-2] = ["-pix_fmt", PIXEL_FORMATS[extension]]
                if subprocess.run(command, stderr=subprocess.DEVNULL).returncode:
                    print("not written:", extension)
                    continue
                add(name, extension, path.read_bytes())
    for name, files in WRITTEN.items():
        for extension, data in files:
            add(name, extension, data)
    pathlib.Path(__file__).with_name("beginnings.txt").write_text("\n".join(lines) + "\n")
    print(len(lines), "files")
