internal import DiceNumerics

extension RollTracker {
  /// Dice that come or are thrown so soon after the end belong to that roll.
  static let rejoinDuration: Int64 = 700_000_000
  /// How long dice are out of view before what comes elsewhere, or with another value, is a new die.
  static let absenceDuration: Int64 = 100_000_000
  /// How long a roll waits for its dice to come into view again.
  static let flightDuration: Int64 = 1_500_000_000
  /// How long after a die has left it may come back.
  static let returnDuration: Int64 = 4_000_000_000

  // MARK: - Leaving

  mutating func removeLost(_ frame: inout Frame) {
    let lost = nanoseconds(configuration.lostDuration)
    let areReplaced = phase != .rolling && isReplacing
    for index in tracks.indices where tracks[index].missedFrames > 0 {
      let absence = clock.own - tracks[index].lastSeen
      let limit = areReplaced ? 0 : tracks[index].isStill ? lost : lost / 7 * 3
      guard tracks[index].stage == .confirmed, absence >= limit, tracks[index].missedFrames >= 2
      else { continue }
      frame.left.append(die(tracks[index]))
      lastOccupied = max(lastOccupied, tracks[index].lastSeen)
      tracks[index].stage = .dormant
    }
    let own = clock.own
    tracks.removeAll { (track) in
      let absence = own - track.lastSeen
      switch track.stage {
      case .tentative: return track.missedFrames >= 2 && absence >= 100_000_000
      case .confirmed: return false
      // What left in motion does not come back to its place.
      case .dormant: return !track.isStill || absence >= Self.returnDuration + lost
      }
    }
  }

  /// Whether all dice had been out of view when another one came that will soon count.
  ///
  /// It was taken for none of them: they have left.
  private var isReplacing: Bool {
    for newcomer in tracks
    where newcomer.stage == .tentative && newcomer.lastSeen == clock.own
      && Int(newcomer.hits) >= configuration.confirmationObservations - 1
    {
      let areGone = tracks.allSatisfy { (track) in
        track.stage != .confirmed
          || (newcomer.born - track.lastSeen > Self.absenceDuration && track.missedFrames >= 3)
      }
      if areGone { return true }
    }
    return false
  }

  // MARK: - Reports on single dice

  mutating func reportTracks(_ frame: inout Frame) {
    let distance = configuration.cameraMoveDistance
    if length(camera.movedX, camera.movedY) >= distance {
      frame.events.append(.cameraMoved(x: camera.movedX, y: camera.movedY))
      camera.movedX = 0
      camera.movedY = 0
    }
    var count = dieCount
    for index in tracks.indices where tracks[index].lastSeen == clock.own {
      guard tracks[index].stage == .tentative, count < configuration.maximumDiceCount,
        Int(tracks[index].hits) >= configuration.confirmationObservations
      else { continue }
      tracks[index].stage = .confirmed
      count += 1
      frame.entered.append(tracks[index].identifier)
      let isLate = phase == .ended && tracks[index].born - rollEnd <= Self.rejoinDuration
      tracks[index].tookPart = phase == .rolling || isLate
      tracks[index].needsRevision = isLate
    }
    for identifier in frame.departed {
      guard let index = index(of: identifier) else { continue }
      if phase == .rolling { tracks[index].tookPart = true }
      // Outside the field nothing counts but that a die comes in.
      if phase == .ended, !tracks[index].isOutside {
        tracks[index].needsRevision = isInResult(identifier)
      }
    }
    findValues(&frame)
    for die in dice(frame.entered) { frame.events.append(.dieEntered(die)) }
    for die in dice(frame.departed) { frame.events.append(.dieMoved(die)) }
    Self.sortFromLeftToRight(&frame.left)
    for die in frame.left { frame.events.append(.dieLeft(die)) }
  }

  private mutating func findValues(_ frame: inout Frame) {
    let limit = nanoseconds(configuration.unsettledDuration)
    for index in tracks.indices where tracks[index].stage == .confirmed {
      let isUnsettled = tracks[index].findValue(
        at: clock.own, limit: limit, margin: configuration.valueMargin,
        count: configuration.minimumStillObservations)
      if isUnsettled { frame.unsettled.append(tracks[index].identifier) }
    }
  }

  private func dice(_ identifiers: [UInt64]) -> [TrackedDie] {
    guard !identifiers.isEmpty else { return [] }
    var result: [TrackedDie] = []
    for identifier in identifiers {
      if let index = index(of: identifier) { result.append(die(tracks[index])) }
    }
    Self.sortFromLeftToRight(&result)
    return result
  }

  private func index(of identifier: UInt64) -> Int? {
    for index in tracks.indices where tracks[index].identifier == identifier { return index }
    return nil
  }

  func isInResult(_ identifier: UInt64) -> Bool {
    guard let lastRoll else { return false }
    for die in lastRoll.dice where die.identifier == identifier { return true }
    for die in lastRoll.outside where die.identifier == identifier { return true }
    return false
  }

  // MARK: - Rolls

  mutating func followRoll(_ frame: inout Frame) {
    startRoll(&frame)
    for die in dice(frame.unsettled) { frame.events.append(.unsettled(die)) }
    switch phase {
    case .idle: break
    case .rolling: endRoll(&frame)
    case .ended: reviseRoll(&frame)
    }
    let isRolling = phase == .rolling
    if !isRolling, frame.hadDice || phase != .idle, tableCount == 0 {
      phase = .idle
      lastRoll = nil
      frame.events.append(.cleared)
    }
  }

  private mutating func startRoll(_ frame: inout Frame) {
    findBatch()
    let flung = flungCount
    var start = Int64.max
    let isRevision = phase == .ended && clock.own - rollEnd <= Self.rejoinDuration
    for index in tracks.indices where tracks[index].stage == .confirmed {
      guard isThrown(tracks[index], flung: flung, frame) else { continue }
      start = min(start, max(tracks[index].departed, tracks[index].born))
      // A throw counts once.
      tracks[index].pace = .slow
      tracks[index].wasBornOnEmptyTable = false
      if isRevision { tracks[index].needsRevision = true }
      if isRevision || phase == .rolling { tracks[index].tookPart = true }
    }
    guard start < .max, phase != .rolling, !isRevision else { return }
    phase = .rolling
    lastRoll = nil
    rollStart = clock.realTime(start)
    for index in tracks.indices {
      let began = max(tracks[index].departed, tracks[index].born)
      tracks[index].tookPart = began >= start - 500_000_000 || !tracks[index].isStill
      tracks[index].needsRevision = false
    }
    frame.events.append(.rollStarted(at: .nanoseconds(rollStart)))
  }

  /// Whether a die is thrown, by the rules that ``RollTracker`` tells.
  private func isThrown(_ track: Track, flung: Int, _ frame: Frame) -> Bool {
    if !configuration.requiresMotion {
      let isNew = frame.entered.contains(track.identifier) && track.departed < 0
      if isNew || frame.departed.contains(track.identifier) { return true }
    }
    if track.departed < 0 {
      // The roll that it belongs to ended while it still moved outside the field.
      if phase == .ended, track.isOutside, isInResult(track.identifier) { return false }
      return track.pace != .slow || isWithOthers(track) || stoppedOnEmptyTable(track)
    }
    return track.isInFlight(at: clock.own) && (track.pace == .flung || flung >= 2)
  }

  /// Whether a die has come to an empty table that was seen for 0.2 s, alone or with others within 0.5 s,
  /// and stopped between two frames.
  private func stoppedOnEmptyTable(_ track: Track) -> Bool {
    guard !track.tookPart, track.born - clock.begin >= 200_000_000,
      lastOccupied < 0 || track.born - lastOccupied >= 200_000_000,
      track.stoppedAtOnce(distance: 0.25, speed: configuration.throwSpeed)
    else { return false }
    for other in tracks where other.stage == .confirmed && other.born < track.born - 500_000_000 {
      return false
    }
    return true
  }

  /// Puts the sizes of all dice of a batch into the scratch memory.
  private mutating func findBatch() {
    scratch.first.removeAll(keepingCapacity: true)
    for track in tracks where track.stage == .confirmed && isInBatch(track) {
      scratch.first.append(track.wholeSize)
    }
  }

  /// Whether a die is one of a batch, with another one that may be its like: a box that is much larger or smaller
  /// is something else.
  private func isWithOthers(_ track: Track) -> Bool {
    guard scratch.first.count >= 2, isInBatch(track) else { return false }
    let own = track.wholeSize
    let count = scratch.first.count { (size) in
      max(size, own) <= configuration.maximumSizeRatio * min(size, own)
    }
    return count >= 2
  }

  /// Whether a die came into view on an empty table a short time ago, and not where one with its value had left.
  @inline(never)
  private func isInBatch(_ track: Track) -> Bool {
    guard track.wasBornOnEmptyTable, track.departed < 0,
      clock.own - track.born <= 1_500_000_000
    else { return false }
    for other in tracks where other.stage == .dormant && other.isSucceeded(by: track) {
      return false
    }
    return true
  }

  private var flungCount: Int {
    var count = 0
    for track in tracks where track.stage == .confirmed && track.isInFlight(at: clock.own) {
      count += 1
    }
    return count
  }

  private mutating func endRoll(_ frame: inout Frame) {
    var lastSeen: Int64 = -1
    var participantCount = 0
    var outsideCount = 0
    for track in tracks where track.stage == .confirmed && track.tookPart {
      participantCount += 1
      if track.isOutside { outsideCount += 1 }
      lastSeen = max(lastSeen, track.lastSeen)
    }
    guard participantCount > 0 else {
      guard clock.own - max(lastOccupied, 0) >= Self.flightDuration else { return }
      phase = .idle
      if dieCount > 0 { frame.events.append(.rollAbandoned) } else { frame.hadDice = true }
      return
    }
    guard !isAwaitingDice, isAllReadable(where: { (_) in true }) else { return }
    let count = tableCount
    guard configuration.expectedDiceCount ?? count == count else { return }
    let dice = dice
    var result = Roll(
      number: rollCount + 1, dice: dice.filter { (die) in !die.isOutside },
      outside: dice.filter { (die) in die.isOutside }, startTime: .nanoseconds(rollStart),
      restTime: .zero, endTime: .nanoseconds(clock.real))
    let hasDiceInside = participantCount > outsideCount
    var rest = rollStart
    for index in tracks.indices where tracks[index].stage == .confirmed {
      let counts = tracks[index].tookPart && !(hasDiceInside && tracks[index].isOutside)
      if counts, tracks[index].isStill { rest = max(rest, clock.realTime(tracks[index].restTime)) }
      tracks[index].pace = .slow
      tracks[index].wasBornOnEmptyTable = false
      tracks[index].needsRevision = false
    }
    result.restTime = .nanoseconds(rest)
    rollCount += 1
    rollEnd = clock.own
    phase = .ended
    lastRoll = result
    frame.events.append(.rollEnded(result))
  }

  private mutating func reviseRoll(_ frame: inout Frame) {
    guard var result = lastRoll else { return }
    var isRevised = false
    for track in tracks where track.stage == .confirmed {
      if track.needsRevision { isRevised = true }
      guard track.decided >= 0, track.isStill, !track.isOutside else { continue }
      for die in result.dice where die.identifier == track.identifier {
        let face = faces[Int(track.decided)]
        if die.value != face.value || die.kind != face.kind { isRevised = true }
      }
    }
    guard isRevised, !hasNewcomer,
      isAllReadable(where: { (track) in track.needsRevision || isInResult(track.identifier) })
    else { return }
    var rest = nanoseconds(result.restTime)
    for index in tracks.indices where tracks[index].stage == .confirmed {
      let identifier = tracks[index].identifier
      guard tracks[index].needsRevision || isInResult(identifier) else { continue }
      if tracks[index].needsRevision {
        rest = max(rest, clock.realTime(tracks[index].restTime))
        tracks[index].needsRevision = false
        tracks[index].pace = .slow
      }
      let die = die(tracks[index])
      result.dice.removeAll { (other) in other.identifier == identifier }
      result.outside.removeAll { (other) in other.identifier == identifier }
      if die.isOutside { result.outside.append(die) } else { result.dice.append(die) }
    }
    arrange(&result.dice)
    arrange(&result.outside)
    result.restTime = .nanoseconds(rest)
    result.endTime = .nanoseconds(clock.real)
    lastRoll = result
    frame.events.append(.resultRevised(result))
  }

  /// Sorts dice from left to right, and leaves out those that are too many.
  @inline(never)
  private func arrange(_ dice: inout [TrackedDie]) {
    Self.sortFromLeftToRight(&dice)
    dice.removeLast(max(dice.count - configuration.maximumDiceCount, 0))
  }

  /// Whether something is in view that may become one more die.
  private var hasNewcomer: Bool {
    tracks.contains { (track) in
      track.stage == .tentative && track.isNewcomer && !track.isOutside
    }
  }

  /// Whether all those dice lie still, are in view and are read.
  ///
  /// A die outside the field need not be read, and only lie still where it has moved since the result.
  private func isAllReadable(where condition: (Track) -> Bool) -> Bool {
    for track in tracks where track.stage == .confirmed && condition(track) {
      if track.isOutside {
        guard track.isStill || !track.needsRevision else { return false }
        continue
      }
      guard track.isStill, !track.isDisplaced, track.decided >= 0, isInView(track) else {
        return false
      }
    }
    return true
  }
}

extension Track {
  /// Whether a die that lay still may be this other one, which came within the time for a return.
  ///
  /// That has its value and its size, and lies within one size: on a plain table nothing but dice tells that the camera
  /// has moved.
  func isSucceeded(by other: Track) -> Bool {
    decided == other.latest.top && isFollowed(by: other, within: 1)
  }

  /// Whether another die has come, with any value, where this one lay still.
  func hasPlace(of other: Track) -> Bool { isFollowed(by: other, within: 0.3) }

  private func isFollowed(by other: Track, within sizes: Double) -> Bool {
    let later = other.latest
    let (before, now) = (wholeSize, other.wholeSize)
    return isStill && other.born - lastSeen <= RollTracker.returnDuration
      && length(later.x - anchorX, later.y - anchorY) <= sizes * before
      && max(before, now) <= 1.25 * min(before, now)
  }

  /// Whether the die left its place fast, a short time ago, and is still in view.
  func isInFlight(at time: Int64) -> Bool {
    departed >= 0 && pace != .slow && lastSeen == time
      && (200_000_000...1_500_000_000).contains(time - departed)
  }
}
