"""Compares imported Core ML networks with a NumPy execution of their layers.

    python3 check_coreml.py TOOL COUNT SEED

Makes small random networks of specification versions 1 to 5 with coremltools' messages, old layers with
five axes and new ones with any, with weights in full and half precision and quantized. The measure of a
difference is the greatest absolute one over the greatest magnitude of the right output, or over 1 where
that is less; it must be at most 1e-3. A model that is refused must be refused for one of the reasons in
REFUSALS. Ends with status 1 otherwise; the models that failed are kept.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

import numpy as np

warnings.filterwarnings("ignore")
from coremltools.proto import FeatureTypes_pb2, Model_pb2  # noqa: E402

import coreml  # noqa: E402
import recurrent  # noqa: E402

# Refusals that the models are made to run into now and then.
REFUSALS = [
    "padding is as large as its",
    "rearranged along",
    "treats",
    "have no order",
    "where only 1 can be carried over",
    "it has a batch",
    "sorts numbers",
]

TOLERANCE = 1e-3
# How often a layer is a recurrent one.
RECURRENT = 0.1


class Network:
    """A network that grows by a layer at a time; its tensors' numbers are known."""

    def __init__(self, random):
        self.random = random
        self.spec = Model_pb2.Model()
        self.spec.specificationVersion = int(random.choice([1, 2, 3, 4, 4, 4, 5]))
        kind = self.choice(["neuralNetwork"] * 4 + ["neuralNetworkRegressor"])
        self.network = getattr(self.spec, kind)
        self.network.SetInParent()
        # New layers need tensors of any shape.
        self.is_new = self.spec.specificationVersion >= 4 and random.random() < 0.85
        if self.is_new:
            self.network.arrayInputShapeMapping = 1
            self.network.imageInputShapeMapping = 1
        self.feeds, self.values, self.count, self.kinds = {}, {}, 0, []

    def choice(self, values):
        return values[self.random.integers(len(values))]

    def integer(self, low, high):
        return int(self.random.integers(low, high + 1))

    def chance(self, share):
        return self.random.random() < share

    def name(self, prefix="t"):
        self.count += 1
        return f"{prefix}{self.count}"

    # Inputs

    def array(self, shape, numbers=None):
        name = self.name("array_")
        feature = self.spec.description.input.add()
        feature.name = name
        feature.type.multiArrayType.shape.extend(int(n) for n in shape)
        feature.type.multiArrayType.dataType = FeatureTypes_pb2.ArrayFeatureType.FLOAT32
        if numbers is None:
            numbers = self.random.uniform(-2, 2, shape)
        self.enter(name, numbers.astype(np.float32))
        return name

    def picture(self):
        name = self.name("picture_")
        feature = self.spec.description.input.add()
        feature.name = name
        image = feature.type.imageType
        image.height, image.width = self.integer(2, 11), self.integer(2, 11)
        image.colorSpace = self.choice([10, 20, 20, 30])
        shape = [image.height, image.width] + ([] if image.colorSpace == 10 else [3])
        if self.chance(0.7):
            step = self.network.preprocessing.add()
            step.featureName = self.choice([name, name, ""])
            step.scaler.channelScale = self.choice([1 / 255, 2 / 255, 1.0, 0.0])
            for field in ("redBias", "greenBias", "blueBias", "grayBias"):
                setattr(step.scaler, field, self.random.normal())
        if self.chance(0.2):
            step = self.network.preprocessing.add()
            step.featureName = name
            step.meanImage.meanImage.extend(self.random.normal(size=int(np.prod(shape))))
        self.enter(name, self.random.integers(0, 256, shape).astype(np.uint8))
        return name

    def enter(self, name, array):
        self.feeds[name] = array
        self.values[name] = coreml.entering(self.spec, self.network, name, array)

    # Layers

    def layer(self, kind, inputs, outputs=1):
        layer = self.network.layers.add()
        layer.name = self.name(kind + "_")
        layer.input.extend(inputs)
        layer.output.extend(self.name() for _ in range(outputs))
        getattr(layer, kind).SetInParent()
        return layer, getattr(layer, kind)

    def finish(self, layer):
        """Computes what a layer gives; the name of its first output."""
        kind = layer.WhichOneof("layer")
        results = coreml.LAYERS[kind](
            getattr(layer, kind), [self.values[name] for name in layer.input])
        if not isinstance(results, (list, tuple)):
            results = [results]
        for name, result in zip(layer.output, results):
            self.values[name] = np.asarray(result, np.float64)
        self.kinds.append(kind)
        return layer.output[0] if len(layer.output) == 1 else self.choice(list(layer.output))

    def add(self, kind, inputs, outputs=1, **fields):
        layer, p = self.layer(kind, inputs, outputs)
        for field, value in fields.items():
            if isinstance(value, (list, tuple)):
                getattr(p, field).extend(value)
            else:
                setattr(p, field, value)
        return self.finish(layer)

    def constant(self, numbers):
        numbers = np.asarray(numbers, np.float64)
        if not self.is_new:
            shape = (1,) * (3 - numbers.ndim) + numbers.shape
            layer, p = self.layer("loadConstant", [])
        else:
            shape = numbers.shape
            layer, p = self.layer("loadConstantND", [])
        p.shape.extend(shape)
        self.store(p.data, numbers, exact=True)
        return self.finish(layer)

    def store(self, params, numbers, axis=None, exact=False):
        """Puts numbers into a message WeightParams, in one of the ways that there are."""
        numbers = np.asarray(numbers, np.float64)
        way = "float" if exact else self.choice(
            ["float", "float", "float", "half", "linear", "channels", "table"])
        if way == "half":
            params.float16Value = numbers.astype("<f2").tobytes()
            return
        if way == "float":
            params.floatValue.extend(numbers.reshape(-1))
            return
        bits = self.integer(1, 8)
        codes = self.random.integers(0, 1 << bits, numbers.shape)
        spread = max(1e-3, float(numbers.std()))
        params.quantization.numberOfBits = bits
        if way == "table":
            params.quantization.lookupTableQuantization.floatValue.extend(
                self.random.normal(size=1 << bits) * spread)
        else:
            count = numbers.shape[axis] if way == "channels" and axis is not None else 1
            linear = params.quantization.linearQuantization
            scale = spread * self.random.uniform(0.5, 2, count) / (1 << bits) * 3
            linear.scale.extend(scale)
            linear.bias.extend(-scale * ((1 << bits) - 1) / 2)
        spread = (codes.reshape(-1, 1) >> np.arange(bits)[::-1]) & 1
        params.rawValue = np.packbits(spread.astype(np.uint8).reshape(-1)).tobytes()

    def weights(self, params, *shape, axis=None, fan=None):
        fan = fan or max(1, int(np.prod(shape[1:])))
        self.store(params, self.random.normal(size=shape) / np.sqrt(fan), axis)

    def shape(self, name):
        return self.values[name].shape


# Each of the following adds layers behind a tensor and gives a new one.


def borders(n, amounts, limits):
    for limit in limits:
        edge = amounts.borderAmounts.add()
        edge.startEdgeSize, edge.endEdgeSize = n.integer(0, limit), n.integer(0, limit)


def pad_or_same(n, p, kernel):
    if n.chance(0.5):
        p.same.asymmetryMode = n.integer(0, 1)
    elif n.chance(0.7):
        borders(n, p.valid.paddingAmounts, [min(2, k - 1) for k in kernel])
    else:
        p.valid.SetInParent()


def convolution(n, x):
    channels = n.shape(x)[-3]
    layer, p = n.layer("convolution", [x])
    groups = n.choice([g for g in (1, 1, 1, 2, 3, channels) if channels % g == 0])
    p.outputChannels, p.nGroups = groups * n.integer(1, 5), groups if n.chance(0.8) or groups > 1 else 0
    p.kernelChannels = channels // groups
    kernel = [n.integer(1, 4), n.integer(1, 4)]
    if n.chance(0.1):
        kernel = [3, 3]
    else:
        p.kernelSize.extend(kernel)
    if n.chance(0.7):
        p.stride.extend([n.integer(1, 3), n.integer(1, 3)])
    if n.chance(0.3):
        p.dilationFactor.extend([n.integer(1, 2), n.integer(1, 2)])
    pad_or_same(n, p, kernel)
    n.weights(p.weights, p.outputChannels, p.kernelChannels, *kernel, axis=0)
    if n.chance(0.6):
        p.hasBias = True
        n.weights(p.bias, p.outputChannels, fan=1)
    return n.finish(layer)


def deconvolution(n, x):
    channels, rows, columns = n.shape(x)[-3:]
    layer, p = n.layer("convolution", [x])
    p.isDeconvolution = True
    groups = n.choice([g for g in (1, 1, 2, channels) if channels % g == 0])
    p.outputChannels, p.nGroups, p.kernelChannels = groups * n.integer(1, 3), groups, channels
    kernel = [n.integer(1, 4), n.integer(1, 4)]
    strides = [n.integer(1, 3), n.integer(1, 3)]
    p.kernelSize.extend(kernel)
    p.stride.extend(strides)
    pad_or_same(n, p, kernel)
    if n.chance(0.3):
        p.outputShape.extend([
            max(1, (m - 1) * s + k - n.integer(0, min(2, k - 1)))
            for m, s, k in zip((rows, columns), strides, kernel)])
    n.weights(p.weights, channels, p.outputChannels // groups, *kernel, axis=1)
    if n.chance(0.6):
        p.hasBias = True
        n.weights(p.bias, p.outputChannels, fan=1)
    return n.finish(layer)


def pooling(n, x):
    layer, p = n.layer("pooling", [x])
    p.type = n.integer(0, 2)
    if n.chance(0.2):
        p.globalPooling = True
        return n.finish(layer)
    kernel = [n.integer(1, min(4, m)) for m in n.shape(x)[-2:]]
    p.kernelSize.extend(kernel)
    p.stride.extend([n.integer(1, 3), n.integer(1, 3)])
    p.avgPoolExcludePadding = n.chance(0.5)
    if n.chance(0.3):
        p.includeLastPixel.paddingAmounts.extend([n.integer(0, k - 1) for k in kernel])
    else:
        pad_or_same(n, p, kernel)
    return n.finish(layer)


def inner_product(n, x):
    shape = n.shape(x)
    layer, p = n.layer("innerProduct", [x])
    p.inputChannels = int(shape[-1] if len(shape) <= 3 else np.prod(shape[-3:]))
    p.outputChannels = n.integer(1, 8)
    n.weights(p.weights, p.outputChannels, p.inputChannels, axis=0)
    if n.chance(0.7):
        p.hasBias = True
        n.weights(p.bias, p.outputChannels, fan=1)
    return n.finish(layer)


def normalization(n, x):
    shape = n.shape(x)
    kind = n.choice(["batchnorm", "batchnorm", "batchnorm", "mvn", "l2normalize", "lrn", "softmax"])
    layer, p = n.layer(kind, [x])
    if kind == "batchnorm":
        p.channels = shape[-3]
        p.epsilon = n.choice([0.0, 1e-3])
        p.computeMeanVar = n.chance(0.3)
        p.instanceNormalization = p.computeMeanVar and n.chance(0.6)
        n.weights(p.gamma, shape[-3], fan=1)
        n.weights(p.beta, shape[-3], fan=1)
        n.weights(p.mean, shape[-3], fan=1)
        n.store(p.variance, n.random.uniform(0.3, 2, shape[-3]), exact=True)
    elif kind == "mvn":
        p.acrossChannels, p.normalizeVariance = n.chance(0.5), n.chance(0.7)
        p.epsilon = 1e-2
    elif kind == "lrn":
        p.alpha, p.beta, p.localSize, p.k = 0.5, 0.75, n.choice([1, 3, 4, 5, 9]), n.choice([0, 2])
    return n.finish(layer)


def padding(n, x):
    shape = n.shape(x)
    layer, p = n.layer("padding", [x])
    kind = n.choice(["constant", "reflection", "replication"])
    getattr(p, kind).SetInParent()
    if kind == "constant":
        p.constant.value = n.random.normal()
    borders(n, p.paddingAmounts, [
        min(3, m - 1) if kind == "reflection" else 3 for m in shape[-2:]])
    return n.finish(layer)


def crop(n, x):
    shape = n.shape(x)
    layer, p = n.layer("crop", [x])
    borders(n, p.cropAmounts, [(m - 1) // 2 for m in shape[-2:]])
    return n.finish(layer)


def upsample(n, x):
    layer, p = n.layer("upsample", [x])
    p.mode = n.integer(0, 1)
    if n.spec.specificationVersion >= 5 and p.mode == 1 and n.chance(0.4):
        p.fractionalScalingFactor.extend([n.choice([1.0, 1.5, 2.5]), n.choice([1.0, 1.5, 2.0])])
    else:
        p.scalingFactor.extend([n.integer(1, 3), n.integer(1, 3)])
    if p.mode == 1 and n.spec.specificationVersion >= 4:
        p.linearUpsampleMode = n.integer(0, 2)
    return n.finish(layer)


def resize(n, x):
    layer, p = n.layer("resizeBilinear", [x])
    p.targetSize.extend([n.integer(1, 9), n.integer(1, 9)])
    p.mode.samplingMethod = n.integer(0, 3)
    return n.finish(layer)


def reorganize(n, x):
    c, h, w = n.shape(x)[-3:]
    block = n.choice([2, 2, 3])
    mode = n.integer(0, 2 if n.spec.specificationVersion >= 5 else 1)
    if mode == 0:
        for axis, m in ((1, h), (2, w)):
            if m % block:
                x = n.add("upsample", [x], scalingFactor=[block if axis == 1 else 1, block if axis == 2 else 1])
    elif c % (block * block):
        x = n.add("concat", [x] * (block * block)) if block == 2 else n.add("concat", [x] * 9)
    return n.add("reorganizeData", [x], mode=mode, blockSize=block)


def activation(n, x):
    kinds = ["linear", "ReLU", "leakyReLU", "thresholdedReLU", "tanh", "scaledTanh", "sigmoid",
             "sigmoidHard", "ELU", "softsign", "softplus"]
    if len(n.shape(x)) >= 3:
        kinds += ["PReLU", "parametricSoftplus"]
    kind = n.choice(kinds)
    layer, p = n.layer("activation", [x])
    q = getattr(p, kind)
    q.SetInParent()
    if kind in ("PReLU", "parametricSoftplus"):
        count = n.choice([1, n.shape(x)[-3]])
        n.store(q.alpha, n.random.normal(size=count), exact=True)
        if kind == "parametricSoftplus":
            n.store(q.beta, n.random.normal(size=count), exact=True)
    elif kind in ("linear", "scaledTanh", "sigmoidHard"):
        q.alpha, q.beta = n.random.normal(), n.random.normal()
    elif kind not in ("ReLU", "tanh", "sigmoid", "softsign", "softplus"):
        q.alpha = abs(n.random.normal())
    return n.finish(layer)


def unary(n, x):
    kind = n.integer(0, 7)
    if kind in (0, 1, 2, 3, 5):
        x = n.add("unary", [x], type=6)  # magnitudes
        x = n.add("add", [x], alpha=0.5)
    fields = {"type": kind}
    if kind == 3:
        fields["alpha"] = n.choice([1.0, 2.0, 0.5, -1.0, 1.7])
    elif kind == 7:
        fields["alpha"] = n.random.normal()
    if n.chance(0.4):
        fields["scale"], fields["shift"] = n.random.uniform(0.5, 2), n.random.uniform(0, 1)
    if n.chance(0.3):
        fields["epsilon"] = 1e-2
    return n.add("unary", [x], **fields)


def relu6(n, x):
    """ReLU6 as converters write it."""
    layer, p = n.layer("activation", [x])
    p.ReLU.SetInParent()
    x = n.finish(layer)
    for step in ("linear", "threshold", "linear"):
        if step == "threshold":
            x = n.add("unary", [x], type=7, alpha=-6.0)
            continue
        layer, p = n.layer("activation", [x])
        p.linear.alpha = -1.0
        x = n.finish(layer)
    return x


def pair(n, x):
    shape = n.shape(x)
    kind = n.choice(["add", "multiply", "average", "max", "min"])
    if kind in ("add", "multiply") and n.chance(0.3):
        return n.add(kind, [x], alpha=n.random.normal())
    other = n.choice(["self", "constant", "channels", "map"])
    if other == "self" or len(shape) < 3:
        y = activation(n, x)
    elif other == "constant":
        y = n.constant(n.random.normal(size=shape[-3:]))
    elif other == "channels":
        y = n.constant(n.random.normal(size=(shape[-3], 1, 1)))
    else:
        y = n.constant(n.random.normal(size=(1,) + shape[-2:]))
    operands = [x, y] if n.chance(0.5) else [y, x]
    if n.chance(0.2):
        operands.append(x)
    return n.add(kind, operands)


def scale(n, x):
    c, h, w = n.shape(x)[-3:]
    shapes = [[1], [c], [1, h, w], [c, h, w]]
    if n.chance(0.5):
        layer, p = n.layer("bias", [x])
        p.shape.extend(n.choice(shapes))
        n.weights(p.bias, *p.shape, fan=1)
        return n.finish(layer)
    layer, p = n.layer("scale", [x])
    p.shapeScale.extend(n.choice(shapes))
    n.weights(p.scale, *p.shapeScale, fan=1)
    if n.chance(0.5):
        p.hasBias = True
        p.shapeBias.extend(n.choice(shapes))
        n.weights(p.bias, *p.shapeBias, fan=1)
    return n.finish(layer)


def dot(n, x):
    flat = n.add("flatten", [x], mode=n.integer(0, 1))
    other = n.constant(n.random.normal(size=(n.shape(flat)[-3], 1, 1)))
    return n.add("dot", [flat, other], cosineSimilarity=n.chance(0.5))


def reduce(n, x):
    axis = n.integer(0, 4)
    mode = n.choice([0, 1, 2, 4, 5, 6, 7, 8] + ([9] if axis >= 2 else []) + [3])
    if mode == 3:
        x = n.add("add", [n.add("unary", [x], type=6)], alpha=0.5)
    return n.add("reduce", [x], mode=mode, axis=axis)


def factors(n, count, parts):
    result = []
    for _ in range(parts - 1):
        options = [f for f in range(1, count + 1) if count % f == 0]
        f = n.choice(options)
        result.append(f)
        count //= f
    result.append(count)
    n.random.shuffle(result)
    return [int(f) for f in result]


def reshape(n, x):
    shape = (1,) * (5 - len(n.shape(x))) + tuple(n.shape(x))
    if shape[1] != 1:
        return x
    if n.chance(0.6):
        target = factors(n, int(np.prod(shape[2:])), 3)
    else:
        target = factors(n, int(np.prod(shape)), 4)
    return n.add("reshape", [x], targetShape=target, mode=n.integer(0, 1))


def permute(n, x):
    order = [int(a) for a in n.random.permutation(4)]
    return n.add("permute", [x], axis=order if n.chance(0.9) else [])


def split(n, x):
    channels = n.shape(x)[-3]
    parts = n.choice([k for k in range(1, channels + 1) if channels % k == 0])
    layer, p = n.layer("split", [x], outputs=int(parts))
    p.nOutputs = parts
    return n.finish(layer)


def old_slice(n, x):
    axis = n.integer(0, 2)
    m = n.shape(x)[axis - 3]
    start = n.integer(0, m - 1)
    end = n.integer(start + 1, m)
    fields = {"startIndex": start - m if n.chance(0.2) else start, "axis": axis,
              "endIndex": end - m if end < m and n.chance(0.3) else end,
              "stride": n.integer(1, 3)}
    return n.add("slice", [x], **fields)


def concat(n, x):
    y = activation(n, x) if n.chance(0.5) else x
    return n.add("concat", [x, y] if n.chance(0.5) else [y, x, x])


def sequence(n, x):
    return n.add("sequenceRepeat", [x], nRepetitions=n.integer(1, 2))


# Layers of version 4 and later.


def simple(n, x):
    kind = n.choice([
        "ceil", "floor", "round", "sign", "exp2", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
        "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "gelu", "clip", "copy", "clampedReLU"])
    if kind in ("asin", "acos", "atanh"):
        layer, p = n.layer("activation", [x])
        p.scaledTanh.alpha, p.scaledTanh.beta = 0.9, 1.0
        x = n.finish(layer)
    if kind == "acosh":
        x = n.add("add", [n.add("unary", [x], type=6)], alpha=1.1)
    if kind in ("sinh", "cosh", "exp2", "tan", "sin", "cos"):
        x = n.add("clip", [x], minVal=-1.2, maxVal=1.2) if kind == "tan" else n.add(
            "clip", [x], minVal=-8.0, maxVal=8.0)
    fields = {}
    if kind == "gelu":
        fields = {"mode": n.integer(0, 2)}
    if kind == "clip":
        low, high = sorted(n.random.normal(size=2))
        fields = {"minVal": low, "maxVal": high}
    if kind == "clampedReLU":
        fields = {"alpha": abs(n.random.normal()), "beta": abs(n.random.normal()) + 0.5}
    return n.add(kind, [x], **fields)


def broadcast(n, x):
    kind = n.choice([
        "addBroadcastable", "subtractBroadcastable", "multiplyBroadcastable", "divideBroadcastable",
        "maxBroadcastable", "minBroadcastable", "floorDivBroadcastable", "modBroadcastable",
        "powBroadcastable"])
    shape = list(n.shape(x))
    way = n.choice(["scalar", "random", "input", "self", "row"])
    if way == "scalar":
        other = np.array([n.random.uniform(0.5, 2)])
    elif way == "row":
        other = n.random.uniform(0.5, 2, shape[-1:])
    else:
        other = n.random.uniform(0.5, 2, [m if n.chance(0.5) else 1 for m in shape])
    if kind == "powBroadcastable":
        x = n.add("add", [n.add("unary", [x], type=6)], alpha=0.5)
        if way == "scalar":
            other = np.array([n.choice([1.0, 2.0, 0.5, 1.3])])
    if kind in ("floorDivBroadcastable", "modBroadcastable"):
        # Numbers that are clearly between multiples.
        x = n.add("floor", [n.add("multiply", [x], alpha=3.0)])
        x = n.add("add", [x], alpha=0.25)
        other = np.full_like(other, 1.5)
    if way == "input" and other.ndim:
        y = n.array(other.shape, other)
    elif way == "self" and kind not in (
            "divideBroadcastable", "powBroadcastable", "floorDivBroadcastable", "modBroadcastable"):
        y = activation(n, x)
    else:
        y = n.constant(other)
    swap = kind not in ("powBroadcastable", "divideBroadcastable", "floorDivBroadcastable",
                        "modBroadcastable") and n.chance(0.4)
    return n.add(kind, [y, x] if swap else [x, y])


def comparison(n, x):
    kind = n.choice(["equal", "notEqual", "lessThan", "lessEqual", "greaterThan", "greaterEqual",
                     "logicalOr", "logicalXor", "logicalNot", "logicalAnd", "whereBroadcastable"])
    # Whole numbers, of which some are equal.
    x = n.add("round", [n.add("add", [x], alpha=0.013)])
    if kind == "logicalNot":
        return n.add(kind, [x])
    if not kind.startswith("logical") and kind != "whereBroadcastable" and n.chance(0.4):
        return n.add(kind, [x], alpha=float(n.integer(-1, 1)))
    y = n.constant(n.random.integers(-1, 2, n.shape(x)).astype(float))
    if kind == "whereBroadcastable":
        return n.add(kind, [x, activation(n, x), y])
    return n.add(kind, [x, y])


def reduce_nd(n, x):
    rank = len(n.shape(x))
    kind = n.choice(["reduceL1", "reduceL2", "reduceMax", "reduceMin", "reduceSum", "reduceProd",
                     "reduceMean", "reduceLogSum", "reduceSumSquare", "reduceLogSumExp"])
    if kind == "reduceLogSum":
        x = n.add("add", [n.add("unary", [x], type=6)], alpha=0.5)
    if n.chance(0.2):
        return n.add(kind, [x], reduceAll=True, keepDims=n.chance(0.5))
    axes = [int(a) for a in n.random.permutation(rank)[: n.integer(1, rank)]]
    axes = [a - rank if n.chance(0.3) else a for a in axes]
    return n.add(kind, [x], axes=axes, keepDims=n.chance(0.5))


def matmul(n, x):
    shape = n.shape(x)
    if n.chance(0.6):
        layer, p = n.layer("batchedMatmul", [x])
        p.weightMatrixFirstDimension, p.weightMatrixSecondDimension = shape[-1], n.integer(1, 6)
        n.weights(p.weights, p.weightMatrixSecondDimension, shape[-1], axis=0)
        if n.chance(0.6):
            p.hasBias = True
            n.weights(p.bias, p.weightMatrixSecondDimension, fan=1)
        return n.finish(layer)
    if len(shape) < 2:
        return x
    kind = n.choice(["constant", "left", "self"])
    if kind == "self":
        return n.add("batchedMatmul", [x, activation(n, x)], transposeB=True)
    matrix = n.random.normal(size=(shape[-1], n.integer(1, 5)))
    if kind == "constant":
        return n.add("batchedMatmul", [x, n.constant(matrix)])
    matrix = n.random.normal(size=(shape[-2], n.integer(1, 5)))
    return n.add("batchedMatmul", [n.constant(matrix), x], transposeA=True)


def nd_shape(n, x):
    shape = list(n.shape(x))
    rank = len(shape)
    kind = n.choice(["transpose", "squeeze", "expandDims", "flattenTo2D", "reshapeStatic",
                     "reshapeDynamic", "reshapeLike", "rankPreservingReshape", "shapeArithmetic"])
    count = int(np.prod(shape))
    if kind == "transpose":
        order = [int(a) for a in n.random.permutation(rank)]
        return n.add(kind, [x], axes=order)
    if kind == "squeeze":
        ones = [a for a in range(rank) if shape[a] == 1]
        if not ones:
            return x
        if n.chance(0.3):
            return n.add(kind, [x], squeezeAll=True)
        return n.add(kind, [x], axes=[ones[0] - (rank if n.chance(0.3) else 0)])
    if kind == "expandDims":
        if rank >= 5:
            return x
        axis = n.integer(0, rank)
        return n.add(kind, [x], axes=[axis - (rank + 1) if n.chance(0.3) else axis])
    if kind == "flattenTo2D":
        return n.add(kind, [x], axis=n.integer(0, rank))
    if kind == "rankPreservingReshape":
        target = list(shape)
        i, j = n.integer(0, rank - 1), n.integer(0, rank - 1)
        if i == j:
            return x
        target[i], target[j] = 0, -1
        return n.add(kind, [x], targetShape=target)
    if kind == "reshapeLike":
        other = n.constant(np.zeros(factors(n, count, n.integer(1, 4))))
        return n.add(kind, [x, other])
    if kind == "shapeArithmetic":
        # [a, b, ..] becomes [a * b, ..] by way of its own shape.
        if rank < 2:
            return x
        sizes = n.add("getShape", [x])
        head = n.add("sliceStatic", [sizes], beginIds=[0], endIds=[2], strides=[1],
                     beginMasks=[False], endMasks=[False], squeezeMasks=[False])
        head = n.add("reduceProd", [head], axes=[0], keepDims=True)
        if rank > 2:
            tail = n.add("sliceStatic", [sizes], beginIds=[2], endIds=[0], strides=[1],
                         beginMasks=[False], endMasks=[True], squeezeMasks=[False])
            head = n.add("concatND", [head, tail], axis=0)
        return n.add("reshapeDynamic", [x, head])
    target = factors(n, count, n.integer(1, 5))
    if kind == "reshapeDynamic":
        return n.add(kind, [x, n.constant(np.array(target, float))])
    return n.add(kind, [x], targetShape=target)


def nd_parts(n, x):
    shape = list(n.shape(x))
    rank = len(shape)
    axis = n.integer(0, rank - 1)
    m = shape[axis]
    signed = axis - rank if n.chance(0.3) else axis
    kind = n.choice(["concatND", "stack", "splitND", "sliceStatic", "sliceDynamic", "sliceBySize", "tile",
                     "reverse", "slidingWindows", "constantPad", "gather", "gatherND",
                     "gatherAlongAxis", "broadcastToStatic", "cumSum", "argMax", "argMin", "topK",
                     "matrixBandPart", "lowerTriangular", "upperTriangular", "softmaxND",
                     "layerNormalization", "fillLike", "oneHot", "embeddingND"])
    if kind == "concatND":
        y = activation(n, x)
        return n.add(kind, [x, y], axis=signed,
                     interleave=n.spec.specificationVersion >= 5 and n.chance(0.4))
    if kind == "stack":
        if rank >= 5:
            return x
        return n.add(kind, [x, activation(n, x)], axis=n.integer(0, rank))
    if kind == "splitND":
        if m < 2:
            return x
        if n.chance(0.5):
            first = n.integer(1, m - 1)
            return n.add(kind, [x], outputs=2, axis=signed, splitSizes=[first, m - first])
        parts = n.choice([k for k in range(2, m + 1) if m % k == 0])
        return n.add(kind, [x], outputs=int(parts), axis=signed, numSplits=int(parts))
    if kind in ("sliceStatic", "sliceDynamic"):
        begins, ends, strides, masks, end_masks, squeezes = [], [], [], [], [], []
        for size in shape:
            start = n.integer(0, size - 1)
            backward = n.chance(0.15)
            end = n.integer(start + 1, size)
            if backward:
                start, end = end - 1, start - 1
            strides.append(-1 if backward else n.integer(1, 2))
            begins.append(start - size if n.chance(0.2) else start)
            ends.append(end)
            masks.append(bool(n.chance(0.3)))
            end_masks.append(bool(n.chance(0.3) or end < 0))
            squeezes.append(bool(n.chance(0.15)))
        fields = dict(beginMasks=masks, endIds=ends, endMasks=end_masks, strides=strides,
                      squeezeMasks=squeezes)
        if kind == "sliceStatic":
            return n.add(kind, [x], beginIds=begins, **fields)
        return n.add(kind, [x, n.constant(np.array(begins, float))], **fields)
    if kind == "sliceBySize":
        begin = n.integer(0, m - 1)
        return n.add(kind, [x, n.constant(np.array([float(begin)]))], axis=axis,
                     size=n.integer(1, m - begin))
    if kind == "tile":
        return n.add(kind, [x], reps=[n.integer(1, 2) if size < 8 else 1 for size in shape])
    if kind == "reverse":
        return n.add(kind, [x], reverseDim=[bool(n.chance(0.4)) for _ in shape])
    if kind == "slidingWindows":
        if rank >= 5:
            return x
        return n.add(kind, [x], axis=signed, windowSize=n.integer(1, m), step=n.integer(1, 3))
    if kind == "constantPad":
        amounts = [n.integer(0, 2) if n.chance(0.5) else 0 for _ in range(2 * rank)]
        if n.chance(0.25):
            amounts = [0, 0] * rank
            amounts[2 * axis + n.integer(0, 1)] = m + n.integer(0, 3)
            return n.add(kind, [x], value=0.5, padAmounts=amounts, padToGivenOutputSizeMode=True)
        return n.add(kind, [x], value=n.random.normal(), padAmounts=amounts)
    if kind == "gather":
        indices = n.random.integers(-m, m, [n.integer(1, 4)] if rank < 5 else [2])
        if n.chance(0.15):
            # Rows of a known matrix, by indices that come from the input.
            table = n.constant(n.random.normal(size=(6, 3)))
            places = n.add("clip", [n.add("floor", [n.add("unary", [x], type=6)])], minVal=0, maxVal=5)
            return n.add(kind, [table, places], axis=0) if rank < 5 else x
        return n.add(kind, [x, n.constant(indices.astype(float))], axis=signed)
    if kind == "gatherND":
        depth = n.integer(1, min(2, rank))
        points = np.stack([n.random.integers(0, shape[a], 3) for a in range(depth)], axis=-1)
        return n.add(kind, [x, n.constant(points.astype(float))])
    if kind == "gatherAlongAxis":
        if np.prod(shape) > 120:
            return x
        target = list(shape)
        target[axis] = n.integer(1, 3)
        return n.add(kind, [x, n.constant(n.random.integers(0, m, target).astype(float))], axis=axis)
    if kind == "broadcastToStatic":
        target = [size if size > 1 else n.integer(1, 3) for size in shape]
        return n.add(kind, [x], targetShape=([2] if rank < 5 and n.chance(0.3) else []) + target)
    if kind == "cumSum":
        if n.spec.specificationVersion < 5:
            return x
        return n.add(kind, [x], axis=signed, excludeFinalSum=n.chance(0.5), reverse=n.chance(0.5))
    if kind in ("argMax", "argMin"):
        return n.add(kind, [x], axis=signed, removeDim=n.chance(0.5))
    if kind == "topK":
        return n.add(kind, [x], outputs=2, axis=signed, K=n.integer(1, m), useBottomK=n.chance(0.5))
    if kind == "matrixBandPart":
        if rank < 2:
            return x
        return n.add(kind, [x], numLower=n.integer(-1, 2), numUpper=n.integer(-1, 2))
    if kind in ("lowerTriangular", "upperTriangular"):
        return n.add(kind, [x], k=n.integer(-1, 1)) if rank >= 2 else x
    if kind == "softmaxND":
        return n.add(kind, [x], axis=signed)
    if kind == "layerNormalization":
        layer, p = n.layer(kind, [x])
        p.normalizedShape.extend(shape[-n.integer(1, min(2, rank)):])
        p.eps = 1e-2
        n.weights(p.gamma, *p.normalizedShape, fan=1)
        n.weights(p.beta, *p.normalizedShape, fan=1)
        return n.finish(layer)
    if kind == "fillLike":
        return n.add("addBroadcastable", [x, n.add(kind, [x], value=n.random.normal())])
    if n.spec.specificationVersion < 5 and kind == "oneHot" or rank >= 5:
        return x
    # Whole numbers from 0 to 4.
    x = n.add("clip", [n.add("floor", [n.add("unary", [x], type=6)])], minVal=0, maxVal=4)
    if kind == "oneHot":
        return n.add(kind, [x], oneHotVectorSize=n.integer(5, 7), axis=n.integer(-1, rank),
                     onValue=2.0, offValue=-1.0)
    x = n.add("expandDims", [x], axes=[-1])
    layer, p = n.layer("embeddingND", [x])
    p.vocabSize, p.embeddingSize = 5, n.integer(1, 4)
    n.weights(p.weights, p.embeddingSize, 5, axis=0)
    if n.chance(0.5):
        p.hasBias = True
        n.weights(p.bias, p.embeddingSize, fan=1)
    return n.finish(layer)


MAPS = [convolution, convolution, convolution, deconvolution, pooling, pooling, normalization,
        normalization, padding, crop, upsample, resize, reorganize, scale, relu6]
OLD = [activation, activation, unary, pair, pair, reduce, split, old_slice, concat, dot, inner_product]
RANK5 = [reshape, reshape, permute, sequence, recurrent.add]
NEW = [simple, simple, broadcast, broadcast, comparison, reduce_nd, matmul, nd_shape, nd_shape,
       nd_parts, nd_parts, nd_parts, nd_parts]


def case(random):
    n = Network(random)
    rank = n.choice([5, 4, 4, 4, 3, 3, 2, 1]) if n.is_new else n.choice([3, 3, 3, 1])
    if n.chance(0.3):
        x = n.picture()
    elif rank >= 3:
        x = n.array([1] * (rank - 3) + [n.integer(1, 8), n.integer(1, 9), n.integer(1, 9)])
    else:
        x = n.array([n.integer(1, 9) for _ in range(rank)])
    for _ in range(n.choice([1, 1, 2, 3, 4, 6, 8])):
        shape = n.shape(x)
        if np.prod(shape) > 5000:
            break
        steps = list(OLD if len(shape) >= 3 else [activation, unary])
        if len(shape) >= 4 and all(m == 1 for m in shape[:-3]):
            steps += MAPS * 2
        if len(shape) == 5:
            steps += RANK5 if n.is_new else RANK5 * 3
        if n.is_new:
            steps += NEW * 2
        if n.chance(RECURRENT):
            steps = [recurrent.add]
        before = n.spec.SerializeToString(), dict(n.values), dict(n.feeds), list(n.kinds), n.count
        with np.errstate(all="ignore"):
            try:
                y = n.choice(steps)(n, x)
                numbers = n.values[y]
                sound = 0 < numbers.size < 50000 and np.isfinite(numbers).all() and \
                    abs(numbers).max() < 1e6 and numbers.ndim <= 5
            except (ValueError, IndexError):
                sound = False
        if not sound:
            # Another step is taken.
            kind = n.spec.WhichOneof("Type")
            n.spec = Model_pb2.Model()
            n.spec.ParseFromString(before[0])
            n.network = getattr(n.spec, kind)
            n.values, n.feeds, n.kinds, n.count = before[1:]
            continue
        x = y
    if not n.kinds:
        layer, p = n.layer("activation", [x])
        p.sigmoid.SetInParent()
        x = n.finish(layer)
    feature = n.spec.description.output.add()
    feature.name = x
    feature.type.multiArrayType.dataType = FeatureTypes_pb2.ArrayFeatureType.FLOAT32
    if n.chance(0.5):
        shape = n.shape(x)
        if not n.is_new and len(shape) == 5 and shape[:2] == (1, 1):
            shape = shape[2:]
        feature.type.multiArrayType.shape.extend(shape)
    return n, x


def check(tool, n, output, folder):
    """None where the answers agree, else what is wrong; and the difference."""
    expected = coreml.execute(n.spec, n.feeds)[output]
    model = folder / "model.mlmodel"
    model.write_bytes(n.spec.SerializeToString())
    made = subprocess.run(
        [tool, "import", model, "--output", folder / "model.dvweights"], capture_output=True, text=True)
    if made.returncode != 0:
        return "refused" if made.returncode == 1 else "crashed", made.stderr.strip(), 0
    arguments = []
    left_out = re.findall(r"depends on the input (\S+);", made.stderr)
    for name, numbers in n.feeds.items():
        if name not in left_out:
            np.save(folder / f"{name}.npy", numbers)
            arguments += ["--input", f"{name}={folder / name}.npy"]
    answer = subprocess.run(
        [tool, "run", folder / "model.dvweights", *arguments, "--output", folder / "out"],
        capture_output=True, text=True)
    if answer.returncode != 0:
        return "not run", answer.stderr.strip(), 0
    found = np.load(folder / "out" / f"{output}.npy")
    if found.shape != expected.shape:
        return "wrong", f"shape {found.shape}, not {expected.shape}", 0
    difference = float(abs(found - expected).max() / max(1, abs(expected).max()))
    if not difference <= TOLERANCE:
        return "wrong", f"difference {difference:.2e}", difference
    return None, "", difference


def main():
    tool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    tool = str(pathlib.Path(tool).resolve())
    kept = pathlib.Path(tempfile.gettempdir()) / "dicevision-import-failures"
    agreed, refused, failed, worst = 0, collections.Counter(), 0, 0
    kinds = collections.Counter()
    for number in range(count):
        n, output = case(np.random.default_rng([seed, number]))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            fault, message, difference = check(tool, n, output, folder)
            if fault is None:
                agreed += 1
                worst = max(worst, difference)
                kinds.update(set(n.kinds))
                continue
            message = re.sub(r"^dicevision: \S+: ", "", message)
            reason = next((text for text in REFUSALS if text in message), None)
            if fault == "refused" and reason:
                refused[reason] += 1
                continue
            failed += 1
            print(f"{seed}/{number} version {n.spec.specificationVersion}, {fault}: {message[:300]}")
            print(f"    {' '.join(n.kinds)}", flush=True)
            shutil.copytree(folder, kept / f"coreml-{seed}-{number}", dirs_exist_ok=True)
    print(f"{count} models: {agreed} agree, {sum(refused.values())} refused, {failed} failed")
    print(f"greatest difference {worst:.1e}")
    for reason, times in refused.most_common():
        print(f"    refused {times} times: {reason}")
    missing = sorted(set(coreml.LAYERS) - set(kinds))
    print("models with each layer: "
          + ", ".join(f"{name} {times}" for name, times in sorted(kinds.items())))
    print(f"{len(kinds)} kinds of layers; not met: {', '.join(missing) or 'none'}")
    if failed:
        print(f"What failed is kept in {kept}.")
        sys.exit(1)
    if agreed == 0:
        sys.exit("No model was compared.")


main()
