internal import DiceNumerics

/// Compares samples with the mean of the square around them that has the weights of a Gaussian.
struct GaussianMeans: Sendable {
  private var weights: [Float] = []
  /// The weighted sums of the columns, with the first and the last repeated.
  private var columnSums: [Float] = []
  private var means: [Float] = []

  /// Writes whether each sample is above the mean, rounded to nearest, less an offset.
  ///
  /// - Parameters:
  ///   - size: The square's side, odd, 3...255.
  ///   - offset: −256...256.
  ///   - row: Scratch memory for at least the picture's width.
  mutating func compare(
    _ image: GrayImage, size: Int, offset: Int, row above: inout [UInt8],
    _ polarity: Binarization.Polarity, _ result: inout BinaryImage
  ) {
    let (width, height, wordsPerRow) = (image.width, image.height, result.wordsPerRow)
    let reach = size / 2
    if weights.count != size { weights = Self.weights(size) }
    if columnSums.count < width + size {
      columnSums = [Float](repeating: 0, count: width + size)
      means = columnSums
    }
    // v + offset > ⌊mean + 0.5⌋ is v + offset > mean + 0.5 for whole v and offset.
    let addend = 0.5 - Float(offset)
    unsafe image.storage.withUnsafeBufferPointer { (samples) in
      unsafe columnSums.withUnsafeMutableBufferPointer { (sums) in
        unsafe means.withUnsafeMutableBufferPointer { (means) in
          unsafe above.withUnsafeMutableBufferPointer { (above) in
            let (samples, sums) = (samples.baseAddress!, sums.baseAddress!)
            let (means, above) = (means.baseAddress!, above.baseAddress!)
            unsafe result.withWords { (words) in
              for row in 0..<height {
                for column in 0..<width { unsafe sums[reach &+ column] = 0 }
                for line in 0..<size {
                  let place = min(max(row + line - reach, 0), height - 1)
                  unsafe Self.add(
                    samples + place * width, times: weights[line], to: sums + reach, count: width)
                }
                for column in 0..<reach {
                  unsafe sums[column] = sums[reach]
                  unsafe sums[reach &+ width &+ column] = sums[reach &+ width &- 1]
                }
                for column in 0..<width { unsafe means[column] = addend }
                for line in 0..<size {
                  unsafe Self.add(sums + line, times: weights[line], to: means, count: width)
                }
                for column in 0..<width {
                  unsafe above[column] =
                    Float(samples[row &* width &+ column]) > means[column] ? 1 : 0
                }
                unsafe BitPacking.pack(
                  above, count: width, atLeast: 1, inverted: polarity == .darkOnLight,
                  into: words + row * wordsPerRow)
              }
            }
          }
        }
      }
    }
  }

  @unsafe
  private static func add(
    _ row: UnsafePointer<UInt8>, times weight: Float, to sums: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    for column in 0..<count { unsafe sums[column] += Float(row[column]) * weight }
  }

  @unsafe
  private static func add(
    _ row: UnsafeMutablePointer<Float>, times weight: Float,
    to sums: UnsafeMutablePointer<Float>, count: Int
  ) {
    for column in 0..<count { unsafe sums[column] += row[column] * weight }
  }

  /// The weights along a side; their sum is 1.
  ///
  /// Up to a side of 7 they are those of binomials, as OpenCV has them, and of 7 its own.
  private static func weights(_ size: Int) -> [Float] {
    switch size {
    case 3: return [0.25, 0.5, 0.25]
    case 5: return [0.0625, 0.25, 0.375, 0.25, 0.0625]
    case 7: return [0.03125, 0.109375, 0.21875, 0.28125, 0.21875, 0.109375, 0.03125]
    default: break
    }
    let deviation = 0.15 * Double(size) + 0.35
    var weights: [Double] = []
    for place in 0..<size {
      let distance = Double(place - size / 2) / deviation
      weights.append(exponential(-0.5 * distance * distance))
    }
    let sum = weights.reduce(0, +)
    return weights.map { Float($0 / sum) }
  }
}
