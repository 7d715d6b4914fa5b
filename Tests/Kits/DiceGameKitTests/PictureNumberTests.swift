import DiceGeometry
import DiceGameWeights
import TestSupport
import Testing

@testable import DiceGameKit

@Suite struct PictureNumberTests {
  /// A picture to draw on: ink 0...1.
  private struct Page {
    let width: Int
    let height: Int
    var ink: [Float]

    init(_ width: Int, _ height: Int) {
      self.width = width
      self.height = height
      ink = [Float](repeating: 0, count: width * height)
    }

    /// Draws strokes with a round pen.
    mutating func draw(_ strokes: [Stroke], pen: Float) {
      for stroke in strokes {
        let points = stroke.points.map { SIMD2<Float>(Float($0.x), Float($0.y)) }
        for index in points.indices {
          line(from: points[max(0, index - 1)], to: points[index], pen: pen)
        }
      }
    }

    mutating func line(from start: SIMD2<Float>, to end: SIMD2<Float>, pen: Float) {
      let way = end - start
      let square = (way * way).sum()
      for row in 0..<height {
        for column in 0..<width {
          let offset = SIMD2<Float>(Float(column), Float(row)) - start
          let share = square > 0 ? min(max(0, (offset * way).sum() / square), 1) : 0
          let rest = offset - share * way
          let distance = (rest * rest).sum().squareRoot()
          let value = min(max(0, pen / 2 + 0.5 - distance), 1)
          ink[row * width + column] = max(ink[row * width + column], value)
        }
      }
    }

    /// The picture: ground and ink in gray values, times a light for each pixel.
    func picture(
      ground: Float = 255, full: Float = 0, light: (_ x: Float, _ y: Float) -> Float = { _, _ in 1 }
    ) throws -> NumberPicture {
      var samples: [UInt8] = []
      for row in 0..<height {
        for column in 0..<width {
          let value = ground + ink[row * width + column] * (full - ground)
          let bright = value * light(Float(column) / Float(width), Float(row) / Float(height))
          samples.append(UInt8(min(max(0, bright.rounded()), 255)))
        }
      }
      return try NumberPicture(width: width, height: height, gray: samples)
    }
  }

  private static func strokes(
    _ digit: Int, x: Double, y: Double, size: Double
  ) -> [Stroke] { DrawnNumberTests.strokes(digit, x: x, y: y, size: size) }

  /// "24", 48 pixels high.
  private static func page(pen: Float = 4) -> Page {
    var page = Page(130, 90)
    page.draw(strokes(2, x: 24, y: 20, size: 0.48), pen: pen)
    page.draw(strokes(4, x: 72, y: 20, size: 0.48), pen: pen)
    return page
  }

  private let reader: PictureNumberReader

  init() throws { reader = try PictureNumberReader() }

  private func texts(_ picture: NumberPicture) throws -> [String] {
    try reader.numbers(in: picture).map(\.text)
  }

  // MARK: Numbers

  @Test func readsInkOfBothPolaritiesAndPensOfAllWidths() throws {
    for pen: Float in [1.2, 2, 4, 7] {
      let page = Self.page(pen: pen)
      try expectEqual(texts(page.picture()), ["24"], "pen \(pen)")
      try expectEqual(texts(page.picture(ground: 20, full: 230)), ["24"], "light, pen \(pen)")
    }
  }

  @Test func saysWhereDigitsAre() throws {
    let number = try #require(try reader.numbers(in: Self.page().picture()).first)
    expectEqual(number.number, 24)
    #expect((0...1).contains(number.confidence))
    let boxes = number.digits.map(\.box)
    expectEqual(boxes.count, 2)
    // The two: 26 of 60 units wide from 4.4 on, with the pen around it.
    #expect(abs(boxes[0].y - 18) < 3 && abs(boxes[0].maxY - 69) < 3)
    #expect(abs(boxes[1].x - 71) < 3 && abs(boxes[1].maxX - 106) < 3)
    #expect(number.box.x == boxes[0].x && number.box.maxX == boxes[1].maxX)
    for digit in number.digits {
      expectEqual(digit.alternatives.count, 9)
      #expect(digit.alternatives[0].confidence <= digit.probabilities[digit.value])
    }
  }

  @Test func unevenLightDoesNotMatter() throws {
    var random = SeededGenerator(seed: 4)
    let noise = (0..<1000).map { _ in Float(random.next() % 100) / 100 - 0.5 }
    var place = 0
    let picture = try Self.page().picture(ground: 230, full: 90) { (x, y) in
      place += 1
      return 0.4 + 0.6 * x * (1 - 0.4 * y) + 0.05 * noise[place * 7 % 1000]
    }
    try expectEqual(texts(picture), ["24"])
  }

  @Test func partsNumbersBySpaceAndRows() throws {
    var page = Page(260, 190)
    page.draw(Self.strokes(2, x: 20, y: 15, size: 0.5), pen: 4)
    page.draw(Self.strokes(0, x: 60, y: 15, size: 0.5), pen: 4)
    page.draw(Self.strokes(7, x: 180, y: 15, size: 0.5), pen: 4)
    page.draw(Self.strokes(3, x: 25, y: 115, size: 0.5), pen: 4)
    try expectEqual(texts(page.picture()), ["20", "7", "3"])
  }

  @Test func aLevelLineInFrontIsAMinusSign() throws {
    var page = Page(150, 90)
    page.draw([Stroke([(x: 15, y: 45), (x: 38, y: 45)])], pen: 4)
    page.draw(Self.strokes(7, x: 60, y: 20, size: 0.48), pen: 4)
    let number = try #require(try reader.numbers(in: page.picture()).first)
    expectEqual(number.text, "-7")
    #expect(number.minusBox != nil)
  }

  @Test func offersCutsWhereInkIsThin() throws {
    var page = Page(150, 90)
    page.draw(Self.strokes(2, x: 20, y: 20, size: 0.48), pen: 4)
    page.draw(Self.strokes(0, x: 58, y: 20, size: 0.48), pen: 4)
    // The foot of the two runs into the nought.
    page.line(from: SIMD2(48, 67), to: SIMD2(62, 62), pen: 4)
    let pieces = InkPieces(Self.ground(try page.picture())).pieces
    expectEqual(pieces.count, 1)
    let parts = PieceCuts.parts(of: pieces[0], unit: Float(pieces[0].height))
    #expect(parts.count > 1)
    expectEqual(parts.flatMap(\.runs).reduce(0) { $0 + $1.columns.count }, pieces[0].area)
    let edges = parts.dropLast().compactMap { part in part.runs.map(\.columns.upperBound).max() }
    #expect(edges.contains { (46...62).contains($0) })
    // One digit is left whole.
    var one = Page(90, 90)
    one.draw(Self.strokes(1, x: 20, y: 20, size: 0.48), pen: 4)
    let piece = InkPieces(Self.ground(try one.picture())).pieces[0]
    expectEqual(PieceCuts.parts(of: piece, unit: Float(piece.height)).count, 1)
  }

  private static func ground(_ picture: NumberPicture) -> PictureGround {
    PictureGround(
      picture.samples, width: picture.width, height: picture.height, polarity: .darkOnLight)
  }

  @Test func ruledLinesAreNoInk() throws {
    var page = Self.page(pen: 3.5)
    for row in [12, 41, 70] {
      for column in 0..<page.width {
        page.ink[row * page.width + column] = max(0.35, page.ink[row * page.width + column])
      }
    }
    try expectEqual(texts(page.picture()), ["24"])
  }

  @Test func aPictureOfOneDigitAsLargeAsItsGroundIsRead() throws {
    let bitmap = try DigitBitmap(Drawing(DrawnNumberTests.strokes(3)))
    let picture = try NumberPicture(width: 28, height: 28, gray: bitmap.samples)
    try expectEqual(texts(picture), ["3"])
    // And far larger ones, which are reduced.
    var samples: [UInt8] = []
    for row in 0..<28 * 90 {
      for column in 0..<28 * 90 { samples.append(bitmap[row / 90, column / 90]) }
    }
    let large = try NumberPicture(width: 28 * 90, height: 28 * 90, gray: samples)
    let number = try #require(try reader.numbers(in: large).first)
    expectEqual(number.text, "3")
    #expect(number.box.height > 1500)
  }

  // MARK: Nothing

  @Test func findsNothingWhereNothingIs() throws {
    for (width, height) in [(1, 1), (2, 3), (1, 900), (900, 1), (64, 64)] {
      for value: UInt8 in [0, 128, 255] {
        let samples = [UInt8](repeating: value, count: width * height)
        #expect(try texts(NumberPicture(width: width, height: height, gray: samples)).isEmpty)
      }
    }
    var random = SeededGenerator(seed: 9)
    for (width, height) in [(40, 40), (300, 200), (7, 1000)] {
      let samples = (0..<width * height).map { _ in UInt8(120 + random.next() % 20) }
      #expect(try texts(NumberPicture(width: width, height: height, gray: samples)).isEmpty)
    }
  }

  @Test func ruledLinesMayLeaveThePicture() throws {
    for slope: Float in [-0.1, -0.06, 0.08, 0.1] {
      var page = Page(240, 80)
      for line in -1...4 {
        let start = SIMD2<Float>(0, Float(line) * 22)
        page.line(from: start, to: start + SIMD2(239, 239 * slope), pen: 1.5)
      }
      #expect(try texts(page.picture(full: 120)).isEmpty)
    }
  }

  @Test func anyPixelsAreTaken() throws {
    var random = SeededGenerator(seed: 5)
    for (width, height) in [(3, 3), (61, 47), (128, 64), (90, 500)] {
      let samples = (0..<width * height).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let numbers = try reader.numbers(
        in: NumberPicture(width: width, height: height, gray: samples))
      for number in numbers {
        #expect(number.box.x >= 0 && number.box.maxX <= Double(width))
        #expect(number.box.y >= 0 && number.box.maxY <= Double(height))
      }
    }
  }

  @Test func refusesWhatIsNoPicture() {
    #expect(throws: NumberPictureError.sampleCount(found: 5, required: 6)) {
      try NumberPicture(width: 2, height: 3, gray: [UInt8](repeating: 0, count: 5))
    }
    #expect(throws: NumberPictureError.sampleCount(found: 6, required: 24)) {
      try NumberPicture(width: 2, height: 3, rgba: [UInt8](repeating: 0, count: 6))
    }
    for (width, height) in [(0, 4), (4, -1), (16_385, 1), (Int.max, Int.max)] {
      #expect(throws: NumberPictureError.size(width: width, height: height)) {
        try NumberPicture(width: width, height: height, gray: [])
      }
    }
  }

  @Test func whatIsTransparentIsGround() throws {
    let dark = try NumberPicture(width: 2, height: 1, rgba: [0, 0, 0, 255, 0, 0, 0, 0])
    expectEqual(dark.samples, [0, 255])
    let light = try NumberPicture(width: 2, height: 1, rgba: [255, 255, 255, 255, 9, 9, 9, 0])
    expectEqual(light.samples, [255, 0])
  }

  // MARK: Ink

  @Test func resizingKeepsTheInk() {
    var raster = InkRaster(width: 30, height: 20)
    for row in 5..<15 { for column in 8..<20 { raster[row, column] = 1 } }
    for (width, height) in [(15, 10), (7, 5), (60, 40), (30, 20)] {
      let resized = raster.resized(width: width, height: height)
      let share = resized.ink.reduce(0, +) / Float(width * height)
      #expect(abs(share - 0.2) < 0.01, "\(width) by \(height)")
    }
  }

  @Test func measuresTheWidthOfLines() {
    for thickness in [2, 4, 7, 12] {
      var raster = InkRaster(width: 80, height: 40)
      for row in 10..<10 + thickness { for column in 10..<70 { raster[row, column] = 1 } }
      let width = InkRaster.lineWidth(raster.depths())
      #expect(abs(width - Float(thickness)) < 0.15 * Float(thickness) + 0.3, "\(thickness)")
    }
  }

  @Test func thinLinesAreThickenedAndThickOnesThinned() throws {
    func width(_ pen: Float) -> Float {
      var page = Page(120, 140)
      page.draw(Self.strokes(3, x: 30, y: 20, size: 1), pen: pen)
      var raster = InkRaster(width: 120, height: 140)
      raster.ink = page.ink
      return InkRaster.lineWidth(InkRaster(DigitBitmap(raster)).depths())
    }
    #expect(width(1.5) > 1.7)
    #expect(width(22) < 4.6)
    #expect(abs(width(1.5) - width(8)) < 1)
  }

  @Test func theWeightsAreSmall() {
    let count =
      GameWeights.digits.count + GameWeights.penWays.count + GameWeights.digitOrNone.count
    #expect(count < 300_000)
  }
}
