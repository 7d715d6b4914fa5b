internal import DiceWeights

/// Recurrent layers: their steps become layers.
extension CoreMLOperations {
  private static let limits = "a known length"

  static let recurrences: [CoreMLOperation] = [
    CoreMLOperation(400, "simpleRecurrent", limits) { (lowering, call) throws(LoweringFault) in
      let numbers = Numbers(
        weights: call.parameters, input: [30], hidden: [31], bias: [32],
        hasBias: try call.parameters.flag(20))
      var recurrence = try recurrence(.simple, call, [numbers])
      recurrence.hiddenFunction = try function(call.parameters.parameters(10))
      return try recurrent(
        &lowering.builder, call, &recurrence, isSequence: call.parameters.flag(15))
    },
    CoreMLOperation(410, "gru", limits) { (lowering, call) throws(LoweringFault) in
      let numbers = Numbers(
        weights: call.parameters, input: [30, 31, 32], hidden: [50, 51, 52], bias: [70, 71, 72],
        hasBias: try call.parameters.flag(20))
      var recurrence = try recurrence(.gated(resetsProduct: false), call, [numbers])
      let functions = try functions(call.parameters, 10, count: 2)
      (recurrence.gateFunction, recurrence.cellFunction) = (functions[0], functions[1])
      return try recurrent(
        &lowering.builder, call, &recurrence, isSequence: call.parameters.flag(15))
    },
    CoreMLOperation(420, "uniDirectionalLSTM", limits) { (lowering, call) throws(LoweringFault) in
      guard let weights = try call.parameters.parameters(20) else {
        throw .invalid("Its weights are missing.")
      }
      return try memory(&lowering.builder, call, [weights])
    },
    CoreMLOperation(430, "biDirectionalLSTM", limits) { (lowering, call) throws(LoweringFault) in
      let found = try CoreMLParameters.wire { () throws(ProtobufError) in
        try call.parameters.message.messages(20, limit: 2)
      }
      guard let found, found.count == 2 else {
        throw .invalid("Its weights are not those of two directions.")
      }
      return try memory(&lowering.builder, call, found.map { CoreMLParameters($0) })
    },
  ]

  /// Where the numbers of a direction stand: the fields of each gate.
  private struct Numbers {
    var weights: CoreMLParameters
    var input: [Int]
    var hidden: [Int]
    var bias: [Int]
    var hasBias: Bool
    var peepholes: [Int] = []
  }

  private static func memory(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, _ weights: [CoreMLParameters]
  ) throws(LoweringFault) -> [Value] {
    guard let parameters = try call.parameters.parameters(15) else {
      throw .invalid("Its parameters are missing.")
    }
    let isCoupled = try parameters.flag(50)
    let gates = isCoupled ? [0, 3, 2] : [0, 1, 3, 2]
    let hasBias = try parameters.flag(20)
    let hasPeepholes = try parameters.flag(40)
    var numbers: [Numbers] = []
    for weights in weights {
      // Input, forget, block, output.
      numbers.append(
        Numbers(
          weights: weights, input: gates.map { 1 + $0 }, hidden: gates.map { 20 + $0 },
          bias: gates.map { 40 + $0 }, hasBias: hasBias,
          peepholes: hasPeepholes ? [60, 61, 62] : []))
    }
    var recurrence = try recurrence(.longShortTerm, call, numbers)
    recurrence.isCoupled = isCoupled
    if try parameters.flag(30), !isCoupled {
      for direction in recurrence.directions.indices {
        for unit in 0..<recurrence.unitCount {
          recurrence.directions[direction].gates[1].bias[unit] += 1
        }
      }
    }
    let limit = try parameters.number(60, zeroMeans: 50)
    guard limit.isFinite, limit > 0 else {
      throw .invalid("Its cell states are limited to \(limit).")
    }
    recurrence.cellLimit = limit
    let functions = try functions(call.parameters, 10, count: 3)
    recurrence.gateFunction = functions[0]
    recurrence.cellFunction = functions[1]
    recurrence.hiddenFunction = functions[2]
    return try recurrent(
      &builder, call, &recurrence, isSequence: parameters.flag(10))
  }

  private static func recurrence(
    _ cell: Recurrence.Cell, _ call: CoreMLCall, _ numbers: [Numbers]
  ) throws(LoweringFault) -> Recurrence {
    let (inputs, units) = (try call.parameters.integer(1), try call.parameters.integer(2))
    guard inputs > 0, units > 0 else { throw .invalid("It has \(inputs) inputs, \(units) units.") }
    var result = Recurrence(
      cell: cell, directions: [], inputCount: inputs, unitCount: units, stateCount: units)
    for numbers in numbers {
      var direction = Recurrence.Direction(gates: [])
      for index in numbers.input.indices {
        let input = try numbers.weights.weights(numbers.input[index], shape: [units, inputs])
        let hidden = try numbers.weights.weights(numbers.hidden[index], shape: [units, units])
        let bias =
          try numbers.hasBias
          ? numbers.weights.weights(numbers.bias[index], shape: [units])
          : [Float](repeating: 0, count: units)
        direction.gates.append(Recurrence.Gate(input: input, hidden: hidden, bias: bias))
      }
      for field in numbers.peepholes {
        direction.peepholes.append(try numbers.weights.weights(field, shape: [units]))
      }
      result.directions.append(direction)
    }
    return result
  }

  private static func recurrent(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, _ recurrence: inout Recurrence,
    isSequence: Bool
  ) throws(LoweringFault) -> [Value] {
    let directionCount = recurrence.directions.count
    if directionCount == 1 { recurrence.isReversed = try call.parameters.flag(100) }
    // Arguments are limited to 50; only functions that grow on can tell.
    let functions =
      recurrence.cell == .simple
      ? [recurrence.hiddenFunction] : [recurrence.gateFunction, recurrence.cellFunction]
    if functions.contains(where: { $0.count == 1 && $0[0].growsOn }) {
      recurrence.argumentLimit = 50
    }
    let shape = try call.shape(0)
    guard shape.count == 5 || shape.count == 3, shape.dropFirst(3).allSatisfy({ $0 == 1 }) else {
      throw .invalid("It reads \(shape), which are no sequences of vectors.")
    }
    let (batch, units) = (shape[1], recurrence.unitCount)
    let input = try builder.reshaped(call.input(0), to: Array(shape.prefix(3)))
    let isMemory = recurrence.cell == .longShortTerm
    let stateCount = isMemory ? 2 : 1
    func state(
      _ builder: inout GraphBuilder, _ kind: Int
    ) throws(LoweringFault) -> ComputedValue? {
      var parts: [Value?] = []
      for direction in 0..<directionCount {
        let part = call.optional(1 + direction * stateCount + kind)
        parts.append(
          try part.map { (value) throws(LoweringFault) in
            try builder.states(value, to: [1, batch, units])
          })
      }
      guard parts.contains(where: { $0 != nil }) else { return nil }
      _ = try ConstantArithmetic.count([batch, units])
      let zeros = ConstantTensor(
        shape: [1, batch, units], floats: [Float](repeating: 0, count: batch * units))
      let whole = try builder.concatenated(parts.map { $0 ?? .constant(zeros) }, axis: 2)
      return try builder.state(whole, batch: batch, count: directionCount * units)
    }
    let hidden = try state(&builder, 0)
    let cell = isMemory ? try state(&builder, 1) : nil
    let results = try builder.unrolled(
      builder.computed(input), recurrence, hidden: hidden, cell: cell)
    let tail = Array(shape.dropFirst(3))
    let first = isSequence ? results.sequence : results.hidden
    var values = [
      try builder.reshaped(
        .computed(first), to: [isSequence ? shape[0] : 1, batch, directionCount * units] + tail)
    ]
    for direction in 0..<directionCount {
      for state in [results.hidden, results.cell] {
        guard let state else { continue }
        let own = try builder.sliced(state, axis: 2, start: direction * units, count: units)
        values.append(try builder.reshaped(.computed(own), to: [1, batch, units] + tail))
      }
    }
    return values
  }

  // MARK: Functions

  private static func functions(
    _ parameters: CoreMLParameters, _ field: Int, count: Int
  ) throws(LoweringFault) -> [[Layer.Activation]] {
    let found = try CoreMLParameters.wire { () throws(ProtobufError) in
      try parameters.message.messages(field, limit: count)
    }
    guard let found, found.count == count else { throw .invalid("It needs \(count) functions.") }
    var functions: [[Layer.Activation]] = []
    for message in found { functions.append(try function(CoreMLParameters(message))) }
    return functions
  }

  /// The function of a message `ActivationParams`; numbers that are left out are those of its kind.
  private static func function(
    _ activation: CoreMLParameters?
  ) throws(LoweringFault) -> [Layer.Activation] {
    let field = try CoreMLParameters.wire { () throws(ProtobufError) in
      try activation?.message.lastField { $0 >= 5 }
    }
    guard let field, let parameters = try activation?.parameters(field.number) else {
      throw .invalid("It has no function.")
    }
    func numbers(_ alpha: Float, _ beta: Float) throws(LoweringFault) -> (Float, Float) {
      let own = (try parameters.number(1), try parameters.number(2))
      guard own.0.isFinite, own.1.isFinite else {
        throw .invalid("A number of its function is not finite.")
      }
      return own == (0, 0) ? (alpha, beta) : own
    }
    switch field.number {
    case 5:
      let (scale, offset) = try numbers(1, 0)
      return [.linear(scale: scale, offset: offset)]
    case 10: return [.relu]
    case 30: return [.tanh]
    case 31:
      let (scale, factor) = try numbers(1.7159, 2.0 / 3)
      return [.linear(scale: factor, offset: 0), .tanh, .linear(scale: scale, offset: 0)]
    case 40: return [.sigmoid]
    case 41:
      let (scale, offset) = try numbers(0.2, 0.5)
      return [.hardSigmoid(scale: scale, offset: offset)]
    default: throw .unsupported("its function \(field.number) is none of recurrent layers")
    }
  }
}

extension Layer.Activation {
  /// Whether the function of recurrent layers goes on growing beyond an argument of 50.
  fileprivate var growsOn: Bool {
    switch self {
    case .leakyReLU, .linear: true
    default: false
    }
  }
}
