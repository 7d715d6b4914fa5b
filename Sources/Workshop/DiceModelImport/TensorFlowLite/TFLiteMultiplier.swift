/// A factor as LiteRT's kernels of integers have it: a number of 31 bits and a power of 2.
///
/// Source: `QuantizeMultiplier` and `MultiplyByQuantizedMultiplier` of LiteRT.
struct TFLiteMultiplier: Hashable, Sendable {
  /// The factor times `2^(31 - shift)`.
  var multiplier: Int
  /// How many bits a number is shifted to the left before; below 0 how many a product is shifted to the right.
  var shift: Int

  /// The factor 1.
  static let one = TFLiteMultiplier(multiplier: 1 << 30, shift: 1)

  init(multiplier: Int, shift: Int) {
    self.multiplier = multiplier
    self.shift = shift
  }

  /// The nearest one to a factor; nil where LiteRT has none.
  init?(_ factor: Double) {
    guard factor >= 0, factor.isFinite else { return nil }
    guard factor > 0 else {
      self.init(multiplier: 0, shift: 0)
      return
    }
    var shift = Int(factor.exponent) + 1
    var multiplier = Int((factor.significand * Double(1 << 30)).rounded())
    if multiplier == 1 << 31 {
      multiplier /= 2
      shift += 1
    }
    guard shift <= 30 else { return nil }
    if shift < -31 { (multiplier, shift) = (0, 0) }
    self.init(multiplier: multiplier, shift: shift)
  }

  /// The factor of a mean of so many numbers where this one is that of the numbers; nil where LiteRT has none.
  func divided(by count: Int) -> TFLiteMultiplier? {
    guard count > 0 else { return nil }
    let places = min(Int.bitWidth - 1 - count.leadingZeroBitCount, 32, 31 + shift)
    guard places >= 0 else { return nil }
    return TFLiteMultiplier(multiplier: (multiplier << places) / count, shift: shift - places)
  }

  /// An integer times the factor, rounded twice, or once.
  func result(_ number: Int, isRoundedOnce: Bool = false) -> Int {
    let product = (number << max(shift, 0)) * multiplier
    let rounded = (product + (isRoundedOnce ? 0 : 1 << 30)) >> 31
    guard shift < 0 else { return rounded }
    let half = 1 << (-shift - 1)
    return (rounded + half - (rounded < 0 && !isRoundedOnce ? 1 : 0)) >> -shift
  }

  /// The numbers that a weight file has for it.
  var numbers: [Float] {
    [Float(multiplier >> 15), Float(multiplier & 32_767), Float(shift)]
  }

  /// The factor that takes as much away.
  var negated: TFLiteMultiplier { TFLiteMultiplier(multiplier: -multiplier, shift: shift) }
}
