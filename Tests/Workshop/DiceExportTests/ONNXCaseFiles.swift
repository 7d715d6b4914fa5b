import DiceExport
import DiceNetwork
import DiceWeights
import Foundation
import Testing

/// Models with inputs and this project's outputs, for `Tests/Export/check.py` and `check_coreml.py`.
@Suite struct ONNXCaseFiles {
  /// Where the files go; nil where nobody asks for them.
  static let folder: URL? = ProcessInfo.processInfo.environment["DICEVISION_ONNX_CASES"]
    .map { (path) in URL(filePath: path, directoryHint: .isDirectory) }

  /// Weight files that are looked at besides, at their default sizes.
  static let weights = (ProcessInfo.processInfo.environment["DICEVISION_ONNX_WEIGHTS"] ?? "")
    .split(separator: ":")

  private struct Value: Encodable {
    /// The name in the weight file.
    var name: String
    /// Rows, columns, channels.
    var shape: [Int]
    /// Of a picture: the factor and the summand of each channel.
    var scales: [Float]?
    var biases: [Float]?
  }

  /// One run of a model; the numbers of all inputs and outputs lie in a file of their own.
  private struct Run: Encodable {
    var model: String
    /// The same network as a Core ML model, where there is one.
    var coreML: String?
    var numbers: String
    var inputs: [Value]
    var outputs: [Value]
  }

  @Test(.enabled(if: folder != nil)) func areWritten() throws {
    let folder = try #require(Self.folder)
    var runs: [Run] = []
    var cases = try ExportCase.all()
    for path in Self.weights {
      let url = URL(filePath: String(path))
      let file = try WeightFile(bytes: [UInt8](Data(contentsOf: url)))
      try cases.append(ExportCase(url.lastPathComponent, file))
    }
    for entry in cases {
      let model = "\(entry.name).onnx"
      try write(ONNXModel.encode(entry.file), to: folder.appending(path: model))
      var first = try run(entry, model, entry.file.shapes.inputs, in: folder, number: 0)
      do {
        let name = "\(entry.name).mlmodel"
        try write(CoreMLModel.encode(entry.file), to: folder.appending(path: name))
        first.coreML = name
      } catch CoreMLExportError.rearrangementRank {}
      runs.append(first)
      guard !entry.otherShapes.isEmpty else { continue }
      let open = "\(entry.name)-open.onnx"
      try write(
        ONNXModel.encode(entry.file, inputSize: .flexible), to: folder.appending(path: open))
      for (number, shapes) in (entry.otherShapes + [entry.file.shapes.inputs]).enumerated() {
        try runs.append(run(entry, open, shapes, in: folder, number: 1 + 2 * number))
        let fixed = "\(entry.name)-\(number).onnx"
        try write(
          ONNXModel.encode(entry.file, inputSize: .shapes(shapes)),
          to: folder.appending(path: fixed))
        try runs.append(run(entry, fixed, shapes, in: folder, number: 2 + 2 * number))
      }
    }
    #expect(runs.count > cases.count && cases.count > 380)
    try JSONEncoder().encode(runs).write(to: folder.appending(path: "runs.json"))
  }

  private func run(
    _ entry: ExportCase, _ model: String, _ shapes: [TensorShape], in folder: URL, number: Int
  ) throws -> Run {
    var source = entry.source
    let inputs = source.values(of: shapes)
    let outputs = try referenceOutputs(of: entry.file, shapes: shapes, inputs)
    let numbers = "\(entry.name)-\(number).numbers"
    let all = inputs.joined() + outputs.flatMap { (output) in output.values }
    var bytes: [UInt8] = []
    for number in all {
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
      }
    }
    try write(bytes, to: folder.appending(path: numbers))
    let description = entry.file.description
    return Run(
      model: model, numbers: numbers,
      inputs: zip(description.inputs, shapes).map { (input, shape) in
        var value = Value(name: input.name, shape: [shape.height, shape.width, shape.channels])
        if let rules = input.imageRules {
          value.scales = (0..<shape.channels).map { rules.scales[$0] }
          value.biases = (0..<shape.channels).map { rules.biases[$0] }
        }
        return value
      },
      outputs: zip(description.outputs, outputs).map { (output, map) in
        Value(name: output.name, shape: [map.height, map.width, map.channelCount])
      })
  }

  private func write(_ bytes: [UInt8], to url: URL) throws { try Data(bytes).write(to: url) }
}
