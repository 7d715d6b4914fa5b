#!/usr/bin/env python3
"""Makes the golden files of this folder with ONNX Runtime.

    python3 Fixtures/golden/network/generate.py

Needs numpy, onnx and onnxruntime. Two small networks are built from lists of layers, once as a
weight file (written here from its format, not with this project's code) and once as an ONNX model.
For each network NAME and input size W x H:

    NAME.weights            the weight file, float32
    NAME-WxH.input          uint8 [H, W, 3]; the network sees value / 255 as float32
    NAME-WxH.outputs        float32, the outputs [H, W, C] of the layers one after the other: of all
                            layers but heads for the first size of the network `small`, of what
                            heads read for all others
    NAME-WxH.cells          float32 [cell, 5 + classes]: centre x, centre y, width, height, objectness
                            and class probabilities of every cell, head by head, row by row
"""

import os
import struct

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
INPUT = -1


def conv(source, outputs, kernel, stride, padding, activation="identity", slope=0.0, share=None):
    return dict(kind="conv", source=source, outputs=outputs, kernel=kernel, stride=stride,
                padding=padding, activation=activation, slope=slope, share=share)


def leaky(source, outputs, kernel, stride, padding, slope=0.1, share=None):
    return conv(source, outputs, kernel, stride, padding, "leaky", slope, share)


def silu(source, outputs, kernel, stride, padding):
    return conv(source, outputs, kernel, stride, padding, "silu")


def pool(source, size, stride, padding):
    return dict(kind="pool", source=source, size=size, stride=stride, padding=padding)


def up(source, factor):
    return dict(kind="up", source=source, factor=factor)


def concat(*sources):
    return dict(kind="concat", sources=list(sources))


def add(first, second):
    return dict(kind="add", sources=[first, second])


def head(source, stride, base, classes):
    return dict(kind="head", source=source, stride=stride, base=base, classes=classes)


NETWORKS = {
    # Every kind of layer the way detectors use them.
    "small": dict(
        seed=1, classes=6, sizes=[(64, 32), (96, 64)],
        layers=[
            leaky(INPUT, 8, 3, 2, 1),      # 0: 1/2
            silu(0, 16, 3, 2, 1),          # 1: 1/4
            leaky(1, 20, 3, 2, 1),         # 2: 1/8
            conv(2, 20, 1, 1, 0),          # 3
            add(2, 3),                     # 4
            pool(4, 2, 2, 0),              # 5: 1/16
            silu(5, 24, 3, 1, 1),          # 6
            pool(6, 5, 1, 2),              # 7
            concat(6, 7),                  # 8
            up(8, 2),                      # 9: 1/8
            concat(9, 4),                  # 10
            leaky(10, 18, 1, 1, 0),        # 11
            conv(11, 11, 1, 1, 0),         # 12
            head(12, 8, 24.0, 6),          # 13
            conv(8, 11, 3, 1, 1),          # 14
            head(14, 16, 60.0, 6),         # 15
        ]),
    # Odd channel counts, odd windows, shared weights, concatenations of concatenations and of
    # the same thing twice.
    "edges": dict(
        seed=2, classes=3, sizes=[(32, 64), (64, 64)],
        layers=[
            leaky(INPUT, 5, 7, 4, 3, 0.0),  # 0: 1/4
            pool(INPUT, 3, 2, 1),           # 1: 1/2
            concat(INPUT, INPUT),           # 2: 1/1
            silu(2, 4, 5, 2, 2),            # 3: 1/2
            concat(1, 3),                   # 4
            leaky(4, 7, 1, 1, 0, 1.0),      # 5
            add(4, 5),                      # 6
            concat(6, 4, 6),                # 7
            leaky(7, 17, 3, 4, 1),          # 8: 1/8
            leaky(8, 17, 3, 1, 1),          # 9
            leaky(9, 17, 3, 1, 1, share=9),  # 10
            up(10, 2),                      # 11: 1/4
            concat(11, 0),                  # 12
            concat(12, 11, 12),             # 13
            pool(13, 4, 4, 1),              # 14: 1/16
            conv(14, 8, 1, 1, 0),           # 15
            head(15, 16, 33.5, 3),          # 16
            silu(13, 33, 2, 2, 0),          # 17: 1/8
            conv(17, 8, 1, 1, 0),           # 18
            head(18, 8, 10.0, 3),           # 19
        ]),
}


def sources(layer):
    return layer["sources"] if "sources" in layer else [layer["source"]]


def channels(layers):
    counts = []

    def of(source):
        return 3 if source == INPUT else counts[source]

    for layer in layers:
        if layer["kind"] == "conv":
            layer["inputs"] = of(layer["source"])
            counts.append(layer["outputs"])
        elif layer["kind"] == "concat":
            counts.append(sum(of(source) for source in layer["sources"]))
        else:
            counts.append(of(sources(layer)[0]))
    return counts


def draw_weights(network):
    """Random weights that keep activations near one; tensors in the order of use."""
    random = np.random.default_rng(network["seed"])
    tensors = []
    for layer in network["layers"]:
        if layer["kind"] != "conv":
            continue
        if layer["share"] is not None:
            other = network["layers"][layer["share"]]
            layer["weights"], layer["bias"] = other["weights"], other["bias"]
            continue
        fan = layer["kernel"] ** 2 * layer["inputs"]
        shape = (layer["kernel"], layer["kernel"], layer["inputs"], layer["outputs"])
        layer["weights"], layer["bias"] = len(tensors), len(tensors) + 1
        tensors.append((random.standard_normal(shape) * np.sqrt(2.5 / fan)).astype(np.float32))
        tensors.append((random.standard_normal(layer["outputs"]) * 0.3).astype(np.float32))
    return tensors


# The weight file.

MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                      0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotl(x, r):
    return ((x << r) | (x >> (64 - r))) & MASK


def xxh64(data):
    """XXH64 with seed 0, after the algorithm's description."""
    def rounded(lane, word):
        return rotl((lane + word * P2) & MASK, 31) * P1 & MASK

    end = len(data)
    place = 0
    if end >= 32:
        lanes = [(P1 + P2) & MASK, P2, 0, (-P1) & MASK]
        while place + 32 <= end:
            for index, word in enumerate(struct.unpack_from("<4Q", data, place)):
                lanes[index] = rounded(lanes[index], word)
            place += 32
        value = sum(rotl(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            value = ((value ^ rounded(0, lane)) * P1 + P4) & MASK
    else:
        value = P5
    value = (value + end) & MASK
    while place + 8 <= end:
        value = (rotl(value ^ rounded(0, struct.unpack_from("<Q", data, place)[0]), 27) * P1 + P4) & MASK
        place += 8
    if place + 4 <= end:
        value = (rotl(value ^ struct.unpack_from("<I", data, place)[0] * P1 & MASK, 23) * P2 + P3) & MASK
        place += 4
    for byte in data[place:]:
        value = rotl(value ^ byte * P5 & MASK, 11) * P1 & MASK
    value = (value ^ value >> 33) * P2 & MASK
    value = (value ^ value >> 29) * P3 & MASK
    return value ^ value >> 32


def text(value):
    data = value.encode()
    return struct.pack("<I", len(data)) + data


def record(layer):
    def source(index):
        return struct.pack("<I", index + 1)

    kind = layer["kind"]
    if kind == "conv":
        code = 1
        activation = {"identity": 0, "leaky": 1, "silu": 2}[layer["activation"]]
        body = source(layer["source"]) + struct.pack(
            "<IIBBBBfII", layer["inputs"], layer["outputs"], layer["kernel"], layer["stride"],
            layer["padding"], activation, layer["slope"], layer["weights"], layer["bias"])
    elif kind == "pool":
        code = 2
        body = source(layer["source"]) + struct.pack(
            "<BBBB", layer["size"], layer["stride"], layer["padding"], 0)
    elif kind == "up":
        code = 3
        body = source(layer["source"]) + struct.pack("<I", layer["factor"])
    elif kind == "concat":
        code = 4
        body = struct.pack("<I", len(layer["sources"])) + b"".join(map(source, layer["sources"]))
    elif kind == "add":
        code = 5
        body = b"".join(map(source, layer["sources"]))
    else:
        code = 6
        body = source(layer["source"]) + struct.pack(
            "<IfI", layer["stride"], layer["base"], layer["classes"])
    return struct.pack("<HH", code, len(body)) + body


def weight_file(name, network, tensors):
    def section(tag, body):
        return tag + struct.pack("<I", len(body)) + body

    def description(offsets):
        table = struct.pack("<I", len(tensors))
        for tensor, offset in zip(tensors, offsets):
            table += struct.pack("<BBH", 1, tensor.ndim, 0)
            table += struct.pack(f"<{tensor.ndim}I", *tensor.shape)
            table += struct.pack("<QQ", offset, tensor.nbytes)
        width, height = network["sizes"][0]
        labels = [str(index + 1) for index in range(network["classes"])]
        return b"".join([
            section(b"NAME", text(name)),
            section(b"INPT", struct.pack("<IIBBBB6f", width, height, 0, 1, 114, 0,
                                         *[1 / 255] * 3, 0, 0, 0)),
            section(b"LABL", struct.pack("<I", len(labels)) + b"".join(map(text, labels))),
            section(b"THRS", struct.pack("<ff", 0.45, 0.25)),
            section(b"LAYR", struct.pack("<I", len(network["layers"]))
                    + b"".join(map(record, network["layers"]))),
            section(b"TENS", table),
            section(b"PROV", struct.pack("<I", 0)),
        ])

    end = 64 + len(description([0] * len(tensors)))
    length = end - 64
    offsets = []
    for tensor in tensors:
        offsets.append((end + 63) // 64 * 64)
        end = offsets[-1] + tensor.nbytes
    data = bytearray(end)
    data[64:64 + length] = description(offsets)
    for tensor, offset in zip(tensors, offsets):
        data[offset:offset + tensor.nbytes] = tensor.tobytes()
    data[0:24] = b"\x89DVW\r\n\x1a\n" + struct.pack("<HHIQ", 1, 0, length, end)
    data[24:32] = struct.pack("<Q", xxh64(bytes(data)))
    return bytes(data)


# The ONNX model.

def onnx_model(network, tensors, counts):
    nodes, constants, names = [], [], []

    def name_of(source):
        return "input" if source == INPUT else names[source]

    def constant(label, values):
        constants.append(numpy_helper.from_array(values, label))
        return label

    for index, layer in enumerate(network["layers"]):
        out = f"layer{index}"
        inputs = [name_of(source) for source in sources(layer)]
        kind = layer["kind"]
        if kind == "conv":
            weights = np.ascontiguousarray(tensors[layer["weights"]].transpose(3, 2, 0, 1))
            raw = out if layer["activation"] == "identity" else out + "raw"
            nodes.append(helper.make_node(
                "Conv", inputs + [constant(out + "w", weights),
                                  constant(out + "b", tensors[layer["bias"]])], [raw],
                strides=[layer["stride"]] * 2, pads=[layer["padding"]] * 4))
            if layer["activation"] == "leaky":
                nodes.append(helper.make_node("LeakyRelu", [raw], [out], alpha=layer["slope"]))
            elif layer["activation"] == "silu":
                nodes.append(helper.make_node("Sigmoid", [raw], [out + "s"]))
                nodes.append(helper.make_node("Mul", [raw, out + "s"], [out]))
        elif kind == "pool":
            nodes.append(helper.make_node(
                "MaxPool", inputs, [out], kernel_shape=[layer["size"]] * 2,
                strides=[layer["stride"]] * 2, pads=[layer["padding"]] * 4))
        elif kind == "up":
            scales = constant(out + "k", np.array([1, 1] + [layer["factor"]] * 2, np.float32))
            nodes.append(helper.make_node(
                "Resize", inputs + ["", scales], [out], mode="nearest",
                coordinate_transformation_mode="asymmetric", nearest_mode="floor"))
        elif kind == "concat":
            nodes.append(helper.make_node("Concat", inputs, [out], axis=1))
        elif kind == "add":
            nodes.append(helper.make_node("Add", inputs, [out]))
        else:
            nodes.append(helper.make_node("Identity", inputs, [out]))
        names.append(out)
    graph = helper.make_graph(
        nodes, "golden",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, None, None])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, count, None, None])
         for name, count in zip(names, counts)], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cells(values, layer):
    """The decoded cells of one head, [row * column, 5 + classes], computed in float64."""
    values = values.astype(np.float64)
    rows, columns = np.mgrid[0:values.shape[0], 0:values.shape[1]]
    result = np.empty_like(values)
    result[..., 0] = (columns + 2 * sigmoid(values[..., 0]) - 0.5) * layer["stride"]
    result[..., 1] = (rows + 2 * sigmoid(values[..., 1]) - 0.5) * layer["stride"]
    result[..., 2:4] = layer["base"] * np.exp(np.clip(values[..., 2:4], -4, 4))
    result[..., 4] = sigmoid(values[..., 4])
    powers = np.exp(values[..., 5:] - values[..., 5:].max(axis=-1, keepdims=True))
    result[..., 5:] = powers / powers.sum(axis=-1, keepdims=True)
    return result.reshape(-1, values.shape[2])


def write(name, data):
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(data)
    print(f"{len(data):8} {name}")


def main():
    for name, network in NETWORKS.items():
        counts = channels(network["layers"])
        tensors = draw_weights(network)
        write(f"{name}.weights", weight_file(name, network, tensors))
        session = onnxruntime.InferenceSession(
            onnx_model(network, tensors, counts).SerializeToString(),
            providers=["CPUExecutionProvider"])
        for order, (width, height) in enumerate(network["sizes"]):
            random = np.random.default_rng(network["seed"] * 100 + order)
            image = random.integers(0, 256, (height, width, 3), dtype=np.uint8)
            image = (image // 2 + np.linspace(0, 127, width)[None, :, None]).astype(np.uint8)
            data = image.astype(np.float32) / np.float32(255)
            results = session.run(None, {"input": data.transpose(2, 0, 1)[None].copy()})
            maps = [result[0].transpose(1, 2, 0) for result in results]
            layers = network["layers"]
            heads = [index for index, layer in enumerate(layers) if layer["kind"] == "head"]
            kept = [index for index in range(len(layers)) if index not in heads]
            if name != "small" or order > 0:
                kept = heads
            size = f"{name}-{width}x{height}"
            write(f"{size}.input", image.tobytes())
            write(f"{size}.outputs",
                  b"".join(maps[index].astype("<f4").tobytes() for index in kept))
            write(f"{size}.cells",
                  np.concatenate([cells(maps[index], layers[index]) for index in heads])
                  .astype("<f4").tobytes())


main()
