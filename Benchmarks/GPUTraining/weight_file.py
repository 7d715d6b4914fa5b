"""Reads and writes weight files (Docs/WeightFormat.md); tensors are written as float32.

    python3 weight_file.py average OUT FILE:SHARE FILE:SHARE...
    python3 weight_file.py set FILE OUT NAME=NUMBER...

`average` writes the weighted mean of files of one network, described as the first; `set` changes
named numbers, such as "confidence threshold" and those of the profile.
"""

import base64
import re
import struct
import sys

import numpy as np

MAGIC = bytes.fromhex("894456570d0a1a0a")
ALL = (1 << 64) - 1
P1, P2, P3, P4, P5 = (11400714785074694791, 14029467366897019727, 1609587929392839161,
                      9650029242287828579, 2870177450012600261)


def rotated(value, bits):
    return (value << bits | value >> (64 - bits)) & ALL


def xxh64(content):
    """XXH64 with seed 0 of at least 32 bytes."""
    def mixed(lane, value):
        return rotated((lane + value * P2) & ALL, 31) * P1 & ALL
    lanes, end = [(P1 + P2) & ALL, P2, 0, -P1 & ALL], len(content) // 32 * 32
    for values in struct.iter_unpack("<4Q", content[:end]):
        lanes = list(map(mixed, lanes, values))
    result = sum(map(rotated, lanes, (1, 7, 12, 18))) & ALL
    for lane in lanes:
        result = ((result ^ mixed(0, lane)) * P1 + P4) & ALL
    result = (result + len(content)) & ALL
    while end + 8 <= len(content):
        value, = struct.unpack_from("<Q", content, end)
        result, end = (rotated(result ^ mixed(0, value), 27) * P1 + P4) & ALL, end + 8
    if end + 4 <= len(content):
        value, = struct.unpack_from("<I", content, end)
        result, end = (rotated(result ^ value * P1 & ALL, 23) * P2 + P3) & ALL, end + 4
    for value in content[end:]:
        result = rotated(result ^ value * P5 & ALL, 11) * P1 & ALL
    result = (result ^ result >> 33) * P2 & ALL
    result = (result ^ result >> 29) * P3 & ALL
    return result ^ result >> 32


class Reader:
    """Takes the parts of a section one after the other."""

    def __init__(self, content):
        self.content, self.place = content, 0

    def bytes(self, count):
        self.place += count
        return self.content[self.place - count:self.place]

    def number(self, code="I"):
        return struct.unpack("<" + code, self.bytes(struct.calcsize("<" + code)))[0]

    def text(self):
        return self.bytes(self.number()).decode()

    def list(self, element):
        return [element() for _ in range(self.number())]

    def named_numbers(self):
        return self.list(lambda: (self.text(), self.list(lambda: self.number("f"))))


def text(value):
    return struct.pack("<I", len(value.encode())) + value.encode()


def listed(elements):
    return struct.pack("<I", len(elements)) + b"".join(elements)


def named_numbers(entries):
    return listed([text(name) + listed([struct.pack("<f", value) for value in values])
                   for name, values in entries])


def tensor(reader, content):
    """(shape, flat float32 values) of the next tensor."""
    storage, rank = reader.bytes(2)
    shape = struct.unpack(f"<{rank}I", reader.bytes(4 * rank))
    offset, count = reader.number("Q"), reader.number("Q")
    stored = content[offset:offset + count]
    if storage == 1:
        return shape, np.frombuffer(stored, "<f4")
    if storage == 2:
        return shape, np.frombuffer(stored, "<f2").astype("<f4")
    if storage == 3:
        return shape, (np.frombuffer(stored, "<u2").astype("<u4") << 16).view("<f4")
    scales = np.frombuffer(stored[:4 * shape[-1]], "<f4")
    values = np.frombuffer(stored[4 * shape[-1]:], "i1").astype("<f4")
    return shape, (values.reshape(-1, shape[-1]) * scales).ravel()


def read(path):
    """Sections by tag and a list of (shape, values), of a weight file or bundled Swift source."""
    with open(path, "rb") as file:
        content = file.read()
    if path.endswith(".swift"):
        content = base64.b64decode(re.sub(rb"\s", b"", content.split(b'"""')[1]))
    reader = Reader(content)
    if reader.bytes(10) != MAGIC + b"\2\0":
        raise ValueError(f"{path} is no weight file of version 2")
    reader.place = 12
    description, _, checksum = reader.number(), reader.number("Q"), reader.number("Q")
    if xxh64(content[:24] + bytes(8) + content[32:]) != checksum:
        raise ValueError(f"{path} is damaged")
    reader.place, sections = 64, {}
    while reader.place < 64 + description:
        tag = reader.bytes(4).decode()
        sections[tag] = reader.bytes(reader.number())
    tensors = Reader(sections["TENS"])
    return sections, tensors.list(lambda: tensor(tensors, content))


def write(path, sections, tensors):
    """Writes a weight file whose tensors, (shape, values), are stored as float32."""
    def description(offsets):
        entries = [struct.pack(
            f"<BB{len(shape)}IQQ", 1, len(shape), *shape, offset, 4 * values.size)
                   for (shape, values), offset in zip(tensors, offsets)]
        return b"".join(
            tag.encode() + struct.pack("<I", len(part)) + part
            for tag, part in {**sections, "TENS": listed(entries)}.items())
    end, offsets = 64 + len(description([0] * len(tensors))), []
    for _, values in tensors:
        offsets.append((end + 63) // 64 * 64)
        end = offsets[-1] + 4 * values.size
    described, content = description(offsets), bytearray(end)
    struct.pack_into("<8sHHIQ", content, 0, MAGIC, 2, 0, len(described), end)
    content[64:64 + len(described)] = described
    for (_, values), offset in zip(tensors, offsets):
        content[offset:offset + 4 * values.size] = values.astype("<f4").tobytes()
    struct.pack_into("<Q", content, 24, xxh64(bytes(content)))
    with open(path, "wb") as file:
        file.write(content)


def outputs(sections):
    """The heads: lists of name, layer, kind, labels and named numbers; plain numbers have no kind."""
    reader = Reader(sections["OUTP"])

    def head():
        name, layer, kind = reader.text(), reader.number(), reader.text()
        return [name, layer, kind, *((reader.list(reader.text), reader.named_numbers()) if kind else ([], []))]
    return reader.list(head)


def packed_outputs(heads):
    return listed([
        text(name) + struct.pack("<I", layer) + text(kind)
        + (listed(list(map(text, labels))) + named_numbers(numbers) if kind else b"")
        for name, layer, kind, labels, numbers in heads])


def with_labels(sections, name, labels, base_sizes):
    """The sections for other labels, with a base size in pixels for each head."""
    heads = outputs(sections)
    for head, base in zip(heads, base_sizes):
        head[3] = labels
        head[4] = [(key, [base] if key == "base size" else values) for key, values in head[4]]
    reader, records = Reader(sections["LAYR"]), []
    for index in range(reader.number()):
        kind, count = reader.number("H"), reader.number("H")
        fields = bytearray(reader.bytes(count))
        if index in [head[1] for head in heads]:
            struct.pack_into("<I", fields, 8, 5 + len(labels))
        records.append(struct.pack("<HH", kind, count) + fields)
    return {**sections, "NAME": text(name), "LAYR": listed(records), "OUTP": packed_outputs(heads)}


def provenance(sections):
    reader = Reader(sections["PROV"])
    return reader.list(lambda: (reader.text(), reader.text()))


def with_provenance(sections, entries):
    return {**sections, "PROV": listed([text(key) + text(value) for key, value in entries])}


def with_numbers(sections, changes):
    """The sections with other values of named numbers, of the heads and of the profile.

    Numbers of the profile have a dot in their names; those that it lacks are added.
    """
    known = set()

    def changed(entries):
        known.update(name for name, _ in entries)
        return [(name, [changes[name]] if name in changes else values) for name, values in entries]
    heads = [[*head, changed(numbers)] for *head, numbers in outputs(sections)]
    profile = changed(Reader(sections["PROF"]).named_numbers())
    for name in changes.keys() - known:
        if "." not in name:
            raise ValueError(f"no head has the number {name}")
        profile.append((name, [changes[name]]))
    return {**sections, "OUTP": packed_outputs(heads), "PROF": named_numbers(profile)}


def main():
    command, *arguments = sys.argv[1:]
    if command == "set":
        source, target, *changes = arguments
        sections, tensors = read(source)
        pairs = (change.split("=") for change in changes)
        changes = {name: float(value) for name, value in pairs}
        write(target, with_numbers(sections, changes), tensors)
    elif command == "average":
        files = [(read(path), float(share))
                 for path, share in (argument.rsplit(":", 1) for argument in arguments[1:])]
        total, ((sections, tensors), _) = sum(share for _, share in files), files[0]
        means = [(shape, sum(part[index][1].astype("f8") * (share / total)
                             for (_, part), share in files))
                 for index, (shape, _) in enumerate(tensors)]
        write(arguments[0], sections, means)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
