internal import DiceWeights

/// The constants of a model: weights, biases and the factors of upsamplings.
///
/// They are most of a model's bytes, so they are written straight into it, one after the other.
struct InitializerList {
  /// The code of `TensorProto.DataType.FLOAT`.
  static let float32 = 1

  /// The field of `GraphProto`.
  private static let field = 5
  /// The field of `TensorProto` with the values.
  private static let valuesField = 9

  private enum Values {
    /// A tensor of the file.
    case tensor(Int)
    /// The list `[1, 1, factor, factor]`.
    case scales(Int)
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

  private let file: WeightFile
  private var initializers: [Initializer] = []

  /// All bytes that ``write(to:)`` appends; `Int.max` where that is no `Int`.
  private(set) var byteCount = 0

  static func name(ofTensor index: Int) -> String { "tensor\(index)" }

  static func scalesName(factor: Int) -> String { "scales\(factor)" }

  /// - Parameter scales: The factors of the upsamplings.
  init(_ file: WeightFile, scales: [Int]) {
    self.file = file
    for (index, tensor) in file.tensors.enumerated() {
      add(
        .tensor(index), name: Self.name(ofTensor: index),
        shape: Self.exportedShape(tensor.shape))
    }
    for factor in scales {
      add(.scales(factor), name: Self.scalesName(factor: factor), shape: [4])
    }
  }

  /// `[KH, KW, I, O]` becomes `[O, I, KH, KW]`; biases stay as they are.
  private static func exportedShape(_ shape: [Int]) -> [Int] {
    shape.count == 4 ? [shape[3], shape[2], shape[0], shape[1]] : shape
  }

  private mutating func add(_ values: Values, name: String, shape: [Int]) {
    var head = ProtobufWriter()
    for dimension in shape { head.integer(1, dimension) }
    head.integer(2, Self.float32)
    head.string(8, name)
    var count = 1
    for dimension in shape { count *= dimension }
    let valuesByteCount = count.multipliedReportingOverflow(by: 4)
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
      case .scales(let factor):
        for scale in [1, 1, Float(factor), Float(factor)] { writer.word(scale.bitPattern) }
      case .tensor(let index):
        let shape = file.tensors[index].shape
        file.withFloats(of: index) { (values) in
          guard shape.count == 4 else {
            for element in values.indices { writer.word(values[element].bitPattern) }
            return
          }
          let (kernel, inputs, outputs) = (shape[0] * shape[1], shape[2], shape[3])
          for output in 0..<outputs {
            for input in 0..<inputs {
              for place in 0..<kernel {
                writer.word(values[(place * inputs + input) * outputs + output].bitPattern)
              }
            }
          }
        }
      }
    }
  }
}
