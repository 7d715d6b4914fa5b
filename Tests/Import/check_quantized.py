"""Compares imported quantized models with ONNX Runtime.

    python3 check_quantized.py TOOL COUNT SEED

Makes small random models of one to three operations on integers: with QuantizeLinear and DequantizeLinear around
operations on numbers, of the operations QLinear... of ONNX and of ONNX Runtime, and with scales that depend on the
input. Outputs are integers or the numbers that they stand for. An output may differ by one step in one place of a
thousand, or in one place, where a sum lies in the middle between two steps. Ends with status 1 otherwise.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

onnxruntime.set_default_logger_severity(4)
TYPES = {numpy.uint8: TensorProto.UINT8, numpy.int8: TensorProto.INT8}


class Graph:
    def __init__(self, random):
        self.random = random
        self.nodes, self.constants, self.count, self.operations = [], [], 0, []

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def constant(self, values):
        name = self.name()
        self.constants.append(numpy_helper.from_array(numpy.asarray(values), name))
        return name

    def node(self, operation, inputs, outputs=1, domain="", **attributes):
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(operation, inputs, names, domain=domain, **attributes))
        self.operations.append(operation)
        return names[0] if outputs == 1 else names

    def choice(self, values):
        return values[self.random.integers(len(values))]

    def scale(self, low=0.005, high=0.05):
        return numpy.float32(self.random.uniform(low, high))

    def zero(self, kind):
        info = numpy.iinfo(kind)
        return kind(self.random.integers(info.min, info.max + 1) // 2 + (64 if kind == numpy.uint8 else 0))


class Tensor:
    """A quantized tensor: its name, scale, zero point and type."""

    def __init__(self, graph, name, scale, zero, shape):
        self.name, self.scale, self.zero, self.shape = name, scale, zero, shape
        self.parameters = [graph.constant(scale), graph.constant(zero)]


def new(graph, shape, kind):
    return Tensor(graph, None, graph.scale(), graph.zero(kind), shape)


def quantized(graph, name, shape, kind):
    result = new(graph, shape, kind)
    result.name = graph.node("QuantizeLinear", [name] + result.parameters)
    return result


def weights(graph, shape, axis, kind=numpy.int8):
    """Constant integers with one scale, or one for each channel."""
    info = numpy.iinfo(kind)
    values = graph.random.integers(info.min, info.max + 1, shape).astype(kind)
    if graph.random.random() < 0.5:
        return graph.constant(values), graph.scale(), kind(0 if kind == numpy.int8 else 128)
    scales = graph.random.uniform(0.005, 0.05, shape[axis]).astype(numpy.float32)
    return graph.constant(values), scales, numpy.full(shape[axis], 0 if kind == numpy.int8 else 128, kind)


def bias(graph, x, scales, count):
    values = graph.random.integers(-3000, 3000, count).astype(numpy.int32)
    return graph.constant(values), (numpy.float32(x.scale) * scales).astype(numpy.float32), values


def conv(graph, x, kind):
    channels = x.shape[1]
    groups = graph.choice([g for g in (1, 1, 2, channels) if channels % g == 0])
    outputs, size = groups * int(graph.random.integers(1, 4)), int(graph.random.integers(1, 4))
    stride = int(graph.random.integers(1, 3))
    attributes = {"group": groups, "strides": [stride] * 2, "pads": [size // 2] * 4}
    w, scales, zeros = weights(graph, (outputs, channels // groups, size, size), 0)
    b, steps, values = bias(graph, x, scales, outputs)
    shape = [1, outputs] + [(extent + 2 * (size // 2) - size) // stride + 1 for extent in x.shape[2:]]
    y = new(graph, shape, kind)
    # A sum of so many products has to fit the range.
    y.scale = numpy.float32(x.scale * numpy.mean(scales) * 127 * 60 * numpy.sqrt(channels // groups * size * size) / 128)
    y.parameters[0] = graph.constant(y.scale)
    if graph.random.random() < 0.5:
        inputs = [x.name, *x.parameters, w, graph.constant(scales), graph.constant(zeros), *y.parameters]
        y.name = graph.node("QLinearConv", inputs + ([b] if graph.random.random() < 0.7 else []), **attributes)
        return y
    number = graph.node("DequantizeLinear", [x.name] + x.parameters)
    axis = {} if numpy.ndim(scales) == 0 else {"axis": 0}
    kernel = graph.node("DequantizeLinear", [w, graph.constant(scales), graph.constant(zeros)], **axis)
    zero_bias = graph.constant(numpy.zeros(numpy.shape(steps), numpy.int32))
    offset = graph.node("DequantizeLinear", [b, graph.constant(steps), zero_bias], **axis)
    number = graph.node("Conv", [number, kernel, offset], **attributes)
    if graph.random.random() < 0.5:
        number = graph.node("Relu", [number])
    y.name = graph.node("QuantizeLinear", [number] + y.parameters)
    return y


def pair(graph, x, kind):
    y = new(graph, x.shape, kind)
    other = graph.random.integers(0, 255, x.shape[1:] if graph.random.random() < 0.5 else x.shape)
    second = Tensor(graph, None, graph.scale(), kind(3), x.shape)
    operation = graph.choice(["QLinearAdd", "QLinearMul"])
    inputs = [x.name, *x.parameters]
    if graph.random.random() < 0.5:
        values = graph.constant((other % 120).astype(kind))
        inputs += [values, *second.parameters]
    else:
        inputs += [x.name, *x.parameters]
    if operation == "QLinearMul":
        y.scale = numpy.float32(0.2)
        y.parameters[0] = graph.constant(y.scale)
    y.name = graph.node(operation, inputs + y.parameters, domain="com.microsoft")
    return y


def function(graph, x, kind):
    operation = graph.choice(["QLinearSigmoid", "QLinearLeakyRelu", "QLinearAveragePool", "QLinearGlobalAveragePool"])
    shape, attributes = list(x.shape), {}
    if operation == "QLinearLeakyRelu":
        attributes = {"alpha": 0.3}
    elif operation == "QLinearAveragePool":
        attributes = {"kernel_shape": [2, 2], "strides": [2, 2]}
        shape[2:] = [extent // 2 for extent in shape[2:]]
    elif operation == "QLinearGlobalAveragePool":
        attributes, shape[2:] = {"channels_last": 0}, [1, 1]
    if min(shape) < 1:
        return x
    y = new(graph, shape, kind)
    y.name = graph.node(operation, [x.name, *x.parameters, *y.parameters], domain="com.microsoft", **attributes)
    return y


def joint(graph, x, kind):
    y = new(graph, [1, 2 * x.shape[1], *x.shape[2:]], kind)
    y.name = graph.node("QLinearConcat", y.parameters + 2 * [x.name, *x.parameters], domain="com.microsoft", axis=1)
    return y


def moved(graph, x, kind):
    operation = graph.choice(["MaxPool", "Transpose", "Slice", "Concat", "Reshape"])
    y = Tensor(graph, None, x.scale, x.zero, list(x.shape))
    if operation == "MaxPool":
        if min(x.shape[2:]) < 2:
            return x
        y.shape[2:] = [extent - 1 for extent in x.shape[2:]]
        y.name = graph.node("MaxPool", [x.name], kernel_shape=[2, 2])
    elif operation == "Transpose":
        y.shape[2:] = x.shape[:1:-1]
        y.name = graph.node("Transpose", [x.name], perm=[0, 1, 3, 2])
    elif operation == "Slice":
        ends = graph.constant(numpy.array([1, max(1, x.shape[1] - 1)]))
        y.shape[1] = max(1, x.shape[1] - 1)
        y.name = graph.node(
            "Slice", [x.name, graph.constant(numpy.array([0, 0])), ends, graph.constant(numpy.array([0, 1]))])
    elif operation == "Concat":
        y.shape[1] *= 2
        y.name = graph.node("Concat", [x.name, x.name], axis=1)
    else:
        y.shape = [1, x.shape[1] * x.shape[2], 1, x.shape[3]]
        y.name = graph.node("Reshape", [x.name, graph.constant(numpy.array(y.shape))])
    return y


def product(graph, x, kind):
    """Behind a reshape to rows: a product with a constant matrix."""
    rows, inner = x.shape[1], x.shape[2] * x.shape[3]
    name = graph.node("Reshape", [x.name, graph.constant(numpy.array([rows, inner]))])
    outputs = int(graph.random.integers(1, 6))
    w, scales, zeros = weights(graph, (inner, outputs), 1)
    y = new(graph, [1, 1, rows, outputs], kind)
    y.scale = numpy.float32(x.scale * numpy.mean(scales) * 60 * numpy.sqrt(inner))
    y.parameters[0] = graph.constant(y.scale)
    inputs = [name, *x.parameters, w, graph.constant(scales), graph.constant(zeros)]
    if graph.random.random() < 0.5 and kind == numpy.uint8:
        b = bias(graph, x, scales, outputs)[0]
        result = graph.node("QGemm", inputs + [b] + y.parameters, domain="com.microsoft")
    else:
        result = graph.node("QLinearMatMul", inputs + y.parameters)
    y.name = graph.node("Reshape", [result, graph.constant(numpy.array(y.shape))])
    return y


def dynamic(graph, name, shape):
    """Integers with a scale that depends on the input; gives numbers."""
    integers, scale, zero = graph.node("DynamicQuantizeLinear", [name], 3)
    kind = graph.choice([numpy.uint8, numpy.int8])
    if graph.random.random() < 0.5:
        w, step, point = weights(graph, (3, shape[1], 3, 3), 0, kind)
        if numpy.ndim(point):
            point = point[0]
        result = graph.node("ConvInteger", [integers, w, zero, graph.constant(point)], pads=[1] * 4)
        outer = numpy.reshape(step, (-1, 1, 1)) if numpy.ndim(step) else step
    else:
        w, step, point = weights(graph, (shape[3], 4), 1, kind)
        result = graph.node("MatMulInteger", [integers, w, zero, graph.constant(point if numpy.ndim(point) == 0 else point[0])])
        outer = step
    number = graph.node("Cast", [result], to=TensorProto.FLOAT)
    factor = graph.node("Mul", [scale, graph.constant(numpy.asarray(outer, numpy.float32))])
    return graph.node("Mul", [number, factor])


def case(random):
    """A model, its feed and the step of its output; None for a step of numbers that are no integers."""
    graph = Graph(random)
    shape = [1, int(random.integers(1, 6)), int(random.integers(1, 8)), int(random.integers(1, 8))]
    feed = random.uniform(-2, 2, shape).astype(numpy.float32)
    domains = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    kind = graph.choice([numpy.uint8, numpy.int8])
    first, element = "input", TensorProto.FLOAT
    if random.random() < 0.15:
        output, step, element_out = dynamic(graph, "input", shape), None, TensorProto.FLOAT
    else:
        if random.random() < 0.2:
            # The input itself has integers.
            x = new(graph, shape, kind)
            x.name, element = "input", TYPES[kind]
            info = numpy.iinfo(kind)
            feed = random.integers(info.min, info.max + 1, shape).astype(kind)
        else:
            x = quantized(graph, "input", shape, kind)
        for _ in range(int(random.integers(1, 4))):
            x = graph.choice([conv, conv, pair, function, joint, moved, moved, product])(graph, x, kind)
        output, step, element_out = x.name, 1, TYPES[kind]
        if output == "input":
            output = graph.node("Identity", [output])
        if random.random() < 0.5:
            output, step, element_out = graph.node("DequantizeLinear", [x.name] + x.parameters), float(x.scale), TensorProto.FLOAT
    proto = helper.make_graph(
        graph.nodes, "case", [helper.make_tensor_value_info(first, element, shape)],
        [helper.make_tensor_value_info(output, element_out, None)], graph.constants)
    return helper.make_model(proto, opset_imports=domains, ir_version=8), feed, step, output, graph.operations


def failure(tool, folder, random):
    """What is wrong with one model; None if nothing is, "" where ONNX Runtime does not run it."""
    model, feed, step, output, operations = case(random)
    path = folder / "case.onnx"
    onnx.save(model, path)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        right = session.run(None, {"input": feed})[0].astype(numpy.float64)
    except Exception:  # What the runtime refuses is no case.
        return ""
    numpy.save(folder / "input.npy", feed.astype(numpy.float32))
    weights_path, results = folder / "case.dvweights", folder / "results"
    shutil.rmtree(results, ignore_errors=True)
    for call in (["import", path, "--output", weights_path, "--force"],
                 ["run", weights_path, "--input", f"input={folder / 'input.npy'}", "--output", results]):
        done = subprocess.run([tool, *map(str, call)], capture_output=True, text=True)
        if done.returncode:
            return f"{operations}: {done.stderr.strip()}"
    found = numpy.load(results / f"{output}.npy").astype(numpy.float64)
    if found.shape != right.shape:
        return f"{operations}: shape {found.shape} in place of {right.shape}"
    difference = numpy.abs(found - right)
    if step is None:
        # A rounding the other way changes a sum by a step.
        size = max(1e-3, float(numpy.abs(right).max()))
        return None if difference.max() <= 0.02 * size else f"{operations}: {difference.max()} of {size}"
    steps = difference / step
    wrong = int((steps > 0.01).sum())
    if wrong <= max(1, found.size // 1000) and steps.max() <= 1.01:
        return None
    return f"{operations}: {wrong} of {found.size} differ, by {steps.max():.2f} steps at most"


def main():
    tool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    folder = pathlib.Path(tempfile.mkdtemp())
    failures, left_out = [], 0
    for index in range(seed, seed + count):
        found = failure(tool, folder, numpy.random.default_rng(index))
        if found == "":
            left_out += 1
        elif found:
            failures.append(f"seed {index}: {found}")
            shutil.copy(folder / "case.onnx", folder / f"failed-{index}.onnx")
    for line in failures[:20]:
        print(line)
    print(f"{count - left_out} quantized ONNX models, {len(failures)} of them differ; ONNX Runtime refuses {left_out} more")
    if failures:
        print(f"kept in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
