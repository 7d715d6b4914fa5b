internal import DiceWeights

/// Numbers that a model keeps from one run to the next: each variable becomes an input and an output.
struct TFLiteVariables {
  /// A variable, with what it holds where the graph has been read to.
  struct Variable {
    let name: String
    /// What it begins with, where the file says so.
    var first: ConstantTensor?
    var value: Value?
    var isRead = false
    var isAssigned = false
    /// What its integers stand for.
    var quantization: TFLiteQuantization?
  }

  private(set) var all: [Variable] = []
  private var numbers: [String: Int] = [:]

  /// The number of a variable of a name.
  mutating func number(named name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = all.count
    all.append(Variable(name: name))
    return all.count - 1
  }

  subscript(_ number: Int) -> Variable {
    get { all[number] }
    set { all[number] = newValue }
  }

  /// Takes what all hold for what they begin with.
  mutating func begin() throws(LoweringFault) {
    guard !all.contains(where: { $0.isRead }) else {
      throw .unsupported("variables begin anew where they have been read")
    }
    for number in all.indices {
      if case .computed? = all[number].value {
        throw .unsupported("what variables begin with depends on the network's input")
      }
      if case .constant(let tensor)? = all[number].value { all[number].first = tensor }
      all[number].value = nil
      all[number].isAssigned = false
    }
  }
}

/// Variables, by handles: their numbers.
extension TFLiteOperations {
  static let variables: [TFLiteOperation] = [
    TFLiteOperation(142, "VAR_HANDLE") { (lowering, call, operation) throws(LoweringFault) in
      let name = try call.text(1)
      let number = lowering.variables.number(
        named: name.isEmpty ? lowering.file.place(of: operation) : name)
      return [.constant(ConstantTensor([number]))]
    },
    TFLiteOperation(143, "READ_VARIABLE", "an input of the network") {
      (lowering, call, operation) throws(LoweringFault) in
      try [lowering.variable(call, operation)]
    },
    TFLiteOperation(144, "ASSIGN_VARIABLE", "an output of the network") {
      (lowering, call, operation) throws(LoweringFault) in
      try lowering.assign(call, operation)
      return []
    },
  ]
}

extension TFLiteLowering {
  /// The number of the variable whose handle an operation reads.
  private func variableNumber(_ call: TFLiteCall) throws(LoweringFault) -> Int {
    guard case .constant(let handle) = try call.input(0), let number = handle.integers?.first,
      handle.count == 1, variables.all.indices.contains(number), call.types[0] == .resource
    else { throw .unsupported("what names its variable is not known") }
    return number
  }

  /// What a variable holds: at first, an input of the network.
  fileprivate mutating func variable(
    _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> Value {
    let number = try variableNumber(call)
    variables[number].isRead = true
    if let value = variables[number].value { return value }
    guard let result = operation.outputs.first else { throw .invalid("It has no result.") }
    let first = variables[number].first
    let name = variables[number].name
    let value = try input(result, first?.shape ?? file.tensors[result].shape, name: name)
    variables[number].quantization = try wholeQuantization(result)
    variables[number].value = value
    note(
      "The variable \(name), which is kept from one run to the next, is an input and an output of the "
        + "network: give it \(firstNumber(of: number)) before the first run, then what the run before "
        + "gave.")
    return value
  }

  /// What a variable begins with, as an input takes it.
  private func firstNumber(of number: Int) -> String {
    let variable = variables[number]
    let numbers = variable.first?.floats ?? [0]
    guard let first = numbers.first, numbers.allSatisfy({ $0 == first }) else {
      return "the file's first numbers"
    }
    guard let quantization = variable.quantization, quantization.scales[0] > 0 else {
      return "\(first)"
    }
    let integer = (first / quantization.scales[0]).rounded() + Float(quantization.zeroPoints[0])
    return Int(exactly: integer).map { "\($0)" } ?? "the file's first numbers"
  }

  fileprivate mutating func assign(
    _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) {
    let number = try variableNumber(call)
    let value = try call.input(1)
    if let known = variables[number].first?.shape, let shape = value.shape, known != shape {
      throw .unsupported("it changes the shape of its variable")
    }
    variables[number].value = value
    variables[number].isAssigned = true
  }

  /// Makes outputs of what variables that the network reads hold at its end.
  mutating func outputVariables() throws(LoweringFault) {
    for variable in variables.all where variable.isRead && variable.isAssigned {
      guard let value = variable.value else { continue }
      try builder.output(
        variable.name, integers(value, variable.quantization), map: .channelsLast(rank: 4))
    }
  }
}
