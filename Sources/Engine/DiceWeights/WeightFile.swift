internal import DiceNumerics

/// A weight file that has been checked completely: a network's description and its weights.
///
/// All checks happen once, in ``init(bytes:byteCountLimit:)``; after it no access can fail. The
/// value keeps the bytes it was made from (shared, not copied) and reads tensors out of them.
///
/// Source: `Docs/WeightFormat.md`.
public struct WeightFile: Hashable, Sendable {
  /// The whole file.
  public let bytes: [UInt8]
  /// The network: its inputs, layers, outputs, profile and provenance.
  public let description: NetworkDescription
  /// The shapes of all outputs and of all tensors.
  public let shapes: NetworkShapes
  /// Where and how each tensor is stored, by tensor index.
  public let tensors: [WeightTensor]
  /// The checksum of the file (XXH64): a short name for exactly these weights.
  public let checksum: UInt64
  /// The minor version that the file states.
  public let minorVersion: Int

  /// Reads and checks a weight file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, from a source that need not be trusted.
  ///   - byteCountLimit: The most bytes that are accepted, where less than the format's 256 MiB.
  /// - Throws: The broken rule of `Docs/WeightFormat.md` that is met first.
  /// - Complexity: O(`bytes.count`); memory besides `bytes` is bounded by the description.
  public init(
    bytes: [UInt8], byteCountLimit: Int = WeightFormat.maximumFileByteCount
  ) throws(WeightFileError) {
    let header = try WeightFileHeader(
      bytes, byteCountLimit: min(byteCountLimit, WeightFormat.maximumFileByteCount))
    let descriptionRange =
      WeightFormat.headerByteCount..<WeightFormat.headerByteCount + header.descriptionByteCount
    var description = NetworkDescription(name: "", inputs: [], layers: [], outputs: [])
    var stated: [StatedTensor] = []
    var reader = ByteReader(bytes, descriptionRange, section: "")
    try reader.description(&description, &stated)
    try reader.skipOptionalSections(minorVersion: header.minorVersion)
    let shapes = try description.validated(stated: stated.map { (tensor) in tensor.shape })
    let tensors = try Self.tensors(stated, in: bytes, from: descriptionRange.upperBound)
    self.bytes = bytes
    self.description = description
    self.shapes = shapes
    self.tensors = tensors
    checksum = header.checksum
    minorVersion = header.minorVersion
    for (index, tensor) in tensors.enumerated() {
      try Self.checkValues(of: tensor, at: index, in: bytes)
    }
  }

  /// Whether two files have the same bytes; everything else follows from them.
  public static func == (first: WeightFile, second: WeightFile) -> Bool {
    first.checksum == second.checksum && first.bytes == second.bytes
  }

  /// Hashes the checksum, which stands for the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(checksum)
  }

  /// The number of tensors.
  public var tensorCount: Int { tensors.count }

  /// The values of all tensors together; a tensor that several layers share counts once.
  public var parameterCount: Int64 { shapes.parameterCount }

  /// The multiplications with an addition that the network does for inputs of the default shapes.
  public var multiplyAddCount: Int64 { shapes.multiplyAddCount }

  /// The shapes of all values for inputs of other sizes.
  ///
  /// - SeeAlso: `NetworkDescription.shapes(inputs:)`
  public func shapes(inputs: [TensorShape]) throws(WeightFileError) -> NetworkShapes {
    try description.shapes(inputs: inputs, default: shapes)
  }

  /// Checks that the tensors lie where they must: aligned, ascending, without holes or overlap, up
  /// to the end of the file.
  private static func tensors(
    _ stated: [StatedTensor], in bytes: [UInt8], from start: Int
  ) throws(WeightFileError) -> [WeightTensor] {
    var tensors: [WeightTensor] = []
    tensors.reserveCapacity(stated.count)
    var end = start
    for (index, tensor) in stated.enumerated() {
      // Every shape has passed the limit on the number of values.
      let byteCount = tensor.storage.byteCount(shape: tensor.shape) ?? .max
      guard tensor.byteCount == UInt64(byteCount) else {
        throw .tensorByteCount(
          tensor: index, found: tensor.byteCount, required: UInt64(byteCount))
      }
      let offset = WeightFormat.aligned(end)
      guard tensor.offset == UInt64(offset) else {
        throw .tensorOffset(tensor: index, found: tensor.offset, required: UInt64(offset))
      }
      guard byteCount <= bytes.count - offset else {
        throw .tensorsEnd(found: offset + byteCount, byteCount: bytes.count)
      }
      for gap in end..<offset where bytes[gap] != 0 { throw .gapByteNotZero(offset: gap) }
      end = offset + byteCount
      tensors.append(
        WeightTensor(shape: tensor.shape, storage: tensor.storage, byteRange: offset..<end))
    }
    guard end == bytes.count else { throw .tensorsEnd(found: end, byteCount: bytes.count) }
    return tensors
  }
}

/// The checked fields before the description.
struct WeightFileHeader {
  let minorVersion: Int
  let descriptionByteCount: Int
  let checksum: UInt64

  init(_ bytes: [UInt8], byteCountLimit: Int) throws(WeightFileError) {
    let magic = WeightFormat.magic
    guard bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count)), !bytes.isEmpty else {
      throw .wrongMagic(found: Array(bytes.prefix(magic.count)))
    }
    let byteCount = WeightFormat.headerByteCount
    guard bytes.count >= byteCount else {
      throw .headerTruncated(byteCount: bytes.count, required: byteCount)
    }
    var reader = ByteReader(bytes, magic.count..<byteCount, section: "header")
    var (major, minor, descriptionByteCount) = (0, 0, 0)
    var (stated, checksum): (UInt64, UInt64) = (0, 0)
    try reader.uint16(&major)
    try reader.uint16(&minor)
    guard major == WeightFormat.majorVersion else {
      throw .unsupportedVersion(
        major: major, minor: minor, supportedMajor: WeightFormat.majorVersion)
    }
    guard bytes.count <= byteCountLimit else {
      throw .fileTooLarge(byteCount: bytes.count, limit: byteCountLimit)
    }
    try reader.uint32(&descriptionByteCount)
    try reader.integer(&stated, 8)
    guard stated == UInt64(bytes.count) else {
      throw .wrongByteCount(stated: stated, found: bytes.count)
    }
    try reader.integer(&checksum, 8)
    let computed = XXHash64.hash(bytes, zeroed: WeightFormat.Offset.checksum)
    guard checksum == computed else {
      throw .wrongChecksum(stated: checksum, computed: computed)
    }
    try reader.zeros(reader.remaining)
    let limit = min(WeightFormat.maximumDescriptionByteCount, bytes.count - byteCount)
    guard descriptionByteCount <= limit else {
      throw .descriptionTooLong(byteCount: descriptionByteCount, limit: limit)
    }
    minorVersion = minor
    self.descriptionByteCount = descriptionByteCount
    self.checksum = checksum
  }
}
