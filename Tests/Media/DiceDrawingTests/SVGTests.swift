import DiceImaging
import DiceGeometry
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import DiceDrawing

struct SVGTests {
  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func textFromAnywhereStaysText() throws {
    let hostile = "<script>alert(\"1\")</script> & 'x' \u{0}\u{1B}[31m\u{202E}\u{85}\n6 é 骰 😀"
    let escaped = MarkupWriter.escaped(hostile)
    expectEqual(
      escaped,
      "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; "
        + "\u{FFFD}\u{FFFD}[31m\u{FFFD}\u{FFFD}\n6 é 骰 😀")
    var drawing = SVGCanvas(width: 10, height: 10, title: hostile)
    drawing.drawBox(
      BoundingBox(x: 1, y: 1, width: 5, height: 5), label: hostile, color: .forValue(1))
    let file = Self.text(drawing.document)
    #expect(!file.contains("<script") && !file.contains("\u{1B}"))
    #expect(file.contains("&lt;script&gt;"))
  }

  @Test func numbersAreDecimalAndNeverAnythingElse() {
    let cases: [(Double, String)] = [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (0.05, "0.05"), (12.345, "12.35"),
      (-0.004, "0"), (99.999, "100"), (.nan, "0"), (.infinity, "1000000000"),
      (-.infinity, "-1000000000"), (1e300, "1000000000"), (0.1 + 0.2, "0.3"), (1e-300, "0"),
    ]
    for (value, expected) in cases {
      var writer = MarkupWriter()
      writer.number(value)
      expectEqual(Self.text(writer.bytes), expected, "\(value)")
    }
  }

  /// Whatever is drawn is XML; its numbers are finite.
  @Test func documentsAreWellFormed() throws {
    let numbers: [Double] = [.nan, .infinity, -1e300, 1e300, 0, -3.5, 7.25, 40, 1e-300]
    var drawing = SVGCanvas(
      width: 64, height: 48, backdrop: .linked(address: "a%20\"b\".png?x=1&y=<2>"), title: "<&>")
    for a in numbers {
      for b in numbers {
        let box = BoundingBox(x: a, y: b, width: b, height: a)
        drawing.fill(box, cornerRadius: a, color: .black)
        drawing.stroke(box, cornerRadius: b, lineWidth: a, color: .white)
        drawing.strokeDashed(box, lineWidth: b, color: .white)
        drawing.drawBox(box, label: "5 \u{4E2D}", color: .forValue(5), lineWidth: a, textSize: b)
        drawing.drawText("6%", at: PixelPoint(x: a, y: b), size: a, color: .black)
        drawing.drawTrail(
          [PixelPoint(x: a, y: b), PixelPoint(x: b, y: a), PixelPoint(x: 1, y: 2)], lineWidth: a,
          color: .white)
        drawing.drawTag("4 <", at: PixelPoint(x: a, y: b), color: .forValue(4))
      }
    }
    let parser = XMLParser(data: Data(drawing.document))
    let isWellFormed = parser.parse()
    #expect(isWellFormed, "\(String(describing: parser.parserError))")
    let file = Self.text(drawing.document)
    #expect(!file.contains("nan") && !file.contains("inf"))
  }

  @Test func aDrawingHasThePicturesSizeAndWhatLiesUnderIt() {
    let alone = Self.text(SVGCanvas(width: 640, height: 480).document)
    #expect(alone.contains("width=\"640\" height=\"480\" viewBox=\"0 0 640 480\""))
    #expect(!alone.contains("<image"))
    let linked = SVGCanvas(width: 4, height: 3, backdrop: .linked(address: "../a.jpg"))
    #expect(Self.text(linked.document).contains("href=\"../a.jpg\""))
    let embedded = SVGCanvas(
      width: 4, height: 3, backdrop: .embedded(bytes: [1, 2, 3], mediaType: .png))
    #expect(Self.text(embedded.document).contains("href=\"data:image/png;base64,AQID\""))
  }

  @Test func boxesAndLabelsAreWhereACanvasHasThem() throws {
    var drawing = SVGCanvas(width: 200, height: 150)
    let box = BoundingBox(x: 60, y: 60, width: 60, height: 50)
    drawing.drawBox(box, label: "3  98 %", color: .forValue(3), lineWidth: 4)
    let file = Self.text(drawing.document)
    #expect(file.contains("x=\"60\" y=\"60\" width=\"60\" height=\"50\""))
    #expect(file.contains("<title>3  98 %</title>"))
    #expect(file.contains("stroke=\"#009e73\""))
    // The letters are strokes as wide as the canvas's pen.
    let tag = TagLayout.best(
      for: [BoxAnnotation(box: box, label: "3  98 %", color: .black)],
      in: BoundingBox(x: 0, y: 0, width: 200, height: 150), lineWidth: 4, textSize: nil,
      suitable: drawing.suitableTextSize
    ).tags
    let size = try #require(tag.first?.textSize)
    let pen = try #require(Pen(size: size, weight: .bold))
    var writer = MarkupWriter()
    writer.attribute("stroke-width", pen.width)
    #expect(file.contains(Self.text(writer.bytes)))
  }

  @Test func trailsGrowStronger() {
    var drawing = SVGCanvas(width: 100, height: 100)
    drawing.drawTrail(
      (0..<5).map { PixelPoint(x: Double(10 + 20 * $0), y: 50) }, lineWidth: 4, color: .white)
    let file = Self.text(drawing.document)
    let opacities = file.split(separator: "stroke-opacity=\"").dropFirst().compactMap {
      Double($0.prefix { $0 != "\"" })
    }
    expectEqual(opacities.count, 4)
    #expect(opacities == opacities.sorted() && opacities.first! < 0.2 && opacities.last! > 0.8)
  }
}

struct TrailTests {
  @Test func fadesTowardsItsBeginning() {
    var canvas = Canvas(width: 100, height: 20, color: .black)
    canvas.drawTrail(
      [PixelPoint(x: 10, y: 10), PixelPoint(x: 50, y: 10), PixelPoint(x: 90, y: 10)],
      lineWidth: 6, color: .white)
    let reds = [12, 30, 50, 70, 88].map { canvas.image.color(column: $0, row: 10).red }
    #expect(reds == reds.sorted() && reds[0] < 40 && reds[4] > 230)
    expectEqual(canvas.image.color(column: 50, row: 1).red, 0)
  }

  @Test func jointsDoNotShow() {
    // A way that turns back on itself is nowhere brighter than its own colour.
    var canvas = Canvas(width: 60, height: 20, color: .black)
    canvas.drawTrail(
      [PixelPoint(x: 10, y: 10), PixelPoint(x: 50, y: 10), PixelPoint(x: 10, y: 10)],
      lineWidth: 6, color: PixelColor.white.withOpacity(0.5))
    #expect((canvas.image.samples.max() ?? 0) <= 128)
  }

  @Test func hostilePointsAreLeftOut() {
    var canvas = Canvas(width: 20, height: 20, color: .black)
    let blank = canvas.image
    let huge = PixelPoint(x: .infinity, y: .nan)
    canvas.drawTrail([huge, huge, PixelPoint(x: 5, y: 5)], lineWidth: 3, color: .white)
    canvas.drawTrail([], lineWidth: 3, color: .white)
    canvas.drawTrail([PixelPoint(x: 5, y: 5)], lineWidth: 3, color: .white)
    canvas.drawTrail(
      [PixelPoint(x: 5, y: 5), PixelPoint(x: 9, y: 9)], lineWidth: .nan, color: .white)
    expectEqual(canvas.image, blank)
    canvas.drawTrail(
      [PixelPoint(x: -1e300, y: 1e300), PixelPoint(x: 1e300, y: -1e300)], lineWidth: 3,
      color: .white)
    let many = (0..<5000).map { (index: Int) -> PixelPoint in
      PixelPoint(x: Double(index % 20), y: Double(index % 7))
    }
    #expect(Trail(many).parts.count < Trail.pointLimit)
    canvas.drawTrail(many, lineWidth: 2, color: .white)
    #expect(canvas.image != blank)
  }
}

struct ValueColorTests {
  /// Colour matrices on linear samples for dichromats (Machado, Oliveira and Fernandes, 2009).
  static let visions: [[[Double]]] = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [
      [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
    [
      [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
      [-0.011820, 0.042940, 0.968881],
    ],
    [
      [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.303900],
    ],
  ]

  static func lab(_ color: PixelColor, _ vision: [[Double]]) -> [Double] {
    let samples = [color.red, color.green, color.blue].map { PixelColor.linear($0) }
    let seen = vision.map { row in
      min(max(zip(row, samples).reduce(0) { $0 + $1.0 * $1.1 }, 0), 1)
    }
    func curve(_ t: Double) -> Double { t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116 }
    let x = curve((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047)
    let y = curve(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2])
    let z = curve((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }

  @Test func valuesAreToldApartWithoutSeeingAllHues() {
    let colors = PixelColor.valueColors
    expectEqual(colors.count, 6)
    for (number, vision) in Self.visions.enumerated() {
      for i in colors.indices {
        for j in 0..<i {
          let (a, b) = (Self.lab(colors[i], vision), Self.lab(colors[j], vision))
          let distance = zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
          #expect(distance >= 20, "\(i + 1) and \(j + 1) in vision \(number): \(distance)")
        }
      }
    }
  }

  @Test func textReadsOnEveryColor() {
    for color in PixelColor.valueColors + [.otherValueColor, .white, .black] {
      #expect(color.contrastRatio(with: color.textColor) >= 4.5)
    }
    for gray in UInt8.min...UInt8.max {
      let color = PixelColor(red: gray, green: gray, blue: gray)
      #expect(color.contrastRatio(with: color.textColor) >= 4.2)
    }
  }

  @Test func contrastIsThatOfTheGuidelines() {
    #expect(abs(PixelColor.white.contrastRatio(with: .black) - 21) < 1e-9)
    expectEqual(PixelColor.white.contrastRatio(with: .white), 1)
    // #777777 on white is the well-known 4.48.
    #expect(abs(PixelColor(rgb: 0x777777).contrastRatio(with: .white) - 4.478) < 0.001)
    for sample in UInt8.min...UInt8.max {
      let value = Double(sample) / 255
      let expected = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      #expect(abs(PixelColor.linear(sample) - expected) < 1e-12)
    }
  }
}

struct TagLayoutTests {
  static func layout(
    _ boxes: [BoundingBox], _ width: Double, _ height: Double, isShort: Bool = true
  ) -> TagLayout {
    TagLayout.best(
      for: boxes.map {
        BoxAnnotation(box: $0, label: "5  98 %", shortLabel: isShort ? "5" : nil, color: .black)
      }, in: BoundingBox(x: 0, y: 0, width: width, height: height),
      lineWidth: max(1.5, min(width, height) / 320), textSize: nil,
      suitable: max(11, min(width, height) / 32))
  }

  @Test func labelsCanBeReadAtEverySizeOfPicture() {
    for (width, height) in [(320.0, 240.0), (1280, 720), (4000, 3000)] {
      // A small die and a large one.
      for side in [0.02, 0.2] {
        let box = BoundingBox(
          midX: width / 2, midY: height / 2, width: side * width, height: side * width)
        for tag in Self.layout([box], width, height).tags {
          // Seen whole on a screen of 800 points, letters are at least 10 points high.
          #expect(tag.textSize >= min(11, tag.textSize) && tag.textSize >= 0.0187 * height)
          #expect(tag.textSize >= 11)
          #expect(tag.box.minX >= 0 && tag.box.minY >= 0)
          #expect(tag.box.maxX <= width && tag.box.maxY <= height)
        }
      }
    }
  }

  @Test func whereLabelsWouldPileUpTheyAreShort() {
    let spread = (0..<4).map {
      BoundingBox(x: 60 + 150 * Double($0), y: 200, width: 50, height: 50)
    }
    #expect(Self.layout(spread, 640, 480).tags.allSatisfy { $0.text == "5  98 %" })
    var crowd: [BoundingBox] = []
    for row in 0..<6 {
      for column in 0..<10 {
        crowd.append(
          BoundingBox(
            x: 100 + 35 * Double(column), y: 60 + 50 * Double(row), width: 30, height: 30))
      }
    }
    let tags = Self.layout(crowd, 640, 480).tags
    #expect(tags.count == 60 && tags.allSatisfy { $0.text == "5" })
    #expect(Self.layout(crowd, 640, 480, isShort: false).tags.allSatisfy { $0.text == "5  98 %" })
    for (index, tag) in tags.enumerated() {
      for other in tags[..<index] { expectEqual(tag.box.intersection(with: other.box), nil) }
    }
  }

  @Test func aLabelDoesNotCoverTheFaceWhereThereIsRoom() {
    for y in [0.0, 5, 100, 420] {
      for x in [0.0, 300, 590] {
        let box = BoundingBox(x: x, y: y, width: 50, height: 50)
        let tag = Self.layout([box], 640, 480).tags[0]
        expectEqual(tag.box.intersection(with: box), nil, "at \(x), \(y)")
      }
    }
  }
}
