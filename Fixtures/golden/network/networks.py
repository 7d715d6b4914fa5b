"""The networks of this folder."""

from network_builder import Builder, wf

INPUT = "input 0"


def leaky(net, source, inputs, outputs, kernel, stride, padding, slope=0.1, share=None):
    return net.convolution(
        source, inputs, outputs, (kernel,) * 2, (stride,) * 2, padding=(padding,) * 4,
        function=wf.LEAKY, numbers=(slope,), share=share)


def plain(net, source, inputs, outputs, kernel, stride, padding, function=wf.IDENTITY, **more):
    return net.convolution(
        source, inputs, outputs, (kernel,) * 2, (stride,) * 2, padding=(padding,) * 4,
        function=function, **more)


def maximum(net, source, kernel, stride, padding):
    return net.pool(source, wf.MAXIMUM, (kernel,) * 2, (stride,) * 2, (padding,) * 4)


def twice(net, source):
    return net.resize(source, 2, 2, wf.NEAREST_FLOOR, wf.ASYMMETRIC)


def head(net, name, layer, base, classes):
    labels = [str(index + 1) for index in range(classes)]
    net.outputs.append((name, layer, "grid boxes", labels, [("base size", [base])]))


def small():
    """Every kind of layer the way detectors use them."""
    net = Builder("small", 1, [("image", (32, 64, 3), True)])
    net.pictures[0] = True
    a = leaky(net, INPUT, 3, 8, 3, 2, 1)  # 1/2
    b = plain(net, a, 8, 16, 3, 2, 1, wf.SILU)  # 1/4
    c = leaky(net, b, 16, 20, 3, 2, 1)  # 1/8
    d = plain(net, c, 20, 20, 1, 1, 0)
    e = net.combine(wf.ADDITION, c, d)
    f = maximum(net, e, 2, 2, 0)  # 1/16
    g = plain(net, f, 20, 24, 3, 1, 1, wf.SILU)
    h = maximum(net, g, 5, 1, 2)
    i = net.join(g, h)
    j = net.join(twice(net, i), e)  # 1/8
    k = leaky(net, j, 68, 18, 1, 1, 0)
    head(net, "boxes 8", plain(net, k, 18, 11, 1, 1, 0), 24.0, 6)
    head(net, "boxes 16", plain(net, i, 48, 11, 3, 1, 1), 60.0, 6)
    return net


def edges():
    """Odd channel counts, odd windows, shared weights, concatenations of concatenations and of the
    same thing twice."""
    net = Builder("edges", 2, [("image", (64, 32, 3), True)])
    net.pictures[0] = True
    a = leaky(net, INPUT, 3, 5, 7, 4, 3, 0.0)  # 1/4
    b = maximum(net, INPUT, 3, 2, 1)  # 1/2
    c = net.join(INPUT, INPUT)
    d = plain(net, c, 6, 4, 5, 2, 2, wf.SILU)  # 1/2
    e = net.join(b, d)
    f = leaky(net, e, 7, 7, 1, 1, 0, 1.0)
    g = net.combine(wf.ADDITION, e, f)
    h = net.join(g, e, g)
    i = leaky(net, h, 21, 17, 3, 4, 1)  # 1/8
    share = net.weights((3, 3), 17, 17)
    j = leaky(net, i, 17, 17, 3, 1, 1, share=share)
    k = twice(net, leaky(net, j, 17, 17, 3, 1, 1, share=share))  # 1/4
    m = net.join(k, a)
    n = net.join(m, k, m)
    o = maximum(net, n, 4, 4, 1)  # 1/16
    head(net, "boxes 16", plain(net, o, 61, 8, 1, 1, 0), 33.5, 3)
    p = plain(net, n, 61, 33, 2, 2, 0, wf.SILU)  # 1/8
    head(net, "boxes 8", plain(net, p, 33, 8, 1, 1, 0), 10.0, 3)
    return net


def layers():
    """Every kind of layer with every option, each reading the inputs or one layer of them."""
    net = Builder(
        "layers", 3,
        [("x", (6, 7, 5), False), ("y", (1, 1, 5), False), ("z", (4, 6, 32), False)])
    x, y, z = "input 0", "input 1", "input 2"
    convolve, same = net.convolution, (1, 1, 1, 1)
    convolve(x, 5, 7, (3, 3))
    convolve(x, 5, 18, (3, 2), (1, 2), padding=(1, 0, 2, 1))
    convolve(x, 5, 3, (2, 3), dilation=(3, 2), padding=(2, 1, 0, 3), function=wf.TANH)
    convolve(x, 5, 5, (3, 3), padding=same, groups=5)
    convolve(x, 5, 10, (3, 3), (2, 2), padding=same, groups=5, function=wf.SIGMOID)
    convolve(z, 32, 32, (3, 3), padding=same, groups=32, function=wf.CLAMP, numbers=(0, 6))
    convolve(z, 32, 32, (5, 5), (2, 2), padding=(2, 2, 2, 2), groups=32)
    convolve(z, 32, 32, (3, 3), (2, 1), (1, 2), (0, 2, 1, 1), groups=32, function=wf.PARAMETRIC)
    convolve(z, 32, 48, (1, 1), groups=2)
    convolve(z, 32, 24, (2, 2), groups=4, function=wf.LEAKY, numbers=(-0.25,))
    convolve(z, 32, 16, (3, 3), padding=same, function=wf.PARAMETRIC)
    transpose = net.transposed
    transpose(x, 5, 6, (2, 2), (2, 2))
    transpose(x, 5, 4, (3, 3), (2, 2), padding=same, extra=(1, 1), function=wf.LEAKY, numbers=(0.1,))
    transpose(x, 5, 3, (3, 2), (1, 3), (2, 1), (1, 0, 0, 1), extra=(0, 2))
    transpose(x, 5, 5, (2, 3), (3, 1), padding=(0, 1, 0, 1), groups=5, function=wf.SIGMOID)
    transpose(z, 32, 32, (2, 2), (2, 2), groups=2)
    net.dense(x, 210, 9, wf.SOFTPLUS)
    net.dense(y, 5, 20, wf.PARAMETRIC)
    for kind in [wf.MAXIMUM, wf.AVERAGE, wf.AVERAGE_WITH_PADDING]:
        net.pool(x, kind, (2, 2), (2, 2))
        net.pool(x, kind, (3, 4), (2, 1), (1, 0, 2, 3))
    for kind in [wf.GREATEST, wf.MEAN, wf.SUM]:
        net.reduce(x, kind, wf.HEIGHT, wf.WIDTH)
        net.reduce(x, kind, wf.WIDTH)
        net.reduce(x, kind, wf.HEIGHT)
        net.reduce(x, kind, wf.CHANNELS)
        net.reduce(x, kind, wf.HEIGHT, wf.CHANNELS)
    for axis in [wf.HEIGHT, wf.WIDTH, wf.CHANNELS]:
        net.reduce(x, wf.INDEX_OF_MAXIMUM, axis)
        net.softmax(x, axis)
        net.slice(x, axis, 1, 2, 2)
        net.join(x, x, axis=axis)
    row = net.slice(x, wf.HEIGHT, 2, 1)
    column = net.slice(x, wf.WIDTH, 3, 1)
    channel = net.slice(x, wf.CHANNELS, 4, 1)
    for operation in [
            wf.ADDITION, wf.SUBTRACTION, wf.MULTIPLICATION, wf.DIVISION, wf.GREATER, wf.SMALLER]:
        net.combine(operation, x, y)
        net.combine(operation, channel, x)
    net.combine(wf.ADDITION, row, column, wf.CLAMP, (0, 6))
    net.combine(wf.MULTIPLICATION, x, channel, wf.SILU)
    net.combine(wf.SUBTRACTION, column, channel)
    for coordinates in [wf.HALF_PIXEL, wf.ALIGN_CORNERS, wf.ASYMMETRIC]:
        net.resize(x, 2, 1, wf.BILINEAR, coordinates)
        net.resize(x, 4, 10, wf.BILINEAR, coordinates, True, 5)
        for interpolation in range(4):
            net.resize(x, 9, 3, interpolation, coordinates, True, 5)
    net.resize(x, 2, 2, wf.NEAREST_FLOOR, wf.ASYMMETRIC)
    net.pad(x, (1, 0, 2, 3), 1, 2, constant=-1.5)
    net.pad(x, (1, 2, 0, 1), mode=1)
    net.pad(x, (2, 0, 3, 1), 1, 2, mode=2)
    net.rearrange(x, [6, 7, 5], [2, 0, 1], (5, 6, 7))
    net.rearrange(x, [3, 2, 7, 5], [0, 2, 1, 3], (3, 14, 5))
    net.rearrange(z, [4, 6, 2, 2, 8], [0, 2, 1, 3, 4], (8, 12, 8))
    net.rearrange(x, [210], [0], (1, 1, 210))
    for function, *numbers in [
            (wf.IDENTITY,), (wf.LEAKY, 0.2), (wf.CLAMP, -1, 0.5), (wf.SIGMOID,),
            (wf.HARD_SIGMOID, 0.2, 0.5), (wf.SILU,), (wf.HARD_SWISH,), (wf.TANH,), (wf.GELU,),
            (wf.ELU, 1.5), (wf.SOFTPLUS,), (wf.LINEAR, -2, 0.75), (wf.EXPONENTIAL,),
            (wf.LOGARITHM, 0.01), (wf.SQUARE_ROOT,), (wf.RECIPROCAL,), (wf.ABSOLUTE,),
            (wf.POWER, 1.7), (wf.FLOOR,), (wf.ERROR_FUNCTION,)]:
        net.apply(x, function, *numbers)
    net.apply(x, wf.PARAMETRIC, channels=5)
    net.normalization(x, 5)
    table = net.tensor_value(net.draw(6, 1, 5))
    net.combine(wf.ADDITION, table, x)
    # Each layer is an output but those that others were made of.
    net.outputs = [(f"{index}", index) for index in range(len(net.records))]
    return net


def mobile():
    """Depthwise layers with squeeze and excitation, normalisations that fold, as in MobileNet."""
    net = Builder("mobile", 4, [("image", (33, 32, 3), False)])
    net.pictures[0] = True

    def normalized(source, channels, function=None, *numbers):
        value = net.normalization(source, channels)
        return value if function is None else net.apply(value, function, *numbers)

    def block(source, inputs, wide, outputs, kernel, stride, excites):
        value = normalized(
            plain(net, source, inputs, wide, 1, 1, 0), wide, wf.HARD_SWISH)
        value = normalized(
            plain(net, value, wide, wide, kernel, stride, kernel // 2, groups=wide), wide,
            wf.CLAMP, 0, 6)
        if excites:
            gate = net.reduce(value, wf.MEAN, wf.HEIGHT, wf.WIDTH)
            gate = net.dense(gate, wide, 8, wf.LEAKY, (0,))
            gate = net.dense(gate, 8, wide, wf.HARD_SIGMOID, (1 / 6, 0.5))
            value = net.combine(wf.MULTIPLICATION, value, gate)
        value = normalized(plain(net, value, wide, outputs, 1, 1, 0), outputs)
        if stride == 1 and inputs == outputs:
            value = net.combine(wf.ADDITION, source, value)
        return value

    value = normalized(
        net.convolution(INPUT, 3, 8, (3, 3), (2, 2), padding=(0, 0, 1, 1)), 8, wf.HARD_SWISH)
    value = block(value, 8, 16, 8, 3, 1, True)
    value = block(value, 8, 24, 12, 5, 2, True)
    value = block(value, 12, 32, 12, 3, 1, False)
    value = net.pool(value, wf.AVERAGE, (2, 2), (2, 2))
    net.outputs.append(("features", value))
    value = net.reduce(value, wf.MEAN, wf.HEIGHT, wf.WIDTH)
    value = net.dense(value, 12, 10)
    net.outputs.append(("classes", net.softmax(value), "classes", [str(i) for i in range(10)], []))
    return net


def products():
    """Matrix products of every kind: three heads of attention, sums longer than 256 terms, joins."""
    net = Builder("products", 8, [("steps", (1, 37, 20), False), ("map", (3, 5, 300), False)])
    steps, places = "input 0", "input 1"

    def heads(kernel):
        value = plain(net, steps, 20, 24, kernel, 1, kernel // 2)
        return net.rearrange(value, [37, 3, 8], [1, 0, 2], (3, 37, 8))

    queries, keys, values = heads(1), heads(3), heads(1)
    scores = net.multiply(queries, keys, transposes_second=True)
    attention = net.softmax(net.apply(scores, wf.LINEAR, 0.35355338, 0))
    seen = net.multiply(attention, values)
    net.outputs.append(("attention", net.apply(seen, wf.SIGMOID)))
    net.outputs.append(("moved", net.multiply(seen, net.pad(seen, (0,) * 4, 0, 13, 0.5), True)))
    # Channels of a join have gaps between them.
    small = net.slice(places, wf.CHANNELS, 3, 9)
    wide = net.join(small, places, small)
    net.outputs.append(("wide", net.multiply(wide, wide, transposes_second=True)))
    net.outputs.append(("square", net.multiply(small, wide, True)))
    net.outputs.append(("other square", net.multiply(wide, small, True)))
    long = net.rearrange(places, [3, 5, 300], [0, 2, 1], (3, 300, 5))
    net.outputs.append(("long", net.multiply(long, places, True, True)))
    return net


def choices():
    """The best of some places by a score, as a detector's queries are chosen, and numbers that places name."""
    net = Builder("choices", 10, [("places", (1, 300, 20), False), ("map", (3, 40, 21), False)])
    places, maps = "input 0", "input 1"
    scores = plain(net, places, 20, 7, 1, 1, 0)
    best = net.rank(net.reduce(scores, wf.GREATEST, wf.CHANNELS), 40)
    net.outputs.append(("order", best))
    queries = net.select(places, best, 300, 20)
    net.outputs.append(("queries", plain(net, queries, 20, 16, 1, 1, 0, wf.SILU)))
    # Each row and channel by itself; all of them; channels of a join have gaps between them.
    order = net.rank(maps, 40)
    net.outputs.append(("sorted", net.select(maps, order, 40, 21)))
    wide = net.join(net.slice(maps, wf.CHANNELS, 3, 9), maps)
    net.outputs.append(("wide", net.select(wide, net.rank(wide, 5), 40, 30)))
    # Between columns, and beyond the first and the last one.
    between = net.apply(net.slice(maps, wf.CHANNELS, 7, 1), wf.LINEAR, 23.7, 19.3)
    net.outputs.append(("between", net.select(wide, between, 40, 30)))
    return net


def digits():
    """A picture of one channel, valid windows, dense layers, sizes that strides do not divide."""
    net = Builder("digits", 5, [("digit", (28, 28, 1), False)])
    value = plain(net, INPUT, 1, 8, 5, 1, 0, wf.LEAKY, numbers=(0,))
    value = maximum(net, value, 2, 2, 0)
    value = plain(net, value, 8, 16, 3, 1, 1, wf.LEAKY, numbers=(0,))
    value = maximum(net, value, 3, 3, 0)
    value = plain(net, value, 16, 16, 3, 1, 1)
    value = net.apply(value, wf.PARAMETRIC, channels=16)
    value = maximum(net, value, 3, 2, 1)
    value = net.dense(value, 64, 24, wf.TANH)
    value = net.dense(value, 24, 10)
    net.outputs = [("logits", value), ("probabilities", net.softmax(value)),
                   ("digit", net.reduce(value, wf.INDEX_OF_MAXIMUM, wf.CHANNELS))]
    return net


def segments():
    """Down and up again with joins, as in U-Net: transposed convolutions and bilinear resizing."""
    net = Builder("segments", 6, [("image", (20, 24, 3), True)])
    net.pictures[0] = True
    a = leaky(net, INPUT, 3, 8, 3, 1, 1)
    b = leaky(net, maximum(net, a, 2, 2, 0), 8, 12, 3, 1, 1)
    c = plain(net, maximum(net, b, 2, 2, 0), 12, 20, 3, 1, 1, wf.ELU, numbers=(1,))
    d = net.transposed(c, 20, 12, (2, 2), (2, 2))
    e = plain(net, net.join(d, b), 24, 12, 3, 1, 1, wf.GELU)
    f = net.transposed(e, 12, 8, (3, 3), (2, 2), padding=(1, 1, 1, 1), extra=(1, 1))
    g = leaky(net, net.join(f, a, net.resize(c, 4, 4, wf.BILINEAR, wf.HALF_PIXEL)), 36, 8, 3, 1, 1)
    net.outputs = [("segments", net.softmax(plain(net, g, 8, 4, 1, 1, 0)))]
    return net


def pair():
    """Two inputs and three outputs: a sequence that looks up a map, with attention."""
    net = Builder("pair", 7, [("sequence", (11, 1, 6), False), ("map", (4, 5, 9), False)])
    sequence, places = "input 0", "input 1"
    queries = net.convolution(sequence, 6, 8, (3, 1), padding=(1, 0, 1, 0))
    keys = net.rearrange(plain(net, places, 9, 8, 1, 1, 0), [20, 8], [1, 0], (1, 8, 20))
    # Products of every step of the sequence with every place, [11, 8, 20], summed over the 8.
    steps = net.rearrange(queries, [11, 1, 8], [0, 2, 1], (11, 8, 1))
    scores = net.reduce(net.combine(wf.MULTIPLICATION, steps, keys), wf.SUM, wf.WIDTH)
    weights = net.softmax(net.apply(scores, wf.LINEAR, 0.35355338, 0))
    net.outputs.append(("attention", weights))
    values = net.rearrange(plain(net, places, 9, 12, 1, 1, 0), [20, 12], [0, 1], (1, 20, 12))
    seen = net.reduce(
        net.combine(
            wf.MULTIPLICATION, net.rearrange(weights, [11, 20], [0, 1], (11, 20, 1)), values),
        wf.SUM, wf.WIDTH)
    joined = net.join(queries, seen)
    net.outputs.append(("steps", net.convolution(
        joined, 20, 7, (3, 1), (2, 1), padding=(1, 0, 1, 0), function=wf.SILU)))
    level = net.tensor_value(net.draw(1, 1, 20))
    whole = net.reduce(net.combine(wf.GREATER, joined, level), wf.GREATEST, wf.HEIGHT)
    net.outputs.append(("whole", net.dense(whole, 20, 3, wf.SIGMOID)))
    return net
