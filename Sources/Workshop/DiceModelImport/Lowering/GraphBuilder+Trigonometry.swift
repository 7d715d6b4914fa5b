internal import DiceWeights

/// Trigonometric and hyperbolic functions as series of layers.
extension GraphBuilder {
  /// A sum of odd powers, by the coefficients of the first, the third, the fifth power and so on.
  private mutating func oddSeries(
    _ value: ComputedValue, _ coefficients: [Float]
  ) throws(LoweringFault) -> ComputedValue {
    let square = try computed(product(.computed(value), .computed(value)))
    var sum = try activated(
      square,
      .linear(
        scale: coefficients[coefficients.count - 1], offset: coefficients[coefficients.count - 2]))
    for coefficient in coefficients.dropLast(2).reversed() {
      sum = try activated(
        computed(product(.computed(sum), .computed(square))),
        .linear(scale: 1, offset: coefficient))
    }
    return try computed(product(.computed(sum), .computed(value)))
  }

  /// The sine, to 2e-6 for numbers below 30.
  ///
  /// The number less whole turns, and nine terms of the power series.
  mutating func sine(_ value: ComputedValue) throws(LoweringFault) -> ComputedValue {
    let turns = try activated(value, .linear(scale: 1 / (2 * .pi), offset: 0))
    let whole = try activated(turns, [.linear(scale: 1, offset: 0.5), .floor])
    let rest = try computed(combined(.subtraction, .computed(turns), .computed(whole)))
    let angle = try activated(rest, .linear(scale: 2 * .pi, offset: 0))
    var coefficients: [Float] = []
    var factorial = 1.0
    for term in 0..<9 {
      if term > 0 { factorial *= Double(2 * term) * Double(2 * term + 1) }
      coefficients.append(Float((term % 2 == 0 ? 1 : -1) / factorial))
    }
    return try oddSeries(angle, coefficients)
  }

  /// The cosine, as ``sine(_:)``.
  mutating func cosine(_ value: ComputedValue) throws(LoweringFault) -> ComputedValue {
    try sine(activated(value, .linear(scale: 1, offset: .pi / 2)))
  }

  /// The tangent, as ``sine(_:)``.
  mutating func tangent(_ value: ComputedValue) throws(LoweringFault) -> Value {
    let cosine = try cosine(value)
    return try combined(.division, .computed(sine(value)), .computed(cosine))
  }

  /// The arc tangent, to 1e-6.
  ///
  /// Twice half the angle, and again: `atan(x) = 2 atan(x / (1 + sqrt(1 + x * x)))`; then eight terms of
  /// the power series.
  mutating func arcTangent(_ value: ComputedValue) throws(LoweringFault) -> ComputedValue {
    var value = value
    for _ in 0..<2 {
      let square = try computed(product(.computed(value), .computed(value)))
      let divisor = try activated(
        square,
        [.linear(scale: 1, offset: 1), .squareRoot, .linear(scale: 1, offset: 1)])
      value = try computed(combined(.division, .computed(value), .computed(divisor)))
    }
    let factors = (0..<8).map { (term: Int) -> Float in
      let sign: Float = term % 2 == 0 ? 1 : -1
      return sign / Float(2 * term + 1)
    }
    let series = try oddSeries(value, factors)
    return try activated(series, .linear(scale: 4, offset: 0))
  }

  /// The arc sine, to 1e-6: `2 atan(x / (1 + sqrt(1 - x * x)))`.
  mutating func arcSine(_ value: ComputedValue) throws(LoweringFault) -> ComputedValue {
    let square = try computed(product(.computed(value), .computed(value)))
    let divisor = try activated(
      square, [.linear(scale: -1, offset: 1), .squareRoot, .linear(scale: 1, offset: 1)])
    let tangent = try computed(combined(.division, .computed(value), .computed(divisor)))
    return try activated(arcTangent(tangent), .linear(scale: 2, offset: 0))
  }

  /// Half the sum of the exponential of a number and a factor times that of its negative: the
  /// hyperbolic cosine for the factor 1, the hyperbolic sine for -1.
  mutating func exponentialPair(
    _ value: ComputedValue, factor: Float
  ) throws(LoweringFault) -> Value {
    let rising = try activated(value, [.exponential, .linear(scale: 0.5, offset: 0)])
    let falling = try activated(
      value, [.linear(scale: -1, offset: 0), .exponential, .linear(scale: 0.5 * factor, offset: 0)])
    return try combined(.addition, .computed(rising), .computed(falling))
  }

  /// The inverse of the hyperbolic sine: `ln(|x| + sqrt(x * x + 1))` with the sign of x.
  mutating func inverseHyperbolicSine(_ value: ComputedValue) throws(LoweringFault) -> Value {
    let square = try computed(product(.computed(value), .computed(value)))
    let root = try activated(square, [.linear(scale: 1, offset: 1), .squareRoot])
    let magnitude = try activated(value, .absolute)
    let sum = try computed(combined(.addition, .computed(magnitude), .computed(root)))
    let logarithm = try activated(sum, .logarithm(lower: .leastNormalMagnitude))
    return try product(.computed(logarithm), sign(.computed(value)))
  }

  /// The inverse of the hyperbolic cosine: `ln(x + sqrt(x * x - 1))`.
  mutating func inverseHyperbolicCosine(
    _ value: ComputedValue
  ) throws(LoweringFault) -> ComputedValue {
    let square = try computed(product(.computed(value), .computed(value)))
    let root = try activated(square, [.linear(scale: 1, offset: -1), .squareRoot])
    let sum = try computed(combined(.addition, .computed(value), .computed(root)))
    return try activated(sum, .logarithm(lower: .leastNormalMagnitude))
  }

  /// The inverse of the hyperbolic tangent: `ln((1 + x) / (1 - x)) / 2`.
  mutating func inverseHyperbolicTangent(
    _ value: ComputedValue
  ) throws(LoweringFault) -> ComputedValue {
    let above = try activated(value, .linear(scale: 1, offset: 1))
    let below = try activated(value, .linear(scale: -1, offset: 1))
    let quotient = try computed(combined(.division, .computed(above), .computed(below)))
    return try activated(
      quotient,
      [.logarithm(lower: .leastNormalMagnitude), .linear(scale: 0.5, offset: 0)])
  }
}
