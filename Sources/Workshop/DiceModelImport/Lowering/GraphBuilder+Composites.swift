internal import DiceWeights

/// Functions that several layers make up.
extension GraphBuilder {
  /// GELU as it is defined: `0.5 * x * (1 + erf(x / sqrt(2)))`.
  mutating func exactGELU(_ value: ComputedValue) throws(LoweringFault) -> Value {
    let gate = try activated(
      value,
      [
        .linear(scale: Float(0.5).squareRoot(), offset: 0), .errorFunction,
        .linear(scale: 0.5, offset: 0.5),
      ])
    return try combined(.multiplication, .computed(value), .computed(gate))
  }

  /// A tensor less its mean along some axes, over the root of its variance and a small number.
  mutating func standardized(
    _ value: Value, axes: [Int], epsilon: Float
  ) throws(LoweringFault) -> Value {
    let mean = try summarized(value, .mean, axes: axes)
    let centred = try combined(.subtraction, value, mean)
    let variance = try summarized(product(centred, centred), .mean, axes: axes)
    let root = try applied(
      [.linear(scale: 1, offset: epsilon), .squareRoot], to: variance)
    return try combined(.division, centred, root)
  }
}

extension GraphBuilder {
  /// Each number to a power.
  mutating func power(_ value: ComputedValue, _ exponent: Float) throws(LoweringFault) -> Value {
    if exponent < 0 {
      let inverse = try power(value, -exponent)
      return .computed(try activated(computed(inverse), .reciprocal))
    }
    if exponent == 0 { return .computed(try activated(value, .linear(scale: 0, offset: 1))) }
    if exponent == 0.5 { return .computed(try activated(value, .squareRoot)) }
    if exponent == exponent.rounded(), exponent <= 4096 {
      // Also right for numbers below 0, where the format's power is 0.
      var result: Value?
      var square = Value.computed(value)
      var rest = Int(exponent)
      while true {
        if rest & 1 != 0 {
          result =
            try result.map { (known) throws(LoweringFault) in
              try product(known, square)
            } ?? square
        }
        rest >>= 1
        if rest == 0 { break }
        square = try product(square, square)
      }
      return result ?? square
    }
    guard exponent > 0, exponent.isFinite else {
      throw .unsupported("its exponent is \(exponent)")
    }
    return .computed(try activated(value, .power(exponent: exponent)))
  }

  /// The place of the greatest number along an axis, which then has the extent 1.
  mutating func indexOfMaximum(
    _ value: ComputedValue, axis: Int
  ) throws(LoweringFault) -> ComputedValue {
    let (value, places) = try separated(value, [axis])
    var shape = value.shape
    shape[axis] = 1
    let place = places.place(of: axis)
    return try append(
      .reduction(
        Layer.Reduction(
          input: value.source, kind: .indexOfMaximum, overHeight: place == .height,
          overWidth: place == .width, overChannels: place == .channels)),
      Arrangement(shape: shape, places))
  }
}
