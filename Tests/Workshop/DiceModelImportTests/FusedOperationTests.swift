import DiceModelImport
import DiceWeights
import TestSupport
import Testing

/// Operations that ONNX Runtime's optimizer writes in place of several others.
struct FusedOperationTests {
  /// The numbers that a model of one operation of the domain gives.
  private static func result(
    _ operation: String, _ inputs: [(name: String, shape: [Int], numbers: [Float])],
    constants: [(name: String, shape: [Int], numbers: [Float])] = [], order: [String]? = nil,
    attributes: [[UInt8]] = [], outputs: [String] = ["y"], shown: [String] = ["y"]
  ) throws -> [[Float]] {
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node(
          operation, order ?? (inputs + constants).map { $0.name }, outputs,
          attributes: attributes, domain: "com.microsoft")
      ],
      constants: constants.map { ONNXFile.constant($0.name, $0.shape, $0.numbers) },
      inputs: inputs.map { ($0.name, $0.shape) }, outputs: shown)
    return try run(ModelImporter.importONNX(bytes), inputs.map { $0.numbers })
  }

  private static func near(_ found: [Float], _ expected: [Float]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-5 }
  }

  @Test func aConvolutionHasAnAddendAndAFunction() throws {
    let found = try Self.result(
      "FusedConv", [("x", [1, 1, 1, 3], [1, 2, 3]), ("z", [1, 1, 1, 3], [0, -9, 1])],
      constants: [("w", [1, 1, 1, 1], [2]), ("b", [1], [1])], order: ["x", "w", "b", "z"],
      attributes: [ONNXFile.attribute("activation", "Relu")])
    expectEqual(found, [[3, 0, 8]])
  }

  @Test func aProductTurnsAndScalesItsMatrices() throws {
    let found = try Self.result(
      "FusedMatMul", [("x", [2, 2], [1, 2, 3, 4]), ("w", [2, 2], [1, 0, 2, 1])],
      attributes: [ONNXFile.attribute("transB", 1), ONNXFile.attribute("alpha", Float(0.5))])
    expectEqual(found, [[0.5, 2, 1.5, 5]])
  }

  @Test func aDenseLayerHasAFunction() throws {
    let found = try Self.result(
      "FusedGemm", [("x", [1, 2], [1, 2])],
      constants: [("w", [2, 2], [1, -1, 1, -1]), ("b", [2], [0, 1])],
      attributes: [
        ONNXFile.attribute("activation", "LeakyRelu"),
        ONNXFile.attribute("activation_alpha", Float(0.1)),
      ])
    #expect(Self.near(found[0], [3, -0.2]))
  }

  @Test(
    arguments: [
      ("BiasGelu", [0.5], 0.8413447), ("FastGelu", [0.5], 0.841192), ("FastGelu", [], 0.3457140),
      ("QuickGelu", [], 0.3503884),
    ] as [(String, [Float], Float)])
  func gelu(name: String, bias: [Float], expected: Float) throws {
    let constants = bias.isEmpty ? [] : [("b", [1], bias)]
    let found = try Self.result(name, [("x", [1, 1], [0.5])], constants: constants)
    #expect(Self.near(found[0], [expected]))
  }

  @Test func aSumIsNormalizedAndIsAResult() throws {
    let found = try Self.result(
      "SkipLayerNormalization", [("x", [1, 2], [1, 2]), ("skip", [1, 2], [1, 4])],
      constants: [("gamma", [2], [2, 2]), ("beta", [2], [0, 1]), ("bias", [2], [1, 1])],
      attributes: [ONNXFile.attribute("epsilon", Float(0))], outputs: ["y", "", "", "sum"],
      shown: ["y", "sum"])
    #expect(Self.near(found[0], [-2, 3]) && found[1] == [3, 7])
  }

  /// `softmax(Q * K' / 2) * V`, with two heads of one number each.
  private static func attention(
    _ q: [Float], _ k: [Float], _ v: [Float], length: Int, mask: [Bool], isCausal: Bool
  ) -> [Float] {
    var result = [Float](repeating: 0, count: length * 2)
    for head in 0..<2 {
      for query in 0..<length {
        var (sum, weighted): (Double, Double) = (0, 0)
        for key in 0..<length where mask[key] && !(isCausal && key > query) {
          // The exponential's series is enough for small numbers.
          let x = Double(q[query * 2 + head] * k[key * 2 + head]) * 0.5
          let weight = (1...30).reduce((1.0, 1.0)) { (state, n) in
            let term = state.1 * x / Double(n)
            return (state.0 + term, term)
          }.0
          sum += weight
          weighted += weight * Double(v[key * 2 + head])
        }
        result[query * 2 + head] = Float(weighted / sum)
      }
    }
    return result
  }

  private static let q: [Float] = [0.5, -1, 1, 0.25, -0.75, 0.5]
  private static let k: [Float] = [1, 0.5, -0.5, 1, 0.25, -1]
  private static let v: [Float] = [1, 2, 3, 4, 5, 6]

  @Test(arguments: [false, true])
  func attentionOfThreeTensors(isCausal: Bool) throws {
    let found = try Self.result(
      "MultiHeadAttention",
      [("q", [1, 3, 2], Self.q), ("k", [1, 3, 2], Self.k), ("v", [1, 3, 2], Self.v)],
      attributes: [
        ONNXFile.attribute("num_heads", 2), ONNXFile.attribute("scale", Float(0.5)),
        ONNXFile.attribute("unidirectional", isCausal ? 1 : 0),
      ])
    let expected = Self.attention(
      Self.q, Self.k, Self.v, length: 3, mask: [true, true, true], isCausal: isCausal)
    #expect(Self.near(found[0], expected))
  }

  @Test func attentionOfASequenceToItself() throws {
    // Weights that give the queries, keys and values of an input with six numbers.
    var x: [Float] = []
    for row in 0..<3 {
      for part in [Self.q, Self.k, Self.v] { x += part[2 * row...2 * row + 1] }
    }
    var unit = [Float](repeating: 0, count: 36)
    for row in 0..<6 { unit[7 * row] = 1 }
    let found = try Self.result(
      "Attention", [("x", [1, 3, 6], x)],
      constants: [
        ("w", [6, 6], unit), ("b", [6], [Float](repeating: 0, count: 6)),
        ("mask", [1, 3], [1, 1, 0]),
      ],
      attributes: [ONNXFile.attribute("num_heads", 2), ONNXFile.attribute("scale", Float(0.5))])
    let expected = Self.attention(
      Self.q, Self.k, Self.v, length: 3, mask: [true, true, false], isCausal: false)
    #expect(Self.near(found[0], expected))
  }

  @Test func whatEarlierStepsGaveIsRefused() {
    #expect(throws: ModelImportError.self) {
      try Self.result(
        "MultiHeadAttention",
        [
          ("q", [1, 3, 2], Self.q), ("k", [1, 3, 2], Self.k), ("v", [1, 3, 2], Self.v),
          ("past", [1, 2, 3, 1], Self.v),
        ], order: ["q", "k", "v", "", "", "", "past"],
        attributes: [ONNXFile.attribute("num_heads", 2)])
    }
    // A bias that is none.
    #expect(throws: ModelImportError.self) {
      try Self.result(
        "MultiHeadAttention",
        [("q", [1, 3, 2], Self.q), ("k", [1, 3, 2], Self.k), ("v", [1, 3, 2], Self.v)],
        constants: [("b", [], [1])], attributes: [ONNXFile.attribute("num_heads", 2)])
    }
  }

  @Test func placesOfKnownNumbersAreKnown() throws {
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node("NonZero", ["mask"], ["places"]),
        ONNXFile.node("Squeeze", ["places"], ["row"]),
        ONNXFile.node("Gather", ["x", "row"], ["y"]),
      ], constants: [ONNXFile.constant("mask", [4], [0, 1, 0, 2])], inputs: [("x", [4])],
      outputs: ["y"])
    try expectEqual(run(ModelImporter.importONNX(bytes), [[5, 6, 7, 8]]), [[6, 8]])
  }

  @Test(arguments: [("IsNaN", [0, 0, 0]), ("IsInf", [0, 1, 1])] as [(String, [Float])])
  func infiniteNumbers(name: String, expected: [Float]) throws {
    let greatest = Float.greatestFiniteMagnitude
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node(name, ["x"], ["is"]),
        ONNXFile.node("Where", ["is", "one", "zero"], ["y"]),
        ONNXFile.node("Mul", ["x", "zero"], ["nothing"]),
        ONNXFile.node("Add", ["y", "nothing"], ["z"]),
      ],
      constants: [ONNXFile.constant("one", [1], [1]), ONNXFile.constant("zero", [1], [0])],
      inputs: [("x", [3])], outputs: ["z"])
    let found = try run(ModelImporter.importONNX(bytes), [[1, -greatest, greatest]])
    expectEqual(found, [expected])
  }
}
