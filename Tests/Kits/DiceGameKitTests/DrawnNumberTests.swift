import DiceDrawing
import DiceGameWeights
import Foundation
import TestSupport
import Testing

@testable import DiceGameKit

@Suite struct DrawnNumberTests {
  /// Digits as a few strokes in a box of about 60 by 100; y runs down.
  private static let shapes: [Int: [[(x: Double, y: Double)]]] = [
    0: [arc(30, 50, 28, 50, from: -90, to: 270)],
    1: [[(30, 0), (30, 30), (30, 60), (30, 100)]],
    2: [arc(30, 26, 26, 26, from: 190, to: 400) + [(5, 98), (30, 98), (62, 98)]],
    3: [arc(25, 25, 25, 25, from: 200, to: 440) + arc(25, 74, 29, 26, from: -80, to: 160)],
    4: [[(48, 0), (48, 40), (48, 100)], [(30, 5), (2, 60), (30, 62), (66, 62)]],
    7: [[(0, 0), (30, 1), (60, 2), (40, 50), (22, 100)]],
  ]

  private static func arc(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, from: Int, to: Int
  ) -> [(x: Double, y: Double)] {
    stride(from: from, through: to, by: 10).map { angle in
      let way = direction(Double(angle))
      return (x + width * way.x, y + height * way.y)
    }
  }

  /// The cosine and the sine of an angle in degrees, by series.
  private static func direction(_ degrees: Double) -> (x: Double, y: Double) {
    var (x, y) = (1.0, 0.0)
    let step = Double.pi / 180
    let (c, s) = (
      1 - step * step / 2 + step * step * step * step / 24, step - step * step * step / 6
    )
    for _ in 0..<Int(degrees.magnitude) { (x, y) = (c * x - s * y, s * x + c * y) }
    return (x, degrees < 0 ? -y : y)
  }

  static func strokes(
    _ digit: Int, x: Double = 0, y: Double = 0, size: Double = 1
  ) -> [Stroke] {
    shapes[digit, default: []].map { stroke in
      Stroke(stroke.map { (x: x + size * $0.x, y: y + size * $0.y) })
    }
  }

  static let two = Drawing(strokes(2) + strokes(4, x: 95))

  // MARK: Pictures

  @Test func drawingsAreKeptAsJSON() throws {
    let drawing = Drawing([
      Stroke([StrokePoint(x: 1, y: 2.5, time: 0.25, pressure: 0.5), StrokePoint(x: 3, y: 4)]),
      Stroke(),
    ])
    let bytes = try JSONEncoder().encode(drawing)
    try expectEqual(JSONDecoder().decode(Drawing.self, from: bytes), drawing)
  }

  @Test func strokesAreMadeOfPointsPairsOrNothing() {
    #expect(Stroke([]).points.isEmpty && Stroke() == Stroke([]))
    let pairs = [(x: 1.0, y: 2.0), (x: 3.0, y: 4.0)]
    expectEqual(Stroke(pairs), Stroke([StrokePoint(x: 1, y: 2), StrokePoint(x: 3, y: 4)]))
    expectEqual(Stroke(pairs.dropFirst()), Stroke([(x: 3, y: 4)]))
  }

  @Test func placesThePictureAsMNISTDoes() throws {
    for digit in shapes.keys {
      let bitmap = try DigitBitmap(Drawing(Self.strokes(digit)))
      var (mass, x, y) = (0.0, 0.0, 0.0)
      var (columns, rows): (Set<Int>, Set<Int>) = ([], [])
      for row in 0..<28 {
        for column in 0..<28 {
          let value = Double(bitmap[row, column])
          mass += value
          x += value * Double(column)
          y += value * Double(row)
          if value > 127 {
            columns.insert(column)
            rows.insert(row)
          }
        }
      }
      #expect(abs(x / mass - 14) < 0.6)
      #expect(abs(y / mass - 14) < 0.6)
      #expect((19...21).contains(max(columns.count, rows.count)))
    }
  }

  private var shapes: [Int: [[(x: Double, y: Double)]]] { Self.shapes }

  @Test func knowsNoUnit() throws {
    let plain = try DigitBitmap(Self.two)
    for (scale, shift) in [(1e-9, 0.0), (1e7, 3e8), (0.25, -1000)] {
      let other = Drawing(
        Self.two.strokes.map { stroke in
          Stroke(stroke.points.map { (x: $0.x * scale + shift, y: $0.y * scale - shift) })
        })
      let bitmap = try DigitBitmap(other)
      let difference = zip(plain.samples, bitmap.samples).map { abs(Int($0) - Int($1)) }.max()
      #expect((difference ?? 255) <= 2)
    }
  }

  @Test func drawsDotsAndNothing() throws {
    #expect(try DigitBitmap(Drawing()).samples.allSatisfy { $0 == 0 })
    let dot = try DigitBitmap(Drawing([Stroke([(x: 7, y: 7)])]))
    expectEqual(dot[14, 14], 255)
    #expect(dot.samples.filter { $0 > 0 }.count < 25)
  }

  @Test func aWiderMarkerLeavesMoreInk() throws {
    func ink(_ width: Float) throws -> Int {
      try DigitBitmap(Drawing(Self.strokes(3)), markerWidth: width).samples.reduce(0) {
        $0 + Int($1)
      }
    }
    #expect(try ink(1.5) < ink(2.8))
    #expect(try ink(2.8) < ink(4))
    try expectEqual(ink(.nan), ink(1))
  }

  // MARK: Rules

  @Test func refusesWhatIsNoDrawing() throws {
    var recognizer = try NumberRecognizer()
    try recognizer.add(Self.strokes(7)[0])
    let before = recognizer.reading
    for (stroke, error) in [
      (Stroke([(x: Double, y: Double)]()), DrawingError.emptyStroke(stroke: 1)),
      (Stroke([(x: 0, y: .nan)]), .coordinate(stroke: 1, point: 0)),
      (Stroke([(x: 0, y: 0), (x: .infinity, y: 0)]), .coordinate(stroke: 1, point: 1)),
      (Stroke([(x: -1e300, y: 0)]), .coordinate(stroke: 1, point: 0)),
    ] {
      #expect(throws: NumberRecognizerError.drawing(error)) { try recognizer.add(stroke) }
      expectEqual(recognizer.reading, before)
      expectEqual(recognizer.drawing.strokes.count, 1)
    }
    let many = [Stroke](repeating: Self.strokes(1)[0], count: Drawing.strokeLimit + 1)
    #expect(throws: NumberRecognizerError.drawing(.strokeCount(found: many.count))) {
      try recognizer.read(Drawing(many))
    }
  }

  @Test func readsAMillionPointsAsFewer() throws {
    let points = (0..<1_000_000).map { (x: 30.0, y: Double($0) / 10_000) }
    var recognizer = try NumberRecognizer()
    try expectEqual(recognizer.read(Drawing([Stroke(points)])).text, "1")
  }

  @Test func givesEachStrokeToOneGroup() throws {
    // Strokes in one heap: more than any digit has.
    let heap = (0..<100).flatMap { Self.strokes($0 % 5, x: Double($0 * 7 % 90)) }
    var recognizer = try NumberRecognizer()
    let reading = try recognizer.read(Drawing(Array(heap.prefix(60))))
    let groups: [[Int]] = reading.digits.map(\.strokes) + reading.rejected
    let places: [Int] = groups.flatMap { $0 } + reading.lines.compactMap(\.minusStroke)
    expectEqual(places.sorted(), Array(0..<60))
  }

  // MARK: Numbers

  @Test func readsStrokeByStroke() throws {
    var recognizer = try NumberRecognizer()
    let four = Self.strokes(4)
    // An upright stroke is a one until the second comes.
    try expectEqual(recognizer.add(four[0]).text, "1")
    try expectEqual(recognizer.add(four[1]).text, "4")
    expectEqual(recognizer.reading.digits.first?.strokes, [0, 1])
    try expectEqual(recognizer.undo().text, "1")
    try expectEqual(recognizer.add(four[1]).number, 4)
    recognizer.clear()
    #expect(recognizer.reading.text.isEmpty)
    #expect(try recognizer.undo().digits.isEmpty)
  }

  @Test func readsNumbersInAnyOrderOfWriting() throws {
    var recognizer = try NumberRecognizer()
    let reading = try recognizer.read(Self.two)
    expectEqual(reading.text, "24")
    expectEqual(reading.digits.map(\.strokes), [[0], [1, 2]])
    for order in [[2, 0, 1], [1, 2, 0], [2, 1, 0], [1, 0, 2]] {
      let strokes = order.map { Self.two.strokes[$0] }
      try expectEqual(recognizer.read(Drawing(strokes)).text, "24")
    }
    for digit in reading.digits {
      #expect((0...1).contains(digit.confidence))
      expectEqual(digit.alternatives.count, 9)
    }
  }

  @Test func readsColumnsAndLines() throws {
    var recognizer = try NumberRecognizer()
    let column = Drawing(Self.strokes(2) + Self.strokes(0, y: 160))
    try expectEqual(recognizer.read(column).text, "20")
    let lines = Drawing(
      Self.strokes(2) + Self.strokes(0, x: 100) + Self.strokes(7, y: 300)
        + Self.strokes(1, x: 100, y: 300))
    let reading = try recognizer.read(lines)
    expectEqual(reading.lines.map(\.text), ["20", "71"])
    expectEqual(reading.number, nil)
  }

  @Test func readsAMinusSign() throws {
    var recognizer = try NumberRecognizer()
    let minus = Stroke([(x: -90, y: 50), (x: -60, y: 50), (x: -35, y: 51)])
    let reading = try recognizer.read(Drawing([minus] + Self.strokes(7)))
    expectEqual(reading.text, "-7")
    expectEqual(reading.number, -7)
    expectEqual(reading.lines.first?.minusStroke, 0)
  }

  @Test func erasesWhatTheEraserTouches() throws {
    var recognizer = try NumberRecognizer()
    try recognizer.read(Self.two)
    try expectEqual(recognizer.erase(x: 300, y: 300, radius: 5).text, "24")
    try expectEqual(recognizer.erase(x: 30, y: 0, radius: 5).text, "4")
    expectEqual(recognizer.drawing.strokes.count, 2)
  }

  @Test func rejectsScribbles() throws {
    let zigzag = Stroke(
      (0..<24).map { (index: Int) -> (x: Double, y: Double) in
        (x: Double(index) * 4, y: index % 2 == 0 ? 0 : 90)
      })
    var recognizer = try NumberRecognizer()
    let reading = try recognizer.read(Drawing([zigzag]))
    #expect(reading.text.isEmpty)
    expectEqual(reading.rejected, [[0]])
  }

  /// Where a ring begins and which way it runs is a matter of the hand.
  @Test func aZeroBeginsAnywhere() throws {
    var recognizer = try NumberRecognizer()
    for (width, start) in [(26.0, 0), (38, 0), (26, 45), (38, 90), (26, 135), (38, 180), (26, 250)]
    {
      for way in [1, -1] {
        let points = (0...36).map { place -> (x: Double, y: Double) in
          let side = Self.direction(Double(start + way * place * 10))
          return (x: 130 + width * side.x, y: 50 + 50 * side.y)
        }
        try expectEqual(recognizer.read(Drawing([Stroke(points)])).text, "0")
        let ten = Drawing(Self.strokes(1, x: 20) + [Stroke(points)])
        try expectEqual(recognizer.read(ten).text, "10")
      }
    }
  }

  /// A rise from the left makes a one, a level bar a seven.
  @Test func aOneMayRiseFromTheLeft() throws {
    var recognizer = try NumberRecognizer()
    func text(_ corners: [(x: Double, y: Double)]) throws -> String {
      let points = zip(corners, corners.dropFirst()).flatMap { start, end in
        (0...10).map { part -> (x: Double, y: Double) in
          let share = Double(part) / 10
          return (x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
        }
      }
      return try recognizer.read(Drawing([Stroke(points)])).text
    }
    for (reach, drop) in [(62.0, 34.0), (60, 22), (45, 40), (30, 25)] {
      try expectEqual(text([(0, drop), (reach, 0), (reach - 5, 100)]), "1")
    }
    for (reach, drop) in [(60.0, 2.0), (55, 0), (70, -2)] {
      try expectEqual(text([(0, drop), (reach, 0), (reach - 24, 100)]), "7")
    }
  }

  /// A slash within a ring, from edge to edge or beyond is part of a zero.
  @Test func aZeroWithASlashIsAZero() throws {
    var recognizer = try NumberRecognizer()
    for (width, height) in [(24.0, 52.0), (30, 48), (36, 44)] {
      for (reach, isForward) in [(0.5, true), (0.8, true), (1.1, true), (0.8, false)] {
        let ring = Stroke(Self.arc(60, 50, width, height, from: -60, to: 300))
        let slash = Stroke(
          (0...10).map { part -> (x: Double, y: Double) in
            let share = reach * (1 - 0.2 * Double(part))
            return (
              x: 60 + share * width, y: 50 + 0.9 * share * height * (isForward ? -1 : 1)
            )
          })
        let note: Comment = "\(width), \(reach), \(isForward)"
        try expectEqual(recognizer.read(Drawing([ring, slash])).text, "0", note)
        let one = Stroke([(x: 2.0, y: 0.0), (x: 1, y: 50), (x: 0, y: 100)])
        try expectEqual(recognizer.read(Drawing([one, ring, slash])).text, "10", note)
      }
    }
  }

  /// Two rings above each other are an eight, beside each other two zeros.
  @Test func twoRingsAreAnEight() throws {
    var recognizer = try NumberRecognizer()
    func ring(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Stroke {
      Stroke(Self.arc(x, y, width, height, from: -60, to: 300))
    }
    for gap in [-2.0, 0, 5, 9] {
      let eight = Drawing([ring(50, 22, 17, 21), ring(50, 74 + gap / 2, 20, 30 - gap / 2)])
      try expectEqual(recognizer.read(eight).text, "8")
    }
    let zeros = Drawing([ring(20, 50, 18, 50), ring(75, 50, 18, 50)])
    try expectEqual(recognizer.read(zeros).text, "00")
  }

  @Test func readsWithWeightsOfYourOwn() throws {
    var bundled = try NumberRecognizer()
    var own = try NumberRecognizer(
      digits: GameWeights.digits, penWays: GameWeights.penWays,
      digitOrNone: GameWeights.digitOrNone)
    try expectEqual(own.read(Self.two), bundled.read(Self.two))
    #expect(throws: NumberRecognizerError.self) {
      try NumberRecognizer(
        digits: GameWeights.penWays, penWays: GameWeights.penWays,
        digitOrNone: GameWeights.digitOrNone)
    }
    #expect(throws: NumberRecognizerError.self) {
      try NumberRecognizer(
        digits: GameWeights.digits, penWays: [1, 2, 3], digitOrNone: GameWeights.digitOrNone)
    }
  }

  @Test func theWeightsAreSmall() {
    #expect(GameWeights.digits.count + GameWeights.penWays.count < 300_000)
  }
}
