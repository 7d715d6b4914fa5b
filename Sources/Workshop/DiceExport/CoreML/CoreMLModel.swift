public import DiceWeights

/// A network as a Core ML model (`.mlmodel`), for Xcode and Apple's systems.
///
/// It is a neural network of specification version 5, at the file's default sizes. Inputs and outputs
/// have the names that they have in the weight file; an output that is named like an input gets
/// ".output" behind its name. A picture is an image of the input's size with its scale, biases and order
/// of colours. Other inputs, and all outputs, are float32 arrays `[1, C, H, W]`. How a picture is
/// cropped to the size is the program's choice, in Vision `imageCropAndScaleOption`.
///
/// What a program needs besides stands in the model's user-defined metadata, with the keys of
/// ``ONNXModel``.
///
/// Source: `Model.proto`, `FeatureTypes.proto` and `NeuralNetwork.proto` of the Core ML model format.
public enum CoreMLModel {
  /// The version of the format that is written: iOS 14 and macOS 11 read it.
  public static let specificationVersion = 5
  /// The most bytes of a model: protocol buffers end at 2 GiB.
  public static let maximumByteCount = Int(Int32.max)

  /// The bytes that every model written here begins with: its version.
  package static var beginning: [UInt8] { [0x08, UInt8(specificationVersion)] }

  /// Writes a model.
  ///
  /// - Returns: The bytes of the model; equal files give equal bytes.
  /// - Throws: The broken rule.
  /// - Complexity: O(number of bytes); memory is a small multiple of the result.
  public static func encode(_ file: WeightFile) throws(CoreMLExportError) -> [UInt8] {
    let outputs = outputNames(file.description)
    let network = try CoreMLGraph(file, outputs: outputs).bytes
    guard network.count < maximumByteCount - 1 << 24 else {
      throw .modelTooLarge(byteCount: network.count, limit: maximumByteCount)
    }
    var writer = ProtobufWriter()
    writer.integer(1, specificationVersion)
    writer.message(2) { (description) in
      for (index, input) in file.description.inputs.enumerated() {
        description.message(1) { (feature) in
          feature.string(1, input.name)
          feature.message(3) { (type) in
            if let rules = input.imageRules {
              type.message(4) { (image) in
                let shape = file.shapes.inputs[index]
                image.integer(1, shape.width)
                image.integer(2, shape.height)
                image.integer(3, rules.channelOrder.colorSpace)
              }
            } else {
              type.array(file.shapes.inputs[index])
            }
          }
        }
      }
      for (output, name) in zip(file.description.outputs, outputs) {
        description.message(10) { (feature) in
          feature.string(1, name)
          feature.message(3) { (type) in type.array(file.shapes.layers[output.layer]) }
        }
      }
      description.message(100) { (metadata) in
        metadata.string(1, file.description.name)
        let entries = ONNXMetadata(
          file, outputs: outputs, shapes: file.shapes.inputs
        ).entries
        for entry in entries {
          metadata.message(100) { (pair) in
            pair.string(1, entry.key)
            pair.string(2, entry.value)
          }
        }
      }
    }
    writer.message(500, network)
    return writer.bytes
  }

  /// The names of outputs, none of which is an input's.
  private static func outputNames(_ description: NetworkDescription) -> [String] {
    var taken = Set(description.inputs.map { Array($0.name.utf8) })
    return description.outputs.map { (output) in
      var name = output.name
      while !taken.insert(Array(name.utf8)).inserted { name += ".output" }
      return name
    }
  }
}

extension ImageRules.ChannelOrder {
  /// The code of `ImageFeatureType.ColorSpace`.
  fileprivate var colorSpace: Int {
    switch self {
    case .gray: 10
    case .rgb: 20
    case .bgr: 30
    }
  }
}

extension ProtobufWriter {
  /// A feature type that is a float32 array `[1, C, H, W]`.
  fileprivate mutating func array(_ shape: TensorShape) {
    message(5) { (array) in
      array.packed(1, [1, shape.channels, shape.height, shape.width])
      array.integer(2, 65568)
    }
  }

  /// A repeated field of integers that are not negative.
  mutating func packed(_ field: Int, _ numbers: [Int]) {
    var content = ProtobufWriter()
    for number in numbers { content.number(number) }
    message(field, content.bytes)
  }

  /// A repeated field of type float.
  mutating func packed(_ field: Int, _ numbers: [Float]) {
    beginBytes(field, count: 4 * numbers.count)
    reserve(bytes.count + 4 * numbers.count)
    for number in numbers { word(number.bitPattern) }
  }

  /// A field that is a message `WeightParams`.
  mutating func weights(_ field: Int, _ numbers: [Float]) {
    message(field) { (weights) in weights.packed(1, numbers) }
  }
}
