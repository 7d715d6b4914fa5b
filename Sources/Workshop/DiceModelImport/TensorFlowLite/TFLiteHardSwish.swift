/// Hard swish of 8-bit integers as LiteRT computes it, in integers of 16 bits.
///
/// With `h = 128 (integer - zero point)`, and `*` for the high half of a doubled product:
///
///     p = h * m                                    m: 1/128 of the input's scale over the output's
///     r = (h * n + 2¹⁵) / 2, limited               n: the same over 3 / 2¹⁵
///     result = r p / 2¹⁵, towards 0, then divided by a power of 2, rounded, and limited
///
/// Source: `HardSwish` of LiteRT's reference kernels, and `HardSwishPrepare`.
enum TFLiteHardSwish {
  /// The result for each integer of the type; nil where LiteRT has none.
  static func results(
    from input: TFLiteQuantization, to output: TFLiteQuantization, range: ClosedRange<Int>
  ) -> [Int]? {
    let fine = (1 / 128) * input.scales[0]
    guard let product = Factor(fine / output.scales[0]), let line = Factor(fine / (3 / 32768)),
      product.exponent <= 0
    else { return nil }
    return range.map { (integer) in
      let high = (integer - input.zeroPoints[0]) * 128
      var part = high
      if line.exponent > 0 { part = saturated(part << (line.exponent - 1)) }
      part = highProduct(part, line.number)
      if line.exponent > 0 { part = saturated(part << 1) }
      if line.exponent < 0 { part = divided(part, byPowerOf2: -line.exponent) }
      part = (part + (1 << 15)) >> 1
      // Towards 0.
      let result = part * highProduct(high, product.number) / (1 << 15)
      let rounded = divided(result, byPowerOf2: -product.exponent) + output.zeroPoints[0]
      return min(max(rounded, range.lowerBound), range.upperBound)
    }
  }

  /// A factor as an integer of 16 bits, with 1 for `2¹⁵`, and a power of 2.
  private struct Factor {
    var number: Int
    var exponent: Int

    init?(_ factor: Float) {
      guard factor > 0, factor.isFinite else { return nil }
      let value = Double(factor)
      exponent = Int(value.exponent) + 1
      var long = Int((value.significand * Double(1 << 30)).rounded())
      if long == 1 << 31 {
        long /= 2
        exponent += 1
      }
      guard (-15...15).contains(exponent) else { return nil }
      number = min((long + (1 << 15)) >> 16, 32767)
    }
  }

  private static func saturated(_ number: Int) -> Int { min(max(number, -32768), 32767) }

  /// The high half of a doubled product, a middle rounded up.
  private static func highProduct(_ first: Int, _ second: Int) -> Int {
    saturated((first * second + (1 << 14)) >> 15)
  }

  /// The nearest integer, a middle away from 0.
  private static func divided(_ number: Int, byPowerOf2 exponent: Int) -> Int {
    guard exponent > 0 else { return number }
    let half = 1 << (exponent - 1)
    return number < 0 ? -((half - number) >> exponent) : (number + half) >> exponent
  }
}
