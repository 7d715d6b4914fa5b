import BenchmarkSupport
import DiceFiles
import DiceParallel
import DiceVisionKit

/// Rendered throws with known values, followed in several ways.
struct ThrowMeasurement {
  let table: Table
  /// Throws of which the rolls are equal at 10, 30 and 60 frames a second.
  let equalCount: Int
  /// What went wrong, throw by throw.
  let misses: JSONValue
  let missTexts: [String]
  private let throwCount: Int

  var note: String {
    "\(equalCount) of \(throwCount) throws give the same rolls at 10, 30 and 60 frames a second"
  }

  init(_ settings: Settings) throws {
    if let folder = settings.folder { try FileSystem.createFolder(at: folder) }
    let detector = try DiceDetector(configuration: .init(threadCount: 1))
    let pool = WorkerPool(threadCount: settings.threadCount)
    let results = pool.map(count: settings.count) { index in
      Result { () throws -> [Outcome] in
        let recorded = try RecordedThrow(
          seed: settings.seed + UInt64(index), folder: settings.folder, detector: detector)
        return Feed.all.map { $0.outcome(of: recorded) }
      }
    }
    let outcomes = try results.map { try $0.get() }
    throwCount = outcomes.count
    table = Self.table(outcomes, seed: settings.seed)
    var equal = 0
    var misses: [JSONValue] = []
    var texts: [String] = []
    for (index, outcomes) in outcomes.enumerated() {
      let rolls = outcomes.prefix(3).map { $0.rolls.map { $0.values } }
      if rolls.allSatisfy({ $0 == rolls[0] }) { equal += 1 }
      for (feed, outcome) in zip(Feed.all, outcomes)
      where !outcome.isRightAtOnce || outcome.isEarly {
        let seed = settings.seed + UInt64(index)
        texts.append("throw \(seed), \(outcome.values), \(feed.name): \(outcome.text)")
        misses.append([
          "seed": .string("\(seed)"), "feed": .string(feed.name),
          "values": .array(outcome.values.map { JSONValue($0) }), "told": .string(outcome.text),
        ])
      }
    }
    equalCount = equal
    self.misses = .array(misses)
    missTexts = texts
  }

  private static func table(_ outcomes: [[Outcome]], seed: UInt64) -> Table {
    var table = Table(
      "\(outcomes.count) rendered throws from seed \(seed) on, 480 x 360, one to six dice, a hand that "
        + "drifts and shakes;\ndelays in frames at 30 a second after the first frame at rest",
      [
        .init("feed", "frames"), .init("throws", "throws"), .init("oneRoll", "one roll"),
        .init("rightAtOnce", "right at once"), .init("inOrder", "in order"),
        .init("rightAtLast", "right at last"),
        .init("early", "over 2 early"), .init("medianDelay", "median delay"),
        .init("delay95", "95 % delay"),
      ])
    for (place, feed) in Feed.all.enumerated() {
      let told = outcomes.map { $0[place] }
      let delays = told.compactMap { $0.rolls.first?.delay }.sorted()
      func quantile(_ share: Double) -> Table.Cell {
        guard !delays.isEmpty else { return .none }
        return .number(
          delays[min(Int(share * Double(delays.count)), delays.count - 1)], decimals: 0)
      }
      table.append(
        .text(feed.name), .count(told.count), .count(told.count { $0.isOneRoll }),
        .count(told.count { $0.isRightAtOnce }), .count(told.count { $0.isInOrder }),
        .count(told.count { $0.isRightAtLast }),
        .count(told.count { $0.isEarly }), quantile(0.5), quantile(0.95))
    }
    return table
  }
}
