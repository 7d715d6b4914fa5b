"""Compares contours of a frame with OpenCV's; called by `contours`."""

import base64
import os
import shutil
import sys

import cv2
import numpy as np

from protocol import Engine, Failure, compare
from report import HERE, OURS, WORK, options, publish, skip, tool, version

FOLDER = os.path.join(WORK, "contours")


def frame():
    """A board with a grid, signs and a hole on a grainy table, unevenly lit, as red, green and blue."""
    random = np.random.default_rng(11)
    picture = np.full((1080, 1920, 3), (70, 95, 120), np.uint8)
    coarse = random.normal(0, 1, (68, 120, 1)).astype(np.float32)
    grain = cv2.resize(coarse, (1920, 1080), interpolation=cv2.INTER_CUBIC)[..., None]
    picture = np.clip(picture + 14 * grain, 0, 255).astype(np.uint8)
    corners = np.array([[330, 150], [1560, 90], [1780, 960], [180, 1000]], np.float32)
    board = np.full((900, 1200, 3), (205, 215, 220), np.uint8)
    for line in range(10):
        cv2.line(board, (60 + line * 120, 60), (60 + line * 120, 840), (40, 40, 45), 4, cv2.LINE_AA)
        cv2.line(board, (60, 60 + line * 86), (1140, 60 + line * 86), (40, 40, 45), 4, cv2.LINE_AA)
    for index in range(81):
        place = (90 + index % 9 * 120, 125 + index // 9 * 86)
        cv2.putText(
            board, str(random.integers(0, 10)), place, cv2.FONT_HERSHEY_SIMPLEX, 1.6, (30, 30, 35), 4,
            cv2.LINE_AA)
    cv2.circle(board, (600, 450), 50, (20, 20, 20), -1, cv2.LINE_AA)
    source = np.array([[0, 0], [1200, 0], [1200, 900], [0, 900]], np.float32)
    map_ = cv2.getPerspectiveTransform(source, corners)
    seen = cv2.warpPerspective(board, map_, (1920, 1080))
    mask = cv2.warpPerspective(np.full((900, 1200), 255, np.uint8), map_, (1920, 1080))
    picture[mask > 127] = seen[mask > 127]
    light = 0.75 + 0.25 * np.linspace(0, 1, 1920)[None, :, None]
    noise = random.normal(0, 3, picture.shape)
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


def polygons(engine):
    """The approximated contours, each with the points of all that it lies in, as a sorted list."""
    path = os.path.join(FOLDER, f"{engine.name}.i32")
    engine.output(path)
    numbers = np.fromfile(path, np.int32).tolist()
    parents, points, place = [], [], 0
    while place < len(numbers):
        count = numbers[place + 1]
        parents.append(numbers[place])
        corners = numbers[place + 2:place + 2 + 2 * count]
        points.append(tuple(zip(corners[::2], corners[1::2])))
        place += 2 + 2 * count
    return sorted((points[index], points[parent] if parent >= 0 else ())
                  for index, parent in enumerate(parents))


def draw(path, picture, found):
    """The picture and its contours of some area as a drawing, half as large."""
    colours = ["#ff7a00", "#1f7bff"]
    small = cv2.resize(picture, (960, 540), interpolation=cv2.INTER_AREA)
    data = base64.b64encode(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 60])[1]).decode()
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 540" width="960" height="540">',
             f'<image width="960" height="540" href="data:image/jpeg;base64,{data}"/>']
    for points, _ in found:
        area = cv2.contourArea(np.array(points, np.int32), oriented=True)
        if abs(area) < 60:
            continue
        # Outer borders go against the clock, which is a negative area here.
        corners = " ".join(f"{(x + 0.5) / 2:g},{(y + 0.5) / 2:g}" for x, y in points)
        lines.append(f'<polygon points="{corners}" fill="none" stroke="{colours[area > 0]}"/>')
    with open(path, "w") as file:
        file.write("\n".join(lines + ["</svg>", ""]))


def main():
    parser = options("Contours of a 1080p frame, in turns.", rounds=7, runs=20, threads="1")
    parser.add_argument("--draw", metavar="FILE", help="only draw the frame and its contours (SVG)")
    arguments = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    picture = frame()
    files = {"gray": os.path.join(FOLDER, "frame.pgm"), "colour": os.path.join(FOLDER, "frame.ppm")}
    cv2.imwrite(files["gray"], cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    cv2.imwrite(files["colour"], picture)
    results = []
    for threshold in ["otsu", "mean"]:
        for kind, path in files.items():
            ours = Engine(
                OURS, [tool("detector-benchmark"), "engine", "contours", "--input", path,
                       "--threshold", threshold],
                1, os.path.join(FOLDER, "ours.log"))
            wanted = polygons(ours)
            if arguments.draw:
                if threshold == "mean" and kind == "gray":
                    draw(arguments.draw, picture, wanted)
                ours.close()
                continue
            peers = []
            try:
                peer = Engine(
                    "OpenCV", [sys.executable, os.path.join(HERE, "contours_engine.py"), path,
                               threshold],
                    1, os.path.join(FOLDER, "opencv.log"))
                found = polygons(peer)
                # Grays of colours may differ by 1.
                same = found == wanted if kind == "gray" else (
                    abs(len(found) - len(wanted)) <= 0.02 * len(wanted))
                if not same:
                    peer.close()
                    raise Failure(f"it finds others: {len(found)}, not {len(wanted)}")
                peers.append(peer)
            except Failure as failure:
                skip("OpenCV", failure)
            for result in compare(
                    ours, peers, arguments.rounds, arguments.warm, arguments.runs, skip):
                if result["engine"] != OURS:
                    result["version"] = version("opencv-python-headless")
                result["engine"] += f", {kind}, {threshold}"
                result["contours"] = len(wanted)
                results.append(result)
    if not arguments.draw:
        publish(arguments, "contours", results)


main()
