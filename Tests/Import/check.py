"""Compares imported models with ONNX Runtime.

    python3 check.py TOOL COUNT SEED

The measure of a difference is the greatest absolute one over the greatest magnitude of ONNX Runtime's
output, or over 1 where that is less; it must be at most 1e-3 for chains of layers and mostly is 1e-6. A
model that is refused must be refused for one of the reasons in REFUSALS. Ends with status 1 otherwise;
the models that failed are kept.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

onnxruntime.set_default_logger_severity(4)

# Refusals that the models are made to run into now and then.
REFUSALS = [
    "gives no whole number of",
    "padding is as large as its",
    "output padding is not less",
    "shrinks with antialiasing",
    "rearranged along",
    "in blocks",
    "treats",
    "by pytorch_half_pixel",
    "have no order",
]

TOLERANCE = 1e-3


class Graph:
    """A model that grows by one operation at a time, its shapes known by running it."""

    def __init__(self, random, opset):
        self.random, self.opset = random, opset
        self.nodes, self.initializers, self.inputs, self.feeds = [], [], [], {}
        self.operations = []
        self.count = 0

    def name(self, prefix="t"):
        self.count += 1
        return f"{prefix}{self.count}"

    def input(self, shape, low=-2.0, high=2.0):
        name = self.name("input.")
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        self.feeds[name] = self.random.uniform(low, high, shape).astype(numpy.float32)
        return name

    def constant(self, values):
        name = self.name("c")
        self.initializers.append(numpy_helper.from_array(numpy.asarray(values), name))
        return name

    def weights(self, *shape):
        fan = max(1, int(numpy.prod(shape[1:])))
        return self.constant(
            (self.random.normal(size=shape) / numpy.sqrt(fan)).astype(numpy.float32))

    def integers(self, values):
        return self.constant(numpy.array(values, dtype=numpy.int64))

    def node(self, operation, inputs, outputs=1, **attributes):
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(operation, inputs, names, **attributes))
        self.operations.append(operation)
        return names[0] if outputs == 1 else names

    def model(self, outputs):
        infos = [onnx.ValueInfoProto(name=name) for name in outputs]
        graph = helper.make_graph(self.nodes, "case", self.inputs, infos, self.initializers)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)
        for output in graph.output:
            output.type.tensor_type.elem_type = TensorProto.FLOAT
        return model

    def choice(self, values):
        return values[self.random.integers(len(values))]

    def integer(self, low, high):
        return int(self.random.integers(low, high + 1))


def shape_of(graph, name):
    """The shape of a tensor, by running what there is."""
    if name in graph.feeds:
        return graph.feeds[name].shape
    model = graph.model([name])
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, graph.feeds)[0].shape


def picture(graph, channels=None):
    return graph.input([1, channels or graph.integer(1, 9), graph.integer(1, 11), graph.integer(1, 11)])


# Each of the following adds operations behind a tensor and gives a new one.


def conv(graph, x, rank=None):
    shape = shape_of(graph, x)
    axes = len(shape) - 2
    groups = graph.choice([g for g in (1, 1, 2, 3, shape[1]) if shape[1] % g == 0])
    outputs = groups * graph.integer(1, 5)
    kernel = [graph.integer(1, 5) for _ in range(axes)]
    attributes = {"kernel_shape": kernel, "group": int(groups)}
    dilations = [graph.choice([1, 1, 1, 2, 3]) for _ in range(axes)]
    strides = [graph.integer(1, 3) for _ in range(axes)]
    attributes["strides"] = strides
    mode = graph.choice(["pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID", "none"])
    if mode == "pads":
        attributes["pads"] = [graph.integer(0, 3) for _ in range(2 * axes)]
    elif mode != "none":
        attributes["auto_pad"] = mode
        if mode.startswith("SAME"):
            dilations = [1] * axes
    if graph.random.random() < 0.7:
        attributes["dilations"] = dilations
    inputs = [x, graph.weights(outputs, shape[1] // groups, *kernel)]
    if graph.random.random() < 0.7:
        inputs.append(graph.weights(outputs))
    return graph.node("Conv", inputs, **attributes)


def conv_transpose(graph, x):
    shape = shape_of(graph, x)
    axes = len(shape) - 2
    groups = graph.choice([g for g in (1, 1, 2, shape[1]) if shape[1] % g == 0])
    outputs = graph.integer(1, 4)
    kernel = [graph.integer(1, 4) for _ in range(axes)]
    strides = [graph.integer(1, 3) for _ in range(axes)]
    attributes = {"kernel_shape": kernel, "group": int(groups), "strides": strides}
    mode = graph.choice(["pads", "none", "SAME_UPPER", "output_shape"])
    if mode == "pads":
        pads = [graph.integer(0, k - 1) for k in kernel]
        attributes["pads"] = pads + [graph.integer(0, k - 1) for k in kernel]
        attributes["output_padding"] = [graph.integer(0, s - 1) for s in strides]
    elif mode == "SAME_UPPER":
        attributes["auto_pad"] = mode
    elif mode == "output_shape":
        attributes["output_shape"] = [
            s * (n - 1) + k for s, n, k in zip(strides, shape[2:], kernel)]
    inputs = [x, graph.weights(shape[1], outputs, *kernel)]
    if graph.random.random() < 0.7:
        inputs.append(graph.weights(outputs * groups))
    return graph.node("ConvTranspose", inputs, **attributes)


def pool(graph, x):
    shape = shape_of(graph, x)
    axes = len(shape) - 2
    operation = graph.choice(["MaxPool", "AveragePool"])
    kernel = [graph.integer(1, min(4, n)) for n in shape[2:]]
    attributes = {"kernel_shape": kernel, "strides": [graph.integer(1, 3) for _ in range(axes)]}
    mode = graph.choice(["pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"])
    if mode == "pads":
        attributes["pads"] = [graph.integer(0, k - 1) for k in kernel] * 2
        if graph.opset >= 10:
            attributes["ceil_mode"] = graph.integer(0, 1)
    else:
        attributes["auto_pad"] = mode
    if operation == "AveragePool":
        attributes["count_include_pad"] = graph.integer(0, 1)
    return graph.node(operation, [x], **attributes)


def pad(graph, x):
    shape = shape_of(graph, x)
    mode = graph.choice(["constant", "reflect", "edge"])
    pads = [0] * (2 * len(shape))
    for axis in range(1, len(shape)):
        limit = min(3, shape[axis] - 1) if mode == "reflect" else 3
        if graph.random.random() < 0.7 and limit > 0:
            pads[axis] = graph.integer(0, limit)
            pads[axis + len(shape)] = graph.integer(0, limit)
    if mode == "constant" and graph.random.random() < 0.2 and shape[-1] > 2:
        pads[len(shape) - 1] = -1
    if graph.opset < 11:
        extra = {"value": 0.5} if mode == "constant" else {}
        return graph.node("Pad", [x], mode=mode, pads=pads, **extra)
    inputs = [x, graph.integers(pads)]
    if mode == "constant" and graph.random.random() < 0.7:
        inputs.append(graph.constant(numpy.float32(graph.random.normal())))
    return graph.node("Pad", inputs, mode=mode)


def resize(graph, x):
    shape = shape_of(graph, x)
    if graph.opset < 10:
        mode = graph.choice(["nearest", "linear"])
        scales = [1.0, 1.0] + [float(graph.integer(1, 3)) for _ in shape[2:]]
        if graph.opset < 9:
            return graph.node("Upsample", [x], mode=mode, scales=scales)
        return graph.node("Upsample", [x, graph.constant(numpy.float32(scales))], mode=mode)
    if graph.opset == 10:
        scales = [1.0, 1.0] + [float(graph.integer(1, 3)) for _ in shape[2:]]
        return graph.node(
            "Resize", [x, graph.constant(numpy.float32(scales))], mode=graph.choice(["nearest", "linear"]))
    mode = graph.choice(["nearest", "linear"])
    attributes = {
        "mode": mode,
        "coordinate_transformation_mode": graph.choice(
            ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]),
    }
    if mode == "nearest":
        attributes["nearest_mode"] = graph.choice(
            ["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])
    empty = graph.constant(numpy.zeros([0], numpy.float32)) if graph.random.random() < 0.5 else ""
    if graph.random.random() < 0.5:
        sizes = list(shape[:2]) + [graph.integer(1, 2 * n) for n in shape[2:]]
        return graph.node("Resize", [x, empty, "", graph.integers(sizes)], **attributes)
    scales = [1.0, 1.0] + [graph.choice([1.0, 2.0, 3.0, 0.5]) for _ in shape[2:]]
    return graph.node("Resize", [x, empty, graph.constant(numpy.float32(scales))], **attributes)


def normalization(graph, x):
    channels = shape_of(graph, x)[1]
    if graph.random.random() < 0.8:
        numbers = [graph.weights(channels) for _ in range(3)]
        variance = graph.constant(graph.random.uniform(0.2, 2, channels).astype(numpy.float32))
        return graph.node(
            "BatchNormalization", [x] + numbers + [variance], epsilon=graph.choice([1e-5, 1e-3]))
    if len(shape_of(graph, x)) > 2 and graph.random.random() < 0.5:
        return graph.node("InstanceNormalization", [x, graph.weights(channels), graph.weights(channels)])
    if graph.opset >= 17:
        last = shape_of(graph, x)[-1]
        return graph.node(
            "LayerNormalization", [x, graph.weights(last), graph.weights(last)], axis=-1)
    return x


def function(graph, x):
    kinds = [
        "Relu", "LeakyRelu", "PRelu", "Clip", "Sigmoid", "HardSigmoid", "Tanh", "Elu", "Softplus", "Exp",
        "Abs", "Neg", "Floor", "Ceil", "Erf", "Softsign", "Silu", "HardSwishPattern", "HardSwishPattern2",
        "GeluPattern", "LogSqrt", "Pow", "Reciprocal", "Identity", "Dropout", "Cast", "MishPattern",
        "TanhGelu",
    ]
    if graph.opset >= 14:
        kinds.append("HardSwish")
    if graph.opset >= 18:
        kinds.append("Mish")
    if graph.opset >= 20:
        kinds.append("Gelu")
    kind = graph.choice(kinds)
    one = lambda value: graph.constant(numpy.float32(value))
    if kind == "LeakyRelu":
        return graph.node(kind, [x], alpha=0.2)
    if kind == "PRelu":
        shape = shape_of(graph, x)
        slope = [shape[1]] + [1] * (len(shape) - 2) if len(shape) > 1 else [1]
        return graph.node(kind, [x, graph.weights(*slope)])
    if kind == "Clip":
        low, high = sorted(graph.random.normal(size=2))
        if graph.random.random() < 0.4:
            low, high = 0.0, 6.0
        if graph.opset < 11:
            return graph.node(kind, [x], min=float(low), max=float(high))
        inputs = [x, one(low), one(high)]
        if graph.random.random() < 0.3:
            inputs[1] = ""
        return graph.node(kind, inputs)
    if kind == "HardSigmoid":
        return graph.node(kind, [x], alpha=graph.choice([0.2, 1 / 6]), beta=0.5)
    if kind == "Elu":
        return graph.node(kind, [x], alpha=graph.choice([1.0, 0.5]))
    if kind == "Erf" and graph.opset < 9:
        return graph.node("Abs", [x])
    if kind == "Silu":
        return graph.node("Mul", [x, graph.node("Sigmoid", [x])])
    if kind == "MishPattern":
        return graph.node("Mul", [x, graph.node("Tanh", [graph.node("Softplus", [x])])])
    if kind == "HardSwishPattern":
        gate = graph.node("HardSigmoid", [x], alpha=1 / 6, beta=0.5)
        return graph.node("Mul", [gate, x])
    if kind == "HardSwishPattern2":
        shifted = graph.node("Add", [x, one(3)])
        if graph.opset < 11:
            clamped = graph.node("Clip", [shifted], min=0.0, max=6.0)
        else:
            clamped = graph.node("Clip", [shifted, one(0), one(6)])
        if graph.random.random() < 0.5:
            return graph.node("Div", [graph.node("Mul", [x, clamped]), one(6)])
        return graph.node("Mul", [x, graph.node("Div", [clamped, one(6)])])
    if kind == "GeluPattern" and graph.opset >= 9:
        error = graph.node("Erf", [graph.node("Div", [x, one(1.4142135)])])
        product = graph.node("Mul", [x, graph.node("Add", [error, one(1)])])
        return graph.node("Mul", [product, one(0.5)])
    if kind == "TanhGelu":
        cube = graph.node("Mul", [graph.node("Pow", [x, one(3)]), one(0.044715)])
        inner = graph.node("Mul", [graph.node("Add", [x, cube]), one(0.7978845608)])
        outer = graph.node("Add", [graph.node("Tanh", [inner]), one(1)])
        return graph.node("Mul", [graph.node("Mul", [x, outer]), one(0.5)])
    if kind == "LogSqrt":
        positive = graph.node("Add", [graph.node("Abs", [x]), one(0.5)])
        return graph.node(graph.choice(["Log", "Sqrt"]), [positive])
    if kind == "Reciprocal":
        return graph.node(kind, [graph.node("Add", [graph.node("Abs", [x]), one(0.5)])])
    if kind == "Pow":
        exponent = graph.choice([2.0, 3.0, 0.5, 1.0, 1.7, -1.0])
        base = x if exponent in (1.0, 2.0, 3.0) else graph.node(
            "Add", [graph.node("Abs", [x]), one(0.5)])
        return graph.node(kind, [base, one(exponent)])
    if kind == "Cast":
        return graph.node(kind, [x], to=TensorProto.FLOAT)
    if kind == "Gelu":
        return graph.node(kind, [x], approximate=graph.choice(["none", "tanh"]))
    if kind in ("GeluPattern",):
        return graph.node("Sigmoid", [x])
    return graph.node(kind, [x])


def pair(graph, x):
    shape = list(shape_of(graph, x))
    operation = graph.choice(["Add", "Sub", "Mul", "Div", "Min", "Max"])
    kind = graph.choice(["scalar", "channel", "random", "other", "self", "row"])
    if kind == "scalar":
        other = graph.constant(numpy.float32(graph.random.normal() + 2))
    elif kind == "channel" and len(shape) > 1:
        other = graph.constant(
            graph.random.uniform(0.5, 2, [shape[1]] + [1] * (len(shape) - 2)).astype(numpy.float32))
    elif kind == "self":
        other = graph.node("Sigmoid", [x])
    else:
        # Extents of 1 are repeated, on either side.
        reduced = [n if graph.random.random() < 0.6 else 1 for n in shape]
        if kind == "row":
            reduced = reduced[graph.integer(0, len(shape) - 1):]
        if kind == "other":
            if reduced[0] != 1 or len(reduced) != len(shape):
                reduced = [1] + reduced[1:]
            for axis, n in enumerate(shape):
                if n == 1 and axis > 0 and graph.random.random() < 0.5:
                    reduced[axis] = graph.integer(1, 4)
            other = graph.input(reduced, 0.5, 2.0)
        else:
            other = graph.constant(graph.random.uniform(0.5, 2, reduced).astype(numpy.float32))
    operands = [x, other]
    if graph.random.random() < 0.3:
        operands.reverse()
        if operation == "Div":
            operands[1] = graph.node("Add", [graph.node("Abs", [x]), graph.constant(numpy.float32(1))])
    if operation in ("Min", "Max") and graph.opset < 8:
        return graph.node("Add", operands)
    return graph.node(operation, operands)


def reduce(graph, x):
    shape = shape_of(graph, x)
    rank = len(shape)
    if rank > 2 and graph.random.random() < 0.3:
        return graph.node(graph.choice(["GlobalAveragePool", "GlobalMaxPool"]), [x])
    operation = graph.choice(["ReduceMean", "ReduceMax", "ReduceSum", "ReduceMin", "ReduceL2"])
    axes = [a for a in range(1, rank) if graph.random.random() < 0.5] or [rank - 1]
    axes = [a - rank if graph.random.random() < 0.3 and graph.opset >= 11 else a for a in axes]
    keeps = graph.integer(0, 1)
    first = 13 if operation == "ReduceSum" else 18
    if graph.opset >= first:
        return graph.node(operation, [x, graph.integers(axes)], keepdims=keeps)
    return graph.node(operation, [x], axes=axes, keepdims=keeps)


def softmax(graph, x):
    rank = len(shape_of(graph, x))
    axis = graph.integer(0 if rank == 1 else 1, rank - 1)
    return graph.node(graph.choice(["Softmax", "LogSoftmax"]), [x], axis=axis)


def argmax(graph, x):
    rank = len(shape_of(graph, x))
    result = graph.node("ArgMax", [x], axis=graph.integer(0, rank - 1), keepdims=graph.integer(0, 1))
    return graph.node("Cast", [result], to=TensorProto.FLOAT)


def chosen(graph, x):
    """The best of some numbers, their places, or others at those places."""
    shape = list(shape_of(graph, x))
    axis = graph.integer(0 if len(shape) == 1 else 1, len(shape) - 1)
    # More of them at the end of a model are left out.
    count = graph.integer(1, min(shape[axis], 16))
    attributes = {"axis": axis}
    operands = [x]
    if graph.opset >= 10:
        operands.append(graph.integers([count]))
    else:
        attributes["k"] = count
    if graph.opset >= 11:
        attributes["largest"] = graph.integer(0, 1)
    numbers, places = graph.node("TopK", operands, outputs=2, **attributes)
    kind = graph.choice(["numbers", "places", "elements", "rows", "points"])
    if kind == "elements" and graph.opset >= 11:
        other = graph.choice([x, graph.weights(*shape)])
        return graph.node("GatherElements", [other, places], axis=axis)
    if kind == "rows" and len(shape) < 4:
        table = graph.weights(*([shape[axis]] + [3] * graph.integer(0, 1)))
        if graph.random.random() < 0.5:
            # From behind.
            places = graph.node("Sub", [places, graph.integers([shape[axis]])])
        return graph.node("Gather", [table, places], axis=0)
    if kind == "points" and graph.opset >= 12 and len(shape) < 4:
        points = graph.node("Unsqueeze", [places, graph.integers([-1])]) if graph.opset >= 13 else \
            graph.node("Unsqueeze", [places], axes=[len(shape)])
        twice = graph.node("Concat", [points, points], axis=len(shape))
        return graph.node("GatherND", [graph.weights(shape[axis], shape[axis], 2), twice])
    if kind == "places":
        return graph.node("Cast", [places], to=TensorProto.FLOAT)
    return numbers


def concat(graph, x):
    shape = list(shape_of(graph, x))
    axis = graph.integer(0 if len(shape) == 1 else 1, len(shape) - 1)
    other = list(shape)
    other[axis] = graph.integer(1, 5)
    parts = [x, graph.weights(*other), graph.node("Neg", [x])]
    if graph.random.random() < 0.5:
        parts.append(graph.input(other))
    order = graph.random.permutation(len(parts))
    return graph.node("Concat", [parts[i] for i in order], axis=axis)


def split(graph, x):
    shape = shape_of(graph, x)
    axes = [a for a in range(len(shape)) if shape[a] > 1]
    if not axes:
        return x
    axis = graph.choice(axes)
    first = graph.integer(1, shape[axis] - 1)
    lengths = [first, shape[axis] - first]
    if graph.opset < 13:
        parts = graph.node("Split", [x], outputs=2, axis=axis, split=lengths)
    else:
        parts = graph.node("Split", [x, graph.integers(lengths)], outputs=2, axis=axis)
    return graph.node("Concat", [parts[1], parts[0]], axis=axis)


def slice_(graph, x):
    shape = shape_of(graph, x)
    axes = [a for a in range(len(shape)) if shape[a] > 1] or [0]
    axes = list(graph.random.permutation(axes)[: graph.integer(1, 2)])
    starts, ends, steps = [], [], []
    for axis in axes:
        start = graph.integer(0, shape[axis] - 1)
        if graph.random.random() < 0.5:
            starts.append(start)
            ends.append(graph.choice([9223372036854775807, shape[axis], min(shape[axis], start + 2)]))
            steps.append(graph.integer(1, 3) if graph.opset >= 10 else 1)
        elif graph.opset >= 10:
            starts.append(-1)
            ends.append(graph.choice([-9223372036854775807, -shape[axis] - 1]))
            steps.append(-graph.integer(1, 2))
        else:
            starts.append(start - shape[axis])
            ends.append(100)
            steps.append(1)
    axes = [int(a) for a in axes]
    if graph.opset < 10:
        return graph.node("Slice", [x], starts=starts, ends=ends, axes=axes)
    return graph.node(
        "Slice",
        [x, graph.integers(starts), graph.integers(ends), graph.integers(axes), graph.integers(steps)])


def gather(graph, x):
    shape = shape_of(graph, x)
    axis = graph.integer(0 if len(shape) == 1 else 1, len(shape) - 1)
    kind = graph.choice(["one", "some", "matrix"])
    if kind == "one" and len(shape) > 1:
        indices = numpy.int64(graph.integer(0, shape[axis] - 1))
    elif kind == "matrix" and len(shape) < 4:
        indices = graph.random.integers(0, shape[axis], [2, 2])
    else:
        indices = graph.random.integers(0, shape[axis], [graph.integer(1, 6)])
        if graph.opset >= 11:
            indices = indices - graph.integer(0, 1) * 0
    return graph.node("Gather", [x, graph.constant(numpy.asarray(indices, numpy.int64))], axis=axis)


def factors(graph, count, parts):
    """A random shape with so many positions."""
    shape = [1] * parts
    for prime in (2, 2, 2, 2, 3, 3, 5, 7, 11, 2, 3, 5, 7, 13):
        while count % prime == 0:
            shape[graph.integer(0, parts - 1)] *= prime
            count //= prime
    shape[graph.integer(0, parts - 1)] *= count
    return [int(n) for n in shape]


def reshape(graph, x):
    shape = shape_of(graph, x)
    count = int(numpy.prod(shape))
    kind = graph.choice(["random", "map", "flatten", "squeeze", "unsqueeze", "blocks", "shuffle", "chain"])
    if kind == "flatten":
        return graph.node("Flatten", [x], axis=graph.integer(0, len(shape)))
    if kind == "squeeze" and 1 in shape and len(shape) > 1:
        axes = [a for a in range(len(shape)) if shape[a] == 1][: len(shape) - 1]
        if graph.opset < 13:
            return graph.node("Squeeze", [x], axes=axes)
        return graph.node("Squeeze", [x, graph.integers(axes)])
    if kind == "unsqueeze" and len(shape) < 5:
        axes = [graph.integer(0, len(shape))]
        if graph.opset < 13:
            return graph.node("Unsqueeze", [x], axes=axes)
        return graph.node("Unsqueeze", [x, graph.integers(axes)])
    if kind == "blocks" and len(shape) == 4:
        if shape[1] % 4 == 0:
            mode = {"mode": graph.choice(["DCR", "CRD"])} if graph.opset >= 11 else {}
            return graph.node("DepthToSpace", [x], blocksize=2, **mode)
        if shape[2] % 2 == 0 and shape[3] % 2 == 0:
            return graph.node("SpaceToDepth", [x], blocksize=2)
    if kind == "shuffle" and len(shape) == 4 and shape[1] % 2 == 0:
        split_ = graph.node(
            "Reshape", [x, graph.integers([1, 2, shape[1] // 2, shape[2], shape[3]])])
        turned = graph.node("Transpose", [split_], perm=[0, 2, 1, 3, 4])
        return graph.node("Reshape", [turned, graph.integers([1, -1, shape[2], shape[3]])])
    if kind == "map":
        return graph.node("Reshape", [x, graph.integers([1] + factors(graph, count, 3))])
    if kind == "chain" and len(shape) == 4:
        # What exporters write to flatten maps: shape arithmetic.
        extents = graph.node("Shape", [x])
        batch = graph.node("Gather", [extents, graph.integers([0])], axis=0)
        rest = graph.node("Gather", [extents, graph.integers([1])], axis=0)
        target = graph.node("Concat", [batch, rest, graph.integers([-1])], axis=0)
        flat = graph.node("Reshape", [x, target])
        return graph.node("Transpose", [flat], perm=[0, 2, 1])
    target = factors(graph, count, graph.integer(1, 5))
    if graph.random.random() < 0.5:
        target[graph.integer(0, len(target) - 1)] = -1
    return graph.node("Reshape", [x, graph.integers(target)])


def transpose(graph, x):
    rank = len(shape_of(graph, x))
    return graph.node("Transpose", [x], perm=[int(a) for a in graph.random.permutation(rank)])


def expand(graph, x):
    shape = list(shape_of(graph, x))
    if graph.random.random() < 0.5 or graph.opset < 8:
        repeats = [graph.integer(1, 2) if n < 8 else 1 for n in shape]
        return graph.node("Tile", [x, graph.integers(repeats)])
    target = [n if n > 1 else graph.integer(1, 4) for n in shape]
    return graph.node("Expand", [x, graph.integers(target)])


def product(graph, x):
    shape = shape_of(graph, x)
    k = shape[-1]
    n = graph.integer(1, 6)
    kind = graph.choice(["MatMul", "left", "Gemm", "both", "linear"])
    if kind == "left" and len(shape) >= 2:
        return graph.node("MatMul", [graph.weights(n, shape[-2]), x])
    if kind == "Gemm":
        flat = graph.node("Flatten", [x], axis=1) if len(shape) > 1 else graph.node(
            "Reshape", [x, graph.integers([1, -1])])
        k = int(numpy.prod(shape[1:])) if len(shape) > 1 else k
        transposed = graph.integer(0, 1)
        matrix = graph.weights(n, k) if transposed else graph.weights(k, n)
        inputs = [flat, matrix]
        if graph.random.random() < 0.7 or graph.opset < 11:
            inputs.append(graph.weights(n) if n > 1 else graph.weights(1))
        return graph.node(
            "Gemm", inputs, transB=transposed, alpha=graph.choice([1.0, 0.5]), beta=graph.choice([1.0, 2.0]))
    if kind == "both" and len(shape) >= 2:
        order = list(range(len(shape)))
        order[-1], order[-2] = order[-2], order[-1]
        return graph.node("MatMul", [x, graph.node("Transpose", [x], perm=order)])
    result = graph.node("MatMul", [x, graph.weights(k, n)])
    if kind == "linear":
        result = graph.node("Add", [result, graph.weights(n)])
    return result


def quantization(graph, x):
    scale = graph.constant(numpy.float32(0.05))
    shape = shape_of(graph, x)
    if len(shape) == 4 and graph.opset >= 13:
        # Weights of signed bytes, a scale for each output channel.
        count = graph.integer(1, 4)
        weights = graph.constant(graph.random.integers(-127, 127, [count, shape[1], 1, 1]).astype(numpy.int8))
        scales = graph.constant(graph.random.uniform(0.001, 0.02, count).astype(numpy.float32))
        zeros = graph.constant(numpy.zeros(count, numpy.int8))
        weights = graph.node("DequantizeLinear", [weights, scales, zeros], axis=0)
        return graph.node("Conv", [x, weights])
    return x


ANY = [function, function, pair, reduce, softmax, concat, split, slice_, gather, reshape, reshape,
       transpose, expand, product]
MAPS = [conv, conv, conv_transpose, pool, pool, pad, resize, resize, normalization, quantization]


def case(random):
    opset = int(random.integers(7, 22))
    graph = Graph(random, opset)
    rank = graph.choice([4, 4, 4, 4, 3, 2])
    if rank == 4:
        x = picture(graph)
    elif rank == 3:
        x = graph.input([1, graph.integer(1, 8), graph.integer(1, 12)])
    else:
        x = graph.input([1, graph.integer(1, 12)])
    length = graph.choice([1, 1, 2, 3, 4, 6])
    for _ in range(length):
        shape = shape_of(graph, x)
        if numpy.prod(shape) > 20000 or len(shape) == 0 or len(shape) > 6:
            break
        maps = len(shape) in (3, 4) and shape[0] == 1
        step = graph.choice(ANY + MAPS * 2 if maps else ANY)
        if step is resize and len(shape) == 3:
            step = conv
        if graph.random.random() < 0.03:
            step = argmax
        if graph.random.random() < 0.05:
            step = chosen
        before = len(graph.nodes), len(graph.initializers), len(graph.inputs)
        feeds = dict(graph.feeds)
        operations = list(graph.operations)
        result = step(graph, x)
        try:
            numbers = run(graph, [result])[0]
            sound = numbers.size > 0 and numbers.size < 200000 and numpy.isfinite(numbers).all() \
                and abs(numbers).max() < 1e6
        except Exception:
            sound = False
        if not sound:
            # ONNX Runtime refuses it, or the numbers say nothing: another step is taken.
            graph.nodes, graph.initializers = graph.nodes[:before[0]], graph.initializers[:before[1]]
            graph.inputs, graph.feeds, graph.operations = graph.inputs[:before[2]], feeds, operations
            continue
        x = result
    if not graph.nodes:
        x = graph.node("Relu", [x])
    return graph, [x]


def run(graph, outputs):
    model = graph.model(outputs)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, graph.feeds)


def check(tool, graph, outputs, folder):
    """None where the answers agree, else what is wrong; and the difference."""
    expected = run(graph, outputs)
    used = {name for node in graph.nodes for name in node.input}
    model = folder / "model.onnx"
    model.write_bytes(graph.model(outputs).SerializeToString())
    made = subprocess.run(
        [tool, "import", model, "--output", folder / "model.dvweights"], capture_output=True, text=True)
    if made.returncode != 0:
        return "refused" if made.returncode == 1 else "crashed", made.stderr.strip(), 0
    arguments = []
    left_out = re.findall(r"depends on the input (\S+);", made.stderr)
    for name, numbers in graph.feeds.items():
        if name in used and name not in left_out:
            numpy.save(folder / f"{name}.npy", numbers)
            arguments += ["--input", f"{name}={folder / name}.npy"]
    answer = subprocess.run(
        [tool, "run", folder / "model.dvweights", *arguments, "--output", folder / "out"],
        capture_output=True, text=True)
    if answer.returncode != 0:
        return "not run", answer.stderr.strip(), 0
    worst = 0
    for name, numbers in zip(outputs, expected):
        found = numpy.load(folder / "out" / f"{name}.npy")
        if found.shape != numbers.shape:
            return "wrong", f"shape {found.shape}, not {numbers.shape}", 0
        scale = max(1, abs(numbers).max()) if numbers.size else 1
        worst = max(worst, float(abs(found.astype(numpy.float64) - numbers).max() / scale))
    if worst > TOLERANCE or numpy.isnan(worst):
        return "wrong", f"difference {worst:.2e}", worst
    return None, "", worst


def main():
    tool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    tool = str(pathlib.Path(tool).resolve())
    kept = pathlib.Path(tempfile.gettempdir()) / "dicevision-import-failures"
    agreed, refused, failed, worst = 0, collections.Counter(), 0, 0
    operations = collections.Counter()
    for number in range(count):
        random = numpy.random.default_rng([seed, number])
        graph, outputs = case(random)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            fault, message, difference = check(tool, graph, outputs, folder)
            if fault is None:
                agreed += 1
                worst = max(worst, difference)
                operations.update(set(graph.operations))
                continue
            message = re.sub(r"^dicevision: \S+: ", "", message)
            reason = next((text for text in REFUSALS if text in message), None)
            if fault == "refused" and reason:
                refused[reason] += 1
                continue
            failed += 1
            print(f"{seed}/{number} operator set {graph.opset}, {fault}: {message[:300]}")
            print(f"    {' '.join(graph.operations)}", flush=True)
            shutil.copytree(folder, kept / f"{seed}-{number}", dirs_exist_ok=True)
    print(f"{count} models: {agreed} agree, {sum(refused.values())} refused, {failed} failed")
    print(f"greatest difference {worst:.1e}")
    for reason, times in refused.most_common():
        print(f"    refused {times} times: {reason}")
    print("models with each operation: "
          + ", ".join(f"{name} {times}" for name, times in sorted(operations.items())))
    if failed:
        print(f"What failed is kept in {kept}.")
        sys.exit(1)
    if agreed == 0:
        sys.exit("No model was compared.")


main()
