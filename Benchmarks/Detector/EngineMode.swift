import DiceCodecs
import DiceImaging
import DiceWeights
import DiceGeometry
import BenchmarkSupport
import DiceFiles
import DiceModelImport
import DiceNetwork
import DiceParallel
import DiceVisionKit

/// This library as one engine among others: speaks the protocol of `Benchmarks/Peers/protocol.py`.
///
/// - `engine network --threads N --input FILE [--weights FILE] [--precision bfloat16]`: float32
///   `[1, 3, H, W]` in, the heads `[1, C, H, W]` one after the other out.
/// - `engine tensors --threads N --input FILE --weights FILE`: an imported model's inputs, one after the
///   other, as float32 in the model's own order; its outputs out in the same way. With `--layers` it
///   prints how many milliseconds each layer takes instead, the median of 21 runs.
/// - `engine picture --threads N --input FILE [--weights FILE] [--resolution full]`: a picture file in;
///   for each die its value, confidence and box in pixels (x, y, width, height) out, as six float32.
/// - `engine suppression --input FILE --limit SHARE`: float32 x, y, width, height, confidence of each
///   box in; the kept indices out, as int32.
/// - `engine contours --input FILE --threshold otsu|mean`: a picture file in; of each contour its parent
///   or −1, the number of corners of its approximation, and their columns and rows out, as int32.
enum EngineMode {
  static func run(_ arguments: [String]) throws {
    var arguments = arguments
    guard !arguments.isEmpty else { throw WrongArgument("an engine has a name") }
    let name = arguments.removeFirst()
    if name == "memory" {
      guard arguments.count == 3 else { throw WrongArgument("memory TASK FIXTURES PHOTO") }
      return try MemoryMeasurement.perform(
        arguments[0], fixtures: arguments[1], photo: arguments[2])
    }
    var threadCount = 1
    var input: String?
    var weights: [UInt8] = DiceDetector.bundledWeights
    var precision = NetworkPrecision.single
    var limit = 0.5
    var resolution = DiceDetector.FileResolution.automatic
    var threshold = "otsu"
    var printsLayers = false
    while !arguments.isEmpty {
      let option = arguments.removeFirst()
      if option == "--layers" {
        printsLayers = true
        continue
      }
      let value = try Arguments.value(of: option, &arguments)
      switch option {
      case "--threads": threadCount = try Arguments.count(value, option)
      case "--input": input = value
      case "--weights": weights = try FileSystem.readFile(at: value, byteLimit: 1 << 28)
      case "--precision":
        guard let named = NetworkPrecision(rawValue: value), named.isAvailable else {
          throw WrongArgument("the precision \(value) is not available here")
        }
        precision = named
      case "--resolution":
        guard value == "full" else { throw WrongArgument("there is no resolution \(value)") }
        resolution = .full
      case "--threshold": threshold = value
      case "--limit": limit = Double(value) ?? limit
      default: throw WrongArgument("there is no option \(option)")
      }
    }
    guard let input else { throw WrongArgument("an engine needs --input") }
    let bytes = try FileSystem.readFile(at: input, byteLimit: 1 << 30)
    switch name {
    case "network": try serveNetwork(weights, bytes, threadCount, precision)
    case "tensors": try serveTensors(weights, bytes, threadCount, printsLayers: printsLayers)
    case "picture": try servePicture(weights, bytes, threadCount, resolution)
    case "suppression": try serveSuppression(bytes, limit)
    case "contours": try serveContours(bytes, threshold)
    default: throw WrongArgument("there is no engine \(name)")
    }
  }

  private static func serveNetwork(
    _ weights: [UInt8], _ bytes: [UInt8], _ threadCount: Int, _ precision: NetworkPrecision
  ) throws {
    let runner = try NetworkRunner(
      NetworkPlan(WeightFile(bytes: weights), precision: precision),
      pool: WorkerPool(threadCount: threadCount))
    let planes = floats(bytes)
    let area = runner.width * runner.height
    guard planes.count == 3 * area else {
      throw WrongArgument("the input has \(planes.count) numbers, not \(3 * area)")
    }
    runner.setInput((0..<3 * area).map { planes[$0 % 3 * area + $0 / 3] })
    try serve({ runner.run() }) {
      runner.plan.outputs.indices.flatMap { output -> [UInt8] in
        let map = runner.output(output)
        let pixelCount = map.width * map.height
        return EngineMode.bytes(
          (0..<map.values.count).map { index in
            map.values[index % pixelCount * map.channelCount + index / pixelCount]
          })
      }
    }
  }

  private static func serveTensors(
    _ weights: [UInt8], _ bytes: [UInt8], _ threadCount: Int, printsLayers: Bool
  ) throws {
    let file = try WeightFile(bytes: weights)
    let runner = try NetworkRunner(
      NetworkPlan(file), pool: WorkerPool(threadCount: threadCount))
    var numbers = floats(bytes)[...]
    for (index, tensor) in ModelTensor.inputs(of: file.description).enumerated() {
      let count = tensor.shape.reduce(1, *)
      guard numbers.count >= count else {
        throw WrongArgument("the input \(tensor.name) needs \(count) numbers")
      }
      runner.setInput(index, tensor.valueNumbers(ofTensor: Array(numbers.prefix(count))))
      numbers = numbers.dropFirst(count)
    }
    guard numbers.isEmpty else {
      throw WrongArgument("the input has \(numbers.count) numbers too many")
    }
    let outputs = ModelTensor.outputs(of: file.description, shapes: file.shapes)
    if printsLayers { return try printLayerTimes(of: file, runner) }
    try serve({ runner.run() }) {
      outputs.enumerated().flatMap { (index, tensor) in
        EngineMode.bytes(tensor.tensorNumbers(ofValue: Array(runner.output(index).values)))
      }
    }
  }

  private static func printLayerTimes(of file: WeightFile, _ runner: NetworkRunner) throws {
    var times = [[Double]](repeating: [], count: file.description.layers.count)
    for round in 0..<26 {
      for (layer, duration) in runner.runTimed().enumerated() where round >= 5 {
        times[layer].append(duration.milliseconds)
      }
    }
    for row in file.overview.layers {
      let median = Timing(milliseconds: times[row.index]).median
      let shape = file.shapes.layers[row.index]
      let layer = file.description.layers[row.index]
      try StandardStream.output.write(
        "\(row.index) \((median * 1e3).rounded() / 1e3) \(layer.kindInWords), "
          + "\(shape.height) x \(shape.width) x \(shape.channels), \(layer.detailsInWords)\n")
    }
  }

  private static func servePicture(
    _ weights: [UInt8], _ bytes: [UInt8], _ threadCount: Int,
    _ resolution: DiceDetector.FileResolution
  ) throws {
    let detector = try DiceDetector(
      weights: weights,
      configuration: .init(
        tiling: .none, threadCount: threadCount, fileResolution: resolution))
    var last: DetectionResult?
    try serve({ last = try detector.detect(inImageFile: bytes) }) {
      EngineMode.bytes(
        (last?.observations ?? []).flatMap { die in
          let box = die.boundingBox
          return [
            Float(die.value), die.confidence, Float(box.x), Float(box.y), Float(box.width),
            Float(box.height),
          ]
        })
    }
  }

  private static func serveSuppression(_ bytes: [UInt8], _ limit: Double) throws {
    let numbers = floats(bytes)
    let starts = stride(from: 0, to: numbers.count - 4, by: 5)
    let boxes = starts.map { start in
      BoundingBox(
        x: Double(numbers[start]), y: Double(numbers[start + 1]),
        width: Double(numbers[start + 2]), height: Double(numbers[start + 3]))
    }
    let confidences = starts.map { numbers[$0 + 4] }
    let rule = NonMaximumSuppression(iouThreshold: limit, mode: .classAgnostic)
    var workspace = NonMaximumSuppression.Workspace()
    try serve({
      rule.select(boxes: boxes, confidences: confidences, classIndices: [], using: &workspace)
    }) {
      workspace.indices.flatMap { index in
        (0..<4).map { UInt8(truncatingIfNeeded: index >> (8 * $0)) }
      }
    }
  }

  private static func serveContours(_ bytes: [UInt8], _ threshold: String) throws {
    let frame = try StoredFrame(ImageDecoder.decode(bytes))
    var benchmark = try ContourSteps(threshold: threshold)
    try serve({ benchmark.run(frame) }) {
      benchmark.result.flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
    }
  }

  /// Answers requests until the input ends.
  private static func serve(_ run: () throws -> Void, _ output: () -> [UInt8]) throws {
    try StandardStream.output.write("ready\n")
    while let line = readLine() {
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "run", let warm = Int(words[1]), let count = Int(words[2]) {
        for _ in 0..<warm { try run() }
        let start = ContinuousClock.now
        let busy = Process.processorMilliseconds
        let timing = try Timing(rounds: count, warm: 0, run)
        let share =
          (Process.processorMilliseconds - busy) / start.duration(to: .now).milliseconds
        try StandardStream.output.write("times \(timing.median) \(timing.minimum) \(share)\n")
      } else if words.count == 2, words[0] == "output" {
        try run()
        try FileSystem.writeFile(output(), to: String(words[1]))
        try StandardStream.output.write("written\n")
      } else {
        throw WrongArgument("\"\(line)\" is no request")
      }
    }
  }

  private static func floats(_ bytes: [UInt8]) -> [Float] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { start in
      var word: UInt32 = 0
      for index in 0..<4 { word |= UInt32(bytes[start + index]) << UInt32(8 * index) }
      return Float(bitPattern: word)
    }
  }

  private static func bytes(_ floats: [Float]) -> [UInt8] {
    var bytes: [UInt8] = []
    for float in floats {
      for index in 0..<4 {
        bytes.append(UInt8(truncatingIfNeeded: float.bitPattern >> UInt32(8 * index)))
      }
    }
    return bytes
  }
}
