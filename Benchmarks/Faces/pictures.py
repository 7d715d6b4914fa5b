"""Pictures of dice faces with drawings, as tensors: many views of each face of many makes.

A drawing is a character of an installed font. Each picture shows a cube from above, its uppermost face about
the middle, as a detector's box would cut it out: turned by any angle, in other light, on other ground.
"""

import math
import random
import subprocess

import numpy as np
import torch
import torch.nn.functional as F
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

SIDE = 64  # pixels of a picture
REACH = 1.4  # how many times as long as the box's longer side a picture is
RANGES = [
    (0x21, 0x7E), (0xA1, 0xFF), (0x370, 0x3FF), (0x400, 0x44F), (0x5D0, 0x5EA), (0x621, 0x64A),
    (0x904, 0x939), (0x10A0, 0x10FF), (0x1200, 0x1260), (0x16A0, 0x16F0), (0x2190, 0x23FF),
    (0x25A0, 0x27BF), (0x2B00, 0x2BFF), (0xF000, 0xF2E0), (0x10380, 0x1039F), (0x12000, 0x120FF),
    (0x13000, 0x131FF), (0x1F300, 0x1F64F), (0x1F680, 0x1F6FF)]
SYMBOLS = ("symbola", "awesome", "symbols", "opens", "ancient", "aegean", "dejavu")


def drawings(count=9000, seed=3):
    """Masks of different drawings, [N, 1, 64, 64], each as large as fits; fewer than `count`, as some come twice."""
    rng = random.Random(seed)
    lines = subprocess.check_output(["fc-list", ":", "file"], text=True).split("\n")
    fonts = sorted(line.split(":")[0] for line in lines if line.split(":")[0].endswith((".ttf", ".otf")))
    rng.shuffle(fonts)
    symbols = [font for font in fonts if any(name in font.lower() for name in SYMBOLS)]
    characters = {}
    for font in fonts[:700] + symbols:
        try:
            characters[font] = set(TTFont(font, lazy=True).getBestCmap())
        except Exception:  # A font without such a table.
            continue
    symbols, fonts = [font for font in symbols if font in characters], sorted(characters)
    masks = []
    while len(masks) < count:
        font = rng.choice(symbols if rng.random() < 0.6 else fonts)
        code = rng.randint(*rng.choice(RANGES))
        if code in characters[font] and (mask := drawing(font, code)) is not None:
            masks.append(mask)
    masks = np.unique(np.stack(masks).reshape(count, -1), axis=0).reshape(-1, 64, 64)
    return torch.from_numpy(masks).float()[:, None] / 255


def drawing(font, code):
    """A character's mask, or None where it can hardly be seen."""
    image = Image.new("L", (256, 256))
    ImageDraw.Draw(image).text((128, 128), chr(code), font=ImageFont.truetype(font, 96), fill=255, anchor="mm")
    box = image.getbbox()
    if box is None or max(box[2] - box[0], box[3] - box[1]) < 12:
        return None
    width, height = box[2] - box[0], box[3] - box[1]
    square = Image.new("L", (max(width, height),) * 2)
    square.paste(image.crop(box), ((square.width - width) // 2, (square.height - height) // 2))
    mask = Image.new("L", (64, 64))
    mask.paste(square.resize((60, 60), Image.LANCZOS), (2, 2))
    mask = np.array(mask)
    return mask if (mask > 128).mean() >= 0.03 else None


def textures(count=200):
    """Clouds, veins and speckles with a mean of 0 and a spread of 1, [count, 1, 64, 64]."""
    result = []
    for index in range(count):
        texture = torch.zeros(1, 1, 64, 64)
        if index % 2 == 0:
            for cells in (3, 6, 12, 24):
                noise = torch.randn(1, 1, cells, cells) / cells ** 0.5
                texture = texture + F.interpolate(noise, size=(64, 64), mode="bicubic")
            if index % 4 == 0:
                texture = torch.sin(6 * texture)
        else:
            cells = random.choice([20, 32, 48, 64])
            speckles = (torch.rand(1, 1, cells, cells) > random.uniform(0.7, 0.97)).float()
            texture = 2 * F.interpolate(speckles, size=(64, 64), mode="nearest")
        result.append((texture - texture.mean()) / texture.std().clamp(min=0.1))
    return torch.cat(result)


def uniform(count, low, high):
    return torch.rand(count) * (high - low) + low


def sometimes(count, share, values, otherwise=0.0):
    return torch.where(torch.rand(count) < share, values, torch.full((count,), otherwise))


def colors(count):
    """Colours by lot, four in ten of them gray."""
    gray = (torch.rand(count, 1) < 0.4).float()
    return torch.rand(count, 3) * (1 - gray) + torch.rand(count, 1) * gray


def tall(values):
    """A number of each picture, to be combined with its pixels."""
    return values[:, None, None]


class Painter:
    """Paints batches of pictures."""

    def __init__(self, masks):
        self.masks, self.textures = masks, textures()
        rows, columns = torch.meshgrid(torch.arange(SIDE) + 0.5, torch.arange(SIDE) + 0.5, indexing="ij")
        self.x, self.y = (columns - SIDE / 2) / SIDE, (rows - SIDE / 2) / SIDE

    def batch(self, makes, faces, views):
        """Pictures [N, 3, SIDE, SIDE] from 0 to 1, make by make, face by face; widths and heights of their boxes
        in parts of a picture; and for each face whether it is blank."""
        n = makes * faces * views
        make = torch.arange(makes).repeat_interleave(faces * views)
        face = torch.arange(makes * faces).repeat_interleave(views)
        self.n, self.make = n, make
        # What is the same for all faces of a make, then what belongs to a face.
        self.body, ink = colors(makes), colors(makes)
        contrast = (self.body - ink).abs().mean(1, keepdim=True)
        least = torch.where(torch.rand(makes, 1) < 0.85, 0.3, 0.15)
        ink = torch.where(contrast < least, (1 - self.body) * 0.8 + 0.1, ink)
        self.half = uniform(makes, 0.46, 0.8)
        self.radius = torch.where(torch.rand(makes) < 0.75, uniform(makes, 0.08, 0.5), uniform(makes, 0.5, 1))
        self.texture = torch.randint(0, len(self.textures), (makes,))
        # Speckles stand out more than clouds and veins.
        self.marbling = sometimes(makes, 0.4, uniform(makes, 0.02, 0.4))
        self.marbling = self.marbling * torch.where(self.texture % 2 == 1, 0.4, 1.0)
        # Marbling differs from die to die; three makes in ten have one die.
        is_one = (torch.rand(makes) < 0.3)[make]
        self.marble_turn = torch.where(is_one, 0.0, uniform(n, 0, 2 * math.pi))
        self.marble_place = torch.where(is_one[:, None], 0.0, 2 * torch.rand(n, 2))
        self.marble_scale = torch.where(
            torch.rand(makes) < 0.5, uniform(makes, 0.3, 0.6), uniform(makes, 0.6, 1.5))[make]
        mask = torch.randint(0, len(self.masks), (makes * faces,))
        blank = torch.rand(makes * faces) < 0.05
        quarter = torch.randint(0, 4, (makes * faces,))
        self.ink = ink[make] * (1 + 0.12 * torch.randn(n, 1))
        self.ink = self.ink + sometimes(n, 0.15, uniform(n, -0.3, 0.3))[:, None]

        elevation = torch.where(torch.rand(n) < 0.15, uniform(n, 35, 55), uniform(n, 50, 90)) * math.pi / 180
        self.distance = torch.exp(uniform(n, math.log(5), math.log(25)))
        self.rotation = (
            rotation(2, 0.15 * torch.randn(n)) @ rotation(0, elevation - math.pi / 2)
            @ rotation(2, uniform(n, 0, 2 * math.pi)))
        x, y, z = torch.eye(3)
        width, height = self.choose_box()
        longer = torch.maximum(width, height) * REACH

        picture = self.background()
        others = torch.stack([torch.randperm(faces)[:4] + index * faces for index in range(makes)])[make]
        small = (0.5 * self.radius[make]).clamp(max=0.3)
        camera = torch.stack([torch.zeros(n), torch.zeros(n), self.distance], 1)
        for side, (a, b, c) in enumerate([(y, z, x), (y, z, -x), (x, z, y), (x, z, -y)]):
            middle = self.rotation @ c
            is_seen = ((camera - middle) * middle).sum(1) > 0.02
            other = others[:, side]
            painted, _ = self.paint(
                picture, self.projection(a, b, c), mask[other], blank[other], quarter[other],
                uniform(n, 0.45, 0.95), small)
            picture = torch.where(tall(is_seen)[:, None], painted, picture)
        top = self.projection(x, y, z)
        # The body between a rounded face and the sides.
        under, _ = self.paint(
            picture, top, mask[face], torch.ones(n, dtype=torch.bool), quarter[face], uniform(n, 0.7, 1.15),
            (0.35 * self.radius[make]).clamp(max=0.3))
        has_body = (self.radius[make] < 0.5) | (torch.rand(n) < 0.7)
        picture = torch.where(tall(has_body)[:, None], under, picture)
        picture, covered = self.paint(
            picture, top, mask[face], blank[face], quarter[face], uniform(n, 0.85, 1.1), self.radius[make])
        return self.seen(self.lit(picture, covered)), width / longer, height / longer, blank

    def choose_box(self):
        """Looks at the uppermost face as a detector's box encloses it; returns the box's sides."""
        n = self.n
        corners = torch.tensor([[1, 1, -1, -1], [1, -1, 1, -1], [1, 1, 1, 1.]]).expand(n, 3, 4).clone()
        corners[:, :2] *= 0.9 * (1 - 0.25 * tall(self.radius[self.make]))
        x, y, z = torch.eye(3)
        seen = self.projection(x, y, z) @ corners
        columns, rows = seen[:, 0] / seen[:, 2], seen[:, 1] / seen[:, 2]
        left, right = columns.min(1)[0], columns.max(1)[0]
        upper, lower = rows.min(1)[0], rows.max(1)[0]
        # One box in ten is three times as far off.
        error = 1 + 2 * (torch.rand(n) < 0.1).float()
        width, height = right - left, lower - upper
        middle_x = (left + right) / 2 + 0.035 * error * width * torch.randn(n)
        middle_y = (upper + lower) / 2 + 0.035 * error * height * torch.randn(n)
        width = width * torch.exp(0.06 * error * torch.randn(n))
        height = height * torch.exp(0.06 * error * torch.randn(n))
        longer = tall(torch.maximum(width, height) * REACH)
        columns, rows = tall(middle_x) + self.x * longer, tall(middle_y) + self.y * longer
        self.points = torch.stack([columns, rows, torch.ones_like(columns)], 1).view(n, 3, -1)
        return width, height

    def projection(self, a, b, c):
        """Maps points (u, v, 1) of the cube's side c + u a + v b to the picture's plane."""
        side = torch.stack([self.rotation @ a, self.rotation @ b, self.rotation @ c], 2)
        result = torch.stack([side[:, 0], -side[:, 1], -side[:, 2]], 1).clone()
        result[:, 2, 2] += self.distance
        return result

    def paint(self, picture, projection, mask, is_blank, quarter, shade, radius):
        """The picture with a side of the cube in front of it, and where that is."""
        n, make = self.n, self.make
        points = torch.linalg.solve(projection, self.points)
        points = points / points[:, 2:].clamp(min=1e-6)
        u, v = points[:, 0].view(n, SIDE, SIDE), points[:, 1].view(n, SIDE, SIDE)
        radius = tall(radius)
        beyond_u, beyond_v = (u.abs() - (1 - radius)).clamp(min=0), (v.abs() - (1 - radius)).clamp(min=0)
        outside = (beyond_u ** 2 + beyond_v ** 2 + 1e-9).sqrt() - radius
        cover = (1 - outside.clamp(min=-1) / 0.06).clamp(0, 1)
        cover = torch.where((u.abs() < 1.1) & (v.abs() < 1.1), cover, torch.zeros_like(cover))[:, None]
        cosine = tall(torch.tensor([1., 0, -1, 0])[quarter])
        sine = tall(torch.tensor([0., 1, 0, -1])[quarter])
        half = tall(self.half[make])
        place = torch.stack([(u * cosine - v * sine) / half, -(u * sine + v * cosine) / half], 3)
        drawn = F.grid_sample(self.masks[mask], place, align_corners=False)
        drawn = drawn * tall(~is_blank).float()[:, None]
        cosine, sine = tall(torch.cos(self.marble_turn)), tall(torch.sin(self.marble_turn))
        scale, shift = tall(self.marble_scale), self.marble_place
        place = torch.stack([
            (u * cosine - v * sine) * scale + tall(0.37 * quarter.float() + shift[:, 0]),
            (u * sine + v * cosine) * scale + tall(shift[:, 1])], 3)
        marble = F.grid_sample(
            self.textures[self.texture[make]], place, align_corners=False, padding_mode="reflection")
        color = self.body[make][:, :, None, None] + marble * tall(self.marbling[make])[:, None]
        color = color * (1 - drawn) + self.ink[:, :, None, None] * drawn
        # Rounded edges are in other light.
        edge = ((outside + 0.25) / 0.25).clamp(0, 1) * tall(0.2 * torch.randn(n))
        color = color * (tall(shade) * (1 + edge))[:, None]
        return picture * (1 - cover) + color * cover, cover

    def background(self):
        """A table: a colour, clouds, and here and there a large drawing."""
        n = self.n
        picture = colors(n)[:, :, None, None].expand(n, 3, SIDE, SIDE).clone()
        turn, scale, zero = uniform(n, 0, 2 * math.pi), uniform(n, 0.3, 1.5), torch.zeros(n)
        map_ = torch.stack([
            torch.cos(turn) * scale, -torch.sin(turn) * scale, zero, torch.sin(turn) * scale,
            torch.cos(turn) * scale, zero], 1).view(n, 2, 3)
        size = (n, 1, SIDE, SIDE)
        clouds = F.grid_sample(
            self.textures[torch.randint(0, len(self.textures), (n,))],
            F.affine_grid(map_, size, align_corners=False), align_corners=False, padding_mode="reflection")
        picture = picture + clouds * tall(sometimes(n, 0.5, uniform(n, 0, 0.25)))[:, None]
        map_ = torch.cat([map_[:, :, :2] * 2, torch.randn(n, 2, 1)], 2)
        drawn = F.grid_sample(
            self.masks[torch.randint(0, len(self.masks), (n,))], F.affine_grid(map_, size, align_corners=False),
            align_corners=False)
        is_drawn = tall(torch.rand(n) < 0.3)[:, None] & (drawn > 0.5)
        return torch.where(is_drawn, colors(n)[:, :, None, None], picture)

    def lit(self, picture, covered):
        """The picture in a light of its own: slopes, a reflection, shadows, colours, and what hides a part."""
        n = self.n

        def across(angle):
            return self.x * torch.cos(tall(angle)) + self.y * torch.sin(tall(angle))
        hidden = (across(uniform(n, 0, 2 * math.pi)) > tall(uniform(n, 0.2, 0.45))) & tall(torch.rand(n) < 0.08)
        picture = torch.where(hidden[:, None], colors(n)[:, :, None, None], picture)
        slope = 1 + 0.35 * (tall(torch.randn(n)) * self.x + tall(torch.randn(n)) * self.y)
        away = (self.x - tall(uniform(n, -0.4, 0.4))) ** 2 + (self.y - tall(uniform(n, -0.4, 0.4))) ** 2
        reflection = torch.exp(-away / (2 * tall(uniform(n, 0.05, 0.25)) ** 2))
        reflection = reflection * tall(sometimes(n, 0.35, uniform(n, 0.1, 0.7)))
        picture = picture * slope[:, None] + reflection[:, None] * covered
        shadow = ((across(uniform(n, 0, 2 * math.pi)) - tall(uniform(n, -0.3, 0.3))) / 0.03).clamp(0, 1)
        picture = picture * (1 - shadow * tall(sometimes(n, 0.15, uniform(n, 0.2, 0.6))))[:, None]
        exposure = torch.exp(uniform(n, -0.7, 0.25))[:, None] * (1 + 0.06 * torch.randn(n, 3))
        picture = picture * exposure[:, :, None, None]
        is_gray = tall(torch.rand(n) < 0.15)[:, None]
        return torch.where(is_gray, picture.mean(1, keepdim=True).expand_as(picture), picture)

    def seen(self, picture):
        """The picture as a camera with fewer pixels takes it: blurred here and there, with noise."""
        result = torch.empty_like(picture)
        sizes = [26, 34, 42, 50, 58, SIDE]
        size = torch.randint(0, len(sizes), (self.n,))
        for index, side in enumerate(sizes):
            chosen = (size == index).nonzero()[:, 0]
            if len(chosen) == 0:
                continue
            part = F.interpolate(picture[chosen], size=(side, side), mode="area")
            is_blurred = torch.rand(len(chosen)) < 0.22
            if is_blurred.any():
                blurred = F.avg_pool2d(part[is_blurred], 3, 1, 1)
                if torch.rand(1) < 0.25:
                    blurred = F.avg_pool2d(blurred, 3, 1, 1)
                part[is_blurred] = blurred
            noise = torch.where(
                torch.rand(len(chosen)) < 0.7, uniform(len(chosen), 0, 0.02), uniform(len(chosen), 0, 0.06))
            noise = tall(noise)[:, None]
            part = part + 0.8 * noise * torch.randn(len(chosen), 1, side, side)
            part = (part + 0.6 * noise * torch.randn(len(chosen), 3, side, side)).clamp(0, 1)
            result[chosen] = F.interpolate(part, size=(SIDE, SIDE), mode="bilinear", align_corners=False)
        return result


def rotation(axis, angle):
    """Matrices [N, 3, 3] that turn about an axis."""
    result = torch.eye(3).repeat(len(angle), 1, 1)
    a, b = [index for index in range(3) if index != axis]
    result[:, a, a], result[:, b, b] = torch.cos(angle), torch.cos(angle)
    result[:, a, b], result[:, b, a] = -torch.sin(angle), torch.sin(angle)
    return result
