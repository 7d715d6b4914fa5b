"""Feeds a film to `dicevision track` over and over; called by `run`."""

import json
import subprocess
import sys
import threading
import time

FILM = "Fixtures/clips/throw-34.mjpeg"
VALUES = [6, 3, 6]
END_OF_PICTURE = b"\xff\xd9"
PARTS = 10
GROWTH_LIMIT = 1024  # KiB


def resident(process):
    """The memory in use, in KiB."""
    with open(f"/proc/{process}/status") as status:
        for line in status:
            if line.startswith("VmRSS"):
                return int(line.split()[1])
    raise SystemExit("no VmRSS")


def count_rolls(stream, rolls):
    for line in stream:
        event = json.loads(line)
        if event["event"] == "rollEnded":
            rolls.append(event["values"])


def main():
    tool, *rest = sys.argv[1:]
    options = []
    if "--" in rest:
        place = rest.index("--")
        rest, options = rest[:place], rest[place + 1:]
    with open(FILM, "rb") as file:
        film = file.read()
    film_frames = film.count(END_OF_PICTURE)
    rounds = max(PARTS, int(rest[0] if rest else 108_000) // film_frames)
    call = [tool, "track", "-", "--format", "json", *options]
    process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    rolls = []
    reader = threading.Thread(target=count_rolls, args=(process.stdout, rolls))
    reader.start()
    memory, rates, fed = [], [], 0
    for part in range(PARTS):
        start, first = time.monotonic(), fed
        while fed < rounds * (part + 1) // PARTS:
            process.stdin.write(film)
            fed += 1
        seconds = time.monotonic() - start
        memory.append(resident(process.pid))
        rates.append((fed - first) * film_frames / seconds)
        print(
            f"{fed * film_frames:8d} frames  {memory[-1] / 1024:7.2f} MiB  "
            f"{rates[-1]:6.0f} frames a second  {len(rolls)} rolls", flush=True)
    process.stdin.close()
    reader.join()
    status = process.wait()
    right = sum(sorted(values) == sorted(VALUES) for values in rolls)
    print(f"{fed} times the film, {len(rolls)} rolls, {right} of them with the film's values")
    grown = max(memory[1:]) - memory[0]
    print(f"memory grew by {grown} KiB after the first tenth")
    if status != 0 or grown > GROWTH_LIMIT or rates[-1] < rates[1] * 2 / 3 or not rolls:
        sys.exit("soak: failed")


main()
