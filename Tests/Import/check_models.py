"""Compares ONNX models of any kind, imported, with ONNX Runtime.

    python3 check_models.py TOOL MODEL.onnx...

Gives each model random numbers from 0 to 1, open extents being 1 in the batch and 64 elsewhere, and runs it in ONNX
Runtime and, imported by TOOL, here. Says of each whether it agrees, to 1e-3 of the output's magnitude, was refused, and
why, or differs; ends with status 1 where one differs.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import onnxruntime

onnxruntime.set_default_logger_severity(4)


def compared(tool, model, folder):
    """What is to be said of a model: one of `agrees`, `refused` and `differs`, and more about it."""
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    random = numpy.random.default_rng(7)
    call = [tool, "import", model, "--detector", "none", "--output", folder / "m.dvweights"]
    run = [tool, "run", folder / "m.dvweights", "--output", folder / "out"]
    feeds = {}
    for number, port in enumerate(session.get_inputs()):
        shape = [n if isinstance(n, int) else 64 if axis else 1 for axis, n in enumerate(port.shape)]
        feeds[port.name] = random.random(shape, dtype=numpy.float32)
        numpy.save(folder / f"{number}.npy", feeds[port.name])
        run += ["--input", f"{port.name}={folder / f'{number}.npy'}"]
        if shape != port.shape:
            call += ["--input-shape", f"{port.name}={'x'.join(map(str, shape))}"]
    right = session.run(None, feeds)
    for step, arguments in (("refused", call), ("differs", run)):
        done = subprocess.run([str(part) for part in arguments], capture_output=True, text=True)
        if done.returncode:
            return step, done.stderr.strip()
    worst = 0.0
    for port, numbers in zip(session.get_outputs(), right):
        name = re.sub(r"[^A-Za-z0-9._-]", "_", port.name)
        found = numpy.load(folder / "out" / f"{name}.npy")
        if found.shape != numbers.shape:
            return "differs", f"{port.name} has the shape {found.shape}, not {numbers.shape}"
        size = max(float(abs(numbers).max()), 1e-30)
        worst = max(worst, float(abs(found - numbers).max()) / size)
    return "agrees" if worst <= 1e-3 else "differs", f"{worst:.1e}"


def main():
    tool, counts = str(pathlib.Path(sys.argv[1]).resolve()), {}
    for model in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            result, detail = compared(tool, model, pathlib.Path(folder))
        counts[result] = counts.get(result, 0) + 1
        print(f"{model}: {result}: {detail}", flush=True)
    print(", ".join(f"{count} {result}" for result, count in sorted(counts.items())))
    sys.exit(1 if counts.get("differs") else 0)


main()
