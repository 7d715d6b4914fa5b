#!/usr/bin/env python3
"""Trains the network that says how alike two taught faces are.

    train.py faces.onnx --minutes 28

It learns from pictures that `pictures.py` paints, beside it on another processor. Faces of one make are compared:
pictures of each with one to five others of it, with those of the make's other faces, and with those others alone,
when it is to be unknown.
"""

import argparse
import math
import os
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

import pictures

RINGS, ANGLES, WRAP, REACH, INNER_RINGS = 16, 64, 16, 0.46, 12
MAKES, FACES, VIEWS, QUERIES = 6, 6, 7, 2
FEATURES = 32


def maps(picture, width, height):
    """What faces look like on rings about their middle, as the library's `FaceMap` draws it, [N, 3, RINGS,
    ANGLES + 2 WRAP]."""
    radius = (torch.arange(RINGS) + 0.5) / RINGS * REACH * 2
    angle = torch.arange(-WRAP, ANGLES + WRAP) / ANGLES * 2 * math.pi
    columns = radius[:, None] * torch.cos(angle) * width[:, None, None]
    rows = radius[:, None] * torch.sin(angle) * height[:, None, None]
    samples = F.grid_sample(picture, torch.stack([columns, rows], 3), align_corners=False, padding_mode="border")
    luminance = 0.299 * samples[:, 0] + 0.587 * samples[:, 1] + 0.114 * samples[:, 2]
    weight = torch.where(torch.arange(RINGS) < INNER_RINGS, torch.arange(RINGS) + 0.5, 0.0)[:, None]
    mean = (luminance[:, :, WRAP:-WRAP] * weight).sum((1, 2)) / (weight.sum() * ANGLES)
    mean = mean.clamp(min=8 / 255)[:, None, None]
    numbers = [luminance - mean, samples[:, 2] - luminance, samples[:, 0] - luminance]
    return torch.stack([(number / mean).clamp(-1.27, 1.27) for number in numbers], 1)


class Network(nn.Module):
    """Maps to features, [N, FEATURES, RINGS / 4, (ANGLES + 2 WRAP) / 4]."""

    def __init__(self):
        super().__init__()
        channels, strides = [3, 24, 32, 48, 64, 64], [1, 2, 1, 2, 1]
        self.layers = nn.ModuleList(
            nn.Conv2d(channels[index], channels[index + 1], 3, strides[index], 1) for index in range(5))
        self.norms = nn.ModuleList(nn.BatchNorm2d(count) for count in channels[1:])
        self.last = nn.Conv2d(channels[-1], FEATURES, 1)
        self.sharpness = nn.Parameter(torch.tensor(2.5))  # Its logarithm.
        self.least_likeness = nn.Parameter(torch.tensor(0.4))

    def forward(self, x):
        for layer, norm in zip(self.layers, self.norms):
            x = F.leaky_relu(norm(layer(x)), 0.1)
        return self.last(x)

    def folded(self):
        """The same network, its normalisations part of the layers before them."""
        result = Network().eval()
        result.load_state_dict(self.state_dict())
        for index, norm in enumerate(result.norms):
            factor = norm.weight / (norm.running_var + norm.eps).sqrt()
            layer = result.layers[index]
            layer.bias.data = (layer.bias - norm.running_mean) * factor + norm.bias
            layer.weight.data = layer.weight * factor[:, None, None, None]
            result.norms[index] = nn.Identity()
        return result


def compared(features):
    """The features of one turn, with a length of 1."""
    features = features[..., WRAP // 4:(WRAP + ANGLES) // 4]
    return F.normalize(features.flatten(1), dim=1).view(features.shape)


def likeness(queries, examples):
    """The greatest products for any turn by whole columns, [queries, examples]."""
    columns = examples.shape[3]
    turned = torch.stack([examples.roll(turn, 3).flatten(1) for turn in range(columns)], 1)
    products = queries.flatten(1) @ turned.flatten(0, 1).T
    return products.view(len(queries), len(examples), columns).max(2)[0]


class Batches(torch.utils.data.IterableDataset):
    def __iter__(self):
        seed = torch.utils.data.get_worker_info().seed
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        painter = pictures.Painter(pictures.drawings())
        while True:
            picture, width, height, blank = painter.batch(MAKES, FACES, VIEWS)
            yield maps(picture, width, height), blank


def loss_of(network, features, blank, example_count):
    """The mean loss over makes, and the shares that are known and unknown rightly."""
    features = features.view(MAKES, FACES, VIEWS, *features.shape[1:])
    loss, known_share, unknown_share = 0, 0, 0
    target = torch.arange(FACES).repeat_interleave(QUERIES)
    sharpness = network.sharpness.exp()
    for make, is_blank in zip(features, blank.view(MAKES, FACES)):
        queries = make[:, -QUERIES:].flatten(0, 1)
        examples = make[:, :example_count].flatten(0, 1)
        alike = likeness(queries, examples).view(len(queries), FACES, example_count).max(2)[0]
        right = target
        if is_blank.sum() > 1:
            # Blank faces of one make are one face.
            first = int(is_blank.nonzero()[0])
            best = alike[:, is_blank].max(1)[0]
            alike = alike.clone()
            alike[:, is_blank] = -2
            alike[:, first] = best
            right = torch.where(is_blank[target], torch.tensor(first), target)
        least = (network.least_likeness * sharpness).expand(len(queries), 1)
        known = torch.cat([alike * sharpness, least], 1)
        unknown = known.clone()
        unknown[torch.arange(len(queries)), right] = -50
        nothing = torch.full_like(right, FACES)
        loss = loss + (F.cross_entropy(known, right) + F.cross_entropy(unknown, nothing)) / MAKES
        known_share += (known.argmax(1) == right).float().mean().item() / MAKES
        unknown_share += (unknown.argmax(1) == FACES).float().mean().item() / MAKES
    return loss, known_share, unknown_share


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output")
    parser.add_argument("--minutes", type=float, default=28)
    parser.add_argument("--learning-rate", type=float, default=0.004)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    network = Network()
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=1e-4)
    loader = torch.utils.data.DataLoader(Batches(), batch_size=None, num_workers=1, prefetch_factor=4)
    begun, sums = time.time(), [0.0, 0.0, 0.0]
    for step, (batch, blank) in enumerate(loader):
        part = (time.time() - begun) / 60 / arguments.minutes
        if part >= 1:
            break
        for group in optimizer.param_groups:
            decay = 0.49 * (1 + math.cos(math.pi * part)) + 0.02
            group["lr"] = arguments.learning_rate * min(1, step / 100) * decay
        features = compared(network(batch))
        loss, known, unknown = loss_of(network, features, blank, int(torch.randint(1, VIEWS - QUERIES + 1, (1,))))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sums = [total + number / 100 for total, number in zip(sums, (loss.item(), known, unknown))]
        if step % 100 == 99:
            print(f"step {step + 1}: loss {sums[0]:.3f}, known {sums[1]:.3f}, unknown {sums[2]:.3f}", flush=True)
            sums = [0.0, 0.0, 0.0]
    folded = network.eval().folded()
    example = torch.zeros(1, 3, RINGS, ANGLES + 2 * WRAP)
    torch.onnx.export(
        folded, example, arguments.output, input_names=["map"], output_names=["features"], dynamo=False,
        opset_version=13)
    print(f"faces.leastLikeness={network.least_likeness.item():.3f} faces.sharpness={network.sharpness.exp().item():.1f}")
    os._exit(0)  # The painter has no end.


if __name__ == "__main__":
    main()
