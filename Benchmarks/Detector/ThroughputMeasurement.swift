import BenchmarkSupport
import DiceParallel
import DiceVisionKit

/// Many pictures with one detector: on one thread, and on eight that share it.
enum ThroughputMeasurement {
  static func run(_ settings: Settings) throws -> Table {
    var table = Table(
      "frames of 1920 x 1080 with one detector of one thread",
      [
        .init("callers", "calling threads"), .init("framesPerSecond", "frames a second"),
        .init("ratio", "ratio"),
      ])
    let frame = try Pictures.frame(settings)
    let detector = try DiceDetector(configuration: .init(tiling: .none, threadCount: 1))
    let expected = try detector.detect(in: frame)
    try Pictures.check(expected, Pictures.sceneValues, "frame")
    var first: Double?
    for callerCount in [1, 8] {
      let callers = WorkerPool(threadCount: callerCount)
      guard callers.threadCount == callerCount else {
        throw WrongResult("only \(callers.threadCount) threads could be started")
      }
      let count = max(settings.rounds, 4 * callerCount)
      let timing = try Timing(rounds: 3, warm: 1) {
        let results = callers.map(count: count) { _ in try? detector.detect(in: frame) }
        for result in results where result?.hasSameContent(as: expected) != true {
          throw WrongResult("\(callerCount) callers: a result differs from that of one")
        }
      }
      let rate = 1000 * Double(count) / timing.median
      if first == nil { first = rate }
      table.append(
        .count(callerCount), .number(rate, decimals: 1),
        .number(rate / (first ?? rate), decimals: 2))
    }
    return table
  }
}
