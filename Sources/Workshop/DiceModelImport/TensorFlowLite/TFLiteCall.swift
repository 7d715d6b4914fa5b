internal import DiceWeights

/// One operation of a TensorFlow Lite graph with its operands.
struct TFLiteCall: OperandCall {
  /// The operation's name.
  let kind: String
  /// Its options; a table without fields where it has none.
  let options: FlatbufferTable?
  /// The bytes of an operation that is not builtin.
  let customOptions: ArraySlice<UInt8>
  /// The operands; nil where one is left out.
  let inputs: [Value?]
  /// The types of the operands.
  let types: [TFLiteElement]
  /// The types of the results.
  let resultTypes: [TFLiteElement]

  // MARK: Operands

  /// An operand that must be there.
  func input(_ index: Int) throws(LoweringFault) -> Value {
    guard let value = optional(index) else {
      throw .invalid("\(kind) lacks its operand \(index).")
    }
    return value
  }

  /// An operand that may be left out.
  func optional(_ index: Int) -> Value? {
    inputs.indices.contains(index) ? inputs[index] : nil
  }

  /// The shape of maps, `[N, H, W, C]`.
  func mapShape(_ index: Int) throws(LoweringFault) -> [Int] {
    let shape = try shape(index)
    guard shape.count == 4, !shape.contains(0) else {
      throw .invalid("Its operand has the shape \(shape), which is none of maps.")
    }
    return shape
  }

  /// An operand of known whole numbers, which must be there.
  func integers(_ index: Int, _ name: String) throws(LoweringFault) -> [Int] {
    guard let tensor = try constant(index, name) else {
      throw .invalid("\(kind) lacks its \(name).")
    }
    return try tensor.wholeNumbers(name)
  }

  /// An operand of one known number, which must be there.
  func scalar(_ index: Int, _ name: String) throws(LoweringFault) -> Float {
    guard let scalar = try constant(index, name)?.scalar else {
      throw .invalid("Its \(name) is not one number.")
    }
    return scalar
  }

  /// One known whole number, which must be there.
  func integer(_ index: Int, _ name: String) throws(LoweringFault) -> Int {
    guard let integer = try integers(index, name).first else {
      throw .invalid("Its \(name) is not one number.")
    }
    return integer
  }

  /// The biases of so many sums; nil where there are none.
  func bias(_ index: Int, count: Int) throws(LoweringFault) -> [Float]? {
    let stated = try constant(index, "bias")?.floats
    if let stated, stated.count != count {
      throw .invalid("It has \(stated.count) biases for \(count) sums.")
    }
    return stated
  }

  /// Whether the numbers of an operand are integers.
  func isInteger(_ index: Int) -> Bool { types.indices.contains(index) && types[index].isInteger }

  // MARK: Options

  private func read<Result>(
    _ read: (FlatbufferTable) throws(FlatbufferError) -> Result?
  ) throws(LoweringFault) -> Result? {
    guard let options else { return nil }
    do throws(FlatbufferError) { return try read(options) } catch { throw .invalid("\(error)") }
  }

  /// An integer of four bytes.
  func option(_ field: Int, default value: Int = 0) throws(LoweringFault) -> Int {
    try read { (options) throws(FlatbufferError) in try options.integer(field, byteCount: 4) }
      ?? value
  }

  /// A choice or flag of one byte.
  func choice(_ field: Int) throws(LoweringFault) -> Int {
    try read { (options) throws(FlatbufferError) in try options.integer(field, byteCount: 1) } ?? 0
  }

  /// A flag.
  func flag(_ field: Int, default value: Bool = false) throws(LoweringFault) -> Bool {
    try read { (options) throws(FlatbufferError) in try options.integer(field, byteCount: 1) }
      .map { (number) in number != 0 } ?? value
  }

  /// A number.
  func number(_ field: Int, default value: Float = 0) throws(LoweringFault) -> Float {
    try read { (options) throws(FlatbufferError) in try options.float(field) } ?? value
  }

  /// A text; empty where it is not there.
  func text(_ field: Int) throws(LoweringFault) -> String {
    try read { (options) throws(FlatbufferError) in try options.text(field, byteLimit: 256) } ?? ""
  }

  /// A list of integers of four bytes; nil where it is not there.
  func optionList(_ field: Int) throws(LoweringFault) -> [Int]? {
    try read { (options) throws(FlatbufferError) in
      try options.integers(field, byteCount: 4, limit: TFLiteFile.operandLimit)
    }
  }

  /// A list of numbers.
  func numberList(_ field: Int) throws(LoweringFault) -> [Float] {
    try read { (options) throws(FlatbufferError) in
      try options.floats(field, limit: TFLiteFile.operandLimit)
    } ?? []
  }

  // MARK: Axes

  /// Different axes, counted from the end where they are negative; one that is named twice counts once.
  func axes(_ axes: [Int], rank: Int) throws(LoweringFault) -> [Int] {
    var places: [Int] = []
    for axis in axes {
      let place = try self.axis(axis, rank: rank)
      if !places.contains(place) { places.append(place) }
    }
    return places
  }
}
