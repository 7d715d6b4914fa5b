"""Random recurrent operations for small TensorFlow Lite files."""

import numpy

import tflite
from tflite import schema


def state(graph, *shape):
    return graph.add(tflite.Tensor(f"state:{len(graph.tensors)}", numpy.float32, shape=list(shape), role="variable"))


def memory(graph, inputs, units, batch, is_coupled, has_peepholes, states):
    """Operands of a long short-term memory, and the states' places among them left open."""
    first = 1 if is_coupled else 0
    outputs = states or units
    left_out = [-1] * first
    operands = left_out + [graph.weights(units, inputs) for _ in range(4 - first)]
    operands += left_out + [graph.weights(units, outputs) for _ in range(4 - first)]
    if has_peepholes:
        operands += left_out + [graph.weights(units) for _ in range(3 - first)]
    else:
        operands += [-1] * 3
    operands += left_out + [graph.bias(units) for _ in range(4 - first)]
    operands += [graph.weights(outputs, units), graph.bias(outputs)] if states else [-1, -1]
    return operands, [state(graph, batch, outputs), state(graph, batch, units)]


def add(graph, x, shape):
    """An operation of any of the four kinds behind `x`, or behind an input of its own."""
    if len(shape) != 3:
        shape = [graph.choice([1, 1, 2]), graph.integer(1, 8), graph.integer(1, 9)]
        x = graph.input(shape)
    is_time_major = bool(graph.integer(0, 1))
    batch, inputs, units = shape[1 if is_time_major else 0], shape[2], graph.integer(1, 9)
    function = graph.choice([4, 4, 4, 1, 3])
    kind = graph.choice(["UNIDIRECTIONAL_SEQUENCE_LSTM"] * 3 + [
        "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_RNN",
        "BIDIRECTIONAL_SEQUENCE_RNN"])
    if batch > 1 and kind == "BIDIRECTIONAL_SEQUENCE_LSTM":
        # LiteRT's results for several sequences differ from one run to the next.
        kind = "UNIDIRECTIONAL_SEQUENCE_LSTM"
    is_merged = bool(graph.integer(0, 1))
    limits = {"cellClip": graph.choice([0.0, 0.0, 0.4]), "projClip": graph.choice([0.0, 0.3])}
    is_coupled, has_peepholes = graph.random.random() < 0.3, graph.random.random() < 0.3
    states = graph.integer(1, 6) if graph.random.random() < 0.3 else 0

    def cell():
        return memory(graph, inputs, units, batch, is_coupled, has_peepholes, states)

    def plain():
        return [graph.weights(units, inputs), graph.weights(units, units), graph.bias(units), state(graph, batch, units)]

    if kind == "UNIDIRECTIONAL_SEQUENCE_LSTM":
        made = schema.UnidirectionalSequenceLSTMOptionsT()
        made.cellClip, made.projClip = limits["cellClip"], limits["projClip"]
        operands, own = cell()
        operands += own + [-1] * 4
        results = 1
    elif kind == "BIDIRECTIONAL_SEQUENCE_LSTM":
        made = schema.BidirectionalSequenceLSTMOptionsT()
        made.cellClip, made.projClip, made.mergeOutputs = limits["cellClip"], limits["projClip"], is_merged
        (one, first), (two, second) = cell(), cell()
        operands = one + two + first + second + [-1] * 9
        results = 1 if is_merged else 2
    elif kind == "UNIDIRECTIONAL_SEQUENCE_RNN":
        made, operands, results = schema.SequenceRNNOptionsT(), plain(), 1
    else:
        made = schema.BidirectionalSequenceRNNOptionsT()
        made.mergeOutputs = is_merged
        operands, results = plain() + plain() + [-1] * 3, 1 if is_merged else 2
    made.timeMajor, made.fusedActivationFunction = is_time_major, function
    found = graph.operation(kind, [x] + operands, made, outputs=results)
    return found if results == 1 else graph.choice(found)
