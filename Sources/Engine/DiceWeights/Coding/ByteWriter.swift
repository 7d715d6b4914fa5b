internal import DiceNumerics

/// Appends fields to a file.
struct ByteWriter: FieldCoder {
  private(set) var bytes: [UInt8]

  /// Goes on behind some bytes.
  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  mutating func integer(_ value: inout UInt64, _ byteCount: Int) { append(value, byteCount) }

  mutating func text(
    _ value: inout String, _ field: WeightFileError.TextField, _ allowed: ClosedRange<Int>
  ) {
    append(UInt64(value.utf8.count), 4)
    bytes.append(contentsOf: value.utf8)
  }

  mutating func section(
    _ tag: StaticString, _ content: (inout ByteWriter) throws(WeightFileError) -> Void
  ) throws(WeightFileError) {
    bytes.append(contentsOf: tag.description.utf8)
    let start = bytes.count
    zeros(4)
    try content(&self)
    replace(at: start, with: UInt64(bytes.count - start - 4), 4)
  }

  mutating func record(
    ofLayer index: Int, _ fields: (inout ByteWriter) throws(WeightFileError) -> Void
  ) throws(WeightFileError) {
    let start = bytes.count
    zeros(2)
    try fields(&self)
    replace(at: start, with: UInt64(bytes.count - start - 2), 2)
  }

  mutating func append(_ value: UInt64, _ byteCount: Int) {
    for index in 0..<byteCount {
      bytes.append(UInt8(truncatingIfNeeded: value &>> UInt64(8 * index)))
    }
  }

  /// Writes numbers, up to the first that becomes infinite, and returns its index.
  mutating func append(_ values: [Float], as number: StoredNumber) -> Int? {
    StoredNumbers.append(values, as: number, to: &bytes)
  }

  /// Writes the integers nearest to the quotients by their channel's scale.
  mutating func append(_ values: [Float], scales: [Float]) {
    StoredNumbers.append(values, scales: scales, to: &bytes)
  }

  mutating func append(contentsOf part: ArraySlice<UInt8>) { bytes.append(contentsOf: part) }

  mutating func zeros(_ count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: count))
  }

  /// Overwrites a field of `count` bytes.
  mutating func replace(at offset: Int, with value: UInt64, _ count: Int) {
    for index in 0..<count {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value &>> UInt64(8 * index))
    }
  }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
}
