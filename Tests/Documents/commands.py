"""Runs every command of the documents, in a folder with files of the names that they use.

    python3 commands.py TOOL FOLDER [DOCUMENT...]
    python3 commands.py --list     prints what would be run, and with which tools, in place of it

TOOL is the built `dicevision`, beside its sister programs; FOLDER is made anew. A block whose language is
`sh` is run as it stands, unless an HTML comment directly above it says why not:

    <!-- not run: REASON -->     a device is needed, or it is run elsewhere
    <!-- needs: PROGRAM -->      it is run where the program, or Debian's Python module, is installed;
                                 `PyPI` where packages can be taken from there
    <!-- command -->             run and compared by Tests/Commands/run

Trainings, renderings and benchmarks are cut short by stand-ins, which call the real ones with fewer
samples, scenes and rounds: what is checked is that the call is right. `curl` has one that answers
every request with a picture.
"""

import functools
import gzip
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import wave
from pathlib import Path

from documents import ROOT, blocks, documents

STAND_IN = """#!/usr/bin/env bash
# Cuts what takes long: a later value of an option is not allowed, so the given one is replaced.
set -euo pipefail
command=${1:-}
[ $# -eq 0 ] || shift
case $command in
  train | evaluate) [ $# -eq 0 ] || { command="$command $1"; shift; } ;;
esac
arguments=()
replace() { # $1 the option, $2 its value
  local kept=() skips=
  for argument in ${arguments[@]+"${arguments[@]}"}; do
    if [ -n "$skips" ]; then skips=; elif [ "$argument" = "$1" ]; then skips=1; else kept+=("$argument"); fi
  done
  arguments=(${kept[@]+"${kept[@]}"} "$1" "$2")
}
arguments=("$@")
case $command in
  "train dice")
    if [[ " ${arguments[*]} " == *" --recipe "* ]]; then replace --effort 0.00002
    else
      replace --samples 4; replace --batch 2
      [[ " ${arguments[*]} " == *" second-stage "* ]] || { replace --input 96; replace --crop 96; }
      [[ " ${arguments[*]} " == *" --restart "* ]] || arguments+=(--restart)
    fi ;;
  "train actions")
    replace --samples 64; replace --folds 2
    [[ " ${arguments[*]} " != *" --seen-figures "* ]] || replace --seen-figures 1
    arguments+=(--force) ;;
  "train flights")
    replace --parks 2; replace --gardens 0; replace --sessions 0; replace --validation 0; replace --samples 256
    arguments+=(--force) ;;
  "train speech")
    replace --samples 4; replace --batch 2
    [[ " ${arguments[*]} " == *" --restart "* ]] || arguments+=(--restart) ;;
  "train poses")
    replace --epochs 0.5; replace --batch 2; replace --size 64; arguments+=(--force --restart) ;;
  "train people")
    replace --samples 4; replace --batch 2; replace --size 64; arguments+=(--force --restart) ;;
  render)
    replace --count 1
    [[ " ${arguments[*]} " == *" --session "* ]] || { replace --width 96; replace --height 96; } ;;
esac
[ -n "$command" ] || exec "$TOOL"
exec "$TOOL" $command ${arguments[@]+"${arguments[@]}"}
"""

# Swift, in the checkout, and its benchmarks cut short. Linking Swift's own library into the program
# would build everything anew.
SWIFT_STAND_IN = """#!/usr/bin/env bash
set -euo pipefail
command=$1
shift
arguments=()
for argument in "$@"; do
  [ "$argument" = --static-swift-stdlib ] || arguments+=("$argument")
done
set -- ${arguments[@]+"${arguments[@]}"}
short=()
case "$command $*" in
  run*detector-benchmark*) short=(--rounds 1) ;;
  run*roll-benchmark*) short=(--count 1 --frames 1000) ;;
esac
exec "$SWIFT" "$command" --package-path "$ROOT" "$@" ${short[@]+"${short[@]}"}
"""

# A script of Benchmarks, which works in the checkout: what it writes into a document goes to the
# copy of that.
BENCHMARK_STAND_IN = """#!/usr/bin/env bash
set -euo pipefail
before=() after=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
    --write) before+=(--write "$PWD/$2"); shift 2 ;;
    *) before+=("$1"); shift ;;
  esac
done
exec bash "$ROOT/SCRIPT" ${before[@]+"${before[@]}"} SHORT "$@"
"""
BENCHMARKS = {
    "Benchmarks/Peers/run": "--rounds 1 --runs 1",
    "Benchmarks/Peers/pipeline": "--rounds 1 --runs 1",
    "Benchmarks/Peers/contours": "--rounds 1 --runs 1",
    "Benchmarks/Peers/imported": "--rounds 1 --runs 1",
    "Benchmarks/Peers/suppression": "--rounds 1 --runs 1",
    "Benchmarks/Accuracy/run": "--count 1",
    "Benchmarks/Ablation/run": "--samples 20",
}


def speech(folder, environment):
    """A corpus of words, two of each of two voices, a recording, and weights that hear them badly."""
    corpus = folder / "corpus"
    corpus.mkdir()
    lines = []
    for voice in ("fsdd-theo", "other"):
        for index, words in enumerate(("zero", "twenty four", "two four", "*")):
            name = f"{voice}-{index}.wav"
            with wave.open(str(corpus / name), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(8000)
                file.writeframes(b"".join(
                    struct.pack("<h", (place * (index + 3) % 97 - 48) * 200) for place in range(4000)))
            lines.append(f"{name}\t{voice}\t{words}\n")
    (corpus / "labels.tsv").write_text("".join(lines))
    shutil.copy(corpus / "other-1.wav", folder / "answer.wav")
    subprocess.run(
        ["dicevision", "train", "speech", "corpus", "--output", "speech.dvweights"], cwd=folder,
        env=environment, check=True, capture_output=True)


def digits(folder):
    """A folder as MNIST comes, with as many drawings as a command needs to be tried out."""
    folder.mkdir()
    count, side = 20, 28
    for part in ("train", "t10k"):
        labels = bytes(index % 10 for index in range(count))
        pixels = b"".join(
            bytes((label * 25 + place) % 256 for place in range(side * side)) for label in labels)
        (folder / f"{part}-images-idx3-ubyte").write_bytes(
            struct.pack(">4i", 0x803, count, side, side) + pixels)
        (folder / f"{part}-labels-idx1-ubyte").write_bytes(struct.pack(">2i", 0x801, count) + labels)


def joint_sequences(path):
    """Labelled sequences of joints: a body whose right hand moves, differently for each label."""
    lines = []
    for index in range(20):
        label = ("overhand", "underhand", "none", "none")[index % 4]
        frames = []
        for frame in range(16):
            height = {"overhand": 60 - 4 * frame, "underhand": 4 * frame}.get(label, 40)
            places = [
                (0, -25), (-10, 0), (10, 0), (-16, height / 2), (16, 20), (-20, height), (18, 40),
                (-7, 50), (7, 50), (-7, 75), (7, 75), (-7, 100), (7, 100)]
            frames.append([[100 + x + index, 100 + y, 1] for x, y in places])
        lines.append(json.dumps({"id": f"n{index}", "label": label, "frames": frames}) + "\n")
    path.write_text("".join(lines))
def strokes(folder):
    """Digits as strokes with their writers, which are drawings too."""
    lines = "".join(
        f'{{"id": "{index}", "writer": "w{index % 3}", "label": "{index % 10}", '
        f'"strokes": [[[{index}, 0], [{5 * index}, 40], [20, 90]]]}}\n' for index in range(20))
    (folder / "drawings.jsonl").write_text(lines)
    (folder / "strokes.jsonl.gz").write_bytes(gzip.compress(lines.encode()))


def people(folder):
    """Pictures with the joints of somebody, as the Leeds data set has them, and pictures without."""
    picture = ROOT / "Fixtures" / "scenes" / "scene-15.jpg"
    names = ["ankle", "knee", "hip"]
    names = [f"right {name}" for name in names] + [f"left {name}" for name in reversed(names)]
    names += ["right wrist", "right elbow", "right shoulder", "left shoulder", "left elbow", "left wrist"]
    places = [[60 + 12 * (index % 7), 40 + 16 * (index % 9), 2] for index in range(14)]
    images = []
    (folder / "people" / "images").mkdir(parents=True)
    for index in range(40):
        name = f"{index}.jpg"
        shutil.copy(picture, folder / "people" / "images" / name)
        images.append({"image": name, "people": [{"joints": places}]})
    (folder / "people" / "annotations.json").write_text(
        json.dumps({"joints": names + ["neck", "top of head"], "images": images}))
    shutil.copytree(picture.parent, folder / "places")


def flatbuffer(root, identifier):
    """A file of tables: a table is a dict from its fields' numbers to whole numbers, text, lists or tables."""
    data = bytearray(8)
    data[4:8] = identifier

    def refer(place, value):
        while len(data) % 4:
            data.append(0)
        if isinstance(value, dict):
            count = max(value, default=-1) + 1
            table = bytes(2 * (count % 2)) + struct.pack("<HH", 4 + 2 * count, 4 + 4 * len(value))
            slots = {field: 4 + 4 * index for index, field in enumerate(value)}
            table += b"".join(struct.pack("<H", slots.get(field, 0)) for field in range(count))
            start = len(data) + len(table)
            data.extend(table + struct.pack("<i", 4 + 2 * count) + bytes(4 * len(value)))
            inside = [(start + slots[field], part) for field, part in value.items()]
        elif isinstance(value, str):
            start = len(data)
            data.extend(struct.pack("<I", len(value)) + value.encode() + b"\0")
            inside = []
        else:
            start = len(data)
            data.extend(struct.pack("<I", len(value)) + bytes(4 * len(value)))
            inside = [(start + 4 + 4 * index, part) for index, part in enumerate(value)]
        struct.pack_into("<I", data, place, start - place)
        for slot, part in inside:
            if isinstance(part, int):
                struct.pack_into("<i", data, slot, part)
            else:
                refer(slot, part)

    refer(0, root)
    return bytes(data)


def models(folder, size):
    """A darknet model of one convolution and a head, an array for its input, and a TensorFlow Lite model."""
    tensors = [{0: [1, 8, 8, 3], 1: 0, 2: 0, 3: name} for name in ("image", "output")]
    rectifier = {0: 19, 2: 1, 3: 19}
    graph = {0: tensors, 1: [0], 2: [1], 3: [{0: 0, 1: [0], 2: [1]}]}
    (folder / "detect.tflite").write_bytes(
        flatbuffer({0: 3, 1: [rectifier], 2: [graph], 4: [{}]}, b"TFL3"))
    (folder / "yolo.cfg").write_text(
        f"[net]\nwidth={size}\nheight={size}\nchannels=3\n[convolutional]\nfilters=6\nsize=3\n"
        "stride=16\npad=1\nactivation=linear\n[yolo]\nanchors=32,32\nclasses=1\nnum=1\n")
    (folder / "yolo.weights").write_bytes(
        struct.pack("<3iQ", 0, 2, 5, 0) + struct.pack("<f", 0.5) * (6 + 6 * 3 * 9))
    (folder / "coco.names").write_text("die\n")
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': (1, 3, {size}, {size}), }}\n"
    (folder / "picture.npy").write_bytes(
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
        + bytes(3 * size * size))


def board(path):
    """A picture of eight by eight squares on a table, as a portable graymap."""
    side, cell, margin = 320, 30, 40

    def gray(x, y):
        column, row = (x - margin) // cell, (y - margin) // cell
        if not (0 <= column < 8 and 0 <= row < 8):
            return 120
        return 60 if (column + row) % 2 else 200
    pixels = bytes(gray(x, y) for y in range(side) for x in range(side))
    path.write_bytes(b"P5\n%d %d\n255\n" % (side, side) + pixels)


def rolls(path):
    """A log of sixty rolls of a die."""
    events = []
    for roll in range(1, 61):
        value = roll * roll % 7 % 6 + 1
        box = {"x": roll, "y": 10, "width": 60, "height": 60}
        events.append({"event": "rollEnded", "frame": 30 * roll, "time": roll, "roll": roll, "values": [value],
                       "sum": value, "dice": [{"identity": roll, "value": value, "box": box}]})
    path.write_text("".join(json.dumps(event) + "\n" for event in events))


def stage(folder, tool):
    """A folder with a picture, a film, sets of photos and weights, under all names in use."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)

    def program(name, text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    for name in ("", "-game", "-table", "-throws", "-workshop"):
        program(f"bin/dicevision{name}", STAND_IN)
    program("bin/swift", SWIFT_STAND_IN)
    program("bin/curl", '#!/bin/sh\nexec cat "$HOME/table.jpg"\n')
    for name, short in BENCHMARKS.items():
        program(name, BENCHMARK_STAND_IN.replace("SCRIPT", name).replace("SHORT", short))
    scenes = ROOT / "Fixtures" / "scenes"
    for name in ("roll.jpg", "table.jpg", "throw.jpg", "homework.jpg"):
        shutil.copy(scenes / "scene-15.jpg", folder / name)
    # What a file is, its first bytes say.
    board(folder / "board.jpg")
    annotations = (scenes / "annotations.json").read_text()
    for name in ("photos", "mine", "scenes"):
        shutil.copytree(scenes, folder / name)
        (folder / name / "validation.json").write_text(annotations)
        shutil.copy(scenes / "scene-15.jpg", folder / name / "roll.jpg")
    for name in ("a", "b", "set", "faces", "whole"):
        (folder / f"{name}.json").write_text(annotations)
    shutil.copytree(scenes, folder / "images")
    (folder / "Sources" / "Kits" / "DiceVisionWeights").mkdir(parents=True)
    shutil.copytree(ROOT / "Docs", folder / "Docs", ignore=shutil.ignore_patterns(".build*"))
    (folder / "Fixtures").symlink_to(ROOT / "Fixtures")
    # The placeholder of a folder with sets of photos.
    (folder / "PHOTOS").mkdir()
    for name in ("byler-d6", "other"):
        for sets in ("photos", "PHOTOS"):
            shutil.copytree(scenes, folder / sets / name)
            (folder / sets / name / "validation.json").write_text(annotations)
    clip = ROOT / "Fixtures" / "clips" / "throw-34.mjpeg"
    if shutil.which("ffmpeg"):
        for name in ("roll.mp4", "roll.y4m", "throw.mp4", "throw.y4m", "game.mp4"):
            subprocess.run(
                ["ffmpeg", "-loglevel", "error", "-framerate", "30", "-i", clip, "-pix_fmt",
                 "yuv420p", folder / name], check=True)
    environment = os.environ | {
        "TOOL": str(tool), "ROOT": str(ROOT), "SWIFT": shutil.which("swift") or "swift",
        "HOME": str(folder), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "SWIFT_BACKTRACE": "enable=no"}
    subprocess.run(
        ["dicevision", "train", "dice", "--from", "standard", "--output", "mine.dvweights",
         "set.json"], cwd=folder, env=environment, check=True, capture_output=True)
    # Game pieces, with words for labels.
    subprocess.run(
        ["dicevision", "render", "--style", "pieces", "--output", "pieces"], cwd=folder,
        env=environment, check=True, capture_output=True)
    # A data set of YOLO's.
    subprocess.run(
        ["dicevision", "convert-annotations", "set.json", "--to", "yolo", "--output", "data"],
        cwd=folder, env=environment, check=True, capture_output=True)
    (folder / "data" / "images").symlink_to("../images")
    for name in ("dice", "new", "small"):
        shutil.copy(folder / "mine.dvweights", folder / f"{name}.dvweights")
    speech(folder, environment)
    digits(folder / "mnist")
    joint_sequences(folder / "throws.jsonl")
    rolls(folder / "rolls.jsonl")
    strokes(folder)
    people(folder)
    subprocess.run(
        ["dicevision", "render", "--session", "--output", "film"], cwd=folder, env=environment,
        check=True, capture_output=True)
    for name, options in (("yolo", []), ("seg", ["--flexible"])):
        subprocess.run(
            ["dicevision", "export", *options, "--output", f"{name}.onnx"], cwd=folder,
            env=environment, check=True, capture_output=True)
    subprocess.run(
        ["dicevision", "export", "--output", "detector.mlmodel"], cwd=folder, env=environment,
        check=True, capture_output=True)
    models(folder, 416)
    # Put the picture of the tool's examples under its other name.
    subprocess.run(
        ["dicevision", "detect", "--annotate", "table.png", "table.jpg"], cwd=folder,
        env=environment, check=True, capture_output=True)
    return environment


@functools.cache
def is_installed(name):
    """Whether there is a program or a module of the system's Python, or packages can be had."""
    if name == "PyPI":
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run(
                [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries", "1",
                 "--disable-pip-version-check", "--dest", folder, "six"],
                capture_output=True).returncode == 0
    return shutil.which(name) is not None or subprocess.run(
        ["/usr/bin/python3", "-c", f"import {name}"], capture_output=True).returncode == 0


def reason_to_leave_out(block):
    """Why a block is not run, or None."""
    marker = block.marker.split("\n")[0].strip()
    if marker == "command":
        return "run by Tests/Commands/run"
    if marker.startswith("not run:"):
        return marker
    if marker.startswith("needs:"):
        program = marker.removeprefix("needs:").strip()
        return None if is_installed(program) else f"{program} is not there"
    return None


def command_blocks(document):
    return [block for block in blocks(document) if block.language == "sh"]


def main():
    if sys.argv[1:] == ["--list"]:
        for document in documents():
            for block in command_blocks(document):
                print(document.relative_to(ROOT), block.marker, block.code, sep="\n")
        return
    tool, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    wanted = [Path(name).resolve() for name in sys.argv[3:]]
    environment = stage(folder, tool)
    # Every document finds the folder as it was made, and nothing that another's commands wrote.
    pristine = folder.with_name(folder.name + "-pristine")
    shutil.rmtree(pristine, ignore_errors=True)
    shutil.move(folder, pristine)
    run, left_out, failed = 0, 0, 0
    for document in documents():
        if wanted and document not in wanted:
            continue
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(pristine, folder, symlinks=True)
        for block in command_blocks(document):
            reason = reason_to_leave_out(block)
            if reason:
                left_out += 1
                print(f"-- {block.place}: left out ({reason})")
                continue
            result = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", block.code], cwd=folder, env=environment,
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900)
            run += 1
            if result.returncode != 0:
                failed += 1
                print(f"{block.place}: status {result.returncode}\n{block.code}\n{result.stderr}",
                      file=sys.stderr)
    print(f"{run} commands were run, {left_out} left out, {failed} failed")
    if failed or (not wanted and run < 20):
        sys.exit(1)


main()
