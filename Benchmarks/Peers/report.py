"""What all comparisons share: options, the machine, and how results are printed or stored."""

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import shlex
import sys

WORK = os.environ["DICEVISION_PEERS_WORK"]
BINARIES = os.environ["DICEVISION_BINARIES"]
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OURS = "dicevisionkit"


def tool(name):
    return os.path.join(BINARIES, name)


def skip(name, reason):
    print(f"skipped: {name}: {reason}", file=sys.stderr)


def options(description, rounds, runs, warm=3, threads="1,2"):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--format", choices=["text", "json"], default="text")
    parser.add_argument("--threads", default=threads,
                        type=lambda text: [int(word) for word in text.split(",")])
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--runs", type=int, default=runs, help="timed runs in a turn")
    parser.add_argument("--warm", type=int, default=warm, help="runs before them")
    parser.add_argument("--write", metavar="FILE", help="put the table into its place in FILE")
    return parser


def machine():
    name = platform.processor() or platform.machine()
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    return f"{name}, {os.cpu_count()} processors"


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def publish(arguments, section, results, lines=None, **more):
    """Prints the results, and puts them into the block of a document that is marked for them.

    `lines` is their table, where it is not the usual one.
    """
    lines = lines or table(results)
    document = {
        "machine": machine(),
        "date": datetime.date.today().isoformat(),
        **more,
        "rounds": arguments.rounds,
        "runs": arguments.runs,
        "results": results,
    }
    if arguments.format == "json":
        print(json.dumps(document, indent=2))
    else:
        print(f"{document['date']}, {document['machine']}")
        for line in lines:
            print(line)
    if arguments.write:
        insert(arguments.write, section, document, lines)


def table(results):
    rows = [["engine", "version", "threads", "median ms", "least ms", "ratio"]]
    for result in results:
        rows.append([
            result["engine"], result.get("version") or "", str(result["threads"]),
            f"{result['medianMilliseconds']:.2f}", f"{result['minimumMilliseconds']:.2f}",
            f"{result['ratio']:.3g}",
        ])
    return aligned(rows)


def aligned(rows):
    """The lines of a table whose first row is its head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rows.insert(1, ["-" * width for width in widths])
    return ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
            for row in rows]


def insert(path, section, document, table):
    with open(path) as file:
        text = file.read()
    begin, end = f"<!-- {section} -->", f"<!-- end of {section} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"{path} has no block from {begin} to {end}")
    before, rest = text.split(begin)
    _, after = rest.split(end)
    script = os.path.relpath(sys.argv[0]).removesuffix(".py").replace("network", "run")
    words = []
    arguments = iter(sys.argv[1:])
    for word in arguments:
        if word == "--write":
            next(arguments, None)
        elif not word.startswith("--write="):
            words.append(word)
    command = " ".join(["bash", script, *map(shlex.quote, words)])
    lines = [begin, "", f"{document['date']}, {document['machine']}, `{command}`:", "",
             *table, "", end]
    with open(path, "w") as file:
        file.write(before + "\n".join(lines) + after)
