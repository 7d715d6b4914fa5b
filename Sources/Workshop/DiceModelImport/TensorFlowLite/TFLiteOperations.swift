internal import DiceDetectorHeads
internal import DiceWeights

/// An operation of TensorFlow Lite that can be carried over.
struct TFLiteOperation: Sendable {
  /// Lowers one use of it; gives the values of its results.
  typealias Lowering =
    @Sendable (inout TFLiteLowering, TFLiteCall, TFLiteFile.Operation) throws(LoweringFault) ->
    [Value]

  /// What an operation does to its operands' numbers.
  enum Treatment: Sendable {
    /// Anything.
    case plain
    /// Each result is one of the operands' numbers, or 0.
    case moving
    /// Each result follows from the numbers at the same place.
    case pointwise
    /// It knows of maps that are cut into pieces.
    case pieces
  }

  /// Its code; that of custom operations is 32.
  let code: Int
  let name: String
  /// What is not carried over; empty where everything is.
  let limits: String
  let treatment: Treatment
  /// The field of its options with the function that is applied to its results.
  let activationField: Int?
  let lower: Lowering

  init(
    _ code: Int, _ name: String, _ limits: String = "", _ treatment: Treatment = .plain,
    activation: Int? = nil, _ lower: @escaping Lowering
  ) {
    self.code = code
    self.name = name
    self.limits = limits
    self.treatment = treatment
    activationField = activation
    self.lower = lower
  }

  /// An operation with one result.
  static func single(
    _ code: Int, _ name: String, _ limits: String = "", _ treatment: Treatment = .plain,
    activation: Int? = nil,
    _ lower:
      @escaping @Sendable (inout GraphBuilder, TFLiteCall) throws(LoweringFault) -> Value
  ) -> TFLiteOperation {
    TFLiteOperation(code, name, limits, treatment, activation: activation) {
      (lowering, call, _) throws(LoweringFault) in
      [try lower(&lowering.builder, call)]
    }
  }
}

/// All operations of TensorFlow Lite that can be carried over, and why the others cannot.
///
/// Source: `schema.fbs` of LiteRT, version 3, and the reference kernels of its runtime.
enum TFLiteOperations {
  /// The code of operations that are not builtin.
  static let customCode = 32

  /// The operations that can be carried over, by theme.
  static let all: [TFLiteOperation] =
    windows + maps + products + functions + arithmetic + comparisons + reductions + arrangements
    + parts + recurrences + loops + variables + knownValues + spectra + custom + landmarks

  private static let byCode: [Int: TFLiteOperation] = Dictionary(
    uniqueKeysWithValues: all.filter { $0.code != customCode }.map { ($0.code, $0) })

  /// The builtin operations that are refused, and why.
  static let refused: [(code: Int, name: String, reason: String)] = {
    let recurrent = "only recurrent operations over whole sequences are read"
    let table = "it looks up texts or keys"
    let counting = "the number of its results depends on the input"
    let graphs = "it runs another graph of the file"
    let random = "its numbers are random"
    let volumes = "it moves along three axes"
    let bits = "it treats the bits of integers"
    let segments = "the parts that it puts together follow from other numbers"
    return [
      (10, "HASHTABLE_LOOKUP", table), (15, "LSH_PROJECTION", table), (16, "LSTM", recurrent),
      (24, "RNN", recurrent), (27, "SVDF", recurrent), (29, "CONCAT_EMBEDDINGS", table),
      (30, "SKIP_GRAM", table), (31, "CALL", graphs), (33, "EMBEDDING_LOOKUP_SPARSE", table),
      (51, "DELEGATE", graphs), (103, "UNIQUE", counting), (109, "WHERE", counting),
      (112, "REVERSE_SEQUENCE", "how far it reverses depends on the input"),
      (
        120, "NON_MAX_SUPPRESSION_V4",
        "the number of its results depends on the picture, and it is not the model's end"
      ),
      (
        121, "NON_MAX_SUPPRESSION_V5",
        "the number of its results depends on the picture, and it is not the model's end"
      ),
      (132, "CONV_3D", volumes), (136, "HASHTABLE", table),
      (137, "HASHTABLE_FIND", table), (138, "HASHTABLE_IMPORT", table),
      (139, "HASHTABLE_SIZE", table), (141, "CONV_3D_TRANSPOSE", volumes),
      (146, "RANDOM_STANDARD_NORMAL", random),
      (148, "RANDOM_UNIFORM", random), (149, "MULTINOMIAL", random),
      (153, "UNSORTED_SEGMENT_PROD", segments), (154, "UNSORTED_SEGMENT_MAX", segments),
      (157, "UNSORTED_SEGMENT_MIN", segments), (159, "BITCAST", bits),
      (160, "BITWISE_XOR", bits), (161, "RIGHT_SHIFT", bits),
    ]
  }()

  /// The operation's name.
  static func name(_ operation: TFLiteFile.Operation) -> String {
    if operation.code == customCode { return ModelTensor.printable(operation.customName) }
    if (162...202).contains(operation.code) || (204...209).contains(operation.code) {
      return "StableHLO operation \(operation.code)"
    }
    return byCode[operation.code]?.name ?? refused.first { $0.code == operation.code }?.name
      ?? "operation \(operation.code)"
  }

  static func operation(
    _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> TFLiteOperation {
    if operation.code == customCode {
      if let known = (custom + landmarks).first(where: { $0.name == operation.customName }) {
        return known
      }
      throw .unsupported(
        operation.customName.hasPrefix("Flex")
          ? "it is one of TensorFlow's own, which the file does not define"
          : "it is a custom one, whose code is not in the file")
    }
    if let known = byCode[operation.code] { return known }
    if let known = refused.first(where: { $0.code == operation.code }) {
      throw .unsupported(known.reason)
    }
    throw .unsupported("it is none of the builtin operations 0 to 161")
  }
}
