import Foundation
import TestSupport
import Testing

@testable import DiceModelImport

/// Fourier transforms, and maps sampled at computed places.
struct SpectrumTests {
  /// The parts of a transform, by its sum.
  private static func transform(
    _ real: [Float], _ imaginary: [Float], count: Int, sign: Double = -1
  ) -> [(real: Float, imaginary: Float)] {
    (0..<count).map { (frequency) in
      var sum = (0.0, 0.0)
      for place in real.indices {
        let angle = sign * 2 * .pi * Double(place * frequency) / Double(real.count)
        let (x, y) = (Double(real[place]), Double(imaginary[place]))
        sum.0 += x * cos(angle) - y * sin(angle)
        sum.1 += x * sin(angle) + y * cos(angle)
      }
      return (Float(sum.0), Float(sum.1))
    }
  }

  private static func numbers(_ count: Int) -> [Float] {
    (0..<count).map { (index: Int) -> Float in Float(index * 53 % 101 - 50) / 50 }
  }

  @Test(arguments: [(12, 12), (7, 7), (12, 8), (5, 16)])
  func aTransformIsItsSum(extent: Int, length: Int) throws {
    // Two rows, each with its parts side by side.
    for parts in [1, 2] {
      for isOneSided in [false, true] where parts == 1 || !isOneSided {
        let bytes = ONNXFile.model(
          operatorSet: 17,
          nodes: [
            ONNXFile.node(
              "DFT", ["x", "n"], ["y"],
              attributes: [
                ONNXFile.attribute("axis", 1),
                ONNXFile.attribute("onesided", isOneSided ? 1 : 0),
              ])
          ], constants: [ONNXFile.constant("n", type: 7, [], [length])],
          inputs: [("x", [2, extent, parts])], outputs: ["y"])
        let x = Self.numbers(2 * extent * parts)
        let count = isOneSided ? length / 2 + 1 : length
        var right: [Float] = []
        for row in 0..<2 {
          func part(_ index: Int) -> [Float] {
            (0..<length).map { (place) in
              guard place < extent, index < parts else { return 0 }
              return x[(row * extent + place) * parts + index]
            }
          }
          for number in Self.transform(part(0), part(1), count: count) {
            right += [number.real, number.imaginary]
          }
        }
        let imported = try ModelImporter.importONNX(bytes)
        expectEqual(imported.outputs[0].shape, [2, count, 2])
        #expect(difference(try run(imported, [x])[0], right) < 2e-6)
      }
    }
  }

  @Test func aTransformGoesBack() throws {
    let bytes = ONNXFile.model(
      operatorSet: 20,
      nodes: [
        ONNXFile.node("DFT", ["x", "", "axis"], ["z"]),
        ONNXFile.node(
          "DFT", ["z", "", "axis"], ["y"], attributes: [ONNXFile.attribute("inverse", 1)]),
      ], constants: [ONNXFile.constant("axis", type: 7, [], [-2])],
      inputs: [("x", [1, 10, 2])], outputs: ["y"])
    let x = Self.numbers(20)
    #expect(difference(try run(ModelImporter.importONNX(bytes), [x])[0], x) < 2e-6)
  }

  @Test func framesAreTransformedUnderTheirWindow() throws {
    let (length, step, extent) = (8, 3, 20)
    let window = (0..<length).map { Float($0 + 1) / 8 }
    let bytes = ONNXFile.model(
      operatorSet: 17, nodes: [ONNXFile.node("STFT", ["x", "step", "window"], ["y"])],
      constants: [
        ONNXFile.constant("step", type: 7, [], [step]), ONNXFile.constant("window", [8], window),
      ], inputs: [("x", [1, extent])], outputs: ["y"])
    let x = Self.numbers(extent)
    var right: [Float] = []
    for frame in 0..<5 {
      let part = (0..<length).map { x[frame * step + $0] * window[$0] }
      let silence = [Float](repeating: 0, count: length)
      for number in Self.transform(part, silence, count: 5) {
        right += [number.real, number.imaginary]
      }
    }
    let imported = try ModelImporter.importONNX(bytes)
    expectEqual(imported.outputs[0].shape, [1, 5, 5, 2])
    #expect(difference(try run(imported, [x])[0], right) < 2e-6)
  }

  @Test(arguments: [135, 133, 134, 53])
  func partsOfComplexNumbersAreTaken(code: Int) throws {
    var model = TFLiteModel()
    let x = model.input("x", [2, 1, 6])
    let (complex, flat, y) = (
      model.tensor("complex", [], type: 8), model.tensor("flat", [], type: 8),
      model.tensor("y", [])
    )
    model.operation(131, [x, model.integers([1, 8])], [complex])
    model.operation(22, [complex, model.integers([2, 5])], [flat])
    model.operation(code, [flat], [y])
    let numbers = Self.numbers(12)
    var right: [Float] = []
    for row in 0..<2 {
      let part = Array(numbers[row * 6..<row * 6 + 6]) + [0, 0]
      for number in Self.transform(part, [Float](repeating: 0, count: 8), count: 5) {
        switch code {
        case 133: right.append(number.imaginary)
        case 134:
          right.append(
            (number.real * number.real + number.imaginary * number.imaginary).squareRoot())
        default: right.append(number.real)
        }
      }
    }
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    expectEqual(imported.outputs[0].shape, [2, 5])
    #expect(difference(try run(imported, [numbers])[0], right) < 2e-6)
  }

  @Test func complexNumbersThatAreUsedOtherwiseAreRefused() {
    for code in [0, 14] {
      var model = TFLiteModel()
      let x = model.input("x", [1, 6])
      let (complex, y) = (model.tensor("complex", [], type: 8), model.tensor("y", [], type: 8))
      model.operation(131, [x, model.integers([1, 8])], [complex])
      model.operation(code, code == 0 ? [complex, complex] : [complex], [y], Table())
      for outputs in [[y], [complex]] {
        let bytes = model.bytes(outputs: outputs)
        #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(bytes) }
      }
    }
    // A complex input, and a transform along two axes.
    var model = TFLiteModel()
    let x = model.input("x", [1, 6], type: 8)
    let y = model.tensor("y", [])
    model.operation(135, [x], [y])
    let complexInput = model.bytes(outputs: [y])
    #expect(throws: ModelImportError.self) {
      try ModelImporter.importTensorFlowLite(complexInput)
    }
    var other = TFLiteModel()
    let maps = other.input("x", [2, 6])
    let (complex, z) = (other.tensor("complex", [], type: 8), other.tensor("z", []))
    other.operation(131, [maps, other.integers([2, 8])], [complex])
    other.operation(135, [complex], [z])
    let alongTwo = other.bytes(outputs: [z])
    #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(alongTwo) }
  }

  @Test func largeTransformsAreRefused() {
    // One that is too long, and many that need much memory.
    for (length, count) in [(5000, 1), (4096, 4)] {
      let nodes = (0..<count).map { (index) in
        ONNXFile.node("DFT", ["x", "n"], ["y\(index)"])
      }
      let bytes = ONNXFile.model(
        operatorSet: 17, nodes: nodes,
        constants: [ONNXFile.constant("n", type: 7, [], [length])], inputs: [("x", [1, 4, 1])],
        outputs: (0..<count).map { "y\($0)" })
      #expect(throws: ModelImportError.self) { try ModelImporter.importONNX(bytes) }
    }
  }

  // MARK: Sampling

  @Test(arguments: ["linear", "nearest"], ["zeros", "border"])
  func mapsAreSampledAtComputedPlaces(mode: String, padding: String) throws {
    for isAligned in [false, true] {
      let bytes = ONNXFile.model(
        operatorSet: 20,
        nodes: [
          ONNXFile.node(
            "GridSample", ["x", "places"], ["y"],
            attributes: [
              ONNXFile.attribute("mode", mode), ONNXFile.attribute("padding_mode", padding),
              ONNXFile.attribute("align_corners", isAligned ? 1 : 0),
            ])
        ], inputs: [("x", [1, 2, 3, 4]), ("places", [1, 1, 5, 2])], outputs: ["y"])
      let maps = Self.numbers(24)
      let places: [Float] = [-1, -1, 0.13, -0.4, 0.91, 0.77, 1.3, 0.2, -1.6, 1.1]
      func number(_ channel: Int, _ row: Int, _ column: Int) -> Float {
        var (row, column) = (row, column)
        if padding == "border" {
          (row, column) = (min(max(row, 0), 2), min(max(column, 0), 3))
        }
        guard (0..<3).contains(row), (0..<4).contains(column) else { return 0 }
        return maps[(channel * 3 + row) * 4 + column]
      }
      func place(_ number: Float, _ extent: Float) -> Float {
        let place =
          isAligned
          ? (number + 1) / 2 * (extent - 1) : ((number + 1) * extent - 1) / 2
        return padding == "border" ? min(max(place, 0), extent - 1) : place
      }
      var right: [Float] = []
      for channel in 0..<2 {
        for index in 0..<5 {
          let (x, y) = (place(places[2 * index], 4), place(places[2 * index + 1], 3))
          if mode == "nearest" {
            right.append(
              number(
                channel, Int(y.rounded(.toNearestOrEven)), Int(x.rounded(.toNearestOrEven))))
            continue
          }
          let (column, row) = (x.rounded(.down), y.rounded(.down))
          var sum: Float = 0
          for i in 0..<2 {
            for j in 0..<2 {
              let weight =
                (i == 0 ? 1 - (y - row) : y - row) * (j == 0 ? 1 - (x - column) : x - column)
              sum += weight * number(channel, Int(row) + i, Int(column) + j)
            }
          }
          right.append(sum)
        }
      }
      let imported = try ModelImporter.importONNX(bytes)
      expectEqual(imported.outputs[0].shape, [1, 2, 1, 5])
      #expect(difference(try run(imported, [maps, places])[0], right) < 5e-6)
    }
  }

  @Test func largeSamplingsAreRefused() {
    let bytes = ONNXFile.model(
      operatorSet: 20, nodes: [ONNXFile.node("GridSample", ["x", "places"], ["y"])],
      inputs: [("x", [1, 1, 4096, 4096]), ("places", [1, 1, 2, 2])], outputs: ["y"])
    #expect(throws: ModelImportError.self) { try ModelImporter.importONNX(bytes) }
  }

  // MARK: Old operator sets

  @Test func oldOperatorsNameTheAxesOfTheirSecondOperand() throws {
    let bytes = ONNXFile.model(
      operatorSet: 6,
      nodes: [
        ONNXFile.node(
          "Add", ["x", "b"], ["sum"],
          attributes: [ONNXFile.attribute("broadcast", 1), ONNXFile.attribute("axis", 1)]),
        ONNXFile.node("PRelu", ["sum", "s"], ["y"]),
      ],
      constants: [
        ONNXFile.constant("b", [2], [1, -3]), ONNXFile.constant("s", [2], [0.5, 0.25]),
      ], inputs: [("x", [1, 2, 2, 2])], outputs: ["y"])
    let found = try run(
      ModelImporter.importONNX(bytes), [[-3, 0, 1, 2, 1, 2, 3, 4]])[0]
    expectEqual(found, [-1, 1, 2, 3, -0.5, -0.25, 0, 1])
  }

  @Test(arguments: [
    ("Add", [ONNXFile.attribute("broadcast", 1), ONNXFile.attribute("axis", 7)]),
    ("Add", [ONNXFile.attribute("broadcast", 1), ONNXFile.attribute("axis", Int.min)]),
    ("Concat", []), ("Cast", [ONNXFile.attribute("to", "INT32")]), ("Tile", []),
  ])
  func whatOldOperatorsSayOtherwiseIsRefused(name: String, attributes: [[UInt8]]) {
    let bytes = ONNXFile.model(
      operatorSet: 3, nodes: [ONNXFile.node(name, ["x", "b"], ["y"], attributes: attributes)],
      constants: [ONNXFile.constant("b", [2], [1, -3])], inputs: [("x", [1, 2, 2, 2])],
      outputs: ["y"])
    #expect(throws: ModelImportError.self) { try ModelImporter.importONNX(bytes) }
  }
}
