/// Inverse cosine transforms of an 8 by 8 block to fewer samples: each is the mean of those that the
/// full transform would give in its place, from the formulas with the same 13 fractional bits.
///
/// The results equal those of libjpeg's reduced-size transforms.
extension JPEGInverseDCT {
  /// Writes the samples of a block in the given size: 8, 4, 2 or 1 to an edge.
  ///
  /// The operands are those of `full`.
  @inline(__always)
  static func transform(
    _ coefficients: UnsafePointer<Int16>, _ quantization: UnsafePointer<Int16>,
    _ output: UnsafeMutablePointer<UInt8>, _ stride: Int, blockSize: Int
  ) {
    switch blockSize {
    case 8: unsafe full(coefficients, quantization, output, stride)
    case 4: unsafe half(coefficients, quantization, output, stride)
    case 2: unsafe quarter(coefficients, quantization, output, stride)
    default:
      unsafe output[0] = sample(Int32(coefficients[0] &* quantization[0]), shift: 3)
    }
  }

  /// Four by four samples; row 4 and column 4 of the coefficients have no part in them.
  @inline(never)
  private static func half(
    _ coefficients: UnsafePointer<Int16>, _ quantization: UnsafePointer<Int16>,
    _ output: UnsafeMutablePointer<UInt8>, _ stride: Int
  ) {
    let rows = unsafe JPEGRows(coefficients, times: quantization)
    let result = unsafe JPEGRows.withBlock { block in
      let columns = unsafe quarteredPass(rows, shift: 12).transposed(in: block)
      return unsafe quarteredPass(columns, shift: 19).transposed(in: block)
    }
    unsafe storeFour(result.r0, output)
    unsafe storeFour(result.r1, output + stride)
    unsafe storeFour(result.r2, output + 2 &* stride)
    unsafe storeFour(result.r3, output + 3 &* stride)
  }

  @inline(__always)
  private static func storeFour(_ row: Int16x8, _ output: UnsafeMutablePointer<UInt8>) {
    let bytes = (row &+ Int16x8(repeating: 128)).bytes.lowHalf
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: bytes, as: SIMD4<UInt8>.self)
  }

  /// Four outputs along the rows' index, for eight columns at once; rows 4 to 7 are zero.
  @inline(__always)
  private static func quarteredPass(_ i: JPEGRows, shift: Int32) -> JPEGRows {
    // 1.847759065, 0.765366865.
    let rounding = Int32x8(repeating: 1 << (shift - 1))
    let even = i.r0.times(16384) &+ rounding
    let e = i.r2.times(15137) &+ i.r6.times(-6270)
    // 0.211164243, 1.451774981, 2.172734803, 1.061594337.
    let a = i.r7.times(-1730) &+ i.r5.times(11893)
    let b = i.r3.times(-17799) &+ i.r1.times(8697)
    // 0.509795579, 0.601344887, 0.899976223, 2.562915447.
    let c = i.r7.times(-4176) &+ i.r5.times(-4926)
    let d = i.r3.times(7373) &+ i.r1.times(20995)
    let inner = a &+ b
    let outer = c &+ d
    return JPEGRows(
      r0: (even &+ e &+ outer).descaled(shift), r1: (even &- e &+ inner).descaled(shift),
      r2: (even &- e &- inner).descaled(shift), r3: (even &+ e &- outer).descaled(shift))
  }

  /// Two by two samples, from the mean and the odd rows and columns.
  @inline(never)
  private static func quarter(
    _ coefficients: UnsafePointer<Int16>, _ quantization: UnsafePointer<Int16>,
    _ output: UnsafeMutablePointer<UInt8>, _ stride: Int
  ) {
    // 3.624509785, 1.272758580, 0.850430095, 0.720959822.
    let rows = unsafe JPEGRows(coefficients, times: quantization)
    let even = rows.r0.times(32768) &+ Int32x8(repeating: 1 << 12)
    let odd =
      rows.r1.times(29692) &+ rows.r3.times(-10426) &+ rows.r5.times(6967)
      &+ rows.r7.times(-5906)
    unsafe storeTwo((even &+ odd).descaled(13).widened, output)
    unsafe storeTwo((even &- odd).descaled(13).widened, output + stride)
  }

  /// The second pass for one row.
  @inline(__always)
  private static func storeTwo(_ i: Int32x8, _ output: UnsafeMutablePointer<UInt8>) {
    let even = i[0] &<< 15
    let odd = i[1] &* 29692 &+ i[3] &* -10426 &+ i[5] &* 6967 &+ i[7] &* -5906
    unsafe output[0] = sample(even &+ odd, shift: 20)
    unsafe output[1] = sample(even &- odd, shift: 20)
  }

  @inline(__always)
  private static func sample(_ sum: Int32, shift: Int32) -> UInt8 {
    let level = (sum &+ (1 << (shift - 1))) &>> shift &+ 128
    return UInt8(truncatingIfNeeded: min(max(level, 0), 255))
  }
}

extension JPEGRows {
  /// A block's coefficients times their quantization factors.
  @inline(__always)
  init(_ coefficients: UnsafePointer<Int16>, times factors: UnsafePointer<Int16>) {
    @inline(__always)
    func row(_ index: Int) -> Int16x8 {
      unsafe Int16x8.load(coefficients + 8 * index) &* Int16x8.load(factors + 8 * index)
    }
    self.init(
      r0: row(0), r1: row(1), r2: row(2), r3: row(3), r4: row(4), r5: row(5), r6: row(6),
      r7: row(7))
  }
}
