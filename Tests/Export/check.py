"""Compares exported models with this project's own engine; called by `run` beside this file.

The folder has models, runs of them (runs.json), and for each run a file with the numbers of its
inputs, `[H, W, C]`, and of the outputs that the engine's reference gives, one after the other.
"""

import collections
import json
import os
import sys

import numpy as np
import onnx
import onnxruntime

# A number may differ by this part of its output's range, or of itself.
TOLERANCE = 5e-6


def read(folder, run):
    """Inputs and outputs of a run, by name, as `[1, C, H, W]`."""
    numbers = np.fromfile(os.path.join(folder, run["numbers"]), np.float32)
    values = []
    for value in run["inputs"] + run["outputs"]:
        count = int(np.prod(value["shape"]))
        array = numbers[:count].reshape([1] + value["shape"]).transpose(0, 3, 1, 2)
        values.append(np.ascontiguousarray(array))
        numbers = numbers[count:]
    assert len(numbers) == 0
    names = [value["name"] for value in run["inputs"]]
    return dict(zip(names, values)), values[len(names):]


def check(path):
    """The model, after the checks of ONNX itself, and its outputs' names by those in the file."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert model.ir_version == 9 and [entry.version for entry in model.opset_import] == [20]
    # Strict: what the model states of its outputs must agree with what follows from its nodes.
    onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert len(metadata) == len(model.metadata_props)
    assert [value.name for value in model.graph.input] == [
        value["name"] for value in json.loads(metadata["inputs"])]
    assert [value.name for value in model.graph.output] == [
        value["name"] for value in json.loads(metadata["outputs"])]
    json.loads(metadata["profile"])
    names = {value.get("nameInFile", value["name"]): value["name"]
             for value in json.loads(metadata["outputs"])}
    return model, names


def difference(found, wanted):
    """The greatest difference, as a part of what is allowed for it."""
    assert found.shape == wanted.shape and found.dtype == np.float32, (found.shape, wanted.shape)
    assert np.isfinite(found).all() and np.isfinite(wanted).all()
    allowed = np.maximum(np.abs(wanted), wanted.max() - wanted.min())
    return float((np.abs(found - wanted) / np.maximum(allowed, 1e-30)).max())


def main(folder):
    with open(os.path.join(folder, "runs.json")) as file:
        runs = json.load(file)
    kinds = collections.defaultdict(list)
    failures = 0
    operations = set()
    for run in runs:
        path = os.path.join(folder, run["model"])
        model, names = check(path)
        operations |= {node.op_type for node in model.graph.node}
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        inputs, wanted = read(folder, run)
        found = session.run([names[value["name"]] for value in run["outputs"]], inputs)
        assert len(found) == len(wanted) >= 1
        worst = max(difference(*pair) for pair in zip(found, wanted))
        kinds[run["model"].rsplit(".", 1)[0].split("-")[0]].append(worst)
        if not worst <= TOLERANCE:
            print(f"{run['model']}: difference {worst:.1e}")
            failures += 1
    for kind, differences in sorted(kinds.items()):
        print(f"{kind}: {len(differences)} runs, difference {max(differences):.1e} at most")
    print(f"{len(runs)} runs; operators: {' '.join(sorted(operations))}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
