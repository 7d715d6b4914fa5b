import TestSupport
import Testing

@testable import DiceModelImport

/// Recurrent operations of TensorFlow Lite, and loops that are repeated.
struct TFLiteRecurrenceTests {
  // MARK: Operations

  /// A long short-term memory of one unit whose gates are open: the cell adds up what is above 0.
  private static func sums(
    _ shape: [Int], isTimeMajor: Bool, forget: Float = 100, units: Int = 1
  ) -> [UInt8] {
    var model = TFLiteModel()
    let x = model.input("x", shape)
    let none = model.floats([units, 1], [Float](repeating: 0, count: units))
    let one = model.floats([1, 1], [1])
    let square = model.floats([1, 1], [0])
    let open = model.floats([1], [100])
    let kept = model.floats([1], [forget])
    let zero = model.floats([1], [0])
    let states = [model.variable("h", [1, 1]), model.variable("c", [1, 1])]
    let y = model.tensor("y", [])
    model.operation(
      44,
      [
        x, none, none, one, none, square, square, square, square, -1, -1, -1, open, kept, zero,
        open,
      ]
        + [-1, -1] + states + [-1, -1, -1, -1], [y],
      Table([0: .byte(1), 3: .byte(isTimeMajor ? 1 : 0)]))
    return model.bytes(outputs: [y])
  }

  @Test(arguments: [([1, 3, 1], false), ([3, 1, 1], true)])
  func aMemoryOfTensorFlowLiteBeginsWithZeros(shape: [Int], isTimeMajor: Bool) throws {
    let model = try ModelImporter.importTensorFlowLite(Self.sums(shape, isTimeMajor: isTimeMajor))
    expectEqual(model.outputs[0].shape, shape)
    try expectEqual(run(model, [[1, -2, 3]])[0], [1, 1, 4])
    expectEqual(model.report.notes.count, 1)
    let half = try ModelImporter.importTensorFlowLite(
      Self.sums(shape, isTimeMajor: isTimeMajor, forget: 0))
    try expectEqual(run(half, [[1, 2, 3]])[0], [1, 2.5, 4.25])
  }

  @Test func weightsOfOtherShapesAreRefusedInTensorFlowLite() {
    #expect(throws: ModelImportError.self) {
      try ModelImporter.importTensorFlowLite(Self.sums([1, 3, 1], isTimeMajor: false, units: 2))
    }
    #expect(throws: ModelImportError.self) {
      try ModelImporter.importTensorFlowLite(Self.sums([1, 3, 2], isTimeMajor: false))
    }
    #expect(throws: ModelImportError.self) {
      try ModelImporter.importTensorFlowLite(Self.sums([1, 1], isTimeMajor: false))
    }
  }

  // MARK: Loops

  /// A loop over a counter and a sequence of three rows: row `n` becomes 2 to the power of `n + 1` times `x`.
  ///
  /// - Parameters:
  ///   - count: The loop goes on while the counter is below it.
  ///   - step: What is added to the counter.
  private static func powers(count: Int, step: Int, readsInput: Bool = false) -> [UInt8] {
    var condition = TFLiteModel()
    let n = condition.input("n", [1], type: 2)
    let own = condition.input("x", [1, 2])
    _ = condition.input("rows", [3, 2])
    let holds = condition.tensor("holds", [1], type: 6)
    if readsInput {
      let first = condition.tensor("first", [1, 1])
      condition.operation(
        65, [own, condition.integers([0, 0]), condition.integers([1, 1])], [first])
      condition.operation(58, [first, condition.floats([1, 1], [1000])], [holds])
    } else {
      condition.operation(58, [n, condition.integers([count])], [holds])
    }
    var body = TFLiteModel()
    let inputs = [
      body.input("n", [1], type: 2), body.input("x", [1, 2]), body.input("rows", [3, 2]),
    ]
    let next = body.tensor("next", [1], type: 2)
    body.operation(0, [inputs[0], body.integers([step])], [next])
    let double = body.tensor("double", [1, 2])
    body.operation(0, [inputs[1], inputs[1]], [double])
    // Rows before it, the new one, and those behind it.
    let zero = body.integers([0])
    let rest = body.integers([-1])
    let (begin, end) = (body.tensor("begin", [2], type: 2), body.tensor("end", [2], type: 2))
    body.operation(2, [next, zero], [begin], Table([0: .integer(0)]))
    body.operation(2, [inputs[0], rest], [end], Table([0: .integer(0)]))
    let (before, after) = (body.tensor("before", []), body.tensor("after", []))
    body.operation(65, [inputs[2], body.integers([0, 0]), end], [before])
    body.operation(65, [inputs[2], begin, body.integers([-1, -1])], [after])
    let rows = body.tensor("all", [3, 2])
    body.operation(2, [before, double, after], [rows], Table([0: .integer(0)]))

    var model = TFLiteModel()
    let x = model.input("x", [1, 2])
    let results = [
      model.tensor("n", [1], type: 2), model.tensor("last", [1, 2]), model.tensor("rows", [3, 2]),
    ]
    let states = [model.integers([0]), x, model.floats([3, 2], [0, 0, 0, 0, 0, 0])]
    model.operation(119, states, results, Table([0: .integer(1), 1: .integer(2)]))
    return model.bytes(
      outputs: [results[2]], others: [(condition, [holds]), (body, [next, double, rows])])
  }

  @Test func aLoopIsRepeatedAsOftenAsItsConditionHolds() throws {
    let model = try ModelImporter.importTensorFlowLite(Self.powers(count: 3, step: 1))
    try expectEqual(run(model, [[1, 10]])[0], [2, 20, 4, 40, 8, 80])
    // Three sums, side by side once.
    expectEqual(model.report.layerCount, 4)
    #expect(model.report.notes.isEmpty)
    let less = try ModelImporter.importTensorFlowLite(Self.powers(count: 2, step: 1))
    try expectEqual(run(less, [[1, 10]])[0], [2, 20, 4, 40, 0, 0])
  }

  @Test func loopsThatDoNotEndAreRefused() {
    for bytes in [
      Self.powers(count: 3, step: 0), Self.powers(count: 1_000_000, step: 1),
      Self.powers(count: 3, step: 1, readsInput: true),
    ] {
      #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(bytes) }
    }
  }

  @Test func damagedLoopsAreRefusedOrRead() {
    let bytes = Self.powers(count: 3, step: 1)
    var refusedCount = 0
    for place in stride(from: 0, to: bytes.count, by: 7) {
      var damaged = bytes
      damaged[place] ^= UInt8(1 << (place % 8))
      do { _ = try ModelImporter.importTensorFlowLite(damaged) } catch { refusedCount += 1 }
    }
    #expect(refusedCount > 0)
  }
}
