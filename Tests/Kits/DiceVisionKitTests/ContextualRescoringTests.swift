import DiceGeometry
import Foundation
import TestSupport
import Testing

@testable import DiceVisionKit

/// What boxes say about each other.
@Suite struct ContextualRescoringTests {
  private typealias Entry = (box: BoundingBox, confidence: Double)

  private let rule = ContextualRescoring(PipelineProfile.bundled.rescoring)

  private func rescoring(_ entries: [Entry]) -> ContextualRescoring {
    var rescoring = rule
    for entry in entries { rescoring.append(entry.box, confidence: entry.confidence) }
    return rescoring
  }

  private func square(_ x: Double, _ y: Double, side: Double = 20) -> BoundingBox {
    BoundingBox(midX: x, midY: y, width: side, height: side)
  }

  /// Two squares of 20 pixels: what they say of each other follows the formula's parts one by one.
  @Test func supportFollowsTheFormula() {
    func support(_ other: BoundingBox, _ confidence: Double) -> Double {
      rescoring([(square(0, 0), 0.3), (other, confidence)]).support(of: 0)
    }
    // At the reach of six sides half of the square of the confidence is left.
    #expect(abs(support(square(120, 0), 0.5) - 0.125) < 1e-12)
    #expect(abs(support(square(0, -120), 0.8) - 0.32) < 1e-12)
    // At twice that 1/17, since the distance counts to the fourth power.
    #expect(abs(support(square(240, 0), 1) - 1.0 / 17) < 1e-12)
    // Sides q times as long with q + 1/q - 2 = 2 * 0.15^2, on the same spot: 1/e is left.
    let ratio = (2.045 + (2.045 * 2.045 - 4).squareRoot()) / 2
    #expect(abs(support(square(0, 0, side: 20 * ratio), 1) - exp(-1)) < 1e-12)
    #expect(abs(support(square(0, 0, side: 20 / ratio), 1) - exp(-1)) < 1e-12)
    // Several add up as chances of being supported do.
    let three = rescoring([
      (square(0, 0), 0.3), (square(120, 0), 1), (square(-120, 0), 1), (square(0, 120), 1),
    ])
    #expect(abs(three.support(of: 0) - 0.875) < 1e-12)
    expectEqual(rescoring([(square(0, 0), 0.9)]).support(of: 0), 0)
  }

  @Test func onlySureBoxesOfTheSameSizeNearbyGiveSupport() {
    let place = square(100, 100)
    func support(beside box: BoundingBox, _ confidence: Double = 0.99) -> Double {
      rescoring([(place, 0.3), (box, confidence)]).support(of: 0)
    }
    expectEqual(rescoring([(place, 0.3)]).support(of: 0), 0)
    #expect(support(beside: square(140, 100)) > 0.95)
    #expect(support(beside: square(140, 100, side: 40)) < 0.01)
    #expect(support(beside: square(140, 100, side: 10)) < 0.01)
    #expect(support(beside: square(1100, 100)) < 0.01)
    #expect(support(beside: square(140, 100), 0.3) < 0.1)
    expectEqual(support(beside: square(140, 100), 0.09), 0)
    // A box does not support itself: the sure one has none in the doubtful one.
    let pair = rescoring([(place, 0.9), (square(140, 100), 0.2)])
    #expect(pair.support(of: 0) < 0.05 && pair.support(of: 1) > 0.7)
  }

  /// Odds times 1.5 in full support, and times `1.5 / e^1.5`, about a third, alone.
  @Test func confidencesGoByOdds() {
    expectEqual(rule.confidence(0.5, support: 1), 0.6)
    #expect(abs(rule.confidence(0.5, support: 0) - 0.250765) < 1e-6)
    #expect(rule.confidence(0, support: 1) == 0 && rule.confidence(1, support: 0) == 1)
    var last = -1.0
    for step in 0...100 {
      let confidence = rule.confidence(Double(step) / 100, support: 0.4)
      #expect(confidence > last)
      last = confidence
    }
    for reached in [0, 0.01, 0.2, 0.5, 0.97, 1] {
      let least = rule.confidence(toReach: reached)
      #expect(abs(rule.confidence(least, support: 1) - reached) < 1e-12)
    }
  }

  /// Boxes of no size and of nearly none, and those without an end.
  @Test func strangeBoxesGiveSupportAllTheSame() {
    let strange = [
      square(5, 5, side: 0), square(5, 5, side: 1e-160), square(5, 5, side: 1e160),
      square(5, 5, side: 1e-300), square(5, 5), square(1e308, -1e308),
    ]
    let rescoring = rescoring(strange.map { ($0, 1) })
    for index in strange.indices {
      let support = rescoring.support(of: index)
      #expect(support >= 0 && support <= 1)
    }
  }

  @Test func whatWasForgottenGivesNoSupport() {
    var rescoring = rescoring([(square(0, 0), 0.9), (square(30, 0), 0.9)])
    rescoring.removeAll()
    rescoring.append(square(0, 0), confidence: 0.9)
    expectEqual(rescoring.support(of: 0), 0)
  }
}
