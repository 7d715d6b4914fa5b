internal import DiceCommandLine
internal import DiceFiles
internal import DiceWeights

extension OutputFile {
  /// Tells what was made of a weight file: as JSON where the arguments ask for it, else as a note.
  ///
  /// - Parameters:
  ///   - byteCount: the size of what was written.
  ///   - detail: what the note says besides the network's name.
  static func tell(
    _ path: String, byteCount: Int, of file: WeightFile, saying detail: String,
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) {
    guard try ResultArguments.isJSON(arguments) else {
      environment.note(
        "wrote \(quoted(path)) with \(printable(file.description.name)), \(detail)")
      return
    }
    let result: JSONValue = [
      "output": .string(path), "byteCount": JSONValue(byteCount),
      "network": .string(file.description.name),
      "checksum": .string(NumberText.hexadecimal(file.checksum)),
    ]
    try environment.print(
      String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
  }
}
