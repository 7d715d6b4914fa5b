"""A frame's contours and polygons with OpenCV: called by contours.py."""

import sys

import cv2
import numpy as np

from protocol import serve

EPSILON = 3.0


def prepare():
    cv2.setNumThreads(1)
    picture = cv2.imread(sys.argv[1], cv2.IMREAD_UNCHANGED)
    inverted = cv2.THRESH_BINARY_INV
    found = []

    def run():
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
        if sys.argv[2] == "otsu":
            _, binary = cv2.threshold(gray, 0, 255, inverted | cv2.THRESH_OTSU)
        else:
            binary = cv2.adaptiveThreshold(
                gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, inverted, 51, 10)
        contours, hierarchy = cv2.findContours(binary, cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE)
        polygons = [cv2.approxPolyDP(contour, EPSILON, True) for contour in contours]
        found[:] = [polygons, hierarchy]

    def write(path):
        run()
        polygons, hierarchy = found
        numbers = []
        for polygon, place in zip(polygons, hierarchy[0]):
            numbers += [place[3], len(polygon), *polygon.flatten()]
        np.array(numbers, np.int32).tofile(path)

    return run, write


serve(prepare)
