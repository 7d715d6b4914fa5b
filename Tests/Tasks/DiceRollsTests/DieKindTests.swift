import DiceGeometry
import Foundation
import TestSupport
import Testing

@testable import DiceRolls

/// Dice of every kind: their faces, the rolls they make, and trackers that see many of them.
@Suite struct DieKindTests {
  @Test func labelsSayKindAndNumber() {
    for kind in DieKind.allCases {
      for value in kind.values {
        let label = "\(kind.rawValue)-\(kind.face(for: value))"
        expectEqual(DieFace(label: label), DieFace(kind: kind, value: value), "\(label)")
      }
    }
    expectEqual(DieKind.allCases.map(\.values.count), [4, 6, 8, 10, 10, 12, 20])
    #expect(DieFace(label: "d10-0")?.value == 10 && DieFace(label: "d%-00")?.value == 0)
    expectEqual(DieFace(label: "5"), DieFace(kind: .d6, value: 5))
    expectEqual(DieFace(label: "-17"), DieFace(kind: .d6, value: -17))
    for other in [
      "", "d", "d20", "d20-", "d20-0", "d20-21", "d20-+3", "d20-03", "d10-10", "d%-0", "d%-5",
      "d7-3",
      "20-3", "coin", "+5", "1234567890", "d6--3", "D6-3", "d6-3 ",
    ] {
      expectEqual(DieFace(label: other), nil, "\(other)")
    }
  }

  @Test func kindsAreOrderedBySides() {
    expectEqual(DieKind.allCases.sorted(), DieKind.allCases)
    expectEqual(DieKind.allCases.map { Int($0.rank) }, Array(0..<7))
    #expect(DieKind.d10 < .percentile && DieKind.percentile < .d12)
  }

  private func die(_ kind: DieKind, _ value: Int?, x: Double) -> TrackedDie {
    TrackedDie(
      identifier: UInt64(x), boundingBox: BoundingBox(x: x, y: 0, width: 50, height: 50),
      kind: kind,
      value: value)
  }

  @Test func aRollIsWrittenAsPlayersDo() {
    let roll = Roll(dice: [
      die(.d20, 17, x: 1), die(.d6, 3, x: 100), die(.d6, 4, x: 200), die(.d4, nil, x: 300),
    ])
    expectEqual(roll.notation, "1d4 + 2d6 + 1d20")
    #expect(
      roll.groups.map(\.values) == [[], [3, 4], [17]] && roll.groups.map(\.sum) == [0, 7, 17])
    #expect(roll.sum == 24 && roll.total == 24 && Roll(dice: []).notation.isEmpty)
  }

  @Test(arguments: [(30, 7, 37), (0, 10, 100), (90, 10, 90), (0, 3, 3)])
  func tensAndOnesAreAHundred(tens: Int, ones: Int, value: Int) {
    let roll = Roll(dice: [die(.percentile, tens, x: 1), die(.d10, ones, x: 60)])
    #expect(roll.notation == "1d100" && roll.groups.first?.values == [value])
    #expect(roll.total == value && roll.sum == tens + ones)
  }

  @Test func theNearestTenIsThePartner() {
    let roll = Roll(dice: [
      die(.d10, 2, x: 1), die(.percentile, 30, x: 400), die(.d10, 8, x: 460),
      die(.percentile, 50, x: 900), die(.percentile, 70, x: 1200),
    ])
    expectEqual(roll.notation, "1d% + 2d100")
    expectEqual(roll.groups.map(\.values), [[70], [38, 52]])
    // One that is not read has no partner.
    let unread = Roll(dice: [die(.percentile, nil, x: 1), die(.d10, 4, x: 60)])
    expectEqual(unread.notation, "1d10 + 1d%")
  }

  /// What a network with a label for each face says: most of it on one, a little on another, next to
  /// nothing on all others.
  private func observation(
    _ face: DieFace, _ other: DieFace, x: Double, _ sureness: Float = 0.9
  ) -> RollTracker.Observation {
    var values = [
      ValueProbability(kind: face.kind, value: face.value, confidence: sureness),
      ValueProbability(kind: other.kind, value: other.value, confidence: 0.98 - sureness),
    ]
    for kind in DieKind.allCases {
      for value in kind.values where ![face, other].contains(DieFace(kind: kind, value: value)) {
        values.append(ValueProbability(kind: kind, value: value, confidence: 0.02 / 68))
      }
    }
    return RollTracker.Observation(
      boundingBox: BoundingBox(x: x, y: 300, width: 60, height: 60), confidence: 0.9, values: values
    )
  }

  private func roll(_ dice: [(face: DieFace, other: DieFace)], wrongEvery: Int) throws -> Roll {
    var tracker = RollTracker()
    var rolls: [Roll] = []
    for frame in 0..<60 {
      // They glide in and lie from frame 20 on.
      let shift = 40 * Double(max(20 - frame, 0))
      let observations = dice.enumerated().map { (index, die) in
        let isWrong = (frame + index).isMultiple(of: wrongEvery)
        return observation(
          isWrong ? die.other : die.face, isWrong ? die.face : die.other,
          x: 100 + 150 * Double(index) + shift)
      }
      let events = tracker.update(
        with: frame < 5 ? [] : observations, at: .milliseconds(frame * 33))
      for case .rollEnded(let roll) in events { rolls.append(roll) }
      try expectEqual(RollTracker(encoded: tracker.encoded()), tracker)
    }
    expectEqual(tracker.dice.count, dice.count)
    return try #require(rolls.count == 1 ? rolls.first : nil)
  }

  @Test func aTableOfTwelveKindsAndValuesIsToldWhateverElseWasRead() throws {
    let faces: [DieFace] = [
      DieFace(kind: .d4, value: 2), DieFace(kind: .d6, value: 6), DieFace(kind: .d8, value: 7),
      DieFace(kind: .d10, value: 10), DieFace(kind: .percentile, value: 0),
      DieFace(kind: .d12, value: 11), DieFace(kind: .d20, value: 20),
      DieFace(kind: .d20, value: 19),
      DieFace(kind: .d20, value: 3), DieFace(kind: .d6, value: 1), DieFace(kind: .d8, value: 1),
      DieFace(kind: .d4, value: 4),
    ]
    let roll = try roll(
      faces.map { ($0, DieFace(kind: .d20, value: $0.value % 20 + 1)) }, wrongEvery: 7)
    #expect(roll.dice.map(\.kind) == faces.map(\.kind) && roll.values == faces.map(\.value))
    expectEqual(roll.notation, "2d4 + 2d6 + 2d8 + 1d12 + 3d20 + 1d100")
  }

  @Test func aDieWhoseKindIsInDoubtIsOneDie() throws {
    let roll = try roll(
      [(DieFace(kind: .d20, value: 8), DieFace(kind: .d12, value: 8))], wrongEvery: 6)
    let die = try #require(roll.dice.first)
    #expect(roll.dice.count == 1 && die.kind == .d20 && die.value == 8)
    #expect(die.values.first?.kind == .d20 && die.values.contains { $0.kind == .d12 })
    // Faces that no reading finds likely are left out where there are many.
    #expect(die.values.count < 6)
    #expect(abs(die.values.reduce(0) { $0 + $1.confidence } - 1) < 1e-4)
  }

  /// What is told of dice that lie still from the first frame on, at 30 frames a second.
  private func told(
    _ frames: [[RollTracker.Observation]], requiresMotion: Bool = false
  ) throws -> (tracker: RollTracker, rolls: [(frame: Int, roll: Roll)], unsettledCount: Int) {
    var configuration = RollTracker.Configuration()
    configuration.requiresMotion = requiresMotion
    var tracker = try RollTracker(configuration: configuration)
    var rolls: [(frame: Int, roll: Roll)] = []
    var unsettledCount = 0
    for (frame, observations) in frames.enumerated() {
      for event in tracker.update(with: observations, at: .milliseconds(frame * 33)) {
        switch event {
        case .rollEnded(let roll): rolls.append((frame, roll))
        case .unsettled: unsettledCount += 1
        case .dieMoved, .resultRevised: Issue.record("\(frame): \(event)")
        default: break
        }
      }
    }
    return (tracker, rolls, unsettledCount)
  }

  /// The box is that of a face beside the uppermost one in a third of the frames, one to four in a row.
  @Test(arguments: [DieKind.d8, .d20]) func aDieWhoseOtherFaceIsSeenNowAndThenLiesStill(
    _ kind: DieKind
  ) throws {
    let (top, side) = (DieFace(kind: kind, value: 7), DieFace(kind: kind, value: 2))
    let pattern = [0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]
    let frames = (0..<75).map { (frame) in
      let isSide = pattern[frame % pattern.count] == 1
      return [
        observation(isSide ? side : top, isSide ? top : side, x: isSide ? 320 : 300, 0.6)
      ]
    }
    let told = try told(frames)
    #expect(told.rolls.count == 1 && told.rolls.first?.frame ?? 75 <= 25)
    #expect(told.rolls.first?.roll.values == [7] && told.rolls.first?.roll.dice.first?.kind == kind)
    expectEqual(told.tracker.dice.map(\.value), [7])
  }

  /// A die that was nudged onto another face stays there.
  @Test func aDieThatIsNudgedOntoAnotherFaceHasMoved() throws {
    var tracker = RollTracker()
    var moved = 0
    for frame in 0..<60 {
      let (face, x) = frame < 30 ? (7, 300.0) : (2, 320.0)
      let events = tracker.update(
        with: [
          observation(DieFace(kind: .d20, value: face), DieFace(kind: .d20, value: 9 - face), x: x)
        ], at: .milliseconds(frame * 33))
      for case .dieMoved in events { moved += 1 }
    }
    #expect(moved == 1 && tracker.dice.map(\.value) == [2])
  }

  /// Readings that are not sure of either of two numbers, now of one and then of the other.
  @Test func aDieWhoseNumberIsInDoubtIsToldInTheEnd() throws {
    let (first, second) = (DieFace(kind: .d20, value: 14), DieFace(kind: .d20, value: 17))
    let frames = (0..<60).map { (frame) in
      let isFirst = frame % 5 < 3
      return [observation(isFirst ? first : second, isFirst ? second : first, x: 300, 0.55)]
    }
    let told = try told(frames)
    expectEqual(told.rolls.map(\.roll.values), [[14]])
    #expect((24...40).contains(told.rolls.first?.frame ?? 0) && told.unsettledCount == 0)
    let values = try #require(told.tracker.dice.first).values
    #expect(values.prefix(2).map(\.value) == [14, 17] && values[1].confidence > 0.3)
  }

  /// Readings that are sure of two numbers in turn: it leans.
  @Test func aDieThatIsSurelyReadAsTwoNumbersIsUnsettled() throws {
    let (first, second) = (DieFace(kind: .d20, value: 14), DieFace(kind: .d20, value: 17))
    let frames = (0..<60).map { (frame) in
      let isFirst = frame % 5 < 3
      return [observation(isFirst ? first : second, isFirst ? second : first, x: 300, 0.95)]
    }
    let told = try told(frames)
    #expect(told.rolls.isEmpty && told.unsettledCount == 1)
  }

  /// What the detector is hardly sure of makes no die, and keeps one that it was surer of.
  @Test func whatIsHardlySeenMakesNoDieAndKeepsOne() throws {
    func seen(_ confidence: Float, x: Double) -> RollTracker.Observation {
      var observation = observation(
        DieFace(kind: .d20, value: 3), DieFace(kind: .d20, value: 8), x: x)
      observation.confidence = confidence
      return observation
    }
    let frames = (0..<60).map { (frame) in
      [seen(frame < 10 ? 0.4 : 0.21, x: 100)] + (frame % 3 == 0 ? [] : [seen(0.29, x: 400)])
    }
    let told = try told(frames)
    expectEqual(told.rolls.map(\.roll.values), [[3]])
    #expect(told.tracker.dice.count == 1 && told.tracker.dice[0].boundingBox.minX < 200)
  }

  @Test func theRuleOfTwoFramesTellsKinds() {
    var rule = ConsecutiveFrameRule()
    let box = BoundingBox(x: 0, y: 0, width: 50, height: 50)
    var answers: [Bool] = []
    for kind in [DieKind.d8, .d6, .d6] {
      answers.append(
        rule.hasRollEnded(observations: [.init(boundingBox: box, kind: kind, value: 3)]))
    }
    expectEqual(answers, [false, false, true])
  }

  @Test func kindsAreWrittenDownWhereTheyAreNotOfSixSides() throws {
    let six = try JSONEncoder().encode(die(.d6, 3, x: 1))
    #expect(!String(decoding: six, as: UTF8.self).contains("kind"))
    for kind in DieKind.allCases {
      let roll = Roll(dice: [die(kind, kind.values.last, x: 1)])
      try expectEqual(JSONDecoder().decode(Roll.self, from: JSONEncoder().encode(roll)), roll)
      expectEqual(roll.dice[0].values.first?.kind, kind)
    }
    expectEqual(
      die(.percentile, 30, x: 1).description,
      "die 1: 30 on a d% at (x 1.0, y 0.0, width 50.0, height 50.0)")
  }

  @Test func theLikeliestFacesAreKept() {
    var scores = FaceScores()
    for face in 0..<20 { scores.append(face, -3 + Float(face) * 0.1) }
    #expect(scores.count == FaceScores.capacity && scores[3] == Track.lowestScore)
    #expect(scores[4] == -3 + Float(4) * 0.1 && scores[19] == -3 + Float(19) * 0.1)
    let before = scores
    scores.append(20, -3.2)
    expectEqual(scores, before)
    var set = FaceSet()
    for face in [127, 0, 64, 63, 64] { set.insert(face) }
    #expect(set.contains(127) && !set.contains(1))
    var popped: [Int] = []
    while let face = set.popFirst() { popped.append(face) }
    expectEqual(popped, [0, 63, 64, 127])
  }
}
