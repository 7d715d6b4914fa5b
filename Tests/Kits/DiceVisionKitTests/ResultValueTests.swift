@testable import DiceVisionKit
import Foundation
import TestSupport
import Testing

/// Results as values: compared, iterated, printed, written down and read again.
@Suite struct ResultValueTests {
  private static let die = DieObservation(
    identifier: 1 << 40 | 7, boundingBox: BoundingBox(x: 338.84, y: 33.6, width: 65.45, height: 47),
    uprightWidth: 640, uprightHeight: 480,
    labels: [
      ClassificationLabel(identifier: "6", confidence: 0.75),
      ClassificationLabel(identifier: "5", confidence: 0.25),
    ], value: 6, confidence: 0.7018, objectness: 0.9)

  private static let result = DetectionResult(
    observations: [
      die,
      DieObservation(
        identifier: 8, boundingBox: BoundingBox(x: 400, y: 5, width: 20, height: 20),
        uprightWidth: 640, uprightHeight: 480, labels: [], value: 1, confidence: 0.5),
    ], uprightWidth: 640, uprightHeight: 480, timings: StageTimings(network: .milliseconds(3)))

  private static let roll = Roll(
    number: 2,
    dice: [
      TrackedDie(identifier: 3, boundingBox: die.boundingBox, value: 6),
      TrackedDie(
        identifier: 4, boundingBox: .zero, value: nil,
        values: [ValueProbability(value: 2, confidence: 0.5)], confidence: 0.25, isStill: false,
        tookPart: false),
    ], startTime: .seconds(1), restTime: .milliseconds(1500), endTime: .milliseconds(1501))

  private func read<Value: Decodable>(_: Value.Type, _ json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }

  // MARK: - Kinds of dice

  @Test(arguments: [
    ("d20-17", 17, DieKind.d20, "17"), ("d10-0", 10, .d10, "0"), ("d%-00", 0, .percentile, "00"),
    ("d%-40", 40, .percentile, "40"), ("d4-3", 3, .d4, "3"), ("6", 6, .d6, "6"),
    ("coin", 1, .d6, "1"),
  ])
  func labelsTellTheKindOfDie(label: String, value: Int, kind: DieKind, face: String) throws {
    let classes = ClassLabels([label])
    expectEqual(classes.values, [value])
    let die = DieObservation(
      identifier: 0, boundingBox: BoundingBox(x: 0, y: 0, width: 9, height: 9), uprightWidth: 64,
      uprightHeight: 64, labels: [ClassificationLabel(identifier: label, confidence: 1)],
      value: classes.values[0], confidence: 0.5)
    #expect(die.kind == kind && die.face == face)
    let observation = RollTracker.Observation(die)
    #expect(observation.value == value && (label == "coin" || observation.kind == kind))
    #expect(die.description.hasPrefix(kind == .d6 ? "a \(value) (" : "a \(value) on a "))
  }

  // MARK: - A collection

  @Test func aResultIsACollectionOfItsDice() {
    let result = Self.result
    var values: [Int] = []
    for die in result { values.append(die.value) }
    expectEqual(values, result.values)
    #expect(result.count == 2 && !result.isEmpty && Array(result) == result.observations)
    #expect(result[1].value == 1 && result.first?.value == 6 && result.indices == 0..<2)
    expectEqual(result.max { $0.confidence < $1.confidence }, Self.die)
    expectEqual(result.filter { $0.confidence > 0.6 }, [Self.die])
    // The number of this name, not the collection's method.
    expectEqual(result.difference, 5)
  }

  @Test func resultsAreEqualWhereAllTheirPartsAre() {
    var other = Self.result
    #expect(other == Self.result && other.hashValue == Self.result.hashValue)
    other.timings.network = .milliseconds(4)
    #expect(other != Self.result && other.hasSameContent(as: Self.result))
  }

  @Test func aDieWithoutLabelsHasNone() {
    expectEqual(Self.result.map(\.label), ["6", nil])
  }

  // MARK: - In words

  @Test func resultsPrintAsALine() {
    expectEqual("\(Self.result)", "2 dice: 6 1, sum 7")
    let one = DetectionResult(observations: [Self.die], uprightWidth: 640, uprightHeight: 480)
    expectEqual("\(one)", "1 die: 6")
    let none = DetectionResult(observations: [], uprightWidth: 640, uprightHeight: 480)
    expectEqual("\(none)", "no dice")
    expectEqual(
      "\(Self.die)", "a 6 (confidence 0.702) at (x 338.8, y 33.6, width 65.5, height 47.0)")
    expectEqual("\(Self.roll)", "roll 2: 6, sum 6")
    expectEqual("\(Roll(dice: []))", "roll 1: no values")
    expectEqual(
      "\(Self.roll.dice[1])", "die 4: no value at (x 0.0, y 0.0, width 0.0, height 0.0), moving")
    #expect("\(BoundingBox(x: .nan, y: 0, width: .infinity, height: 1))".contains("nan"))
  }

  // MARK: - Written down

  @Test func resultsComeBackFromJSON() throws {
    let json = try JSONEncoder().encode(Self.result)
    try expectEqual(JSONDecoder().decode(DetectionResult.self, from: json), Self.result)
    let roll = try JSONEncoder().encode(Self.roll)
    try expectEqual(JSONDecoder().decode(Roll.self, from: roll), Self.roll)
    let thresholds = Thresholds(confidenceThreshold: 0.5)
    let written = try JSONEncoder().encode(thresholds)
    #expect(String(decoding: written, as: UTF8.self) == #"{"confidenceThreshold":0.5}"#)
    try expectEqual(JSONDecoder().decode(Thresholds.self, from: written), thresholds)
    let rect = NormalizedRect(x: 0.25, y: 0.5, width: 0.125, height: 1)
    try expectEqual(
      JSONDecoder().decode(NormalizedRect.self, from: JSONEncoder().encode(rect)), rect)
    let points = [PixelPoint(x: 1, y: 2)]
    try expectEqual(
      JSONDecoder().decode([PixelPoint].self, from: JSONEncoder().encode(points)), points)
  }

  @Test func rollsWithAFieldComeBackAndThoseWithoutAreWrittenAsBefore() throws {
    var roll = Self.roll
    let before = String(decoding: try JSONEncoder().encode(roll), as: UTF8.self)
    #expect(!before.contains("outside") && !before.contains("place"))
    roll.dice[0].place = FieldPlace(
      foot: PixelPoint(x: 3, y: 4), isCocked: true, centimeters: SIMD2(1, 2),
      fromPlayer: SIMD2(0.5, 0.25))
    roll.outside = [
      TrackedDie(
        identifier: 9, boundingBox: .zero, value: nil,
        place: FieldPlace(foot: PixelPoint(x: -3, y: 4), isOutside: true))
    ]
    let written = try JSONEncoder().encode(roll)
    try expectEqual(JSONDecoder().decode(Roll.self, from: written), roll)
    expectEqual(roll.cocked.map(\.identifier), [roll.dice[0].identifier])
    let field = try PlayingField(
      corners: Quadrilateral(BoundingBox(x: 1, y: 2, width: 30, height: 40)),
      size: PlayingField.Size(width: 3, height: 4), playerSide: .left)
    let json = try JSONEncoder().encode(field)
    try expectEqual(JSONDecoder().decode(PlayingField.self, from: json), field)
    let crossed = String(decoding: json, as: UTF8.self).replacing("31", with: "-31")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PlayingField.self, from: Data(crossed.utf8))
    }
  }

  @Test func timesOfAnyLengthAreAddedAndSubtracted() throws {
    // The longest ones, beyond what `Duration.components` can tell.
    let (late, early) = (Duration.seconds(Int64.max) * 18, Duration.seconds(Int64.max) * -18)
    let roll = Roll(dice: [], startTime: early, restTime: late, endTime: late)
    let json = try JSONEncoder().encode(roll)
    try expectEqual(JSONDecoder().decode(Roll.self, from: json), roll)
    expectEqual(roll.settlingDuration, .nanoseconds(Int64(1) << 62))
    expectEqual(Roll(dice: [], startTime: late, restTime: early).settlingDuration, .zero)
    expectEqual(Self.roll.settlingDuration, .milliseconds(500))
    let timings = StageTimings(
      imageDecoding: late, preparation: late, network: late, decoding: late,
      cropClassification: late, suppression: late)
    expectEqual(timings.total, .nanoseconds(Int64(1) << 61) * 6)
    expectEqual(
      StageTimings(network: .milliseconds(3), suppression: .microseconds(7)).total,
      .microseconds(3007))
  }

  @Test func timingsMayBeLeftOut() throws {
    let result = try read(
      DetectionResult.self, #"{"observations": [], "uprightWidth": 4, "uprightHeight": 3}"#)
    expectEqual(result, DetectionResult(observations: [], uprightWidth: 4, uprightHeight: 3))
  }

  @Test func whatNoResultCanBeIsRefused() throws {
    func die(_ change: (String, String)) throws -> String {
      let text = String(decoding: try JSONEncoder().encode(Self.die), as: UTF8.self)
      let changed = text.replacingOccurrences(of: change.0, with: change.1)
      try #require(changed != text)
      return changed
    }
    let changes = [
      (#""uprightWidth":640"#, #""uprightWidth":0"#),
      (#""uprightHeight":480"#, #""uprightHeight":-1"#),
      (#""objectness":0.9"#, #""objectness":1.5"#),
      (#""objectness":0.9"#, #""objectness":-0.1"#),
      (#""confidence":0.25"#, #""confidence":2"#),
      (#""identifier":"6""#, #""identifier":6"#),
    ]
    for change in changes {
      #expect(throws: DecodingError.self, "\(change)") {
        try read(DieObservation.self, die(change))
      }
    }
    #expect(throws: DecodingError.self) {
      try read(
        DetectionResult.self, #"{"observations": [], "uprightWidth": 0, "uprightHeight": 3}"#)
    }
    let roll = String(decoding: try JSONEncoder().encode(Self.roll), as: UTF8.self)
    for (part, wrong) in [
      (#""number":2"#, #""number":0"#), (#""confidence":0.5"#, #""confidence":-1"#),
      (#""confidence":0.25"#, #""confidence":1.25"#),
    ] {
      try #require(roll.contains(part))
      #expect(throws: DecodingError.self, "\(wrong)") {
        try read(Roll.self, roll.replacingOccurrences(of: part, with: wrong))
      }
    }
  }

  // MARK: - Rolls of one's own

  @Test func rollsCanBeMadeAndCounted() {
    let box = BoundingBox(x: 0, y: 0, width: 10, height: 10)
    func roll(_ values: [Int?]) -> Roll {
      Roll(
        dice: values.enumerated().map {
          TrackedDie(identifier: UInt64($0.offset), boundingBox: box, value: $0.element)
        })
    }
    let roll3 = roll([2, nil, 6, 2])
    #expect(roll3.values == [2, 6, 2] && roll3.count == 4)
    #expect(roll3.sum == 10 && roll3.product == 24 && roll3.difference == 4)
    expectEqual(roll3.histogram, [2: 2, 6: 1])
    let empty = roll([])
    #expect(empty.sum == 0 && empty.product == 1 && empty.difference == 0 && empty.histogram == [:])
    #expect(roll([.max, 2]).sum == .max && roll([.max, 2]).product == nil)
    expectEqual(roll([.min, .max]).difference, .max)
    expectEqual(roll([nil]).dice[0].values, [])
    expectEqual(roll([4]).dice[0].values, [ValueProbability(value: 4, confidence: 1)])
    expectEqual(Self.roll.settlingDuration, .milliseconds(500))
  }
}
