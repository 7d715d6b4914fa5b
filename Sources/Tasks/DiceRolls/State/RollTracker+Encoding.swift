internal import DiceGeometry
internal import DiceNumerics

extension RollTracker {
  static let stateVersion: UInt16 = 5
  static let stateMagic: [UInt8] = [0x44, 0x54, 0x52, 0x4B]
  /// Magic, version, two zero bytes, checksum.
  static let stateHeaderSize = 16

  /// The whole state, configuration included, for ``init(encoded:)``.
  ///
  /// Little-endian: "DTRK", the version in two bytes, two zero bytes, the checksum of the rest
  /// (64-bit FNV-1a), then configuration, clock, camera, faces, tracks and the last result; where
  /// there is or was a field of play, that and where dice stand on it. Some 2 KB for each die in view;
  /// equal states give equal bytes.
  ///
  /// - Complexity: O(dice).
  public func encoded() -> [UInt8] {
    var writer = StateWriter()
    encode(configuration, to: &writer)
    writer.int64(clock.real)
    writer.int64(clock.own)
    writer.int64(clock.begin)
    writer.flag(clock.hasStarted)
    for value in [camera.offsetX, camera.offsetY, camera.movedX, camera.movedY] {
      writer.double(value)
    }
    writer.uint64(nextIdentifier)
    writer.int64(Int64(rollCount))
    for value in [rollStart, rollEnd, lastOccupied] { writer.int64(value) }
    writer.uint8(phase.rawValue)
    writer.uint8(UInt8(faces.count))
    for face in faces {
      writer.uint8(face.kind.rank)
      writer.int64(Int64(face.value))
    }
    writer.uint8(UInt8(tracks.count))
    for track in tracks { encode(track, to: &writer) }
    writer.flag(lastRoll != nil)
    if let lastRoll { encode(lastRoll, to: &writer) }
    writer.flag(hasFieldState)
    if hasFieldState { encodeField(to: &writer) }

    var header = StateWriter()
    for byte in Self.stateMagic { header.uint8(byte) }
    header.uint64(UInt64(Self.stateVersion), count: 2)
    header.uint64(0, count: 2)
    header.uint64(Self.checksum(of: writer.bytes[...]))
    return header.bytes + writer.bytes
  }

  /// The 64-bit FNV-1a checksum.
  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt64 {
    var result: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { result = (result ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return result
  }

  private func encode(_ configuration: Configuration, to writer: inout StateWriter) {
    writer.duration(configuration.minimumStillDuration)
    writer.int64(Int64(configuration.minimumStillObservations))
    writer.double(configuration.stillSpeed)
    writer.double(configuration.moveDistance)
    writer.double(configuration.throwSpeed)
    writer.flag(configuration.requiresMotion)
    writer.int64(Int64(configuration.expectedDiceCount ?? 0))
    writer.flag(configuration.region != nil)
    if let region = configuration.region { encode(region, to: &writer) }
    writer.float(configuration.minimumConfidence)
    writer.float(configuration.minimumEntryConfidence)
    writer.int64(Int64(configuration.confirmationObservations))
    writer.duration(configuration.lostDuration)
    writer.double(configuration.duplicateOverlap)
    writer.double(configuration.maximumSizeRatio)
    writer.double(configuration.valueMargin)
    writer.duration(configuration.unsettledDuration)
    writer.float(configuration.minimumCameraConfidence)
    writer.double(configuration.cameraMoveDistance)
    writer.int64(Int64(configuration.maximumDiceCount))
  }

  private func encode(_ box: BoundingBox, to writer: inout StateWriter) {
    for value in [box.x, box.y, box.width, box.height] { writer.double(value) }
  }

  private func encode(_ track: Track, to writer: inout StateWriter) {
    writer.uint64(track.identifier)
    writer.uint8(track.stage.rawValue)
    for value in [
      track.born, track.lastSeen, Int64(track.missedFrames), Int64(track.hits), track.restTime,
      track.departed, track.undecidedSince,
    ] { writer.int64(value) }
    for value in [track.anchorX, track.anchorY, track.originX, track.originY] {
      writer.double(value)
    }
    writer.flag(track.hold != nil)
    if let hold = track.hold {
      for value in [hold.x, hold.y, hold.offsetX, hold.offsetY] { writer.double(value) }
    }
    for value in [
      track.isStill, track.isDisplaced, track.wasBornOnEmptyTable, track.tookPart,
      track.needsRevision, track.isOverdue,
    ] { writer.flag(value) }
    writer.uint8(track.pace.rawValue)
    writer.uint8(UInt8(track.decided + 1))
    writer.uint8(UInt8(track.samples.count))
    for sample in track.samples {
      writer.int64(sample.time)
      writer.double(sample.x)
      writer.double(sample.y)
      for value in [sample.width, sample.height, sample.size, sample.confidence] {
        writer.float(value)
      }
      writer.uint8(UInt8(sample.top + 1))
      writer.uint8(UInt8(sample.scores.count))
      for index in 0..<sample.scores.count {
        let (face, score) = sample.scores.entry(index)
        writer.uint8(UInt8(face))
        writer.float(score)
      }
    }
  }

  private func encode(_ roll: Roll, to writer: inout StateWriter) {
    writer.int64(Int64(roll.number))
    for time in [roll.startTime, roll.restTime, roll.endTime] { writer.int64(nanoseconds(time)) }
    encode(roll.dice, to: &writer)
  }

  func encode(_ dice: [TrackedDie], to writer: inout StateWriter) {
    writer.uint8(UInt8(dice.count))
    for die in dice {
      writer.uint64(die.identifier)
      encode(die.boundingBox, to: &writer)
      writer.uint8(die.kind.rank)
      writer.flag(die.value != nil)
      writer.int64(Int64(die.value ?? 0))
      writer.float(die.confidence)
      writer.flag(die.isStill)
      writer.flag(die.tookPart)
      writer.uint8(UInt8(die.values.count))
      for entry in die.values {
        writer.uint8(entry.kind.rank)
        writer.int64(Int64(entry.value))
        writer.float(entry.confidence)
      }
    }
  }
}
