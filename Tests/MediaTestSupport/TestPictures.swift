public import DiceImaging

/// Pictures computed from formulas, and ways to compare them.
public enum TestPictures {
  /// The source of `Fixtures/golden/resampling/generate.py`:
  /// `(3x^2 + 5y^2 + 7xy + 85c + 11 (x / 5) (y / 3) + seed) mod 256`.
  public static func sample(_ x: Int, _ y: Int, _ c: Int, seed: Int = 0) -> UInt8 {
    let squares = 3 * x * x + 5 * y * y + 7 * x * y
    return UInt8((squares + 85 * c + 11 * (x / 5) * (y / 3) + seed) & 255)
  }

  /// A picture of the formula.
  public static func formula(width: Int, height: Int, format: PixelImage.Format) -> PixelImage {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<format.channelCount { samples.append(sample(x, y, c)) }
      }
    }
    return PixelImage(width: width, height: height, format: format, samples: samples)
  }

  /// Luma and gentle chroma of the formula, with padding in the rows where told.
  public static func planes(
    width: Int, height: Int, encoding: YCbCrEncoding, padding: Int = 0,
    order: RawFrame.ChromaOrder = .cbCr
  ) throws(FrameError) -> StoredFrame {
    var luma: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { luma.append(sample(x, y, 0)) }
      luma += [UInt8](repeating: 0xEE, count: padding)
    }
    var chroma: [UInt8] = []
    for y in 0..<(height + 1) / 2 {
      for x in 0..<(width + 1) / 2 {
        let pair = [0, 1].map { 96 + sample(x, y, $0, seed: 40) / 4 }
        chroma += order == .cbCr ? pair : [pair[1], pair[0]]
      }
      chroma += [UInt8](repeating: 0x11, count: padding)
    }
    return try StoredFrame(
      luma: luma, lumaBytesPerRow: width + padding, chroma: chroma,
      chromaBytesPerRow: (width + 1) / 2 * 2 + padding, chromaOrder: order, encoding: encoding,
      width: width, height: height)
  }

  /// Pseudo-random bytes: a linear congruential generator.
  public static func noise(_ count: Int, seed: UInt32) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
  }

  /// The largest difference of two samples in the same place; 256 where the counts differ.
  public static func largestDifference(_ a: [UInt8], _ b: [UInt8]) -> Int {
    guard a.count == b.count else { return 256 }
    return zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 256
  }
}
