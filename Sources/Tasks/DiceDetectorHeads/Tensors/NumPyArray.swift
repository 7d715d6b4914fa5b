internal import DiceNumerics
internal import DiceWeights

/// An array of numbers as NumPy's `.npy` files hold it.
///
/// Versions 1 to 3 of the format are read, little-endian floats of 2, 4 and 8 bytes, integers of 1, 2,
/// 4 and 8 bytes and booleans, in C order or in Fortran order. All numbers become `Float`; version 1
/// with 4 bytes in C order is written.
///
/// Source: NumPy documentation, "numpy.lib.format".
public struct NumPyArray: Hashable, Sendable {
  /// What the numbers are in the file.
  public enum Element: String, CaseIterable, Hashable, Sendable {
    case float16 = "<f2"
    case float32 = "<f4"
    case float64 = "<f8"
    case int8 = "|i1"
    case int16 = "<i2"
    case int32 = "<i4"
    case int64 = "<i8"
    case uint8 = "|u1"
    case uint16 = "<u2"
    case uint32 = "<u4"
    case uint64 = "<u8"
    case bool = "|b1"

    /// The bytes of a number.
    public var byteCount: Int {
      switch self {
      case .int8, .uint8, .bool: 1
      case .float16, .int16, .uint16: 2
      case .float32, .int32, .uint32: 4
      case .float64, .int64, .uint64: 8
      }
    }
  }

  /// The most axes of an array.
  package static let rankLimit = 32

  /// The extents of the axes, the slowest first; none for a single number.
  public let shape: [Int]
  /// The numbers, the last axis being the fastest.
  public let numbers: [Float]
  /// What they are in the file.
  public let element: Element

  /// An array of floats.
  ///
  /// - Precondition: There are as many numbers as the shape has positions.
  public init(shape: [Int], numbers: [Float]) {
    precondition(shape.reduce(1, *) == numbers.count, "a number for each position")
    self.shape = shape
    self.numbers = numbers
    element = .float32
  }

  // MARK: Reading

  /// Reads a file.
  ///
  /// - Throws: The broken rule of the format.
  /// - Complexity: O(number of bytes).
  public init(_ bytes: [UInt8]) throws(NumPyArrayError) {
    guard bytes.starts(with: Self.magic) else { throw .wrongMagic }
    guard bytes.count >= 10 else { throw .truncated(byteCount: bytes.count, required: 10) }
    let lengthBytes: Int
    switch bytes[6] {
    case 1: lengthBytes = 2
    case 2, 3: lengthBytes = 4
    default: throw .unsupportedVersion(Int(bytes[6]))
    }
    let headerStart = 8 + lengthBytes
    guard bytes.count >= headerStart else {
      throw .truncated(byteCount: bytes.count, required: headerStart)
    }
    var length = 0
    for place in (8..<headerStart).reversed() { length = length << 8 | Int(bytes[place]) }
    guard length <= bytes.count - headerStart else {
      throw .truncated(byteCount: bytes.count, required: headerStart + length)
    }
    let start = headerStart + length
    var header = NumPyHeader(bytes[headerStart..<start])
    try header.read()
    guard let element = header.element, let shape = header.shape,
      let isFortranOrder = header.isFortranOrder
    else { throw .header }
    var count = 1
    for extent in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      guard !overflow else { throw .tooLarge }
      count = next
    }
    let (byteCount, overflow) = count.multipliedReportingOverflow(by: element.byteCount)
    guard !overflow, count <= WeightFormat.maximumElementCount else { throw .tooLarge }
    guard bytes.count - start == byteCount else {
      throw .wrongByteCount(found: bytes.count - start, required: byteCount)
    }
    let numbers = Self.numbers(bytes[start...], element, count)
    self.shape = shape
    self.element = element
    self.numbers =
      isFortranOrder
      ? TensorWalk.places(
        shape, strides: TensorWalk.strides(of: shape.reversed()).reversed()
      ).map { numbers[$0] }
      : numbers
  }

  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  private static func numbers(
    _ bytes: ArraySlice<UInt8>, _ element: Element, _ count: Int
  ) -> [Float] {
    let size = element.byteCount
    return (0..<count).map { (index) in
      var word: UInt64 = 0
      let start = bytes.startIndex + index * size
      for place in (start..<start + size).reversed() { word = word << 8 | UInt64(bytes[place]) }
      return switch element {
      case .float16: HalfPrecision.float(float16: UInt16(truncatingIfNeeded: word))
      case .float32: Float(bitPattern: UInt32(truncatingIfNeeded: word))
      case .float64: Float(Double(bitPattern: word))
      case .int8: Float(Int8(truncatingIfNeeded: word))
      case .int16: Float(Int16(truncatingIfNeeded: word))
      case .int32: Float(Int32(truncatingIfNeeded: word))
      case .int64: Float(Int64(bitPattern: word))
      case .uint8, .uint16, .uint32, .uint64: Float(word)
      case .bool: word == 0 ? 0 : 1
      }
    }
  }

  // MARK: Writing

  /// The bytes of a file.
  public var bytes: [UInt8] {
    let extents = shape.map { "\($0)" }.joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(extents)), }"
    // The numbers begin at a multiple of 64.
    let rest = (Self.magic.count + 4 + header.utf8.count + 1) % 64
    header += String(repeating: " ", count: rest == 0 ? 0 : 64 - rest) + "\n"
    var bytes = Self.magic + [1, 0]
    let length = header.utf8.count
    bytes += [UInt8(length & 0xFF), UInt8(length >> 8)]
    bytes += header.utf8
    bytes.reserveCapacity(bytes.count + numbers.count * 4)
    for number in numbers {
      let word = number.bitPattern
      for shift: UInt32 in [0, 8, 16, 24] {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }
}

/// Why bytes are no `.npy` file that can be read.
public enum NumPyArrayError: Error, Hashable, Sendable {
  /// The file does not begin with `\x93NUMPY`.
  case wrongMagic
  /// The file's version is none of 1, 2 and 3.
  case unsupportedVersion(Int)
  /// The file ends within its header.
  case truncated(byteCount: Int, required: Int)
  /// The header is no dictionary of a type, an order and a shape.
  case header
  /// The numbers are of a type that is not read.
  case unsupportedElement(String)
  /// The array has more than 2^28 numbers or too many axes.
  case tooLarge
  /// Behind the header are more or fewer bytes than its shape needs.
  case wrongByteCount(found: Int, required: Int)
}

extension NumPyArrayError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .wrongMagic: "It is no .npy file."
    case .unsupportedVersion(let version):
      "The .npy file is of version \(version); versions 1 to 3 can be read."
    case .truncated(let byteCount, let required):
      "The .npy file has \(byteCount) bytes; its header needs \(required)."
    case .header: "The .npy file's header is damaged."
    case .unsupportedElement(let name):
      "The .npy file's numbers are of the type \(name); little-endian floats, integers and booleans "
        + "can be read."
    case .tooLarge: "The .npy file's array has more than 268435456 numbers or more than 32 axes."
    case .wrongByteCount(let found, let required):
      "The .npy file has \(found) bytes of numbers; its shape needs \(required)."
    }
  }
}

/// Reads the header of a `.npy` file: a Python dictionary of three entries.
private struct NumPyHeader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  var element: NumPyArray.Element?
  var isFortranOrder: Bool?
  var shape: [Int]?

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  mutating func read() throws(NumPyArrayError) {
    try expect("{")
    while !accept("}") {
      let key = try text()
      try expect(":")
      switch key {
      case "descr":
        let name = try text()
        // "=" and "|" stand for this machine's order and for none.
        let known = NumPyArray.Element.allCases.first {
          $0.rawValue.dropFirst() == name.dropFirst()
        }
        guard let known, name.first != ">" || known.byteCount == 1 else {
          throw .unsupportedElement(String(name.prefix(32)))
        }
        element = known
      case "fortran_order":
        isFortranOrder = accept("True")
        if isFortranOrder == false { try expect("False") }
      case "shape": shape = try extents()
      default: throw .header
      }
      if !accept(",") {
        try expect("}")
        break
      }
    }
    skipSpaces()
    guard place == bytes.endIndex else { throw .header }
  }

  private mutating func skipSpaces() {
    while place < bytes.endIndex, [0x20, 0x0A].contains(bytes[place]) { place += 1 }
  }

  private mutating func accept(_ text: String) -> Bool {
    skipSpaces()
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  private mutating func expect(_ text: String) throws(NumPyArrayError) {
    if !accept(text) { throw .header }
  }

  private mutating func text() throws(NumPyArrayError) -> String {
    skipSpaces()
    guard place < bytes.endIndex, [0x22, 0x27].contains(bytes[place]),
      let end = bytes[(place + 1)...].firstIndex(of: bytes[place])
    else { throw .header }
    defer { place = end + 1 }
    return String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
  }

  private mutating func extents() throws(NumPyArrayError) -> [Int] {
    try expect("(")
    var shape: [Int] = []
    while !accept(")") {
      skipSpaces()
      let digits = bytes[place...].prefix { (0x30...0x39).contains($0) }
      guard let extent = Int(String(decoding: digits, as: UTF8.self)) else { throw .header }
      place += digits.count
      _ = accept("L")
      shape.append(extent)
      guard shape.count <= NumPyArray.rankLimit else { throw .tooLarge }
      if !accept(",") {
        try expect(")")
        break
      }
    }
    return shape
  }
}
