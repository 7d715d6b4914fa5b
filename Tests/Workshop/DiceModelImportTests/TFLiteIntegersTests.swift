import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceModelImport

/// Operations on 8-bit integers beside what LiteRT's reference kernels give, integer by integer.
struct TFLiteIntegersTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    var operations: [String]
    var model: Data
    var inputs: [[Float]]
    var output: [Float]
    var testDescription: String { operations.joined(separator: ", ") }
  }

  @Test(arguments: cases)
  func integersAreThoseOfTheReferenceKernels(entry: Case) throws {
    let imported = try ModelImporter.importTensorFlowLite([UInt8](entry.model))
    try expectEqual(run(imported, entry.inputs)[0], entry.output)
    expectEqual(imported.report.notes, [])
  }

  @Test func everyOperationIsThereWithAndWithoutSigns() {
    let names = Dictionary(grouping: Self.cases) { $0.operations.last ?? "" }
    expectEqual(names.count, 21)
    #expect(names.values.allSatisfy { $0.count == 2 })
  }

  @Test func whatIsComputedInFloatsIsNoted() throws {
    var model = TFLiteModel()
    let x = model.input("x", [1, 4], type: 9, scales: [0.1], zeros: [0])
    let y = model.tensor("y", [], type: 9, scales: [1 / 256], zeros: [-128])
    model.operation(25, [x], [y], Table([0: .float(1)]))
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    expectEqual(
      imported.report.notes,
      [
        "SOFTMAX on 8-bit integers is computed in floating point and rounded; results may be a step off."
      ])
  }

  @Test func sumsBeyondTheWholeFloatsAreNoted() throws {
    let count = 1024
    var model = TFLiteModel()
    let x = model.input("x", [1, count], type: 9, scales: [0.1], zeros: [0])
    let weights = model.tensor(
      "w", [1, count], type: 9, data: [UInt8](repeating: 127, count: count), scales: [0.01],
      zeros: [0])
    let y = model.tensor("y", [], type: 9, scales: [40], zeros: [0])
    model.operation(9, [x, weights], [y], Table())
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    expectEqual(imported.report.notes.count, 1)
    try expectEqual(run(imported, [[Float](repeating: 100, count: count)])[0], [127])
  }

  @Test func multipliersAreThoseOfLiteRT() throws {
    expectEqual(TFLiteMultiplier(1), .one)
    expectEqual(TFLiteMultiplier(0), TFLiteMultiplier(multiplier: 0, shift: 0))
    expectEqual(TFLiteMultiplier(0x1p-40), TFLiteMultiplier(multiplier: 0, shift: 0))
    expectEqual(TFLiteMultiplier(0.375), TFLiteMultiplier(multiplier: 0x6000_0000, shift: -1))
    // Rounded up to the next power of 2.
    expectEqual(TFLiteMultiplier(1 - 0x1p-40), .one)
    #expect(TFLiteMultiplier(0x1p30) == nil && TFLiteMultiplier(.nan) == nil)
    #expect(TFLiteMultiplier(-1) == nil && TFLiteMultiplier(.infinity) == nil)
    let mean = try #require(TFLiteMultiplier(1)?.divided(by: 3))
    expectEqual([-3, -2, 1, 2, 7].map { mean.result($0) }, [-1, -1, 0, 1, 2])
  }

  static let cases: [Case] = Fixtures.decoded("golden/models/tflite-integers.json")
}
