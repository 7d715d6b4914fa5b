"""Compares imported TensorFlow Lite models that hold MediaPipe's operations on landmarks, which LiteRT lacks.

    python3 check_landmarks.py TOOL MODEL.tflite...

LiteRT runs what lies between Landmarks2TransformMatrix, TransformTensorBilinear and TransformLandmarks, and NumPy these. Three
pictures of random numbers for each model; the greatest difference of an output over its greatest magnitude must be at most
1e-4. Ends with status 1 otherwise.
"""

import copy
import pathlib
import re
import subprocess
import sys
import tempfile

import flatbuffers
import numpy
from ai_edge_litert import interpreter as litert
from ai_edge_litert import schema_py_generated as schema
from flatbuffers import flexbuffers

CUSTOM = 32


def matrix(points, options):
    """From places in a part of maps to places in the maps."""
    points = points.reshape(-1, points.shape[-1]).astype(numpy.float64)
    left, right = points[options["left_rotation_idx"]], points[options["right_rotation_idx"]]
    angle = options["target_rotation_radians"] - numpy.arctan2(right[1] - left[1], right[0] - left[0])
    turn = numpy.array([[numpy.cos(angle), -numpy.sin(angle)], [numpy.sin(angle), numpy.cos(angle)]])
    turned = points[numpy.array(options["subset_idxs"])][:, :2] @ turn.T
    high, low = turned.max(0), turned.min(0)
    sides = numpy.array([options["output_width"], options["output_height"]])
    scale = numpy.array([options["scale_x"], options["scale_y"]]) * (high - low) / sides
    result = numpy.eye(4)
    result[:2, :2] = turn.T * scale
    result[:2, 3] = turn.T @ ((high + low) / 2) - result[:2, :2] @ (sides / 2)
    return result[None].astype(numpy.float32)


def part(maps, transform, options):
    """A part of maps, between whose places numbers are interpolated."""
    maps, transform = maps[0].astype(numpy.float64), transform[0].astype(numpy.float64)
    height, width, channels = maps.shape
    padded = numpy.pad(maps, ((0, 1), (0, 1), (0, 0)))
    result = numpy.zeros((options["output_height"], options["output_width"], channels))
    for row, column in numpy.ndindex(result.shape[:2]):
        x, y = transform[:2] @ [column + 0.5, row + 0.5, 0, 1] - 0.5
        if 0 <= x <= width - 1 and 0 <= y <= height - 1:
            left, top = int(x), int(y)
            across = padded[top:top + 2, left] * (1 - x + left) + padded[top:top + 2, left + 1] * (x - left)
            result[row, column] = across[0] * (1 - y + top) + across[1] * (y - top)
    return result[None].astype(numpy.float32)


def moved(points, transform):
    """Landmarks of a part as those of the maps."""
    result = points.astype(numpy.float64)
    for axis in range(2):
        row = transform[0, axis]
        result[..., axis] = row[0] * points[..., 0] + row[1] * points[..., 1] + row[3]
    return result.astype(numpy.float32)


class Model:
    def __init__(self, path):
        file = schema.Model.GetRootAs(pathlib.Path(path).read_bytes(), 0)
        self.model = schema.ModelT.InitFromObj(file)
        self.graph = self.model.subgraphs[0]

    def name(self, number):
        return self.graph.tensors[number].name.decode()

    def custom_name(self, operation):
        code = self.model.operatorCodes[operation.opcodeIndex]
        return code.customCode.decode() if max(code.builtinCode, code.deprecatedBuiltinCode) == CUSTOM else None

    def is_known(self, number):
        data = self.model.buffers[self.graph.tensors[number].buffer].data
        return data is not None and len(data) > 0

    def run_some(self, operations, values, needed):
        """Runs builtin operations in LiteRT."""
        made = {number for operation in operations for number in operation.outputs}
        read = dict.fromkeys(number for operation in operations for number in operation.inputs)
        inputs = [n for n in read if n >= 0 and n not in made and not self.is_known(n)]
        outputs = [number for number in made if number in needed]
        model, graph = copy.copy(self.model), copy.copy(self.graph)
        graph.operators = operations
        graph.inputs, graph.outputs = numpy.array(inputs, numpy.int32), numpy.array(outputs, numpy.int32)
        model.subgraphs, model.signatureDefs, model.metadata = [graph], None, None
        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(model.Pack(builder), b"TFL3")
        engine = litert.Interpreter(
            model_content=bytes(builder.Output()),
            experimental_op_resolver_type=litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
        engine.allocate_tensors()
        for detail, number in zip(engine.get_input_details(), inputs):
            engine.set_tensor(detail["index"], values[number])
        engine.invoke()
        for detail, number in zip(engine.get_output_details(), outputs):
            values[number] = engine.get_tensor(detail["index"])

    def run(self, values):
        """The numbers of the model's outputs, by their tensors."""
        operations, start = list(self.graph.operators), 0
        while start < len(operations):
            end = start
            while end < len(operations) and self.custom_name(operations[end]) is None:
                end += 1
            later = {number for operation in operations[end:] for number in operation.inputs}
            if end > start:
                self.run_some(operations[start:end], values, later | set(self.graph.outputs))
            if end < len(operations):
                operation = operations[end]
                options = operation.customOptions
                options = flexbuffers.Loads(bytes(options)) if options is not None and len(options) else {}
                operands = [values[number] for number in operation.inputs]
                made = {"Landmarks2TransformMatrix": lambda: matrix(operands[0], options),
                        "TransformTensorBilinear": lambda: part(*operands, options),
                        "TransformLandmarks": lambda: moved(*operands)}
                values[operation.outputs[0]] = made[self.custom_name(operation)]()
            start = end + 1
        return {number: values[number] for number in self.graph.outputs}


def difference(tool, path, folder, seed):
    model, random = Model(path), numpy.random.default_rng(seed)
    values, arguments = {}, []
    for number in model.graph.inputs:
        values[number] = random.random(list(model.graph.tensors[number].shape), dtype=numpy.float32)
        numpy.save(folder / f"{number}.npy", values[number])
        arguments += ["--input", f"{model.name(number)}={folder / f'{number}.npy'}"]
    right = model.run(values)
    weights = folder / "model.dvweights"
    for call in ([tool, "import", path, "--force", "--output", weights],
                 [tool, "run", weights, *arguments, "--force", "--output", folder / "out"]):
        subprocess.run([str(part) for part in call], check=True, capture_output=True)
    worst = 0.0
    for number, numbers in right.items():
        found = numpy.load(folder / "out" / (re.sub(r"[^A-Za-z0-9._-]", "_", model.name(number)) + ".npy"))
        worst = max(worst, float(abs(found - numbers).max() / abs(numbers).max()))
    return worst


def main():
    tool, failed = str(pathlib.Path(sys.argv[1]).resolve()), False
    for path in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            worst = max(difference(tool, path, pathlib.Path(folder), seed) for seed in range(3))
        print(f"{path}: {worst:.1e}", flush=True)
        failed = failed or not worst <= 1e-4
    sys.exit(1 if failed else 0)


main()
