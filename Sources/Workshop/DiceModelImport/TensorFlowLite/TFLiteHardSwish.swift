internal import DiceWeights

/// Hard swish of 8-bit integers as LiteRT computes it, in integers of 16 bits.
///
/// With `h = 128 (integer - zero point)`, and `*` for the high half of a doubled product:
///
///     p = h * m                                    m: 1/128 of the input's scale over the output's
///     r = (h * n + 2¹⁵) / 2, limited               n: the same over 3 / 2¹⁵
///     result = r p / 2¹⁵, towards 0, then divided by a power of 2, rounded, and limited
///
/// A network computes the function in floats, rounds it once, and corrects the few integers for which
/// that is another one.
///
/// Source: `HardSwish` of LiteRT's reference kernels, and `HardSwishPrepare`.
struct TFLiteHardSwish: Hashable, Sendable {
  /// A result that floats and one rounding do not give.
  struct Correction: Hashable, Sendable {
    /// Steps of the input from its zero point.
    var input: Int
    /// What is added, in steps of the output.
    var amount: Float
  }

  /// What is added before numbers are rounded, in steps.
  private(set) var offset: Double = 0
  private(set) var corrections: [Correction] = []

  /// How far from the middle between two steps a number must be.
  private static let margin = 1e-3
  /// The most corrections.
  private static let correctionLimit = 8

  /// The function between two tensors; nil where LiteRT has none.
  init?(
    from input: TFLiteQuantization, to output: TFLiteQuantization, range: ClosedRange<Int>
  ) {
    let (inputZero, outputZero) = (input.zeroPoints[0], output.zeroPoints[0])
    guard range.contains(inputZero), range.contains(outputZero),
      let results = Self.results(from: input, to: output, range: range)
    else { return nil }
    let scale = Double(input.scales[0])
    // What each number may be before it is rounded, less what it is.
    var numbers: [Double] = []
    var limits: [(lower: Double, upper: Double)] = []
    for (integer, result) in zip(range, results) {
      let x = Double(integer - inputZero) * scale
      let number = x * min(max(x + 3, 0), 6) / 6 / Double(output.scales[0])
      let steps = Double(result - outputZero)
      numbers.append(steps - number)
      limits.append(
        (
          result == range.lowerBound ? -.infinity : steps - 0.5 - number + Self.margin,
          result == range.upperBound ? .infinity : steps + 0.5 - number - Self.margin
        ))
    }
    func isRight(_ place: Int, _ offset: Double) -> Bool {
      limits[place].lower <= offset && offset <= limits[place].upper
    }
    let lower = limits.reduce(-0.25) { max($0, $1.lower) }
    let upper = limits.reduce(0.25) { min($0, $1.upper) }
    // Without one for all, the one that is right for most.
    let best = [(lower + upper) / 2, 0, lower, upper].map { (offset) in
      (offset, limits.indices.count { isRight($0, offset) })
    }.max { $0.1 < $1.1 }
    offset = best?.0 ?? 0
    for place in limits.indices
    where !isRight(place, offset) && corrections.count < Self.correctionLimit {
      corrections.append(
        Correction(
          input: range.lowerBound + place - inputZero, amount: Float(numbers[place] - offset)))
    }
  }

  // MARK: Integers

  /// The result for each integer of the type.
  private static func results(
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

extension TFLiteLowering {
  /// The hard swish of an operation on 8-bit integers; nil for other numbers.
  func hardSwish(_ operation: TFLiteFile.Operation) throws(LoweringFault) -> TFLiteHardSwish? {
    guard let number = operation.inputs.first, number >= 0,
      let range = file.tensors[number].type.quantizedRange,
      let input = try bytes(number), let output = try bytes(operation.outputs.first),
      operation.outputs.first.map({ file.tensors[$0].type == file.tensors[number].type }) == true
    else { return nil }
    return TFLiteHardSwish(from: input, to: output, range: range)
  }

  /// Hard swish, with the corrections of its integers.
  mutating func hardSwish(
    _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> Value {
    let operand = try call.input(0)
    var value = try builder.applied([.hardSwish], to: operand)
    guard let known = try hardSwish(operation), let input = try bytes(operation.inputs.first),
      let output = try bytes(operation.outputs.first)
    else { return value }
    for correction in known.corrections {
      // 1 for one integer, 0 for all others.
      let peak = try builder.applied(
        [
          .linear(scale: 1 / input.scales[0], offset: -Float(correction.input)), .absolute,
          .linear(scale: -1, offset: 1), .relu,
          .linear(scale: correction.amount * output.scales[0], offset: 0),
        ], to: operand)
      value = try builder.combined(.addition, value, peak)
    }
    return value
  }
}
