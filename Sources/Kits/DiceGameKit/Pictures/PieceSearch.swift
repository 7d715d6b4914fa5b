internal import DiceNumerics

/// Finds the best way to give the pieces of a line to digits.
///
/// The pieces are taken from left to right. Every group of neighbouring ones is read; of all ways to
/// part the line into groups, that with the greatest sum of logarithms of probabilities is taken.
struct PieceSearch {
  /// The most groups of a picture that are read, and the most pixels of these together.
  static let (groupLimit, areaLimit) = (3000, 60_000_000)

  /// A group with what it is read as; nil for no digit.
  struct Choice {
    var members: [Int]
    var digit: Int?
    var score: Double
    var certainty = 1.0
    /// How many digits share the certainty.
    var digitCount = 1
    /// How many of its sides are cuts: 0, 1 or 2.
    var cutCount = 0
  }

  let ink: InkPieces
  let reader: PictureDigitReader
  let costs: PictureNumberReader.Costs
  private let rows: PieceRows
  private let order: PieceOrder
  private var groupCount = 0
  private var area = 0

  init(_ ink: InkPieces, reader: PictureDigitReader, costs: PictureNumberReader.Costs) {
    self.ink = ink
    self.reader = reader
    self.costs = costs
    rows = PieceRows(pieces: ink.pieces)
    order = PieceOrder(ink: ink)
  }

  /// The groups of a line's pieces, from left to right.
  mutating func choices(
    of members: [Int], unit: Float
  ) throws(DigitClassifierError) -> [Choice] {
    var choices: [Choice] = []
    for part in order.parts(of: members) { choices += try best(of: part, unit: unit) }
    return choices
  }

  private mutating func best(
    of sorted: [Int], unit: Float
  ) throws(DigitClassifierError) -> [Choice] {
    let count = sorted.count
    var best = [Double](repeating: -.infinity, count: count + 1)
    var total = best
    var last = [Choice?](repeating: nil, count: count + 1)
    (best[0], total[0]) = (0, 0)
    for start in 0..<count {
      for group in order.groups(from: start, in: sorted, unit: unit) {
        let end = group.endIndex
        var choice = try choice(Array(group), unit: unit)
        let isCutAfter = isCut(sorted, at: end)
        choice.cutCount = (isCut(sorted, at: start) ? 1 : 0) + (isCutAfter ? 1 : 0)
        if isCutAfter { choice.score -= costs.cut }
        if choice.digit == nil { choice.score -= costs.cutFromNone * Double(choice.cutCount) }
        let score = best[start] + choice.score
        if score > best[end] {
          best[end] = score
          last[end] = choice
        }
        total[end] = sum(total[end], total[start] + choice.score)
      }
    }
    var found: [Choice] = []
    var end = count
    while end > 0, let choice = last[end] {
      found.append(choice)
      end -= choice.members.count
    }
    let odds = max(0, exponential(total[count] - best[count]) - 1)
    let digitCount = max(1, found.count { $0.digit != nil })
    return found.reversed().map { choice in
      var choice = choice
      choice.certainty = 1 / (1 + odds * odds)
      choice.digitCount = digitCount
      return choice
    }
  }

  /// Whether the pieces before and behind a place are parts of one.
  private func isCut(_ sorted: [Int], at place: Int) -> Bool {
    guard place > 0, place < sorted.count else { return false }
    return ink.pieces[sorted[place - 1]].origin == ink.pieces[sorted[place]].origin
  }

  /// The logarithm of the sum of two numbers that are given by theirs.
  private func sum(_ one: Double, _ other: Double) -> Double {
    let (high, low) = (max(one, other), min(one, other))
    return low == -.infinity ? high : high + naturalLogarithm(1 + exponential(low - high))
  }

  // MARK: Groups

  /// The box of some pieces.
  func box(_ members: [Int]) -> (columns: Range<Int>, rows: Range<Int>) { ink.box(of: members) }

  private mutating func choice(
    _ members: [Int], unit: Float
  ) throws(DigitClassifierError) -> Choice {
    let box = box(members)
    let size = Float(max(box.columns.count, box.rows.count))
    let noneCost = costs.none * Double(min(max(0.2, size / unit), 1.5))
    var widest: Float = 0
    if members.count > 1 {
      for member in members {
        var nearest = Float.infinity
        for other in members where other != member {
          let isCut = ink.pieces[member].origin == ink.pieces[other].origin
          nearest = min(nearest, isCut ? 0 : rows.gap(member, other))
        }
        widest = max(widest, nearest)
      }
    }
    let strain = costs.gap * Double(widest / unit)
    area += box.columns.count * box.rows.count
    groupCount += 1
    guard PieceOrder.hasShape(height: box.rows.count, unit: unit),
      groupCount <= Self.groupLimit, area <= Self.areaLimit
    else {
      return Choice(members: members, digit: nil, score: -noneCost - strain)
    }
    let found = try reader.quickProbabilities(of: DigitBitmap(ink.raster(of: members)))
    var digit = 0
    for other in 1..<10 where found[other] > found[digit] { digit = other }
    let lack = max(0, 0.6 - Float(box.rows.count) / unit)
    let digitScore =
      logarithm(found[digit]) - strain - costs.size * 10 * Double(lack)
    let noneScore = logarithm(found[10]) - noneCost - strain
    return Choice(
      members: members, digit: digitScore >= noneScore ? digit : nil,
      score: max(digitScore, noneScore))
  }

  private func logarithm(_ probability: Float) -> Double {
    naturalLogarithm(Double(max(probability, 1e-9)))
  }
}
