import DiceCodecs
import DiceVisionWeights
import DiceDetection
import DiceGeometry
import DiceImaging
import DiceNetwork
import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceVisionKit

struct ExplanationTests {
  static func scene(_ name: String) throws -> PixelImage {
    try ImageDecoder.decode(
      Fixtures.bytes("scenes/\(name)"))
  }

  static func configurations() -> [(String, DiceDetector.Configuration)] {
    [
      ("as usual", DiceDetector.Configuration(threadCount: 1)),
      ("no second stage", DiceDetector.Configuration(secondStage: .none, threadCount: 1)),
      (
        "one pass",
        DiceDetector.Configuration(tiling: .none, secondStage: .none, threadCount: 1)
      ),
      (
        "soft",
        DiceDetector.Configuration(
          secondStage: .none, suppression: .soft(), threadCount: 1)
      ),
      ("per value", DiceDetector.Configuration(suppression: .perClass, threadCount: 1)),
    ]
  }

  @Test func anExplanationEndsInTheSameResult() throws {
    let image = try Self.scene("scene-15.jpg")
    for (name, configuration) in Self.configurations() {
      let detector = try DiceDetector(configuration: configuration)
      let result = try detector.detect(in: image)
      let explanation = try detector.explain(image)
      #expect(explanation.result.hasSameContent(as: result), "\(name)")
      #expect(!result.isEmpty)
      expectEqual(explanation.hasSecondStage, (configuration.secondStage == .automatic))
      let kept = explanation.proposals.map { $0.fate } + explanation.classifications.map { $0.fate }
      var places: [Int] = []
      for case .kept(let place) in kept { places.append(place) }
      expectEqual(places.sorted(), Array(0..<result.count), "\(name)")
    }
  }

  @Test func everySuppressedBoxNamesASurerOneThatOverlapsIt() throws {
    let image = try Self.scene("scene-15.jpg")
    var count = 0
    for (name, configuration) in Self.configurations() {
      let explanation = try DiceDetector(configuration: configuration).explain(image)
      for proposal in explanation.proposals {
        guard case .suppressed(let winner, let overlap) = proposal.fate else { continue }
        let other = explanation.proposals[winner]
        #expect(other.scores.confidence >= proposal.scores.confidence, "\(name)")
        expectEqual(
          proposal.boundingBox.intersectionOverUnion(with: other.boundingBox), overlap)
        count += 1
      }
      for (index, proposal) in explanation.proposals.enumerated() {
        guard case .classified(let reading) = proposal.fate else { continue }
        expectEqual(explanation.classifications[reading].proposalIndex, index)
      }
    }
    #expect(count > 5)
  }

  @Test func bothStagesScoresAreFused() throws {
    let image = try Self.scene("scene-15.jpg")
    let explanation = try DiceDetector(
      configuration: DiceDetector.Configuration(threadCount: 1)
    ).explain(image)
    #expect(!explanation.classifications.isEmpty)
    for reading in explanation.classifications {
      let detector = explanation.proposals[reading.proposalIndex].scores
      let odds = [reading.scores, detector].map { (scores) in
        let objectness = min(max(scores.objectness, 0.001), 0.999)
        return objectness / (1 - objectness)
      }
      let pooled = (odds[0] * odds[1]).squareRoot()
      #expect(abs(pooled / (1 + pooled) - reading.fused.objectness) < 1e-4)
      let products = zip(reading.scores.probabilities, detector.probabilities).map {
        (own: Float, other: Float) -> Float in
        pow(max(own, 0.0001), 0.75) * pow(max(other, 0.0001), 0.25)
      }
      let sum = products.reduce(0, +)
      for (product, share) in zip(products, reading.fused.probabilities) {
        #expect(abs(product / sum - share) < 1e-4)
      }
      let fusedSum = reading.fused.probabilities.reduce(0, +)
      #expect(abs(fusedSum - 1) < 1e-4)
    }
  }

  /// With each confidence of a picture as the threshold, so that readings fall out one by one: six
  /// dice that raise each other, and two of which each has too little support to be raised.
  @Test(arguments: [("scene-13.jpg", true), ("scene-15.jpg", false)])
  func rescoringGivesTheConfidenceThatCounts(_ name: String, _ isRaised: Bool) throws {
    let image = try Self.scene(name)
    let detector = try DiceDetector(configuration: DiceDetector.Configuration(threadCount: 1))
    func explain(_ threshold: Double) throws -> DetectionExplanation {
      try detector.explain(
        image, thresholds: Thresholds(iouThreshold: 0.45, confidenceThreshold: Float(threshold)))
    }
    let confidences = try explain(0.3).result.observations.map { Double($0.confidence) }.sorted()
    #expect(confidences.count > 1)
    for threshold in confidences {
      let explanation = try explain(threshold)
      var places: [Int] = []
      var dropped = 0
      for reading in explanation.classifications {
        guard let rescoring = reading.rescoring else {
          if case .kept = reading.fate { Issue.record("kept without rescoring") }
          continue
        }
        let alone = Double(reading.fused.confidence)
        let expected = ContextualRescoring(.init()).confidence(
          alone, support: rescoring.support)
        #expect(abs(Double(rescoring.confidence) - expected) < 1e-6)
        if case .kept(let place) = reading.fate {
          expectEqual(explanation.result.observations[place].confidence, rescoring.confidence)
          expectEqual((Double(rescoring.confidence) > alone), isRaised)
          places.append(place)
        } else if alone > 0.5 {
          expectEqual(reading.fate, .belowThreshold)
          dropped += 1
        }
      }
      expectEqual(places.sorted(), Array(0..<explanation.result.count))
      expectEqual(places.count, confidences.count { $0 >= threshold })
      expectEqual(places.count + dropped, confidences.count)
    }
  }

  /// A crop as it is explained is what the second stage had before it.
  @Test func whatTheSecondStageSawIsWhatItClassified() throws {
    let network = try GridBoxNetwork(try WeightFile(bytes: BundledWeights.secondStage))
    let runner = try NetworkRunner(network.plan)
    var compared = 0
    for number in 13...16 {
      let explanation = try DiceDetector(configuration: .init(threadCount: 1)).explain(
        try Self.scene("scene-\(number).jpg"))
      for reading in explanation.classifications {
        let input = reading.input
        let proposal = explanation.proposals[reading.proposalIndex]
        runner.setInput(input.samples.map { Float($0) / 255 })
        runner.run()
        var candidates = CandidateList()
        network.append(runner, to: &candidates, confidenceThreshold: 0)
        let middle = try #require(candidates.candidates.first { $0.row == 1 && $0.column == 1 })
        // Of others a second crop was taken.
        guard middle.confidence > 0.975,
          reading.boundingBox.intersectionOverUnion(with: proposal.boundingBox) > 0.83
        else { continue }
        #expect(abs(middle.objectness - reading.scores.objectness) < 0.01)
        #expect(abs(middle.confidence - reading.scores.confidence) < 0.01)
        compared += 1
      }
    }
    #expect(compared > 3)
  }

  @Test func heatMapsAreThoseOfTheProposals() throws {
    let image = try Self.scene("scene-15.jpg")
    let explanation = try DiceDetector(
      configuration: DiceDetector.Configuration(threadCount: 1)
    ).explain(image)
    expectEqual(explanation.passes.first?.round, 0)
    for proposal in explanation.proposals {
      let head = explanation.passes[proposal.passIndex].heads[proposal.headIndex]
      let heat = head.objectness[proposal.row * head.width + proposal.column]
      #expect(abs(heat - proposal.scores.objectness) < 1e-5)
    }
    for pass in explanation.passes {
      #expect(!pass.heads.isEmpty)
      for head in pass.heads {
        expectEqual(head.width * head.stride, pass.input.width)
        expectEqual(head.height * head.stride, pass.input.height)
        expectEqual(head.objectness.count, head.width * head.height)
      }
    }
  }
}
