/// Exact conversions between `Float` and the two 16-bit formats, by bits.
///
/// `Float16` does not exist on every platform. Rounding is to nearest, ties to even; subnormal
/// numbers are kept.
package enum HalfPrecision {
  /// The value of an IEEE 754 binary16.
  ///
  /// Every one of the 65 536 patterns is exact; a quiet or
  /// signalling NaN keeps its sign and payload bits.
  @inline(__always)
  package static func float(float16 bits: UInt16) -> Float {
    let sign = UInt32(bits & 0x8000) &<< 16
    let magnitude = UInt32(bits & 0x7FFF) &<< 13
    // All three, and then a choice, without branches: many numbers at once.
    let normal = magnitude &+ 0x3800_0000
    // A number from 2^-14 on, less 2^-14: the difference is exact.
    let subnormal = Float(bitPattern: normal &+ 0x80_0000) - Float(bitPattern: 0x3880_0000)
    let special = magnitude | 0x7F80_0000
    return Float(
      bitPattern: sign
        | (magnitude < 0x80_0000
          ? subnormal.bitPattern : magnitude < 0xF80_0000 ? normal : special))
  }

  /// The binary16 nearest to `value`, ties to even.
  ///
  /// Magnitudes from 65 520 on become infinite; a
  /// NaN stays a (quiet) NaN.
  @inline(__always)
  package static func float16(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    let sign = UInt16(truncatingIfNeeded: (bits &>> 16) & 0x8000)
    let magnitude = bits & 0x7FFF_FFFF
    if magnitude > 0x7F80_0000 {
      return sign | 0x7E00 | UInt16(truncatingIfNeeded: (magnitude &>> 13) & 0x3FF)
    }
    // 65 520 lies halfway between the greatest finite value and the next power of two.
    if magnitude >= 0x477F_F000 { return sign | 0x7C00 }
    if magnitude < 0x3880_0000 {
      // Below 2^-14 the result counts units of 2^-24. Shifting the significand right by `shift`
      // leaves that count; below 2^-25 nothing is left.
      let exponent = magnitude &>> 23
      if exponent < 102 { return sign }
      let significand = (magnitude & 0x7F_FFFF) | 0x80_0000
      let shift = 126 &- exponent
      return sign | UInt16(truncatingIfNeeded: roundedRight(significand, shift))
    }
    return sign | UInt16(truncatingIfNeeded: roundedRight(magnitude &- 0x3800_0000, 13))
  }

  /// The value of a bfloat16: the upper half of a binary32.
  @inline(__always)
  package static func float(bfloat16 bits: UInt16) -> Float {
    Float(bitPattern: UInt32(bits) &<< 16)
  }

  /// The bfloat16 nearest to `value`, ties to even.
  ///
  /// Magnitudes that round to 2^128 become infinite;
  /// a NaN stays a (quiet) NaN.
  @inline(__always)
  package static func bfloat16(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    if bits & 0x7FFF_FFFF > 0x7F80_0000 {
      return UInt16(truncatingIfNeeded: bits &>> 16) | 0x40
    }
    return UInt16(truncatingIfNeeded: roundedRight(bits, 16))
  }

  /// `value / 2^shift`, rounded to nearest, ties to even; `shift` is in 1...31.
  @inline(__always)
  private static func roundedRight(_ value: UInt32, _ shift: UInt32) -> UInt32 {
    let quotient = value &>> shift
    let half: UInt32 = 1 &<< (shift &- 1)
    let rest = value & ((1 &<< shift) &- 1)
    let roundsUp = rest > half || (rest == half && quotient & 1 == 1)
    return quotient &+ (roundsUp ? 1 : 0)
  }
}
