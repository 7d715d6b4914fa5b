/// A typeface drawn with a round pen: every printable ASCII character and a few more signs.
///
/// Glyphs are lines and arcs that a pen of any width follows, so text is sharp at every size.
package enum StrokeFont {
  /// Units of the paths for one em, which is what a text size means.
  static let unitsPerEm = 44.0
  /// The height of capitals and digits in units, along the middle of the pen.
  static let capHeight = 28.0
  /// The room between the paths of neighbouring glyphs in units, without the pen.
  static let spacing = 4.8
  /// From a line of text to the next in ems.
  static let lineHeight = 1.3

  /// The lines and arcs of a character, as straight segments in units.
  struct Glyph {
    var width = 0.0
    var segments: [Segment] = []
    var dots: [(x: Double, y: Double)] = []
  }

  /// The width of a character's path in units.
  static func width(of character: Unicode.Scalar) -> Double {
    var reader = PathReader(path(of: character) ?? missing)
    return reader.number() ?? 0
  }

  /// A step of a character's path, in units, with all that it needs.
  enum PathStep {
    case move(x: Double, y: Double)
    case line(x: Double, y: Double)
    /// A Bézier curve with two control points.
    case cubic(x1: Double, y1: Double, x2: Double, y2: Double, x: Double, y: Double)
    /// A Bézier curve with one control point.
    case quadratic(x1: Double, y1: Double, x: Double, y: Double)
    case dot(x: Double, y: Double)
  }

  /// Whether a character has a shape of its own.
  static func hasGlyph(_ character: Unicode.Scalar) -> Bool {
    character == " " || path(of: character) != nil
  }

  /// Follows the path of a character; an empty box stands for those without a path.
  static func follow(_ character: Unicode.Scalar, _ body: (PathStep) -> Void) {
    var reader = PathReader(path(of: character) ?? missing)
    _ = reader.number()
    var (x, y) = (0.0, 0.0)
    while let command = reader.command() {
      guard let a = reader.number(), let b = reader.number() else { break }
      switch command {
      case UInt8(ascii: "M"): body(.move(x: a, y: b))
      case UInt8(ascii: "D"):
        body(.dot(x: a, y: b))
        continue
      case UInt8(ascii: "L"): body(.line(x: a, y: b))
      case UInt8(ascii: "H"), UInt8(ascii: "V"):
        // The usual cubic for a quarter of an ellipse, with its control points on the tangents.
        let k = 0.5523
        let startsFlat = command == UInt8(ascii: "H")
        let (x1, y1) = startsFlat ? (x + k * (a - x), y) : (x, y + k * (b - y))
        let (x2, y2) = startsFlat ? (a, b - k * (b - y)) : (a - k * (a - x), b)
        body(.cubic(x1: x1, y1: y1, x2: x2, y2: y2, x: a, y: b))
      case UInt8(ascii: "Q"):
        guard let endX = reader.number(), let endY = reader.number() else { return }
        body(.quadratic(x1: a, y1: b, x: endX, y: endY))
        (x, y) = (endX, endY)
        continue
      default: return
      }
      (x, y) = (a, b)
    }
  }

  /// The segments of a character.
  ///
  /// - Parameters:
  ///   - character: Any character; an empty box stands for those without a path.
  ///   - stepCount: The number of straight segments for each arc, at least 1.
  static func glyph(_ character: Unicode.Scalar, stepCount: Int) -> Glyph {
    var glyph = Glyph()
    glyph.width = width(of: character)
    var (x, y) = (0.0, 0.0)
    func line(_ nextX: Double, _ nextY: Double) {
      glyph.segments.append(Segment(startX: x, startY: y, endX: nextX, endY: nextY))
      (x, y) = (nextX, nextY)
    }
    follow(character) { step in
      let (x0, y0) = (x, y)
      switch step {
      case .move(let a, let b): (x, y) = (a, b)
      case .dot(let a, let b): glyph.dots.append((a, b))
      case .line(let a, let b): line(a, b)
      case .cubic(let x1, let y1, let x2, let y2, let a, let b):
        for i in 1...stepCount {
          let t = Double(i) / Double(stepCount)
          let s = 1 - t
          let (c0, c1, c2, c3) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
          line(c0 * x0 + c1 * x1 + c2 * x2 + c3 * a, c0 * y0 + c1 * y1 + c2 * y2 + c3 * b)
        }
      case .quadratic(let x1, let y1, let a, let b):
        for i in 1...stepCount {
          let t = Double(i) / Double(stepCount)
          let s = 1 - t
          let (c0, c1, c2) = (s * s, 2 * s * t, t * t)
          line(c0 * x0 + c1 * x1 + c2 * a, c0 * y0 + c1 * y1 + c2 * b)
        }
      }
    }
    return glyph
  }

  /// The lines that a pen draws a character with, in units; none for a character without a path.
  package static func lines(of character: Unicode.Scalar) -> [[(x: Double, y: Double)]] {
    guard hasGlyph(character) else { return [] }
    var lines: [[(x: Double, y: Double)]] = []
    for segment in glyph(character, stepCount: 6).segments {
      if let end = lines.last?.last, end.x == segment.startX, end.y == segment.startY {
        lines[lines.count - 1].append((segment.endX, segment.endY))
      } else {
        lines.append([(segment.startX, segment.startY), (segment.endX, segment.endY)])
      }
    }
    return lines
  }

  /// Reads the numbers and letters of a path.
  private struct PathReader {
    private let path: StaticString
    private var place = 0

    init(_ path: StaticString) { self.path = path }

    private var byte: UInt8? {
      guard place < path.utf8CodeUnitCount else { return nil }
      return unsafe path.utf8Start[place]
    }

    mutating func command() -> UInt8? {
      while let byte, byte == UInt8(ascii: " ") { place += 1 }
      guard let byte else { return nil }
      place += 1
      return byte
    }

    mutating func number() -> Double? {
      while let byte, byte == UInt8(ascii: " ") { place += 1 }
      var sign = 1.0
      if byte == UInt8(ascii: "-") {
        sign = -1
        place += 1
      }
      let start = place
      var value = 0.0
      var unit = 1.0
      var isFraction = false
      while let byte {
        if byte == UInt8(ascii: ".") {
          isFraction = true
        } else if byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") {
          if isFraction { unit /= 10 }
          value = isFraction ? value + unit * Double(byte - 48) : value * 10 + Double(byte - 48)
        } else {
          break
        }
        place += 1
      }
      return place > start ? sign * value : nil
    }
  }
}
