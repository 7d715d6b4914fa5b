package import DiceCommandLine
internal import DiceDetectorHeads
internal import DiceFiles
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// `dicevision run`: gives a network tensors and writes what it answers.
package enum RunCommand {
  static let name = "run"

  static let input = ValueOption.text(
    "input", "[NAME=]FILE",
    "A `.npy` file for the input of this name. The name may be missing if there is one input.",
    isRepeatable: true)

  static let output = ValueOption.text(
    "output", "FOLDER", "Where the outputs are written, `NAME.npy` each. Required.")

  /// The command.
  package static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Runs any network on tensors: reads and writes .npy files.",
      discussion: [
        .paragraph(
          "Tensors have the shapes and the order of axes of the imported model: a network from ONNX "
            + "or darknet takes and gives `[1, channels, height, width]`. Without an original, they "
            + "are `[height, width, channels]`. A leading axis of 1 may be missing. An input that is a "
            + "picture also takes bytes, height x width x 3 in the order red, green, blue, or height x "
            + "width for gray, at the input's size; they are scaled as the weight file says."),
        .paragraph(
          "For a detector of Core ML, boxes are suppressed as its pipeline does it, and its results are "
            + "also written, mostly `coordinates` and `confidence`. `--input iouThreshold=0.3` gives a "
            + "threshold of the model, a number or a file."),
        .paragraph(
          "Files with little-endian floats of 2, 4 or 8 bytes, integers and booleans are read; float32 "
            + "is written. In a file's name every character of an output's name but letters, digits, "
            + "`.`, `-` and `_` becomes `_`, and so does a first `.`; a name that is there already gets "
            + "`-2`, `-3` and so on."),
      ],
      argument: CommandDescription.Argument(
        name: "WEIGHTS", summary: "The weight file.", counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Tensors",
          options: [
            input.description, output.description, OutputPlan.force.description,
            ResultArguments.json.description,
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) run yolo.dvweights --input picture.npy --output answers",
          meaning: "One input, and a file in `answers` for each output.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let folder = try arguments.required(output, of: name)
    let path = arguments.positionals[0]
    let file = try WeightSource.load(path, environment)
    let results = DetectorResults(file.description)
    let given = arguments.all(input)
    let thresholds = given.filter { (text) in results?.isThreshold(text) ?? false }
    let files = try inputFiles(given.filter { !thresholds.contains($0) }, of: file, path)
    let outputs = outputFiles(of: file, in: folder)
    let resultFiles =
      results?.paths(
        in: folder,
        besides: outputs.map { Paths.removingExtension(of: Paths.lastComponent(of: $0)) }) ?? []
    let labelFile = ClassLabelFile.path(of: file, in: folder)
    var plan = OutputPlan(arguments)
    plan.read(path)
    plan.read(files)
    if FileSystem.exists(at: folder) {
      for output in outputs + resultFiles {
        plan.write(output, for: RunCommand.output.description.spelling, .unsigned)
      }
      if let labelFile {
        plan.write(labelFile, for: RunCommand.output.description.spelling, .unsigned)
      }
    }
    try plan.check()
    var shapes = file.shapes.inputs
    var values: [[Float]] = []
    let tensors = ModelTensor.inputs(of: file.description)
    for (index, source) in files.enumerated() {
      let array = try array(source)
      let (shape, numbers) = try value(
        array, for: file.description.inputs[index], tensors[index], source)
      shapes[index] = shape
      values.append(numbers)
    }
    let runner: NetworkRunner
    do throws(NetworkError) {
      runner = try NetworkRunner(
        NetworkPlan(file), inputs: shapes,
        pool: WorkerPool(threadCount: environment.processorCount))
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
    for (index, numbers) in values.enumerated() { runner.setInput(index, numbers) }
    runner.run()
    try OutputFile.createFolder(folder)
    var arrays: [(name: String, array: NumPyArray)] = []
    if let results {
      let heads: DetectorHeads
      do throws(DetectorHeadError) {
        heads = try DetectorHeads(file.description, shapes: file.shapes)
      } catch {
        throw .failure(subject: path, sentence: "\(error)")
      }
      let rule = try results.rule(heads.rule, thresholds) { (source) throws(ToolError) in
        let numbers = try array(source).numbers
        guard numbers.count == 1 else {
          throw .failure(subject: source, sentence: "A threshold is one number.")
        }
        return numbers[0]
      }
      arrays = results.arrays(runner, heads, rule)
    }
    return try write(
      runner, file, to: outputs, label: labelFile, results: Array(zip(resultFiles, arrays)),
      arguments, environment)
  }

  // MARK: - Inputs

  /// The file for each input, in the network's order.
  private static func inputFiles(
    _ texts: [String], of file: WeightFile, _ path: String
  ) throws(ToolError) -> [String] {
    let tensors = ModelTensor.inputs(of: file.description)
    var files = [String?](repeating: nil, count: tensors.count)
    for text in texts {
      let index = tensors.indices.first { (index) in
        text.hasPrefix("\(tensors[index].name)=")
          || text.hasPrefix("\(file.description.inputs[index].name)=")
      }
      if let index {
        let names = [tensors[index].name, file.description.inputs[index].name]
        let name = names.first { text.hasPrefix("\($0)=") } ?? ""
        files[index] = String(text.dropFirst(name.count + 1))
      } else if tensors.count == 1, !text.contains("=") || FileSystem.exists(at: text) {
        files[0] = text
      } else {
        throw .failure(
          subject: text,
          sentence:
            "It names none of the inputs \(NumberText.alternatives(tensors.map { $0.name })).")
      }
    }
    if let missing = files.firstIndex(of: nil) {
      throw .failure(
        subject: path,
        sentence: "The input \(printable(tensors[missing].name)) needs --input "
          + "\(printable(tensors[missing].name))=FILE.")
    }
    return files.compactMap { $0 }
  }

  private static func array(_ path: String) throws(ToolError) -> NumPyArray {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(
        at: path, byteLimit: 8 * WeightFormat.maximumElementCount)
    } catch {
      throw .file(error)
    }
    do throws(NumPyArrayError) {
      return try NumPyArray(bytes)
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
  }

  /// The value of an input, and its shape, from an array.
  private static func value(
    _ array: NumPyArray, for input: NetworkInput, _ tensor: ModelTensor, _ path: String
  ) throws(ToolError) -> (TensorShape, [Float]) {
    if let picture = picture(array, for: input) { return picture }
    // A batch of one need not be there, nor be missing.
    let known = ([[1] + array.shape] + suffixes(array.shape)).first { (shape) in
      shape.count == tensor.shape.count
    }
    guard let known, let shape = tensor.valueShape(ofTensor: known),
      shape == input.shape || input.isResizable, let sized = tensor.resized(to: shape)
    else {
      func text(_ shape: [Int]) -> String {
        shape.map { "\($0)" }.joined(separator: " x ")
      }
      throw .failure(
        subject: path,
        sentence: "The array is \(text(array.shape)); the input \(printable(tensor.name)) is "
          + "\(text(tensor.shape)).")
    }
    return (shape, sized.valueNumbers(ofTensor: array.numbers))
  }

  /// A shape, and those without the extents of 1 that it begins with.
  private static func suffixes(_ shape: [Int]) -> [[Int]] {
    (0...shape.prefix { $0 == 1 }.count).map { (count) in Array(shape.dropFirst(count)) }
  }

  /// The value of an input that is a picture, from its bytes; nil where the array is another thing.
  private static func picture(
    _ array: NumPyArray, for input: NetworkInput
  ) -> (TensorShape, [Float])? {
    guard let rules = input.imageRules, array.element == .uint8 else { return nil }
    let channels = rules.channelOrder.channelCount
    let known = suffixes(array.shape).first { (shape) in
      shape.count == 3 && shape[2] == channels || shape.count == 2 && channels == 1
    }
    guard let known else { return nil }
    let shape = TensorShape(height: known[0], width: known[1], channels: channels)
    guard shape == input.shape || input.isResizable else { return nil }
    var numbers = array.numbers
    for place in numbers.indices {
      let channel = place % channels
      let sample =
        rules.channelOrder == .bgr
        ? array.numbers[place - channel + channels - 1 - channel] : array.numbers[place]
      numbers[place] = sample * rules.scales[channel] + rules.biases[channel]
    }
    return (shape, numbers)
  }

  // MARK: - Outputs

  private static func write(
    _ runner: NetworkRunner, _ file: WeightFile, to paths: [String], label: String?,
    results pipeline: [(path: String, result: (name: String, array: NumPyArray))],
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let tensors = ModelTensor.outputs(of: file.description, shapes: file.shapes)
    var results: [JSONValue] = []
    for (index, tensor) in tensors.enumerated() {
      let map = runner.output(index)
      let shape = TensorShape(height: map.height, width: map.width, channels: map.channelCount)
      let sized = tensor.resized(to: shape)
      let array = NumPyArray(
        shape: sized?.shape ?? [shape.height, shape.width, shape.channels],
        numbers: sized?.tensorNumbers(ofValue: map.values) ?? map.values)
      let path = paths[index]
      try OutputFile.write(array.bytes, to: path)
      results.append([
        "name": .string(tensor.name), "file": .string(path),
        "shape": .array(array.shape.map { JSONValue($0) }),
      ])
      if !(try ResultArguments.isJSON(arguments)) {
        environment.note(
          "wrote \(quoted(path)), \(array.shape.map { "\($0)" }.joined(separator: " x "))")
      }
    }
    for (path, result) in pipeline {
      try OutputFile.write(result.array.bytes, to: path)
      results.append([
        "name": .string(result.name), "file": .string(path),
        "shape": .array(result.array.shape.map { JSONValue($0) }),
      ])
      if !(try ResultArguments.isJSON(arguments)) {
        environment.note(
          "wrote \(quoted(path)), "
            + result.array.shape.map { "\($0)" }.joined(separator: " x "))
      }
    }
    if let label = try ClassLabelFile.write(runner, file, to: label, environment) {
      results.append(label)
    }
    if try ResultArguments.isJSON(arguments) {
      let result: JSONValue = ["outputs": .array(results)]
      try environment.print(
        String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
    }
    return .success
  }

  /// The file of each output, in the network's order.
  private static func outputFiles(of file: WeightFile, in folder: String) -> [String] {
    var names: [String] = []
    for tensor in ModelTensor.outputs(of: file.description, shapes: file.shapes) {
      names.append(fileName(tensor.name, among: names))
    }
    return names.map { Paths.joined(folder, "\($0).npy") }
  }

  /// An output's name as that of a file, different from some others.
  static func fileName(_ name: String, among others: [String]) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": text.unicodeScalars.append(scalar)
      case "." where !text.isEmpty: text.append(".")
      default: text.append("_")
      }
    }
    text = text.isEmpty ? "unnamed" : String(text.prefix(200))
    var result = text
    var number = 2
    while others.contains(result) {
      result = "\(text)-\(number)"
      number += 1
    }
    return result
  }
}
