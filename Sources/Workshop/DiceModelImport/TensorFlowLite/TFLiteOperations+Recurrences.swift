internal import DiceWeights

/// Recurrent operations: their steps become layers.
extension TFLiteOperations {
  private static let limits = "known floating-point weights; a known length; states begin with 0"

  static let recurrences: [TFLiteOperation] = [
    TFLiteOperation(35, "UNIDIRECTIONAL_SEQUENCE_RNN", limits) {
      (lowering, call, _) throws(LoweringFault) in
      try recurrent(
        &lowering, call, isTimeMajor: call.flag(0), activation: call.choice(1), isMerged: true,
        [direction(call, from: 1, states: [4])])
    },
    TFLiteOperation(44, "UNIDIRECTIONAL_SEQUENCE_LSTM", limits + "; no normalization") {
      (lowering, call, _) throws(LoweringFault) in
      guard !(20...23).contains(where: { call.optional($0) != nil }) else {
        throw .unsupported("it normalizes its gates")
      }
      guard try !call.flag(5) else { throw .unsupported("its recurrent weights are diagonals") }
      return try recurrent(
        &lowering, call, isTimeMajor: call.flag(3), activation: call.choice(0), isMerged: true,
        [memory(call, from: 1, states: [18, 19])])
    },
    TFLiteOperation(46, "BIDIRECTIONAL_SEQUENCE_RNN", limits) {
      (lowering, call, _) throws(LoweringFault) in
      guard !(9...11).contains(where: { call.optional($0) != nil }) else {
        throw .unsupported("it reads a second sequence")
      }
      return try recurrent(
        &lowering, call, isTimeMajor: call.flag(0), activation: call.choice(1),
        isMerged: call.flag(2),
        [direction(call, from: 1, states: [4]), direction(call, from: 5, states: [8])])
    },
    TFLiteOperation(52, "BIDIRECTIONAL_SEQUENCE_LSTM", limits) {
      (lowering, call, _) throws(LoweringFault) in
      guard !(39...47).contains(where: { call.optional($0) != nil }) else {
        throw .unsupported("it reads a second sequence")
      }
      return try recurrent(
        &lowering, call, isTimeMajor: call.flag(4, default: true), activation: call.choice(0),
        isMerged: call.flag(3),
        [memory(call, from: 1, states: [35, 36]), memory(call, from: 18, states: [37, 38])])
    },
  ]

  private static let codes = Set(recurrences.map { $0.code })

  /// Whether variables that an operation reads are states, which are 0 before its first step.
  static func keepsStates(_ operation: TFLiteFile.Operation) -> Bool {
    codes.contains(operation.code)
  }

  /// One direction, which is a recurrence of its own.
  private struct Part {
    var recurrence: Recurrence
    /// The places of the states among the operands.
    var states: [Int]
  }

  /// The weights of a cell with one gate: of the input, of the state, bias.
  private static func direction(
    _ call: TFLiteCall, from first: Int, states: [Int]
  ) throws(LoweringFault) -> Part {
    let input = try matrix(call, first)
    let gate = Recurrence.Gate(
      input: input.floats, hidden: try matrix(call, first + 1).floats,
      bias: try vector(call, first + 2) ?? [Float](repeating: 0, count: input.shape[0]))
    return Part(
      recurrence: Recurrence(
        cell: .simple, directions: [Recurrence.Direction(gates: [gate])],
        inputCount: input.shape[1], unitCount: input.shape[0], stateCount: input.shape[0]),
      states: states)
  }

  /// The weights of a long short-term memory: of the input, of the state, peepholes, biases, projection.
  private static func memory(
    _ call: TFLiteCall, from first: Int, states: [Int]
  ) throws(LoweringFault) -> Part {
    // Without weights of its own the input gate is 1 less the forget gate.
    let isCoupled = call.optional(first) == nil
    let forget = try matrix(call, first + 1)
    let (units, inputs) = (forget.shape[0], forget.shape[1])
    func gate(_ index: Int) throws(LoweringFault) -> Recurrence.Gate {
      Recurrence.Gate(
        input: try matrix(call, first + index).floats,
        hidden: try matrix(call, first + 4 + index).floats,
        bias: try vector(call, first + 11 + index) ?? [Float](repeating: 0, count: units))
    }
    var direction = Recurrence.Direction(gates: [])
    // Input, forget, cell, output.
    for index in isCoupled ? [1, 3, 2] : [0, 1, 3, 2] {
      direction.gates.append(try gate(index))
    }
    if try vector(call, first + 9) != nil {
      for index in [isCoupled ? 1 : 0, 1, 2] {
        guard let peephole = try vector(call, first + 8 + index) else {
          throw .invalid("It has some of its peepholes.")
        }
        direction.peepholes.append(peephole)
      }
    }
    if isCoupled {
      // 1 less a sigmoid is that of the negative.
      direction.gates[0].input = direction.gates[0].input.map { -$0 }
      direction.gates[0].hidden = direction.gates[0].hidden.map { -$0 }
      direction.gates[0].bias = direction.gates[0].bias.map { -$0 }
      if !direction.peepholes.isEmpty {
        direction.peepholes[0] = direction.peepholes[0].map { -$0 }
      }
    }
    var stateCount = units
    if call.optional(first + 15) != nil {
      let projection = try matrix(call, first + 15)
      direction.projection = projection.floats
      stateCount = projection.shape[0]
      direction.projectionBias = try vector(call, first + 16) ?? []
    }
    var recurrence = Recurrence(
      cell: .longShortTerm, directions: [direction], inputCount: inputs, unitCount: units,
      stateCount: stateCount)
    recurrence.isCoupled = isCoupled
    let (cellLimit, projectionLimit) = (try call.number(1), try call.number(2))
    guard cellLimit.isFinite, cellLimit >= 0, projectionLimit.isFinite, projectionLimit >= 0 else {
      throw .invalid(
        "Its states are limited to \(cellLimit), its projection to \(projectionLimit).")
    }
    recurrence.cellLimit = cellLimit > 0 ? cellLimit : nil
    recurrence.projectionLimit = projectionLimit > 0 ? projectionLimit : nil
    return Part(recurrence: recurrence, states: states)
  }

  private static func matrix(
    _ call: TFLiteCall, _ index: Int
  ) throws(LoweringFault) -> ConstantTensor {
    guard let tensor = try call.constant(index, "weights"), tensor.shape.count == 2,
      !tensor.shape.contains(0)
    else { throw .invalid("Its operand \(index) is no matrix of weights.") }
    return tensor
  }

  private static func vector(
    _ call: TFLiteCall, _ index: Int
  ) throws(LoweringFault) -> [Float]? {
    guard let tensor = try call.constant(index, "weights") else { return nil }
    return tensor.floats
  }

  private static func recurrent(
    _ lowering: inout TFLiteLowering, _ call: TFLiteCall, isTimeMajor: Bool, activation: Int,
    isMerged: Bool, _ parts: [Part]
  ) throws(LoweringFault) -> [Value] {
    guard call.types.first == .float32 else { throw .unsupported("its sequences are quantized") }
    var shape = try call.shape(0)
    guard shape.count == 3, !shape.contains(0) else {
      throw .invalid("It reads \(shape), which are no sequences.")
    }
    var input = try call.input(0)
    if !isTimeMajor {
      input = lowering.builder.transposed(input, [1, 0, 2])
      shape.swapAt(0, 1)
    }
    let sequence = try lowering.builder.computed(input)
    let function = try TFLiteActivation.function(activation)
    lowering.note(
      "The states of recurrent operations are 0 before the first step of every run.")
    var parts = parts
    for index in parts.indices {
      parts[index].recurrence.cellFunction = [function]
      parts[index].recurrence.hiddenFunction = [function]
    }
    var results: [ComputedValue] = []
    if parts.count == 2, let both = joined(parts[0].recurrence, parts[1].recurrence),
      !parts.contains(where: { $0.states.contains { call.optional($0) != nil } })
    {
      let whole = try lowering.builder.unrolled(sequence, both).sequence
      let count = both.stateCount
      if isMerged { return [output(&lowering, .computed(whole), isTimeMajor)] }
      for start in [0, count] {
        results.append(try lowering.builder.sliced(whole, axis: 2, start: start, count: count))
      }
    } else {
      for (index, part) in parts.enumerated() {
        var recurrence = part.recurrence
        recurrence.isReversed = index == 1
        var states: [ComputedValue?] = []
        for (place, count) in zip(part.states, [recurrence.stateCount, recurrence.unitCount]) {
          states.append(
            try lowering.builder.state(call.optional(place), batch: shape[1], count: count))
        }
        results.append(
          try lowering.builder.unrolled(
            sequence, recurrence, hidden: states[0], cell: states.count > 1 ? states[1] : nil
          ).sequence)
      }
    }
    if isMerged, results.count == 2 {
      let whole = try lowering.builder.concatenated(results.map { .computed($0) }, axis: 2)
      return [output(&lowering, whole, isTimeMajor)]
    }
    return results.map { output(&lowering, .computed($0), isTimeMajor) }
  }

  private static func output(
    _ lowering: inout TFLiteLowering, _ value: Value, _ isTimeMajor: Bool
  ) -> Value {
    isTimeMajor ? value : lowering.builder.transposed(value, [1, 0, 2])
  }

  /// Two recurrences as one of two directions; nil where they are not alike.
  private static func joined(_ first: Recurrence, _ second: Recurrence) -> Recurrence? {
    guard first.cell == second.cell, first.inputCount == second.inputCount,
      first.unitCount == second.unitCount, first.stateCount == second.stateCount,
      first.isCoupled == second.isCoupled,
      first.directions[0].peepholes.isEmpty == second.directions[0].peepholes.isEmpty,
      first.directions[0].projection.isEmpty == second.directions[0].projection.isEmpty
    else { return nil }
    var both = first
    both.directions += second.directions
    return both
  }
}
