import BenchmarkSupport
import DiceVisionKit

/// From a picture file, and from a camera's frame, to values, with the stages apart.
enum PipelineMeasurement {
  static func run(_ settings: Settings) throws -> Table {
    var table = Table(
      "one picture to the values on its dice, without and with tiled inference",
      [
        .init("pipeline", "pipeline"), .init("tiling", "tiling"), .init("threads", "threads"),
        .init("medianMilliseconds", "median ms"), .init("spreadMilliseconds", "±"),
        .init("imageDecoding", "image"), .init("preparation", "preparation"),
        .init("network", "network"), .init("decoding", "boxes"),
        .init("cropClassification", "second stage"),
        .init("suppression", "suppression"),
      ])
    let photo = try Pictures.photo(settings)
    let frame = try Pictures.frame(settings)
    let photoName = settings.picture ?? "JPEG file, 4000 x 3000"
    for tiling in [DiceDetector.Tiling.none, .automatic] {
      for threadCount in [1, 2] {
        let detector = try DiceDetector(
          configuration: .init(
            tiling: tiling, threadCount: threadCount, precision: settings.precision))
        try add(
          photoName, tiling, threadCount, to: &table, rounds: max(5, settings.rounds / 4),
          values: photo.values
        ) { try detector.detect(inImageFile: photo.bytes) }
        try add(
          "BGRA frame, 1920 x 1080", tiling, threadCount, to: &table, rounds: settings.rounds,
          values: Pictures.sceneValues
        ) { try detector.detect(in: frame) }
      }
    }
    return table
  }

  private static func add(
    _ name: String, _ tiling: DiceDetector.Tiling, _ threadCount: Int, to table: inout Table,
    rounds: Int, values: [Int]?, _ detect: () throws -> DetectionResult
  ) throws {
    let expected = try detect()
    try Pictures.check(expected, values, name)
    var results: [DetectionResult] = []
    let timing = try Timing(rounds: rounds, warm: 2) { results.append(try detect()) }
    for result in results where !result.hasSameContent(as: expected) {
      throw WrongResult("\(name): a later call gives another result")
    }
    func median(_ stage: (StageTimings) -> Duration) -> Table.Cell {
      .number(
        Timing(milliseconds: results.suffix(rounds).map { stage($0.timings).milliseconds }).median,
        decimals: 3)
    }
    table.append(
      .text(name), .text(tiling.rawValue), .count(threadCount), .number(timing.median, decimals: 2),
      .number(timing.spread, decimals: 2), median { $0.imageDecoding },
      median { $0.preparation }, median { $0.network }, median { $0.decoding },
      median { $0.cropClassification },
      median { $0.suppression })
  }
}
