internal import DiceWeights

/// One operation of an ONNX graph with its operands.
struct ONNXCall: OperandCall {
  let node: ONNXGraphFile.Node
  /// The operands; nil where one is left out.
  let inputs: [Value?]
  /// The version of the operators.
  let operatorSet: Int
  /// For each operand what its integers stand for; nil where it is kept as it is.
  let quantizations: [ONNXQuantization?]

  init(
    node: ONNXGraphFile.Node, inputs: [Value?], operatorSet: Int,
    quantizations: [ONNXQuantization?]? = nil
  ) {
    self.node = node
    self.inputs = inputs
    self.operatorSet = operatorSet
    self.quantizations = quantizations ?? [ONNXQuantization?](repeating: nil, count: inputs.count)
  }

  // MARK: Operands

  /// An operand that must be there.
  func input(_ index: Int) throws(LoweringFault) -> Value {
    guard let value = optional(index) else {
      throw .invalid("\(node.operation) lacks its input \(index).")
    }
    return value
  }

  /// An operand that may be left out.
  func optional(_ index: Int) -> Value? {
    inputs.indices.contains(index) ? inputs[index] : nil
  }

  /// An operand of known integers; nil where it is left out.
  func integers(_ index: Int, _ name: String) throws(LoweringFault) -> [Int]? {
    guard let tensor = try constant(index, name) else { return nil }
    guard let integers = tensor.integers else { throw .invalid("Its \(name) has no integers.") }
    return integers
  }

  /// An operand of one known number; nil where it is left out.
  func scalar(_ index: Int, _ name: String) throws(LoweringFault) -> Float? {
    guard let tensor = try constant(index, name) else { return nil }
    guard let scalar = tensor.scalar else { throw .unsupported("its \(name) is not one number") }
    return scalar
  }

  /// Integers that are an attribute in old operator sets and an operand in new ones.
  func integers(attribute: String, orInput index: Int) throws(LoweringFault) -> [Int]? {
    if let found = node.attributes[attribute] { return found.integers }
    return try integers(index, attribute)
  }

  // MARK: Attributes

  func integer(_ name: String, default value: Int) -> Int {
    node.attributes[name]?.integer ?? value
  }

  func float(_ name: String, default value: Float) -> Float {
    node.attributes[name]?.float ?? value
  }

  func text(_ name: String, default value: String) -> String {
    node.attributes[name]?.text ?? value
  }

  /// A list of integers, or its default, with a number for each of some axes.
  func integers(_ name: String, count: Int, default value: Int) throws(LoweringFault) -> [Int] {
    guard let attribute = node.attributes[name], !attribute.integers.isEmpty else {
      return [Int](repeating: value, count: count)
    }
    guard attribute.integers.count == count else {
      throw .invalid("Its \(name) has \(attribute.integers.count) numbers; it must have \(count).")
    }
    // No window of the weight format is that large, and sums of such numbers cannot overflow.
    for number in attribute.integers where abs(number.clamped) > 1 << 24 {
      throw .unsupported("its \(name) has the number \(number)")
    }
    return attribute.integers
  }
}

extension Int {
  /// The same number where its magnitude is a number, too.
  var clamped: Int { Swift.max(self, -Int.max) }
}
