import DiceGeometry
import TestSupport
import Testing

/// Against the indices that torchvision and OpenCV keep.
@Suite struct NonMaximumSuppressionGoldenTests {
  private struct Hard: Decodable {
    struct Scene: Decodable {
      var kind: String
      var boxes: [[Int]]
      var confidences: [Int]
      var classIndices: [Int]
      var runs: [Run]
    }
    struct Run: Decodable {
      var threshold: Double
      var classAgnostic: [Int]
      var perClass: [Int]
    }
    var scenes: [Scene]
  }

  @Test func keepsWhatTorchvisionKeepsInItsOrder() throws {
    let golden = try Fixtures.golden("suppression.json", as: Hard.self)
    var runCount = 0
    for scene in golden.scenes {
      let boxes = scene.boxes.map { BoundingBox(sixteenths: $0) }
      let confidences = scene.confidences.map { Double($0) / 1024 }
      for run in scene.runs {
        for (mode, expected) in [
          (NonMaximumSuppression.Mode.classAgnostic, run.classAgnostic), (.perClass, run.perClass),
        ] {
          let rule = NonMaximumSuppression(
            iouThreshold: run.threshold, mode: mode)
          let kept = rule.keptIndices(
            boxes: boxes, confidences: confidences, classIndices: scene.classIndices)
          expectEqual(
            kept, expected, "\(scene.kind), \(boxes.count) boxes, \(run.threshold), \(mode)")
          runCount += 1
        }
      }
    }
    expectEqual(runCount, 9 * 7 * 2)
  }

  private struct Soft: Decodable {
    struct Scene: Decodable {
      var kind: String
      var boxes: [[Int]]
      var confidences: [Int]
      var runs: [Run]
    }
    struct Run: Decodable {
      var sigma: Double
      var minimumConfidence: Double
      var kept: [Int]
      var confidences: [Double]
      var keptByOpenCV: [Int]?
      var confidencesByOpenCV: [Double]?
    }
    var scenes: [Scene]
  }

  @Test func lowersAsOpenCVAndNumPyDo() throws {
    let golden = try Fixtures.golden("soft.json", as: Soft.self)
    var runCount = 0
    var openCVCount = 0
    for scene in golden.scenes {
      let boxes = scene.boxes.map { BoundingBox(sixteenths: $0) }
      let confidences = scene.confidences.map { Double($0) / 1024 }
      for run in scene.runs {
        let rule = NonMaximumSuppression(
          mode: .soft(sigma: run.sigma, minimumConfidence: run.minimumConfidence))
        let selection = rule.select(boxes: boxes, confidences: confidences, classIndices: [])
        expectEqual(
          selection.indices, run.kept, "\(scene.kind), \(boxes.count) boxes, \(run.sigma)")
        for (lowered, expected) in zip(selection.confidences, run.confidences) {
          #expect(abs(lowered - expected) <= 1e-13 * expected)
        }
        runCount += 1
        guard let kept = run.keptByOpenCV, let scores = run.confidencesByOpenCV else { continue }
        expectEqual(selection.indices, kept)
        for (lowered, expected) in zip(selection.confidences, scores) {
          #expect(abs(lowered - expected) < 1e-6, "single precision")
        }
        openCVCount += 1
      }
    }
    #expect(runCount == 16 && openCVCount == 12)
  }
}
