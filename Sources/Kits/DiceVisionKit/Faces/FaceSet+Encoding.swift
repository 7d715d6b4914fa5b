internal import DiceNumerics

// The format, little-endian:
//
// | offset | bytes | what |
// |---|---|---|
// | 0 | 6 | "DFACES" |
// | 6 | 2 | the version, 1 |
// | 8 | 8 | XXH64 of all bytes with these eight as 0 |
// | 16 | 2 | rings of a map, 16 |
// | 18 | 2 | angles of a map, 64 |
// | 20 | 2 | faces, 0 to 128 |
// | 22 | 2 | bytes of the set's name, 1 to 64 |
// | 24 | 8 | 0 |
// | 32 | | the name in UTF-8 |
//
// Then for each face: the bytes of its name (2), its examples, 1 to 16 (2), its value (8), its name,
// and a map for each example, 3072 signed bytes. Nothing follows behind the last face.

extension FaceSet {
  /// The most bytes of an encoded set.
  public static let byteCountLimit = 1 << 23

  package static let magic: [UInt8] = Array("DFACES".utf8)
  private static let version: UInt16 = 1
  private static let checksumOffset = 8
  private static let headerByteCount = 32

  /// The set as bytes, which ``init(decoding:)`` reads.
  public func encoded() -> [UInt8] {
    var bytes = Self.magic
    func write(_ value: UInt64, _ count: Int) {
      for index in 0..<count {
        bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))))
      }
    }
    write(UInt64(Self.version), 2)
    write(0, 8)
    write(UInt64(FaceMap.ringCount), 2)
    write(UInt64(FaceMap.angleCount), 2)
    write(UInt64(faces.count), 2)
    write(UInt64(name.utf8.count), 2)
    write(0, 8)
    bytes.append(contentsOf: name.utf8)
    for face in faces {
      write(UInt64(face.name.utf8.count), 2)
      write(UInt64(face.exampleCount), 2)
      write(UInt64(bitPattern: Int64(face.value)), 8)
      bytes.append(contentsOf: face.name.utf8)
      for number in face.maps { bytes.append(UInt8(bitPattern: number)) }
    }
    let checksum = XXHash64.hash(bytes, zeroed: Self.checksumOffset)
    for index in 0..<8 {
      bytes[Self.checksumOffset + index] = UInt8(
        truncatingIfNeeded: checksum >> (8 * UInt64(index)))
    }
    return bytes
  }

  /// The set that ``encoded()`` wrote.
  ///
  /// - Parameter bytes: From a source that need not be trusted.
  /// - Throws: the first broken rule.
  /// - Complexity: O(`bytes.count`).
  public init(decoding bytes: some Collection<UInt8>) throws(FaceSetError) {
    guard bytes.count <= Self.byteCountLimit else {
      throw .tooLarge(byteCount: bytes.count, limit: Self.byteCountLimit)
    }
    var reader = Reader(bytes: Array(bytes))
    guard reader.bytes.starts(with: Self.magic) else { throw .notAFaceSet }
    guard reader.bytes.count >= Self.headerByteCount else {
      throw .truncated(required: Self.headerByteCount, found: reader.bytes.count)
    }
    reader.offset = Self.magic.count
    let version = UInt16(truncatingIfNeeded: try reader.number(2))
    guard version == Self.version else {
      throw .unsupportedVersion(found: version, supported: Self.version)
    }
    let checksum = try reader.number(8)
    let computed = XXHash64.hash(reader.bytes, zeroed: Self.checksumOffset)
    guard checksum == computed else {
      throw .checksumMismatch(found: checksum, computed: computed)
    }
    _ = try reader.count("rings", in: FaceMap.ringCount...FaceMap.ringCount)
    _ = try reader.count("angles", in: FaceMap.angleCount...FaceMap.angleCount)
    let faceCount = try reader.count("faces", in: 0...Self.faceLimit)
    let nameByteCount = try reader.count("length of the name", in: 1...Self.nameByteLimit)
    guard try reader.number(8) == 0 else { throw .fieldOutOfRange(name: "zeros", offset: 24) }
    try self.init(name: reader.text("name", nameByteCount))
    for _ in 0..<faceCount { faces.append(try face(&reader)) }
    let rest = reader.bytes.count - reader.offset
    guard rest == 0 else { throw .trailingBytes(count: rest) }
  }

  private func face(_ reader: inout Reader) throws(FaceSetError) -> Face {
    let nameByteCount = try reader.count("length of a face's name", in: 1...Self.nameByteLimit)
    let exampleCount = try reader.count("examples", in: 1...Self.exampleLimit)
    let number = Int64(bitPattern: try reader.number(8))
    let offset = reader.offset
    guard let value = Int(exactly: number) else {
      throw .fieldOutOfRange(name: "value", offset: offset - 8)
    }
    let name = try reader.text("name of a face", nameByteCount)
    try Self.check(face: name)
    guard index(of: name) == nil else {
      throw .fieldOutOfRange(name: "name of a face", offset: offset)
    }
    // What is there bounds what is reserved.
    let count = exampleCount * FaceMap.count
    try reader.require(count)
    let bytes = reader.bytes[reader.offset..<reader.offset + count]
    reader.offset += count
    return Face(
      name: name, value: value, maps: bytes.map { Int8(bitPattern: $0) },
      exampleCount: exampleCount)
  }

  /// Reads little-endian fields, never beyond the end.
  private struct Reader {
    let bytes: [UInt8]
    var offset = 0

    func require(_ count: Int) throws(FaceSetError) {
      guard count <= bytes.count - offset else {
        throw .truncated(required: offset + count, found: bytes.count)
      }
    }

    mutating func number(_ count: Int) throws(FaceSetError) -> UInt64 {
      try require(count)
      var result: UInt64 = 0
      for index in (offset..<offset + count).reversed() {
        result = result << 8 | UInt64(bytes[index])
      }
      offset += count
      return result
    }

    mutating func count(
      _ name: String, in range: ClosedRange<Int>
    ) throws(FaceSetError) -> Int {
      let value = Int(try number(2))
      guard range.contains(value) else {
        throw .fieldOutOfRange(name: name, offset: offset - 2)
      }
      return value
    }

    mutating func text(_ name: String, _ count: Int) throws(FaceSetError) -> String {
      try require(count)
      let slice = bytes[offset..<offset + count]
      let text = String(decoding: slice, as: UTF8.self)
      // What is no UTF-8 is replaced, and then differs.
      guard text.utf8.elementsEqual(slice) else {
        throw .fieldOutOfRange(name: name, offset: offset)
      }
      offset += count
      return text
    }
  }
}
