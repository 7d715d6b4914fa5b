import DiceModelImport
import DiceWeights
import TestSupport
import Testing

/// TensorFlow Lite models that run other graphs of their file once, and keep numbers between runs.
struct TFLiteVariableTests {
  private static let functions = Table([0: .byte(0)])

  // MARK: Choices between graphs

  /// `y = condition ? 2 * x : x + 1`, where the condition is an input of the model.
  private static var choice: [UInt8] {
    var model = TFLiteModel()
    let condition = model.input("condition", [1], type: 6)
    let x = model.input("x", [1, 3])
    let y = model.tensor("y", [1, 3])
    model.operation(118, [condition, x], [y], Table([0: .integer(1), 1: .integer(2)]))
    func branch(_ code: Int, _ number: Float) -> (model: TFLiteModel, outputs: [Int]) {
      var branch = TFLiteModel()
      let x = branch.input("x", [1, 3])
      let y = branch.tensor("y", [1, 3])
      branch.operation(code, [x, branch.floats([1], [number])], [y], functions)
      return (branch, [y])
    }
    return model.bytes(outputs: [y], others: [branch(18, 2), branch(0, 1)])
  }

  @Test(arguments: [(1, [2, 4, 6]), (0, [2, 3, 4])] as [(Double, [Float])])
  func aKnownConditionChoosesAGraph(condition: Double, expected: [Float]) throws {
    let model = try ModelImporter.importTensorFlowLite(
      Self.choice, options: ImportOptions(inputValues: ["condition": [condition]]))
    expectEqual(model.inputs.map { $0.name }, ["x"])
    try expectEqual(run(model, [[1, 2, 3]]), [expected])
    let entry = model.description.provenance.first { $0.key == "fixed input" }
    expectEqual(entry?.value, "condition = \(Int(condition))")
  }

  @Test func anUnknownConditionIsRefused() {
    #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(Self.choice) }
  }

  @Test func graphsThatAreNotThereAreRefused() {
    var model = TFLiteModel()
    let x = model.input("x", [1])
    let (flag, y) = (model.tensor("flag", [1], type: 6, data: [1]), model.tensor("y", [1]))
    // The graph itself: choices within choices without end.
    model.operation(118, [flag, x], [y], Table([0: .integer(0), 1: .integer(7)]))
    #expect(throws: ModelImportError.self) {
      try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    }
  }

  // MARK: Variables

  /// `y = x + sum`, `sum = y`, where `sum` begins with what a graph that is run once gives it.
  private static func sum(from first: Float?, once: Int = 1) -> [UInt8] {
    let name = Table([1: .text("sum")])
    var model = TFLiteModel()
    let x = model.input("x", [1, 2])
    let (handle, old, y) = (
      model.tensor("handle", [], type: 13), model.tensor("old", [1, 2]),
      model.tensor("y", [1, 2])
    )
    model.operation(142, [], [handle], name)
    if first != nil { model.operation(129, [], [], Table([0: .integer(once)])) }
    model.operation(143, [handle], [old])
    model.operation(0, [x, old], [y], functions)
    model.operation(144, [handle, y], [])
    guard let first else { return model.bytes(outputs: [y]) }
    var start = TFLiteModel()
    let own = start.tensor("handle", [], type: 13)
    start.operation(142, [], [own], name)
    start.operation(144, [own, start.floats([1, 2], [first, first])], [])
    return model.bytes(outputs: [y], others: [(start, [])])
  }

  @Test(arguments: [nil, 0, 2] as [Float?])
  func aVariableIsAnInputAndAnOutput(first: Float?) throws {
    let model = try ModelImporter.importTensorFlowLite(Self.sum(from: first))
    expectEqual(model.inputs.map { $0.name }, ["x", "sum"])
    expectEqual(model.outputs.map { $0.name }, ["y", "sum"])
    #expect(model.report.notes.count == 1 && model.report.notes[0].contains("variable sum"))
    #expect(model.report.notes[0].contains("give it \(first ?? 0) before the first run"))
    var state = [Float](repeating: first ?? 0, count: 2)
    for step in 1...3 {
      let found = try run(model, [[1, Float(step)], state])
      state = [state[0] + 1, state[1] + Float(step)]
      expectEqual(found, [state, state])
    }
  }

  @Test func damagedGraphsOfVariablesAreRefused() {
    for graph in [0, 2, -1] {
      #expect(throws: ModelImportError.self) {
        try ModelImporter.importTensorFlowLite(Self.sum(from: 1, once: graph))
      }
    }
    // What is no handle.
    var model = TFLiteModel()
    let (x, y) = (model.input("x", [1], type: 2), model.tensor("y", [1]))
    model.operation(143, [x], [y])
    #expect(throws: ModelImportError.self) {
      try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    }
  }
}
