"""Compares what the browser read with what the command line tool reads.

    python3 compare.py REPORT DETECTIONS EVENTS SAMPLE

REPORT is what the page posted; the others are the tool's lines of JSON for the pictures, the film and the
page's sample picture.
"""

import json
import os
import statistics
import sys

# Different instruction sets round differently: in pixels, and in confidence.
BOX_TOLERANCE = 0.25
CONFIDENCE_TOLERANCE = 0.005
# Chromium's JPEG decoder rounds otherwise, which may move the end of a roll by a few frames.
FRAME_TOLERANCE = 3
LEAST_FRAMES_PER_SECOND = 10


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def check(is_right, sentence):
    if not is_right:
        sys.exit(sentence)


def compare_dice(name, found, expected):
    values = [die["value"] for die in found]
    wanted = [die["value"] for die in expected]
    check(values == wanted, f"{name}: the browser reads {values}, the tool {wanted}.")
    for one, other in zip(found, expected):
        for key in ("x", "y", "width", "height"):
            distance = abs(one[key] - other["box"][key])
            check(distance <= BOX_TOLERANCE, f"{name}: {key} differs by {distance} pixels.")
        distance = abs(one["confidence"] - other["confidence"])
        check(distance <= CONFIDENCE_TOLERANCE, f"{name}: the confidence differs by {distance}.")
    return len(values)


def main(report_path, detections_path, events_path, sample_path):
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    check("failure" not in report, report.get("failure"))
    module, page = report["module"], report["page"]

    count = 0
    detections = lines(detections_path)
    for detection in detections:
        name = detection["image"].rsplit("/", 1)[-1]
        count += compare_dice(name, module["pictures"][name], detection["dice"])
    check(count > 0, "The pictures have no dice.")
    check(module["again"] == module["pictures"][detections[0]["image"].rsplit("/", 1)[-1]],
          "The same picture gives another result later.")
    print(f"pictures: {count} dice in {len(detections)} pictures are read as the tool reads them")

    wanted = [event for event in lines(events_path) if event["event"] == "rollEnded"]
    found = [event for event in module["events"] if event["event"] == "rollEnded"]
    check(len(wanted) == 1, f"The tool tells {len(wanted)} rolls of the film, not one.")
    check([event["values"] for event in found] == [event["values"] for event in wanted],
          f"The browser tells {found}, the tool {wanted}.")
    distance = abs(found[0]["frame"] - wanted[0]["frame"])
    check(distance <= FRAME_TOLERANCE, f"The roll ends {distance} frames off.")
    print(f"film: {wanted[0]['values']} is told in frame {found[0]['frame']}, "
          f"by the tool in frame {wanted[0]['frame']}")

    check(all(module["refusals"]), "A picture that is none was not refused.")
    check("not a weight file" in module["broken"], "Broken weights were not refused.")

    load, processors = os.getloadavg()[0], os.cpu_count()
    values = " ".join(str(value) for value in wanted[0]["values"])
    rolls = page["rolls"] if load > processors else page["rolls"][:1]
    check(values in rolls, f"The page tells {page['rolls']} before the camera, not {values}.")
    check(str(sum(wanted[0]["values"])) in page["spoken"], "The roll is not told to screen readers.")
    sample = " ".join(str(die["value"]) for die in lines(sample_path)[0]["dice"])
    check(page["sample"] == sample, f"The page reads {page['sample']} in its sample, not {sample}.")
    print(f"page: the sample reads {sample}; the rolls before the camera are {page['rolls']}")

    # The quickest run of the detector is what it takes where nothing else runs beside it.
    quick, median = min(module["milliseconds"]), statistics.median(module["milliseconds"])
    print(f"speed: {1000 / quick:.0f} pictures a second at best, {1000 / median:.0f} in the median; "
          f"the page {page['framesPerSecond']} frames a second, {page['milliseconds']} ms per picture; "
          f"{module['memoryByteCount'] / 2**20:.0f} MiB of memory")
    if load > 2 * processors + 2:
        print(f"speed: not judged, the load of this computer is {load:.0f} on {processors} processors")
        return
    check(1000 / quick >= LEAST_FRAMES_PER_SECOND,
          f"A picture takes {quick:.0f} ms at best: fewer than {LEAST_FRAMES_PER_SECOND} a second.")


if __name__ == "__main__":
    main(*sys.argv[1:])
