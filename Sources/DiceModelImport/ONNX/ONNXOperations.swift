internal import DiceWeights

/// An operation of ONNX that can be carried over.
struct ONNXOperation: Sendable {
  /// Its name in ONNX.
  let name: String
  /// What is not carried over; empty where everything is.
  let limits: String
  /// Lowers one use of it; gives the values of its outputs.
  let lower: @Sendable (inout ONNXLowering, ONNXCall) throws(LoweringFault) -> [Value]

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
    windows + functions + arithmetic + reductions + arrangements + knownValues + quantizations

  static let byName: [String: ONNXOperation] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Operations whose results are integers.
  static let integerResults: Set<String> = ["ArgMax"]

  /// Why some operations are refused, and what to do.
  static let refused: [(name: String, reason: String)] = [
    (
      "NonMaxSuppression",
      "the number of its results depends on the picture; export the model without it, and suppress "
        + "boxes afterwards"
    ),
    ("TopK", "it sorts numbers; export the model without its decoding of boxes"),
    ("NonZero", "the number of its results depends on the picture"),
    ("RoiAlign", "it takes parts of maps whose places depend on the picture"),
    ("GridSample", "it samples maps at places that depend on the picture"),
    ("DeformConv", "its windows depend on the picture"),
    ("Loop", "it repeats operations"), ("Scan", "it repeats operations"),
    ("If", "it chooses between operations"),
    ("LSTM", "the format has no recurrent layers"), ("GRU", "the format has no recurrent layers"),
    ("RNN", "the format has no recurrent layers"),
  ]

  static func operation(_ node: ONNXGraphFile.Node) throws(LoweringFault) -> ONNXOperation {
    let isOfRuntime =
      node.domain == "com.microsoft" && quantizationNames.contains(node.operation)
    guard node.domain.isEmpty || node.domain == "ai.onnx" || isOfRuntime else {
      throw .unsupported("it is of the domain \(node.domain)")
    }
    if let operation = byName[node.operation] { return operation }
    if let known = refused.first(where: { $0.name == node.operation }) {
      throw .unsupported(known.reason)
    }
    throw .unsupported("the weight format has no such layer")
  }
}
