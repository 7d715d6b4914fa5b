"""Compares the package's manifest with its sources, and draws its modules.

    swift package dump-package | python3 modules.py [--check]

Fails on an import that the manifest does not declare, on a dependency that no file imports, on an arrow that does
not point down, on a kit that knows another, on an arrow that leads to what a floor must not know, and on a
program that links what is a sister program's. Draws the arrows between the markers in Docs/Architecture.md;
with --check it fails where they are drawn otherwise there.
"""

import json
import pathlib
import re
import sys

# The floors from the ground up, each a folder of Sources. A module imports from its own floor and those below.
FLOORS = ["Ground", "Engine", "Media", "Tasks", "Kits", "Workshop", "Programs"]

# A kit knows of its own floor no more than its weights.
KIT_PARTS = {
    "DiceVisionKit": {"DiceVisionWeights"}, "DiceGameKit": {"DiceGameWeights"},
    "ThrowVisionKit": {"DiceThrowWeights"}, "DiceObjects": set(),
    # More weights for the same kit.
    "AnyDice": {"DiceVisionKit", "DiceVisionWeights"}}

# What a floor must not know, not even by way of others: the engine computes with shapes and numbers, and knows
# neither pictures nor geometry.
UNKNOWN = {
    floor: ["DiceGeometry", "DiceImaging", "DiceCodecs", "DiceDrawing", "DiceAudio"]
    for floor in ["Engine"]}

# What a program must not link: whoever reads dice waits for no workshop and no other kit.
NOT_LINKED = {
    "dicevision": [
        "DiceGameKit", "ThrowVisionKit", "DiceGameWeights", "DiceThrowWeights", "DiceFields",
        "DiceTrajectories", "DicePoses", "DiceServer"],
    "dicevision-game": ["ThrowVisionKit", "DiceThrowWeights", "DiceServer"],
    "dicevision-table": ["DiceGameKit", "DiceGameWeights", "ThrowVisionKit", "DiceThrowWeights"],
    "dicevision-throws": ["DiceVisionKit", "DiceVisionWeights", "DiceGameKit", "DiceGameWeights"]}

# Modules that are drawn as one: which of them there are depends on the computer.
DRAWN_AS = {
    "DiceKernels" + name: "DiceKernels…" for name in ("Baseline", "AVX2", "AVX512", "AMX")}

DOCUMENT = pathlib.Path("Docs/Architecture.md")
BEGIN = "<!-- modules: drawn by Tests/Architecture/run -->"
END = "<!-- end of modules -->"

IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:(?:public|package|internal|private|fileprivate)[ \t]+)?"
    r"import[ \t]+(?:(?:struct|enum|class|protocol|actor|typealias|func|let|var)[ \t]+)?(\w+)",
    re.MULTILINE)
CAN_IMPORT = re.compile(r"canImport\((\w+)\)")


def floor_of(target):
    """The floor that a module lives on; None for what is no module, such as tests and benchmarks."""
    parts = pathlib.Path(target.get("path") or "").parts
    return parts[1] if len(parts) == 3 and parts[0] == "Sources" else None


def declared(target):
    """The names of a target's dependencies in this package."""
    names = set()
    for dependency in target["dependencies"]:
        kind = dependency.get("byName") or dependency.get("target")
        if kind:
            names.add(kind[0])
    return names


def imported(target, names, pattern=IMPORT):
    """Which of the package's modules a target's files import, with one of the files for each."""
    kind = "Tests" if target["type"] == "test" else "Sources"
    folder = pathlib.Path(target.get("path") or f"{kind}/{target['name']}")
    found = {}
    for path in sorted(folder.rglob("*.swift")):
        for word in pattern.findall(path.read_text()):
            name = names.get(word)
            if name and name != target["name"]:
                found.setdefault(name, path)
    return found


def faults(targets):
    """What is wrong, a sentence each."""
    names = {target["name"] for target in targets}
    # A module's name has no hyphens.
    modules = {name.replace("-", "_"): name for name in names}
    arrows = {target["name"]: declared(target) & names for target in targets}
    floors = {target["name"]: floor_of(target) for target in targets}
    for target in targets:
        name, known = target["name"], declared(target)
        used = imported(target, modules)
        for other in sorted(used.keys() - known):
            yield f"{used[other]}: {name} imports {other}, which its dependencies do not have."
        for other in sorted(known - used.keys() - imported(target, modules, CAN_IMPORT).keys()):
            yield f"Package.swift: {name} depends on {other}, which none of its files imports."
        own = floors[name]
        if own is None:
            continue
        if own not in FLOORS:
            yield f"{name} lives on {own}, which is no floor of Tests/Architecture/modules.py."
            continue
        for other in sorted((known | used.keys()) & names):
            below = floors[other]
            if below is None or FLOORS.index(below) > FLOORS.index(own):
                yield f"{name} ({own}) depends on {other} ({below}): that arrow does not point down."
            elif own == below == "Kits" and other not in KIT_PARTS.get(name, set()):
                yield f"{name} depends on {other}: a kit must not know another."
        workshop = {module for module in names if floors[module] == "Workshop"}
        forbidden = set(NOT_LINKED[name]) | workshop if name in NOT_LINKED else set()
        for other in sorted(reached(name, arrows) & forbidden):
            yield f"{name} must not link {other}, not even by way of other modules."
        for other in sorted(reached(name, arrows) & set(UNKNOWN.get(own, []))):
            yield f"{name} ({own}) must not know {other}, not even by way of other modules."


def reached(name, arrows):
    """All modules that arrows lead to from one of them."""
    found, open_ends = set(), [name]
    while open_ends:
        for other in arrows[open_ends.pop()] - found:
            found.add(other)
            open_ends.append(other)
    return found


def drawing(targets):
    """The modules as a Mermaid diagram; an arrow is left out where a longer way leads there."""
    arrows = {}
    for target in targets:
        if floor_of(target):
            name = DRAWN_AS.get(target["name"], target["name"])
            others = {DRAWN_AS.get(other, other) for other in declared(target)}
            arrows.setdefault(name, set()).update(others - {name})
    reach = {}

    def below(name):
        if name not in reach:
            reach[name] = set()
            for other in arrows.get(name, ()):
                reach[name] |= {other} | below(other)
        return reach[name]

    identifier = lambda name: name.replace("…", "Sets").replace("-", "")
    lines = ["```mermaid", "flowchart TD"]
    for floor in reversed(FLOORS):
        drawn = []
        for target in targets:
            module = DRAWN_AS.get(target["name"], target["name"])
            if floor_of(target) == floor and module not in drawn:
                drawn.append(module)
        if drawn:
            lines.append(f'  subgraph "{floor}"')
            lines += [f'    {identifier(module)}["{module}"]' for module in drawn]
            lines.append("  end")
    for name in sorted(arrows):
        direct = {
            other for other in arrows[name]
            if not any(other in below(third) for third in arrows[name] if third != other)}
        lines += [f"  {identifier(name)} --> {identifier(other)}" for other in sorted(direct)]
    return "\n".join(lines + ["```"])


def main():
    targets = json.load(sys.stdin)["targets"]
    found = list(faults(targets))
    for fault in found:
        print(fault, file=sys.stderr)
    text = DOCUMENT.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{DOCUMENT} must have the markers of the drawing, once each.")
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    fresh = f"{head}{BEGIN}\n{drawing(targets)}\n{END}{tail}"
    if fresh != text:
        if "--check" in sys.argv[1:]:
            sys.exit(f"The drawing in {DOCUMENT} is stale: bash Tests/Architecture/run draws it.")
        DOCUMENT.write_text(fresh)
    if found:
        sys.exit(1)
    print(f"{len(targets)} targets: imports and manifest agree, and arrows point down.")


main()
