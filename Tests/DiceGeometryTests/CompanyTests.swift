import DiceGeometry
import Foundation
import Testing

/// What boxes say about each other.
@Suite struct CompanyTests {
  private typealias Entry = (box: BoundingBox, confidence: Double)

  private func company(_ entries: [Entry]) -> Company {
    var company = Company()
    for entry in entries { company.append(entry.box, confidence: entry.confidence) }
    return company
  }

  private func square(_ x: Double, _ y: Double, side: Double = 20) -> BoundingBox {
    BoundingBox(centerX: x, centerY: y, width: side, height: side)
  }

  /// The formula, written another way: with logarithms of probabilities and powers.
  private func expectedShare(of index: Int, _ entries: [Entry]) -> Double {
    let own = entries[index].box
    var logarithm = 0.0
    for (other, entry) in entries.enumerated() where other != index && entry.confidence >= 0.1 {
      let sides = (sqrt(own.width * own.height), sqrt(entry.box.width * entry.box.height))
      let alike = exp(-(cosh(log(sides.0 / sides.1)) - 1) / pow(0.15, 2))
      let distance =
        hypot(own.centerX - entry.box.centerX, own.centerY - entry.box.centerY)
        / sqrt(sides.0 * sides.1)
      logarithm += log1p(-pow(entry.confidence, 2) * alike / (1 + pow(distance / 6, 4)))
    }
    return -expm1(logarithm)
  }

  @Test func sharesFollowTheFormula() {
    var random = SeededGenerator(seed: 41)
    for count in [1, 2, 5, 40] {
      let entries: [Entry] = (0..<count).map { _ in
        (
          BoundingBox(
            centerX: .random(in: 0...300, using: &random),
            centerY: .random(in: 0...300, using: &random),
            width: .random(in: 15...30, using: &random),
            height: .random(in: 15...30, using: &random)),
          .random(in: 0...0.99, using: &random)
        )
      }
      let company = company(entries)
      for index in 0..<count {
        let share = company.share(of: index)
        #expect(abs(share - expectedShare(of: index, entries)) < 1e-9)
        #expect(0 <= share && share <= 1)
      }
    }
  }

  @Test func onlySureBoxesOfTheSameSizeNearbyAreCompany() {
    let place = square(100, 100)
    func share(beside box: BoundingBox, _ confidence: Double = 0.99) -> Double {
      company([(place, 0.3), (box, confidence)]).share(of: 0)
    }
    #expect(company([(place, 0.3)]).share(of: 0) == 0)
    #expect(share(beside: square(140, 100)) > 0.95)
    #expect(share(beside: square(140, 100, side: 40)) < 0.01)
    #expect(share(beside: square(140, 100, side: 10)) < 0.01)
    #expect(share(beside: square(1100, 100)) < 0.01)
    #expect(share(beside: square(140, 100), 0.3) < 0.1)
    #expect(share(beside: square(140, 100), 0.09) == 0)
    // A box is no company to itself: the sure one has none in the doubtful one.
    let pair = company([(place, 0.9), (square(140, 100), 0.2)])
    #expect(pair.share(of: 0) < 0.05 && pair.share(of: 1) > 0.7)
  }

  /// Odds times 1.5 in full company, and times `1.5 / e^1.5`, about a third, alone.
  @Test func confidencesGoByOdds() {
    #expect(Company.confidence(0.5, share: 1) == 0.6)
    #expect(abs(Company.confidence(0.5, share: 0) - 0.250765) < 1e-6)
    #expect(Company.confidence(0, share: 1) == 0 && Company.confidence(1, share: 0) == 1)
    var last = -1.0
    for step in 0...100 {
      let confidence = Company.confidence(Double(step) / 100, share: 0.4)
      #expect(confidence > last)
      last = confidence
    }
    for reached in [0, 0.01, 0.2, 0.5, 0.97, 1] {
      let least = Company.confidence(toReach: reached)
      #expect(abs(Company.confidence(least, share: 1) - reached) < 1e-12)
    }
  }

  /// Boxes of no size and of nearly none, and those without an end.
  @Test func strangeBoxesGiveSharesAllTheSame() {
    let strange = [
      square(5, 5, side: 0), square(5, 5, side: 1e-160), square(5, 5, side: 1e160),
      square(5, 5, side: 1e-300), square(5, 5), square(1e308, -1e308),
    ]
    let company = company(strange.map { ($0, 1) })
    for index in strange.indices {
      let share = company.share(of: index)
      #expect(share >= 0 && share <= 1)
    }
  }

  @Test func whatWasForgottenIsNoCompany() {
    var company = company([(square(0, 0), 0.9), (square(30, 0), 0.9)])
    company.removeAll()
    company.append(square(0, 0), confidence: 0.9)
    #expect(company.share(of: 0) == 0)
  }
}
