"""Tries the guide's commands for large jobs: see `run`.

    python3 jobs.py TOOL FOLDER COUNT ROUNDS [LEFT-OUT...]
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "Sources/Kits/DiceVisionKit/DiceVisionKit.docc/Articles/ReadingAMillionPhotos.md"

# The tool as workers find it. For each victim, one call prints some of its lines and then kills it: the process
# that stands for the tool, or the nearest one above whose command line has the victim's name.
WORKER = """#!/bin/sh
for victim in $(cat 'FOLDER/victims'); do
  mkdir "FOLDER/killed/$victim" 2>/dev/null || continue
  'TOOL' "$@" | head -n 3
  process=$$
  if [ "$victim" != tool ]; then
    until tr '\\0' ' ' <"/proc/$process/cmdline" | grep -q "$victim"; do
      process=$(awk '/^PPid:/ { print $2 }' "/proc/$process/status")
      [ "$process" -gt 1 ] || exit 99
    done
  fi
  kill -9 "$process"
  sleep 3
  exit 98
done
exec 'TOOL' "$@"
"""


def check(is_right, sentence):
    if not is_right:
        sys.exit(sentence)


def block(language, word):
    """The guide's piece of code that has a word."""
    found = [
        code for code in re.findall(rf"^```{language}\n(.*?)^```", GUIDE.read_text(), re.M | re.S)
        if word in code]
    check(len(found) == 1, f"The guide has {len(found)} pieces of {language} with {word}.")
    return found[0]


def replaced(text, *changes):
    """A text with words exchanged, each of which it has."""
    for old, new in changes:
        check(old in text, f"The guide's command no longer has {old}.")
        text = text.replace(old, new)
    return text


class Jobs:
    def __init__(self, tool, folder, count):
        self.tool, self.folder, self.count = Path(tool).resolve(), folder, count
        self.batch = max(5, count // 24)
        shutil.rmtree(folder / "work", ignore_errors=True)
        self.work = folder / "work"
        (self.work / "bin").mkdir(parents=True)
        self.worker = self.work / "bin" / "dicevision"
        self.worker.write_text(
            WORKER.replace("FOLDER", str(self.work)).replace("TOOL", str(self.tool)))
        self.worker.chmod(0o755)
        self.environment = os.environ | {
            "PATH": f"{self.work / 'bin'}:{os.environ['PATH']}", "SPARK_LOCAL_IP": "127.0.0.1"}

    def make_pictures(self):
        """Small pictures, some names that need care, and files that cannot be read."""
        pictures = self.folder / f"pictures-{self.count}"
        if not (pictures / "annotations.json").exists():
            subprocess.run(
                [self.tool, "render", "--count", str(self.count), "--width", "240", "--height", "180",
                 "--threads", "1", "--output", pictures], check=True, capture_output=True)
        photos = self.work / "photos"
        photos.mkdir()
        rendered = sorted(pictures.glob("*.jpg"))
        check(len(rendered) == self.count, "Some pictures were not rendered.")
        for path in rendered:
            (photos / path.name).symlink_to(path)
        for name in ("it's a name with spaces.jpg", "Würfel $HOME.jpg", "-n.jpg"):
            shutil.copy(rendered[0], photos / name)
        bytes = rendered[0].read_bytes()
        (photos / "empty.jpg").write_bytes(b"")
        (photos / "half-a-header.jpg").write_bytes(bytes[:300])
        (photos / "scene-text.jpg").write_text("no picture")
        (photos / "gone.jpg").symlink_to("nowhere")
        self.unreadable = sorted(
            str(photos / name)
            for name in ("empty.jpg", "half-a-header.jpg", "scene-text.jpg", "gone.jpg"))

    def shell(self, command, statuses=(0,)):
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], cwd=self.work, env=self.environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        check(result.returncode in statuses,
              f"{command}\nstatus {result.returncode}\n{result.stdout}{result.stderr}")
        return result

    def one_process(self):
        """All names in one call."""
        return self.shell(
            "xargs -d '\\n' -n 1000000 dicevision detect --threads 1 --format json "
            "< names.txt > expected.jsonl", statuses=(123,))

    def make_reference(self):
        find = "find \"$PWD/photos\" -name '*.jpg' | sort > names.txt"
        self.shell(find)
        self.kill([])
        messages = self.one_process().stderr
        names = (self.work / "names.txt").read_text().splitlines()
        answered = [json.loads(line)["image"] for line in open(self.work / "expected.jsonl")]
        check(sorted(set(names) - set(answered)) == self.unreadable and len(answered) == len(
            set(answered)), "One process has not answered every name once.")
        for name in self.unreadable:
            check(name in messages, f"{name} is not named: {messages}")
        self.expected = (self.work / "expected.jsonl").read_bytes()
        print(f"one process: {len(answered)} pictures answered, {len(self.unreadable)} named as unreadable")

    def kill(self, victims):
        """Has the next job lose processes."""
        shutil.rmtree(self.work / "killed", ignore_errors=True)
        (self.work / "killed").mkdir()
        (self.work / "victims").write_text(" ".join(victims))

    def check_answers(self, what, victims, answers, unread):
        killed = {path.name for path in (self.work / "killed").iterdir()}
        check(killed == set(victims), f"{what}: only {killed} of {victims} were killed.")
        check(sorted(unread) == self.unreadable, f"{what}: without an answer are {unread}.")
        check(answers == self.expected, f"{what}: the answers are not those of one process.")

    def parallel(self, victims=()):
        """The guide's commands for GNU parallel, given again where parallel itself was killed."""
        self.kill(victims)
        for name in ("jobs.tsv", "batches", "dice.jsonl"):
            path = self.work / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        commands = replaced(
            block("sh", "parallel --arg-file"), ("find photos", 'find "$PWD/photos"'),
            ("-n 500", f"-n {self.batch} --jobs 2"))
        if "parallel" in victims:
            self.shell(commands, statuses=(137,))
        self.shell(commands)
        self.shell(block("sh", "sorted(set(names)"))
        unread = (self.work / "unread.txt").read_text().splitlines()
        self.check_answers("GNU parallel", victims, (self.work / "dice.jsonl").read_bytes(), unread)

    def spark(self, victims=()):
        """The guide's program for Spark, on a cluster of two executors, each a process of its own."""
        self.kill(victims)
        for name in ("dice", "unread"):
            shutil.rmtree(self.work / name, ignore_errors=True)
        program = replaced(
            block("python", "pyspark"), ("-n 500", f"-n {self.batch}"),
            ("minPartitions=2000", f"minPartitions={self.count // self.batch}"),
            ("/usr/local/bin/dicevision", str(self.worker)))
        (self.work / "read_dice.py").write_text(program)
        import pyspark
        installed, home = Path(pyspark.__file__).parent, self.work / "spark"
        # Workers write into Spark's folder: into one with links to what is installed.
        if not home.exists():
            home.mkdir()
            for path in installed.iterdir():
                (home / path.name).symlink_to(path)
        self.environment |= {
            "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable, "SPARK_LOG_LEVEL": "ERROR"}
        self.shell(
            f"'{home}/bin/spark-submit' --master 'local-cluster[2,1,1024]' "
            "--conf spark.ui.enabled=false --conf spark.executor.memory=512m read_dice.py")
        self.check_answers(
            "Spark", victims, self.parts("dice"), self.parts("unread").decode().splitlines())

    def parts(self, name):
        return b"".join(path.read_bytes() for path in sorted((self.work / name).glob("part-*")))

    def compare(self, ways, rounds):
        """The times of all ways, taken in turn."""
        times = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                began = time.monotonic()
                way()
                times[name].append(time.monotonic() - began)
        alone = times["one process"]
        for name, own in times.items():
            ratios = [one / other for one, other in zip(alone, own)]
            print(f"{name}: {statistics.median(ratios):.2f} times the pictures of one process in the same "
                  f"time ({min(ratios):.2f} to {max(ratios):.2f}, {rounds} rounds, "
                  f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f})")


def main(tool, folder, count, rounds, *left_out):
    jobs = Jobs(tool, Path(folder), int(count))
    jobs.make_pictures()
    jobs.make_reference()
    ways = {"one process": jobs.one_process}
    if "parallel" not in left_out:
        jobs.parallel(["tool", "parallel"])
        print("GNU parallel: the same bytes, though a tool and parallel itself were killed")
        ways["GNU parallel, 2 processes"] = jobs.parallel
    if "spark" not in left_out:
        jobs.spark(["tool", "CoarseGrainedExecutorBackend"])
        print("Spark: the same bytes, though a tool and an executor were killed")
        ways["Spark, 2 executors"] = jobs.spark
    if int(rounds):
        jobs.compare(ways, int(rounds))


main(*sys.argv[1:])
