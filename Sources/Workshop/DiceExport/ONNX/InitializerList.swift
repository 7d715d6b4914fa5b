internal import DiceWeights

/// The constants of a model: tensors of the file, and numbers that belong to layers.
///
/// They are most of a model's bytes, so they are written straight into it, one after the other.
struct InitializerList {
  /// The code of `TensorProto.DataType.FLOAT`.
  static let float32 = 1
  /// The code of `TensorProto.DataType.INT64`.
  static let int64 = 7

  /// The field of `GraphProto`.
  private static let field = 5
  /// The field of `TensorProto` with the values.
  private static let valuesField = 9

  private enum Values {
    case tensor(Int, TensorLayout)
    case floats([Float])
    case integers([Int])
  }

  private struct Initializer {
    var values: Values
    /// The fields of the message before the values.
    var head: [UInt8]
    var valuesByteCount: Int

    /// The bytes of the message.
    var byteCount: Int {
      head.count
        + ProtobufWriter.byteCount(
          field: InitializerList.valuesField, count: valuesByteCount)
    }
  }

  private struct Key: Hashable {
    var tensor: Int
    var layout: TensorLayout
  }

  private let file: WeightFile
  private var initializers: [Initializer] = []
  private var known: Set<Key> = []

  /// All bytes that ``write(to:)`` appends; `Int.max` where that is no `Int`.
  private(set) var byteCount = 0

  init(_ file: WeightFile) { self.file = file }

  /// Adds a tensor of the file, once for each layout.
  mutating func add(tensor: Int, _ layout: TensorLayout, name: String) {
    guard known.insert(Key(tensor: tensor, layout: layout)).inserted else { return }
    let tensorShape = file.tensors[tensor].shape
    add(.tensor(tensor, layout), name: name, shape: layout.shape(of: tensorShape))
  }

  /// Adds a number without dimensions.
  mutating func add(number: Float, name: String) { add(.floats([number]), name: name, shape: []) }

  /// Adds a list of numbers.
  mutating func add(numbers: [Float], name: String) {
    add(.floats(numbers), name: name, shape: [numbers.count])
  }

  /// Adds a number for each channel of `[1, C, H, W]`.
  mutating func add(channelNumbers numbers: [Float], name: String) {
    add(.floats(numbers), name: name, shape: [numbers.count, 1, 1])
  }

  /// The numbers of a tensor of the file.
  func floats(_ tensor: Int) -> [Float] { file.floats(of: tensor) }

  /// Adds a list of integers, none of them negative.
  mutating func add(integers: [Int], name: String) {
    add(.integers(integers), name: name, shape: [integers.count])
  }

  private mutating func add(_ values: Values, name: String, shape: [Int]) {
    var head = ProtobufWriter()
    var (size, type) = (4, Self.float32)
    if case .integers = values { (size, type) = (8, Self.int64) }
    for dimension in shape { head.integer(1, dimension) }
    head.integer(2, type)
    head.string(8, name)
    var count = 1
    for dimension in shape { count *= dimension }
    let valuesByteCount = count.multipliedReportingOverflow(by: size)
    let initializer = Initializer(
      values: values, head: head.bytes,
      valuesByteCount: valuesByteCount.overflow ? .max / 2 : valuesByteCount.partialValue)
    let sum = byteCount.addingReportingOverflow(
      ProtobufWriter.byteCount(field: Self.field, count: initializer.byteCount))
    byteCount = sum.overflow ? .max : sum.partialValue
    initializers.append(initializer)
  }

  /// Appends all constants to a graph.
  func write(to writer: inout ProtobufWriter) {
    for initializer in initializers {
      writer.beginBytes(Self.field, count: initializer.byteCount)
      writer.append(initializer.head)
      writer.beginBytes(Self.valuesField, count: initializer.valuesByteCount)
      switch initializer.values {
      case .floats(let numbers): for number in numbers { writer.word(number.bitPattern) }
      case .integers(let numbers):
        for number in numbers {
          writer.word(UInt32(truncatingIfNeeded: number))
          writer.word(UInt32(truncatingIfNeeded: number &>> 32))
        }
      case .tensor(let index, let layout):
        let order = layout.order(of: file.tensors[index].shape)
        file.withFloats(of: index) { (values) in
          guard let order else {
            for element in values.indices { writer.word(values[element].bitPattern) }
            return
          }
          Self.write(values, order[...], from: 0, to: &writer)
        }
      }
    }
  }

  /// Writes the numbers along the first axis of an order, each with what the other axes have there.
  private static func write(
    _ values: Span<Float>, _ order: ArraySlice<(count: Int, step: Int)>, from start: Int,
    to writer: inout ProtobufWriter
  ) {
    guard let (count, step) = order.first else { return }
    let rest = order.dropFirst()
    for index in 0..<count {
      let element = start + index * step
      if rest.isEmpty {
        writer.word(values[element].bitPattern)
      } else {
        write(values, rest, from: element, to: &writer)
      }
    }
  }
}
