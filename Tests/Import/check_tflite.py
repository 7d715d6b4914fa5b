"""Compares imported TensorFlow Lite models with LiteRT.

    python3 check_tflite.py TOOL COUNT SEED

Makes small random models: most of one operation, others of several, in single precision, with weights in
half precision, or quantized to 8 bits with and without signs. The measure of a difference is the greatest
absolute one over the greatest magnitude of LiteRT's output, or over 1 where that is less; it must be at
most 1e-3. Quantized answers must be those of LiteRT's reference kernels, integer by integer; where an operation
is among the IN_FLOATS, they may be a step from those of LiteRT without delegates, and two steps behind several
operations. Where only weights are quantized and inputs rounded, several operations may differ by 2e-2. A model
that is refused must be refused for one of the reasons in REFUSALS. Ends with status 1 otherwise; the
models that failed are kept.
"""

import collections
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy
from ai_edge_litert import interpreter as litert

import recurrent_tflite
import tflite
from tflite import schema

REFUSALS = [
    "padding is as large as its",
    "rearranged along",
    "treats",
    "have no order",
    "axis 0 has the extent",
    "its exponent is",
]

TOLERANCE = 1e-3

# Operations on 8-bit integers that a network computes in floats; and the one whose reference kernel gives
# the same number for all.
IN_FLOATS = {"SOFTMAX", "L2_NORMALIZATION", "RESIZE_BILINEAR", "ELU", "SUM"}


def options(kind, **fields):
    made = getattr(schema, kind + "OptionsT")()
    for name, value in fields.items():
        assert hasattr(made, name), (kind, name)
        setattr(made, name, value)
    return made


def shape_of(graph, x):
    if x in graph.feeds:
        return list(graph.feeds[x].shape)
    return list(graph.run([x])[0].shape)


def axis_of(graph, shape):
    axis = graph.integer(0, len(shape) - 1)
    return axis - len(shape) if graph.random.random() < 0.3 else axis


def window(graph):
    return {"padding": graph.integer(0, 1), "strideW": graph.integer(1, 3), "strideH": graph.integer(1, 3)}


def activation(graph):
    return graph.choice([0, 0, 1, 2, 3])


# Each of the following adds operations behind a tensor and gives a new one.


def conv(graph, x):
    channels, outputs = shape_of(graph, x)[3], graph.integer(1, 6)
    groups = graph.choice([g for g in (1, 1, 1, 2) if channels % g == 0])
    kernel = graph.weights(
        outputs * groups, graph.integer(1, 4), graph.integer(1, 4), channels // groups, axis=0)
    made = options("Conv2D", fusedActivationFunction=activation(graph), **window(graph))
    made.dilationWFactor, made.dilationHFactor = graph.choice([1, 1, 2]), graph.choice([1, 1, 2])
    inputs = [x, kernel, graph.bias(outputs * groups)]
    return graph.operation("CONV_2D", inputs, made)


def depthwise(graph, x):
    channels, factor = shape_of(graph, x)[3], graph.choice([1, 1, 2, 3])
    kernel = graph.weights(1, graph.integer(1, 4), graph.integer(1, 4), channels * factor, axis=3)
    made = options("DepthwiseConv2D", fusedActivationFunction=activation(graph), **window(graph))
    made.depthMultiplier = factor
    made.strideH = made.strideW
    made.dilationWFactor = made.dilationHFactor = graph.choice([1, 1, 2])
    return graph.operation(
        "DEPTHWISE_CONV_2D", [x, kernel, graph.bias(channels * factor)], made)


def transposed(graph, x):
    shape, outputs = shape_of(graph, x), graph.integer(1, 5)
    kernel = [graph.integer(1, 4), graph.integer(1, 4)]
    made = options("TransposeConv", **window(graph))
    strides = [made.strideH, made.strideW]
    size = [shape[a + 1] * strides[a] if made.padding == 0
            else (shape[a + 1] - 1) * strides[a] + kernel[a] + graph.integer(0, strides[a] - 1)
            for a in range(2)]
    weights = graph.weights(outputs, *kernel, shape[3], axis=0)
    inputs = [graph.integers([1, *size, outputs]), weights, x]
    if graph.random.random() < 0.5:
        inputs.append(graph.bias(outputs))
    return graph.operation("TRANSPOSE_CONV", inputs, made)


def transposed_custom(graph, x):
    channels, outputs = shape_of(graph, x)[3], graph.integer(1, 5)
    weights = graph.weights(outputs, 2, 2, channels)
    return graph.operation(
        "Convolution2DTransposeBias", [x, weights, graph.bias(outputs)],
        custom=struct.pack("<iii", graph.choice([1, 2]), 2, 2))


def pool(graph, x):
    name = graph.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D", "L2_POOL_2D"])
    made = options("Pool2D", fusedActivationFunction=activation(graph), **window(graph))
    made.filterWidth, made.filterHeight = graph.integer(1, 4), graph.integer(1, 4)
    return graph.operation(name, [x], made)


def fully_connected(graph, x):
    shape = shape_of(graph, x)
    keeps = bool(graph.integer(0, 1))
    inputs = shape[-1] if keeps else graph.choice([shape[-1], int(numpy.prod(shape[1:]))])
    outputs = graph.integer(1, 7)
    made = options("FullyConnected", keepNumDims=keeps, fusedActivationFunction=activation(graph))
    return graph.operation(
        "FULLY_CONNECTED",
        [x, graph.weights(outputs, inputs, axis=0), graph.choice([-1, graph.bias(outputs)])], made)


def matrices(graph, x):
    shape = shape_of(graph, x)
    adjoint = bool(graph.integer(0, 1))
    inner, outer = shape[-1], graph.integer(1, 5)
    kind = graph.integer(0, 1)
    other_shape = ([outer, inner] if adjoint else [inner, outer])
    made = options("BatchMatMul", adjX=False, adjY=adjoint)
    if kind:
        other = graph.input(shape[:-2] + other_shape)
    else:
        other = graph.weights(*other_shape)
        if len(shape) > 2:
            graph.tensors[other].data = graph.tensors[other].data.reshape(
                [1] * (len(shape) - 2) + other_shape)
            graph.tensors[other].shape = list(graph.tensors[other].data.shape)
    return graph.operation("BATCH_MATMUL", [x, other], made)


def function(graph, x):
    name = graph.choice(FUNCTIONS)
    if name in ("LOG", "SQRT", "RSQRT"):
        x = graph.operation("ABS", [x], options("Abs"))
        x = graph.operation("ADD", [x, graph.constant([0.1], dtype=numpy.float32)], options("Add"))
    made = None
    if name == "LEAKY_RELU":
        made = options("LeakyRelu", alpha=float(graph.random.uniform(0, 0.5)))
    if name == "GELU":
        made = options("Gelu", approximate=bool(graph.integer(0, 1)))
    return graph.operation(name, [x], made)


FUNCTIONS = ["RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1", "LEAKY_RELU", "ELU", "HARD_SWISH", "GELU",
             "LOGISTIC", "TANH", "EXP", "LOG", "SQRT", "RSQRT", "ABS", "NEG", "FLOOR", "CEIL", "ROUND",
             "SQUARE", "SIGN", "SIN", "COS"]


def prelu(graph, x):
    shape = shape_of(graph, x)[1:]
    if graph.random.random() < 0.7:
        shape = [1] * (len(shape) - 1) + shape[-1:]
    return graph.operation(
        "PRELU", [x, graph.constant(graph.random.uniform(-0.5, 0.5, shape).astype(numpy.float32))])


def pair(graph, x):
    name = graph.choice(["ADD", "SUB", "MUL", "DIV", "MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE",
                         "FLOOR_DIV", "FLOOR_MOD", "POW", "ATAN2"])
    shape = shape_of(graph, x)
    other = [extent if graph.random.random() < 0.7 else 1 for extent in shape]
    other = graph.choice([other, shape, shape[-1:], []])
    low = 0.5 if name in ("DIV", "FLOOR_DIV", "FLOOR_MOD", "POW") else -2.0
    if name == "POW":
        x = graph.operation("ABS", [x], options("Abs"))
    if name == "ATAN2":
        other = shape  # LiteRT repeats nothing here.
    y = graph.choice([
        lambda: graph.input(other, low=low),
        lambda: graph.constant(graph.random.uniform(low, 2, other).astype(numpy.float32))])()
    made = None
    if name in ("ADD", "SUB", "MUL", "DIV"):
        kind = {"ADD": "Add", "SUB": "Sub", "MUL": "Mul", "DIV": "Div"}[name]
        made = options(kind, fusedActivationFunction=activation(graph))
    inputs = [x, y]
    if name not in ("POW", "DIV", "FLOOR_DIV", "FLOOR_MOD") and graph.random.random() < 0.3:
        inputs.reverse()
    return graph.operation(name, inputs, made)


def sum_of_several(graph, x):
    shape = shape_of(graph, x)
    return graph.operation("ADD_N", [x, graph.input(shape), graph.input(shape)])


def comparison(graph, x):
    name = graph.choice(["EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"])
    x = graph.operation("FLOOR", [x])
    y = graph.constant(numpy.float32(graph.integer(-1, 1)))
    condition = graph.operation(name, [x, y], dtype=numpy.bool_)
    if graph.random.random() < 0.5:
        other = graph.operation("LESS", [x, graph.constant(numpy.float32(0))], dtype=numpy.bool_)
        condition = graph.operation(
            graph.choice(["LOGICAL_AND", "LOGICAL_OR"]), [condition, other], dtype=numpy.bool_)
    if graph.random.random() < 0.5:
        condition = graph.operation("LOGICAL_NOT", [condition], dtype=numpy.bool_)
    shape = shape_of(graph, x)
    if graph.random.random() < 0.3:
        return graph.operation(
            "CAST", [condition], options("Cast", inDataType=schema.TensorType.BOOL,
                                         outDataType=schema.TensorType.FLOAT32))
    return graph.operation(
        graph.choice(["SELECT", "SELECT_V2"]), [condition, x, graph.input(shape)])


def reduce(graph, x):
    shape = shape_of(graph, x)
    name = graph.choice(["MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD"])
    count = graph.integer(1, len(shape))
    axes = [int(a) for a in graph.random.choice(len(shape), count, replace=False)]
    axes = [a - len(shape) if graph.random.random() < 0.3 else a for a in axes]
    return graph.operation(
        name, [x, graph.integers(axes)], options("Reducer", keepDims=bool(graph.integer(0, 1))))


def argument(graph, x):
    shape = shape_of(graph, x)
    name = graph.choice(["ARG_MAX", "ARG_MIN"])
    kind = "ArgMax" if name == "ARG_MAX" else "ArgMin"
    place = graph.operation(
        name, [x, graph.integers(axis_of(graph, shape))],
        options(kind, outputType=schema.TensorType.INT32), dtype=numpy.int32)
    return graph.operation(
        "CAST", [place], options("Cast", inDataType=schema.TensorType.INT32,
                                 outDataType=schema.TensorType.FLOAT32))


def normal(graph, x):
    name = graph.choice(["SOFTMAX", "LOG_SOFTMAX", "L2_NORMALIZATION"])
    if name == "SOFTMAX":
        return graph.operation(
            name, [x], options("Softmax", beta=graph.choice([1.0, 1.0, 0.5, 2.0])))
    return graph.operation(name, [x], options("L2Norm") if name[0] == "L" and name[1] == "2" else None)


def local_normal(graph, x):
    return graph.operation(
        "LOCAL_RESPONSE_NORMALIZATION", [x],
        options("LocalResponseNormalization", radius=graph.integer(1, 3), bias=1.0,
                alpha=float(graph.random.uniform(0, 1)), beta=graph.choice([0.5, 0.75])))


def cumsum(graph, x):
    return graph.operation(
        "CUMSUM", [x, graph.integers(axis_of(graph, shape_of(graph, x)))],
        options("Cumsum", exclusive=bool(graph.integer(0, 1)), reverse=bool(graph.integer(0, 1))))


def concat(graph, x):
    shape = shape_of(graph, x)
    axis = graph.integer(0, len(shape) - 1)
    inputs = [x]
    for _ in range(graph.integer(1, 3)):
        other = list(shape)
        other[axis] = graph.integer(1, 4)
        inputs.append(graph.choice([
            lambda: graph.input(other),
            lambda: graph.constant(graph.random.uniform(-2, 2, other).astype(numpy.float32))])())
    return graph.operation(
        "CONCATENATION", inputs,
        options("Concatenation", axis=axis, fusedActivationFunction=0))


def split(graph, x):
    shape = shape_of(graph, x)
    axis = graph.integer(0, len(shape) - 1)
    counts = [n for n in (1, 2, 3, 4) if shape[axis] % n == 0]
    count = graph.choice(counts)
    parts = graph.operation(
        "SPLIT", [graph.integers(axis), x], options("Split", numSplits=count), outputs=count)
    return parts if count == 1 else graph.choice(parts)


def split_sizes(graph, x):
    shape = shape_of(graph, x)
    axis = graph.integer(0, len(shape) - 1)
    if shape[axis] < 2:
        return split(graph, x)
    first = graph.integer(1, shape[axis] - 1)
    sizes = graph.choice([[first, shape[axis] - first], [first, -1]])
    return graph.choice(graph.operation(
        "SPLIT_V", [x, graph.integers(sizes), graph.integers(axis)],
        options("SplitV", numSplits=2), outputs=2))


def pack(graph, x):
    shape = shape_of(graph, x)
    inputs = [x] + [graph.input(shape) for _ in range(graph.integer(0, 2))]
    return graph.operation(
        "PACK", inputs, options("Pack", valuesCount=len(inputs), axis=graph.integer(0, len(shape))))


def unpack(graph, x):
    shape = shape_of(graph, x)
    axis = graph.integer(0, len(shape) - 1)
    parts = graph.operation(
        "UNPACK", [x], options("Unpack", num=shape[axis], axis=axis), outputs=shape[axis])
    return parts if shape[axis] == 1 else graph.choice(parts)


def slice_(graph, x):
    begins, sizes = [], []
    for extent in shape_of(graph, x):
        begin = graph.integer(0, extent - 1)
        begins.append(begin)
        sizes.append(graph.choice([-1, graph.integer(1, extent - begin)]))
    return graph.operation("SLICE", [x, graph.integers(begins), graph.integers(sizes)])


def strided(graph, x):
    shape = shape_of(graph, x)
    begins, ends, steps = [], [], []
    begin_mask = end_mask = shrink = new = 0
    for axis, extent in enumerate(shape):
        step = graph.choice([1, 1, 2, 3, -1])
        a, b = sorted([graph.integer(0, extent - 1), graph.integer(0, extent - 1)])
        b += 1
        if step < 0:
            a, b = b - 1, a - 1
            if b < 0:
                end_mask |= 1 << axis
                b = 0
        begins.append(a - extent if graph.random.random() < 0.2 else a)
        ends.append(b)
        steps.append(step)
        if step > 0 and graph.random.random() < 0.2:
            begin_mask |= 1 << axis
        if step > 0 and graph.random.random() < 0.2:
            end_mask |= 1 << axis
        if step == 1 and graph.random.random() < 0.15:
            shrink |= 1 << axis
    if graph.random.random() < 0.1 and len(shape) < 4:
        begins, ends, steps = begins + [0], ends + [0], steps + [1]
        new |= 1 << len(shape)
    inputs = [x] + [graph.integers(n) for n in (begins, ends, steps)]
    return graph.operation(
        "STRIDED_SLICE", inputs,
        options("StridedSlice", beginMask=begin_mask, endMask=end_mask, shrinkAxisMask=shrink,
                newAxisMask=new))


def reshape(graph, x):
    shape = shape_of(graph, x)
    count = int(numpy.prod(shape))
    divisors = [n for n in range(1, count + 1) if count % n == 0]
    first = graph.choice(divisors)
    target = graph.choice([[first, count // first], [1, first, count // first], [1, -1], [-1],
                           [1, first, 1, count // first]])
    name = graph.choice(["RESHAPE", "RESHAPE", "SQUEEZE", "EXPAND_DIMS"])
    if name == "SQUEEZE":
        if len([n for n in shape if n != 1]) == 0:
            return x
        return graph.operation("SQUEEZE", [x], options("Squeeze", squeezeDims=[]))
    if name == "EXPAND_DIMS" and len(shape) < 5:
        return graph.operation(
            "EXPAND_DIMS", [x, graph.integers(graph.integer(-1, len(shape)))])
    return graph.operation(
        "RESHAPE", [x, graph.integers(target)], options("Reshape", newShape=target))


def transpose(graph, x):
    order = [int(n) for n in graph.random.permutation(len(shape_of(graph, x)))]
    return graph.operation("TRANSPOSE", [x, graph.integers(order)])


def repeat(graph, x):
    shape = shape_of(graph, x)
    if graph.random.random() < 0.5:
        return graph.operation(
            "TILE", [x, graph.integers([graph.integer(1, 2) for _ in shape])])
    target = [graph.integer(1, 3) if extent == 1 else extent for extent in shape]
    return graph.operation("BROADCAST_TO", [x, graph.integers(target)])


def reverse(graph, x):
    return graph.operation(
        "REVERSE_V2", [x, graph.integers([graph.integer(0, len(shape_of(graph, x)) - 1)])])


def gather(graph, x):
    shape = shape_of(graph, x)
    axis = graph.integer(0, len(shape) - 1)
    count = graph.choice([[], [1], [3], [2, 2]])
    indices = graph.random.integers(0, shape[axis], count).astype(numpy.int32)
    return graph.operation("GATHER", [x, graph.integers(indices)], options("Gather", axis=axis))


def gather_points(graph, x):
    shape = shape_of(graph, x)
    depth = graph.integer(1, len(shape))
    count = graph.integer(1, 4)
    points = numpy.stack(
        [graph.random.integers(0, shape[axis], count) for axis in range(depth)], axis=1)
    return graph.operation("GATHER_ND", [x, graph.integers(points)])


def scatter(graph, x):
    shape = shape_of(graph, x)
    count = graph.integer(shape[0], shape[0] + 4)
    points = graph.random.choice(count, [shape[0], 1], replace=False)
    return graph.operation(
        "SCATTER_ND", [graph.integers(points), x, graph.integers([count] + shape[1:])])


def segments(graph, x):
    shape = shape_of(graph, x)
    numbers = graph.random.integers(0, 3, shape[0])
    return graph.operation(
        "UNSORTED_SEGMENT_SUM", [x, graph.integers(numbers), graph.integers(3)])


def diagonal(graph, x):
    shape = shape_of(graph, x)
    if len(shape) > 1 and graph.random.random() < 0.5:
        own = shape[:-2] + [min(shape[-2:])]
        return graph.operation("MATRIX_SET_DIAG", [x, graph.input(own)])
    return graph.operation("MATRIX_DIAG", [x])


def update(graph, x):
    shape = shape_of(graph, x)
    own = [graph.integer(1, extent) for extent in shape]
    starts = [graph.integer(0, extent) for extent in shape]
    return graph.operation("DYNAMIC_UPDATE_SLICE", [x, graph.input(own), graph.integers(starts)])


def from_shape(graph, x):
    """Numbers that follow from a shape, which an import knows beforehand."""
    shape = shape_of(graph, x)
    of = graph.operation("SHAPE", [x], options("Shape", outType=schema.TensorType.INT32),
                         dtype=numpy.int32)
    zeros = graph.operation("FILL", [of, graph.constant(numpy.float32(0.5))])
    x = graph.operation("ADD", [x, zeros], options("Add"))
    whole = graph.operation(
        "REDUCE_PROD", [of, graph.integers([0])], options("Reducer", keepDims=True),
        dtype=numpy.int32)
    return graph.operation("RESHAPE", [x, whole], options("Reshape"))


def one_hot(graph, x):
    shape = shape_of(graph, x)
    depth = graph.integer(2, 5)
    places = graph.operation(
        "ARG_MAX", [x, graph.integers(len(shape) - 1)],
        options("ArgMax", outputType=schema.TensorType.INT32), dtype=numpy.int32)
    return graph.operation(
        "ONE_HOT", [places, graph.integers(depth), graph.constant(numpy.float32(2)),
                    graph.constant(numpy.float32(-1))], options("OneHot", axis=-1))


def bucketize(graph, x):
    places = graph.operation(
        "BUCKETIZE", [x], options("Bucketize", boundaries=[-1.0, 0.0, 0.5]), dtype=numpy.int32)
    return graph.operation(
        "CAST", [places], options("Cast", inDataType=schema.TensorType.INT32,
                                  outDataType=schema.TensorType.FLOAT32))


def truncate(graph, x):
    x = graph.operation("MUL", [x, graph.constant(numpy.float32(3))], options("Mul"))
    whole = graph.operation(
        "CAST", [x], options("Cast", inDataType=schema.TensorType.FLOAT32,
                             outDataType=schema.TensorType.INT32), dtype=numpy.int32)
    if graph.random.random() < 0.5:
        name = graph.choice(["DIV", "FLOOR_DIV", "FLOOR_MOD"])
        whole = graph.operation(
            name, [whole, graph.integers(graph.choice([2, 3]))],
            options("Div") if name == "DIV" else None, dtype=numpy.int32)
    return graph.operation(
        "CAST", [whole], options("Cast", inDataType=schema.TensorType.INT32,
                                 outDataType=schema.TensorType.FLOAT32))


def fake_quant(graph, x):
    return graph.operation(
        "FAKE_QUANT", [x], options("FakeQuant", min=-1.0, max=1.5, numBits=8,
                                   narrowRange=bool(graph.integer(0, 1))))


def padding(graph, x):
    shape = shape_of(graph, x)
    amounts = [[0, 0] for _ in shape]
    for axis in range(1, len(shape)):
        amounts[axis] = [graph.integer(0, 3), graph.integer(0, 3)]
    name = graph.choice(["PAD", "PADV2", "MIRROR_PAD"])
    if name == "PAD":
        return graph.operation("PAD", [x, graph.integers(amounts)], options("Pad"))
    if name == "PADV2":
        return graph.operation(
            "PADV2", [x, graph.integers(amounts), graph.constant(numpy.float32(1.5))])
    mode = graph.integer(0, 1)
    amounts = [[min(n, extent - 1 + mode) for n in pair] for pair, extent in zip(amounts, shape)]
    return graph.operation(
        "MIRROR_PAD", [x, graph.integers(amounts)], options("MirrorPad", mode=mode))


def resize(graph, x):
    size = graph.integers([graph.integer(1, 12), graph.integer(1, 12)])
    rule = graph.choice([{}, {"alignCorners": True}, {"halfPixelCenters": True}])
    if graph.random.random() < 0.6:
        return graph.operation("RESIZE_BILINEAR", [x, size], options("ResizeBilinear", **rule))
    return graph.operation(
        "RESIZE_NEAREST_NEIGHBOR", [x, size], options("ResizeNearestNeighbor", **rule))


def blocks(graph, x):
    shape = shape_of(graph, x)
    block = 2
    if shape[3] % 4 == 0 and graph.random.random() < 0.6:
        return graph.operation("DEPTH_TO_SPACE", [x], options("DepthToSpace", blockSize=block))
    if shape[1] % 2 or shape[2] % 2:
        amounts = graph.integers([[0, 0], [0, shape[1] % 2], [0, shape[2] % 2], [0, 0]])
        x = graph.operation("PAD", [x, amounts], options("Pad"))
    return graph.operation("SPACE_TO_DEPTH", [x], options("SpaceToDepth", blockSize=block))


def dilated(graph, x):
    """A dilated convolution as old converters write it: over interleaved pieces."""
    shape = shape_of(graph, x)
    rate = graph.integer(2, 3)
    pads, crops = [], []
    for extent in shape[1:3]:
        before = graph.integer(0, rate)
        pads.append([before, -(extent + before) % rate + graph.choice([0, rate])])
        crops.append([graph.integer(0, 1), 0])
    pieces = graph.operation(
        "SPACE_TO_BATCH_ND", [x, graph.integers([rate, rate]), graph.integers(pads)],
        options("SpaceToBatchND"))
    size = min(2, min((extent + sum(pad)) // rate for extent, pad in zip(shape[1:3], pads)))
    made = options("Conv2D", padding=graph.integer(0, 1), strideW=1, strideH=1,
                   fusedActivationFunction=activation(graph))
    made.dilationWFactor = made.dilationHFactor = 1
    outputs = graph.integer(1, 4)
    y = graph.operation(
        "CONV_2D", [pieces, graph.weights(outputs, size, size, shape[3], axis=0), graph.bias(outputs)],
        made)
    if graph.random.random() < 0.5:
        y = graph.operation("RELU", [y])
    return graph.operation(
        "BATCH_TO_SPACE_ND", [y, graph.integers([rate, rate]), graph.integers(crops)],
        options("BatchToSpaceND"))


def recurrent(graph, x):
    return recurrent_tflite.add(graph, x, shape_of(graph, x))


ANY = [function, function, function, prelu, pair, pair, sum_of_several, comparison, reduce, reduce,
       argument, normal, cumsum, concat, split, split_sizes, pack, unpack, slice_, strided, reshape,
       transpose, repeat, reverse, gather, gather_points, scatter, segments, diagonal, update,
       from_shape, one_hot, bucketize, truncate, fake_quant, fully_connected, matrices, recurrent, recurrent]
MAPS = [conv, conv, conv, depthwise, depthwise, transposed, transposed_custom, pool, pool, padding,
        resize, resize, blocks, dilated, local_normal]
# What has 8-bit kernels in LiteRT and is usual in quantized models.
QUANTIZED = [conv, conv, depthwise, depthwise, transposed, pool, padding, resize, blocks, pair, reduce,
             normal, concat, split, slice_, strided, reshape, transpose, gather, fully_connected,
             fully_connected, function, function, prelu, dilated]
QUANTIZED_NAMES = {
    "CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "MAX_POOL_2D", "AVERAGE_POOL_2D", "PAD",
    "MIRROR_PAD", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "SPACE_TO_DEPTH", "DEPTH_TO_SPACE",
    "ADD", "SUB", "MUL", "MAXIMUM", "MINIMUM", "MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "SOFTMAX",
    "L2_NORMALIZATION", "CONCATENATION", "SPLIT", "SLICE", "STRIDED_SLICE", "RESHAPE", "SQUEEZE",
    "EXPAND_DIMS", "TRANSPOSE", "GATHER", "FULLY_CONNECTED", "RELU", "RELU6", "LEAKY_RELU",
    "HARD_SWISH", "LOGISTIC", "TANH", "ELU", "PRELU", "SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND"}


def grown(graph, x, steps, allowed=None):
    """A model with more operations behind a tensor, as far as LiteRT runs it."""
    for _ in range(steps):
        shape = shape_of(graph, x)
        if numpy.prod(shape) > 20000 or not shape or len(shape) > 4:
            break
        maps = len(shape) == 4 and shape[0] == 1
        known = allowed or (ANY + MAPS * 2)
        step = graph.choice([f for f in known if maps or f not in MAPS])
        before = (len(graph.tensors), len(graph.operations), len(graph.inputs), dict(graph.feeds))
        try:
            result = step(graph, x)
            names = {operation[0] for operation in graph.operations}
            sound = allowed is None or names <= QUANTIZED_NAMES
            if sound:
                numbers = graph.run([result])[0]
                sound = 0 < numbers.size < 200000 and numpy.isfinite(numbers).all() \
                    and abs(numbers).max() < 1e5
        except (ValueError, RuntimeError, IndexError):
            sound = False
        if not sound:
            graph.tensors, graph.operations = graph.tensors[:before[0]], graph.operations[:before[1]]
            graph.inputs, graph.feeds = graph.inputs[:before[2]], before[3]
            continue
        x = result
    return x


def case(random):
    graph = tflite.Graph(random)
    kind = graph.choice(["float", "float", "float", "half", "int8", "int8", "uint8", "weights"])
    rank = graph.choice([4, 4, 4, 4, 3, 2])
    shape = [1] + [graph.integer(1, 9) for _ in range(rank - 1)]
    if rank == 4:
        shape[3] = graph.choice([1, 2, 3, 4, 5, 8])
    x = graph.input(shape)
    allowed = QUANTIZED if "int8" in kind else None
    steps = graph.choice([1, 1, 1, 2, 3, 5])
    if kind != "float" and kind != "half":
        steps = min(steps, 3)
    if kind == "weights":
        # What LiteRT has kernels for that quantize what they read, mostly.
        x = grown(graph, x, 1, [fully_connected, *([conv, conv, depthwise, transposed] if rank == 4 else [])])
        steps = min(steps, 3) - 1
    x = grown(graph, x, steps, allowed)
    if not graph.operations:
        x = graph.operation("RELU", [x])
    if kind == "half":
        graph.halve()
    if kind == "weights":
        graph.quantize_weights(bool(graph.integer(0, 1)))
    if "int8" in kind:
        graph.quantize(numpy.int8 if kind == "int8" else numpy.uint8, bool(graph.integer(0, 1)))
    return graph, [x], kind


def check(tool, graph, outputs, kind, folder):
    """None where the answers agree, else what is wrong; and the difference."""
    expected, is_exact = graph.run(outputs), False
    if "int8" in kind and not IN_FLOATS & {operation[0] for operation in graph.operations}:
        try:
            expected, is_exact = graph.run(outputs, litert.OpResolverType.BUILTIN_REF), True
        except ValueError:
            pass  # There is no reference kernel of that version.
    model = folder / "model.tflite"
    model.write_bytes(graph.file(outputs))
    made = subprocess.run(
        [tool, "import", model, "--round-inputs", "--output", folder / "model.dvweights"],
        capture_output=True, text=True)
    if made.returncode != 0:
        return "refused" if made.returncode == 1 else "crashed", made.stderr.strip(), 0
    arguments = []
    left_out = re.findall(r"depends on the input (\S+);", made.stderr)
    for number in graph.inputs:
        name = graph.tensors[number].name
        if name not in left_out:
            path = folder / f"{number}.npy"
            numpy.save(path, graph.feeds[number])
            arguments += ["--input", f"{name}={path}"]
    answer = subprocess.run(
        [tool, "run", folder / "model.dvweights", *arguments, "--output", folder / "out"],
        capture_output=True, text=True)
    if answer.returncode != 0:
        return "not run", answer.stderr.strip(), 0
    worst = 0
    for number, numbers in zip(outputs, expected):
        name = re.sub(r"[^A-Za-z0-9._-]", "_", graph.tensors[number].name)
        found = numpy.load(folder / "out" / f"{name}.npy")
        if found.size == 1 and numbers.size == 1:
            # LiteRT makes single numbers of choices between tensors of one position.
            found = found.reshape(numbers.shape)
        if found.shape != numbers.shape:
            return "wrong", f"shape {found.shape}, not {numbers.shape}", 0
        difference = abs(found.astype(numpy.float64) - numbers.astype(numpy.float64)).max()
        if "int8" in kind:
            steps = 1 if len(graph.operations) == 1 else 2 + len(graph.operations) // 3
            if difference > (0 if is_exact else steps):
                return "wrong", f"{difference:.0f} steps", 0
            continue
        worst = max(worst, float(difference / max(1, abs(numbers).max())))
    # Behind several roundings a number may have been rounded the other way.
    rounded = kind == "weights" and len(graph.operations) > 1
    if worst > (20 if rounded else 1) * TOLERANCE or numpy.isnan(worst):
        return "wrong", f"difference {worst:.2e}", worst
    return None, "", worst


def main():
    tool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    tool = str(pathlib.Path(tool).resolve())
    kept = pathlib.Path(tempfile.gettempdir()) / "dicevision-import-failures"
    agreed, refused, failed, worst, skipped = collections.Counter(), collections.Counter(), 0, 0, 0
    operations = collections.Counter()
    for number in range(count):
        random = numpy.random.default_rng([seed, number])
        graph, outputs, kind = case(random)
        try:
            graph.run(outputs)
        except (ValueError, RuntimeError):
            skipped += 1  # LiteRT has no such 8-bit kernel.
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            fault, message, difference = check(tool, graph, outputs, kind, folder)
            names = [operation[0] for operation in graph.operations]
            if fault is None:
                agreed[kind] += 1
                worst = max(worst, difference)
                operations.update(set(names))
                continue
            message = re.sub(r"^dicevision: \S+: ", "", message)
            reason = next((text for text in REFUSALS if text in message), None)
            if fault == "refused" and reason:
                refused[reason] += 1
                continue
            failed += 1
            print(f"{seed}/{number} {kind}, {fault}: {message[:300]}")
            print(f"    {' '.join(names)}", flush=True)
            shutil.copytree(folder, kept / f"tflite-{seed}-{number}", dirs_exist_ok=True)
    total = sum(agreed.values())
    print(f"{count} models: {total} agree, {sum(refused.values())} refused, {failed} failed, "
          f"{skipped} not run by LiteRT")
    print("agreeing: " + ", ".join(f"{kind} {times}" for kind, times in sorted(agreed.items())))
    print(f"greatest difference without quantization {worst:.1e}")
    for reason, times in refused.most_common():
        print(f"    refused {times} times: {reason}")
    print(f"models with each of {len(operations)} operations: "
          + ", ".join(f"{name} {times}" for name, times in sorted(operations.items())))
    if failed:
        print(f"What failed is kept in {kept}.")
        sys.exit(1)
    if total == 0:
        sys.exit("No model was compared.")


if __name__ == "__main__":
    main()
