/// A table of a flatbuffer, whose fields are looked up by their numbers.
///
/// A field's number is its place in the schema, from 0. Every read is checked against the file's
/// bytes; nothing is kept. Tables are followed only where a reader asks for them, so that offsets in a
/// circle lead nowhere.
///
/// Source: FlatBuffers documentation, "FlatBuffer Internals".
struct FlatbufferTable {
  let bytes: [UInt8]
  /// Where the table begins.
  private let start: Int
  /// Where its list of fields begins, and how many bytes that has.
  private let fieldList: Int
  private let fieldListByteCount: Int

  /// The table at the root of a file with an identifier.
  init(_ bytes: [UInt8], identifier: String) throws(FlatbufferError) {
    guard bytes.count >= 8, bytes[4..<8].elementsEqual(identifier.utf8) else {
      throw .wrongIdentifier(required: identifier)
    }
    try self.init(bytes, at: Int(Self.word(bytes, 0, byteCount: 4)))
  }

  private init(_ bytes: [UInt8], at start: Int) throws(FlatbufferError) {
    self.bytes = bytes
    self.start = start
    let distance = Int(Int32(truncatingIfNeeded: try Self.checked(bytes, start, byteCount: 4)))
    fieldList = start - distance
    fieldListByteCount = Int(try Self.checked(bytes, fieldList, byteCount: 2))
    guard fieldListByteCount >= 4, fieldListByteCount % 2 == 0,
      fieldListByteCount <= bytes.count - fieldList
    else { throw .fieldList(offset: start) }
  }

  // MARK: Bytes

  /// A little-endian word that lies within the bytes.
  private static func word(_ bytes: [UInt8], _ offset: Int, byteCount: Int) -> UInt64 {
    var word: UInt64 = 0
    for place in (offset..<offset + byteCount).reversed() {
      word = word << 8 | UInt64(bytes[place])
    }
    return word
  }

  private static func checked(
    _ bytes: [UInt8], _ offset: Int, byteCount: Int
  ) throws(FlatbufferError) -> UInt64 {
    guard offset >= 0, byteCount <= bytes.count, offset <= bytes.count - byteCount else {
      throw .outOfBounds(offset: offset)
    }
    return word(bytes, offset, byteCount: byteCount)
  }

  /// Where a field lies; nil where the table does not have it.
  private func place(_ field: Int) throws(FlatbufferError) -> Int? {
    let entry = 4 + 2 * field
    guard entry + 2 <= fieldListByteCount else { return nil }
    let offset = Int(try Self.checked(bytes, fieldList + entry, byteCount: 2))
    return offset == 0 ? nil : start + offset
  }

  /// Where the content of a field lies that an offset leads to; nil where the table does not have it.
  private func content(_ field: Int) throws(FlatbufferError) -> Int? {
    guard let place = try place(field) else { return nil }
    return place + Int(try Self.checked(bytes, place, byteCount: 4))
  }

  /// The bytes of a list's elements; nil where the table does not have it.
  private func list(
    _ field: Int, elementByteCount: Int, limit: Int
  ) throws(FlatbufferError) -> (start: Int, count: Int)? {
    guard let place = try content(field) else { return nil }
    let count = Int(try Self.checked(bytes, place, byteCount: 4))
    guard count <= limit else { throw .tooLong(count: count, limit: limit) }
    guard count <= (bytes.count - place - 4) / elementByteCount else {
      throw .outOfBounds(offset: place)
    }
    return (place + 4, count)
  }

  // MARK: Fields

  /// Whether the table has a field.
  func has(_ field: Int) throws(FlatbufferError) -> Bool { try place(field) != nil }

  /// An integer with a sign, of 1, 2, 4 or 8 bytes; nil where the table does not have it.
  func integer(_ field: Int, byteCount: Int) throws(FlatbufferError) -> Int? {
    guard let place = try place(field) else { return nil }
    return Self.signed(
      try Self.checked(bytes, place, byteCount: byteCount), byteCount: byteCount)
  }

  private static func signed(_ word: UInt64, byteCount: Int) -> Int {
    let shift = UInt64(64 - 8 * byteCount)
    return Int(Int64(bitPattern: word << shift) >> Int64(shift))
  }

  /// A number of 4 bytes; nil where the table does not have it.
  func float(_ field: Int) throws(FlatbufferError) -> Float? {
    guard let place = try place(field) else { return nil }
    return Float(
      bitPattern: UInt32(truncatingIfNeeded: try Self.checked(bytes, place, byteCount: 4)))
  }

  /// A table; nil where this one does not have it.
  func table(_ field: Int) throws(FlatbufferError) -> FlatbufferTable? {
    guard let place = try content(field) else { return nil }
    return try FlatbufferTable(bytes, at: place)
  }

  /// A list of tables; empty where the table does not have it.
  func tables(_ field: Int, limit: Int) throws(FlatbufferError) -> [FlatbufferTable] {
    guard let list = try list(field, elementByteCount: 4, limit: limit) else { return [] }
    var tables: [FlatbufferTable] = []
    tables.reserveCapacity(list.count)
    for index in 0..<list.count {
      let place = list.start + 4 * index
      let offset = Int(try Self.checked(bytes, place, byteCount: 4))
      tables.append(try FlatbufferTable(bytes, at: place + offset))
    }
    return tables
  }

  /// How many elements a list has; nil where the table does not have it.
  func count(_ field: Int, elementByteCount: Int) throws(FlatbufferError) -> Int? {
    try list(field, elementByteCount: elementByteCount, limit: .max)?.count
  }

  /// A list of integers with signs; nil where the table does not have it.
  func integers(
    _ field: Int, byteCount: Int, limit: Int
  ) throws(FlatbufferError) -> [Int]? {
    guard let list = try list(field, elementByteCount: byteCount, limit: limit) else { return nil }
    return (0..<list.count).map { (index) in
      Self.signed(
        Self.word(bytes, list.start + byteCount * index, byteCount: byteCount),
        byteCount: byteCount)
    }
  }

  /// A list of numbers of 4 bytes; nil where the table does not have it.
  func floats(_ field: Int, limit: Int) throws(FlatbufferError) -> [Float]? {
    guard let list = try list(field, elementByteCount: 4, limit: limit) else { return nil }
    return (0..<list.count).map { (index) in
      Float(
        bitPattern: UInt32(
          truncatingIfNeeded: Self.word(bytes, list.start + 4 * index, byteCount: 4)))
    }
  }

  /// Where the bytes of a list of bytes lie; nil where the table does not have it.
  func byteRange(_ field: Int) throws(FlatbufferError) -> Range<Int>? {
    guard let list = try list(field, elementByteCount: 1, limit: .max) else { return nil }
    return list.start..<list.start + list.count
  }

  /// The beginning of a text; nil where the table does not have it.
  func text(_ field: Int, byteLimit: Int = 1024) throws(FlatbufferError) -> String? {
    guard let range = try byteRange(field) else { return nil }
    return String(decoding: bytes[range].prefix(byteLimit), as: UTF8.self)
  }
}
