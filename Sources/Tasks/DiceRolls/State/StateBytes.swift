internal import DiceNumerics

/// Writes little-endian fields.
struct StateWriter {
  private(set) var bytes: [UInt8] = []

  mutating func uint8(_ value: UInt8) { bytes.append(value) }
  mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }
  mutating func uint64(_ value: UInt64, count: Int = 8) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
  }
  mutating func int64(_ value: Int64) { uint64(UInt64(bitPattern: value)) }
  mutating func double(_ value: Double) { uint64(value.bitPattern) }
  mutating func float(_ value: Float) { uint64(UInt64(value.bitPattern), count: 4) }
  mutating func duration(_ value: Duration) {
    let (seconds, attoseconds) = value.clampedComponents
    int64(seconds)
    int64(attoseconds)
  }
}

/// Reads little-endian fields, never beyond the end, each checked against its range.
struct StateReader {
  private let bytes: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  var remaining: Int { bytes.count - offset }

  mutating func uint64(count: Int = 8) throws(TrackerStateError) -> UInt64 {
    guard count <= remaining else {
      throw .truncated(offset: bytes.count, required: count - remaining, available: 0)
    }
    var result: UInt64 = 0
    for index in (offset..<offset + count).reversed() {
      result = result << 8 | UInt64(bytes[index])
    }
    offset += count
    return result
  }

  mutating func uint8(_ name: String, below limit: UInt8) throws(TrackerStateError) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: try uint64(count: 1))
    guard value < limit else { throw .fieldOutOfRange(name: name, offset: offset) }
    return value
  }

  mutating func flag(_ name: String) throws(TrackerStateError) -> Bool {
    try uint8(name, below: 2) == 1
  }

  mutating func int64(
    _ name: String, _ range: ClosedRange<Int64> = .min ... .max
  ) throws(TrackerStateError) -> Int64 {
    let value = Int64(bitPattern: try uint64())
    guard range.contains(value) else { throw .fieldOutOfRange(name: name, offset: offset) }
    return value
  }

  mutating func int(
    _ name: String, _ range: ClosedRange<Int> = .min ... .max
  ) throws(TrackerStateError) -> Int {
    guard let value = Int(exactly: try int64(name)), range.contains(value) else {
      throw .fieldOutOfRange(name: name, offset: offset)
    }
    return value
  }

  mutating func double(
    _ name: String, _ range: ClosedRange<Double>
  ) throws(TrackerStateError) -> Double {
    let value = Double(bitPattern: try uint64())
    guard range.contains(value) else { throw .fieldOutOfRange(name: name, offset: offset) }
    return value
  }

  mutating func float(
    _ name: String, _ range: ClosedRange<Float>
  ) throws(TrackerStateError) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: try uint64(count: 4)))
    guard range.contains(value) else { throw .fieldOutOfRange(name: name, offset: offset) }
    return value
  }

  mutating func duration(_ name: String) throws(TrackerStateError) -> Duration {
    let limit: Int64 = 1 << 40
    let seconds = try int64(name, -limit...limit)
    let attoseconds = try int64(name, -999_999_999_999_999_999...999_999_999_999_999_999)
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }
}
