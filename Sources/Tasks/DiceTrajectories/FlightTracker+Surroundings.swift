internal import DiceNumerics

extension FlightTracker {
  /// What else there is around a path, and what was there before it.
  ///
  /// What is thrown comes out of a hand, into air in which nothing of its kind was; insects and leaves were there
  /// before, and others like them are near.
  func addSurroundings(of path: Path, _ fit: FlightFit, to inputs: inout FlightNetwork.Inputs) {
    let sightings = path.sightings
    guard let first = sightings.first, let last = sightings.last else { return }
    var share = 0.0
    for sighting in sightings {
      share += activity.share(around: sighting, of: sightings, frame: frame)
    }
    inputs.append(naturalLogarithm(share / Double(sightings.count) + 0.003))
    let atStart = activity.share(around: first, of: sightings, frame: frame)
    inputs.append(naturalLogarithm(atStart + 0.003))
    let atEnd = activity.share(around: last, of: sightings, frame: frame)
    inputs.append(naturalLogarithm(atEnd + 0.003))
    inputs.append(naturalLogarithm(Double(pathCount(around: last)) + 1))
    inputs.append(naturalLogarithm(Double(blobs[frame % Self.memory].count) + 1))
    inputs.append(naturalLogarithm(first.density * 1e4 + 1))
    inputs.append(naturalLogarithm(last.density * 1e4 + 1))
    addStart(first, to: &inputs)
    addNeighbours(of: path, to: &inputs)
    addEarlier(path, fit, to: &inputs)
  }

  /// How many other paths end near a sighting.
  private func pathCount(around sighting: Sighting) -> Int {
    var count = 0
    for index in paths.indices where paths[index].sightings.count >= 4 {
      guard let other = paths[index].sightings.last, other.frame >= sighting.frame - 2,
        other.frame != sighting.frame || other.index != sighting.index,
        abs(other.x - sighting.x) < 40, abs(other.y - sighting.y) < 40
      else { continue }
      count += 1
    }
    return count
  }

  /// Whether a blob could be a thing of an area and a sign.
  private static func isLike(_ blob: Blob, area: Double, sign: Double) -> Bool {
    let ratio = blob.area / area
    return ratio > 0.4 && ratio < 2.5 && abs(blob.sign - sign) < 0.8
  }

  /// What is around a path's first sighting, in its frame and the three before.
  private func addStart(_ first: Sighting, to inputs: inout FlightNetwork.Inputs) {
    let area = first.radius * first.radius * .pi
    let reach = 6 * first.radius + 6
    var (largest, like, count) = (0.0, 0, 0)
    for back in 0..<4 where first.frame - back >= 0 && first.frame - back > frame - Self.memory {
      let slot = (first.frame - back) % Self.memory
      for index in blobs[slot].indices where back > 0 || index != first.index {
        let blob = blobs[slot][index]
        let (x, y) = (blob.x - first.x, blob.y - first.y)
        guard x * x + y * y < reach * reach else { continue }
        largest = max(largest, blob.area)
        count += 1
        if blob.area > 0.4 * area, blob.area < 2.5 * area { like += 1 }
      }
    }
    inputs.append(naturalLogarithm(largest / area + 0.1))
    inputs.append(naturalLogarithm(Double(like) + 1))
    inputs.append(naturalLogarithm(Double(count) + 1))
  }

  /// How far the nearest other blob is from the last eight sightings, and how many blobs there are like them.
  private func addNeighbours(of path: Path, to inputs: inout FlightNetwork.Inputs) {
    let area = path.radius * path.radius * .pi
    var (distance, like, count) = (0.0, 0.0, 0.0)
    for sighting in path.sightings.suffix(8) where sighting.frame > frame - Self.memory {
      let slot = sighting.frame % Self.memory
      var nearest = 60.0
      for index in blobs[slot].indices where index != sighting.index {
        let blob = blobs[slot][index]
        let (x, y) = (blob.x - sighting.x, blob.y - sighting.y)
        nearest = min(nearest, (x * x + y * y).squareRoot())
        if Self.isLike(blob, area: area, sign: path.sightings[0].sign) { like += 1 }
      }
      distance += naturalLogarithm(nearest + 1)
      count += 1
    }
    inputs.append(distance / max(count, 1))
    inputs.append(naturalLogarithm(like / max(count, 1) + 0.3))
  }

  /// What was seen before a path's first sighting: in which share of the remembered frames there was something
  /// like it near by, and how far it can be followed back, whatever way it went.
  private func addEarlier(
    _ path: Path, _ fit: FlightFit, to inputs: inout FlightNetwork.Inputs
  ) {
    let first = path.sightings[0]
    let (area, firstArea) = (
      path.radius * path.radius * .pi, first.radius * first.radius * .pi
    )
    var (near, around, frames) = (0.0, 0.0, 0.0)
    var earlier = first.frame - 2
    while earlier >= 0, earlier > frame - Self.memory {
      var (isNear, isAround) = (false, false)
      for blob in blobs[earlier % Self.memory]
      where Self.isLike(blob, area: area, sign: first.sign) {
        let (x, y) = ((blob.x - first.x) / side, (blob.y - first.y) / side)
        let square = x * x + y * y
        if square < 0.06 * 0.06 { isNear = true }
        if square < 0.2 * 0.2 { isAround = true }
      }
      near += isNear ? 1 : 0
      around += isAround ? 1 : 0
      frames += 1
      earlier -= 1
    }
    frames = max(frames, 1)
    inputs.append(near / frames)
    inputs.append(around / frames)
    let start = fit.velocity(at: first.time)
    var (place, time) = (SIMD2(first.x, first.y), first.time)
    var velocity = SIMD2(start.x, start.y)
    var (count, sum, gap) = (0.0, 0.0, 0)
    earlier = first.frame - 1
    while earlier >= 0, earlier > frame - Self.memory, gap < 3 {
      let slot = earlier % Self.memory
      let step = time - times[slot]
      guard step > 0, step < 0.25 else { break }
      let expected = place - velocity * step
      let speed = (velocity * velocity).sum().squareRoot()
      let gate = 2 + 0.3 * first.radius + 0.4 * speed * step
      var best: (index: Int, distance: Double)?
      for index in blobs[slot].indices {
        let offset = SIMD2(blobs[slot][index].x, blobs[slot][index].y) - expected
        let distance = (offset * offset).sum().squareRoot()
        guard distance < gate, distance < best?.distance ?? .infinity,
          Self.isLike(blobs[slot][index], area: firstArea, sign: first.sign)
        else { continue }
        best = (index, distance)
      }
      earlier -= 1
      guard let best else {
        gap += 1
        continue
      }
      let found = SIMD2(blobs[slot][best.index].x, blobs[slot][best.index].y)
      velocity = 0.5 * (velocity + (place - found) / step)
      (place, time, gap) = (found, times[slot], 0)
      (count, sum) = (count + 1, sum + best.distance)
    }
    inputs.append(min(first.time - time, 1))
    inputs.append(sum / max(count, 1) / max(1, first.radius))
    // How far it was then from where the path would have been.
    var away = 0.0
    if count > 0, let expected = fit.place(at: time) {
      let (x, y) = (expected.x - place.x, expected.y - place.y)
      away = (x * x + y * y).squareRoot() / path.radius
    }
    inputs.append(naturalLogarithm(away + 0.3))
    inputs.append(count / frames)
  }
}
