"""The conversation between a benchmark and the engines that it compares.

An engine is a process of its own. It prepares everything, prints `ready`, and then answers lines on
its standard input:

    run WARM COUNT     WARM runs that do not count, then COUNT timed ones:
                       `times MEDIAN MINIMUM BUSY` (milliseconds, milliseconds, and how many threads
                       were busy on average: processor time over time)
    output PATH        one run whose result is written to a file: `written`

`detector-benchmark engine` speaks it as well.
"""

import os
import statistics
import subprocess
import sys
import time


def serve(prepare):
    """Answers a benchmark; `prepare()` gives a function that runs once and one that writes a file."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # Libraries that print do not disturb the conversation.
    run, write = prepare()
    print("ready", file=answers)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "run":
            print("times", *measure(run, int(words[1]), int(words[2])), file=answers)
        else:
            write(words[1])
            print("written", file=answers)


def measure(run, warm, count):
    for _ in range(warm):
        run()
    times = []
    busy = time.process_time()
    start = time.perf_counter()
    for _ in range(count):
        before = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - before))
    wall = time.perf_counter() - start
    return statistics.median(times), min(times), (time.process_time() - busy) / wall


class Failure(Exception):
    """Why an engine is left out."""


class Engine:
    """An engine's process, bound to as many processors as it may have threads."""

    def __init__(self, name, command, threads, log):
        self.name, self.threads, self.turns = name, threads, []
        environment = dict(os.environ)
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]:
            environment[variable] = str(threads)
        processors = sorted(os.sched_getaffinity(0))[:threads]
        if len(processors) < threads:
            raise Failure(f"{threads} threads need as many processors")
        self.log = open(log, "wb")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            env=environment, text=True, bufsize=1,
            preexec_fn=lambda: os.sched_setaffinity(0, processors))
        self.expect("ready")

    def expect(self, word):
        line = self.process.stdout.readline().split()
        if not line or line[0] != word:
            self.process.kill()
            self.process.wait()
            with open(self.log.name, errors="replace") as text:
                lines = [line for line in text.read().splitlines() if line.strip()]
            raise Failure(lines[-1] if lines else "it ended without a word")
        return line[1:]

    def ask(self, question, answer):
        try:
            print(question, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass
        return self.expect(answer)

    def output(self, path):
        self.ask(f"output {path}", "written")

    def turn(self, warm, count):
        # The threads of whoever was at work before may wait actively for a moment.
        time.sleep(0.05)
        self.turns.append([float(word) for word in self.ask(f"run {warm} {count}", "times")])

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.log.close()

    @property
    def median(self):
        return statistics.median(turn[0] for turn in self.turns)

    @property
    def minimum(self):
        return min(turn[1] for turn in self.turns)

    @property
    def busy(self):
        return statistics.median(turn[2] for turn in self.turns)


def compare(ours, peers, rounds, warm, count, skip):
    """Rounds of turns, ours before each peer's, and the results; peers that fail are left out."""
    for _ in range(rounds):
        if not peers:
            ours.turn(warm, count)
        for peer in list(peers):
            ours.turn(warm, count)
            try:
                peer.turn(warm, count)
            except Failure as failure:
                skip(peer.name, failure)
                peers.remove(peer)
    for engine in [ours, *peers]:
        yield {
            "engine": engine.name,
            "threads": engine.threads,
            "medianMilliseconds": round(engine.median, 4),
            "minimumMilliseconds": round(engine.minimum, 4),
            "ratio": float(f"{ours.median / engine.median:.4g}"),
            "busyThreads": round(engine.busy, 2),
        }
        if not 0.8 <= engine.busy <= engine.threads + 0.2:
            print(f"note: {engine.name}, {engine.threads} threads: {engine.busy:.2f} were busy; is "
                  "the machine at work on something else?", file=sys.stderr)
        engine.close()
