#!/usr/bin/env python3
"""Writes the golden files of the video tests. Needs FFmpeg (5.1, with zimg) and NumPy.

    python3 Fixtures/golden/video/generate.py

source.rgb            two frames of 26 x 18, red, green and blue
NAME.y4m              the same as a YUV4MPEG2 stream; samples from FFmpeg, header by FFmpeg (ffmpeg-*) or here
NAME-nearest.rgb      what FFmpeg makes of it, with the chroma sample that a pixel shares
NAME-linear.rgb       what FFmpeg makes of it, with chroma interpolated linearly from where it lies
deep-NAME.y4m         a frame of more than 8 bits, of 4:1:1 (24 x 18) or with alpha, as FFmpeg writes it
deep-NAME.planes      its planes in 8 bits as zimg rounds them (gray: NumPy), 4:1:1 as 4:2:2, without alpha
pictures.mjpeg        five JPEG files, one after another, from FFmpeg
multipart.mjpeg       the same files as FFmpeg's mpjpeg message
pictures.txt          the sizes of the files in bytes, as FFmpeg stores them one by one
"""

import os
import subprocess
import tempfile

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
W, H, FRAMES = 26, 18, 2
QUALITY = "accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"


def ffmpeg(*arguments, data=None):
    command = ["ffmpeg", "-v", "error", "-nostdin" if data is None else "-y", *arguments, "-"]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def write(name, data):
    with open(os.path.join(here, name), "wb") as file:
        file.write(data)


def smooth(values, times):
    for _ in range(times):
        for axis in (1, 2):
            values = (np.roll(values, 1, axis) + 2 * values + np.roll(values, -1, axis)) / 4
    return values


random = np.random.default_rng(3)
light = smooth(random.uniform(-1, 1, (5, H, W, 1)), 1) * 90
tint = smooth(random.uniform(-1, 1, (5, H, W, 3)), 3) * 420
pictures = np.clip(np.rint(128 + light + tint), 0, 255).astype(np.uint8)
source = pictures[:FRAMES].tobytes()
write("source.rgb", source)

RAW = ["-f", "rawvideo", "-s", f"{W}x{H}", "-r", "30000/1001"]

# name, pixel format, range, place of chroma in 1/256 of a chroma sample, header behind the size
cases = [
    ("420jpeg", "yuv420p", "tv", (128, 128), "F30000:1001 Ip A1:1 C420jpeg"),
    ("420mpeg2", "yuv420p", "tv", (0, 128), "F25:1 I? A0:0 C420mpeg2 XYSCSS=420MPEG2"),
    ("420paldv", "yuv420p", "tv", (0, 0), "F25:1 Ip C420paldv"),
    ("422", "yuv422p", "tv", (0, 128), "F0:0 C422 XCOLORRANGE=LIMITED"),
    ("444", "yuv444p", "tv", (0, 0), "F50:1 C444 Xanything XCOLORRANGE=LIMITED"),
    ("444-full", "yuv444p", "pc", (0, 0), "F50:1 C444 XCOLORRANGE=FULL"),
    ("420-full", "yuv420p", "pc", (128, 128), "C420 XCOLORRANGE=FULL"),
    ("mono", "gray", "pc", (0, 0), "Cmono"),
    ("mono-limited", "gray", "tv", (0, 0), "Cmono XCOLORRANGE=LIMITED"),
]
for name, layout, extent, (x, y), header in cases:
    # FFmpeg takes gray for full range whatever it is told.
    told = "pc" if layout == "gray" else extent
    place = f"out_h_chr_pos={x}:out_v_chr_pos={y}"
    planes = ffmpeg(
        *RAW, "-pix_fmt", "rgb24", "-i", "-", "-vf",
        f"scale=flags=bilinear+{QUALITY}:out_range={told}:out_color_matrix=bt601:{place},format={layout}",
        "-f", "rawvideo", data=source)
    if name == "mono-limited":
        planes = np.rint(np.frombuffer(planes, np.uint8) * (219 / 255) + 16).astype(np.uint8).tobytes()
    size = len(planes) // FRAMES
    stream = f"YUV4MPEG2 W{W} H{H} {header}\n".encode()
    for i in range(FRAMES):
        stream += b"FRAME" + (b" Xcomment" if i == 1 else b"") + b"\n" + planes[i * size:(i + 1) * size]
    write(f"{name}.y4m", stream)
    assert ffmpeg("-f", "yuv4mpegpipe", "-i", "-", "-pix_fmt", layout, "-f", "rawvideo",
                  data=stream) == planes, name
    for kind in ("nearest", "linear"):
        if name == "mono-limited":
            gray = np.frombuffer(planes, np.uint8).astype(float)
            levels = np.clip(np.rint((gray - 16) * 255 / 219), 0, 255).astype(np.uint8)
            result = np.repeat(levels, 3).tobytes()
        else:
            if kind == "nearest":
                # Takes the shared sample where chroma is said to lie in the middle.
                convert = (f"scale=flags=neighbor+{QUALITY}:in_range={told}:in_color_matrix=bt601:"
                           f"in_h_chr_pos=128:in_v_chr_pos=128,format=rgb24")
            else:
                # zimg: swscale does not keep to the place of chroma when it interpolates.
                location = {(128, 128): "center", (0, 128): "left", (0, 0): "topleft"}[x, y]
                extents = {"tv": "limited", "pc": "full"}
                convert = (f"zscale=filter=bilinear:dither=none:matrixin=470bg:matrix=gbr:range=full:"
                           f"rangein={extents[told]}:chromalin={location},format=gbrp,format=rgb24")
                if layout == "gray":
                    convert = "format=rgb24"
            result = ffmpeg(
                *RAW, "-pix_fmt", layout, "-i", "-", "-vf", convert, "-f", "rawvideo", data=planes)
        if kind == "linear" or "42" in name:
            write(f"{name}-{kind}.rgb", result)

for layout, extent in (("yuv420p", "tv"), ("yuv422p", "tv"), ("yuv444p", "tv"), ("gray", "pc"), ("yuvj420p", "pc")):
    write(f"ffmpeg-{layout}.y4m", ffmpeg(
        *RAW, "-pix_fmt", "rgb24", "-i", "-", "-pix_fmt", layout, "-f", "yuv4mpegpipe", data=source))

deep = [
    ("420p10", "yuv420p10le", "tv", "yuv420p"), ("420p10-full", "yuv420p10le", "pc", "yuv420p"),
    ("422p10", "yuv422p10le", "tv", "yuv422p"), ("444p10", "yuv444p10le", "tv", "yuv444p"),
    ("444p12-full", "yuv444p12le", "pc", "yuv444p"), ("420p14", "yuv420p14le", "tv", "yuv420p"),
    ("420p9", "yuv420p9le", "tv", "yuv420p"), ("444p16", "yuv444p16le", "tv", "yuv444p"),
    ("mono10", "gray10le", "pc", "gray"), ("mono16", "gray16le", "pc", "gray"),
    ("444alpha", "yuva444p", "tv", "yuv444p"), ("411", "yuv411p", "tv", "yuv422p"),
]
for name, layout, extent, plain in deep:
    # zimg wants whole groups of four.
    crop = "crop=24:18:0:0," if name == "411" else ""
    stream = ffmpeg(
        *RAW, "-pix_fmt", "rgb24", "-i", "-", "-frames:v", "1", "-strict", "-1", "-vf",
        f"{crop}scale=flags=bilinear+{QUALITY}:out_range={extent}:out_color_matrix=bt601,format={layout}",
        "-f", "yuv4mpegpipe", data=source)
    write(f"deep-{name}.y4m", stream)
    if plain == "gray":
        # zimg takes full gray for limited: NumPy scales it.
        samples = np.frombuffer(stream[stream.index(b"FRAME\n") + 6:], "<u2")
        largest = 2 ** int(name.removeprefix("mono")) - 1
        write(f"deep-{name}.planes", np.rint(samples / largest * 255).astype(np.uint8).tobytes())
        continue
    place = ":chromalin=left:chromal=left" if name == "411" else ""
    extents = {"tv": "limited", "pc": "full"}[extent]
    opaque = "format=yuv444p," if name == "444alpha" else ""
    write(f"deep-{name}.planes", ffmpeg(
        "-f", "yuv4mpegpipe", "-i", "-", "-vf",
        f"{opaque}zscale=filter=bilinear:dither=none:rangein={extents}:range={extents}{place},format={plain}",
        "-f", "rawvideo", data=stream))

with tempfile.TemporaryDirectory() as folder:
    stream = ffmpeg(*RAW, "-pix_fmt", "rgb24", "-i", "-", "-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p",
                    "-flags", "+bitexact", "-f", "mjpeg", data=pictures.tobytes())
    write("pictures.mjpeg", stream)
    write("multipart.mjpeg", ffmpeg("-f", "mjpeg", "-i", "-", "-c", "copy", "-f", "mpjpeg", data=stream))
    subprocess.run(["ffmpeg", "-v", "error", "-f", "mjpeg", "-i", "-", "-c", "copy", "-f", "image2",
                    os.path.join(folder, "%d.jpg")], input=stream, check=True)
    files = [open(os.path.join(folder, f"{i + 1}.jpg"), "rb").read() for i in range(5)]
    assert b"".join(files) == stream
    write("pictures.txt", "".join(f"{len(file)}\n" for file in files).encode())
