"""Compares imported recurrent ONNX models with ONNX Runtime.

    python3 check_recurrent.py TOOL COUNT SEED

Makes small random models of one or two LSTM, GRU and RNN operations: directions, biases, states that are inputs, known
or left out, peepholes, limits, functions, coupled gates, lengths, outputs and the order of axes are drawn at random.
ONNX Runtime has no operations with the batch first: it gets these with transposed operands. The measure of a difference is
the greatest absolute one over the greatest magnitude of an output; it must be at most 1e-4. Ends with status 1 otherwise.
"""

import shutil
import subprocess

import numpy
import onnx
import onnxruntime
import random_models
from onnx import TensorProto, helper, numpy_helper

onnxruntime.set_default_logger_severity(4)
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
FUNCTIONS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}


class Graph:
    """A model, for the importer or for ONNX Runtime: nodes, constants and inputs."""

    def __init__(self):
        self.nodes, self.constants, self.inputs, self.count = [], [], [], 0

    def constant(self, values):
        self.count += 1
        name = f"c{self.count}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(values), name))
        return name

    def input(self, name, shape):
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return name

    def transposed(self, name, order):
        self.count += 1
        self.nodes.append(helper.make_node("Transpose", [name], [f"t{self.count}"], perm=order))
        return f"t{self.count}"

    def model(self, outputs):
        graph = helper.make_graph(
            self.nodes, "case", self.inputs,
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


def recurrent(random, graphs, x, shape, feeds, outputs, number):
    """Adds one operation behind `x`, `[steps, batch, inputs]`; gives its sequence's name and shape."""
    operation = str(random.choice(["LSTM", "LSTM", "GRU", "GRU", "RNN"]))
    gates, (steps, batch, inputs) = GATES[operation], shape
    direction = str(random.choice(["forward", "reverse", "bidirectional"]))
    directions = 2 if direction == "bidirectional" else 1
    units = int(random.integers(1, 20))
    layout = bool(random.random() < 0.3)

    def weights(*extents):
        return (random.normal(size=extents) / numpy.sqrt(extents[-1])).astype(numpy.float32)

    attributes = {"hidden_size": units, "direction": direction}
    if operation == "GRU":
        attributes["linear_before_reset"] = int(random.integers(0, 2))
    if operation == "LSTM" and random.random() < 0.2:
        attributes["input_forget"] = 1
    if random.random() < 0.2:
        attributes["clip"] = float(random.uniform(0.2, 1))
    if random.random() < 0.3:
        others = ["Sigmoid", "Tanh", "Relu", "HardSigmoid", "Elu", "LeakyRelu", "Softplus"]
        names = [str(random.choice(others)) for _ in FUNCTIONS[operation]] * directions
        alphas = {"HardSigmoid": 0.3, "Elu": 0.8, "LeakyRelu": 0.1}
        attributes["activations"] = names
        found = [alphas[name] for name in names if name in alphas]
        if found:
            attributes["activation_alpha"] = found
        if "HardSigmoid" in names:
            attributes["activation_beta"] = [0.4] * names.count("HardSigmoid")
    numbers = [weights(directions, gates * units, inputs), weights(directions, gates * units, units)]
    numbers.append(weights(directions, 2 * gates * units) if random.random() < 0.8 else None)
    numbers.append(numpy.full(batch, steps, numpy.int32) if random.random() < 0.3 else None)
    states = []
    for _ in range(2 if operation == "LSTM" else 1):
        kind = random.choice(["input", "known", "none", "zeros"])
        values = random.normal(size=[directions, batch, units]).astype(numpy.float32)
        states.append((kind, values * (kind != "zeros")))
    peepholes = weights(directions, 3 * units) if operation == "LSTM" and random.random() < 0.3 else None
    names = [f"{kind}{number}" for kind in ("Y", "Yh", "Yc")[: 3 if operation == "LSTM" else 2]]
    sequence = None
    for graph, isBatchFirst in zip(graphs, (layout, False)):
        # The runtime's graph has what the importer reads with the batch first in its own order.
        first = graph.transposed(x, [1, 0, 2]) if isBatchFirst else x
        operands = [first] + ["" if values is None else graph.constant(values) for values in numbers]
        for index, (kind, values) in enumerate(states):
            given = values.transpose(1, 0, 2) if layout else values
            if kind == "none":
                operands.append("")
            elif kind == "input":
                name = f"state{number}{index}"
                feeds[name] = given
                graph.input(name, list(given.shape))
                turned = layout and not isBatchFirst
                operands.append(graph.transposed(name, [1, 0, 2]) if turned else name)
            else:
                operands.append(graph.constant(given if isBatchFirst else values))
        if peepholes is not None:
            operands.append(graph.constant(peepholes))
        while operands[-1] == "":
            operands.pop()
        own = [f"{name}own" if layout and not isBatchFirst else name for name in names]
        if isBatchFirst:
            graph.nodes.append(helper.make_node(operation, operands, own, layout=1, **attributes))
        else:
            graph.nodes.append(helper.make_node(operation, operands, own, **attributes))
        for place, (name, had) in enumerate(zip(names, own)):
            if name != had:
                order = [2, 0, 1, 3] if place == 0 else [1, 0, 2]
                graph.nodes.append(helper.make_node("Transpose", [had], [name], perm=order))
        # To the next operation: directions beside the units.
        joined = f"joined{number}"
        turned = graph.transposed(names[0], [1, 0, 2, 3] if layout else [0, 2, 1, 3])
        graph.nodes.append(helper.make_node(
            "Reshape", [turned, graph.constant(numpy.array([steps, batch, -1], numpy.int64))], [joined]))
        sequence = joined
    wanted = [name for name in names if random.random() < 0.5]
    outputs += wanted
    return sequence, (steps, batch, directions * units), names, f"{operation} {steps} {attributes}"


def case(random):
    """The importer's model, the runtime's, the inputs, and the outputs' names."""
    graphs, feeds, outputs, texts = (Graph(), Graph()), {}, [], []
    shape = (int(random.choice([1, 2, 3, 6, 9])), int(random.choice([1, 1, 1, 2, 3])), int(random.integers(1, 12)))
    feeds["x"] = random.normal(size=shape).astype(numpy.float32)
    for graph in graphs:
        graph.input("x", list(shape))
    x, names = "x", []
    for number in range(int(random.integers(1, 3))):
        x, shape, names, text = recurrent(random, graphs, x, shape, feeds, outputs, number)
        texts.append(text)
    if not set(outputs) & set(names):
        outputs.append(names[0])
    return [graph.model(outputs) for graph in graphs], feeds, outputs, "; ".join(texts)


def failure(tool, folder, seed):
    """What is wrong with one model, or None, and the difference; "" where ONNX Runtime does not run it."""
    models, feeds, outputs, text = case(numpy.random.default_rng(seed))
    path = folder / "case.onnx"
    onnx.save(models[0], path)
    try:
        session = onnxruntime.InferenceSession(
            models[1].SerializeToString(), providers=["CPUExecutionProvider"])
        right = session.run(None, feeds)
    except Exception:  # What the runtime refuses is no case.
        return "", 0
    if not all(numpy.isfinite(numbers).all() and abs(numbers).max() < 1e5 for numbers in right):
        return "", 0  # States that grow without end say nothing.
    weights, results = folder / "case.dvweights", folder / "results"
    shutil.rmtree(results, ignore_errors=True)
    done = subprocess.run(
        [tool, "import", path, "--output", weights, "--force"], capture_output=True, text=True)
    if done.returncode:
        return f"{text}: {done.stderr.strip()}", 0
    call = [tool, "run", weights, "--output", results]
    for name, numbers in feeds.items():
        if f"the input {name};" not in done.stderr:
            numpy.save(folder / f"{name}.npy", numbers)
            call += ["--input", f"{name}={folder / name}.npy"]
    done = subprocess.run([str(part) for part in call], capture_output=True, text=True)
    if done.returncode:
        return f"{text}: {done.stderr.strip()}", 0
    worst = 0
    for name, numbers in zip(outputs, right):
        found = numpy.load(results / f"{name}.npy")
        if found.shape != numbers.shape:
            return f"{text}: {name} has the shape {found.shape}, not {numbers.shape}", 0
        size = max(1e-3, float(abs(numbers).max()))
        worst = max(worst, float(abs(found - numbers).max()) / size)
    return (None if worst <= 1e-4 else f"{text}: {worst:.1e}"), worst


if __name__ == "__main__":
    random_models.compare("recurrent models", failure)
