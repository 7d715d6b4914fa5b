import DiceWeights
import BenchmarkSupport
import DiceFiles
import DiceVisionKit

/// The most memory that a process has in use, measured in processes that do one thing.
enum MemoryMeasurement {
  static func run(_ settings: Settings) throws -> Table {
    var table = Table(
      "peak resident memory of a process",
      [.init("work", "work"), .init("mebibytes", "MiB")])
    let tasks = ["nothing", "network", "frame", "photo"]
    let names = [
      "an empty process", "the network alone", "a 1080p frame (the frame included)",
      "a 12-megapixel JPEG file (its making included)",
    ]
    for (task, name) in zip(tasks, names) {
      let words = [Process.executable, "engine", "memory", task, settings.fixtures]
      guard let output = Process.output(of: words),
        let bytes = Int(String(decoding: output.prefix { $0 != 0x0A }, as: UTF8.self))
      else { throw WrongResult("\(words.joined(separator: " ")): no result") }
      table.append(.text(name), .number(Double(bytes) / 1048576, decimals: 1))
    }
    return table
  }

  /// Does one thing, in a process of its own, and prints the peak.
  static func perform(_ task: String, fixtures: String) throws {
    var arguments = ["--fixtures", fixtures]
    let settings = try Settings(&arguments, names: [])
    switch task {
    case "network":
      let file = try WeightFile(bytes: DiceDetector.bundledWeights)
      try NetworkMeasurement.runner(file, .automatic, threadCount: 1).run()
    case "frame":
      let detector = try DiceDetector(configuration: .init(tiling: .none, threadCount: 1))
      let result = try detector.detect(in: Pictures.frame(settings))
      try Pictures.check(result, Pictures.sceneValues, task)
    case "photo":
      let detector = try DiceDetector(configuration: .init(tiling: .none, threadCount: 1))
      let photo = try Pictures.photo(settings)
      try Pictures.check(detector.detect(inImageFile: photo.bytes), photo.values, task)
    default: break
    }
    guard let peak = Process.peakMemory else {
      throw WrongResult("this system does not tell the peak memory of a process")
    }
    print(peak)
  }
}
