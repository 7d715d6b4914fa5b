"""Compares exported Core ML models with this project's own engine; called by `run` beside this file.

The folder is the one of check.py. Each model is read by coremltools, with which its builder lists the
layers, is written and read again by it, is held against the rules of NeuralNetwork.proto that its message
types do not hold, and is executed layer by layer in NumPy.
"""

import collections
import contextlib
import json
import os
import pathlib
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
import coremltools  # noqa: E402
from coremltools.models.neural_network import NeuralNetworkBuilder  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Import"))
import coreml  # noqa: E402
from check import difference, read  # noqa: E402

# A number may differ by this part of its output's range, or of itself.
TOLERANCE = 5e-6
# The last field of a layer that specification version 3 knows; those behind are of version 4.
LAST_OLD_FIELD = 600


def check(path, copy):
    """The model, after what can be checked without Apple's systems."""
    spec = coremltools.utils.load_spec(path)
    assert spec.WhichOneof("Type") == "neuralNetwork"
    # Its own reader and builder, and its own writer.
    coremltools.models.MLModel(spec, skip_model_load=True)
    with contextlib.redirect_stdout(None):
        NeuralNetworkBuilder(spec=spec).inspect_layers()
    coremltools.utils.save_spec(spec, copy)
    assert coremltools.utils.load_spec(copy) == spec

    network = spec.neuralNetwork
    layers = network.layers
    assert len({layer.name for layer in layers}) == len(layers)
    known = {feature.name for feature in spec.description.input}
    assert len(known) == len(spec.description.input)
    for layer in layers:
        kind = layer.WhichOneof("layer")
        assert kind, layer.name
        missing = set(layer.input) - known
        assert not missing, f"{layer.name} reads {missing} before they are there"
        assert layer.output and not known & set(layer.output), f"{layer.name} replaces a value"
        known |= set(layer.output)
        field = layer.DESCRIPTOR.fields_by_name[kind].number
        assert field <= LAST_OLD_FIELD or spec.specificationVersion >= 4, kind
    outputs = [feature.name for feature in spec.description.output]
    assert len(set(outputs)) == len(outputs) and set(outputs) <= known
    for step in network.preprocessing:
        assert step.featureName in ("", *[f.name for f in spec.description.input])
    # What is computed must be used, or be an output.
    used = set(outputs)
    for layer in layers:
        used |= set(layer.input)
    idle = [layer.name for layer in layers if not used & set(layer.output)]
    return spec, idle


def feeds_of(spec, inputs, run):
    feeds = {}
    for value in run["inputs"]:
        array = inputs[value["name"]]
        feature = next(f for f in spec.description.input if f.name == value["name"])
        if feature.type.WhichOneof("Type") == "imageType":
            # Samples, in the order red, green, blue.
            shape = (1, -1, 1, 1)
            array = array.astype(np.float64) - np.reshape(value["biases"], shape)
            array = (array / np.reshape(value["scales"], shape))[0].transpose(1, 2, 0)
            colours = feature.type.imageType.colorSpace
            array = array[..., 0] if colours == 10 else array[..., ::-1] if colours == 30 else array
        feeds[value["name"]] = array
    return feeds


def main(folder):
    with open(os.path.join(folder, "runs.json")) as file:
        runs = [run for run in json.load(file) if run.get("coreML")]
    worst_of, kinds = collections.defaultdict(list), collections.Counter()
    failures = idle_count = 0
    for run in runs:
        name = run["coreML"]
        try:
            spec, idle = check(
                os.path.join(folder, name), os.path.join(folder, "copy.mlmodel"))
            idle_count += len(idle)
            kinds.update(layer.WhichOneof("layer") for layer in spec.neuralNetwork.layers)
            inputs, wanted = read(folder, run)
            found = coreml.execute(spec, feeds_of(spec, inputs, run))
            metadata = dict(spec.description.metadata.userDefined)
            names = {value.get("nameInFile", value["name"]): value["name"]
                     for value in json.loads(metadata["outputs"])}
            worst = max(
                difference(found[names[value["name"]]].astype(np.float32), right)
                for value, right in zip(run["outputs"], wanted))
            worst_of[name.rsplit(".", 1)[0].split("-")[0]].append(worst)
            if not worst <= TOLERANCE:
                raise AssertionError(f"difference {worst:.1e}")
        except Exception as error:  # Each model is told of.
            print(f"{name}: {type(error).__name__}: {error}")
            failures += 1
    for kind, differences in sorted(worst_of.items()):
        print(f"{kind}: {len(differences)} runs, difference {max(differences):.1e} at most")
    print(f"{len(runs)} Core ML models, {idle_count} layers without use; layers: "
          f"{' '.join(sorted(kinds))}")
    return 1 if failures or not runs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
