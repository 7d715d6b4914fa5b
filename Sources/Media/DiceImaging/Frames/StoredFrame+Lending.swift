extension StoredFrame {
  /// Lends the frame to a closure, which cannot keep it.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  public func withFrame<Result, Failure: Error>(
    _ body: (borrowing RawFrame) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe pixels.withUnsafeBufferPointer { (pixels) throws(Failure) -> Result in
      let base = unsafe UnsafeRawPointer(pixels.baseAddress!)
      switch chroma {
      case .none:
        return try unsafe body(frame(base, .none))
      case .behindLuma(let cbOffset, let crOffset, let bytesPerRow):
        return try unsafe body(
          frame(
            base,
            .separate(
              cb: RawFrame.Plane(base: base + cbOffset, bytesPerRow: bytesPerRow),
              cr: RawFrame.Plane(base: base + crOffset, bytesPerRow: bytesPerRow))))
      case .interleaved(let pairs, let bytesPerRow, let order):
        return try unsafe pairs.withUnsafeBufferPointer { (pairs) throws(Failure) -> Result in
          let plane = unsafe RawFrame.Plane(
            base: UnsafeRawPointer(pairs.baseAddress!), bytesPerRow: bytesPerRow)
          return try unsafe body(frame(base, .interleaved(plane, order)))
        }
      }
    }
  }

  @unsafe
  private func frame(_ base: UnsafeRawPointer, _ chroma: RawFrame.Chroma) -> RawFrame {
    unsafe RawFrame(
      width: width, height: height, format: format, chromaSiting: chromaSiting,
      orientation: orientation, pixels: RawFrame.Plane(base: base, bytesPerRow: bytesPerRow),
      chroma: chroma)
  }
}

extension PixelImage {
  /// Lends the picture as a frame to a closure, which cannot keep it.
  ///
  /// Nothing is copied.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  public func withFrame<Result, Failure: Error>(
    _ body: (borrowing RawFrame) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let packed = format.packed
    return try unsafe samples.withUnsafeBufferPointer { (samples) throws(Failure) -> Result in
      let plane = unsafe RawFrame.Plane(
        base: samples.baseAddress!, bytesPerRow: width * packed.channelCount)
      return try unsafe body(
        RawFrame(
          width: width, height: height, format: .packed(packed), orientation: orientation,
          pixels: plane, chroma: .none))
    }
  }
}

extension PixelImage.Format {
  /// The same order of samples in a frame.
  var packed: RawFrame.PixelFormat {
    switch self {
    case .gray: .gray
    case .rgb: .rgb
    case .rgba: .rgba
    }
  }
}
