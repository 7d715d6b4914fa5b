"""Posts each roll to a webhook as Discord's chats have them.

    python3 webhook.py ADDRESS WEBHOOK

ADDRESS is that of the events, such as http://127.0.0.1:8484/events; WEBHOOK is the address that the chat gave.
"""

import json
import sys
import time
import urllib.error
import urllib.request

from events import events


def sentence(event):
    values = " ".join(map(str, event["values"])) or "nothing"
    total = f", sum {event['sum']}" if len(event["values"]) > 1 else ""
    again = " again" if event["event"] == "resultRevised" else ""
    return f"\U0001f3b2 Roll {event['roll']}{again}: {values}{total}"


def post(webhook, text):
    body = json.dumps({"username": "Dice", "content": text, "allowed_mentions": {"parse": []}})
    headers = {"Content-Type": "application/json", "User-Agent": "dicevision-example"}
    for _ in range(3):
        try:
            request = urllib.request.Request(webhook, body.encode(), headers)
            urllib.request.urlopen(request, timeout=10).close()
            return
        except urllib.error.HTTPError as error:
            if error.code != 429:
                print(f"The webhook refuses: {error.code}", file=sys.stderr)
                return
            time.sleep(min(float(error.headers.get("Retry-After", 2)), 30))
        except OSError as error:
            print(f"The webhook cannot be reached: {error}", file=sys.stderr)
            time.sleep(2)


def main(address, webhook):
    for event in events(address):
        if event["event"] in ("rollEnded", "resultRevised"):
            post(webhook, sentence(event))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Call it as: webhook.py ADDRESS WEBHOOK")
    main(*sys.argv[1:])
