"""Compares what the library reads on arm64 with what the command line tool reads here.

    python3 compare.py MODEL LINES DETECTIONS

LINES is what `Detector/Detector.swift` prints, DETECTIONS the tool's lines of JSON.
"""

import json
import sys

# Different instruction sets round differently: in pixels, and in confidence.
BOX_TOLERANCE = 0.1
CONFIDENCE_TOLERANCE = 0.002


def check(is_right, sentence):
    if not is_right:
        sys.exit(sentence)


def main(model, lines_path, detections_path):
    found = {}
    with open(lines_path, encoding="utf-8") as file:
        for line in file:
            name, value, *numbers = line.split()
            found.setdefault(name, []).append((int(value), *map(float, numbers)))
    with open(detections_path, encoding="utf-8") as file:
        detections = [json.loads(line) for line in file if line.strip()]

    readings = []
    confidence_distance = box_distance = 0
    for detection in detections:
        name = detection["image"]
        dice = found.pop(name, [])
        values, wanted = [die[0] for die in dice], [die["value"] for die in detection["dice"]]
        check(values == wanted, f"{name}: arm64 reads {values}, the tool {wanted}.")
        for die, other in zip(dice, detection["dice"]):
            confidence_distance = max(confidence_distance, abs(die[1] - other["confidence"]))
            for number, key in zip(die[2:], ("x", "y", "width", "height"), strict=True):
                box_distance = max(box_distance, abs(number - other["box"][key]))
        readings.append(" ".join(map(str, values)))
    check(not found, f"The tool has not read {', '.join(found)}.")
    check(any(readings), "The pictures have no dice.")
    # The tool rounds to four and to two digits.
    check(confidence_distance <= CONFIDENCE_TOLERANCE,
          f"A confidence differs by {confidence_distance}.")
    check(box_distance <= BOX_TOLERANCE, f"A side of a box differs by {box_distance} pixels.")
    print(f"detector, {model}: {'; '.join(readings)}; confidences within "
          f"{confidence_distance:.5f}, boxes within {box_distance:.3f} pixels of the tool's")


if __name__ == "__main__":
    main(*sys.argv[1:])
