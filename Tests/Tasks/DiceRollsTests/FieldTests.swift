import DiceGeometry
import TestSupport
import Testing

@testable import DiceRegistration
@testable import DiceRolls

/// Dice inside and outside a field of play.
@Suite struct FieldTests {
  /// A square seen from above: 40 by 40 cm, 1000 pixels wide.
  static func field(
    _ x: Double = 600, _ y: Double = 40, side: PlayingField.Side = .lower
  ) throws -> PlayingField {
    try PlayingField(
      corners: Quadrilateral(BoundingBox(x: x, y: y, width: 1000, height: 1000)),
      size: PlayingField.Size(width: 40, height: 40), playerSide: side)
  }

  /// Three dice thrown in from the left, the last of them to a place.
  static func clip(lastX: Double, lastY: Double = 500, lastRests: Double = 1.2) -> Clip {
    var clip = Clip()
    clip.missRate = 0.02
    clip.wrongRate = 0.02
    clip.spuriousRate = 0
    for (index, die) in [(800.0, 200.0, 3, 1.0), (1200, 700, 5, 1.1), (lastX, lastY, 6, lastRests)]
      .enumerated()
    {
      clip.dice.append(
        SimulatedDie(
          appears: 0.5 + 0.05 * Double(index), rests: die.3, x: die.0, y: die.1, deceleration: 12,
          value: die.2))
    }
    return clip
  }

  static func run(_ clip: Clip, _ field: PlayingField?) -> [(
    time: Double, event: RollTracker.Event
  )] {
    var tracker = RollTracker()
    tracker.field = field
    return clip.run(tracker)
  }

  @Test func diceOutsideAreToldApart() throws {
    let field = try Self.field()
    let inside = Self.run(Self.clip(lastX: 1000), field)
    expectEqual(inside.rolls.map(\.values), [[3, 6, 5]])
    #expect(inside.rolls[0].outside.isEmpty)
    let events = Self.run(Self.clip(lastX: 300), field)
    expectEqual(events.rolls.map(\.values), [[3, 5]])
    expectEqual(events.rolls.first?.sum, 8)
    expectEqual(events.rolls.first?.outside.map(\.value), [6])
    expectEqual(events.rolls.first?.outside.first?.isOutside, true)
    // Without a field all count.
    expectEqual(Self.run(Self.clip(lastX: 300), nil).rolls.map(\.values), [[6, 3, 5]])
    expectEqual(Self.run(Self.clip(lastX: 300), nil).rolls.first?.dice.first?.place, nil)
  }

  @Test func aDieOutsideThatLeansOrIsTurnedByHandHoldsNothingUp() throws {
    var clip = Self.clip(lastX: 300)
    clip.dice[2].otherValue = 2
    let leaning = Self.run(clip, try Self.field())
    expectEqual(leaning.rolls.map(\.values), [[3, 5]])
    expectEqual(leaning.unsettledCount, 0)
    #expect(Self.run(clip, nil).rolls.isEmpty)
    // One that is pushed about outside is waited for, but not for long.
    var pushed = Self.clip(lastX: 300)
    for step in 0..<12 {
      pushed.dice[2].pushes.append((1.15 + 0.15 * Double(step), 0.15, 300, 530 + 30 * Double(step)))
    }
    let events = Self.run(pushed, try Self.field())
    expectEqual(events.rolls.map(\.values), [[3, 5]])
    let end = try #require(events.first { if case .rollEnded = $0.event { true } else { false } })
    #expect((1.6...2.3).contains(end.time), "\(end.time)")
  }

  @Test func allDiceOutsideAreARollWithoutValues() throws {
    let events = Self.run(Self.clip(lastX: 1000), try Self.field(-1500))
    expectEqual(events.rolls.map(\.values), [[]])
    expectEqual(events.rolls.first?.outside.count, 3)
    expectEqual(events.rolls.first.map { $0.endTime > $0.restTime }, true)
  }

  @Test func aDieThatEntersOrLeavesRevisesTheResult() throws {
    var out = Self.clip(lastX: 1000)
    out.duration = 7
    // As slow as a hand that pushes a die: faster, it would be another throw.
    out.dice[2].pushes = [(2.2, 3.5, 300, 500)]
    let left = Self.run(out, try Self.field())
    expectEqual(left.rolls.map(\.values), [[3, 6, 5]])
    expectEqual(left.revisions.last?.values, [3, 5])
    expectEqual(left.revisions.last?.outside.map(\.value), [6])
    var back = Self.clip(lastX: 300)
    back.duration = 7
    back.dice[2].pushes = [(2.2, 3.5, 1000, 500)]
    let entered = Self.run(back, try Self.field())
    expectEqual(entered.rolls.map(\.values), [[3, 5]])
    expectEqual(entered.revisions.last?.values, [3, 6, 5])
    expectEqual(entered.revisions.last?.outside.isEmpty, true)
  }

  @Test func orderIsThatOfThePlayersSide() throws {
    let clip = Self.clip(lastX: 1000)
    let expected: [(PlayingField.Side, [Int])] = [
      (.lower, [3, 6, 5]), (.upper, [5, 6, 3]), (.left, [3, 6, 5]), (.right, [5, 6, 3]),
    ]
    for (side, values) in expected {
      let roll = try #require(Self.run(clip, try Self.field(side: side)).rolls.first)
      expectEqual(roll.values, values, "\(side)")
      let xs = try roll.dice.map { try #require($0.place?.fromPlayer).x }
      expectEqual(xs, xs.sorted())
    }
    // From the left side the upper part of the picture is on the left, whatever is left in the picture.
    var high = Self.clip(lastX: 1500, lastY: 100)
    high.seed = 3
    let fromLeft = Self.run(high, try Self.field(side: .left))
    expectEqual(fromLeft.rolls.first?.values, [6, 3, 5])
  }

  @Test func placesAreInCentimetres() throws {
    let roll = try #require(Self.run(Self.clip(lastX: 1000), try Self.field()).rolls.first)
    let places = try roll.dice.map { try #require($0.place?.centimeters) }
    // Seen from straight above a die stands where its top face is.
    for (place, expected) in zip(places, [SIMD2(8.0, 6.4), SIMD2(16, 18.4), SIMD2(24, 26.4)]) {
      let way = place - expected
      #expect((way * way).sum() < 0.1, "\(place)")
    }
    #expect(roll.cocked.isEmpty)
  }

  @Test func theFieldMovesWithTheCamera() throws {
    for isGiven in [true, false] {
      var clip = Self.clip(lastX: 300)
      clip.duration = 4
      clip.isCameraGiven = isGiven
      // A slow pan by 600 pixels after the dice have come to rest.
      clip.camera = { time in (max(0, min((time - 2) * 350, 600)), 0) }
      var tracker = RollTracker()
      tracker.field = try Self.field()
      var rolls: [Roll] = []
      var revisions = 0
      for (time, observations, motion) in clip.frames() {
        for event in tracker.update(with: observations, at: time, cameraMotion: motion) {
          if case .rollEnded(let roll) = event { rolls.append(roll) }
          if case .resultRevised = event { revisions += 1 }
        }
      }
      #expect(rolls.map(\.values) == [[3, 5]] && revisions == 0, "given \(isGiven)")
      let corner = try #require(tracker.field).corners.upperLeft
      #expect(abs(corner.x - 1200) < 25 && abs(corner.y - 40) < 25, "\(corner)")
      expectEqual(tracker.dice.map(\.isOutside), [true, false, false])
    }
  }

  /// A camera that pans before any die has come to rest carries the field as far as the dice, and from the
  /// moment on when it was set.
  @Test func theFieldIsCarriedWithDiceThatWereNeverSeenAtRest() throws {
    for (setAt, carried) in [(0, 0..<30), (6, 6..<30)] {
      var tracker = RollTracker()
      var rests = false
      for frame in carried.startIndex - setAt..<carried.endIndex {
        // Two and a half pixels a frame, of dice of 60 pixels.
        let shift = 2.5 * Double(frame)
        let dice = [(800.0, 200.0), (1200, 700), (1000, 450)].map { (x, y) in
          RollTracker.Observation(
            boundingBox: BoundingBox(midX: x + shift, midY: y, width: 60, height: 60), value: 4)
        }
        if frame == setAt { tracker.field = try Self.field(600 + shift) }
        _ = tracker.update(with: dice, at: .milliseconds(33 * frame))
        rests = rests || tracker.dice.contains { $0.isStill }
      }
      #expect(rests)
      let corner = try #require(tracker.field).corners.upperLeft
      #expect(abs(corner.x - 600 - 2.5 * 29) < 6, "set at \(setAt): \(corner)")
      #expect(abs(corner.y - 40) < 3)
    }
  }

  @Test func aDieOnTheBorderDoesNotFlicker() throws {
    var tracker = RollTracker()
    tracker.field = try Self.field()
    var changes = 0
    var was: Bool?
    for frame in 0..<120 {
      // The die's middle trembles about the border by a twentieth of its size.
      let x = 600 + (frame % 2 == 0 ? 3.0 : -3.0)
      let die = RollTracker.Observation(
        boundingBox: BoundingBox(midX: x, midY: 500, width: 60, height: 60), value: 4)
      _ = tracker.update(with: [die], at: .milliseconds(33 * frame))
      guard let isOutside = tracker.dice.first?.isOutside else { continue }
      if let was, was != isOutside { changes += 1 }
      was = isOutside
    }
    #expect(was != nil && changes == 0)
  }

  @Test func aDieThatStandsOnItsEdgeIsCocked() throws {
    var tracker = RollTracker()
    tracker.field = try Self.field()
    for frame in 0..<20 {
      let boxes = [
        BoundingBox(midX: 800, midY: 500, width: 60, height: 60),
        BoundingBox(midX: 1000, midY: 500, width: 66, height: 40),
      ]
      _ = tracker.update(
        with: boxes.map { RollTracker.Observation(boundingBox: $0, value: 4) },
        at: .milliseconds(33 * frame))
    }
    expectEqual(tracker.dice.map(\.isCocked), [false, true])
    tracker.field = nil
    expectEqual(tracker.dice.map(\.isCocked), [false, false])
  }

  // MARK: - State

  @Test func aStateWithAFieldIsRestored() throws {
    let frames = Self.clip(lastX: 300).frames()
    var tracker = RollTracker()
    tracker.field = try Self.field(side: .left)
    for frame in frames {
      _ = tracker.update(with: frame.1, at: frame.0, cameraMotion: frame.2)
      let bytes = tracker.encoded()
      let restored = try RollTracker(encoded: bytes)
      #expect(restored == tracker && restored.encoded() == bytes)
    }
    expectEqual(tracker.lastRoll?.outside.count, 1)
    // Once it has been there, the result remembers.
    tracker.field = nil
    let restored = try RollTracker(encoded: tracker.encoded())
    expectEqual(restored, tracker)
  }

  @Test func everyDamageOfAStateWithAFieldGivesATrackerOrAnError() throws {
    let frames = Self.clip(lastX: 300).frames()
    var tracker = RollTracker()
    tracker.field = try Self.field()
    for frame in frames.prefix(60) { _ = tracker.update(with: frame.1, at: frame.0) }
    #expect(tracker.lastRoll != nil)
    let bytes = tracker.encoded()
    let tail = bytes.count - 700
    var (accepted, refused) = (0, 0)
    for index in Array(4..<6) + Array(tail..<bytes.count) {
      for flip in [UInt8(0x01), 0x40, 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] ^= flip
        let checksum = RollTracker.checksum(of: damaged[16...])
        for place in 0..<8 {
          damaged[8 + place] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt64(place)))
        }
        do throws(TrackerStateError) {
          var restored = try RollTracker(encoded: damaged)
          for frame in frames[60..<64] { _ = restored.update(with: frame.1, at: frame.0) }
          _ = restored.encoded()
          accepted += 1
        } catch { refused += 1 }
      }
    }
    #expect(accepted > 100 && refused > 100, "\(accepted), \(refused)")
    for count in tail..<bytes.count {
      #expect(throws: TrackerStateError.self) { try RollTracker(encoded: Array(bytes[..<count])) }
    }
  }
}
