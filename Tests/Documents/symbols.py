"""Lists the public symbols of a symbol graph that lack documentation, and fails where there are any.

    python3 symbols.py GRAPH.symbols.json
"""

import json
import sys
from collections import Counter

with open(sys.argv[1], encoding="utf-8") as file:
    symbols = json.load(file)["symbols"]

if len(symbols) < 500:
    sys.exit("The symbol graph is not that of the library.")
missing = []
for symbol in symbols:
    if not symbol.get("docComment"):
        place = symbol.get("location", {})
        line = place.get("position", {}).get("line", -1) + 1
        path = place.get("uri", "?").split("/Sources/")[-1]
        missing.append(f"Sources/{path}:{line}: {'.'.join(symbol['pathComponents'])}")
if missing:
    print("\n".join(sorted(missing)), file=sys.stderr)
    sys.exit(f"{len(missing)} public symbols have no documentation.")
kinds = Counter(symbol["kind"]["displayName"] for symbol in symbols)
counted = ", ".join(f"{count} of the kind {kind}" for kind, count in kinds.most_common(3))
print(f"{len(symbols)} public symbols are documented: {counted}, and others")
