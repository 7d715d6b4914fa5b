"""The library's networks for dice.

Pictures are [B, 3, H, W] in 0...1. Heads are [B, 5 + labels, H / S, W / S] with the stride S: x, y,
width, height, objectness, and a number for each label.
"""

import torch
import torch.nn.functional as F
from torch import nn


class Convolution(nn.Module):
    """A convolution; where it is activated, with a batch normalization and leaky ReLU.

    A weight file has the normalization folded into the layer.
    """

    def __init__(self, inputs, outputs, window, stride=1, activated=True):
        super().__init__()
        self.activated, self.calibrating = activated, False
        self.layer = nn.Conv2d(inputs, outputs, window, stride, window // 2, bias=not activated)
        nn.init.kaiming_normal_(self.layer.weight, a=0.1)
        if activated:
            self.norm = nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.03)

    def forward(self, values):
        values = self.layer(values)
        if not self.activated:
            return values
        if self.calibrating:
            self.calibrate(values.float())
        return F.leaky_relu(self.norm(values), 0.1, inplace=True)

    @torch.no_grad()
    def calibrate(self, values):
        """Gives the normalization these statistics, and the scale and shift that undo it."""
        mean, variance = values.mean((0, 2, 3)), values.var((0, 2, 3), unbiased=False)
        self.norm.weight.copy_((variance + self.norm.eps).sqrt())
        self.norm.bias.add_(mean)
        self.norm.running_mean.copy_(mean)
        self.norm.running_var.copy_(variance)
        self.calibrating = False


class Stage(nn.Module):
    """A chain of pairs of a narrow 1 x 1 and a wide 3 x 3 layer, whose outputs are joined."""

    def __init__(self, inputs, narrow, wide, outputs, joins_input=True):
        super().__init__()
        self.joins_input, self.pairs, last = joins_input, nn.ModuleList(), inputs
        for channels in wide:
            self.pairs.append(
                nn.Sequential(Convolution(last, narrow, 1), Convolution(narrow, channels, 3)))
            last = channels
        self.join = Convolution(sum(wide) + (inputs if joins_input else 0), outputs, 1)

    def forward(self, values):
        joined = [values] if self.joins_input else []
        for pair in self.pairs:
            values = pair(values)
            joined.append(values)
        return self.join(torch.cat(joined, 1))


class Detector(nn.Module):
    """The standard detector. `heads`: stride and base size of each head, in pixels of the input."""

    heads = [(16, 80.0), (8, 24.0)]

    def __init__(self, labels):
        super().__init__()
        numbers = 5 + labels
        self.eighth = nn.Sequential(
            Convolution(3, 16, 3, 2), Convolution(16, 32, 3, 2), Convolution(32, 16, 1),
            Convolution(16, 32, 3), Convolution(32, 64, 3, 2), Stage(64, 32, [48], 64))
        self.sixteenth = nn.Sequential(Convolution(64, 96, 3, 2), Stage(96, 48, [64, 64], 96))
        self.coarse = nn.Sequential(
            Convolution(96, 128, 3, 2), Stage(128, 64, [96, 80, 80], 64, joins_input=False))
        self.large = Convolution(160, 64, 1)
        self.large_head = nn.Sequential(
            Convolution(64, 96, 3), Convolution(96, numbers, 1, activated=False))
        self.small_head = nn.Sequential(
            Convolution(128, 48, 1), Convolution(48, 48, 3),
            Convolution(48, numbers, 1, activated=False))

    def forward(self, pictures):
        eighth = self.eighth(pictures)
        sixteenth = self.sixteenth(eighth)
        large = self.large(torch.cat([doubled(self.coarse(sixteenth)), sixteenth], 1))
        head = self.large_head(large)
        return [head, self.small_head(torch.cat([doubled(large), eighth], 1))]


class SecondStage(nn.Module):
    """The second stage: reads the die in the middle of a crop, `base` pixels long there."""

    def __init__(self, labels, base=34.0):
        super().__init__()
        self.heads = [(32, base)]
        self.layers = nn.Sequential(
            Convolution(3, 16, 3, 2), Convolution(16, 32, 3, 2), Stage(32, 16, [32] * 3, 48),
            Convolution(48, 64, 3, 2), Stage(64, 48, [48] * 4, 80),
            Convolution(80, 96, 3, 2), Stage(96, 48, [80] * 4, 96),
            Convolution(96, 96, 3, 2), Stage(96, 48, [64, 96, 96], 96),
            Convolution(96, 5 + labels, 1, activated=False))

    def forward(self, pictures):
        return [self.layers(pictures)]


def doubled(values):
    return F.interpolate(values, scale_factor=2, mode="nearest")


def convolutions(network):
    """All convolutions in the order of the weight file."""
    return [module for module in network.modules() if isinstance(module, Convolution)]


@torch.no_grad()
def load(network, tensors, rows=None, calibrates=True):
    """Takes the layers of a weight file: [KH, KW, I, O] weights and [O] biases by turns.

    `rows` says for each label of the network which label of the file it begins as, or -1. Without
    `calibrates` the network computes what the file's does and is not to be trained.
    """
    layers = convolutions(network)
    if len(tensors) != 2 * len(layers):
        raise ValueError("the weight file is of another network")
    for layer, weights, bias in zip(layers, tensors[::2], tensors[1::2]):
        kernel = torch.tensor(weights[1]).reshape(weights[0]).permute(3, 2, 0, 1).contiguous()
        bias = torch.tensor(bias[1])
        if layer.activated:
            layer.layer.weight.copy_(kernel)
            layer.norm.weight.fill_(1)
            layer.norm.bias.copy_(bias)
            layer.norm.running_mean.zero_()
            layer.norm.running_var.fill_(1 - layer.norm.eps)
            layer.calibrating = calibrates
        elif rows is None:
            layer.layer.weight.copy_(kernel)
            layer.layer.bias.copy_(bias)
        else:
            layer.layer.weight.normal_(0, 0.02)
            layer.layer.bias.zero_()
            places = [(index, index) for index in range(5)]
            places += [(5 + label, 5 + row) for label, row in enumerate(rows) if row >= 0]
            for target, source in places:
                layer.layer.weight[target] = kernel[source]
                layer.layer.bias[target] = bias[source]


def folded(network):
    """The tensors of a weight file, (shape, values), with the normalizations folded in."""
    result = []
    for layer in convolutions(network):
        kernel = layer.layer.weight.detach().float()
        if layer.activated:
            norm = layer.norm
            scale = norm.weight.detach() / (norm.running_var + norm.eps).sqrt()
            bias = norm.bias.detach() - norm.running_mean * scale
            kernel = kernel * scale[:, None, None, None]
        else:
            bias = layer.layer.bias.detach()
        for values in (kernel.permute(2, 3, 1, 0).contiguous(), bias):
            values = values.float().cpu().numpy()
            result.append((values.shape, values.ravel()))
    return result
