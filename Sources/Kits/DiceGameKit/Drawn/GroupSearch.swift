internal import DiceNumerics

/// Finds the best way to group strokes into digits.
///
/// Strokes that stand apart are never looked at together. Among the others, every group of up to four
/// neighbouring strokes is read; of all ways to give each stroke to one group, that with the greatest
/// sum of logarithms of probabilities is taken. Strokes that touch, or stand close above each other, and
/// are given to different groups count against a way: digits stand apart, the strokes of one do not. Neither the order of
/// writing nor that from left to right is relied on.
struct GroupSearch {
  /// The most strokes of a digit.
  static let strokesPerDigit = 4
  /// The most groups that are read among strokes that stand together.
  static let groupLimit = 1200
  /// How many partial ways are kept for each number of covered strokes.
  static let wayLimit = 256
  /// The strokes that stand together and are searched at once.
  static let clusterLimit = 60
  let paths: [InkPath]
  let reader: DrawnDigitReader
  let names: [Int]
  let memory: [[Int]: [Float]]
  let costs: NumberRecognizer.Costs
  private(set) var used: [[Int]: [Float]] = [:]
  /// The usual size of a digit.
  private let unit: Float

  /// A group with what it is read as; nil for no digit.
  struct Choice {
    var strokes: [Int]
    var replaced: [Int]
    var probabilities: [Float]
    var digit: Int?
    var score: Double
    var certainty = 1.0
  }

  init(
    paths: [InkPath], reader: DrawnDigitReader, names: [Int], memory: [[Int]: [Float]],
    costs: NumberRecognizer.Costs
  ) {
    self.paths = paths
    self.reader = reader
    self.names = names
    self.memory = memory
    self.costs = costs
    let sizes = paths.map { max($0.size.x, $0.size.y) }.sorted()
    unit = sizes.isEmpty ? 1 : max(sizes[sizes.count - 1 - (sizes.count - 1) / 4], 1e-30)
  }

  mutating func reading() throws(DigitClassifierError) -> NumberReading {
    var choices: [Choice] = []
    for cluster in clusters() { choices += try best(of: cluster) }
    return ReadingLayout.reading(choices, paths: paths)
  }

  // MARK: Neighbours

  /// How far two boxes are apart, the greater of both axes; 0 where they overlap.
  private func gap(_ one: Int, _ other: Int) -> Float {
    let (a, b) = (paths[one], paths[other])
    let gap = pointwiseMax(a.low - b.high, b.low - a.high)
    return max(0, max(gap.x, gap.y))
  }

  /// The same, but 0 between strokes that stand close above each other.
  private func strainingGap(_ one: Int, _ other: Int) -> Float {
    let gap = gap(one, other)
    return gap < Float(costs.columnReach) * unit
      && StrokeTouches.isColumn(paths[one], paths[other]) ? 0 : gap
  }

  private func areNeighbours(_ one: Int, _ other: Int) -> Bool { gap(one, other) <= 0.3 * unit }

  /// The strokes that hang together by neighbours, each cluster from left to right.
  private func clusters() -> [[Int]] {
    var left = Set(paths.indices)
    var clusters: [[Int]] = []
    for start in paths.indices where left.remove(start) != nil {
      var cluster = [start]
      var place = 0
      while place < cluster.count {
        for other in left.sorted() where areNeighbours(cluster[place], other) {
          left.remove(other)
          cluster.append(other)
        }
        place += 1
      }
      cluster.sort { (paths[$0].center.x, $0) < (paths[$1].center.x, $1) }
      for first in stride(from: 0, to: cluster.count, by: Self.clusterLimit) {
        clusters.append(Array(cluster[first..<min(first + Self.clusterLimit, cluster.count)]))
      }
    }
    return clusters
  }

  /// The groups of a cluster as sets of places in it: those of one stroke, then of two, and so on.
  private func groups(of cluster: [Int]) -> [UInt64] {
    let masks = cluster.indices.map { place in
      cluster.indices.reduce(UInt64(0)) { mask, other in
        other != place && areNeighbours(cluster[place], cluster[other])
          ? mask | 1 << UInt64(other) : mask
      }
    }
    var groups: [UInt64] = []
    var seen: Set<UInt64> = []
    var layer = cluster.indices.map { UInt64(1) << UInt64($0) }
    for size in 1...Self.strokesPerDigit {
      groups += layer
      if size == Self.strokesPerDigit { break }
      var next: [UInt64] = []
      for group in layer {
        var around: UInt64 = 0
        for place in cluster.indices where group >> UInt64(place) & 1 == 1 {
          around |= masks[place]
        }
        for place in cluster.indices where (around & ~group) >> UInt64(place) & 1 == 1 {
          let wider = group | 1 << UInt64(place)
          guard groups.count + next.count < Self.groupLimit, seen.insert(wider).inserted,
            fits(wider, cluster)
          else { continue }
          next.append(wider)
        }
      }
      layer = next
    }
    return groups
  }

  /// Whether a group is no larger than a digit can be.
  private func fits(_ group: UInt64, _ cluster: [Int]) -> Bool {
    let members = InkGroup(members(group, cluster).map { paths[$0] })
    let size = members.high - members.low
    return size.x <= 1.9 * unit && size.y <= 2.3 * unit
  }

  /// The strokes of a group, in the order of writing.
  private func members(_ group: UInt64, _ cluster: [Int]) -> [Int] {
    cluster.indices.filter { group >> UInt64($0) & 1 == 1 }.map { cluster[$0] }.sorted()
  }

  // MARK: Choices

  private mutating func probabilities(
    of strokes: [Int]
  ) throws(DigitClassifierError) -> [Float] {
    let key = strokes.map { names[$0] }
    if let known = used[key] ?? memory[key] {
      used[key] = known
      return known
    }
    let group = InkGroup(strokes.map { paths[$0] })
    // A dot has no shape.
    let size = group.high - group.low
    let found =
      max(size.x, size.y) < 0.04 * unit || max(size.x, size.y) <= 1e-30
      ? [Float](repeating: 0, count: 10) + [1]
      : try reader.probabilities(of: group, pictureVote: costs.pictureVote)
    used[key] = found
    return found
  }

  private mutating func choice(
    _ strokes: [Int]
  ) throws(DigitClassifierError) -> Choice {
    let found = try probabilities(of: strokes)
    var digit = 0
    for other in 1..<10 where found[other] > found[digit] { digit = other }
    var widest: Float = 0
    if strokes.count > 1 {
      for stroke in strokes {
        let nearest =
          strokes.filter { $0 != stroke }.map { strainingGap(stroke, $0) }.min() ?? 0
        widest = max(widest, nearest)
      }
    }
    let strain = costs.gap * Double(widest / unit)
    let size = InkGroup(strokes.map { paths[$0] }).unit
    let digitScore =
      logarithm(found[digit]) - strain - costs.small * 10 * Double(max(0, 0.5 - size / unit))
    let noneScore =
      logarithm(found[10]) - costs.none - costs.furtherNone * Double(strokes.count - 1) - strain
    var choice = Choice(
      strokes: strokes, replaced: [], probabilities: Array(found[0..<10]), digit: digit,
      score: digitScore)
    if noneScore > digitScore {
      choice.digit = nil
      choice.score = noneScore
    }
    for count in 1..<max(1, strokes.count) {
      let (earlier, later) = (Array(strokes[..<count]), Array(strokes[count...]))
      guard isOver(later, earlier) else { continue }
      let new = try probabilities(of: later)
      let best = (0..<10).max { new[$0] < new[$1] } ?? 0
      let score = logarithm(new[best]) - costs.replacement
      if score > choice.score {
        choice = Choice(
          strokes: strokes, replaced: earlier, probabilities: Array(new[0..<10]), digit: best,
          score: score)
      }
    }
    return choice
  }

  /// Strokes that show no digit, unread.
  private func none(_ strokes: [Int]) -> Choice {
    Choice(
      strokes: strokes, replaced: [], probabilities: [Float](repeating: 0, count: 10), digit: nil,
      score: -costs.none - costs.furtherNone * Double(strokes.count - 1))
  }

  /// Which strokes of a cluster touch.
  private func touches(of cluster: [Int]) -> StrokeTouches {
    StrokeTouches(
      cluster.map { paths[$0] }, reach: Float(costs.touchReach) * unit,
      columnReach: Float(costs.columnReach) * unit)
  }

  /// Whether strokes cover the place of others: each box holds most of the other's.
  private func isOver(_ later: [Int], _ earlier: [Int]) -> Bool {
    let (a, b) = (InkGroup(later.map { paths[$0] }), InkGroup(earlier.map { paths[$0] }))
    let common = pointwiseMin(a.high, b.high) - pointwiseMax(a.low, b.low)
    guard common.x > 0, common.y > 0 else { return false }
    let (one, other) = (a.high - a.low, b.high - b.low)
    return common.y >= 0.7 * max(one.y, other.y) && common.x >= 0.5 * max(one.x, other.x)
  }

  private func logarithm(_ probability: Float) -> Double {
    naturalLogarithm(Double(max(probability, 1e-9)))
  }

  // MARK: The search

  /// A way to give some strokes to groups.
  private struct Way {
    var score: Double
    /// The sum over all ways of e to their scores, as a logarithm.
    var total: Double
    var choice: Int
    var before: UInt64
  }

  private mutating func best(of cluster: [Int]) throws(DigitClassifierError) -> [Choice] {
    var choices: [Choice] = []
    var masks: [UInt64] = []
    let touches = touches(of: cluster)
    var groups = groups(of: cluster)
    if cluster.count > Self.strokesPerDigit {
      // All of it may be no digit.
      groups.append(UInt64.max >> UInt64(64 - cluster.count))
    }
    for group in groups {
      let strokes = members(group, cluster)
      var choice =
        strokes.count > Self.strokesPerDigit ? none(strokes) : try choice(strokes)
      choice.score += costs.touch * touches.sum(within: group)
      masks.append(group)
      choices.append(choice)
    }
    let byFirst = cluster.indices.map { place in
      masks.indices.filter { masks[$0].trailingZeroBitCount == place }
    }
    let all = UInt64.max >> UInt64(64 - cluster.count)
    // Ways by the strokes that they cover, by how many these are.
    var layers = [[UInt64: Way]](repeating: [:], count: cluster.count + 1)
    layers[0][0] = Way(score: 0, total: 0, choice: -1, before: 0)
    for count in 0..<cluster.count {
      if layers[count].count > Self.wayLimit {
        let kept = layers[count].sorted { ($1.value.score, $0.key) < ($0.value.score, $1.key) }
        layers[count] = [:]
        for (mask, way) in kept.prefix(Self.wayLimit) { layers[count][mask] = way }
      }
      for (mask, way) in layers[count].sorted(by: { $0.key < $1.key }) {
        let first = (~mask).trailingZeroBitCount
        for index in byFirst[first] where masks[index] & mask == 0 {
          let wider = mask | masks[index]
          let score = way.score + choices[index].score
          let total = way.total + choices[index].score
          let layer = wider.nonzeroBitCount
          guard var known = layers[layer][wider] else {
            layers[layer][wider] = Way(score: score, total: total, choice: index, before: mask)
            continue
          }
          let (high, low) = (max(known.total, total), min(known.total, total))
          known.total = high + naturalLogarithm(1 + exponential(low - high))
          if score > known.score {
            (known.score, known.choice, known.before) = (score, index, mask)
          }
          layers[layer][wider] = known
        }
      }
    }
    var found: [Choice] = []
    guard let last = layers[cluster.count][all] else { return [] }
    // The other ways together, against this one.
    let odds = max(0, exponential(last.total - last.score) - 1)
    let certainty = 1 / (1 + odds * odds)
    var (mask, way) = (all, last)
    while way.choice >= 0 {
      found.append(choices[way.choice])
      mask = way.before
      guard let before = layers[mask.nonzeroBitCount][mask] else { break }
      way = before
    }
    // All digits of the way share how certain it is.
    let digitCount = max(1, found.count { $0.digit != nil })
    let share = exponential(naturalLogarithm(max(certainty, 1e-12)) / Double(digitCount))
    for index in found.indices { found[index].certainty = share }
    return found
  }
}
