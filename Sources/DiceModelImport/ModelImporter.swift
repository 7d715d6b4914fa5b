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
  }

  /// The format of a file by its name's ending; nil where it is none of them.
  public static func format(ofFileNamed name: String) -> Format? {
    let ending = name.split(separator: ".").last?.lowercased()
    switch ending {
    case "onnx": return .onnx
    case "cfg", "weights": return .darknet
    default: return nil
    }
  }

  /// Imports an ONNX model.
  ///
  /// Its operator set is 7 to 21; newer ones are read as 21 is, where their operations have not
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
