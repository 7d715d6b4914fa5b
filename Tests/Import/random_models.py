"""What comparisons of random ONNX models share: a model for each seed, and what is said of all."""

import pathlib
import shutil
import sys
import tempfile


def compare(kind, failure):
    """Compares models as `TOOL COUNT SEED` among the arguments say, and ends with status 1 where one is wrong or none was
    compared.

    `kind` says what the models are. `failure(tool, folder, seed)` writes the model of a seed to case.onnx in the folder and
    gives what is wrong with it, or None, and the difference; "" and 0 where there is nothing to compare.
    """
    tool, count, first = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]), int(sys.argv[3])
    folder = pathlib.Path(tempfile.mkdtemp())
    failures, left_out, worst = [], 0, 0
    for seed in range(first, first + count):
        found, difference = failure(tool, folder, seed)
        if found == "":
            left_out += 1
        elif found:
            failures.append(f"seed {seed}: {found}")
            shutil.copy(folder / "case.onnx", folder / f"failed-{seed}.onnx")
        else:
            worst = max(worst, difference)
    for line in failures[:20]:
        print(line)
    print(f"{count} {kind}: {count - left_out - len(failures)} agree to {worst:.1e}, {left_out} were not compared, "
          f"{len(failures)} are wrong")
    if failures:
        sys.exit(f"kept in {folder}")
    shutil.rmtree(folder)
    if left_out == count:
        sys.exit("No model was compared.")
