/// Compares samples with the mean of the square around them.
///
/// Sums over columns move down the picture with it, and sums along the row of these are differences of
/// two running totals: the work for a sample does not depend on the square's size.
struct BoxMeans: Sendable {
  /// The sum of a column's samples within the square's rows: at most 255 · 255.
  private var columnSums: [UInt16] = []
  /// The totals of the column sums up to a column, from the square's half before the first column on.
  private var totals: [UInt32] = []

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
    if columnSums.count < width { columnSums = [UInt16](repeating: 0, count: width) }
    if totals.count < width + size + 1 {
      totals = [UInt32](repeating: 0, count: width + size + 1)
    }
    let area = size * size
    // With n = size², the mean rounded to nearest is ⌊(S + (n − 1) / 2) / n⌋, as n is odd. So
    // v + offset > mean is v n > S + (n − 1) / 2 − offset n. All three are whole, and below 2²⁴ where it
    // matters, so that `Float` holds them exactly.
    let factor = Float(area)
    let addend = Float((area - 1) / 2 - offset * area)
    unsafe image.storage.withUnsafeBufferPointer { (samples) in
      unsafe columnSums.withUnsafeMutableBufferPointer { (sums) in
        unsafe totals.withUnsafeMutableBufferPointer { (totals) in
          unsafe above.withUnsafeMutableBufferPointer { (above) in
            let (samples, sums) = (samples.baseAddress!, sums.baseAddress!)
            let (totals, above) = (totals.baseAddress!, above.baseAddress!)
            for column in 0..<width { unsafe sums[column] = 0 }
            for line in -reach...reach {
              unsafe Self.add(
                samples + min(max(line, 0), height - 1) * width, to: sums, count: width)
            }
            unsafe result.withWords { (words) in
              for row in 0..<height {
                if row > 0 {
                  unsafe Self.move(
                    sums, adding: samples + min(row + reach, height - 1) * width,
                    removing: samples + max(row - reach - 1, 0) * width, count: width)
                }
                unsafe Self.sumUp(sums, count: width, reach: reach, into: totals)
                unsafe Self.compare(
                  samples + row * width, count: width, totals, totals + size, factor, addend,
                  into: above)
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
    _ row: UnsafePointer<UInt8>, to sums: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    for column in 0..<count { unsafe sums[column] &+= UInt16(row[column]) }
  }

  @unsafe
  private static func move(
    _ sums: UnsafeMutablePointer<UInt16>, adding next: UnsafePointer<UInt8>,
    removing last: UnsafePointer<UInt8>, count: Int
  ) {
    for column in 0..<count {
      unsafe sums[column] &+= UInt16(next[column]) &- UInt16(last[column])
    }
  }

  /// Running totals, with the first and the last sum repeated.
  @unsafe
  private static func sumUp(
    _ sums: UnsafeMutablePointer<UInt16>, count: Int, reach: Int,
    into totals: UnsafeMutablePointer<UInt32>
  ) {
    var total: UInt32 = 0
    var place = unsafe totals
    unsafe place[0] = 0
    let (first, last) = unsafe (UInt32(sums[0]), UInt32(sums[count &- 1]))
    for _ in 0..<reach {
      total &+= first
      unsafe place += 1
      unsafe place[0] = total
    }
    for column in 0..<count {
      total &+= unsafe UInt32(sums[column])
      unsafe place[column &+ 1] = total
    }
    unsafe place += count
    for _ in 0..<reach {
      total &+= last
      unsafe place += 1
      unsafe place[0] = total
    }
  }

  @unsafe
  private static func compare(
    _ samples: UnsafePointer<UInt8>, count: Int, _ before: UnsafeMutablePointer<UInt32>,
    _ behind: UnsafeMutablePointer<UInt32>, _ factor: Float, _ addend: Float,
    into above: UnsafeMutablePointer<UInt8>
  ) {
    for column in 0..<count {
      let sum = unsafe Float(Int32(truncatingIfNeeded: behind[column] &- before[column]))
      let value = unsafe Float(samples[column]) * factor
      unsafe above[column] = value > sum + addend ? 1 : 0
    }
  }
}
