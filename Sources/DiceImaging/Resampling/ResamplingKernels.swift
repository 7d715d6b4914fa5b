/// The inner loops of resampling. All are exact up to the rounding of `Float`.
enum ResamplingKernels {
  /// The most rows that `addSegment` takes: `255 * (1 + 2 + ... + 22)` still fits into 16 bits.
  static let segmentRowLimit = 22

  /// Adds rows to two outputs, with weights that are linear in the row's place.
  ///
  /// For each column `x`, with `s[k][x]` the sample in row `k` of `rowCount`:
  ///
  ///     before[x] += sum over k of (falling.atStart + falling.slope * k) * s[k][x]
  ///     behind[x] += sum over k of (rising.atStart + rising.slope * k) * s[k][x]
  ///
  /// | operand | layout |
  /// |---|---|
  /// | `rows` | `[rowCount, columnCount]` bytes, rows `bytesPerRow` apart |
  /// | `before`, `behind` | `[columnCount]`, not overlapping |
  /// | `overwrites` | whether `behind` is set rather than added to |
  ///
  /// Both sums come from two integer sums, kept in 16 bits: of `s` and of `(rowCount - k) * s`.
  ///
  /// - Precondition: `rowCount` is in `0...segmentRowLimit`.
  @inline(never)
  static func addSegment(
    rows: UnsafeRawPointer, bytesPerRow: Int, rowCount: Int, columnCount: Int,
    falling: ResamplingSegments.LinearWeight, rising: ResamplingSegments.LinearWeight,
    before: UnsafeMutablePointer<Float>, behind: UnsafeMutablePointer<Float>, overwrites: Bool
  ) {
    precondition(rowCount >= 0 && rowCount <= segmentRowLimit)
    // sum of (a + b k) s = (a + b n) * sum of s - b * sum of (n - k) s
    let n = Float(rowCount)
    let fallingSum = falling.atStart + falling.slope * n
    let fallingPlace = -falling.slope
    let risingSum = rising.atStart + rising.slope * n
    let risingPlace = -rising.slope
    let before = UnsafeMutableRawPointer(before)
    let behind = UnsafeMutableRawPointer(behind)

    @inline(__always) func put(_ x: Int, _ sum: SIMD4<UInt16>, _ place: SIMD4<UInt16>) {
      let sum = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: sum))
      let place = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: place))
      let first = unsafe before + x &* 4
      let second = unsafe behind + x &* 4
      let old = unsafe first.loadUnaligned(as: SIMD4<Float>.self)
      unsafe first.storeBytes(
        of: old + (sum * fallingSum + place * fallingPlace), as: SIMD4<Float>.self)
      var new = sum * risingSum + place * risingPlace
      if !overwrites { unsafe new += second.loadUnaligned(as: SIMD4<Float>.self) }
      unsafe second.storeBytes(of: new, as: SIMD4<Float>.self)
    }

    var x = 0
    while x &+ 16 <= columnCount {
      var sum = SIMD16<UInt16>(repeating: 0)
      var place = sum
      var row = unsafe rows + x
      for _ in 0..<rowCount {
        let samples = unsafe row.loadUnaligned(as: SIMD16<UInt8>.self)
        sum &+= SIMD16<UInt16>(truncatingIfNeeded: samples)
        place &+= sum
        unsafe row += bytesPerRow
      }
      put(x, sum.lowHalf.lowHalf, place.lowHalf.lowHalf)
      put(x &+ 4, sum.lowHalf.highHalf, place.lowHalf.highHalf)
      put(x &+ 8, sum.highHalf.lowHalf, place.highHalf.lowHalf)
      put(x &+ 12, sum.highHalf.highHalf, place.highHalf.highHalf)
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
        let v = SIMD16<UInt16>(truncatingIfNeeded: bytes)
        let weight = unsafe weights[k]
        s0 += SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: v.lowHalf.lowHalf)) * weight
        s1 += SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: v.lowHalf.highHalf)) * weight
        s2 += SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: v.highHalf.lowHalf)) * weight
        s3 += SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: v.highHalf.highHalf)) * weight
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
          sums += unsafe (first + k &* 4).loadUnaligned(as: SIMD4<Float>.self)
            * (weight + k &* 4).loadUnaligned(as: SIMD4<Float>.self)
          k &+= 4
        }
        var sum = (sums.x + sums.z) + (sums.y + sums.w)
        while k < count {
          sum += unsafe (first + k &* 4).load(as: Float.self)
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
