/// A TensorFlow Lite model as its file has it: the first graph's tensors and operations.
///
/// Numbers of constants stay in the file until an operation reads them.
///
/// Source: `schema.fbs` of LiteRT, version 3; numbers are places of fields in its tables.
struct TFLiteFile {
  /// A tensor of the graph.
  struct Tensor {
    var name = ""
    /// The extents that the file states; an open one is 1.
    var shape: [Int] = []
    /// Whether each extent is open, where the file says so.
    var isOpen: [Bool] = []
    var type = TFLiteElement.float32
    /// The code of a type that is not known.
    var unknownType: Int?
    /// Where its numbers lie in the file; nil for one that is computed.
    var data: Range<Int>?
    var quantization: FlatbufferTable?
    /// Where its numbers stand; nil where all of them are stored.
    var sparsity: FlatbufferTable?
    var isVariable = false
  }

  /// An operation of the graph.
  struct Operation {
    /// The code of a builtin operation.
    let code: Int
    /// The name of another one.
    let customName: String
    /// Tensors by their numbers; -1 where one is left out.
    let inputs: [Int]
    let outputs: [Int]
    let options: FlatbufferTable?
    /// Where the options of an operation that is not builtin lie in the file.
    let customOptions: Range<Int>?
  }

  /// The file's first bytes behind an offset.
  static let identifier = "TFL3"
  /// The most of what a model has.
  static let tensorLimit = 1 << 16
  static let operationLimit = 1 << 14
  static let operandLimit = 1 << 10
  static let rankLimit = GraphBuilder.rankLimit

  let bytes: [UInt8]
  let version: Int
  let description: String
  let graphName: String
  let graphCount: Int
  let tensors: [Tensor]
  private(set) var operations: [Operation]
  private(set) var inputs: [Int]
  private(set) var outputs: [Int]
  /// Inputs whose numbers are known, by their tensors.
  private(set) var fixed: [Int: ConstantTensor] = [:]

  /// - Parameter index: Which graph is read; the others run where operations of that one say so.
  init(_ bytes: [UInt8], graph index: Int = 0) throws(ModelImportError) {
    self.bytes = bytes
    do throws(FlatbufferError) {
      let model = try FlatbufferTable(bytes, identifier: Self.identifier)
      version = try model.integer(0, byteCount: 4) ?? 0
      description = try model.text(3) ?? ""
      let codes = try model.tables(1, limit: Self.operationLimit)
      let buffers = try model.tables(4, limit: Self.tensorLimit)
      let graphs = try model.tables(2, limit: Self.operationLimit)
      graphCount = graphs.count
      guard graphs.indices.contains(index) else {
        guard index == 0 else { throw FlatbufferError.tooLong(count: index, limit: graphs.count) }
        (graphName, tensors, operations, inputs, outputs) = ("", [], [], [], [])
        return
      }
      let graph = graphs[index]
      graphName = try graph.text(4) ?? ""
      var tensors: [Tensor] = []
      for table in try graph.tables(0, limit: Self.tensorLimit) {
        tensors.append(try Self.tensor(table, buffers))
      }
      self.tensors = tensors
      inputs = try graph.integers(1, byteCount: 4, limit: Self.operandLimit) ?? []
      outputs = try graph.integers(2, byteCount: 4, limit: Self.operandLimit) ?? []
      var operations: [Operation] = []
      for table in try graph.tables(3, limit: Self.operationLimit) {
        operations.append(try Self.operation(table, codes))
      }
      self.operations = operations
    } catch {
      throw .flatbuffer(error)
    }
    try check()
  }

  /// The same file with fewer operations and other outputs.
  func with(operations: [Operation], outputs: [Int]) -> TFLiteFile {
    var file = self
    file.operations = operations
    file.outputs = outputs
    return file
  }

  /// The extents of a tensor; nil where one is open.
  func statedShape(_ number: Int) -> [Int?] {
    let tensor = tensors[number]
    return tensor.shape.indices.map { tensor.isOpen[$0] ? nil : tensor.shape[$0] }
  }

  /// The same file with inputs that are known.
  func fixing(_ inputs: FixedInputs) -> TFLiteFile {
    var file = self
    for (name, tensor) in inputs.values {
      guard let number = self.inputs.first(where: { self.name($0) == name }) else { continue }
      file.fixed[number] = tensor
      file.inputs.removeAll { $0 == number }
    }
    return file
  }

  // MARK: Parts

  private static func tensor(
    _ table: FlatbufferTable, _ buffers: [FlatbufferTable]
  ) throws(FlatbufferError) -> Tensor {
    var tensor = Tensor()
    tensor.name = try table.text(3) ?? ""
    let shape = try table.integers(0, byteCount: 4, limit: rankLimit) ?? []
    let signature = try table.integers(7, byteCount: 4, limit: rankLimit) ?? []
    tensor.shape = shape.map { $0 < 0 ? 1 : $0 }
    tensor.isOpen = shape.indices.map { (axis) in
      shape[axis] < 0 || signature.count == shape.count && signature[axis] < 0
    }
    let type = try table.integer(1, byteCount: 1) ?? 0
    if let known = TFLiteElement(rawValue: type) {
      tensor.type = known
    } else {
      tensor.unknownType = type
    }
    tensor.quantization = try table.table(4)
    tensor.isVariable = try table.integer(5, byteCount: 1) ?? 0 != 0
    tensor.sparsity = try table.table(6)
    let buffer = try table.integer(2, byteCount: 4) ?? 0
    if buffer > 0, buffer < buffers.count, !tensor.isVariable {
      tensor.data = try data(buffers[buffer])
    }
    return tensor
  }

  /// Where the numbers of a buffer lie; nil where it has none.
  private static func data(_ buffer: FlatbufferTable) throws(FlatbufferError) -> Range<Int>? {
    if let range = try buffer.byteRange(0), !range.isEmpty { return range }
    // Large models have their numbers behind the flatbuffer.
    let offset = try buffer.integer(1, byteCount: 8) ?? 0
    let count = try buffer.integer(2, byteCount: 8) ?? 0
    guard offset > 1, count > 0 else { return nil }
    guard offset <= buffer.bytes.count, count <= buffer.bytes.count - offset else {
      throw .outOfBounds(offset: offset)
    }
    return offset..<offset + count
  }

  private static func operation(
    _ table: FlatbufferTable, _ codes: [FlatbufferTable]
  ) throws(FlatbufferError) -> Operation {
    let index = try table.integer(0, byteCount: 4) ?? 0
    guard codes.indices.contains(index) else {
      throw .tooLong(count: index, limit: codes.count)
    }
    // Codes from 127 on stand in a newer field.
    let old = try codes[index].integer(0, byteCount: 1) ?? 0
    let new = try codes[index].integer(3, byteCount: 4) ?? 0
    var options = try table.table(4)
    if options == nil { options = try table.table(12) }
    return Operation(
      code: max(old, new), customName: try codes[index].text(1, byteLimit: 256) ?? "",
      inputs: try table.integers(1, byteCount: 4, limit: operandLimit) ?? [],
      outputs: try table.integers(2, byteCount: 4, limit: operandLimit) ?? [],
      options: options, customOptions: try table.byteRange(5))
  }

  /// Every number of a tensor must be one of the graph's.
  private func check() throws(ModelImportError) {
    guard version == 3 else {
      throw .invalid(place: "The model", rule: "Its schema version is \(version); it must be 3.")
    }
    guard graphCount > 0 else { throw .invalid(place: "The model", rule: "It has no graph.") }
    for (place, numbers, isOptional) in [
      ("The model's inputs", inputs, false), ("The model's outputs", outputs, false),
    ] + operations.map({ (self.place(of: $0), $0.inputs, true) })
      + operations.map({ (self.place(of: $0), $0.outputs, false) })
    {
      for number in numbers where !tensors.indices.contains(number) {
        if isOptional, number == -1 { continue }
        throw .invalid(
          place: place,
          rule: "It names tensor \(number); the graph has \(tensors.count).")
      }
    }
    // What is computed is no input of the network.
    for number in inputs where tensors[number].data != nil {
      throw .invalid(place: name(number), rule: "It is an input and has numbers.")
    }
  }

  // MARK: Names

  /// The name of a tensor; its number where it has none.
  func name(_ number: Int) -> String {
    let name = tensors.indices.contains(number) ? tensors[number].name : ""
    return name.isEmpty ? "tensor \(number)" : name
  }

  /// Where an operation stands: the name of its first output.
  func place(of operation: Operation) -> String {
    operation.outputs.first.map { name($0) } ?? "an operation"
  }
}
