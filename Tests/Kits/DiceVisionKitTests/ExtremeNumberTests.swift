import DiceCodecs
import DiceVisionKit
import TestSupport
import Testing

/// Numbers that a caller computed: whatever they are, they give a result or an error that is a
/// sentence, and never end the program.
@Suite struct ExtremeNumberTests {
  private static let numbers: [Double] = [
    .nan, -.infinity, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, -0.0, 0,
    .leastNonzeroMagnitude, 0x1p-1060, 1e-50, 1e-9, 0.5, 1 - .ulpOfOne, 1, 1 + .ulpOfOne, 2, 1e300,
    .greatestFiniteMagnitude, .infinity,
  ]

  private let image = PixelImage.blocks(
    [
      Block(value: 2, x: 0, y: 56, width: 8, height: 8),
      Block(value: 5, x: 16, y: 8, width: 8, height: 8),
    ], width: 64, height: 64)

  /// Whether a call gave a result; its error is a sentence otherwise.
  private func succeeds(_ call: () throws -> Void) -> Bool {
    do {
      try call()
      return true
    } catch {
      let sentence = (error as? DetectorError)?.description ?? ""
      #expect(sentence.hasSuffix("."), "\(error)")
      return false
    }
  }

  @Test func everyThresholdWithEverySuppression() throws {
    let secondStage = DiceDetector.SecondStage.weights(
      try PatternNetwork.secondStage(shift: 0).weightFile())
    let suppressions: [DiceDetector.Suppression] = [
      .acrossClasses, .perClass, .soft(), .soft(sigma: .leastNonzeroMagnitude),
      .soft(sigma: .greatestFiniteMagnitude),
    ]
    var resultCount = 0
    for suppression in suppressions {
      for stage in [secondStage, .none] {
        let detector = try PatternNetwork().detector(
          .init(secondStage: stage, suppression: suppression, threadCount: 1))
        for number in Self.numbers.map({ Float($0) }) {
          for (overlap, confidence) in [(number, 0), (0, number), (number, number), (1, number)] {
            let isInRange = [overlap, confidence].allSatisfy { (0...1).contains($0) }
            let gave = succeeds {
              let result = try detector.detect(
                in: image,
                thresholds: Thresholds(iouThreshold: overlap, confidenceThreshold: confidence))
              #expect(result.observations.allSatisfy { $0.boundingBox.isProper })
            }
            expectEqual(gave, isInRange, "\(overlap), \(confidence)")
            resultCount += gave ? 1 : 0
          }
          let gave = succeeds {
            _ = try detector.candidates(in: image, confidenceThreshold: number)
          }
          expectEqual(gave, (0...1).contains(number))
        }
      }
    }
    #expect(resultCount > 100)
    for sigma in Self.numbers where !(sigma > 0 && sigma < .infinity) {
      let suppression = DiceDetector.Suppression.soft(sigma: sigma)
      #expect(!succeeds { _ = try PatternNetwork().detector(.init(suppression: suppression)) })
    }
  }

  @Test func everyRegionOfPicturesAndOfFiles() throws {
    let file = try JPEGEncoder.encode(image)
    let network = PatternNetwork()
    let single = try network.detector(
      .init(tiling: .none, secondStage: .none, threadCount: 1, fileResolution: .automatic))
    let least = try network.detector(
      .init(tiling: .none, secondStage: .none, threadCount: 1, fileResolution: .longerSide(.max)))
    for number in Self.numbers {
      for region in [
        NormalizedRect(x: 0, y: 0, width: number, height: 1),
        NormalizedRect(x: number, y: 0, width: 0.5, height: number),
        NormalizedRect(x: number, y: number, width: number, height: number),
        NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: -number),
      ] {
        let gave = succeeds { _ = try single.detect(in: image, regionOfInterest: region) }
        for detector in [single, least] {
          let again = succeeds {
            _ = try detector.detect(inImageFile: file, regionOfInterest: region)
          }
          expectEqual(again, gave, "\(region)")
        }
      }
    }
  }

  @Test func everyCountAndSize() throws {
    let network = PatternNetwork()
    let counts = [Int.min, -1, 0, 1, 31, 32, 64, 4097, 1 << 32, .max - 31, .max]
    for count in counts {
      let hasThreads = succeeds { _ = try network.detector(.init(threadCount: count)) }
      expectEqual(hasThreads, (count > 0))
      let isNumber = succeeds {
        let detector = try network.detector(.init(threadCount: 1, maximumObservationCount: count))
        _ = try detector.detect(in: image)
      }
      expectEqual(isNumber, (count >= 0))
      let isResolution = succeeds {
        let detector = try network.detector(
          .init(threadCount: 1, fileResolution: .longerSide(count)))
        _ = try detector.detect(inImageFile: JPEGEncoder.encode(image))
      }
      expectEqual(isResolution, (count > 0))
      for other in [count, 64] where count != 64 {
        let size = DiceDetector.InputSize(width: count, height: other)
        // What is a size takes memory: only those that are none are tried here.
        guard count < 8 || count > 4096 else { continue }
        #expect(!succeeds { _ = try network.detector(.init(inputSize: size, threadCount: 1)) })
      }
    }
  }

  @Test func everyTimeAndInterval() throws {
    let detector = try PatternNetwork().detector(.init(threadCount: 1))
    let frame = StoredFrame(image)
    for interval in [Int.min, -1, 0, 1, .max] {
      var follower = try RollFollower(configuration: .init(detectionInterval: interval))
      for seconds in [Int64.min, -1, 0, 1, 1 << 40, .max, .min, .max] {
        _ = try follower.follow(frame, with: detector, at: .seconds(seconds))
      }
      #expect(follower.frameCount == 8 && follower.detectionCount >= 1)
    }
  }
}
