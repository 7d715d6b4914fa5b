"""Adds a row to a table for each roll.

    python3 csv_log.py ADDRESS FILE.csv

ADDRESS is that of the events, such as http://127.0.0.1:8484/events. A roll that is read anew, because a die
was nudged, takes the place of its row.
"""

import csv
import datetime
import io
import os
import sys

from events import events

COLUMNS = ["time", "roll", "sum", "dice", "values"]


def row(event):
    moment = datetime.datetime.fromtimestamp(event["unixTime"]).isoformat(" ", "seconds")
    values = event["values"]
    return [moment, event["roll"], event["sum"], len(values), " ".join(map(str, values))]


def written(cells):
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue().encode()


def main(address, path):
    with open(path, "ab") as file:
        if file.tell() == 0:
            file.write(written(COLUMNS))
        begin = None  # of the last row
        for event in events(address):
            if event["event"] not in ("rollEnded", "resultRevised"):
                continue
            if event["event"] == "resultRevised" and begin is not None:
                file.truncate(begin)
            begin = file.seek(0, os.SEEK_END)
            file.write(written(row(event)))
            file.flush()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Call it as: csv_log.py ADDRESS FILE.csv")
    main(*sys.argv[1:])
