#!/usr/bin/env python3
"""Makes the golden files of this folder with ONNX Runtime.

    python3 Fixtures/golden/network/generate.py

Needs numpy, onnx and onnxruntime. networks.py builds each network twice: as a weight file, by the
writer beside the weight format's golden files, and as an ONNX model. For each network NAME:

    NAME.weights            the weight file, float32

and for the detectors `small` and `edges` at each input size W x H

    NAME-WxH.input          uint8 [H, W, 3]; the network sees value / 255 as float32
    NAME-WxH.outputs        float32, values [H, W, C] one after the other: of all layers for the first
                            size of `small`, of the outputs for all others
    NAME-WxH.cells          float32 [cell, 5 + classes]: centre x, centre y, width, height, objectness
                            and class probabilities of every cell, output by output, row by row

and for the others

    NAME.input              float32, the inputs [H, W, C] one after the other
    NAME.outputs            float32, the outputs [H, W, C] one after the other
"""

import os

import numpy as np
import onnxruntime

import networks

HERE = os.path.dirname(os.path.abspath(__file__))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cells(values, stride, base):
    """The decoded cells of one head, [row * column, 5 + classes], computed in float64."""
    values = values.astype(np.float64)
    rows, columns = np.mgrid[0:values.shape[0], 0:values.shape[1]]
    result = np.empty_like(values)
    result[..., 0] = (columns + 2 * sigmoid(values[..., 0]) - 0.5) * stride
    result[..., 1] = (rows + 2 * sigmoid(values[..., 1]) - 0.5) * stride
    result[..., 2:4] = base * np.exp(np.clip(values[..., 2:4], -4, 4))
    result[..., 4] = sigmoid(values[..., 4])
    powers = np.exp(values[..., 5:] - values[..., 5:].max(axis=-1, keepdims=True))
    result[..., 5:] = powers / powers.sum(axis=-1, keepdims=True)
    return result.reshape(-1, values.shape[2])


def write(name, data):
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(data)
    print(f"{len(data):8} {name}")


def run(net, layers, inputs):
    """The values [H, W, C] of some layers."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        net.model(layers).SerializeToString(), options, providers=["CPUExecutionProvider"])
    results = session.run(None, {
        f"input{index}": value.transpose(2, 0, 1)[None].copy()
        for index, value in enumerate(inputs)})
    return [result[0].transpose(1, 2, 0).astype("<f4") for result in results]


def detector(net, sizes, seed):
    write(f"{net.name}.weights", net.weight_file())
    for order, (width, height) in enumerate(sizes):
        random = np.random.default_rng(seed * 100 + order)
        image = random.integers(0, 256, (height, width, 3), dtype=np.uint8)
        image = (image // 2 + np.linspace(0, 127, width)[None, :, None]).astype(np.uint8)
        data = image.astype(np.float32) / np.float32(255)
        layers = list(range(len(net.records)))
        maps = run(net, layers, [data])
        heads = [layer for _, layer, *_ in net.outputs]
        kept = layers if net.name == "small" and order == 0 else heads
        size = f"{net.name}-{width}x{height}"
        write(f"{size}.input", image.tobytes())
        write(f"{size}.outputs", b"".join(maps[index].tobytes() for index in kept))
        write(f"{size}.cells", np.concatenate([
            cells(maps[layer], width // maps[layer].shape[1], head[2][0][1][0])
            for _, layer, *head in net.outputs]).astype("<f4").tobytes())


def network(net):
    write(f"{net.name}.weights", net.weight_file())
    random = np.random.default_rng(9)
    inputs = [
        random.uniform(-2, 2, shape).astype(np.float32) for _, shape, _ in net.inputs]
    write(f"{net.name}.input", b"".join(value.astype("<f4").tobytes() for value in inputs))
    outputs = run(net, [layer for _, layer, *_ in net.outputs], inputs)
    write(f"{net.name}.outputs", b"".join(value.tobytes() for value in outputs))


detector(networks.small(), [(64, 32), (96, 64)], 1)
detector(networks.edges(), [(32, 64), (64, 64)], 2)
for make in [
        networks.layers, networks.mobile, networks.digits, networks.segments, networks.pair,
        networks.products, networks.choices]:
    network(make())
