"""One engine that runs one network: called by network.py, speaks the protocol.

    python3 network_engine.py NAME THREADS FOLDER

The folder has the model in every engine's form, `input.npy` (float32 [1, 3, H, W]) and
`heads.json` (the names of the outputs).
"""

import json
import os
import sys

import numpy as np

from protocol import serve


def onnxruntime_fp32(folder, threads, image, heads, model="model.onnx"):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(
        os.path.join(folder, model), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    binding.bind_ortvalue_input("image", onnxruntime.OrtValue.ortvalue_from_numpy(image))
    for name in heads:
        binding.bind_output(name)
    # After the first run the outputs have their memory.
    session.run_with_iobinding(binding)
    for name, value in zip(heads, binding.get_outputs()):
        binding.bind_ortvalue_output(name, value)
    return (lambda: session.run_with_iobinding(binding),
            lambda: [value.numpy() for value in binding.get_outputs()])


def onnxruntime_int8(folder, threads, image, heads):
    return onnxruntime_fp32(folder, threads, image, heads, "int8.onnx")


def openvino(folder, threads, image, heads, precision, model="model.onnx"):
    import openvino as ov

    core = ov.Core()
    if precision != "f32":
        capabilities = core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        if precision.upper() not in capabilities:
            raise SystemExit(f"this processor has no {precision} arithmetic for OpenVINO")
    compiled = core.compile_model(core.read_model(os.path.join(folder, model)), "CPU", {
        "INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": precision,
        "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": "1"})
    request = compiled.create_infer_request()
    request.set_input_tensor(ov.Tensor(image))
    return request.infer, lambda: [request.get_tensor(name).data for name in heads]


def openvino_f32(folder, threads, image, heads):
    return openvino(folder, threads, image, heads, "f32")


def openvino_bf16(folder, threads, image, heads):
    return openvino(folder, threads, image, heads, "bf16")


def openvino_int8(folder, threads, image, heads):
    return openvino(folder, threads, image, heads, "f32", "int8.onnx")


def ncnn(folder, threads, image, heads):
    import ncnn as library

    net = library.Net()
    net.opt.num_threads = threads
    net.opt.use_vulkan_compute = False
    net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = net.opt.use_bf16_storage = False
    if net.load_param(os.path.join(folder, "model.ncnn.param")) or net.load_model(
            os.path.join(folder, "model.ncnn.bin")):
        raise SystemExit("ncnn cannot load the converted model")
    tensor = library.Mat(image[0]).clone()
    last = []

    def run():
        with net.create_extractor() as extractor:
            extractor.input("in0", tensor)
            last[:] = [extractor.extract(f"out{index}")[1] for index in range(len(heads))]

    return run, lambda: [np.array(output) for output in last]


def mnn(folder, threads, image, heads):
    import MNN

    interpreter = MNN.Interpreter(os.path.join(folder, "model.mnn"))
    session = interpreter.createSession(
        {"backend": "CPU", "numThread": threads, "precision": "high"})
    kind = MNN.Tensor_DimensionType_Caffe
    source = MNN.Tensor(image.shape, MNN.Halide_Type_Float, image, kind)
    interpreter.getSessionInput(session, "image").copyFrom(source)

    def outputs():
        results = []
        for name in heads:
            tensor = interpreter.getSessionOutput(session, name)
            copy = MNN.Tensor(
                tensor.getShape(), MNN.Halide_Type_Float,
                np.zeros(tensor.getShape(), np.float32), kind)
            tensor.copyToHostTensor(copy)
            results.append(np.array(copy.getData(), np.float32))
        return results

    return lambda: interpreter.runSession(session), outputs


def opencv_dnn(folder, threads, image, heads):
    import cv2

    cv2.setNumThreads(threads)
    net = cv2.dnn.readNetFromONNX(os.path.join(folder, "model.onnx"))
    net.setInput(image, "image")
    last = []

    def run():
        # Without its input set anew the network would not compute again.
        net.setInput(image, "image")
        last[:] = net.forward(heads)

    return run, lambda: last


ENGINES = {
    "onnxruntime-fp32": (onnxruntime_fp32, "onnxruntime", 1e-3),
    "openvino-f32": (openvino_f32, "openvino", 1e-3),
    "openvino-bf16": (openvino_bf16, "openvino", 5e-2),
    "onnxruntime-int8": (onnxruntime_int8, "onnxruntime", 0.2),
    "openvino-int8": (openvino_int8, "openvino", 0.2),
    "ncnn": (ncnn, "ncnn", 1e-3),
    "mnn": (mnn, "MNN", 1e-3),
    "opencv-dnn": (opencv_dnn, "opencv-python-headless", 1e-3),
}


def prepare():
    name, threads, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    image = np.load(os.path.join(folder, "input.npy"))
    with open(os.path.join(folder, "heads.json")) as file:
        heads = json.load(file)
    run, outputs = ENGINES[name][0](folder, threads, image, heads)

    def write(path):
        run()
        np.concatenate([np.asarray(head, np.float32).ravel() for head in outputs()]).tofile(path)

    return run, write


if __name__ == "__main__":
    serve(prepare)
