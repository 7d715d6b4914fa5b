/// Decompression of gzip files (RFC 1952): a header, DEFLATE data, a checksum and a length.
///
/// A file has one member; more than one is refused as trailing bytes.
package enum Gzip {
  /// The bytes of the file before compression.
  ///
  /// - Parameters:
  ///   - bytes: the whole file, from a source that need not be trusted.
  ///   - outputLimit: the most bytes of output, at least 0.
  /// - Throws: the rule that the file breaks.
  /// - Complexity: O(n) in the bytes of input and output.
  package static func decompress(
    _ bytes: [UInt8], outputLimit: Int
  ) throws(GzipError) -> [UInt8] {
    let start = try dataOffset(bytes)
    guard bytes.count - start >= trailerByteCount else { throw .truncated }
    let end = bytes.count - trailerByteCount
    let output: [UInt8]
    do throws(InflateError) {
      output = try Inflate.raw(Array(bytes[start..<end]), outputLimit: outputLimit)
    } catch { throw .data(error) }
    let checksum = word(bytes, at: end)
    let computed = CRC32.checksum(output)
    guard checksum == computed else {
      throw .checksumMismatch(stored: checksum, computed: computed)
    }
    let length = word(bytes, at: end + 4)
    guard length == UInt32(truncatingIfNeeded: output.count) else {
      throw .wrongLength(stored: length, found: output.count)
    }
    return output
  }

  private static let headerByteCount = 10
  private static let trailerByteCount = 8

  /// Where the compressed data begins, behind the header's optional fields.
  private static func dataOffset(_ bytes: [UInt8]) throws(GzipError) -> Int {
    guard bytes.count >= 2, bytes[0] == 0x1F, bytes[1] == 0x8B else { throw .wrongMagic }
    guard bytes.count >= headerByteCount else { throw .truncated }
    guard bytes[2] == 8 else { throw .unsupportedMethod(Int(bytes[2])) }
    let flags = bytes[3]
    guard flags & 0xE0 == 0 else { throw .reservedFlags(flags) }
    var offset = headerByteCount
    if flags & 4 != 0 {
      guard bytes.count - offset >= 2 else { throw .truncated }
      offset += 2 + Int(bytes[offset]) + Int(bytes[offset + 1]) << 8
    }
    // The name and the comment end with a zero.
    for flag in [UInt8(8), 16] where flags & flag != 0 {
      guard offset <= bytes.count, let zero = bytes[offset...].firstIndex(of: 0) else {
        throw .truncated
      }
      offset = zero + 1
    }
    if flags & 2 != 0 { offset += 2 }
    guard offset <= bytes.count else { throw .truncated }
    return offset
  }

  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<4 { value |= UInt32(bytes[offset + index]) << UInt32(8 * index) }
    return value
  }
}

/// What can be wrong with a gzip file: each case is the rule that it breaks.
public enum GzipError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not begin with 1F 8B.
  case wrongMagic
  /// The file ends within its header or trailer.
  case truncated
  /// The header names another compression method than 8, DEFLATE.
  case unsupportedMethod(Int)
  /// The header has flags that have no meaning.
  case reservedFlags(UInt8)
  /// The compressed data is broken.
  case data(InflateError)
  /// The checksum is not that of the output.
  case checksumMismatch(stored: UInt32, computed: UInt32)
  /// The length modulo 2³² is not that of the output.
  case wrongLength(stored: UInt32, found: Int)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .wrongMagic: "This is not a gzip file: it does not begin with 1F 8B."
    case .truncated: "The gzip file ends too early."
    case .unsupportedMethod(let method):
      "The gzip file names compression method \(method), but only 8 (DEFLATE) exists."
    case .reservedFlags(let flags):
      "The gzip file has the flags \(flags), some of which are reserved."
    case .data(let error): "\(error)"
    case .checksumMismatch(let stored, let computed):
      "The checksum of the gzip file is \(computed), but the file says \(stored)."
    case .wrongLength(let stored, let found):
      "The gzip file holds \(found) bytes, but says \(stored)."
    }
  }
}
