#!/usr/bin/env python3
"""Writes small files that each break a rule of the weight format.

    python3 Fixtures/invalid/weights/generate.py

Needs Python 3.9 and NumPy. A file is named after the rule in Docs/WeightFormat.md ("W07-..."); a
rule that can be broken in several ways has several files. Where a file breaks more rules, the one in
its name is the first in the order of the document. The files derive from detector.dvweights of the
golden files; lengths and checksums are right unless they are the subject.

No file is here for rule W04 (256 MiB); its test lowers the limit instead.
"""

import pathlib
import struct
import sys

import numpy as np

FOLDER = pathlib.Path(__file__).parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER / "../../golden/weights"))
import weight_format as w  # noqa: E402

NAN, INFINITY = float("nan"), float("inf")
written = []


def save(rule, data):
    path = FOLDER / (rule + ".dvweights")
    path.write_bytes(data.bytes() if isinstance(data, w.File) else data)
    written.append(path)


def with_section(tag, content):
    file = w.detector()
    file.sections[tag] = content
    return file


def with_layers(*records, shapes=None, output=None, inputs=None):
    """A file with the given layers, the last of which is its output, and float16 tensors of zeros."""
    file = w.detector()
    file.sections["LAYR"] = w.items(records)
    file.sections["OUTP"] = w.items([w.output("y", len(records) - 1 if output is None else output)])
    if inputs is not None:
        file.sections["INPT"] = w.items(inputs)
    if shapes is not None:
        file.tensors = [
            (shape, w.FLOAT16, bytes(2 * int(np.prod(shape)))) for shape in shapes]
    return file


def plain(*records, shape=(4, 4, 2), **rest):
    """A file without tensors whose only input is plain numbers."""
    return with_layers(*records, **{"shapes": [], "inputs": [w.tensor("x", shape)], **rest})


def with_image(shape=(32, 32, 3), **rest):
    return with_section("INPT", w.items([w.image("image", shape, **rest)]))


def with_outputs(*outputs):
    return with_section("OUTP", w.items(outputs))


def with_head(labels=(), parameters=()):
    return with_outputs(w.output("y", 0, "classes", labels, parameters))


def edited(offset, data):
    """The detector's file with other bytes at an offset, sealed again."""
    file = bytearray(w.detector().bytes())
    file[offset:offset + len(data)] = data
    return w.seal(bytes(file))


def conv(reads="input 0", inputs=3, outputs=6, place=w.window((1, 1)), **rest):
    rest = {"weights": 0, "bias": 1, **rest}
    return w.convolution(reads, inputs, outputs, place, **rest)


def pool(reads="input 0", *, size=(1, 1), **rest):
    return w.pooling(reads, w.MAXIMUM, w.window(size, **rest))


def function(code, *numbers, reads="input 0"):
    return w.pointwise(reads, w.activation(code, *numbers))


def changed(record, index, value):
    """A record with another byte; negative indices count from its end."""
    record = bytearray(record)
    record[index] = value
    return bytes(record)


FIRST = conv()
SHAPES = [(1, 1, 3, 6), (6,)]
SAME = function(w.IDENTITY)


def header():
    legal = w.detector().bytes()
    file = w.detector()
    file.magic = w.MAGIC.replace(b"\r\n", b"\n") + b"\0"
    save("W01-magic-line-feed", file)
    save("W01-empty", b"")
    save("W02-header-truncated", legal[:63])
    for version in ((0, 0), (1, 0), (3, 0)):
        file = w.detector()
        file.major, file.minor = version
        save("W03-version-%d" % version[0], file)
    save("W05-cut", legal[:-1])
    save("W05-appended", legal + b"\0")
    save("W06-checksum", legal[:-1] + bytes([legal[-1] ^ 1]))
    file = w.detector()
    file.reserved = bytes(31) + b"\1"
    save("W07-header", file)
    file = w.detector()
    file.description_change = 1000
    save("W08-description-beyond-file", file)


def sections():
    save("W09-name", edited(64, b"NAMF"))
    file = w.detector()
    file.appended = b"note" + bytes(4)
    save("W09-unknown-in-known-version", file)
    file = w.detector()
    file.minor = 1
    file.appended = b"NOTE" + bytes(4)
    save("W09-unknown-required-in-newer-version", file)
    save("W10-field", with_section("INPT", w.items([w.image("image", (32, 32, 3))])[:-2]))
    save("W10-section", edited(68, struct.pack("<I", 1 << 31)))
    file = w.detector()
    file.description_change = -1
    save("W10-description", file)
    file = w.detector()
    file.minor = 1
    file.appended = b"note"
    save("W10-unknown", file)
    save("W10-text", with_section("NAME", struct.pack("<I", 9) + b"a"))
    save("W10-count", with_section("OUTP", struct.pack("<I", 2) + w.output("y", 0)))
    save("W11-task", with_section("TASK", w.text("") + b"\0"))
    save("W11-layers", with_section("LAYR", w.items([FIRST]) + FIRST))
    save("W12-empty-name", with_section("NAME", w.text("")))
    save("W12-long-name", with_section("NAME", w.text("a" * 257)))
    save("W12-long-task", with_section("TASK", w.text("a" * 65)))
    save("W12-empty-input", with_section("INPT", w.items([w.image("", (32, 32, 3))])))
    save("W12-long-output", with_outputs(w.output("a" * 257, 0)))
    save("W12-long-kind", with_outputs(w.output("y", 0, "a" * 65)))
    save("W12-empty-label", with_head([""]))
    save("W12-long-label", with_head(["a" * 257]))
    save("W12-empty-parameter", with_head([], [("", [1])]))
    save("W12-long-profile", with_section("PROF", w.named_values([("a" * 65, [1])])))
    save("W12-empty-key", with_section("PROV", w.provenance([("", "a")])))
    save("W12-long-value",
         with_section("PROV", struct.pack("<I", 1) + w.text("a") + struct.pack("<I", 65537)))
    save("W13-overlong", with_section("NAME", w.text(b"a\xc0\xaf")))
    save("W13-surrogate", with_head([b"\xed\xa0\x80"]))
    save("W13-cut", with_section("PROV", w.provenance([("a", b"\xe4\xb8")])))
    save("W14-escape", with_section("NAME", w.text("\x1b[2J")))
    save("W14-task", with_section("TASK", w.text("\x7f")))
    save("W14-line-feed", with_head(["a\nb"]))
    save("W14-direction", with_section("PROV", w.provenance([("a", "b\n\u202ec")])))
    save("W15-input", plain(
        w.elementwise(w.ADDITION, "input 0", "input 1"),
        inputs=[w.tensor("x", (1, 1, 1)), w.tensor("x", (1, 1, 1))]))
    save("W15-output", with_outputs(w.output("y", 0), w.output("z", 0), w.output("y", 0)))
    save("W15-label", with_head(["1", "2", "1"]))
    save("W15-parameter", with_head([], [("a", [1]), ("a", [1])]))
    save("W15-profile", with_section("PROF", w.named_values([("a", [1]), ("b", [1]), ("a", [2])])))


def inputs():
    save("W16-no-inputs", with_section("INPT", struct.pack("<I", 0)))
    save("W16-inputs", with_section("INPT", struct.pack("<I", 65)))
    for word, shape in (
            ("rows", (0, 32, 3)), ("columns", (32, 16385, 3)), ("channels", (1, 1, 0)),
            ("many-channels", (1, 1, (1 << 20) + 1)), ("values", (16384, 16384, 2))):
        save("W17-" + word, plain(SAME, shape=shape))
    save("W18-content", with_section("INPT", w.items([changed(
        w.tensor("x", (32, 32, 3)), -1, 4)])))
    save("W19-channel-order", with_image(order=3))
    save("W20-crop-and-scale", with_image(crop=3))
    save("W21-colour", with_image((32, 32, 1)))
    save("W21-gray", with_image(order=2, scales=(1,), biases=(0,)))
    for word, value in (("zero", 0), ("infinite", INFINITY), ("nan", NAN)):
        save("W22-" + word, with_image(scales=(1, value, 1)))
    save("W23-nan", with_image(biases=(0, 0, NAN)))
    save("W24-input", with_section(
        "INPT", w.items([w.image("image", (32, 32, 3)), w.tensor("x", (1, 1, 1))])))


def outputs():
    save("W25-no-outputs", with_section("OUTP", struct.pack("<I", 0)))
    save("W25-outputs", with_section("OUTP", struct.pack("<I", 257)))
    save("W26-next", with_outputs(w.output("y", 1)))
    save("W26-far", with_outputs(w.output("y", (1 << 32) - 1)))
    head = w.text("y") + struct.pack("<I", 0) + w.text("classes")
    save("W27-labels", with_outputs(head + struct.pack("<I", 65537)))
    save("W28-parameters", with_outputs(head + struct.pack("<II", 0, 257)))
    save("W29-profile", with_section("PROF", struct.pack("<I", 257)))
    save("W30-no-numbers", with_head([], [("a", [])]))
    save("W30-numbers", with_section(
        "PROF", struct.pack("<I", 1) + w.text("a") + struct.pack("<I", 65537)))
    save("W31-nan", with_head([], [("a", [1]), ("b", [0, NAN])]))
    save("W31-infinite", with_section("PROF", w.named_values([("a", [-INFINITY])])))
    save("W32-provenance", with_section("PROV", struct.pack("<I", 257)))


def records():
    save("W33-no-layers", with_section("LAYR", struct.pack("<I", 0)))
    save("W33-layers", with_section("LAYR", struct.pack("<I", 4097)))
    save("W34-kind-0", with_layers(FIRST, w.record(0, b"")))
    save("W34-kind-19", with_layers(FIRST, w.record(19, b"\0\0\0\0")))
    save("W34-kind-65535", with_layers(FIRST, w.record(65535, b"")))
    softmax = w.softmax(0)
    save("W35-short", with_layers(FIRST, changed(softmax, 2, 4)))
    save("W35-long", with_layers(FIRST, w.record(13, softmax[4:] + b"\0")))
    save("W36-activation", with_layers(FIRST, function(24, reads=0)))
    save("W36-convolution", with_layers(conv(function=w.activation(255))))
    resize = w.resizing("input 0", 2, 2, 0, 0)
    for word, record in (
            ("axis", w.softmax("input 0", 3)), ("slice", w.slice_of("input 0", 255, 0, 1)),
            ("concatenation", w.concatenation(["input 0"] * 2, 3)),
            ("axes", changed(w.reduction("input 0", w.MEAN), -1, 8)),
            ("pooling", w.pooling("input 0", 3, w.window((1, 1)))),
            ("reduction", w.reduction("input 0", 4, w.WIDTH)),
            ("operation", w.elementwise(7, "input 0", "input 0")),
            ("extent", changed(resize, 8, 2)), ("interpolation", changed(resize, -2, 5)),
            ("coordinates", changed(resize, -1, 3)),
            ("padding", w.padding("input 0", (0, 0, 0, 0), mode=3)),
            ("transposition", changed(w.matrix_product("input 0", "input 0"), -1, 4))):
        save("W37-" + word, plain(record))
    save("W38-input", plain(function(w.IDENTITY, reads="input 1")))
    save("W38-far", plain(function(w.IDENTITY, reads="input %d" % ((1 << 31) - 1))))
    save("W39-itself", with_layers(FIRST, function(w.IDENTITY, reads=1)))
    save("W39-far", with_layers(FIRST, function(w.IDENTITY, reads=(1 << 31) - 1)))


def operands():
    save("W40-kernel-0", with_layers(conv(place=w.window((0, 1)))))
    save("W40-kernel-65", with_layers(conv(place=w.window((1, 65)))))
    save("W40-transposed", with_layers(w.transposed_convolution(
        "input 0", 3, 6, w.window((65, 1)), 0, 1)))
    save("W40-pooling-1025", plain(pool(size=(1025, 1))))
    save("W41-stride-0", with_layers(conv(place=w.window((1, 1), (1, 0)))))
    save("W41-stride-65", plain(pool(stride=(65, 1))))
    save("W42-dilation-0", with_layers(conv(place=w.window((1, 1), dilation=(0, 1)))))
    save("W42-dilation-65", with_layers(conv(place=w.window((1, 1), dilation=(1, 65)))))
    save("W42-pooling", plain(pool(size=(2, 2), dilation=(2, 1))))
    save("W43-convolution", with_layers(conv(place=w.window((1, 1), padding=(0, 0, 0, 1)))))
    save("W43-pooling", plain(pool(size=(3, 3), padding=(3, 0, 0, 0))))
    save("W43-edge", plain(w.padding("input 0", (4097, 0, 0, 0))))
    save("W43-channels", plain(w.padding("input 0", (0, 0, 0, 0), after=4097)))
    save("W43-mirrored", plain(w.padding("input 0", (0, 4, 0, 0), mode=2)))
    save("W43-mirrored-channels", plain(w.padding("input 0", (0, 0, 0, 0), before=2, mode=2)))
    save("W44-rows", with_layers(w.transposed_convolution(
        "input 0", 3, 6, w.window((2, 2), (2, 2)), 0, 1, extra=(2, 0))))
    save("W44-columns", with_layers(w.transposed_convolution(
        "input 0", 3, 6, w.window((1, 1)), 0, 1, extra=(0, 1))))
    save("W45-convolution", with_layers(conv(inputs=4)))
    save("W45-transposed", with_layers(w.transposed_convolution(
        "input 0", 2, 6, w.window((1, 1)), 0, 1)))
    save("W46-none", with_layers(conv(groups=0)))
    save("W46-inputs", with_layers(conv(groups=2)))
    save("W46-outputs", with_layers(conv(groups=3, outputs=7)))
    save("W46-many", with_layers(conv(groups=6)))
    save("W46-no-channels", with_layers(conv(outputs=0)))
    for word, record in (
            ("slope", function(w.LEAKY, NAN)), ("clamp", function(w.CLAMP, 1, 0.5)),
            ("infinite-clamp", function(w.CLAMP, 0, INFINITY)),
            ("hard-sigmoid", function(w.HARD_SIGMOID, INFINITY, 0)),
            ("elu", function(w.ELU, -INFINITY)), ("linear", function(w.LINEAR, 1, NAN)),
            ("logarithm", function(w.LOGARITHM, 0)), ("power", function(w.POWER, -1)),
            ("elementwise", w.elementwise(
                w.ADDITION, "input 0", "input 0", w.activation(w.POWER, 0))),
            ("padding", w.padding("input 0", (0, 0, 0, 1), constant=NAN))):
        save("W47-" + word, plain(record))
    save("W47-convolution", with_layers(conv(function=w.activation(w.LEAKY, INFINITY))))
    for word, value in (("zero", 0), ("nan", NAN)):
        save("W47-epsilon-" + word, plain(
            w.batch_normalization("input 0", 0, 0, 0, 0, value), shapes=[(2,)]))
    save("W48-none", plain(w.reduction("input 0", w.MEAN)))
    save("W48-index", plain(w.reduction("input 0", w.INDEX_OF_MAXIMUM, w.HEIGHT, w.CHANNELS)))
    half = w.slice_of("input 0", w.WIDTH, 0, 2)
    save("W49-elementwise", plain(half, w.elementwise(w.ADDITION, 0, "input 0")))
    save("W49-concatenation", plain(half, w.concatenation(["input 0", 0])))
    save("W49-product", plain(w.matrix_product("input 0", "input 0")))
    save("W49-product-rows", plain(
        w.slice_of("input 0", w.HEIGHT, 0, 2), w.matrix_product("input 0", 0, False, True)))
    save("W49-places-rows", plain(
        w.slice_of("input 0", w.HEIGHT, 0, 2), w.selection("input 0", 0)))
    save("W49-places-channels", plain(
        w.concatenation(["input 0", "input 0"], w.CHANNELS), w.selection("input 0", 0)))
    save("W50-one", plain(w.concatenation(["input 0"])))
    save("W50-many", plain(w.concatenation(["input 0"] * 65)))
    for word, start, count, step in (
            ("start", 4, 1, 1), ("empty", 0, 0, 1), ("count", 1, 4, 1), ("step", 0, 3, 2),
            ("no-step", 0, 1, 0), ("long-step", 0, 1, (1 << 20) + 1),
            ("far", (1 << 32) - 1, (1 << 32) - 1, (1 << 32) - 1)):
        save("W51-" + word, plain(w.slice_of("input 0", w.HEIGHT, start, count, step)))
    save("W52-factor-0", plain(w.resizing("input 0", 0, 2, 0, 0)))
    save("W52-factor-65", plain(w.resizing("input 0", 2, 65, 0, 0)))
    save("W53-no-axes", plain(w.rearrangement("input 0", (), (), (4, 4, 2))))
    save("W53-axes", plain(w.rearrangement("input 0", (1,) * 9, range(9), (4, 4, 2))))
    save("W54-twice", plain(w.rearrangement("input 0", (4, 4, 2), (0, 1, 1), (4, 4, 2))))
    save("W54-far", plain(w.rearrangement("input 0", (4, 4, 2), (0, 1, 3), (4, 4, 2))))
    save("W55-dimensions", plain(w.rearrangement("input 0", (4, 4), (1, 0), (4, 4, 2))))
    save("W55-output", plain(w.rearrangement("input 0", (32,), (0,), (4, 4, 1))))
    save("W55-zero", plain(w.rearrangement("input 0", (32, 0), (0, 1), (4, 4, 2))))
    huge = (1 << 32) - 1
    save("W55-huge", plain(w.rearrangement("input 0", (huge,) * 8, range(8), (huge,) * 3)))
    save("W56-window", plain(pool(size=(5, 1))))
    save("W56-transposed", with_layers(w.transposed_convolution(
        "input 0", 3, 6, w.window((2, 2), padding=(1, 0, 1, 0)), 0, 1),
        inputs=[w.tensor("x", (1, 1, 3))], shapes=[(2, 2, 3, 6), (6,)]))
    save("W56-resizing", plain(w.resizing("input 0", 0, 1, 0, 0, is_size=True)))
    save("W56-dense", plain(w.dense("input 0", 0, 0, 1)))
    wide = (1, 1, 1 << 20)
    save("W57-channels", plain(w.concatenation(["input 0"] * 2), shape=wide))
    save("W57-rows", plain(w.resizing("input 0", huge, huge, 0, 0, is_size=True)))
    save("W57-values", plain(w.resizing("input 0", 64, 64, 0, 0), shape=(512, 512, 1)))
    save("W57-constant", plain(SAME, w.constant(0, (huge,) * 3)))
    save("W58-layer", plain(SAME, SAME))
    save("W58-last", plain(SAME, SAME, output=0))


def tables():
    save("W59-tensors", with_section("TENS", struct.pack("<I", 16385)))
    for storage in (0, 5):
        file = w.detector()
        file.tensors[1] = ((6,), storage, file.tensors[1][2])
        save("W60-storage-%d" % storage, file)
    file = w.detector()
    file.tensors[1] = ((), w.FLOAT16, file.tensors[1][2])
    save("W61-rank-0", file)
    file = w.detector()
    file.tensors[0] = ((1, 1, 1, 3, 6), w.FLOAT16, file.tensors[0][2])
    save("W61-rank-5", file)
    for dimension in (0, (1 << 24) + 1, (1 << 32) - 1):
        file = w.detector()
        file.tensors[0] = ((1, 1, 3, dimension), w.FLOAT16, file.tensors[0][2])
        save("W62-dimension-%d" % dimension, file)
    save("W63-weights", with_layers(conv(weights=2)))
    save("W63-bias", with_layers(conv(bias=(1 << 32) - 1)))
    save("W63-slopes", with_layers(conv(function=w.activation(w.PARAMETRIC, 2))))
    save("W63-elementwise", with_layers(
        FIRST, w.elementwise(w.ADDITION, 0, 0, w.activation(w.PARAMETRIC, 7))))
    save("W63-constant", plain(SAME, w.constant(0, (1, 1, 1))))
    save("W64-dense", plain(
        w.dense("input 0", 1 << 20, 0, 1), shape=(1, 1, 1 << 20), shapes=[(1, 1), (1,)]))
    save("W65-order", with_layers(FIRST, shapes=[(1, 1, 6, 3), (6,)]))
    save("W65-rank", with_layers(FIRST, shapes=[(18,), (6,)]))
    save("W65-shared", with_layers(FIRST, conv(0, inputs=6, outputs=6), shapes=SHAPES))
    save("W65-groups", with_layers(conv(groups=3), shapes=SHAPES))
    save("W65-slopes", with_layers(
        conv(function=w.activation(w.PARAMETRIC, 2)), shapes=SHAPES + [(3,)]))
    save("W65-multipliers", with_layers(
        conv(function=w.activation(w.REQUANTIZATION, 2)), shapes=SHAPES + [(6, 2)]))
    save("W65-sum", plain(
        w.elementwise(w.REQUANTIZED_SUM, "input 0", "input 0", tensor=0), shapes=[(3,)]))
    save("W65-table", plain(function(w.TABLE, 0), shapes=[(255,)]))
    save("W65-broadcast", plain(
        w.slice_of("input 0", w.CHANNELS, 0, 1),
        w.elementwise(w.ADDITION, 0, "input 0", w.activation(w.PARAMETRIC, 0)), shapes=[(1,)]))
    save("W65-dense", plain(w.dense("input 0", 6, 0, 1), shapes=[(31, 6), (6,)]))
    save("W65-normalization", plain(
        w.batch_normalization("input 0", 0, 1, 2, 3, 1), shapes=[(2,), (2,), (2,), (1,)]))
    save("W65-constant", plain(
        w.constant(0, (1, 1, 2)), w.elementwise(w.ADDITION, "input 0", 0), shapes=[(2,)]))
    save("W66-tensor", with_layers(FIRST, shapes=SHAPES + [(6,)]))
    save("W66-gap", with_layers(conv(bias=2), shapes=SHAPES + [(6,)]))
    save("W66-all", plain(SAME, shapes=[(6,)]))


def tensors():
    for word, change in (("short", -2), ("long", 2)):
        file = w.detector()
        file.byte_count_changes = {1: change}
        save("W67-" + word, file)
    for word, change in (
            ("overlap", {1: -64}), ("hole", {1: 64}), ("unaligned", {0: 2}),
            ("descending", {0: 64, 1: -64}), ("huge", {1: (1 << 63)})):
        file = w.detector()
        file.offset_changes = change
        save("W68-" + word, file)
    file = w.detector()
    file.tail = b"\0"
    save("W69-behind", file)
    file = plain(SAME)
    file.tail = bytes(64)
    save("W69-no-tensors", file)
    legal = w.detector().bytes()
    end = 64 + struct.unpack_from("<I", legal, 12)[0]
    save("W69-within", w.seal(legal[:-1]))
    save("W69-before", w.seal(legal[:-20]))
    save("W69-before-all", w.seal(legal[:end]))
    file = w.detector()
    file.gap = 1
    save("W70-gap", file)
    save("W70-between", edited(len(legal) - 13, b"\1"))
    for word, value in (("nan", NAN), ("infinite", INFINITY), ("minus-infinite", -INFINITY)):
        values = np.zeros((1, 1, 3, 6), np.float32)
        values.flat[17] = value
        for storage, data in (
                ("float32", values.tobytes()), ("float16", values.astype("<f2").tobytes()),
                ("bfloat16", (values.view(np.uint32) >> 16).astype("<u2").tobytes())):
            file = w.detector()
            code = {"float32": w.FLOAT32, "float16": w.FLOAT16, "bfloat16": w.BFLOAT16}[storage]
            file.tensors[0] = (values.shape, code, data)
            save("W71-%s-%s" % (storage, word), file)
    for word, value in (
            ("negative", -1), ("minus-zero", -0.0), ("infinite", INFINITY), ("nan", NAN),
            ("large", 3e38)):
        scales = np.array([1, 1, 1, value, 1, 1], "<f4").tobytes()
        file = w.detector()
        file.tensors[0] = ((1, 1, 3, 6), w.INT8, scales + bytes(18))
        save("W72-" + word, file)
    file = w.detector()
    file.tensors[0] = (
        (1, 1, 3, 6), w.INT8, np.ones(6, "<f4").tobytes() + bytes(7) + b"\x80" + bytes(10))
    save("W73-int8", file)


if __name__ == "__main__":
    for old in FOLDER.glob("*.dvweights"):
        old.unlink()
    for part in (header, sections, inputs, outputs, records, operands, tables, tensors):
        part()
    assert len(written) == len(set(written)), "two files have the same name"
    print(len(written), "files,", sum(path.stat().st_size for path in written), "bytes")
