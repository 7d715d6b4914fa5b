import DiceGeometry
import TestSupport
import Testing

@testable import DiceImaging
@testable import DiceDrawing

struct TextTests {
  static let printable = (0x21...0x7E).map { Unicode.Scalar(UInt8($0)) }

  static func drawn(_ text: String, size: Double, weight: TextWeight = .bold) -> PixelImage {
    var canvas = Canvas(width: 80, height: 80, color: .white)
    canvas.drawText(
      text, at: PixelPoint(x: 20, y: 55), size: size, weight: weight, color: .black)
    return canvas.image
  }

  /// The smallest box around everything that is not white.
  static func inkBox(_ image: PixelImage) -> (left: Int, top: Int, right: Int, bottom: Int)? {
    var box: (Int, Int, Int, Int)?
    for row in 0..<image.height {
      for column in 0..<image.width where image.color(column: column, row: row).red < 128 {
        let old = box ?? (column, row, column + 1, row + 1)
        box = (
          min(old.0, column), min(old.1, row), max(old.2, column + 1), max(old.3, row + 1)
        )
      }
    }
    return box
  }

  @Test func everyPrintableCharacterHasAShapeOfItsOwn() {
    var seen: [PixelImage: Unicode.Scalar] = [:]
    let missing = Self.drawn("\u{1}", size: 48)
    for character in Self.printable {
      #expect(StrokeFont.path(of: character) != nil)
      let image = Self.drawn(String(Character(character)), size: 48)
      #expect(CanvasTests.ink(image) > 15, "\(character)")
      #expect(image != missing)
      if let other = seen[image] { Issue.record("\(character) looks like \(other)") }
      seen[image] = character
    }
    expectEqual(seen.count, 94)
  }

  @Test func pathsStayInTheirBoxes() {
    for character in Self.printable {
      let glyph = StrokeFont.glyph(character, stepCount: 8)
      let points =
        glyph.segments.flatMap { [($0.startX, $0.startY), ($0.endX, $0.endY)] }
        + glyph.dots.map { ($0.x, $0.y) }
      #expect(!points.isEmpty)
      for (x, y) in points {
        #expect(x >= -2.5 && x <= glyph.width + 2 && y >= -5 && y <= 37, "\(character)")
      }
      expectEqual(glyph.width, StrokeFont.width(of: character))
    }
  }

  @Test func charactersThatTheFontLacksAreBoxes() {
    expectEqual(Self.drawn("\u{4E2D}", size: 30), Self.drawn("\u{1}", size: 30))
    #expect(CanvasTests.ink(Self.drawn("\u{4E2D}", size: 30)) > 20)
    expectEqual(Self.drawn(" \t\n".replacing("\t", with: " "), size: 30), Self.drawn("", size: 30))
  }

  @Test func textStandsOnItsOriginAndHasItsWidthAndHeight() throws {
    for weight in TextWeight.allCases {
      for size in [16.0, 24, 40] {
        let box = try #require(Self.inkBox(Self.drawn("H", size: size, weight: weight)))
        #expect(abs(box.left - 20) <= 1)
        #expect(abs(box.bottom - 55) <= 1)
        let height = Canvas.capHeight(size: size, weight: weight)
        #expect(abs(Double(box.bottom - box.top) - height) <= 1.5)
        let width = Canvas.width(of: "H", size: size, weight: weight)
        #expect(abs(Double(box.right - box.left) - width) <= 1.5)
      }
    }
  }

  @Test func widthsAddUp() {
    let one = Canvas.width(of: "7", size: 20)
    let two = Canvas.width(of: "77", size: 20)
    let three = Canvas.width(of: "777", size: 20)
    #expect(abs((three - two) - (two - one)) < 1e-9 && two > 2 * one)
    expectEqual(Canvas.width(of: "1\n777\n22", size: 20), three)
    #expect(abs(Canvas.width(of: "77", size: 60) / Canvas.width(of: "77", size: 30) - 2) < 1e-9)
    expectEqual(Canvas.width(of: "", size: 20), 0)
    expectEqual(Canvas.width(of: "7", size: .nan), 0)
    expectEqual(Canvas.width(of: "7", size: -1), 0)
    expectEqual(Canvas.width(of: "7", size: 1e9), Canvas.width(of: "7", size: 4096))
  }

  @Test func linesFollowBelowEachOther() throws {
    let image = Self.drawn("I\nI", size: 16)
    let box = try #require(Self.inkBox(image))
    #expect(box.bottom == 55 + 21 || box.bottom == 55 + 20)
  }

  @Test func thinStrokesStayVisible() {
    // At eight pixels the pen would be less than one pixel wide.
    let image = Self.drawn("I", size: 8, weight: .regular)
    #expect(image.samples.min()! < 80)
  }
}

struct AnnotationTests {
  @Test func valuesHaveSixColorsThatAreFarApart() {
    let colors = (1...6).map { PixelColor.forValue($0) }
    for i in 0..<6 {
      for j in 0..<i {
        let (a, b) = (colors[i], colors[j])
        let differences = [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)].map {
          abs(Int($0) - Int($1))
        }
        #expect(differences.reduce(0, +) > 100, "\(i + 1) and \(j + 1)")
      }
    }
    expectEqual(PixelColor.forValue(0), PixelColor.forValue(7))
    expectEqual(PixelColor.forValue(.min), PixelColor.forValue(.max))
    #expect(PixelColor.white.textColor.luminance < 40 && PixelColor.black.textColor == .white)
  }

  @Test func sizesFollowThePicture() {
    let small = Canvas(width: 100, height: 90, color: .black)
    let large = Canvas(width: 4000, height: 3000, color: .black)
    #expect(small.suitableLineWidth == 1.5 && small.suitableTextSize == 11)
    #expect(large.suitableLineWidth == 3000.0 / 320 && large.suitableTextSize == 3000.0 / 32)
  }

  @Test func labelsStayInThePictureAndOutOfEachOthersWay() {
    let frame = BoundingBox(x: 0, y: 0, width: 300, height: 200)
    var boxes: [BoundingBox] = []
    for (x, y) in [(0, 0), (270, 0), (0, 170), (270, 170), (100, 90), (115, 92), (130, 94)] {
      boxes.append(BoundingBox(x: Double(x), y: Double(y), width: 30, height: 30))
    }
    boxes.append(BoundingBox(x: -50, y: -50, width: 400, height: 300))
    var placement = TagPlacement(frame: frame, boxes: boxes, gap: 2)
    var tags: [BoundingBox] = []
    for index in boxes.indices {
      let tag = placement.place(width: 48, height: 14, for: index)
      #expect(tag.minX >= 0 && tag.minY >= 0 && tag.maxX <= 300 && tag.maxY <= 200)
      #expect(tag.width == 48 && tag.height == 14)
      for other in tags { expectEqual(tag.intersection(with: other), nil) }
      tags.append(tag)
    }
    expectEqual(tags.count, 8)
  }

  @Test func aLoneBoxHasItsLabelAbove() {
    let frame = BoundingBox(x: 0, y: 0, width: 300, height: 200)
    let box = BoundingBox(x: 100, y: 100, width: 50, height: 40)
    var placement = TagPlacement(frame: frame, boxes: [box], gap: 2)
    let tag = placement.place(width: 48, height: 14, for: 0)
    expectEqual(tag, BoundingBox(x: 99, y: 84, width: 48, height: 14))
    // Without room above it goes below, and without any room around it inside, at the top.
    let high = BoundingBox(x: 100, y: 5, width: 90, height: 80)
    var second = TagPlacement(frame: frame, boxes: [high], gap: 2)
    expectEqual(second.place(width: 48, height: 14, for: 0).minY, 87)
    var whole = TagPlacement(frame: frame, boxes: [frame], gap: 2)
    expectEqual(
      whole.place(width: 48, height: 14, for: 0), BoundingBox(x: 0, y: 2, width: 48, height: 14))
    // A label wider than the picture keeps its start.
    var third = TagPlacement(frame: frame, boxes: [box], gap: 2)
    expectEqual(third.place(width: 500, height: 14, for: 0).minX, 0)
  }

  @Test func boxesAreDrawnInTheirColorWithReadableText() {
    var canvas = Canvas(width: 200, height: 150, color: PixelColor(rgb: 0x707070))
    let color = PixelColor.forValue(3)
    canvas.drawBoxes(
      [
        BoxAnnotation(
          box: BoundingBox(x: 60, y: 60, width: 60, height: 60), label: "3", color: color)
      ], lineWidth: 4)
    expectEqual(canvas.image.color(column: 60, row: 90), color)
    expectEqual(canvas.image.color(column: 119, row: 90), color)
    // The label stands above; its text is dark on this colour.
    let label = canvas.image.cropped(columns: 58..<80, rows: 30..<58)
    let colors = Set(
      (0..<label.width * label.height).map { i in
        label.color(column: i % label.width, row: i / label.width)
      })
    #expect(colors.contains(color) && colors.contains(color.textColor))
    // Far away nothing changed, inside the colour is laid over lightly.
    expectEqual(canvas.image.color(column: 190, row: 140), PixelColor(rgb: 0x707070))
    #expect(canvas.image.color(column: 90, row: 90) != PixelColor(rgb: 0x707070))
  }
}
