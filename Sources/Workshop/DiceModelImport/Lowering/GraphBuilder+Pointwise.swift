internal import DiceDetectorHeads
internal import DiceWeights

/// Functions of one number, and of two tensors number by number.
extension GraphBuilder {
  /// Applies a function to each number.
  mutating func activated(
    _ value: ComputedValue, _ function: Layer.Activation
  ) throws(LoweringFault) -> ComputedValue {
    guard function.parameters.allSatisfy({ $0.isFinite }) else {
      throw .unsupported("a number of its function is infinite or not a number")
    }
    if function == .identity { return value }
    return try append(
      .activation(Layer.Pointwise(input: value.source, function: function)), value.arrangement)
  }

  /// Applies a chain of functions to each number.
  mutating func activated(
    _ value: ComputedValue, _ functions: [Layer.Activation]
  ) throws(LoweringFault) -> ComputedValue {
    var value = value
    for function in functions { value = try activated(value, function) }
    return value
  }

  /// `x` where `x >= 0`, else a slope for each position of an axis times `x`.
  mutating func rectified(
    _ value: ComputedValue, axis: Int, slopes: [Float]
  ) throws(LoweringFault) -> ComputedValue {
    let value = try arranged(value, Self.keepingLast(axis, of: value.shape.count))
    return try activated(value, .parametricReLU(slopes: try tensor(slopes)))
  }

  /// Batch normalisation along an axis, with a scale, a shift, a mean and a variance for each position.
  mutating func normalized(
    _ value: ComputedValue, axis: Int, scale: [Float], shift: [Float], mean: [Float],
    variance: [Float], epsilon: Float
  ) throws(LoweringFault) -> ComputedValue {
    let value = try arranged(value, Self.keepingLast(axis, of: value.shape.count))
    let channels = value.arrangement.tensorShape.channels
    for numbers in [scale, shift, mean, variance] where numbers.count != channels {
      throw .invalid("A normalisation of \(channels) channels has \(numbers.count) numbers.")
    }
    guard epsilon > 0, epsilon.isFinite else {
      throw .unsupported("its epsilon is \(epsilon), which must be above 0")
    }
    return try append(
      .batchNormalization(
        Layer.BatchNormalization(
          input: value.source, scale: try tensor(scale), shift: try tensor(shift),
          mean: try tensor(mean), variance: try tensor(variance), epsilon: epsilon)),
      value.arrangement)
  }

  /// One axis in channels; of the others the last in columns, the rest in rows.
  static func keepingLast(_ axis: Int, of rank: Int) -> Places {
    let others = (0..<rank).filter { $0 != axis }
    return Places(
      rows: Array(others.dropLast()), columns: Array(others.suffix(1)), channels: [axis])
  }

  // MARK: Two tensors

  /// Combines two tensors number by number; axes of extent 1 are repeated.
  ///
  /// - Parameter multipliers: The tensor of a requantized sum.
  mutating func combined(
    _ operation: Layer.Elementwise.Operation, _ first: Value, _ second: Value,
    multipliers: Int = 0
  ) throws(LoweringFault) -> Value {
    guard let firstShape = first.shape, let secondShape = second.shape else { return .unknown }
    guard let shape = ConstantTensor.broadcastShape(firstShape, secondShape) else {
      throw .invalid("Tensors of \(firstShape) and \(secondShape) cannot be combined.")
    }
    switch (first, second) {
    case (.unknown, _), (_, .unknown), (.list, _), (_, .list): return .unknown
    case (.constant(let first), .constant(let second)):
      return .constant(
        try ConstantArithmetic.combine(first, second) { (x: Float, y: Float) in
          operation.result(x, y)
        } integers: { (x, y) in
          operation.result(x, y)
        })
    case (.computed(let value), .constant(let tensor)):
      if let scalar = tensor.scalar,
        let functions = Self.functions(operation, value: .first, scalar)
      {
        return try reshaped(.computed(activated(value, functions)), to: shape)
      }
      return .computed(
        try combined(
          operation, value, try operand(tensor, besides: value, shape), shape, multipliers))
    case (.constant(let tensor), .computed(let value)):
      if let scalar = tensor.scalar,
        let functions = Self.functions(operation, value: .second, scalar)
      {
        return try reshaped(.computed(activated(value, functions)), to: shape)
      }
      return .computed(
        try combined(
          operation, try operand(tensor, besides: value, shape), value, shape, multipliers))
    case (.computed(let first), .computed(let second)):
      return .computed(try combined(operation, first, second, shape, multipliers))
    }
  }

  private enum Side { case first, second }

  /// An operation with a known number as functions of the other one; nil where it is none.
  private static func functions(
    _ operation: Layer.Elementwise.Operation, value side: Side, _ number: Float
  ) -> [Layer.Activation]? {
    guard number.isFinite else {
      let isNoLimit = operation == (number < 0 ? .maximum : .minimum) && !number.isNaN
      return isNoLimit ? [] : nil
    }
    let greatest = Float.greatestFiniteMagnitude
    switch (operation, side) {
    case (.addition, _): return [.linear(scale: 1, offset: number)]
    case (.subtraction, .first): return [.linear(scale: 1, offset: -number)]
    case (.subtraction, .second): return [.linear(scale: -1, offset: number)]
    case (.multiplication, _): return [.linear(scale: number, offset: 0)]
    case (.division, .first):
      return (1 / number).isFinite ? [.linear(scale: 1 / number, offset: 0)] : nil
    case (.division, .second):
      return number == 1 ? [.reciprocal] : [.reciprocal, .linear(scale: number, offset: 0)]
    case (.maximum, _):
      return [number == 0 ? .relu : .clamp(lower: number, upper: greatest)]
    case (.minimum, _): return [.clamp(lower: -greatest, upper: number)]
    case (.requantizedSum, _): return nil
    }
  }

  /// A constant as a value that can be combined with another one, arranged as that is where possible.
  private mutating func operand(
    _ tensor: ConstantTensor, besides value: ComputedValue, _ shape: [Int]
  ) throws(LoweringFault) -> ComputedValue {
    let arrangement = value.arrangement.extended(toRank: shape.count)
    let rank = shape.count
    var tensor = tensor.reshaped(
      to: [Int](repeating: 1, count: rank - tensor.shape.count) + tensor.shape)
    guard arrangement.shape == shape else {
      // Each axis is the value's, the constant's or both: three places.
      return try constant(tensor, .rowMajor(rank: rank))
    }
    // Where a place has axes of both kinds, the constant is repeated along the missing ones.
    var extents = tensor.shape
    let axisOf = arrangement.axisOfFactor
    var before: [Int] = []
    while extents != before {
      before = extents
      for place in arrangement.places {
        let axes = Set(place.map { (factor) in axisOf[factor] })
        if axes.contains(where: { extents[$0] != 1 }) {
          for axis in axes { extents[axis] = shape[axis] }
        }
      }
    }
    tensor = tensor.broadcast(to: extents)
    return try constant(tensor, arrangement.keeping { (axis) in extents[axis] != 1 })
  }

  /// Combines two values whose tensors, broadcast, have a shape.
  private mutating func combined(
    _ operation: Layer.Elementwise.Operation, _ first: ComputedValue, _ second: ComputedValue,
    _ shape: [Int], _ multipliers: Int
  ) throws(LoweringFault) -> ComputedValue {
    var first = first
    var second = second
    first.arrangement = first.arrangement.extended(toRank: shape.count)
    second.arrangement = second.arrangement.extended(toRank: shape.count)
    var result: Arrangement
    if first.shape == shape, let aligned = try aligned(second, with: first) {
      (second, first.arrangement) = aligned
      result = first.arrangement
    } else if second.shape == shape, let aligned = try aligned(first, with: second) {
      (first, second.arrangement) = aligned
      result = second.arrangement
    } else {
      let (ownShape, otherShape) = (first.shape, second.shape)
      let both = shape.indices.filter { ownShape[$0] == otherShape[$0] }
      let firstOnly = shape.indices.filter { ownShape[$0] != 1 && otherShape[$0] == 1 }
      let secondOnly = shape.indices.filter { ownShape[$0] == 1 && otherShape[$0] != 1 }
      first = try arranged(first, Places(rows: firstOnly, channels: both))
      second = try arranged(second, Places(columns: secondOnly, channels: both))
      result = Arrangement(
        shape: shape, Places(rows: firstOnly, columns: secondOnly, channels: both))
    }
    return try append(
      .elementwise(
        Layer.Elementwise(operation, first.source, second.source, multipliers: multipliers)),
      result)
  }

  /// A value arranged so that it can be combined with another of the whole shape, and that other's
  /// arrangement in the same factors; nil where places have axes of both kinds.
  private mutating func aligned(
    _ value: ComputedValue, with whole: ComputedValue
  ) throws(LoweringFault) -> (ComputedValue, Arrangement)? {
    var value = value
    var arrangement = whole.arrangement
    let shape = value.shape
    for axis in shape.indices where shape[axis] != 1 {
      guard
        let refined = arrangement.refined(
          axis: axis, by: value.arrangement.extents(ofAxis: axis)),
        let own = value.arrangement.refined(axis: axis, by: refined.extents(ofAxis: axis))
      else { return nil }
      arrangement = refined
      value.arrangement = own
    }
    // The value's own factor for each of the other's.
    var counterparts: [Int: Int] = [:]
    for axis in shape.indices where shape[axis] != 1 {
      for (factor, own) in zip(arrangement.axes[axis], value.arrangement.axes[axis]) {
        counterparts[factor] = own
      }
    }
    var targets: [[Int]] = []
    for place in arrangement.places {
      let own = place.compactMap { (factor) in counterparts[factor] }
      guard own.isEmpty || own.count == place.count else { return nil }
      targets.append(own)
    }
    return (try placed(value, targets), arrangement)
  }
}

extension Arrangement {
  /// The axis that each factor belongs to.
  var axisOfFactor: [Int] {
    var axes = [Int](repeating: 0, count: extents.count)
    for (axis, factors) in self.axes.enumerated() {
      for factor in factors { axes[factor] = axis }
    }
    return axes
  }

  /// The same with an extent of 1 for some axes.
  func keeping(_ isKept: (Int) -> Bool) -> Arrangement {
    let axisOf = axisOfFactor
    var numbers: [Int: Int] = [:]
    var kept: [Int] = []
    for factor in extents.indices where isKept(axisOf[factor]) {
      numbers[factor] = kept.count
      kept.append(extents[factor])
    }
    let known = numbers
    func renumbered(_ lists: [[Int]]) -> [[Int]] {
      lists.map { (factors) in factors.compactMap { (factor) in known[factor] } }
    }
    return Arrangement(extents: kept, axes: renumbered(axes), places: renumbered(places))
  }
}

extension Layer.Elementwise.Operation {
  /// What the operation gives for two numbers.
  func result(_ first: Float, _ second: Float) -> Float {
    switch self {
    case .addition: first + second
    case .subtraction: first - second
    case .multiplication: first * second
    case .division: first / second
    case .maximum: max(first, second)
    case .minimum: min(first, second)
    case .requantizedSum: .nan
    }
  }

  /// What the operation gives for two integers, as ONNX and its like define it; nil on overflow.
  func result(_ first: Int, _ second: Int) -> Int? {
    let (result, overflow): (Int, Bool)
    switch self {
    case .addition: (result, overflow) = first.addingReportingOverflow(second)
    case .subtraction: (result, overflow) = first.subtractingReportingOverflow(second)
    case .multiplication: (result, overflow) = first.multipliedReportingOverflow(by: second)
    case .division: (result, overflow) = first.dividedReportingOverflow(by: second)
    case .maximum: return max(first, second)
    case .minimum: return min(first, second)
    case .requantizedSum: return nil
    }
    return overflow ? nil : result
  }
}
