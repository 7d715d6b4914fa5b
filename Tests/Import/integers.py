"""Writes TensorFlow Lite models of 8-bit integers with what LiteRT's reference kernels make of an input.

    python3 Tests/Import/integers.py > Fixtures/golden/models/tflite-integers.json

For each of the WANTED operations one model with signs and one without, each of one to three operations; the file in
base64. Needs numpy, flatbuffers and ai_edge_litert.
"""

import base64
import json
import sys

import numpy
from ai_edge_litert import interpreter as litert

import check_tflite
import tflite

WANTED = [
    "CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "FULLY_CONNECTED", "ADD", "SUB", "MUL", "MEAN", "MAX_POOL_2D",
    "AVERAGE_POOL_2D", "RELU", "RELU6", "LEAKY_RELU", "PRELU", "LOGISTIC", "TANH", "CONCATENATION", "RESHAPE", "PAD",
    "MAXIMUM", "SPLIT"]

# Of moved bytes the result may stand for other numbers; a concatenation of unsigned ones takes them to its scale.
RESCALED = {"RESHAPE", "CONCATENATION"}

LIMIT = 2400


def case(random, dtype):
    graph = tflite.Graph(random)
    shape = [1, *(graph.integer(2, 6) for _ in range(2)), graph.choice([3, 4, 8])]
    x = check_tflite.grown(graph, graph.input(shape), graph.integer(1, 3), check_tflite.QUANTIZED)
    if not graph.operations:
        return None
    graph.quantize(dtype, bool(graph.integer(0, 1)))
    name, _, results, _, _ = graph.operations[-1]
    if name in RESCALED and (name != "CONCATENATION" or dtype == numpy.uint8):
        graph.tensors[results[0]].scale *= numpy.float32(1.07)
        graph.tensors[results[0]].zero += 1 if graph.tensors[results[0]].zero < 100 else -1
    return graph, x


def main():
    found = {}
    for seed in range(20000):
        random = numpy.random.default_rng([77, seed])
        dtype = numpy.dtype(numpy.int8 if seed % 2 else numpy.uint8)
        made = case(random, dtype)
        if made is None:
            continue
        graph, x = made
        names = [operation[0] for operation in graph.operations]
        key = (names[-1], str(dtype))
        if key in found or names[-1] not in WANTED or check_tflite.IN_FLOATS & set(names):
            continue
        content = graph.file([x])
        try:
            output = graph.run([x], litert.OpResolverType.BUILTIN_REF)[0]
        except (ValueError, RuntimeError):
            continue
        if len(content) > LIMIT or output.size > 300 or len(set(output.ravel().tolist())) < 5:
            continue
        found[key] = {
            "operations": names, "model": base64.b64encode(content).decode(),
            "inputs": [graph.feeds[number].ravel().tolist() for number in graph.inputs], "output": output.ravel().tolist()}
        if len(found) == 2 * len(WANTED):
            break
    missing = [(name, kind) for name in WANTED for kind in ("int8", "uint8") if (name, kind) not in found]
    print(f"{len(found)} models, without {missing}", file=sys.stderr)
    print("[\n" + ",\n".join(json.dumps(found[key]) for key in sorted(found)) + "\n]")


main()
