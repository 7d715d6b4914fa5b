import DiceDetectorHeads
import DiceModelImport
import DiceWeights
import TestSupport
import Testing

/// Detectors that end with a choice among their boxes.
struct ONNXChoiceTests {
  /// What chooses among `boxes`, `[1, 84, 4]`, and `scores`, `[1, 84, 2]`, and gives `found`.
  private static let best: [[UInt8]] = [
    ONNXFile.node(
      "ReduceMax", ["scores"], ["best"],
      attributes: [ONNXFile.attribute("axes", [2]), ONNXFile.attribute("keepdims", 0)]),
    ONNXFile.node("TopK", ["best", "count"], ["values", "places"], name: "choice"),
    ONNXFile.node("Unsqueeze", ["places", "last"], ["column"]),
    ONNXFile.node("Expand", ["column", "size"], ["indices"]),
    ONNXFile.node(
      "GatherElements", ["boxes", "indices"], ["found"], attributes: [ONNXFile.attribute("axis", 1)]
    ),
  ]
  private static let suppression: [[UInt8]] = [
    ONNXFile.node(
      "Transpose", ["scores"], ["turned"], attributes: [ONNXFile.attribute("perm", [0, 2, 1])]),
    ONNXFile.node("NonMaxSuppression", ["boxes", "turned", "limit"], ["kept"], name: "choice"),
    ONNXFile.node("Shape", ["kept"], ["shape"]),
    ONNXFile.node("Cast", ["kept"], ["found"], attributes: [ONNXFile.attribute("to", 1)]),
  ]

  /// A model of a picture of 64 by 64 pixels, whose boxes and scores count their places from 0.
  private static func model(_ choice: [[UInt8]], outputs: [String] = ["found"]) -> [UInt8] {
    let numbers = { (count: Int) in (0..<count).map { (place) in Float(place) } }
    let pairs = [("task", "detect"), ("names", "{0: 'd4', 1: 'd6'}")].flatMap { (pair) in
      Message.bytes(14, Message.text(1, pair.0) + Message.text(2, pair.1))
    }
    return ONNXFile.model(
      nodes: [
        ONNXFile.node(
          "ReduceMean", ["x"], ["mean"],
          attributes: [ONNXFile.attribute("axes", [1, 2, 3]), ONNXFile.attribute("keepdims", 0)]),
        ONNXFile.node("Add", ["mean", "b"], ["boxes"]),
        ONNXFile.node("Add", ["mean", "s"], ["scores"]),
      ] + choice,
      constants: [
        ONNXFile.constant("b", [1, 84, 4], numbers(336)),
        ONNXFile.constant("s", [1, 84, 2], numbers(168)),
        ONNXFile.constant("w", [4, 2], numbers(8)), ONNXFile.constant("count", [30]),
        ONNXFile.constant("limit", [30]), ONNXFile.constant("last", [-1]),
        ONNXFile.constant("size", [1, 30, 4]),
      ], inputs: [("x", [1, 3, 64, 64])], outputs: outputs) + pairs
  }

  @Test(arguments: [(best, "TopK", 2), (suppression, "NonMaxSuppression", 1)])
  func aDetectorEndsBeforeTheChoice(_ choice: [[UInt8]], name: String, competition: Int) throws {
    let model = try ModelImporter.importONNX(Self.model(choice))
    expectEqual(
      model.report.notes,
      [
        "The choice among boxes at the end was left out: \(name) (1 place). The outputs are what it reads."
      ])
    expectEqual(model.outputs.map { $0.name }, ["boxes", "scores"])
    let found = try run(model, [[Float](repeating: 0.5, count: 3 * 64 * 64)])
    let right = (0..<336).map { (index: Int) -> Float in Float(index) + 0.5 }
    expectEqual(found[0], right)
    let detector = try #require(try model.detector())
    let heads = detector.description.outputs.compactMap { $0.head }
    expectEqual(heads.map { $0.kind }, ["listed boxes", "box scores"])
    expectEqual(heads[1].labels, ["d4", "d6"])
    expectEqual(
      heads[1].parameters.first { $0.name == "suppression" }?.values, [Float(competition)])
  }

  @Test func otherOutputsStay() throws {
    let model = try ModelImporter.importONNX(Self.model(Self.best, outputs: ["found", "mean"]))
    expectEqual(model.outputs.map { $0.name }, ["mean", "boxes", "scores"])
  }

  @Test func whatIsLearntBehindTheBestKeepsThem() throws {
    let choice = Self.best + [ONNXFile.node("MatMul", ["found", "w"], ["judged"])]
    let model = try ModelImporter.importONNX(Self.model(choice, outputs: ["judged"]))
    #expect(model.report.notes.isEmpty)
    expectEqual(model.outputs.map { $0.shape }, [[1, 30, 2]])
    let found = try run(model, [[Float](repeating: 0.5, count: 3 * 64 * 64)])[0]
    // The best are the last, and so are their boxes.
    var right: [Float] = []
    for rank in 0..<30 {
      for column in 0..<2 {
        var sum: Float = 0
        for k in 0..<4 {
          let corner = Float((83 - rank) * 4 + k) + 0.5
          sum += corner * Float(k * 2 + column)
        }
        right.append(sum)
      }
    }
    #expect(difference(found, right) < 1e-3)
  }

  @Test func whatIsLearntBehindASuppressionKeepsItRefused() throws {
    let choice = Self.suppression + [ONNXFile.node("MatMul", ["found", "w"], ["judged"])]
    let error = #expect(throws: ModelImportError.self) {
      try ModelImporter.importONNX(Self.model(choice, outputs: ["judged"]))
    }
    guard case .unsupported(let operations) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(operations.contains { $0.name == "NonMaxSuppression" && $0.place == "choice" })
  }

  @Test func aFewBestNumbersAreNoChoiceThatIsLeftOut() throws {
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [ONNXFile.node("TopK", ["x", "k"], ["values", "places"])],
        constants: [ONNXFile.constant("k", [3])], inputs: [("x", [1, 40])],
        outputs: ["values", "places"]))
    #expect(model.report.notes.isEmpty && model.outputs.map { $0.name } == ["values", "places"])
  }
}
