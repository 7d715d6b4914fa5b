"""Trains a network on one GPU for a stated time, and writes a weight file; README.md says how.

    python3 train.py any-detector|any-second-stage|any-numerals|detector|second-stage \\
        OUT.dvweights --seconds S
"""

import argparse
import copy
import math
import os
import sys
import time

import torch

import networks
import weight_file
from losses import loss, numeral_loss
from pictures import CropSampler, DetectorSampler, NumeralSampler, Store
from proposals import propose

KINDS = {"d4": range(1, 5), "d6": range(1, 7), "d8": range(1, 9), "d10": range(10),
         "d%": [f"{number:02}" for number in range(0, 100, 10)], "d12": range(1, 13),
         "d20": range(1, 21)}
ANY_LABELS = [f"{kind}-{face}" for kind, faces in KINDS.items() for face in faces]
TASKS = ["any-detector", "any-second-stage", "any-numerals", "detector", "second-stage"]
NAMES = dict(zip(TASKS, ["dice-any", "dice-any-second-stage", "dice-any-numerals"]))
WEIGHTS = os.path.join(os.path.dirname(__file__), "../../Sources/Kits/DiceVisionWeights/")
STANDARD, SECOND_STAGE = WEIGHTS + "StandardWeights.swift", WEIGHTS + "SecondStageWeights.swift"
ANY_SECOND_STAGE = WEIGHTS + "../AnyDice/AnyDiceSecondStageWeights.swift"

# How often the pictures of a source are drawn, for any dice, the reader of numerals, the detector and
# the second stage, and how much their boxes count.
SOURCES = {
    "polyhedra": (5, 0, 0, 0, 1),
    "numerals": (2, 0, 0, 0, 1),
    "large-polyhedra": (2.5, 0, 0, 0, 1),
    "small-polyhedra": (1, 0, 0, 0, 1),
    "polyhedra-from-low": (1.6, 0, 0, 0, 1),
    "polyhedra-among-lookalikes": (1.2, 0, 0, 0, 1),
    "scenes": (1.2, 0, 4.5, 4, 1),
    "lookalikes": (1, 0, 2, 4, 1),
    "clutter": (0.8, 0.3, 1.6, 3.6, 1),
    "large-ones": (0.5, 0, 1.8, 3, 1),
    "large-ones-among-lookalikes": (0.2, 0, 0.4, 1.2, 1),
    "rare": (0.4, 0, 1, 1.8, 1),
    "small": (0.4, 0, 1.2, 1.2, 1),
    "among-polyhedra": (0, 0, 1.2, 5, 1),
    "byler-d6": (0.4, 0, 1.2, 1.8, 0.5),
    "roboflow-dice-topface": (0.6, 0, 1.6, 2.8, 1),
    "rune55-pxl-trays": (0.6, 0, 1.8, 3.6, 0.3),
    "rune55-graybox": (0.3, 0, 0.8, 1.6, 0.5),
    "wholedie-extras": (0.3, 0, 0.6, 1.2, 0.3),
    "without-dice": (0.5, 0, 1.5, 2.5, 1),
    "numerals-from-above": (0, 5, 0, 0, 1),
    "two-digits-from-above": (0, 3, 0, 0, 1),
    "four-sides": (0, 3.5, 0, 0, 1),
    "pips": (0, 0.6, 0, 0, 1),
    "numerals-among-lookalikes": (0, 0.8, 0, 0, 1),
}
PLAIN_FROM, LAST_PICTURES_AT, WARM_UP, LEAST_RATE = 0.88, 0.95, 0.02, 0.02


def options():
    parser = argparse.ArgumentParser(description="Trains a network for a stated time.")
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("output")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--shards", default="shards", help="where the folders of pictures are")
    parser.add_argument("--begin", help="weights to begin with; the library's without it")
    parser.add_argument("--batch", type=int, help="128, or 512 crops")
    parser.add_argument("--size", type=int, help="side of the input in pixels: 320, or 96")
    parser.add_argument("--base", type=float,
                        help="what a die measures in a crop: 34, any die 48, 68 for numerals")
    parser.add_argument("--learning-rate", type=float, help="0.0005, for any dice 0.003")
    parser.add_argument("--pixels", type=float, default=3.2e9,
                        help="how many pixels have room on the device, at 4 bytes each")
    parser.add_argument("--wait", type=float, default=20, help="seconds for the first pictures")
    parser.add_argument("--detector", help="weights that propose, in place of the standard ones")
    parser.add_argument("--renew", type=float, nargs="*", default=[],
                        help="the seconds at which --detector proposes anew")
    parser.add_argument("--save-every", type=float, default=40, help="seconds")
    parser.add_argument("--bfloat16", action="store_true",
                        help="half as many bits without a GPU, too: faster with AVX-512 BF16")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chosen.any_dice, chosen.crops = chosen.task in NAMES, chosen.task.endswith("second-stage")
    chosen.numerals = chosen.task == "any-numerals"
    small = chosen.crops or chosen.numerals
    chosen.batch = chosen.batch or (512 if small else 128)
    chosen.size = chosen.size or (96 if small else 320)
    chosen.base = chosen.base or (68.0 if chosen.numerals else 48.0 if chosen.any_dice else 34.0)
    chosen.learning_rate = chosen.learning_rate or (0.003 if chosen.any_dice else 0.0005)
    chosen.begin = chosen.begin or (
        ANY_SECOND_STAGE if chosen.numerals else SECOND_STAGE if chosen.crops else STANDARD)
    return chosen


def frozen_detector(path, device):
    _, tensors = weight_file.read(path)
    detector = networks.Detector(tensors[-1][0][0] - 5)
    networks.load(detector, tensors, calibrates=False)
    return detector.to(device).eval()


class Feed:
    """The store, with the pictures that are ready, and for crops the proposals in them."""

    def __init__(self, store, root, detector):
        self.store, self.root, self.detector, self.proposals = store, root, detector, []

    def refresh(self, most=300, wait=0.0):
        """Takes what is there, or all that comes until `wait` seconds have passed."""
        store, began = self.store, time.time()
        while True:
            store.scan(self.root)
            store.drain(most)
            if time.time() - began >= wait:
                break
            time.sleep(0.3)
        if store.changed and store.places:
            store.settle()
        if self.detector and len(self.proposals) < len(store.places):
            while (first := len(self.proposals)) < len(store.places):
                self.proposals += propose(
                    self.detector, store, first, min(len(store.places), first + 64))
            store.set_proposals(self.proposals)

    def renew(self, detector):
        self.detector, self.proposals = detector, []
        self.refresh()


def save(chosen, average, begun, labels, steps, store):
    """Writes the averaged network, with the credits of the weights that it began with."""
    sections = begun
    entries = weight_file.provenance(sections)
    if chosen.any_dice:
        sections = weight_file.with_labels(
            sections, NAMES[chosen.task], labels, [base for _, base in average.heads])
        entries = [entry for entry in entries if entry[0] in ("licence", "credit")]
    if chosen.numerals:
        # The numbers of the pipeline stand in the weights of the second stage.
        sections = {**sections, "PROF": weight_file.named_numbers([])}
    name = weight_file.Reader(begun["NAME"]).text()
    entries.append((
        "training", f"Benchmarks/GPUTraining, from the layers of {name}: {steps} steps of "
        f"{chosen.batch} samples of {chosen.size} x {chosen.size} pixels, learning rate "
        f"{chosen.learning_rate:g}, weight decay 0.02"))
    counts = (f"{name}: {count}" for name, count in store.counts.items())
    entries.append(("pictures", "\n".join(counts)))
    part = chosen.output + ".part"
    weight_file.write(
        part, weight_file.with_provenance(sections, entries), networks.folded(average))
    os.replace(part, chosen.output)


def train(chosen):
    began, device = time.time(), "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(chosen.seed)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    labels = ANY_LABELS if chosen.any_dice else list("123456")
    column = 1 if chosen.numerals else 0 if chosen.any_dice else 3 if chosen.crops else 2
    sources = {name: (row[column], row[4]) for name, row in SOURCES.items() if row[column]}
    store = Store(device, int(chosen.pixels), {label: k for k, label in enumerate(labels)}, sources)
    network = (networks.SecondStage(len(labels), chosen.base) if chosen.crops or chosen.numerals
               else networks.Detector(len(labels)))
    begun, tensors = weight_file.read(chosen.begin)
    rows = None
    if chosen.any_dice and weight_file.outputs(begun)[0][3] != labels:
        # Six sides begin as the value that they show, other dice anew.
        rows = [int(label[3:]) - 1 if label.startswith("d6-") else -1 for label in labels]
    networks.load(network, tensors, rows)
    network = network.to(device).to(memory_format=torch.channels_last)
    feed = Feed(store, chosen.shards, frozen_detector(STANDARD, device) if chosen.crops else None)
    feed.refresh(10000, chosen.wait)
    while not store.places:
        feed.refresh(10000, 2)
    mirrored = 0.0 if chosen.any_dice else 0.5
    sampler = (CropSampler(store, chosen.size, chosen.base, mirrored) if chosen.crops
               else NumeralSampler(store, chosen.size, chosen.base) if chosen.numerals
               else DetectorSampler(store, chosen.size, mirrored))
    kernels = [values for values in network.parameters() if values.ndim == 4]
    others = [values for values in network.parameters() if values.ndim != 4]
    optimizer = torch.optim.AdamW(
        [dict(params=kernels, weight_decay=0.02), dict(params=others, weight_decay=0.0)],
        betas=(0.9, 0.999), eps=1e-7, fused=device == "cuda")
    average = copy.deepcopy(network).eval()
    averages, values = ([value for value in part.state_dict().values() if value.is_floating_point()]
                        for part in (average, network))

    network.train()
    halves = device == "cuda" or chosen.bfloat16
    step, renewals, recent = 0, sorted(chosen.renew), []
    start = told = loaded = saved = time.time()
    seconds = max(8.0, chosen.seconds - (start - began))
    while (share := ((now := time.time()) - start) / seconds) < 1:
        if (now - loaded > (3 if share < 0.1 else 6) and not store.full
                and share < LAST_PICTURES_AT):
            feed.refresh()
            loaded = now
        if renewals and now - began > renewals[0] and os.path.exists(chosen.detector):
            renewals.pop(0)
            feed.renew(frozen_detector(chosen.detector, device))
        fall = LEAST_RATE + (1 - LEAST_RATE) * 0.5 * (1 + math.cos(math.pi * share))
        for group in optimizer.param_groups:
            group["lr"] = chosen.learning_rate * min(1, share / WARM_UP) * fall
        inputs, *truths = sampler.make(chosen.batch, share > PLAIN_FROM)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=halves):
            outputs = network(inputs.contiguous(memory_format=torch.channels_last))
        if chosen.numerals:
            total, parts = numeral_loss(outputs, *truths)
        else:
            total, parts = loss(outputs, network.heads, *truths, chosen.size, chosen.crops)
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 20.0)
        optimizer.step()
        step += 1
        # The first step calibrates the normalizations; what was before is no part of the mean.
        kept = min(0.9995 if chosen.any_dice else 0.999, (1 + step) / (10 + step))
        with torch.no_grad():
            torch._foreach_lerp_(averages, values, 1 - kept if step > 1 else 1.0)
        if step % 20 == 0:
            recent.append({name: float(part.detach()) for name, part in parts.items()})
            if not math.isfinite(float(total.detach())):
                raise ArithmeticError(f"the loss is not a finite number at step {step}")
        if now - told > 10 and recent:
            means = (f"{name} {sum(part[name] for part in recent) / len(recent):.3f}"
                     for name in recent[0])
            print(f"{now - began:.0f} s, step {step}, {len(store.places)} pictures:", *means,
                  flush=True)
            told, recent = now, []
        if now - saved > chosen.save_every:
            save(chosen, average, begun, labels, step, store)
            saved = now
    save(chosen, average, begun, labels, step, store)
    print(f"{step} steps, {step * chosen.batch} samples, {len(store.places)} pictures", flush=True)


if __name__ == "__main__":
    status = 1
    try:
        train(options())
        status = 0
    except (ArithmeticError, OSError, ValueError) as error:
        print(error, file=sys.stderr, flush=True)
    except SystemExit as end:
        status = end.code
    os._exit(status)  # Threads may still wait for room in the queue of pictures.
