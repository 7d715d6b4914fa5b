#!/usr/bin/env python3
"""Writes weight files of format version 1, which `dicevision convert` reads.

    python3 Fixtures/version-1/generate.py

Needs Python 3.9 and NumPy. `weights/` has legal files: the smallest one, one with every kind of layer,
activation and storage, one of a newer minor version, and one with two heads of the same stride. `invalid/` has files that break a rule each;
a file is named after the rule's number ("W07-..."), as `VersionOneRule` has them; a
rule that can be broken in several ways has several files. Where a file breaks more rules, the one in
its name is the first in the order of the rules. The files derive from the smallest legal
file; lengths and checksums are right unless they are the subject.

No file is here for rule W04 (256 MiB).
"""

import pathlib
import struct
import sys

import numpy as np

FOLDER = pathlib.Path(__file__).parent / "invalid"
LEGAL = pathlib.Path(__file__).parent / "weights"
sys.dont_write_bytecode = True
import weight_format as w  # noqa: E402

NAN, INFINITY = float("nan"), float("inf")
written = []
random = np.random.Generator(np.random.PCG64(20240229))


def save(rule, data):
    path = FOLDER / (rule + ".dvweights")
    path.write_bytes(data.bytes() if isinstance(data, w.File) else data)
    written.append(path)


def with_section(tag, content):
    file = w.smallest()
    file.sections[tag] = content
    return file


def with_layers(*records, shapes=None, label_count=1):
    """A file with the given layers and float16 tensors of zeros."""
    file = w.smallest()
    file.sections["LAYR"] = w.layers(records)
    file.sections["LABL"] = w.labels([str(index) for index in range(label_count)])
    if shapes is not None:
        file.tensors = [
            (shape, w.FLOAT16, bytes(2 * int(np.prod(shape)))) for shape in shapes]
    return file


def edited(offset, data):
    """The smallest file with other bytes at an offset, sealed again."""
    file = bytearray(w.smallest().bytes())
    file[offset:offset + len(data)] = data
    return w.seal(bytes(file))


def conv(reads=None, inputs=3, outputs=6, kernel=1, stride=1, padding=0, **rest):
    rest = {"weights": 0, "bias": 1, **rest}
    return w.convolution(reads, inputs, outputs, kernel, stride, padding, **rest)


FIRST = conv()
HEAD = w.head(0, 1, 8, 1)


def header():
    legal = w.smallest().bytes()
    file = w.smallest()
    file.magic = w.MAGIC.replace(b"\r\n", b"\n") + b"\0"
    save("W01-magic-line-feed", file)
    save("W01-empty", b"")
    save("W02-header-truncated", legal[:63])
    for version in ((0, 0), (2, 0)):
        file = w.smallest()
        file.major, file.minor = version
        save("W03-version-%d" % version[0], file)
    save("W05-cut", legal[:-1])
    save("W05-appended", legal + b"\0")
    save("W06-checksum", legal[:-1] + bytes([legal[-1] ^ 1]))
    file = w.smallest()
    file.reserved = bytes(31) + b"\1"
    save("W07-header", file)
    rules = bytearray(w.input_rules(32, 32))
    rules[11] = 1
    save("W07-input", with_section("INPT", bytes(rules)))
    save("W07-slope", with_layers(conv(slope=0.5), HEAD))
    pooling = bytearray(w.max_pooling(0, 1, 1, 0))
    pooling[-1] = 1
    save("W07-pooling", with_layers(FIRST, bytes(pooling), w.head(1, 1, 8, 1)))
    table = bytearray(w.smallest().table([320, 384]))
    table[6] = 1
    save("W07-tensor", with_section("TENS", bytes(table)))
    file = w.smallest()
    file.description_change = 1000
    save("W08-description-beyond-file", file)


def sections():
    legal = w.smallest().bytes()
    save("W09-name", edited(64, b"NAMF"))
    file = w.smallest()
    file.appended = b"note" + bytes(4)
    save("W09-unknown-in-known-version", file)
    file = w.smallest()
    file.minor = 1
    file.appended = b"NOTE" + bytes(4)
    save("W09-unknown-required-in-newer-version", file)
    save("W10-field", with_section("THRS", struct.pack("<f", 0.5)))
    save("W10-section", edited(68, struct.pack("<I", 1 << 31)))
    file = w.smallest()
    file.description_change = -1
    save("W10-description", file)
    file = w.smallest()
    file.minor = 1
    file.appended = b"note"
    save("W10-unknown", file)
    save("W10-text", with_section("NAME", struct.pack("<I", 9) + b"a"))
    save("W11-thresholds", with_section("THRS", w.thresholds(0.5, 0.25) + b"\0"))
    save("W12-empty-name", with_section("NAME", w.name("")))
    save("W12-long-name", with_section("NAME", w.name("a" * 257)))
    save("W12-empty-label", with_section("LABL", w.labels([""])))
    save("W12-long-label", with_section("LABL", w.labels(["a" * 65])))
    save("W12-empty-key", with_section("PROV", w.provenance([("", "a")])))
    save("W12-long-value",
         with_section("PROV", struct.pack("<I", 1) + w.text("a") + struct.pack("<I", 65537)))
    save("W13-overlong", with_section("NAME", w.name(b"a\xc0\xaf")))
    save("W13-surrogate", with_section("LABL", w.labels([b"\xed\xa0\x80"])))
    save("W13-cut", with_section("PROV", w.provenance([("a", b"\xe4\xb8")])))
    assert legal == w.smallest().bytes()


def codes():
    save("W14-channel-order", with_section("INPT", w.input_rules(32, 32, order=2)))
    save("W15-crop-and-scale", with_section("INPT", w.input_rules(32, 32, crop=3)))
    save("W16-no-labels", with_section("LABL", struct.pack("<I", 0)))
    save("W16-labels", with_section("LABL", struct.pack("<I", 1025)))
    save("W17-no-layers", with_layers())
    save("W17-layers", with_section("LAYR", struct.pack("<I", 1025)))
    save("W18-layer-kind-0", with_layers(FIRST, w.record(0, b""), HEAD))
    save("W18-layer-kind-7", with_layers(FIRST, w.record(7, b"\0\0\0\0"), HEAD))
    save("W19-short", with_layers(FIRST, w.record(6, HEAD[4:-1])))
    save("W19-concatenation", with_layers(FIRST, w.record(4, w.concatenation([0, 0])[4:] + b"\0")))
    save("W20-activation", with_layers(conv(activation=3), HEAD))
    save("W21-one", with_layers(FIRST, w.concatenation([0]), HEAD))
    save("W21-many", with_layers(FIRST, w.concatenation([0] * 65), HEAD))
    save("W22-no-tensors", with_section("TENS", struct.pack("<I", 0)))
    save("W22-tensors", with_section("TENS", struct.pack("<I", 4097)))
    for storage in (0, 5):
        file = w.smallest()
        file.tensors[1] = ((6,), storage, file.tensors[1][2])
        save("W23-storage-%d" % storage, file)
    file = w.smallest()
    file.tensors[1] = ((), w.FLOAT16, file.tensors[1][2])
    save("W24-rank-0", file)
    file = w.smallest()
    file.tensors[0] = ((1, 1, 1, 3, 6), w.FLOAT16, file.tensors[0][2])
    save("W24-rank-5", file)
    for dimension in (0, 4097, (1 << 32) - 1):
        file = w.smallest()
        file.tensors[0] = ((1, 1, 3, dimension), w.FLOAT16, file.tensors[0][2])
        save("W25-dimension-%d" % dimension, file)
    save("W26-provenance", with_section("PROV", struct.pack("<I", 257)))


def meaning():
    save("W27-escape", with_section("NAME", w.name("\x1b[2J")))
    save("W27-line-feed", with_section("LABL", w.labels(["a\nb"])))
    save("W27-direction", with_section("PROV", w.provenance([("a", "b\n\u202ec")])))
    save("W28-label", with_section("LABL", w.labels(["1", "2", "1"])))
    for size in ((0, 32), (32, 48), (4128, 32)):
        save("W29-size-%d-%d" % size, with_section("INPT", w.input_rules(*size)))
    for word, value in (("zero", 0), ("infinite", INFINITY), ("nan", NAN)):
        save("W30-" + word, with_section("INPT", w.input_rules(32, 32, scales=(1, value, 1))))
    save("W31-nan", with_section("INPT", w.input_rules(32, 32, biases=(0, 0, NAN))))
    save("W32-overlap", with_section("THRS", w.thresholds(1.5, 0.25)))
    save("W32-nan", with_section("THRS", w.thresholds(NAN, 0.25)))
    save("W32-confidence", with_section("THRS", w.thresholds(0.5, -0.5)))


def graph():
    shapes = [(1, 1, 3, 6), (6,)]
    save("W33-itself", with_layers(conv(0), HEAD))
    save("W33-far", with_layers(w.record(1, b"\xff" * 4 + FIRST[8:]), HEAD))
    save("W34-head", with_layers(FIRST, HEAD, w.head(1, 1, 8, 1)))
    save("W35-kernel-0", with_layers(conv(kernel=0), HEAD))
    save("W35-kernel-8", with_layers(conv(kernel=8), HEAD))
    save("W35-pooling-16", with_layers(FIRST, w.max_pooling(0, 16, 1, 0), HEAD))
    save("W36-stride-0", with_layers(conv(stride=0), HEAD))
    save("W36-stride-3", with_layers(conv(stride=3), HEAD))
    save("W37-no-padding", with_layers(conv(kernel=3), HEAD))
    save("W37-padding", with_layers(conv(padding=1), HEAD))
    save("W37-even-kernel", with_layers(conv(kernel=2), HEAD))
    save("W37-pooling", with_layers(FIRST, w.max_pooling(0, 5, 1, 1), HEAD))
    save("W38-slope", with_layers(conv(activation=w.LEAKY, slope=1.5), HEAD))
    save("W38-nan", with_layers(conv(activation=w.LEAKY, slope=NAN), HEAD))
    save("W39-factor-1", with_layers(FIRST, w.upsampling(0, 1), HEAD))
    save("W39-factor-33", with_layers(FIRST, w.upsampling(0, 33), HEAD))
    save("W40-no-channels", with_layers(conv(outputs=0), HEAD))
    wide = [conv(outputs=64), w.concatenation([0] * 64)]
    save("W40-concatenation", with_layers(
        *wide, w.concatenation([1, 1]), w.head(2, 1, 8, 1), shapes=[(1, 1, 3, 64), (64,)]))
    save("W41-convolution", with_layers(conv(inputs=4), HEAD))
    save("W41-addition", with_layers(FIRST, w.addition(0, None), HEAD))
    save("W41-head", with_layers(FIRST, w.head(0, 1, 8, 2), label_count=2))
    save("W42-concatenation", with_layers(
        FIRST, w.max_pooling(0, 2, 2, 0), w.concatenation([0, 1]), HEAD))
    save("W42-addition", with_layers(FIRST, w.max_pooling(0, 2, 2, 0), w.addition(1, 0), HEAD))
    pools = [w.max_pooling(index, 2, 2, 0) for index in range(6)]
    save("W43-small", with_layers(FIRST, *pools, w.head(6, 64, 8, 1)))
    save("W43-large", with_layers(
        FIRST, pools[0], w.upsampling(1, 4), w.head(2, 1, 8, 1)))
    save("W44-classes", with_layers(FIRST, w.head(0, 1, 8, 2)))
    for word, value in (("zero", 0), ("nan", NAN), ("infinite", INFINITY)):
        save("W45-" + word, with_layers(FIRST, w.head(0, 1, value, 1)))
    save("W46-stride", with_layers(FIRST, w.head(0, 2, 8, 1)))
    save("W47-weights", with_layers(conv(weights=2), HEAD))
    save("W47-bias", with_layers(conv(bias=(1 << 32) - 1), HEAD))
    save("W48-large", with_layers(
        *wide, conv(1, inputs=4096, outputs=4096, kernel=7, padding=3, weights=2, bias=3), HEAD,
        shapes=[(1, 1, 3, 64), (64,), (7, 7, 1, 1), (1,)]))
    save("W49-order", with_layers(FIRST, HEAD, shapes=[(1, 1, 6, 3), (6,)]))
    save("W49-rank", with_layers(FIRST, HEAD, shapes=[(18,), (6,)]))
    save("W49-shared", with_layers(
        FIRST, conv(0, inputs=6, outputs=6), w.head(1, 1, 8, 1), shapes=shapes))
    save("W50-head", with_layers(FIRST))
    save("W51-layer", with_layers(FIRST, w.max_pooling(0, 1, 1, 0), HEAD))
    save("W52-tensor", with_layers(FIRST, HEAD, shapes=shapes + [(6,)]))
    save("W52-gap", with_layers(
        conv(bias=2), HEAD, shapes=[(1, 1, 3, 6), (6,), (6,)]))
    save("W52-all", with_layers(
        w.concatenation([None, None]), HEAD, shapes=[(6,)]))


def tensors():
    for word, change in (("short", -2), ("long", 2)):
        file = w.smallest()
        file.byte_count_changes = {1: change}
        save("W53-" + word, file)
    for word, change in (
            ("overlap", {1: -64}), ("hole", {1: 64}), ("unaligned", {0: 2}),
            ("descending", {0: 64, 1: -64}), ("huge", {1: (1 << 63)})):
        file = w.smallest()
        file.offset_changes = change
        save("W54-" + word, file)
    file = w.smallest()
    file.tail = b"\0"
    save("W55-behind", file)
    legal = w.smallest().bytes()
    save("W55-within", w.seal(legal[:-1]))
    save("W55-before", w.seal(legal[:360]))
    save("W55-before-all", w.seal(legal[:302]))
    file = w.smallest()
    file.gap = 1
    save("W56-gap", file)
    save("W56-between", edited(383, b"\1"))
    for word, value in (("nan", NAN), ("infinite", INFINITY), ("minus-infinite", -INFINITY)):
        values = np.zeros((1, 1, 3, 6), np.float32)
        values.flat[17] = value
        for storage, data in (
                ("float32", values.tobytes()), ("float16", values.astype("<f2").tobytes()),
                ("bfloat16", (values.view(np.uint32) >> 16).astype("<u2").tobytes())):
            file = w.smallest()
            code = {"float32": w.FLOAT32, "float16": w.FLOAT16, "bfloat16": w.BFLOAT16}[storage]
            file.tensors[0] = (values.shape, code, data)
            save("W57-%s-%s" % (storage, word), file)
    for word, value in (
            ("negative", -1), ("minus-zero", -0.0), ("infinite", INFINITY), ("nan", NAN),
            ("large", 3e38)):
        scales = np.array([1, 1, 1, value, 1, 1], "<f4").tobytes()
        file = w.smallest()
        file.tensors[0] = ((1, 1, 3, 6), w.INT8, scales + bytes(18))
        save("W58-" + word, file)
    file = w.smallest()
    file.tensors[0] = (
        (1, 1, 3, 6), w.INT8, np.ones(6, "<f4").tobytes() + bytes(7) + b"\x80" + bytes(10))
    save("W59-int8", file)


def everything():
    shapes = [
        (3, 3, 3, 4), (4,),  # 0: convolution 3x3 stride 2 leaky, float16
        (1, 1, 4, 4), (4,),  # 2: 1x1 sigmoid weighted, bfloat16
        (2, 2, 8, 7), (7,),  # 4: 2x2 stride 2 identity, int8
        (1, 1, 7, 7), (7,),  # 6: shared by two convolutions, float32
        (5, 5, 11, 7), (7,),  # 8: 5x5, int8
    ]
    storages = [
        w.FLOAT16, w.FLOAT32, w.BFLOAT16, w.FLOAT16, w.INT8, w.BFLOAT16, w.FLOAT32, w.INT8,
        w.INT8, w.FLOAT32]
    values = []
    for shape in shapes:
        values.append(random.normal(0, 0.5, shape).astype(np.float32))
    values[4][..., 3] = 0  # a channel of zeros has the scale 0
    values[0].flat[:6] = [0, -0.0, 65504, -2.0 ** -24, 2.0 ** -25, 1e-30]
    values[2].flat[:3] = [3e38, -1e-40, 1.00390625]
    layers = [
        w.convolution(None, 3, 4, 3, 2, 1, 0, 1, w.LEAKY, 0.125),  # 0: /2, 4
        w.convolution(0, 4, 4, 1, 1, 0, 2, 3, w.SILU),  # 1: /2, 4
        w.addition(0, 1),  # 2: /2, 4
        w.max_pooling(2, 2, 2, 0),  # 3: /4, 4
        w.max_pooling(3, 5, 1, 2),  # 4: /4, 4
        w.concatenation([3, 4]),  # 5: /4, 8
        w.convolution(5, 8, 7, 2, 2, 0, 4, 5),  # 6: /8, 7
        w.convolution(6, 7, 7, 1, 1, 0, 6, 7, w.LEAKY, 0),  # 7: /8, 7
        w.head(7, 8, 48.5, 2),  # 8
        w.upsampling(6, 4),  # 9: /2, 7
        w.concatenation([9, 2]),  # 10: /2, 11
        w.convolution(10, 11, 7, 5, 1, 2, 8, 9),  # 11: /2, 7
        w.convolution(11, 7, 7, 1, 1, 0, 6, 7),  # 12: /2, 7
        w.head(12, 2, 12.25, 2),  # 13
    ]
    file = w.File(
        {
            "NAME": w.name("everything \u2682"),
            "INPT": w.input_rules(
                96, 64, 1, 2, 7, scales=(1 / 255, 0.5, -2), biases=(0, -1.5, 0.25)),
            "LABL": w.labels(["heads", "Zahl \u00e9"]),
            "THRS": w.thresholds(0.45, 1),
            "LAYR": w.layers(layers),
            "PROV": w.provenance([
                ("licence", "MIT"),
                ("credits", "first line\nsecond line: \u4e16\u754c\n"),
                ("credits", ""),
            ]),
        },
        [(shape, storage, w.stored(value, storage)[0])
         for shape, storage, value in zip(shapes, storages, values)])
    (LEGAL / "everything.dvweights").write_bytes(file.bytes())


def twins():
    """Two heads of the same stride."""
    file = with_layers(FIRST, w.head(0, 1, 8, 1), w.head(0, 1, 16, 1))
    (LEGAL / "twins.dvweights").write_bytes(file.bytes())


def newer():
    file = w.smallest()
    file.minor = 7
    file.appended = b"note" + (5).to_bytes(4, "little") + b"hello" + b"more" + bytes(4)
    (LEGAL / "newer.dvweights").write_bytes(file.bytes())


if __name__ == "__main__":
    (LEGAL / "smallest.dvweights").write_bytes(w.smallest().bytes())
    everything()
    newer()
    twins()
    for old in FOLDER.glob("*.dvweights"):
        old.unlink()
    for part in (header, sections, codes, meaning, graph, tensors):
        part()
    assert len(written) == len(set(written)), "two files have the same name"
    print(len(written), "files,", sum(path.stat().st_size for path in written), "bytes")
