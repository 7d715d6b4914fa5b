internal import DiceWeights

/// A layer of Core ML networks that can be carried over.
struct CoreMLOperation: Sendable {
  /// Lowers one use of it; gives the values of its outputs.
  typealias Lowering =
    @Sendable (inout CoreMLLowering, CoreMLCall) throws(LoweringFault) -> [Value]

  /// The field of `NeuralNetworkLayer` that holds its parameters.
  let field: Int
  /// That field's name.
  let name: String
  /// What is not carried over; empty where everything is.
  let limits: String
  let lower: Lowering

  init(_ field: Int, _ name: String, _ limits: String = "", _ lower: @escaping Lowering) {
    self.field = field
    self.name = name
    self.limits = limits
    self.lower = lower
  }

  /// A layer with one output.
  static func single(
    _ field: Int, _ name: String, _ limits: String = "",
    _ lower:
      @escaping @Sendable (inout GraphBuilder, CoreMLCall) throws(LoweringFault) -> Value
  ) -> CoreMLOperation {
    CoreMLOperation(field, name, limits) { (lowering, call) throws(LoweringFault) in
      [try lower(&lowering.builder, call)]
    }
  }
}

/// All layers of Core ML networks that can be carried over, and why the others cannot.
///
/// Source: `NeuralNetwork.proto` of the Core ML model format, specification versions 1 to 5; numbers
/// are fields of its messages.
enum CoreMLOperations {
  /// The layers that can be carried over, by theme.
  static let all: [CoreMLOperation] =
    windows + functions + normalizations + arithmetic + comparisons + reductions + arrangements
    + parts + recurrences + knownValues

  private static let byField: [Int: CoreMLOperation] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.field, $0) })

  /// Layers that are refused, and why.
  static let refused: [(field: Int, name: String, reason: String)] = {
    let random = "its numbers are random"
    let sorting = "it sorts numbers"
    let volumes = "it moves along three axes"
    let scattering = "it writes to places that other numbers tell"
    return [
      (212, "cropResize", "it takes parts of maps whose places depend on the picture"),
      (500, "custom", "its code is not in the file"),
      (605, "branch", "it chooses between networks"), (615, "loop", "it repeats a network"),
      (620, "loopBreak", "it repeats a network"), (625, "loopContinue", "it repeats a network"),
      (935, "scatter", scattering), (945, "scatterND", scattering),
      (954, "scatterAlongAxis", scattering),
      (965, "reverseSeq", "how far it reverses depends on the input"),
      (1170, "randomNormalLike", random), (1175, "randomNormalStatic", random),
      (1180, "randomNormalDynamic", random), (1190, "randomUniformLike", random),
      (1195, "randomUniformStatic", random), (1200, "randomUniformDynamic", random),
      (1210, "randomBernoulliLike", random), (1215, "randomBernoulliStatic", random),
      (1220, "randomBernoulliDynamic", random), (1230, "categoricalDistribution", random),
      (1313, "whereNonZero", "the number of its results depends on the input"),
      (
        1400, "NonMaximumSuppression",
        "the number of its results depends on the picture; a model of that kind behind the network "
          + "in a pipeline is read"
      ),
      (1461, "argSort", sorting), (1465, "pooling3d", volumes), (1466, "globalPooling3d", volumes),
      (1471, "convolution3d", volumes),
    ]
  }()

  /// The name of a layer's kind.
  static func name(_ field: Int) -> String {
    byField[field]?.name ?? refused.first { $0.field == field }?.name ?? "layer type \(field)"
  }

  static func operation(_ field: Int) throws(LoweringFault) -> CoreMLOperation {
    if let operation = byField[field] { return operation }
    if let known = refused.first(where: { $0.field == field }) {
      throw .unsupported(known.reason)
    }
    throw .unsupported("it is none of specification version 5")
  }
}

extension MapAxes {
  /// The last three axes of a tensor: channels, rows, columns.
  static func last(ofRank rank: Int) -> MapAxes {
    MapAxes(rows: rank - 2, columns: rank - 1, channels: rank - 3)
  }
}
