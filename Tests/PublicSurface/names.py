"""Lists the public names of symbol graphs in Tests/PublicSurface/PublicNames.md, or compares.

    python3 names.py FOLDER [--check]
"""

import difflib
import json
import pathlib
import re
import sys
import textwrap

DOCUMENT = pathlib.Path("Tests/PublicSurface/PublicNames.md")
HEAD = """# What `import DiceVisionKit` brings

All public names, with those of other modules. `bash Tests/PublicSurface/run` writes this page, and CI compares it: what is
public is public on purpose. [CONTRIBUTING](../../CONTRIBUTING.md#versions) says what is promised of these names. On Apple's platforms the
files in `Sources/Kits/DiceVisionKit/Apple` add members for types of Core Video, Core Media, Core Graphics and Image I/O.
"""


def module(symbol):
    """The module that declares a symbol, from its mangled name."""
    match = re.match(r"s:(?:e:s:)?(\d+)(\w+)", symbol["identifier"]["precise"])
    return match[2][:int(match[1])] if match else "DiceVisionKit"


def listing(symbols):
    modules, members = {}, {}
    for symbol in symbols:
        path = symbol["pathComponents"]
        if len(path) == 1:
            modules.setdefault(module(symbol), set()).add(path[0])
        else:
            members.setdefault(path[0], set()).add(".".join(path[1:]))
    count = sum(len(names) for names in modules.values())
    lines = [HEAD, f"## {count} names by module", "", "| module | names |", "|---|---|"]
    for name in sorted(modules, key=lambda name: (name != "DiceVisionKit", name)):
        lines.append(f"| `{name}` | {', '.join(f'`{one}`' for one in sorted(modules[name]))} |")
    lines += ["", "## Their members", "", "```text"]
    for name in sorted(set().union(*modules.values()) | members.keys()):
        lines.append(name)
        text = ", ".join(sorted(members.get(name, ()))).replace(" ", "\0").replace(",\0", ", ")
        lines += [line.replace("\0", " ") for line in textwrap.wrap(
            text, 110, initial_indent="  ", subsequent_indent="  ", break_long_words=False,
            break_on_hyphens=False)]
    return "\n".join(lines + ["```", ""]), count


def main():
    symbols = []
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.symbols.json")):
        symbols += json.loads(path.read_text())["symbols"]
    text, count = listing(symbols)
    if count < 20:
        sys.exit("These symbol graphs are not those of the library.")
    if "--check" in sys.argv[2:]:
        known = DOCUMENT.read_text() if DOCUMENT.exists() else ""
        if known != text:
            sys.stderr.writelines(difflib.unified_diff(
                known.splitlines(True), text.splitlines(True), str(DOCUMENT), "found"))
            sys.exit("The public names are others: bash Tests/PublicSurface/run writes them down.")
    else:
        DOCUMENT.write_text(text)
    print(f"{count} public names, with {len(symbols)} symbols in all")


main()
