/// The inner loops of resampling.
///
/// All are exact up to the rounding of `Float`.
enum ResamplingKernels {
  /// The most rows that `addSegment` takes: `255 * (1 + 2 + ... + 22)` still fits into 16 bits.
  static let segmentRowLimit = 22

  /// Bytes as 16-bit numbers: zeros put between them, which stays one instruction everywhere.
  @inline(__always)
  private static func widened(_ bytes: SIMD8<UInt8>) -> SIMD8<UInt16> {
    var pairs = SIMD16<UInt8>(repeating: 0)
    pairs.evenHalf = bytes
    return unsafe unsafeBitCast(pairs, to: SIMD8<UInt16>.self)
  }

  /// 16-bit numbers as floats, exactly.
  @inline(__always)
  private static func floats(_ numbers: SIMD4<UInt16>) -> SIMD4<Float> {
    SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: numbers))
  }

  /// How the two sums over a segment count in an output.
  struct SegmentWeight {
    /// The weight of the sum of `s`.
    var sum: Float
    /// The weight of the sum of `(rowCount - k) * s`.
    var place: Float

    /// The weight `linear.atStart + linear.slope * k` of row `k` of `rowCount`:
    /// `sum of (a + b k) s = (a + b n) * sum of s - b * sum of (n - k) s`.
    init(_ linear: ResamplingSegments.LinearWeight, rowCount: Int) {
      sum = linear.atStart + linear.slope * Float(rowCount)
      place = -linear.slope
    }
  }

  /// Adds rows to two outputs, with weights that are linear in the row's place.
  ///
  /// For each column `x`, with `s[k][x]` the sample in row `k` of `rowCount`, and the integers
  /// `S = sum of s[k][x]` and `P = sum of (rowCount - k) * s[k][x]` kept in 16 bits:
  ///
  ///     before[x] += falling.sum * S + falling.place * P
  ///     behind[x] += rising.sum * S + rising.place * P
  ///
  /// | operand | layout |
  /// |---|---|
  /// | `rows` | `[rowCount, columnCount]` bytes, rows `bytesPerRow` apart |
  /// | `before`, `behind` | `[columnCount]`, not overlapping |
  ///
  /// - Precondition: `rowCount` is in `0...segmentRowLimit`.
  @inline(never)
  static func addSegment(
    rows: UnsafeRawPointer, bytesPerRow: Int, rowCount: Int, columnCount: Int,
    falling: SegmentWeight, rising: SegmentWeight, before: UnsafeMutablePointer<Float>,
    behind: UnsafeMutablePointer<Float>
  ) {
    unsafe sumSegment(
      rows: rows, bytesPerRow: bytesPerRow, rowCount: rowCount, columnCount: columnCount,
      falling: falling, rising: rising, before: before, behind: behind, overwrites: false)
  }

  /// As `addSegment`, but `behind` is set rather than added to.
  @inline(never)
  static func setSegment(
    rows: UnsafeRawPointer, bytesPerRow: Int, rowCount: Int, columnCount: Int,
    falling: SegmentWeight, rising: SegmentWeight, before: UnsafeMutablePointer<Float>,
    behind: UnsafeMutablePointer<Float>
  ) {
    unsafe sumSegment(
      rows: rows, bytesPerRow: bytesPerRow, rowCount: rowCount, columnCount: columnCount,
      falling: falling, rising: rising, before: before, behind: behind, overwrites: true)
  }

  @inline(__always)
  private static func sumSegment(
    rows: UnsafeRawPointer, bytesPerRow: Int, rowCount: Int, columnCount: Int,
    falling: SegmentWeight, rising: SegmentWeight, before: UnsafeMutablePointer<Float>,
    behind: UnsafeMutablePointer<Float>, overwrites: Bool
  ) {
    precondition(rowCount >= 0 && rowCount <= segmentRowLimit)
    let before = UnsafeMutableRawPointer(before)
    let behind = UnsafeMutableRawPointer(behind)
    // Written so that the compiler finds whole vectors: no negation, no branch on a flag.
    let (fallingSum, fallingPlace) = (falling.sum, falling.place)
    let (risingSum, risingPlace) = (rising.sum, rising.place)

    @inline(__always) func put(_ x: Int, _ sum: SIMD4<UInt16>, _ place: SIMD4<UInt16>) {
      let sum = floats(sum)
      let place = floats(place)
      let first = unsafe before + x &* 4
      let second = unsafe behind + x &* 4
      let old = unsafe first.loadUnaligned(as: SIMD4<Float>.self)
      unsafe first.storeBytes(
        of: old + (sum * fallingSum + place * fallingPlace), as: SIMD4<Float>.self)
      if overwrites {
        unsafe second.storeBytes(
          of: sum * risingSum + place * risingPlace, as: SIMD4<Float>.self)
      } else {
        let old = unsafe second.loadUnaligned(as: SIMD4<Float>.self)
        unsafe second.storeBytes(
          of: old + (sum * risingSum + place * risingPlace), as: SIMD4<Float>.self)
      }
    }

    var x = 0
    while x &+ 16 <= columnCount {
      var sum0 = SIMD8<UInt16>(repeating: 0)
      var (sum1, place0, place1) = (sum0, sum0, sum0)
      var row = unsafe rows + x
      for _ in 0..<rowCount {
        let samples = unsafe row.loadUnaligned(as: SIMD16<UInt8>.self)
        sum0 &+= widened(samples.lowHalf)
        sum1 &+= widened(samples.highHalf)
        place0 &+= sum0
        place1 &+= sum1
        unsafe row += bytesPerRow
      }
      put(x, sum0.lowHalf, place0.lowHalf)
      put(x &+ 4, sum0.highHalf, place0.highHalf)
      put(x &+ 8, sum1.lowHalf, place1.lowHalf)
      put(x &+ 12, sum1.highHalf, place1.highHalf)
      x &+= 16
    }
    while x < columnCount {
      var sum: UInt32 = 0
      var place: UInt32 = 0
      var row = unsafe rows + x
      for _ in 0..<rowCount {
        unsafe sum &+= UInt32(row.load(as: UInt8.self))
        place &+= sum
        unsafe row += bytesPerRow
      }
      let first = unsafe (before + x &* 4).assumingMemoryBound(to: Float.self)
      let second = unsafe (behind + x &* 4).assumingMemoryBound(to: Float.self)
      unsafe first.pointee += Float(sum) * fallingSum + Float(place) * fallingPlace
      let new = Float(sum) * risingSum + Float(place) * risingPlace
      unsafe second.pointee = overwrites ? new : second.pointee + new
      x &+= 1
    }
  }

  /// Sets one output from rows with a weight each:
  /// `result[x] = sum over k of weights[k] * s[k][x]`.
  ///
  /// | operand | layout |
  /// |---|---|
  /// | `rows` | `[rowCount, columnCount]` bytes, rows `bytesPerRow` apart |
  /// | `weights` | `[rowCount]` |
  /// | `result` | `[columnCount]` |
  @inline(never)
  static func setWeightedSum(
    rows: UnsafeRawPointer, bytesPerRow: Int, rowCount: Int, columnCount: Int,
    weights: UnsafePointer<Float>, result: UnsafeMutablePointer<Float>
  ) {
    var x = 0
    while x &+ 16 <= columnCount {
      var s0 = SIMD4<Float>(repeating: 0)
      var (s1, s2, s3) = (s0, s0, s0)
      var row = unsafe rows + x
      for k in 0..<rowCount {
        let bytes = unsafe row.loadUnaligned(as: SIMD16<UInt8>.self)
        let low = widened(bytes.lowHalf)
        let high = widened(bytes.highHalf)
        let weight = unsafe SIMD4<Float>(repeating: weights[k])
        s0 += floats(low.lowHalf) * weight
        s1 += floats(low.highHalf) * weight
        s2 += floats(high.lowHalf) * weight
        s3 += floats(high.highHalf) * weight
        unsafe row += bytesPerRow
      }
      let target = unsafe UnsafeMutableRawPointer(result + x)
      unsafe target.storeBytes(of: s0, as: SIMD4<Float>.self)
      unsafe (target + 16).storeBytes(of: s1, as: SIMD4<Float>.self)
      unsafe (target + 32).storeBytes(of: s2, as: SIMD4<Float>.self)
      unsafe (target + 48).storeBytes(of: s3, as: SIMD4<Float>.self)
      x &+= 16
    }
    while x < columnCount {
      var sum: Float = 0
      var row = unsafe rows + x
      for k in 0..<rowCount {
        unsafe sum += weights[k] * Float(row.load(as: UInt8.self))
        unsafe row += bytesPerRow
      }
      unsafe result[x] = sum
      x &+= 1
    }
  }

  /// Sets each output pixel from neighbouring pixels of a row.
  ///
  ///     result[i] = sum over k of weights[offsets[i] + k] * row[firsts[i] + k - start]
  ///
  /// where `row[p]` is the pixel of `channelCount` values at `row + p * channelCount`. Lanes beyond
  /// the channels are unspecified, but for one channel, where all four lanes are equal.
  ///
  /// | operand | layout |
  /// |---|---|
  /// | `row` | `[pixels, channelCount]`, and at least 4 finite values behind |
  /// | `firsts`, `counts`, `offsets` | `[outputCount]` |
  /// | `result` | `[outputCount]` |
  ///
  /// - Precondition: `channelCount` is in 1...4.
  @inline(never)
  static func setPixels(
    row: UnsafePointer<Float>, channelCount: Int, start: Int, firsts: UnsafePointer<Int>,
    counts: UnsafePointer<Int>, offsets: UnsafePointer<Int>, weights: UnsafePointer<Float>,
    outputCount: Int, result: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    let row = unsafe UnsafeRawPointer(row)
    if channelCount == 1 {
      for i in 0..<outputCount {
        let first = unsafe row + (firsts[i] &- start) &* 4
        let weight = unsafe UnsafeRawPointer(weights + offsets[i])
        let count = unsafe counts[i]
        var sums = SIMD4<Float>(repeating: 0)
        var k = 0
        while k &+ 4 <= count {
          sums +=
            unsafe (first + k &* 4).loadUnaligned(as: SIMD4<Float>.self)
            * (weight + k &* 4).loadUnaligned(as: SIMD4<Float>.self)
          k &+= 4
        }
        var sum = (sums.x + sums.z) + (sums.y + sums.w)
        while k < count {
          sum +=
            unsafe (first + k &* 4).load(as: Float.self)
            * (weight + k &* 4).load(as: Float.self)
          k &+= 1
        }
        unsafe result[i] = SIMD4(repeating: sum)
      }
      return
    }
    let pixelStride = channelCount &* 4
    for i in 0..<outputCount {
      var pixel = unsafe row + (firsts[i] &- start) &* pixelStride
      let weight = unsafe weights + offsets[i]
      var sum = SIMD4<Float>(repeating: 0)
      for k in 0..<(unsafe counts[i]) {
        sum += unsafe pixel.loadUnaligned(as: SIMD4<Float>.self) * weight[k]
        unsafe pixel += pixelStride
      }
      unsafe result[i] = sum
    }
  }
}
