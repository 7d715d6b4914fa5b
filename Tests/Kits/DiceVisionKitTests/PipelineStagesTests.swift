import DiceCodecs
import DiceImaging
import TestSupport
import Testing

@testable import DiceVisionKit

/// What is left of an explanation where stages are off.
@Suite struct PipelineStagesTests {
  private static func explanation(
    _ image: PixelImage, without stages: [PipelineStages.Stage] = []
  ) throws -> DetectionExplanation {
    var configuration = DiceDetector.Configuration(threadCount: 1)
    configuration.stages = PipelineStages(without: stages)
    return try DiceDetector(configuration: configuration).explain(image)
  }

  /// A scene in the corner of a picture three times as wide and high: its dice need tiles.
  private static func smallDice() throws -> PixelImage {
    let scene = try ImageDecoder.decode(Fixtures.bytes("scenes/scene-13.jpg")).converted(to: .rgb)
    var samples = [UInt8](repeating: 255, count: scene.samples.count * 9)
    for row in 0..<scene.height {
      let target = row * scene.width * 9
      samples.replaceSubrange(
        target..<target + scene.width * 3,
        with: scene.samples[row * scene.width * 3..<(row + 1) * scene.width * 3])
    }
    return PixelImage(
      width: scene.width * 3, height: scene.height * 3, format: .rgb, samples: samples)
  }

  @Test func stagesAreOnUnlessToldOtherwise() {
    expectEqual(DiceDetector.Configuration().stages, PipelineStages())
    for stage in PipelineStages.Stage.allCases {
      var stages = PipelineStages(without: [stage])
      for other in PipelineStages.Stage.allCases { expectEqual(stages[other], (other != stage)) }
      stages[stage] = true
      expectEqual(stages, PipelineStages())
    }
  }

  @Test func tiledInferenceAloneIsSwitchedOff() throws {
    let image = try Self.smallDice()
    let whole = try Self.explanation(image)
    let once = try Self.explanation(image, without: [.tiledInference])
    #expect(whole.passes.count > 1 && once.passes.count == 1)
    expectEqual(once.passes[0].input, whole.passes[0].input)
    #expect(!once.classifications.isEmpty && once.classifications.contains { $0.rescoring != nil })
    // The same as a configuration without tiles, for that is what it says.
    var configuration = DiceDetector.Configuration(tiling: .none, threadCount: 1)
    let detector = try DiceDetector(configuration: configuration)
    #expect(once.result.hasSameContent(as: try detector.detect(in: image)))
    configuration.tiling = .automatic
    #expect(!once.result.hasSameContent(as: whole.result))
  }

  @Test func aPictureWithoutDiceIsNotSearchedWithoutBlindTiling() throws {
    let image = PixelImage(
      width: 2000, height: 1500, format: .gray,
      samples: [UInt8](repeating: 90, count: 2000 * 1500))
    #expect(try Self.explanation(image).passes.count > 1)
    try expectEqual(Self.explanation(image, without: [.blindTiling]).passes.count, 1)
    // What is led by dice is not concerned.
    let small = try Self.smallDice()
    let led = try Self.explanation(small, without: [.blindTiling])
    #expect(led.result.hasSameContent(as: try Self.explanation(small).result))
  }

  @Test func cropClassificationAloneIsSwitchedOff() throws {
    let image = try Self.smallDice()
    let whole = try Self.explanation(image)
    let first = try Self.explanation(image, without: [.cropClassification])
    #expect(!first.hasSecondStage && first.classifications.isEmpty)
    expectEqual(first.passes.count, whole.passes.count)
    // Thresholds stay those of the second stage: what is switched off is the stage alone.
    #expect(first.thresholds == whole.thresholds)
    #expect(!first.result.isEmpty && !first.result.hasSameContent(as: whole.result))
  }

  @Test func contextualRescoringAloneIsSwitchedOff() throws {
    let image = try Self.smallDice()
    let whole = try Self.explanation(image)
    let plain = try Self.explanation(image, without: [.contextualRescoring])
    #expect(plain.classifications.allSatisfy { $0.rescoring == nil })
    expectEqual(plain.classifications.map(\.fused), whole.classifications.map(\.fused))
    for observation in plain.result.observations {
      #expect(
        plain.classifications.contains {
          $0.boundingBox == observation.boundingBox
            && $0.fused.confidence == observation.confidence
        })
    }
    #expect(!plain.result.isEmpty)
  }

  @Test func scoreFusionAloneIsSwitchedOff() throws {
    let image = try Self.smallDice()
    let whole = try Self.explanation(image)
    let alone = try Self.explanation(image, without: [.scoreFusion])
    expectEqual(alone.classifications.map(\.scores), whole.classifications.map(\.scores))
    #expect(alone.classifications.allSatisfy { $0.fused == $0.scores })
    #expect(whole.classifications.contains { $0.fused != $0.scores })
  }

  @Test func secondCropsAndTheirFusionAreSwitchedOffAlone() throws {
    var (differing, sharing) = (0, 0)
    for number in 13...16 {
      // Dice of few pixels leave doubts.
      let scene = try ImageDecoder.decode(Fixtures.bytes("scenes/scene-\(number).jpg"))
      let image = scene.resized(width: scene.width / 8, height: scene.height / 8)
      let whole = try Self.explanation(image)
      let single = try Self.explanation(image, without: [.secondCrop])
      let last = try Self.explanation(image, without: [.secondCropFusion])
      expectEqual(whole.classifications.count, single.classifications.count)
      for (index, crop) in whole.classifications.enumerated() {
        expectEqual(crop.input, single.classifications[index].input)
        // Boxes are those of the second crop, fused or not.
        expectEqual(crop.boundingBox, last.classifications[index].boundingBox)
        if crop.boundingBox == single.classifications[index].boundingBox {
          // Where there was no doubt there is no second crop to leave out.
          expectEqual(crop.scores, single.classifications[index].scores)
          expectEqual(crop.scores, last.classifications[index].scores)
          sharing += 1
        } else {
          #expect(crop.scores != last.classifications[index].scores)
          differing += 1
        }
      }
    }
    #expect(differing > 0 && sharing > 0)
  }
}
