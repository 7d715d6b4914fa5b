internal import DiceDetectorHeads
internal import DiceWeights

/// The steps of one recurrence: layers that all of them read, and the states between them.
///
/// Values are `[1, batch, channels]`. Channels have the direction first, then the gate, then the unit.
struct RecurrentSteps {
  /// Gates whose sums are computed together.
  private struct Sums {
    /// What the input gives for all steps, `[steps, batch, directions * gates * units]`.
    var inputs: Layer.Source
    var stepCount: Int
    var gateCount: Int
    var weights: Int
    var bias: Int
  }

  /// Where the axes `[steps, batch, numbers]` lie.
  static let places = Places(rows: [0], columns: [1], channels: [2])

  /// The states before the next step; nil for zeros.
  var hidden: Layer.Source?
  var cell: Layer.Source?

  private let recurrence: Recurrence
  private let batch: Int
  private let directionCount: Int
  /// All gates but the last one, and the last one, whose function is another.
  private var first: Sums?
  private var last: Sums?
  private var peepholes: [Layer.Source] = []
  private var hiddenBias: Layer.Source?
  private var projection: (weights: Int, bias: Int)?

  init(_ recurrence: Recurrence, batch: Int) {
    self.recurrence = recurrence
    self.batch = batch
    directionCount = recurrence.directions.count
  }

  /// A value of this many numbers for each direction.
  func value(_ source: Layer.Source, _ count: Int) -> ComputedValue {
    ComputedValue(
      source: source,
      arrangement: Arrangement(shape: [1, batch, directionCount * count], Self.places))
  }

  private func shape(_ count: Int) -> TensorShape {
    TensorShape(height: 1, width: batch, channels: directionCount * count)
  }

  /// Makes the layers and tensors that all steps read.
  ///
  /// - Parameter input: `[steps, batch, directions * inputs]`.
  mutating func prepare(
    _ builder: inout GraphBuilder, _ input: ComputedValue
  ) throws(LoweringFault) {
    let count = recurrence.cell.gateCount - (recurrence.isCoupled ? 1 : 0)
    if count > 1 { first = try sums(&builder, 0..<count - 1, input) }
    last = try sums(&builder, count - 1..<count, input)
    for index in 0..<(recurrence.directions[0].peepholes.count) {
      peepholes.append(
        try constant(&builder, recurrence.directions.flatMap { $0.peepholes[index] }))
    }
    if recurrence.cell == .gated(resetsProduct: true) {
      let biases = recurrence.directions.flatMap { $0.gates[2].hiddenBias }
      if biases.contains(where: { $0 != 0 }) { hiddenBias = try constant(&builder, biases) }
    }
    guard !recurrence.directions[0].projection.isEmpty else { return }
    let matrices = recurrence.directions.map { [$0.projection] }
    let biases = recurrence.directions.flatMap { (direction) in
      direction.projectionBias.isEmpty
        ? [Float](repeating: 0, count: recurrence.stateCount) : direction.projectionBias
    }
    projection = (
      try builder.tensor(
        joined(matrices, columns: recurrence.unitCount, rows: recurrence.stateCount)),
      try builder.tensor(biases)
    )
  }

  private func constant(
    _ builder: inout GraphBuilder, _ numbers: [Float]
  ) throws(LoweringFault) -> Layer.Source {
    try builder.constant(
      ConstantTensor(shape: [1, 1, numbers.count], floats: numbers), Self.places
    )
    .source
  }

  /// Matrices `[rows, columns]` of each direction's gates as the weights of a convolution: `[columns,
  /// directions * gates * rows]`.
  private func joined(_ matrices: [[[Float]]], columns: Int, rows: Int) -> [Float] {
    let all = matrices.flatMap { $0 }
    var weights: [Float] = []
    weights.reserveCapacity(all.count * columns * rows)
    for column in 0..<columns {
      for matrix in all {
        for row in 0..<rows { weights.append(matrix[row * columns + column]) }
      }
    }
    return weights
  }

  private func sums(
    _ builder: inout GraphBuilder, _ range: Range<Int>, _ input: ComputedValue
  ) throws(LoweringFault) -> Sums {
    let gates = recurrence.directions.map { (direction) in Array(direction.gates[range]) }
    let count = directionCount * range.count * recurrence.unitCount
    let inputs = joined(
      gates.map { $0.map { $0.input } }, columns: recurrence.inputCount, rows: recurrence.unitCount)
    let states = joined(
      gates.map { $0.map { $0.hidden } }, columns: recurrence.stateCount, rows: recurrence.unitCount
    )
    let biases = gates.flatMap { $0.flatMap { $0.bias } }
    var hiddenBiases = gates.flatMap { $0.flatMap { $0.hiddenBias } }
    if hiddenBiases.count != count { hiddenBiases = [Float](repeating: 0, count: count) }
    let convolution = Layer.Convolution(
      input: input.source, inputChannels: directionCount * recurrence.inputCount,
      outputChannels: count, window: Layer.Window(size: 1), groups: directionCount,
      weights: try builder.tensor(inputs), bias: try builder.tensor(biases))
    let result = try builder.append(
      .convolution(convolution),
      TensorShape(height: input.shape[0], width: batch, channels: count))
    return Sums(
      inputs: result, stepCount: input.shape[0], gateCount: range.count,
      weights: try builder.tensor(states),
      bias: try builder.tensor(hiddenBiases, shape: [count]))
  }
}

/// Layers of one step.
extension RecurrentSteps {
  /// Adds a step; gives its hidden state.
  mutating func next(
    _ builder: inout GraphBuilder, _ step: Int
  ) throws(LoweringFault) -> Layer.Source {
    guard let last else { preconditionFailure("a recurrence is prepared") }
    let result =
      switch recurrence.cell {
      case .simple:
        try sum(&builder, last, step, recurrence.hiddenFunction)
      case .longShortTerm: try memory(&builder, last, step)
      case .gated(let resetsProduct):
        try gated(&builder, last, step, resetsProduct: resetsProduct)
      }
    hidden = result
    return result
  }

  private func combined(
    _ builder: inout GraphBuilder, _ operation: Layer.Elementwise.Operation, _ a: Layer.Source,
    _ b: Layer.Source, _ count: Int, _ functions: [Layer.Activation] = []
  ) throws(LoweringFault) -> Layer.Source {
    var layer = Layer.Elementwise(operation, a, b)
    if let first = functions.first { layer.activation = first }
    let result = try builder.append(.elementwise(layer), shape(count))
    return try applied(&builder, Array(functions.dropFirst()), result, count)
  }

  private func applied(
    _ builder: inout GraphBuilder, _ functions: [Layer.Activation], _ value: Layer.Source,
    _ count: Int
  ) throws(LoweringFault) -> Layer.Source {
    var result = value
    for function in functions where function != .identity {
      result = try builder.append(
        .activation(Layer.Pointwise(input: result, function: function)), shape(count))
    }
    return result
  }

  /// The functions of a sum, behind what limits it.
  private func limited(_ functions: [Layer.Activation]) -> [Layer.Activation] {
    guard let limit = recurrence.argumentLimit else { return functions }
    return [.clamp(lower: -limit, upper: limit)] + functions
  }

  /// What the input gives in a step.
  private func inputs(
    _ builder: inout GraphBuilder, _ sums: Sums, _ step: Int
  ) throws(LoweringFault) -> Layer.Source {
    if sums.stepCount == 1 { return sums.inputs }
    return try builder.append(
      .slice(
        Layer.Slice(input: sums.inputs, axis: .height, start: step, count: 1, step: 1)),
      shape(sums.gateCount * recurrence.unitCount))
  }

  /// The product of a state with the weights of some gates.
  private func product(
    _ builder: inout GraphBuilder, _ sums: Sums, _ state: Layer.Source
  ) throws(LoweringFault) -> Layer.Source {
    let count = sums.gateCount * recurrence.unitCount
    return try builder.append(
      .convolution(
        Layer.Convolution(
          input: state, inputChannels: directionCount * recurrence.stateCount,
          outputChannels: directionCount * count, window: Layer.Window(size: 1),
          groups: directionCount, weights: sums.weights, bias: sums.bias)), shape(count))
  }

  /// The sums of some gates, and functions of them.
  private func sum(
    _ builder: inout GraphBuilder, _ sums: Sums, _ step: Int, _ functions: [Layer.Activation]
  ) throws(LoweringFault) -> Layer.Source {
    let count = sums.gateCount * recurrence.unitCount
    let own = try inputs(&builder, sums, step)
    let functions = limited(functions)
    guard let hidden else { return try applied(&builder, functions, own, count) }
    let product = try product(&builder, sums, hidden)
    return try combined(&builder, .addition, own, product, count, functions)
  }

  /// The parts of a value that belong to its gates.
  private func parts(
    _ builder: inout GraphBuilder, _ value: Layer.Source, _ count: Int
  ) throws(LoweringFault) -> [Layer.Source] {
    if count == 1 { return [value] }
    let units = recurrence.unitCount
    var value = value
    if directionCount > 1 {
      // A row for each gate.
      value = try builder.append(
        .rearrangement(
          Layer.Rearrangement(
            input: value, dimensions: [batch, directionCount, count, units],
            permutation: [2, 0, 1, 3],
            output: TensorShape(height: count, width: batch, channels: directionCount * units))),
        TensorShape(height: count, width: batch, channels: directionCount * units))
    }
    var parts: [Layer.Source] = []
    for gate in 0..<count {
      let slice =
        directionCount > 1
        ? Layer.Slice(input: value, axis: .height, start: gate, count: 1, step: 1)
        : Layer.Slice(input: value, axis: .channels, start: gate * units, count: units, step: 1)
      parts.append(try builder.append(.slice(slice), shape(units)))
    }
    return parts
  }

  /// A step of a long short-term memory.
  private mutating func memory(
    _ builder: inout GraphBuilder, _ last: Sums, _ step: Int
  ) throws(LoweringFault) -> Layer.Source {
    guard let first else { preconditionFailure("a memory has several gates") }
    let units = recurrence.unitCount
    let function = limited(recurrence.gateFunction)
    let hasPeepholes = !peepholes.isEmpty
    // With peepholes, functions follow when the cell state is added.
    var gates: [Layer.Source]
    if hasPeepholes {
      let own = try inputs(&builder, first, step)
      var sum = own
      if let hidden {
        let product = try product(&builder, first, hidden)
        sum = try combined(
          &builder, .addition, own, product, first.gateCount * units)
      }
      gates = try parts(&builder, sum, first.gateCount)
    } else {
      gates = try parts(
        &builder, try sum(&builder, first, step, recurrence.gateFunction), first.gateCount)
    }
    func opened(
      _ builder: inout GraphBuilder, _ gate: Layer.Source, _ peephole: Int, _ cell: Layer.Source?
    ) throws(LoweringFault) -> Layer.Source {
      guard hasPeepholes else { return gate }
      guard let cell else { return try applied(&builder, function, gate, units) }
      let weighted = try combined(&builder, .multiplication, cell, peepholes[peephole], units)
      return try combined(&builder, .addition, gate, weighted, units, function)
    }
    let new = try sum(&builder, last, step, recurrence.cellFunction)
    let input = try opened(&builder, gates[0], 0, cell)
    let limit: [Layer.Activation] =
      recurrence.cellLimit.map { [.clamp(lower: -$0, upper: $0)] } ?? []
    var state: Layer.Source
    if let cell {
      if recurrence.isCoupled {
        // i * new + (1 - i) * c
        let difference = try combined(&builder, .subtraction, new, cell, units)
        let change = try combined(&builder, .multiplication, input, difference, units)
        state = try combined(&builder, .addition, cell, change, units, limit)
      } else {
        let forget = try opened(&builder, gates[1], 1, cell)
        let kept = try combined(&builder, .multiplication, forget, cell, units)
        let added = try combined(&builder, .multiplication, input, new, units)
        state = try combined(&builder, .addition, kept, added, units, limit)
      }
    } else {
      state = try combined(&builder, .multiplication, input, new, units, limit)
    }
    cell = state
    let output = try opened(&builder, gates[gates.count - 1], 2, state)
    state = try applied(&builder, recurrence.hiddenFunction, state, units)
    let result = try combined(&builder, .multiplication, output, state, units)
    guard let projection else { return result }
    let projected = try builder.append(
      .convolution(
        Layer.Convolution(
          input: result, inputChannels: directionCount * units,
          outputChannels: directionCount * recurrence.stateCount, window: Layer.Window(size: 1),
          groups: directionCount, weights: projection.weights, bias: projection.bias)),
      shape(recurrence.stateCount))
    let bounds: [Layer.Activation] =
      recurrence.projectionLimit.map { [.clamp(lower: -$0, upper: $0)] } ?? []
    return try applied(&builder, bounds, projected, recurrence.stateCount)
  }

  /// A step of a gated recurrent unit.
  private func gated(
    _ builder: inout GraphBuilder, _ last: Sums, _ step: Int, resetsProduct: Bool
  ) throws(LoweringFault) -> Layer.Source {
    guard let first else { preconditionFailure("a gated unit has several gates") }
    let units = recurrence.unitCount
    let gates = try parts(
      &builder, try sum(&builder, first, step, recurrence.gateFunction), first.gateCount)
    let (update, reset) = (gates[0], gates[1])
    let function = limited(recurrence.cellFunction)
    let own = try inputs(&builder, last, step)
    var recurrent: Layer.Source?
    if let hidden {
      if resetsProduct {
        let product = try product(&builder, last, hidden)
        recurrent = try combined(&builder, .multiplication, reset, product, units)
      } else {
        let kept = try combined(&builder, .multiplication, reset, hidden, units)
        recurrent = try product(&builder, last, kept)
      }
    } else if let hiddenBias {
      recurrent = try combined(&builder, .multiplication, reset, hiddenBias, units)
    }
    let new =
      if let recurrent {
        try combined(&builder, .addition, own, recurrent, units, function)
      } else {
        try applied(&builder, function, own, units)
      }
    guard let hidden else {
      let rest = try combined(&builder, .multiplication, update, new, units)
      return try combined(&builder, .subtraction, new, rest, units)
    }
    let difference = try combined(&builder, .subtraction, hidden, new, units)
    let change = try combined(&builder, .multiplication, update, difference, units)
    return try combined(&builder, .addition, new, change, units)
  }
}
