import DiceWeights
import Testing

@testable import DiceModelImport

/// Hard swish of integers, beside what LiteRT 2.3 gives without delegates for all integers of a type.
struct TFLiteHardSwishTests {
  /// A case in which one rounding of floats gives three other integers.
  struct Case: Sendable {
    var type: Int
    var scales: (Float, Float)
    var zeros: (Int, Int)
    var right: [Float]
    var range: ClosedRange<Int> { type == 3 ? 0...255 : -128...127 }
  }

  private static func found(_ entry: Case) throws -> [Float] {
    var model = TFLiteModel()
    let x = model.input(
      "x", [1, 256], type: entry.type, scales: [entry.scales.0], zeros: [entry.zeros.0])
    let y = model.tensor(
      "y", [], type: entry.type, scales: [entry.scales.1], zeros: [entry.zeros.1])
    model.operation(117, [x], [y])
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    return try run(imported, [entry.range.map { Float($0) }])[0]
  }

  @Test(arguments: cases)
  func allIntegersAreThoseOfLiteRT(entry: Case) throws {
    #expect(try Self.found(entry) == entry.right)
    // Floats rounded once are not.
    let rounded = entry.range.map { (integer) in
      let x = Float(integer - entry.zeros.0) * entry.scales.0
      let steps = (x * min(max(x + 3, 0), 6) / 6 / entry.scales.1 + 0.5).rounded(.down)
      let result = min(max(Int(steps) + entry.zeros.1, entry.range.lowerBound), 255)
      return Float(min(result, entry.range.upperBound))
    }
    #expect(zip(rounded, entry.right).count { $0 != $1 } == 3)
  }

  @Test func scalesThatLiteRTRefusesAreComputedInFloats() throws {
    // The output's steps are finer than a 128th of the input's.
    let entry = Case(type: 9, scales: (1, 0.001), zeros: (0, 0), right: [])
    #expect(try Self.found(entry).count == 256)
  }

  static let cases = [
    Case(
      type: 3, scales: (0.015839412808418274, 0.013427142053842545), zeros: (59, 24),
      right: [
        0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 8, 8, 8, 9, 9,
        10, 10, 10, 11, 11, 12, 12, 13, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20,
        21, 21, 22, 22, 23, 23, 24, 25, 25, 26, 26, 27, 28, 28, 29, 30, 30, 31, 32, 32, 33, 34, 34,
        35, 36, 36, 37, 38, 38, 39, 40, 41, 41, 42, 43, 44, 44, 45, 46, 47, 48, 48, 49, 50, 51, 52,
        53, 53, 54, 55, 56, 57, 58, 59, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73,
        74, 75, 75, 76, 77, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 96, 97,
        98, 99, 100, 101, 102, 103, 105, 106, 107, 108, 109, 111, 112, 113, 114, 115, 117, 118, 119,
        120, 122, 123, 124, 125, 127, 128, 129, 130, 132, 133, 134, 136, 137, 138, 140, 141, 142,
        144, 145, 146, 148, 149, 151, 152, 153, 155, 156, 158, 159, 160, 162, 163, 165, 166, 168,
        169, 171, 172, 174, 175, 176, 178, 179, 181, 183, 184, 186, 187, 189, 190, 192, 193, 195,
        197, 198, 200, 201, 203, 204, 206, 208, 209, 211, 213, 214, 216, 218, 219, 221, 223, 224,
        226, 228, 229, 231, 233, 234, 236, 238, 240, 241, 243, 245, 247, 248, 249, 250, 252, 253,
        254, 255,
      ]),
    Case(
      type: 9, scales: (0.020762044936418533, 0.013516471721231937), zeros: (-21, -100),
      right: [
        -121, -122, -122, -122, -123, -123, -123, -124, -124, -124, -124, -125, -125, -125, -125,
        -126, -126, -126, -126, -126, -127, -127, -127, -127, -127, -127, -127, -127, -127, -128,
        -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -127, -127, -127,
        -127, -127, -127, -127, -127, -127, -126, -126, -126, -126, -126, -125, -125, -125, -125,
        -124, -124, -124, -124, -123, -123, -123, -122, -122, -122, -121, -121, -120, -120, -120,
        -119, -119, -118, -118, -117, -117, -116, -116, -115, -115, -114, -114, -113, -113, -112,
        -112, -111, -110, -110, -109, -108, -108, -107, -106, -106, -105, -104, -104, -103, -102,
        -102, -101, -100, -99, -98, -98, -97, -96, -95, -94, -94, -93, -92, -91, -90, -89, -88, -87,
        -86, -85, -84, -83, -83, -82, -81, -80, -79, -77, -76, -75, -74, -73, -72, -71, -70, -69,
        -68, -67, -65, -64, -63, -62, -61, -60, -58, -57, -56, -55, -53, -52, -51, -50, -48, -47,
        -46, -44, -43, -42, -40, -39, -38, -36, -35, -33, -32, -31, -29, -28, -26, -25, -23, -22,
        -20, -19, -17, -16, -14, -13, -11, -9, -8, -6, -5, -3, -1, 0, 2, 4, 5, 7, 9, 10, 12, 14, 16,
        17, 19, 21, 23, 25, 26, 28, 30, 32, 34, 36, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59,
        61, 63, 65, 67, 69, 71, 73, 75, 77, 79, 81, 83, 85, 88, 90, 92, 94, 96, 98, 101, 103, 105,
        107, 109, 112, 114, 116, 119, 121, 123, 124, 126, 127,
      ]),
  ]
}
