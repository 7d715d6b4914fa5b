internal import DiceNumerics

/// Digits, letters and a few signs as lines of one width.
///
/// A glyph stands in a box that is 1 high and 2/3 wide, with its origin at the lower left corner.
struct StrokeFont: Sendable {
  static let shared = StrokeFont()

  /// The width of a glyph's box.
  static let width: Float = 2 / 3

  /// The ends of each line, two coordinates each.
  private let segments: [SIMD4<Float>]
  /// The first segment of each glyph, and one more element.
  private let starts: [Int]
  /// How far the lines of each glyph reach to the left and to the right.
  private let extents: [ClosedRange<Float>]

  /// The signs in the order of their numbers; other characters have none.
  private static let signs =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-=/#.:!?<>[*"

  /// The lines of each sign: points on a grid of 8 by 12 from the lower left, `~` before a curve.
  private static let drawings: [String] = [
    "~40000C8C8040", "194C40", "~090C8C8600 0080", "~0A0C7C7646 ~4686800002", "606C0383",
    "7C1C07 ~0788800001", "~6C1B03 ~400007878040", "0C8C30", "~46161C7C7646 ~460600808646",
    "~4C8C85050C4C ~207189",
    "004C80 1474", "000C ~0C7C7606 ~06868000", "~8A8C0C008082", "000C ~0C8C8000",
    "8C0C0080 0666", "8C0C00 0666", "~8A8C0C008085 8545", "000C 808C 0686", "404C", "~6C600003",
    "000C 8C04 3780", "0C0080", "000C458C80", "000C808C", "~40000C8C8040", "000C ~0C8C8505",
    "~40000C8C8040 5380", "000C ~0C8C8505 4580", "~8A8C0C0686800002", "0C8C 4C40", "~0C00808C",
    "0C408C", "0C2048608C", "008C 0C80", "0C468C 4640", "0C8C0080",
    "~400008888040 8880", "~400008888040 0C00", "~878808008081", "~400008888040 8C80",
    "0484 ~848808008081", "~7C3C38 3830 0868", "~430308888343 ~88800001", "0C00 ~05088880",
    "4840 4B4B", "~58500002 5B5B", "0C00 7803 2580", "4C40", "0800 ~06084840 ~46488880",
    "0800 ~05088880", "~400008888040", "0800 ~08888202", "8880 ~88080282", "0800 ~050888",
    "~8788080484800001", "~4C4070 1868", "~08008088 8880", "084088", "0820466088", "0088 0880",
    "0844 8820", "08880080",
    "1676 4349", "1676", "1878 1474", "008C", "202C 606C 0484 0888", "4040", "4343 4949",
    "4C44 4040", "~0A0C8C8643 4040", "7A1672", "1A7612", "6C2C2060", "4349 1874 1478",
  ]

  /// Further forms of the digits, in their order, as makers of dice write them: a slim zero, a one
  /// on a base, a bare one, one with a long upstroke, an open four, and so on.
  private static let digitForms: [[String]] = [
    ["~40101C7C7040", "~402003092C6C89836040"],
    ["194C40 1070", "4C40", "084C40", "2A4C40 2060"],
    ["~0A0C8C8724 2400 0080", "~0B1C8C8600 ~003182"],
    ["0C8C47 ~4787800001", "~0A0C8C8727 ~2787800002"],
    ["2C0585 6860", "0C0585 8C80"],
    ["8C0C07 ~0788800001", "7C0C07 ~0777700001", "8C1C17 ~1788800001"],
    ["5C04 ~400008888040", "~8A8C0C00808707", "~7C0C00808707"],
    ["~0C8C8C4440", "0A0C8C20", "0C8C30 2767", "~0C8C8C3630"],
    ["~47171C7C7747 ~470700808747", "~46262C6C6646 ~460600808646"],
    ["3088 ~4C8C84040C4C", "~0200808C0C0585", "~10808C0C0585"],
  ]

  /// How many glyphs there are.
  static let count = drawings.count

  /// The first glyph of each digit's further forms, and one more element.
  private static let formStarts = digitForms.reduce(into: [count]) { starts, forms in
    starts.append(starts[starts.count - 1] + forms.count)
  }

  /// The glyph of one of a digit's forms.
  ///
  /// - Parameter choice: Its number; the forms are counted through again and again.
  static func form(_ choice: Int, of digit: Int) -> Int {
    let place = choice % (digitForms[digit].count + 1)
    return place == 0 ? digit : formStarts[digit] + place - 1
  }

  /// Of each ASCII character, its glyph; negative where there is none.
  private static let numbers: [Int] = {
    var numbers = [Int](repeating: -1, count: 128)
    for (number, sign) in signs.utf8.enumerated() { numbers[Int(sign)] = number }
    return numbers
  }()

  private init() {
    var segments: [SIMD4<Float>] = []
    var starts: [Int] = [0]
    var extents: [ClosedRange<Float>] = []
    for drawing in Self.drawings + Self.digitForms.joined() {
      for line in drawing.split(separator: " ") {
        let isCurve = line.utf8.first == 0x7E
        var points = Self.points(Array(line.utf8.dropFirst(isCurve ? 1 : 0)))
        if isCurve { points = Self.rounded(Self.rounded(points)) }
        for index in 1..<max(points.count, 2) {
          let (a, b) = (points[index - 1], points[min(index, points.count - 1)])
          segments.append(SIMD4(a.x, a.y, b.x, b.y))
        }
      }
      let lines = segments[starts[starts.count - 1]...]
      let left = lines.reduce(Self.width) { min($0, $1.x, $1.z) }
      extents.append(left...lines.reduce(left) { max($0, $1.x, $1.z) })
      starts.append(segments.count)
    }
    self.segments = segments
    self.starts = starts
    self.extents = extents
  }

  private static func points(_ digits: [UInt8]) -> [Vector2] {
    func value(_ digit: UInt8) -> Float { Float(digit < 0x3A ? digit - 0x30 : digit - 0x37) }
    var points: [Vector2] = []
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      points.append(Vector2(value(digits[index]), value(digits[index + 1])) * (1 / 12))
    }
    return points
  }

  /// Cuts the corners of a line (Chaikin's algorithm); its ends stay.
  private static func rounded(_ points: [Vector2]) -> [Vector2] {
    guard points.count > 2 else { return points }
    var result: [Vector2] = [points[0]]
    for index in 1..<points.count {
      let (a, b) = (points[index - 1], points[index])
      if index > 1 { result.append(a * 0.75 + b * 0.25) }
      if index < points.count - 1 { result.append(a * 0.25 + b * 0.75) }
    }
    result.append(points[points.count - 1])
    return result
  }

  /// The glyph of an ASCII character; nil for a space and others that have none.
  static func glyph(_ character: UInt8) -> Int? {
    let number = character < 128 ? numbers[Int(character)] : -1
    return number < 0 ? nil : number
  }

  /// How far the lines of a glyph reach to the left and to the right.
  func extent(of glyph: Int) -> ClosedRange<Float> { extents[glyph] }

  /// How far a point is from the middle of the nearest line of a glyph; at most 1.
  ///
  /// - Parameters:
  ///   - contrast: by how much nearer upright lines are than level ones.
  func distance(_ p: Vector2, glyph: Int, contrast: Float = 0) -> Float {
    guard starts.indices.contains(glyph + 1), glyph >= 0 else { return 1 }
    guard abs(p.x - Self.width * 0.5) < 1, abs(p.y - 0.5) < 1.2 else { return 1 }
    var least: Float = 1
    for index in starts[glyph]..<starts[glyph + 1] {
      let line = segments[index]
      let start = Vector2(line.x, line.y)
      let along = Vector2(line.z, line.w) - start
      let offset = p - start
      let t = saturate(dot(offset, along) / max(dot(along, along), 1e-6))
      let rest = offset - along * t
      if contrast > 0 {
        let rise = abs(along.y) / max(length(along), 1e-6)
        let distance = max(length(rest) - contrast * rise, 0)
        least = min(least, distance * distance)
      } else {
        least = min(least, dot(rest, rest))
      }
    }
    return least.squareRoot()
  }

  /// How much ink of a glyph covers a point, 0 to 1.
  ///
  /// - Parameters:
  ///   - c: the offset from the middle of the box in heights, to the right and downward.
  ///   - halfLine: half the width of the lines, in heights.
  ///   - softness: the size of a pixel, in heights.
  func ink(_ c: Vector2, glyph: Int, halfLine: Float, softness: Float) -> Float {
    guard abs(c.x) < 0.5 + halfLine, abs(c.y) < 0.6 + halfLine else { return 0 }
    if softness > 0.7 { return abs(c.x) < 0.4 && abs(c.y) < 0.5 ? 0.3 : 0 }
    let d = distance(Vector2(c.x + Self.width * 0.5, 0.5 - c.y), glyph: glyph)
    let soft = max(softness * 0.5, 0.005)
    return smoothStep(halfLine + soft, halfLine - soft, d) * min(1, halfLine * 2 / soft)
  }
}
