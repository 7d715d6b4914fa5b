public import DiceGeometry
public import DiceImaging

/// A picture to draw on: shapes with smooth edges, text and labelled boxes.
///
///     var canvas = Canvas(image)
///     canvas.drawBox(die.boundingBox, label: "5  98 %", color: .forValue(5))
///     let annotated = canvas.image
///
/// Coordinates are continuous pixels of the stored rows, with the origin at the outer corner of the
/// top-left pixel: turn a picture upright with `PixelImage.oriented()` before drawing upright
/// boxes. Everything is clipped to the picture. What has a coordinate or a size that is NaN or
/// infinite, or a size that is not positive, is not drawn.
///
/// A pixel takes the colour by the share of it that the shape covers, times the colour's opacity.
/// On gray pictures colours count by their luminance; on pictures with alpha they are laid over.
public struct Canvas: DrawingSurface, Hashable, Sendable {
  /// The picture as drawn so far.
  public private(set) var image: PixelImage

  /// Starts with a picture.
  public init(_ image: PixelImage) {
    self.image = image
  }

  /// Starts with a picture of one colour: `rgb` for an opaque colour, else `rgba`.
  ///
  /// - Precondition: `width` and `height` are positive.
  public init(width: Int, height: Int, color: PixelColor) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    let format: PixelImage.Format = color.alpha == 255 ? .rgb : .rgba
    let pixel = [color.red, color.green, color.blue, color.alpha].prefix(format.channelCount)
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height * format.channelCount)
    for _ in 0..<width * height { samples += pixel }
    image = PixelImage(width: width, height: height, format: format, samples: samples)
  }

  /// Columns of the picture.
  public var width: Int { image.width }
  /// Rows of the picture.
  public var height: Int { image.height }

  /// Fills a box, with round corners where told.
  ///
  /// - Parameters:
  ///   - box: Where to fill.
  ///   - cornerRadius: The radius of the corners, at most half the shorter side.
  ///   - color: The colour, with its opacity.
  public mutating func fill(_ box: BoundingBox, cornerRadius: Double = 0, color: PixelColor) {
    guard box.isProper, !box.isEmpty, cornerRadius.isFinite else { return }
    paint(RoundedBox(box, cornerRadius: cornerRadius), color)
  }

  /// Draws the outline of a box, with its middle on the box's edges.
  ///
  /// - Parameters:
  ///   - box: The box, which may have no area.
  ///   - cornerRadius: The radius of the corners, at most half the shorter side.
  ///   - lineWidth: The width of the outline in pixels.
  ///   - color: The colour, with its opacity.
  public mutating func stroke(
    _ box: BoundingBox, cornerRadius: Double = 0, lineWidth: Double, color: PixelColor
  ) {
    guard box.isProper, cornerRadius.isFinite, lineWidth > 0, lineWidth.isFinite else { return }
    paint(
      BoxOutline(box: RoundedBox(box, cornerRadius: cornerRadius), width: max(lineWidth, 1)),
      color.thinned(lineWidth))
  }

  /// Draws a straight line with round ends.
  ///
  /// - Parameters:
  ///   - start: One end.
  ///   - end: The other end; a dot where both are the same.
  ///   - lineWidth: The width of the line in pixels.
  ///   - color: The colour, with its opacity.
  public mutating func drawLine(
    from start: PixelPoint, to end: PixelPoint, lineWidth: Double, color: PixelColor
  ) {
    guard start.x.isFinite, start.y.isFinite, end.x.isFinite, end.y.isFinite, lineWidth > 0,
      lineWidth.isFinite
    else { return }
    let radius = max(lineWidth, 1) / 2
    let visible = BoundingBox(
      minX: -radius - 2, minY: -radius - 2, maxX: Double(width) + radius + 2,
      maxY: Double(height) + radius + 2)
    guard let segment = Segment(from: start, to: end).clipped(to: visible) else { return }
    paint(Capsule(segment: segment, radius: radius), color.thinned(lineWidth))
  }

  /// Fills a circle.
  ///
  /// - Parameters:
  ///   - center: The middle.
  ///   - radius: The radius in pixels.
  ///   - color: The colour, with its opacity.
  public mutating func fillCircle(center: PixelPoint, radius: Double, color: PixelColor) {
    fill(
      BoundingBox(midX: center.x, midY: center.y, width: 2 * radius, height: 2 * radius),
      cornerRadius: radius, color: color)
  }

  /// Draws the outline of a circle.
  ///
  /// - Parameters:
  ///   - center: The middle.
  ///   - radius: The radius of the outline's middle in pixels.
  ///   - lineWidth: The width of the outline in pixels.
  ///   - color: The colour, with its opacity.
  public mutating func strokeCircle(
    center: PixelPoint, radius: Double, lineWidth: Double, color: PixelColor
  ) {
    guard radius > 0 else { return }
    stroke(
      BoundingBox(midX: center.x, midY: center.y, width: 2 * radius, height: 2 * radius),
      cornerRadius: radius, lineWidth: lineWidth, color: color)
  }

  /// Blends a colour into the pixels that a shape covers.
  mutating func paint<S: Shape>(_ shape: S, _ color: PixelColor) {
    guard color.alpha > 0 else { return }
    let (width, height) = (image.width, image.height)
    let rows = Self.pixels(from: shape.minY, to: shape.maxY, count: height)
    let brush = Brush(format: image.format, color: color)
    unsafe image.samples.withUnsafeMutableBufferPointer { samples in
      for row in rows {
        let y = Double(row) + 0.5
        let (outer, hole) = shape.columns(at: y)
        let columns = Self.pixels(from: outer.minX, to: outer.maxX, count: width)
        var skipped = columns.upperBound..<columns.upperBound
        if let hole {
          // Whole pixels inside the hole only.
          let inner = Self.pixels(from: hole.minX + 1, to: hole.maxX - 1, count: width)
          if !inner.isEmpty { skipped = inner.clamped(to: columns) }
        }
        for part in [
          columns.lowerBound..<skipped.lowerBound, skipped.upperBound..<columns.upperBound,
        ] {
          for column in part {
            let coverage = shape.coverage(x: Double(column) + 0.5, y: y)
            // A NaN is not above 0.
            guard coverage > 0 else { continue }
            unsafe brush.blend(
              Float(min(coverage, 1)), into: samples, at: row * width + column)
          }
        }
      }
    }
  }

  /// Blends the colours of a texture into the pixels that it covers and does not spare.
  mutating func paint<T: Texture>(_ texture: T) {
    let (width, format) = (image.width, image.format)
    let rows = Self.pixels(from: texture.minY, to: texture.maxY, count: image.height)
    unsafe image.samples.withUnsafeMutableBufferPointer { samples in
      for row in rows {
        let y = Double(row) + 0.5
        let interval = texture.columns(at: y)
        let columns = Self.pixels(from: interval.minX, to: interval.maxX, count: width)
        let spared = texture.sparedColumns(at: y)
        for column in columns {
          let x = Double(column) + 0.5
          var isSpared = false
          for interval in spared where x > interval.minX && x < interval.maxX { isSpared = true }
          if isSpared { continue }
          let color = texture.color(x: x, y: y)
          guard color.w > 0 else { continue }
          let brush = Brush(
            format: format,
            color: PixelColor(
              red: UInt8(min(color.x + 0.5, 255)), green: UInt8(min(color.y + 0.5, 255)),
              blue: UInt8(min(color.z + 0.5, 255))))
          unsafe brush.blend(color.w, into: samples, at: row * width + column)
        }
      }
    }
  }

  /// The pixels that an interval touches.
  private static func pixels(from lower: Double, to upper: Double, count: Int) -> Range<Int> {
    guard lower < upper else { return 0..<0 }
    let limit = Double(count)
    let first = Int(min(max(lower, 0), limit))
    let end = min(max(upper, 0), limit).ceiling
    return first..<max(first, end)
  }
}

/// Blends one colour into samples.
struct Brush {
  let format: PixelImage.Format
  let color: PixelColor
  private let alpha: Float
  private let samples: SIMD4<Float>

  init(format: PixelImage.Format, color: PixelColor) {
    self.format = format
    self.color = color
    alpha = Float(color.alpha) / 255
    samples =
      format == .gray
      ? SIMD4(repeating: Float(color.luminance))
      : SIMD4(Float(color.red), Float(color.green), Float(color.blue), 0)
  }

  /// `result = color * a + old * (1 - a)` with `a` the coverage times the colour's opacity.
  @inline(__always)
  func blend(_ coverage: Float, into target: UnsafeMutableBufferPointer<UInt8>, at pixel: Int) {
    let a = coverage * alpha
    let place = pixel * format.channelCount
    switch format {
    case .gray:
      unsafe target[place] = Self.mix(target[place], samples.x, a)
    case .rgb:
      for c in 0..<3 { unsafe target[place + c] = Self.mix(target[place + c], samples[c], a) }
    case .rgba:
      let below = unsafe Float(target[place + 3]) / 255
      let total = a + below * (1 - a)
      guard total > 0 else { return }
      for c in 0..<3 {
        unsafe target[place + c] = Self.mix(target[place + c], samples[c], a / total)
      }
      unsafe target[place + 3] = UInt8(min(total * 255 + 0.5, 255))
    }
  }

  @inline(__always)
  private static func mix(_ old: UInt8, _ new: Float, _ share: Float) -> UInt8 {
    let value = Float(old) + (new - Float(old)) * share
    return UInt8(min(max(value + 0.5, 0), 255))
  }
}

extension PixelColor {
  /// The colour of a line drawn one pixel wide that should be thinner.
  func thinned(_ lineWidth: Double) -> PixelColor {
    lineWidth < 1 ? withOpacity(Double(alpha) / 255 * lineWidth) : self
  }
}
