import TestSupport
import Testing

@testable import DiceModelImport

/// Floating-point inputs of layers whose weights are integers.
struct TFLiteInputRoundingTests {
  private static let options = ImportOptions(roundsInputs: true)

  /// A model of one operation with integer weights.
  private static func model(
    _ code: Int, _ shape: [Int], weights: [Int8], _ weightShape: [Int], scales: [Float],
    axis: Int = 0, _ options: Table
  ) -> [UInt8] {
    var model = TFLiteModel()
    let x = model.input("x", shape)
    let kernel = model.tensor(
      "w", weightShape, type: 9, data: weights.map { UInt8(bitPattern: $0) }, scales: scales,
      zeros: scales.map { _ in 0 }, axis: axis)
    let y = model.tensor("y", [])
    model.operation(code, [x, kernel], [y], options)
    return model.bytes(outputs: [y])
  }

  private static func answer(_ bytes: [UInt8], _ x: [Float], _ options: ImportOptions) throws
    -> [Float]
  {
    try run(ModelImporter.importTensorFlowLite(bytes, options: options), [x])[0]
  }

  /// Numbers taken to steps of which 255 lie between the least and the greatest one and 0.
  private static func stepped(_ numbers: [Float]) -> [Float] {
    let step = (max(0, numbers.max() ?? 0) - min(0, numbers.min() ?? 0)) / 255
    return numbers.map { step == 0 ? 0 : ($0 / step).rounded() * step }
  }

  @Test func eachRowOfAProductHasStepsOfItsOwn() throws {
    let bytes = Self.model(
      9, [3, 2], weights: [1, 0, 0, 2], [2, 2], scales: [1], Table())
    let rows: [[Float]] = [[1, 0.3001], [-51, 0.17], [0, 0]]
    let right = rows.flatMap { (row) in
      let stepped = Self.stepped(row)
      return [stepped[0], 2 * stepped[1]]
    }
    let found = try Self.answer(bytes, rows.flatMap { $0 }, Self.options)
    #expect(difference(found, right) < 1e-6)
    // Unless they are asked for, numbers stay as they are.
    let plain = try Self.answer(bytes, rows.flatMap { $0 }, ImportOptions())
    let doubled: [Float] = rows.flatMap { (row: [Float]) -> [Float] in [row[0], 2 * row[1]] }
    expectEqual(plain, doubled)
  }

  @Test(arguments: [3, 4])
  func aPictureHasStepsOfItsOwn(code: Int) throws {
    // Two channels of two columns, each multiplied by a number.
    let window = Table([0: .byte(1), 1: .integer(1), 2: .integer(1)])
    let depthwise = Table([0: .byte(1), 1: .integer(1), 2: .integer(1), 3: .integer(1)])
    let bytes =
      code == 3
      ? Self.model(
        3, [1, 1, 2, 2], weights: [1, 0, 0, 3], [2, 1, 1, 2], scales: [1, 1], window)
      : Self.model(
        4, [1, 1, 2, 2], weights: [1, 3], [1, 1, 1, 2], scales: [1, 1], axis: 3, depthwise)
    let x: [Float] = [-2, 0.3, 4.05, 1.11]
    let stepped = Self.stepped(x)
    let right = [stepped[0], 3 * stepped[1], stepped[2], 3 * stepped[3]]
    #expect(difference(try Self.answer(bytes, x, Self.options), right) < 1e-6)
  }

  @Test func oneScaleMakesStepsOfAConvolutionAlikeOnBothSides() throws {
    let window = Table([0: .byte(1), 1: .integer(1), 2: .integer(1)])
    let bytes = Self.model(3, [1, 1, 3, 1], weights: [2], [1, 1, 1, 1], scales: [0.5], window)
    let x: [Float] = [-2, 0.305, 1.11]
    let right = x.map { ($0 / 2 * 127).rounded() / 127 * 2 }
    #expect(difference(try Self.answer(bytes, x, Self.options), right) < 1e-6)
  }

  @Test func whatIsDoneIsNoted() throws {
    let bytes = Self.model(9, [1, 2], weights: [1, 2], [1, 2], scales: [1], Table())
    for (options, part) in [(ImportOptions(), "stay floating-point"), (Self.options, "rounded")] {
      let notes = try ModelImporter.importTensorFlowLite(bytes, options: options).report.notes
      #expect(notes.contains { $0.contains(part) })
    }
  }

  @Test func otherFormatsLeaveNumbersAsTheyAre() throws {
    let bytes = ONNXFile.model(
      nodes: [ONNXFile.node("Relu", ["x"], ["y"])], inputs: [("x", [1, 2])], outputs: ["y"])
    let found = try run(ModelImporter.importONNX(bytes, options: Self.options), [[0.3001, 1]])
    expectEqual(found[0], [0.3001, 1])
  }
}
