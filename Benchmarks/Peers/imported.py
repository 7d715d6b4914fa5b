"""Compares imported models with the runtimes that they come from; called by `imported`.

Before anything is timed, the outputs of both are compared. Core ML files run on Apple's systems only: ONNX
Runtime has the imported network there, as `dicevision export` writes it.
"""

import glob
import json
import os
import shutil
import statistics
import subprocess
import sys

import numpy as np

import imported_engine
from protocol import Engine, Failure
from report import HERE, OURS, ROOT, WORK, aligned, options, publish, skip, tool, version

FOLDER = os.path.join(WORK, "imported")
# A model's file, and the runtime that it comes from, or the one that stands for it.
MODELS = {
    "FastestDet": ("fastestdet/FastestDet.onnx", "onnxruntime"),
    "CPM, TensorFlow Lite": ("cpm/cpm_model.tflite", "litert"),
    "D6 dice, 8 bits": ("byler-dice/byler-d6-dice.tflite", "litert"),
    "YOLO-Fastest": ("yolo-fastest/yolo-fastest-1.1.cfg", "opencv-dnn"),
    "CPM, Core ML": ("cpm/cpm_model.mlmodel", imported_engine.EXPORT),
    "PoseNet": ("posenet/PoseNetMobileNet075S16FP16.mlmodel", imported_engine.EXPORT),
    "MNIST": ("mnistcnn/mnistCNN.mlmodel", imported_engine.EXPORT),
    "Detector of Turi Create's kind": ("detector/detector.mlmodel", imported_engine.EXPORT),
}


def inputs_of(path, folder):
    """The first sample of a model's input, whose file's name begins as the model's does."""
    stem = os.path.splitext(os.path.basename(path))[0]
    kind = os.path.splitext(path)[1][1:]
    for name in (f"{stem}-{kind}", stem):
        found = sorted(glob.glob(os.path.join(os.path.dirname(path), f"{glob.escape(name)}.in.*.npy")))
        if found:
            break
    else:
        raise Failure("it has no sample")
    array = np.load(found[0])
    np.save(os.path.join(folder, "input.npy"), array)
    return array


def verify(ours, peer, folder, outputs, is_rounded):
    """The greatest difference of an output, as a part of its range; of rounded numbers the mean one."""
    values = []
    for name, engine in (("ours", ours), ("theirs", peer)):
        path = os.path.join(folder, f"{name}.f32")
        engine.output(path)
        values.append(np.fromfile(path, np.float32))
    found, wanted = values
    sizes = [int(np.prod(shape)) for _, shape, _ in outputs]
    if found.size != sum(sizes) or wanted.size != sum(sizes):
        raise Failure(f"its outputs have {wanted.size} numbers, ours {found.size}")
    worst = 0.0
    for start, size in zip(np.cumsum([0, *sizes]), sizes):
        a, b = found[start:start + size], wanted[start:start + size]
        differences = np.abs(a - b) / max(b.max() - b.min(), 1e-30)
        worst = max(worst, float(differences.mean() if is_rounded else differences.max()))
    if not worst <= imported_engine.ENGINES[peer.name][2]:
        raise Failure(f"its outputs differ by {worst:.1e} of their range")
    return worst


def exported(array, entries, weights, folder):
    """The input as the network takes it, and the network as an ONNX model, whose input is written."""
    image = entries["inputs"][0].get("image")
    if image:
        array = array * np.float32(image["scales"]) + np.float32(image["biases"])
    _, shape, places = imported_engine.tensors(entries, "input")[0]
    np.save(os.path.join(folder, "input.npy"), imported_engine.value_of(array, shape, places))
    path = os.path.join(folder, "export.onnx")
    with open(os.path.join(folder, "export.log"), "wb") as log:
        if subprocess.run([tool("dicevision"), "export", weights, "--output", path],
                          stdout=log, stderr=log).returncode:
            raise Failure(f"it cannot be exported; see {log.name}")
    return array, path


def row(model, threads, ours, peer=None, difference=None):
    result = {
        "model": model, "threads": threads, "medianMilliseconds": round(ours.median, 3),
        "busyThreads": round(ours.busy, 2)}
    if peer:
        ratios = [own[0] / other[0] for own, other in zip(ours.turns, peer.turns)]
        result |= {
            "engine": peer.name, "version": version(imported_engine.ENGINES[peer.name][1]),
            "peerMilliseconds": round(peer.median, 3),
            "ratio": round(statistics.median(ratios), 3),
            "leastRatio": round(min(ratios), 3), "greatestRatio": round(max(ratios), 3),
            "difference": float(f"{difference:.2g}")}
    return result


def measure(model, path, peer_name, threads, arguments):
    folder = os.path.join(FOLDER, model.replace(" ", "-").replace(",", ""))
    os.makedirs(folder)
    weights = os.path.join(folder, "weights.dvweights")
    command = [tool("dicevision"), "import", path, "--output", weights]
    with open(os.path.join(folder, "import.log"), "wb") as log:
        if subprocess.run(command, stdout=log, stderr=log).returncode:
            raise Failure(f"it cannot be imported; see {log.name}")
    array = inputs_of(path, folder)
    entries = json.loads(subprocess.run(
        [tool("dicevision"), "inspect", "--json", weights], check=True, capture_output=True).stdout)
    outputs = imported_engine.tensors(entries, "output")
    with open(os.path.join(folder, "outputs.json"), "w") as file:
        json.dump(outputs, file)
    kind = array.dtype
    if peer_name == imported_engine.EXPORT:
        array, path = exported(array, entries, weights, folder)
    array.astype(np.float32).tofile(os.path.join(folder, "input.f32"))
    ours = Engine(
        OURS, [tool("detector-benchmark"), "engine", "tensors", "--threads", str(threads),
               "--weights", weights, "--input", os.path.join(folder, "input.f32")],
        threads, os.path.join(folder, "ours.log"))
    peer = None
    difference = None
    if peer_name:
        try:
            peer = Engine(
                peer_name, [sys.executable, os.path.join(HERE, "imported_engine.py"), peer_name,
                            str(threads), folder, path],
                threads, os.path.join(folder, f"{peer_name}.log"))
            # 8 bits: a number that is rounded the other way changes all that follow.
            difference = verify(ours, peer, folder, outputs, peer_name == "litert" and kind != np.float32)
        except Failure as failure:
            skip(f"{model}: {peer_name}", failure)
            if peer:
                peer.close()
                peer = None
    for turn in range(arguments.rounds):
        # Who comes first changes, so that none is always the one after the other.
        for engine in [ours, peer][::1 if turn % 2 == 0 else -1]:
            if engine:
                engine.turn(arguments.warm, arguments.runs)
    result = row(model, threads, ours, peer, difference)
    for engine in filter(None, [ours, peer]):
        if not 0.8 <= engine.busy <= threads + 0.2:
            print(f"note: {model}: {engine.name}: {engine.busy:.2f} threads were busy; is the machine "
                  "at work on something else?", file=sys.stderr)
        engine.close()
    return result


def lines(results):
    rows = [["model", "threads", "ours, ms", "runtime", "theirs, ms", "ratio", "least to greatest"]]
    for result in results:
        peer = "engine" in result
        rows.append([
            result["model"], str(result["threads"]), f"{result['medianMilliseconds']:.2f}",
            f"{result['engine']} {result['version']}" if peer else "",
            f"{result['peerMilliseconds']:.2f}" if peer else "",
            f"{result['ratio']:.2f}" if peer else "",
            f"{result['leastRatio']:.2f} to {result['greatestRatio']:.2f}" if peer else ""])
    return aligned(rows)


def main():
    parser = options("Imported models beside their own runtimes, in turns.", rounds=9, runs=20,
                     threads="1")
    parser.add_argument(
        "--models", default=os.environ.get(
            "DICEVISION_MODELS", os.path.join(ROOT, "..", "shared", "models")))
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(MODELS))
    arguments = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    results = []
    for threads in arguments.threads:
        for model, (name, peer) in MODELS.items():
            path = os.path.abspath(os.path.join(arguments.models, name))
            if not any(model.startswith(start) for start in arguments.only):
                continue
            if not os.path.exists(path):
                skip(model, f"{path} is not there")
                continue
            try:
                results.append(measure(model, path, peer, threads, arguments))
            except Failure as failure:
                skip(model, failure)
    if not results:
        sys.exit("no model could be measured")
    publish(arguments, "imported", results, lines(results))


main()
