"""Places that a detector proposes to a second stage in pictures of a store."""

import torch

from pictures import MOST_PROPOSALS, draw, placed

SIZES, MOST_BOXES, MOST_PASSES = (416, 608), 160, 20
LEAST_CONFIDENCE, MOST_OVERLAP = 0.03, 0.5


def decoded(heads, outputs):
    """Corners [B, 160, 4] in pixels of the input and confidences [B, 160] of the surest boxes."""
    boxes, confidences = [], []
    for (stride, base), numbers in zip(heads, outputs):
        numbers = numbers.float()
        cells = torch.arange(numbers.shape[2], device=numbers.device)
        label = numbers[:, 5:].softmax(1).max(1).values
        x = (numbers[:, 0].sigmoid() * 2 + cells - 0.5) * stride
        y = (numbers[:, 1].sigmoid() * 2 + cells[:, None] - 0.5) * stride
        width, height = (numbers[:, 2:4].clamp(-4, 4).exp() * base / 2).unbind(1)
        boxes.append(torch.stack([x - width, y - height, x + width, y + height], -1).flatten(1, 2))
        confidences.append((numbers[:, 4].sigmoid() * label.sqrt()).flatten(1))
    confidences, order = torch.cat(confidences, 1).topk(MOST_BOXES, 1)
    return torch.cat(boxes, 1).gather(1, order[..., None].expand(-1, -1, 4)), confidences


@torch.no_grad()
def propose(detector, store, first, end):
    """For the pictures first..<end up to 24 places each: x, y and side in their pixels."""
    count, device = end - first, store.device
    index = torch.arange(first, end, device=device)
    width, height = store.width[index, 0], store.height[index, 0]
    zero, places = torch.zeros(count, device=device), [[] for _ in range(count)]
    for size in SIZES:
        scale, middle = size / torch.maximum(width, height), zero + size / 2
        placement = placed(
            (width / 2, height / 2), (middle, middle), zero, scale, zero + 1, zero > 1)
        inputs = draw(store, size, index[:, None], placement.map(lambda field: field[:, None]),
                      None, torch.zeros(count, 1, dtype=torch.bool, device=device), augmented=False)
        with torch.autocast(device, dtype=torch.bfloat16):
            outputs = detector(inputs.contiguous(memory_format=torch.channels_last))
        boxes, confidences = decoded(detector.heads, outputs)
        area = (boxes[..., 2:] - boxes[..., :2]).prod(-1)
        for _ in range(MOST_PASSES):
            confidence, best = confidences.max(1)
            box = boxes.gather(1, best[:, None, None].expand(-1, 1, 4))
            shared = (torch.minimum(boxes[..., 2:], box[..., 2:])
                      - torch.maximum(boxes[..., :2], box[..., :2])).clamp(min=0).prod(-1)
            overlap = shared / (area + area.gather(1, best[:, None]) - shared)
            confidences = torch.where(overlap > MOST_OVERLAP, 0.0, confidences)
            low, high = box[:, 0, :2], box[:, 0, 2:]
            x, y = ((low + high) / 2 - size / 2).unbind(1)
            side = (high - low).max(1).values
            found = torch.stack([x / scale + width / 2, y / scale + height / 2, side / scale], 1)
            for list_, sure, place in zip(places, confidence.tolist(), found.tolist()):
                if sure > LEAST_CONFIDENCE and len(list_) < MOST_PROPOSALS:
                    list_.append(tuple(place))
    return places
