import BenchmarkSupport
import DiceThrowFilms
import DiceThrowTraining

/// What is found of what was thrown, in rendered films that no network has learnt from.
enum FlightTable {
  /// The seed of the first film; those below it were for fitting, and those from 3001 on are for training.
  private static let firstSeed: UInt64 = 2001

  static func run(_ settings: Settings) throws -> Table {
    var accuracy = FlightAccuracy()
    for index in 0..<settings.rounds {
      accuracy.add(FlightAccuracy(of: FlightFilm(.park, seed: firstSeed + UInt64(index))))
    }
    var table = Table(
      "\(accuracy.thrown) throws in rendered films of a park from seed "
        + "\(firstSeed) on, 640 x 360, \(Int(accuracy.minutes.rounded())) minutes",
      [.init("what", "what"), .init("value", "value")])
    table.append(.text("found, %"), .number(100 * accuracy.foundShare, decimals: 1))
    table.append(
      .text("reports that are none, a minute"), .number(accuracy.wrongByMinute, decimals: 2))
    table.append(
      .text("wait for the first report, median, ms"),
      .number(1000 * FlightAccuracy.quantile(0.5, of: accuracy.waits), decimals: 0))
    table.append(
      .text("error of the speed at release, median, %"),
      .number(100 * FlightAccuracy.quantile(0.5, of: accuracy.speedErrors), decimals: 1))
    table.append(
      .text("the same, 90th percentile, %"),
      .number(100 * FlightAccuracy.quantile(0.9, of: accuracy.speedErrors), decimals: 1))
    return table
  }
}
