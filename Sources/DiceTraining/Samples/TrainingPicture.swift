public import DiceGeometry
public import DiceImaging

/// A picture to learn from, decoded, with its dice.
///
/// Layout `[height, width, 4]`: red, green, blue and one unused byte, so that a pixel is one load.
@safe public final class TrainingPicture: Sendable {
  /// A die in a picture, in the picture's pixels.
  public struct Truth: Hashable, Sendable {
    /// The centre.
    public var centerX: Float
    /// The centre.
    public var centerY: Float
    /// The full width.
    public var width: Float
    /// The full height.
    public var height: Float
    /// The index of the label, or nil where nobody can read the value.
    public var classIndex: Int?
    /// How much the box's size teaches, 0...1: 1 for boxes of the top face, less for boxes around
    /// whole dice.
    public var boxWeight: Float

    /// A die at a place.
    public init(
      centerX: Float, centerY: Float, width: Float, height: Float, classIndex: Int?,
      boxWeight: Float = 1
    ) {
      self.centerX = centerX
      self.centerY = centerY
      self.width = width
      self.height = height
      self.classIndex = classIndex
      self.boxWeight = boxWeight
    }
  }

  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The dice.
  public let truths: [Truth]
  /// Where a detector takes something for a die, rightly or wrongly, in the picture's pixels; a
  /// reader learns from these places.
  public let proposals: [BoundingBox]

  /// The picture at half its width and height, where it was asked for.
  let half: TrainingPicture?

  private let pixels: [SIMD4<UInt8>]

  /// Takes a picture that stands upright, with its dice.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - truths: its dice.
  ///   - proposals: where a detector takes something for a die.
  ///   - isReducible: whether samples show the picture at less than half its size; then it is kept
  ///     at a half, a quarter and so on, too.
  public init(
    _ image: PixelImage, truths: [Truth], proposals: [BoundingBox] = [], isReducible: Bool = false
  ) {
    width = image.width
    height = image.height
    self.truths = truths
    self.proposals = proposals
    let samples = image.samples
    let channels = image.format.channelCount
    pixels = (0..<image.width * image.height).map { index in
      let place = index * channels
      return channels == 1
        ? SIMD4(samples[place], samples[place], samples[place], 0)
        : SIMD4(samples[place], samples[place + 1], samples[place + 2], 0)
    }
    half = isReducible ? Self.halved(pixels, width: image.width, height: image.height) : nil
  }

  private init(width: Int, height: Int, pixels: [SIMD4<UInt8>]) {
    self.width = width
    self.height = height
    truths = []
    proposals = []
    self.pixels = pixels
    half = Self.halved(pixels, width: width, height: height)
  }

  /// The means of squares of four pixels, or nil for a picture that is small already.
  private static func halved(
    _ pixels: [SIMD4<UInt8>], width: Int, height: Int
  ) -> TrainingPicture? {
    guard min(width, height) >= 64 else { return nil }
    var reduced: [SIMD4<UInt8>] = []
    reduced.reserveCapacity((width / 2) * (height / 2))
    for row in 0..<height / 2 {
      for column in 0..<width / 2 {
        let place = 2 * (row * width + column)
        var sum = SIMD4<UInt16>(repeating: 2)
        for index in [place, place + 1, place + width, place + width + 1] {
          sum &+= SIMD4<UInt16>(truncatingIfNeeded: pixels[index])
        }
        reduced.append(SIMD4<UInt8>(truncatingIfNeeded: sum &>> 2))
      }
    }
    return TrainingPicture(width: width / 2, height: height / 2, pixels: reduced)
  }

  /// The colour at a place, 0...255 in each channel, between the four nearest pixel centres.
  ///
  /// Pixel `(i, j)` has its centre at `(i + 0.5, j + 0.5)`; places outside take the nearest edge.
  @inline(__always)
  func color(x: Float, y: Float) -> SIMD4<Float> {
    let left = min(max(x - 0.5, 0), Float(width - 1))
    let top = min(max(y - 0.5, 0), Float(height - 1))
    let column = Int(left)
    let row = Int(top)
    let nextColumn = min(column &+ 1, width &- 1)
    let nextRow = min(row &+ 1, height &- 1)
    let across = left - Float(column)
    let down = top - Float(row)
    return unsafe pixels.withUnsafeBufferPointer { pixels in
      let upper = row &* width
      let lower = nextRow &* width
      let a = unsafe SIMD4<Float>(pixels[upper &+ column])
      let b = unsafe SIMD4<Float>(pixels[upper &+ nextColumn])
      let c = unsafe SIMD4<Float>(pixels[lower &+ column])
      let d = unsafe SIMD4<Float>(pixels[lower &+ nextColumn])
      let first = a + (b - a) * across
      let second = c + (d - c) * across
      return first + (second - first) * down
    }
  }
}
