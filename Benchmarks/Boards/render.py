"""Renders chess boards in play, with the corners of their squares and of their frames.

    python3 render.py FOLDER COUNT SEED

needs NumPy and Pillow. Every picture shows a board whole, with pieces that hide what is behind them, on a
table with a texture; some have boards beside it. corners.json has a record for each picture: corners
(squares) and frame, pixels, origin at the upper left.
"""

import json
import math
import os
import random
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

SCALE = 2  # samples of a pixel in each direction
# Height as a share of the king's, and radii (in squares) by height (as a share of the piece's).
PIECES = {
    "P": (0.52, [(0, .33), (.08, .33), (.14, .24), (.3, .17), (.5, .13), (.58, .2), (.62, .14),
                 (.72, .19), (.82, .2), (.93, .15), (1, .03)]),
    "R": (0.58, [(0, .36), (.1, .36), (.18, .27), (.6, .22), (.7, .22), (.74, .28), (1, .28)]),
    "N": (0.68, [(0, .36), (.1, .36), (.16, .27), (.3, .22), (.5, .26), (.7, .27), (.9, .2),
                 (1, .06)]),
    "B": (0.78, [(0, .36), (.08, .36), (.14, .26), (.3, .17), (.6, .13), (.66, .22), (.7, .15),
                 (.8, .19), (.9, .13), (1, .03)]),
    "Q": (0.92, [(0, .38), (.07, .38), (.12, .29), (.3, .19), (.7, .13), (.76, .23), (.8, .16),
                 (.95, .25), (1, .1)]),
    "K": (1.0, [(0, .38), (.07, .38), (.12, .29), (.3, .19), (.68, .14), (.74, .24), (.78, .16),
                (.9, .23), (.93, .06), (1, .06)]),
}
SQUARES = [((235, 215, 175), (150, 95, 55)), ((240, 238, 225), (70, 120, 75)),
           ((245, 240, 230), (40, 40, 45)), ((225, 200, 150), (95, 55, 35)),
           ((215, 220, 225), (60, 90, 140)), ((210, 180, 140), (170, 120, 80))]
COLOURS = [((235, 215, 170), (70, 40, 25)), ((240, 235, 220), (35, 35, 38)),
           ((225, 190, 140), (110, 50, 35)), ((250, 245, 240), (60, 60, 60))]
TABLES = [(120, 85, 60), (200, 190, 175), (60, 65, 80), (150, 145, 140), (180, 140, 100),
          (90, 30, 35), (225, 222, 215), (40, 90, 60)]


def tint(colour):
    return tuple(int(max(0, min(255, value))) for value in colour)


def noise(height, width, rng, cell):
    """Smooth noise of mean 0 and deviation 1."""
    coarse = rng.standard_normal((max(2, height // cell + 2), max(2, width // cell + 2)))
    levels = ((np.clip(coarse, -3, 3) + 3) * 42).astype("uint8")
    image = Image.fromarray(levels).resize((width, height), Image.BICUBIC)
    return (np.asarray(image, dtype="float32") - 126) / 42


class Camera:
    """Looks at a board whose squares have side 1, with the board's middle at 0 and z upwards."""

    def __init__(self, chance, width, height, hall):
        self.width, self.height = width, height
        elevation = math.radians(chance.choice([chance.uniform(22, 40), chance.uniform(30, 60)]))
        turn = math.radians(chance.choice([chance.gauss(0, 8), chance.uniform(-45, 45)])
                            + chance.choice([0, 0, 0, 90, 180, 270]))
        distance = chance.uniform(13, 19) * (1.5 if hall else 1) * max(1, height / width)
        roll = math.radians(chance.gauss(0, 2))
        target = np.array([chance.gauss(0, .6), chance.gauss(0, .6), 0])
        self.eye = target + distance * np.array([
            math.cos(elevation) * math.sin(turn), -math.cos(elevation) * math.cos(turn),
            math.sin(elevation)])
        forward = target - self.eye
        self.forward = forward / np.linalg.norm(forward)
        right = np.cross(self.forward, [0, 0, 1])
        right /= np.linalg.norm(right)
        up = np.cross(right, self.forward)
        self.right = right * math.cos(roll) + up * math.sin(roll)
        self.up = up * math.cos(roll) - right * math.sin(roll)
        self.focus = chance.uniform(.85, 1.3) * width

    def project(self, points, scale=1):
        offset = np.asarray(points, float) - self.eye
        depth = np.maximum(offset @ self.forward, .3)
        x = self.width / 2 + self.focus * (offset @ self.right) / depth
        y = self.height / 2 - self.focus * (offset @ self.up) / depth
        return np.stack([x, y], -1) * scale

    def plane(self, z):
        """The places of a level plane that pixels show, and where they show none."""
        rows, columns = np.mgrid[0:self.height, 0:self.width]
        x = (columns + .5 - self.width / 2) / self.focus
        y = -(rows + .5 - self.height / 2) / self.focus
        rays = self.forward + x[..., None] * self.right + y[..., None] * self.up
        length = np.where(rays[..., 2] < -1e-4, (z - self.eye[2]) / np.minimum(rays[..., 2], -1e-4),
                          1e6)
        return self.eye[0] + length * rays[..., 0], self.eye[1] + length * rays[..., 1]


class Board:
    """A board's looks, the same for all boards of a picture."""

    def __init__(self, chance):
        self.chance = chance
        self.light, self.dark = (np.array(c, float) for c in chance.choice(SQUARES))
        self.kind = chance.choice(["wood", "wood", "cloth", "none"])
        self.margin = {"wood": chance.uniform(.35, 1.1), "cloth": chance.uniform(.3, .7),
                       "none": chance.uniform(.02, .08)}[self.kind]
        self.frame = {"wood": self.dark * chance.uniform(.7, 1.0) + chance.gauss(0, 8),
                      "cloth": self.light * chance.uniform(.95, 1.02),
                      "none": self.dark * .8}[self.kind]
        if self.kind == "wood" and chance.random() < .3:
            self.frame = self.light * .8
        self.line = chance.choice(["none", "none", "inlaid", "rim"])
        self.king = chance.uniform(1.5, 2.0)
        self.pieces = [np.array(c, float) for c in chance.choice(COLOURS)]

    def corners(self, half):
        return [(-half, -half), (half, -half), (half, half), (-half, half)]

    def position(self):
        """A game that has begun: a colour and a kind for squares."""
        chance, squares = self.chance, {}
        for rank, pawns, white in ((0, 1, True), (7, 6, False)):
            for file, kind in enumerate("RNBQKBNR"):
                squares[file, rank] = (kind, white)
                squares[file, pawns] = ("P", white)
        for _ in range(chance.choice([chance.randint(0, 4), chance.randint(8, 30),
                                      chance.randint(40, 60)])):
            start = chance.choice(sorted(squares))
            kind, white = squares.pop(start)
            if chance.random() < .25 and len(squares) > 6:
                continue
            advance = chance.randint(0, 4) * (1 if white else -1)
            file = min(7, max(0, start[0] + chance.randint(-3, 3)))
            squares[file, min(7, max(0, start[1] + advance))] = (kind, white)
        return squares

    def draw(self, polygon, x, y, turn, ground):
        """Draws a board, and gives its pieces: place, kind and colour."""
        cosine, sine = math.cos(turn), math.sin(turn)

        def place(u, v, z=0):
            return x + cosine * u - sine * v, y + sine * u + cosine * v, z

        outer = [place(*corner) for corner in self.corners(4 + self.margin)]
        if self.kind != "cloth":
            for a, b in zip(outer, outer[1:] + outer[:1]):
                polygon([a, b, (*b[:2], ground), (*a[:2], ground)], self.frame * .6)
        polygon(outer, self.frame)
        if self.line == "inlaid":
            for half, colour in ((4 + .35 * self.margin, self.light * .9),
                                 (3.94 + .35 * self.margin, self.frame)):
                polygon([place(*corner) for corner in self.corners(half)], colour)
        if self.line == "rim":
            polygon([place(*corner) for corner in self.corners(4.06)], self.dark * .5)
        for u in range(8):
            for v in range(8):
                colour = self.light if (u + v) % 2 else self.dark
                square = [(u - 4, v - 4), (u - 3, v - 4), (u - 3, v - 3), (u - 4, v - 3)]
                polygon([place(*corner) for corner in square],
                        colour * (1 + self.chance.gauss(0, .03)))
        pieces = []
        for (u, v), (kind, white) in self.position().items():
            where = place(u - 3.5 + self.chance.gauss(0, .06), v - 3.5 + self.chance.gauss(0, .06))
            pieces.append((*where[:2], kind, self.pieces[0 if white else 1]))
        return pieces


def room(chance, rng, camera, ground):
    """The table, and what is behind it."""
    width, height = camera.width, camera.height
    wall = np.array(chance.choice([(90, 85, 80), (170, 165, 160), (50, 50, 55), (120, 110, 100)]))
    pixels = wall + 12 * noise(height, width, rng, 110)[..., None]
    x, y = camera.plane(ground)
    isTable = (abs(x) < chance.uniform(7, 20)) & (abs(y) < chance.uniform(6, 13))
    wood = np.sin(x * chance.uniform(2, 6) + 2 * np.sin(y * .7)) * chance.choice([0, 4, 8])
    texture = 6 * noise(height, width, rng, 6) + wood
    pixels[isTable] = (np.array(chance.choice(TABLES)) + texture[..., None])[isTable]
    image = Image.fromarray(np.clip(pixels, 0, 255).astype("uint8"))
    return image.resize((width * SCALE, height * SCALE), Image.BICUBIC)


def shaded(image, camera, pieces, king, chance):
    """The picture with the pieces' shadows."""
    light = np.array([chance.uniform(-1, 1), chance.uniform(-1, 1), chance.uniform(.8, 2)])
    shadow = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(shadow)
    for x, y, kind, _ in pieces:
        offset = -light[:2] / light[2] * PIECES[kind][0] * king
        outline = []
        for angle in np.linspace(0, 2 * np.pi, 18, endpoint=False):
            edge = np.array([math.cos(angle), math.sin(angle)])
            outline.append((*(np.array([x, y]) + .3 * edge + offset * (edge @ offset > 0)), 0))
        draw.polygon([tuple(p) for p in camera.project(outline, SCALE)], fill=60)
    shadow = np.asarray(shadow.filter(ImageFilter.GaussianBlur(3 * SCALE)), dtype="float32")
    pixels = np.asarray(image, dtype="float32")
    return Image.fromarray(
        (pixels * (1 - shadow[..., None] / 255 * chance.uniform(.5, 1))).astype("uint8"))


def stand(image, camera, pieces, king):
    """Draws pieces as stacks of discs, the nearest last."""
    draw = ImageDraw.Draw(image)
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    for x, y, kind, colour in sorted(
            pieces, key=lambda p: -(p[0] - camera.eye[0]) ** 2 - (p[1] - camera.eye[1]) ** 2):
        size, profile = PIECES[kind]
        heights = np.linspace(0, 1, 30)
        radii = np.interp(heights, *zip(*profile))
        for height, radius in zip(heights, radii):
            disc = camera.project(np.stack([
                x + radius * np.cos(angles), y + radius * np.sin(angles),
                np.full(16, height * size * king)], -1), SCALE)
            (left, top), (right, bottom) = disc.min(0), disc.max(0)
            for a, b, light in ((0, 1, .75), (.1, .9, .95), (.25, .75, 1.08), (.35, .6, 1.15)):
                draw.ellipse((left + a * (right - left), top, left + b * (right - left), bottom),
                             fill=tint(colour * light * (.85 + .15 * height)))


def photographed(image, camera, chance, rng):
    """What a camera makes of it: uneven light, blur and noise."""
    width, height = camera.width, camera.height
    pixels = np.asarray(image.resize((width, height), Image.BOX), dtype="float32")
    rows, columns = np.mgrid[0:height, 0:width]
    light = (1 + chance.uniform(-.25, .25) * (columns / width - .5)
             + chance.uniform(-.25, .25) * (rows / height - .5)) * chance.uniform(.7, 1.1)
    image = Image.fromarray(np.clip(pixels * light[..., None], 0, 255).astype("uint8"))
    if chance.random() < .4:
        image = image.filter(ImageFilter.GaussianBlur(chance.uniform(.3, 1.4)))
    pixels = np.asarray(image, dtype="float32")
    pixels = pixels + rng.standard_normal(pixels.shape) * chance.uniform(1, 5)
    return Image.fromarray(np.clip(pixels, 0, 255).astype("uint8"))


def picture(seed):
    """A picture with its record; None where it does not show the whole board."""
    chance, rng = random.Random(seed), np.random.default_rng(seed)
    width, height = chance.choice([(1280, 960), (1600, 1200), (1024, 768), (960, 1280), (1280, 720)])
    hall = chance.random() < .3
    camera = Camera(chance, width, height, hall)
    board = Board(chance)
    half = 4 + board.margin
    squares = camera.project([(*c, 0) for c in board.corners(4)])
    frame = camera.project([(*c, 0) for c in board.corners(half)])
    x, y = frame[:, 0], frame[:, 1]
    area = abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
    if x.min() < 0 or y.min() < 0 or x.max() > width or y.max() > height or area < .06 * width * height:
        return None
    ground = -chance.uniform(.1, .5)
    image = room(chance, rng, camera, ground)
    draw = ImageDraw.Draw(image)

    def polygon(points, colour):
        draw.polygon([tuple(p) for p in camera.project(points, SCALE)], fill=tint(colour))

    pieces = board.draw(polygon, 0, 0, 0, ground)
    if hall or chance.random() < .2:
        gap = chance.uniform(1.5, 6)
        for side in chance.choice([[-1, 1], [1], [-1]]):
            pieces += board.draw(polygon, side * (2 * half + gap), chance.gauss(0, .4),
                                 chance.gauss(0, .03), ground)
    for _ in range(chance.randint(0, 8)):  # taken pieces
        pieces.append((chance.choice([-1, 1]) * (half + chance.uniform(.5, 1.5)),
                       chance.uniform(-4, 4), chance.choice("PPPNBRQ"), chance.choice(board.pieces)))
    for _ in range(chance.randint(0, 3)):  # sheets and clocks
        u, v = chance.choice([-1, 1]) * (half + chance.uniform(1.2, 3)), chance.uniform(-5, 5)
        a, b = min(chance.uniform(.6, 1.2), abs(u) - half - .1), chance.uniform(1, 1.8)
        polygon([(u - a, v - b, ground), (u + a, v - b, ground), (u + a, v + b, ground),
                 (u - a, v + b, ground)],
                np.array(chance.choice([(245, 245, 240), (60, 60, 65), (200, 180, 120)])))
    image = shaded(image, camera, pieces, board.king, chance)
    stand(image, camera, pieces, board.king)
    record = {"width": width, "height": height, "corners": squares.tolist(), "frame": frame.tolist()}
    return photographed(image, camera, chance, rng), record, chance.randint(75, 92)


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    records = []
    while len(records) < count:
        made = picture(seed)
        if made:
            name = f"board-{seed}.jpg"
            made[0].save(os.path.join(folder, name), quality=made[2])
            records.append({"image": name, **made[1]})
        seed += 1
    with open(os.path.join(folder, "corners.json"), "w") as file:
        json.dump(records, file)


main()
