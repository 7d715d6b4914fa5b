internal import DiceWeights

/// Functions of tensors that may be known beforehand, and comparisons.
extension GraphBuilder {
  /// Applies a chain of functions to each number; at once to those that are known beforehand, as far
  /// as the functions are simple.
  mutating func applied(
    _ functions: [Layer.Activation], to value: Value
  ) throws(LoweringFault) -> Value {
    switch value {
    case .list, .unknown: return .unknown
    case .computed(let value): return .computed(try activated(value, functions))
    case .constant(let tensor):
      var floats = tensor.floats
      var rest = functions[...]
      while let function = rest.first, let apply = function.simpleFunction {
        floats = floats.map(apply)
        rest.removeFirst()
      }
      let known = Value.constant(ConstantTensor(shape: tensor.shape, floats: floats))
      if rest.isEmpty { return known }
      return .computed(try activated(computed(known), Array(rest)))
    }
  }

  /// A product of two tensors, number by number.
  mutating func product(_ first: Value, _ second: Value) throws(LoweringFault) -> Value {
    try combined(.multiplication, first, second)
  }

  // MARK: Comparisons

  /// How two numbers are compared.
  enum Comparison {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  /// What makes a difference that is not 0 greater than 1.
  private static let steepness: Float = 1e20

  /// 1 where a comparison holds, else 0.
  ///
  /// Numbers that differ by less than 1e-20 count as equal.
  mutating func compared(
    _ comparison: Comparison, _ first: Value, _ second: Value
  ) throws(LoweringFault) -> Value {
    switch comparison {
    case .greaterOrEqual:
      return try notNegative(combined(.subtraction, first, second))
    case .lessOrEqual:
      return try notNegative(combined(.subtraction, second, first))
    case .less:
      return try negated(compared(.greaterOrEqual, first, second))
    case .greater:
      return try negated(compared(.lessOrEqual, first, second))
    case .notEqual: return try notZero(combined(.subtraction, first, second))
    case .equal: return try negated(compared(.notEqual, first, second))
    }
  }

  /// 1 where a number is 0 or above, else 0.
  mutating func notNegative(_ value: Value) throws(LoweringFault) -> Value {
    try applied(
      [
        .clamp(lower: -.greatestFiniteMagnitude, upper: 0),
        .linear(scale: Self.steepness, offset: 1), .clamp(lower: 0, upper: 1),
      ], to: value)
  }

  /// 1 where a number is not 0, else 0.
  mutating func notZero(_ value: Value) throws(LoweringFault) -> Value {
    try applied(
      [
        .absolute, .linear(scale: Self.steepness, offset: 0), .clamp(lower: 0, upper: 1),
      ], to: value)
  }

  /// 1 less a number.
  mutating func negated(_ value: Value) throws(LoweringFault) -> Value {
    try applied([.linear(scale: -1, offset: 1)], to: value)
  }

  /// 1 above 0, -1 below, 0 at 0.
  mutating func sign(_ value: Value) throws(LoweringFault) -> Value {
    let greatest = Float.greatestFiniteMagnitude
    // The bounds keep the factor from being multiplied with a shift before it.
    return try applied(
      [
        .clamp(lower: -greatest, upper: greatest), .linear(scale: Self.steepness, offset: 0),
        .clamp(lower: -1, upper: 1),
      ], to: value)
  }

  /// The numbers of one tensor where a condition is not 0, else those of another.
  mutating func chosen(
    _ condition: Value, _ first: Value, _ second: Value
  ) throws(LoweringFault) -> Value {
    let isFirst = try notZero(condition)
    return try combined(
      .addition, product(isFirst, finite(first)), product(negated(isFirst), finite(second)))
  }

  /// Infinite numbers as the greatest finite ones, so that 0 times them is 0.
  mutating func finite(_ value: Value) throws(LoweringFault) -> Value {
    let greatest = Float.greatestFiniteMagnitude
    if case .constant(let tensor) = value, tensor.isInteger { return value }
    return try applied([.clamp(lower: -greatest, upper: greatest)], to: value)
  }

  /// The greatest whole number that is not above the quotient of two tensors.
  mutating func flooredQuotient(
    _ first: Value, _ second: Value
  ) throws(LoweringFault) -> Value {
    try applied([.floor], to: quotient(first, second))
  }

  /// The quotient of two tensors, rounded once.
  ///
  /// The reciprocal of a known number would be rounded as well: 49 times that of 49 is less than 1.
  mutating func quotient(_ first: Value, _ second: Value) throws(LoweringFault) -> Value {
    guard case .computed = first, case .constant(let tensor) = second, let number = tensor.scalar,
      number.significand != 1
    else { return try combined(.division, first, second) }
    // As many positions as the last axis has, so that it is an operand and no factor.
    let count = first.shape?.last { $0 != 1 } ?? 1
    guard count > 1 else {
      return try combined(.division, first, .computed(computed(second)))
    }
    let axis = first.shape?.lastIndex { $0 != 1 } ?? 0
    let rank = first.shape?.count ?? 0
    let shape = [count] + [Int](repeating: 1, count: rank - 1 - axis)
    let divisors = ConstantTensor(
      shape: shape, floats: [Float](repeating: number, count: count))
    let result = try combined(.division, first, .constant(divisors))
    let target = ConstantTensor.broadcastShape(first.shape ?? [], tensor.shape)
    return try reshaped(result, to: target ?? [])
  }

  // MARK: Whole numbers

  /// Each number without what stands behind the point.
  mutating func truncated(_ value: Value) throws(LoweringFault) -> Value {
    let above = try applied([.relu, .floor], to: value)
    let below = try applied([.linear(scale: -1, offset: 0), .relu, .floor], to: value)
    return try combined(.subtraction, above, below)
  }

  /// The nearest whole number; of two the even one.
  mutating func rounded(_ value: Value) throws(LoweringFault) -> Value {
    if case .constant(let tensor) = value {
      return .constant(
        try ConstantArithmetic.map(
          tensor, { $0.rounded(.toNearestOrEven) }, integers: { $0 }))
    }
    // Rounded up, less 1 where the number was in the middle and the result is odd.
    let up = try applied([.linear(scale: 1, offset: 0.5), .floor], to: value)
    let excess = try combined(.subtraction, up, value)
    let isMiddle = try notNegative(applied([.linear(scale: 1, offset: -0.5)], to: excess))
    let half = try applied([.linear(scale: 0.5, offset: 0)], to: up)
    let oddness = try combined(.subtraction, half, applied([.floor], to: half))
    let correction = try applied(
      [.linear(scale: 2, offset: 0)], to: product(isMiddle, oddness))
    return try combined(.subtraction, up, correction)
  }

  /// Rows of a matrix of zeros and ones: for each number of a tensor of whole numbers one that is 1 at
  /// that place.
  ///
  /// The result has one axis more, the last one, of `count` positions.
  mutating func indicators(_ value: Value, count: Int) throws(LoweringFault) -> Value {
    guard let shape = value.shape else { return .unknown }
    let places = ConstantTensor(shape: [count], floats: (0..<count).map { Float($0) })
    _ = try ConstantArithmetic.count(shape + [count])
    let distances = try combined(
      .subtraction, reshaped(value, to: shape + [1]), .constant(places))
    return try applied(
      [.absolute, .linear(scale: -1, offset: 1), .clamp(lower: 0, upper: 1)], to: distances)
  }
}

extension Layer.Activation {
  /// The function of one number, where it is exact arithmetic; nil for others.
  var simpleFunction: ((Float) -> Float)? {
    switch self {
    case .identity: { $0 }
    case .leakyReLU(let slope): { $0 < 0 ? slope * $0 : $0 }
    case .clamp(let lower, let upper): { min(max($0, lower), upper) }
    case .hardSigmoid(let scale, let offset): { min(max(scale * $0 + offset, 0), 1) }
    case .linear(let scale, let offset): { scale * $0 + offset }
    case .squareRoot: { max($0, 0).squareRoot() }
    case .reciprocal: { 1 / $0 }
    case .absolute: { abs($0) }
    case .floor: { $0.rounded(.down) }
    default: nil
    }
  }
}
