"""Serves a folder, opens a page of it in headless Chromium with a film in place of a camera, and a recording
in place of a microphone where there is one, and writes what the page posts to /report. After a post to /down
nothing is served any more.

    python3 browse.py CHROMIUM FOLDER PAGE FILM REPORT [RECORDING]
"""

import functools
import http.server
import os
import signal
import subprocess
import sys
import tempfile
import threading

SECONDS = 600


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files as any static server does, and takes one report."""

    def do_GET(self):
        if self.server.is_down:
            self.send_error(503)
        else:
            try:
                super().do_GET()
            except ConnectionError:
                # A page that is left takes no more files.
                pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(204)
        self.end_headers()
        if self.path == "/down":
            self.server.is_down = True
        else:
            self.server.report = body
            self.server.arrived.set()

    def log_message(self, *_):
        pass


def main(chromium, folder, page, film, report, recording=None):
    handler = functools.partial(Handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        server.arrived = threading.Event()
        server.is_down = False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = subprocess.Popen(
            [
                chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-dev-shm-usage", "--disable-background-networking", "--mute-audio",
                "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-video-capture={film}", f"--user-data-dir={profile}",
                "--autoplay-policy=no-user-gesture-required",
                *([f"--use-file-for-fake-audio-capture={recording}"] if recording else []),
                f"http://127.0.0.1:{server.server_address[1]}/{page}",
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            if not server.arrived.wait(SECONDS):
                sys.exit(f"The page did not report within {SECONDS} s.")
            with open(report, "wb") as file:
                file.write(server.report)
        finally:
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()
            server.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
