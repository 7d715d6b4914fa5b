internal import DiceGeometry
internal import DiceNumerics

extension RollTracker {
  /// Gives each candidate to a track, or to none.
  ///
  /// The cost of a pair, with `d` the distance of the centres, `g` the reach of the track, `o` the
  /// intersection over union, `r` the ratio of the sizes, larger to smaller:
  ///
  ///     0.5 d / g + 0.25 (1 − o) + 0.15 (r − 1) / (maximumSizeRatio − 1) + 0.1 [another value is read]
  ///
  /// Pairs with `d > g` or `r` above the maximum are never made. A still die reaches 0.7 sizes and
  /// 10 more for each second unseen, up to 1.5, and so does one that moved slowly in three observations or more; another
  /// one 30 for each second, up to 8.
  ///
  /// Where all dice were out of view, one that lay still is only taken for the same with the value that it
  /// had, within half a size of where it lay, and 1.5 more for each second where the camera's motion is not
  /// given: elsewhere, or with another value, it is a new die.
  mutating func associate(_ frame: Frame) {
    let wereOutOfView = areOutOfView
    scratch.rows.removeAll(keepingCapacity: true)
    for index in tracks.indices where tracks[index].stage != .dormant { scratch.rows.append(index) }
    scratch.owners.removeAll(keepingCapacity: true)
    for _ in scratch.candidates { scratch.owners.append(-1) }
    guard !scratch.rows.isEmpty, !scratch.candidates.isEmpty else { return }
    scratch.assignment.costs.removeAll(keepingCapacity: true)
    for index in scratch.rows {
      let center = tracks[index].predictedCenter(at: clock.own)
      let latest = tracks[index].latest
      let size = Double(latest.size)
      let absence = seconds(clock.own - tracks[index].lastSeen)
      let isSlow = tracks[index].isStill || tracks[index].isKnownAsSlow
      let reach = size * (isSlow ? min(0.7 + 10 * absence, 1.5) : min(0.7 + 30 * absence, 8))
      let x = center.x + camera.offsetX
      let y = center.y + camera.offsetY
      let box = BoundingBox(
        midX: x, midY: y, width: Double(latest.width), height: Double(latest.height))
      for candidate in scratch.candidates {
        let distance = length(candidate.centerX - x, candidate.centerY - y)
        let ratio = max(candidate.size, size) / min(candidate.size, size)
        guard distance <= reach, ratio <= configuration.maximumSizeRatio,
          !(wereOutOfView && tracks[index].isStill)
            || isInPlace(
              candidate, tracks[index], within: 0.5 + (frame.isCameraGiven ? 0 : 1.5 * absence))
        else {
          scratch.assignment.costs.append(Assignment.unmatchedCost)
          continue
        }
        var cost = 0.5 * distance / reach
        cost += 0.25 * (1 - box.intersectionOverUnion(with: candidate.box))
        cost += 0.15 * (ratio - 1) / (configuration.maximumSizeRatio - 1)
        if candidate.top != latest.top { cost += 0.1 }
        scratch.assignment.costs.append(cost)
      }
    }
    let columnCount = scratch.candidates.count
    scratch.assignment.solve(rowCount: scratch.rows.count, columnCount: columnCount)
    for row in scratch.rows.indices where scratch.assignment.columns[row] >= 0 {
      scratch.owners[scratch.assignment.columns[row]] = scratch.rows[row]
    }
    forgetDoubles()
  }

  /// Drops what was taken for a new die while a die that is seen again in the same place was out of view.
  private mutating func forgetDoubles() {
    for index in tracks.indices.reversed() where tracks[index].stage == .tentative {
      let place = tracks[index].samples[0]
      let isDouble = scratch.owners.contains { (owner) in
        guard owner >= 0, tracks[owner].isStill, tracks[owner].stage == .confirmed else {
          return false
        }
        let other = tracks[owner]
        return other.lastSeen < tracks[index].born
          && length(place.x - other.anchorX, place.y - other.anchorY) <= 0.3 * Double(place.size)
      }
      if isDouble { remove(index) }
    }
  }

  /// Removes a track; owners are places in the list, and those behind the gap move up.
  private mutating func remove(_ index: Int) {
    tracks.remove(at: index)
    for place in scratch.owners.indices where scratch.owners[place] >= index {
      scratch.owners[place] = scratch.owners[place] == index ? -1 : scratch.owners[place] - 1
    }
  }

  func sample(_ candidate: Candidate) -> TrackSample {
    TrackSample(
      time: clock.own, x: candidate.centerX - camera.offsetX, y: candidate.centerY - camera.offsetY,
      width: Float(candidate.box.width), height: Float(candidate.box.height),
      size: Float(candidate.size), confidence: candidate.confidence, scores: candidate.scores,
      top: candidate.top)
  }

  /// How long samples are kept.
  var sampleSpan: Int64 {
    max(600_000_000, nanoseconds(configuration.minimumStillDuration) * 3 / 2)
  }

  mutating func addSamples(_ frame: inout Frame) {
    for index in tracks.indices where tracks[index].missedFrames < .max {
      tracks[index].missedFrames += 1
    }
    let span = sampleSpan
    for (place, index) in scratch.owners.enumerated() where index >= 0 {
      tracks[index].add(
        sample(scratch.candidates[place]), span: span, spacing: span / Int64(Track.capacity))
      tracks[index].missedFrames = 0
      tracks[index].lastSeen = clock.own
      tracks[index].hits = min(tracks[index].hits + 1, 1000)
    }
  }

  /// Makes tracks of the candidates that belong to none.
  mutating func addBirths(_ frame: inout Frame) {
    for place in scratch.candidates.indices where scratch.owners[place] < 0 {
      let candidate = scratch.candidates[place]
      guard !isDuplicate(candidate, at: place) else { continue }
      if revive(candidate, at: place, &frame) { continue }
      guard candidate.confidence >= configuration.minimumEntryConfidence else { continue }
      guard makeRoom() else { continue }
      var track = Track()
      track.identifier = nextIdentifier
      nextIdentifier &+= 1
      track.born = clock.own
      track.lastSeen = clock.own
      track.hits = 1
      track.samples.reserveCapacity(Track.capacity)
      track.samples.append(sample(candidate))
      track.wasBornOnEmptyTable =
        frame.cameraSpeed <= 2 * candidate.size && wasTableEmpty(at: clock.own)
      scratch.owners[place] = tracks.count
      tracks.append(track)
    }
  }

  /// Whether a candidate is a second box of a die that has one already.
  private func isDuplicate(_ candidate: Candidate, at place: Int) -> Bool {
    for other in scratch.candidates.indices where scratch.owners[other] >= 0 && other != place {
      let overlap = candidate.box.intersectionOverUnion(with: scratch.candidates[other].box)
      if overlap > configuration.duplicateOverlap { return true }
    }
    return false
  }

  /// Brings a die back that had left from the same place.
  private mutating func revive(
    _ candidate: Candidate, at place: Int, _ frame: inout Frame
  ) -> Bool {
    for index in tracks.indices where tracks[index].stage == .dormant {
      guard isInPlace(candidate, tracks[index], within: 0.3),
        dieCount < configuration.maximumDiceCount
      else { continue }
      tracks[index].stage = .confirmed
      tracks[index].samples.removeAll(keepingCapacity: true)
      tracks[index].samples.append(sample(candidate))
      tracks[index].lastSeen = clock.own
      tracks[index].missedFrames = 0
      tracks[index].depart(at: clock.own)
      scratch.owners[place] = index
      frame.entered.append(tracks[index].identifier)
      return true
    }
    return false
  }

  /// Whether a candidate lies where a die lay still, with the value that it had where that was known.
  private func isInPlace(
    _ candidate: Candidate, _ track: Track, within sizes: Double
  ) -> Bool {
    let size = track.wholeSize
    let x = candidate.centerX - camera.offsetX - track.anchorX
    let y = candidate.centerY - camera.offsetY - track.anchorY
    return length(x, y) <= sizes * size
      && max(candidate.size, size) <= 1.25 * min(candidate.size, size)
      && (track.decided < 0 || candidate.top == track.decided)
  }

  /// Whether there are dice, and none was seen in the last frame and for more than 0.1 s.
  private var areOutOfView: Bool {
    var isAny = false
    for track in tracks where track.stage == .confirmed {
      guard track.missedFrames > 0, clock.own - track.lastSeen > Self.absenceDuration else {
        return false
      }
      isAny = true
    }
    return isAny
  }

  /// How many dice are on the table.
  var dieCount: Int {
    var count = 0
    for track in tracks where track.stage == .confirmed { count += 1 }
    return count
  }

  /// Drops a track that matters least where there are too many; false where all matter.
  private mutating func makeRoom() -> Bool {
    guard tracks.count >= 2 * configuration.maximumDiceCount else { return true }
    for stage in [Track.Stage.dormant, .tentative] {
      for index in tracks.indices
      where tracks[index].stage == stage && tracks[index].missedFrames > 0 {
        remove(index)
        return true
      }
    }
    return false
  }

  /// Whether no die was seen for 0.2 s, but for those that came within the last 0.5 s.
  private func wasTableEmpty(at time: Int64) -> Bool {
    guard time - clock.begin >= 200_000_000,
      lastOccupied < 0 || time - lastOccupied >= 200_000_000
    else { return false }
    for track in tracks where track.stage == .confirmed && !(track.isOutside && track.isStill) {
      let isCompanion = track.wasBornOnEmptyTable && time - track.born <= 500_000_000
      guard isCompanion || time - track.lastSeen >= 200_000_000 else { return false }
    }
    return true
  }
}

extension Track {
  /// Whether the die was seen often enough to show that it does not fly, as three observations would.
  var isKnownAsSlow: Bool { hits >= 3 && pace == .slow }

  /// Leaves the place where the die lay.
  mutating func depart(at time: Int64) {
    originX = anchorX
    originY = anchorY
    departed = time
    isStill = false
    isDisplaced = false
    pace = .slow
    decided = -1
    undecidedSince = -1
    isOverdue = false
  }
}
