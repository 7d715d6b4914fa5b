internal import DiceGeometry

extension RollTracker {
  /// How far beyond the border a die stands before it counts as on its other side, in sizes.
  static let borderWidth = 0.1

  // MARK: - Inside and outside

  /// Finds out which dice stand outside the field.
  ///
  /// A die of the result that is on the other side now revises it.
  mutating func findOutside() {
    guard let field else { return }
    for index in tracks.indices where tracks[index].lastSeen == clock.own {
      let track = tracks[index]
      let stance = DieStance(topFace: box(of: track), on: field)
      let depth = field.depth(of: stance.foot) / Double(track.latest.size)
      let border = track.hits <= 1 ? 0 : track.isOutside ? Self.borderWidth : -Self.borderWidth
      let isOutside = depth < border
      guard isOutside != track.isOutside else { continue }
      tracks[index].isOutside = isOutside
      if phase == .ended, isInResult(track.identifier) { tracks[index].needsRevision = true }
    }
  }

  /// Without a field no die is outside.
  mutating func forgetOutside() {
    for index in tracks.indices { tracks[index].isOutside = false }
  }

  /// How many dice are on the table: all inside the field, and those outside that belong to the roll.
  var tableCount: Int {
    var count = 0
    for track in tracks where track.stage == .confirmed && track.isOnTable { count += 1 }
    return count
  }

  /// Whether the roll has to wait for something that is no die on the field yet: a box that may become one,
  /// or a die outside that still moves and may come in.
  ///
  /// Outside the field it waits for them for ``rejoinDuration`` after the dice inside have come to rest, and
  /// without any of those until the dice outside lie still.
  var isAwaitingDice: Bool {
    var latest: Int64 = -1
    for track in tracks
    where track.stage == .confirmed && !track.isOutside && track.tookPart && track.isStill {
      latest = max(latest, track.restTime)
    }
    let isPatient = latest < 0 || clock.own - latest < Self.rejoinDuration
    for track in tracks where !track.isOutside || isPatient {
      if track.stage == .tentative, track.isNewcomer { return true }
      if track.stage == .confirmed, track.isOutside, track.tookPart, !track.isStill,
        isInView(track)
      {
        return true
      }
    }
    return false
  }

  func isInView(_ track: Track) -> Bool {
    track.missedFrames <= 1 || clock.own - track.lastSeen <= 150_000_000
  }

  // MARK: - Places

  /// The box of a die in the latest frame: the mean since it came to rest.
  func box(of track: Track) -> BoundingBox {
    let first = track.firstRestingSample
    var (width, height) = (0.0, 0.0)
    for index in first..<track.samples.count {
      width += Double(track.samples[index].width)
      height += Double(track.samples[index].height)
    }
    let count = Double(track.samples.count - first)
    let latest = track.latest
    return BoundingBox(
      midX: (track.isStill ? track.anchorX : latest.x) + camera.offsetX,
      midY: (track.isStill ? track.anchorY : latest.y) + camera.offsetY,
      width: width / count, height: height / count)
  }

  /// Where a die stands; nil without a field.
  func place(of track: Track, _ box: BoundingBox) -> FieldPlace? {
    guard let field else { return nil }
    let foot = DieStance(topFace: box, on: field).foot
    let shares = field.shares(of: foot)
    return FieldPlace(
      foot: foot, isOutside: track.isOutside,
      isCocked: track.isStill && !track.isOutside
        && (track.isOverdue && track.decided < 0 || DieStance.isTilted(box, on: field)),
      centimeters: field.position(of: foot),
      fromPlayer: shares.map { (shares) in field.playerView(of: shares) })
  }
}

extension Track {
  /// Whether a die counts on the table: it is inside the field, or belongs to the roll.
  var isOnTable: Bool { !isOutside || tookPart }

  /// Whether a box was just seen that may become a die.
  var isNewcomer: Bool { missedFrames <= (hits >= 2 ? 1 : 0) }
}

extension TrackedDie {
  /// Whether the die stands outside the field; false without a field.
  public var isOutside: Bool { place?.isOutside ?? false }
  /// Whether the die does not seem to lie flat on the field; false without a field.
  public var isCocked: Bool { place?.isCocked ?? false }

  /// Whether a die comes before another one in a roll.
  ///
  /// From left to right as the player sees the field, the farther one first; without a field, from left to
  /// right in the picture, the upper one first. Dice beyond the horizon come last.
  func precedes(_ other: TrackedDie) -> Bool {
    let (own, others) = (place?.fromPlayer, other.place?.fromPlayer)
    if let own, let others {
      if own.x != others.x { return own.x < others.x }
      if own.y != others.y { return own.y > others.y }
      return identifier < other.identifier
    }
    if (own == nil) != (others == nil) { return own != nil }
    if boundingBox.midX != other.boundingBox.midX {
      return boundingBox.midX < other.boundingBox.midX
    }
    if boundingBox.midY != other.boundingBox.midY {
      return boundingBox.midY < other.boundingBox.midY
    }
    return identifier < other.identifier
  }
}
