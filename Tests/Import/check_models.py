"""Compares ONNX and TensorFlow Lite models of any kind, imported, with ONNX Runtime and LiteRT.

    python3 check_models.py TOOL [--shape NAME=1x576]... [--value sr=16000]... MODEL.onnx|MODEL.tflite...

Gives each model random numbers from 0 to 1, or 0 and 1 where it takes integers (16000, a sampling rate, where it takes a
single one), and all integers where they are quantized. Open extents are 1 in the batch and OPEN_EXTENT, 64 unless told,
elsewhere, where --shape does not give an input's. An input with a --value has that number, and is fixed. Runs it in its own runtime and, imported by TOOL with the options of
IMPORT_OPTIONS, here. Says of each whether it agrees, to 1e-3 of the output's magnitude, was refused, and
why, differs, or does not run in its runtime; ends with status 1 where one differs.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import onnxruntime
from ai_edge_litert import interpreter

onnxruntime.set_default_logger_severity(4)


OPEN_EXTENT = int(os.environ.get("OPEN_EXTENT", 64))

KINDS = {
    "tensor(float)": numpy.float32, "tensor(float16)": numpy.float16, "tensor(double)": numpy.float64,
    "tensor(int32)": numpy.int32, "tensor(int64)": numpy.int64, "tensor(uint8)": numpy.uint8,
    "tensor(int8)": numpy.int8, "tensor(bool)": numpy.bool_}


def numbers(random, shape, kind, is_quantized):
    """Random numbers of a kind."""
    if numpy.issubdtype(kind, numpy.floating):
        return numpy.asarray(random.random(shape, dtype=numpy.float32)).astype(kind)
    if is_quantized:
        limits = numpy.iinfo(kind)
        return random.integers(limits.min, limits.max + 1, shape).astype(kind)
    if not shape:
        return numpy.array(16000, dtype=kind)
    return random.integers(0, 2, shape).astype(kind)


class ONNXModel:
    """A model in ONNX Runtime."""

    def __init__(self, path):
        self.session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        self.inputs = [(port.name, port.shape, KINDS[port.type], False) for port in self.session.get_inputs()]

    def run(self, feeds):
        names = [port.name for port in self.session.get_outputs()]
        return dict(zip(names, self.session.run(names, feeds)))


class TensorFlowLiteModel:
    """A model in LiteRT, without delegates."""

    def __init__(self, path):
        # REFERENCE=1: those kernels whose integers imported models have.
        kinds = interpreter.OpResolverType
        kernels = kinds.BUILTIN_REF if os.environ.get("REFERENCE") else kinds.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        self.interpreter = interpreter.Interpreter(model_path=str(path), experimental_op_resolver_type=kernels)
        self.interpreter.allocate_tensors()
        self.details = self.interpreter.get_input_details()
        self.inputs = [
            (port["name"], [int(n) for n in port["shape"]], port["dtype"], port["quantization"][0] > 0)
            for port in self.details]

    def run(self, feeds):
        for port in self.details:
            self.interpreter.set_tensor(port["index"], feeds[port["name"]])
        self.interpreter.invoke()
        outputs = self.interpreter.get_output_details()
        return {port["name"]: self.interpreter.get_tensor(port["index"]) for port in outputs}


def compared(tool, path, folder, shapes, values):
    """What is to be said of a model: one of `agrees`, `refused`, `differs` and `does not run`, and more about it."""
    try:
        model = (TensorFlowLiteModel if path.endswith(".tflite") else ONNXModel)(path)
    except Exception as error:
        return "does not run", str(error).splitlines()[0]
    random = numpy.random.default_rng(7)
    call = [tool, "import", path, "--detector", "none", "--output", folder / "m.dvweights"]
    call += os.environ.get("IMPORT_OPTIONS", "").split()
    run = [tool, "run", folder / "m.dvweights", "--output", folder / "out"]
    feeds = {}
    for number, (name, stated, kind, is_quantized) in enumerate(model.inputs):
        shape = [n if isinstance(n, int) else OPEN_EXTENT if axis else 1 for axis, n in enumerate(stated)]
        shape = shapes.get(name, shape)
        feeds[name] = numbers(random, shape, kind, is_quantized)
        if name in values:
            feeds[name] = numpy.full(shape, values[name], kind)
            call += ["--input-value", f"{name}={values[name]:g}"]
            continue
        numpy.save(folder / f"{number}.npy", feeds[name])
        run += ["--input", f"{name}={folder / f'{number}.npy'}"]
        if shape != stated:
            call += ["--input-shape", f"{name}={'x'.join(map(str, shape))}"]
    try:
        right = model.run(feeds)
    except Exception as error:
        return "does not run", str(error).splitlines()[0]
    for step, arguments in (("refused", call), ("differs", run)):
        done = subprocess.run([str(part) for part in arguments], capture_output=True, text=True)
        if done.returncode:
            return step, done.stderr.strip()
    worst = 0.0
    for name, answer in right.items():
        found = numpy.load(folder / "out" / (re.sub(r"[^A-Za-z0-9._-]", "_", name) + ".npy"))
        if found.shape != answer.shape:
            return "differs", f"{name} has the shape {found.shape}, not {answer.shape}"
        # What is all but 0 may differ by a millionth.
        found, right_ones = found.astype(numpy.float64), answer.astype(numpy.float64)
        if not right_ones.size:
            continue
        size = max(float(abs(right_ones).max()), 1e-3)
        worst = max(worst, float(abs(found - right_ones).max()) / size)
    return "agrees" if worst <= 1e-3 else "differs", f"{worst:.1e}"


def main():
    tool, counts, shapes, values, models = str(pathlib.Path(sys.argv[1]).resolve()), {}, {}, {}, sys.argv[2:]
    while models[:1] in (["--shape"], ["--value"]):
        name, _, text = models[1].rpartition("=")
        if models[0] == "--shape":
            shapes[name] = [int(n) for n in text.split("x")]
        else:
            values[name] = float(text)
        models = models[2:]
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            result, detail = compared(tool, model, pathlib.Path(folder), shapes, values)
        counts[result] = counts.get(result, 0) + 1
        print(f"{model}: {result}: {detail}", flush=True)
    print(", ".join(f"{count} {result}" for result, count in sorted(counts.items())))
    sys.exit(1 if counts.get("differs") else 0)


main()
