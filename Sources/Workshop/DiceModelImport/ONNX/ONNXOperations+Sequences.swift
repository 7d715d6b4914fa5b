internal import DiceWeights

/// Sequences of tensors, whose lengths are known beforehand.
extension ONNXOperations {
  static let sequences: [ONNXOperation] = [
    .single("SequenceConstruct") { (_, call) throws(LoweringFault) in
      var elements: [Value] = []
      for index in call.inputs.indices { elements.append(try element(call, index)) }
      return try list(elements)
    },
    .single("SequenceEmpty") { (_, _) throws(LoweringFault) in .list([]) },
    .single("SequenceInsert", "a known position") { (_, call) throws(LoweringFault) in
      var elements = try elements(call)
      let place = try position(call, 2, of: elements.count, orEnd: true) ?? elements.count
      elements.insert(try element(call, 1), at: place)
      return try list(elements)
    },
    .single("SequenceErase", "a known position") { (_, call) throws(LoweringFault) in
      var elements = try elements(call)
      guard !elements.isEmpty else { throw .invalid("Its sequence is empty.") }
      elements.remove(at: try position(call, 1, of: elements.count) ?? elements.count - 1)
      return .list(elements)
    },
    .single("SequenceAt", "a known position") { (_, call) throws(LoweringFault) in
      let elements = try elements(call)
      guard let place = try position(call, 1, of: elements.count) else {
        throw .invalid("It lacks its position.")
      }
      return elements[place]
    },
    .single("SequenceLength") { (_, call) throws(LoweringFault) in
      .constant(ConstantTensor(shape: [], integers: [try elements(call).count]))
    },
    .single("SplitToSequence", "known lengths") { (builder, call) throws(LoweringFault) in
      try split(&builder, call)
    },
    .single("ConcatFromSequence") { (builder, call) throws(LoweringFault) in
      var elements = try elements(call)
      guard let rank = elements.first?.shape?.count else {
        throw .unsupported("its sequence is empty")
      }
      let isNew = call.integer("new_axis", default: 0) != 0
      let axis = try call.axis(call.integer("axis", default: 0), rank: rank + (isNew ? 1 : 0))
      if isNew {
        for index in elements.indices {
          var shape = elements[index].shape ?? []
          guard shape.count == rank else {
            throw .invalid("Tensors of different shapes are concatenated.")
          }
          shape.insert(1, at: axis)
          elements[index] = try builder.reshaped(elements[index], to: shape)
        }
      }
      return try builder.concatenated(elements, axis: axis)
    },
  ]

  /// Whether an operation takes sequences.
  static func takesLists(_ node: ONNXGraphFile.Node) -> Bool {
    node.operation == "Identity" || sequences.contains { $0.name == node.operation }
  }

  /// The most tensors of one sequence.
  private static let lengthLimit = 4096

  private static func list(_ elements: [Value]) throws(LoweringFault) -> Value {
    guard elements.count <= lengthLimit else {
      throw .unsupported("its sequence has more than \(lengthLimit) tensors")
    }
    return .list(elements)
  }

  /// The tensors of the first operand.
  private static func elements(_ call: ONNXCall) throws(LoweringFault) -> [Value] {
    guard case .list(let elements) = try call.input(0) else {
      throw .invalid("It takes a tensor where it needs a sequence.")
    }
    return elements
  }

  /// An operand that is a tensor.
  private static func element(_ call: ONNXCall, _ index: Int) throws(LoweringFault) -> Value {
    let value = try call.input(index)
    if case .list = value { throw .invalid("It takes a sequence where it needs a tensor.") }
    return value
  }

  /// A position in a sequence, counted from its end where it is negative; nil where it is left out.
  ///
  /// - Parameter orEnd: Whether it may be the one behind the last tensor.
  private static func position(
    _ call: ONNXCall, _ index: Int, of count: Int, orEnd: Bool = false
  ) throws(LoweringFault) -> Int? {
    guard let stated = try call.integers(index, "position") else { return nil }
    guard stated.count == 1, let place = stated.first.map({ $0 < 0 ? $0 &+ count : $0 }),
      (0..<count + (orEnd ? 1 : 0)).contains(place)
    else { throw .invalid("Its position is \(stated.prefix(4)) in a sequence of \(count).") }
    return place
  }

  private static func split(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let value = try element(call, 0)
    let shape = try call.shape(0)
    let axis = try call.axis(call.integer("axis", default: 0), rank: shape.count)
    let extent = shape[axis]
    var lengths: [Int]
    let stated = try call.constant(1, "split")
    if let stated, let numbers = stated.integers, !stated.shape.isEmpty {
      lengths = numbers
    } else {
      // Pieces of one length; the last one may be shorter.
      let length = try call.integers(1, "split")?.first ?? 1
      guard length > 0 else { throw .invalid("It splits \(extent) into pieces of \(length).") }
      guard extent / length < lengthLimit else {
        throw .unsupported("its sequence has more than \(lengthLimit) tensors")
      }
      lengths = stride(from: 0, to: extent, by: length).map { min(length, extent - $0) }
    }
    guard lengths.count <= lengthLimit else {
      throw .unsupported("its sequence has more than \(lengthLimit) tensors")
    }
    guard lengths.allSatisfy({ (1...max(1, extent)).contains($0) }),
      lengths.reduce(0, +) == extent
    else { throw .invalid("It splits \(extent) into \(lengths.prefix(16)).") }
    let keepsAxis = stated != nil || call.integer("keepdims", default: 1) != 0
    var elements: [Value] = []
    var start = 0
    for length in lengths {
      var piece = try builder.part(
        value, axis: axis, GraphBuilder.Bounds(begin: start, end: start + length, step: 1))
      if !keepsAxis, var shape = piece.shape {
        shape.remove(at: axis)
        piece = try builder.reshaped(piece, to: shape)
      }
      elements.append(piece)
      start += length
    }
    return .list(elements)
  }
}
