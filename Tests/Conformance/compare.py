#!/usr/bin/env python3
"""Writes the variants, decodes them both ways, and prints a table of features."""

import os
import shutil
import subprocess
import sys

import numpy as np
from PIL import Image

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import jpeg_variants  # noqa: E402
import png_variants  # noqa: E402


def read_netpbm(data):
    """A PNM or PAM picture as [height, width, channels], and its greatest value."""
    if data[:2] == b"P7":
        head, _, body = data.partition(b"ENDHDR\n")
        fields = dict(line.split(None, 1) for line in head.split(b"\n")[1:] if b" " in line)
        width, height = int(fields[b"WIDTH"]), int(fields[b"HEIGHT"])
        depth, top = int(fields[b"DEPTH"]), int(fields[b"MAXVAL"])
    else:
        magic, width, height, rest = data.split(None, 3)
        width, height = int(width), int(height)
        if magic == b"P4":
            bits = np.unpackbits(np.frombuffer(rest, np.uint8).reshape(height, -1), axis=1)
            return 1 - bits[:, :width, None].astype(np.int64), 1
        top, body = rest.split(b"\n", 1)
        top, depth = int(top), 3 if magic == b"P6" else 1
    kind = ">u2" if top > 255 else np.uint8
    count = width * height * depth
    return np.frombuffer(body, kind, count).reshape(height, width, depth).astype(np.int64), top


def ffmpeg(path, shape, is_deep):
    """What FFmpeg's own PNG decoder makes of a file."""
    found = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt",
                            "rgba64be" if is_deep else "rgba", "-"], capture_output=True, check=True)
    samples = np.frombuffer(found.stdout, ">u2" if is_deep else np.uint8).reshape(*shape, 4)
    return samples.astype(np.int64) >> (8 if is_deep else 0)


def other_decoder(path, name):
    """What libpng or libjpeg-turbo decodes, as [height, width, channels] of 8 bits; None if nothing."""
    if name.startswith("inks"):
        # Pillow makes red, green and blue of what libjpeg-turbo decodes.
        return np.asarray(Image.open(path).convert("RGB")).astype(np.int64)
    if name.startswith("rgb") and "transparent" in name:
        # pngtopam leaves the transparent colour of true-colour files opaque.
        return ffmpeg(path, (14, 19), "16 bit" in name)
    command = ["pngtopam", "-alphapam", path] if path.endswith(".png") else [
        "djpeg", "-dct", "int", "-pnm", path]
    found = subprocess.run(command, capture_output=True)
    if found.returncode != 0:
        return None
    samples, top = read_netpbm(found.stdout)
    return samples >> 8 if top == 65535 else samples * (255 // top)


def own_decoder(path):
    """What the library decodes: (samples, orientation), or the message of its error."""
    with open(path + ".raw", "rb") as file:
        line = file.readline().decode().strip()
        body = file.read()
    if line.startswith("error"):
        return line
    width, height, channels, orientation = map(int, line.split())
    return np.frombuffer(body, np.uint8).reshape(height, width, channels).astype(np.int64), orientation


def with_channels(samples, count):
    """Gray as red, green and blue; a missing alpha as opaque."""
    channels = samples.shape[2]
    if channels == count:
        return samples
    alpha = samples[:, :, -1:] if channels in (2, 4) else np.full(samples.shape[:2] + (1,), 255)
    colors = samples[:, :, :1] if channels < 3 else samples[:, :, :3]
    if count in (3, 4) and colors.shape[2] == 1:
        colors = np.repeat(colors, 3, axis=2)
    return np.concatenate([colors, alpha], axis=2) if count in (2, 4) else colors


def judge(path, name, wanted):
    """(whether all is well, the largest difference or None, what is wrong)."""
    own = own_decoder(path)
    if isinstance(wanted, str):
        if not isinstance(own, str):
            return False, None, "was read"
        case = wanted.removeprefix("error").strip()
        return case in own, None, f"was refused as {own}"
    if isinstance(own, str):
        return False, None, f"was refused: {own}"
    samples, orientation = own
    if orientation != (wanted or 1):
        return False, None, f"has orientation {orientation}"
    other = other_decoder(path, name)
    if other is None:
        return False, None, "is not read by the other decoder"
    if other.shape[:2] != samples.shape[:2]:
        return False, None, f"has the shape {samples.shape}, not {other.shape}"
    channels = max(samples.shape[2], other.shape[2])
    difference = int(np.abs(with_channels(samples, channels) - with_channels(other, channels)).max())
    return difference == 0, difference, f"differs by {difference}"


def main(build):
    failed = False
    for kind, module in (("png", png_variants), ("jpg", jpeg_variants)):
        folder = os.path.join(build, kind)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        entries = []
        for index, (feature, name, data, wanted) in enumerate(module.variants()):
            path = os.path.join(folder, f"{index:04}.{kind}")
            with open(path, "wb") as file:
                file.write(data)
            entries.append((feature, name, path, wanted))
            if kind == "png" and wanted is None and index % 23 == 0:
                crushed = os.path.join(folder, f"{index:04}-crushed.png")
                if subprocess.run(["pngcrush", "-q", "-reduce", path, crushed],
                                  capture_output=True).returncode == 0:
                    entries.append(("rewritten by pngcrush", name, crushed, None))
        subprocess.run([os.path.join(build, "dump")], check=True,
                       input="".join(f"{path}\n" for _, _, path, _ in entries).encode())
        table = {}
        for feature, name, path, wanted in entries:
            well, difference, problem = judge(path, name, wanted)
            row = table.setdefault(feature, [0, 0, 0])
            row[0] += 1
            row[1] += well
            row[2] = max(row[2], difference or 0)
            if not well:
                failed = True
                print(f"{kind}: {feature}: {name} ({path}) {problem}", file=sys.stderr)
        title = {"png": "PNG, against libpng", "jpg": "JPEG, against libjpeg-turbo"}[kind]
        print(f"\n{title:<40} {'files':>6} {'right':>6} {'largest difference':>19}")
        for feature, (count, right, largest) in table.items():
            print(f"{feature:<40} {count:>6} {right:>6} {largest:>19}")
        print(f"{'all':<40} {sum(r[0] for r in table.values()):>6} "
              f"{sum(r[1] for r in table.values()):>6} {max(r[2] for r in table.values()):>19}")
    sys.exit(failed)


main(sys.argv[1])
