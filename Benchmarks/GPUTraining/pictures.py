"""Pictures on the device, and samples of them, augmented as in the library's own training.

In shapes, N counts pictures, B samples, Q tiles of a sample, T boxes; S is the side of the input.
Boxes are x and y of the middle, width, height, label (-1 not readable, -2 no box), and how much
the box counts.
"""

import json
import math
import os
import queue
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

LEVELS, MOST_BOXES, MOST_KEPT, MOST_PROPOSALS = 4, 40, 64, 24
LEAST_SIDE, LEAST_VISIBLE = 9, 0.55
FOUR_SIDES = 4  # The labels below it are those of a d4.
D4_TURN = 0.3  # How far a d4 is turned beside other dice that stand upright.


class Store:
    """Pictures of 8 bits a channel, in 32 bits a pixel, each in four sizes that halve."""

    def __init__(self, device, pixels, labels, sources):
        """`sources`: name to how often its pictures are drawn and how much its boxes count."""
        self.device, self.labels, self.sources = device, labels, sources
        self.pixels, self.used = torch.zeros(pixels, dtype=torch.int32, device=device), 0
        self.places, self.truths, self.turns, self.names = [], [], [], []
        self.changed, self.full, self.seen = True, False, set()
        self.queue, self.pool = queue.Queue(maxsize=600), ThreadPoolExecutor(3)

    def scan(self, root):
        """Begins to decode the folders NAME-N in which there is a file `done`."""
        for folder in sorted(os.listdir(root)):
            path, name = os.path.join(root, folder), folder.rsplit("-", 1)[0]
            if folder in self.seen or not os.path.exists(os.path.join(path, "done")):
                continue
            self.seen.add(folder)
            if name in self.sources:
                with open(os.path.join(path, "annotations.json")) as file:
                    for entry in json.load(file):
                        self.pool.submit(self.decode, path, entry, name)

    def decode(self, folder, entry, name, most=700):
        """Queues a picture whose longer side is at most `most` pixels."""
        path = os.path.join(folder, entry["image"])
        try:
            image = Image.open(path).convert("RGB")
            scale = min(1.0, most / max(image.size))
            if scale < 1:
                image = image.resize([round(scale * side) for side in image.size], Image.BOX)
            boxes = [self.box(annotation, scale, name) for annotation in entry["annotations"]]
            turns = [annotation.get("angle", math.nan) for annotation in entry["annotations"]]
        except (OSError, KeyError) as error:
            print(f"left out: {path}: {error!r}", flush=True)
            return
        if len(boxes) <= MOST_BOXES:
            order = sorted(range(len(boxes)), key=lambda k: -boxes[k][2] * boxes[k][3])
            self.queue.put((np.array(image), [boxes[k] for k in order],
                            [turns[k] for k in order], name))

    def box(self, annotation, scale, name):
        label, place = annotation["label"], annotation["coordinates"]
        if label.isdigit() and "d6-1" in self.labels:
            label = "d6-" + label
        sides = [place[key] * scale for key in ("x", "y", "width", "height")]
        return (*sides, -1 if label == "?" else self.labels[label], self.sources[name][1])

    def drain(self, most):
        """Adds up to so many decoded pictures."""
        for _ in range(most):
            if self.full or self.queue.empty():
                return
            self.add(*self.queue.get())

    def add(self, picture, boxes, turns, name):
        rows, columns, _ = picture.shape
        if self.used + int(rows * columns * 1.4) > len(self.pixels):
            self.full = True
            return
        values = torch.from_numpy(picture).to(self.device).permute(2, 0, 1)[None].float()
        places = []
        for _ in range(LEVELS):
            height, width = values.shape[2:]
            red, green, blue = values[0].round().to(torch.int32)
            end = self.used + height * width
            self.pixels[self.used:end] = (red | green << 8 | blue << 16).flatten()
            places.append([self.used, width, height, columns / width, rows / height])
            self.used = end
            if min(height, width) >= 32:
                values = F.avg_pool2d(values, 2, ceil_mode=True, count_include_pad=False)
        self.places.append(places)
        self.truths.append(boxes + [(0, 0, 0, 0, -2, 0)] * (MOST_BOXES - len(boxes)))
        self.turns.append(turns + [math.nan] * (MOST_BOXES - len(turns)))
        self.names.append(name)
        self.changed = True

    def settle(self):
        """Makes the tensors anew after pictures were added."""
        self.changed = False
        places = torch.tensor(self.places, dtype=torch.float64)
        self.offset = places[..., 0].long().to(self.device)
        self.width, self.height, self.factor_x, self.factor_y = (
            places[..., 1:].float().to(self.device).unbind(-1))
        self.boxes = torch.tensor(self.truths, dtype=torch.float32).to(self.device)
        self.box_count = (self.boxes[..., 4] > -1.5).sum(1)
        self.angles = torch.tensor(self.turns, dtype=torch.float32).to(self.device)
        self.counts = {name: self.names.count(name) for name in sorted(set(self.names))}
        self.shares = torch.tensor(
            [self.sources[name][0] / self.counts[name] for name in self.names]).to(self.device)

    def pick(self, count):
        return torch.multinomial(self.shares, count, replacement=True)

    def set_proposals(self, proposals):
        """`proposals`: for each picture a list of x, y and side in its pixels."""
        self.proposal_count = torch.tensor([len(places) for places in proposals]).to(self.device)
        missing = [[(0.0, 0.0, 0.0)] * (MOST_PROPOSALS - len(places)) for places in proposals]
        self.proposals = torch.tensor(
            [places + rest for places, rest in zip(proposals, missing)]).to(self.device)


class Chance:
    """Random numbers of a device."""

    def __init__(self, device):
        self.device = device

    def share(self, count):
        return torch.rand(count, device=self.device)

    def uniform(self, count, low, high):
        return self.share(count) * (high - low) + low

    def factor(self, count, most):
        """From 1 / most to most, evenly in the logarithm."""
        return torch.exp(self.uniform(count, -math.log(most), math.log(most)))


class Placement(NamedTuple):
    """Maps points of the input to a picture: source + matrix * (point - target)."""

    a: torch.Tensor
    b: torch.Tensor
    c: torch.Tensor
    d: torch.Tensor
    target_x: torch.Tensor
    target_y: torch.Tensor
    source_x: torch.Tensor
    source_y: torch.Tensor
    step: torch.Tensor  # pixels of the picture for one of the input

    def map(self, change):
        return Placement(*map(change, self))

    def inverse(self, x, y):
        """The offset in the input for one in the picture."""
        determinant = self.a * self.d - self.b * self.c
        return (self.d * x - self.b * y) / determinant, (self.a * y - self.c * x) / determinant


def placed(source, target, angle, scale, stretch, mirrored):
    """A picture that is turned and enlarged, its point `source` at `target` of the input."""
    root = stretch.sqrt()
    scale_x, scale_y = scale * root * torch.where(mirrored, -1.0, 1.0), scale / root
    cosine, sine = angle.cos(), angle.sin()
    return Placement(cosine / scale_x, sine / scale_x, -sine / scale_y, cosine / scale_y,
                     *target, *source, 1 / scale)


def placed_boxes(placement, truths, low, high, by_own_side=False):
    """Boxes [B, T, 6] in the input, cut at the tile from `low` to `high`, (x, y) of [B] each.

    A box too small or cut by more than 45 % is not readable. Second stages judge sizes in the
    picture.
    """
    placement = placement.map(lambda field: field[:, None])
    x, y, width, height, labels, counts = truths.unbind(-1)
    x, y = placement.inverse(x - placement.source_x, y - placement.source_y)
    x, y = x + placement.target_x, y + placement.target_y
    one = torch.ones_like(placement.a)
    ax, ay = placement.inverse(one, 0 * one)
    bx, by = placement.inverse(0 * one, one)
    own_side = torch.maximum(width, height)
    width, height = (torch.sqrt((ax * width) ** 2 + (bx * height) ** 2),
                     torch.sqrt((ay * width) ** 2 + (by * height) ** 2))
    left = torch.maximum(x - width / 2, low[0][:, None])
    right = torch.minimum(x + width / 2, high[0][:, None])
    top = torch.maximum(y - height / 2, low[1][:, None])
    bottom = torch.minimum(y + height / 2, high[1][:, None])
    visible = (right - left) * (bottom - top) / (width * height).clamp(min=1e-6)
    there = (labels > -1.5) & (right - left > 1) & (bottom - top > 1) & (visible > 0.1)
    side = own_side if by_own_side else torch.maximum(width, height)
    readable = (visible >= LEAST_VISIBLE) & (side >= LEAST_SIDE)
    labels = torch.where(readable, labels, torch.full_like(labels, -1))
    labels = torch.where(there, labels, torch.full_like(labels, -2))
    return torch.stack([(left + right) / 2, (top + bottom) / 2, right - left, bottom - top,
                        labels, counts], -1)


def colours(count, device):
    """Random changes of colour: matrices [count, 9], offsets and exponents [count]."""
    chance = Chance(device)
    gray = chance.share(count) < 0.1
    flat = (chance.share(count) < 0.15) & ~gray
    saturation = torch.where(gray, 0.0, chance.factor(count, 1.6))
    lightness = torch.where(flat, chance.uniform(count, 0.3, 1), 1.0)
    hue = torch.where(chance.share(count) < 0.15, chance.uniform(count, -180, 180),
                      chance.uniform(count, -40, 40)) * math.pi / 180
    along, around = saturation * hue.cos(), saturation * hue.sin() / math.sqrt(3)
    luma = torch.tensor([0.299, 0.587, 0.114], device=device)
    turn = torch.tensor([[0, -1, 1], [1, 0, -1], [-1, 1, 0.0]], device=device)
    along, around, rest = (
        values[:, None, None] for values in (along, around, lightness - along))
    matrix = luma * rest + torch.eye(3, device=device) * along + turn * around
    contrast, brightness = chance.factor(count, 1.4), chance.uniform(count, -0.2, 0.2)
    matrix = matrix * contrast[:, None, None] * chance.factor(3 * count, 1.2).view(count, 3, 1)
    offset = 0.5 - 0.5 * contrast * lightness + brightness
    negative = chance.share(count) < 0.02
    matrix = torch.where(negative[:, None, None], -matrix, matrix).reshape(count, 9)
    return matrix, torch.where(negative, 1 - offset, offset), chance.factor(count, 1.4)


def draw(store, size, index, placement, split, coarse, augmented=True):
    """Samples [B, 3, S, S] in 0...1 of pictures `index` [B, Q], by placements of [B, Q].

    Four tiles meet at `split`, (x, y) of [B]. `coarse` [B, Q] takes a size too small.
    """
    batch, tiles = index.shape
    device = store.device
    grid = torch.arange(size, device=device, dtype=torch.float32)
    if tiles > 1:
        tile = ((grid[None, None, :] >= split[0][:, None, None]).long()
                + 2 * (grid[None, :, None] >= split[1][:, None, None]).long()).view(batch, -1)

    def spread(values):  # [B, Q] to [B, S, S], or to [B, 1, 1] for one tile
        if tiles == 1:
            return values[:, 0, None, None]
        return torch.gather(values, 1, tile).view(batch, size, size)
    level = torch.log2(placement.step.clamp(min=1e-3))
    level = level + Chance(device).uniform(batch * tiles, 0.1, 0.9).view(batch, tiles)
    level = level.floor().clamp(0, LEVELS - 1).long()
    level = torch.where(coarse, (level + 1).clamp(max=LEVELS - 1), level)
    factor_x, factor_y = store.factor_x[index, level], store.factor_y[index, level]
    a, b, source_x = (spread(values / factor_x) for values in (
        placement.a, placement.b, placement.source_x))
    c, d, source_y = (spread(values / factor_y) for values in (
        placement.c, placement.d, placement.source_y))
    width, height = spread(store.width[index, level]), spread(store.height[index, level])
    offset = spread(store.offset[index, level])

    x = grid[None, None, :] + 0.5 - spread(placement.target_x)
    y = grid[None, :, None] + 0.5 - spread(placement.target_y)
    x, y = a * x + b * y + source_x, c * x + d * y + source_y
    outside = (x < 0) | (y < 0) | (x >= width) | (y >= height)
    x, y = x - 0.5, y - 0.5
    left, top = x.floor(), y.floor()
    share_x, share_y = (x - left)[:, None], (y - top)[:, None]

    def pixels(x, y):
        column = torch.minimum(x.clamp(min=0), width - 1).long()
        row = torch.minimum(y.clamp(min=0), height - 1).long()
        packed = store.pixels[offset + row * width.long() + column]
        return torch.stack([packed & 255, (packed >> 8) & 255, packed >> 16], 1).float()
    upper = pixels(left, top) * (1 - share_x) + pixels(left + 1, top) * share_x
    lower = pixels(left, top + 1) * (1 - share_x) + pixels(left + 1, top + 1) * share_x
    samples = (upper * (1 - share_y) + lower * share_y) / 255
    if augmented:
        matrix, shift, exponent = (
            values.view(batch, tiles, -1) for values in colours(batch * tiles, device))
        m = [spread(matrix[..., k]) for k in range(9)]
        red, green, blue = samples.unbind(1)
        samples = torch.stack([
            m[k] * red + m[k + 1] * green + m[k + 2] * blue + spread(shift[..., 0])
            for k in (0, 3, 6)], 1).clamp(0, 1)
        samples = samples.clamp(min=1e-4) ** spread(exponent[..., 0])[:, None]
    samples = torch.where(outside[:, None], 114 / 255, samples)
    return degraded(samples) if augmented else samples


def degraded(samples):
    """Blurs, sharpens, shades and adds noise, each to some of the samples [B, 3, S, S]."""
    batch, _, size, _ = samples.shape
    device, chance = samples.device, Chance(samples.device)

    def happens(share):
        return (chance.share(batch) < share).view(batch, 1, 1, 1)

    def uniform(low, high):
        return chance.uniform(batch, low, high).view(batch, 1, 1, 1)
    line = torch.tensor([1, 2, 1.0], device=device) / 4
    kernel = (line[:, None] * line)[None, None].expand(3, 1, 3, 3).contiguous()

    def blurred(values):
        return F.conv2d(F.pad(values, (1, 1, 1, 1), mode="replicate"), kernel, groups=3)
    once = blurred(samples)
    kind = uniform(0, 1)
    result = torch.where(kind < 0.08, once, torch.where(kind < 0.13, blurred(once), samples))
    sharpened = samples + (samples - once) * uniform(0.3, 1.3)
    result = torch.where((kind >= 0.13) & (kind < 0.25), sharpened, result)
    slope = torch.linspace(-0.5, 0.5, size, device=device)
    shaded = happens(0.25)
    shade = uniform(-0.7, 0.7) * slope + uniform(-0.7, 0.7) * slope[:, None]
    result = result * (1 + torch.where(shaded, shade, 0.0))
    fine = torch.where(happens(0.3), uniform(0, 0.06), 0.0)
    noise = torch.randn_like(samples) * fine
    grains = F.interpolate(torch.randn(batch, 3, size // 2, size // 2, device=device),
                           scale_factor=2, mode="bilinear")
    result = result + noise + grains * torch.where(happens(0.12), uniform(0, 0.05), 0.0)
    return result.clamp_(0, 1)


class DetectorSampler:
    """Samples for a detector; three in ten are four pictures around a point.

    Pictures have 0.75 to 2.2 times the size that they have in an input of `reference` pixels.
    """

    def __init__(self, store, size, mirrored=0.0, reference=416):
        self.store, self.size, self.mirrored, self.reference = store, size, mirrored, reference

    def make(self, batch, plain=False):
        """Samples [B, 3, S, S] and boxes [B, 64, 6]; `plain` ones are no mosaics, and smaller."""
        store, size, count = self.store, self.size, 4 * batch
        chance = Chance(store.device)
        index = store.pick(count)
        mosaic = chance.share(batch) < (0.0 if plain else 0.3)
        split_x, split_y = (torch.where(
            mosaic, (chance.uniform(batch, 0.3, 0.7) * size).floor(), float(size)) for _ in "xy")
        zero, full = torch.zeros_like(split_x), torch.full_like(split_x, size)
        low = (torch.stack([zero, split_x, zero, split_x], 1).flatten(),
               torch.stack([zero, zero, split_y, split_y], 1).flatten())
        high = (torch.stack([split_x, full, split_x, full], 1).flatten(),
                torch.stack([split_y, split_y, full, full], 1).flatten())
        tile_x, tile_y = high[0] - low[0], high[1] - low[1]
        width, height = store.width[index, 0], store.height[index, 0]
        least, most = (0.8, 1.25) if plain else (0.75, 2.2)
        scale = self.reference / torch.maximum(width, height)
        scale = scale * least * (most / least) ** chance.share(count)
        angle = chance.uniform(count, -12, 12) * math.pi / 180
        stretch, mirrored = chance.factor(count, 1.2), chance.share(count) < self.mirrored
        shift_x = (tile_x - width * scale).abs() / 2 * chance.uniform(count, -1, 1)
        shift_y = (tile_y - height * scale).abs() / 2 * chance.uniform(count, -1, 1)
        # Where not all of a picture has room, four in five tiles show one of its dice.
        boxes, box_count = store.boxes[index], store.box_count[index]
        chosen = (chance.share(count) * box_count.clamp(min=1)).long()
        die = boxes[torch.arange(count, device=store.device), chosen]
        origin = (torch.zeros_like(angle), torch.zeros_like(angle))
        die_x, die_y = placed(origin, origin, angle, scale, stretch, mirrored).inverse(
            die[:, 0] - width / 2, die[:, 1] - height / 2)
        wide, high_up = width * scale > tile_x, height * scale > tile_y
        shown = (box_count > 0) & (wide | high_up) & (chance.share(count) < 0.8)
        shift_x = torch.where(
            shown & wide, 0.4 * tile_x * chance.uniform(count, -1, 1) - die_x, shift_x)
        shift_y = torch.where(
            shown & high_up, 0.4 * tile_y * chance.uniform(count, -1, 1) - die_y, shift_y)
        target = (low[0] + tile_x / 2 + shift_x, low[1] + tile_y / 2 + shift_y)
        placement = placed((width / 2, height / 2), target, angle, scale, stretch, mirrored)
        truths = placed_boxes(placement, boxes, low, high)
        truths[..., 4] = torch.where(((tile_x > 1) & (tile_y > 1))[:, None], truths[..., 4], -2.0)
        truths = truths.view(batch, -1, 6)

        placement, index = placement.map(lambda field: field.view(batch, 4)), index.view(batch, 4)
        coarse = torch.zeros_like(index, dtype=torch.bool)
        samples = torch.empty(batch, 3, size, size, device=store.device)
        for which, tiles in ((~mosaic, 1), (mosaic, 4)):
            rows = which.nonzero()[:, 0]
            if len(rows):
                samples[rows] = draw(
                    store, size, index[rows, :tiles],
                    placement.map(lambda field: field[rows, :tiles]),
                    (split_x[rows], split_y[rows]), coarse[rows, :tiles])
        area = torch.where(truths[..., 4] > -1.5, truths[..., 2] * truths[..., 3] + 1, 0.0)
        largest = area.topk(MOST_KEPT, 1).indices
        return samples, torch.gather(truths, 1, largest[..., None].expand(-1, -1, 6))


class CropSampler:
    """Crops for a second stage, in which a die has `base` pixels.

    They show what a detector proposes, labelled dice and what is beside them, and any place.
    """

    def __init__(self, store, size, base, mirrored=0.0):
        self.store, self.size, self.base, self.mirrored = store, size, base, mirrored

    def make(self, batch, plain=False):
        """Samples [B, 3, S, S] and the boxes [B, T, 6] of their pictures."""
        store, size = self.store, self.size
        chance = Chance(store.device)
        index = store.pick(batch)
        width, height = store.width[index, 0], store.height[index, 0]
        boxes, box_count = store.boxes[index], store.box_count[index]
        every = torch.arange(batch, device=store.device)
        kind = chance.share(batch)

        def near(x, y, side, least, most, factor):
            """A place whose middle is off by least to most of the side along one axis."""
            off = least + (most - least) * chance.share(batch)
            off = off * torch.where(chance.share(batch) < 0.5, 1.0, -1.0)
            other = chance.uniform(batch, -1, 1) * off.abs()
            along_x = chance.share(batch) < 0.5
            return (x + side * torch.where(along_x, off, other),
                    y + side * torch.where(along_x, other, off),
                    (side * chance.factor(batch, factor)).clamp(min=2))
        proposal_count = store.proposal_count[index]
        chosen = (chance.share(batch) * proposal_count.clamp(min=1)).long()
        proposed = near(*store.proposals[index, chosen].unbind(1), 0.0, 0.1, 1.15)
        die = boxes[every, (chance.share(batch) * box_count.clamp(min=1)).long()]
        beside = chance.share(batch) < 0.35
        labelled = near(die[:, 0], die[:, 1], torch.maximum(die[:, 2], die[:, 3]),
                        torch.where(beside, 0.5, 0.0), torch.where(beside, 1.1, 0.33), 1.5)
        anywhere = (chance.share(batch) * width, chance.share(batch) * height,
                    torch.maximum(width, height) * 0.02 * 15 ** chance.share(batch))
        is_proposed = (kind < torch.where(box_count == 0, 0.9, 0.5)) & (proposal_count > 0)
        is_labelled = ~is_proposed & (kind < 0.92) & (box_count > 0)
        x, y, side = (
            torch.where(is_proposed, first, torch.where(is_labelled, second, third))
            for first, second, third in zip(proposed, labelled, anywhere))
        angle = chance.uniform(batch, -12, 12) * math.pi / 180
        middle, zero = torch.full_like(x, size / 2), torch.zeros_like(x)
        placement = placed((x, y), (middle, middle), angle, self.base / side,
                           chance.factor(batch, 1.2), chance.share(batch) < self.mirrored)
        full = zero + size
        truths = placed_boxes(placement, boxes, (zero, zero), (full, full), by_own_side=True)
        coarse = ((chance.share(batch) < 0.2) & (placement.step > 0.5))[:, None]
        placement = placement.map(lambda field: field[:, None])
        return draw(store, size, index[:, None], placement, None, coarse), truths


class NumeralSampler:
    """Crops for a reader of numerals: a labelled die's box in the middle, `base` pixels long.

    Numerals that stand upright within 50 degrees count, as do faces that have no angle. Those that
    are turned by more than 64 are to be refused, and what lies beside a face or anywhere. Which of a
    d4's numbers counts depends on where up is in the picture: there it is the picture that stands
    upright, within 15 and 19 degrees.
    """

    def __init__(self, store, size, base):
        self.store, self.size, self.base = store, size, base

    def make(self, batch, plain=False):
        """Samples [B, 3, S, S], labels [B], and whether each stands upright: 1, 0, or -1 where that
        does not count."""
        store, size = self.store, self.size
        chance = Chance(store.device)
        every = torch.arange(batch, device=store.device)
        index = store.pick(batch)
        boxes = store.boxes[index]
        width, height = store.width[index, 0], store.height[index, 0]
        readable = boxes[..., 4] > -0.5
        # The k-th readable die of each picture, k by chance.
        which = (chance.share(batch) * readable.sum(1)).long()
        chosen = (readable & (readable.cumsum(1) == which[:, None] + 1)).float().argmax(1)
        x, y, *sides, label, _ = boxes[every, chosen].unbind(1)
        angle, side = store.angles[index, chosen], torch.maximum(*sides).clamp(min=LEAST_SIDE)
        kind = torch.where(readable.any(1), chance.share(batch), 1.0)
        reads, beside = kind < 0.78, (kind >= 0.78) & (kind < 0.9)

        off = torch.where(beside, chance.uniform(batch, 0.5, 1.1), 0.12 * chance.share(batch))
        off = off * torch.where(chance.share(batch) < 0.5, 1.0, -1.0)
        other, along_x = chance.uniform(batch, -1, 1) * off.abs(), chance.share(batch) < 0.5
        x = x + side * torch.where(along_x, off, other)
        y = y + side * torch.where(along_x, other, off)
        near = reads | beside
        x = torch.where(near, x, chance.share(batch) * width)
        y = torch.where(near, y, chance.share(batch) * height)
        side = torch.where(
            near, side, torch.maximum(width, height) * 0.03 * 12 ** chance.share(batch))

        upright = torch.where(reads & (chance.share(batch) < 0.7), chance.uniform(batch, -54, 54),
                              chance.uniform(batch, -180, 180))
        is_d4 = (label > -0.5) & (label < FOUR_SIDES)
        angle = torch.where(is_d4, 0.0, angle)
        upright = torch.where(is_d4 & (upright.abs() <= 54), D4_TURN * upright, upright)
        has_angle = reads & ~angle.isnan()
        turn = torch.where(has_angle, upright - angle, upright)
        off_upright = torch.where(is_d4, upright / D4_TURN, upright).abs()
        stands = torch.where(off_upright <= 50, 1, torch.where(off_upright <= 64, -1, 0))
        stands = torch.where(has_angle, stands, torch.ones_like(stands))
        reach = 0.4 * torch.maximum(boxes[..., 2], boxes[..., 3])
        at_die = ((boxes[..., 0] - x[:, None]).abs() < reach)
        at_die = (at_die & ((boxes[..., 1] - y[:, None]).abs() < reach)
                  & (boxes[..., 4] > -1.5)).any(1)
        stands = torch.where(reads, stands, torch.where(at_die, -1, 0))

        middle = torch.full_like(x, size / 2)
        placement = placed((x, y), (middle, middle), turn * math.pi / 180,
                           self.base / (side * chance.factor(batch, 1.22)),
                           chance.factor(batch, 1.16), torch.zeros_like(reads))
        coarse = ((chance.share(batch) < 0.2) & (placement.step > 0.5))[:, None]
        placement = placement.map(lambda field: field[:, None])
        return draw(store, size, index[:, None], placement, None, coarse), label.long(), stands
