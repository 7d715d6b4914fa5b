public import DiceWeights

/// A network as an ONNX model, for other engines.
///
/// The model has one input and one output for each detection head, all float32:
///
/// - `image`, `[1, 3, H, W]`: the picture brought to H by W pixels as the weight file's input rules
///   say, with the value `sample * scales[c] + biases[c]` for a sample of 0...255 in channel `c`,
///   where channels are in the rules' channel order. The model itself does not scale.
/// - `head0`, `head1`, ..., `[1, 5 + classes, H / stride, W / stride]` in the order of the weight
///   file's heads: tx, ty, tw, th, objectness and the class logits of each cell, as the network
///   leaves them. ``DiceWeights/Layer/DetectionHead`` says what they mean.
///
/// Nodes are `Conv`, `LeakyRelu`, `Relu`, `Sigmoid`, `Mul`, `MaxPool`, `Resize`, `Concat`, `Add`
/// and `Identity`. Weights are float32, in the layout `[O, I, KH, KW]`, whatever the file's
/// storage.
///
/// What a program needs besides goes into the model's metadata, as text: `name`, `labels`,
/// `confidenceThreshold`, `intersectionOverUnionThreshold`, `inputWidth`, `inputHeight`,
/// `channelOrder`, `scales`, `biases`, `cropAndScale`, `paddingValue`, `heads`, `decoding`,
/// `checksum` (of the weight file) and `provenance.KEY`. Lists are JSON.
///
/// Source: the ONNX specification, IR version 8, operator set 17.
public enum ONNXModel {
  /// The version of the container that is written.
  public static let intermediateRepresentationVersion = 8
  /// The version of the operators that is written.
  public static let operatorSetVersion = 17
  /// The most bytes of a model: protocol buffers end at 2 GiB.
  public static let maximumByteCount = Int(Int32.max)
  /// The name of the model's input.
  public static let inputName = "image"

  /// The name of the output of the detection head with this index.
  public static func outputName(ofHead index: Int) -> String { "head\(index)" }

  /// The size of the model's input.
  public enum InputSize: Hashable, Sendable {
    /// The weight file's default size.
    case standard
    /// Another size: multiples of 32 in 32...4096.
    case fixed(width: Int, height: Int)
    /// Any size: height and width are dimensions with names. Both must be multiples of 32 when the
    /// model is run.
    case flexible
  }

  /// Writes a model.
  ///
  /// - Parameters:
  ///   - file: The network.
  ///   - inputSize: The size of the input.
  ///   - byteCountLimit: The most bytes of the model, where less than ``maximumByteCount``.
  /// - Returns: The bytes of the model; equal arguments give equal bytes.
  /// - Throws: The broken rule; before anything large is built.
  /// - Complexity: O(number of bytes); memory is that of the result and of the largest tensor.
  public static func encode(
    _ file: WeightFile, inputSize: InputSize = .standard, byteCountLimit: Int = maximumByteCount
  ) throws(ONNXExportError) -> [UInt8] {
    let input = file.description.input
    var size: (width: Int, height: Int)?
    switch inputSize {
    case .standard: size = (input.width, input.height)
    case .fixed(let width, let height):
      for side in [width, height] {
        guard WeightFormat.inputSizes.contains(side), side % WeightFormat.inputMultiple == 0 else {
          throw .inputSize(width: width, height: height)
        }
      }
      size = (width, height)
    case .flexible: size = nil
    }
    let graph = ONNXGraph(file, inputSize: size)
    let metadata = ONNXMetadata(file, inputSize: size)
    let tensors = InitializerList(file, scales: graph.resizeFactors)

    var prefix = ProtobufWriter()
    prefix.integer(ModelField.version, intermediateRepresentationVersion)
    prefix.string(ModelField.producer, "DiceVisionKit")
    prefix.message(ModelField.operatorSet) { (writer) in
      writer.string(1, "")
      writer.integer(2, operatorSetVersion)
    }
    for entry in metadata.entries {
      prefix.message(ModelField.metadata) { (writer) in
        writer.string(1, entry.key)
        writer.string(2, entry.value)
      }
    }
    let graphByteCount = graph.bytes.count.addingReportingOverflow(tensors.byteCount)
    let limit = min(byteCountLimit, maximumByteCount)
    let byteCount =
      graphByteCount.overflow
      ? .max
      : prefix.bytes.count
        + ProtobufWriter.byteCount(field: ModelField.graph, count: graphByteCount.partialValue)
    guard byteCount <= limit else { throw .modelTooLarge(byteCount: byteCount, limit: limit) }
    prefix.reserve(byteCount)
    prefix.beginBytes(ModelField.graph, count: graphByteCount.partialValue)
    prefix.append(graph.bytes)
    tensors.write(to: &prefix)
    return prefix.bytes
  }

  /// Field numbers of `ModelProto`.
  private enum ModelField {
    static let version = 1
    static let producer = 2
    static let graph = 7
    static let operatorSet = 8
    static let metadata = 14
  }
}
