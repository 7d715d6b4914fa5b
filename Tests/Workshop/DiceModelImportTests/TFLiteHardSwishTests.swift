import DiceWeights
import TestSupport
import Testing

@testable import DiceModelImport

/// Hard swish of integers, beside what LiteRT 2.3 gives without delegates for all integers of a type.
struct TFLiteHardSwishTests {
  /// A case in which one rounding of floats gives three other integers.
  struct Case: Decodable, Sendable {
    var type: Int
    var scales: [Float]
    var zeros: [Int]
    var right: [Float]
    var range: ClosedRange<Int> { type == 3 ? 0...255 : -128...127 }
  }

  private static func found(_ entry: Case) throws -> [Float] {
    var model = TFLiteModel()
    let x = model.input(
      "x", [1, 256], type: entry.type, scales: [entry.scales[0]], zeros: [entry.zeros[0]])
    let y = model.tensor(
      "y", [], type: entry.type, scales: [entry.scales[1]], zeros: [entry.zeros[1]])
    model.operation(117, [x], [y])
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    return try run(imported, [entry.range.map { Float($0) }])[0]
  }

  @Test(arguments: cases)
  func allIntegersAreThoseOfLiteRT(entry: Case) throws {
    try expectEqual(Self.found(entry), entry.right)
    // Floats rounded once are not.
    let rounded = entry.range.map { (integer) in
      let x = Float(integer - entry.zeros[0]) * entry.scales[0]
      let steps = (x * min(max(x + 3, 0), 6) / 6 / entry.scales[1] + 0.5).rounded(.down)
      let result = min(max(Int(steps) + entry.zeros[1], entry.range.lowerBound), 255)
      return Float(min(result, entry.range.upperBound))
    }
    expectEqual(zip(rounded, entry.right).count { $0 != $1 }, 3)
  }

  @Test func scalesThatLiteRTRefusesAreComputedInFloats() throws {
    // The output's steps are finer than a 128th of the input's.
    let entry = Case(type: 9, scales: [1, 0.001], zeros: [0, 0], right: [])
    try expectEqual(Self.found(entry).count, 256)
  }

  static let cases: [Case] = Fixtures.decoded("golden/models/tflite-hard-swish.json")
}
