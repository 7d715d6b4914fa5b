"""Real clients of `dicevision live`, and measurements of it. See `run` beside this file.

    python3 clients.py PROGRAM CLIP FOLDER SECONDS [FILM]
"""

import contextlib
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

try:
    from websockets.exceptions import ConnectionClosed, InvalidStatus
    from websockets.sync.client import connect
except ImportError:
    connect = None

PROGRAM, CLIP, FOLDER, SECONDS = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), float(sys.argv[4])
FILM = sys.argv[5] if len(sys.argv) > 5 else None


def left_out(what, missing):
    print(f"left out: {what}: {missing} is not installed")


class Live:
    """A running program."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [PROGRAM, "live", "--port", "0", *arguments], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.notes, self.rolls = [], []
        for stream, lines in ((self.process.stderr, self.notes), (self.process.stdout, self.rolls)):
            threading.Thread(target=self._take, args=(stream, lines), daemon=True).start()
        wait(lambda: any("http://" in note for note in list(self.notes)), "the address")
        note = next(note for note in self.notes if "http://" in note)
        found = re.search(r"http://([^:/]+):(\d+)/(?:camera)?(?:\?token=(\S+))?", note)
        self.port, self.token = int(found[2]), found[3]
        self.address = f"http://127.0.0.1:{self.port}"

    def _take(self, stream, lines):
        for line in stream:
            lines.append(line)

    def get(self, path):
        with urllib.request.urlopen(self.address + path, timeout=20) as answer:
            return json.loads(answer.read())

    def memory(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s*(\d+)", text)[1]) / 1024

    def end(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(20)
        assert code == 130, code


def wait(holds, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = holds()
        if value:
            return value
        time.sleep(0.05)
    raise SystemExit(f"{what} did not come within {seconds} s")


@contextlib.contextmanager
def live(*arguments):
    table = Live(*arguments)
    try:
        yield table
        table.end()
    finally:
        if table.process.poll() is None:
            os.killpg(table.process.pid, signal.SIGKILL)


def open_stream(table, path):
    client = socket.create_connection(("127.0.0.1", table.port), timeout=20)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return client


# Curl.

def check_curl():
    if not shutil.which("curl"):
        return left_out("curl", "curl")

    def curl(*arguments):
        return subprocess.run(["curl", "-sS", *arguments], capture_output=True, text=True).stdout

    with live("--every-frame", CLIP) as table:
        wait(lambda: table.get("/health")["state"] == "ended", "the end of the film")
        assert json.loads(curl(table.address + "/roll"))["roll"]["values"] == [6, 3, 6]
        events = curl("--max-time", "1", table.address + "/events?after=0")
        assert '"event":"rollEnded"' in events and "\nid: 3\n" in events, events
        resumed = curl("--max-time", "1", "-H", "Last-Event-ID: 2", table.address + "/events")
        assert "sourceEnded" in resumed and "rollEnded" not in resumed, resumed
        status = lambda *arguments: curl("-o", "/dev/null", "-w", "%{http_code}", *arguments)
        for expected, arguments in [
            ("200", [table.address + "/"]), ("200", ["-I", table.address + "/large"]),
            ("404", [table.address + "/x"]), ("405", ["-X", "DELETE", table.address + "/roll"]),
            ("404", [table.address + "/camera"]), ("421", ["-H", "Host: evil.example", table.address]),
            ("403", ["-H", "Origin: http://evil.example", table.address + "/roll"]),
            ("413", ["-d", "x", table.address + "/roll"]), ("400", [table.address + "/socket"]),
            ("501", ["-H", "Transfer-Encoding: chunked", "-d", "x", table.address + "/roll"]),
        ]:
            found = status(*arguments)
            assert found == expected, (arguments, found, expected)
        second = subprocess.run(
            [PROGRAM, "live", "--port", str(table.port), CLIP], capture_output=True, text=True)
        assert second.returncode == 1 and "Another program listens" in second.stderr, second
    with live("--every-frame", "--listen", "0.0.0.0", CLIP) as table:
        assert table.token and len(table.token) >= 16
        for path, expected in [("/roll", "401"), (f"/roll?token={table.token}", "200"), ("/roll?token=x", "401")]:
            assert status(table.address + path) == expected, path
        assert status("-H", f"Authorization: Bearer {table.token}", table.address + "/roll") == "200"
    print("curl: answers, events, refusals, a port in use, a token")


# WebSockets.

def check_websockets():
    if connect is None:
        return left_out("the WebSocket client", "websockets")
    with live("--every-frame", CLIP) as table:
        wait(lambda: table.get("/health")["state"] == "ended", "the end of the film")
        address = f"ws://127.0.0.1:{table.port}/socket"
        with connect(address + "?after=0") as client:
            names = [json.loads(client.recv(timeout=20))["event"] for _ in range(3)]
            assert names == ["rollStarted", "rollEnded", "sourceEnded"], names
            client.ping().wait(20)
            client.send(["in ", "three ", "parts"])
            client.ping().wait(20)
        with connect(address) as client:
            assert json.loads(client.recv(timeout=20))["event"] == "state"
            client.send("x" * 2000)
            try:
                client.recv(timeout=20)
                raise AssertionError("a long message was taken")
            except ConnectionClosed as closed:
                assert closed.rcvd.code == 1009, closed
        try:
            with connect(address, origin="http://evil.example"):
                raise AssertionError("another site was let in")
        except InvalidStatus as error:
            assert error.response.status_code == 403, error
    print("websockets: events, pings, parts, a message that is too long, another site")


# Chromium.

class Browser:
    """A page in Chromium, asked over its debugging protocol."""

    def __init__(self, chromium, address, film=None):
        arguments = [
            chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-background-networking", "--mute-audio",
            "--remote-debugging-port=0", f"--user-data-dir={tempfile.mkdtemp(dir=FOLDER)}"]
        if film:
            arguments += ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                          f"--use-file-for-fake-video-capture={film}"]
        self.process = subprocess.Popen(
            arguments + [address], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            start_new_session=True)
        for line in self.process.stderr:
            if found := re.search(r"ws://127\.0\.0\.1:(\d+)/", line):
                break
        self.port = found[1]
        threading.Thread(target=lambda: list(self.process.stderr), daemon=True).start()

        def page():
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json", timeout=20) as answer:
                return next((p["webSocketDebuggerUrl"] for p in json.loads(answer.read())
                             if p["type"] == "page" and p["url"].startswith(address[:20])), None)

        self.connection = contextlib.ExitStack()
        self.client = self.connection.enter_context(connect(wait(page, "the page"), max_size=None))
        self.number = 0

    def evaluate(self, expression):
        self.number += 1
        self.client.send(json.dumps(
            {"id": self.number, "method": "Runtime.evaluate", "params": {"expression": expression}}))
        while True:
            answer = json.loads(self.client.recv(timeout=20))
            if answer.get("id") == self.number:
                return answer["result"]["result"].get("value")

    def end(self):
        self.connection.close()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextlib.contextmanager
def browser(*arguments):
    page = Browser(*arguments)
    try:
        yield page
    except SystemExit:
        # An address of chrome-error: Chromium itself did not load the page.
        print(page.evaluate("location.href + ': ' + document.body.innerText"))
        raise
    finally:
        page.end()


def in_browser(check):
    """Runs a check, once more where Chromium, newly begun, loads nothing."""
    try:
        check()
    except SystemExit as failure:
        print(f"{failure}; a second time, in new browsers:")
        check()


# A roll of dice of several kinds, one of which is in doubt.
KINDS = """({roll: 9, values: [17, 4, 30, 7], sum: 58, total: 58, notation: "1d6 + 1d20 + 1d100", dice: [
  {value: 17, kind: "d20", face: "17", alternatives: [{value: 11, kind: "d20", face: "11", probability: 0.3}]},
  {value: 4}, {value: 30, kind: "d%", face: "30"}, {value: 7, kind: "d10", face: "7"}]})"""


def check_chromium():
    chromium = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
    if connect is None or chromium is None:
        return left_out("Chromium", "Chromium" if connect else "websockets")

    def pages():
        with live("--loop", CLIP) as table:
            with browser(chromium, table.address + "/") as page:
                text = lambda name: page.evaluate(f"document.getElementById('{name}')?.textContent")
                wait(lambda: text("sum") == "Sum 15", "the roll on the page")
                wait(lambda: page.evaluate("document.getElementById('picture').naturalWidth") > 0, "the picture")
                wait(lambda: "6 3 6" in text("history"), "the history")
                wait(lambda: page.evaluate("document.getElementById('totals').rows.length") == 2, "the totals")
                page.evaluate(f"show({KINDS}); add({KINDS})")
                assert text("dice") == "17?307" and text("sum") == "Sum 58", text("dice") + text("sum")
                assert page.evaluate("document.querySelectorAll('#dice .pip').length") == 4
                kinds = "[...document.querySelectorAll('#dice .die')].map((die) => die.dataset.kind ?? '').join(' ')"
                assert page.evaluate(kinds) == "d20  d% d10", page.evaluate(kinds)
                assert "9: 1d6 + 1d20 + 1d100:  17? 4 30 7" in text("history"), text("history")
                page.evaluate(f"count({KINDS}, 1); showTotals()")
                names = "[...document.getElementById('totals').rows].map((row) => row.cells[0].textContent).join()"
                assert page.evaluate(names) == "3,4,6,d% 30,d10 7,d20 17", page.evaluate(names)
            with browser(chromium, table.address + "/overlay?theme=gold") as page:
                wait(lambda: page.evaluate("document.querySelectorAll('.die').length") == 3, "the overlay's dice")
                assert page.evaluate("document.body.className") == "gold"
                assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
            with browser(chromium, table.address + "/large") as page:
                wait(lambda: page.evaluate("document.getElementById('values').textContent") == "6 3 6",
                     "the large values")
                wait(lambda: page.evaluate("document.getElementById('said').textContent") == "6, 3, 6. Sum 15.",
                     "what is said")
                page.evaluate(f"show({KINDS}, true)")
                assert page.evaluate("document.getElementById('values').textContent") == "17? 4 30 7"
                assert page.evaluate("document.getElementById('said').textContent") == "17 or 11, 4, 30, 7. Sum 58."

    def camera():
        with live("--browser") as table:
            with browser(chromium, table.address + "/camera?start=1", FOLDER / "camera.y4m") as page:
                roll = wait(lambda: table.get("/roll")["roll"], "a roll of the browser's camera", 180)
                print(f"Chromium: the browser's camera told {roll['values']}")

    in_browser(pages)
    print("Chromium: the table, the overlay, large type")
    if not (FOLDER / "camera.y4m").exists():
        return left_out("the browser's camera", "ffmpeg")
    in_browser(camera)


# A browser's pictures, without a browser.

def check_photos():
    with live("--browser") as table:
        picture = pathlib.Path("Fixtures/scenes/scene-15.jpg").read_bytes()

        def post(path, body):
            try:
                with urllib.request.urlopen(table.address + path, data=body, timeout=20) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                return error.code

        assert post("/photo", picture) == 202
        roll = wait(lambda: table.get("/roll")["roll"], "the photo's roll")
        assert roll["values"] == [6, 1], roll
        assert post("/photo", b"no picture") == 202 and post("/photo", b"") == 422
        assert post("/frame", picture[:1000]) == 202 and post("/frame", picture) == 202
        assert post("/roll", b"x") == 405
        assert table.get("/health")["state"] == "running"
    print("a photo: read; what is none: passed over")


# A camera that is unplugged.

def check_recovery():
    if not FILM:
        return left_out("a stream that is lost", "ffmpeg")
    port = free_port()
    with live("--json", f"tcp://127.0.0.1:{port}") as table:
        wait(lambda: any("sourceLost" in line for line in list(table.rolls)), "the loss")
        try:
            table.get("/health")
            raise AssertionError("a lost source is well")
        except urllib.error.HTTPError as error:
            assert error.code == 503 and json.loads(error.read())["state"] == "waiting"
        sender = subprocess.Popen(
            ["ffmpeg", "-loglevel", "quiet", "-re", "-stream_loop", "-1", "-i", FILM, "-c", "copy", "-f", "mpegts",
             f"tcp://127.0.0.1:{port}?listen=1"])
        wait(lambda: any("sourceFound" in line for line in list(table.rolls)), "the source")
        wait(lambda: any("rollEnded" in line for line in list(table.rolls)), "a roll of the stream")
        sender.kill()
        wait(lambda: sum("sourceLost" in line for line in list(table.rolls)) == 2, "the second loss")
    print("a stream: lost, found, read and lost again")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# Measurements.

class EventReader:
    """Fifty streams of events in one thread: how late each event of each client is."""

    def __init__(self, table, paths):
        self.sockets = {open_stream(table, path): b"" for path in paths}
        self.delays, self.rolls, self.counts = [], [], [0] * len(paths)
        self.is_over = False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        order = list(self.sockets)
        while not self.is_over:
            for client in select.select(order, [], [], 0.2)[0]:
                data = client.recv(1 << 16)
                now = time.time()
                parts = (self.sockets[client] + data).split(b"\n\n")
                self.sockets[client] = parts.pop()
                for part in parts:
                    at = part.find(b'"unixTime":')
                    if at < 0 or b'"event":"state"' in part:
                        continue
                    delay = now - float(re.match(rb"[\d.]+", part[at + 11:])[0])
                    (self.delays if b'"event":"frame"' in part else self.rolls).append(delay)
                    self.counts[order.index(client)] += 1

    def end(self):
        self.is_over = True
        self.thread.join()
        for client in self.sockets:
            client.close()


def spread(delays):
    ordered = sorted(delays)
    return (f"median {1000 * statistics.median(ordered):.0f} ms, "
            f"95 % {1000 * ordered[int(0.95 * (len(ordered) - 1))]:.0f} ms of {len(ordered)}")


def measure(name, paths, stuck=0):
    with live("--loop", FILM) as table:
        wait(lambda: table.get("/health")["frames"] > 30, "the film")
        idle = [open_stream(table, "/picture.mjpeg") for _ in range(stuck)]
        reader = EventReader(table, paths)
        before, begin, memory = table.get("/health"), time.monotonic(), [table.memory()]
        while time.monotonic() - begin < SECONDS:
            time.sleep(min(5, SECONDS / 4))
            memory.append(table.memory())
        after, passed = table.get("/health"), time.monotonic() - begin
        reader.end()
        came = after["frames"] - before["frames"]
        read = after["readFrames"] - before["readFrames"]
        print(f"{name}: {came / passed:.1f} frames/s came, {read / passed:.1f} were read, "
              f"{after['rolls'] - before['rolls']} rolls")
        if reader.delays:
            print(f"  from frame to event: {spread(reader.delays)}")
        if reader.rolls:
            print(f"  of rolls and the like: {spread(reader.rolls)}")
        print(f"  memory {memory[0]:.0f} MB at first, {memory[-1]:.0f} MB after {passed:.0f} s, "
              f"{max(memory):.0f} MB at most")
        if len(paths) > 1:
            assert min(reader.counts) > 0.5 * max(reader.counts), reader.counts
            print(f"  {len(paths)} clients: {min(reader.counts)} to {max(reader.counts)} events each")
        if stuck:
            dropped = wait(lambda: table.get("/health")["droppedClients"], "the end of the client", 30)
            print(f"  clients that read nothing: {stuck}, dropped: {dropped}")
        for client in idle:
            client.close()


for check in (check_curl, check_websockets, check_photos, check_recovery, check_chromium):
    check()
if FILM:
    measure("one client", ["/events?frames=1"])
    measure("50 clients", ["/events?frames=1"] * 50)
    measure("a client that reads nothing", ["/events?frames=1"], stuck=1)
else:
    left_out("measurements", "ffmpeg")
