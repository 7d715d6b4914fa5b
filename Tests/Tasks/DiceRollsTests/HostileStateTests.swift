import DiceGeometry
import TestSupport
import Testing

@testable import DiceRolls

/// States damaged in every place behind a right checksum: a tracker that goes on, or a typed error.
@Suite(.timeLimit(.minutes(2))) struct HostileStateTests {
  /// The state of a tracker that follows some dice.
  private static func state(dice: Int, frames: Int) -> [UInt8] {
    var tracker = RollTracker()
    for frame in 0..<frames {
      let observations = (0..<dice).map { die in
        RollTracker.Observation(
          boundingBox: BoundingBox(
            midX: 100 + Double(die) * 80, midY: 100, width: 40, height: 40),
          confidence: 0.9, value: 1 + die)
      }
      _ = tracker.update(with: observations, at: .milliseconds(33 * frame))
    }
    return tracker.encoded()
  }

  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 16 else { return bytes }
    var bytes = bytes
    write(RollTracker.checksum(of: bytes[16...]), to: &bytes, at: 8)
    return bytes
  }

  private static func write(_ word: UInt64, to bytes: inout [UInt8], at offset: Int) {
    for index in 0..<8 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))
    }
  }

  @Test func everyDamageGivesATrackerOrAnError() throws {
    let bytes = Self.state(dice: 1, frames: 4)
    var accepted = 0
    var refused = 0
    var restored = 0
    let count = Mutations.forEach(of: bytes, header: [0..<120]) { damaged in
      do throws(TrackerStateError) {
        var tracker = try RollTracker(encoded: Self.sealed(damaged))
        _ = tracker.update(with: [], at: .seconds(1))
        let again = try? RollTracker(encoded: tracker.encoded())
        if let again, again != tracker { Issue.record("another tracker is restored") }
        restored += again == nil ? 0 : 1
        accepted += 1
      } catch {
        refused += 1
        if !error.description.hasSuffix(".") { Issue.record("\(error.description)") }
      }
    }
    expectEqual(accepted + refused, count)
    #expect(restored > accepted * 9 / 10 && accepted > 1000 && refused > 10_000)
  }

  /// Where the number of the next die and the identity of the first one stand.
  private func places(in bytes: [UInt8]) throws -> (next: Int, first: Int, second: Int) {
    // The faces 1 and 2 of six sides, each with its kind.
    var pattern: [UInt8] = []
    for value: UInt8 in [1, 2] { pattern += [DieKind.d6.rank, value, 0, 0, 0, 0, 0, 0, 0] }
    let faces = try #require(
      bytes.indices.dropLast(pattern.count).first { start in
        bytes[start..<start + pattern.count].elementsEqual(pattern)
      })
    // Behind the next number stands the number of rolls; behind the faces and the number of tracks
    // stands the first track, and behind the last one whether there are a result and a field.
    let first = faces + pattern.count + 1
    let length = (bytes.count - 2 - first) / 2
    return (faces - 2 - 24 - 8 - 8, first, first + length)
  }

  @Test func twoDiceWithOneIdentityAreRefused() throws {
    let bytes = Self.state(dice: 2, frames: 4)
    let places = try places(in: bytes)
    #expect(bytes[places.first] == 1 && bytes[places.second] == 2 && bytes[places.next] == 3)
    for identity: UInt64 in [0, 1, 3, .max] {
      var forged = bytes
      Self.write(identity, to: &forged, at: places.second)
      do {
        _ = try RollTracker(encoded: Self.sealed(forged))
        Issue.record("identity \(identity) was accepted")
      } catch {
        guard case .fieldOutOfRange(name: "identifier", _) = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }

  /// A tracker that has given out the last number would give out the first ones again.
  @Test func aStateWithoutNumbersLeftIsRefused() throws {
    let bytes = RollTracker().encoded()
    let place = try #require(
      bytes.indices.last {
        bytes[$0] == 1 && bytes[($0 + 1)...].allSatisfy { $0 == 0 || $0 == 255 }
      })
    for next: UInt64 in [0, UInt64.max / 2 + 1, .max] {
      var forged = bytes
      Self.write(next, to: &forged, at: place)
      let expected = TrackerStateError.fieldOutOfRange(
        name: "nextIdentifier", offset: place + 8)
      #expect(throws: expected) { try RollTracker(encoded: Self.sealed(forged)) }
    }
    var last = bytes
    Self.write(UInt64.max / 2, to: &last, at: place)
    var tracker = try RollTracker(encoded: Self.sealed(last))
    for frame in 0..<4 {
      let box = BoundingBox(x: 10, y: 10, width: 40, height: 40)
      _ = tracker.update(
        with: [RollTracker.Observation(boundingBox: box, value: 3)], at: .milliseconds(33 * frame))
    }
    expectEqual(tracker.dice.map(\.identifier), [UInt64.max / 2])
  }
}
