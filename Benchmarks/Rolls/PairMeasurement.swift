import BenchmarkSupport
import DiceFiles
import DiceParallel
import DiceVisionKit

/// Two throws, one soon after the other: the table is seen empty in between, or the film is cut.
struct PairMeasurement {
  let table: Table
  /// What went wrong, pair by pair.
  let missTexts: [String]

  /// Frames at 60 a second in which nothing is seen: 0.1 s to 1 s.
  private static let gaps = [6, 12, 21, 30, 38, 48, 60]
  private static let rates = [10, 15, 30, 60]

  /// What was told of a pair, beside what is told of its second throw alone.
  private struct Told: Sendable {
    var rolls: [[Int]] = []
    /// Seconds from rest to the report of the second throw; nil where there is none.
    var delay: Double?
    var delayAlone: Double?
  }

  /// - Throws: as ``RecordedThrow``.
  init(_ settings: Settings) throws {
    if let folder = settings.folder { try FileSystem.createFolder(at: folder) }
    let detector = try DiceDetector(configuration: .init(threadCount: 1))
    let pool = WorkerPool(threadCount: settings.threadCount)
    let recorded = try pool.map(count: 2 * settings.count) { index in
      Result {
        try RecordedThrow(
          seed: settings.seed + UInt64(index), folder: settings.folder, detector: detector)
      }
    }.map { try $0.get() }
    var table = Table(
      "\(settings.count) pairs of rendered throws from seed \(settings.seed) on, 480 x 360, at 10, 15, 30 and 60 "
        + "frames a second;\ndelays in milliseconds after the second throw's rest",
      [
        .init("gap", "empty, s"), .init("pairs", "pairs"), .init("both", "both right"),
        .init("lost", "second lost"), .init("medianDelay", "median delay"),
        .init("delay95", "95 % delay"), .init("medianAlone", "alone, median"),
        .init("alone95", "alone, 95 %"),
      ])
    var texts: [String] = []
    for gap in Self.gaps {
      let told = pool.map(count: settings.count * Self.rates.count) { index in
        let (pair, rate) = (index / Self.rates.count, Self.rates[index % Self.rates.count])
        return Self.follow(recorded[2 * pair], recorded[2 * pair + 1], gap: gap, rate: rate)
      }
      var (both, lost) = (0, 0)
      for (index, told) in told.enumerated() {
        let pair = index / Self.rates.count
        let truth = [recorded[2 * pair].values.sorted(), recorded[2 * pair + 1].values.sorted()]
        if told.rolls == truth {
          both += 1
        } else {
          texts.append(
            "pair \(settings.seed + UInt64(2 * pair)), gap \(gap)/60 s, "
              + "\(Self.rates[index % Self.rates.count])/s: \(told.rolls), not \(truth)")
        }
        if told.rolls.count < 2 { lost += 1 }
      }
      func quantile(_ share: Double, _ delays: [Double]) -> Table.Cell {
        let sorted = delays.sorted()
        guard !sorted.isEmpty else { return .none }
        return .count(Int(1000 * sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]))
      }
      let delays = told.compactMap { $0.delay }
      let alone = told.compactMap { $0.delayAlone }
      table.append(
        .number(Double(gap) / 60, decimals: 2), .count(told.count), .count(both), .count(lost),
        quantile(0.5, delays), quantile(0.95, delays), quantile(0.5, alone), quantile(0.95, alone))
    }
    self.table = table
    missTexts = texts
  }

  private static func follow(
    _ first: RecordedThrow, _ second: RecordedThrow, gap: Int, rate: Int
  ) -> Told {
    // The second throw without the frames before its dice are seen.
    let start = second.frames.firstIndex { (frame) in !frame.observations.isEmpty } ?? 0
    let end = first.frames.count
    let rest = end + gap + second.firstFrameAtRest - start
    let step = RecordedThrow.framesPerSecond / rate
    var told = Told()
    func run(from begin: Int, _ report: (Roll, Double) -> Void) {
      var follower = RollFollower()
      for index in stride(
        from: begin, to: end + gap + second.frames.count - start, by: step)
      {
        let isFirst = index < end
        let place = isFirst ? index : max(index - end - gap, 0) + start
        let recorded = isFirst ? first : second
        let isEmpty = !isFirst && index < end + gap
        let picture =
          isEmpty ? second.picture(ofFrame: 0) : recorded.picture(ofFrame: place)
        let time = Duration.nanoseconds(index * 1_000_000_000 / RecordedThrow.framesPerSecond)
        let events = picture.withFrame { (frame) in
          follower.follow(frame, at: time) { (_) in
            isEmpty ? [] : recorded.frames[place].observations
          }
        }
        for event in events {
          if case .rollEnded(let roll) = event {
            report(roll, Double(index - rest) / Double(RecordedThrow.framesPerSecond))
          }
        }
      }
    }
    run(from: 0) { (roll, delay) in
      told.rolls.append(roll.values.sorted())
      if told.rolls.count == 2 { told.delay = delay }
    }
    // Alone: from where the table is empty, at the same frames.
    run(from: (end + step - 1) / step * step) { (_, delay) in
      if told.delayAlone == nil { told.delayAlone = delay }
    }
    return told
  }
}
