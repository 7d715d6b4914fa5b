"""Compares the package's manifest with its sources, and draws its modules.

    swift package dump-package | python3 modules.py [--check]

Fails on an import that the manifest does not declare, on a dependency that no file imports, on a module that
has no floor, on an arrow that does not point down, and on one that leads to what a floor must not know. Draws the arrows between the markers in
Docs/Architecture.md; with --check it fails where they are drawn otherwise there.
"""

import json
import pathlib
import re
import sys

# The floors from the ground up: a name, a height, and its modules. A module imports from floors of less height
# and, within its own floor, those named before it. Floors of one height know nothing of each other.
FLOORS = [
    ("ground", 0, ["DiceSystem", "DiceMath", "DiceGeometry", "DiceParallel", "DiceFiles"]),
    ("kernels", 1, [
        "DiceKernelTemplates", "DiceKernelsBaseline", "DiceKernelsAVX2", "DiceKernelsAVX512",
        "DiceKernelsAMX", "DiceKernels"]),
    ("engine", 2, ["DiceWeights", "DiceNetwork"]),
    ("media", 2, ["DiceImaging", "DiceCodecs", "DiceDrawing", "DiceAudio"]),
    ("tasks", 3, [
        "DiceRegistration", "DiceDetection", "DiceClassification", "DiceContours",
        "DiceDetectorHeads", "DiceTrajectories", "DicePoses",
        "DiceFields"]),
    ("parts of the dice kit", 4, ["DiceBundledWeights", "DiceRolls"]),
    ("the dice kit", 5, ["DiceVisionKit"]),
    ("parts of the game kit", 4, ["DiceGameWeights"]),
    ("the game kit", 5, ["DiceGameKit"]),
    ("the objects kit", 5, ["DiceObjects"]),
    ("parts of the throw kit", 4, ["DiceThrowWeights"]),
    ("the throw kit", 5, ["ThrowVisionKit"]),
    ("workshop", 6, [
        "DiceFigures", "DiceThrowFilms", "DiceScenes", "DiceEvaluation", "DiceAnnotations", "DiceTraining", "DiceVisionTraining",
        "DiceGameTraining", "DiceThrowTraining", "DiceExport", "DiceModelImport", "DiceReports"]),
    ("the tool", 7, ["dicevision"]),
]

# What a floor must not know, not even by way of others: the engine computes with shapes and numbers, and knows
# neither pictures nor geometry.
UNKNOWN = {
    floor: ["DiceGeometry", "DiceImaging", "DiceCodecs", "DiceDrawing", "DiceAudio"]
    for floor in ("kernels", "engine")}

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


def place(module):
    """The floor's name, its height and the place in it; None for a module without a floor."""
    for name, height, modules in FLOORS:
        if module in modules:
            return name, height, modules.index(module)
    return None


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
        for name in pattern.findall(path.read_text()):
            if name in names and name != target["name"]:
                found.setdefault(name, path)
    return found


def faults(targets):
    """What is wrong, a sentence each."""
    names = {target["name"] for target in targets}
    arrows = {target["name"]: declared(target) & names for target in targets}
    for target in targets:
        name, known = target["name"], declared(target)
        used = imported(target, names)
        for other in sorted(used.keys() - known):
            yield f"{used[other]}: {name} imports {other}, which its dependencies do not have."
        for other in sorted(known - used.keys() - imported(target, names, CAN_IMPORT).keys()):
            yield f"Package.swift: {name} depends on {other}, which none of its files imports."
        if not is_drawn(target):
            continue
        own = place(name)
        if own is None:
            yield f"{name} has no floor in Tests/Architecture/modules.py."
            continue
        for other in sorted(known | used.keys()):
            below = place(other)
            if below is None or other == name:
                continue
            same = own[0] == below[0]
            if (same and below[2] >= own[2]) or (not same and below[1] >= own[1]):
                yield (
                    f"{name} ({own[0]}) depends on {other} ({below[0]}): that arrow does not "
                    "point down.")
        for other in sorted(reached(name, arrows) & set(UNKNOWN.get(own[0], []))):
            yield f"{name} ({own[0]}) must not know {other}, not even by way of other modules."


def reached(name, arrows):
    """All modules that arrows lead to from one of them."""
    found, open_ends = set(), [name]
    while open_ends:
        for other in arrows[open_ends.pop()] - found:
            found.add(other)
            open_ends.append(other)
    return found


def is_drawn(target):
    """Whether a target is a module under Sources."""
    return target["type"] != "test" and not target.get("path")


def drawing(targets):
    """The modules as a Mermaid diagram; an arrow is left out where a longer way leads there."""
    arrows = {}
    for target in targets:
        if is_drawn(target):
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

    identifier = lambda name: name.replace("…", "Sets")
    lines = ["```mermaid", "flowchart TD"]
    for floor, _, modules in reversed(FLOORS):
        drawn = []
        for module in modules:
            module = DRAWN_AS.get(module, module)
            if module in arrows and module not in drawn:
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
