"""Asks the service for the values of a picture, and checks that it refuses what it should.

    python3 client.py http://127.0.0.1:8080/ PICTURE
"""

import json
import socket
import sys
import urllib.error
import urllib.parse
import urllib.request

base, picture = sys.argv[1].strip(), sys.argv[2]


def post(path, body):
    try:
        with urllib.request.urlopen(urllib.parse.urljoin(base, path), data=body, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def raw(sent):
    """What the service answers to bytes that no honest client sends."""
    place = urllib.parse.urlparse(base)
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(4096):
            answer += piece
    return int(answer.split(b" ", 2)[1])


with open(picture, "rb") as file:
    status, answer = post("/read", file.read())
assert status == 200, (status, answer)
found = json.loads(answer)
assert len(found["dice"]) == len(found["values"]) and found["width"] > 0, found
print(f"values {found['values']}, sum {found['sum']}")

with urllib.request.urlopen(base, timeout=60) as page:
    assert "<script>" in page.read().decode()
assert post("/read", b"no picture")[0] == 422
assert raw(b"POST /read HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n") == 413
assert raw(b"POST /read HTTP/1.1\r\nContent-Length: 100\r\n\r\nshort") == 400
assert raw(b"GET / HTTP/1.1\r\nX: " + b"x" * 20000 + b"\r\n\r\n") == 431
assert raw(b"\x16\x03\x01\x02\x00\x01\r\n\r\n") == 400
