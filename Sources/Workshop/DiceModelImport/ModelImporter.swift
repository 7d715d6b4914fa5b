/// Makes networks of the weight format from models of other formats.
///
/// ```swift
/// let model = try ModelImporter.importONNX(bytes)
/// let file = try model.weightFile()
/// ```
///
/// A model that has an operation without a counterpart is refused with a list of all such operations;
/// nothing is left out silently.
public enum ModelImporter {
  /// The formats that can be imported.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    /// Open Neural Network Exchange, `.onnx`.
    case onnx
    /// A darknet configuration, `.cfg`, with weights beside it, `.weights`.
    case darknet
    /// A Core ML neural network, `.mlmodel`.
    case coreML
    /// TensorFlow Lite, `.tflite`.
    case tensorFlowLite
  }

  /// The format of a file by its name's ending; nil where it is none of them.
  public static func format(ofFileNamed name: String) -> Format? {
    let ending = name.split(separator: ".").last?.lowercased()
    switch ending {
    case "onnx": return .onnx
    case "cfg", "weights": return .darknet
    case "mlmodel", "mlpackage": return .coreML
    case "tflite": return .tensorFlowLite
    default: return nil
    }
  }

  /// Imports an ONNX model.
  ///
  /// Its operator set is 1 to 21; newer ones are read as 21 is, where their operations have not
  /// changed. Batches have one picture. Inputs whose height and width are open need them in
  /// `options`; the network takes other sizes, too, where all its layers do.
  ///
  /// - Throws: ``ModelImportError``.
  public static func importONNX(
    _ bytes: [UInt8], options: ImportOptions = ImportOptions()
  ) throws(ModelImportError) -> ImportedModel {
    try ONNXImporter(bytes, options).importModel()
  }
}

extension ModelImporter {
  /// Imports a darknet model: a configuration and its weights.
  ///
  /// The only input is named `data`, `[1, channels, height, width]`. Outputs are the inputs of
  /// `[yolo]` and `[region]` sections, not decoded, named by the section and its number from 0:
  /// `yolo_121`. Their heads have the kinds `darknet yolo` and `darknet region` and the numbers
  /// `anchors` (width and height in pixels, of `[region]` in cells), `classes`, `stride` (of rows and
  /// columns, in pixels) and `scale` (`scale_x_y`). Without such a section the last one is the output.
  ///
  /// - Parameters:
  ///   - configuration: The bytes of the `.cfg` file.
  ///   - weights: The bytes of the `.weights` file.
  ///   - labels: The names of the classes; left out where their number is not the head's.
  /// - Throws: ``ModelImportError``.
  public static func importDarknet(
    configuration: [UInt8], weights: [UInt8], labels: [String] = [],
    options: ImportOptions = ImportOptions()
  ) throws(ModelImportError) -> ImportedModel {
    var importer = try DarknetImporter(
      configuration: configuration, weights: weights, labels: labels, options)
    return try importer.importModel()
  }
}

extension ModelImporter {
  /// Imports a Core ML model: a neural network of specification versions 1 to 5, a classifier, a
  /// regressor, a linear classifier, or a pipeline of them, which may begin with VGGish's spectrogram of
  /// sound and end with a suppression of boxes.
  ///
  /// A picture becomes an input `[height, width, 3]`, or `[height, width]` where it is gray, with its
  /// scale, biases and order of channels. Arrays have the shapes that the model states. A classifier's
  /// probabilities have a head of the kind `classes` with its labels. A network that reads the poses of
  /// Create ML's classifiers of actions, `[frames, 3, 18]`, has the task `actions`. A suppression of boxes is not part
  /// of the network: the outputs are what it reads, with its thresholds and labels in their heads.
  ///
  /// - Throws: ``ModelImportError``.
  public static func importCoreML(
    _ bytes: [UInt8], options: ImportOptions = ImportOptions()
  ) throws(ModelImportError) -> ImportedModel {
    var importer = try CoreMLImporter(bytes, options)
    return try importer.importModel()
  }
}

extension ModelImporter {
  /// Imports a TensorFlow Lite model: in single or half precision, or quantized.
  ///
  /// Its first graph is read. Integers of quantized tensors become the numbers that they stand for, and
  /// results are rounded as 8-bit integers are, so that the network answers as the model does. Inputs and
  /// outputs that are quantized keep their integers. Sizes that the model leaves open need `options`.
  ///
  /// - Throws: ``ModelImportError``.
  public static func importTensorFlowLite(
    _ bytes: [UInt8], options: ImportOptions = ImportOptions()
  ) throws(ModelImportError) -> ImportedModel {
    try TFLiteImporter(bytes, options).importModel()
  }
}
