import DiceGeometry
import DiceImaging
import TestSupport
import Testing

@testable import DiceDrawing

struct BoardTests {
  static let corners = Quadrilateral(
    upperLeft: PixelPoint(x: 120, y: 60), upperRight: PixelPoint(x: 300, y: 70),
    lowerRight: PixelPoint(x: 380, y: 260), lowerLeft: PixelPoint(x: 40, y: 250))

  static func board() -> BoardDrawing {
    var board = BoardDrawing(sectionCount: 9, start: 1, target: 9)
    board.pawns = [
      BoardDrawing.Pawn(section: 4, label: "A", color: .forValue(5), isActive: true),
      BoardDrawing.Pawn(section: 4, label: "B", color: .forValue(3)),
    ]
    board.highlights = [6]
    board.caption = "5 + 2"
    return board
  }

  private static func topView(_ board: BoardDrawing, side: Int = 300) -> PixelImage {
    var canvas = Canvas(width: side, height: side, color: .black)
    board.draw(
      on: &canvas, in: BoundingBox(x: 0, y: 0, width: Double(side), height: Double(side)))
    return canvas.image
  }

  private static func color(_ image: PixelImage, _ share: SIMD2<Double>) -> PixelColor {
    image.color(
      column: Int(share.x * Double(image.width)), row: Int(share.y * Double(image.height)))
  }

  @Test func polygonsHaveTheirArea() {
    func point(_ x: Double, _ y: Double) -> PixelPoint { PixelPoint(x: x, y: y) }
    let outer = [point(10, 10), point(60, 20), point(50, 70), point(15, 50)]
    var canvas = CanvasTests.blank(80, 80)
    canvas.fillPolygon(outer, color: .black)
    #expect(abs(CanvasTests.ink(canvas.image) - Quadrilateral(corners: outer)!.area) < 1)
    // Two triangles that meet in a point, 30 wide and 20 high each.
    canvas = CanvasTests.blank(80, 80)
    canvas.fillPolygon(
      [point(20, 20), point(50, 20), point(20, 60), point(50, 60)], color: .black)
    #expect(abs(CanvasTests.ink(canvas.image) - 600) < 2.5)
    for points in [[], Array(outer.prefix(2)), [outer[0], outer[1], point(.nan, 3)]] {
      canvas = CanvasTests.blank(20, 20)
      canvas.fillPolygon(points, color: .black)
      expectEqual(CanvasTests.ink(canvas.image), 0)
    }
    var drawing = SVGCanvas(width: 80, height: 80)
    drawing.fillPolygon(outer, color: .black)
    #expect(
      String(decoding: drawing.document, as: UTF8.self).contains("d=\"M10 10L60 20L50 70L15 50Z\""))
  }

  @Test func sectionsGoClockwiseFromTheTop() {
    let board = BoardDrawing(sectionCount: 12)
    let expected = [(1, SIMD2(0.5, 0.16)), (4, SIMD2(0.84, 0.5)), (7, SIMD2(0.5, 0.84))]
    for (section, place) in expected {
      let found = board.place(ofSection: section)
      #expect(abs(found.x - place.x) < 1e-6 && abs(found.y - place.y) < 1e-6)
    }
  }

  @Test func theTargetAPawnAndAHighlightAreSeenWhereTheyAre() {
    let board = Self.board()
    let image = Self.topView(board)
    let plain = Self.topView(BoardDrawing(sectionCount: 9, start: 1, target: 9))
    // The target's colour beside its number, and another one in the section before it.
    let beside = Self.color(image, board.place(ofSection: 9, radius: 0.5))
    expectEqual(beside, PixelColor(rgb: 0xFFD24A))
    #expect(Self.color(image, board.place(ofSection: 8, radius: 0.5)) != beside)
    // Sections 4 and 6, and the caption in the middle, are all that differs from the plain board.
    var changed = [Int](repeating: 0, count: 10)
    for row in 0..<300 {
      for column in 0..<300
      where image.color(column: column, row: row) != plain.color(column: column, row: row) {
        let x = (Double(column) + 0.5) / 300
        let y = (Double(row) + 0.5) / 300
        var nearest = 0
        var least = ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5))
        for section in 1...9 {
          let place = board.place(ofSection: section, radius: 0.68)
          let distance = (x - place.x) * (x - place.x) + (y - place.y) * (y - place.y)
          if distance < least { (least, nearest) = (distance, section) }
        }
        changed[nearest] += 1
      }
    }
    #expect(changed[0] > 50 && changed[4] > 200 && changed[6] > 200, "\(changed)")
    for section in [1, 2, 3, 7, 8, 9] { expectEqual(changed[section], 0, "\(changed)") }
  }

  @Test func numbersOfEveryBoardStayInTheirSections() {
    for count in [3, 9, 24, 99] {
      let board = BoardDrawing(sectionCount: count, start: 1, target: count)
      let image = Self.topView(board, side: 200)
      expectEqual(image.color(column: 1, row: 1), .black)
      #expect(image.color(column: 100, row: 100) != .black)
    }
    // Strange numbers are drawn as the nearest board.
    expectEqual(
      Self.topView(BoardDrawing(sectionCount: -5, start: 0, target: 0), side: 60),
      Self.topView(BoardDrawing(sectionCount: 3, start: 0, target: 0), side: 60))
  }

  @Test func inPerspectiveTheBoardIsTheTopViewMovedByTheHomography() throws {
    let overlay = BoardOverlay(Self.board(), side: 512)
    let backdrop = PixelColor(rgb: 0x2060A0)
    var canvas = Canvas(width: 420, height: 320, color: backdrop)
    overlay.draw(on: &canvas, at: Self.corners, opacity: 1)
    let map = try #require(Homography(rectangleWidth: 1, height: 1, to: Self.corners))
    let inverse = try #require(map.inverse)
    // Pixel by pixel the same colours, but for those at edges.
    var (equal, compared) = (0, 0)
    for row in 0..<320 {
      for column in 0..<420 {
        let share = inverse.map(SIMD2(Double(column) + 0.5, Double(row) + 0.5))
        let color = canvas.image.color(column: column, row: row)
        let radius = ((share.x - 0.5) * (share.x - 0.5) + (share.y - 0.5) * (share.y - 0.5))
          .squareRoot()
        if radius > 0.53 {
          expectEqual(color, backdrop)
          continue
        }
        guard radius < 0.49 else { continue }
        let truth = Self.color(overlay.topView, share)
        compared += 1
        let way = [
          Int(color.red) - Int(truth.red), Int(color.green) - Int(truth.green),
          Int(color.blue) - Int(truth.blue),
        ]
        if way.allSatisfy({ abs($0) < 40 }) { equal += 1 }
      }
    }
    #expect(compared > 20_000 && Double(equal) > 0.85 * Double(compared), "\(equal) of \(compared)")
  }

  @Test func noPixelThatTouchesWhatIsSparedChanges() {
    let overlay = BoardOverlay(Self.board(), side: 256)
    var canvas = Canvas(width: 420, height: 320, color: PixelColor(rgb: 0x2060A0))
    let before = canvas.image
    let outlines = [
      [
        PixelPoint(x: 180.3, y: 120.2), PixelPoint(x: 231.7, y: 131), PixelPoint(x: 225, y: 190.5),
        PixelPoint(x: 171, y: 170),
      ],
      Quadrilateral(BoundingBox(x: 250, y: 150, width: 40, height: 30)).corners,
    ]
    overlay.draw(on: &canvas, at: Self.corners, sparing: outlines)
    for outline in outlines {
      let area = Quadrilateral(corners: outline)!
      var count = 0
      for row in 0..<320 {
        for column in 0..<420 {
          // Any place of the pixel.
          let touches = (0..<9).contains { (part: Int) -> Bool in
            let x: Double = Double(column) + Double(part % 3) / 2
            let y: Double = Double(row) + Double(part / 3) / 2
            return area.contains(PixelPoint(x: x, y: y))
          }
          guard touches else { continue }
          count += 1
          expectEqual(
            canvas.image.color(column: column, row: row), before.color(column: column, row: row))
        }
      }
      #expect(count > 1000)
    }
    // Beside them the board is drawn, fainter near them.
    var sharp = Canvas(before)
    overlay.draw(on: &sharp, at: Self.corners, sparing: outlines, softness: 0)
    func change(_ canvas: Canvas, _ column: Int, _ row: Int) -> Int {
      let (old, new) = (
        before.color(column: column, row: row), canvas.image.color(column: column, row: row)
      )
      return abs(Int(new.red) - Int(old.red)) + abs(Int(new.green) - Int(old.green))
    }
    #expect(change(canvas, 294, 165) > 0)
    #expect(change(canvas, 294, 165) < change(sharp, 294, 165))
    expectEqual(change(canvas, 310, 165), change(sharp, 310, 165))
  }

  @Test func aBoardThatHasNoPlaceIsNotDrawn() {
    let overlay = BoardOverlay(BoardDrawing(), side: 64)
    let blank = Canvas(width: 60, height: 40, color: .white)
    var crossed = Self.corners
    (crossed.upperLeft, crossed.upperRight) = (crossed.upperRight, crossed.upperLeft)
    var unreal = Self.corners
    unreal.lowerLeft.x = .nan
    for corners in [crossed, unreal] {
      var canvas = blank
      overlay.draw(on: &canvas, at: corners)
      expectEqual(canvas, blank)
    }
    // One that lies wholly beside the picture, or hugely around it, ends.
    for box in [
      BoundingBox(x: -500, y: -500, width: 100, height: 100),
      BoundingBox(x: -1e6, y: -1e6, width: 2e6, height: 2e6),
    ] {
      var canvas = blank
      overlay.draw(on: &canvas, at: Quadrilateral(box))
      expectEqual(canvas.image.width, 60)
    }
  }

  @Test func theBoardIsDrawnOnEveryKindOfPicture() {
    let overlay = BoardOverlay(Self.board(), side: 128)
    for format in [PixelImage.Format.gray, .rgb, .rgba] {
      let blank = Canvas(width: 420, height: 320, color: .white).image.converted(to: format)
      var canvas = Canvas(blank)
      overlay.draw(on: &canvas, at: Self.corners)
      #expect(canvas.image != blank && canvas.image.format == format)
    }
  }
}
