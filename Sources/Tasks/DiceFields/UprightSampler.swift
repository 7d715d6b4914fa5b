internal import DiceGeometry
internal import DiceImaging

/// Frames turned upright and reduced, in colour or gray.
struct UprightSampler: Sendable {
  private var sampler = InputSampler()
  private var colors: [UInt8] = []

  /// The size of a frame, upright, with the longest side reduced to a limit.
  static func size(of frame: borrowing RawFrame, limit: Int) -> (width: Int, height: Int) {
    let (width, height) = (frame.uprightWidth, frame.uprightHeight)
    let scale = min(1, Double(limit) / Double(max(width, height)))
    return (
      max(1, Int((Double(width) * scale).rounded())),
      max(1, Int((Double(height) * scale).rounded()))
    )
  }

  /// Red, green and blue, `[height, width, 3]`.
  mutating func takeColors(
    of frame: borrowing RawFrame, width: Int, height: Int
  ) throws(FieldError) -> [UInt8] {
    let transform: ImageTransform
    do {
      transform = try ImageTransform(
        storedWidth: frame.width, storedHeight: frame.height, orientation: frame.orientation,
        regionOfInterest: nil, cropAndScale: .scaleFill, inputWidth: width, inputHeight: height)
    } catch { throw .geometry(error) }
    let count = width * height * 3
    let missing = count - colors.count
    if missing > 0 { colors.append(contentsOf: repeatElement(0, count: missing)) }
    sampler.sample(frame, through: transform, into: &colors, layout: .interleaved(width: width))
    // Frames of one size need no copy, unless the caller still holds the last one's colours.
    return colors.count == count ? colors : Array(colors[0..<count])
  }

  mutating func takeGray(
    of frame: borrowing RawFrame, limit: Int
  ) throws(FieldError) -> GrayImage {
    let (width, height) = Self.size(of: frame, limit: limit)
    if frame.orientation == .up, width == frame.width, height == frame.height {
      return GrayImage(frame)
    }
    let samples = try takeColors(of: frame, width: width, height: height)
    return GrayImage(PixelImage(width: width, height: height, format: .rgb, samples: samples))
  }
}
