/// From rows of components to rows of pixels.
enum JPEGColor {
  /// R = Y + 1.402 Cr, G = Y - 0.344136 Cb - 0.714136 Cr, B = Y + 1.772 Cb, with Cb and Cr less 128.
  ///
  /// In integers of 16 fractional bits, rounded as libjpeg rounds them: Cr and Cb terms of R and B
  /// singly, those of G together. The vectors' writes stay inside the row.
  ///
  /// Source: ITU-T T.871, section 7.
  static func convertYCbCr(
    _ y: UnsafePointer<UInt8>, _ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>,
    to output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let center = Int16x8(repeating: 128)
    let half = Int32x8(repeating: 32768)
    var index = 0
    // Eight pixels write 26 bytes, so at least one more pixel must follow.
    while index &+ 8 < count {
      let luma = unsafe Int16x8.load(y + index)
      let blue = unsafe Int16x8.load(cb + index) &- center
      let red = unsafe Int16x8.load(cr + index) &- center
      // Whole multiples apart, so that the rest of each factor has 15 bits.
      let r = luma &+ red &+ rounded(red, times: 26345)
      let g = luma &- red &+ (blue.times(-22554) &+ red.times(18734) &+ half).descaled(16)
      let b = luma &+ blue &+ blue &- rounded(blue, times: 14942)
      unsafe store(r, g, b, output + 3 &* index)
      index &+= 8
    }
    while index < count {
      let luma = unsafe Int(y[index])
      let blue = unsafe Int(cb[index]) &- 128
      let red = unsafe Int(cr[index]) &- 128
      let target = unsafe output + 3 &* index
      unsafe target[0] = clamped(luma &+ (91881 &* red &+ 32768) &>> 16)
      unsafe target[1] = clamped(luma &+ (-22554 &* blue &- 46802 &* red &+ 32768) &>> 16)
      unsafe target[2] = clamped(luma &+ (116130 &* blue &+ 32768) &>> 16)
      index &+= 1
    }
  }

  /// A difference of colour times `factor / 2^16`, rounded.
  ///
  /// Twice that, rounded down, plus 1 and halved: so 16 bits suffice.
  @inline(__always)
  private static func rounded(_ difference: Int16x8, times factor: Int16) -> Int16x8 {
    let one = Int16x8(repeating: 1)
    return ((difference &+ difference).upperProduct(factor) &+ one) &>> one
  }

  /// Three rows of red, green and blue.
  static func interleave(
    _ r: UnsafePointer<UInt8>, _ g: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>,
    to output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for index in 0..<count {
      unsafe output[3 &* index] = r[index]
      unsafe output[3 &* index &+ 1] = g[index]
      unsafe output[3 &* index &+ 2] = b[index]
    }
  }

  /// Applies black to rows of the complements of cyan, magenta and yellow.
  ///
  /// A CMYK file stores `c = 255 - C`, and so on, of the ink amounts. The colour without a profile
  /// is `R = k - (255 - c) k / 255`, in which the quotient is rounded to nearest; G and B likewise.
  ///
  /// - Parameters:
  ///   - black: the stored samples of black, k.
  ///   - output: the stored samples of the others, which become red, green and blue.
  ///   - isInverted: whether `output` has c; otherwise it has 255 - c, as YCCK files yield it.
  static func applyBlack(
    _ black: UnsafePointer<UInt8>, to output: UnsafeMutablePointer<UInt8>, count: Int,
    isInverted: Bool
  ) {
    let complement: Int = isInverted ? 255 : 0
    for index in 0..<count {
      let black = unsafe Int(black[index])
      for channel in 0..<3 {
        let sample = unsafe output + (3 &* index &+ channel)
        let ink = unsafe Int(sample.pointee) ^ complement
        let product = ink &* black &+ 128
        // The product divided by 255, rounded.
        let quotient = (product &+ product &>> 8) &>> 8
        unsafe sample.pointee = UInt8(truncatingIfNeeded: black &- quotient)
      }
    }
  }

  @inline(__always)
  private static func clamped(_ value: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value, 0), 255))
  }

  /// Clamps and stores eight pixels of three bytes and two bytes more.
  @inline(__always)
  private static func store(
    _ r: Int16x8, _ g: Int16x8, _ b: Int16x8, _ output: UnsafeMutablePointer<UInt8>
  ) {
    let rg = unsafe unsafeBitCast(
      r.clamped | g.clamped &<< Int16x8(repeating: 8), to: SIMD2<UInt64>.self)
    let blue = unsafe unsafeBitCast(b.clamped, to: SIMD2<UInt64>.self)
    let even = packed(rg, blue)
    let odd = packed(rg &>> SIMD2(repeating: 32), blue &>> SIMD2(repeating: 32))
    let target = UnsafeMutableRawPointer(output)
    unsafe target.storeBytes(of: even[0], as: UInt64.self)
    unsafe target.storeBytes(of: odd[0], toByteOffset: 6, as: UInt64.self)
    unsafe target.storeBytes(of: even[1], toByteOffset: 12, as: UInt64.self)
    unsafe target.storeBytes(of: odd[1], toByteOffset: 18, as: UInt64.self)
  }

  /// Two pixels of three bytes in the low six bytes of each lane, from red and green in the low two
  /// pairs of bytes, and from blue there.
  @inline(__always)
  private static func packed(_ rg: SIMD2<UInt64>, _ blue: SIMD2<UInt64>) -> SIMD2<UInt64> {
    let first =
      rg & SIMD2(repeating: 0xFFFF) | (blue & SIMD2(repeating: 0xFF)) &<< SIMD2(repeating: 16)
    let second =
      rg & SIMD2(repeating: 0xFFFF_0000)
      | (blue & SIMD2(repeating: 0xFF_0000)) &<< SIMD2(repeating: 16)
    return first | second &<< SIMD2(repeating: 8)
  }
}
