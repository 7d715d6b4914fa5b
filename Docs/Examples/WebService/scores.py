"""Plays at two tables of the score server, and finds them again after it was started anew.

    python3 scores.py http://127.0.0.1:8081/ play TABLES PICTURE    TABLES is a file for the tables' names
    python3 scores.py http://127.0.0.1:8081/ again TABLES
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

base, what, names = sys.argv[1].strip(), sys.argv[2], sys.argv[3]


def ask(path, body=None, method=None):
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(
        urllib.parse.urljoin(base, path), data=data, method=method or ("GET" if data is None else "POST"))
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def tell(path, body=b""):
    status, answer = ask(path, body)
    assert status == 200, (path, status, answer)
    print(*answer["told"])
    return answer


if what == "play":
    status, board = ask("/tables", {"players": ["Ann", "Ben"]})
    assert status == 200, board
    status, practice = ask("/tables", {"players": ["Cleo"], "level": 2})
    assert status == 200, practice
    one, other = f"/tables/{board['table']}", f"/tables/{practice['table']}"
    with open(sys.argv[4], "rb") as file:
        tell(f"{one}/roll", file.read())
    tell(f"{other}/roll", {"values": [6, 4, 2]})
    tell(f"{one}/answer", {"number": 7})
    tell(f"{other}/answer", {"number": 11})
    tell(f"{other}/answer", {"number": 12})
    with open(names, "w") as file:
        json.dump([one, other], file)
    # What no honest client sends.
    assert ask(f"{one}/roll", b"no picture")[0] == 422
    assert ask(f"{one}/answer", b"{" * 10_000)[0] == 400
    assert ask("/tables/saved", b"[" * 100_000)[0] == 422
    assert ask("/tables/nowhere")[0] == 404
else:
    with open(names) as file:
        one, other = json.load(file)
    for path in (one, other):
        status, table = ask(path)
        assert status == 200, table
        print(table["phase"], *(f"{player['name']} {player['section'] or player['right']}"
                                for player in map(lambda p: {"section": None, **p}, table["players"])))
    tell(f"{one}/next")
    assert ask(one, method="DELETE")[0] == 200 and ask(one)[0] == 404
