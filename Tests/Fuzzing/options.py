#!/usr/bin/env python3
"""Calls the command line tool with its options in random combination.

    python3 Tests/Fuzzing/options.py TOOL [SECONDS] [SEED]

Every option of every command, taken from the tool's own help, with values that are likely and values
that are not (0, -1, 1e-50, nan, inf, huge, empty, other alphabets, repeated, missing), on tiny inputs
in a folder of its own. A call may end with status 0, 1 or 2 and says what is wrong on standard error.
It is a finding where a call ends by a signal or another status, takes more than LIMIT seconds of
processor time or MEMORY bytes, fails without a message, or changes an input. Prints findings, each with
the call that repeats it, and ends with status 1 where there is one. The same seed gives the same calls.
"""

import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

LIMIT = 20
MEMORY = 3 << 30
POOL = [
    "0", "-1", "1", "2", "3", "1e-50", "1e308", "-0", "nan", "inf", "-inf", "0x10", "1e400", "",
    " ", "999999999999999999999999", "18446744073709551615", "9223372036854775807", "0.5", ".5",
    "5-2", "1-6", "0-0", "-1-3", "0,0,1,1", "0,0,0,0", "0.9,0.9,0.2,0.2", "nan,0,1,1", "1,1",
    "64x64", "64", "32", "96", "4096x4096", "33", "none", "automatic", "bundled", "standard", "fast",
    "second-stage", "json", "text", "csv", "coco", "up", "right", "9", "key=value", "=", "a=",
    "\u06f3", "\U0001f3b2", "e\u0301", "-", "--", "--json", "/", ".", "..", "/dev/null", "/dev/full",
    "tiling", "rescoring,tiling", ",", "picture.png", "missing.png", "set.json", "coco.json", "voc",
    "yolo", "tiny.dvweights", "text.txt", "out.json", "out.csv", "out.html", "out.png", "out.svg",
    "out", "new/out", "film.y4m", "x" * 5000,
]
# What takes long in earnest is given small values mostly, and the long defaults are never left.
SMALL = {
    "train dice": ["--samples", "2", "--batch", "1", "--input", "64", "--threads", "1"],
    "train digits": ["--epochs", "0.001", "--batch", "1"],
    "train speech": ["--samples", "1", "--batch", "1", "--threads", "1"],
    "train pen-ways": ["--epochs", "0.001", "--batch", "1"],
    "train digit-or-none": ["--epochs", "0.001", "--batch", "1"],
    "evaluate numbers": ["--count", "1"],
    "evaluate faces": ["--dice", "1", "--photos", "1", "--pictures", "1"],
    "render": ["--count", "1", "--width", "64", "--height", "48"],
}
POSITIONALS = {
    "detect": ["picture.png", "picture.ppm", "-", "pictures", "text.txt", "missing.png", ""],
    "track": ["film.y4m", "picture.png", "text.txt", "-"],
    "trajectories": ["film.y4m", "picture.png", "text.txt", "-"],
    "explain": ["picture.png", "text.txt", "-"],
    "teach": ["new.faces", "picture.png", "pictures", "text.txt", "missing.png"],
    "inspect": ["tiny.dvweights", "text.txt", "standard", "missing"],
    "evaluate dice": ["set.json", "coco.json", "voc", "yolo", "text.txt", "pictures"],
    "train dice": ["set.json", "set.json:weight=0.5:boxes=0", "set.json:weight=nan", "coco.json", "yolo"],
    "train digits": ["digits", "text.txt"],
    "evaluate digits": ["digits", "text.txt"],
    "listen": ["text.txt", "picture.png", "-", "missing"],
    "train speech": ["digits", "text.txt"],
    "evaluate speech": ["digits", "text.txt"],
    "train pen-ways": ["digits", "text.txt", "-"],
    "train digit-or-none": ["digits", "text.txt", "-"],
    "evaluate numbers": ["digits", "text.txt"],
    "numbers": ["text.txt", "picture.png", "digits", "-"],
    "relabel": ["set.json", "voc", "text.txt"],
    "convert-annotations": ["set.json", "coco.json", "voc", "yolo", "text.txt", "yolo/data.yaml"],
    "bundle": ["tiny.dvweights", "standard", "text.txt"],
    "export": ["tiny.dvweights", "fast", "text.txt"],
    "completions": ["bash", "zsh", "csh"],
    "help": ["detect", "nonsense"],
}


def commands(tool):
    """The options of each command: name -> [(option, takes a value, its words)]."""
    def lines(*words):
        return subprocess.run(
            [tool, *words], capture_output=True, text=True, check=True).stdout.splitlines()

    def offered(*words):
        return [line.split("\t")[0] for line in lines("--complete", *words, "")]

    names = [name for name in offered() if not name.startswith("-")]
    names = [
        f"{name} {kind}" if kind else name for name in names
        for kind in (offered(name) if name in ("train", "evaluate") else [""])]
    found = {}
    for name in names:
        for line in lines("help", *name.split()):
            option = re.match(r"  (--[a-z-]+)(?: (\S+))?", line)
            if option:
                words = option.group(2) or ""
                choices = words.split("|") if "|" in words else []
                found.setdefault(name, []).append((option.group(1), bool(words), choices))
    return found


def write_inputs(folder, tool):
    def write(name, content):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    picture = b"P6 40 30 255\n" + bytes((i * 7) % 256 for i in range(40 * 30 * 3))
    for name in ["picture.png", "picture.ppm", "pictures/a.ppm", "pictures/b.png", "images/a.ppm"]:
        write(name, picture)  # told apart by content
    write("text.txt", "no picture\n")
    write("film.y4m", b"YUV4MPEG2 W16 H16 F25:1 C420jpeg\n" + (b"FRAME\n" + bytes(384)) * 3)
    write("set.json", '[{"image":"a.ppm","annotations":[{"label":"2","coordinates":'
                      '{"x":10,"y":10,"width":8,"height":8}}]}]')
    write("coco.json", '{"images":[{"id":1,"file_name":"a.ppm"}],"categories":[{"id":0,"name":"d6_2"}],'
                       '"annotations":[{"image_id":1,"category_id":0,"bbox":[1,2,3,4]}]}')
    write("voc/a.xml", "<annotation><filename>a.ppm</filename></annotation>")
    write("voc/a.ppm", picture)
    write("yolo/data.yaml", "train: images\nval: images\nnames: ['1', '2']\n")
    write("yolo/images/a.ppm", picture)
    write("yolo/labels/a.txt", "1 0.5 0.5 0.2 0.2\n")
    os.makedirs(os.path.join(folder, "digits"), exist_ok=True)
    # A network that is read fast.
    tiny = "Fixtures/golden/weights/smallest.dvweights"
    if os.path.exists(tiny):
        shutil.copy(tiny, os.path.join(folder, "tiny.dvweights"))


def snapshot(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = file.read()
    return found


def arguments(options, name, random):
    """A call: some options, likely and unlikely values, in any order."""
    words = []
    for _ in range(random.choice([0, 1, 1, 2, 2, 3, 5, 9])):
        option, takes_value, choices = random.choice(options)
        if not takes_value:
            words.append([option] if random.random() < 0.95 else [option + "=1"])
            continue
        value = random.choice(choices) if choices and random.random() < 0.6 else random.choice(POOL)
        form = random.random()
        if form < 0.03:
            words.append([option])
        elif form < 0.5 or value.startswith("--"):
            words.append([f"{option}={value}"])
        else:
            words.append([option, value])
    given = {word[0].split("=")[0] for word in words}
    small = SMALL.get(name, [])
    for index in range(0, len(small), 2):
        # A long run is no finding.
        words = [word for word in words if word[0].split("=")[0] != small[index] or random.random() < 0.1]
        if not any(word[0].split("=")[0] == small[index] for word in words):
            words.append(small[index:index + 2])
    if any(option == "--output" for option, _, _ in options) and "--output" not in given:
        if random.random() < 0.9:
            words.append(["--output", random.choice(["out", "out.json", "new.dvweights", "other"])])
    if name == "convert-annotations" and "--to" not in given:
        words.append(["--to", random.choice(["createml", "coco", "yolo", "voc"])])
    for _ in range(random.choice([0, 1, 1, 1, 1, 2])):
        words.append([random.choice(POSITIONALS.get(name, ["x"]) + POOL[:8])])
    random.shuffle(words)
    return [word for group in words for word in group]


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))


def shown(words):
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)


def main():
    tool = os.path.abspath(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    chance = random.Random(seed)
    known = commands(tool)
    # It serves until it is interrupted.
    known.pop("live", None)
    assert len(known) >= 10 and "detect" in known, f"only {sorted(known)} have options"
    end = time.monotonic() + seconds
    count, statuses, findings = 0, {}, 0
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    with tempfile.TemporaryDirectory() as scratch:
        inputs = os.path.join(scratch, "inputs")
        write_inputs(inputs, tool)
        original = snapshot(inputs)
        folder = os.path.join(scratch, "work")
        while time.monotonic() < end:
            if count % 20 == 0 or not os.path.isdir(folder):
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(inputs, folder)
            name = chance.choice(sorted(known))
            words = name.split() + arguments(known[name], name, chance)
            count += 1
            begun = resource.getrusage(resource.RUSAGE_CHILDREN)
            try:
                result = subprocess.run(
                    [tool] + words, cwd=folder, env=environment, preexec_fn=limits, timeout=600,
                    stdin=subprocess.DEVNULL, capture_output=True)
            except ValueError:  # a NUL, which no call can hold
                continue
            ended = resource.getrusage(resource.RUSAGE_CHILDREN)
            status = result.returncode
            statuses[status] = statuses.get(status, 0) + 1
            problem = None
            if status not in (0, 1, 2):
                problem = f"status {status}: {result.stderr[-300:]!r}"
            elif status != 0 and not result.stderr.strip():
                problem = f"status {status} without a message"
            elif ended.ru_maxrss * 1024 > MEMORY:
                problem = f"{ended.ru_maxrss >> 10} MB"
            elif ended.ru_utime - begun.ru_utime > LIMIT:
                problem = f"{ended.ru_utime - begun.ru_utime:.0f} s"
            else:
                changed = [
                    path for path, content in original.items()
                    if not os.path.exists(os.path.join(folder, path))
                    or open(os.path.join(folder, path), "rb").read() != content]
                if changed and "--force" not in words:
                    problem = f"{changed} changed"
                if changed:
                    shutil.rmtree(folder)
            if problem:
                findings += 1
                print(f"{problem}\n    {shown(['dicevision'] + words)}", flush=True)
    print(f"{count} calls of {len(known)} commands with {sum(map(len, known.values()))} options, seed "
          f"{seed}; statuses {dict(sorted(statuses.items()))}; {findings} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
