import DiceGeometry
import DiceImaging
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
      let pooled =
        (reading.opinion.objectness * reading.opinion.objectness * reading.opinion.objectness
        * detector.objectness).squareRoot().squareRoot()
      #expect(abs(pooled - reading.pooled.objectness) < 1e-5)
      #expect(abs(reading.pooled.probabilities.reduce(0, +) - 1) < 1e-4)
    }
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
