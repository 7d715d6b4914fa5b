import DiceGeometry
import TestSupport
import Testing

@testable import DiceImaging
@testable import DiceDrawing

struct CanvasTests {
  static let red = PixelColor(rgb: 0xFF0000)

  static func blank(_ width: Int, _ height: Int) -> Canvas {
    Canvas(width: width, height: height, color: .white)
  }

  /// How much of the picture is not white, in pixels: for black on white the covered area.
  static func ink(_ image: PixelImage) -> Double {
    let gray = image.converted(to: .gray)
    return gray.samples.reduce(0) { $0 + Double(255 - $1) } / 255
  }

  static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> BoundingBox {
    BoundingBox(x: x, y: y, width: width, height: height)
  }

  @Test func fillsWholePixelsWhollyAndOthersByTheirShare() {
    var canvas = Self.blank(8, 6)
    canvas.fill(Self.box(2, 1, 3, 2.5), color: Self.red)
    for row in 0..<6 {
      for column in 0..<8 {
        let color = canvas.image.color(column: column, row: row)
        switch (column, row) {
        case (2..<5, 1..<3): expectEqual(color, Self.red)
        case (2..<5, 3): expectEqual(color, PixelColor(red: 255, green: 128, blue: 128))
        default: expectEqual(color, .white)
        }
      }
    }
  }

  @Test func areasAreThoseOfTheShapes() {
    // The smooth edge is right to about 0.01 pixels along a curve of this size.
    let cases: [(String, Double, (inout Canvas) -> Void)] = [
      ("box", 7.3 * 4.9, { $0.fill(Self.box(3.4, 5.2, 7.3, 4.9), color: .black) }),
      (
        "round box", 30 * 20 - (4 - .pi) * 36,
        { $0.fill(Self.box(5.3, 6.1, 30, 20), cornerRadius: 6, color: .black) }
      ),
      (
        "circle", .pi * 15 * 15,
        { $0.fillCircle(center: PixelPoint(x: 20.3, y: 19.6), radius: 15, color: .black) }
      ),
      (
        "ring", .pi * 2 * 14 * 3,
        {
          $0.strokeCircle(
            center: PixelPoint(x: 20.3, y: 19.6), radius: 14, lineWidth: 3, color: .black)
        }
      ),
      (
        "outline", 2 * (20 + 24) * 4 - (4 - .pi) * 4,
        { $0.stroke(Self.box(8, 7, 20, 24), lineWidth: 4, color: .black) }
      ),
      (
        "line", 5 * 25 + .pi * 6.25,
        {
          $0.drawLine(
            from: PixelPoint(x: 8, y: 30), to: PixelPoint(x: 28, y: 15), lineWidth: 5,
            color: .black)
        }
      ),
      (
        "thin line", 0.5 * 20 + 0.4,
        {
          $0.drawLine(
            from: PixelPoint(x: 8, y: 10.5), to: PixelPoint(x: 28, y: 10.5), lineWidth: 0.5,
            color: .black)
        }
      ),
    ]
    for (name, area, draw) in cases {
      var canvas = Self.blank(40, 40)
      draw(&canvas)
      #expect(abs(Self.ink(canvas.image) - area) < 0.02 * area + 0.3, "\(name)")
    }
    expectEqual(cases.count, 7)
  }

  @Test func largeOutlinesLeaveTheInsideAlone() {
    var canvas = Self.blank(200, 160)
    canvas.stroke(Self.box(20, 15, 160, 130), cornerRadius: 12, lineWidth: 6, color: .black)
    var all = canvas
    // The same shape, every pixel of it looked at.
    let outline = BoxOutline(
      box: RoundedBox(Self.box(20, 15, 160, 130), cornerRadius: 12), width: 6)
    for row in 0..<160 {
      for column in 0..<200 {
        let coverage = outline.coverage(x: Double(column) + 0.5, y: Double(row) + 0.5)
        let isWhite = canvas.image.color(column: column, row: row) == .white
        // Less than half a level leaves white as it is.
        if isWhite != (coverage < 0.002) { Issue.record("pixel \(column), \(row)") }
      }
    }
    all.stroke(Self.box(20, 15, 160, 130), cornerRadius: 12, lineWidth: 6, color: .black)
    #expect(Self.ink(all.image) >= Self.ink(canvas.image))
  }

  @Test func everyFormatTakesTheColor() {
    let color = PixelColor(red: 200, green: 100, blue: 50)
    for format in [PixelImage.Format.gray, .rgb, .rgba] {
      var canvas = Canvas(
        PixelImage(
          width: 2, height: 1, format: format,
          samples: [UInt8](repeating: 0, count: 2 * format.channelCount)))
      canvas.fill(Self.box(0, 0, 1, 1), color: color)
      let drawn = canvas.image.color(column: 0, row: 0)
      expectEqual(
        drawn,
        (format == .gray
          ? PixelColor(red: color.luminance, green: color.luminance, blue: color.luminance)
          : color))
      expectEqual(canvas.image.color(column: 1, row: 0).red, 0)
    }
  }

  @Test func opacityMixesAndAddsUp() {
    var canvas = Self.blank(1, 1)
    canvas.fill(Self.box(0, 0, 1, 1), color: PixelColor.black.withOpacity(0.5))
    expectEqual(canvas.image.samples, [127, 127, 127])
    canvas.fill(Self.box(0, 0, 1, 1), color: PixelColor.black.withOpacity(0))
    expectEqual(canvas.image.samples, [127, 127, 127])
    // Over nothing at all the colour is taken as it is.
    var clear = Canvas(width: 1, height: 1, color: PixelColor(red: 9, green: 9, blue: 9, alpha: 0))
    clear.fill(Self.box(0, 0, 1, 1), color: Self.red.withOpacity(0.5))
    expectEqual(clear.image.samples, [255, 0, 0, 128])
    expectEqual(PixelColor.black.withOpacity(.nan).alpha, 0)
    expectEqual(PixelColor.black.withOpacity(7).alpha, 255)
    expectEqual(PixelColor.black.withOpacity(-1).alpha, 0)
  }

  @Test func nothingOutsideIsTouchedAndNothingStopsForHostileNumbers() {
    let numbers: [Double] = [
      .nan, .infinity, -.infinity, 0, -0.0, 1, -3.5, 7.25, 1e9, -1e9, 1e18, -1e19, 1e300, -1e300,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]
    var state: UInt32 = 11
    func pick() -> Double {
      state = state &* 1_664_525 &+ 1_013_904_223
      return numbers[Int(state >> 16) % numbers.count]
    }
    for (width, height) in [(1, 1), (9, 5)] {
      var canvas = Self.blank(width, height)
      for _ in 0..<1000 {
        let box = Self.box(pick(), pick(), pick(), pick())
        let size = min(pick(), 300)
        canvas.fill(box, cornerRadius: pick(), color: Self.red)
        canvas.stroke(box, cornerRadius: pick(), lineWidth: pick(), color: .black)
        canvas.drawLine(
          from: PixelPoint(x: pick(), y: pick()), to: PixelPoint(x: pick(), y: pick()),
          lineWidth: pick(), color: .forValue(2))
        canvas.fillCircle(center: PixelPoint(x: pick(), y: pick()), radius: pick(), color: .white)
        canvas.strokeCircle(
          center: PixelPoint(x: pick(), y: pick()), radius: pick(), lineWidth: pick(),
          color: .black)
        canvas.drawText("6%", at: PixelPoint(x: pick(), y: pick()), size: size, color: .black)
        canvas.drawBox(box, label: "5", color: .forValue(5), lineWidth: pick(), textSize: size)
        canvas.drawBox(box, label: "5", color: .forValue(5))
        canvas.drawTag("4", at: PixelPoint(x: pick(), y: pick()), color: .forValue(4))
      }
      expectEqual(canvas.image.samples.count, width * height * 3)
    }
  }

  @Test func whatHasNoFiniteSizeIsNotDrawn() {
    var canvas = Self.blank(10, 10)
    let blank = canvas.image
    canvas.fill(Self.box(.nan, 0, 5, 5), color: .black)
    canvas.fill(Self.box(0, 0, .infinity, 5), color: .black)
    canvas.fill(Self.box(0, 0, -5, 5), color: .black)
    canvas.stroke(Self.box(2, 2, 5, 5), lineWidth: .nan, color: .black)
    canvas.stroke(Self.box(2, 2, 5, 5), lineWidth: 0, color: .black)
    canvas.fillCircle(center: PixelPoint(x: 5, y: 5), radius: -1, color: .black)
    canvas.drawText("8", at: PixelPoint(x: 0, y: 9), size: .infinity, color: .black)
    canvas.drawText("8", at: PixelPoint(x: .nan, y: 9), size: 9, color: .black)
    canvas.drawBox(Self.box(50, 50, 5, 5), label: "8", color: .black)
    canvas.drawBox(Self.box(2, 2, .nan, 5), label: "8", color: .black)
    expectEqual(canvas.image, blank)
  }

  @Test func linesFromFarAwayPassWhereTheyShould() {
    var canvas = Self.blank(100, 100)
    canvas.drawLine(
      from: PixelPoint(x: -1e12, y: -1e12), to: PixelPoint(x: 1e12, y: 1e12), lineWidth: 2,
      color: .black)
    for i in 0..<100 { #expect(canvas.image.color(column: i, row: i).red < 40) }
    expectEqual(canvas.image.color(column: 10, row: 20), .white)
    expectEqual(canvas.image.color(column: 80, row: 20), .white)
    var big = Self.blank(3, 3)
    big.fill(Self.box(-1e300, -1e300, 2e300, 2e300), color: .black)
    #expect(big.image.samples.allSatisfy { $0 == 0 })
  }
}
