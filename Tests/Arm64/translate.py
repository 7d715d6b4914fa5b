"""Makes a program without Swift Testing from files of tests, for Embedded Swift.

    python3 translate.py FOLDER MODULES FILE...

Writes each file into FOLDER with its macros as calls of `Support/Expectations.swift`, and a file that calls
every test; each imports all MODULES, which are separated by commas. What cannot be expressed there, a test of
thrown errors for instance, is left out, and named.
"""

import pathlib
import re
import sys

# Errors of any type, threads, clocks, processes, hashed strings, pictures that are not in the checkout, values of
# a task, models of units that arm64 has not.
IMPOSSIBLE = re.compile(
    r"throws: |: any Error|\bThread\b|\bDispatch|\bawait\b|\brunTimed\b|\[String: |Set\(|\.photos\b"
    r"|FreshMemory\.\$|modelledMatrixUnits")
PLAIN = [
    (r"^(@testable |public )?import \w+\n", ""),
    (r"@Suite(\([^)]*\))? ", ""),
    (r"#expect\(", "expect("),
    (r"#require\(", "require("),
    # No error leaves a test: it ends the program.
    (r"\btry\b(?![?!])", "try!"),
    (r"\) (re)?throws(\(\w+\))?(?= )", ")"),
    # Embedded Swift has no key paths.
    (r"\(\\\.([\w.]+)\)", r"({ $0.\1 })"),
    (r"CustomTestStringConvertible", "CustomStringConvertible"),
    (r"var testDescription", "var description"),
]
TEST = re.compile(r"^  @Test\b", re.MULTILINE)
SUITE = re.compile(r"^(?:@Suite(?:\([^)]*\))? )?struct (\w+)", re.MULTILINE)


def closing(text, start, brackets):
    """Behind the bracket that closes the first one from `start` on."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] == brackets[0]:
            depth += 1
        elif text[place] == brackets[1]:
            depth -= 1
            if depth == 0:
                return place + 1
    sys.exit("A bracket is not closed.")


def parts(text):
    """The parts of a list, between commas outside of brackets."""
    found, depth = [""], 0
    for letter in text:
        depth += letter in "([{"
        depth -= letter in ")]}"
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found if part.strip()]


def call(suite, name, parameters, arguments):
    """A call of a test, for each combination of its arguments."""
    labels = [parameter.split(":")[0].split()[0] for parameter in parameters]
    passed = ", ".join(f"a{i}" if label == "_" else f"{label}: a{i}" for i, label in enumerate(labels))
    loops = "".join(f"for a{i} in ({values}) {{ " for i, values in enumerate(arguments))
    body = f"{loops}{suite}().{name}({passed})" + " }" * len(arguments)
    return f'  test("{suite}.{name}") {{ {body} }}\n'


def translate(path):
    """The file's text for Embedded Swift, calls of its tests, and the names of those that are left out."""
    text = path.read_text(encoding="utf-8")
    calls, left_out = [], []
    while match := TEST.search(text):
        start, after = match.start(), match.end()
        arguments = []
        if text[after] == "(":
            end = closing(text, after, "()")
            # Traits come before the arguments.
            arguments = parts(text[after + 1:end - 1].partition("arguments:")[2])
            after = end
        function = re.compile(r"\s*func (\w+)").match(text, after)
        end = closing(text, function.end(), "()")
        parameters = parts(text[function.end() + 1:end - 1])
        end = closing(text, end, "{}")
        suite = SUITE.findall(text[:start])[-1]
        if IMPOSSIBLE.search(text[start:end]):
            left_out.append(f"{suite}.{function[1]}")
            text = text[:start] + text[end:]
            continue
        # Values that the suite defines are written without its name.
        arguments = [re.sub(r"^(?=cases\b)", f"{suite}.", argument) for argument in arguments]
        calls.append(call(suite, function[1], parameters, arguments))
        text = text[:start] + "  " + text[after:].lstrip()
    for pattern, replacement in PLAIN:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    for index, line in enumerate(calls):
        for pattern, replacement in PLAIN:
            line = re.sub(pattern, replacement, line)
        calls[index] = line
    return text, calls, left_out


def main(folder, modules, files):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.swift"):
        old.unlink()
    calls, left_out = [], []
    imports = "".join(f"import {module}\n" for module in modules.split(",")) + "\n"
    for name in files:
        path = pathlib.Path(name)
        text, found, omitted = translate(path)
        (folder / path.name).write_text(imports + text, encoding="utf-8")
        calls += found
        left_out += omitted
    (folder / "AllTests.swift").write_text(
        f"{imports}func runAllTests() {{\n{''.join(calls)}}}\n", encoding="utf-8")
    if left_out:
        print("Left out: " + ", ".join(left_out) + ".")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
