"""The documents of this checkout and the blocks of code in them."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Block:
    """A fenced block: what it holds, and the HTML comment directly above it."""

    document: Path
    line: int  # of its first line of code
    language: str
    code: str
    marker: str

    @property
    def place(self):
        return f"{self.document.relative_to(ROOT)}:{self.line}"


def documents():
    """All Markdown files that git knows or would add, in the order of their names."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in sorted(listed.split("\0")) if name and (ROOT / name).exists()]


def blocks(document, text=None, offset=0):
    """The fenced blocks of a document, or of a text that begins behind line `offset` of it."""
    lines = (document.read_text(encoding="utf-8") if text is None else text).split("\n")
    found, index = [], 0
    comment, comment_end = [], -2
    while index < len(lines):
        line = lines[index]
        if line.startswith("<!--"):
            comment = [line[4:]]
            while "-->" not in comment[-1] and index + 1 < len(lines):
                index += 1
                comment.append(lines[index])
            comment[-1] = comment[-1].split("-->")[0]
            comment_end = index
        fence = re.match(r"( *)(```+)(\w*)", line)
        if fence:
            indent, ticks, language = fence.groups()
            first = index + 1
            index = first
            while index < len(lines) and not lines[index].strip().startswith(ticks):
                index += 1
            code = "\n".join(part[len(indent):] for part in lines[first:index])
            marker = "\n".join(comment).strip() if comment_end == first - 2 else ""
            found.append(Block(document, first + 1 + offset, language, code, marker))
        index += 1
    return found
