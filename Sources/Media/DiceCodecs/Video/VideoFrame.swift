public import DiceImaging

/// A frame of a film: its samples, its number and its time.
public struct VideoFrame: Hashable, Sendable {
  /// The number of the frame in its stream, from 0; frames that were lost have theirs too.
  public let index: Int
  /// When the frame begins, counted from the beginning of frame 0.
  public let timestamp: Duration
  /// The samples, as the stream holds them or as they were decoded.
  public let stored: StoredFrame

  /// A frame with its place in a stream.
  public init(index: Int, timestamp: Duration, stored: StoredFrame) {
    self.index = index
    self.timestamp = timestamp
    self.stored = stored
  }

  /// Lends the frame to a closure, which cannot keep it.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  public func withFrame<Result, Failure: Error>(
    _ body: (borrowing RawFrame) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try stored.withFrame(body)
  }

  /// The frame as a picture to draw on or to write to a file, rows as stored.
  ///
  /// The colours are those of `PixelImage(copying:)`; samples of whole gray or RGB pixels are shared
  /// and not copied.
  public func makeImage() -> PixelImage { stored.makeImage() }
}

/// A part of a stream that gave no frame; the stream goes on behind it.
public struct LostFrame: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// The stream breaks a rule.
    case damage(MJPEGDamage)
    /// The picture that starts at `offset` of the stream breaks a rule.
    case jpeg(JPEGError, offset: Int)
    /// A picture file breaks a rule.
    case picture(ImageDecodingError)
    /// So many more parts of the stream gave no frame, which are not told one by one.
    case others(count: Int)
  }

  /// The number of the frame that was lost; nil where bytes between frames are meant.
  public let index: Int?
  /// What went wrong.
  public let reason: Reason
}

extension LostFrame: CustomStringConvertible {
  /// One or two sentences for the user.
  public var description: String {
    let cause =
      switch reason {
      case .damage(let damage): damage.description
      case .jpeg(let error, let offset):
        "\(error.description) (The picture starts at byte \(offset) of the stream.)"
      case .picture(let error): error.description
      case .others(1): "One more part of the stream gave no frame."
      case .others(let count): "\(count) more parts of the stream gave no frame."
      }
    return index.map { "Frame \($0) is lost. \(cause)" } ?? cause
  }
}
