"""Compares imported ONNX models that have functions, choices, loops and sequences with ONNX Runtime.

    python3 check_graphs.py TOOL COUNT SEED

Makes small random models of one input, `[2, 3]`. Among their operations are calls of the file's own functions, which call others,
with attributes of the call, of their own and left out, and with operands left out; If, whose condition is known or not; Loop and
Scan of known lengths; and sequences. Functions use the names of tensors that the graph around them uses. The measure of a
difference is the greatest absolute one over the greatest magnitude of an output; it must be at most 1e-4. Ends with status 1
otherwise. Every fourth model is compared once more with its functions put in place by the `onnx` package, which may give another model.
"""

import os
import shutil
import subprocess

import numpy
import onnx
import onnx.inliner
import onnxruntime
import random_models
from onnx import TensorProto, helper, numpy_helper

onnxruntime.set_default_logger_severity(4)
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def port(name, kind=FLOAT, shape=None):
    return helper.make_tensor_value_info(name, kind, shape)


class Body:
    """Operations of a graph or function: names are unique in it and the graphs within it."""

    def __init__(self, maker, attributes=()):
        self.maker, self.random, self.attributes, self.count = maker, maker.random, attributes, 0

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def add(self, nodes, operation, inputs, outputs=1, **attributes):
        names = [self.name() for _ in range(outputs)]
        nodes.append(helper.make_node(operation, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, nodes, values, kind=numpy.float32):
        return self.add(nodes, "Constant", [], value=numpy_helper.from_array(numpy.asarray(values, kind)))

    def block(self, known, depth, count):
        """Some operations that read tensors of the shape [2, 3], and the last one's result."""
        nodes, known = [], list(known)
        steps = [self.unary, self.unary, self.binary, self.leaky]
        if depth > 0:
            steps += [self.call, self.call, self.choice, self.loop, self.scan, self.sequence]
        for _ in range(count):
            known.append(steps[self.random.integers(len(steps))](nodes, known, depth))
        return nodes, known[-1]

    def pick(self, known):
        return known[self.random.integers(len(known))] if self.random.random() < 0.5 else known[-1]

    def unary(self, nodes, known, depth):
        operation = self.random.choice(["Relu", "Neg", "Tanh", "Sigmoid", "Abs", "Softmax", "Identity"])
        return self.add(nodes, str(operation), [self.pick(known)])

    def binary(self, nodes, known, depth):
        return self.add(
            nodes, str(self.random.choice(["Add", "Sub", "Max", "Min"])), [self.pick(known), self.pick(known)])

    def leaky(self, nodes, known, depth):
        name = self.add(nodes, "LeakyRelu", [self.pick(known)], alpha=float(self.random.uniform(0.1, 0.9)))
        if self.attributes and self.random.random() < 0.7:
            attribute = nodes[-1].attribute[0]
            attribute.CopyFrom(onnx.AttributeProto(
                name="alpha", type=onnx.AttributeProto.FLOAT, ref_attr_name=str(self.random.choice(self.attributes))))
        return name

    def call(self, nodes, known, depth):
        function, attributes = self.maker.function(depth - 1)
        inputs = [self.pick(known) for _ in function.input]
        if function.input[-1] == "low":
            inputs[-1] = self.constant(nodes, self.random.uniform(-1, 0)) if self.random.random() < 0.5 else ""
            if not inputs[-1] and self.random.random() < 0.5:
                inputs.pop()
        # The type of the attribute must be known where it is not stated.
        given = {name: float(self.random.uniform(0, 1)) for name in attributes if self.random.random() < 0.6}
        names = [self.name() for _ in function.output]
        nodes.append(helper.make_node(
            function.name, inputs, names, domain=function.domain, name=f"call{self.count}", **given))
        return str(self.random.choice(names))

    def graph(self, nodes, inputs, outputs):
        return helper.make_graph(nodes, "inner", inputs, outputs)

    def choice(self, nodes, known, depth):
        if self.random.random() < 0.3:
            condition = self.constant(nodes, self.random.random() < 0.5, numpy.bool_)
        else:
            total = self.add(nodes, "ReduceSum", [self.pick(known)], keepdims=0)
            condition = self.add(nodes, "Greater", [total, self.constant(nodes, 0.1)])
        branches = []
        for _ in range(2):
            inner, result = self.block(known, depth - 1, int(self.random.integers(1, 4)))
            branches.append(self.graph(inner, [], [port(result)]))
        return self.add(nodes, "If", [condition], then_branch=branches[0], else_branch=branches[1])

    def loop(self, nodes, known, depth):
        step, holds, state = self.name(), self.name(), self.name()
        inner, result = self.block(known + [state], depth - 1, int(self.random.integers(1, 4)))
        number = self.add(inner, "Cast", [step], to=FLOAT)
        result = self.add(inner, "Add", [result, number])
        goes_on = self.add(inner, "Identity", [holds])
        outputs = [port(goes_on, BOOL), port(result)]
        inputs = [port(step, INT64, []), port(holds, BOOL, []), port(state)]
        count = int(self.random.integers(1, 4))
        operands = [self.constant(nodes, count, numpy.int64), ""]
        if self.random.random() < 0.3:
            # As long as a condition holds that follows from the step.
            last = self.constant(inner, count - 1, numpy.int64)
            outputs[0] = port(self.add(inner, "Less", [step, last]), BOOL)
            operands = ["", self.constant(nodes, True, numpy.bool_)]
        stacks = self.random.random() < 0.5
        if stacks:
            outputs.append(port(self.add(inner, "Neg", [result])))
        found = self.add(
            nodes, "Loop", operands + [self.pick(known)], 2 if stacks else 1, body=self.graph(inner, inputs, outputs))
        if not stacks:
            return found
        # [count, 2, 3]
        return self.add(nodes, "Add", [found[0], self.add(
            nodes, "ReduceMean", [found[1]], axes=[0], keepdims=0)])

    def scan(self, nodes, known, depth):
        axis = int(self.random.integers(0, 2))
        extent = (3, 2)[axis]
        state, row = self.name(), self.name()
        inner = []
        total = self.add(inner, "Add", [state, row])
        result = self.add(inner, str(self.random.choice(["Tanh", "Neg", "Relu"])), [total])
        body = self.graph(inner, [port(state, FLOAT, [extent]), port(row, FLOAT, [extent])], [
            port(total, FLOAT, [extent]), port(result, FLOAT, [extent])])
        first = self.constant(nodes, self.random.uniform(-1, 1, extent))
        stated = {"scan_input_axes": [axis - 2 if self.random.random() < 0.3 else axis], "scan_output_axes": [axis]}
        for name in ("scan_input_directions", "scan_output_directions"):
            if self.random.random() < 0.5:
                stated[name] = [int(self.random.integers(0, 2))]
        return self.add(nodes, "Scan", [first, self.pick(known)], 2, body=body, num_scan_inputs=1, **stated)[1]

    def sequence(self, nodes, known, depth):
        axis = int(self.random.integers(0, 2))
        kind = self.random.integers(4)
        if kind == 0:  # Pieces, two of which change their places.
            pieces = self.add(nodes, "SplitToSequence", [self.pick(known)], axis=axis)
            first = self.add(nodes, "SequenceAt", [pieces, self.constant(nodes, 0, numpy.int64)])
            rest = self.add(nodes, "SequenceErase", [pieces, self.constant(nodes, 0, numpy.int64)])
            place = [self.constant(nodes, int(self.random.integers(-1, 2)), numpy.int64)]
            pieces = self.add(
                nodes, "SequenceInsert", [rest, first] + (place if self.random.random() < 0.7 else []))
            return self.add(nodes, "ConcatFromSequence", [pieces], axis=axis)
        if kind == 1:  # Pieces without their axis, stacked again.
            pieces = self.add(nodes, "SplitToSequence", [self.pick(known)], axis=axis, keepdims=0)
            return self.add(nodes, "ConcatFromSequence", [pieces], axis=axis, new_axis=1)
        if kind == 2:  # One of several, counted from the end.
            pieces = self.add(nodes, "SequenceConstruct", [self.pick(known) for _ in range(3)])
            place = self.constant(nodes, int(self.random.integers(-3, 3)), numpy.int64)
            return self.add(nodes, "SequenceAt", [pieces, place])
        # A loop that collects: its state is a sequence.
        step, holds, state = self.name(), self.name(), self.name()
        inner, row = self.block(known, 0, 1)
        place = self.add(inner, "Unsqueeze", [step, self.constant(inner, [0], numpy.int64)])
        row = self.add(inner, "Gather", [row, place], axis=0)
        grown = self.add(inner, "SequenceInsert", [state, row])
        same = self.add(inner, "Identity", [holds])
        kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None))
        body = self.graph(
            inner, [port(step, INT64, []), port(holds, BOOL, []), helper.make_value_info(state, kind)],
            [port(same, BOOL), helper.make_value_info(grown, kind)])
        empty = self.add(nodes, "SequenceEmpty", [], dtype=FLOAT)
        found = self.add(nodes, "Loop", [self.constant(nodes, 2, numpy.int64), "", empty], body=body)
        return self.add(nodes, "ConcatFromSequence", [found], axis=0)


class Maker:
    """A model that is being made."""

    def __init__(self, random):
        self.random, self.functions = random, []

    def function(self, depth):
        """A function that is there already, or a new one, and the names of its attributes."""
        if self.functions and self.random.random() < 0.3:
            return self.functions[self.random.integers(len(self.functions))][:2]
        own = [f"slope{number}" for number in range(int(self.random.integers(0, 3)))]
        defaults = [helper.make_attribute(name, float(self.random.uniform(0, 1))) for name in own]
        body = Body(self, own)
        inputs = ["x"] + ["other"] * int(self.random.integers(0, 2))
        nodes, result = body.block(inputs, depth, int(self.random.integers(1, 4)))
        if self.random.random() < 0.4:
            inputs.append("low")
            result = body.add(nodes, "Clip", [result, "low"])
        outputs = [result]
        if self.random.random() < 0.3:
            outputs.append(body.add(nodes, "Neg", [result]))
        domain = str(self.random.choice(["local", "local.other"]))
        function = helper.make_function(
            domain, f"f{len(self.functions)}", inputs, outputs, nodes,
            [helper.make_opsetid("", 17), helper.make_opsetid("local", 1), helper.make_opsetid("local.other", 1)],
            attribute_protos=defaults)
        self.functions.append((function, own))
        return function, own

    def model(self):
        body = Body(self)
        nodes, result = body.block(["x"], 3, int(self.random.integers(2, 6)))
        graph = helper.make_graph(nodes, "case", [port("x", FLOAT, [2, 3])], [port(result)])
        return helper.make_model(
            graph, functions=[function for function, _ in self.functions], ir_version=9,
            opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("local", 1),
                           helper.make_opsetid("local.other", 1)])


def answers(tool, path, folder, numbers):
    """What the imported model gives, or what is said of it."""
    weights, results = folder / "case.dvweights", folder / "results"
    shutil.rmtree(results, ignore_errors=True)
    numpy.save(folder / "x.npy", numbers)
    for call in (["import", path, "--output", weights, "--force"],
                 ["run", weights, "--output", results, "--input", f"x={folder / 'x.npy'}"]):
        done = subprocess.run([tool] + [str(part) for part in call], capture_output=True, text=True)
        if done.returncode:
            return done.stderr.strip()
    return numpy.load(next(results.iterdir()))


def right_answers(path, folder, inputs):
    """What ONNX Runtime gives for the inputs, or None where it refuses the model, or ends: it does so for some."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
            answers = [session.run(None, {"x": numbers})[0] for numbers in inputs]
            numpy.savez(folder / "right.npz", *answers)
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if status:
        return None
    with numpy.load(folder / "right.npz") as file:
        return [file[name] for name in file.files]


def failure(tool, folder, seed):
    """What is wrong with one model, or None, and the difference; "" where ONNX Runtime does not run it."""
    random = numpy.random.default_rng(seed)
    model = Maker(random).model()
    path = folder / "case.onnx"
    onnx.save(model, path)
    inputs = [random.normal(size=(2, 3)).astype(numpy.float32) for _ in range(2)]
    files = [path]
    # Each fourth one is compared without its functions, too.
    if seed % 4 == 0:
        files.append(folder / "inlined.onnx")
        onnx.save(onnx.inliner.inline_local_functions(model), files[1])
    worst = 0
    for file in files:
        right = right_answers(file, folder, inputs)
        if right is None:
            return "", 0
        for numbers, wanted in zip(inputs, right):
            found = answers(tool, file, folder, numbers)
            if isinstance(found, str):
                # An input that no operation needs is none of the network's.
                if "has no input x" in found or "The network has no layer" in found:
                    return "", 0
                return found, 0
            if found.shape != wanted.shape:
                return f"the shape is {found.shape}, not {wanted.shape}", 0
            worst = max(worst, float(abs(found - wanted).max()) / max(1, float(abs(wanted).max())))
    return (None if worst <= 1e-4 else f"{worst:.1e}"), worst


if __name__ == "__main__":
    random_models.compare("models with graphs of their own", failure)
