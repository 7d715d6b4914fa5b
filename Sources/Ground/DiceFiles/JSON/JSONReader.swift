/// Reads JSON texts, strictly by RFC 8259.
///
/// - The text is valid UTF-8, not UTF-16 or UTF-32; a byte order mark at its start is passed over (section 8.1 allows it).
/// - A number that `Double` cannot hold is refused, one that is nearer to 0 than any other `Double`
///   becomes 0; every number becomes the nearest `Double`, ties to even. `-0` keeps its sign.
/// - A key that occurs twice in an object is refused (RFC 7493, section 2.3): readers differ on which
///   value counts. Keys are compared byte for byte after their escapes are resolved.
/// - `\u0000` is a character like any other; half of a surrogate pair is refused.
public enum JSONReader {
  /// Reads one value with nothing but space around it.
  ///
  /// - Parameters:
  ///   - bytes: the whole text.
  ///   - limits: what to refuse before it costs too much.
  /// - Returns: the value.
  /// - Throws: `JSONError` with the first rule broken, in the order of the text.
  /// - Complexity: O(n) for n bytes, O(m log m) for the m members of an object with more than 16;
  ///   memory at most about thirty times the text, and for common texts four times.
  public static func parse(
    _ bytes: [UInt8], limits: JSONLimits = JSONLimits()
  ) throws(JSONError) -> JSONValue {
    if bytes.count > limits.byteCount {
      throw JSONError(
        .tooLarge(found: bytes.count, limit: limits.byteCount), at: limits.byteCount, in: [])
    }
    if let encoding = wideEncoding(of: bytes) {
      throw JSONError(.wideEncoding(encoding), at: 0, in: [])
    }
    var parser = JSONParser(bytes, limits: limits)
    do throws(JSONParser.Failure) {
      return try parser.parse()
    } catch {
      throw JSONError(error.rule, at: error.offset, in: bytes)
    }
  }

  /// The encoding of a text that is not UTF-8 by its first bytes: a byte order mark of UTF-16 or UTF-32, or
  /// ASCII characters beside zeros, which no JSON text in UTF-8 begins with.
  private static func wideEncoding(of bytes: [UInt8]) -> String? {
    guard bytes.count >= 2, bytes.count.isMultiple(of: 2) else { return nil }
    func isZero(_ index: Int) -> Bool { index >= bytes.count || bytes[index] == 0 }
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE), (1...0x7F, 0):
      guard bytes[0] == 0xFF || isZero(3) else { return nil }
      return bytes.count >= 4 && isZero(2) && isZero(3) ? "UTF-32" : "UTF-16"
    case (0xFE, 0xFF): return "UTF-16"
    case (0, 1...0x7F): return isZero(2) ? "UTF-16" : nil
    case (0, 0) where bytes.count >= 4:
      let isMark = bytes[2] == 0xFE && bytes[3] == 0xFF
      return isMark || isZero(2) && (1...0x7F).contains(bytes[3]) ? "UTF-32" : nil
    default: return nil
    }
  }

  /// Where the text begins: behind a byte order mark.
  static func startOffset(of bytes: [UInt8]) -> Int {
    bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
  }
}

/// One pass over a text.
///
/// Values wait on one stack until their container is complete, so that every container is allocated
/// once, at its final size.
struct JSONParser {
  struct Failure: Error {
    var rule: JSONError.Rule
    var offset: Int
  }

  let bytes: [UInt8]
  var position: Int
  let depthLimit: Int
  let valueLimit: Int
  private var depth = 0
  private var valueCount = 0
  private var values: [JSONValue] = []
  private var members: [JSONObject.Member] = []
  private var keyOffsets: [Int] = []
  private var containers: [Container] = []

  /// An array or object whose end has not come yet.
  private struct Container {
    var isObject: Bool
    /// Where its elements or members begin on their stack.
    var start: Int
    /// The member whose value is being read.
    var key: String
    var keyOffset: Int
  }

  init(_ bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    position = JSONReader.startOffset(of: bytes)
    depthLimit = min(limits.depth, JSONLimits.greatestDepth)
    valueLimit = limits.valueCount
  }

  mutating func parse() throws(Failure) -> JSONValue {
    skipSpace()
    var needed = JSONError.Expectation.value
    while true {
      // A value begins at `position`.
      if var value = try beginValue(needed) {
        // The value is complete: hand it to its container, and that one to its own.
        while true {
          guard let container = containers.last else { return try finish(value) }
          skipSpace()
          if container.isObject {
            members.append(JSONObject.Member(key: container.key, value: value))
            keyOffsets.append(container.keyOffset)
          } else {
            values.append(value)
          }
          let byte = try current()
          if byte == UInt8(ascii: ",") {
            position += 1
            skipSpace()
            if container.isObject { try readKey(.key) }
            break
          }
          if container.isObject {
            guard byte == UInt8(ascii: "}") else { throw unexpected(.commaOrObjectEnd) }
            position += 1
            value = try endObject(container.start)
          } else {
            guard byte == UInt8(ascii: "]") else { throw unexpected(.commaOrArrayEnd) }
            position += 1
            value = .array(Array(values[container.start...]))
            values.removeLast(values.count - container.start)
          }
          containers.removeLast()
        }
        needed = .value
      } else {
        needed = containers[containers.count - 1].isObject ? .value : .valueOrArrayEnd
      }
    }
  }

  /// Reads a value that holds no others, or the beginning of a container and nil.
  private mutating func beginValue(
    _ needed: JSONError.Expectation
  ) throws(Failure) -> JSONValue? {
    let byte = try current()
    valueCount += 1
    if valueCount > valueLimit { throw failure(.tooManyValues(limit: valueLimit)) }
    switch byte {
    case UInt8(ascii: "\""):
      return .string(try readString())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      return .number(try readNumber())
    case UInt8(ascii: "{"):
      try beginContainer(isObject: true, start: members.count)
      if try current() == UInt8(ascii: "}") {
        position += 1
        containers.removeLast()
        return .object(JSONObject())
      }
      try readKey(.keyOrObjectEnd)
      return nil
    case UInt8(ascii: "["):
      try beginContainer(isObject: false, start: values.count)
      if try current() == UInt8(ascii: "]") {
        position += 1
        containers.removeLast()
        return .array([])
      }
      return nil
    case UInt8(ascii: "t"):
      try readLiteral("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try readLiteral("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try readLiteral("null")
      return .null
    default:
      throw unexpected(needed)
    }
  }

  private mutating func beginContainer(isObject: Bool, start: Int) throws(Failure) {
    if containers.count >= depthLimit { throw failure(.tooDeep(limit: depthLimit)) }
    position += 1
    containers.append(Container(isObject: isObject, start: start, key: "", keyOffset: 0))
    skipSpace()
  }

  private mutating func readKey(_ needed: JSONError.Expectation) throws(Failure) {
    guard try current() == UInt8(ascii: "\"") else { throw unexpected(needed) }
    let offset = position
    let key = try readString()
    skipSpace()
    guard try current() == UInt8(ascii: ":") else { throw unexpected(.colon) }
    position += 1
    skipSpace()
    containers[containers.count - 1].key = key
    containers[containers.count - 1].keyOffset = offset
  }

  private mutating func endObject(_ start: Int) throws(Failure) -> JSONValue {
    let result = Array(members[start...])
    try refuseDuplicates(result, keyOffsets[start...])
    members.removeLast(members.count - start)
    keyOffsets.removeLast(keyOffsets.count - start)
    return .object(JSONObject(result))
  }

  private func refuseDuplicates(
    _ members: [JSONObject.Member], _ offsets: ArraySlice<Int>
  ) throws(Failure) {
    func offset(_ index: Int) -> Int { offsets[offsets.startIndex + index] }
    if members.count <= 16 {
      var later = 1
      while later < members.count {
        for earlier in 0..<later
        where JSONObject.isSame(members[earlier].key, members[later].key) {
          throw Failure(rule: .duplicateKey(members[later].key), offset: offset(later))
        }
        later += 1
      }
      return
    }
    let keys = members.map { [UInt8]($0.key.utf8) }
    let order = keys.indices.sorted {
      keys[$0] == keys[$1] ? $0 < $1 : keys[$0].lexicographicallyPrecedes(keys[$1])
    }
    var found: Int?
    for (one, other) in zip(order, order.dropFirst()) where keys[one] == keys[other] {
      found = min(found ?? other, other)
    }
    if let found {
      throw Failure(rule: .duplicateKey(members[found].key), offset: offset(found))
    }
  }

  private mutating func readLiteral(_ literal: StaticString) throws(Failure) {
    let start = position
    for index in 0..<literal.utf8CodeUnitCount {
      guard position < bytes.count else { throw failure(.unexpectedEnd) }
      let needed = unsafe literal.utf8Start[index]
      guard bytes[position] == needed else {
        position = start
        throw unexpected(.literal)
      }
      position += 1
    }
  }

  private mutating func finish(_ value: JSONValue) throws(Failure) -> JSONValue {
    skipSpace()
    if position < bytes.count { throw failure(.trailingBytes(found: bytes[position])) }
    return value
  }

  // MARK: - Bytes

  @inline(__always)
  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  @inline(__always)
  func current() throws(Failure) -> UInt8 {
    guard position < bytes.count else { throw failure(.unexpectedEnd) }
    return bytes[position]
  }

  func failure(_ rule: JSONError.Rule) -> Failure {
    Failure(rule: rule, offset: position)
  }

  func unexpected(_ needed: JSONError.Expectation) -> Failure {
    guard position < bytes.count else { return failure(.unexpectedEnd) }
    return failure(.unexpectedByte(found: bytes[position], needed: needed))
  }
}
