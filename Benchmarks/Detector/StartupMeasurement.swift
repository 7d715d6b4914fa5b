import BenchmarkSupport
import DiceFiles
import DiceCodecs
import DiceVisionKit

/// From the start of the command line tool to the result of a small picture.
enum StartupMeasurement {
  static func run(_ settings: Settings) throws -> Table {
    var table = Table(
      "processes of dicevision, from their start to their end",
      [
        .init("call", "call"), .init("medianMilliseconds", "median ms"),
        .init("spreadMilliseconds", "±"), .init("minimumMilliseconds", "least ms"),
      ])
    let tool = "\(Paths.parent(of: Process.executable))/dicevision"
    guard FileSystem.exists(at: tool) else {
      throw WrongResult("\(tool) is not there; build the product dicevision first")
    }
    let path = "\(Paths.parent(of: Process.executable))/startup-\(settings.rounds).png"
    let image = try Pictures.scene(settings).resized(width: 416, height: 312)
    try FileSystem.writeFile(PNGEncoder.encode(image), to: path)
    defer { try? FileSystem.removeFile(at: path) }
    let calls = [
      ("--version", [tool, "--version"], "dicevision "),
      ("detect, PNG of 416 x 312", [tool, "detect", path], "\(path): 3 5 2 1 4, sum 15"),
      (
        "the same, one thread", [tool, "detect", "--threads", "1", path],
        "\(path): 3 5 2 1 4, sum 15"
      ),
    ]
    for (name, words, beginning) in calls {
      let timing = try Timing(rounds: settings.rounds, warm: 2) {
        guard let output = Process.output(of: words),
          String(decoding: output, as: UTF8.self).hasPrefix(beginning)
        else { throw WrongResult("\(words.joined(separator: " ")): another result") }
      }
      table.append(
        .text(name), .number(timing.median, decimals: 1), .number(timing.spread, decimals: 1),
        .number(timing.minimum, decimals: 1))
    }
    return table
  }
}
