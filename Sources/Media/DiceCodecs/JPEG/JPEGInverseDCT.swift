/// The inverse cosine transform of an 8 by 8 block in integers of 13 fractional bits.
///
/// Columns first, then rows; between the passes values carry 2 more bits. The results equal those of
/// libjpeg's accurate integer method, as they are sums of the same products.
///
/// Source: C. Loeffler, A. Ligtenberg and G. Moschytz, "Practical fast 1-D DCT algorithms with 11
/// multiplications", ICASSP 1989; the constants are round(2^13 c).
enum JPEGInverseDCT {
  /// Writes the 8 by 8 samples of a block.
  ///
  /// - Parameters:
  ///   - coefficients: 64 quantized coefficients in row-major order.
  ///   - quantization: 64 factors in the same order.
  ///   - output: where the first sample goes; 8 rows of 8 bytes, `stride` bytes apart, are written.
  @inline(never)
  static func full(
    _ coefficients: UnsafePointer<Int16>, _ quantization: UnsafePointer<Int16>,
    _ output: UnsafeMutablePointer<UInt8>, _ stride: Int
  ) {
    let r1 = unsafe Int16x8.load(coefficients + 8)
    let r2 = unsafe Int16x8.load(coefficients + 16)
    let r3 = unsafe Int16x8.load(coefficients + 24)
    let r4 = unsafe Int16x8.load(coefficients + 32)
    let r5 = unsafe Int16x8.load(coefficients + 40)
    let r6 = unsafe Int16x8.load(coefficients + 48)
    let r7 = unsafe Int16x8.load(coefficients + 56)
    let r0 = unsafe Int16x8.load(coefficients)
    let low = r1 | r2 | r3
    let high = r4 | r5 | r6 | r7
    let q0 = unsafe Int16x8.load(quantization)
    var rows = unsafe JPEGRows(
      r0: r0 &* q0, r1: r1 &* .load(quantization + 8), r2: r2 &* .load(quantization + 16),
      r3: r3 &* .load(quantization + 24))
    let any = r0 | low | high
    // Blocks without the high half of the frequencies are common; the zeros fold away below.
    if high.isZero && Int16x8(lowHalf: any.highHalf, highHalf: .zero).isZero {
      var first = r0
      first[0] = 0
      if (first | low).isZero {
        unsafe fill(rows.r0[0], output, stride)
        return
      }
      unsafe JPEGRows.withBlock { block in
        var columns = unsafe pass(rows, shift: 11).transposed(in: block)
        columns.r4 = .zero
        columns.r5 = .zero
        columns.r6 = .zero
        columns.r7 = .zero
        unsafe store(pass(columns, shift: 18).transposed(in: block), output, stride)
      }
      return
    }
    rows.r4 = unsafe r4 &* .load(quantization + 32)
    rows.r5 = unsafe r5 &* .load(quantization + 40)
    rows.r6 = unsafe r6 &* .load(quantization + 48)
    rows.r7 = unsafe r7 &* .load(quantization + 56)
    unsafe JPEGRows.withBlock { block in
      let columns = unsafe pass(rows, shift: 11).transposed(in: block)
      unsafe store(pass(columns, shift: 18).transposed(in: block), output, stride)
    }
  }

  /// The block whose only coefficient is the mean.
  @inline(__always)
  private static func fill(_ mean: Int16, _ output: UnsafeMutablePointer<UInt8>, _ stride: Int) {
    let level = (Int32(mean) &+ 4) &>> 3 &+ 128
    let row = SIMD8<UInt8>(repeating: UInt8(truncatingIfNeeded: min(max(level, 0), 255)))
    for index in 0..<8 { unsafe row.store(output + index &* stride) }
  }

  /// Adds the level of 128 and stores bytes.
  @inline(__always)
  private static func store(
    _ rows: JPEGRows, _ output: UnsafeMutablePointer<UInt8>, _ stride: Int
  ) {
    let level = Int16x8(repeating: 128)
    unsafe (rows.r0 &+ level).bytes.store(output)
    unsafe (rows.r1 &+ level).bytes.store(output + stride)
    unsafe (rows.r2 &+ level).bytes.store(output + 2 &* stride)
    unsafe (rows.r3 &+ level).bytes.store(output + 3 &* stride)
    unsafe (rows.r4 &+ level).bytes.store(output + 4 &* stride)
    unsafe (rows.r5 &+ level).bytes.store(output + 5 &* stride)
    unsafe (rows.r6 &+ level).bytes.store(output + 6 &* stride)
    unsafe (rows.r7 &+ level).bytes.store(output + 7 &* stride)
  }

  /// The transform along the rows' index, for eight columns at once.
  @inline(__always)
  private static func pass(_ i: JPEGRows, shift: Int32) -> JPEGRows {
    // Even part: 0.541196100, 0.765366865, 1.847759065.
    let e2 = i.r2.times(4433) &+ i.r6.times(4433 - 15137)
    let e3 = i.r2.times(4433 + 6270) &+ i.r6.times(4433)
    // Half a unit of the result rounds all of the sums below.
    let half = Int32x8(repeating: 1 << (shift - 1))
    let e0 = i.r0.times(8192) &+ i.r4.times(8192) &+ half
    let e1 = i.r0.times(8192) &+ i.r4.times(-8192) &+ half
    let t10 = e0 &+ e3
    let t13 = e0 &- e3
    let t11 = e1 &+ e2
    let t12 = e1 &- e2
    // Odd part. 1.175875602, 1.961570560, 0.390180644 mix the sums; 0.298631336, 2.053119869,
    // 3.072711026, 1.501321110, 0.899976223 and 2.562915447 the values.
    let s3 = i.r7 &+ i.r3
    let s4 = i.r5 &+ i.r1
    let z3 = s3.times(9633 - 16069) &+ s4.times(9633)
    let z4 = s3.times(9633) &+ s4.times(9633 - 3196)
    let o0 = i.r7.times(2446 - 7373) &+ i.r1.times(-7373) &+ z3
    let o1 = i.r5.times(16819 - 20995) &+ i.r3.times(-20995) &+ z4
    let o2 = i.r5.times(-20995) &+ i.r3.times(25172 - 20995) &+ z3
    let o3 = i.r7.times(-7373) &+ i.r1.times(12299 - 7373) &+ z4
    return JPEGRows(
      r0: (t10 &+ o3).descaled(shift), r1: (t11 &+ o2).descaled(shift),
      r2: (t12 &+ o1).descaled(shift), r3: (t13 &+ o0).descaled(shift),
      r4: (t13 &- o0).descaled(shift), r5: (t12 &- o1).descaled(shift),
      r6: (t11 &- o2).descaled(shift), r7: (t10 &- o3).descaled(shift))
  }
}
