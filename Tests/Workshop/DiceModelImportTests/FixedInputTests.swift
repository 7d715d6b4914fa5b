import DiceModelImport
import DiceWeights
import TestSupport
import Testing

/// Inputs that are always the same.
struct FixedInputTests {
  /// `y = rate == 16000 ? 2 * x : -x`, where the rate is an input of one integer.
  private static var rates: [UInt8] {
    return ONNXFile.model(
      nodes: [
        ONNXFile.node("Equal", ["rate", "wanted"], ["holds"]),
        ONNXFile.node(
          "If", ["holds"], ["y"], name: "choice",
          attributes: [
            ONNXFile.attribute(
              "then_branch", graph: [ONNXFile.node("Add", ["x", "x"], ["a"])], outputs: ["a"]),
            ONNXFile.attribute(
              "else_branch", graph: [ONNXFile.node("Neg", ["x"], ["b"])], outputs: ["b"]),
          ]),
      ],
      constants: [ONNXFile.constant("wanted", [16000])],
      inputs: [("x", [1, 3]), ("rate", [1])], outputs: ["y"])
  }

  private static func imported(_ values: [String: [Double]]) throws -> ImportedModel {
    try ModelImporter.importONNX(rates, options: ImportOptions(inputValues: values))
  }

  @Test(arguments: [(16000, [2, 4, 6]), (8000, [-1, -2, -3])] as [(Double, [Float])])
  func aFixedInputDecidesABranch(rate: Double, expected: [Float]) throws {
    let model = try Self.imported(["rate": [rate]])
    expectEqual(model.inputs.map { $0.name }, ["x"])
    try expectEqual(run(model, [[1, 2, 3]]), [expected])
    #expect(model.report.notes.contains { $0.contains("The input rate is \(Int(rate))") })
  }

  @Test(arguments: [(16000, [2, 4, 6]), (8000, [-1, -2, -3])] as [(Float, [Float])])
  func anInputThatIsNotFixedDecidesWhileTheNetworkRuns(rate: Float, expected: [Float]) throws {
    let model = try Self.imported([:])
    expectEqual(model.inputs.map { $0.name }, ["x", "rate"])
    try expectEqual(run(model, [[1, 2, 3], [rate]]), [expected])
    #expect(model.report.notes.contains { $0.contains("a fixed value of rate decides it") })
  }

  @Test(
    arguments: [
      ["size": [1]], ["rate": [1, 2, 3]], ["rate": [1e300]], ["x": []],
    ] as [[String: [Double]]])
  func valuesThatDoNotFitAreRefused(values: [String: [Double]]) {
    #expect(throws: ModelImportError.self) { try Self.imported(values) }
  }

  @Test func oneNumberFillsAnInput() throws {
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [ONNXFile.node("Mul", ["x", "s"], ["y"])],
        inputs: [("x", [1, 3]), ("s", [1, 3])], outputs: ["y"]),
      options: ImportOptions(inputValues: ["s": [3]]))
    try expectEqual(run(model, [[1, 2, 3]]), [[3, 6, 9]])
  }

  @Test func otherFormatsHaveNoFixedInputs() {
    let options = ImportOptions(inputValues: ["data": [1]])
    let error = #expect(throws: ModelImportError.self) {
      try ModelImporter.importDarknet(
        configuration: Array("[net]\nwidth=32\nheight=32\nchannels=3\n[avgpool]\n".utf8),
        weights: [UInt8](repeating: 0, count: 20), options: options)
    }
    #expect("\(error!)".contains("cannot be fixed"))
  }
}
