package import DiceGeometry
internal import DiceNumerics

extension RollTracker {
  /// A die that has come into view a short time ago and was not seen to be thrown.
  package struct Newcomer: Hashable, Sendable {
    /// The number of the die.
    package var identifier: UInt64
    /// The time of the frame that showed it first.
    package var firstSeen: Duration
    /// Where the latest frame has it.
    package var boundingBox: BoundingBox
  }

  /// How long ago a newcomer came: long enough for a hand that lets go of it to have moved by more than
  /// a die's size, and not so long that one can have come and gone.
  private static let newcomerAges: ClosedRange<Int64> = 150_000_000...400_000_000

  /// The dice of the latest frame, seen twice at least, that came 0.15 s to 0.4 s ago and whose motion does
  /// not show whether they were thrown; none while dice roll, or where no motion is required.
  ///
  /// One that lies where a die lay up to 4 s before is left out, since a hand has turned that or covered it, and so is
  /// one that is much larger than another die.
  ///
  /// Who has the picture may know: where it shows that a die came faster than a hand can lay it down,
  /// ``acceptThrow(of:)`` tells the tracker.
  ///
  /// - Complexity: O(dice).
  package var newcomers: [Newcomer] {
    guard phase != .rolling, configuration.requiresMotion else { return [] }
    var result: [Newcomer] = []
    for track in tracks
    where track.stage != .dormant && track.departed < 0 && track.pace == .slow && track.hits >= 2
      && track.lastSeen == clock.own && !track.tookPart
      && Self.newcomerAges.contains(clock.own - track.born)
      && !tracks.contains(where: { (other) in isNoNewcomer(track, beside: other) })
    {
      result.append(
        Newcomer(
          identifier: track.identifier, firstSeen: .nanoseconds(clock.realTime(track.born)),
          boundingBox: latestBox(track)))
    }
    return result
  }

  /// Whether a die that lay in its place, or that is too small to be its like, shows that a track is no newcomer.
  private func isNoNewcomer(_ track: Track, beside other: Track) -> Bool {
    switch other.stage {
    case .dormant: other.hasPlace(of: track)
    case .confirmed: track.wholeSize > configuration.maximumSizeRatio * other.wholeSize
    case .tentative: false
    }
  }

  /// Where the latest frame has all that has not lain still since a time.
  ///
  /// - Complexity: O(dice).
  package func boxes(movedSince time: Duration) -> [BoundingBox] {
    var result: [BoundingBox] = []
    for track in tracks where track.stage != .dormant && track.lastSeen == clock.own {
      if track.isStill, clock.realTime(track.restTime) <= nanoseconds(time) { continue }
      result.append(latestBox(track))
    }
    return result
  }

  private func latestBox(_ track: Track) -> BoundingBox {
    let latest = track.latest
    return BoundingBox(
      midX: latest.x + camera.offsetX, midY: latest.y + camera.offsetY,
      width: Double(latest.width), height: Double(latest.height))
  }

  /// Takes a newcomer for thrown, as if its flight had been seen: from the next frame on it can begin a roll.
  ///
  /// A number that no newcomer has is ignored.
  package mutating func acceptThrow(of identifier: UInt64) {
    for index in tracks.indices
    where tracks[index].identifier == identifier && tracks[index].departed < 0
      && tracks[index].pace == .slow
    { tracks[index].pace = .fast }
  }
}
