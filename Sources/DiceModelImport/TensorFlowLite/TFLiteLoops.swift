internal import DiceWeights

/// Loops whose number of repetitions is known: each repetition becomes layers of its own.
extension TFLiteOperations {
  static let loops: [TFLiteOperation] = [
    TFLiteOperation(
      119, "WHILE", "a number of repetitions that does not depend on the input; no states in 8 bits"
    ) { (lowering, call, _) throws(LoweringFault) in
      try lowering.repeated(call)
    }
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

  /// What lowers another graph of the file.
  private func inner(graph index: Int) throws(LoweringFault) -> TFLiteLowering {
    do throws(ModelImportError) {
      var inner = TFLiteLowering(try TFLiteFile(file.bytes, graph: index))
      inner.depth = depth + 1
      return inner
    } catch {
      throw .invalid("\(error)")
    }
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
