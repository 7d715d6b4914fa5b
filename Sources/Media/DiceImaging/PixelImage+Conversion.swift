public import DiceGeometry

extension PixelImage {
  /// The picture in another format.
  ///
  /// Gray from colours is the luminance of BT.601, rounded to nearest, as in Pillow's
  /// `convert("L")`. Where alpha is dropped, the picture is laid over the background; where it is
  /// added, it is 255.
  ///
  /// - Parameters:
  ///   - newFormat: The format of the result.
  ///   - background: What shows through where alpha is dropped; its own opacity does not count.
  /// - Returns: the picture itself where it has the format already.
  public func converted(to newFormat: Format, over background: PixelColor = .white) -> PixelImage {
    if newFormat == format { return self }
    let source = format.channelCount
    let target = newFormat.channelCount
    var result = [UInt8](repeating: 255, count: width * height * target)
    for i in 0..<width * height {
      var color = Self.color(at: i * source, of: samples, format)
      if newFormat != .rgba { color = color.over(background) }
      if newFormat == .gray {
        result[i * target] = color.luminance
      } else {
        result[i * target] = color.red
        result[i * target + 1] = color.green
        result[i * target + 2] = color.blue
      }
    }
    return PixelImage(
      width: width, height: height, format: newFormat, samples: result, orientation: orientation)
  }

  /// The colour of a stored pixel.
  ///
  /// - Precondition: `column` is in `0..<width` and `row` in `0..<height`.
  public func color(column: Int, row: Int) -> PixelColor {
    precondition(
      column >= 0 && column < width && row >= 0 && row < height, "the pixel must be in the picture")
    return Self.color(
      at: (row * width + column) * format.channelCount, of: samples, format)
  }

  @inline(__always)
  private static func color(at i: Int, of samples: [UInt8], _ format: Format) -> PixelColor {
    switch format {
    case .gray: PixelColor(red: samples[i], green: samples[i], blue: samples[i])
    case .rgb: PixelColor(red: samples[i], green: samples[i + 1], blue: samples[i + 2])
    case .rgba:
      PixelColor(
        red: samples[i], green: samples[i + 1], blue: samples[i + 2], alpha: samples[i + 3])
    }
  }

  /// The width of the picture turned upright.
  public var uprightWidth: Int { orientation.swapsAxes ? height : width }
  /// The height of the picture turned upright.
  public var uprightHeight: Int { orientation.swapsAxes ? width : height }

  /// The picture with its rows turned upright, so that its orientation is `up`.
  ///
  /// No sample changes its value. Complexity: proportional to the number of samples.
  public func oriented() -> PixelImage {
    if orientation == .up { return self }
    let channels = format.channelCount
    let (outWidth, outHeight) = (uprightWidth, uprightHeight)
    let mirrorsX = [.upMirrored, .down, .rightMirrored, .left].contains(orientation)
    let mirrorsY = [.down, .downMirrored, .right, .rightMirrored].contains(orientation)
    // How far the stored place moves for a step to the right and a step down in the result.
    let across = mirrorsX ? -channels : channels
    let down = (mirrorsY ? -width : width) * channels
    let start =
      (mirrorsX ? width - 1 : 0) * channels + (mirrorsY ? height - 1 : 0) * width * channels
    let (xStep, yStep) = orientation.swapsAxes ? (down, across) : (across, down)

    var result = [UInt8](repeating: 0, count: samples.count)
    // In tiles, so that rows and columns of a tile both stay in the cache.
    let tile = 64
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe result.withUnsafeMutableBufferPointer { target in
        for top in stride(from: 0, to: outHeight, by: tile) {
          for left in stride(from: 0, to: outWidth, by: tile) {
            for y in top..<min(top + tile, outHeight) {
              var from = start + left * xStep + y * yStep
              var to = (y * outWidth + left) * channels
              for _ in left..<min(left + tile, outWidth) {
                for c in 0..<channels { unsafe target[to + c] = source[from + c] }
                from += xStep
                to += channels
              }
            }
          }
        }
      }
    }
    return PixelImage(width: outWidth, height: outHeight, format: format, samples: result)
  }

  /// The part of the stored picture in a range of columns and rows.
  ///
  /// - Precondition: the ranges are not empty and lie in the stored picture.
  public func cropped(columns: Range<Int>, rows: Range<Int>) -> PixelImage {
    precondition(
      !columns.isEmpty && !rows.isEmpty && columns.lowerBound >= 0 && rows.lowerBound >= 0
        && columns.upperBound <= width && rows.upperBound <= height,
      "a crop must be a part of the picture and have at least one pixel")
    let channels = format.channelCount
    var result: [UInt8] = []
    result.reserveCapacity(columns.count * rows.count * channels)
    for row in rows {
      let start = (row * width + columns.lowerBound) * channels
      result += samples[start..<start + columns.count * channels]
    }
    return PixelImage(
      width: columns.count, height: rows.count, format: format, samples: result,
      orientation: orientation)
  }

  /// The pixels of the stored picture that a box touches.
  ///
  /// The box is in stored pixels; turn the picture with `oriented()` first where the box is in
  /// upright ones. Edges are moved outwards to whole pixels and clipped to the picture.
  ///
  /// - Returns: nil where the box touches no pixel, has no area, or holds a NaN.
  public func cropped(to box: BoundingBox) -> PixelImage? {
    guard !box.isEmpty, box.maxX > 0, box.maxY > 0, box.minX < Double(width),
      box.minY < Double(height)
    else { return nil }
    let left = Int(max(box.minX, 0))
    let top = Int(max(box.minY, 0))
    let right = min(box.maxX, Double(width)).ceiling
    let bottom = min(box.maxY, Double(height)).ceiling
    guard left < right, top < bottom else { return nil }
    return cropped(columns: left..<right, rows: top..<bottom)
  }
}
