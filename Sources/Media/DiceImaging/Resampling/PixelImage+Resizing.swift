internal import DiceKernels

extension PixelImage {
  /// The stored picture at another size; the orientation stays.
  ///
  /// Each pixel is the average of the pixels around its place with the weights of a triangle, whose
  /// reach is one new pixel, or one old pixel where the picture is enlarged: the definition of
  /// Pillow's `Image.resize((width, height), BILINEAR)`. Samples are rounded to nearest. Colours
  /// count by their opacity, so hidden colours do not shine through; what is wholly transparent
  /// turns black.
  ///
  /// - Precondition: `newWidth` and `newHeight` are positive.
  /// - Complexity: proportional to the samples of the picture and the result.
  public func resized(width newWidth: Int, height newHeight: Int) -> PixelImage {
    precondition(newWidth > 0 && newHeight > 0, "a picture has at least one pixel")
    if newWidth == width && newHeight == height { return self }
    let channels = format.channelCount
    let source = format == .rgba ? multipliedWithAlpha() : samples
    let columns = ResamplingAxis.Shape(
      origin: 0, step: Double(width) / Double(newWidth), count: newWidth, sourceCount: width)
    let rows = ResamplingAxis.Shape(
      origin: 0, step: Double(height) / Double(newHeight), count: newHeight, sourceCount: height)
    var resampler = PlaneResampler(Kernels())
    resampler.prepare(channelCount: channels, columns: columns, rows: rows)
    var result = [UInt8](repeating: 0, count: newWidth * newHeight * channels)
    unsafe source.withUnsafeBufferPointer { source in
      let plane = unsafe RawFrame.Plane(
        base: source.baseAddress!, bytesPerRow: width * channels)
      var place = 0
      for y in 0..<newHeight {
        unsafe resampler.produceLine(y, of: plane)
        for x in 0..<newWidth {
          var pixel = resampler.line[x]
          if format == .rgba && pixel.w > 0 {
            let alpha = pixel.w
            pixel *= 255 / alpha
            pixel.w = alpha
          }
          let bytes = pixel.roundedToBytes
          for c in 0..<channels { result[place + c] = bytes[c] }
          place += channels
        }
      }
    }
    return PixelImage(
      width: newWidth, height: newHeight, format: format, samples: result,
      orientation: orientation)
  }

  private func multipliedWithAlpha() -> [UInt8] {
    var result = samples
    for i in stride(from: 0, to: result.count, by: 4) {
      let alpha = result[i + 3]
      for c in i..<i + 3 { result[c] = PixelColor.blend(result[c], alpha, over: 0) }
    }
    return result
  }
}
