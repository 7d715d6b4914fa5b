import DiceVisionKit
import Foundation
import Testing
import TestSupport

/// Whole detections against values of Pillow, NumPy and ONNX Runtime
/// (`Fixtures/golden/detector/generate.py`).
@Suite struct DetectorGoldenTests {
  private struct Case: Decodable {
    struct Observation: Decodable {
      var box: [Double]
      var confidence: Float
      var objectness: Float
      var probabilities: [Float]
    }

    var rule: String
    var orientation: UInt8
    var region: [Double]
    var iouThreshold: Float
    var confidenceThreshold: Float
    var suppression: String
    var observations: [Observation]

    func detector(kernels: DiceDetector.KernelImplementation?) throws -> DiceDetector {
      let rules: [String: CropAndScale] = [
        "centerCrop": .centerCrop, "scaleFit": .scaleFit, "scaleFill": .scaleFill,
      ]
      let rule = try #require(rules[rule])
      return try DiceDetector(
        weights: Fixtures.bytes("golden/network/small.weights"),
        configuration: DiceDetector.Configuration(
          inputSize: DiceDetector.InputSize(width: 96, height: 64),
          cropAndScale: rule, tiling: .none,
          suppression: suppression == "perClass" ? .perClass : .acrossClasses,
          kernelImplementation: kernels))
    }
  }

  private static let kernels: [DiceDetector.KernelImplementation?] =
    [nil] + DiceDetector.KernelImplementation.allCases.filter(\.isAvailable)

  @Test func agreesWithPillowAndONNXRuntime() throws {
    let cases = try JSONDecoder().decode(
      [Case].self, from: Data(Fixtures.bytes("golden/detector/expected.json")))
    let picture = try Fixtures.bytes("golden/detector/picture.png")
    #expect(cases.count >= 20)
    expectEqual(Set(cases.map(\.orientation)).count, 8)
    expectEqual(Set(cases.map(\.rule)).count, 3)
    expectEqual(Set(cases.map(\.region)).count, 2)
    expectEqual(Set(cases.map(\.suppression)).count, 2)
    for (number, expected) in cases.enumerated() {
      let orientation = try #require(ImageOrientation(rawValue: expected.orientation))
      let result = try expected.detector(kernels: Self.kernels[number % Self.kernels.count]).detect(
        inImageFile: picture,
        orientation: orientation,
        regionOfInterest: NormalizedRect(
          x: expected.region[0], y: expected.region[1], width: expected.region[2],
          height: expected.region[3]),
        thresholds: Thresholds(
          iouThreshold: expected.iouThreshold, confidenceThreshold: expected.confidenceThreshold))
      try #require(result.count == expected.observations.count, "case \(number)")
      for (found, value) in zip(result.observations, expected.observations) {
        let box = found.boundingBox
        // Numbers up to 150 and rounded to seven digits, from a network in single precision.
        for (side, golden) in zip([box.x, box.y, box.width, box.height], value.box) {
          #expect(abs(side - golden) < 2e-3, "case \(number)")
        }
        #expect(abs(found.confidence - value.confidence) < 2e-5)
        #expect(abs(found.objectness - value.objectness) < 2e-5)
        for (index, probability) in value.probabilities.enumerated() {
          let label = found.labels.first { $0.identifier == "\(index + 1)" }
          #expect(try abs(#require(label).confidence - probability) < 2e-5)
        }
      }
    }
  }
}
