"""Compares non-maximum suppression; called by `suppression`."""

import os
import shutil
import subprocess
import sys

import numpy as np

from protocol import Engine, Failure, compare
from report import HERE, OURS, WORK, options, publish, skip, tool

FOLDER = os.path.join(WORK, "suppression")
LIMIT = 0.5
COUNT = 10_000
# The Python that has torchvision.
PYTHON = os.environ.get("DICEVISION_TORCH_PYTHON", sys.executable)


def torchvision_version():
    call = [PYTHON, "-c", "import torchvision; print(torchvision.__version__)"]
    found = subprocess.run(call, capture_output=True, text=True)
    return found.stdout.strip() or None


def boxes(extent):
    """Boxes x, y, width, height on a grid of quarters of a pixel, and different confidences.

    All sums and products of such numbers are exact, so that both sides decide alike.
    """
    random = np.random.default_rng(5)
    places = random.integers(0, 4 * extent, (COUNT, 2)) / 4
    sizes = random.integers(80, 320, (COUNT, 2)) / 4
    confidences = (random.permutation(COUNT) + 1) / (COUNT + 1)
    return np.concatenate([places, sizes, confidences[:, None]], 1).astype(np.float32)


def kept(engine):
    path = os.path.join(FOLDER, f"{engine.name}.i32")
    engine.output(path)
    return np.fromfile(path, np.int32)


def main():
    parser = options("Suppression of 10,000 boxes, in turns.", rounds=5, runs=30, threads="1")
    arguments = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    results = []
    for name, extent in [("scattered", 10_000), ("crowded", 500)]:
        path = os.path.join(FOLDER, f"{name}.f32")
        boxes(extent).tofile(path)
        ours = Engine(
            OURS, [tool("detector-benchmark"), "engine", "suppression", "--input", path,
                   "--limit", str(LIMIT)],
            1, os.path.join(FOLDER, "ours.log"))
        wanted = kept(ours)
        peers = []
        try:
            peer = Engine(
                "torchvision", [PYTHON, os.path.join(HERE, "suppression_engine.py"), path,
                                str(LIMIT)],
                1, os.path.join(FOLDER, "torchvision.log"))
            found = kept(peer)
            if found.tolist() != wanted.tolist():
                peer.close()
                raise Failure(f"it keeps other boxes: {len(found)}, not {len(wanted)}")
            peers.append(peer)
        except Failure as failure:
            skip("torchvision", failure)
        for result in compare(
                ours, peers, arguments.rounds, arguments.warm, arguments.runs, skip):
            if result["engine"] != OURS:
                result["version"] = torchvision_version()
            result["engine"] += f", {name}"
            result["boxes"] = COUNT
            result["kept"] = len(wanted)
            results.append(result)
    publish(arguments, "suppression", results)


main()
