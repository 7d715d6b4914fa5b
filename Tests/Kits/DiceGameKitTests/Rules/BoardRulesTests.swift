import DiceGameKit
import Foundation
import TestSupport
import Testing

@Suite struct BoardRulesTests {
  @Test func theSessionsBoard() throws {
    let board = BoardRules.standard
    try expectEqual(board, BoardRules())
    #expect(board.sectionCount == 9 && board.start == 1 && board.target == 9)
    expectEqual(board.landing(from: 1, by: 7), 8)  // too small
    expectEqual(board.landing(from: 1, by: 8), 9)
    expectEqual(board.landing(from: 8, by: 2), 1)  // past and round
    expectEqual(board.landing(from: 8, by: 10), 9)  // a whole round and on
    expectEqual(board.landing(from: 3, by: 0), 3)
  }

  @Test func movesOfARoll() {
    let moves = BoardRules.standard.legalMoves(of: [2, 5], from: 6)
    expectEqual(moves.map(\.question.operation), [.sum, .difference])
    expectEqual(moves.map(\.destination), [4, 9])
    expectEqual(moves.map(\.wins), [false, true])
    for values in [[], [3], [1, 2, 3], [0, 3], [7, 3], [Int.max, Int.min]] {
      #expect(BoardRules.standard.legalMoves(of: values, from: 6).isEmpty, "\(values)")
    }
  }

  @Test func waysEndWhereMovesLand() throws {
    var count = 0
    for overshoot in BoardRules.Overshoot.allCases {
      for board in [
        try BoardRules(overshoot: overshoot),
        try BoardRules(sectionCount: 12, start: 5, target: 2, overshoot: overshoot),
        try BoardRules(sectionCount: 3, overshoot: overshoot, sides: 20),
      ] {
        for section in board.sections {
          for distance in 0...50 {
            let way = board.way(from: section, by: distance)
            let landing = board.landing(from: section, by: distance)
            expectEqual((way.last ?? section), landing, "\(overshoot) \(section) \(distance)")
            #expect(way.allSatisfy { board.sections.contains($0) })
            count += 1
          }
        }
      }
    }
    expectEqual(count, 3 * (9 + 12 + 3) * 51)
  }

  @Test func tooLargeMovesStayOrTurnBack() throws {
    let staying = try BoardRules(overshoot: .staysPut)
    expectEqual(staying.landing(from: 6, by: 3), 9)
    expectEqual(staying.landing(from: 6, by: 4), 6)
    let bouncing = try BoardRules(overshoot: .bouncesBack)
    expectEqual(bouncing.way(from: 7, by: 5), [8, 9, 8, 7, 6])
  }

  /// Counted by hand: 8 steps to go are the sum of 6+2, 5+3 and 4+4, five of 36 rolls.
  @Test func outlookFromTheStart() {
    let outlook = BoardRules.standard.outlook(from: 1)
    expectEqual(outlook.distance, 8)
    expectEqual(outlook.winningRollCount, 5)
    expectEqual(outlook.rollCount, 36)
    expectEqual(outlook.winningMoves.map(\.question.values), [[4, 4], [5, 3], [6, 2]])
  }

  /// One step to go: differences of 1 (ten rolls), and sums of 10 (three).
  @Test func outlookFromBesideTheTarget() {
    expectEqual(BoardRules.standard.outlook(from: 8).winningRollCount, 13)
  }

  @Test func rulesThatMakeNoSenseAreRefused() {
    let cases: [(BoardRulesError, () throws -> BoardRules)] = [
      (.sectionCount(found: 2, required: 3...99), { try BoardRules(sectionCount: 2) }),
      (.sectionCount(found: 100, required: 3...99), { try BoardRules(sectionCount: 100) }),
      (.start(found: 0, required: 1...9), { try BoardRules(start: 0) }),
      (.target(found: 10, required: 1...9), { try BoardRules(target: 10) }),
      (.startIsTarget(9), { try BoardRules(start: 9) }),
      (.noMoves, { try BoardRules(moves: []) }),
      (.repeatedMove, { try BoardRules(moves: [.sum, .sum]) }),
      (.sides(found: 1, required: 2...20), { try BoardRules(sides: 1) }),
      (.sides(found: .max, required: 2...20), { try BoardRules(sides: .max) }),
      // Two dice are two: from 1 by twos, 8 is never reached on a ring of eight.
      (.deadEnd(section: 1), { try BoardRules(sectionCount: 8, moves: [.count]) }),
      // Beside the target a sum is always too large.
      (.deadEnd(section: 8), { try BoardRules(moves: [.sum], overshoot: .staysPut) }),
    ]
    for (error, make) in cases { #expect(throws: error) { try make() } }
    expectEqual(Set(cases.map { "\($0.0)" }).count, cases.count)
  }

  @Test func rulesThatMakeSense() throws {
    _ = try BoardRules(moves: [.count])
    _ = try BoardRules(moves: [.sum])
    _ = try BoardRules(sectionCount: 99, moves: [.product], overshoot: .staysPut, sides: 20)
    _ = try BoardRules(sectionCount: 3, moves: [.difference], overshoot: .bouncesBack, sides: 2)
  }

  @Test func savedRulesAreCheckedAgain() throws {
    let rules = try BoardRules(sectionCount: 20, start: 4, target: 11, overshoot: .bouncesBack)
    let data = try JSONEncoder().encode(rules)
    try expectEqual(JSONDecoder().decode(BoardRules.self, from: data), rules)
    let text = String(decoding: data, as: UTF8.self)
    for (good, bad) in [
      (#""sectionCount":20"#, #""sectionCount":9000000000000000000"#),
      (#""target":11"#, #""target":4"#), (#""sides":6"#, #""sides":-6"#),
    ] {
      let broken = text.replacingOccurrences(of: good, with: bad)
      #expect(broken != text)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(BoardRules.self, from: Data(broken.utf8))
      }
    }
  }
}
