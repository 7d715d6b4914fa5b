internal import DiceWeights

/// An operation of ONNX that can be carried over.
struct ONNXOperation: Sendable {
  /// Its name in ONNX.
  let name: String
  /// What is not carried over; empty where everything is.
  let limits: String
  /// Lowers one use of it; gives the values of its outputs.
  let lower: @Sendable (inout ONNXLowering, ONNXCall) throws(LoweringFault) -> [Value]

  /// An operation with one result that needs nothing but the network's builder.
  static func single(
    _ name: String, _ limits: String = "",
    _ lower:
      @escaping @Sendable (inout GraphBuilder, ONNXCall) throws(LoweringFault) -> Value
  ) -> ONNXOperation {
    ONNXOperation(name, limits) { (lowering, call) throws(LoweringFault) in
      [try lower(&lowering.builder, call)]
    }
  }

  init(
    _ name: String, _ limits: String = "",
    _ lower:
      @escaping @Sendable (inout ONNXLowering, ONNXCall) throws(LoweringFault) -> [Value]
  ) {
    self.name = name
    self.limits = limits
    self.lower = lower
  }
}

/// All operations of ONNX that can be carried over, and what is said of some that cannot.
enum ONNXOperations {
  /// The operations that can be carried over, by theme.
  static let all: [ONNXOperation] =
    windows + functions + furtherFunctions + normalizations + arithmetic + comparisons + reductions
    + arrangements + positions + sequences + attentions + recurrences + knownValues + samplings
    + spectra
    + quantizations

  static let byName: [String: ONNXOperation] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Why some operations are refused, and what to do.
  static let refused: [(name: String, reason: String)] = [
    (
      "NonMaxSuppression",
      "the number of its results depends on the picture; export the model without it, and suppress "
        + "boxes afterwards"
    ),
    ("RoiAlign", "it takes parts of maps whose places depend on the picture"),
    ("DeformConv", "its windows depend on the picture"),
  ]

  static func operation(_ node: ONNXGraphFile.Node) throws(LoweringFault) -> ONNXOperation {
    if node.domain == "com.microsoft", let operation = fusedByName[node.operation] {
      return operation
    }
    let isOfRuntime =
      node.domain == "com.microsoft"
      && (quantizationNames.contains(node.operation) || node.operation == "DynamicQuantizeLSTM")
    guard node.domain.isEmpty || node.domain == "ai.onnx" || isOfRuntime else {
      throw .unsupported("it is of the domain \(node.domain)")
    }
    if let operation = byName[node.operation] { return operation }
    if let known = refused.first(where: { $0.name == node.operation }) {
      throw .unsupported(known.reason)
    }
    throw .unsupported("the weight format has no such layer")
  }

  /// The type of a result's elements, by those of the operands; nil where it is not known.
  static func resultType(
    of node: ONNXGraphFile.Node, _ index: Int, _ types: [String: Int]
  ) -> Int? {
    func operand(_ index: Int) -> Int? {
      node.inputs.indices.contains(index) ? types[node.inputs[index]] : nil
    }
    switch node.operation {
    case "Cast": return node.attributes["to"]?.integer
    case "CastLike", "Where": return operand(1)
    case "Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", "And", "Or", "Xor", "Not",
      "IsNaN", "IsInf":
      return ONNXTensor.ElementType.bool.rawValue
    case "Shape", "Size", "ArgMax", "ArgMin", "SequenceLength":
      return ONNXTensor.ElementType.int64.rawValue
    case "TopK" where index == 1, "MaxPool" where index == 1:
      return ONNXTensor.ElementType.int64.rawValue
    case "Dropout" where index == 1: return ONNXTensor.ElementType.bool.rawValue
    case "Constant":
      let attributes = node.attributes
      if let type = attributes["value"]?.elementType { return type }
      let isWhole =
        attributes["value_int"]?.integer != nil
        || attributes["value_ints"]?.integers.isEmpty == false
      return (isWhole ? ONNXTensor.ElementType.int64 : .float).rawValue
    case "ConstantOfShape":
      return node.attributes["value"]?.elementType ?? ONNXTensor.ElementType.float.rawValue
    case "SequenceInsert": return operand(1) ?? operand(0)
    case "SequenceEmpty":
      return node.attributes["dtype"]?.integer ?? ONNXTensor.ElementType.float.rawValue
    case "EyeLike": return node.attributes["dtype"]?.integer ?? operand(0)
    case "OneHot": return operand(2)
    case "DequantizeLinear": return operand(1)
    case "QuantizeLinear":
      return operand(2) ?? node.attributes["output_dtype"]?.integer
        ?? ONNXTensor.ElementType.uint8.rawValue
    case "DynamicQuantizeLinear":
      return (index == 1 ? ONNXTensor.ElementType.float : .uint8).rawValue
    case "MatMulInteger", "ConvInteger": return ONNXTensor.ElementType.int32.rawValue
    default: return operand(0)
    }
  }
}
