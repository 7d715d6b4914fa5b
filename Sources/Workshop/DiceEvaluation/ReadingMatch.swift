internal import DiceGeometry

/// Which reading belongs to which die of one picture.
///
/// A reading can belong to a die when its centre lies in the die's box, edges included.
///
/// 1. *Right*: as many pairs of the same value as possible, each reading and die in one pair at
///    most. Where there is a choice of readings the surest ones are paired, as in a greedy walk in
///    descending order of confidence (equal ones in their order).
/// 2. *Confused*: as many pairs as possible of what the first step left over, whose values then
///    differ, by the same order.
/// 3. Dice left over are *missed*, readings left over are *false positives*.
///
/// Which readings are right is thereby fixed, whatever the order of the dice. Among several dice for
/// a reading the nearest is tried first (distance of the centres, equal ones in their order), and that
/// choice decides which dice the second step finds. Readings and dice whose box is not finite, or has
/// a negative size, stay alone.
struct ReadingMatch {
  /// The readings' places in descending order of confidence.
  let order: [Int]
  /// The die of each reading of the same value; nil where there is none.
  let rightDie: [Int?]
  /// The die of each reading of another value; nil where there is none.
  let confusedDie: [Int?]

  init(readings: [DetectedObject], dice: [GroundTruthObject]) {
    order = confidenceOrder(readings.map { $0.confidence })
    // For each reading the dice around its centre, the nearest first.
    let near = readings.map { reading in
      ReadingMatch.dice(dice, around: reading.boundingBox)
    }
    let right = ReadingMatch.match(order: order, dieCount: dice.count) { reading in
      near[reading].filter { dice[$0].classIndex == readings[reading].classIndex }
    }
    var isTaken = [Bool](repeating: false, count: dice.count)
    for die in right { if let die { isTaken[die] = true } }
    let left = order.filter { right[$0] == nil }
    rightDie = right
    confusedDie = ReadingMatch.match(order: left, dieCount: dice.count, count: readings.count) {
      reading in near[reading].filter { !isTaken[$0] }
    }
  }

  private static func dice(
    _ dice: [GroundTruthObject], around box: BoundingBox
  ) -> [Int] {
    guard box.isProper else { return [] }
    let (x, y) = (box.midX, box.midY)
    var found: [(die: Int, distance: Double)] = []
    for (index, die) in dice.enumerated() {
      let outer = die.boundingBox
      guard outer.isProper, outer.minX <= x, x <= outer.maxX, outer.minY <= y, y <= outer.maxY
      else { continue }
      let (dx, dy) = (outer.midX - x, outer.midY - y)
      found.append((index, dx * dx + dy * dy))
    }
    found.sort { $0.distance != $1.distance ? $0.distance < $1.distance : $0.die < $1.die }
    return found.map { $0.die }
  }

  /// A matching of greatest size in a graph of readings and dice, by shortest augmenting paths.
  ///
  /// Readings come in the order given, and one that is matched stays matched (with another die,
  /// perhaps): the earlier readings have precedence.
  ///
  /// - Complexity: O(readings · edges).
  private static func match(
    order: [Int], dieCount: Int, count: Int? = nil, edges: (Int) -> [Int]
  ) -> [Int?] {
    var dieOf = [Int?](repeating: nil, count: count ?? order.count)
    var readingOf = [Int?](repeating: nil, count: dieCount)
    var edgesOf = [[Int]](repeating: [], count: dieOf.count)
    for reading in order { edgesOf[reading] = edges(reading) }
    for start in order where !edgesOf[start].isEmpty {
      /// The reading from which each die was reached.
      var reachedFrom = [Int?](repeating: nil, count: dieCount)
      var queue = [start]
      var next = 0
      var free: Int?
      search: while next < queue.count {
        let reading = queue[next]
        next += 1
        for die in edgesOf[reading] where reachedFrom[die] == nil {
          reachedFrom[die] = reading
          guard let owner = readingOf[die] else {
            free = die
            break search
          }
          queue.append(owner)
        }
      }
      while let die = free, let reading = reachedFrom[die] {
        free = dieOf[reading]
        dieOf[reading] = die
        readingOf[die] = reading
        if reading == start { break }
      }
    }
    return dieOf
  }
}
