"""Compares inference engines on one network; called by `run`."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys

import numpy as np

import network_engine
from protocol import Engine, Failure, compare
from report import BINARIES, HERE, OURS, WORK, options, publish, skip, tool, version

FOLDER = os.path.join(WORK, "network")
# This library once more, with numbers of eight significant bits and with integers.
OURS_NARROW = {
    f"{OURS}-bfloat16": ("bfloat16", network_engine.ENGINES["openvino-bf16"][2]),
    f"{OURS}-int8": ("int8", network_engine.ENGINES["openvino-int8"][2]),
}


def model_metadata(path):
    """The metadata of an exported model and the shape of its input, without any other library."""
    def fields(data):
        offset = 0
        def varint():
            nonlocal offset
            value = shift = 0
            while True:
                byte = data[offset]
                offset += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value
        while offset < len(data):
            key = varint()
            if key & 7 == 0:
                yield key >> 3, varint()
            else:
                count = varint() if key & 7 == 2 else 4
                yield key >> 3, data[offset:offset + count]
                offset += count

    with open(path, "rb") as file:
        entries = [dict(fields(value)) for field, value in fields(memoryview(file.read()))
                   if field == 14]
    return {bytes(entry[1]).decode(): bytes(entry.get(2, b"")).decode() for entry in entries}


def quantize(model):
    """The model with 8-bit integers, for the engines that take such: weights for each output channel."""
    from onnxruntime import quantization

    image = np.load(os.path.join(FOLDER, "input.npy"))

    class Pictures(quantization.CalibrationDataReader):
        pictures = iter([{"image": image}])

        def get_next(self):
            return next(self.pictures, None)

    quantization.quantize_static(
        model, os.path.join(FOLDER, "int8.onnx"), Pictures(),
        quant_format=quantization.QuantFormat.QDQ, per_channel=True,
        activation_type=quantization.QuantType.QUInt8, weight_type=quantization.QuantType.QInt8)


def convert(model):
    """The model in the form of the engines that have their own."""
    shape = json.dumps(list(np.load(os.path.join(FOLDER, "input.npy")).shape)).replace(" ", "")
    failures = {}
    try:
        quantize(model)
    except Exception as error:
        failures["onnxruntime-int8"] = failures["openvino-int8"] = f"quantization fails: {error}"
    # The package's own code asks for torch; only its binary is wanted.
    package = importlib.util.find_spec("pnnx")
    pnnx = package and os.path.join(os.path.dirname(package.origin), "pnnx")
    steps = {
        "ncnn": pnnx and [pnnx, model, f"inputshape={shape}", "fp16=0"],
        "mnn": [os.path.join(os.path.dirname(sys.executable), "mnnconvert"), "-f", "ONNX",
                "--modelFile", model, "--MNNModel", os.path.join(FOLDER, "model.mnn"),
                "--bizCode", "dice"],
    }
    for name, command in steps.items():
        if not command or not os.path.exists(command[0]):
            failures[name] = "its converter is not there"
            continue
        with open(os.path.join(FOLDER, f"{name}-convert.log"), "wb") as log:
            if subprocess.run(command, cwd=FOLDER, stdout=log, stderr=log).returncode:
                failures[name] = f"its converter refuses the model; see {log.name}"
    return failures


def verify(engine, wanted, tolerance):
    path = os.path.join(FOLDER, f"{engine.name}.f32")
    engine.output(path)
    found = np.fromfile(path, np.float32)
    if found.shape != wanted.shape:
        raise Failure(f"its outputs have {found.size} values, not {wanted.size}")
    difference = float(np.abs(found - wanted).max() / (wanted.max() - wanted.min()))
    if not difference <= tolerance:
        raise Failure(f"its outputs differ by {difference:.1e} of the range")
    return difference


def main():
    parser = options("The same network in several engines, in turns.", rounds=7, runs=60, warm=20)
    parser.add_argument("--engines", type=lambda text: text.split(","),
                        default=list(network_engine.ENGINES))
    parser.add_argument("--weights", help="a weight file; without it, the bundled weights")
    arguments = parser.parse_args()
    for name in arguments.engines:
        if name not in network_engine.ENGINES:
            parser.error(f"there is no engine {name}: {', '.join(network_engine.ENGINES)}")
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)

    model = os.path.join(FOLDER, "model.onnx")
    weights = [arguments.weights] if arguments.weights else []
    subprocess.run([tool("dicevision"), "export", *weights, "--output", model], check=True)
    metadata = model_metadata(model)
    width, height = int(metadata["inputWidth"]), int(metadata["inputHeight"])
    with open(os.path.join(FOLDER, "heads.json"), "w") as file:
        json.dump([head["output"] for head in json.loads(metadata["heads"])], file)
    samples = np.random.default_rng(1).integers(0, 256, (1, 3, height, width)).astype(np.float32)
    scales = np.array(json.loads(metadata["scales"]), np.float32).reshape(1, 3, 1, 1)
    biases = np.array(json.loads(metadata["biases"]), np.float32).reshape(1, 3, 1, 1)
    image = samples * scales + biases
    np.save(os.path.join(FOLDER, "input.npy"), image)
    image.tofile(os.path.join(FOLDER, "input.f32"))
    failures = convert(model)

    results = []
    for threads in arguments.threads:
        command = [tool("detector-benchmark"), "engine", "network",
                   "--threads", str(threads), "--input", os.path.join(FOLDER, "input.f32")]
        if arguments.weights:
            command += ["--weights", arguments.weights]
        ours = Engine(OURS, command, threads, os.path.join(FOLDER, "ours.log"))
        path = os.path.join(FOLDER, "ours.f32")
        ours.output(path)
        wanted = np.fromfile(path, np.float32)
        peers, differences = [], {OURS: 0.0}
        for name in [*arguments.engines, *OURS_NARROW]:
            try:
                if name in failures:
                    raise Failure(failures[name])
                if name in OURS_NARROW:
                    precision, tolerance = OURS_NARROW[name]
                    line = command + ["--precision", precision]
                else:
                    line = [sys.executable, os.path.join(HERE, "network_engine.py"), name,
                            str(threads), FOLDER]
                    tolerance = network_engine.ENGINES[name][2]
                peer = Engine(name, line, threads, os.path.join(FOLDER, f"{name}.log"))
                try:
                    differences[name] = verify(peer, wanted, tolerance)
                except Failure:
                    peer.close()
                    raise
                peers.append(peer)
            except Failure as failure:
                skip(name, failure)
        for result in compare(
                ours, peers, arguments.rounds, arguments.warm, arguments.runs, skip):
            name = result["engine"]
            package = network_engine.ENGINES.get(name, (None, None))[1]
            result["version"] = version(package) if package else None
            result["difference"] = float(f"{differences[name]:.2g}")
            results.append(result)
    publish(arguments, "networks", results, network=metadata["name"],
            checksum=metadata["checksum"], input=f"{width}x{height}")


main()
