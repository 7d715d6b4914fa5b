public import DiceImaging

/// Reads YUV4MPEG2 streams (`.y4m`) from chunks of bytes of any size.
///
///     var reader = Y4MReader()
///     while let frame = try reader.nextFrame(from: &bytes) {
///       frame.withFrame { detector.detect(in: $0) }
///     }
///     // `bytes` is used up: get more, or call finish().
///
/// Frames, their order and their errors do not depend on how the stream is cut into chunks. The
/// memory of a frame is used again for the next one, if the caller has let go of it by then; it
/// grows with the bytes that arrive, and not with the size that a header claims.
///
/// Frames have 8 bits for each sample: those of 9 to 16 bits are rounded to nearest
/// (`min(255, (v + 2^(b - 9)) / 2^(b - 8))` of a sample v of b bits in video range, `255 v / (2^b - 1)`
/// in full range). 4:1:1 is given as 4:2:2, alpha is left out.
///
/// Colours: the format does not name a matrix. BT.601 is taken unless told, as by FFmpeg, and video
/// range unless the stream says `XCOLORRANGE=FULL` (`mono` is of full range unless it says
/// `LIMITED`). Interlaced streams are refused. Parameters of a frame header are not looked at.
///
/// Source: yuv4mpeg(5) of mjpegtools; the comments `XCOLORRANGE` and `XYSCSS` of FFmpeg.
public struct Y4MReader: Sendable {
  /// The most bytes of a stream header, its line feed included.
  public static let headerByteLimit = 4096
  /// The most bytes of a frame header, its line feed included.
  public static let frameHeaderByteLimit = 1024

  private let limits: DecodingLimits
  private let matrix: YCbCrEncoding.Matrix
  private var state = State.header
  /// The line that is being read.
  private var line: [UInt8] = []
  /// The samples of the frame that is being read, or of the one that was given last.
  private var samples: [UInt8] = []
  /// What makes frames of the samples, where they cannot stay as they are.
  private var converter: Y4MSampleConverter?
  /// The samples of the frame that was given last, where they were converted.
  private var planes: [UInt8] = []

  /// What the stream header says, as soon as it has been read.
  public private(set) var header: Y4MHeader?
  /// How many frames have been given.
  public private(set) var frameCount = 0

  private enum State {
    case header
    case frameHeader
    case samples
    case failed(Y4MError)
  }

  /// A reader at the beginning of a stream.
  ///
  /// - Parameters:
  ///   - limits: Bounds on the size of a frame.
  ///   - matrix: The weights of red and blue in luma, of which the stream says nothing.
  public init(limits: DecodingLimits = .init(), matrix: YCbCrEncoding.Matrix = .bt601) {
    self.limits = limits
    self.matrix = matrix
  }

  /// Reads up to the end of a frame.
  ///
  /// - Parameter bytes: The next bytes of the stream; those that were read are removed.
  /// - Returns: the frame, or nil where all bytes were read and more are needed.
  /// - Throws: the broken rule, and the same one each time from then on.
  /// - Complexity: linear in the number of bytes read.
  public mutating func nextFrame(
    from bytes: inout ArraySlice<UInt8>
  ) throws(Y4MError) -> StoredFrame? {
    while !bytes.isEmpty {
      switch state {
      case .failed(let error): throw error
      case .header: try readHeader(&bytes)
      case .frameHeader: try readFrameHeader(&bytes)
      case .samples:
        if let frame = readSamples(&bytes) { return frame }
      }
    }
    return nil
  }

  /// Says that no more bytes follow.
  ///
  /// - Throws: `truncatedHeader`, `truncatedFrameHeader` or `truncatedFrame` where the stream ends
  ///   inside one, or the error that was thrown before.
  public mutating func finish() throws(Y4MError) {
    switch state {
    case .failed(let error): throw error
    case .header: try fail(.truncatedHeader(found: line.count))
    case .frameHeader:
      if !line.isEmpty {
        try fail(.truncatedFrameHeader(frame: frameCount, found: line.count))
      }
    case .samples:
      try fail(
        .truncatedFrame(
          frame: frameCount, found: samples.count, required: header?.frameByteCount ?? 0))
    }
  }

  private mutating func fail(_ error: Y4MError) throws(Y4MError) {
    state = .failed(error)
    line = []
    samples = []
    planes = []
    throw error
  }

  /// Reads a line that begins with a word and a space or nothing.
  ///
  /// Rules are checked after each byte, so that the result does not depend on chunks.
  /// - Returns: whether the line is complete; its line feed is not kept.
  private mutating func readLine(
    _ bytes: inout ArraySlice<UInt8>, word: [UInt8], limit: Int, missingWord: (String) -> Y4MError,
    tooLong: Y4MError
  ) throws(Y4MError) -> Bool {
    while let byte = bytes.first {
      bytes = bytes.dropFirst()
      let isEnd = byte == 0x0A
      let place = line.count
      let fits =
        place < word.count ? byte == word[place] : place > word.count || isEnd || byte == 0x20
      if !fits { try fail(missingWord(Y4MError.excerpt(line + [byte]))) }
      if isEnd { return true }
      if line.count + 2 > limit { try fail(tooLong) }
      line.append(byte)
    }
    return false
  }

  private mutating func readHeader(_ bytes: inout ArraySlice<UInt8>) throws(Y4MError) {
    guard
      try readLine(
        &bytes, word: Y4MHeaderParser.signature, limit: Self.headerByteLimit,
        missingWord: { .missingSignature(found: $0) },
        tooLong: .headerTooLong(limit: Self.headerByteLimit))
    else { return }
    do throws(Y4MError) {
      header = try Y4MHeaderParser.parse(line, limits: limits)
    } catch {
      try fail(error)
    }
    converter = header.flatMap { Y4MSampleConverter($0) }
    line.removeAll(keepingCapacity: true)
    state = .frameHeader
  }

  private mutating func readFrameHeader(_ bytes: inout ArraySlice<UInt8>) throws(Y4MError) {
    let frame = frameCount
    guard
      try readLine(
        &bytes, word: Self.frameMarker, limit: Self.frameHeaderByteLimit,
        missingWord: { .missingFrameMarker(frame: frame, found: $0) },
        tooLong: .frameHeaderTooLong(frame: frame, limit: Self.frameHeaderByteLimit))
    else { return }
    line.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    state = .samples
  }

  private static let frameMarker = [UInt8]("FRAME".utf8)

  private mutating func readSamples(_ bytes: inout ArraySlice<UInt8>) -> StoredFrame? {
    guard let header else { return nil }
    let required = header.frameByteCount
    let count = min(required - samples.count, bytes.count)
    let needed = samples.count + count
    if samples.capacity < needed {
      samples.reserveCapacity(min(required, max(needed, samples.capacity * 2)))
    }
    samples.append(contentsOf: bytes.prefix(count))
    bytes = bytes.dropFirst(count)
    guard samples.count == required else { return nil }
    frameCount += 1
    state = .frameHeader
    guard let converter else { return header.frame(samples, matrix: matrix) }
    converter.convert(samples, into: &planes)
    return header.frame(planes, matrix: matrix)
  }
}
