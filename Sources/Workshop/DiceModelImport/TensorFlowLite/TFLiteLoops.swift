internal import DiceWeights

/// Operations that run other graphs of the file: loops whose number of repetitions is known, each of which
/// becomes layers of its own, and choices between graphs whose condition is known.
extension TFLiteOperations {
  static let loops: [TFLiteOperation] = [
    TFLiteOperation(
      119, "WHILE", "a number of repetitions that does not depend on the input; no states in 8 bits"
    ) { (lowering, call, _) throws(LoweringFault) in
      try lowering.repeated(call)
    },
    TFLiteOperation(118, "IF", "a known condition") {
      (lowering, call, operation) throws(LoweringFault) in
      try lowering.chosen(call, operation)
    },
    TFLiteOperation(129, "CALL_ONCE", "the first numbers of variables") {
      (lowering, call, _) throws(LoweringFault) in
      try lowering.prepareVariables(call)
      return []
    },
  ]

  /// Whether an operation runs other graphs of the file.
  static func runsGraphs(_ operation: TFLiteFile.Operation) -> Bool {
    loops.contains { $0.code == operation.code }
  }
}

extension TFLiteLowering {
  /// The most repetitions of a loop, and of all loops together.
  private static let repetitionLimit = 4096
  /// How deep loops may lie within each other.
  private static let depthLimit = 4

  /// Repeats a graph of the file as long as another one gives a number that is not 0.
  mutating func repeated(_ call: TFLiteCall) throws(LoweringFault) -> [Value] {
    guard depth < Self.depthLimit else { throw .unsupported("loops lie too deep within others") }
    var condition = try inner(graph: call.option(0))
    var body = try inner(graph: call.option(1))
    var states: [Value] = []
    for index in call.inputs.indices {
      guard call.types[index].quantizedRange == nil || call.isIndex(index) else {
        throw .unsupported("it keeps numbers of 8 bits")
      }
      states.append(try call.input(index))
    }
    guard condition.file.inputs.count == states.count, condition.file.outputs.count == 1,
      body.file.inputs.count == states.count, body.file.outputs.count == states.count
    else { throw .invalid("Its graphs do not take and give its \(states.count) numbers.") }
    let tracked = builder.joints
    if tracked == nil { builder.joints = [:] }
    defer { if tracked == nil { builder.joints = nil } }
    var isRefused = false
    while !isRefused {
      let flag = try run(&condition, states, &isRefused)
      guard !isRefused else { break }
      guard case .constant(let holds) = flag.first, let holds = holds.scalar else {
        throw .unsupported("how often it repeats a graph depends on the network's input")
      }
      if holds == 0 { return states }
      builder.recurrentStepCount += 1
      guard builder.recurrentStepCount <= Self.repetitionLimit else {
        throw .unsupported(
          "its graphs are repeated more than \(Self.repetitionLimit) times, and the format takes as many "
            + "layers")
      }
      states = try run(&body, states, &isRefused)
    }
    return [Value](repeating: .unknown, count: states.count)
  }

  /// The results of one of two graphs of the file.
  mutating func chosen(
    _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> [Value] {
    guard depth < Self.depthLimit else { throw .unsupported("choices lie too deep within others") }
    guard case .constant(let tensor) = try call.input(0), let condition = tensor.scalar else {
      throw .unsupported("which graph it runs depends on the network's input")
    }
    var branch = try inner(graph: call.option(condition != 0 ? 0 : 1))
    let (inputs, outputs) = (Array(operation.inputs.dropFirst()), operation.outputs)
    guard branch.file.inputs.count == inputs.count, branch.file.outputs.count == outputs.count
    else { throw .invalid("Its graph does not take \(inputs.count) numbers.") }
    for (own, other) in zip(inputs + outputs, branch.file.inputs + branch.file.outputs) {
      guard own >= 0, try quantization(own) == branch.quantization(other) else {
        throw .unsupported("integers stand for other numbers in the graph that it runs")
      }
    }
    var values: [Value] = []
    for index in inputs.indices { values.append(try call.input(index + 1)) }
    var isRefused = false
    let results = try run(&branch, values, &isRefused)
    return isRefused ? [Value](repeating: .unknown, count: outputs.count) : results
  }

  /// What the integers of a tensor stand for.
  private func quantization(_ number: Int) throws(LoweringFault) -> TFLiteQuantization? {
    try TFLiteQuantization(file.tensors[number])
  }

  /// Takes the numbers that a graph of the file gives variables for those that they begin with.
  mutating func prepareVariables(_ call: TFLiteCall) throws(LoweringFault) {
    guard depth < Self.depthLimit else { throw .unsupported("graphs lie too deep within others") }
    var preparation = try inner(graph: call.option(0))
    guard preparation.file.inputs.isEmpty else {
      throw .invalid("Its graph takes numbers.")
    }
    var isRefused = false
    _ = try run(&preparation, [], &isRefused)
    try variables.begin()
  }

  /// What lowers another graph of the file.
  private mutating func inner(graph index: Int) throws(LoweringFault) -> TFLiteLowering {
    let graph: TFLiteFile
    if let known = graphs[index] {
      graph = known
    } else {
      do throws(ModelImportError) {
        graph = try TFLiteFile(file.bytes, graph: index)
      } catch {
        throw .invalid("\(error)")
      }
      graphs[index] = graph
    }
    var inner = TFLiteLowering(graph)
    inner.depth = depth + 1
    return inner
  }

  /// The results of another graph for some inputs.
  private mutating func run(
    _ inner: inout TFLiteLowering, _ inputs: [Value], _ isRefused: inout Bool
  ) throws(LoweringFault) -> [Value] {
    exchange(with: &inner)
    defer { exchange(with: &inner) }
    do throws(ModelImportError) {
      let results = try inner.results(for: inputs)
      if !inner.refusals.isEmpty {
        for refusal in inner.refusals {
          note(refusal, at: "\(refusal.place) in a loop")
        }
        isRefused = true
      }
      return results
    } catch {
      if case .invalid(let place, let rule) = error { throw .invalid("\(place): \(rule)") }
      throw .invalid("\(error)")
    }
  }
}

extension TFLiteCall {
  /// Whether an operand counts or is a truth value: its integers stand for themselves.
  fileprivate func isIndex(_ index: Int) -> Bool {
    switch types[index] {
    case .int32, .int64, .bool, .uint32, .uint64: true
    default: false
    }
  }
}
