import DiceGeometry
import DiceImaging
import TestSupport
import Testing

@testable import DiceDrawing

struct BoardClearanceTests {
  /// Its die is some 24 pixels long and hides 14 pixels of the table below its top face; the front line is
  /// 23 pixels below it.
  private static let topFace = BoundingBox(x: 100, y: 60, width: 30, height: 24)

  private static func die(_ box: BoundingBox = topFace, _ identifier: UInt64 = 1)
    -> BoardClearance.Die
  {
    BoardClearance.Die(identifier: identifier, stance: DieStance(topFace: box))
  }

  private static func outline(_ die: BoardClearance.Die, layers: Int) -> [PixelPoint] {
    die.stance.outline(margin: die.margin, layers: layers)
  }

  /// A table with some grain, and upright boxes on it.
  private static func table(
    _ boxes: [BoundingBox], format: PixelImage.Format = .rgb, colored: PixelColor = .white,
    shade: (box: BoundingBox, color: PixelColor)? = nil
  ) -> PixelImage {
    var samples: [UInt8] = []
    for pixel in 0..<240 * 200 {
      let grain = UInt8((pixel &* 2_654_435_761) >> 7 & 7)
      samples += [60 + grain, 110 + grain, 70 + grain, 255].prefix(format.channelCount)
    }
    var canvas = Canvas(PixelImage(width: 240, height: 200, format: format, samples: samples))
    if let shade { canvas.fill(shade.box, color: shade.color) }
    for box in boxes { canvas.fill(box, color: colored) }
    return canvas.image
  }

  private static let one = BoundingBox(x: 100, y: 60, width: 30, height: 38)
  private static let two = BoundingBox(x: 100, y: 60, width: 30, height: 52)

  @Test func aDieThatLeansHasMoreRoom() {
    let low = BoundingBox(x: 100, y: 60, width: 30, height: 12)
    let dice = [false, true].map {
      BoardClearance.Die(identifier: 1, topFace: low, on: nil, isCocked: $0)
    }
    expectEqual(dice[0].margin, BoardOverlay.dieMargin)
    expectEqual(dice[0].stance, DieStance(topFace: low))
    expectEqual(dice[1].margin, BoardOverlay.cockedDieMargin)
    expectEqual(dice[1].stance.edge, 30)
    let spared = dice.map { (die) in
      var clearance = BoardClearance()
      return clearance.outlines(of: [die], in: Self.table([]))[0]
    }
    for corner in spared[0] { #expect(spared[1].encloses(corner)) }
  }

  @Test func aDieThatIsLostKeepsItsRoomForSixteenFrames() {
    let (lost, other) = (Self.die(), Self.die(Self.topFace.translated(x: -70, y: 0), 2))
    let picture = Self.table([Self.one])
    var clearance = BoardClearance()
    let first = clearance.outlines(of: [lost, other], in: picture)
    for _ in 0..<16 {
      expectEqual(clearance.outlines(of: [other], in: picture), [first[1], first[0]])
    }
    expectEqual(clearance.outlines(of: [other], in: picture), [first[1]])
    // Found again, it counts anew.
    _ = clearance.outlines(of: [lost, other], in: picture)
    expectEqual(clearance.outlines(of: [other], in: picture).count, 2)
    expectEqual(clearance.outlines(of: [other, lost], in: picture).count, 2)
  }

  @Test func thereIsRoomForASecondDieWhereOneIsSeen() {
    let die = Self.die()
    for format in [PixelImage.Format.gray, .rgb, .rgba] {
      var clearance = BoardClearance()
      expectEqual(
        clearance.outlines(of: [die], in: Self.table([Self.one], format: format)),
        [Self.outline(die, layers: 1)])
      clearance = BoardClearance()
      expectEqual(
        clearance.outlines(of: [die], in: Self.table([Self.two], format: format)),
        [Self.outline(die, layers: 2)])
    }
    // A lower die of another colour counts as well, one of the table's colour does not.
    for (color, layers) in [(PixelColor(rgb: 0x902020), 2), (PixelColor(rgb: 0x3F7149), 1)] {
      var clearance = BoardClearance()
      let picture = Self.table([Self.two], colored: color)
      expectEqual(clearance.outlines(of: [die], in: picture), [Self.outline(die, layers: layers)])
    }
  }

  @Test func thereIsRoomToTheSideToWhichADieReaches() {
    let die = Self.die()
    let outline = Self.outline(die, layers: 1)
    // A face that is seen to the left, to the right and behind of what the outline holds: 25 pixels are an edge.
    let left = BoundingBox(x: 86, y: 66, width: 20, height: 24)
    let right = BoundingBox(x: 124, y: 66, width: 20, height: 24)
    let behind = BoundingBox(x: 104, y: 46, width: 20, height: 20)
    for format in [PixelImage.Format.gray, .rgb, .rgba] {
      for face in [left, right, behind] {
        var clearance = BoardClearance()
        let room = clearance.outlines(of: [die], in: Self.table([Self.one, face], format: format))
        #expect(room.count == 1 && room[0] != outline)
        for corner in [
          PixelPoint(x: face.minX, y: face.minY), PixelPoint(x: face.maxX, y: face.minY),
          PixelPoint(x: face.maxX, y: face.maxY), PixelPoint(x: face.minX, y: face.maxY),
        ] {
          #expect(room[0].encloses(corner))
        }
        for corner in outline { #expect(room[0].encloses(corner)) }
      }
      // A shadow is no face.
      var clearance = BoardClearance()
      let shade = PixelColor(red: 38, green: 66, blue: 43)
      let shaded = Self.table([Self.one], format: format, shade: (left, shade))
      expectEqual(clearance.outlines(of: [die], in: shaded), [outline])
    }
  }

  @Test func whatIsInOtherOutlinesDoesNotCount() {
    // A smaller die stands before the first one, across its front line.
    let other = Self.die(BoundingBox(x: 108, y: 100, width: 10, height: 8), 2)
    let picture = Self.table([Self.one, BoundingBox(x: 108, y: 100, width: 10, height: 13)])
    var clearance = BoardClearance()
    expectEqual(
      clearance.outlines(of: [Self.die(), other], in: picture),
      [
        Self.outline(Self.die(), layers: 1), Self.outline(other, layers: 1),
      ])
    clearance = BoardClearance()
    expectEqual(
      clearance.outlines(of: [Self.die()], in: picture), [Self.outline(Self.die(), layers: 2)])
  }

  @Test func roomComesWithHalfOfTheFramesAndGoesWithTheLast() {
    let die = Self.die()
    var clearance = BoardClearance()
    func hasRoom(_ boxes: [BoundingBox]) -> Bool {
      clearance.outlines(of: [die], in: Self.table(boxes)) == [Self.outline(die, layers: 2)]
    }
    for _ in 0..<5 { #expect(!hasRoom([Self.one])) }
    // Five frames against four, then five.
    for _ in 0..<4 { #expect(!hasRoom([Self.two])) }
    #expect(hasRoom([Self.two]))
    // 31 frames later one of the latest 32 still speaks for it.
    for _ in 0..<31 { #expect(hasRoom([Self.one])) }
    #expect(!hasRoom([Self.one]))
    // A die that was gone for long is a new one.
    for _ in 0..<16 { expectEqual(clearance.outlines(of: [], in: Self.table([])).count, 1) }
    #expect(clearance.outlines(of: [], in: Self.table([])).isEmpty)
    #expect(hasRoom([Self.two]))
  }

  @Test func picturesThatCannotTellLeaveRoom() {
    // The front line is below the picture.
    let low = Self.die(BoundingBox(x: 100, y: 172, width: 30, height: 24))
    var clearance = BoardClearance()
    expectEqual(clearance.outlines(of: [low], in: Self.table([])), [Self.outline(low, layers: 2)])
  }

  @Test func strangeDiceAreSparedAsTheirOutlinesSay() {
    var dice = [
      BoundingBox(x: 3, y: 4, width: 0, height: 5), BoundingBox(x: .nan, y: 4, width: 2, height: 5),
      BoundingBox(x: -1e300, y: 1e300, width: 1e200, height: 1e200),
      BoundingBox(x: 100, y: 60, width: 24, height: 24),
    ].map { Self.die($0) }
    dice[3].margin = .nan
    // Straight from above one die is seen as two are.
    dice.append(Self.die(BoundingBox(x: 160, y: 60, width: 24, height: 24), 9))
    var clearance = BoardClearance()
    let outlines = clearance.outlines(of: dice, in: Self.table([]))
    expectEqual(outlines.count, 5)
    #expect(outlines[0].isEmpty && outlines[1].isEmpty && outlines[3].isEmpty)
    expectEqual(outlines[4], Self.outline(dice[4], layers: 1))
    expectEqual(outlines[4], Self.outline(dice[4], layers: 2))
  }
}
