/// The cosine transform of an 8 by 8 block in integers of 13 fractional bits, and quantization.
///
/// Rows first, then columns; between the passes values carry 2 more bits. The results equal those of
/// libjpeg's accurate integer method.
///
/// Source: C. Loeffler, A. Ligtenberg and G. Moschytz, "Practical fast 1-D DCT algorithms with 11
/// multiplications", ICASSP 1989; the constants are round(2^13 c).
enum JPEGForwardDCT {
  /// Transforms the 8 by 8 samples at an address, whose rows are `stride` bytes apart.
  @inline(__always)
  static func transform(_ samples: UnsafePointer<UInt8>, stride: Int) -> JPEGRows {
    @inline(__always)
    func row(_ index: Int) -> Int16x8 {
      unsafe Int16x8.load(samples + index &* stride) &- Int16x8(repeating: 128)
    }
    let rows = JPEGRows(
      r0: row(0), r1: row(1), r2: row(2), r3: row(3), r4: row(4), r5: row(5), r6: row(6),
      r7: row(7))
    return unsafe JPEGRows.withBlock { block in
      let lines = unsafe pass(rows.transposed(in: block), shift: 11, outerShift: -2)
      return unsafe pass(lines.transposed(in: block), shift: 15, outerShift: 2)
    }
  }

  /// The transform along the rows' index, for eight columns at once.
  ///
  /// Outputs 0 and 4 need no multiplication and have a shift of their own, to the left if negative.
  @inline(__always)
  private static func pass(_ i: JPEGRows, shift: Int32, outerShift: Int16) -> JPEGRows {
    let s0 = i.r0 &+ i.r7
    let s1 = i.r1 &+ i.r6
    let s2 = i.r2 &+ i.r5
    let s3 = i.r3 &+ i.r4
    let d0 = i.r0 &- i.r7
    let d1 = i.r1 &- i.r6
    let d2 = i.r2 &- i.r5
    let d3 = i.r3 &- i.r4
    let half = Int32x8(repeating: 1 << (shift - 1))
    // Even part: 0.541196100, 0.765366865, 1.847759065.
    let e0 = s0 &+ s3
    let e1 = s1 &+ s2
    let e2 = s1 &- s2
    let e3 = s0 &- s3
    let r2 = e2.times(4433) &+ e3.times(4433 + 6270)
    let r6 = e2.times(4433 - 15137) &+ e3.times(4433)
    // Odd part; the constants are those of the inverse transform.
    let t3 = d3 &+ d1
    let t4 = d2 &+ d0
    let z3 = t3.times(9633 - 16069) &+ t4.times(9633) &+ half
    let z4 = t3.times(9633) &+ t4.times(9633 - 3196) &+ half
    let r7 = d3.times(2446 - 7373) &+ d0.times(-7373) &+ z3
    let r5 = d2.times(16819 - 20995) &+ d1.times(-20995) &+ z4
    let r3 = d2.times(-20995) &+ d1.times(25172 - 20995) &+ z3
    let r1 = d3.times(-7373) &+ d0.times(12299 - 7373) &+ z4
    return JPEGRows(
      r0: outer(e0 &+ e1, outerShift), r1: r1.descaled(shift), r2: (r2 &+ half).descaled(shift),
      r3: r3.descaled(shift), r4: outer(e0 &- e1, outerShift), r5: r5.descaled(shift),
      r6: (r6 &+ half).descaled(shift), r7: r7.descaled(shift))
  }

  @inline(__always)
  private static func outer(_ value: Int16x8, _ shift: Int16) -> Int16x8 {
    shift < 0
      ? value &<< Int16x8(repeating: -shift)
      : (value &+ Int16x8(repeating: 1 << (shift - 1))) &>> Int16x8(repeating: shift)
  }
}

/// Divides coefficients by their quantization factors, rounding halves away from zero.
@safe struct JPEGQuantizer {
  /// For each coefficient, row-major: 2^32 / (8 factor), rounded up, so that the product's upper half
  /// is the exact quotient of any number below 2^16.
  private let reciprocals: JPEGMemory<UInt32>
  /// Half of each divisor.
  private let halves: JPEGMemory<UInt32>

  /// The transform's results are 8 times the coefficients, and so are the divisors.
  init(_ table: [Int]) {
    reciprocals = JPEGMemory(count: 64)
    halves = JPEGMemory(count: 64)
    for index in 0..<64 {
      let divisor = UInt64(table[index]) * 8
      let reciprocal = ((1 << 32) + divisor - 1) / divisor
      unsafe reciprocals.base[index] = UInt32(reciprocal)
      unsafe halves.base[index] = UInt32(divisor / 2)
    }
  }

  /// Quantizes 64 transformed values in place.
  func quantize(_ block: UnsafeMutablePointer<Int16>) {
    defer { withExtendedLifetime(self) {} }
    for index in 0..<64 {
      let value = unsafe Int32(block[index])
      let magnitude = unsafe UInt32(truncatingIfNeeded: abs(value)) &+ halves.base[index]
      let quotient = unsafe Int32(
        truncatingIfNeeded: (UInt64(magnitude) &* UInt64(reciprocals.base[index])) &>> 32)
      unsafe block[index] = Int16(truncatingIfNeeded: value < 0 ? -quotient : quotient)
    }
  }
}
