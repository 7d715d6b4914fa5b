/// The chunks of a PNG file that matter for its picture, checked for order, length and checksum.
struct PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  var header: PNGHeader
  /// Red, green, blue of each colour; empty where there is no palette.
  var palette: ArraySlice<UInt8> = []
  /// The data of the `tRNS` chunk, or nil.
  var transparency: ArraySlice<UInt8>?
  /// Where the data of the `IDAT` chunks stand in the file.
  var imageData: [Range<Int>] = []
  /// Orientation and colour profile.
  var metadata = PNGMetadata()
  /// Why the file gives no more chunks, where its end is missing behind image data.
  private(set) var missingEnd: PNGError?
  /// Whether image data was left out that does not follow the rest of it.
  private var isInterrupted = false

  /// How far to read.
  enum Extent {
    /// Up to the first `IDAT` chunk, whose data is not looked at.
    case header
    /// Up to the `IEND` chunk.
    case wholeFile
  }

  /// Reads the chunks of a file.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - extent: how far to read.
  ///   - limits: what the header may claim; nil for anything.
  /// - Complexity: O(n) in the bytes that are read.
  init(
    _ bytes: [UInt8], extent: Extent, limits: DecodingLimits? = nil
  ) throws(PNGError) {
    guard bytes.starts(with: Self.signature) else {
      // A correct beginning of the signature is a file that ends too early.
      if Self.signature.starts(with: bytes) {
        throw .truncated(byteCount: bytes.count, requiredByteCount: Self.signature.count)
      }
      throw .invalidSignature
    }
    var reader = PNGChunkReader(bytes: bytes, offset: Self.signature.count)
    let first = try reader.next()
    if first.type == .appleOptimization { throw .appleOptimization }
    guard first.type == .header else { throw .missingHeader(found: first.type) }
    try Self.require(first, PNGHeader.byteCount...PNGHeader.byteCount)
    try reader.verify(first)
    header = try PNGHeader(bytes[first.data])
    if let limits { try header.check(limits) }
    var previous = PNGChunkType.header
    while previous != .end {
      if extent == .header, try reader.nextType() == .imageData {
        try checkBeforeImageData()
        return
      }
      let chunk: PNGChunkReader.Chunk
      do throws(PNGError) {
        chunk = try reader.next()
      } catch {
        guard case .truncated = error, !imageData.isEmpty else { throw error }
        missingEnd = error
        return
      }
      if chunk.type.isOptional {
        addOptional(chunk, bytes[chunk.data], reader)
      } else {
        try reader.verify(chunk)
        try add(chunk, bytes[chunk.data], previous: previous)
      }
      previous = chunk.type
    }
    if imageData.isEmpty { throw .missingImageData }
  }

  /// The rule that the file breaks where its rows give an error.
  func reason(for error: PNGError) -> PNGError {
    switch error {
    case .imageDataTooShort, .invalidCompression(.truncated):
      isInterrupted ? .interruptedImageData : missingEnd ?? error
    default: error
    }
  }

  /// The colour profile of a file; nil where there is none that is whole.
  static func colorProfile(of bytes: [UInt8]) -> ColorProfile? {
    do throws(PNGError) {
      return try PNGFile(bytes, extent: .header).metadata.colorProfile
    } catch {
      return nil
    }
  }

  /// All compressed rows in one piece: `body` gets the file itself where one chunk holds them.
  func withImageData<Result>(
    of bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(PNGError) -> Result
  ) throws(PNGError) -> Result {
    if imageData.count == 1 {
      return try unsafe bytes[imageData[0]].withUnsafeBufferPointer {
        (buffer) throws(PNGError) -> Result in try unsafe body(buffer)
      }
    }
    var joined: [UInt8] = []
    joined.reserveCapacity(imageData.reduce(0) { $0 + $1.count })
    for range in imageData { joined.append(contentsOf: bytes[range]) }
    return try unsafe joined.withUnsafeBufferPointer {
      (buffer) throws(PNGError) -> Result in try unsafe body(buffer)
    }
  }

  /// Bytes of all `IDAT` chunks together.
  var imageDataByteCount: Int { imageData.reduce(0) { $0 + $1.count } }

  // MARK: Rules

  private mutating func add(
    _ chunk: PNGChunkReader.Chunk, _ data: ArraySlice<UInt8>, previous: PNGChunkType
  ) throws(PNGError) {
    switch chunk.type {
    case .header:
      throw .duplicateChunk(.header)
    case .palette:
      if header.colorType == .gray || header.colorType == .grayAlpha {
        throw .forbiddenChunk(.palette, colorType: header.colorType)
      }
      if !palette.isEmpty { throw .duplicateChunk(.palette) }
      if !imageData.isEmpty { throw .misplacedChunk(.palette, after: .imageData) }
      if transparency != nil { throw .misplacedChunk(.palette, after: .transparency) }
      if data.isEmpty || data.count % 3 != 0 || data.count > 256 * 3 {
        throw .invalidPaletteLength(byteCount: data.count)
      }
      palette = data
    case .transparency:
      try addTransparency(chunk, data)
    case .imageData:
      if imageData.isEmpty {
        try checkBeforeImageData()
      } else if previous != .imageData {
        isInterrupted = true
      }
      if !isInterrupted { imageData.append(chunk.data) }
    case .end:
      try Self.require(chunk, 0...0)
    case .exif:
      metadata.addExif(data)
    default:
      if chunk.type.isCritical { throw .unknownCriticalChunk(chunk.type) }
    }
  }

  /// Takes up a chunk without which the picture is the same; one that is damaged says nothing.
  private mutating func addOptional(
    _ chunk: PNGChunkReader.Chunk, _ data: ArraySlice<UInt8>, _ reader: PNGChunkReader
  ) {
    switch chunk.type {
    case .profile:
      if metadata.profile == nil, reader.isIntact(chunk) { metadata.profile = data }
    case .text, .compressedText, .internationalText:
      metadata.addText(chunk.type, data) { reader.isIntact(chunk) }
    default: break
    }
  }

  private mutating func addTransparency(
    _ chunk: PNGChunkReader.Chunk, _ data: ArraySlice<UInt8>
  ) throws(PNGError) {
    if transparency != nil { throw .duplicateChunk(.transparency) }
    if !imageData.isEmpty { throw .misplacedChunk(.transparency, after: .imageData) }
    switch header.colorType {
    case .gray:
      try Self.require(chunk, 2...2)
    case .rgb:
      try Self.require(chunk, 6...6)
    case .palette:
      if palette.isEmpty { throw .missingPalette }
      try Self.require(chunk, 0...palette.count / 3)
    case .grayAlpha, .rgba:
      throw .forbiddenChunk(.transparency, colorType: header.colorType)
    }
    transparency = data
    header.hasTransparency = true
  }

  private func checkBeforeImageData() throws(PNGError) {
    if header.colorType == .palette && palette.isEmpty { throw .missingPalette }
  }

  private static func require(
    _ chunk: PNGChunkReader.Chunk, _ allowed: ClosedRange<Int>
  ) throws(PNGError) {
    if !allowed.contains(chunk.data.count) {
      throw .invalidChunkLength(chunk.type, byteCount: chunk.data.count, allowed: allowed)
    }
  }
}

/// Steps from chunk to chunk: length, type, data, checksum.
struct PNGChunkReader {
  /// A chunk whose data and checksum lie inside the file.
  struct Chunk {
    let type: PNGChunkType
    let data: Range<Int>
  }

  let bytes: [UInt8]
  var offset: Int

  /// The name of the chunk at the offset, of which the rest may be missing.
  func nextType() throws(PNGError) -> PNGChunkType {
    try require(8)
    return PNGChunkType(rawValue: integer(at: offset + 4))
  }

  /// The chunk at the offset, which then moves behind it.
  ///
  /// The checksum is not verified.
  mutating func next() throws(PNGError) -> Chunk {
    try require(8)
    let length = integer(at: offset)
    let type = PNGChunkType(rawValue: integer(at: offset + 4))
    if !type.isValid { throw .invalidChunkType(type, offset: offset) }
    if length > 0x7FFF_FFFF { throw .chunkTooLong(type, byteCount: length) }
    let (required, overflow) = Int(length).addingReportingOverflow(12)
    if overflow { throw .chunkTooLong(type, byteCount: length) }
    try require(required)
    let data = offset + 8..<offset + 8 + Int(length)
    offset += required
    return Chunk(type: type, data: data)
  }

  /// Compares the checksum of a chunk with the stored one.
  func verify(_ chunk: Chunk) throws(PNGError) {
    let (stored, computed) = checksums(chunk)
    if stored != computed {
      throw .checksumMismatch(chunk.type, stored: stored, computed: computed)
    }
  }

  /// Whether the checksum of a chunk is right.
  func isIntact(_ chunk: Chunk) -> Bool {
    let (stored, computed) = checksums(chunk)
    return stored == computed
  }

  private func checksums(_ chunk: Chunk) -> (stored: UInt32, computed: UInt32) {
    (
      integer(at: chunk.data.upperBound),
      CRC32.checksum(bytes[chunk.data.lowerBound - 4..<chunk.data.upperBound])
    )
  }

  private func require(_ count: Int) throws(PNGError) {
    if bytes.count - offset < count {
      let required = offset.addingReportingOverflow(count)
      throw .truncated(
        byteCount: bytes.count, requiredByteCount: required.overflow ? .max : required.partialValue)
    }
  }

  private func integer(at index: Int) -> UInt32 {
    bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
