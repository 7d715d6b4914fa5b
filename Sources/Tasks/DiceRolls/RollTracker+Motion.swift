internal import DiceGeometry
internal import DiceNumerics
internal import DiceRegistration

extension RollTracker {
  // MARK: - The camera

  mutating func applyCamera(_ motion: CameraMotion, _ frame: inout Frame) {
    guard motion.confidence > 0, motion.confidence >= configuration.minimumCameraConfidence,
      motion.x.magnitude <= 1e5, motion.y.magnitude <= 1e5
    else { return }
    frame.isCameraGiven = true
    frame.isCameraKnown = true
    frame.cameraSpeed = frame.interval > 0 ? motion.distance / seconds(frame.interval) : 0
    moveCamera(motion.x, motion.y)
  }

  /// Takes back a motion of the camera that a die at rest has no part in.
  ///
  /// A hand over a plain table looks like a camera that moves, and a die does not move against the camera so that
  /// the picture shows it in one place. In place is what lies within 0.05 sizes; a tenth of a size is taken back.
  mutating func holdCamera() {
    for (place, index) in scratch.owners.enumerated()
    where index >= 0 && tracks[index].isStill && tracks[index].stage == .confirmed {
      let candidate = scratch.candidates[place]
      if let hold = tracks[index].hold,
        length(candidate.centerX - hold.x, candidate.centerY - hold.y) <= 0.05 * candidate.size
      {
        let x = camera.offsetX - hold.offsetX
        let y = camera.offsetY - hold.offsetY
        if length(x, y) >= 0.1 * candidate.size { moveCamera(-x, -y) }
      } else {
        tracks[index].hold = Track.Hold(
          x: candidate.centerX, y: candidate.centerY, offsetX: camera.offsetX,
          offsetY: camera.offsetY)
      }
    }
  }

  /// Finds what is left of the camera's motion from two or more dice at rest that are displaced
  /// alike: the median of their displacements.
  ///
  /// More than half of them must lie within 0.12 sizes of it. It is no motion of the camera where
  /// half of the dice are in place while another is not.
  mutating func registerCamera(_ frame: inout Frame) {
    scratch.first.removeAll(keepingCapacity: true)
    scratch.second.removeAll(keepingCapacity: true)
    var inPlaceCount = 0
    var awayCount = 0
    var unit = 0.0
    for (place, index) in scratch.owners.enumerated()
    where index >= 0 && tracks[index].isStill && tracks[index].stage == .confirmed {
      let candidate = scratch.candidates[place]
      let x = candidate.centerX - camera.offsetX - tracks[index].anchorX
      let y = candidate.centerY - camera.offsetY - tracks[index].anchorY
      let distance = length(x, y) / candidate.size
      if distance <= 0.06 { inPlaceCount += 1 }
      if distance >= 0.15 { awayCount += 1 }
      unit = unit == 0 ? candidate.size : min(unit, candidate.size)
      scratch.first.append(x)
      scratch.second.append(y)
    }
    let count = scratch.first.count
    guard count >= 2, !(awayCount > 0 && 2 * inPlaceCount >= count) else {
      frame.isCameraKnown = frame.isCameraKnown || count >= 2
      return
    }
    let (x, y, agreeing) = scratch.agreement(within: 0.12 * unit)
    frame.isCameraKnown = frame.isCameraKnown || agreeing >= 2
    guard agreeing >= 2, 2 * agreeing > count else { return }
    // Small steps are mostly the detector's jitter.
    let gain = length(x, y) > 0.06 * unit ? 1 : 0.5
    moveCamera(gain * x, gain * y)
  }

  private mutating func moveCamera(_ x: Double, _ y: Double) {
    camera.offsetX += x
    camera.offsetY += y
    camera.movedX += x
    camera.movedY += y
    moveField(x, y)
    guard max(camera.offsetX.magnitude, camera.offsetY.magnitude) > 1e6 else { return }
    // Keeps the coordinates small on an endless way.
    for index in tracks.indices { tracks[index].translate(camera.offsetX, camera.offsetY) }
    camera.offsetX = 0
    camera.offsetY = 0
  }

  private mutating func moveField(_ x: Double, _ y: Double) {
    guard let field else { return }
    let time = scratch.fieldTime
    self.field = field.moved(x: x, y: y)
    scratch.fieldTime = time
  }

  /// Moves the field along with dice that were carried by the camera since a time, at their common speed.
  private mutating func carryField(since start: Int64, speedX: Double, speedY: Double) {
    let start = max(start, scratch.fieldTime)
    guard start < clock.own else { return }
    let duration = seconds(clock.own - start)
    moveField(speedX * duration, speedY * duration)
  }

  /// The speed that two or more dice have in common, in pixels a second, while they are not yet
  /// known to lie still: the median, where more than half are within 0.5 sizes a second of it.
  ///
  /// It is 0 where half of the dice are slow enough to be still without it, and where it would be
  /// faster than 2.5 sizes a second, or 0.5 where the camera's motion is known, or where only two
  /// dice agree and one does not keep its speed for one and a half times the still duration: then dice
  /// roll side by side.
  private mutating func commonSpeed(_ frame: Frame) -> (x: Double, y: Double) {
    scratch.first.removeAll(keepingCapacity: true)
    scratch.second.removeAll(keepingCapacity: true)
    let duration = nanoseconds(configuration.minimumStillDuration)
    var slowCount = 0
    var unit = Double.infinity
    for index in tracks.indices
    where tracks[index].stage == .confirmed && tracks[index].missedFrames <= 1 {
      guard
        let fit = tracks[index].fit(
          duration: duration, count: configuration.minimumStillObservations)
      else { continue }
      let size = Double(tracks[index].latest.size)
      if length(fit.speedX, fit.speedY) <= configuration.stillSpeed { slowCount += 1 }
      unit = min(unit, size)
      scratch.first.append(fit.speedX * size)
      scratch.second.append(fit.speedY * size)
    }
    let count = scratch.first.count
    guard count >= 2, 2 * slowCount < count else { return (0, 0) }
    let (x, y, agreeing) = scratch.agreement(within: 0.5 * unit)
    let limit = (frame.isCameraKnown ? 0.5 : 2.5) * unit
    guard agreeing >= 2, 2 * agreeing > count, length(x, y) <= limit else { return (0, 0) }
    // Three dice that keep together are carried by the camera; two may slow down side by side.
    for track in tracks where agreeing == 2 && track.stage == .confirmed && track.missedFrames <= 1
    {
      guard track.keepsSpeed(duration: duration * 3 / 2, tolerance: 0.75) else { return (0, 0) }
    }
    return (x, y)
  }

  // MARK: - Dice

  /// Finds out which dice lie still, have left their place, or fly.
  ///
  /// Dice that come to rest while they have a speed in common were carried by the camera: where no die at rest
  /// held the field until now, it was carried as far.
  mutating func findMotion(_ frame: inout Frame) {
    let common = commonSpeed(frame)
    let isHeld = tracks.contains { $0.isStill && $0.stage == .confirmed }
    var carriedSince = clock.own
    let duration = nanoseconds(configuration.minimumStillDuration)
    let count = configuration.minimumStillObservations
    let isAlone = dieCount == 1 && !frame.isCameraKnown
    for index in tracks.indices where tracks[index].lastSeen == clock.own {
      if tracks[index].isStill {
        keepStill(index, isAlone: isAlone, &frame)
      } else {
        findPace(index)
        let size = Double(tracks[index].latest.size)
        let commonX = common.x / size
        let commonY = common.y / size
        if let first = tracks[index].steadyRun(
          duration: duration, count: count, speed: configuration.stillSpeed, commonX: commonX,
          commonY: commonY)
        {
          tracks[index].rest(from: first, commonX: commonX, commonY: commonY)
          carriedSince = min(carriedSince, tracks[index].restTime)
        } else if isAlone, tracks[index].stage == .confirmed,
          let fit = tracks[index].fit(duration: duration * 5 / 2, count: count),
          tracks[index].isDrifting(
            duration: max(duration * 5 / 2, 450_000_000) * 9 / 10, count: count, speed: 1.5)
        {
          tracks[index].rest(
            from: max(0, tracks[index].samples.count - max(count, 5)), commonX: fit.speedX,
            commonY: fit.speedY)
        }
      }
    }
    if !isHeld { carryField(since: carriedSince, speedX: common.x, speedY: common.y) }
  }

  private mutating func keepStill(_ index: Int, isAlone: Bool, _ frame: inout Frame) {
    let latest = tracks[index].latest
    let x = latest.x - tracks[index].anchorX
    let y = latest.y - tracks[index].anchorY
    guard length(x, y) > configuration.moveDistance * Double(latest.size) else {
      // Follows what the camera's motion leaves over, and a lone die in a drifting picture.
      let gain = min(seconds(frame.interval) / (isAlone ? 0.15 : 1), 1)
      tracks[index].anchorX += gain * x
      tracks[index].anchorY += gain * y
      tracks[index].isDisplaced = false
      return
    }
    guard tracks[index].isDisplaced,
      latest.top < 0 || faces[Int(latest.top)].kind < .d8
        || !tracks[index].mayBeOtherFace(distance: configuration.moveDistance)
    else {
      tracks[index].isDisplaced = true
      return
    }
    if tracks[index].stage == .confirmed { frame.departed.append(tracks[index].identifier) }
    // Only the last two samples are away from the place; those before would slow the fit down.
    let count = tracks[index].samples.count
    if count > 2 { tracks[index].samples.removeSubrange(0..<count - 2) }
    tracks[index].depart(at: tracks[index].samples[0].time)
  }

  private mutating func findPace(_ index: Int) {
    let speed = configuration.throwSpeed
    if tracks[index].departed < 0 {
      if tracks[index].pace == .slow, tracks[index].movesFast(distance: 0.25, speed: speed) {
        tracks[index].pace = .fast
      }
      return
    }
    let latest = tracks[index].latest
    let distance = length(latest.x - tracks[index].originX, latest.y - tracks[index].originY)
    let size = Double(latest.size)
    guard distance >= 0.5 * size else { return }
    if tracks[index].pace == .slow, tracks[index].movesFast(distance: 0.5, speed: speed) {
      tracks[index].pace = .fast
    }
    if distance >= 1.5 * size, tracks[index].movesFast(distance: 1, speed: 2 * speed) {
      tracks[index].pace = .flung
    }
  }
}

extension Track {
  /// Lies down where the latest samples are.
  mutating func rest(from first: Int, commonX: Double, commonY: Double) {
    let place = restingPlace(from: first, commonX: commonX, commonY: commonY)
    isStill = true
    isDisplaced = false
    hold = nil
    anchorX = place.x
    anchorY = place.y
    restTime = place.since
  }

  /// Moves everything, where the table's coordinates change.
  mutating func translate(_ x: Double, _ y: Double) {
    for index in samples.indices {
      samples[index].x += x
      samples[index].y += y
    }
    anchorX += x
    anchorY += y
    originX += x
    originY += y
    hold?.offsetX -= x
    hold?.offsetY -= y
  }
}

extension RollTracker.Scratch {
  /// The medians of ``first`` and ``second``, and how many pairs lie within `tolerance` of them.
  fileprivate mutating func agreement(
    within tolerance: Double
  ) -> (x: Double, y: Double, count: Int) {
    var count = 0
    let pairs = zip(first, second)
    let x = median(first)
    let y = median(second)
    for (firstValue, secondValue) in pairs
    where length(firstValue - x, secondValue - y) <= tolerance {
      count += 1
    }
    return (x, y, count)
  }

  /// The middle value, or the mean of the middle two; not called for an empty list.
  private mutating func median(_ values: [Double]) -> Double {
    sorted.removeAll(keepingCapacity: true)
    sorted.append(contentsOf: values)
    sorted.heapSort(by: <)
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
