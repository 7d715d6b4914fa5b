public import DiceImaging

/// The frames of a film, from chunks of bytes of any size: a YUV4MPEG2 stream, a motion JPEG stream
/// (also as a multipart message), or picture files given one by one.
///
/// The kind is told by the first bytes, and never by a name.
///
///     var stream = FrameStream(frameRate: rate)
///     while let count = try source.read(into: &buffer) {
///       var bytes = buffer[..<count]
///       while let event = try stream.next(from: &bytes) { handle(event) }
///     }
///     while let event = try stream.finish() { handle(event) }
///
/// Where the whole film is in memory, ``init(of:frameRate:limits:matrix:)`` and ``next()`` are enough.
///
/// Frames do not depend on how the stream is cut into chunks. Memory is that of a frame and of the
/// picture that it is decoded from, however long the stream is; it is used again if the caller has
/// let go of the last frame.
///
/// A damaged motion JPEG stream and a damaged picture file lose frames (`Event.lost`) and go on. The
/// first losses are told one by one, as many as `lossLimit`; those of a motion JPEG stream that follow
/// are counted and told together at its end. A YUV4MPEG2 stream that breaks a rule ends with an error.
public struct FrameStream: Sendable {
  /// What a stream is made of.
  public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
    /// A YUV4MPEG2 stream; see `Y4MReader`.
    case y4m
    /// JPEG pictures one after another; see `MJPEGSplitter`.
    case motionJPEG
    /// Picture files, given one by one.
    case pictureFiles
  }

  /// What comes next.
  public enum Event: Hashable, Sendable {
    /// A frame.
    case frame(VideoFrame)
    /// A part of the stream that gave none.
    case lost(LostFrame)
  }

  /// How many losses of a motion JPEG stream are told one by one.
  public static let lossLimit = 20

  /// What the stream is made of, as soon as that is known.
  public private(set) var kind: Kind?
  /// Frames in a second: what a YUV4MPEG2 header says, as soon as it has been read; otherwise what
  /// the caller said.
  public private(set) var frameRate: FrameRate
  /// The number of the next frame: how many were given or lost.
  public private(set) var frameCount = 0

  private let limits: DecodingLimits
  private var y4m: Y4MReader
  private var splitter = MJPEGSplitter()
  /// The first bytes of the stream: as long as its kind is not known, and until they are read.
  private var head: [UInt8] = []
  private var hasReadHead = false
  private var hasFinished = false
  /// Losses of a motion JPEG stream.
  private var lossCount = 0
  private var hasToldOthers = false
  /// What a whole film, given at once, has not been read of yet.
  var source: ArraySlice<UInt8> = []

  /// A stream at its beginning.
  ///
  /// - Parameters:
  ///   - kind: What the stream is made of; nil to tell it by the first bytes. Give `motionJPEG` to
  ///     join a stream in its middle.
  ///   - frameRate: Frames in a second, for streams that do not say.
  ///   - limits: Bounds on the size of a frame.
  ///   - matrix: The weights of red and blue in luma, of which YUV4MPEG2 streams say nothing.
  public init(
    kind: Kind? = nil, frameRate: FrameRate = .standard, limits: DecodingLimits = .init(),
    matrix: YCbCrEncoding.Matrix = .bt601
  ) {
    self.kind = kind
    self.frameRate = frameRate
    self.limits = limits
    y4m = Y4MReader(limits: limits, matrix: matrix)
  }

  /// What the header of a YUV4MPEG2 stream says, as soon as it has been read.
  public var y4mHeader: Y4MHeader? { y4m.header }

  /// Reads up to the end of a frame, or to damage.
  ///
  /// - Parameter bytes: The next bytes of the stream; those that were read are removed.
  /// - Returns: what was found, or nil where all bytes were read and more are needed.
  /// - Throws: why the stream gives no more frames, and the same each time from then on.
  /// - Precondition: the stream is none of picture files, and has not been finished.
  public mutating func next(
    from bytes: inout ArraySlice<UInt8>
  ) throws(FrameStreamError) -> Event? {
    precondition(kind != .pictureFiles, "picture files are given one by one")
    precondition(!hasFinished, "the stream has been finished")
    if kind == nil {
      let count = min(bytes.count, FrameStreamProbe.byteLimit - head.count)
      head += bytes.prefix(count)
      bytes = bytes.dropFirst(count)
      try examineHead(isWhole: false)
      if kind == nil { return nil }
    }
    if let event = try readHead() { return event }
    return try read(&bytes)
  }

  /// Says that no more bytes follow.
  ///
  /// - Returns: the last frame, or a loss at the end; nil where nothing is left, so that it is called
  ///   until then.
  /// - Throws: `empty` and the other refusals where the kind was not known yet; a YUV4MPEG2 error
  ///   where the stream ends inside a frame.
  public mutating func finish() throws(FrameStreamError) -> Event? {
    if kind == nil {
      try examineHead(isWhole: true)
    }
    if let event = try readHead() { return event }
    hasFinished = true
    switch kind {
    case .y4m:
      do throws(Y4MError) {
        try y4m.finish()
      } catch {
        throw .y4m(error)
      }
      return nil
    case .motionJPEG:
      while let part = splitter.finish() {
        if let event = bounded(event(for: part)) { return event }
      }
      if lossCount <= Self.lossLimit || hasToldOthers { return nil }
      hasToldOthers = true
      return .lost(LostFrame(index: nil, reason: .others(count: lossCount - Self.lossLimit)))
    case .pictureFiles, nil:
      return nil
    }
  }

  /// Decodes a picture file, which is the next frame.
  ///
  /// - Parameter pictureFile: The whole file: PNG, JPEG or a portable map.
  /// - Returns: the frame, its rows as stored with the orientation that the file gives, or why it is
  ///   lost.
  /// - Precondition: the stream is made of picture files, and nothing else was read from it.
  public mutating func next(pictureFile: [UInt8]) -> Event {
    precondition(kind == nil && head.isEmpty || kind == .pictureFiles, "the stream is one of bytes")
    precondition(!hasFinished, "the stream has been finished")
    kind = .pictureFiles
    do throws(ImageDecodingError) {
      return frame(StoredFrame(try ImageDecoder.decode(pictureFile, limits: limits)))
    } catch {
      return lost(.picture(error))
    }
  }

  // MARK: - Parts

  private mutating func examineHead(isWhole: Bool) throws(FrameStreamError) {
    switch FrameStreamProbe.examine(head, isWhole: isWhole) {
    case .needsMoreBytes: break
    case .found(let found): kind = found
    case .refused(let error): throw error
    }
  }

  /// Reads the bytes by which the kind was told, as the first of the stream.
  private mutating func readHead() throws(FrameStreamError) -> Event? {
    if hasReadHead { return nil }
    var rest = head[...]
    let event = try read(&rest)
    head = Array(rest)
    hasReadHead = head.isEmpty
    return event
  }

  private mutating func read(
    _ bytes: inout ArraySlice<UInt8>
  ) throws(FrameStreamError) -> Event? {
    switch kind {
    case .y4m:
      do throws(Y4MError) {
        let stored = try y4m.nextFrame(from: &bytes)
        if let rate = y4m.header?.frameRate { frameRate = rate }
        return stored.map { frame($0) }
      } catch {
        throw .y4m(error)
      }
    case .motionJPEG:
      while let part = splitter.next(from: &bytes) {
        if let event = bounded(event(for: part)) { return event }
      }
      return nil
    case .pictureFiles, nil:
      return nil
    }
  }

  /// The event, unless it is a loss after too many others.
  private mutating func bounded(_ event: Event) -> Event? {
    if case .lost = event {
      lossCount += 1
      if lossCount > Self.lossLimit { return nil }
    }
    return event
  }

  private mutating func event(for event: MJPEGSplitter.Event) -> Event {
    switch event {
    case .picture(let picture):
      do throws(JPEGError) {
        return frame(StoredFrame(try JPEGDecoder.decode(picture.bytes, limits: limits)))
      } catch {
        return lost(.jpeg(error, offset: picture.offset))
      }
    case .damage(.strayBytes(let offset, let count)):
      return .lost(
        LostFrame(index: nil, reason: .damage(.strayBytes(offset: offset, count: count))))
    case .damage(let damage):
      return lost(.damage(damage))
    }
  }

  private mutating func frame(_ stored: StoredFrame) -> Event {
    defer { frameCount += 1 }
    return .frame(
      VideoFrame(
        index: frameCount, timestamp: frameRate.timestamp(ofFrame: frameCount), stored: stored))
  }

  private mutating func lost(_ reason: LostFrame.Reason) -> Event {
    defer { frameCount += 1 }
    return .lost(LostFrame(index: frameCount, reason: reason))
  }
}
