"""Compares imported ONNX models of single operations with the answers that the `onnx` package has for them.

    python3 check_cases.py TOOL [PART]

The package describes each operation by cases: a model of one operation, or of the function that defines it, with inputs and
outputs. Those of the standard operator sets with at least one input of floats or integers, no optional values and no
sequences are imported by TOOL and run, where PART is in the case's name. Inputs that a model must know beforehand, shapes and
axes for instance, are tried as constants where the first import is refused. The measure of a difference is that of the case:
its relative and absolute tolerance. Prints what differs and how many cases of each operation are refused, and ends with
status 1 where one differs that is not in KNOWN.
"""

import collections
import concurrent.futures
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnx

warnings.simplefilter("ignore")
from onnx.backend.test.loader import load_model_tests  # noqa: E402

# Cases that differ by rule, and why.
KNOWN = {
    **dict.fromkeys([
        f"test_attention_4d_with_past_and_present_qk_matmul_bias_{rank}d_mask_causal{form}"
        for rank in (3, 4) for form in ("", "_expanded")
    ], "an output holds infinite numbers"),
    **dict.fromkeys([f"test_mod_float_edge_cases_fmod_0_float{bits}" for bits in (16, 32, 64)],
                    "infinite numbers and remainders of 0"),
    **dict.fromkeys(["test_isinf", "test_isinf_positive", "test_isinf_negative", "test_isinf_float16"],
                    "NaN gives NaN"),
    "test_quantizelinear_int16": "a half is rounded up",
    **dict.fromkeys(["test_resize_downsample_scales_linear_align_corners",
                     "test_resize_downsample_scales_cubic_align_corners"],
                    "ONNX Runtime, which is followed, scales by other numbers"),
    **dict.fromkeys(["test_operator_pow", "test_operator_sqrt"], "roots of numbers below 0"),
    **dict.fromkeys(["test_operator_add_broadcast", "test_operator_add_size1_singleton_broadcast",
                     "test_operator_add_size1_right_broadcast", "test_operator_addconstant"],
                    "numbers that only double precision has"),
}

NUMBERS = (numpy.floating, numpy.integer, numpy.bool_)


def tensors(case):
    """The inputs and outputs of a case's first data set; None where they are no tensors of numbers."""
    inputs, outputs = case.data_sets[0]
    made = []
    for part in (inputs, outputs):
        arrays = []
        for tensor in part:
            if isinstance(tensor, onnx.TensorProto):
                tensor = onnx.numpy_helper.to_array(tensor)
            if not isinstance(tensor, (numpy.ndarray, numpy.generic)):
                return None
            tensor = numpy.asarray(tensor)
            if not any(issubclass(tensor.dtype.type, kind) for kind in NUMBERS):
                return None
            arrays.append(tensor)
        made.append(arrays)
    return made


def call(tool, model, inputs, folder):
    """Imports a model and runs it: its status, and what is said."""
    if any(array.size == 0 for array in inputs.values()):
        return "refused", "an input is empty"
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    step = [tool, "import", folder / "m.onnx", "--detector", "none", "--force",
            "--output", folder / "m.dvweights"]
    for port in model.graph.input:
        if port.name in inputs and any(not axis.dim_value for axis in port.type.tensor_type.shape.dim):
            step += ["--input-shape", f"{port.name}={'x'.join(map(str, inputs[port.name].shape))}"]
    made = subprocess.run([str(part) for part in step], capture_output=True, text=True, timeout=120)
    if made.returncode:
        return "refused" if made.returncode == 1 else "crashed", made.stderr
    left_out = re.findall(r"depends on the input (\S+);", made.stderr)
    step = [tool, "run", folder / "m.dvweights", "--force", "--output", folder / "out"]
    for number, (name, array) in enumerate(inputs.items()):
        if name not in left_out:
            # The tool reads integers, too, but no unusual ones.
            numpy.save(folder / f"{number}.npy", array if array.dtype.kind in "fiu" else array.astype(numpy.float32))
            step += ["--input", f"{name}={folder / f'{number}.npy'}"]
    done = subprocess.run([str(part) for part in step], capture_output=True, text=True, timeout=120)
    if done.returncode:
        return "not run" if done.returncode == 1 else "crashed", done.stderr
    return "ran", ""


def checked(tool, case, folder):
    """What becomes of a case, and what is to be said of it."""
    made = tensors(case)
    if made is None:
        return "out of scope", "sequences, texts or other types"
    model = case.model
    initializers = {tensor.name for tensor in model.graph.initializer}
    names = [port.name for port in model.graph.input if port.name not in initializers]
    inputs = dict(zip(names, made[0]))
    if not inputs:
        return "out of scope", "no input"
    status, said = call(tool, model, inputs, folder)
    if status == "refused" and len(inputs) > 1:
        # All but the first, or all integers, known beforehand.
        for known in (
                [name for name in names if inputs[name].dtype.kind in "iub" and name != names[0]], names[1:]):
            if not known:
                continue
            other = onnx.ModelProto()
            other.CopyFrom(model)
            for name in known:
                other.graph.initializer.append(onnx.numpy_helper.from_array(inputs[name], name))
            kept = [port for port in model.graph.input if port.name not in known]
            del other.graph.input[:]
            other.graph.input.extend(kept)
            rest = {name: inputs[name] for name in names if name not in known}
            status, second = call(tool, other, rest, folder)
            if status != "refused":
                said = second
                break
    if status != "ran":
        return status, said
    for port, right in zip(model.graph.output, made[1]):
        name = re.sub(r"[^A-Za-z0-9._-]", "_", port.name)
        name = "_" + name[1:] if name.startswith(".") else name
        path = folder / "out" / f"{name}.npy"
        if not path.exists():
            return "differs", f"no output {port.name}"
        found = numpy.load(path)
        if found.size != right.size:
            return "differs", f"shape {found.shape}, not {right.shape}"
        found, right = found.reshape(right.shape).astype(numpy.float64), right.astype(numpy.float64)
        with numpy.errstate(all="ignore"):
            if not numpy.allclose(found, right, rtol=max(case.rtol, 1e-3), atol=max(case.atol, 1e-5),
                                  equal_nan=True):
                return "differs", f"{numpy.nanmax(abs(found - right)):.1e} at most"
    return "agrees", ""


def operation(case):
    nodes = case.model.graph.node
    return nodes[-1].op_type if len(nodes) == 1 else case.name.split("_")[1]


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    cases = []
    for kind in ("node", "simple", "pytorch-operator", "pytorch-converted"):
        for case in load_model_tests(kind=kind):
            if part not in case.name:
                continue
            if case.model is None:
                folder = pathlib.Path(case.model_dir)
                model, data = onnx.load(folder / "model.onnx"), [loaded(folder / "test_data_set_0")]
                case = dataclasses.replace(case, model=model, data_sets=data)
            domains = {entry.domain for entry in case.model.opset_import}
            if domains <= {"", "ai.onnx"}:
                cases.append(case)

    def run(case):
        with tempfile.TemporaryDirectory() as folder:
            try:
                return checked(tool, case, pathlib.Path(folder))
            except (subprocess.TimeoutExpired, ValueError, OSError, TypeError) as error:
                return "crashed", repr(error)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, cases))
    counts, refused, reasons, failed = collections.Counter(), collections.Counter(), {}, 0
    agreeing = collections.Counter()
    for case, (result, said) in zip(cases, results):
        counts[result] += 1
        kind = operation(case)
        said = re.sub(r"^dicevision: \S+: ", "", said.strip())
        if result == "agrees":
            agreeing[kind] += 1
        elif result in ("refused", "not run"):
            refused[kind] += 1
            reasons.setdefault(kind, collections.Counter())[re.sub(r"^.*?cannot be carried over: ", "", said)[:150]] += 1
        elif result != "out of scope":
            known = KNOWN.get(case.name)
            failed += known is None
            print(f"{case.name} {result}: {said[:200]}" + (f" ({known})" if known else ""), flush=True)
    for kind, count in refused.most_common():
        print(f"refused {kind} {count} times ({agreeing[kind]} agree):")
        for reason, times in reasons[kind].most_common(4):
            print(f"    {times} times: {reason}")
    print(", ".join(f"{count} {result}" for result, count in sorted(counts.items())))
    print(f"operations with cases that agree: {len(agreeing)}")
    sys.exit(1 if failed else 0)


def loaded(folder):
    """The inputs and outputs in a folder of a case."""
    def read(kind):
        count = len(list(folder.glob(f"{kind}_*.pb")))
        return [onnx.numpy_helper.to_array(onnx.load_tensor(folder / f"{kind}_{n}.pb")) for n in range(count)]
    return read("input"), read("output")


main()
