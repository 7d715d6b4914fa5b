/// A map of names to numbers at the root of a flexbuffer: a flatbuffer without a schema.
///
/// Only integers, numbers, flags and lists of integers are read; other values are passed over.
///
/// Source: FlatBuffers documentation, "FlexBuffers", and `flexbuffers.h`.
struct FlexbufferMap {
  private(set) var numbers: [String: Double] = [:]
  /// Lists of integers.
  private(set) var lists: [String: [Int]] = [:]

  /// The most entries.
  private static let entryLimit = 256

  private let bytes: [UInt8]

  /// - Throws: `outOfBounds`, counted from the flexbuffer's first byte.
  init(_ content: ArraySlice<UInt8>) throws(FlatbufferError) {
    bytes = Array(content)
    // The last bytes are the width of the root and its type.
    let end = bytes.count
    guard end >= 3 else { throw .outOfBounds(offset: 0) }
    let rootWidth = Int(bytes[end - 1])
    let root = end - 2 - rootWidth
    guard bytes[end - 2] >> 2 == Self.mapType else { throw .fieldList(offset: root) }
    let width = 1 << Int(bytes[end - 2] & 3)
    let map = try follow(root, rootWidth)
    let count = Int(clamping: try word(map - width, width))
    let keyWidth = Int(clamping: try word(map - 2 * width, width))
    let keys = try follow(map - 3 * width, width)
    guard count <= Self.entryLimit else { throw .tooLong(count: count, limit: Self.entryLimit) }
    guard [1, 2, 4, 8].contains(keyWidth) else { throw .fieldList(offset: map) }
    for index in 0..<count {
      let name = try text(follow(keys + index * keyWidth, keyWidth))
      let type = Int(try word(map + count * width + index, 1))
      if let number = try number(map + index * width, width, type: type) {
        numbers[name] = number
      } else if type >> 2 == Self.listType {
        lists[name] = try list(map + index * width, width, type: type)
      }
    }
  }

  private static let mapType: UInt8 = 9
  /// A list whose integers have one width.
  private static let listType = 11

  private func list(
    _ offset: Int, _ width: Int, type: Int
  ) throws(FlatbufferError) -> [Int] {
    let place = try follow(offset, width)
    let own = 1 << (type & 3)
    let count = try word(place - own, own)
    guard count <= UInt64(max(0, bytes.count - place) / own) else {
      throw .outOfBounds(offset: place)
    }
    var list: [Int] = []
    let shift = UInt64(64 - 8 * own)
    for index in 0..<Int(count) {
      let word = try word(place + index * own, own)
      list.append(Int(clamping: Int64(bitPattern: word << shift) >> Int64(shift)))
    }
    return list
  }

  private func word(_ offset: Int, _ width: Int) throws(FlatbufferError) -> UInt64 {
    guard [1, 2, 4, 8].contains(width), offset >= 0, offset <= bytes.count - width else {
      throw .outOfBounds(offset: offset)
    }
    var word: UInt64 = 0
    for place in (offset..<offset + width).reversed() { word = word << 8 | UInt64(bytes[place]) }
    return word
  }

  /// Where an offset leads, which counts backwards.
  private func follow(_ offset: Int, _ width: Int) throws(FlatbufferError) -> Int {
    let distance = try word(offset, width)
    guard distance <= UInt64(max(0, offset)) else { throw .outOfBounds(offset: offset) }
    return offset - Int(distance)
  }

  private func text(_ offset: Int) throws(FlatbufferError) -> String {
    guard bytes.indices.contains(offset) else { throw .outOfBounds(offset: offset) }
    return String(decoding: bytes[offset...].prefix(64).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// A value of a type; nil where it is no number.
  private func number(
    _ offset: Int, _ width: Int, type: Int
  ) throws(FlatbufferError) -> Double? {
    let kind = type >> 2
    // Kinds 6 to 8 stand elsewhere, in a width of their own.
    if (6...8).contains(kind) {
      let place = try follow(offset, width)
      return try number(place, 1 << (type & 3), type: (kind - 5) << 2)
    }
    let word = try word(offset, width)
    switch kind {
    case 1:
      let shift = UInt64(64 - 8 * width)
      return Double(Int64(bitPattern: word << shift) >> Int64(shift))
    case 2, 26: return Double(word)
    case 3 where width == 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    case 3 where width == 8: return Double(bitPattern: word)
    default: return nil
    }
  }
}
