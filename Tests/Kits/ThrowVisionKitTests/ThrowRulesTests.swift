import TestSupport
import Testing
import ThrowVisionKit

@Suite struct ThrowRulesTests {
  @Test func theSamplesRulesAreThoseOfTheSample() {
    let rules = ThrowRules.sample
    expectEqual(rules.throwCount, 8)
    expectEqual(rules.points(for: .board, type: "overhand"), 1)
    expectEqual(rules.points(for: .hole, type: nil), 3)
    expectEqual(rules.points(for: .board, type: "underleg"), 5)
    expectEqual(rules.points(for: .hole, type: "underleg"), 15)
    expectEqual(rules.points(for: .missed, type: "underleg"), 0)
    expectEqual(rules.stability, .shifts(count: 15, sum: 10))
    expectEqual(rules.framesWithoutEvidence, 20)
    expectEqual(rules.posesInFlight, 10)
    let right = ThrowScenario.flight(1, points: 10, confidence: 0.91)
    #expect(rules.counts(right))
    var left = right
    left.points.reverse()
    #expect(!rules.counts(left))
    #expect(!rules.counts(ThrowScenario.flight(1, points: 9)))
    #expect(!rules.counts(ThrowScenario.flight(1, confidence: 0.89)))
    #expect(ThrowRules.standard.counts(left))
  }

  @Test func aTypeThatIsNotSureGivesNoMorePoints() throws {
    for (confidence, points) in [(Float(0.9), 15), (0.4, 3)] {
      var game = try ThrowGame()
      for input in [
        ThrowGame.Input.sceneStable,
        .fieldFound(Quadrilateral(BoundingBox(x: 0, y: 0, width: 9, height: 9))),
        .playerEntered(identity: 1),
        .flightEnded(
          ThrowScenario.flight(1),
          ThrowOutcome(place: .hole, type: "underleg", typeConfidence: confidence)),
      ] { game.handle(input) }
      expectEqual(game.results.map(\.points), [points])
    }
  }

  @Test func theSummaryHasMeansAndTheBestThrow() {
    func result(_ number: Int, _ points: Int, _ speed: Double?, _ angle: Double?) -> ThrowResult {
      ThrowResult(
        number: number, points: points,
        outcome: ThrowOutcome(
          place: points > 0 ? .board : .missed, speed: speed, releaseAngle: angle), path: [])
    }
    let summary = ThrowSummary([
      result(1, 1, 4, 40), result(2, 5, 5, 50), result(3, 5, 6, nil), result(4, 0, nil, 30),
    ])
    expectEqual(summary.points, 11)
    expectEqual(summary.meanSpeed, 5)
    expectEqual(summary.bestSpeed, 6)
    expectEqual(summary.meanAngle, 40)
    expectEqual(summary.best?.number, 3)
    expectEqual(summary.count(.board), 3)
    expectEqual(ThrowSummary([]).best, nil)
    expectEqual(ThrowSummary([]).meanSpeed, nil)
    expectEqual(result(1, 1, 1, 1).speedInMilesPerHour, 2.2369362920544025)
  }

  @Test func aLongPathIsKeptInPart() {
    let path = (0..<1000).map {
      ThrowFlight.Point(time: Double($0), location: PixelPoint(x: Double($0), y: 0))
    }
    let result = ThrowResult(
      number: 1, points: 0, outcome: ThrowOutcome(place: .missed), path: path)
    expectEqual(result.path.count, ThrowResult.pathLimit)
    expectEqual(result.path.first, path.first)
    expectEqual(result.path.last, path.last)
  }

  @Test func numbersOutOfRangeAreRefused() {
    let changes: [(String, (inout ThrowRules) -> Void)] = [
      ("throwCount", { $0.throwCount = 0 }), ("minimumPointCount", { $0.minimumPointCount = 4 }),
      ("minimumConfidence", { $0.minimumConfidence = .nan }),
      ("minimumTypeConfidence", { $0.minimumTypeConfidence = 1.1 }),
      ("minimumRadius", { $0.minimumRadius = -1 }),
      ("framesWithoutEvidence", { $0.framesWithoutEvidence = 0 }),
      ("minimumPlayerConfidence", { $0.minimumPlayerConfidence = -0.1 }),
      ("posesInFlight", { $0.posesInFlight = -1 }),
      ("points", { $0.points.hole = 10_000_000 }),
      ("stability.pixels", { $0.stability = .still(pixels: .infinity) }),
      ("stability.count", { $0.stability = .shifts(count: 0, sum: 1) }),
      ("stability.sum", { $0.stability = .shifts(count: 1, sum: -1) }),
    ]
    for (name, change) in changes {
      var rules = ThrowRules.standard
      change(&rules)
      do throws(ThrowSessionError) {
        _ = try ThrowGame(rules)
        Issue.record("\(name) was accepted")
      } catch {
        guard case .valueOutOfRange(let found, _, _) = error else {
          Issue.record("\(error)")
          continue
        }
        expectEqual(found, name)
        #expect("\(error)".contains(name))
      }
    }
  }
}
