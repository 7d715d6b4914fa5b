/// A straight line through the latest samples of a track, fitted by least squares.
struct MotionFit {
  /// Sizes a second.
  var speedX: Double
  var speedY: Double
  /// The change of the size, as a share of it, a second.
  var growth: Double
  /// The root mean square distance from the line, in sizes.
  var spread: Double
}

/// Sums for a ``MotionFit``, which grows by one sample at a time.
private struct FitSums {
  var count = 0.0
  var t = 0.0
  var tt = 0.0
  var x = 0.0
  var tx = 0.0
  var xx = 0.0
  var y = 0.0
  var ty = 0.0
  var yy = 0.0
  var s = 0.0
  var ts = 0.0

  /// Adds a sample, relative to `origin` and in its sizes.
  @inline(__always)
  mutating func add(_ sample: TrackSample, origin: TrackSample) {
    let unit = 1 / Double(origin.size)
    let time = seconds(sample.time - origin.time)
    let dx = (sample.x - origin.x) * unit
    let dy = (sample.y - origin.y) * unit
    let size = Double(sample.size) * unit - 1
    count += 1
    t += time
    tt += time * time
    x += dx
    tx += time * dx
    xx += dx * dx
    y += dy
    ty += time * dy
    yy += dy * dy
    s += size
    ts += time * size
  }

  /// The fit; nil where all times are equal.
  @inline(__always)
  var fit: MotionFit? {
    let determinant = count * tt - t * t
    guard determinant > 1e-12 else { return nil }
    let slopeX = (count * tx - t * x) / determinant
    let slopeY = (count * ty - t * y) / determinant
    let growth = (count * ts - t * s) / determinant
    let restX = xx - x * x / count - slopeX * (tx - t * x / count)
    let restY = yy - y * y / count - slopeY * (ty - t * y / count)
    let spread = (max(restX + restY, 0) / count).squareRoot()
    return MotionFit(speedX: slopeX, speedY: slopeY, growth: growth, spread: spread)
  }
}

extension Track {
  /// The most that the samples of a still die may scatter about their line, in sizes.
  static let stillSpread = 0.065
  /// The most that the size of a still die may change a second, as a share of it.
  static let stillGrowth = 0.6

  /// The fit through the fewest latest samples that span `duration` and number at least `count`.
  func fit(duration: Int64, count: Int) -> MotionFit? {
    var sums = FitSums()
    let origin = latest
    for index in samples.indices.reversed() {
      sums.add(samples[index], origin: origin)
      if origin.time - samples[index].time >= duration, samples.count - index >= count {
        return sums.fit
      }
    }
    return nil
  }

  /// The first sample of a run of latest ones, of at least `duration` and `count`, that shows a die
  /// no faster than `speed` relative to the common motion, in sizes a second; nil where there is none.
  func steadyRun(
    duration: Int64, count: Int, speed: Double, commonX: Double, commonY: Double
  ) -> Int? {
    var sums = FitSums()
    let origin = latest
    for index in samples.indices.reversed() {
      sums.add(samples[index], origin: origin)
      guard origin.time - samples[index].time >= duration, samples.count - index >= count,
        let fit = sums.fit
      else { continue }
      if fit.spread <= Self.stillSpread, fit.growth.magnitude <= Self.stillGrowth,
        length(fit.speedX - commonX, fit.speedY - commonY) <= speed
      {
        return index
      }
    }
    return nil
  }

  /// Whether the die was as fast in the second half of the latest `duration` as in the first, within
  /// `tolerance` sizes a second; false where the samples do not reach as far back.
  func keepsSpeed(duration: Int64, tolerance: Double) -> Bool {
    let last = latest.time
    var first = samples.count - 1
    while first > 0, last - samples[first].time < duration { first -= 1 }
    guard last - samples[first].time >= duration, samples.count - first >= 3 else { return false }
    let middle = (first + samples.count) / 2
    guard let early = fit(first..<middle + 1), let late = fit(middle..<samples.count) else {
      return false
    }
    return length(early.speedX - late.speedX, early.speedY - late.speedY) <= tolerance
  }

  /// Whether the die drifts slowly and steadily, as a camera in the hand makes it: over `duration`
  /// on a straight line, no faster than `speed`, as fast in the second half as in the first, with one
  /// value read in four of five frames.
  func isDrifting(duration: Int64, count: Int, speed: Double) -> Bool {
    let last = latest.time
    var first = samples.count - 1
    while first > 0, last - samples[first].time < duration { first -= 1 }
    guard last - samples[first].time >= duration, samples.count - first >= max(count, 5) else {
      return false
    }
    guard let whole = fit(first..<samples.count) else { return false }
    return length(whole.speedX, whole.speedY) <= speed && whole.spread <= Self.stillSpread
      && whole.growth.magnitude <= Self.stillGrowth
      && keepsSpeed(duration: last - samples[first].time, tolerance: 0.5)
      && agreement(from: first).share >= 0.8
  }

  private func fit(_ range: Range<Int>) -> MotionFit? {
    var sums = FitSums()
    let origin = latest
    for index in range { sums.add(samples[index], origin: origin) }
    return sums.fit
  }

  /// The place of the die in the latest run of samples that lie close together about the line, and
  /// when the run began.
  ///
  /// From the mean of the samples from `first` on, the run goes back for as long as samples lie
  /// within a tenth of a size of it, less the common motion; a single stray one is passed over.
  func restingPlace(
    from first: Int, commonX: Double, commonY: Double
  ) -> (x: Double, y: Double, since: Int64) {
    let last = latest
    let size = Double(last.size)
    var meanX = 0.0
    var meanY = 0.0
    let recent = first..<samples.count
    for index in recent {
      let age = seconds(last.time - samples[index].time) * size
      meanX += samples[index].x + commonX * age
      meanY += samples[index].y + commonY * age
    }
    meanX /= Double(recent.count)
    meanY /= Double(recent.count)
    var since = last.time
    var isStray = false
    var sumX = 0.0
    var sumY = 0.0
    var sumCount = 0.0
    for sample in samples.reversed() {
      let age = seconds(last.time - sample.time) * size
      let x = sample.x + commonX * age
      let y = sample.y + commonY * age
      if length(x - meanX, y - meanY) <= 0.1 * size {
        since = sample.time
        isStray = false
        sumX += x
        sumY += y
        sumCount += 1
      } else {
        if isStray { break }
        isStray = true
      }
    }
    guard sumCount > 0 else { return (meanX, meanY, since) }
    return (sumX / sumCount, sumY / sumCount, since)
  }

  /// Whether the latest samples show a die in flight: at least `distance` away from an earlier
  /// sample, on average at `speed`, in sizes and sizes a second, and not by a single stray box.
  func movesFast(distance: Double, speed: Double) -> Bool {
    let count = samples.count
    guard count >= 3 else { return false }
    let now = samples[count - 1]
    let before = samples[count - 2]
    let size = Double(max(now.size, before.size))
    let near = distance * size
    let isMoving = length(now.x - before.x, now.y - before.y) >= 0.1 * size
    var index = count - 3
    while index >= 0, now.time - samples[index].time <= 350_000_000 || index >= count - 4 {
      let start = samples[index]
      let x = now.x - start.x
      let y = now.y - start.y
      let beforeX = before.x - start.x
      let beforeY = before.y - start.y
      let distance = length(x, y)
      if distance >= near, length(beforeX, beforeY) >= near, x * beforeX + y * beforeY > 0,
        distance >= speed * size * seconds(now.time - start.time)
      {
        let hasTwoStarts =
          index > 0 && length(now.x - samples[index - 1].x, now.y - samples[index - 1].y) >= near
        if isMoving || hasTwoStarts { return true }
      }
      index -= 1
    }
    return false
  }

  /// Whether the die, at a low frame rate, was seen in flight once or twice and lies where it was seen
  /// next: its second or third sample is `distance` away from its first, at `speed`, in sizes and sizes a
  /// second, and later ones lie within a tenth of a size of that.
  ///
  /// Samples closer than 60 ms tell nothing: there a first box that is a little off looks the same, and a
  /// flight shows in more than two. Nor does a first box farther than two sizes away, or of another
  /// size by more than a quarter: such ones are mostly no dice.
  func stoppedAtOnce(distance: Double, speed: Double) -> Bool {
    guard departed < 0, samples.count >= 3, samples[0].time == born,
      seconds(samples[1].time - born) >= 0.06
    else { return false }
    let first = samples[0]
    for stop in 1...2 where stop + 1 < samples.count {
      let place = samples[stop]
      let size = Double(max(first.size, place.size))
      let way = length(place.x - first.x, place.y - first.y)
      let lies = samples[(stop + 1)...].allSatisfy {
        length($0.x - place.x, $0.y - place.y) <= 0.1 * size
      }
      if lies, way >= distance * size, way >= speed * size * seconds(place.time - first.time),
        way <= 2 * size, size <= 1.25 * Double(min(first.size, place.size))
      {
        return true
      }
    }
    return false
  }
}
