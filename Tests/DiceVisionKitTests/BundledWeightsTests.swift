import DiceTraining
import DiceVisionKit
import Foundation
import Testing
import TestSupport

@testable import DiceBundledWeights

@Suite struct BundledWeightsTests {
  @Test func areAValidWeightFileForDice() throws {
    let file = try WeightFile(bytes: DiceDetector.bundledWeights)
    #expect(file.description.labels == ["1", "2", "3", "4", "5", "6"])
    let detector = try DiceDetector()
    #expect(detector.weightFile == file)
    #expect(detector.labels == file.description.labels)
    #expect(detector.inputSize.width == file.description.input.width)
    #expect(detector.inputSize.height == file.description.input.height)
    #expect(detector.defaultThresholds == Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.2))
    #expect(detector.kernelImplementation != .reference)
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
    for case .detectionHead(let head) in detector.weightFile.description.layers {
      cells += (128 / head.stride) * (96 / head.stride)
    }
    #expect(cells > 0 && candidates.count == cells)
  }

  @Test(arguments: ["standard", "fast", "reader"])
  func theSourceFileIsWhatTheGeneratorMakes(_ name: String) throws {
    let all = [
      "standard": BundledWeights.standard, "fast": BundledWeights.fast,
      "reader": BundledWeights.reader,
    ]
    let expected = BundledWeights.sourceFile(
      for: try #require(all[name]), constant: "\(name)Weights")
    let source = Fixtures.folder.deletingLastPathComponent()
      .appending(path: "Sources/DiceBundledWeights/\(name.capitalized)Weights.swift")
    let isWhatIsMade = try String(contentsOf: source, encoding: .utf8) == expected
    #expect(isWhatIsMade)
  }

  /// So that `dicevision train --from reader` and the like can begin with them.
  @Test func areOfTheNetworksThatAreTrained() throws {
    let all: [(StandardNetwork, [UInt8])] = [
      (.standard, BundledWeights.standard), (.fast, BundledWeights.fast),
      (.reader, BundledWeights.reader),
    ]
    for (network, bytes) in all {
      #expect(try WeightFile(bytes: bytes).description.layers == network.description().layers)
    }
  }

  @Test func areSmall() throws {
    #expect(BundledWeights.standard.count + BundledWeights.reader.count <= 1_500_000)
    let fast = try WeightFile(bytes: BundledWeights.fast)
    let input = fast.description.input
    #expect(fast.multiplyAddCount(width: input.width, height: input.height) <= 150_000_000)
  }

  @Test func base64ComesBackForEveryLength() {
    var bytes: [UInt8] = []
    var state: UInt32 = 1
    for count in 0...300 {
      let text = Base64.encode(bytes)
      #expect(text.withUnsafeBufferPointer { Base64.decode($0) } == bytes)
      // What Foundation makes of it, but for the line feeds.
      let expected = Data(bytes).base64EncodedString()
      #expect(String(decoding: text.filter { $0 != 10 }, as: UTF8.self) == expected)
      #expect(text.split(separator: 10).allSatisfy { $0.count <= 96 })
      #expect(text.isEmpty ? count == 0 : text.last == 10)
      state = state &* 1_664_525 &+ 1_013_904_223
      bytes.append(UInt8(state >> 24))
    }
  }
}
