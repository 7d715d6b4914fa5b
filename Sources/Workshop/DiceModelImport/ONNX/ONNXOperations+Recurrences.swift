internal import DiceDetectorHeads
internal import DiceWeights

/// Recurrent operations: their steps become layers.
extension ONNXOperations {
  private static let limits =
    "known weights; a known length, and only whole sequences; both directions with the same functions"

  static let recurrences: [ONNXOperation] = [
    ONNXOperation("LSTM", limits) { (lowering, call) throws(LoweringFault) in
      try recurrent(&lowering.builder, call, .longShortTerm, gates: [0, 2, 1, 3])
    },
    ONNXOperation("GRU", limits) { (lowering, call) throws(LoweringFault) in
      let resetsProduct = call.integer("linear_before_reset", default: 0) != 0
      return try recurrent(
        &lowering.builder, call, .gated(resetsProduct: resetsProduct), gates: [0, 1, 2])
    },
    ONNXOperation("RNN", limits) { (lowering, call) throws(LoweringFault) in
      try recurrent(&lowering.builder, call, .simple, gates: [0])
    },
    ONNXOperation("DynamicQuantizeLSTM", "as LSTM; sequences and states are not quantized") {
      (lowering, call) throws(LoweringFault) in
      var inputs = (0..<8).map { call.optional($0) }
      for (place, scales) in [(1, 8), (2, 10)] {
        inputs[place] = .constant(try weights(call, place, scales: scales))
      }
      return try recurrent(
        &lowering.builder,
        ONNXCall(node: call.node, inputs: inputs, operatorSet: call.operatorSet), .longShortTerm,
        gates: [0, 2, 1, 3])
    },
  ]

  /// What integers `[directions, inputs, rows]` stand for, as `[directions, rows, inputs]`.
  private static func weights(
    _ call: ONNXCall, _ place: Int, scales: Int
  ) throws(LoweringFault) -> ConstantTensor {
    guard let tensor = try call.constant(place, "weights"), let codes = tensor.integers,
      tensor.shape.count == 3, !tensor.shape.contains(0),
      let scale = try call.constant(scales, "scale")?.floats
    else { throw .invalid("Its weights are no integers of three axes with a scale.") }
    let zeros = try call.constant(scales + 1, "zero point")?.floats ?? [0]
    let (directions, rows) = (tensor.shape[0], tensor.shape[2])
    for numbers in [scale, zeros] where ![1, directions, directions * rows].contains(numbers.count)
    {
      throw .invalid("Its weights have \(numbers.count) scales or zero points.")
    }
    func number(_ numbers: [Float], _ direction: Int, _ row: Int) -> Float {
      switch numbers.count {
      case 1: numbers[0]
      case directions: numbers[direction]
      default: numbers[direction * rows + row]
      }
    }
    let size = tensor.shape[1] * rows
    let floats = codes.indices.map { (index) in
      let (direction, row) = (index / size, index % rows)
      return (Float(codes[index]) - number(zeros, direction, row)) * number(scale, direction, row)
    }
    return ConstantTensor(shape: tensor.shape, floats: floats).transposed([0, 2, 1])
  }

  /// - Parameter gates: For each gate of the cell its place among the operation's own.
  private static func recurrent(
    _ builder: inout GraphBuilder, _ call: ONNXCall, _ cell: Recurrence.Cell, gates: [Int]
  ) throws(LoweringFault) -> [Value] {
    let isBatchFirst = call.integer("layout", default: 0) != 0
    var input = try call.input(0)
    if isBatchFirst, try call.shape(0).count == 3 { input = builder.transposed(input, [1, 0, 2]) }
    guard let shape = input.shape, shape.count == 3 else {
      throw .invalid("A recurrent operation reads \(input.shape ?? []), which are no sequences.")
    }
    let recurrence = try recurrence(call, cell, gates: gates, inputCount: shape[2])
    let directionCount = recurrence.directions.count
    let batch = shape[1]
    if let lengths = try call.integers(4, "lengths of sequences"),
      lengths.contains(where: { $0 != shape[0] })
    {
      throw .unsupported(
        "it reads a part of its sequences, of \(shape[0]) steps \(lengths.min() ?? 0)")
    }
    func state(
      _ builder: inout GraphBuilder, _ index: Int
    ) throws(LoweringFault) -> ComputedValue? {
      guard var value = call.optional(index) else { return nil }
      if !isBatchFirst, value.shape?.count == 3 { value = builder.transposed(value, [1, 0, 2]) }
      return try builder.state(
        value, batch: batch, count: directionCount * recurrence.unitCount)
    }
    let hidden = try state(&builder, 5)
    let memory = cell == .longShortTerm ? try state(&builder, 6) : nil
    let results = try builder.unrolled(
      builder.computed(input), recurrence, hidden: hidden, cell: memory)

    let units = recurrence.unitCount
    let sequence = try builder.reshaped(
      .computed(results.sequence), to: [shape[0], batch, directionCount, units])
    var outputs = [
      builder.transposed(sequence, isBatchFirst ? [1, 0, 2, 3] : [0, 2, 1, 3])
    ]
    for state in [results.hidden, results.cell] {
      guard let state else { continue }
      let whole = try builder.reshaped(.computed(state), to: [batch, directionCount, units])
      outputs.append(isBatchFirst ? whole : builder.transposed(whole, [1, 0, 2]))
    }
    return outputs
  }

  /// The cell with its numbers.
  private static func recurrence(
    _ call: ONNXCall, _ cell: Recurrence.Cell, gates: [Int], inputCount: Int
  ) throws(LoweringFault) -> Recurrence {
    guard let weights = try call.constant(1, "weights"),
      let states = try call.constant(2, "weights"), states.shape.count == 3
    else { throw .invalid("\(call.node.operation) lacks its weights.") }
    let (directionCount, units) = (states.shape[0], states.shape[2])
    let direction = call.text("direction", default: "forward")
    guard
      directionCount == (direction == "bidirectional" ? 2 : 1),
      ["forward", "reverse", "bidirectional"].contains(direction)
    else { throw .invalid("Its weights have \(directionCount) directions; it goes \(direction).") }
    let (rows, overflow) = units.multipliedReportingOverflow(by: gates.count)
    guard !overflow, units > 0, inputCount > 0, states.shape[1] == rows,
      weights.shape == [directionCount, rows, inputCount],
      call.integer("hidden_size", default: units) == units
    else {
      throw .invalid(
        "Weights of \(weights.shape) and \(states.shape) do not fit \(inputCount) inputs.")
    }
    let biases = try call.constant(3, "bias")
    guard biases == nil || biases?.shape == [directionCount, 2 * rows] else {
      throw .invalid("Its bias has the shape \(biases?.shape ?? []).")
    }
    let peepholes = cell == .longShortTerm ? try call.constant(7, "peepholes") : nil
    guard peepholes == nil || peepholes?.shape == [directionCount, 3 * units] else {
      throw .invalid("Its peepholes have the shape \(peepholes?.shape ?? []).")
    }
    var result = Recurrence(
      cell: cell, directions: [], isReversed: direction == "reverse", inputCount: inputCount,
      unitCount: units, stateCount: units)
    let (inputs, hidden) = (weights.floats, states.floats)
    let bias = biases?.floats ?? [Float](repeating: 0, count: directionCount * 2 * rows)
    for direction in 0..<directionCount {
      var numbers = Recurrence.Direction(gates: [])
      for (index, gate) in gates.enumerated() {
        let row = direction * rows + gate * units
        let start = direction * 2 * rows + gate * units
        let ownBias = Array(bias[start..<start + units])
        let hiddenBias = Array(bias[start + rows..<start + rows + units])
        // The reset applies to one of the two only.
        let isSeparate = cell == .gated(resetsProduct: true) && index == 2
        numbers.gates.append(
          Recurrence.Gate(
            input: Array(inputs[row * inputCount..<(row + units) * inputCount]),
            hidden: Array(hidden[row * units..<(row + units) * units]),
            bias: isSeparate ? ownBias : zip(ownBias, hiddenBias).map { $0 + $1 },
            hiddenBias: isSeparate ? hiddenBias : []))
      }
      if let peepholes {
        let own = Array(peepholes.floats[direction * 3 * units..<(direction + 1) * 3 * units])
        numbers.peepholes = gates.dropLast().map { Array(own[$0 * units..<($0 + 1) * units]) }
      }
      result.directions.append(numbers)
    }
    if call.integer("input_forget", default: 0) != 0, cell == .longShortTerm {
      result.isCoupled = true
      for direction in result.directions.indices {
        result.directions[direction].gates.remove(at: 1)
      }
    }
    if let limit = call.node.attributes["clip"]?.float {
      guard limit.isFinite, limit > 0 else { throw .invalid("Its clip is \(limit).") }
      result.argumentLimit = limit
    }
    try setFunctions(of: &result, call)
    return result
  }

  // MARK: Functions

  private static func setFunctions(
    of recurrence: inout Recurrence, _ call: ONNXCall
  ) throws(LoweringFault) {
    let standard: [String] =
      switch recurrence.cell {
      case .simple: ["Tanh"]
      case .longShortTerm: ["Sigmoid", "Tanh", "Tanh"]
      case .gated: ["Sigmoid", "Tanh"]
      }
    let all = [[String]](repeating: standard, count: recurrence.directions.count).flatMap { $0 }
    let stated = call.node.attributes["activations"]?.texts ?? []
    let names = stated.isEmpty ? all : stated
    guard names.count == all.count else {
      throw .invalid("It has \(names.count) activations; \(all.count) are needed.")
    }
    var alphas = (call.node.attributes["activation_alpha"]?.floats ?? [])[...]
    var betas = (call.node.attributes["activation_beta"]?.floats ?? [])[...]
    var functions: [[Layer.Activation]] = []
    for name in names { functions.append(try function(name, &alphas, &betas)) }
    guard functions.allSatisfy({ $0.allSatisfy { $0.parameters.allSatisfy { $0.isFinite } } })
    else { throw .unsupported("a number of its activations is infinite or not a number") }
    let own = Array(functions.prefix(standard.count))
    guard functions.suffix(standard.count).elementsEqual(own) else {
      throw .unsupported("its directions have different activations")
    }
    switch recurrence.cell {
    case .simple: recurrence.hiddenFunction = own[0]
    case .longShortTerm:
      (recurrence.gateFunction, recurrence.cellFunction) = (own[0], own[1])
      recurrence.hiddenFunction = own[2]
    case .gated: (recurrence.gateFunction, recurrence.cellFunction) = (own[0], own[1])
    }
  }

  /// A function by its name, with its numbers, which stand in lists for all functions that have some.
  private static func function(
    _ name: String, _ alphas: inout ArraySlice<Float>, _ betas: inout ArraySlice<Float>
  ) throws(LoweringFault) -> [Layer.Activation] {
    switch name.lowercased() {
    case "sigmoid": return [.sigmoid]
    case "tanh": return [.tanh]
    case "relu": return [.relu]
    case "softplus": return [.softplus]
    case "leakyrelu": return [.leakyReLU(slope: alphas.popFirst() ?? 0.01)]
    case "elu": return [.elu(alpha: alphas.popFirst() ?? 1)]
    case "hardsigmoid":
      return [.hardSigmoid(scale: alphas.popFirst() ?? 0.2, offset: betas.popFirst() ?? 0.5)]
    case "affine":
      return [.linear(scale: alphas.popFirst() ?? 1, offset: betas.popFirst() ?? 0)]
    case "scaledtanh":
      let (scale, factor) = (alphas.popFirst() ?? 1, betas.popFirst() ?? 1)
      return [
        .linear(scale: factor, offset: 0), .tanh, .linear(scale: scale, offset: 0),
      ]
    default:
      throw .unsupported("its activation \(ModelTensor.cut(name, to: 40)) has no counterpart")
    }
  }
}
