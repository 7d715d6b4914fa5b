import DiceDetection
import DiceWeights
import DiceImaging
import DiceVisionTraining
import DiceVisionKit
import Foundation
import Testing
import TestSupport

import DiceVisionWeights

@Suite struct BundledWeightsTests {
  @Test func areAValidWeightFileForDice() throws {
    let file = try WeightFile(bytes: DiceDetector.bundledWeights)
    let boxes = try GridBoxes(file.description, shapes: file.shapes)
    expectEqual(boxes.labels, ["1", "2", "3", "4", "5", "6"])
    expectEqual(file.description.task, "dice detection")
    let detector = try DiceDetector()
    expectEqual(detector.weightFile, file)
    expectEqual(detector.labels, boxes.labels)
    expectEqual(detector.inputSize.width, file.description.inputs[0].shape.width)
    expectEqual(detector.inputSize.height, file.description.inputs[0].shape.height)
    let defaults = detector.defaultThresholds
    #expect(defaults.iouThreshold == 0.45 && defaults.confidenceThreshold == 0.4)
    #expect(detector.kernelImplementation != .reference)
  }

  @Test func aModelNeedsNoConfiguration() throws {
    let fast = try DiceDetector(.fast)
    try expectEqual(fast.weightFile, WeightFile(bytes: DiceDetector.bundledWeights(.fast)))
    expectEqual(fast.configuration, DiceDetector.Configuration())
  }

  @Test func findNothingInAnEmptyPicture() throws {
    let image = PixelImage(
      width: 64, height: 48, format: .gray, samples: [UInt8](repeating: 114, count: 64 * 48))
    let result = try DiceDetector().detect(in: image)
    #expect(result.isEmpty)
    #expect(result.uprightWidth == 64 && result.uprightHeight == 48)
  }

  @Test func takeOtherInputSizes() throws {
    let detector = try DiceDetector(configuration: .init(inputSize: .init(width: 128, height: 96)))
    let image = PixelImage(
      width: 64, height: 48, format: .gray, samples: [UInt8](repeating: 90, count: 64 * 48))
    let candidates = try detector.candidates(in: image, confidenceThreshold: 0)
    var cells = 0
    let file = detector.weightFile
    for head in try GridBoxes(file.description, shapes: file.shapes).heads {
      cells += (128 / head.stride) * (96 / head.stride)
    }
    #expect(cells > 0 && candidates.count == cells)
  }

  @Test(arguments: ["Standard", "Fast", "SecondStage"])
  func theSourceFileIsWhatTheGeneratorMakes(_ name: String) throws {
    let all = [
      "Standard": BundledWeights.standard, "Fast": BundledWeights.fast,
      "SecondStage": BundledWeights.secondStage,
    ]
    let constant = name.prefix(1).lowercased() + name.dropFirst() + "Weights"
    let expected = BundledWeights.sourceFile(for: try #require(all[name]), constant: constant)
    let source = Fixtures.folder.deletingLastPathComponent()
      .appending(path: "Sources/Kits/DiceVisionWeights/\(name)Weights.swift")
    let isWhatIsMade = try String(contentsOf: source, encoding: .utf8) == expected
    #expect(isWhatIsMade)
  }

  /// So that `dicevision train dice --from second-stage` and the like can begin with them.
  @Test func areOfTheNetworksThatAreTrained() throws {
    let all: [(StandardNetwork, [UInt8])] = [
      (.standard, BundledWeights.standard), (.fast, BundledWeights.fast),
      (.secondStage, BundledWeights.secondStage),
    ]
    for (network, bytes) in all {
      try expectEqual(WeightFile(bytes: bytes).description.layers, network.description().layers)
    }
  }

  @Test func areSmall() throws {
    #expect(BundledWeights.standard.count + BundledWeights.secondStage.count <= 1_500_000)
    let fast = try WeightFile(bytes: BundledWeights.fast)
    #expect(fast.multiplyAddCount <= 150_000_000)
  }
}
