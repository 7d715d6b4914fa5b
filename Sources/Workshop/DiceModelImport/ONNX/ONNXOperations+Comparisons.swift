internal import DiceWeights

/// Comparisons, and what follows from them. What is not known beforehand is 1 where it holds, else 0.
extension ONNXOperations {
  static let comparisons: [ONNXOperation] = [
    comparison("Equal", .equal, { $0 == $1 }, { $0 == $1 }),
    comparison("Greater", .greater, { $0 > $1 }, { $0 > $1 }),
    comparison("Less", .less, { $0 < $1 }, { $0 < $1 }),
    comparison("GreaterOrEqual", .greaterOrEqual, { $0 >= $1 }, { $0 >= $1 }),
    comparison("LessOrEqual", .lessOrEqual, { $0 <= $1 }, { $0 <= $1 }),
    logical("And", { $0 && $1 }) { (builder, first, second) throws(LoweringFault) in
      try builder.product(first, second)
    },
    logical("Or", { $0 || $1 }) { (builder, first, second) throws(LoweringFault) in
      try builder.combined(.maximum, first, second)
    },
    logical("Xor", { $0 != $1 }) { (builder, first, second) throws(LoweringFault) in
      try builder.compared(.notEqual, first, second)
    },
    ONNXOperation("Not") { (lowering, call) throws(LoweringFault) in
      guard case .constant(let tensor) = try call.input(0) else {
        return [try lowering.builder.negated(call.input(0))]
      }
      return [.constant(tensor.choices { (number) in number == 0 })]
    },
    ONNXOperation("Where") { (lowering, call) throws(LoweringFault) in
      if case .constant(let condition) = try call.input(0) {
        return [
          try lowering.builder.chosen(
            known: condition, lowering.limited(call.input(1)), lowering.limited(call.input(2)))
        ]
      }
      return [
        try lowering.builder.chosen(call.input(0), call.input(1), call.input(2))
      ]
    },
    .single("IsNaN", "no number of a network is none") { (_, call) throws(LoweringFault) in
      if case .constant(let tensor) = try call.input(0) {
        return .constant(
          ConstantTensor(shape: tensor.shape, integers: tensor.floats.map { $0.isNaN ? 1 : 0 }))
      }
      let shape = try call.shape(0)
      let count = try ConstantArithmetic.count(shape)
      return .constant(ConstantTensor(shape: shape, integers: [Int](repeating: 0, count: count)))
    },
    .single("IsInf", "numbers beyond 3.4e38 count as infinite") {
      (builder, call) throws(LoweringFault) in
      let signs = (
        call.integer("detect_negative", default: 1) != 0,
        call.integer("detect_positive", default: 1) != 0
      )
      if case .constant(let tensor) = try call.input(0) {
        return .constant(
          ConstantTensor(
            shape: tensor.shape,
            integers: tensor.floats.map { (number) in
              number.isInfinite && (number < 0 ? signs.0 : signs.1) ? 1 : 0
            }))
      }
      // One side only: the other one is 0.
      var functions: [Layer.Activation] = []
      switch signs {
      case (true, true): functions = [.absolute]
      case (true, false): functions = [.linear(scale: -1, offset: 0), .relu]
      case (false, true): functions = [.relu]
      case (false, false): functions = [.linear(scale: 0, offset: 0)]
      }
      return try builder.compared(
        .greaterOrEqual, builder.applied(functions, to: call.input(0)),
        .constant(ConstantTensor(shape: [], floats: [3.4e38])))
    },
    .single("Sign") { (builder, call) throws(LoweringFault) in try builder.sign(call.input(0)) },
    ONNXOperation("Mod", "to the last bit of the quotient") {
      (lowering, call) throws(LoweringFault) in
      try [remainder(&lowering, call)]
    },
  ]

  private static func comparison(
    _ name: String, _ kind: GraphBuilder.Comparison,
    _ floats: @escaping @Sendable (Float, Float) -> Bool,
    _ integers: @escaping @Sendable (Int, Int) -> Bool
  ) -> ONNXOperation {
    ONNXOperation(name, "numbers that differ by less than 1e-20 count as equal") {
      (lowering, call) throws(LoweringFault) in
      guard case .constant(let first) = try call.input(0),
        case .constant(let second) = try call.input(1)
      else {
        return [
          try lowering.builder.compared(
            kind, lowering.limited(call.input(0)), lowering.limited(call.input(1)))
        ]
      }
      let result = try ConstantArithmetic.combine(
        first, second, { (x: Float, y: Float) in floats(x, y) ? 1 : 0 },
        integers: { (x, y) in integers(x, y) ? 1 : 0 })
      return [.constant(result.choices { (number) in number != 0 })]
    }
  }

  private static func logical(
    _ name: String, _ known: @escaping @Sendable (Bool, Bool) -> Bool,
    _ lower:
      @escaping @Sendable (inout GraphBuilder, Value, Value) throws(LoweringFault) -> Value
  ) -> ONNXOperation {
    ONNXOperation(name) { (lowering, call) throws(LoweringFault) in
      guard case .constant(let first) = try call.input(0),
        case .constant(let second) = try call.input(1)
      else { return [try lower(&lowering.builder, call.input(0), call.input(1))] }
      let result = try ConstantArithmetic.combine(
        first, second, { (x: Float, y: Float) in known(x != 0, y != 0) ? 1 : 0 },
        integers: { (x, y) in known(x != 0, y != 0) ? 1 : 0 })
      return [.constant(result.choices { (number) in number != 0 })]
    }
  }

  /// What a division leaves: with the divisor's sign, or with `fmod` the dividend's.
  private static func remainder(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let isTruncated = call.integer("fmod", default: 0) != 0
    let (first, second) = (try call.input(0), try call.input(1))
    if case .constant(let x) = first, case .constant(let y) = second {
      return .constant(
        try ConstantArithmetic.combine(
          x, y,
          { (x: Float, y: Float) in
            let rest = x.truncatingRemainder(dividingBy: y)
            return isTruncated || rest == 0 || (rest < 0) == (y < 0) ? rest : rest + y
          },
          integers: { (x, y) in
            let (rest, overflow) = x.remainderReportingOverflow(dividingBy: y)
            if overflow { return nil }
            return isTruncated || rest == 0 || (rest < 0) == (y < 0) ? rest : rest + y
          }))
    }
    let quotient = try lowering.builder.quotient(first, second)
    let whole =
      isTruncated
      ? try lowering.builder.truncated(quotient)
      : try lowering.builder.applied([.floor], to: quotient)
    return try lowering.builder.combined(
      .subtraction, first, lowering.builder.product(whole, second))
  }
}

extension ONNXLowering {
  /// A tensor whose known numbers are finite: infinite ones are the greatest that there are.
  mutating func limited(_ value: Value) throws(LoweringFault) -> Value {
    guard case .constant(let tensor) = value, !tensor.isInteger,
      tensor.floats.contains(where: { $0.isInfinite })
    else { return value }
    return try builder.finite(value)
  }
}

extension GraphBuilder {
  /// The numbers of one tensor where a known condition holds, else those of another.
  mutating func chosen(
    known condition: ConstantTensor, _ first: Value, _ second: Value
  ) throws(LoweringFault) -> Value {
    guard let firstShape = first.shape, let secondShape = second.shape else { return .unknown }
    guard let partial = ConstantTensor.broadcastShape(firstShape, secondShape),
      let shape = ConstantTensor.broadcastShape(partial, condition.shape)
    else {
      throw .invalid("It chooses between tensors of \(firstShape) and \(secondShape).")
    }
    let choices = condition.choices { (number) in number != 0 }
    if case .constant(let first) = first, case .constant(let second) = second {
      _ = try ConstantArithmetic.count(shape)
      let isFirst = choices.broadcast(to: shape).floats
      let (chosen, other) = (first.broadcast(to: shape), second.broadcast(to: shape))
      if let x = chosen.integers, let y = other.integers {
        return .constant(
          ConstantTensor(
            shape: shape, integers: isFirst.indices.map { isFirst[$0] != 0 ? x[$0] : y[$0] }))
      }
      let (x, y) = (chosen.floats, other.floats)
      return .constant(
        ConstantTensor(
          shape: shape, floats: isFirst.indices.map { isFirst[$0] != 0 ? x[$0] : y[$0] }))
    }
    let flags = choices.floats
    if !flags.contains(0) { return try expanded(first, to: shape) }
    if !flags.contains(1) { return try expanded(second, to: shape) }
    let isFirst = Value.constant(ConstantTensor(shape: choices.shape, floats: flags))
    let isSecond = Value.constant(
      ConstantTensor(shape: choices.shape, floats: flags.map { 1 - $0 }))
    return try combined(
      .addition, product(isFirst, finite(first)), product(isSecond, finite(second)))
  }
}

extension ConstantTensor {
  /// 1 for each number that fulfils a condition, else 0.
  func choices(_ holds: (Float) -> Bool) -> ConstantTensor {
    ConstantTensor(shape: shape, integers: floats.map { holds($0) ? 1 : 0 })
  }
}
