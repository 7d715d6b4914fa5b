/// Small Core ML models.
enum CoreMLFile {
  /// A layer: its kind's field and its parameters.
  static func layer(
    _ field: UInt64, _ inputs: [String], _ outputs: [String], _ parameters: [UInt8] = [],
    name: String = ""
  ) -> [UInt8] {
    Message.text(1, name) + inputs.flatMap { Message.text(2, $0) }
      + outputs.flatMap { Message.text(3, $0) } + Message.bytes(field, parameters)
  }

  /// A network of layers with other fields behind them.
  static func network(_ layers: [[UInt8]], _ other: [UInt8] = []) -> [UInt8] {
    layers.flatMap { Message.bytes(1, $0) } + other
  }

  /// A model of some kind.
  static func model(
    version: Int = 1, inputs: [[UInt8]], outputs: [[UInt8]], kind: UInt64 = 500,
    content: [UInt8], description: [UInt8] = []
  ) -> [UInt8] {
    Message.integer(1, version)
      + Message.bytes(
        2,
        inputs.flatMap { Message.bytes(1, $0) } + outputs.flatMap { Message.bytes(10, $0) }
          + description)
      + Message.bytes(kind, content)
  }

  /// A model with one array and one layer behind another.
  static func chain(
    _ shape: [Int], version: Int = 1, _ layers: [(UInt64, [UInt8])], exact: Bool = false
  ) -> [UInt8] {
    var messages: [[UInt8]] = []
    for (index, (field, parameters)) in layers.enumerated() {
      messages.append(
        layer(field, [index == 0 ? "x" : "\(index)"], ["\(index + 1)"], parameters))
    }
    return model(
      version: version, inputs: [array("x", shape)], outputs: [array("\(layers.count)", [])],
      content: network(messages, exact ? Message.integer(5, 1) : []))
  }

  // MARK: Features

  static func array(_ name: String, _ shape: [Int]) -> [UInt8] {
    let extents = shape.flatMap { Message.integer(1, $0) }
    return Message.text(1, name)
      + Message.bytes(3, Message.bytes(5, extents + Message.integer(2, 65568)))
  }

  /// A picture; colour spaces are 10 for gray, 20 for red green blue, 30 for the reverse.
  static func picture(_ name: String, height: Int, width: Int, colors: Int = 20) -> [UInt8] {
    let type =
      Message.integer(1, width) + Message.integer(2, height) + Message.integer(3, colors)
    return Message.text(1, name) + Message.bytes(3, Message.bytes(4, type))
  }

  /// A dictionary of probabilities, or a text.
  static func feature(_ name: String, kind: UInt64) -> [UInt8] {
    Message.text(1, name) + Message.bytes(3, Message.bytes(kind, []))
  }

  // MARK: Weights

  static func little(_ value: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
  }

  /// A field of type double.
  static func double(_ field: UInt64, _ value: Double) -> [UInt8] {
    Message.varint(field << 3 | 1) + little(value)
  }

  static func floats(_ numbers: [Float]) -> [UInt8] {
    Message.bytes(1, numbers.flatMap(Message.little))
  }

  /// Numbers of a few bits with what they stand for.
  static func quantized(_ bytes: [UInt8], bits: Int, _ meaning: [UInt8]) -> [UInt8] {
    Message.bytes(30, bytes) + Message.bytes(40, Message.integer(1, bits) + meaning)
  }

  /// One scale and one bias for all numbers, or one for each channel.
  static func linear(_ scales: [Float], _ biases: [Float]) -> [UInt8] {
    Message.bytes(
      101,
      Message.bytes(1, scales.flatMap(Message.little))
        + Message.bytes(2, biases.flatMap(Message.little)))
  }

  /// A product with a matrix of one row for each output.
  static func innerProduct(_ inputs: Int, _ outputs: Int, _ weights: [UInt8]) -> [UInt8] {
    Message.integer(1, inputs) + Message.integer(2, outputs) + Message.bytes(20, weights)
  }
}
