/// A typeface drawn with a round pen: every printable ASCII character and a few more signs.
///
/// Glyphs are lines and arcs that a pen of any width follows, so text is sharp at every size.
enum StrokeFont {
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

  /// The segments of a character.
  ///
  /// - Parameters:
  ///   - character: Any character; an empty box stands for those without a path.
  ///   - stepCount: The number of straight segments for each arc, at least 1.
  static func glyph(_ character: Unicode.Scalar, stepCount: Int) -> Glyph {
    var reader = PathReader(path(of: character) ?? missing)
    var glyph = Glyph()
    glyph.width = reader.number() ?? 0
    var (x, y) = (0.0, 0.0)
    func line(_ nextX: Double, _ nextY: Double) {
      glyph.segments.append(Segment(startX: x, startY: y, endX: nextX, endY: nextY))
      (x, y) = (nextX, nextY)
    }
    while let command = reader.command() {
      guard let a = reader.number(), let b = reader.number() else { break }
      switch command {
      case UInt8(ascii: "M"): (x, y) = (a, b)
      case UInt8(ascii: "D"): glyph.dots.append((a, b))
      case UInt8(ascii: "L"): line(a, b)
      case UInt8(ascii: "H"), UInt8(ascii: "V"):
        // The usual cubic for a quarter of an ellipse, with its control points on the tangents.
        let k = 0.5523
        let (x0, y0) = (x, y)
        let startsFlat = command == UInt8(ascii: "H")
        let (x1, y1) = startsFlat ? (x0 + k * (a - x0), y0) : (x0, y0 + k * (b - y0))
        let (x2, y2) = startsFlat ? (a, b - k * (b - y0)) : (a - k * (a - x0), b)
        for i in 1...stepCount {
          let t = Double(i) / Double(stepCount)
          let s = 1 - t
          let (c0, c1, c2, c3) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
          line(c0 * x0 + c1 * x1 + c2 * x2 + c3 * a, c0 * y0 + c1 * y1 + c2 * y2 + c3 * b)
        }
      case UInt8(ascii: "Q"):
        guard let endX = reader.number(), let endY = reader.number() else { return glyph }
        let (x0, y0) = (x, y)
        for i in 1...stepCount {
          let t = Double(i) / Double(stepCount)
          let s = 1 - t
          let (c0, c1, c2) = (s * s, 2 * s * t, t * t)
          line(c0 * x0 + c1 * a + c2 * endX, c0 * y0 + c1 * b + c2 * endY)
        }
      default: return glyph
      }
    }
    return glyph
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
