"""Recurrent layers of Core ML in NumPy, step by step, as NeuralNetwork.proto describes them."""

import numpy as np


def function(activation):
    kind = activation.WhichOneof("NonlinearityType")
    alpha, beta = {"sigmoidHard": (0.2, 0.5), "scaledTanh": (1.7159, 2 / 3), "linear": (1, 0)}.get(kind, (0, 0))
    stated = getattr(activation, kind)
    if kind in ("sigmoidHard", "scaledTanh", "linear") and (stated.alpha or stated.beta):
        alpha, beta = stated.alpha, stated.beta
    return {
        "linear": lambda x: alpha * x + beta,
        "ReLU": lambda x: np.maximum(x, 0),
        "tanh": np.tanh,
        "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
        "scaledTanh": lambda x: alpha * np.tanh(beta * x),
        "sigmoidHard": lambda x: np.clip(alpha * x + beta, 0, 1),
    }[kind]


def limited(x):
    return np.clip(x, -50, 50)


def gate(weights, p, source, names, units, inputs, has_bias):
    """Input weights, recursion weights and bias of a gate."""
    w, r, b = (getattr(source, name) for name in names)
    return (weights(w, [units, inputs]), weights(r, [units, units]),
            weights(b, [units]) if has_bias else np.zeros(units))


def walked(x, step, states, is_reversed):
    """The outputs of all steps, where their inputs stand, and the states behind the last one."""
    outputs = [None] * len(x)
    for t in (range(len(x))[::-1] if is_reversed else range(len(x))):
        states = step(x[t], *states)
        outputs[t] = states[0]
    return np.stack(outputs), states


def given(xs, first, count, batch, units):
    """States that are operands, or zeros, `[batch, units]`."""
    return [xs[first + k].reshape(batch, units) if len(xs) > first + k else np.zeros((batch, units))
            for k in range(count)]


def wide(array):
    """`[.., batch, units]` with five axes."""
    return array.reshape((-1,) + array.shape[-2:] + (1, 1))


def simple(weights, p, xs):
    x = xs[0][..., 0, 0]
    w, r, b = gate(weights, p, p, ("weightMatrix", "recursionMatrix", "biasVector"), p.outputVectorSize,
                   p.inputVectorSize, p.hasBiasVector)
    f = function(p.activation)

    def step(x, h):
        return [f(limited(x @ w.T + h @ r.T + b))]

    outputs, (h,) = walked(x, step, given(xs, 1, 1, x.shape[1], p.outputVectorSize), p.reverseInput)
    return [wide(outputs if p.sequenceOutput else h), wide(h)]


def gru(weights, p, xs):
    x = xs[0][..., 0, 0]
    gates = [gate(weights, p, p, (f"{name}GateWeightMatrix", f"{name}GateRecursionMatrix", f"{name}GateBiasVector"),
                  p.outputVectorSize, p.inputVectorSize, p.hasBiasVectors) for name in ("update", "reset", "output")]
    f, g = map(function, p.activations)

    def step(x, h):
        (wz, rz, bz), (wr, rr, br), (wo, ro, bo) = gates
        z = f(limited(x @ wz.T + h @ rz.T + bz))
        r = f(limited(x @ wr.T + h @ rr.T + br))
        o = g(limited(x @ wo.T + (h * r) @ ro.T + bo))
        return [(1 - z) * o + z * h]

    outputs, (h,) = walked(x, step, given(xs, 1, 1, x.shape[1], p.outputVectorSize), p.reverseInput)
    return [wide(outputs if p.sequenceOutput else h), wide(h)]


def lstm_direction(weights, p, source, activations, x, states, is_reversed):
    units, q = p.outputVectorSize, p.params
    names = [(f"{name}WeightMatrix", f"{name}RecursionMatrix", f"{name}BiasVector")
             for name in ("inputGate", "forgetGate", "blockInput", "outputGate")]
    gates = [gate(weights, p, source, names, units, p.inputVectorSize, q.hasBiasVectors) for names in names]
    peepholes = [weights(getattr(source, f"{name}GatePeepholeVector"), [units]) if q.hasPeepholeVectors else 0
                 for name in ("input", "forget", "output")]
    f, g, h = map(function, activations)
    limit = q.cellClipThreshold or 50

    def step(x, y, c):
        def sums(k):
            return x @ gates[k][0].T + y @ gates[k][1].T + gates[k][2]

        i = f(limited(sums(0) + peepholes[0] * c))
        forget = f(limited(sums(1) + peepholes[1] * c + bool(q.forgetBias)))
        z = g(limited(sums(2)))
        c = c * (1 - i if q.coupledInputAndForgetGate else forget) + i * z
        c = np.clip(c, -limit, limit)
        return [h(c) * f(limited(sums(3) + peepholes[2] * c)), c]

    return walked(x, step, states, is_reversed)


def lstm(weights, p, xs):
    x = xs[0][..., 0, 0]
    states = given(xs, 1, 2, x.shape[1], p.outputVectorSize)
    outputs, (y, c) = lstm_direction(weights, p, p.weightParams, p.activations, x, states, p.reverseInput)
    return [wide(outputs if p.params.sequenceOutput else y), wide(y), wide(c)]


def bidirectional(weights, p, xs):
    x = xs[0][..., 0, 0]
    found = []
    for k, activations in enumerate((p.activationsForwardLSTM, p.activationsBackwardLSTM)):
        states = given(xs, 1 + 2 * k, 2, x.shape[1], p.outputVectorSize)
        found.append(lstm_direction(weights, p, p.weightParams[k], activations, x, states, k == 1))
    (one, (y, c)), (two, (yr, cr)) = found
    whole = np.concatenate([one, two], -1) if p.params.sequenceOutput else np.concatenate([y, yr], -1)
    return [wide(whole), wide(y), wide(c), wide(yr), wide(cr)]


def layers(weights):
    """The layers by their kinds, with what reads a message of weights."""
    kinds = {"simpleRecurrent": simple, "gru": gru, "uniDirectionalLSTM": lstm, "biDirectionalLSTM": bidirectional}
    return {name: lambda p, xs, run=run: run(weights, p, xs) for name, run in kinds.items()}


# Random layers


def activation(n, field):
    kind = n.choice(["sigmoid", "tanh"] * 4 + ["linear", "sigmoidHard", "scaledTanh", "ReLU"])
    getattr(field, kind).SetInParent()


def fill(n, p, names, *shape):
    for name in names:
        n.weights(getattr(p, name), *shape)


def add(n, x):
    """A layer of any of the four kinds behind `x`, or behind an input of its own."""
    if len(n.shape(x)) != 5 or n.shape(x)[3:] != (1, 1):
        x = n.array([n.integer(1, 7), n.choice([1, 1, 2]), n.integer(1, 9), 1, 1])
    batch, inputs, units = n.shape(x)[1], n.shape(x)[2], n.integer(1, 9)
    kind = n.choice(["simpleRecurrent", "gru", "uniDirectionalLSTM", "uniDirectionalLSTM", "biDirectionalLSTM"])
    count = {"simpleRecurrent": 1, "gru": 1, "uniDirectionalLSTM": 2, "biDirectionalLSTM": 4}[kind]
    states = [n.array([1, batch, units, 1, 1]) for _ in range(count)] if n.chance(0.6) else []
    layer, p = n.layer(kind, [x] + states, 1 + count)
    p.inputVectorSize, p.outputVectorSize = inputs, units
    has_bias = n.chance(0.7)
    if kind == "simpleRecurrent":
        activation(n, p.activation)
        p.hasBiasVector = has_bias
        fill(n, p, ["weightMatrix"], units, inputs)
        fill(n, p, ["recursionMatrix"], units, units)
        fill(n, p, ["biasVector"] if has_bias else [], units)
    elif kind == "gru":
        for _ in range(2):
            activation(n, p.activations.add())
        p.hasBiasVectors = has_bias
        gates = ["updateGate", "resetGate", "outputGate"]
    else:
        q = p.params
        for field in ["activations"] if count == 2 else ["activationsForwardLSTM", "activationsBackwardLSTM"]:
            for kind_of in range(3):
                made = getattr(p, field).add()
                if field == "activationsBackwardLSTM":
                    made.CopyFrom(p.activationsForwardLSTM[kind_of])
                else:
                    activation(n, made)
        q.hasBiasVectors, q.hasPeepholeVectors = has_bias, n.chance(0.4)
        q.forgetBias, q.coupledInputAndForgetGate = n.chance(0.3), n.chance(0.3)
        q.sequenceOutput, q.cellClipThreshold = n.chance(0.6), n.choice([0, 0.4, 500])
        gates = ["inputGate", "forgetGate", "blockInput", "outputGate"]
    if kind in ("simpleRecurrent", "gru"):
        p.sequenceOutput = n.chance(0.6)
    if kind != "biDirectionalLSTM":
        p.reverseInput = n.chance(0.4)
    sources = []
    if kind == "gru":
        sources = [p]
    elif kind == "uniDirectionalLSTM":
        sources = [p.weightParams]
    elif kind == "biDirectionalLSTM":
        sources = [p.weightParams.add(), p.weightParams.add()]
    for source in sources:
        fill(n, source, [f"{name}WeightMatrix" for name in gates], units, inputs)
        fill(n, source, [f"{name}RecursionMatrix" for name in gates], units, units)
        if has_bias:
            fill(n, source, [f"{name}BiasVector" for name in gates], units)
        if kind != "gru" and p.params.hasPeepholeVectors:
            fill(n, source, [f"{name}GatePeepholeVector" for name in ("input", "forget", "output")], units)
    return n.finish(layer)
