internal import DiceWeights

/// Lowers the graph of a TensorFlow Lite file to layers, operation by operation.
///
/// Values of tensors of 8-bit integers have these less their zero point (``TFLiteIntegers``); other values have
/// the numbers that integers stand for. What an operation computes in floats is taken to the nearest number that
/// its type can have, as the original runtime does.
struct TFLiteLowering {
  let file: TFLiteFile
  var builder = GraphBuilder()
  var report: ImportReport
  /// Tensors by number.
  private var values: [Value?]
  /// The integers of tensors of 8 bits, less their zero points, by tensor.
  private var wholeValues: [Int: Value] = [:]
  /// Maps that a SPACE_TO_BATCH_ND cut into interleaved pieces, which are still one here: how many pieces
  /// there are along rows and columns, by tensor.
  private(set) var pieces: [Int: [Int]] = [:]
  /// The numbers of all tensors that are known beforehand.
  private var knownCount = 0
  private let knownCountLimit: Int
  private var unsupported = UnsupportedList()
  /// Outputs of the network that stand in place of the results of the model's last operation.
  private(set) var replaced: [(name: String, value: Value, head: NetworkHead)] = []
  private var replacedTensors: Set<Int> = []
  /// Other graphs of the file that were read.
  var graphs: [Int: TFLiteFile] = [:]
  /// What is kept from one run to the next.
  var variables = TFLiteVariables()
  /// How many loops this graph lies within.
  var depth = 0
  /// Whether inputs of layers whose weights are integers are rounded.
  let roundsInputs: Bool
  /// Inputs that were.
  var roundedInputs: [RoundedInput: ComputedValue] = [:]
  /// The imaginary parts of complex tensors, whose values are their real parts.
  var imaginary: [Int: Value] = [:]
  /// How many more operations and tensors of loops are treated; bounds the time for small files.
  private var loopBudget = 1 << 18

  init(_ file: TFLiteFile, roundsInputs: Bool = false) {
    self.file = file
    self.roundsInputs = roundsInputs
    report = ImportReport(
      format: "TensorFlow Lite, schema version \(file.version)",
      operationCount: file.operations.count)
    values = [Value?](repeating: nil, count: file.tensors.count)
    knownCountLimit = 1 << 23 + 8 * file.bytes.count
  }

  /// Notes something once.
  mutating func note(_ note: String) {
    if !report.notes.contains(note) { report.notes.append(note) }
  }

  /// Lowers the whole graph.
  ///
  /// - Parameter shapes: The shape of each input.
  mutating func run(shapes: [[Int]]) throws(ModelImportError) {
    for (number, shape) in zip(file.inputs, shapes) {
      guard !isKnown(number) else {
        throw .invalid(place: file.name(number), rule: "Two inputs are this tensor.")
      }
      do throws(LoweringFault) {
        if let quantization = try bytes(number) {
          wholeValues[number] = try builder.applied(
            [.linear(scale: 1, offset: -Float(quantization.zeroPoints[0]))],
            to: plainInput(number, shape))
        } else {
          values[number] = try input(number, shape)
        }
      } catch {
        throw Self.failure(error, at: file.name(number))
      }
    }
    for (number, tensor) in file.fixed {
      do throws(LoweringFault) { values[number] = try constant(tensor, number) } catch {
        throw Self.failure(error, at: file.name(number))
      }
    }
    for operation in file.operations { try lower(operation) }
    for number in file.outputs where !replacedTensors.contains(number) {
      do throws(LoweringFault) {
        try output(number)
      } catch {
        throw Self.failure(error, at: file.name(number))
      }
    }
    for (name, value, head) in replaced {
      do throws(LoweringFault) {
        try builder.output(name, value, map: nil, head: head)
      } catch {
        throw Self.failure(error, at: name)
      }
    }
    do throws(LoweringFault) { try outputVariables() } catch {
      throw Self.failure(error, at: "A variable")
    }
    guard unsupported.operations.isEmpty else { throw .unsupported(unsupported.operations) }
  }

  private static func failure(_ fault: LoweringFault, at place: String) -> ModelImportError {
    switch fault {
    case .invalid(let rule): .invalid(place: place, rule: rule)
    case .unsupported(let reason):
      .unsupported([
        UnsupportedOperation(name: "an input or output", place: place, count: 1, reason: reason)
      ])
    }
  }

  // MARK: Graphs of loops

  /// Exchanges what is built with what lowers another graph.
  mutating func exchange(with other: inout TFLiteLowering) {
    swap(&builder, &other.builder)
    swap(&knownCount, &other.knownCount)
    swap(&report, &other.report)
    swap(&loopBudget, &other.loopBudget)
    swap(&graphs, &other.graphs)
    swap(&variables, &other.variables)
  }

  /// The operations that are not carried over.
  var refusals: [UnsupportedOperation] { unsupported.operations }

  mutating func note(_ refusal: UnsupportedOperation, at place: String) {
    unsupported.add(refusal.name, at: place, refusal.reason)
  }

  /// The results of the graph for some inputs; only its constants are kept for the next time.
  mutating func results(for inputs: [Value]) throws(ModelImportError) -> [Value] {
    loopBudget -= file.operations.count + file.tensors.count
    guard loopBudget > 0 else {
      throw .invalid(place: file.graphName, rule: "It is repeated too often.")
    }
    for (number, tensor) in file.tensors.enumerated() where tensor.data == nil {
      values[number] = nil
      wholeValues[number] = nil
    }
    for (number, value) in zip(file.inputs, inputs) { values[number] = value }
    for operation in file.operations { try lower(operation) }
    var results: [Value] = []
    for number in file.outputs {
      do throws(LoweringFault) {
        results.append(try operand(number))
      } catch {
        throw Self.failure(error, at: file.name(number))
      }
    }
    return results
  }

  // MARK: Inputs and outputs

  /// An input: the integers of a quantized one become the numbers that they stand for.
  ///
  /// - Parameter name: The input's name; nil takes the tensor's.
  mutating func input(
    _ number: Int, _ shape: [Int], name: String? = nil
  ) throws(LoweringFault) -> Value {
    let value = try plainInput(number, shape, name: name)
    guard let quantization = try wholeQuantization(number) else { return value }
    let scale = quantization.scales[0]
    return try builder.applied(
      [.linear(scale: scale, offset: -scale * Float(quantization.zeroPoints[0]))], to: value)
  }

  /// An input as the caller gives it.
  private mutating func plainInput(
    _ number: Int, _ shape: [Int], name: String? = nil
  ) throws(LoweringFault) -> Value {
    let tensor = file.tensors[number]
    try Self.check(tensor)
    guard tensor.type != .complex64 else { throw .unsupported("its numbers are complex") }
    guard tensor.type != .resource else { throw .unsupported("it names a variable") }
    let map = shape.count == 3 || shape.count == 4 ? MapAxes.channelsLast(rank: shape.count) : nil
    return .computed(
      try builder.input(
        name ?? file.name(number), shape: shape, GraphBuilder.standardPlaces(shape, map)))
  }

  /// An output: numbers that stand for integers become these.
  private mutating func output(_ number: Int) throws(LoweringFault) {
    guard pieces[number] == nil else {
      throw .unsupported("its batch is made of pieces of maps")
    }
    guard imaginary[number] == nil else { throw .unsupported("its numbers are complex") }
    let value: Value
    if let quantization = try bytes(number) {
      value = try builder.applied(
        [.linear(scale: 1, offset: Float(quantization.zeroPoints[0]))], to: wholeOperand(number))
    } else {
      value = try integers(operand(number), wholeQuantization(number))
    }
    try builder.output(
      file.name(number), value, map: .channelsLast(rank: 4), head: head(value))
  }

  /// Numbers as the integers that stand for them.
  mutating func integers(
    _ value: Value, _ quantization: TFLiteQuantization?
  ) throws(LoweringFault) -> Value {
    guard let quantization, quantization.scales[0] > 0 else { return value }
    let zero = Float(quantization.zeroPoints[0])
    // A whole number less a half, so that rounding errors do not matter.
    return try builder.applied(
      [.linear(scale: 1 / quantization.scales[0], offset: zero + 0.5), .floor], to: value)
  }

  /// Lets a value be an output of the network, in place of some tensors.
  mutating func replace(
    _ tensors: [Int], by output: (name: String, value: Value, head: NetworkHead)
  ) {
    replacedTensors.formUnion(tensors)
    replaced.append(output)
  }

  /// The labels of the classes where an output has a number for each.
  private var labels: [String] {
    guard file.outputs.count == 1, replaced.isEmpty else { return [] }
    return TFLiteLabels.read(file.bytes)
  }

  /// The head of an output of a classifier whose file has labels.
  private func head(_ value: Value) -> NetworkHead? {
    let labels = labels
    let shape = value.shape ?? []
    guard labels.count > 1, shape.last == labels.count, shape.dropLast().allSatisfy({ $0 == 1 })
    else { return nil }
    return NetworkHead(kind: "classes", labels: labels)
  }

  private static func check(_ tensor: TFLiteFile.Tensor) throws(LoweringFault) {
    if let type = tensor.unknownType {
      throw .unsupported("its numbers have the type \(type)")
    }
  }

  /// What the integers of a tensor that is computed stand for; nil where they stand for themselves.
  func wholeQuantization(_ number: Int) throws(LoweringFault) -> TFLiteQuantization? {
    guard file.tensors[number].type.quantizedRange != nil,
      let quantization = try TFLiteQuantization(file.tensors[number])
    else { return nil }
    guard quantization.isWhole else {
      throw .unsupported("the scales of what it computes differ along an axis")
    }
    return quantization
  }

  // MARK: Operands

  /// A tensor that an operation reads.
  private mutating func operand(_ number: Int) throws(LoweringFault) -> Value {
    if let value = values[number] { return value }
    if let whole = wholeValues[number], let quantization = try bytes(number) {
      let value = try builder.applied(
        [.linear(scale: quantization.scales[0], offset: 0)], to: whole)
      values[number] = value
      return value
    }
    let constant = try constant(stored(number), number)
    values[number] = constant
    return constant
  }

  /// The integers of a quantized tensor that an operation reads, less their zero points; of others the numbers.
  private mutating func wholeOperand(_ number: Int) throws(LoweringFault) -> Value {
    if let value = wholeValues[number] { return value }
    guard let quantization = try TFLiteQuantization(file.tensors[number]) else {
      return try operand(number)
    }
    let value: Value
    if file.tensors[number].data != nil {
      let stored = try stored(number)
      guard let integers = stored.integers else { return .constant(stored) }
      value = .constant(
        ConstantTensor(
          shape: stored.shape, floats: quantization.steps(integers, shape: stored.shape)))
    } else {
      let number = try operand(number)
      value = try builder.applied(
        [.linear(scale: 1 / quantization.scales[0], offset: 0.5), .floor], to: number)
    }
    wholeValues[number] = value
    return value
  }

  /// Whether a tensor has a value.
  private func isKnown(_ number: Int) -> Bool {
    values[number] != nil || wholeValues[number] != nil
  }

  /// The numbers of a constant that an operation reads, as they are stored.
  private mutating func stored(_ number: Int) throws(LoweringFault) -> ConstantTensor {
    let tensor = file.tensors[number]
    try Self.check(tensor)
    guard tensor.type != .complex64 else { throw .unsupported("its numbers are complex") }
    if tensor.isVariable { throw .unsupported("it keeps numbers from one run to the next") }
    // Of an empty tensor, too, no product is too large.
    let count = tensor.shape.filter { $0 != 0 }.reduce(1) { (product, extent) in
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      return overflow ? .max : next
    }
    if tensor.shape.contains(0) {
      guard count <= ConstantArithmetic.countLimit else {
        throw .invalid("Its constants are too many.")
      }
      return ConstantTensor(
        shape: tensor.shape, tensor.type.isInteger ? .integers([]) : .floats([]))
    }
    guard let data = tensor.data else {
      throw .invalid("It reads \(file.name(number)), which no earlier operation gives.")
    }
    knownCount += min(count, knownCountLimit + 1)
    guard knownCount <= knownCountLimit else { throw .invalid("Its constants are too many.") }
    return ConstantTensor(shape: tensor.shape, try numbers(of: tensor, data, count: count))
  }

  /// Known numbers of a tensor: those that its integers stand for.
  private func constant(
    _ numbers: ConstantTensor, _ number: Int
  ) throws(LoweringFault) -> Value {
    guard let integers = numbers.integers,
      let quantization = try TFLiteQuantization(file.tensors[number])
    else { return .constant(numbers) }
    return .constant(
      ConstantTensor(
        shape: numbers.shape, floats: quantization.floats(integers, shape: numbers.shape)))
  }

  /// The numbers of a constant, of which some may not be stored: they are 0.
  private func numbers(
    of tensor: TFLiteFile.Tensor, _ data: Range<Int>, count: Int
  ) throws(LoweringFault) -> ConstantTensor.Numbers {
    let storedCount = data.count * 8 / tensor.type.bitCount
    guard let sparsity = tensor.sparsity else {
      guard count <= storedCount else {
        throw .invalid("It has numbers of \(data.count) bytes, too few for \(tensor.shape).")
      }
      return tensor.type.numbers(file.bytes[data], count: count)
    }
    let places = try TFLiteSparsity(sparsity, shape: tensor.shape, limit: count + 1)
      .places(limit: storedCount)
    return tensor.type.numbers(file.bytes[data], count: places.count)
      .spread(to: places, of: count)
  }

  // MARK: Operations

  private mutating func lower(_ operation: TFLiteFile.Operation) throws(ModelImportError) {
    let place = file.place(of: operation)
    for number in operation.outputs where isKnown(number) {
      throw .invalid(place: place, rule: "\(file.name(number)) is there already.")
    }
    let kind = TFLiteOperations.name(operation)
    var results: [Value] = []
    do throws(LoweringFault) {
      let known = try TFLiteOperations.operation(operation)
      let integers = try integers(of: operation, known, call(operation, []))
      var operands: [Value?] = []
      var isUnknown = false
      let keepsStates = TFLiteOperations.keepsStates(operation)
      for number in operation.inputs {
        let isState = number >= 0 && keepsStates && file.tensors[number].isVariable
        let value =
          number < 0 || isState
          ? nil : integers == nil ? try operand(number) : try wholeOperand(number)
        if case .unknown? = value { isUnknown = true }
        operands.append(value)
      }
      if operation.inputs.contains(where: { replacedTensors.contains($0) }) {
        throw .unsupported("it reads the boxes that a suppression gives")
      }
      if !isUnknown {
        results = try self.results(of: known, operation, integers, operands)
        guard
          results.count >= operation.outputs.count
            || operation.outputs.allSatisfy({ replacedTensors.contains($0) })
        else { throw .invalid("It has \(operation.outputs.count) results.") }
      }
    } catch {
      switch error {
      case .invalid(let rule): throw .invalid(place: place, rule: rule)
      case .unsupported(let reason): unsupported.add(kind, at: place, reason)
      }
    }
    for case .constant(let tensor) in results { knownCount += tensor.count }
    guard knownCount <= knownCountLimit else {
      throw .invalid(place: place, rule: "Constants that follow from others are too many.")
    }
    for (index, number) in operation.outputs.enumerated() {
      let result = results.indices.contains(index) ? results[index] : .unknown
      if case .unknown = result {
        values[number] = result
      } else if let isWhole = try? bytes(number) != nil, isWhole {
        wholeValues[number] = result
      } else {
        values[number] = result
      }
    }
  }

  private func call(_ operation: TFLiteFile.Operation, _ operands: [Value?]) -> TFLiteCall {
    TFLiteCall(
      kind: TFLiteOperations.name(operation), options: operation.options,
      customOptions: operation.customOptions.map { file.bytes[$0] } ?? [], inputs: operands,
      types: operation.inputs.map { $0 < 0 ? .float32 : file.tensors[$0].type },
      resultTypes: operation.outputs.map { file.tensors[$0].type })
  }

  private mutating func results(
    of known: TFLiteOperation, _ operation: TFLiteFile.Operation, _ integers: TFLiteIntegers?,
    _ operands: [Value?]
  ) throws(LoweringFault) -> [Value] {
    let call = call(operation, operands)
    for number in operation.outputs { try Self.check(file.tensors[number]) }
    let split = operation.inputs.first.flatMap { pieces[$0] }
    if known.treatment != .pieces {
      let isPointwise = known.treatment == .pointwise
      for number in operation.inputs {
        guard pieces[number] == nil || isPointwise && pieces[number] == split else {
          throw .unsupported("it treats maps that are cut into pieces")
        }
      }
    }
    let isComplex = operation.inputs.contains { imaginary[$0] != nil }
    if isComplex, !TFLiteOperations.complexCodes.contains(operation.code) {
      try moveImaginary(known, call, operation)
    }
    var results =
      if let integers {
        try self.results(of: operation, known, call, integers)
      } else {
        try known.lower(&self, call, operation)
      }
    let activation = try known.activationField.map { (field) throws(LoweringFault) in
      try call.choice(field)
    }
    let excess = try excess(operation)
    for (index, number) in operation.outputs.enumerated() where results.indices.contains(index) {
      if let integers {
        results[index] = try limited(
          results[index], number, integers, activation: activation ?? 0)
      } else {
        results[index] = try finished(
          results[index], number, of: known, operation, activation: activation ?? 0,
          excess: excess)
      }
      if let split, known.treatment == .pointwise { pieces[number] = split }
    }
    if operands.allSatisfy({ (value) in
      if case .computed? = value { return false }
      return true
    }), !operands.isEmpty {
      report.foldedConstantCount += 1
    }
    return results
  }

  /// Integers less their zero point, with the limits that the operation and their type set.
  private mutating func limited(
    _ value: Value, _ number: Int, _ integers: TFLiteIntegers, activation: Int
  ) throws(LoweringFault) -> Value {
    var function = try TFLiteActivation.function(activation)
    switch integers {
    case .table: return value
    case .moved where function == .identity: return value
    case .limited(_, let limits): function = limits
    default: break
    }
    guard let quantization = try bytes(number),
      let range = file.tensors[number].type.quantizedRange
    else { return value }
    let limits = quantization.limits(range, function.limits)
    return try builder.applied([.clamp(lower: limits.lower, upper: limits.upper)], to: value)
  }

  private mutating func noteRounding(_ kind: String) {
    // These are rounded as in the original runtime.
    if ["QUANTIZE", "AVERAGE_POOL_2D", "READ_VARIABLE"].contains(kind) { return }
    note(
      "\(kind) on 8-bit integers is computed in floating point and rounded; results may be a step off."
    )
  }

  /// A result that was computed in floats, with the function that the operation applies, and as its type can
  /// have it: of 8 bits the integers, less their zero point.
  private mutating func finished(
    _ value: Value, _ number: Int, of known: TFLiteOperation, _ operation: TFLiteFile.Operation,
    activation: Int, excess: RoundingExcess
  ) throws(LoweringFault) -> Value {
    let function = try TFLiteActivation.function(activation)
    guard let range = file.tensors[number].type.quantizedRange,
      let quantization = try wholeQuantization(number)
    else { return function == .identity ? value : try builder.applied([function], to: value) }
    let isRounded = try bytes(number) != nil
    // Its numbers are some of the operands'.
    if known.treatment == .moving, activation == 0, !isRounded {
      var isSame = true
      for source in operation.inputs
      where source >= 0 && file.tensors[source].type.quantizedRange != nil {
        if try TFLiteQuantization(file.tensors[source]) != quantization { isSame = false }
      }
      if isSame { return value }
    }
    if isRounded, case .computed = value { noteRounding(TFLiteOperations.name(operation)) }
    var functions: [Layer.Activation] = []
    let limits = function.limits
    if function != .identity, limits == nil { functions.append(function) }
    functions += quantization.rounding(
      to: range, limits: limits, isRounded: isRounded, excess: excess)
    return try builder.applied(functions, to: value)
  }

  /// Notes that a tensor's maps are cut into pieces.
  mutating func cut(_ number: Int, into counts: [Int]?) { pieces[number] = counts }
}

/// The function that an operation applies to its results, by its code.
enum TFLiteActivation {
  static func function(_ code: Int) throws(LoweringFault) -> Layer.Activation {
    switch code {
    case 0: return .identity
    case 1: return .relu
    case 2: return .clamp(lower: -1, upper: 1)
    case 3: return .relu6
    case 4: return .tanh
    case 5: throw .unsupported("its function gives the sign's bit")
    default: throw .invalid("Its function is \(code).")
    }
  }
}
