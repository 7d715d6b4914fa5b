import DiceImaging
import DiceGeometry
import DiceDrawing

/// Shapes, boxes and texts at any coordinates, sizes and widths, on a small canvas.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    let width = 1 + Int(reader.byte() % 40)
    let height = 1 + Int(reader.byte() % 24)
    let alpha = reader.byte()
    var canvas = Canvas(
      width: width, height: height,
      color: PixelColor(red: 1, green: 2, blue: 3, alpha: alpha))
    for _ in 0..<8 where !reader.isAtEnd {
      let operation = reader.byte()
      let color = PixelColor(
        red: reader.byte(), green: reader.byte(), blue: 9, alpha: reader.byte())
      switch operation % 8 {
      case 0: canvas.fill(box(&reader), cornerRadius: number(&reader), color: color)
      case 1:
        canvas.stroke(
          box(&reader), cornerRadius: number(&reader), lineWidth: number(&reader), color: color)
      case 2:
        canvas.drawLine(
          from: point(&reader), to: point(&reader), lineWidth: number(&reader), color: color)
      case 3: canvas.fillCircle(center: point(&reader), radius: number(&reader), color: color)
      case 4:
        canvas.drawText(text(&reader), at: point(&reader), size: number(&reader), color: color)
      case 5: canvas.drawTag(text(&reader), at: point(&reader), color: color)
      case 6:
        let lineWidth = reader.byte() & 1 == 0 ? nil : number(&reader)
        let textSize = reader.byte() & 1 == 0 ? nil : number(&reader)
        let annotations = (0..<1 + reader.byte() % 3).map { _ in
          BoxAnnotation(box: box(&reader), label: text(&reader), color: color)
        }
        canvas.drawBoxes(annotations, lineWidth: lineWidth, textSize: textSize)
      default:
        if let part = canvas.image.cropped(to: box(&reader)) {
          require(part.width <= width && part.height <= height, "a part is no larger")
          _ = part.resized(width: 1 + Int(reader.byte() % 9), height: 1 + Int(reader.byte() % 9))
        }
      }
    }
    require(
      canvas.image.samples.count == width * height * canvas.image.format.channelCount,
      "all samples")
  }

  /// Mostly a number in sight of the canvas, else any bit pattern.
  static func number(_ reader: inout InputReader) -> Double {
    let kind = reader.byte()
    return kind >= 0xE0 ? reader.double() : Double(kind) / 4 - 8
  }

  static func point(_ reader: inout InputReader) -> PixelPoint {
    PixelPoint(x: number(&reader), y: number(&reader))
  }

  static func box(_ reader: inout InputReader) -> BoundingBox {
    BoundingBox(
      x: number(&reader), y: number(&reader), width: number(&reader), height: number(&reader))
  }

  static func text(_ reader: inout InputReader) -> String {
    String(decoding: (0..<reader.byte() % 6).map { _ in reader.byte() }, as: UTF8.self)
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 4)
    let odd: [Double] = [
      .nan, .infinity, -.infinity, 1e308, -1e308, 1e15, -1e15, .leastNonzeroMagnitude, 0x1p63,
      0x1p31,
    ]
    return (0..<160).map { index in
      var bytes: [UInt8] = [39, 23, index % 2 == 0 ? 255 : 90]
      for _ in 0..<3 {
        bytes += [UInt8(index % 8), 200, 100, 255]
        for _ in 0..<8 {
          if UInt8.random(in: 0...3, using: &generator) == 0 {
            let word = odd.randomElement(using: &generator)!.bitPattern
            bytes.append(0xE0)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
          } else {
            bytes.append(UInt8.random(in: 0..<0xE0, using: &generator))
          }
        }
      }
      return bytes
    }
  }
}
