internal import DiceWeights

/// Numbers put together along axes, by any rule.
extension GraphBuilder {
  /// What becomes of the numbers along some axes.
  enum Summary {
    case sum, mean, product, sumOfLogarithms, sumOfSquares, absoluteSum, rootOfSquares, maximum,
      minimum, logarithmOfSum, logarithmOfExponentials
  }

  private static let negation = Layer.Activation.linear(scale: -1, offset: 0)
  private static let logarithm = Layer.Activation.logarithm(lower: .leastNormalMagnitude)

  /// One number for all positions along some axes, which then have the extent 1.
  mutating func summarized(
    _ input: Value, _ kind: Summary, axes: [Int], epsilon: Float = 0
  ) throws(LoweringFault) -> Value {
    if case .constant(let tensor) = input, let known = try Self.folded(tensor, kind, axes: axes) {
      return .constant(known)
    }
    let value = try computed(input)
    func reduce(
      _ kind: Layer.Reduction.Kind, before: [Layer.Activation] = [],
      after: [Layer.Activation] = []
    ) throws(LoweringFault) -> Value {
      .computed(
        try activated(
          reduced(activated(value, before), kind, axes: axes), after))
    }
    func squares() throws(LoweringFault) -> ComputedValue {
      try reduced(
        computed(product(.computed(value), .computed(value))), .sum, axes: axes)
    }
    switch kind {
    case .sum: return try reduce(.sum)
    case .mean: return try reduce(.mean)
    case .maximum: return try reduce(.maximum)
    case .minimum: return try reduce(.maximum, before: [Self.negation], after: [Self.negation])
    case .absoluteSum: return try reduce(.sum, before: [.absolute])
    case .sumOfSquares: return .computed(try squares())
    case .rootOfSquares: return .computed(try activated(squares(), .squareRoot))
    case .sumOfLogarithms:
      return try reduce(.sum, before: [.linear(scale: 1, offset: epsilon), Self.logarithm])
    case .logarithmOfSum: return try reduce(.sum, after: [Self.logarithm])
    case .logarithmOfExponentials:
      // The greatest number is taken out, so that no exponential is infinite.
      let greatest = try reduced(value, .maximum, axes: axes)
      let rest = try computed(
        combined(.subtraction, .computed(value), .computed(greatest)))
      let sum = try reduced(activated(rest, .exponential), .sum, axes: axes)
      return try combined(
        .addition, .computed(activated(sum, Self.logarithm)), .computed(greatest))
    case .product:
      var result = value
      for axis in axes { result = try product(result, axis: axis) }
      return .computed(result)
    }
  }

  /// The product of all numbers along an axis: of its halves, and so on.
  private mutating func product(
    _ value: ComputedValue, axis: Int
  ) throws(LoweringFault) -> ComputedValue {
    var value = value
    while value.shape[axis] > 1 {
      let extent = value.shape[axis]
      let half = extent / 2
      let first = try sliced(value, axis: axis, start: 0, count: half)
      let second = try sliced(value, axis: axis, start: half, count: half)
      let rest =
        try extent % 2 == 0
        ? nil : sliced(value, axis: axis, start: extent - 1, count: 1)
      var products = [try product(.computed(first), .computed(second))]
      if let rest { products.append(.computed(rest)) }
      value = try computed(concatenated(products, axis: axis))
    }
    return value
  }

  /// What arithmetic on shapes uses, at once.
  private static func folded(
    _ tensor: ConstantTensor, _ kind: Summary, axes: [Int]
  ) throws(LoweringFault) -> ConstantTensor? {
    let operation: Layer.Elementwise.Operation
    switch kind {
    case .sum: operation = .addition
    case .product: operation = .multiplication
    case .maximum: operation = .maximum
    case .minimum: operation = .minimum
    case .mean where !tensor.isInteger:
      guard let sum = try folded(tensor, .sum, axes: axes) else { return nil }
      let count = Float(axes.reduce(1) { (product, axis) in product * tensor.shape[axis] })
      return try ConstantArithmetic.map(sum, { $0 / count }, integers: { _ in nil })
    case .sumOfSquares where !tensor.isInteger:
      let squares = try ConstantArithmetic.map(tensor, { $0 * $0 }, integers: { _ in nil })
      return try folded(squares, .sum, axes: axes)
    case .rootOfSquares where !tensor.isInteger:
      guard let sum = try folded(tensor, .sumOfSquares, axes: axes) else { return nil }
      return try ConstantArithmetic.map(sum, { $0.squareRoot() }, integers: { _ in nil })
    case .absoluteSum where !tensor.isInteger:
      let magnitudes = try ConstantArithmetic.map(tensor, abs, integers: { _ in nil })
      return try folded(magnitudes, .sum, axes: axes)
    default: return nil
    }
    return try ConstantArithmetic.reduce(
      tensor, axes: axes, floats: { (x: Float, y: Float) in operation.result(x, y) },
      integers: { (x, y) in operation.result(x, y) })
  }

  /// The place of the greatest number along an axis, or of the smallest; the axis then has the extent 1.
  mutating func extremePlace(
    _ value: ComputedValue, axis: Int, isMinimum: Bool
  ) throws(LoweringFault) -> Value {
    let value = isMinimum ? try activated(value, Self.negation) : value
    return .computed(try indexOfMaximum(value, axis: axis))
  }

  /// Sums of the positions of an axis up to each one, or from each one on.
  ///
  /// - Parameters:
  ///   - isExclusive: Whether a position's own number is left out.
  ///   - isReversed: Whether what follows is summed up, not what precedes.
  mutating func runningSums(
    _ value: ComputedValue, axis: Int, isExclusive: Bool, isReversed: Bool
  ) throws(LoweringFault) -> ComputedValue {
    let extent = value.shape[axis]
    guard extent <= 2048 else { throw .unsupported("it sums up more than 2048 positions") }
    var weights = [Float](repeating: 0, count: extent * extent)
    for from in 0..<extent {
      for to in 0..<extent {
        let distance = isReversed ? from - to : to - from
        if distance >= (isExclusive ? 1 : 0) { weights[from * extent + to] = 1 }
      }
    }
    return try multiplied(value, axis: axis, weights: weights, outputCount: extent)
  }
}
