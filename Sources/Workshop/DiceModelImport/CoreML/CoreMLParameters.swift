/// The parameters of a layer: a message whose damage is told as the layer's.
struct CoreMLParameters {
  /// The most numbers of a list: of axes, extents, amounts.
  static let listLimit = 4096

  let message: ProtobufMessage

  init(_ message: ProtobufMessage) { self.message = message }

  /// Carries an error of the wire format over.
  static func wire<Result>(
    _ read: () throws(ProtobufError) -> Result
  ) throws(LoweringFault) -> Result {
    do throws(ProtobufError) { return try read() } catch { throw .invalid("\(error)") }
  }

  /// An integer; 0 where it is not there.
  func integer(_ field: Int) throws(LoweringFault) -> Int {
    try Self.wire { () throws(ProtobufError) in try message.integer(field) } ?? 0
  }

  /// An integer that 0 stands for a default of.
  func integer(_ field: Int, zeroMeans value: Int) throws(LoweringFault) -> Int {
    let integer = try integer(field)
    return integer == 0 ? value : integer
  }

  /// Whether a flag is set.
  func flag(_ field: Int) throws(LoweringFault) -> Bool { try integer(field) != 0 }

  /// A number; 0 where it is not there.
  func number(_ field: Int) throws(LoweringFault) -> Float {
    try Self.wire { () throws(ProtobufError) in try message.float(field) } ?? 0
  }

  /// A number that 0 stands for a default of.
  func number(_ field: Int, zeroMeans value: Float) throws(LoweringFault) -> Float {
    let number = try number(field)
    return number == 0 ? value : number
  }

  /// A message within this one.
  func parameters(_ field: Int) throws(LoweringFault) -> CoreMLParameters? {
    try Self.wire { () throws(ProtobufError) in try message.message(field) }
      .map { (message) in CoreMLParameters(message) }
  }

  /// A list of integers.
  func integers(_ field: Int) throws(LoweringFault) -> [Int] {
    let integers = try Self.wire { () throws(ProtobufError) in
      try message.integers(field, limit: Self.listLimit)
    }
    guard let integers else {
      throw .invalid("A list has more than \(Self.listLimit) numbers.")
    }
    return integers
  }

  /// A list of integers that are extents or amounts: none below 0, none so large that sums overflow.
  func sizes(_ field: Int) throws(LoweringFault) -> [Int] {
    let sizes = try integers(field)
    for size in sizes where !(0...(1 << 28)).contains(size) {
      throw .invalid("It has the size \(UInt(bitPattern: size)).")
    }
    return sizes
  }

  /// Two sizes, of rows and of columns; a list that is not there stands for a default, and so does 0.
  func pair(_ field: Int, default value: Int) throws(LoweringFault) -> [Int] {
    let sizes = try sizes(field)
    if sizes.isEmpty { return [value, value] }
    guard sizes.count == 2 else {
      throw .invalid("It has \(sizes.count) sizes where rows and columns have one each.")
    }
    return sizes.map { $0 == 0 ? value : $0 }
  }

  /// A list of flags.
  func flags(_ field: Int) throws(LoweringFault) -> [Bool] {
    try integers(field).map { $0 != 0 }
  }
}

/// One layer of a Core ML network with its operands.
struct CoreMLCall: OperandCall {
  /// The layer's kind, as the format names it.
  let kind: String
  /// Its parameters.
  let parameters: CoreMLParameters
  /// Its operands.
  let inputs: [Value]
  /// How many outputs it has.
  let outputCount: Int

  /// An operand that must be there.
  func input(_ index: Int) throws(LoweringFault) -> Value {
    guard inputs.indices.contains(index) else {
      throw .invalid("It has \(inputs.count) inputs; it needs \(index + 1).")
    }
    return inputs[index]
  }

  /// An operand that may be left out.
  func optional(_ index: Int) -> Value? {
    inputs.indices.contains(index) ? inputs[index] : nil
  }

  /// The shape of an operand that must have so many axes at least.
  func shape(_ index: Int, rankAtLeast rank: Int) throws(LoweringFault) -> [Int] {
    let shape = try shape(index)
    guard shape.count >= rank else {
      throw .invalid("Its input has the shape \(shape); it must have \(rank) axes at least.")
    }
    return shape
  }

  /// An operand of known whole numbers; nil where it is not there.
  func integers(_ index: Int, _ name: String) throws(LoweringFault) -> [Int]? {
    guard let tensor = try constant(index, name) else { return nil }
    return try tensor.wholeNumbers(name)
  }

  /// Whole numbers that are an operand where there are so many, and else a parameter.
  func integers(
    _ index: Int, _ name: String, orField field: Int
  ) throws(LoweringFault) -> [Int] {
    if let integers = try integers(index, name) { return integers }
    return try parameters.integers(field)
  }

  /// A whole number that is an operand where there are so many, and else a parameter.
  func integer(
    _ index: Int, _ name: String, orField field: Int
  ) throws(LoweringFault) -> Int {
    if let integer = try integers(index, name)?.first { return integer }
    return try parameters.integer(field)
  }

  /// Refuses an operand that is there.
  func refuse(_ index: Int, _ reason: String) throws(LoweringFault) {
    if inputs.indices.contains(index) { throw .unsupported(reason) }
  }
}
