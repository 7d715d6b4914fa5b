"""Adds to the graph of DiceVisionKit the members that exported types have from extensions.

    python3 extensions.py FOLDER RESULT MODULE...
"""

import json
import pathlib
import sys


def main():
    folder, result = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    graph = json.loads((folder / "DiceVisionKit.symbols.json").read_text())
    known = {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
    names = {symbol["pathComponents"][0] for symbol in graph["symbols"]}
    relations = {json.dumps(one, sort_keys=True) for one in graph["relationships"]}
    for module in sys.argv[3:]:
        other = json.loads((folder / f"{module}.symbols.json").read_text())
        added = {
            symbol["identifier"]["precise"] for symbol in other["symbols"]
            if symbol["pathComponents"][0] in names} - known
        graph["symbols"] += [
            symbol for symbol in other["symbols"] if symbol["identifier"]["precise"] in added]
        known |= added
        for one in other["relationships"]:
            text = json.dumps(one, sort_keys=True)
            if one["source"] in known and text not in relations:
                relations.add(text)
                graph["relationships"].append(one)
    result.write_text(json.dumps(graph))


main()
