/// Ways to damage a file, for tests that a parser answers each with a result or a typed error.
public enum Mutations {
  /// Values that a byte is set to where not all are tried; three more depend on the byte.
  private static let sampleValues: [UInt8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF]

  /// Calls `body` with every beginning of a file, from no byte to all but the last.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public static func forEachPrefix(of bytes: [UInt8], _ body: ([UInt8]) throws -> Void) rethrows
    -> Int
  {
    for count in bytes.indices { try body(Array(bytes[..<count])) }
    return bytes.count
  }

  /// Calls `body` with a file in which one byte is changed, for each byte: to all 255 other values
  /// in its header, to a fixed sample of up to nine elsewhere.
  ///
  /// - Parameter header: The places whose bytes take all values.
  /// - Returns: how many there were.
  @discardableResult
  public static func forEachChange(
    of bytes: [UInt8], header: [Range<Int>], _ body: ([UInt8]) throws -> Void
  ) rethrows -> Int {
    var count = 0
    var changed = bytes
    for index in bytes.indices {
      let original = bytes[index]
      let values =
        header.contains { $0.contains(index) }
        ? Array(UInt8.min ... .max)
        : Set(sampleValues + [original ^ 1, original ^ 0x10, original &+ 1]).sorted()
      for value in values where value != original {
        changed[index] = value
        try body(changed)
        count += 1
      }
      changed[index] = original
    }
    return count
  }

  /// Calls `body` with a file that lacks one byte, and one in which that byte stands twice, for each.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public static func forEachShift(of bytes: [UInt8], _ body: ([UInt8]) throws -> Void) rethrows
    -> Int
  {
    for index in bytes.indices {
      var changed = bytes
      changed.remove(at: index)
      try body(changed)
      changed = bytes
      changed.insert(bytes[index], at: index)
      try body(changed)
    }
    return 2 * bytes.count
  }

  /// Calls `body` with every damage of the other three.
  ///
  /// - Returns: how many there were.
  public static func forEach(
    of bytes: [UInt8], header: [Range<Int>], _ body: ([UInt8]) throws -> Void
  ) rethrows -> Int {
    try forEachPrefix(of: bytes, body) + forEachChange(of: bytes, header: header, body)
      + forEachShift(of: bytes, body)
  }
}
