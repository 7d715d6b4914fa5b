/// A message of protocol buffers, read back field by field.
struct ProtobufMessage {
  enum Value {
    case integer(UInt64)
    case word(UInt32)
    case bytes([UInt8])
  }

  struct Malformed: Error {
    let offset: Int
  }

  private(set) var fields: [(number: Int, value: Value)] = []

  init(_ bytes: [UInt8]) throws {
    var offset = 0
    func varint() throws -> UInt64 {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while true {
        guard offset < bytes.count, shift < 64 else { throw Malformed(offset: offset) }
        let byte = bytes[offset]
        offset += 1
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 {
          // The shortest form: no group of zeros at the end.
          guard byte != 0 || shift == 0 else { throw Malformed(offset: offset) }
          return value
        }
        shift += 7
      }
    }
    func take(_ count: Int) throws -> [UInt8] {
      guard count <= bytes.count - offset else { throw Malformed(offset: offset) }
      defer { offset += count }
      return Array(bytes[offset..<offset + count])
    }
    while offset < bytes.count {
      let key = try varint()
      let number = Int(key >> 3)
      switch key & 7 {
      case 0: fields.append((number, .integer(try varint())))
      case 2: fields.append((number, .bytes(try take(Int(try varint())))))
      case 5:
        let word = try take(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        fields.append((number, .word(word)))
      default: throw Malformed(offset: offset)
      }
    }
  }

  func integers(_ number: Int) -> [Int] {
    fields.compactMap { field in
      if field.number == number, case .integer(let value) = field.value { return Int(value) }
      return nil
    }
  }

  func floats(_ number: Int) -> [Float] {
    fields.compactMap { field in
      if field.number == number, case .word(let value) = field.value {
        return Float(bitPattern: value)
      }
      return nil
    }
  }

  func bytes(_ number: Int) -> [[UInt8]] {
    fields.compactMap { field in
      if field.number == number, case .bytes(let value) = field.value { return value }
      return nil
    }
  }

  func texts(_ number: Int) -> [String] {
    bytes(number).compactMap { bytes in String(validating: bytes, as: UTF8.self) }
  }

  func messages(_ number: Int) throws -> [ProtobufMessage] {
    try bytes(number).map { bytes in try ProtobufMessage(bytes) }
  }
}

/// An ONNX model, read back.
struct ReadModel {
  struct Node {
    var operation: String
    var inputs: [String]
    var outputs: [String]
    var integers: [String: [Int]] = [:]
    var floats: [String: Float] = [:]
    var texts: [String: String] = [:]
  }

  struct Tensor {
    var shape: [Int]
    /// Of a float32 tensor.
    var values: [Float] = []
    /// Of an int64 tensor.
    var integers: [Int] = []
  }

  let version: Int
  let operatorSet: Int
  let metadata: [(key: String, value: String)]
  let name: String
  let nodes: [Node]
  let tensors: [String: Tensor]
  let inputs: [(name: String, shape: [String])]
  let outputs: [(name: String, shape: [String])]

  init(_ bytes: [UInt8]) throws {
    let model = try ProtobufMessage(bytes)
    version = model.integers(1)[0]
    operatorSet = try model.messages(8)[0].integers(2)[0]
    metadata = try model.messages(14).map { entry in (entry.texts(1)[0], entry.texts(2)[0]) }
    let graph = try model.messages(7)[0]
    name = graph.texts(2)[0]
    nodes = try graph.messages(1).map { node in try Self.node(node) }
    var tensors: [String: Tensor] = [:]
    for tensor in try graph.messages(5) {
      let raw = tensor.bytes(9)[0]
      var read = Tensor(shape: tensor.integers(1))
      switch tensor.integers(2) {
      case [1]:
        read.values = Self.words(raw, size: 4).map { word in
          Float(bitPattern: UInt32(truncatingIfNeeded: word))
        }
      case [7]: read.integers = Self.words(raw, size: 8).map { word in Int(word) }
      default: throw ProtobufMessage.Malformed(offset: 0)
      }
      let count = read.shape.reduce(1, *)
      let name = tensor.texts(8)[0]
      guard max(read.values.count, read.integers.count) == count, tensors[name] == nil else {
        throw ProtobufMessage.Malformed(offset: 0)
      }
      tensors[name] = read
    }
    self.tensors = tensors
    inputs = try graph.messages(11).map { value in try Self.value(value) }
    outputs = try graph.messages(12).map { value in try Self.value(value) }
  }

  /// Little-endian numbers of some bytes each.
  private static func words(_ bytes: [UInt8], size: Int) -> [UInt64] {
    stride(from: 0, to: bytes.count, by: size).map { start in
      bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private static func node(_ message: ProtobufMessage) throws -> Node {
    var node = Node(
      operation: message.texts(4)[0], inputs: message.texts(1), outputs: message.texts(2))
    for attribute in try message.messages(5) {
      let name = attribute.texts(1)[0]
      switch attribute.integers(20) {
      case [1]: node.floats[name] = attribute.floats(2)[0]
      case [2]: node.integers[name] = attribute.integers(3)
      case [3]: node.texts[name] = attribute.texts(4)[0]
      case [7]: node.integers[name] = attribute.integers(8)
      default: throw ProtobufMessage.Malformed(offset: 0)
      }
    }
    return node
  }

  private static func value(_ message: ProtobufMessage) throws -> (String, [String]) {
    let tensor = try message.messages(2)[0].messages(1)[0]
    guard tensor.integers(1) == [1] else { throw ProtobufMessage.Malformed(offset: 0) }
    let shape = try tensor.messages(2)[0].messages(1).map { dimension in
      dimension.integers(1).first.map { "\($0)" } ?? dimension.texts(2).first ?? "?"
    }
    return (message.texts(1)[0], shape)
  }
}
