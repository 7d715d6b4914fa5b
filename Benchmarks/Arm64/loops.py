#!/usr/bin/env python3
"""Predicts how many cycles the inner loops of the arm64 kernels take, with LLVM's scheduling models.

    bash Tests/Arm64/run kernels
    python3 Benchmarks/Arm64/loops.py .build-arm64/kernels.elf

Prints a table. Needs aarch64-linux-gnu-objdump (binutils-aarch64-linux-gnu) and llvm-mca of LLVM 19 (llvm-19).
A model knows the processor's units and latencies; what memory takes, and whether a loop is fed in time, it does
not know.
"""

import re
import subprocess
import sys

PROCESSORS = {"Cortex-A55": "cortex-a55", "Cortex-A76": "cortex-a76", "Neoverse N1": "neoverse-n1",
              "Neoverse N2": "neoverse-n2"}
ROUNDS = 200
# Each kernel: its name, and what its functions and their loops have.
KERNELS = [
    ("floats, direct", r"convolveTile.*SIMD4.*Fused", r"\tfmla\tv\d+\.4s", 4),
    ("8-bit integers", r"convolveTile.*ByteProducts", r"\tsdot\tv\d+\.4s", 16),
]


def functions(path):
    """The functions of a program by name, each a list of addresses and instructions."""
    text = subprocess.run(
        ["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", path], check=True,
        capture_output=True, text=True).stdout
    found, current = {}, None
    for line in text.splitlines():
        if heading := re.match(r"[0-9a-f]+ <(.*)>:", line):
            current = found.setdefault(heading[1], [])
        elif (instruction := re.match(r"\s+([0-9a-f]+):(\t.*)", line)) and current is not None:
            current.append((int(instruction[1], 16), instruction[2]))
    return found


def loops(instructions):
    """The loops of a function that hold no other."""
    places = {address: place for place, (address, _) in enumerate(instructions)}
    spans = []
    for place, (_, text) in enumerate(instructions):
        target = re.match(r"\t(?:b(?:\.\w+)?|cbn?z|tbn?z)\t(?:.*, )?([0-9a-f]+) <", text)
        if target and (start := places.get(int(target[1], 16), place + 1)) <= place:
            spans.append((start, place))
    for start, end in spans:
        if not any(start <= first and last < end for first, last in spans):
            yield [text for _, text in instructions[start:end + 1]]


def cycles(loop, processor):
    """The predicted cycles of a round of a loop."""
    body = [re.sub(r"[0-9a-f]+ <.*", ".Lstart", re.sub(r"\s*//.*", "", text)) for text in loop]
    answer = subprocess.run(
        ["llvm-mca-19", "-mtriple=aarch64-linux-gnu", f"-mcpu={processor}", "-mattr=+dotprod",
         f"-iterations={ROUNDS}"], check=True, capture_output=True, text=True,
        input="\n".join([".Lstart:", *body, ""])).stdout
    return int(re.search(r"Total Cycles:\s+(\d+)", answer)[1]) / ROUNDS


def main():
    found = functions(sys.argv[1])
    print("| inner loop | multiply-adds | instructions | loads | "
          + " | ".join(PROCESSORS) + " |")
    print("|---|--:|--:|--:|" + "--:|" * len(PROCESSORS))
    for name, function, instruction, width in KERNELS:
        candidates = [
            loop for label, instructions in found.items() if re.search(function, label)
            for loop in loops(instructions) if any(re.search(instruction, text) for text in loop)]
        count = {id(loop): sum(bool(re.search(instruction, text)) for text in loop) * width
                 for loop in candidates}
        # That of the largest tile, which does nearly all the work.
        loop = max(candidates, key=lambda loop: (count[id(loop)], -len(loop)))
        loads = sum(text.startswith("\tld") for text in loop)
        rates = [count[id(loop)] / cycles(loop, processor) for processor in PROCESSORS.values()]
        print(f"| {name} | {count[id(loop)]} | {len(loop)} | {loads} | "
              + " | ".join(f"{rate:.1f}" for rate in rates) + " |")


main()
