internal import DiceGeometry
internal import DiceNumerics
public import DiceRegistration

extension RollTracker {
  /// Takes in a frame and says what happened.
  ///
  /// - Parameters:
  ///   - observations: What the detector sees, in any order; empty where it sees nothing.
  ///   - time: When the frame was taken, on any clock that does not run backwards. Times beyond 73
  ///     years on either side of 0 count as that bound.
  ///   - cameraMotion: How far the picture moved since the last frame, as far as it is known. One
  ///     that is not finite, longer than 100,000 pixels or not trusted is ignored.
  /// - Returns: The events, in the order that ``Event`` tells; mostly none.
  /// - Complexity: O(dice² · (dice + observations)) at most; some microseconds for six dice. Frames
  ///   without events allocate nothing but what new dice need.
  public mutating func update(
    with observations: [Observation], at time: Duration, cameraMotion: CameraMotion = .zero
  ) -> [Event] {
    var frame = Frame()
    guard advance(to: nanoseconds(time), &frame) else { return frame.events }
    frame.hadDice = tracks.contains { (track) in track.stage == .confirmed && track.isOnTable }
    takeIn(observations)
    applyCamera(cameraMotion, &frame)
    associate(frame)
    holdCamera()
    registerCamera(&frame)
    addSamples(&frame)
    addBirths(&frame)
    findMotion(&frame)
    findOutside()
    removeLost(&frame)
    reportTracks(&frame)
    followRoll(&frame)
    return frame.events
  }

  /// What is known within one frame.
  struct Frame {
    var events: [Event] = []
    /// Nanoseconds since the last frame, on the own clock.
    var interval: Int64 = 0
    var hadDice = false
    /// Whether the camera's motion is known, for dice at rest.
    var isCameraKnown = false
    /// Whether a trusted motion was given.
    var isCameraGiven = false
    /// The given motion, in pixels a second.
    var cameraSpeed = 0.0
    /// The identifiers of the dice that entered, departed and left in this frame.
    var entered: [UInt64] = []
    var departed: [UInt64] = []
    var left: [TrackedDie] = []
    var unsettled: [UInt64] = []
  }

  // MARK: - Time

  private mutating func advance(to time: Int64, _ frame: inout Frame) -> Bool {
    guard clock.hasStarted else {
      clock.hasStarted = true
      clock.real = time
      return true
    }
    let interval = time - clock.real
    if interval <= 0 {
      guard interval < -1_000_000_000 else { return false }
      restart(at: time, &frame)
      return true
    }
    clock.real = time
    frame.interval = min(interval, 1_000_000_000)
    clock.own += frame.interval
    if interval > 1_000_000_000 {
      clock.begin = clock.own
      for index in tracks.indices {
        guard tracks[index].isStill else { continue }
        tracks[index].depart(at: clock.own)
        tracks[index].samples.removeFirst(tracks[index].samples.count - 1)
      }
    }
    return true
  }

  private mutating func restart(at time: Int64, _ frame: inout Frame) {
    if phase != .idle || tracks.contains(where: { (track) in track.stage == .confirmed }) {
      frame.events.append(.cleared)
    }
    tracks.removeAll(keepingCapacity: true)
    faces.removeAll(keepingCapacity: true)
    phase = .idle
    lastRoll = nil
    camera = CameraState()
    clock = Clock()
    clock.hasStarted = true
    clock.real = time
    rollEnd = 0
    rollStart = 0
    lastOccupied = -1
  }

  // MARK: - Observations

  private mutating func takeIn(_ observations: [Observation]) {
    scratch.candidates.removeAll(keepingCapacity: true)
    for (place, observation) in observations.enumerated() {
      let box = observation.boundingBox
      let limit = 1e7
      guard box.isProper, box.width >= 1e-3, box.height >= 1e-3, box.minX >= -limit,
        box.minY >= -limit, box.maxX <= limit, box.maxY <= limit,
        observation.confidence >= configuration.minimumConfidence,
        configuration.region?.contains(box.center) ?? true
      else { continue }
      let candidate = Candidate(
        place: place, value: observation.value ?? .min, box: box, centerX: box.midX,
        centerY: box.midY,
        size: (box.width * box.height).squareRoot(), confidence: min(observation.confidence, 1),
        scores: FaceScores(), top: -1)
      scratch.candidates.append(candidate)
    }
    scratch.candidates.heapSort { (first, second) in first.precedes(second) }
    let excess = scratch.candidates.count - configuration.maximumDiceCount
    if excess > 0 { scratch.candidates.removeLast(excess) }
    // Faces get their places in the order of the candidates.
    for index in scratch.candidates.indices {
      var candidate = scratch.candidates[index]
      read(observations[candidate.place].values, &candidate)
      scratch.candidates[index] = candidate
    }
  }

  private mutating func read(_ readings: [ValueProbability], _ candidate: inout Candidate) {
    scratch.probabilities.removeAll(keepingCapacity: true)
    for reading in readings where reading.confidence > 0 {
      guard let place = place(of: reading.face) else { continue }
      while scratch.probabilities.count < faces.count { scratch.probabilities.append(0) }
      scratch.probabilities[place] = max(scratch.probabilities[place], min(reading.confidence, 1))
    }
    var total: Float = 0
    for probability in scratch.probabilities { total += probability }
    guard total > 0 else { return }
    var best = -1
    for (face, value) in scratch.probabilities.enumerated() where value > 0 {
      let probability = Double(value / total)
      if probability > 0.03 { candidate.scores.append(face, Float(naturalLogarithm(probability))) }
      let isBetter =
        best < 0 || value > scratch.probabilities[best]
        || (value == scratch.probabilities[best] && faces[face] < faces[best])
      if isBetter { best = face }
    }
    candidate.top = Int16(best)
  }

  /// The place of a face in the list; nil where the list is full.
  private mutating func place(of face: DieFace) -> Int? {
    if let place = faces.firstIndex(of: face) { return place }
    guard faces.count < FaceScores.faceLimit else { return nil }
    faces.append(face)
    return faces.count - 1
  }
}

extension RollTracker.Candidate {
  /// The order in which observations are taken: from the most confident, then by where they lie, so
  /// that their order in the frame does not matter.
  func precedes(_ other: RollTracker.Candidate) -> Bool {
    if confidence != other.confidence { return confidence > other.confidence }
    if box.x != other.box.x { return box.x < other.box.x }
    if box.y != other.box.y { return box.y < other.box.y }
    if box.width != other.box.width { return box.width < other.box.width }
    if box.height != other.box.height { return box.height < other.box.height }
    if value != other.value { return value < other.value }
    return place < other.place
  }
}
