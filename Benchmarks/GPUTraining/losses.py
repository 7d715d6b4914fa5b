"""The losses of the library's own training.

Truths are [B, T, 6]: x, y, width and height of a box in pixels of the input, its label or -1 (not
readable) or -2 (no box), and how much the box counts.
"""

import math

import torch
import torch.nn.functional as F

NONE = 1 << 40


def assigned(truths, size, stride, base, bases):
    """The box that each cell is to find, [B, R, R] indices or -1, and which cells do not count.

    The four cells around the middle of a box learn it, but for the farthest one.
    """
    batch, count, _ = truths.shape
    cells, device = size // stride, truths.device
    readable = truths[..., 4] > -0.5
    unreadable = (truths[..., 4] > -1.5) & ~readable
    middles = (torch.arange(cells, device=device) + 0.5) * stride
    in_x = (middles - truths[..., 0, None]).abs() <= truths[..., 2, None] / 2
    in_y = (middles - truths[..., 1, None]).abs() <= truths[..., 3, None] / 2
    ignored = torch.einsum(
        "bty,btx->byx", (in_y & unreadable[..., None]).to(torch.bfloat16),
        in_x.to(torch.bfloat16)) > 0

    side = (truths[..., 2] * truths[..., 3]).sqrt().clamp(min=1)
    distance = (side / base).log().abs()
    nearest = torch.stack([(side / other).log().abs() for other in bases]).min(0).values
    used = readable & ((distance <= math.log(2.6)) | (distance <= nearest))

    x, y = truths[..., 0] / stride, truths[..., 1] / stride
    first_x, first_y = (x - 1.5).ceil(), (y - 1.5).ceil()
    keys = torch.full((batch, cells * cells), NONE, dtype=torch.long, device=device)
    corners = torch.zeros(batch, cells * cells, device=device)
    indices = torch.arange(count, device=device).expand(batch, count)
    for step_y in (0, 1):
        for step_x in (0, 1):
            cell_x, cell_y = first_x + step_x, first_y + step_y
            far_x, far_y = (cell_x + 0.5 - x).abs(), (cell_y + 0.5 - y).abs()
            valid = used & (cell_x >= 0) & (cell_y >= 0) & (cell_x < cells) & (cell_y < cells)
            valid &= (far_x < 1) & (far_y < 1)
            place = (cell_y.clamp(0, cells - 1) * cells + cell_x.clamp(0, cells - 1)).long()
            edge = torch.minimum(far_x, far_y) <= 0.5
            # The nearest box first; of equally near ones the first.
            key = ((far_x * far_x + far_y * far_y) * 1e6).long() * 1024 + indices
            keys.scatter_reduce_(
                1, place, torch.where(valid & edge, key, torch.full_like(key, NONE)), "amin")
            corners.scatter_reduce_(1, place, (valid & ~edge).float(), "amax")
    found = keys < NONE
    boxes = torch.where(found, keys % 1024, torch.full_like(keys, -1)).view(batch, cells, cells)
    corners = (corners > 0).view(batch, cells, cells)
    return boxes, (corners | ignored) & ~found.view(batch, cells, cells)


def assigned_to_crops(truths, size, base):
    """The box that each crop shows, [B] indices or -1, and which crops do not count."""
    off = torch.maximum((truths[..., 0] - size / 2).abs(), (truths[..., 1] - size / 2).abs()) / base
    ratio = torch.maximum(truths[..., 2], truths[..., 3]).clamp(min=1) / base
    factor = torch.maximum(ratio, 1 / ratio)
    candidate = (truths[..., 4] > -1.5) & (off < 0.5) & (factor < 2.4)
    off, index = torch.where(candidate, off, torch.full_like(off, 9.0)).min(1)
    label = truths[..., 4].gather(1, index[:, None])[:, 0]
    found = off < 9
    certain = found & (label > -0.5) & (off < 0.36)
    certain &= factor.gather(1, index[:, None])[:, 0] < 1.7
    return torch.where(certain, index, torch.full_like(index, -1)), found & ~certain


def box_loss(numbers, x, y, stride, base, boxes):
    """1 - IoU, and the distance of the middles in terms of the box around both; [N]."""
    center_x = (numbers[:, 0].sigmoid() * 2 + x - 0.5) * stride
    center_y = (numbers[:, 1].sigmoid() * 2 + y - 0.5) * stride
    width = numbers[:, 2].clamp(-4, 4).exp() * base
    height = numbers[:, 3].clamp(-4, 4).exp() * base
    true_x, true_y, true_width, true_height = boxes[:, :4].unbind(1)

    def overlap_and_span(middle, side, true_middle, true_side):
        low, high = middle - side / 2, middle + side / 2
        true_low, true_high = true_middle - true_side / 2, true_middle + true_side / 2
        overlap = (torch.minimum(high, true_high) - torch.maximum(low, true_low)).clamp(min=0)
        return overlap, torch.maximum(high, true_high) - torch.minimum(low, true_low)
    overlap_x, span_x = overlap_and_span(center_x, width, true_x, true_width)
    overlap_y, span_y = overlap_and_span(center_y, height, true_y, true_height)
    shared = overlap_x * overlap_y
    iou = shared / (width * height + true_width * true_height - shared)
    distance = (center_x - true_x) ** 2 + (center_y - true_y) ** 2
    return 1 - iou + distance / (span_x * span_x + span_y * span_y)


def loss(outputs, heads, truths, size, is_crop):
    """The loss of a batch, and its parts by name; `size` is the side of the input in pixels."""
    box = label = objectness = 0.0
    count = right = 0
    for (stride, base), numbers in zip(heads, outputs):
        numbers = numbers.float().permute(0, 2, 3, 1)
        if is_crop:
            middle = numbers.shape[1] // 2
            indices, ignored = assigned_to_crops(truths, size, base)
            indices, ignored = indices[:, None, None], ignored[:, None, None]
            numbers = numbers[:, middle:middle + 1, middle:middle + 1]
        else:
            middle = 0
            indices, ignored = assigned(truths, size, stride, base, [base for _, base in heads])
        positive = indices >= 0
        objectness = objectness + (F.binary_cross_entropy_with_logits(
            numbers[..., 4], positive.float(), reduction="none") * ~ignored).sum()
        sample, y, x = positive.nonzero(as_tuple=True)
        found, true = numbers[sample, y, x], truths[sample, indices[sample, y, x]]
        box = box + (true[:, 5] * box_loss(
            found, (x + middle).float(), (y + middle).float(), stride, base, true)).sum()
        labels = true[:, 4].long()
        label = label + F.cross_entropy(found[:, 5:], labels, reduction="sum")
        count = count + len(sample)
        right = right + (found[:, 5:].argmax(1) == labels).sum()
    count = max(1, count)
    parts = dict(box=3 * box / count, label=3 * label / count, objectness=objectness / count,
                 right=right / count)
    return (3 * box + 3 * label + objectness) / count, parts


def numeral_loss(outputs, labels, stands):
    """The loss of a batch of a reader of numerals, and its parts by name."""
    middle = outputs[0].shape[2] // 2
    numbers = outputs[0][:, :, middle, middle].float()
    counts, found = stands >= 0, stands > 0
    objectness = F.binary_cross_entropy_with_logits(numbers[counts, 4], found[counts].float())
    label = F.cross_entropy(numbers[found, 5:], labels[found])
    right = (numbers[found, 5:].argmax(1) == labels[found]).float().mean()
    parts = dict(label=3 * label, objectness=2 * objectness, right=right)
    return 3 * label + 2 * objectness, parts
