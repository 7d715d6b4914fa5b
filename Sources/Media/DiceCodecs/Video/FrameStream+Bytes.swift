public import DiceImaging

// A film that is in memory as a whole.
extension FrameStream {
  /// The frames of a film that is in memory as a whole.
  ///
  ///     var film = FrameStream(of: bytes)
  ///     while let event = try film.next() {
  ///       if case .frame(let frame) = event { print(frame.index, frame.timestamp) }
  ///     }
  ///
  /// - Parameters:
  ///   - film: All bytes of a YUV4MPEG2 or motion JPEG stream.
  ///   - frameRate: Frames in a second, for streams that do not say.
  ///   - limits: Bounds on the size of a frame.
  ///   - matrix: The weights of red and blue in luma, of which YUV4MPEG2 streams say nothing.
  public init(
    of film: [UInt8], frameRate: FrameRate = .standard, limits: DecodingLimits = .init(),
    matrix: YCbCrEncoding.Matrix = .bt601
  ) {
    self.init(kind: nil, frameRate: frameRate, limits: limits, matrix: matrix)
    source = film[...]
  }

  /// The next frame of a film that was given as a whole, or a part of it that gave none; nil at its end.
  ///
  /// - Throws: `FrameStreamError`: why the stream gives no more frames, and the same each time from then on.
  /// - Precondition: the stream was made by ``init(of:frameRate:limits:matrix:)``, and nothing else was read
  ///   from it.
  public mutating func next() throws(FrameStreamError) -> Event? {
    if !source.isEmpty {
      var rest = source
      source = []
      defer { source = rest }
      if let event = try next(from: &rest) { return event }
    }
    return try finish()
  }
}
