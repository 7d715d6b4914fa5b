"""A runtime that runs the model that it is for: called by imported.py, speaks the protocol.

    python3 imported_engine.py NAME THREADS FOLDER MODEL

The folder has `input.npy`, the input as the model has it, and `outputs.json`: name and shape of each
output of the imported network, as the model has them, and which of its axes are rows, columns and
channels of the network's value. A model that this library has exported has its own form of input and
outputs, `[1, channels, rows, columns]`.
"""

import json
import os
import re
import sys

import numpy as np

from protocol import serve


def tensors(entries, key):
    """Name, shape and places of the inputs or outputs that a weight file remembers of its model."""
    found = []
    for entry in entries["provenance"]:
        if entry["key"] == key:
            name, text = entry["value"].rsplit(":", 1)
            extents, *places = [part.split() for part in text.split(",")]
            shape = [int(word) for word in extents if re.fullmatch(r"\d+", word)]
            axes = {words[0]: [int(word) for word in words[1:]] for words in places}
            found.append([name, [] if extents == ["1", "number"] else shape,
                          [axes.get(place, []) for place in ["rows", "columns", "channels"]]])
    return found


def order(shape, places):
    """The axes of a tensor in the order of the network's value; those of extent 1 come last."""
    named = [axis for axes in places for axis in axes]
    return named + [axis for axis in range(len(shape)) if axis not in named]


def value_of(tensor, shape, places):
    """A tensor as a network's value, `[1, channels, rows, columns]`."""
    extents = [int(np.prod([shape[axis] for axis in axes])) for axes in places]
    value = np.reshape(tensor, shape).transpose(order(shape, places)).reshape(extents)
    return np.ascontiguousarray(value.transpose(2, 0, 1)[None], np.float32)


def tensor_of(value, shape, places):
    """A network's value, `[1, channels, rows, columns]`, as a tensor."""
    axes = order(shape, places)
    tensor = value[0].transpose(1, 2, 0).reshape([shape[axis] for axis in axes])
    return tensor.transpose(np.argsort(axes)) if shape else tensor


def onnxruntime(model, threads, array, outputs):
    import onnxruntime as runtime

    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = runtime.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    binding.bind_ortvalue_input(
        session.get_inputs()[0].name, runtime.OrtValue.ortvalue_from_numpy(array))
    names = [output.name for output in session.get_outputs()]
    for name in names:
        binding.bind_output(name)
    # After the first run the outputs have their memory.
    session.run_with_iobinding(binding)
    for name, value in zip(names, binding.get_outputs()):
        binding.bind_ortvalue_output(name, value)
    places = [names.index(name) if name in names else place
              for place, (name, _, _) in enumerate(outputs)]
    return (lambda: session.run_with_iobinding(binding),
            lambda: [binding.get_outputs()[place].numpy() for place in places])


def exported(model, threads, array, outputs):
    run, values = onnxruntime(model, threads, array, outputs)
    return run, lambda: [tensor_of(value, shape, places)
                         for value, (_, shape, places) in zip(values(), outputs)]


def litert(model, threads, array, outputs):
    from ai_edge_litert.interpreter import Interpreter

    def prepared(**more):
        interpreter = Interpreter(model_path=model, num_threads=threads, **more)
        interpreter.allocate_tensors()
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], array)
        return interpreter

    timed = prepared()

    def values():
        # Outputs of the network may be values in the middle of the model, which only this keeps.
        whole = prepared(experimental_preserve_all_tensors=True)
        whole.invoke()
        details = {detail["name"]: detail for detail in whole.get_tensor_details()}
        own = [detail["name"] for detail in whole.get_output_details()]
        found = []
        for name, _, _ in outputs:
            value = whole.get_tensor(details[name]["index"]).astype(np.float32)
            scale, zero = details[name]["quantization"]
            # The imported network gives what integers in the middle stand for.
            found.append(value if scale == 0 or name in own else scale * (value - zero))
        return found

    return timed.invoke, values


def opencv(model, threads, array, outputs):
    import cv2

    cv2.setNumThreads(threads)
    array = array.reshape((1, *array.shape[-3:]))
    net = cv2.dnn.readNetFromDarknet(model, os.path.splitext(model)[0] + ".weights")
    # The convolutions before the decoding, whose numbers the imported network gives.
    names = ["permute_" + name.split("_")[-1] for name, _, _ in outputs]
    last = []

    def run():
        # Without its input set anew the network would not compute again.
        net.setInput(array)
        last[:] = net.forward(names)

    def values():
        run()
        found = []
        for value, (_, shape, _) in zip(last, outputs):
            rows = value.reshape(1, shape[2], shape[3], shape[1])
            found.append(rows.transpose(0, 3, 1, 2))
        return found

    return run, values


# ONNX Runtime with what `dicevision export` makes of the imported network.
EXPORT = "onnxruntime, of the export"
ENGINES = {
    "onnxruntime": (onnxruntime, "onnxruntime", 1e-3),
    EXPORT: (exported, "onnxruntime", 1e-3),
    "litert": (litert, "ai-edge-litert", 2e-2),
    "opencv-dnn": (opencv, "opencv-python-headless", 1e-3),
}


def prepare():
    name, threads, folder, model = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    array = np.load(os.path.join(folder, "input.npy"))
    with open(os.path.join(folder, "outputs.json")) as file:
        outputs = json.load(file)
    run, values = ENGINES[name][0](model, threads, array, outputs)

    def write(path):
        run()
        np.concatenate(
            [np.ascontiguousarray(value, np.float32).ravel() for value in values()]).tofile(path)

    return run, write


if __name__ == "__main__":
    serve(prepare)
