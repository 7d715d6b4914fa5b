internal import DiceDetectorHeads
internal import DiceWeights

/// Operations that run graphs of their own: choices between two, and repetitions of one.
extension ONNXOperations {
  /// Them, and what is not carried over.
  static let graphRunning: [(name: String, limits: String)] = [
    (
      "If",
      "where the condition depends on the input, both branches are computed, and give the same shapes"
    ),
    ("Loop", "a number of repetitions that does not depend on the input"),
    ("Scan", "newer than operator set 8"),
  ]

  /// Whether an operation runs graphs of its own.
  static func runsGraphs(_ node: ONNXGraphFile.Node) -> Bool {
    ONNXGraphFile.plainDomain(node.domain).isEmpty
      && graphRunning.contains { $0.name == node.operation }
  }
}

extension ONNXLowering {
  /// A tensor with what is known of it.
  struct Bound {
    var value: Value
    var elementType: Int?
    var quantization: ONNXQuantization?
  }

  /// Why an operation that runs graphs cannot be carried over.
  enum GraphFault: Error {
    /// To go on after "because".
    case unsupported(String)
    /// What its graphs hold cannot be, which is noted already.
    case contents
    case model(ModelImportError)
  }

  /// The most repetitions of all loops together.
  static let repetitionLimit = 4096
  /// The most operations that all repetitions carry out.
  static let repeatedLimit = 1 << 18

  /// Lowers an operation that runs graphs of its own.
  mutating func lowerGraphs(
    of node: ONNXGraphFile.Node, _ operands: [Value?], at place: String
  ) throws(ModelImportError) {
    var results: [Bound] = []
    do throws(GraphFault) {
      switch node.operation {
      case "If": results = try chosen(node, operands, at: place)
      case "Loop": results = try looped(node, operands, at: place)
      default: results = try scanned(node, operands, at: place)
      }
    } catch {
      switch error {
      case .model(let error): throw error
      case .unsupported(let reason): refuse(node, at: place, reason)
      case .contents: break
      }
    }
    for (index, name) in node.outputs.enumerated() where !name.isEmpty {
      let isGiven = results.indices.contains(index)
      values[name] = isGiven ? results[index].value : .unknown
      elementTypes[name] = isGiven ? results[index].elementType : nil
      quantizations[name] = isGiven ? results[index].quantization : nil
    }
  }

  // MARK: Graphs

  /// The graph that an attribute of an operation holds.
  private func graph(
    _ name: String, of node: ONNXGraphFile.Node, at place: String
  ) throws(GraphFault) -> ONNXGraphFile.Subgraph {
    guard let attribute = node.attributes[name], attribute.graphs.count == 1, !attribute.hasMore
    else { throw .model(.invalid(place: place, rule: "It lacks its graph \(name).")) }
    return attribute.graphs[0]
  }

  /// What is known of an operand.
  private func bound(_ value: Value, _ name: String) -> Bound {
    Bound(value: value, elementType: elementTypes[name], quantization: quantizations[name])
  }

  /// The results of a graph.
  ///
  /// It reads tensors around it; what is named in it is known nowhere else.
  private mutating func results(
    of graph: ONNXGraphFile.Subgraph, _ inputs: [Bound], at place: String
  ) throws(ModelImportError) -> [Bound] {
    var names = Set(graph.constants.keys)
    names.formUnion(graph.inputs.map { $0.name })
    for node in graph.nodes { names.formUnion(node.outputs) }
    names.remove("")
    var hidden: [String: Bound] = [:]
    var hiddenMissing: [String: (operation: String, place: String)] = [:]
    for name in names {
      if let value = values.removeValue(forKey: name) { hidden[name] = bound(value, name) }
      elementTypes[name] = nil
      quantizations[name] = nil
      if let known = missing.removeValue(forKey: name) { hiddenMissing[name] = known }
    }
    defer {
      for name in names {
        values[name] = hidden[name]?.value
        elementTypes[name] = hidden[name]?.elementType
        quantizations[name] = hidden[name]?.quantization
        missing[name] = hiddenMissing[name]
      }
    }
    for (name, tensor) in graph.constants { values[name] = .constant(tensor) }
    for (name, type) in graph.elementTypes where names.contains(name) { elementTypes[name] = type }
    for (port, input) in zip(graph.inputs, inputs) {
      guard values[port.name] == nil else {
        throw .invalid(place: place, rule: "Its graph has two inputs \(port.name).")
      }
      values[port.name] = input.value
      elementTypes[port.name] = port.elementType > 0 ? port.elementType : input.elementType
      quantizations[port.name] = input.quantization
    }
    for node in graph.nodes { try lower(node) }
    var results: [Bound] = []
    for port in graph.outputs {
      guard let value = values[port.name] else {
        throw .invalid(place: place, rule: "Nothing gives its result \(port.name).")
      }
      noteUse(of: port.name)
      results.append(bound(value, port.name))
    }
    return results
  }

  /// A result as the file has it: integers where it is kept as the numbers that they stand for.
  private mutating func plain(_ result: Bound) throws(LoweringFault) -> Value {
    guard let quantization = result.quantization, case .computed(let computed) = result.value
    else { return result.value }
    return .computed(try builder.activated(computed, quantization.integers))
  }

  /// Carries out what the builder does for an operation.
  private mutating func building<Result>(
    at place: String,
    _ body: (inout ONNXLowering) throws(LoweringFault) -> Result
  ) throws(GraphFault) -> Result {
    do throws(LoweringFault) {
      return try body(&self)
    } catch {
      switch error {
      case .invalid(let rule): throw .model(.invalid(place: place, rule: rule))
      case .unsupported(let reason): throw .unsupported(reason)
      }
    }
  }

  // MARK: Choices

  private mutating func chosen(
    _ node: ONNXGraphFile.Node, _ operands: [Value?], at place: String
  ) throws(GraphFault) -> [Bound] {
    let branches = (
      try graph("then_branch", of: node, at: place), try graph("else_branch", of: node, at: place)
    )
    for branch in [branches.0, branches.1]
    where branch.outputs.count < node.outputs.count || !branch.inputs.isEmpty {
      throw .model(.invalid(place: place, rule: "A branch does not give its results."))
    }
    guard let condition = operands.first ?? nil, let name = node.inputs.first else {
      throw .model(.invalid(place: place, rule: "It lacks its condition."))
    }
    if case .constant(let tensor) = condition {
      do throws(ModelImportError) {
        return try results(of: tensor.scalar != 0 ? branches.0 : branches.1, [], at: place)
      } catch {
        throw .model(error)
      }
    }
    // Both are computed. Where one cannot be, the choice is what is refused first.
    let (known, around) = (unsupported, surroundings)
    unsupported = UnsupportedList()
    surroundings = " in a branch"
    var found: (first: [Bound], second: [Bound]) = ([], [])
    var reason: String? = "it chooses between operations by what depends on the network's input"
    do throws(ModelImportError) {
      found.first = try results(of: branches.0, [], at: place)
      found.second = try results(of: branches.1, [], at: place)
      if unsupported.operations.isEmpty { reason = nil }
    } catch {
      reason = (reason ?? "") + ", and one of them does not fit it (\(error))"
    }
    let inner = unsupported
    (unsupported, surroundings) = (known, around)
    var chosen: [Bound] = []
    if reason == nil {
      do throws(LoweringFault) {
        for (first, second) in zip(found.first, found.second).prefix(node.outputs.count) {
          chosen.append(
            Bound(
              value: try either(plain(first), plain(second), by: plain(condition, name)),
              elementType: first.elementType))
        }
        if report.notes.count < 64 {
          report.notes.append(
            "Both branches of \(ModelTensor.cut(place, to: 120)) are computed, and its condition chooses"
              + decision(by: name) + ".")
        }
        return chosen
      } catch {
        switch error {
        case .invalid(let rule): throw .model(.invalid(place: place, rule: rule))
        case .unsupported(let text): reason = text
        }
      }
    }
    refuse(node, at: place, (reason ?? "") + decision(by: name))
    unsupported.add(inner)
    throw .contents
  }

  /// One of two values, by a truth value that the network computes.
  private mutating func either(
    _ first: Value, _ second: Value, by condition: Value
  ) throws(LoweringFault) -> Value {
    let reason = "by what depends on the network's input"
    switch (first, second) {
    case (.list(let first), .list(let second)):
      guard first.count == second.count else {
        throw .unsupported("it chooses between sequences of different lengths \(reason)")
      }
      var elements: [Value] = []
      for (first, second) in zip(first, second) {
        elements.append(try either(first, second, by: condition))
      }
      return .list(elements)
    case (.constant(let first), .constant(let second)) where first == second:
      return .constant(first)
    default: break
    }
    guard let shape = first.shape, let other = second.shape, shape == other else {
      throw .unsupported(
        "it chooses between results of the shapes \(first.shape ?? []) and \(second.shape ?? []) \(reason)"
      )
    }
    guard condition.shape?.allSatisfy({ $0 == 1 }) == true else {
      throw .invalid("Its condition is not one number.")
    }
    let flag = try builder.reshaped(condition, to: [])
    return try builder.chosen(flag, first, second)
  }

  // MARK: Repetitions

  /// Counts one more repetition of a graph.
  private mutating func noteRepetition(
    of graph: ONNXGraphFile.Subgraph
  ) throws(GraphFault) {
    builder.recurrentStepCount += 1
    guard builder.recurrentStepCount <= Self.repetitionLimit else {
      throw .unsupported(
        "its graph is repeated more than \(Self.repetitionLimit) times, and the format takes as many layers"
      )
    }
    repeatedCount += graph.nodes.count + graph.inputs.count + graph.outputs.count
    guard repeatedCount <= Self.repeatedLimit else {
      throw .unsupported("its repetitions have more than \(Self.repeatedLimit) operations")
    }
  }

  /// The results of a graph that is repeated, all of which can be carried over.
  private mutating func repeated(
    _ graph: ONNXGraphFile.Subgraph, _ inputs: [Bound], at place: String
  ) throws(GraphFault) -> [Bound] {
    try noteRepetition(of: graph)
    let (known, around) = (unsupported, surroundings)
    (unsupported, surroundings) = (UnsupportedList(), " in a loop")
    defer {
      let inner = unsupported
      (unsupported, surroundings) = (known, around)
      unsupported.add(inner)
    }
    let found: [Bound]
    do throws(ModelImportError) { found = try results(of: graph, inputs, at: place) } catch {
      throw .model(error)
    }
    guard unsupported.operations.isEmpty else { throw .contents }
    return found
  }

  /// What was put side by side is followed while graphs are repeated.
  private mutating func following<Result>(
    _ body: (inout ONNXLowering) throws(GraphFault) -> Result
  ) throws(GraphFault) -> Result {
    let tracked = builder.joints
    if tracked == nil { builder.joints = [:] }
    defer { if tracked == nil { builder.joints = nil } }
    return try body(&self)
  }

  private mutating func looped(
    _ node: ONNXGraphFile.Node, _ operands: [Value?], at place: String
  ) throws(GraphFault) -> [Bound] {
    let body = try graph("body", of: node, at: place)
    let stateCount = operands.count - 2
    guard stateCount >= 0, body.inputs.count == stateCount + 2,
      body.outputs.count >= stateCount + 1, body.outputs.count >= node.outputs.count + 1
    else { throw .model(.invalid(place: place, rule: "Its graph does not take its numbers.")) }
    let reason = "how often it repeats its graph depends on the network's input"
    func known(
      _ value: Value?, _ lowering: inout ONNXLowering, by name: String
    ) throws(GraphFault) -> Int? {
      guard let value else { return nil }
      guard case .constant(let tensor) = value, let number = tensor.scalar else {
        throw .unsupported(reason + lowering.decision(by: name))
      }
      return Int(number.clamped(to: -1e9...1e9))
    }
    let count = try known(operands[0], &self, by: node.inputs[0])
    var holds = try known(operands[1], &self, by: node.inputs[1]).map { $0 != 0 } ?? true
    var states: [Bound] = []
    for (value, name) in zip(operands, node.inputs).dropFirst(2) {
      guard let value else {
        throw .model(.invalid(place: place, rule: "It lacks a number that it begins with."))
      }
      states.append(bound(value, name))
    }
    return try following { (lowering) throws(GraphFault) in
      var rows = [[Bound]](repeating: [], count: body.outputs.count - 1 - stateCount)
      var step = 0
      while holds, step < count ?? .max {
        let counters = [
          Bound(value: .constant(ConstantTensor(shape: [], integers: [step])), elementType: 7),
          Bound(value: .constant(ConstantTensor(shape: [], integers: [1])), elementType: 9),
        ]
        let found = try lowering.repeated(body, counters + states, at: place)
        holds = try known(found[0].value, &lowering, by: "") != 0
        states = Array(found[1..<1 + stateCount])
        for index in rows.indices { rows[index].append(found[1 + stateCount + index]) }
        step += 1
      }
      for row in rows { states.append(try lowering.stacked(row, axis: 0, at: place)) }
      return states
    }
  }

  /// The results of all repetitions along a new axis.
  private mutating func stacked(
    _ rows: [Bound], axis: Int, at place: String
  ) throws(GraphFault) -> Bound {
    let value = try building(at: place) { (lowering) throws(LoweringFault) in
      var parts: [Value] = []
      for row in rows {
        let value = try lowering.plain(row)
        guard let shape = value.shape else { throw .invalid("It stacks what is no tensor.") }
        let place = axis < 0 ? axis + shape.count + 1 : axis
        guard (0...shape.count).contains(place) else {
          throw .invalid("It stacks \(shape) along axis \(axis).")
        }
        parts.append(
          try lowering.builder.reshaped(value, to: shape[..<place] + [1] + shape[place...]))
      }
      guard let rank = parts.first?.shape?.count else {
        throw .unsupported("it repeats nothing, and its results are empty")
      }
      return try lowering.builder.concatenated(parts, axis: axis < 0 ? axis + rank : axis)
    }
    return Bound(value: value, elementType: rows.first?.elementType)
  }

  private mutating func scanned(
    _ node: ONNXGraphFile.Node, _ operands: [Value?], at place: String
  ) throws(GraphFault) -> [Bound] {
    guard node.operatorSet ?? file.operatorSet >= 9 else {
      throw .unsupported("it is of an old operator set")
    }
    let body = try graph("body", of: node, at: place)
    let sequenceCount = node.attributes["num_scan_inputs"]?.integer ?? 0
    guard (1...max(1, operands.count)).contains(sequenceCount), !operands.isEmpty,
      body.inputs.count == operands.count
    else { throw .model(.invalid(place: place, rule: "Its graph does not take its numbers.")) }
    let stateCount = operands.count - sequenceCount
    guard body.outputs.count >= stateCount, body.outputs.count >= node.outputs.count else {
      throw .model(.invalid(place: place, rule: "Its graph does not give its results."))
    }
    var inputs: [Bound] = []
    for (value, name) in zip(operands, node.inputs) {
      guard let value else { throw .model(.invalid(place: place, rule: "It lacks an operand.")) }
      inputs.append(bound(value, name))
    }
    var states = Array(inputs[..<stateCount])
    let outputCount = body.outputs.count - stateCount
    func list(_ name: String, _ count: Int) throws(GraphFault) -> [Int] {
      let stated = node.attributes[name]?.integers ?? []
      guard stated.isEmpty || stated.count == count else {
        throw .model(
          .invalid(place: place, rule: "Its \(name) has \(stated.count) numbers for \(count)."))
      }
      return stated.isEmpty ? [Int](repeating: 0, count: count) : stated
    }
    let axes = try list("scan_input_axes", sequenceCount)
    let directions = try list("scan_input_directions", sequenceCount)
    let outputAxes = try list("scan_output_axes", outputCount)
    let outputDirections = try list("scan_output_directions", outputCount)
    // What each sequence is along which axis.
    var sequences: [(value: Value, axis: Int, elementType: Int?)] = []
    var count: Int?
    for (index, input) in inputs[stateCount...].enumerated() {
      let value = try building(at: place) { (lowering) throws(LoweringFault) in
        try lowering.plain(input)
      }
      guard let shape = value.shape else {
        throw .model(.invalid(place: place, rule: "It takes a sequence where it needs a tensor."))
      }
      let axis = axes[index] < 0 ? axes[index] &+ shape.count : axes[index]
      guard shape.indices.contains(axis), count == nil || count == shape[axis] else {
        throw .model(
          .invalid(place: place, rule: "It repeats a graph along axis \(axes[index]) of \(shape)."))
      }
      count = shape[axis]
      sequences.append((value, axis, input.elementType))
    }
    let stepCount = count ?? 0
    return try following { (lowering) throws(GraphFault) in
      var rows = [[Bound]](repeating: [], count: outputCount)
      for step in 0..<stepCount {
        var operands = states
        for (index, sequence) in sequences.enumerated() {
          let position = directions[index] == 0 ? step : stepCount - 1 - step
          let value = try lowering.building(at: place) { (lowering) throws(LoweringFault) in
            let part = try lowering.builder.part(
              sequence.value, axis: sequence.axis,
              GraphBuilder.Bounds(begin: position, end: position + 1, step: 1))
            var shape = part.shape ?? []
            shape.remove(at: sequence.axis)
            return try lowering.builder.reshaped(part, to: shape)
          }
          operands.append(Bound(value: value, elementType: sequence.elementType))
        }
        let found = try lowering.repeated(body, operands, at: place)
        states = Array(found[..<stateCount])
        for index in rows.indices { rows[index].append(found[stateCount + index]) }
      }
      for (index, row) in rows.enumerated() {
        let ordered = outputDirections[index] == 0 ? row : row.reversed()
        states.append(try lowering.stacked(ordered, axis: outputAxes[index], at: place))
      }
      return states
    }
  }
}

extension Float {
  /// The nearest number within bounds; the lower one where it is none.
  fileprivate func clamped(to range: ClosedRange<Float>) -> Float {
    self >= range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
  }
}
