internal import DiceWeights

/// Functions of tensors that may be known beforehand, and comparisons.
extension GraphBuilder {
  /// Applies a chain of functions to each number; at once to those that are known beforehand, as far
  /// as the functions are simple.
  mutating func applied(
    _ functions: [Layer.Activation], to value: Value
  ) throws(LoweringFault) -> Value {
    switch value {
    case .unknown: return .unknown
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
      .addition, product(isFirst, first), product(negated(isFirst), second))
  }

  /// The greatest whole number that is not above the quotient of two tensors.
  mutating func flooredQuotient(
    _ first: Value, _ second: Value
  ) throws(LoweringFault) -> Value {
    try applied([.floor], to: combined(.division, first, second))
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
