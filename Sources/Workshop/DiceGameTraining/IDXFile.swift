/// An array of bytes in the format of the MNIST collection.
///
/// Two zeros, the type of the values (8: unsigned bytes), the number of dimensions, each dimension
/// as a big-endian 32-bit number, then the values, the last dimension fastest.
///
/// Source: Y. LeCun, C. Cortes, C. Burges, "The MNIST database of handwritten digits".
public struct IDXFile: Hashable, Sendable {
  /// The dimensions, slowest first.
  public let dimensions: [Int]
  /// The values; as many as the product of the dimensions.
  public let values: [UInt8]

  /// Reads a file of unsigned bytes.
  ///
  /// - Parameter bytes: the whole file, from a source that need not be trusted.
  /// - Throws: the rule that the file breaks.
  public init(_ bytes: [UInt8]) throws(IDXError) {
    guard bytes.count >= 4 else { throw .truncated(byteCount: bytes.count, required: 4) }
    guard bytes[0] == 0, bytes[1] == 0 else { throw .wrongMagic(Array(bytes[..<4])) }
    guard bytes[2] == 8 else { throw .unsupportedType(bytes[2]) }
    let rank = Int(bytes[3])
    guard (1...4).contains(rank) else { throw .rank(found: rank) }
    let start = 4 + 4 * rank
    guard bytes.count >= start else {
      throw .truncated(byteCount: bytes.count, required: start)
    }
    var dimensions: [Int] = []
    var count = 1
    for index in 0..<rank {
      var dimension = 0
      for byte in bytes[4 + 4 * index..<8 + 4 * index] { dimension = dimension << 8 | Int(byte) }
      let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
      guard !overflow else { throw .valueCount(found: bytes.count - start, required: .max) }
      count = product
      dimensions.append(dimension)
    }
    guard bytes.count - start == count else {
      throw .valueCount(found: bytes.count - start, required: count)
    }
    self.dimensions = dimensions
    values = Array(bytes[start...])
  }
}

/// What can be wrong with an IDX file: each case is the rule that it breaks.
public enum IDXError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file ends within its header.
  case truncated(byteCount: Int, required: Int)
  /// The file does not begin with two zeros.
  case wrongMagic([UInt8])
  /// The values are not unsigned bytes.
  case unsupportedType(UInt8)
  /// The number of dimensions is not 1 to 4.
  case rank(found: Int)
  /// The number of values is not the product of the dimensions.
  case valueCount(found: Int, required: Int)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .truncated(let byteCount, let required):
      "The IDX file has \(byteCount) bytes, fewer than the \(required) of its header."
    case .wrongMagic(let found):
      "This is not an IDX file: it begins with \(found), not with two zeros."
    case .unsupportedType(let code):
      "The values of the IDX file are of the type \(code); only 8, unsigned bytes, can be read."
    case .rank(let found): "The IDX file has \(found) dimensions; 1 to 4 are allowed."
    case .valueCount(let found, let required):
      "The IDX file has \(found) values; its dimensions call for \(required)."
    }
  }
}
