import Foundation
import TestSupport
import Testing
import ThrowVisionKit

/// How a game comes to where a row begins, and what happens then.
struct ThrowScenario {
  var throwCount = 3
  var requiresPlayer = true
  let before: [ThrowGame.Input]
  let input: ThrowGame.Input

  func game() throws -> ThrowGame {
    var rules = ThrowRules.standard
    rules.throwCount = throwCount
    rules.requiresPlayer = requiresPlayer
    var game = try ThrowGame(rules)
    for input in before { game.handle(input) }
    return game
  }

  private static let board = Quadrilateral(BoundingBox(x: 300, y: 200, width: 120, height: 60))
  private static let found = ThrowGame.Input.fieldFound(board)
  private static let stable = [found, .sceneStable]
  private static let ready = stable + [.playerEntered(identity: 1)]
  private static let flying = ready + [.flightSeen(flight(1))]
  private static let finished = ready + [ended(1), ended(2), ended(3)]

  static func flight(
    _ identity: Int, points: Int = 12, confidence: Double = 0.95, approach: Double = 0.9,
    startsAtPlayer: Bool = true
  ) -> ThrowFlight {
    ThrowFlight(
      identity: identity,
      points: (0..<points).map {
        ThrowFlight.Point(
          time: Double($0) / 30, location: PixelPoint(x: 100 + 15 * Double($0), y: 150))
      }, confidence: confidence, approach: approach, startsAtPlayer: startsAtPlayer)
  }

  private static func ended(_ identity: Int, points: Int = 12) -> ThrowGame.Input {
    .flightEnded(
      flight(identity, points: points),
      ThrowOutcome(place: .board, type: "underhand", typeConfidence: 0.9, speed: 5))
  }

  /// A row for each input that changes nothing.
  private static func rows(
    _ phase: String, _ before: [ThrowGame.Input], _ names: [String]
  ) -> [String: ThrowScenario] {
    let inputs: [String: ThrowGame.Input] = [
      "fieldFound": found, "fieldLost": .fieldLost, "sceneStable": .sceneStable,
      "sceneMoved": .sceneMoved, "playerEntered": .playerEntered(identity: 2),
      "playerLeft": .playerLeft(identity: 1), "flightSeen": .flightSeen(flight(9)),
      "flightEnded": ended(9), "restart": .restart,
    ]
    var result: [String: ThrowScenario] = [:]
    for name in names {
      guard let input = inputs[name] else { continue }
      result["\(phase) | \(name) | always"] = ThrowScenario(before: before, input: input)
    }
    return result
  }

  static let all: [String: ThrowScenario] = {
    var all = rows(
      "searchingField", [],
      [
        "fieldLost", "sceneStable", "sceneMoved", "playerEntered", "flightSeen", "flightEnded",
        "restart",
      ])
    for part in [
      searching, waiting,
      rows(
        "waitingForStability", [found, .playerEntered(identity: 1)],
        [
          "fieldFound", "fieldLost", "sceneMoved", "playerEntered", "playerLeft", "flightSeen",
          "flightEnded", "restart",
        ]),
      rows(
        "waitingForPlayer", stable,
        [
          "fieldFound", "fieldLost", "sceneStable", "sceneMoved", "playerEntered", "playerLeft",
          "flightSeen", "flightEnded", "restart",
        ]),
      rows(
        "ready", ready,
        ["fieldFound", "fieldLost", "sceneStable", "sceneMoved", "playerEntered", "restart"]),
      throwing,
      rows(
        "inFlight", flying,
        [
          "fieldFound", "fieldLost", "sceneStable", "sceneMoved", "playerEntered", "playerLeft",
          "flightSeen", "restart",
        ]),
      rows(
        "finished", finished,
        [
          "fieldFound", "fieldLost", "sceneStable", "sceneMoved", "playerEntered", "playerLeft",
          "flightSeen", "flightEnded",
        ]),
      over,
    ] { all.merge(part) { _, new in new } }
    return all
  }()

  private static let searching: [String: ThrowScenario] = [
    "searchingField | fieldFound | the scene is not stable": ThrowScenario(
      before: [], input: found),
    "searchingField | fieldFound | the scene is stable, nobody is there": ThrowScenario(
      before: [.sceneStable], input: found),
    "searchingField | fieldFound | the scene is stable, a player is there": ThrowScenario(
      before: [.sceneStable, .playerEntered(identity: 1)], input: found),
    "searchingField | playerLeft | it was the player": ThrowScenario(
      before: [.playerEntered(identity: 1)], input: .playerLeft(identity: 1)),
    "searchingField | playerLeft | it was somebody else": ThrowScenario(
      before: [.playerEntered(identity: 1)], input: .playerLeft(identity: 2)),
  ]

  private static let waiting: [String: ThrowScenario] = [
    "waitingForStability | sceneStable | nobody is there": ThrowScenario(
      before: [found], input: .sceneStable),
    "waitingForStability | sceneStable | a player is there": ThrowScenario(
      before: [found, .playerEntered(identity: 1)], input: .sceneStable),
    "waitingForStability | sceneStable | no player is needed": ThrowScenario(
      requiresPlayer: false, before: [found], input: .sceneStable),
  ]

  private static let throwing: [String: ThrowScenario] = [
    "ready | playerLeft | a player is needed": ThrowScenario(
      before: ready, input: .playerLeft(identity: 1)),
    "ready | playerLeft | no player is needed": ThrowScenario(
      requiresPlayer: false, before: ready, input: .playerLeft(identity: 1)),
    "ready | flightSeen | it counts": ThrowScenario(before: ready, input: .flightSeen(flight(1))),
    "ready | flightSeen | too few points": ThrowScenario(
      before: ready, input: .flightSeen(flight(1, points: 5))),
    "ready | flightSeen | not sure enough": ThrowScenario(
      before: ready, input: .flightSeen(flight(1, confidence: 0.5))),
    "ready | flightSeen | it does not begin at the player": ThrowScenario(
      before: ready, input: .flightSeen(flight(1, startsAtPlayer: false))),
    "ready | flightSeen | it goes another way": ThrowScenario(
      before: ready, input: .flightSeen(flight(1, approach: 0.1))),
    "ready | flightSeen | it flew when a new game was wanted": ThrowScenario(
      before: flying + [.restart], input: .flightSeen(flight(1))),
    "ready | flightEnded | it counts, throws are left": ThrowScenario(
      before: ready, input: ended(1)),
    "ready | flightEnded | it counts, the last throw": ThrowScenario(
      before: ready + [ended(1), ended(2)], input: ended(3)),
    "ready | flightEnded | it does not count": ThrowScenario(
      before: ready, input: ended(1, points: 5)),
    "ready | flightEnded | it flew when a new game was wanted": ThrowScenario(
      before: flying + [.restart], input: ended(1)),
    "inFlight | flightEnded | another flight": ThrowScenario(before: flying, input: ended(2)),
    "inFlight | flightEnded | throws are left": ThrowScenario(before: flying, input: ended(1)),
    "inFlight | flightEnded | the player is gone": ThrowScenario(
      before: flying + [.playerLeft(identity: 1)], input: ended(1)),
    "inFlight | flightEnded | the camera has moved": ThrowScenario(
      before: flying + [.sceneMoved], input: ended(1)),
    "inFlight | flightEnded | the last throw": ThrowScenario(
      throwCount: 1, before: flying, input: ended(1)),
  ]

  private static let over: [String: ThrowScenario] = [
    "finished | restart | a player is there": ThrowScenario(before: finished, input: .restart),
    "finished | restart | nobody is there": ThrowScenario(
      before: finished + [.playerLeft(identity: 1)], input: .restart),
  ]
}

/// Every row of the table of transitions, and nothing besides.
@Suite struct ThrowTransitionTests {
  private static let rows = DocumentedTransition.all(in: "ThrowKit.md", input: "input")

  @Test func theTableHasARowForEachScenarioAndNoOther() {
    let rows = Self.rows.map(\.key)
    expectEqual(rows.count, Set(rows).count)
    expectEqual(Set(rows), Set(ThrowScenario.all.keys))
    #expect(rows.count > 60)
  }

  @Test func everyPhaseHasARowForEachInput() {
    for phase in ThrowGame.Phase.allCases {
      for input in [
        "fieldFound", "fieldLost", "sceneStable", "sceneMoved", "playerEntered", "playerLeft",
        "flightSeen", "flightEnded", "restart",
      ] {
        #expect(
          Self.rows.contains { $0.phase == phase.rawValue && $0.input == input },
          "\(phase) \(input)")
      }
    }
  }

  @Test(arguments: rows)
  func isPlayed(_ row: DocumentedTransition) throws {
    let scenario = try #require(ThrowScenario.all[row.key])
    var game = try scenario.game()
    expectEqual(game.phase.rawValue, row.phase)
    expectEqual(caseName(scenario.input), row.input)
    let before = game
    let events = game.handle(scenario.input)
    expectEqual(game.phase.rawValue, row.next)
    expectEqual(events.map(caseName), row.shows, "\(events)")
    if row.shows.isEmpty { expectEqual(game.results, before.results) }
    // The same from a saved game.
    var restored = try JSONDecoder().decode(
      ThrowGame.self, from: try JSONEncoder().encode(before))
    expectEqual(restored, before)
    expectEqual(restored.handle(scenario.input), events)
    expectEqual(restored, game)
    try expectEqual(
      JSONDecoder().decode([ThrowGame.Event].self, from: try JSONEncoder().encode(events)), events)
  }

  @Test func aSavedGameThatCannotHaveBeenPlayedIsRefused() throws {
    let game = try ThrowScenario.all["ready | flightSeen | it counts"]?.game()
    let text = String(
      decoding: try JSONEncoder().encode(try #require(game)), as: UTF8.self)
    for (old, new) in [
      ("\"phase\":\"ready\"", "\"phase\":\"finished\""),
      ("\"phase\":\"ready\"", "\"phase\":\"inFlight\""),
      ("\"hasField\":true", "\"hasField\":false"), ("\"throwCount\":3", "\"throwCount\":0"),
    ] {
      #expect(text.contains(old))
      let changed = Data(text.replacingOccurrences(of: old, with: new).utf8)
      #expect(throws: (any Error).self, "\(new)") {
        try JSONDecoder().decode(ThrowGame.self, from: changed)
      }
    }
  }

  @Test func pointsThatARuleDoesNotGiveAreRefused() throws {
    let scenario = try #require(
      ThrowScenario.all["ready | flightEnded | it counts, throws are left"])
    var game = try scenario.game()
    game.handle(scenario.input)
    #expect(game.summary.points == game.results[0].points && game.summary.points > 0)
    let text = String(decoding: try JSONEncoder().encode(game), as: UTF8.self)
    let (old, new) = ("\"points\":\(game.results[0].points)", "\"points\":\(Int.max)")
    #expect(text.contains(old))
    let changed = Data(text.replacingOccurrences(of: old, with: new).utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ThrowGame.self, from: changed)
    }
  }
}

@Suite struct ThrowSummaryTests {
  private func result(_ points: Int) -> ThrowResult {
    ThrowResult(number: 1, points: points, outcome: ThrowOutcome(place: .board), path: [])
  }

  @Test func pointsAddUpToTheBoundsOfInt() throws {
    expectEqual(ThrowSummary([result(3), result(-1)]).points, 2)
    expectEqual(ThrowSummary([result(.max), result(3)]).points, .max)
    let least = ThrowSummary([result(.min), result(-3)])
    let json = try JSONEncoder().encode(least)
    try expectEqual(JSONDecoder().decode(ThrowSummary.self, from: json).points, .min)
  }
}
