/// Messages of ONNX: attributes of nodes, types of inputs and outputs.
extension ProtobufWriter {
  /// The type codes of `AttributeProto`.
  private enum AttributeType {
    static let float = 1
    static let integer = 2
    static let text = 3
    static let integers = 7
  }

  mutating func integer(_ name: String, _ value: Int) {
    attribute(name, AttributeType.integer) { (writer) in writer.integer(3, value) }
  }

  mutating func integers(_ name: String, _ values: [Int]) {
    attribute(name, AttributeType.integers) { (writer) in
      for value in values { writer.integer(8, value) }
    }
  }

  mutating func float(_ name: String, _ value: Float) {
    attribute(name, AttributeType.float) { (writer) in writer.float(2, value) }
  }

  mutating func text(_ name: String, _ value: String) {
    attribute(name, AttributeType.text) { (writer) in writer.string(4, value) }
  }

  private mutating func attribute(
    _ name: String, _ type: Int, _ value: (inout ProtobufWriter) -> Void
  ) {
    message(5) { (writer) in
      writer.string(1, name)
      value(&writer)
      writer.integer(20, type)
    }
  }

  /// A dimension of an input or an output.
  enum Dimension {
    case number(Int)
    case name(String)
    case unknown
  }

  /// Name and type of a float32 input or output.
  mutating func value(_ name: String, _ dimensions: [Dimension]) {
    string(1, name)
    message(2) { (type) in
      type.message(1) { (tensor) in
        tensor.integer(1, InitializerList.float32)
        tensor.message(2) { (shape) in
          for dimension in dimensions {
            shape.message(1) { (writer) in
              switch dimension {
              case .number(let number): writer.integer(1, number)
              case .name(let name): writer.string(2, name)
              case .unknown: break
              }
            }
          }
        }
      }
    }
  }
}
