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
  /// 10 more for each second unseen, up to 1.5; another one 30 for each second, up to 8.
  mutating func associate() {
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
      let reach =
        size * (tracks[index].isStill ? min(0.7 + 10 * absence, 1.5) : min(0.7 + 30 * absence, 8))
      let x = center.x + camera.offsetX
      let y = center.y + camera.offsetY
      let box = BoundingBox(
        midX: x, midY: y, width: Double(latest.width), height: Double(latest.height))
      for candidate in scratch.candidates {
        let distance = length(candidate.centerX - x, candidate.centerY - y)
        let ratio = max(candidate.size, size) / min(candidate.size, size)
        guard distance <= reach, ratio <= configuration.maximumSizeRatio else {
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
    let x = candidate.centerX - camera.offsetX
    let y = candidate.centerY - camera.offsetY
    for index in tracks.indices where tracks[index].stage == .dormant {
      let latest = tracks[index].latest
      let size = Double(latest.size)
      let ratio = max(candidate.size, size) / min(candidate.size, size)
      guard length(x - tracks[index].anchorX, y - tracks[index].anchorY) <= 0.3 * size,
        ratio <= 1.25, candidate.top == latest.top, dieCount < configuration.maximumDiceCount
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
        // Owners are places in the list; those behind the gap move up.
        tracks.remove(at: index)
        for place in scratch.owners.indices where scratch.owners[place] > index {
          scratch.owners[place] -= 1
        }
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
    reportedUnsettled = false
  }
}
