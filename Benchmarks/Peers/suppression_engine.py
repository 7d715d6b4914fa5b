"""Non-maximum suppression with torchvision: called by suppression.py."""

import sys

import numpy as np
import torch
import torchvision

from protocol import serve


def prepare():
    torch.set_num_threads(1)
    numbers = np.fromfile(sys.argv[1], np.float32).reshape(-1, 5)
    limit = float(sys.argv[2])
    boxes = torch.from_numpy(np.concatenate([numbers[:, :2], numbers[:, :2] + numbers[:, 2:4]], 1))
    confidences = torch.from_numpy(numbers[:, 4].copy())
    kept = []

    def run():
        kept[:] = [torchvision.ops.nms(boxes, confidences, limit)]

    def write(path):
        run()
        kept[0].numpy().astype(np.int32).tofile(path)

    return run, write


serve(prepare)
