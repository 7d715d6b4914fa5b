"""Writes golden.json: what boxes of a picture say about each other, in decimal numbers of 40 digits.

The formulas are those of the documentation of contextual rescoring, computed with Python's decimal module, which
shares nothing with the library: no binary fractions, and an exponential of its own.

    python3 Fixtures/golden/rescoring/generate.py
"""

import json
import os
import random
from decimal import Decimal, getcontext

getcontext().prec = 40
FACTOR, DEPTH, SPREAD, REACH = Decimal("1.5"), Decimal("1.5"), Decimal("0.15"), Decimal(6)
LEAST_CONFIDENCE = Decimal("0.1")


def share(index, boxes):
    x, y, width, height, _ = boxes[index]
    side = (width * height).sqrt()
    alone = Decimal(1)
    for place, (u, v, other_width, other_height, confidence) in enumerate(boxes):
        if place == index or confidence < LEAST_CONFIDENCE:
            continue
        other = (other_width * other_height).sqrt()
        ratio = side / other
        alike = (-(ratio + 1 / ratio - 2) / (2 * SPREAD**2)).exp()
        distance = ((x - u) ** 2 + (y - v) ** 2).sqrt() / (side * other).sqrt()
        near = 1 / (1 + (distance / REACH) ** 4)
        alone *= 1 - confidence**2 * alike * near
    return 1 - alone


def rescored(confidence, share):
    odds = confidence / (1 - confidence) * FACTOR * (-DEPTH * (1 - share)).exp()
    return odds / (1 + odds)


def picture(generator, count):
    def number(low, high):
        return Decimal(generator.randint(low, high)) / 100

    # Centre, width, height, confidence.
    return [
        (number(0, 30000), number(0, 30000), number(1500, 3000), number(1500, 3000), number(1, 99))
        for _ in range(count)
    ]


def main():
    generator = random.Random(41)
    pictures = []
    for count in [1, 2, 3, 5, 12]:
        boxes = picture(generator, count)
        shares = [share(index, boxes) for index in range(count)]
        pictures.append({
            "boxes": [[float(number) for number in box] for box in boxes],
            "shares": [float(value) for value in shares],
            "confidences": [
                float(rescored(box[4], value)) for box, value in zip(boxes, shares)
            ],
        })
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.json")
    with open(path, "w") as file:
        json.dump(pictures, file, indent=1)
        file.write("\n")


main()
