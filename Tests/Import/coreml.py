"""Runs Core ML neural networks in NumPy, layer by layer, as NeuralNetwork.proto describes them.

It is the reference that imported networks are compared with: slow, in double precision, and independent
of the library. `execute(spec, feeds)` gives the model's outputs by name.
"""

import math

import numpy as np
import recurrent
from numpy.lib.stride_tricks import sliding_window_view

# Arrays that are inputs have these shapes in the network: see fiveAxes and exactAxes.
RANK5, EXACT = 0, 1


def weights(params, shape, axis=0):
    """The numbers of a message WeightParams."""
    count = int(np.prod(shape))
    if len(params.floatValue):
        values = np.array(params.floatValue, np.float64)
    elif len(params.float16Value):
        values = np.frombuffer(params.float16Value, "<f2").astype(np.float64)
    elif len(params.int8RawValue):
        codes = np.frombuffer(params.int8RawValue, np.int8).astype(np.float64)
        return (codes * params.quantization.linearQuantization.scale[0]).reshape(shape)
    else:
        quantization = params.quantization
        bits = quantization.numberOfBits
        raw = np.unpackbits(np.frombuffer(params.rawValue, np.uint8))[: count * bits]
        codes = raw.reshape(count, bits) @ (1 << np.arange(bits)[::-1])
        if quantization.WhichOneof("QuantizationType") == "lookupTableQuantization":
            table = np.array(quantization.lookupTableQuantization.floatValue, np.float64)
            return table[codes].reshape(shape)
        linear = quantization.linearQuantization
        aligned = [1] * len(shape)
        if len(linear.scale) > 1:
            aligned[axis] = shape[axis]
        scale = np.array(linear.scale, np.float64).reshape(aligned)
        bias = np.array(linear.bias, np.float64).reshape(aligned) if len(linear.bias) else 0
        return codes.reshape(shape).astype(np.float64) * scale + bias
    assert values.size == count, (values.size, shape)
    return values.reshape(shape)


def borders(amounts):
    pairs = [(edge.startEdgeSize, edge.endEdgeSize) for edge in amounts.borderAmounts]
    return pairs or [(0, 0), (0, 0)]


def same(extent, kernel, stride, mode):
    count = -(-extent // stride)
    total = max(0, (count - 1) * stride + kernel - extent)
    first = total - total // 2 if mode == 1 else total // 2
    return first, total - first


def two(values, missing):
    return [int(v) or missing for v in values] if len(values) else [missing, missing]


def windows(x, kernel, strides, dilations=(1, 1)):
    """[.., H, W] to [.., OH, OW, KH, KW]."""
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    view = sliding_window_view(x, spans, axis=(-2, -1))
    return view[..., :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]


def around(x, pads, value=0.0):
    widths = [(0, 0)] * (x.ndim - 2) + list(pads)
    return np.pad(x, widths, constant_values=value)


def convolution(p, x, kernel_input=None):
    kernel, strides = two(p.kernelSize, 3), two(p.stride, 1)
    groups = p.nGroups or 1
    bias = weights(p.bias, [p.outputChannels]) if p.hasBias else np.zeros(p.outputChannels)
    if p.isDeconvolution:
        w = weights(p.weights, [p.kernelChannels, p.outputChannels // groups] + kernel, axis=1)
        return deconvolution(p, x, w, bias, kernel, strides, groups)
    dilations = two(p.dilationFactor, 1)
    shape = [p.outputChannels, p.kernelChannels] + kernel
    w = weights(p.weights, shape) if kernel_input is None else kernel_input
    if p.WhichOneof("ConvolutionPaddingType") == "same":
        pads = [
            same(x.shape[i - 2], (kernel[i] - 1) * dilations[i] + 1, strides[i], p.same.asymmetryMode)
            for i in range(2)]
    else:
        pads = borders(p.valid.paddingAmounts)
    view = windows(around(x, pads), kernel, strides, dilations)  # [.., C, OH, OW, KH, KW]
    parts = []
    for g in range(groups):
        inputs = view[..., g * w.shape[1] : (g + 1) * w.shape[1], :, :, :, :]
        share = p.outputChannels // groups
        parts.append(np.einsum("...cyxhw,ochw->...oyx", inputs, w[g * share : (g + 1) * share]))
    return np.concatenate(parts, axis=-3) + bias[:, None, None]


def deconvolution(p, x, w, bias, kernel, strides, groups):
    rows, columns = x.shape[-2:]
    whole = [(n - 1) * s + k for n, s, k in zip((rows, columns), strides, kernel)]
    share_in, share_out = x.shape[-3] // groups, p.outputChannels // groups
    out = np.zeros(x.shape[:-3] + (p.outputChannels, *whole))
    for g in range(groups):
        inputs = x[..., g * share_in : (g + 1) * share_in, :, :]
        part = w[g * share_in : (g + 1) * share_in]
        for i in range(kernel[0]):
            for j in range(kernel[1]):
                values = np.einsum("...cyx,co->...oyx", inputs, part[:, :, i, j])
                out[..., g * share_out : (g + 1) * share_out,
                    i : i + rows * strides[0] : strides[0],
                    j : j + columns * strides[1] : strides[1]] += values
    is_same = p.WhichOneof("ConvolutionPaddingType") == "same"
    crops = [(0, 0), (0, 0)] if is_same else borders(p.valid.paddingAmounts)
    for axis in range(2):
        target = None
        if len(p.outputShape):
            target = p.outputShape[axis]
        elif is_same:
            target = (rows, columns)[axis] * strides[axis]
        if target is not None and (is_same or whole[axis] - sum(crops[axis]) != target):
            total = whole[axis] - target
            if total < 0:
                widths = [(0, 0)] * out.ndim
                widths[axis - 2] = (0, -total)
                out, total = np.pad(out, widths), 0
            heavy = is_same and p.same.asymmetryMode == 1
            first = total - total // 2 if heavy else total // 2
            crops[axis] = (first, total - first)
    out = out[..., crops[0][0] : out.shape[-2] - crops[0][1], crops[1][0] : out.shape[-1] - crops[1][1]]
    return out + bias[:, None, None]


def pooling(p, x):
    kind = ["max", "average", "l2"][p.type]
    if p.globalPooling:
        axes = (-2, -1)
        if kind == "max":
            return x.max(axes, keepdims=True)
        if kind == "average":
            return x.mean(axes, keepdims=True)
        return np.sqrt((x * x).sum(axes, keepdims=True))
    kernel, strides = two(p.kernelSize, 3), two(p.stride, 1)
    padding = p.WhichOneof("PoolingPaddingType")
    reach = [0, 0]
    if padding == "same":
        pads = [same(x.shape[i - 2], kernel[i], strides[i], p.same.asymmetryMode) for i in range(2)]
    elif padding == "includeLastPixel":
        amounts = list(p.includeLastPixel.paddingAmounts) or [0, 0]
        pads = []
        for i in range(2):
            n, a = x.shape[i - 2], amounts[i]
            count = -(-(n + 2 * a - kernel[i]) // strides[i]) + 1
            if any(amounts) and (count - 1) * strides[i] >= n + a:
                count -= 1
            if (count - 1) * strides[i] >= n + a:
                raise ValueError("a window begins behind its input")
            reach[i] = max(0, (count - 1) * strides[i] + kernel[i] - n - 2 * a)
            pads.append((a, a))
    else:
        pads = borders(p.valid.paddingAmounts)
    beyond = [(0, reach[0]), (0, reach[1])]
    if kind == "max":
        padded = around(around(x, pads, -np.inf), beyond, -np.inf)
        return windows(padded, kernel, strides).max((-2, -1))
    padded = around(around(x if kind == "average" else x * x, pads), beyond)
    sums = windows(padded, kernel, strides).sum((-2, -1))
    if kind == "l2":
        return np.sqrt(sums)
    ones = np.ones(x.shape[-2:])
    counted = around(ones, pads) if p.avgPoolExcludePadding else np.ones(
        [x.shape[i - 2] + sum(pads[i]) for i in range(2)])
    counts = windows(around(counted, beyond), kernel, strides).sum((-2, -1))
    return sums / counts


def sample(x, axis, positions):
    """Linear interpolation at positions along an axis."""
    positions = np.clip(positions, 0, x.shape[axis] - 1)
    low = np.floor(positions).astype(int)
    high = np.minimum(low + 1, x.shape[axis] - 1)
    share = positions - low
    shape = [1] * x.ndim
    shape[axis] = len(positions)
    share = share.reshape(shape)
    return np.take(x, low, axis) * (1 - share) + np.take(x, high, axis) * share


def upsample(p, x):
    if len(p.fractionalScalingFactor):
        factors = list(p.fractionalScalingFactor)
    else:
        factors = two(p.scalingFactor, 1)
    for i in range(2):
        axis = x.ndim - 2 + i
        n = x.shape[axis]
        m = int(math.floor(n * factors[i]))
        if p.mode == 0:
            x = np.take(x, np.arange(m) * n // m, axis)
            continue
        i_out = np.arange(m)
        if p.linearUpsampleMode == 0:
            positions = i_out * (n / m)
        elif p.linearUpsampleMode == 1:
            positions = i_out * ((n - 1) / (m - 1)) if m > 1 else np.zeros(1)
        else:
            positions = (i_out + 0.5) * (n / m) - 0.5
        x = sample(x, axis, positions)
    return x


def resize_bilinear(p, x):
    size = two(p.targetSize, 1)
    for i in range(2):
        axis, m = x.ndim - 2 + i, size[i]
        n = x.shape[axis]
        method = p.mode.samplingMethod
        if method == 0:
            positions = np.linspace(0, n - 1, m)
        elif method == 1:
            positions = np.array([(n - 1) / 2]) if m == 1 else np.linspace(0, n - 1, m)
        elif method == 2:
            positions = np.linspace(0, n - n / m, m)
        else:
            spacing = max(1, n - 1) / m
            positions = 0.5 * spacing + np.arange(m) * spacing
        x = sample(x, axis, positions)
    return x


def activation(p, x):
    kind = p.WhichOneof("NonlinearityType")
    q = getattr(p, kind)
    if kind == "linear":
        return q.alpha * x + q.beta
    if kind == "ReLU":
        return np.maximum(x, 0)
    if kind == "leakyReLU":
        return np.where(x >= 0, x, q.alpha * x)
    if kind == "thresholdedReLU":
        return np.where(x >= q.alpha, x, 0)
    if kind == "PReLU":
        alpha = channel_numbers(q.alpha, x)
        return np.where(x >= 0, x, alpha * x)
    if kind == "tanh":
        return np.tanh(x)
    if kind == "scaledTanh":
        return q.alpha * np.tanh(q.beta * x)
    if kind == "sigmoid":
        return 1 / (1 + np.exp(-x))
    if kind == "sigmoidHard":
        return np.clip(q.alpha * x + q.beta, 0, 1)
    if kind == "ELU":
        return np.where(x >= 0, x, q.alpha * (np.exp(np.minimum(x, 0)) - 1))
    if kind == "softsign":
        return x / (1 + abs(x))
    if kind == "softplus":
        return np.logaddexp(0, x)
    assert kind == "parametricSoftplus", kind
    return channel_numbers(q.alpha, x) * np.logaddexp(0, channel_numbers(q.beta, x) * x)


def channel_numbers(params, x):
    count = len(params.floatValue) or len(params.float16Value) // 2
    numbers = weights(params, [count])
    return numbers[0] if count == 1 else numbers[:, None, None]


def unary(p, x):
    x = (p.scale or 1) * x + p.shift
    epsilon = p.epsilon or 1e-6
    return [
        lambda: np.sqrt(x), lambda: 1 / np.sqrt(x + epsilon), lambda: 1 / (x + epsilon),
        lambda: x ** p.alpha, lambda: np.exp(x), lambda: np.log(x), lambda: abs(x),
        lambda: np.maximum(p.alpha, x)][p.type]()


def batchnorm(p, x):
    shape = [p.channels]
    gamma, beta = weights(p.gamma, shape)[:, None, None], weights(p.beta, shape)[:, None, None]
    if p.computeMeanVar:
        axes = (-2, -1) if p.instanceNormalization else tuple(
            a for a in range(x.ndim) if a != x.ndim - 3)
        mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    else:
        mean = weights(p.mean, shape)[:, None, None]
        variance = weights(p.variance, shape)[:, None, None]
    return gamma * (x - mean) / np.sqrt(variance + (p.epsilon or 1e-5)) + beta


def lrn(p, x):
    n = p.localSize
    squares = np.moveaxis(x * x, -3, -1)
    before = (n - 1) // 2
    padded = np.pad(squares, [(0, 0)] * (x.ndim - 1) + [(before, n - 1 - before)])
    sums = np.moveaxis(sliding_window_view(padded, n, axis=-1).sum(-1), -1, -3)
    return x / ((p.k or 1) + p.alpha / n * sums) ** p.beta


def mean_variance(p, x):
    axes = (-3, -2, -1) if p.acrossChannels else (-2, -1)
    x = x - x.mean(axes, keepdims=True)
    return x / np.sqrt((x * x).mean(axes, keepdims=True) + (p.epsilon or 1e-6)) \
        if p.normalizeVariance else x


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def channel_constant(shape, params):
    shape = list(shape)
    values = weights(params, shape)
    if values.size == 1:
        return values.reshape([])
    return values.reshape(shape + [1, 1] if len(shape) == 1 else shape)


def reduce(p, x):
    axes = {0: (-3, -2, -1), 1: (-2, -1), 2: (-3,), 3: (-2,), 4: (-1,)}[p.axis]
    mode = ["sum", "mean", "prod", "logsum", "sumsquare", "l1", "l2", "max", "min", "argmax"][p.mode]
    if mode == "argmax":
        return x.argmax(axes[0], keepdims=True).astype(float)
    if mode == "logsum":
        return np.log(x + (p.epsilon or 1e-6)).sum(axes, keepdims=True)
    return REDUCTIONS[mode](x, axes)


REDUCTIONS = {
    "sum": lambda x, a: x.sum(a, keepdims=True),
    "mean": lambda x, a: x.mean(a, keepdims=True),
    "prod": lambda x, a: x.prod(a, keepdims=True),
    "sumsquare": lambda x, a: (x * x).sum(a, keepdims=True),
    "l1": lambda x, a: abs(x).sum(a, keepdims=True),
    "l2": lambda x, a: np.sqrt((x * x).sum(a, keepdims=True)),
    "max": lambda x, a: x.max(a, keepdims=True),
    "min": lambda x, a: x.min(a, keepdims=True),
    "logsum": lambda x, a: np.log(x.sum(a, keepdims=True)),
    "logsumexp": lambda x, a: np.log(np.exp(x).sum(a, keepdims=True)),
}


def reduce_nd(name):
    def run(p, x):
        axes = tuple(range(x.ndim)) if p.reduceAll else tuple(p.axes)
        result = REDUCTIONS[name](x, axes)
        if p.keepDims:
            return result
        result = result.squeeze(axes)
        return result if result.ndim else result.reshape(1)
    return run


def five(x):
    return x.reshape((1,) * (5 - x.ndim) + x.shape)


def reshape(p, x):
    x = five(x)
    target = [int(n) for n in p.targetShape]
    if len(target) == 3:
        target = [x.shape[0]] + target
    s, c, h, w = target
    if p.mode == 0:
        return x.reshape(s, 1, c, h, w)
    flat = x.transpose(0, 1, 3, 4, 2)
    return flat.reshape(s, 1, h, w, c).transpose(0, 1, 4, 2, 3)


def flatten(p, x):
    if p.mode == 1:
        x = np.moveaxis(x, -3, -1)
    return x.reshape(x.shape[:-3] + (-1, 1, 1))


def permute(p, x):
    order = list(p.axis) or [0, 1, 2, 3]
    axes = [a if a == 0 else a + 1 for a in order]
    return five(x).transpose([axes[0], 1] + axes[1:])


def reorganize(p, x):
    b, lead = p.blockSize, x.shape[:-3]
    c, h, w = x.shape[-3:]
    flat = x.reshape((-1, c, h, w))
    if p.mode == 0:
        y = flat.reshape(-1, c, h // b, b, w // b, b).transpose(0, 3, 5, 1, 2, 4)
        return y.reshape(lead + (c * b * b, h // b, w // b))
    d = c // (b * b)
    if p.mode == 1:
        y = flat.reshape(-1, b, b, d, h, w).transpose(0, 3, 4, 1, 5, 2)
    else:
        y = flat.reshape(-1, d, b, b, h, w).transpose(0, 1, 4, 2, 5, 3)
    return y.reshape(lead + (d, h * b, w * b))


def old_slice(p, x):
    axis = p.axis - 3
    index = [slice(None)] * x.ndim
    index[axis] = slice(p.startIndex, p.endIndex, p.stride or 1)
    return x[tuple(index)]


def slice_static(p, x, begins=None):
    begins = list(p.beginIds) if begins is None else begins
    index = []
    for axis in range(x.ndim):
        if len(p.squeezeMasks) and p.squeezeMasks[axis]:
            index.append(int(begins[axis]))
            continue
        index.append(slice(
            None if len(p.beginMasks) and p.beginMasks[axis] else int(begins[axis]),
            None if len(p.endMasks) and p.endMasks[axis] else int(p.endIds[axis]), int(p.strides[axis])))
    result = x[tuple(index)]
    return result if result.ndim else result.reshape(1)


def crop(p, x, other=None):
    if other is not None:
        top, left = (list(p.offset) or [0, 0])
        return x[..., top : top + other.shape[-2], left : left + other.shape[-1]]
    (top, bottom), (left, right) = borders(p.cropAmounts)
    return x[..., top : x.shape[-2] - bottom, left : x.shape[-1] - right]


def padding(p, x):
    pads = [(0, 0)] * (x.ndim - 2) + borders(p.paddingAmounts)
    kind = p.WhichOneof("PaddingType")
    if kind == "reflection":
        return np.pad(x, pads, mode="reflect")
    if kind == "replication":
        return np.pad(x, pads, mode="edge")
    return np.pad(x, pads, constant_values=p.constant.value)


def constant_pad(p, x):
    amounts = np.array(p.padAmounts).reshape(-1, 2)
    if p.padToGivenOutputSizeMode:
        amounts = np.maximum(0, amounts - np.array(x.shape)[:, None]) * (amounts > 0)
    return np.pad(x, [tuple(int(v) for v in a) for a in amounts], constant_values=p.value)


def inner_product(p, x):
    w = weights(p.weights, [p.outputChannels, p.inputChannels])
    lead = x.shape[:-1] if x.ndim <= 3 else x.shape[:-3]
    y = x.reshape(lead + (-1,)) @ w.T
    if p.hasBias:
        y = y + weights(p.bias, [p.outputChannels])
    return y if x.ndim <= 3 else y[..., None, None]


def batched_matmul(p, a, b=None):
    if b is not None:
        if p.transposeA:
            a = a.swapaxes(-1, -2)
        if p.transposeB:
            b = b.swapaxes(-1, -2)
        return a @ b
    w = weights(p.weights, [p.weightMatrixSecondDimension, p.weightMatrixFirstDimension]).T
    y = a @ w
    return y + weights(p.bias, [p.weightMatrixSecondDimension]) if p.hasBias else y


def embedding(p, x, count, size):
    table = weights(p.weights, [size, count]).T
    y = table[x.astype(int)]
    return y + weights(p.bias, [size]) if p.hasBias else y


def expand_dims(p, x):
    rank = x.ndim + len(p.axes)
    axes = sorted(a % rank for a in p.axes)
    for axis in axes:
        x = np.expand_dims(x, axis)
    return x


def squeeze(p, x):
    y = x.squeeze() if p.squeezeAll else x.squeeze(tuple(p.axes))
    return y if y.ndim else y.reshape(1)


def reshape_static(target, x):
    shape = [x.shape[i] if n == 0 else int(n) for i, n in enumerate(target)]
    return x.reshape(shape)


def split_nd(p, x):
    if len(p.splitSizes):
        return np.split(x, np.cumsum(p.splitSizes)[:-1], axis=p.axis)
    return np.split(x, p.numSplits, axis=p.axis)


def sliding(p, x):
    axis = p.axis % x.ndim
    view = sliding_window_view(x, p.windowSize, axis=axis)
    index = [slice(None)] * x.ndim
    index[axis] = slice(None, None, p.step)
    return np.moveaxis(view[tuple(index)], -1, axis + 1)


def concat_nd(p, xs):
    if not p.interleave:
        return np.concatenate(xs, axis=p.axis)
    axis = p.axis % xs[0].ndim
    shape = list(xs[0].shape)
    shape[axis] *= len(xs)
    return np.stack(xs, axis=axis + 1).reshape(shape)


def arg(p, x, function):
    y = function(x, axis=p.axis)
    if not p.removeDim or x.ndim == 1:
        y = np.expand_dims(y, p.axis)
    return y.astype(float)


def one_hot(p, x):
    y = np.where(x[..., None] == np.arange(p.oneHotVectorSize), p.onValue, p.offValue)
    return np.moveaxis(y, -1, p.axis)


def gather_nd(x, indices):
    i = indices.astype(int)
    return x[tuple(i[..., k] for k in range(i.shape[-1]))]


def cumsum(p, x):
    if p.reverse:
        x = np.flip(x, p.axis)
    y = np.cumsum(x, axis=p.axis)
    if p.excludeFinalSum:
        y = y - x
    return np.flip(y, p.axis) if p.reverse else y


def top_k(p, x):
    order = np.argsort(x if p.useBottomK else -x, axis=p.axis, kind="stable")
    best = np.take(order, np.arange(p.K), axis=p.axis)
    return [np.take_along_axis(x, best, p.axis), best.astype(float)]


def band(p, x):
    m, n = np.indices(x.shape[-2:])
    keep = ((p.numLower < 0) | (m - n <= p.numLower)) & ((p.numUpper < 0) | (n - m <= p.numUpper))
    return x * keep


def erf(x):
    return np.vectorize(math.erf, otypes=[float])(x)


def gelu(p, x):
    if p.mode == 0:
        return 0.5 * x * (1 + erf(x / math.sqrt(2)))
    if p.mode == 1:
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    return x / (1 + np.exp(-1.702 * x))


def layer_norm(p, x):
    axes = tuple(range(-len(p.normalizedShape), 0))
    y = (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + p.eps)
    return y * weights(p.gamma, list(p.normalizedShape)) + weights(p.beta, list(p.normalizedShape))


def dot(p, a, b):
    total = lambda x: x.sum(-3, keepdims=True)
    y = total(a * b)
    return y / np.sqrt(total(a * a) * total(b * b)) if p.cosineSimilarity else y


def several(function):
    def run(p, xs):
        if len(xs) == 1:
            return function(xs[0], p.alpha)
        y = xs[0]
        for x in xs[1:]:
            y = function(y, x)
        return y
    return run


def compare(function):
    return lambda p, xs: function(xs[0], xs[1] if len(xs) > 1 else p.alpha).astype(float)


def folded(function):
    def run(xs):
        y = xs[0]
        for x in xs[1:]:
            y = function(y, x)
        return y
    return run


one = lambda f: (lambda p, xs: f(xs[0]))
both = lambda f: (lambda p, xs: f(xs[0], xs[1]))

LAYERS = {
    "convolution": lambda p, xs: convolution(p, *xs),
    "pooling": lambda p, xs: pooling(p, xs[0]),
    "activation": lambda p, xs: activation(p, xs[0]),
    "innerProduct": lambda p, xs: inner_product(p, xs[0]),
    "embedding": lambda p, xs: np.expand_dims(
        embedding(p, xs[0][..., 0, 0, 0], p.inputDim, p.outputChannels), (-1, -2)),
    "embeddingND": lambda p, xs: embedding(p, xs[0][..., 0], p.vocabSize, p.embeddingSize),
    "batchnorm": lambda p, xs: batchnorm(p, xs[0]),
    "mvn": lambda p, xs: mean_variance(p, xs[0]),
    "l2normalize": lambda p, xs: xs[0] / np.sqrt(
        (xs[0] ** 2).sum((-3, -2, -1), keepdims=True) + (p.epsilon or 1e-6)),
    "softmax": lambda p, xs: softmax(xs[0], -3),
    "softmaxND": lambda p, xs: softmax(xs[0], p.axis),
    "lrn": lambda p, xs: lrn(p, xs[0]),
    "layerNormalization": lambda p, xs: layer_norm(p, xs[0]),
    "crop": lambda p, xs: crop(p, *xs),
    "padding": lambda p, xs: padding(p, xs[0]),
    "constantPad": lambda p, xs: constant_pad(p, xs[0]),
    "upsample": lambda p, xs: upsample(p, xs[0]),
    "resizeBilinear": lambda p, xs: resize_bilinear(p, xs[0]),
    "unary": lambda p, xs: unary(p, xs[0]),
    "add": several(np.add), "multiply": several(np.multiply),
    "average": lambda p, xs: folded(np.add)(xs) / len(xs),
    "max": lambda p, xs: folded(np.maximum)(xs), "min": lambda p, xs: folded(np.minimum)(xs),
    "scale": lambda p, xs: xs[0] * channel_constant(p.shapeScale, p.scale) + (
        channel_constant(p.shapeBias, p.bias) if p.hasBias else 0),
    "bias": lambda p, xs: xs[0] + channel_constant(p.shape, p.bias),
    "dot": lambda p, xs: dot(p, *xs),
    "reduce": lambda p, xs: reduce(p, xs[0]),
    "loadConstant": lambda p, xs: weights(p.data, list(p.shape))[None, None],
    "loadConstantND": lambda p, xs: weights(p.data, list(p.shape)),
    "reshape": lambda p, xs: reshape(p, xs[0]),
    "flatten": lambda p, xs: flatten(p, xs[0]),
    "permute": lambda p, xs: permute(p, xs[0]),
    "concat": lambda p, xs: np.concatenate(xs, axis=-5 if p.sequenceConcat else -3),
    "split": lambda p, xs: np.split(xs[0], p.nOutputs, axis=-3),
    "sequenceRepeat": lambda p, xs: np.concatenate([xs[0]] * (p.nRepetitions or 1), axis=-5),
    "reorganizeData": lambda p, xs: reorganize(p, xs[0]),
    "slice": lambda p, xs: old_slice(p, xs[0]),
    "copy": one(lambda x: x),
    "clip": lambda p, xs: np.clip(xs[0], p.minVal, p.maxVal),
    "clampedReLU": lambda p, xs: np.minimum(
        p.beta, np.where(xs[0] >= 0, xs[0], p.alpha * xs[0])),
    "ceil": one(np.ceil), "floor": one(np.floor), "round": one(np.around), "sign": one(np.sign),
    "exp2": one(np.exp2), "sin": one(np.sin), "cos": one(np.cos), "tan": one(np.tan),
    "asin": one(np.arcsin), "acos": one(np.arccos), "atan": one(np.arctan), "sinh": one(np.sinh),
    "cosh": one(np.cosh), "tanh": one(np.tanh), "asinh": one(np.arcsinh), "acosh": one(np.arccosh),
    "atanh": one(np.arctanh), "erf": one(erf), "gelu": lambda p, xs: gelu(p, xs[0]),
    "equal": compare(np.equal), "notEqual": compare(np.not_equal), "lessThan": compare(np.less),
    "lessEqual": compare(np.less_equal), "greaterThan": compare(np.greater),
    "greaterEqual": compare(np.greater_equal),
    "logicalOr": both(lambda a, b: np.logical_or(a, b).astype(float)),
    "logicalXor": both(lambda a, b: np.logical_xor(a, b).astype(float)),
    "logicalNot": one(lambda a: np.logical_not(a).astype(float)),
    "logicalAnd": both(lambda a, b: np.logical_and(a, b).astype(float)),
    "whereBroadcastable": lambda p, xs: np.where(xs[0] != 0, xs[1], xs[2]),
    "modBroadcastable": both(np.mod), "minBroadcastable": both(np.minimum),
    "maxBroadcastable": both(np.maximum), "addBroadcastable": both(np.add),
    "powBroadcastable": both(np.power), "divideBroadcastable": both(np.divide),
    "floorDivBroadcastable": both(np.floor_divide), "multiplyBroadcastable": both(np.multiply),
    "subtractBroadcastable": both(np.subtract),
    "tile": lambda p, xs: np.tile(xs[0], list(p.reps)),
    "stack": lambda p, xs: np.stack(xs, axis=p.axis),
    "gather": lambda p, xs: np.take(xs[0], xs[1].astype(int), axis=p.axis),
    "gatherND": both(gather_nd),
    "gatherAlongAxis": lambda p, xs: np.take_along_axis(xs[0], xs[1].astype(int), axis=p.axis),
    "reverse": lambda p, xs: np.flip(xs[0], [a for a, on in enumerate(p.reverseDim) if on]),
    "splitND": lambda p, xs: split_nd(p, xs[0]),
    "concatND": concat_nd,
    "transpose": lambda p, xs: xs[0].transpose([int(np.int64(np.uint64(a))) for a in p.axes]),
    "sliceStatic": lambda p, xs: slice_static(p, xs[0]),
    "sliceDynamic": lambda p, xs: slice_static(p, xs[0], xs[1]),
    "sliceBySize": lambda p, xs: np.take(
        xs[0], int(xs[1].reshape(-1)[0]) + np.arange(p.size), axis=p.axis),
    "slidingWindows": lambda p, xs: sliding(p, xs[0]),
    "topK": lambda p, xs: top_k(p, xs[0]),
    "argMin": lambda p, xs: arg(p, xs[0], np.argmin),
    "argMax": lambda p, xs: arg(p, xs[0], np.argmax),
    "batchedMatmul": lambda p, xs: batched_matmul(p, *xs),
    "getShape": one(lambda x: np.array(x.shape, float)),
    "fillLike": lambda p, xs: np.full(xs[0].shape, p.value, float),
    "fillStatic": lambda p, xs: np.full(list(p.targetShape), p.value, float),
    "fillDynamic": lambda p, xs: np.full(xs[0].astype(int), p.value, float),
    "broadcastToLike": both(lambda a, b: np.broadcast_to(a, b.shape)),
    "broadcastToStatic": lambda p, xs: np.broadcast_to(xs[0], list(p.targetShape)),
    "broadcastToDynamic": both(lambda a, b: np.broadcast_to(a, b.astype(int))),
    "squeeze": lambda p, xs: squeeze(p, xs[0]),
    "expandDims": lambda p, xs: expand_dims(p, xs[0]),
    "flattenTo2D": lambda p, xs: xs[0].reshape(
        int(np.prod(xs[0].shape[: p.axis % (xs[0].ndim + 1) if p.axis >= 0 else p.axis])), -1),
    "reshapeLike": both(lambda a, b: a.reshape(b.shape)),
    "reshapeStatic": lambda p, xs: reshape_static(p.targetShape, xs[0]),
    "reshapeDynamic": both(lambda a, b: reshape_static(b.astype(int), a)),
    "rankPreservingReshape": lambda p, xs: reshape_static(p.targetShape, xs[0]),
    "rangeStatic": lambda p, xs: np.arange(p.startValue, p.endValue, p.stepSizeValue),
    "oneHot": lambda p, xs: one_hot(p, xs[0]),
    "cumSum": lambda p, xs: cumsum(p, xs[0]),
    "matrixBandPart": lambda p, xs: band(p, xs[0]),
    "lowerTriangular": lambda p, xs: np.tril(xs[0], p.k),
    "upperTriangular": lambda p, xs: np.triu(xs[0], p.k),
    "reduceL1": lambda p, xs: reduce_nd("l1")(p, xs[0]),
    "reduceL2": lambda p, xs: reduce_nd("l2")(p, xs[0]),
    "reduceMax": lambda p, xs: reduce_nd("max")(p, xs[0]),
    "reduceMin": lambda p, xs: reduce_nd("min")(p, xs[0]),
    "reduceSum": lambda p, xs: reduce_nd("sum")(p, xs[0]),
    "reduceProd": lambda p, xs: reduce_nd("prod")(p, xs[0]),
    "reduceMean": lambda p, xs: reduce_nd("mean")(p, xs[0]),
    "reduceLogSum": lambda p, xs: reduce_nd("logsum")(p, xs[0]),
    "reduceSumSquare": lambda p, xs: reduce_nd("sumsquare")(p, xs[0]),
    "reduceLogSumExp": lambda p, xs: reduce_nd("logsumexp")(p, xs[0]),
}


def network_of(spec):
    kind = spec.WhichOneof("Type")
    assert kind.startswith("neuralNetwork"), kind
    return getattr(spec, kind)


def entering(spec, network, name, array):
    """A feed as the network's tensor."""
    feature = next(f for f in spec.description.input if f.name == name).type
    is_new = spec.specificationVersion >= 4
    if feature.WhichOneof("Type") == "imageType":
        image = feature.imageType
        x = array.astype(np.float64)
        x = x[None] if x.ndim == 2 else x.transpose(2, 0, 1)
        gray = image.colorSpace in (10, 40)
        if image.colorSpace == 30:
            x = x[::-1]
        for step in network.preprocessing:
            if step.featureName not in ("", name):
                continue
            if step.WhichOneof("preprocessor") == "scaler":
                s = step.scaler
                biases = [s.grayBias] if gray else [s.redBias, s.greenBias, s.blueBias]
                if image.colorSpace == 30:
                    biases = biases[::-1]
                x = x * (s.channelScale or 1) + np.array(biases)[:, None, None]
            else:
                x = x - np.array(step.meanImage.meanImage).reshape(x.shape)
        flat = is_new and network.imageInputShapeMapping == EXACT
        return x[None] if flat else x[None, None]
    x = array.astype(np.float64)
    if is_new and network.arrayInputShapeMapping == EXACT:
        return x
    if x.ndim == 1:
        return x.reshape(1, 1, -1, 1, 1)
    return five(x)


def leaving(spec, feature, x):
    """A tensor as one of the model's outputs."""
    kind = feature.type.WhichOneof("Type")
    if kind == "imageType":
        x = x.reshape(x.shape[-3:])
        if feature.type.imageType.colorSpace == 30:
            x = x[::-1]
        x = np.clip(x, 0, 255)
        return x[0] if len(x) == 1 else x.transpose(1, 2, 0)
    if kind == "dictionaryType":
        return x.reshape(-1)
    shape = list(feature.type.multiArrayType.shape)
    ones = lambda s: [n for n in s if n != 1]
    if shape and ones(shape) == ones(x.shape):
        return x.reshape(shape)
    is_exact = spec.specificationVersion >= 4 and network_of(spec).arrayInputShapeMapping == EXACT
    if not is_exact and x.ndim == 5 and x.shape[:2] == (1, 1):
        return x.reshape(x.shape[2:3] if x.shape[3:] == (1, 1) else x.shape[2:])
    return x

LAYERS.update(recurrent.layers(weights))


def execute(spec, feeds):
    """The outputs of a neural network, a classifier or a regressor, by name."""
    network = network_of(spec)
    blobs = {name: entering(spec, network, name, array) for name, array in feeds.items()}
    for layer in network.layers:
        kind = layer.WhichOneof("layer")
        results = LAYERS[kind](getattr(layer, kind), [blobs[name] for name in layer.input])
        if not isinstance(results, (list, tuple)):
            results = [results]
        for name, result in zip(layer.output, results):
            blobs[name] = np.asarray(result, np.float64)
    outputs = {}
    for feature in spec.description.output:
        if feature.name == spec.description.predictedFeatureName:
            continue
        name = feature.name
        if feature.type.WhichOneof("Type") == "dictionaryType":
            name = network.labelProbabilityLayerName or name
        outputs[feature.name] = leaving(spec, feature, blobs[name])
    return outputs
