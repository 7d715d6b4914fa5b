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
      extendBackwards(&flight)
      Self.refit(&flight, &buffer, isFlight: true)
      for sighting in flight.sightings where isRemembered(sighting) {
        blobs[sighting.frame % Self.memory][sighting.index].owner = flight.identity
      }
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

  private func bestFlight() -> (index: Int, score: Double)? {
    var best: (index: Int, score: Double)?
    var most = -Double.infinity
    for index in paths.indices
    where paths[index].missedInARow == 0 && paths[index].evidence > most
      && paths[index].sightings.count >= rules.leastSightings && paths[index].evidence > 5
    {
      guard let verdict = FlightVerdict(paths[index], activity, frame: frame, side: side),
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

  /// Takes blobs of earlier frames that lie on a path.
  private mutating func extendBackwards(_ path: inout Path) {
    guard let fit = path.fit, let first = path.sightings.first else { return }
    var earlier = first.frame - 1
    var missed = 0
    while earlier >= 0, earlier > frame - Self.memory, missed < 4 {
      let slot = earlier % Self.memory
      guard first.time - times[slot] < 0.4, let place = fit.place(at: times[slot]) else { return }
      let gate = 1.2 + 0.35 * path.radius
      var best: (Int, Double)?
      for index in blobs[slot].indices where blobs[slot][index].owner == 0 {
        let blob = blobs[slot][index]
        let (x, y) = (blob.x - place.x, blob.y - place.y)
        let distance = (x * x + y * y).squareRoot()
        let ratio = blob.area / max(path.radius * path.radius * .pi, 1)
        guard distance < gate, ratio > 0.25, ratio < 4, distance < best?.1 ?? .infinity else {
          continue
        }
        best = (index, distance)
      }
      if let best {
        path.sightings.insert(sighting(best.0, slot: slot, frame: earlier), at: 0)
        missed = 0
      } else {
        missed += 1
      }
      earlier -= 1
    }
  }
}
