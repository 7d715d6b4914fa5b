/// How gray samples are told apart into foreground and ground.
public enum Binarization: Hashable, Sendable {
  /// Which samples are foreground.
  public enum Polarity: UInt8, CaseIterable, Hashable, Sendable {
    /// Those not above the threshold: ink on paper.
    case darkOnLight
    /// Those above the threshold.
    case lightOnDark
  }

  /// One threshold for all samples, 0...255. Below 0 all samples are above it, from 255 on none.
  case fixed(threshold: Int)
  /// The threshold that parts the samples into two groups with the greatest variance between their means
  /// (Otsu). Of several such the least.
  case otsu
  /// For each sample the mean of the square around it, less an offset.
  ///
  /// The mean is rounded to nearest. Beyond the picture, its edges are repeated. The side is odd, 3 to
  /// ``greatestBlockSize``; other numbers are brought to the nearest odd one in that range, upwards.
  case adaptiveMean(blockSize: Int, offset: Int)
  /// As `adaptiveMean`, with the weights of a Gaussian over the square, whose standard deviation is
  /// `0.15 blockSize + 0.35` pixels.
  case adaptiveGaussian(blockSize: Int, offset: Int)

  /// The longest side of the square of an adaptive threshold.
  public static let greatestBlockSize = 255

  /// The side that a block size is brought to.
  static func usedBlockSize(_ size: Int) -> Int {
    min(max(size, 3), greatestBlockSize) | 1
  }
}

/// Turns gray pictures into binary ones, with memory that is used again.
///
/// The thresholds are those of OpenCV's `threshold` and `adaptiveThreshold`: for whole offsets the mean
/// gives the same pixels.
public struct Binarizer: Sendable {
  private var histogram = [Int](repeating: 0, count: 1024)
  var box = BoxMeans()
  var gaussian = GaussianMeans()
  private var isAbove: [UInt8] = []

  /// A binarizer without memory yet.
  public init() {}

  /// Makes a binary picture of a gray one.
  ///
  /// - Parameters:
  ///   - image: The gray picture.
  ///   - binarization: What parts foreground and ground.
  ///   - polarity: Which of the two is foreground.
  ///   - result: Takes the picture; its memory is used again.
  public mutating func binarize(
    _ image: GrayImage, _ binarization: Binarization, polarity: Binarization.Polarity,
    into result: inout BinaryImage
  ) {
    result.resize(width: image.width, height: image.height)
    switch binarization {
    case .fixed(let threshold):
      Self.compare(image, threshold: threshold, polarity, &result)
    case .otsu:
      Self.compare(image, threshold: otsuThreshold(of: image), polarity, &result)
    case .adaptiveMean(let size, let offset):
      if isAbove.count < image.width + 64 {
        isAbove = [UInt8](repeating: 0, count: image.width + 64)
      }
      box.compare(
        image, size: Binarization.usedBlockSize(size), offset: min(max(offset, -256), 256),
        row: &isAbove, polarity, &result)
    case .adaptiveGaussian(let size, let offset):
      if isAbove.count < image.width + 64 {
        isAbove = [UInt8](repeating: 0, count: image.width + 64)
      }
      gaussian.compare(
        image, size: Binarization.usedBlockSize(size), offset: min(max(offset, -256), 256),
        row: &isAbove, polarity, &result)
    }
  }

  /// Otsu's threshold of a picture, 0...254; 0 for a picture of one value.
  ///
  /// Source: N. Otsu, A Threshold Selection Method from Gray-Level Histograms, 1979.
  public mutating func otsuThreshold(of image: GrayImage) -> Int {
    countSamples(of: image)
    let total = Double(image.width * image.height)
    var sum = 0.0
    for value in 0..<256 { sum += Double(value * histogram[value]) }
    let mean = sum / total
    var (share, below, greatest, threshold) = (0.0, 0.0, 0.0, 0)
    for value in 0..<256 {
      let part = Double(histogram[value]) / total
      below *= share
      share += part
      let above = 1 - share
      guard min(share, above) >= 1.1920929e-07, max(share, above) <= 1 - 1.1920929e-07 else {
        // The mean so far is kept as a mean, without its share.
        below = share > 0 ? (below + Double(value) * part) / share : 0
        continue
      }
      below = (below + Double(value) * part) / share
      let meanAbove = (mean - share * below) / above
      let between = share * above * (below - meanAbove) * (below - meanAbove)
      if between > greatest { (greatest, threshold) = (between, value) }
    }
    return threshold
  }

  /// Counts samples in four rows of 256, since one count after another for the same value waits for it.
  private mutating func countSamples(of image: GrayImage) {
    for index in 0..<1024 { histogram[index] = 0 }
    let count = image.width * image.height
    unsafe histogram.withUnsafeMutableBufferPointer { (counts) in
      unsafe image.storage.withUnsafeBufferPointer { (samples) in
        let (counts, samples) = (counts.baseAddress!, samples.baseAddress!)
        var index = 0
        while index &+ 8 <= count {
          let eight = unsafe UnsafeRawPointer(samples + index).loadUnaligned(as: UInt64.self)
          unsafe counts[Int(eight & 255)] &+= 1
          unsafe counts[256 &+ Int(eight >> 8 & 255)] &+= 1
          unsafe counts[512 &+ Int(eight >> 16 & 255)] &+= 1
          unsafe counts[768 &+ Int(eight >> 24 & 255)] &+= 1
          unsafe counts[Int(eight >> 32 & 255)] &+= 1
          unsafe counts[256 &+ Int(eight >> 40 & 255)] &+= 1
          unsafe counts[512 &+ Int(eight >> 48 & 255)] &+= 1
          unsafe counts[768 &+ Int(eight >> 56)] &+= 1
          index &+= 8
        }
        while index < count {
          unsafe counts[Int(samples[index])] &+= 1
          index &+= 1
        }
        for value in 0..<256 {
          unsafe counts[value] += counts[256 + value] + counts[512 + value] + counts[768 + value]
        }
      }
    }
  }

  /// A threshold for all samples.
  private static func compare(
    _ image: GrayImage, threshold: Int, _ polarity: Binarization.Polarity,
    _ result: inout BinaryImage
  ) {
    let (width, height, wordsPerRow) = (image.width, image.height, result.wordsPerRow)
    // Above the threshold is at least the next value.
    let least = min(max(threshold, -1), 255) + 1
    unsafe result.withWords { (words) in
      unsafe image.storage.withUnsafeBufferPointer { (samples) in
        for row in 0..<height {
          unsafe BitPacking.pack(
            samples.baseAddress! + row * width, count: width, atLeast: least,
            inverted: polarity == .darkOnLight, into: words + row * wordsPerRow)
        }
      }
    }
  }
}
