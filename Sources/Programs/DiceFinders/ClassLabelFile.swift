internal import DiceCommandLine
internal import DiceDetectorHeads
internal import DiceFiles
internal import DiceNetwork
internal import DiceWeights

/// The label of the likeliest class, where an imported classifier has it as an output of its own.
enum ClassLabelFile {
  /// Where the label is written; nil where a network has none.
  static func path(of file: WeightFile, in folder: String) -> String? {
    guard let name = ModelTensor.labelName(of: file.description) else { return nil }
    return Paths.joined(folder, "\(RunCommand.fileName(name, among: [])).txt")
  }

  /// Writes the label as a line of text.
  ///
  /// - Returns: What there is to say of it, for programs; nil where the network has no such output.
  static func write(
    _ runner: NetworkRunner, _ file: WeightFile, to path: String?, _ environment: Environment
  ) throws(ToolError) -> JSONValue? {
    let description = file.description
    guard let path, let name = ModelTensor.labelName(of: description),
      let index = description.outputs.firstIndex(where: { (output) in
        output.head.map { $0.kind == "classes" && !$0.labels.isEmpty } ?? false
      }), let labels = description.outputs[index].head?.labels
    else { return nil }
    let values = runner.output(index).values
    guard values.count == labels.count else { return nil }
    var best = 0
    for place in values.indices where values[place] > values[best] { best = place }
    try OutputFile.write(Array("\(labels[best])\n".utf8), to: path)
    environment.note("wrote \(quoted(path)): \(printable(labels[best]))")
    return [
      "name": .string(name), "file": .string(path), "label": .string(labels[best]),
    ]
  }
}
