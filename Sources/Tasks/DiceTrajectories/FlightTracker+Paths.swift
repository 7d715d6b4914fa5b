internal import DiceNumerics

extension FlightTracker {
  /// Adds a sighting of the last frame.
  static func append(_ sighting: Sighting, to path: inout Path) {
    path.sightings.append(sighting)
    path.missedInARow = 0
  }

  /// A blob of a remembered frame as a sighting.
  func sighting(_ index: Int, slot: Int, frame: Int) -> Sighting {
    let blob = blobs[slot][index]
    return Sighting(
      frame: frame, time: times[slot], index: index, x: blob.x, y: blob.y, radius: blob.radius,
      mass: blob.mass, sign: blob.sign, peak: blob.peak, extent: blob.extent,
      density: blob.density, shift: shifts[slot])
  }

  /// How far a blob's middle lies from the thing's, by experience.
  static func deviation(radius: Double) -> Double { 0.35 + 0.1 * radius }

  /// A sighting as a point to fit.
  static func point(_ sighting: Sighting) -> FlightFit.Point {
    FlightFit.Point(
      time: sighting.time, x: sighting.x, y: sighting.y,
      deviation: deviation(radius: sighting.radius))
  }

  /// How many sightings a path is fitted to.
  static let fitLimit = 40

  /// Fits a path to its last sightings: 40, and of a flight those of the last 0.8 seconds.
  static func refit(
    _ path: inout Path, _ buffer: inout [FlightFit.Point], isFlight: Bool
  ) {
    buffer.removeAll(keepingCapacity: true)
    let last = path.sightings[path.sightings.count - 1].time
    var radius = 0.0
    let start = max(0, path.sightings.count - fitLimit)
    for index in start..<path.sightings.count {
      let sighting = path.sightings[index]
      guard !isFlight || last - sighting.time < 0.8 else { continue }
      buffer.append(point(sighting))
      radius += sighting.radius
    }
    path.radius = radius / Double(buffer.count)
    path.fit = FlightFit(
      buffer, expectedGravity: 110 * path.radius, testsGravity: !isFlight && buffer.count > 4)
  }

  /// The blob of this frame that continues a path best.
  func candidate(for path: Path) -> Int? {
    let slot = frame % Self.memory
    let time = times[slot]
    guard let fit = path.fit, let place = fit.place(at: time),
      let last = path.sightings.last
    else { return nil }
    let velocity = fit.velocity(at: time)
    let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
    let ahead = time - last.time
    let few = path.sightings.count < 6 ? 2.0 : 1.0
    // What is known to fly is allowed more: a ground of its own brightness hides a part of it.
    let wide = path.identity > 0 ? 1.4 : 1.0
    let gate =
      wide * (1.2 + 0.35 * path.radius + min(0.06 * few * speed * ahead, 0.02 * side))
    var best: (index: Int, cost: Double)?
    for index in blobs[slot].indices {
      let blob = blobs[slot][index]
      guard blob.owner == 0 else { continue }
      let (x, y) = (blob.x - place.x, blob.y - place.y)
      let distance = (x * x + y * y).squareRoot()
      guard distance < gate else { continue }
      let ratio = blob.area / max(path.radius * path.radius * .pi, 1)
      guard ratio > 0.2, ratio < 5 else { continue }
      let cost = distance / gate + 0.3 * abs(ratio > 1 ? ratio - 1 : 1 / ratio - 1)
      if cost < best?.cost ?? .infinity { best = (index, cost) }
    }
    return best?.index
  }

  mutating func grow(_ index: Int) {
    if let found = candidate(for: paths[index]) {
      Self.append(
        sighting(found, slot: frame % Self.memory, frame: frame), to: &paths[index])
      Self.refit(&paths[index], &buffer, isFlight: false)
      Self.weigh(&paths[index])
    } else {
      paths[index].missed += 1
      paths[index].missedInARow += 1
      paths[index].evidence -= 1.2
    }
  }

  /// The evidence for a path.
  static func weigh(_ path: inout Path) {
    guard let fit = path.fit else { return }
    var evidence = -1.2 * Double(path.missed)
    for sighting in path.sightings {
      guard let place = fit.place(at: sighting.time) else { continue }
      let deviation = FlightTracker.deviation(radius: sighting.radius)
      let (x, y) = ((place.x - sighting.x) / deviation, (place.y - sighting.y) / deviation)
      // Chance: blobs as dense as around this one, and some more anywhere.
      let chance = sighting.density + 2e-4
      let area = 2 * .pi * deviation * deviation
      let ratio = 0.8 / (area * chance)
      evidence += max(-3, min(4.5, naturalLogarithm(ratio)) - (x * x + y * y) / 2)
    }
    // Three sightings are met by a path of six numbers, whatever they are.
    let count = Double(path.sightings.count)
    path.evidence = evidence * (count - 2.5) / count
  }

  mutating func removeLostPaths() {
    for index in paths.indices.reversed() where isLost(index) { dropPath(index) }
  }

  private func isLost(_ index: Int) -> Bool {
    paths[index].fit == nil || paths[index].missedInARow > 3 || paths[index].evidence < -6
      || Double(paths[index].missed) > 0.5 * Double(paths[index].sightings.count) + 1
      || paths[index].sightings.count > Self.pathSightingLimit
  }

  /// Starts paths with blobs of this frame and the two before.
  mutating func startPaths() {
    guard frame >= 2 else { return }
    let (now, before, first) = (
      frame % Self.memory, (frame - 1) % Self.memory, (frame - 2) % Self.memory
    )
    let late = times[now] - times[before]
    let early = times[before] - times[first]
    guard late > 0, early > 0, late < 0.25, early < 0.25 else { return }
    let (slowest, fastest) = (0.1 * side * late, min(5 * side * late, 0.2 * side))
    for last in blobs[now].indices where blobs[now][last].owner == 0 {
      let end = blobs[now][last]
      for middle in blobs[before].indices where blobs[before][middle].owner == 0 {
        let mid = blobs[before][middle]
        let (x, y) = (end.x - mid.x, end.y - mid.y)
        let distance = (x * x + y * y).squareRoot()
        guard distance >= slowest, distance <= fastest, Self.areAlike(end, mid) else { continue }
        let share = early / late
        // The gravity's own part, of a thing of a tenth of a metre.
        let fall = 55 * mid.radius * early * (early + late)
        let (expectedX, expectedY) = (mid.x - x * share, mid.y - y * share + fall)
        let gate = 1.2 + 0.2 * mid.radius + 0.15 * distance * share
        for start in blobs[first].indices where blobs[first][start].owner == 0 {
          let begin = blobs[first][start]
          let (dx, dy) = (begin.x - expectedX, begin.y - expectedY)
          guard dx * dx + dy * dy < gate * gate, Self.areAlike(begin, mid) else { continue }
          guard !isKnown(last, middle) else { continue }
          add(start, middle, last)
        }
      }
    }
  }

  static func areAlike(_ a: Blob, _ b: Blob) -> Bool {
    let ratio = a.area / b.area
    guard ratio > 0.33, ratio < 3 else { return false }
    return abs(a.sign - b.sign) < 1.3
  }

  /// Whether a path went from one of the last frame's blobs to one of this frame.
  func isKnown(_ last: Int, _ middle: Int) -> Bool {
    paths.contains { (path) in
      let count = path.sightings.count
      return count >= 4 && path.sightings[count - 1].frame == frame
        && path.sightings[count - 1].index == last && path.sightings[count - 2].index == middle
        && path.sightings[count - 2].frame == frame - 1
    }
  }

  mutating func add(_ start: Int, _ middle: Int, _ last: Int) {
    if paths.count >= Self.pathLimit {
      var least = 0
      for index in paths.indices where paths[index].evidence < paths[least].evidence {
        least = index
      }
      guard paths[least].evidence < 3 else { return }
      dropPath(least)
    }
    guard var path = sparePaths.popLast() else { return }
    for (offset, index) in [(2, start), (1, middle), (0, last)] {
      path.sightings.append(
        sighting(index, slot: (frame - offset) % Self.memory, frame: frame - offset))
    }
    Self.refit(&path, &buffer, isFlight: false)
    Self.weigh(&path)
    paths.append(path)
  }

  /// Of paths that end in the same two blobs the one with the better evidence stays.
  mutating func removeDoublePaths() {
    var index = 0
    while index < paths.count {
      var isDouble = false
      for other in paths.indices where other != index {
        guard share(paths[index], paths[other], last: 2) else { continue }
        let (a, b) = (paths[index].evidence, paths[other].evidence)
        if a < b || (a == b && index > other) {
          isDouble = true
          break
        }
      }
      if isDouble { dropPath(index) } else { index += 1 }
    }
  }

  func share(_ a: Path, _ b: Path, last count: Int) -> Bool {
    guard a.sightings.count >= count, b.sightings.count >= count else { return false }
    for offset in 1...count {
      let (x, y) = (
        a.sightings[a.sightings.count - offset], b.sightings[b.sightings.count - offset]
      )
      if x.frame != y.frame || x.index != y.index { return false }
    }
    return true
  }
}
