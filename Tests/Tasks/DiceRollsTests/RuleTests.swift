import TestSupport
import DiceGeometry
import Testing

@testable import DiceRolls

/// Where the rule of two frames in a row errs, and that the tracker does not.
@Suite struct ConsecutiveFrameRuleTests {
  typealias Observation = RollTracker.Observation

  static func die(_ x: Double, _ value: Int, _ y: Double = 0, size: Double = 100) -> Observation {
    Observation(boundingBox: BoundingBox(x: x, y: y, width: size, height: size), value: value)
  }

  @Test func truthTable() {
    typealias Row = (previous: [Observation], current: [Observation], hasEnded: Bool)
    let die = { (x: Double, value: Int) in Self.die(x, value) }
    let rows: [Row] = [
      ([], [], false), ([], [die(0, 1)], false), ([die(0, 1)], [], false),
      ([die(0, 1)], [die(0, 1)], true),
      // Another value; one more; one less.
      ([die(0, 1)], [die(0, 2)], false),
      ([die(0, 1)], [die(0, 1), die(300, 1)], false),
      ([die(0, 1), die(300, 1)], [die(0, 1)], false),
      // In any order.
      ([die(0, 1), die(300, 2)], [die(300, 2), die(0, 1)], true),
      // 100 by 100 moved by 8: 92 / 108 = 0.852; by 8.2: 0.848.
      ([die(0, 1)], [die(8, 1)], true), ([die(0, 1)], [die(8.2, 1)], false),
      // Two equal boxes close together count four times: never at rest although nothing moves.
      ([die(0, 3), die(5, 3)], [die(0, 3), die(5, 3)], false),
      // One box that is counted twice makes up for one that has gone elsewhere.
      ([die(0, 3), die(5, 3)], [die(2, 3), die(600, 3)], true),
    ]
    for (index, row) in rows.enumerated() {
      var rule = ConsecutiveFrameRule()
      _ = rule.hasRollEnded(observations: row.previous)
      expectEqual(rule.hasRollEnded(observations: row.current), row.hasEnded, "row \(index)")
    }
    expectEqual(rows.count, 12)
  }

  /// How often each says that a roll has ended; for the rule, changes from no to yes.
  static func count(_ clip: Clip) -> (rule: Int, tracker: Int) {
    var rule = ConsecutiveFrameRule()
    var tracker = RollTracker()
    var ruleCount = 0
    var trackerCount = 0
    var wasEnded = false
    for (time, observations, motion) in clip.frames() {
      let hasEnded = rule.hasRollEnded(observations: observations)
      if hasEnded, !wasEnded { ruleCount += 1 }
      wasEnded = hasEnded
      for event in tracker.update(with: observations, at: time, cameraMotion: motion) {
        if case .rollEnded = event { trackerCount += 1 }
      }
    }
    return (ruleCount, trackerCount)
  }

  static func clean(_ dice: [SimulatedDie], duration: Double = 3) -> Clip {
    Clip(
      dice: dice, duration: duration, jitter: 0.003, missRate: 0, wrongRate: 0, spuriousRate: 0)
  }

  @Test func oneMissedDetectionRepeatsTheRoll() {
    var random = SeededGenerator(seed: 2)
    var dice = [
      SimulatedDie.thrown(x: 600, y: 500, value: 5, rests: 1, using: &random),
      .thrown(x: 900, y: 500, value: 2, rests: 1, using: &random),
    ]
    for index in 0..<2 { dice[index].appears = 0.5 }
    var clip = Self.clean(dice)
    clip.missRate = 0.05
    let (rule, tracker) = Self.count(clip)
    #expect(rule > 1 && tracker == 1, "\(rule), \(tracker)")
  }

  @Test func aDieLaidDownByHandIsARollForTheRule() {
    let (rule, tracker) = Self.count(Self.clean([.lying(x: 500, y: 500, value: 4, appears: 1)]))
    #expect(rule > 0 && tracker == 0, "\(rule), \(tracker)")
  }

  @Test func slowDriftIsRestForTheRule() {
    // 0.9 sizes a second: the boxes of two frames in a row overlap by 0.94.
    var die = SimulatedDie.lying(x: 500, y: 500, value: 4)
    die.pushes = [(0.5, 2.5, 635, 500)]
    let (rule, tracker) = Self.count(Self.clean([die]))
    #expect(rule > 0 && tracker == 0, "\(rule), \(tracker)")
  }

  @Test func flickerAtTheThresholdRestartsTheRollForTheRule() {
    var random = SeededGenerator(seed: 4)
    var dice = [
      SimulatedDie.thrown(x: 600, y: 500, value: 5, rests: 1, using: &random),
      .thrown(x: 900, y: 500, value: 2, rests: 1, using: &random),
    ]
    for index in 0..<2 { dice[index].appears = 0.5 }
    dice[1].visibility = 0.7
    let (rule, tracker) = Self.count(Self.clean(dice))
    #expect(rule > 5 && tracker == 1, "\(rule), \(tracker)")
  }

  @Test func equalDiceWhoseBoxesOverlapNeverRestForTheRule() {
    var rule = ConsecutiveFrameRule()
    var tracker = RollTracker()
    var ruleCount = 0
    var rolls: [[Int]] = []
    // Three dice slide in; two are stacked so that their boxes overlap by more than 0.85.
    for frame in 0..<60 {
      let left = max(Double(20 - frame), 0)
      let shift = frame < 8 ? nil : 0.6 * left * left
      let observations =
        shift.map { [Self.die(400 - $0, 3), Self.die(400 - $0, 3, 7), Self.die(700 - $0, 6)] } ?? []
      if rule.hasRollEnded(observations: observations), frame >= 21 { ruleCount += 1 }
      for event in tracker.update(with: observations, at: .milliseconds(33 * frame)) {
        if case .rollEnded(let roll) = event { rolls.append(roll.values) }
      }
    }
    // Two boxes of one die are one die for the tracker.
    #expect(ruleCount == 0 && rolls == [[3, 6]], "\(ruleCount), \(rolls)")
  }
}

/// The assignment against all possible ones.
@Suite struct AssignmentTests {
  /// The least cost over all assignments, by trying them.
  static func leastCost(_ costs: [[Double]], from row: Int = 0, used: Set<Int> = []) -> Double {
    guard row < costs.count else { return 0 }
    var best = 1 + leastCost(costs, from: row + 1, used: used)
    for column in costs[row].indices where !used.contains(column) && costs[row][column] < 1 {
      let rest = leastCost(costs, from: row + 1, used: used.union([column]))
      best = min(best, costs[row][column] + rest)
    }
    return best
  }

  @Test func findsTheLeastCost() {
    var random = SeededGenerator(seed: 11)
    var assignment = Assignment()
    for round in 0..<400 {
      let rows = Int.random(in: 0...5, using: &random)
      let columns = Int.random(in: 0...5, using: &random)
      let costs = (0..<rows).map { _ in
        // Quarters give many ties.
        (0..<columns).map { _ in
          round % 2 == 0
            ? random.uniform(0...1.3) : Double(Int.random(in: 0...5, using: &random)) / 4
        }
      }
      assignment.costs = costs.flatMap { $0 }
      assignment.solve(rowCount: rows, columnCount: columns)
      let used = assignment.columns.filter { $0 >= 0 }
      #expect(assignment.columns.count == rows && Set(used).count == used.count)
      var total = 0.0
      for row in 0..<rows {
        let column = assignment.columns[row]
        total += column < 0 ? 1 : costs[row][column]
        if column >= 0 { #expect(costs[row][column] < 1) }
      }
      #expect(abs(total - Self.leastCost(costs)) < 1e-9, "round \(round)")
    }
  }
}
