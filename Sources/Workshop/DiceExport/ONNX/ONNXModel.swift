public import DiceWeights

/// A network as an ONNX model, for other engines.
///
/// The model's inputs and outputs have the names that they have in the weight file; an output that is
/// named like an input gets ".output" behind its name. All are float32, `[1, C, H, W]`: a value of H rows, W columns and C channels. A vector is `[1, C, 1, 1]`, a
/// sequence `[1, C, T, 1]`. What a picture needs before it enters (its size, the order of its
/// channels, `sample * scale + bias`) is not part of the model, nor is what comes behind the outputs.
///
/// Every layer becomes one node or a few, without loss. The exponential function alone differs: here
/// it takes nothing above 88, where others give infinity a little later. Weights are float32,
/// whatever the file's storage. A nearest resizing to a stated size becomes two `Gather`, unless rows
/// and columns are multiples of the input's: which numbers are nearest would depend on an engine's
/// rounding.
///
/// What a program needs besides goes into the model's metadata, as text; lists and objects are JSON:
///
/// - `name`, `task`, `checksum` (of the weight file), `provenance.KEY`
/// - `inputs`: for each its `name`, `height`, `width`, `channels`, whether it is `resizable`, and for
///   a picture `image` with `channelOrder`, `scales`, `biases`, `cropAndScale` and `paddingValue`
/// - `outputs`: for each its `name`, the `nameInFile` where that differs, where there is one its `downsampling` (how many pixels of the
///   first input make one of it), and where it has a head the `kind`, `labels` and `parameters`
/// - `sizeMultiple`: rows and columns of resizable inputs are multiples of it
/// - `profile`: constants of the program around the network, by name
/// - where a picture is the only input: `inputWidth`, `inputHeight`, `channelOrder`, `scales`,
///   `biases`, `cropAndScale`, `paddingValue`
/// - where the outputs are boxes on grids: `labels`, `confidenceThreshold`,
///   `intersectionOverUnionThreshold`, `heads` (for each its `output`, `stride` and `baseSize`) and
///   `decoding`, which says how channels become boxes
///
/// Source: the ONNX specification, IR version 9, operator set 20.
public enum ONNXModel {
  /// The version of the container that is written.
  public static let intermediateRepresentationVersion = 9
  /// The version of the operators that is written: the first that has GELU.
  public static let operatorSetVersion = 20
  /// The most bytes of a model: protocol buffers end at 2 GiB.
  public static let maximumByteCount = Int(Int32.max)

  /// The sizes of the model's inputs.
  public enum InputSize: Hashable, Sendable {
    /// The weight file's default sizes.
    case standard
    /// Another size of the first input, in pixels.
    case fixed(width: Int, height: Int)
    /// A shape for each input.
    case shapes([TensorShape])
    /// Any size for resizable inputs: height and width are dimensions with names. Both must be
    /// multiples of the network's size multiple when the model is run.
    case flexible
  }

  /// The bytes that every model written here begins with, which name its producer.
  package static var beginning: [UInt8] { beginningWriter.bytes }

  private static var beginningWriter: ProtobufWriter {
    var writer = ProtobufWriter()
    writer.integer(ModelField.version, intermediateRepresentationVersion)
    writer.string(ModelField.producer, "DiceVisionKit")
    return writer
  }

  /// Writes a model.
  ///
  /// - Parameters:
  ///   - file: The network.
  ///   - inputSize: The sizes of the inputs.
  ///   - byteCountLimit: The most bytes of the model, where less than ``maximumByteCount``.
  /// - Returns: The bytes of the model; equal arguments give equal bytes.
  /// - Throws: The broken rule; before anything large is built.
  /// - Complexity: O(number of bytes); memory is that of the result and of the largest tensor.
  public static func encode(
    _ file: WeightFile, inputSize: InputSize = .standard, byteCountLimit: Int = maximumByteCount
  ) throws(ONNXExportError) -> [UInt8] {
    let sizes = try sizes(inputSize, of: file)
    let graph = try ONNXGraph(file, shapes: sizes.model)
    let metadata = ONNXMetadata(file, outputs: graph.names.outputs, shapes: sizes.inputs)

    var prefix = beginningWriter
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
    let constants = graph.initializers
    let graphByteCount = graph.bytes.count.addingReportingOverflow(constants.byteCount)
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
    constants.write(to: &prefix)
    return prefix.bytes
  }

  /// The shapes of all values, and those of the inputs as numbers.
  private static func sizes(
    _ inputSize: InputSize, of file: WeightFile
  ) throws(ONNXExportError) -> (model: ModelShapes, inputs: [TensorShape]) {
    var inputs = file.shapes.inputs
    switch inputSize {
    case .standard: return (ModelShapes(file.shapes), inputs)
    case .flexible:
      guard file.description.inputs.contains(where: { (input) in input.isResizable }) else {
        throw .fixedInputs
      }
      return (ModelShapes(openSizesOf: file), inputs)
    case .fixed(let width, let height):
      inputs[0].width = width
      inputs[0].height = height
    case .shapes(let shapes): inputs = shapes
    }
    do throws(WeightFileError) {
      return (ModelShapes(try file.shapes(inputs: inputs)), inputs)
    } catch {
      throw .inputShapes(error)
    }
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
