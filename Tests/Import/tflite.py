"""Writes small TensorFlow Lite files and runs them in LiteRT.

A model grows by one operation at a time; the shapes of its tensors are known by running it. It can be
written in single precision, with its weights in half precision or 8 bits, or quantized to 8 bits as a whole.
"""

import flatbuffers
import numpy
from ai_edge_litert import interpreter as litert
from ai_edge_litert import schema_py_generated as schema

TYPES = {
    numpy.dtype(numpy.float32): schema.TensorType.FLOAT32,
    numpy.dtype(numpy.float16): schema.TensorType.FLOAT16,
    numpy.dtype(numpy.int8): schema.TensorType.INT8,
    numpy.dtype(numpy.uint8): schema.TensorType.UINT8,
    numpy.dtype(numpy.int32): schema.TensorType.INT32,
    numpy.dtype(numpy.int64): schema.TensorType.INT64,
    numpy.dtype(numpy.bool_): schema.TensorType.BOOL,
}


class Tensor:
    def __init__(self, name, dtype, data=None, shape=None, role="constant", axis=None):
        self.name, self.dtype, self.data, self.shape = name, numpy.dtype(dtype), data, shape
        # What a constant is to a quantized operation: its weights, its bias or another operand.
        self.role, self.axis = role, axis
        self.scale, self.zero = None, None


class Graph:
    def __init__(self, random):
        self.random = random
        self.tensors, self.operations, self.inputs, self.feeds = [], [], [], {}

    # Tensors by their numbers.

    def add(self, tensor):
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def input(self, shape, low=-2.0, high=2.0):
        number = self.add(Tensor(f"input:{len(self.tensors)}", numpy.float32, shape=list(shape)))
        self.inputs.append(number)
        self.feeds[number] = self.random.uniform(low, high, shape).astype(numpy.float32)
        return number

    def constant(self, values, role="constant", axis=None, dtype=None):
        data = numpy.asarray(values, dtype=dtype)
        return self.add(
            Tensor(f"constant:{len(self.tensors)}", data.dtype, data, list(data.shape), role, axis))

    def integers(self, values):
        return self.constant(values, "integers", dtype=numpy.int32)

    def weights(self, *shape, axis=None):
        fan = max(1, int(numpy.prod(shape[1:])))
        return self.constant(
            (self.random.normal(size=shape) / numpy.sqrt(fan)).astype(numpy.float32), "weights", axis)

    def bias(self, count):
        return self.constant(self.random.normal(size=[count]).astype(numpy.float32) / 4, "bias")

    def operation(self, name, inputs, options=None, outputs=1, dtype=numpy.float32, custom=None):
        numbers = [self.add(Tensor(f"tensor/{len(self.tensors)}", dtype)) for _ in range(outputs)]
        self.operations.append((name, list(inputs), numbers, options, custom))
        return numbers[0] if outputs == 1 else numbers

    def choice(self, values):
        return values[self.random.integers(len(values))]

    def integer(self, low, high):
        return int(self.random.integers(low, high + 1))

    # The file.

    def file(self, outputs):
        model = schema.ModelT()
        model.version, model.description = 3, "case"
        model.buffers = [schema.BufferT()]
        codes, model.operatorCodes = {}, []
        graph = schema.SubGraphT()
        graph.name, graph.tensors, graph.operators = "main", [], []
        for tensor in self.tensors:
            made = schema.TensorT()
            made.name, made.type, made.buffer = tensor.name, TYPES[tensor.dtype], 0
            if tensor.shape is not None:
                made.shape = tensor.shape
            made.isVariable = tensor.role == "variable"
            if tensor.data is not None:
                buffer = schema.BufferT()
                buffer.data = numpy.frombuffer(
                    numpy.ascontiguousarray(tensor.data).tobytes(), numpy.uint8)
                made.buffer = len(model.buffers)
                model.buffers.append(buffer)
            if tensor.scale is not None:
                quantization = schema.QuantizationParametersT()
                quantization.scale = numpy.atleast_1d(tensor.scale).astype(numpy.float32)
                quantization.zeroPoint = numpy.atleast_1d(tensor.zero).astype(numpy.int64)
                quantization.quantizedDimension = tensor.axis or 0
                made.quantization = quantization
            graph.tensors.append(made)
        for name, inputs, results, options, custom in self.operations:
            code = getattr(schema.BuiltinOperator, name, schema.BuiltinOperator.CUSTOM)
            if name not in codes:
                made = schema.OperatorCodeT()
                made.builtinCode, made.deprecatedBuiltinCode = code, min(code, 127)
                made.version = VERSIONS.get(name, 1)
                if code == schema.BuiltinOperator.CUSTOM:
                    made.customCode = name
                codes[name] = len(model.operatorCodes)
                model.operatorCodes.append(made)
            made = schema.OperatorT()
            made.opcodeIndex, made.inputs, made.outputs = codes[name], inputs, results
            if options is not None:
                kind = type(options).__name__[:-1]
                made.builtinOptionsType = getattr(schema.BuiltinOptions, kind)
                made.builtinOptions = options
            if custom is not None:
                made.customOptions = numpy.frombuffer(custom, numpy.uint8)
            graph.operators.append(made)
        graph.inputs, graph.outputs = self.inputs, outputs
        model.subgraphs = [graph]
        builder = flatbuffers.Builder(1024)
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output())

    def run(self, outputs, kernels=litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES):
        """The numbers of some tensors, as LiteRT computes them: without delegates, unless told otherwise."""
        engine = litert.Interpreter(
            model_content=self.file(outputs), experimental_op_resolver_type=kernels)
        engine.allocate_tensors()
        for detail, number in zip(engine.get_input_details(), self.inputs):
            engine.set_tensor(detail["index"], self.feeds[number])
        engine.invoke()
        return [engine.get_tensor(detail["index"]) for detail in engine.get_output_details()]

    # Other kinds of numbers.

    def halve(self):
        """Puts the weights into half precision, each with an operation that takes it to single."""
        tensors, self.tensors = self.tensors, list(self.tensors)
        front = []
        for number, tensor in enumerate(tensors):
            if tensor.role in ("weights", "bias") and tensor.data is not None:
                half = self.add(
                    Tensor(f"half:{number}", numpy.float16, tensor.data.astype(numpy.float16),
                           tensor.shape))
                self.tensors[number] = Tensor(tensor.name, numpy.float32, shape=tensor.shape)
                front.append(("DEQUANTIZE", [half], [number], schema.DequantizeOptionsT(), None))
        self.operations = front + self.operations

    def quantize_weights(self, per_channel):
        """Makes weights integers of 8 bits; inputs of their operations are floats, which LiteRT quantizes while it runs."""
        for name, inputs, _, options, _ in self.operations:
            for number in inputs:
                tensor = self.tensors[number] if number >= 0 else None
                if tensor is None or tensor.role != "weights" or tensor.dtype != numpy.float32:
                    continue
                others = tuple(a for a in range(tensor.data.ndim) if a != tensor.axis)
                # A depthwise convolution reads scales of channels in any case.
                whole = (not per_channel and name != "DEPTHWISE_CONV_2D") or tensor.axis is None
                peak = abs(tensor.data).max() if whole else abs(tensor.data).max(axis=others)
                scale = numpy.maximum(peak, 1e-3).astype(numpy.float32) / 127
                spread = scale if whole else scale.reshape(
                    [-1 if a == tensor.axis else 1 for a in range(tensor.data.ndim)])
                tensor.data = numpy.clip(numpy.round(tensor.data / spread), -127, 127).astype(numpy.int8)
                tensor.dtype, tensor.scale = numpy.dtype(numpy.int8), scale
                tensor.zero = numpy.zeros(numpy.size(scale), numpy.int64)
                if whole:
                    tensor.axis = None
            if name in ("FULLY_CONNECTED", "BATCH_MATMUL"):
                # As TensorFlow's converter says, and LiteRT's delegate does in any case.
                options.asymmetricQuantizeInputs = True

    def quantize(self, dtype, per_channel):
        """Makes all numbers integers of 8 bits, with scales that fit what is computed."""
        computed = [n for _, _, results, _, _ in self.operations for n in results]
        floats = [n for n in computed if self.tensors[n].dtype == numpy.float32]
        values = dict(zip(floats, self.run(floats))) if floats else {}
        values.update(self.feeds)
        limits = numpy.iinfo(dtype)
        middle = 0 if dtype == numpy.int8 else 128
        for number, numbers in values.items():
            tensor = self.tensors[number]
            tensor.dtype = numpy.dtype(dtype)
            low, high = min(0.0, float(numbers.min())), max(0.0, float(numbers.max()))
            tensor.scale = numpy.float32(max(high - low, 1e-3) / 255)
            tensor.zero = int(numpy.clip(round(limits.min - low / tensor.scale), limits.min, limits.max))
        for name, inputs, results, _, _ in self.operations:
            first = self.tensors[inputs[1] if name == "SPLIT" else inputs[0]]
            for result in results:
                tensor = self.tensors[result]
                if tensor.dtype != dtype:
                    continue
                if name in ("LOGISTIC", "SOFTMAX"):
                    tensor.scale, tensor.zero = numpy.float32(1 / 256), int(limits.min)
                elif name in ("TANH", "L2_NORMALIZATION"):
                    tensor.scale, tensor.zero = numpy.float32(1 / 128), middle
                elif name in SAME:
                    tensor.scale, tensor.zero = first.scale, first.zero
            if name in ("MAXIMUM", "MINIMUM"):
                # LiteRT compares the integers as they are.
                known = next(self.tensors[n] for n in inputs if self.tensors[n].scale is not None)
                for other in [*inputs, *results]:
                    self.tensors[other].scale, self.tensors[other].zero = known.scale, known.zero
            if name == "CONCATENATION":
                for other in inputs[1:]:
                    data = self.tensors[other]
                    data.scale, data.zero = first.scale, first.zero
            for place, number in enumerate(inputs):
                tensor = self.tensors[number] if number >= 0 else None
                if tensor is None or tensor.data is None or tensor.dtype != numpy.float32:
                    continue
                if tensor.role == "bias":
                    weights = self.tensors[inputs[1]]
                    tensor.scale = numpy.atleast_1d(first_scale(self, name, inputs) * weights.scale)
                    tensor.zero = numpy.zeros(len(tensor.scale), numpy.int64)
                    tensor.axis = 0
                    tensor.data = numpy.round(
                        tensor.data / tensor.scale.astype(numpy.float32)).astype(numpy.int32)
                    tensor.dtype = numpy.dtype(numpy.int32)
                elif tensor.role == "weights" and dtype == numpy.int8:
                    others = tuple(a for a in range(tensor.data.ndim) if a != tensor.axis)
                    whole = not per_channel or tensor.axis is None
                    peak = abs(tensor.data).max() if whole else abs(tensor.data).max(axis=others)
                    scale = numpy.maximum(peak, 1e-3).astype(numpy.float32) / 127
                    spread = scale if whole else scale.reshape(
                        [-1 if a == tensor.axis else 1 for a in range(tensor.data.ndim)])
                    tensor.data = numpy.clip(
                        numpy.round(tensor.data / spread), -127, 127).astype(numpy.int8)
                    tensor.dtype, tensor.scale = numpy.dtype(dtype), scale
                    tensor.zero = numpy.zeros(numpy.size(scale), numpy.int64)
                    if whole:
                        tensor.axis = None
                else:
                    low, high = min(0, tensor.data.min()), max(0, tensor.data.max())
                    if tensor.scale is None:
                        tensor.scale = numpy.float32(max(high - low, 1e-3) / 255)
                        tensor.zero = int(numpy.clip(
                            round(limits.min - low / tensor.scale), limits.min, limits.max))
                    tensor.axis = None
                    tensor.data = numpy.clip(
                        numpy.round(tensor.data / tensor.scale) + tensor.zero, limits.min, limits.max
                    ).astype(dtype)
                    tensor.dtype = numpy.dtype(dtype)
        for number in self.inputs:
            tensor = self.tensors[number]
            self.feeds[number] = numpy.clip(
                numpy.round(self.feeds[number] / tensor.scale) + tensor.zero, limits.min, limits.max
            ).astype(dtype)


def first_scale(graph, name, inputs):
    return graph.tensors[inputs[2] if name == "TRANSPOSE_CONV" else inputs[0]].scale


# Operations that give the numbers of their first operand.
SAME = {"RESHAPE", "SQUEEZE", "EXPAND_DIMS", "TRANSPOSE", "MAX_POOL_2D", "AVERAGE_POOL_2D", "PAD",
        "MIRROR_PAD", "CONCATENATION", "SPLIT", "SLICE", "STRIDED_SLICE", "GATHER", "PACK", "UNPACK",
        "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "SPACE_TO_DEPTH", "DEPTH_TO_SPACE", "TILE",
        "REDUCE_MAX", "REDUCE_MIN", "SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND", "REVERSE_V2"}

# The versions of operations that know 8-bit integers with signs, scales for each channel and the like.
VERSIONS = {"CONV_2D": 3, "DEPTHWISE_CONV_2D": 3, "TRANSPOSE_CONV": 3, "FULLY_CONNECTED": 5,
            "ADD": 2, "SUB": 2, "MUL": 2, "AVERAGE_POOL_2D": 2, "MAX_POOL_2D": 2, "CONCATENATION": 2,
            "LOGISTIC": 2, "SOFTMAX": 2, "TANH": 2, "PAD": 2, "MEAN": 2, "RESIZE_BILINEAR": 3,
            "RESIZE_NEAREST_NEIGHBOR": 3, "RELU": 2, "RELU6": 2, "QUANTIZE": 2, "DEQUANTIZE": 3,
            "BATCH_MATMUL": 4, "TRANSPOSE": 2, "STRIDED_SLICE": 2, "SLICE": 2, "SPLIT": 2,
            "MAXIMUM": 2, "MINIMUM": 2, "LEAKY_RELU": 2, "L2_NORMALIZATION": 2, "GATHER": 2,
            "SPACE_TO_BATCH_ND": 2, "BATCH_TO_SPACE_ND": 2, "SUM": 2, "REDUCE_MAX": 2,
            "REDUCE_MIN": 2, "GELU": 2, "SQUEEZE": 2, "PACK": 2, "UNPACK": 2}
