"""Compiles every piece of Swift in the documents and in the kits' documentation comments.

    python3 snippets.py MODULES FOLDER [apple]

MODULES is the folder of the built modules (or several, with colons between), FOLDER takes the files
that are compiled. With `apple`, only the pieces for Apple's platforms are compiled: for modules that
stand in for those of Apple's SDKs (Tests/AppleStubs/run). A piece stands
in a function of its own, in a file that imports the kits. The function's parameters are what the
documents take for granted (`detector`, `image`, `result` and so on, below). An HTML comment directly
above a piece says where that is not so:

    <!-- swift: with       declarations, line by line, that the piece needs besides -->
    <!-- swift: file -->   it is a file by itself
    <!-- swift: apple -->  a file for Apple's platforms: compiled there, elsewhere only parsed
    <!-- swift: parse -->  it needs other packages, and is only parsed
    <!-- swift: manifest --> a manifest, or a part of one
    <!-- example -->       a program by itself (the README's, which Tests/Consumer runs)
"""

import re
import subprocess
import sys
from pathlib import Path

from documents import ROOT, blocks, documents

PARAMETERS = """
  detector: DiceDetector, image: PixelImage, bytes: [UInt8], samples: [UInt8],
  baseAddress: UnsafeRawPointer, bytesPerRow: Int, frame: borrowing RawFrame, time: Duration,
  frames: [VideoFrame], camera: AsyncStream<VideoFrame>, result: DetectionResult,
  die: DieObservation, tracker: RollTracker, viewWidth: Double, viewHeight: Double,
  show: ([Int], Int) -> Void, bitmap: DigitBitmap, stroke: Stroke,
  sequence: PoseSequence
"""

KITS = ["DiceVisionKit", "DiceGameKit", "ThrowVisionKit"]


def pieces():
    """The pieces of Swift: those of the documents, then those of documentation comments."""
    for document in documents():
        yield from (block for block in blocks(document) if block.language == "swift")
    sources = [(ROOT / "Sources" / kit).rglob("*.swift") for kit in KITS]
    for source in sorted(path for paths in sources for path in paths):
        comment, start = [], 0
        for number, line in enumerate(source.read_text(encoding="utf-8").split("\n") + [""], 1):
            match = re.match(r"\s*/// ?(.*)", line)
            if match:
                if not comment:
                    start = number - 1
                comment.append(match[1])
            elif comment:
                for block in blocks(source, "\n".join(comment), start):
                    if block.language == "swift":
                        yield block
                comment = []


def located(block):
    """The code, so that what the compiler says names the document."""
    return f'#sourceLocation(file: "{block.place.rsplit(":", 1)[0]}", line: {block.line})\n' \
           f"{block.code}\n#sourceLocation()\n"


def in_function(block, number, needs):
    """A file with the code in a function, its imports above it, and what it needs besides."""
    imports = re.findall(r"^import \w+$", block.code, re.M)
    block.code = re.sub(r"^(import \w+)$", r"// \1", block.code, flags=re.M)
    kits = [f"import {kit}" for kit in KITS]
    return "\n".join(sorted({*kits, *imports})) + f"""

func piece{number}({PARAMETERS}) async throws {{
  do {{
{needs}
    do {{
{located(block)}
    }}
  }}
}}
"""


def on_mac(block):
    """Whether a piece for Apple's platforms compiles here: on a Mac, which has no ARKit."""
    return sys.platform == "darwin" and not re.search(r"^import ARKit$", block.code, re.M)


def main():
    modules, folder = sys.argv[1].split(":"), Path(sys.argv[2])
    only_apple = sys.argv[3:] == ["apple"]
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.swift"):
        old.unlink()
    compiled, parsed, manifests = [], [], []
    for number, block in enumerate(pieces()):
        kind, _, needs = block.marker.removeprefix("swift:").strip().partition("\n")
        path = folder / f"piece{number}.swift"
        if only_apple and kind != "apple":
            continue
        if block.marker == "example" or not block.marker.startswith("swift:") or kind == "with":
            compiled.append(path)
            path.write_text(in_function(block, number, needs if kind == "with" else ""))
        elif kind in ("file", "apple", "parse", "manifest"):
            path.write_text(located(block))
            if kind == "manifest" and block.code.startswith("// swift-tools-version"):
                manifests.append((block, path))
            elif kind == "file" or only_apple or (kind == "apple" and on_mac(block)):
                compiled.append(path)
            else:
                parsed.append(path)
        else:
            sys.exit(f"{block.place}: what does the comment above it mean: {block.marker!r}?")
    if len(compiled) < 3 or not only_apple and (len(compiled) < 20 or not parsed):
        sys.exit("The documents have lost their pieces of Swift.")

    status = subprocess.run(
        ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-suppress-warnings",
         "-module-name", "Pieces", *(f"-I{one}" for one in modules), *map(str, compiled)]).returncode
    for path in parsed:
        status |= subprocess.run(["swiftc", "-parse", "-swift-version", "6", path]).returncode
    for block, path in manifests:
        package = folder / "package"
        package.mkdir(exist_ok=True)
        (package / "Package.swift").write_text(block.code)
        dumped = subprocess.run(
            ["swift", "package", "--package-path", package, "dump-package"], capture_output=True)
        if dumped.returncode != 0:
            print(f"{block.place}: {dumped.stderr.decode()}", file=sys.stderr)
            status = 1
    if status != 0:
        sys.exit("A piece of Swift in the documents does not compile.")
    print(f"{len(compiled)} pieces of Swift compile, {len(parsed)} more parse, "
          f"{len(manifests)} manifests are read")


main()
