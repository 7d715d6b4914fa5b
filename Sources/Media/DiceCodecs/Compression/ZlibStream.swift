/// The output of a zlib stream in pieces of the caller's size, with a window that slides along it.
///
/// The memory in use is the window: 32 KiB of history and a few pieces.
struct ZlibStream {
  static let headerByteCount = 2
  static let checksumByteCount = 4
  private static let historyByteCount = 32768

  private var stream = InflateStream(offset: headerByteCount)
  private var checksum: UInt32 = 1
  private var window: [UInt8]
  /// The first byte of the window that no piece has covered yet.
  private var start = 0
  /// The end of the output in the window.
  private var end = 0

  /// Checks the header of a stream and prepares to read pieces of at most `pieceByteCount` bytes.
  ///
  /// - Throws: `truncated`, `invalidHeaderCheck`, `unsupportedMethod`, `invalidWindowSize`,
  ///   `presetDictionary`.
  init(
    _ input: UnsafeBufferPointer<UInt8>, pieceByteCount: Int
  ) throws(InflateError) {
    try unsafe Self.checkHeader(input)
    // Room for many small pieces, so that history is seldom moved, but not more than the second
    // level of cache holds.
    let fresh = max(pieceByteCount, 96 * 1024)
    window = [UInt8](repeating: 0, count: Self.historyByteCount + fresh + 512)
  }

  /// Passes the next `count` bytes of output to a closure.
  ///
  /// - Precondition: `count` is at most the `pieceByteCount` of the initializer.
  /// - Throws: `truncated` with fewer bytes left in the stream, and what `Inflate` throws; never an
  ///   error about the checksum, which `finish` verifies.
  mutating func withNextPiece(
    _ input: UnsafeBufferPointer<UInt8>, count: Int,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(ShortOutputError) {
    if end - start < count {
      try unsafe load(input, count: count)
    }
    unsafe window.withUnsafeBufferPointer {
      unsafe body(UnsafeBufferPointer(rebasing: $0[start..<start + count]))
    }
    start += count
  }

  /// Verifies the checksum of a stream that ends with the last piece; of one that goes on, nothing is
  /// known.
  ///
  /// Bytes behind the stream are not looked at.
  ///
  /// - Throws: `checksumMismatch`, `truncated`.
  mutating func finish(_ input: UnsafeBufferPointer<UInt8>) throws(InflateError) {
    if start < end { return }
    if !stream.isFinished {
      end = try unsafe fill(input, upTo: end)
      if !stream.isFinished { return }
    }
    let stored = try unsafe Self.storedChecksum(input, at: stream.offset)
    if stored != checksum { throw .checksumMismatch(stored: stored, computed: checksum) }
  }

  /// Why a piece could not be delivered.
  enum ShortOutputError: Error {
    /// The stream is broken.
    case broken(InflateError)
    /// The stream is whole but ends before the piece does.
    case ended
  }

  /// Slides the window and decodes until `count` bytes stand at `start`.
  private mutating func load(
    _ input: UnsafeBufferPointer<UInt8>, count: Int
  ) throws(ShortOutputError) {
    if stream.isFinished { throw .ended }
    let keptStart = max(0, min(start, end - Self.historyByteCount))
    if keptStart > 0 {
      unsafe window.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        // Both ranges lie inside the window; `update` allows them to overlap.
        unsafe base.update(from: base + keptStart, count: end - keptStart)
      }
      start -= keptStart
      end -= keptStart
    }
    do throws(InflateError) {
      end = try unsafe fill(input, upTo: window.count)
    } catch {
      throw .broken(error)
    }
    if end - start < count {
      throw stream.isFinished ? .ended : .broken(.truncated)
    }
  }

  private mutating func fill(
    _ input: UnsafeBufferPointer<UInt8>, upTo limit: Int
  ) throws(InflateError) -> Int {
    let position = end
    return try unsafe window.withUnsafeMutableBufferPointer {
      (buffer) throws(InflateError) -> Int in
      let room = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<limit])
      let newEnd = try unsafe stream.read(input, into: room, at: position)
      checksum = unsafe Adler32.update(
        checksum, with: UnsafeBufferPointer(rebasing: room[position..<newEnd]))
      return newEnd
    }
  }

  static func checkHeader(_ input: UnsafeBufferPointer<UInt8>) throws(InflateError) {
    guard input.count >= headerByteCount else { throw .truncated }
    let header = unsafe UInt16(input[0]) << 8 | UInt16(input[1])
    if header % 31 != 0 { throw .invalidHeaderCheck(header: header) }
    let method = Int(header >> 8 & 15)
    if method != 8 { throw .unsupportedMethod(method) }
    let windowCode = Int(header >> 12)
    if windowCode > 7 { throw .invalidWindowSize(code: windowCode) }
    if header & 32 != 0 { throw .presetDictionary }
  }

  static func storedChecksum(
    _ input: UnsafeBufferPointer<UInt8>, at offset: Int
  ) throws(InflateError) -> UInt32 {
    guard input.count - offset >= checksumByteCount else { throw .truncated }
    var value: UInt32 = 0
    for index in 0..<checksumByteCount { value = unsafe value << 8 | UInt32(input[offset + index]) }
    return value
  }
}
