"""The events of `dicevision live`, one after the other, for as long as the program runs.

    for event in events("http://127.0.0.1:8484/events"): ...

It connects again when the connection is lost, and goes on behind the last event that it has.
"""

import json
import time
import urllib.error
import urllib.request


def events(address):
    last, pause = None, 1
    while True:
        headers = {} if last is None else {"Last-Event-ID": last}
        try:
            # Signs of life come every 15 seconds.
            request = urllib.request.Request(address, headers=headers)
            with urllib.request.urlopen(request, timeout=45) as stream:
                pause, data = 1, []
                for line in stream:
                    field, _, value = line.decode().rstrip("\r\n").partition(":")
                    value = value.removeprefix(" ")
                    if field == "id":
                        last = value
                    elif field == "data":
                        data.append(value)
                    elif not field and data:
                        yield json.loads("\n".join(data))
                        data = []
        except urllib.error.HTTPError as error:
            if error.code in (401, 403, 404, 421):
                raise SystemExit(f"{address}: {error.read().decode().strip()}")
        except OSError:
            pass
        time.sleep(pause)
        pause = min(2 * pause, 30)
