internal import DiceNumerics

extension BundledWeights {
  /// The text of the source file that bundles a weight file with the library:
  /// `Sources/Kits/DiceVisionWeights/StandardWeights.swift`.
  ///
  /// Lines of at most 100 characters; equal bytes give equal text.
  ///
  /// - Parameter bytes: The whole weight file; it is not checked.
  /// - Complexity: O(`bytes.count`).
  public static func sourceFile(for bytes: [UInt8], constant: String) -> String {
    let head = """
      // swift-format-ignore-file
      // The weights of the library, \(bytes.count) bytes in Base64. Made by `dicevision bundle`.

      let \(constant): StaticString = \"\"\"

      """
    var text = Array(head.utf8)
    text += Base64.encode(bytes, bytesPerLine: 72)
    text += Array("\"\"\"\n".utf8)
    return String(decoding: text, as: UTF8.self)
  }
}
