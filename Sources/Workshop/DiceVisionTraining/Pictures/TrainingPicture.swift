public import DiceGeometry
public import DiceImaging
internal import DiceNumerics

/// A picture to learn from, decoded, with its dice.
///
/// Layout `[height, width, 3]`: red, green and blue.
@safe public final class TrainingPicture: Sendable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The dice, in the picture's pixels.
  public let truths: [TruthBox]
  /// Where a detector takes something for a die, rightly or wrongly, in the picture's pixels; a
  /// second-stage classifier learns from crops around these boxes.
  public let proposals: [BoundingBox]

  /// The picture at half its width and height, where it was asked for.
  let half: TrainingPicture?

  /// How far the picture reaches: its sides, or half of those of the picture that it is the half of.
  private let extent: (width: Double, height: Double)

  /// The pixels, and one byte more, as `WarpSampler` reads them.
  private let samples: [UInt8]

  /// Takes a picture that stands upright, with its dice.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - truths: its dice.
  ///   - proposals: where a detector takes something for a die.
  ///   - isReducible: whether samples show the picture at less than half its size; then it is kept
  ///     at a half, a quarter and so on, too.
  public init(
    _ image: PixelImage, truths: [TruthBox], proposals: [BoundingBox] = [],
    isReducible: Bool = false
  ) {
    width = image.width
    height = image.height
    self.truths = truths
    self.proposals = proposals
    samples = Self.colors(of: image)
    extent = (Double(image.width), Double(image.height))
    half =
      isReducible
      ? Self.halved(samples, width: image.width, height: image.height, extent: extent) : nil
  }

  private init(
    width: Int, height: Int, extent: (width: Double, height: Double), samples: [UInt8]
  ) {
    self.width = width
    self.height = height
    self.extent = extent
    truths = []
    proposals = []
    self.samples = samples
    half = Self.halved(samples, width: width, height: height, extent: extent)
  }

  /// A number that changes with the size and with every pixel.
  var pixelFingerprint: UInt64 {
    XXHash64.hash(samples) &* 31 &+ UInt64(width)
  }

  /// Red, green and blue of every pixel, whatever channels the picture has.
  private static func colors(of image: PixelImage) -> [UInt8] {
    let samples = image.samples
    let channels = image.format.channelCount
    let pixelCount = image.width * image.height
    var colors: [UInt8] = []
    colors.reserveCapacity(3 * pixelCount + 1)
    if channels == 3 {
      colors += samples.prefix(3 * pixelCount)
    } else {
      for index in 0..<pixelCount {
        for channel in 0..<3 {
          colors.append(samples[index * channels + (channels == 1 ? 0 : channel)])
        }
      }
    }
    colors.append(0)
    return colors
  }

  /// The means of squares of four pixels, at odd ends of those that are there; nil for a picture that is small
  /// already.
  private static func halved(
    _ samples: [UInt8], width: Int, height: Int, extent: (width: Double, height: Double)
  ) -> TrainingPicture? {
    guard min(width, height) >= 64 else { return nil }
    let (newWidth, newHeight) = ((width + 1) / 2, (height + 1) / 2)
    var reduced: [UInt8] = []
    reduced.reserveCapacity(3 * newWidth * newHeight + 1)
    for row in 0..<newHeight {
      let above = 2 * row * width
      let below = min(2 * row + 1, height - 1) * width
      for column in 0..<newWidth {
        let left = 2 * column
        let right = min(left + 1, width - 1)
        for channel in 0..<3 {
          var sum: UInt16 = 2
          for pixel in [above + left, above + right, below + left, below + right] {
            sum += UInt16(samples[3 * pixel + channel])
          }
          reduced.append(UInt8(sum / 4))
        }
      }
    }
    reduced.append(0)
    return TrainingPicture(
      width: newWidth, height: newHeight, extent: (extent.width / 2, extent.height / 2),
      samples: reduced)
  }

  /// Samples the places of a line: red, green and blue in 0...255, and a number that is negative
  /// outside the picture.
  func sample(
    _ line: WarpSampler.Line, by sampler: WarpSampler, into colors: inout [SIMD4<Float>]
  ) {
    sampler.sample(
      line, of: samples, width: width, height: height, extent: extent, into: &colors)
  }
}
