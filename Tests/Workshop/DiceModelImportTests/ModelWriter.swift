/// Writes messages of protocol buffers, for small models in tests.
struct Message {
  var bytes: [UInt8] = []

  init(_ parts: [UInt8]...) { bytes = parts.flatMap { $0 } }

  static func varint(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func integer(_ field: UInt64, _ value: Int) -> [UInt8] {
    varint(field << 3) + varint(UInt64(bitPattern: Int64(value)))
  }

  static func float(_ field: UInt64, _ value: Float) -> [UInt8] {
    varint(field << 3 | 5) + little(value)
  }

  static func bytes(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(UInt64(content.count)) + content
  }

  static func text(_ field: UInt64, _ text: String) -> [UInt8] { bytes(field, Array(text.utf8)) }

  static func little(_ value: Float) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
  }
}

/// Small ONNX models.
enum ONNXFile {
  /// A model of one graph.
  static func model(
    operatorSet: Int = 17, nodes: [[UInt8]], constants: [[UInt8]] = [],
    inputs: [(String, [Int])], outputs: [String], functions: [[UInt8]] = []
  ) -> [UInt8] {
    var graph: [UInt8] = []
    for node in nodes { graph += Message.bytes(1, node) }
    graph += Message.text(2, "case")
    for constant in constants { graph += Message.bytes(5, constant) }
    for (name, shape) in inputs { graph += Message.bytes(11, port(name, shape)) }
    for name in outputs { graph += Message.bytes(12, Message.text(1, name)) }
    return Message.integer(1, 8) + Message.bytes(7, graph)
      + Message.bytes(8, Message.text(1, "") + Message.integer(2, operatorSet))
      + functions.flatMap { Message.bytes(25, $0) }
  }

  /// A function of the domain "local".
  static func function(
    _ name: String, _ inputs: [String], _ outputs: [String], nodes: [[UInt8]],
    defaults: [[UInt8]] = [], operatorSet: Int = 17, overload: String = ""
  ) -> [UInt8] {
    Message.text(1, name) + inputs.flatMap { Message.text(4, $0) }
      + outputs.flatMap { Message.text(5, $0) } + nodes.flatMap { Message.bytes(7, $0) }
      + Message.bytes(9, Message.text(1, "") + Message.integer(2, operatorSet))
      + Message.text(10, "local") + defaults.flatMap { Message.bytes(11, $0) }
      + Message.text(13, overload)
  }

  /// An attribute that stands for one of a function's call.
  static func attribute(_ name: String, callers: String) -> [UInt8] {
    Message.text(1, name) + Message.text(21, callers)
  }

  /// An operation.
  static func node(
    _ operation: String, _ inputs: [String], _ outputs: [String], name: String = "",
    attributes: [[UInt8]] = [], domain: String = "", overload: String = ""
  ) -> [UInt8] {
    Message.text(7, domain) + Message.text(8, overload) + inputs.flatMap { Message.text(1, $0) }
      + outputs.flatMap { Message.text(2, $0) }
      + Message.text(3, name) + Message.text(4, operation)
      + attributes.flatMap { Message.bytes(5, $0) }
  }

  static func attribute(_ name: String, _ integers: [Int]) -> [UInt8] {
    Message.text(1, name) + integers.flatMap { Message.integer(8, $0) }
  }

  static func attribute(_ name: String, _ integer: Int) -> [UInt8] {
    Message.text(1, name) + Message.integer(3, integer)
  }

  static func attribute(_ name: String, _ number: Float) -> [UInt8] {
    Message.text(1, name) + Message.float(2, number)
  }

  static func attribute(_ name: String, _ text: String) -> [UInt8] {
    Message.text(1, name) + Message.text(4, text)
  }

  /// A constant of floats.
  static func constant(_ name: String, _ shape: [Int], _ floats: [Float]) -> [UInt8] {
    shape.flatMap { Message.integer(1, $0) } + Message.integer(2, 1) + Message.text(8, name)
      + Message.bytes(9, floats.flatMap(Message.little))
  }

  /// A constant of integers.
  static func constant(_ name: String, _ integers: [Int]) -> [UInt8] {
    Message.integer(1, integers.count) + Message.integer(2, 7) + Message.text(8, name)
      + integers.flatMap { Message.integer(7, $0) }
  }

  /// A constant of integers of a type: 2 for uint8, 3 for int8, 6 for int32, 7 for int64.
  static func constant(_ name: String, type: Int, _ shape: [Int], _ integers: [Int]) -> [UInt8] {
    shape.flatMap { Message.integer(1, $0) } + Message.integer(2, type)
      + integers.flatMap { Message.integer(type == 7 ? 7 : 5, $0) } + Message.text(8, name)
  }

  /// A constant of floats whose bytes stand in another file.
  static func constant(
    _ name: String, _ shape: [Int], in file: String, offset: Int, length: Int
  ) -> [UInt8] {
    let parts = [("location", file), ("offset", "\(offset)"), ("length", "\(length)")]
    return shape.flatMap { Message.integer(1, $0) } + Message.integer(2, 1) + Message.text(8, name)
      + parts.flatMap { Message.bytes(13, Message.text(1, $0.0) + Message.text(2, $0.1)) }
      + Message.integer(14, 1)
  }

  /// An attribute that is a graph.
  static func attribute(
    _ name: String, graph nodes: [[UInt8]], constants: [[UInt8]] = [], inputs: [String] = [],
    outputs: [String]
  ) -> [UInt8] {
    let graph =
      nodes.flatMap { Message.bytes(1, $0) } + constants.flatMap { Message.bytes(5, $0) }
      + inputs.flatMap { Message.bytes(11, Message.text(1, $0)) }
      + outputs.flatMap { Message.bytes(12, Message.text(1, $0)) }
    return Message.text(1, name) + Message.bytes(6, graph)
  }

  /// An input; an extent of 0 is open.
  static func port(_ name: String, _ shape: [Int]) -> [UInt8] {
    let extents = shape.flatMap { (extent) in
      Message.bytes(1, extent == 0 ? Message.text(2, "n") : Message.integer(1, extent))
    }
    let tensor = Message.integer(1, 1) + Message.bytes(2, extents)
    return Message.text(1, name) + Message.bytes(2, Message.bytes(1, tensor))
  }
}
