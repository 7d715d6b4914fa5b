import BenchmarkSupport
import DiceParallel
import DiceScenes
import DiceVisionKit

/// What followers tell of dice on a field, in rendered films whose truth is known.
struct FieldMeasurement {
  private let films: [FieldFilm]

  init(_ settings: Settings) throws {
    let detector = try DiceDetector(configuration: .init(threadCount: 1))
    let pool = WorkerPool(threadCount: settings.threadCount)
    let results = pool.map(count: settings.count) { index in
      Result { try FieldFilm(seed: settings.seed + UInt64(index), detector: detector) }
    }
    films = try results.map { try $0.get() }
  }

  /// For each way to lie, how many dice were told as what.
  var dice: Table {
    var table = Table(
      "dice at the end of \(films.count) films of \(FieldFilm.frameCount) frames, 480 x 360;"
        + "\nerrors in edges of a die",
      [
        .init("pose", "dice"), .init("count", "seen"), .init("insideRight", "side right"),
        .init("cocked", "cocked"), .init("unread", "no value"),
        .init("foot", "foot, median"), .init("foot90", "90 %"), .init("center", "box, median"),
      ])
    let all = films.flatMap { $0.dice }
    let kinds: [(String, (FieldFilm.Die) -> Bool)] = [
      ("flat, inside", { $0.pose == .flat && !$0.isOutside }),
      ("flat, outside", { $0.pose == .flat && $0.isOutside }),
      ("stacked", { $0.pose == .stacked }),
      ("leaning under 20°", { (0..<20).contains($0.lean ?? -1) }),
      ("leaning 20° to 30°", { (20..<30).contains($0.lean ?? -1) }),
      ("leaning over 30°", { (30..<90).contains($0.lean ?? -1) }),
    ]
    for (name, isKind) in kinds {
      let dice = all.filter(isKind)
      func quantile(_ share: Double, _ value: (FieldFilm.Die) -> Double) -> Table.Cell {
        let sorted = dice.map(value).sorted()
        guard !sorted.isEmpty else { return .none }
        return .number(
          sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)], decimals: 2)
      }
      table.append(
        .text(name), .count(dice.count),
        .count(dice.count { $0.isOutside == $0.isCalledOutside }),
        .count(dice.count { $0.isCocked }), .count(dice.count { !$0.isRead }),
        quantile(0.5) { $0.footError }, quantile(0.9) { $0.footError },
        quantile(0.5) { $0.centerError })
    }
    return table
  }

  /// How well the board's place is followed, and what is drawn over dice.
  var board: Table {
    var table = Table(
      "the field, set in the first frame and moved with the camera, and a board drawn on it",
      [
        .init("quantity", "quantity"), .init("median", "median"), .init("share95", "95 %"),
        .init("greatest", "greatest"),
      ])
    func append(_ name: String, _ values: [Double], decimals: Int = 2) {
      let sorted = values.sorted()
      guard !sorted.isEmpty else { return }
      func at(_ share: Double) -> Table.Cell {
        .number(
          sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)], decimals: decimals)
      }
      table.append(.text(name), at(0.5), at(0.95), at(1))
    }
    append("corner error, % of the diagonal", films.flatMap { $0.cornerErrors }.map { 100 * $0 })
    append(
      "the same, the worst frame of each film",
      films.map { 100 * ($0.cornerErrors.max() ?? 0) })
    append(
      "sides of a square by the dice alone, % off",
      films.flatMap { $0.planeSides }.map { 100 * ($0 - 1).magnitude }, decimals: 0)
    return table
  }

  /// The films in which the board is ever off by more than 1 % of the diagonal, the worst first.
  var boardNote: String {
    let worst = films.map { ($0.seed, 100 * ($0.cornerErrors.max() ?? 0)) }
      .filter { $0.1 > 1 }.sorted { $0.1 > $1.1 }
      .map { "\($0.0) (\(Decimals.text($0.1, 2)) %)" }
    return
      "off by more than 1 % in \(worst.count) films"
      + (worst.isEmpty ? "" : ": " + worst.joined(separator: ", "))
  }

  /// What the board drawn over the frames covers of the dice.
  var covered: Table {
    var table = Table(
      "a board on the field in \(films.count * FieldFilm.maskedFrames.count) frames, spared: the outlines "
        + "of the dice that the follower knows",
      [
        .init("pose", "dice"), .init("shown", "in frames"), .init("touched", "touched"),
        .init("pixels", "pixels"), .init("covered", "drawn over"),
      ])
    let all = films.flatMap { $0.shown }
    for (name, isKind) in Self.shownKinds {
      let dice = all.filter(isKind)
      table.append(
        .text(name), .count(dice.count), .count(dice.count { $0.coveredCounts[0] > 0 }),
        .count(dice.reduce(0) { $0 + $1.pixelCount }),
        .count(dice.reduce(0) { $0 + $1.coveredCounts[0] }))
    }
    return table
  }

  private static let shownKinds: [(String, @Sendable (FieldFilm.Shown) -> Bool)] = [
    ("flat, found", { $0.isFound && $0.pose == .flat }),
    ("leaning, found", { $0.isFound && $0.pose != .flat && $0.pose != .stacked }),
    ("stacks of two", { $0.pose == .stacked }),
    ("not found", { !$0.isFound && $0.pose != .stacked }),
  ]

  /// What more room around the dice spares, and how much of the board it takes.
  ///
  /// The ranges hold 95 of 100 drawings of as many films from these, with replacement.
  var sparings: Table {
    var table = Table(
      "the same frames with more or less room: of the dice's pixels, % drawn over, and of the board's beside "
        + "them, % left out",
      [
        .init("margin", "margin"), .init("cockedMargin", "cocked"), .init("layers", "layers"),
        .init("flat", "flat"), .init("leaning", "leaning"), .init("stacks", "stacks"),
        .init("stacksRange", "95 %"), .init("leftOut", "left out"), .init("leftOutRange", "95 %"),
      ])
    for (place, sparing) in FieldFilm.sparings.enumerated() {
      let shares = Self.shownKinds.prefix(3).map { (_, isKind) in
        films.map { (film) in
          let dice = film.shown.filter(isKind)
          return Share(
            part: dice.reduce(0) { $0 + $1.coveredCounts[place] },
            whole: dice.reduce(0) { $0 + $1.pixelCount })
        }
      }
      let leftOut = films.map {
        Share(part: $0.leftOutCounts[place], whole: $0.boardPixelCount)
      }
      table.append(
        .number(sparing.margin, decimals: 2), .number(sparing.cockedMargin, decimals: 2),
        sparing.layers.map { .count($0) } ?? .text("told"),
        .number(Share.percentage(shares[0]), decimals: 2),
        .number(Share.percentage(shares[1]), decimals: 2),
        .number(Share.percentage(shares[2]), decimals: 2),
        .text(Share.range(shares[2], decimals: 2)),
        .number(Share.percentage(leftOut), decimals: 1),
        .text(Share.range(leftOut, decimals: 1)))
    }
    return table
  }

  /// How many of a film's pixels are of some kind.
  private struct Share {
    let part: Int
    let whole: Int

    /// Of all films' pixels.
    static func percentage(_ shares: [Share]) -> Double {
      100 * Double(shares.reduce(0) { $0 + $1.part })
        / Double(max(shares.reduce(0) { $0 + $1.whole }, 1))
    }

    /// Where 95 of 100 percentages lie, in 2000 drawings of as many films.
    static func range(_ shares: [Share], decimals: Int) -> String {
      var chance = Chance(state: 1)
      let drawn = (0..<2000).map { _ in
        percentage(shares.map { _ in shares[Int(chance.next() * Double(shares.count))] })
      }.sorted()
      return "\(Decimals.text(drawn[50], decimals))...\(Decimals.text(drawn[1949], decimals))"
    }
  }

  /// How often the room below a die comes or goes from one frame to the next.
  var roomNote: String {
    let (changes, pairs) = (
      films.reduce(0) { $0 + $1.roomChangeCount }, films.reduce(0) { $0 + $1.roomPairCount }
    )
    return
      "layers told by the frames: \(changes) changes from a frame to the next in \(pairs) pairs of "
      + "frames of a die"
  }

  /// The features of each die, for choosing thresholds: a line each.
  var features: String {
    films.flatMap { $0.dice }.map {
      "\($0.pose) outside=\($0.isOutside) ratio=\($0.ratio) size=\($0.size) "
        + "confidence=\($0.confidence) read=\($0.isRead)"
    }.joined(separator: "\n")
  }
}

extension FieldFilm.Die {
  /// By how many degrees it leans; nil where it lies flat.
  var lean: Double? {
    if case .leaning(let degrees) = pose { degrees } else { nil }
  }
}
