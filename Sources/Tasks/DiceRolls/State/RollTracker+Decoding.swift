internal import DiceGeometry

extension RollTracker {
  /// A tracker that goes on where another one was when ``encoded()`` was called.
  ///
  /// Every field is checked; what passes can be fed with any frames.
  ///
  /// - Throws: ``TrackerStateError`` for the first rule that the bytes break.
  /// - Complexity: O(`encoded.count`).
  public init(encoded: [UInt8]) throws(TrackerStateError) {
    let headerSize = Self.stateHeaderSize
    for index in Self.stateMagic.indices where index < encoded.count {
      guard encoded[index] == Self.stateMagic[index] else { throw .notATrackerState }
    }
    guard encoded.count >= headerSize else {
      throw .truncated(offset: 0, required: headerSize, available: encoded.count)
    }
    var reader = StateReader(encoded, offset: 4)
    let version = UInt16(truncatingIfNeeded: try reader.uint64(count: 2))
    guard version == Self.stateVersion else {
      throw .unsupportedVersion(found: version, supported: Self.stateVersion)
    }
    guard try reader.uint64(count: 2) == 0 else {
      throw .fieldOutOfRange(name: "reserved", offset: reader.offset)
    }
    let found = try reader.uint64()
    let computed = Self.checksum(of: encoded[headerSize...])
    guard found == computed else { throw .checksumMismatch(found: found, computed: computed) }

    let configuration = try Self.configuration(from: &reader)
    do throws(ConfigurationError) {
      try self.init(configuration: configuration)
    } catch {
      throw .invalidConfiguration(error)
    }
    try readState(from: &reader)
    if try reader.flag("field") { try readField(from: &reader) }
    guard reader.remaining == 0 else { throw .trailingBytes(count: reader.remaining) }
  }

  /// The range of coordinates.
  private static let plane = -1e9...1e9
  private static let times: ClosedRange<Int64> = -(1 << 61)...1 << 61

  private mutating func readState(from reader: inout StateReader) throws(TrackerStateError) {
    clock.real = try reader.int64("clock", Self.times)
    clock.own = try reader.int64("clock", 0...1 << 61)
    clock.begin = try reader.int64("clock", 0...clock.own)
    clock.hasStarted = try reader.flag("clock")
    camera.offsetX = try reader.double("camera", -1e7...1e7)
    camera.offsetY = try reader.double("camera", -1e7...1e7)
    camera.movedX = try reader.double("camera", Self.plane)
    camera.movedY = try reader.double("camera", Self.plane)
    nextIdentifier = try reader.uint64()
    // Numbers that are given out from here on stay above those that were.
    guard (1...UInt64.max / 2).contains(nextIdentifier) else {
      throw .fieldOutOfRange(name: "nextIdentifier", offset: reader.offset)
    }
    rollCount = try reader.int("rollCount", 0...Int.max / 2)
    rollStart = try reader.int64("rollStart", -(1 << 62)...1 << 62)
    rollEnd = try reader.int64("rollEnd", 0...clock.own)
    lastOccupied = try reader.int64("lastOccupied", -1...clock.own)
    guard let phase = Phase(rawValue: try reader.uint8("phase", below: 3)) else {
      throw .fieldOutOfRange(name: "phase", offset: reader.offset)
    }
    self.phase = phase
    let faceCount = try reader.uint8("faces", below: UInt8(FaceScores.faceLimit + 1))
    for _ in 0..<faceCount {
      let kind = try Self.kind(from: &reader)
      let face = DieFace(kind: kind, value: try reader.int("faces"))
      guard !faces.contains(face) else {
        throw .fieldOutOfRange(name: "faces", offset: reader.offset)
      }
      faces.append(face)
    }
    let trackCount = try reader.uint8(
      "tracks", below: UInt8(2 * configuration.maximumDiceCount + 1))
    var confirmedCount = 0
    for _ in 0..<trackCount {
      let track = try readTrack(from: &reader)
      guard track.identifier < nextIdentifier, track.identifier > tracks.last?.identifier ?? 0
      else { throw .fieldOutOfRange(name: "identifier", offset: reader.offset) }
      if track.stage == .confirmed { confirmedCount += 1 }
      tracks.append(track)
    }
    guard confirmedCount <= configuration.maximumDiceCount else {
      throw .fieldOutOfRange(name: "stage", offset: reader.offset)
    }
    if try reader.flag("lastRoll") { lastRoll = try readRoll(from: &reader) }
    guard (phase == .ended) == (lastRoll != nil) else {
      throw .fieldOutOfRange(name: "phase", offset: reader.offset)
    }
  }

  private static func configuration(
    from reader: inout StateReader
  ) throws(TrackerStateError) -> Configuration {
    let any = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    var result = Configuration()
    result.minimumStillDuration = try reader.duration("minimumStillDuration")
    result.minimumStillObservations = try reader.int("minimumStillObservations")
    result.stillSpeed = try reader.double("stillSpeed", any)
    result.moveDistance = try reader.double("moveDistance", any)
    result.throwSpeed = try reader.double("throwSpeed", any)
    result.requiresMotion = try reader.flag("requiresMotion")
    let expected = try reader.int("expectedDiceCount")
    result.expectedDiceCount = expected == 0 ? nil : expected
    if try reader.flag("region") { result.region = try box(from: &reader, any) }
    result.minimumConfidence = try reader.float("minimumConfidence", 0...1)
    result.minimumEntryConfidence = try reader.float("minimumEntryConfidence", 0...1)
    result.confirmationObservations = try reader.int("confirmationObservations")
    result.lostDuration = try reader.duration("lostDuration")
    result.duplicateOverlap = try reader.double("duplicateOverlap", any)
    result.maximumSizeRatio = try reader.double("maximumSizeRatio", any)
    result.valueMargin = try reader.double("valueMargin", any)
    result.unsettledDuration = try reader.duration("unsettledDuration")
    result.minimumCameraConfidence = try reader.float("minimumCameraConfidence", 0...1)
    result.cameraMoveDistance = try reader.double("cameraMoveDistance", any)
    result.maximumDiceCount = try reader.int("maximumDiceCount")
    return result
  }

  private static func box(
    from reader: inout StateReader, _ range: ClosedRange<Double>
  ) throws(TrackerStateError) -> BoundingBox {
    let x = try reader.double("box", range)
    let y = try reader.double("box", range)
    let width = try reader.double("box", range)
    return BoundingBox(x: x, y: y, width: width, height: try reader.double("box", range))
  }

  /// A face, written as its place plus 1; −1 for none.
  private func face(
    _ name: String, from reader: inout StateReader
  ) throws(TrackerStateError) -> Int16 {
    Int16(try reader.uint8(name, below: UInt8(faces.count + 1))) - 1
  }

  private static func kind(from reader: inout StateReader) throws(TrackerStateError) -> DieKind {
    DieKind.allCases[Int(try reader.uint8("kind", below: UInt8(DieKind.allCases.count)))]
  }

  private func readTrack(from reader: inout StateReader) throws(TrackerStateError) -> Track {
    var track = Track()
    track.identifier = try reader.uint64()
    guard let stage = Track.Stage(rawValue: try reader.uint8("stage", below: 3)) else {
      throw .fieldOutOfRange(name: "stage", offset: reader.offset)
    }
    track.stage = stage
    track.born = try reader.int64("born", 0...clock.own)
    track.lastSeen = try reader.int64("lastSeen", 0...clock.own)
    track.missedFrames = Int32(try reader.int64("missedFrames", 0...Int64(Int32.max)))
    track.hits = Int32(try reader.int64("hits", 0...1000))
    track.restTime = try reader.int64("restTime", 0...clock.own)
    track.departed = try reader.int64("departed", -1...clock.own)
    track.undecidedSince = try reader.int64("undecidedSince", -1...clock.own)
    track.anchorX = try reader.double("anchor", Self.plane)
    track.anchorY = try reader.double("anchor", Self.plane)
    track.originX = try reader.double("origin", Self.plane)
    track.originY = try reader.double("origin", Self.plane)
    if try reader.flag("hold") {
      let x = try reader.double("hold", Self.plane)
      let y = try reader.double("hold", Self.plane)
      let offsetX = try reader.double("hold", Self.plane)
      let offsetY = try reader.double("hold", Self.plane)
      track.hold = Track.Hold(x: x, y: y, offsetX: offsetX, offsetY: offsetY)
    }
    track.isStill = try reader.flag("isStill")
    track.isDisplaced = try reader.flag("isDisplaced")
    track.wasBornOnEmptyTable = try reader.flag("wasBornOnEmptyTable")
    track.tookPart = try reader.flag("tookPart")
    track.needsRevision = try reader.flag("needsRevision")
    track.isOverdue = try reader.flag("isOverdue")
    guard let pace = Track.Pace(rawValue: try reader.uint8("pace", below: 3)) else {
      throw .fieldOutOfRange(name: "pace", offset: reader.offset)
    }
    track.pace = pace
    track.decided = try face("decided", from: &reader)
    let sampleCount = try reader.uint8("samples", below: UInt8(Track.capacity + 1))
    guard sampleCount > 0 else {
      throw .fieldOutOfRange(name: "samples", offset: reader.offset)
    }
    track.samples.reserveCapacity(Track.capacity)
    for _ in 0..<sampleCount {
      let earliest = track.samples.last?.time ?? 0
      track.samples.append(try readSample(from: &reader, since: earliest))
    }
    return track
  }

  private func readSample(
    from reader: inout StateReader, since earliest: Int64
  ) throws(TrackerStateError) -> TrackSample {
    let sizes: ClosedRange<Float> = 1e-4...1e8
    let time = try reader.int64("time", earliest...clock.own)
    let x = try reader.double("x", Self.plane)
    let y = try reader.double("y", Self.plane)
    let width = try reader.float("width", sizes)
    let height = try reader.float("height", sizes)
    let size = try reader.float("size", sizes)
    let confidence = try reader.float("confidence", 0...1)
    let top = try face("top", from: &reader)
    var scores = FaceScores()
    var next: UInt8 = 0
    for _ in 0..<(try reader.uint8("scores", below: UInt8(FaceScores.capacity + 1))) {
      let face = try reader.uint8("scores", below: UInt8(faces.count))
      guard face >= next else { throw .fieldOutOfRange(name: "scores", offset: reader.offset) }
      next = face + 1
      scores.append(Int(face), try reader.float("scores", Track.lowestScore...0))
    }
    return TrackSample(
      time: time, x: x, y: y, width: width, height: height, size: size, confidence: confidence,
      scores: scores, top: top)
  }

  private func readRoll(from reader: inout StateReader) throws(TrackerStateError) -> Roll {
    let number = try reader.int("number", 1...Int.max / 2)
    let start = try reader.int64("startTime", Self.times)
    let rest = try reader.int64("restTime", Self.times)
    let end = try reader.int64("endTime", Self.times)
    let dice = try readDice(from: &reader)
    return Roll(
      number: number, dice: dice, startTime: .nanoseconds(start), restTime: .nanoseconds(rest),
      endTime: .nanoseconds(end))
  }

  func readDice(from reader: inout StateReader) throws(TrackerStateError) -> [TrackedDie] {
    var dice: [TrackedDie] = []
    let count = try reader.uint8("dice", below: 65)
    for _ in 0..<count { dice.append(try readDie(from: &reader)) }
    return dice
  }

  private func readDie(from reader: inout StateReader) throws(TrackerStateError) -> TrackedDie {
    let identifier = try reader.uint64()
    let box = try Self.box(from: &reader, -1e10...1e10)
    let kind = try Self.kind(from: &reader)
    let hasValue = try reader.flag("value")
    let value = try reader.int("value")
    let confidence = try reader.float("confidence", 0...1)
    let isStill = try reader.flag("isStill")
    let tookPart = try reader.flag("tookPart")
    let count = try reader.uint8("values", below: UInt8(FaceScores.faceLimit + 1))
    var values: [ValueProbability] = []
    for _ in 0..<count {
      let kind = try Self.kind(from: &reader)
      let value = try reader.int("value")
      values.append(
        ValueProbability(
          kind: kind, value: value, confidence: try reader.float("probability", 0...1)))
    }
    return TrackedDie(
      identifier: identifier, boundingBox: box, kind: kind, value: hasValue ? value : nil,
      values: values,
      confidence: confidence, isStill: isStill, tookPart: tookPart)
  }
}
