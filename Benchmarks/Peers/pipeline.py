"""Compares whole pipelines, from a picture file to values; called by `pipeline`."""

import os
import shutil
import subprocess
import sys

import numpy as np
from PIL import Image

from protocol import Engine, Failure, compare
from report import HERE, OURS, WORK, options, publish, skip, tool, version

FOLDER = os.path.join(WORK, "pipeline")
FULL = f"{OURS}-full"
PEERS = {
    "pillow+onnxruntime+numpy": "pillow",
    "pillow-draft+onnxruntime+numpy": "pillow-draft",
}


def make_picture(path):
    """4000 by 3000 pixels with grain, as from a telephone."""
    with Image.open("Fixtures/scenes/scene-14.jpg") as scene:
        large = np.asarray(scene.convert("RGB").resize((4000, 3000), Image.Resampling.BICUBIC))
    grain = np.random.default_rng(14).integers(-8, 8, large.shape)
    Image.fromarray(np.clip(large + grain, 0, 255).astype(np.uint8)).save(path, quality=90)


def dice(engine):
    path = os.path.join(FOLDER, f"{engine.name}.f32")
    engine.output(path)
    return np.fromfile(path, np.float32).reshape(-1, 6)


def overlap(one, other):
    low = np.maximum(one[2:4], other[2:4])
    high = np.minimum(one[2:4] + one[4:6], other[2:4] + other[4:6])
    shared = np.prod(np.maximum(high - low, 0))
    return shared / (np.prod(one[4:6]) + np.prod(other[4:6]) - shared)


def verify(engine, wanted):
    """The same values from left to right, at the same places."""
    found = dice(engine)
    if found[:, 0].tolist() != wanted[:, 0].tolist():
        raise Failure(f"it reads {found[:, 0].tolist()}, not {wanted[:, 0].tolist()}")
    least = min(overlap(one, other) for one, other in zip(found, wanted))
    if least < 0.8:
        raise Failure(f"a box overlaps ours by {least:.2f} only")


def main():
    parser = options("A picture file to the values of its dice, in turns.", rounds=5, runs=10)
    parser.add_argument("--picture", help="a JPEG file with dice; without it, one is made")
    arguments = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    picture = os.path.join(FOLDER, "picture.jpg")
    if arguments.picture:
        shutil.copyfile(arguments.picture, picture)
    else:
        make_picture(picture)
    with Image.open(picture) as file:
        size = "x".join(map(str, file.size))
    subprocess.run(
        [tool("dicevision"), "export", "--output", os.path.join(FOLDER, "model.onnx")], check=True)

    results = []
    for threads in arguments.threads:
        command = [tool("detector-benchmark"), "engine", "picture", "--threads", str(threads),
                   "--input", picture]
        ours = Engine(OURS, command, threads, os.path.join(FOLDER, "ours.log"))
        wanted = dice(ours)
        if not len(wanted):
            sys.exit("there are no dice in the picture")
        commands = {FULL: [*command, "--resolution", "full"]}
        for name, kind in PEERS.items():
            commands[name] = [sys.executable, os.path.join(HERE, "pipeline_engine.py"), kind,
                              str(threads), FOLDER]
        peers = []
        for name, command in commands.items():
            try:
                peer = Engine(name, command, threads, os.path.join(FOLDER, f"{name}.log"))
                try:
                    verify(peer, wanted)
                except Failure:
                    peer.close()
                    raise
                peers.append(peer)
            except Failure as failure:
                skip(name, failure)
        for result in compare(
                ours, peers, arguments.rounds, arguments.warm, arguments.runs, skip):
            if result["engine"] in PEERS:
                result["version"] = f"{version('pillow')}, {version('onnxruntime')}"
            results.append(result)
    publish(arguments, "pipelines", results, picture=size,
            pictureByteCount=os.path.getsize(picture),
            values=[int(value) for value in wanted[:, 0]])


main()
