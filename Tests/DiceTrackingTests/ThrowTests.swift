import DiceGeometry
import Testing

@testable import DiceTracking

/// Throws by the hundred, seeds 1 to 200.
@Suite struct ThrowTests {
  static let seeds: ClosedRange<UInt64> = 1...200

  struct Score {
    var right = 0
    var early = 0
    var repeated = 0
    var delays: [Double] = []
    var failures: [UInt64] = []
  }

  static func score(
    _ framesPerSecond: Double, prepare: (inout Clip, UInt64) -> Void = { _, _ in }
  ) -> (Score, [[Int]]) {
    var score = Score()
    var results: [[Int]] = []
    for seed in seeds {
      var clip = Clip.throwing(seed: seed)
      clip.framesPerSecond = framesPerSecond
      prepare(&clip, seed)
      let events = clip.run()
      let rolls = events.rolls
      results.append(rolls.first?.values ?? [])
      if rolls.count == 1, rolls[0].values == clip.values {
        score.right += 1
      } else {
        score.failures.append(seed)
        print("  fail", framesPerSecond, seed, "want", clip.values, "got", rolls.map(\.values), "rev", events.revisions.map(\.values), "starts", events.startCount, "unsettled", events.unsettledCount, "entered", events.enteredCount, "left", events.leftCount)
      }
      if rolls.count > 1 { score.repeated += 1 }
      if let roll = rolls.first {
        let delay = Double(nanoseconds(roll.endTime)) * 1e-9 - clip.lastRest
        score.delays.append(delay * 30)
        if delay < -2.0 / 30 { score.early += 1; print("  early", framesPerSecond, seed, delay * 30, "want", clip.values, "got", rolls.map(\.values), clip.dice.map { ($0.rests, $0.deceleration, $0.size) }) }
      }
    }
    score.delays.sort()
    return (score, results)
  }

  @Test func probe() {
    for rate in [10.0, 30, 60] {
      for kind in 0..<4 {
        let (score, _) = Self.score(rate) { clip, seed in
          var random = SeededGenerator(seed: seed ^ 99)
          let vx = random.uniform(-60, 60), vy = random.uniform(-60, 60)
          if kind == 1 { clip.camera = { (vx * $0, vy * $0) } }
          if kind >= 2 { clip.camera = { time in
            let a = sineAndCosine(turns: (time * 3.1).truncatingRemainder(dividingBy: 1)).sine
            let b = sineAndCosine(turns: (time * 1.7).truncatingRemainder(dividingBy: 1)).sine
            return (vx * time + 4 * a, vy * time + 5 * b)
          } }
          clip.isCameraGiven = kind == 3
        }
        let d = score.delays
        print(
          "rate", rate, "kind", kind, "right", score.right, "early", score.early, "rep", score.repeated,
          "median", d[d.count / 2], "p95", d[d.count * 95 / 100], "n", d.count,
          score.failures.prefix(10))
      }
    }
  }
}
