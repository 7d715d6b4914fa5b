extension StoredFrame {
  /// The frame as a picture to draw on or to write to a file, rows as stored.
  ///
  /// The colours are those of `PixelImage(copying:)`; samples of whole gray or RGB pixels are shared
  /// and not copied.
  public func makeImage() -> PixelImage {
    if case .packed(let packed) = format, packed == .gray || packed == .rgb {
      let channels = packed.channelCount
      // Both products count bytes that are there, unless the padding is beyond memory.
      if bytesPerRow == width * channels, pixels.count == bytesPerRow * height {
        return PixelImage(
          width: width, height: height, format: packed == .gray ? .gray : .rgb, samples: pixels,
          orientation: orientation)
      }
    }
    return withFrame { PixelImage(copying: $0) }
  }
}
