import TestSupport
import DiceNumerics
import DiceGeometry
import Testing

@testable import DiceRolls

/// Throws of one to six dice by the hundred, with jitter, 10 % misses (more in flight), 5 % wrong
/// readings and 5 % false boxes.
@Suite struct ThrowTests {
  static let seeds: ClosedRange<UInt64> = 1...200

  enum Camera: CaseIterable {
    case fixed
    case drifting
    case shaking
    case given
  }

  struct Score {
    /// One roll, and its result, as revised within the clip, is right.
    var right = 0
    /// So at the first report.
    var rightAtOnce = 0
    var repeated = 0
    /// More than two frames at 30/s before rest.
    var early = 0
    /// From rest to report, in frames at 30/s, sorted.
    var delays: [Double] = []
    /// The final values, seed by seed.
    var results: [[Int]] = []
    var failures: [UInt64] = []
  }

  static func score(_ framesPerSecond: Double, _ camera: Camera) -> Score {
    var score = Score()
    for seed in seeds {
      var clip = Clip.throwing(seed: seed)
      clip.framesPerSecond = framesPerSecond
      var random = SeededGenerator(seed: seed ^ 99)
      // One to two pixels a frame at 30/s in either direction.
      let speedX = random.uniform(-60...60)
      let speedY = random.uniform(-60...60)
      if camera == .drifting { clip.camera = { (speedX * $0, speedY * $0) } }
      if camera == .shaking || camera == .given {
        clip.camera = { time in
          let x = sineAndCosine(turns: (time * 3.1).truncatingRemainder(dividingBy: 1)).sine
          let y = sineAndCosine(turns: (time * 1.7).truncatingRemainder(dividingBy: 1)).sine
          return (speedX * time + 3 * x, speedY * time + 4 * y)
        }
      }
      clip.isCameraGiven = camera == .given
      let events = clip.run()
      let rolls = events.rolls
      let final = (events.revisions.last ?? rolls.first)?.values ?? []
      score.results.append(final)
      if rolls.count == 1, final == clip.values {
        score.right += 1
      } else {
        score.failures.append(seed)
      }
      if rolls.map(\.values) == [clip.values] { score.rightAtOnce += 1 }
      if rolls.count > 1 { score.repeated += 1 }
      if let roll = rolls.first {
        let delay = (Double(nanoseconds(roll.endTime)) * 1e-9 - clip.lastRest) * 30
        score.delays.append(delay)
        if delay < -2 { score.early += 1 }
      }
    }
    score.delays.sort()
    return score
  }

  @Test(arguments: Camera.allCases)
  func throwsAreReadOnceAndRight(_ camera: Camera) {
    var scores: [Score] = []
    for rate in [10.0, 30, 60] {
      let score = Self.score(rate, camera)
      scores.append(score)
      let median = score.delays[score.delays.count / 2]
      let late = score.delays[score.delays.count * 95 / 100]
      let text =
        "\(camera) \(rate)/s: right \(score.right) at once \(score.rightAtOnce) repeated \(score.repeated) early \(score.early) median \(median) 95 % \(late) failures \(score.failures)"
      // At 10/s an unknown shake of 3 Hz is seen three times in a period: more rolls stay open.
      let isHard = camera == .shaking && rate == 10
      #expect(score.right >= (isHard ? 186 : 194), "\(text)")
      #expect(score.rightAtOnce >= (isHard ? 184 : rate == 10 ? 188 : 194), "\(text)")
      expectEqual(score.repeated, 0, "\(text)")
      #expect(score.early <= (rate == 10 ? 2 : 0), "\(text)")
      if rate == 30 { #expect(median <= 8 && late <= (camera == .shaking ? 18 : 15), "\(text)") }
    }
    var equalCount = 0
    for index in 0..<200
    where scores[1].results[index] == scores[0].results[index]
      && scores[1].results[index] == scores[2].results[index]
    { equalCount += 1 }
    #expect(
      equalCount >= (camera == .shaking ? 186 : 192),
      "\(equalCount) of 200 are equal at all three rates")
  }

  @Test func restAndSettlingTimesAreThoseOfTheThrow() {
    var count = 0
    for seed in UInt64(1)...40 {
      let clip = Clip.throwing(seed: seed, count: 3)
      guard let roll = clip.run().rolls.first, roll.values == clip.values else { continue }
      count += 1
      let rest = Double(nanoseconds(roll.restTime)) * 1e-9
      #expect(abs(rest - clip.lastRest) < 0.25, "seed \(seed): \(rest), not \(clip.lastRest)")
      #expect(roll.settlingDuration > .milliseconds(100), "seed \(seed)")
      let partCount = roll.dice.count { (die) in die.tookPart }
      expectEqual(partCount, 3, "seed \(seed)")
      for (die, truth) in zip(roll.dice, clip.dice.sorted { $0.x < $1.x }) {
        let error = length(die.boundingBox.midX - truth.x, die.boundingBox.midY - truth.y)
        #expect(error < 0.08 * truth.size, "seed \(seed): \(error)")
      }
    }
    #expect(count >= 38)
  }

  /// What the second throw has in common with the first.
  enum Likeness: CaseIterable {
    case nothing, places, values, both
  }

  /// A throw, whose dice vanish together, and another one that begins after the gap.
  static func pair(
    seed: UInt64, count: Int?, gap: Double, likeness: Likeness
  ) -> (clip: Clip, first: Clip, second: Clip) {
    var first = Clip.throwing(seed: seed, count: count)
    var second = Clip.throwing(seed: seed + 5000, count: count)
    var random = SeededGenerator(seed: seed + 77)
    let end = first.lastRest + 1.3
    let delay = end + gap - (second.dice.map(\.appears).min() ?? 0)
    for index in first.dice.indices { first.dice[index].leaves = end }
    for index in second.dice.indices {
      second.dice[index].size = first.dice[0].size
      second.dice[index].appears += delay
      second.dice[index].rests += delay
      guard index < first.dice.count else { continue }
      if likeness == .places || likeness == .both {
        second.dice[index].x = first.dice[index].x + random.uniform(-8...8)
        second.dice[index].y = first.dice[index].y + random.uniform(-8...8)
      }
      if likeness == .values || likeness == .both {
        second.dice[index].value = first.dice[index].value
      }
    }
    var clip = first
    clip.dice += second.dice
    clip.duration = second.lastRest + 1.3
    return (clip, first, second)
  }

  @Test(arguments: [0.1, 0.2, 0.35, 0.63, 1], Likeness.allCases)
  func aThrowSoonAfterDiceVanishedIsARollOfItsOwn(gap: Double, likeness: Likeness) {
    for rate in [15.0, 30, 60] {
      var right = 0
      var delays: [Double] = []
      for seed in UInt64(1)...60 {
        var (clip, first, second) = Self.pair(
          seed: seed, count: seed % 2 == 0 ? 1 : nil, gap: gap, likeness: likeness)
        clip.framesPerSecond = rate
        let rolls = clip.run().rolls
        guard
          rolls.map({ (roll) in roll.values.sorted() })
            == [first.values.sorted(), second.values.sorted()]
        else { continue }
        right += 1
        delays.append((Double(nanoseconds(rolls[1].endTime)) * 1e-9 - second.lastRest) * 30)
      }
      delays.sort()
      let text = "\(right) of 60 at \(rate) frames a second, \(delays)"
      #expect(right >= (rate == 15 ? 55 : 59), "\(text)")
      #expect(delays[delays.count / 2] <= 8 && delays[delays.count * 9 / 10] <= 15, "\(text)")
    }
  }

  @Test func aDieThatIsCoveredForAMomentStaysTheSame() {
    var clip = Clip().faultless
    clip.duration = 4
    // Seen until 1.5 s and again from 1.9 s on, in the same place with the same value.
    clip.dice = [
      .lying(x: 500, y: 400, value: 3, leaves: 1.5), .lying(x: 500, y: 400, value: 3, appears: 1.9),
    ]
    let events = clip.run()
    expectEqual(events.enteredCount, 1)
    expectEqual(events.leftCount, 0)
    #expect(events.rolls.isEmpty)
  }

  /// Dice that fly near the camera look larger than on the table.
  @Test func diceThatLookedLargerInFlightStayTheSameAfterAMomentOutOfView() {
    for seed in UInt64(1)...20 {
      var clip = Clip.throwing(seed: seed, count: 2).faultless
      for index in clip.dice.indices { clip.dice[index].rests = 1.2 }
      var tracker = RollTracker()
      var events: [(time: Double, event: RollTracker.Event)] = []
      for (time, observations, _) in clip.frames() {
        let now = Double(nanoseconds(time)) * 1e-9
        // Hidden for five frames, soon after they have come to rest.
        let sinceRest = now - clip.lastRest
        let seen = (0.4...0.56).contains(sinceRest) ? [] : observations
        let boxes = seen.map { (die) in
          var die = die
          if sinceRest < -0.1 {
            let box = die.boundingBox
            die.boundingBox = BoundingBox(
              midX: box.midX, midY: box.midY, width: 1.4 * box.width, height: 1.4 * box.height)
          }
          return die
        }
        events += tracker.update(with: boxes, at: time).map { (now, $0) }
      }
      expectEqual(events.rolls.map(\.values), [clip.values], "seed \(seed)")
      expectEqual(events.revisions.map(\.values), [], "seed \(seed)")
      expectEqual(tracker.dice.count, 2, "seed \(seed)")
    }
  }

  @Test func aDieThatIsPushedBetweenTwoSlowFramesStaysTheSame() {
    var clip = Clip().faultless
    clip.framesPerSecond = 8
    clip.duration = 4
    clip.dice = [.lying(x: 500, y: 400, value: 3), .lying(x: 800, y: 400, value: 5)]
    clip.dice[0].pushes = [(time: 2.01, duration: 0.1, x: 560, y: 400)]
    let events = clip.run()
    expectEqual(events.enteredCount, 2)
    expectEqual(events.leftCount, 0)
    #expect(events.rolls.isEmpty)
  }
}
