import DiceGeometry
import Foundation
import TestSupport
import Testing

@testable import DiceRolls

/// When a die counts as still, and when it does not: the limits that `RollTracker` names.
@Suite struct RestTests {
  /// Whether a single die is still after two seconds at 30 frames a second.
  ///
  /// - Parameters:
  ///   - shift: Where it lies in a frame, in sizes.
  ///   - growth: By how much its box grows a second, as a share of it.
  private func isStill(
    shift: (_ frame: Int) -> Double = { _ in 0 }, growth: Double = 0
  ) throws -> Bool {
    var tracker = RollTracker()
    for frame in 0...60 {
      let time = Double(frame) / 30
      let side = 100 * exp(growth * time)
      let box = BoundingBox(
        midX: 500 + 100 * shift(frame), midY: 400, width: side, height: side)
      _ = tracker.update(
        with: [RollTracker.Observation(boundingBox: box, value: 3)],
        at: .nanoseconds(Int64(time * 1e9)))
    }
    return try #require(tracker.dice.first).isStill
  }

  @Test func aDieThatLiesThereIsStill() throws {
    #expect(try isStill())
  }

  /// Two frames here and two there, a share of its size from the middle: the line through them is flat,
  /// and the scatter is that share. (A single frame elsewhere would be passed over.)
  @Test func aDieThatTremblesIsStillUpToAScatterOfASixteenth() throws {
    for (amplitude, expected) in [(0.04, true), (0.055, true), (0.08, false), (0.15, false)] {
      let isStill = try isStill(shift: { $0 / 2 % 2 == 0 ? amplitude : -amplitude })
      expectEqual(isStill, expected, "\(amplitude)")
    }
  }

  /// Its box grows or shrinks in place.
  @Test func aDieThatComesNearerIsNotStill() throws {
    for (growth, expected) in [(0.4, true), (-0.4, true), (0.9, false), (-0.9, false)] {
      try expectEqual(isStill(growth: growth), expected, "\(growth)")
    }
  }

  /// Faster and slower by turns, so that it cannot be the camera.
  @Test func aDieThatIsPushedAboutIsNotStill() throws {
    // Half a second this way and half a second that way, at a speed in sizes a second.
    for (speed, expected) in [(0.15, true), (2.5, false)] {
      let isStill = try isStill(shift: { frame in
        let phase = Double(frame % 30) / 30
        return speed * (phase < 0.5 ? phase : 1 - phase)
      })
      expectEqual(isStill, expected, "\(speed)")
    }
  }
}
