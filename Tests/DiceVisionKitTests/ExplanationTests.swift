import DiceBundledWeights
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
      ("no reader", DiceDetector.Configuration(reader: .none, threadCount: 1)),
      ("one look", DiceDetector.Configuration(zoom: .none, reader: .none, threadCount: 1)),
      ("soft", DiceDetector.Configuration(reader: .none, suppression: .soft(), threadCount: 1)),
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
      #expect(explanation.hasReader == (configuration.reader == .automatic))
      let kept = explanation.proposals.map { $0.fate } + explanation.readings.map { $0.fate }
      var places: [Int] = []
      for case .kept(let place) in kept { places.append(place) }
      #expect(places.sorted() == Array(0..<result.count), "\(name)")
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
        #expect(other.opinion.confidence >= proposal.opinion.confidence, "\(name)")
        #expect(
          proposal.boundingBox.intersectionOverUnion(with: other.boundingBox) == overlap)
        count += 1
      }
      for (index, proposal) in explanation.proposals.enumerated() {
        guard case .read(let reading) = proposal.fate else { continue }
        #expect(explanation.readings[reading].proposalIndex == index)
      }
    }
    #expect(count > 5)
  }

  @Test func togetherIsThePoolOfBothOpinions() throws {
    let image = try Self.scene("scene-15.jpg")
    let explanation = try DiceDetector(
      configuration: DiceDetector.Configuration(threadCount: 1)
    ).explain(image)
    #expect(!explanation.readings.isEmpty)
    for reading in explanation.readings {
      let detector = explanation.proposals[reading.proposalIndex].opinion
      let odds = [reading.opinion, detector].map { (opinion) in
        let objectness = min(max(opinion.objectness, 0.001), 0.999)
        return objectness / (1 - objectness)
      }
      let pooled = (odds[0] * odds[1]).squareRoot()
      #expect(abs(pooled / (1 + pooled) - reading.pooled.objectness) < 1e-4)
      let products = zip(reading.opinion.probabilities, detector.probabilities).map {
        (own, other) -> Float in pow(max(own, 0.0001), 0.75) * pow(max(other, 0.0001), 0.25)
      }
      let sum = products.reduce(0, +)
      for (product, share) in zip(products, reading.pooled.probabilities) {
        #expect(abs(product / sum - share) < 1e-4)
      }
      #expect(abs(reading.pooled.probabilities.reduce(0, +) - 1) < 1e-4)
    }
  }

  /// With each confidence of a picture as the threshold, so that readings fall out one by one: six
  /// dice that raise each other, and two of which each has too little company to be raised.
  @Test(arguments: [("scene-13.jpg", true), ("scene-15.jpg", false)])
  func companyGivesTheConfidenceThatCounts(_ name: String, _ isRaised: Bool) throws {
    let image = try Self.scene(name)
    let detector = try DiceDetector(configuration: DiceDetector.Configuration(threadCount: 1))
    func explain(_ threshold: Double) throws -> DetectionExplanation {
      try detector.explain(
        image, thresholds: Thresholds(iouThreshold: 0.45, confidenceThreshold: threshold))
    }
    let confidences = try explain(0.3).result.observations.map { Double($0.confidence) }.sorted()
    #expect(confidences.count > 1)
    for threshold in confidences {
      let explanation = try explain(threshold)
      var places: [Int] = []
      var dropped = 0
      for reading in explanation.readings {
        guard let company = reading.company else {
          if case .kept = reading.fate { Issue.record("kept without company") }
          continue
        }
        let alone = Double(reading.pooled.confidence)
        let expected = Company.confidence(alone, share: company.share)
        #expect(abs(Double(company.confidence) - expected) < 1e-6)
        if case .kept(let place) = reading.fate {
          #expect(explanation.result.observations[place].confidence == company.confidence)
          #expect((Double(company.confidence) > alone) == isRaised)
          places.append(place)
        } else if alone > 0.5 {
          #expect(reading.fate == .belowThreshold)
          dropped += 1
        }
      }
      #expect(places.sorted() == Array(0..<explanation.result.count))
      #expect(places.count == confidences.count { $0 >= threshold })
      #expect(places.count + dropped == confidences.count)
    }
  }

  /// A reader's input as it is explained, ruler and all, is what the reader had before it.
  @Test func whatAReaderSawIsWhatItRead() throws {
    let plan = try NetworkPlan(try WeightFile(bytes: BundledWeights.reader))
    let runner = try NetworkRunner(plan)
    var compared = 0
    for number in 13...16 {
      let explanation = try DiceDetector(configuration: .init(threadCount: 1)).explain(
        try Self.scene("scene-\(number).jpg"))
      for reading in explanation.readings {
        let input = reading.input
        let proposal = explanation.proposals[reading.proposalIndex]
        let picture = try #require(explanation.looks.first { $0.round == 0 }).region
        let down = proposal.boundingBox.centerY - picture.centerY
        let ruler = PlaceRuler(
          y: Float(down / max(picture.width, picture.height)), height: input.height)
        ruler.forEachPixel { (column, row, value) in
          #expect(input.samples[(row * input.width + column) * 3] == UInt8(255 * value))
        }
        runner.setInput(input.samples.map { Float($0) / 255 })
        runner.run()
        var candidates = CandidateList()
        runner.append(to: &candidates, confidenceThreshold: 0)
        let middle = try #require(candidates.candidates.first { $0.row == 1 && $0.column == 1 })
        // Others were looked at twice.
        guard middle.confidence > 0.975,
          reading.boundingBox.intersectionOverUnion(with: proposal.boundingBox) > 0.83
        else { continue }
        #expect(abs(middle.objectness - reading.opinion.objectness) < 0.01)
        #expect(abs(middle.confidence - reading.opinion.confidence) < 0.01)
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
    #expect(explanation.looks.first?.round == 0)
    for proposal in explanation.proposals {
      let head = explanation.looks[proposal.lookIndex].heads[proposal.headIndex]
      let heat = head.objectness[proposal.row * head.width + proposal.column]
      #expect(abs(heat - proposal.opinion.objectness) < 1e-5)
    }
    for look in explanation.looks {
      #expect(!look.heads.isEmpty)
      for head in look.heads {
        #expect(head.width * head.stride == look.input.width)
        #expect(head.height * head.stride == look.input.height)
        #expect(head.objectness.count == head.width * head.height)
      }
    }
  }
}
