internal import DiceWeights

/// Recurrent operations, step by step.
///
/// The format has no layer that is applied again and again; the length of a sequence is known, so each
/// step has layers of its own. They share the tensors of weights. What a step takes from its input is computed for
/// all steps at once. Two directions are one recurrence with twice the units, whose second half reads the sequence
/// from its end: its weights are those of two groups.
extension GraphBuilder {
  /// The hidden and cell states of all steps.
  ///
  /// - Parameters:
  ///   - input: `[steps, batch, inputs]`.
  ///   - hidden: The hidden states before the first step, `[1, batch, directions * states]`; nil for zeros.
  ///   - cell: The cell states before it, `[1, batch, directions * units]`; nil for zeros.
  mutating func unrolled(
    _ input: ComputedValue, _ recurrence: Recurrence, hidden: ComputedValue? = nil,
    cell: ComputedValue? = nil
  ) throws(LoweringFault) -> RecurrentResults {
    let shape = input.shape
    guard shape.count == 3, shape[2] == recurrence.inputCount else {
      throw .invalid("A sequence of \(shape) for \(recurrence.inputCount) inputs.")
    }
    let stepCount = shape[0]
    try recurrence.check()
    // A step has three layers at least, but the first one.
    let limit = WeightFormat.layerCounts.upperBound
    guard stepCount <= limit / 3 + 1 else {
      throw .unsupported(
        "it has \(stepCount) steps of three layers at least, and the format takes \(limit) layers")
    }
    var steps = RecurrentSteps(recurrence, batch: shape[1])
    try steps.prepare(&self, sequences(input, recurrence))
    steps.hidden = try hidden.map { (value) throws(LoweringFault) in
      try arranged(value, RecurrentSteps.places).source
    }
    steps.cell = try cell.map { (value) throws(LoweringFault) in
      try arranged(value, RecurrentSteps.places).source
    }
    var results: [Value] = []
    for step in 0..<stepCount {
      let before = layers.count
      results.append(.computed(steps.value(try steps.next(&self, step), recurrence.stateCount)))
      if step == min(1, stepCount - 1) {
        try note(steps: stepCount, layersOfStep: layers.count - before)
      }
    }
    var sequence = try computed(concatenated(results, axis: 0))
    if recurrence.directions.count == 2 {
      let count = recurrence.stateCount
      let forward = try sliced(sequence, axis: 2, start: 0, count: count)
      let backward = try sliced(sequence, axis: 2, start: count, count: count)
      sequence = try computed(
        concatenated([.computed(forward), .computed(reversed(backward))], axis: 2))
    } else if recurrence.isReversed {
      sequence = try reversed(sequence)
    }
    return RecurrentResults(
      sequence: sequence, hidden: try computed(results[stepCount - 1]),
      cell: steps.cell.map { steps.value($0, recurrence.unitCount) })
  }

  /// Counts the layers of a recurrence.
  private mutating func note(steps: Int, layersOfStep: Int) throws(LoweringFault) {
    let limit = WeightFormat.layerCounts.upperBound
    let (before, count) = (recurrentLayerCount, steps * layersOfStep)
    guard before + count <= limit else {
      let others = before == 0 ? "" : " and \(before) of the recurrences before it"
      throw .unsupported(
        "its \(steps) steps of \(layersOfStep) layers make \(count) layers\(others), and the format takes "
          + "\(limit): \((limit - before) / layersOfStep) steps at most")
    }
    recurrentStepCount += steps
    recurrentLayerCount += count
  }

  /// What each direction reads, side by side in the channels, `[steps, batch, directions * inputs]`.
  private mutating func sequences(
    _ input: ComputedValue, _ recurrence: Recurrence
  ) throws(LoweringFault) -> ComputedValue {
    let input = try arranged(input, RecurrentSteps.places)
    if recurrence.directions.count == 2 {
      let both = try concatenated([.computed(input), .computed(reversed(input))], axis: 2)
      return try arranged(computed(both), RecurrentSteps.places)
    }
    return recurrence.isReversed ? try reversed(input) : input
  }

  /// The steps of a sequence in the opposite order.
  private mutating func reversed(_ value: ComputedValue) throws(LoweringFault) -> ComputedValue {
    let count = value.shape[0]
    if count == 1 { return value }
    if count <= 4 {
      return try gathered(value, axis: 0, indices: Array((0..<count).reversed()))
    }
    var weights = [Float](repeating: 0, count: count * count)
    for step in 0..<count { weights[step * count + count - 1 - step] = 1 }
    let result = try multiplied(value, axis: 0, weights: weights, outputCount: count)
    return try arranged(result, RecurrentSteps.places)
  }
}

extension Recurrence {
  /// Checks that all numbers are there.
  func check() throws(LoweringFault) {
    let (inputs, overflow) = unitCount.multipliedReportingOverflow(by: inputCount)
    let (states, tooMany) = unitCount.multipliedReportingOverflow(by: stateCount)
    guard !overflow, !tooMany, unitCount > 0, stateCount > 0, inputCount > 0,
      unitCount * 4 * directions.count <= WeightFormat.maximumExtent
    else { throw .unsupported("it has \(unitCount) units") }
    for direction in directions {
      guard direction.gates.count >= cell.gateCount - (isCoupled ? 1 : 0) else {
        throw .invalid("A recurrent cell lacks a gate.")
      }
      for gate in direction.gates {
        guard gate.input.count == inputs, gate.hidden.count == states,
          gate.bias.count == unitCount,
          gate.hiddenBias.isEmpty || gate.hiddenBias.count == unitCount
        else {
          throw .invalid(
            "The weights of a gate have \(gate.input.count), \(gate.hidden.count) and \(gate.bias.count) "
              + "numbers; \(inputs), \(states) and \(unitCount) are needed.")
        }
      }
      for peephole in direction.peepholes where peephole.count != unitCount {
        throw .invalid("A peephole has \(peephole.count) weights for \(unitCount) units.")
      }
      let projections = direction.projection.isEmpty ? 0 : states
      guard direction.projection.count == projections,
        direction.projection.isEmpty ? stateCount == unitCount : true,
        direction.projectionBias.isEmpty || direction.projectionBias.count == stateCount
      else { throw .invalid("A projection has \(direction.projection.count) weights.") }
    }
  }
}
