public import DiceGeometry
public import DiceImaging

/// A field whose real size is known: positions on it in centimetres, the camera before it, its top view.
///
/// The field's coordinates have their origin at the first corner, x along the side to the second one and
/// y along the side to the last one. Any unit will do in place of centimetres, if it is used throughout.
public struct FieldPlane: Hashable, Sendable {
  /// The lengths of a top view's sides in pixels.
  public static let viewRange = 1...4096

  /// The corners in pixels of the upright picture.
  public let outline: Quadrilateral
  /// The length of the side between the first two corners, in centimetres.
  public let width: Double
  /// The length of the side between the second and the third corner, in centimetres.
  public let height: Double
  /// From centimetres on the field to pixels of the upright picture.
  public let homography: Homography
  /// From pixels of the upright picture to centimetres on the field.
  public let inverse: Homography

  /// A field of known size.
  ///
  /// - Throws: ``FieldError``: `sizeOutOfRange`, or `notConvex`.
  public init(outline: Quadrilateral, width: Double, height: Double) throws(FieldError) {
    guard width > 0, height > 0, width.isFinite, height.isFinite else {
      throw .sizeOutOfRange(width: width, height: height)
    }
    guard let map = Homography(rectangleWidth: width, height: height, to: outline),
      let inverse = map.inverse
    else { throw .notConvex }
    (self.outline, self.width, self.height) = (outline, width, height)
    (homography, self.inverse) = (map, inverse)
  }

  /// A field of known size.
  ///
  /// - Throws: ``FieldError``: `sizeOutOfRange`, or `notConvex`.
  public init(_ field: Field, width: Double, height: Double) throws(FieldError) {
    try self.init(outline: field.outline, width: width, height: height)
  }

  /// Where a pixel of the upright picture lies on the field, in centimetres.
  ///
  /// Nil beyond the horizon of the field's plane, and where a number is not finite.
  public func position(of point: PixelPoint) -> SIMD2<Double>? {
    guard point.isFinite else { return nil }
    let center = outline.center
    let weight = inverse.weight(at: SIMD2(point.x, point.y))
    guard weight * inverse.weight(at: SIMD2(center.x, center.y)) > 0 else { return nil }
    let place = inverse.map(SIMD2(point.x, point.y))
    return place.x.isFinite && place.y.isFinite ? place : nil
  }

  /// Whether a pixel of the upright picture lies on the field, or within so many centimetres of it.
  public func contains(_ point: PixelPoint, margin: Double = 0) -> Bool {
    guard let place = position(of: point) else { return false }
    return place.x >= -margin && place.y >= -margin && place.x <= width + margin
      && place.y <= height + margin
  }

  /// Where the camera stands, in centimetres.
  ///
  /// - Parameters:
  ///   - focalLength: In pixels of the upright picture.
  ///   - principalPoint: Where the optical axis meets the picture; mostly its middle.
  /// - Throws: ``HomographyError``.
  public func cameraPose(
    focalLength: Double, principalPoint: PixelPoint
  ) throws(HomographyError) -> CameraPose {
    try CameraPose(
      homography: homography, focalLength: focalLength, principalPoint: principalPoint)
  }

  /// The field as seen from straight above.
  ///
  /// - Parameters:
  ///   - image: The picture that the corners are in, in any orientation.
  ///   - pixelsPerCentimeter: The scale; nil to keep about as many pixels as the picture has of the field,
  ///     with the longest side at most 4096.
  /// - Returns: A picture in colour. What the frame does not show is black.
  /// - Throws: ``FieldError``: `viewSizeOutOfRange`, or `geometry`.
  public func topView(
    of image: PixelImage, pixelsPerCentimeter: Double? = nil
  ) throws(FieldError) -> PixelImage {
    try image.withFrame { (frame) throws(FieldError) in
      try topView(of: frame, pixelsPerCentimeter: pixelsPerCentimeter)
    }
  }

  /// The field as seen from straight above; see ``topView(of:pixelsPerCentimeter:)-(PixelImage,_)``.
  public func topView(
    of frame: borrowing RawFrame, pixelsPerCentimeter: Double? = nil
  ) throws(FieldError) -> PixelImage {
    var workspace = ViewWorkspace()
    return try topView(of: frame, pixelsPerCentimeter: pixelsPerCentimeter, using: &workspace)
  }

  /// The memory of a view, to be used again for the next one.
  package struct ViewWorkspace: Sendable {
    fileprivate var sampler = UprightSampler()

    /// No memory yet.
    package init() {}
  }

  /// The field as seen from straight above, with memory that is used again; see
  /// ``topView(of:pixelsPerCentimeter:)-(PixelImage,_)``.
  package func topView(
    of frame: borrowing RawFrame, pixelsPerCentimeter: Double? = nil,
    using workspace: inout ViewWorkspace
  ) throws(FieldError) -> PixelImage {
    let scale =
      pixelsPerCentimeter
      ?? min(
        (outline.area / (width * height)).squareRoot(),
        Double(Self.viewRange.upperBound) / max(width, height))
    let limit = Double(Self.viewRange.upperBound) + 0.5
    func pixels(_ length: Double) -> Int {
      let pixels = (length * scale).rounded()
      return pixels >= 1 && pixels < limit ? Int(pixels) : pixels >= limit ? .max : 0
    }
    // A narrow field has at least a pixel where the scale is not told.
    let least = pixelsPerCentimeter == nil ? 1 : 0
    let (columns, rows) = (max(least, pixels(width)), max(least, pixels(height)))
    guard Self.viewRange.contains(columns), Self.viewRange.contains(rows) else {
      throw .viewSizeOutOfRange(width: columns, height: rows)
    }
    let (sourceWidth, sourceHeight) = UprightSampler.size(of: frame, limit: 4096)
    let source = try workspace.sampler.takeColors(
      of: frame, width: sourceWidth, height: sourceHeight)
    let reduction = SIMD2(
      Double(sourceWidth) / Double(frame.uprightWidth),
      Double(sourceHeight) / Double(frame.uprightHeight))
    let step = SIMD2(width / Double(columns), height / Double(rows))
    // A pixel of the view is the mean of as many places as it covers in the picture, at most 4 by 4.
    let covered = (outline.area * reduction.x * reduction.y / Double(columns * rows)).squareRoot()
    let parts = max(1, min(4, Int(min(covered, 4).rounded(.up))))
    var samples = [UInt8](repeating: 0, count: columns * rows * 3)
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = SIMD3<Double>.zero
        for part in 0..<parts * parts {
          let inner = SIMD2(Double(part % parts) + 0.5, Double(part / parts) + 0.5) / Double(parts)
          let place = homography.map((SIMD2(Double(column), Double(row)) + inner) * step)
          sum += Self.color(at: place * reduction, source, sourceWidth, sourceHeight)
        }
        sum /= Double(parts * parts)
        for channel in 0..<3 {
          samples[(row * columns + column) * 3 + channel] = UInt8(
            min(max(0, sum[channel] + 0.5), 255))
        }
      }
    }
    return PixelImage(width: columns, height: rows, format: .rgb, samples: samples)
  }

  /// A colour between four pixels; black outside the picture.
  private static func color(
    at place: SIMD2<Double>, _ samples: [UInt8], _ width: Int, _ height: Int
  ) -> SIMD3<Double> {
    guard place.x >= 0, place.y >= 0, place.x <= Double(width), place.y <= Double(height) else {
      return .zero
    }
    let x = min(max(0, place.x - 0.5), Double(width - 1))
    let y = min(max(0, place.y - 0.5), Double(height - 1))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (fx, fy) = (x - Double(left), y - Double(top))
    func color(_ column: Int, _ row: Int) -> SIMD3<Double> {
      let start = (row * width + column) * 3
      return SIMD3(Double(samples[start]), Double(samples[start + 1]), Double(samples[start + 2]))
    }
    let above = color(left, top) * (1 - fx) + color(right, top) * fx
    let below = color(left, bottom) * (1 - fx) + color(right, bottom) * fx
    return above * (1 - fy) + below * fy
  }
}
