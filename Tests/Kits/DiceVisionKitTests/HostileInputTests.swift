import DiceWeights
import TestSupport
import Testing

@testable import DiceVisionKit

/// The smallest, longest and strangest that a detector can be given.
@Suite struct HostileInputTests {
  @Test func picturesOfOnePixelAndOfOneRowAreLookedAt() throws {
    let detector = try DiceDetector(configuration: .init(inputSize: .init(side: 64)))
    let everything = Thresholds(iouThreshold: 1, confidenceThreshold: 0.01)
    for (width, height) in [(1, 1), (1, 5000), (5000, 1), (2, 3), (65, 1)] {
      for format in [PixelImage.Format.gray, .rgb, .rgba] {
        let image = PixelImage(
          width: width, height: height, format: format,
          samples: [UInt8](repeating: 200, count: width * height * format.channelCount))
        let result = try detector.detect(in: image, thresholds: everything)
        for observation in result.observations {
          #expect(observation.boundingBox.isProper)
        }
        let part = NormalizedRect(x: 0.4, y: 0.4, width: 1e-6, height: 1e-6)
        #expect(throws: Never.self) {
          do {
            _ = try detector.detect(in: image, regionOfInterest: part)
          } catch let error as DetectorError {
            #expect(error.description.hasSuffix("."))
          }
        }
      }
    }
  }

  @Test func framesMayChangeTheirSizeAndBeOfOnePixel() throws {
    let detector = try PatternNetwork().detector()
    var follower = RollFollower()
    for (step, size) in [(1, 1), (1, 900), (900, 1), (64, 64), (3, 2), (640, 480)].enumerated() {
      for repetition in 0..<3 {
        let frame = StoredFrame(
          PixelImage(
            width: size.0, height: size.1, format: .gray,
            samples: (0..<size.0 * size.1).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ step) }
          ))
        _ = try follower.follow(frame, with: detector, at: .milliseconds(step * 100 + repetition))
      }
    }
    expectEqual(follower.frameCount, 18)
  }

  /// Weights are finite, but what they give need not be.
  @Test func weightsThatOverflowGiveNoDiceOrSoundOnes() throws {
    for name in ["small", "edges"] {
      let file = try WeightFile(bytes: Fixtures.bytes("golden/network/\(name).weights"))
      for value: Float in [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e20] {
        let tensors = file.tensors.indices.map { index in
          file.floats(of: index).indices.map { $0 % 3 == 0 ? -value : value }
        }
        let bytes = try WeightFile.encode(
          description: file.description, tensors: tensors, storage: .float32)
        for threadCount in [1, 2] {
          let detector = try DiceDetector(
            weights: bytes, configuration: .init(threadCount: threadCount))
          let image = PixelImage(
            width: 50, height: 40, format: .gray,
            samples: (0..<2000).map { UInt8(truncatingIfNeeded: $0 * 7) })
          let result = try detector.detect(
            in: image, thresholds: Thresholds(iouThreshold: 0.5, confidenceThreshold: 0))
          for observation in result.observations {
            #expect(observation.boundingBox.isFinite)
            #expect((0...1).contains(observation.confidence))
          }
          _ = try detector.candidates(in: image, confidenceThreshold: 0)
        }
      }
    }
  }
}
