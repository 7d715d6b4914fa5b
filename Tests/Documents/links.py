"""Checks the links of all documents: files and headings of this checkout, and how addresses are spelled.

    python3 links.py

Paths in `code` that begin with one of our folders have to exist, too.
"""

import re
import sys
import urllib.parse
from functools import cache

from documents import ROOT, documents

FOLDERS = ("Docs", "Sources", "Tests", "Benchmarks", "Fixtures", ".github", ".ci")


def prose(document):
    """The lines of a document with their numbers, without fenced blocks and comments."""
    text = re.sub(r"<!--.*?-->", lambda match: "\n" * match[0].count("\n"),
                  document.read_text(encoding="utf-8"), flags=re.S)
    fence = None
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+)", line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and line.strip() == fence:
            fence = None
        elif fence is None:
            yield number, line


@cache
def anchors(document):
    """The names under which headings of a document are reached."""
    found, counts = set(), {}
    for _, line in prose(document):
        heading = re.match(r"#+ +(.*?) *#*$", line)
        if heading:
            name = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "")
            name = re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")
            count = counts.get(name, 0)
            counts[name] = count + 1
            found.add(f"{name}-{count}" if count else name)
    return found


def fault(document, target):
    """What is wrong with a link, or None."""
    if re.match(r"[a-z][a-z+.-]*:", target):
        parts = urllib.parse.urlsplit(target)
        if parts.scheme not in ("https", "http", "mailto"):
            return None if parts.scheme == "doc" else "an unknown kind of address"
        if parts.scheme != "mailto" and not re.fullmatch(r"[\w.-]+(:\d+)?", parts.netloc):
            return "an address without a host"
        return "an address with spaces" if re.search(r"\s", target) else None
    path, _, anchor = target.partition("#")
    file = (document.parent / urllib.parse.unquote(path)).resolve() if path else document
    if not file.exists():
        return "there is no such file"
    if ROOT not in file.parents and file != ROOT:
        return "outside the checkout"
    if anchor and (file.suffix != ".md" or anchor not in anchors(file)):
        return "there is no such heading"
    return None


def main():
    faults, count = [], 0
    for document in documents():
        in_catalog = any(parent.suffix == ".docc" for parent in document.parents)
        for number, line in prose(document):
            place = f"{document.relative_to(ROOT)}:{number}"
            plain = re.sub(r"`[^`]*`", "", line)
            targets = re.findall(r"(!?)\[[^]]*\]\(([^)\s]+)\)", plain)
            for is_image, target in targets:
                # Pictures of a catalogue are named without folder; docc checks them.
                if in_catalog and is_image:
                    continue
                count += 1
                if problem := fault(document, target):
                    faults.append(f"{place}: {target}: {problem}")
            for code in re.findall(r"`([^`]+)`", line):
                path = code.split(" ")[-1] if code.startswith("bash ") else code
                folder = path.split("/")[0]
                # Words in capitals stand for something; a last `…` or `*` for several.
                if folder in FOLDERS and "/" in path and re.fullmatch(r"[\w./+-]+", path) \
                        and not re.search(r"/[A-Z]{3,}(/|$)", path):
                    count += 1
                    if not (ROOT / path).exists() and not list(ROOT.glob(f"{path}.*")):
                        faults.append(f"{place}: {path}: there is no such file")
    if count < 50:
        sys.exit("The documents have lost their links.")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{count} links and paths lead somewhere")


main()
