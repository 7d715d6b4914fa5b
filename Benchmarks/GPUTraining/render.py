"""Renders the pictures of the training until the time is over, in folders of 12: SHARDS/KIND-N.

    python3 render.py TOOL SHARDS --seconds S [--numerals]
"""

import argparse
import os
import subprocess
import sys
import threading
import time
from random import random

EACH = 12
VALUES = "--style varied --label-polyhedra values "
LOOKALIKES = "--style hard-negatives "
# How large a part of the pictures each kind is, and the options of `dicevision render`.
KINDS = {
    "polyhedra": (36, VALUES + "--dice 0-3 --polyhedra 3-9 --die-size 5-20"),
    "numerals": (9, VALUES + "--faces numerals --dice 1-4 --polyhedra 1-4 --die-size 5-24"),
    "large-polyhedra": (11, VALUES + "--dice 0 --polyhedra 1-2 --die-size 13-38"),
    "small-polyhedra": (
        6, VALUES + "--dice 0-4 --polyhedra 6-20 --die-size 3-7 --elevation 40-90"),
    "polyhedra-from-low": (
        8, VALUES + "--dice 0-2 --polyhedra 3-8 --die-size 6-20 --elevation 22-45"),
    "polyhedra-among-lookalikes": (
        6, LOOKALIKES + "--label-polyhedra values --dice 0-2 --polyhedra 1-6 --die-size 6-20"),
    "scenes": (8, "--style varied"),
    "lookalikes": (6, LOOKALIKES + "--height 560"),
    "clutter": (5, "--style clutter"),
    "large-ones": (5, "--style varied --makes large-one --dice 1-9 --die-size 3-14"),
    "large-ones-among-lookalikes": (
        2, LOOKALIKES + "--makes large-one --dice 1-7 --die-size 3-14"),
    "rare": (2.5, "--style varied --makes rare --dice 2-14 --die-size 4-28"),
    "small": (2.5, "--style varied --dice 8-34 --die-size 2.8-6.5 --elevation 40-90"),
    "among-polyhedra": (4, "--style varied --dice 0-6 --polyhedra 1-8 --die-size 4-28"),
}
# Small and crowded pictures for the reader of numerals.
CLOSE = VALUES + "--width 320 --height 320 "
FROM_ABOVE = CLOSE + "--dice 0 --polyhedra 6-14 --die-size 10-26 --elevation 35-90 "
NUMERALS = {
    "numerals-from-above": (50, FROM_ABOVE + "--sides 6,8,10,12,20"),
    "two-digits-from-above": (26, FROM_ABOVE + "--sides 10,12,20"),
    "four-sides": (
        30, CLOSE + "--dice 0 --polyhedra 5-8 --sides 4 --die-size 18-40 --elevation 18-90"),
    "pips": (4.5, CLOSE + "--dice 4-8 --polyhedra 0 --die-size 10-30"),
    "numerals-among-lookalikes": (
        4.3, LOOKALIKES + "--label-polyhedra values --width 320 --height 320 --dice 0-1 "
        "--polyhedra 1-4 --die-size 12-30"),
    "clutter": (3.6, "--style clutter --width 320 --height 320"),
}


def main():
    parser = argparse.ArgumentParser(description="Renders the pictures of the training.")
    parser.add_argument("tool")
    parser.add_argument("shards")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=9000500)
    parser.add_argument("--numerals", action="store_true",
                        help="the pictures for the reader of numerals")
    chosen = parser.parse_args()
    kinds = NUMERALS if chosen.numerals else KINDS
    end, lock, made = time.time() + chosen.seconds, threading.Lock(), dict.fromkeys(kinds, 0)

    def work():
        while time.time() < end:
            with lock:
                kind = min(kinds, key=lambda kind: (made[kind] + random()) / kinds[kind][0])
                made[kind] += 1
                index = made[kind]
            folder = os.path.join(chosen.shards, f"{kind}-{index}")
            seed = chosen.seed + list(kinds).index(kind) * 200000 + index * EACH
            options = kinds[kind][1].split()
            if "--width" not in options:
                options += ["--width", "640"]
            result = subprocess.run(
                [chosen.tool, "render", "--threads", "1", "--count", str(EACH), "--seed", str(seed),
                 "--force", "--output", folder, *options],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if result.returncode:
                print(f"{kind}: {result.stderr}", file=sys.stderr)
                return
            open(os.path.join(folder, "done"), "w").close()

    os.makedirs(chosen.shards, exist_ok=True)
    workers = [threading.Thread(target=work) for _ in range(chosen.workers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for kind, count in made.items():
        print(f"{count * EACH:6} {kind}")


if __name__ == "__main__":
    main()
