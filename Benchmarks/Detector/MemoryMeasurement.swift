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
    // Another process makes the photo, so that the one that reads it holds nothing else.
    let photo = "\(Paths.parent(of: Process.executable))/memory-photo.jpg"
    _ = try output(of: "making", settings, photo)
    defer { try? FileSystem.removeFile(at: photo) }
    for (task, name) in [
      ("nothing", "an empty process"), ("network", "the network alone"),
      ("frame", "a 1080p frame (the frame included)"), ("photo", "a 12-megapixel JPEG file"),
    ] {
      let bytes = try output(of: task, settings, photo)
      table.append(.text(name), .number(Double(bytes) / 1048576, decimals: 1))
    }
    return table
  }

  /// The peak that a process says, which does one thing.
  private static func output(of task: String, _ settings: Settings, _ photo: String) throws -> Int {
    let words = [Process.executable, "engine", "memory", task, settings.fixtures, photo]
    guard let output = Process.output(of: words),
      let bytes = Int(String(decoding: output.prefix { $0 != 0x0A }, as: UTF8.self))
    else { throw WrongResult("\(words.joined(separator: " ")): no result") }
    return bytes
  }

  /// Does one thing, in a process of its own, and prints the peak.
  ///
  /// - Parameter photo: The path of the photo that one task makes and another reads.
  static func perform(_ task: String, fixtures: String, photo: String) throws {
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
      try Pictures.check(detector.detect(inImageFileAt: photo), Pictures.sceneValues, task)
    case "making": try FileSystem.writeFile(try Pictures.photo(settings).bytes, to: photo)
    default: break
    }
    guard let peak = Process.peakMemory else {
      throw WrongResult("this system does not tell the peak memory of a process")
    }
    print(peak)
  }
}
