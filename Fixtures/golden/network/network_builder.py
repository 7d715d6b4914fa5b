"""Networks built twice at once: as a weight file and as an ONNX model.

Values are `[H, W, C]` in the weight file and `[1, C, H, W]` in the model. A value is named by the
number of its layer, or "input 0" as in weight_format.py beside the weight files' generator.
"""

import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "weights"))
import weight_format as wf  # noqa: E402

AXES = {wf.HEIGHT: 2, wf.WIDTH: 3, wf.CHANNELS: 1}


class Builder:
    """Layers are added by methods that return their numbers."""

    def __init__(self, name, seed, inputs):
        """`inputs` lists names, shapes and whether the size may change."""
        self.name = name
        self.random = np.random.default_rng(seed)
        self.inputs = inputs
        self.records, self.nodes, self.initializers, self.tensors = [], [], [], []
        self.outputs = []  # name, layer, further fields of the weight file's record
        self.pictures = {}  # number of an input: True where it is a picture

    # Parts

    def draw(self, *shape, scale=1.0):
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def weights(self, kernel, inputs, outputs, groups=1):
        """Weights that keep values near one, and biases."""
        fan = kernel[0] * kernel[1] * inputs // groups
        return (
            self.draw(*kernel, inputs // groups, outputs, scale=np.sqrt(2.5 / fan)),
            self.draw(outputs, scale=0.3))

    def store(self, values):
        values = np.ascontiguousarray(values, np.float32)
        self.tensors.append((values.shape, wf.FLOAT32, wf.stored(values, wf.FLOAT32)[0]))
        return len(self.tensors) - 1

    def constant(self, values):
        name = f"constant{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def of(self, source):
        return source.replace(" ", "") if isinstance(source, str) else f"layer{source}"

    def add(self, record, make):
        """Adds a layer; `make(output)` adds the nodes that write a name."""
        index = len(self.records)
        self.records.append(record)
        make(f"layer{index}")
        return index

    def activated(self, raw, output, function, numbers=(), slopes=None):
        """The nodes of an activation."""
        one = lambda value: self.constant(np.float32(value))  # noqa: E731
        if function == wf.IDENTITY:
            self.node("Identity", [raw], output)
        elif function == wf.LEAKY:
            self.node("LeakyRelu", [raw], output, alpha=float(numbers[0]))
        elif function == wf.PARAMETRIC:
            self.node("PRelu", [raw, self.constant(slopes.reshape(-1, 1, 1))], output)
        elif function == wf.CLAMP:
            self.node("Clip", [raw, one(numbers[0]), one(numbers[1])], output)
        elif function == wf.HARD_SIGMOID:
            self.node(
                "HardSigmoid", [raw], output, alpha=float(numbers[0]), beta=float(numbers[1]))
        elif function == wf.SILU:
            self.node("Sigmoid", [raw], output + "s")
            self.node("Mul", [raw, output + "s"], output)
        elif function == wf.GELU:
            self.node("Gelu", [raw], output, approximate="tanh")
        elif function == wf.ELU:
            self.node("Elu", [raw], output, alpha=float(numbers[0]))
        elif function == wf.LINEAR:
            self.node("Mul", [raw, one(numbers[0])], output + "p")
            self.node("Add", [output + "p", one(numbers[1])], output)
        elif function == wf.LOGARITHM:
            self.node("Max", [raw, one(numbers[0])], output + "m")
            self.node("Log", [output + "m"], output)
        elif function == wf.SQUARE_ROOT:
            self.node("Relu", [raw], output + "r")
            self.node("Sqrt", [output + "r"], output)
        elif function == wf.POWER:
            self.node("Relu", [raw], output + "r")
            self.node("Pow", [output + "r", one(numbers[0])], output)
        else:
            self.node(
                {wf.SIGMOID: "Sigmoid", wf.HARD_SWISH: "HardSwish", wf.TANH: "Tanh",
                 wf.SOFTPLUS: "Softplus", wf.EXPONENTIAL: "Exp", wf.RECIPROCAL: "Reciprocal",
                 wf.ABSOLUTE: "Abs", wf.FLOOR: "Floor", wf.ERROR_FUNCTION: "Erf"}[function], [raw], output)

    def function(self, channels, function, numbers):
        """The record of an activation and the slopes of a parametric one."""
        if function != wf.PARAMETRIC:
            return wf.activation(function, *numbers), None
        slopes = self.draw(channels, scale=0.3)
        return wf.activation(function, self.store(slopes)), slopes

    # Layers with weights

    def convolution(
            self, source, inputs, outputs, kernel, stride=(1, 1), dilation=(1, 1),
            padding=(0, 0, 0, 0), groups=1, function=wf.IDENTITY, numbers=(), share=None):
        values, biases = share or self.weights(kernel, inputs, outputs, groups)
        indices = self.indices(values, biases)
        record, slopes = self.function(outputs, function, numbers)
        top, left, bottom, right = padding

        def make(output):
            raw = self.node(
                "Conv", [self.of(source), self.constant(values.transpose(3, 2, 0, 1)),
                         self.constant(biases)], output + "c", strides=stride,
                dilations=dilation, group=groups, pads=[top, left, bottom, right])
            self.activated(raw, output, function, numbers, slopes)

        return self.add(
            wf.convolution(
                source, inputs, outputs, wf.window(kernel, stride, dilation, padding), *indices,
                groups, record), make)

    def indices(self, *values):
        """The tensors of weights; the same arrays have the same tensors."""
        found = []
        for value in values:
            known = [index for index, other in getattr(self, "shared", []) if other is value]
            index = known[0] if known else self.store(value)
            self.shared = getattr(self, "shared", []) + [(index, value)]
            found.append(index)
        return found

    def transposed(
            self, source, inputs, outputs, kernel, stride=(1, 1), dilation=(1, 1),
            padding=(0, 0, 0, 0), extra=(0, 0), groups=1, function=wf.IDENTITY, numbers=()):
        values, biases = self.weights(kernel, inputs, outputs, groups)
        indices = self.indices(values, biases)
        record, slopes = self.function(outputs, function, numbers)
        # [KH, KW, I / groups, O] to [I, O / groups, KH, KW]
        parts = np.split(values, groups, axis=3)
        swapped = np.concatenate([part.transpose(2, 3, 0, 1) for part in parts], axis=0)

        def make(output):
            raw = self.node(
                "ConvTranspose", [self.of(source), self.constant(swapped),
                                  self.constant(biases)], output + "c", strides=stride,
                dilations=dilation, group=groups, pads=list(padding), output_padding=extra)
            self.activated(raw, output, function, numbers, slopes)

        return self.add(
            wf.transposed_convolution(
                source, inputs, outputs, wf.window(kernel, stride, dilation, padding), *indices,
                extra, groups, record), make)

    def dense(self, source, inputs, outputs, function=wf.IDENTITY, numbers=()):
        values = self.draw(inputs, outputs, scale=np.sqrt(2.0 / inputs))
        biases = self.draw(outputs, scale=0.3)
        indices = self.indices(values, biases)
        record, slopes = self.function(outputs, function, numbers)

        def make(output):
            self.node("Transpose", [self.of(source)], output + "t", perm=[0, 2, 3, 1])
            self.node(
                "Reshape", [output + "t", self.constant(np.array([1, -1]))], output + "f")
            self.node(
                "Gemm", [output + "f", self.constant(values), self.constant(biases)], output + "g")
            raw = self.node(
                "Reshape", [output + "g", self.constant(np.array([1, outputs, 1, 1]))],
                output + "r")
            self.activated(raw, output, function, numbers, slopes)

        return self.add(wf.dense(source, outputs, *indices, record), make)

    def normalization(self, source, channels, epsilon=1e-3):
        values = [
            self.draw(channels), self.draw(channels), self.draw(channels),
            self.random.uniform(0.5, 2, channels).astype(np.float32)]
        indices = [self.store(value) for value in values]

        def make(output):
            self.node(
                "BatchNormalization", [self.of(source)] + [self.constant(value) for value in values],
                output, epsilon=epsilon)

        return self.add(wf.batch_normalization(source, *indices, epsilon), make)

    def tensor_value(self, values):
        """A constant `[H, W, C]`."""
        index = self.store(values)
        return self.add(
            wf.constant(index, values.shape), lambda output: self.node(
                "Identity", [self.constant(values.transpose(2, 0, 1)[None])], output))

    # Layers without weights

    def pool(self, source, kind, kernel, stride=(1, 1), padding=(0, 0, 0, 0)):
        def make(output):
            attributes = dict(kernel_shape=kernel, strides=stride, pads=list(padding))
            if kind == wf.MAXIMUM:
                self.node("MaxPool", [self.of(source)], output, **attributes)
            else:
                self.node(
                    "AveragePool", [self.of(source)], output,
                    count_include_pad=int(kind == wf.AVERAGE_WITH_PADDING), **attributes)

        return self.add(
            wf.pooling(source, kind, wf.window(kernel, stride, (1, 1), padding)), make)

    def reduce(self, source, kind, *axes):
        def make(output):
            numbers = [AXES[axis] for axis in axes]
            if kind == wf.INDEX_OF_MAXIMUM:
                self.node("ArgMax", [self.of(source)], output + "i", axis=numbers[0], keepdims=1)
                self.node("Cast", [output + "i"], output, to=TensorProto.FLOAT)
            else:
                name = {wf.GREATEST: "ReduceMax", wf.MEAN: "ReduceMean", wf.SUM: "ReduceSum"}[kind]
                self.node(
                    name, [self.of(source), self.constant(np.array(numbers))], output, keepdims=1)

        return self.add(wf.reduction(source, kind, *axes), make)

    def combine(self, operation, first, second, function=wf.IDENTITY, numbers=()):
        def make(output):
            name = {wf.ADDITION: "Add", wf.SUBTRACTION: "Sub", wf.MULTIPLICATION: "Mul",
                    wf.DIVISION: "Div", wf.GREATER: "Max", wf.SMALLER: "Min"}[operation]
            raw = self.node(name, [self.of(first), self.of(second)], output + "c")
            self.activated(raw, output, function, numbers)

        return self.add(
            wf.elementwise(operation, first, second, wf.activation(function, *numbers)), make)

    def join(self, *sources, axis=wf.CHANNELS):
        return self.add(
            wf.concatenation(list(sources), axis), lambda output: self.node(
                "Concat", [self.of(source) for source in sources], output, axis=AXES[axis]))

    def slice(self, source, axis, start, count, step=1):
        def make(output):
            numbers = [start, start + (count - 1) * step + 1, AXES[axis], step]
            self.node(
                "Slice", [self.of(source)] + [self.constant(np.array([n])) for n in numbers],
                output)

        return self.add(wf.slice_of(source, axis, start, count, step), make)

    def resize(self, source, y, x, interpolation, coordinates, is_size=False, channels=None):
        def make(output):
            scales = [self.constant(np.array([1, 1, y, x], np.float32))]
            if is_size:
                scales = ["", self.constant(np.array([1, channels, y, x]))]
            mode = ["floor", "round_prefer_floor", "round_prefer_ceil", "ceil"]
            attributes = {"mode": "linear"}
            if interpolation != wf.BILINEAR:
                attributes = {"mode": "nearest", "nearest_mode": mode[interpolation]}
            self.node(
                "Resize", [self.of(source), ""] + scales, output,
                coordinate_transformation_mode=[
                    "half_pixel", "align_corners", "asymmetric"][coordinates], **attributes)

        return self.add(
            wf.resizing(source, y, x, interpolation, coordinates, is_size), make)

    def pad(self, source, edges, before=0, after=0, constant=None, mode=1):
        top, left, bottom, right = edges

        def make(output):
            inputs = [
                self.of(source),
                self.constant(np.array([0, before, top, left, 0, after, bottom, right]))]
            if constant is not None:
                self.node(
                    "Pad", inputs + [self.constant(np.float32(constant))], output, mode="constant")
            else:
                self.node("Pad", inputs, output, mode={1: "edge", 2: "reflect"}[mode])

        return self.add(wf.padding(source, edges, before, after, constant, mode), make)

    def rearrange(self, source, dimensions, permutation, shape):
        def make(output):
            self.node("Transpose", [self.of(source)], output + "t", perm=[0, 2, 3, 1])
            self.node(
                "Reshape", [output + "t", self.constant(np.array(dimensions))], output + "d")
            self.node("Transpose", [output + "d"], output + "p", perm=permutation)
            self.node(
                "Reshape", [output + "p", self.constant(np.array([1, *shape]))], output + "s")
            self.node("Transpose", [output + "s"], output, perm=[0, 3, 1, 2])

        return self.add(wf.rearrangement(source, dimensions, permutation, shape), make)

    def apply(self, source, function, *numbers, channels=0):
        record, slopes = self.function(channels, function, numbers)
        return self.add(
            wf.pointwise(source, record), lambda output: self.activated(
                self.of(source), output, function, numbers, slopes))

    def multiply(self, first, second, transposes_first=False, transposes_second=False):
        def make(output):
            operands = []
            for name, reads, turns in [("a", first, transposes_first), ("b", second, transposes_second)]:
                operands.append(self.node(
                    "Transpose", [self.of(reads)], output + name,
                    perm=[0, 2, 1, 3] if turns else [0, 2, 3, 1]))
            self.node("MatMul", operands, output + "m")
            self.node("Transpose", [output + "m"], output, perm=[0, 3, 1, 2])

        return self.add(
            wf.matrix_product(first, second, transposes_first, transposes_second), make)

    def rank(self, source, count):
        def make(output):
            self.nodes.append(helper.make_node(
                "TopK", [self.of(source), self.constant(np.array([count]))],
                [output + "n", output + "p"], axis=3))
            self.node("Cast", [output + "p"], output, to=TensorProto.FLOAT)

        return self.add(wf.ranking(source, count), make)

    def select(self, source, places, columns, channels):
        """`columns` and `channels` are those of the source."""
        def make(output):
            self.node("Floor", [self.of(places)], output + "f")
            self.node("Clip", [
                output + "f", self.constant(np.float32(0)),
                self.constant(np.float32(columns - 1))], output + "c")
            self.node("Cast", [output + "c"], output + "i", to=TensorProto.INT64)
            self.node(
                "Expand", [output + "i", self.constant(np.array([1, channels, 1, 1]))], output + "e")
            self.node("GatherElements", [self.of(source), output + "e"], output, axis=3)

        return self.add(wf.selection(source, places), make)

    def softmax(self, source, axis=wf.CHANNELS):
        return self.add(
            wf.softmax(source, axis),
            lambda output: self.node("Softmax", [self.of(source)], output, axis=AXES[axis]))

    # Results

    def weight_file(self):
        inputs = []
        for index, (name, shape, resizable) in enumerate(self.inputs):
            if self.pictures.get(index):
                inputs.append(
                    wf.image(name, shape, resizable=resizable, scales=(1 / 255,) * 3))
            else:
                inputs.append(wf.tensor(name, shape, resizable))
        outputs = [wf.output(name, layer, *fields) for name, layer, *fields in self.outputs]
        return wf.File(
            wf.sections(self.name, inputs, self.records, outputs), self.tensors).bytes()

    def model(self, layers):
        """The ONNX model with the values of some layers as outputs."""
        graph = helper.make_graph(
            self.nodes, self.name,
            [helper.make_tensor_value_info(
                f"input{index}", TensorProto.FLOAT, [1, shape[2], None, None])
             for index, (_, shape, _) in enumerate(self.inputs)],
            [helper.make_tensor_value_info(f"layer{layer}", TensorProto.FLOAT, [1, None, None, None])
             for layer in layers], self.initializers)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        onnx.checker.check_model(model)
        return model
