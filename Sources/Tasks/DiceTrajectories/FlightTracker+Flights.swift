extension FlightTracker {
  /// Makes flights of the paths that pass, the one with the most evidence first.
  mutating func confirmPaths() {
    while let best = bestFlight(), var flight = spareFlights.popLast() {
      flight.sightings.append(contentsOf: paths[best.index].sightings)
      flight.fit = paths[best.index].fit
      flight.radius = paths[best.index].radius
      flight.score = best.score
      flight.identity = nextIdentity
      nextIdentity += 1
      flight.hasNews = true
      extendBackwards(&flight, isNew: true)
      Self.refit(&flight, &buffer, isFlight: true)
      takeBlobs(of: flight)
      flights.append(flight)
      // What shares its blobs is no flight of its own.
      for index in paths.indices.reversed() where isTaken(index) { dropPath(index) }
    }
  }

  /// Gives flights that have lost their thing the paths that go on where they left off, so that one that was
  /// hidden, or missed before a ground of its own brightness, stays one flight.
  mutating func joinPaths() {
    for index in flights.indices where flights[index].missedInARow > 1 && !flights[index].isOver {
      guard let path = paths.indices.first(where: { goesOn($0, from: index) }) else { continue }
      for sighting in paths[path].sightings
      where flights[index].sightings.count < Self.sightingLimit {
        flights[index].sightings.append(sighting)
        if isRemembered(sighting) {
          blobs[sighting.frame % Self.memory][sighting.index].owner = flights[index].identity
        }
      }
      flights[index].missedInARow = 0
      flights[index].hasNews = true
      Self.refit(&flights[index], &buffer, isFlight: true)
      for other in paths.indices.reversed() where isTaken(other) { dropPath(other) }
    }
  }

  /// Whether a path and the last part of a flight before it are one way.
  private mutating func goesOn(_ path: Int, from flight: Int) -> Bool {
    guard paths[path].missedInARow == 0, paths[path].sightings.count >= 4,
      paths[path].evidence > 4, let last = flights[flight].sightings.last,
      paths[path].sightings[0].frame > last.frame
    else { return false }
    let ratio = paths[path].radius / flights[flight].radius
    guard ratio > 0.5, ratio < 2 else { return false }
    buffer.removeAll(keepingCapacity: true)
    for sighting in flights[flight].sightings.suffix(40) where last.time - sighting.time < 0.8 {
      buffer.append(Self.point(sighting))
    }
    for sighting in paths[path].sightings { buffer.append(Self.point(sighting)) }
    guard
      let fit = FlightFit(
        buffer, expectedGravity: 110 * flights[flight].radius, testsGravity: false)
    else { return false }
    return fit.sum < 2 * Double(2 * buffer.count - 6)
  }

  /// Whether a path has enough that speaks for it to be weighed.
  func isCandidate(_ index: Int) -> Bool {
    paths[index].missedInARow == 0 && paths[index].sightings.count >= rules.leastSightings
      && paths[index].evidence > 5
  }

  private func bestFlight() -> (index: Int, score: Double)? {
    var best: (index: Int, score: Double)?
    var most = -Double.infinity
    for index in paths.indices where isCandidate(index) && paths[index].evidence > most {
      guard let verdict = FlightVerdict(paths[index], of: self),
        verdict.isPlausible,
        verdict.score > rules.threshold
      else { continue }
      best = (index, verdict.score)
      most = paths[index].evidence
    }
    return best
  }

  private func isRemembered(_ sighting: Sighting) -> Bool {
    sighting.frame > frame - Self.memory
  }

  private func isTaken(_ index: Int) -> Bool {
    var taken = 0
    for sighting in paths[index].sightings
    where isRemembered(sighting)
      && blobs[sighting.frame % Self.memory][sighting.index].owner != 0
    {
      taken += 1
    }
    return 3 * taken >= paths[index].sightings.count || taken >= 3
  }

  /// Takes what is found of a flight's beginning now that more of it is known.
  mutating func findBeginning(_ index: Int) {
    guard flights[index].sightings.count <= Self.fitLimit else { return }
    // Taken out meanwhile, so that nobody else holds its memory.
    var flight = Path(capacity: 0)
    swap(&flight, &flights[index])
    let isLonger = extendBackwards(&flight, isNew: false)
    swap(&flight, &flights[index])
    guard isLonger else { return }
    takeBlobs(of: flights[index])
    Self.refit(&flights[index], &buffer, isFlight: true)
  }

  private mutating func takeBlobs(of flight: Path) {
    for sighting in flight.sightings where isRemembered(sighting) {
      blobs[sighting.frame % Self.memory][sighting.index].owner = flight.identity
    }
  }

  /// How long a flight may be for its beginning to be looked for, in seconds: its fit is to all of it then.
  private static let longestBeginning = 0.8
  /// How long a thing may have been missed for what was before to be found, in seconds.
  private static let longestGap = 0.25

  /// Takes blobs of earlier frames that lie on a path, continued backwards by no more than it is long.
  ///
  /// With each further sighting the path is better known, and more of its beginning is found.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  func extendBackwards(_ path: inout Path, isNew: Bool) -> Bool {
    guard let fit = path.fit, let first = path.sightings.first, let last = path.sightings.last,
      last.time - first.time < Self.longestBeginning
    else { return false }
    let reach = isNew ? 0.4 : min(0.4, last.time - first.time)
    let count = path.sightings.count
    var earlier = first.frame - 1
    var seen = first.time
    /// The frames missed since the last sighting, and the sightings since a gap, until they are enough.
    var (missed, unsure, needed) = (0, 0, 1)
    while earlier >= 0, earlier > frame - Self.memory, path.sightings.count < Self.sightingLimit {
      let slot = earlier % Self.memory
      guard first.time - times[slot] < reach, seen - times[slot] < Self.longestGap,
        let place = fit.place(at: times[slot])
      else { break }
      if let index = blob(near: place, of: path, slot: slot) {
        path.sightings.insert(sighting(index, slot: slot, frame: earlier), at: 0)
        if missed > 0, unsure == 0 { needed = isNew ? 1 : missed > 3 ? 3 : 2 }
        unsure = missed > 0 ? unsure + 1 : 0
        if unsure >= needed || missed == 0 { (seen, missed, unsure) = (times[slot], 0, 0) }
      } else if isNew && missed == 3 {
        break
      } else {
        // Too few in a row: by chance.
        path.sightings.removeFirst(unsure)
        missed += 1 + unsure
        unsure = 0
      }
      earlier -= 1
    }
    path.sightings.removeFirst(unsure)
    return path.sightings.count > count
  }

  /// The free blob of a frame that is nearest to a place where a path's thing should be.
  private func blob(near place: (x: Double, y: Double), of path: Path, slot: Int) -> Int? {
    let gate = 1.2 + 0.35 * path.radius
    var best: (index: Int, distance: Double)?
    for index in blobs[slot].indices where blobs[slot][index].owner == 0 {
      let blob = blobs[slot][index]
      let (x, y) = (blob.x - place.x, blob.y - place.y)
      let distance = (x * x + y * y).squareRoot()
      let ratio = blob.area / max(path.radius * path.radius * .pi, 1)
      guard distance < gate, ratio > 0.25, ratio < 4, distance < best?.distance ?? .infinity else {
        continue
      }
      best = (index, distance)
    }
    return best?.index
  }
}
