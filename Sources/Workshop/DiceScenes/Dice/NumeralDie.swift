internal import DiceNumerics

/// What a die with numerals looks like, whichever way it lies: it has 4 to 20 sides and no pips.
///
/// Lengths are in distances of its faces from the centre.
struct NumeralDie: Hashable, Sendable {
  /// What tells a six from a nine.
  enum Mark: UInt8, Hashable, Sendable {
    case none
    case bar
    case dot
  }

  /// The number of sides, one of `Polyhedron.sideCounts`.
  var sides: Int
  var material: Material
  var ink: Vector3
  /// Half the width of the lines, in heights of the numeral.
  var halfLine: Float
  /// How tall a numeral is for the room that its face has: 1 is usual.
  var size: Float
  /// How wide a numeral is for its height: 1 is usual.
  var width: Float
  var mark: Mark
  /// Whether ten sides count in tens, from 00 to 90.
  var countsTens: Bool
  /// Whether numerals stand on their heads; not on four sides, where the upright one counts.
  var isTurned: Bool
  /// Whether four sides are read at the edges that they lie on, and not at the corner that is up.
  var isReadAtBase = false
  /// The typeface: three bits for each digit, which choose its form.
  var forms: UInt32 = 0
  /// The gap between the paint of two digits, in heights of the numeral; nil where all digits take
  /// the same room.
  var gap: Float? = 0.1
  /// How much wider upright lines are than level ones, as half the difference in heights of the
  /// numeral; 0 where all are equal.
  var contrast: Float = 0
  /// How far numerals lean to the right, in widths for each height.
  var slant: Float = 0
  /// How much higher the middle of a numeral is than usual, in heights.
  var waist: Float = 0
  /// Whether the numerals are cut into the faces, and not just painted.
  var isEngraved: Bool
  /// Whether the paint is metal.
  var hasMetalInk = false
  /// How much of the paint is lost, 0 to 1.
  var wear: Float
  /// Fixes which number is on which face.
  var order: UInt32

  /// The number on a face.
  ///
  /// Opposite ones sum to one more than there are sides, on ten sides to nine. Four sides have a
  /// number at each corner instead.
  func number(onFace face: Int) -> Int {
    let pairs = max(sides / 2, 1)
    let pair = face / 2
    // Steps without a divisor in common with 3, 4, 5, 6 and 10.
    let step = order & 1 == 0 ? 1 : pairs - 1
    let place = (pair * step + Int(order >> 8 & 0xFF)) % pairs
    let isLow = (order >> (16 + UInt32(pair))) & 1 == UInt32(face & 1)
    if sides == 10 {
      let number = isLow ? place : 9 - place
      return countsTens ? number * 10 : number
    }
    return isLow ? place + 1 : sides - place
  }

  /// The number at a corner of a body of four sides, by its place among the corners.
  func number(atCorner corner: Int) -> Int { (corner + Int(order & 3)) % 4 + 1 }

  /// The digits of a number as they are written, and how many there are: tens are 0 where it has none.
  func digits(of number: Int) -> (tens: Int, ones: Int, count: Int) {
    (number / 10, number % 10, number > 9 || countsTens ? 2 : 1)
  }

  /// A number as it is written.
  func text(of number: Int) -> String { countsTens && number == 0 ? "00" : String(number) }

  /// What the kind of die is called: `d4` to `d20`, and `d%` where ten sides count in tens.
  var kind: String { countsTens ? "d%" : "d\(sides)" }
}

/// Where a numeral stands on a face.
struct NumeralSpot: Hashable, Sendable {
  /// Its middle, to the face's right and upward from the face's middle.
  var center: Vector2
  /// Its upward direction on the face, of unit length.
  var up: Vector2
  /// How tall it is.
  var height: Float
  /// What it says.
  var number: Int

  /// A point of the face to the right and upward from the middle of the numeral, in its heights.
  @inline(__always)
  func offset(of c: Vector2) -> Vector2 {
    let away = c - center
    return Vector2(dot(away, Vector2(up.y, -up.x)), dot(away, up)) * (1 / height)
  }

  /// The point of the face at an offset from the middle of the numeral, in its heights.
  func point(at offset: Vector2) -> Vector2 {
    center + (Vector2(up.y, -up.x) * offset.x + up * offset.y) * height
  }
}

extension NumeralDie {
  /// How many numerals a face has: one for each corner on four sides.
  var spotCount: Int { sides == 4 ? 3 : 1 }

  /// One of the numerals of a face; of four sides the one that counts while the face's corner of
  /// that number is up.
  func spot(_ index: Int, onFace face: Int) -> NumeralSpot {
    let body = Polyhedron.with(sides: sides)
    let plane = body.faces[face]
    guard sides == 4 else {
      let number = number(onFace: face)
      let height = plane.reach * (number > 9 || countsTens ? 0.95 : 1.15) * size
      return NumeralSpot(
        center: .zero, up: Vector2(0, isTurned ? -1 : 1), height: height, number: number)
    }
    let corner = plane.corners[index]
    let away = corner - plane.center
    let toCorner = normalized(Vector3(dot(away, plane.right), dot(away, plane.up), 0))
    let up = Vector2(toCorner.x, toCorner.y)
    return NumeralSpot(
      center: up * (plane.reach * (isReadAtBase ? -0.55 : 0.92)), up: up,
      height: plane.reach * 0.52 * size, number: number(atCorner: body.corner(nearest: corner)))
  }

  /// How this die writes a digit.
  private func glyph(of digit: Int) -> Int {
    StrokeFont.form(Int(forms >> UInt32(3 * digit) & 7), of: digit)
  }

  /// How far a point is outside the paint of the numerals, in heights of the numeral; at most 1.
  ///
  /// - Parameters:
  ///   - p: a point of the surface.
  ///   - face: the face that it belongs to.
  func distance(_ p: Vector3, onFace face: Int) -> Float {
    let plane = Polyhedron.with(sides: sides).faces[face]
    let offset = p - plane.center
    let c = Vector2(dot(offset, plane.right), dot(offset, plane.up))
    var least: Float = 1
    for index in 0..<spotCount {
      let spot = spot(index, onFace: face)
      least = min(least, distance(spot.offset(of: c), spot.number))
    }
    return least
  }

  /// - Parameters:
  ///   - c: to the right and upward from the middle of the numeral, in its heights.
  func distance(_ c: Vector2, _ number: Int) -> Float {
    let (tens, ones, count) = digits(of: number)
    let font = StrokeFont.shared
    let advance = StrokeFont.width * width + 0.16
    guard abs(c.y) < 0.9, abs(c.x) < advance * Float(count) else { return 1 }
    let rise = waist * max(0, 1 - 4 * c.y * c.y)
    let upright = Vector2(c.x - slant * c.y, c.y - rise)
    let first = glyph(of: count == 2 ? tens : ones)
    let second = glyph(of: ones)
    // Where the boxes of the digits begin.
    var starts = SIMD2(repeating: -0.5 * StrokeFont.width * width)
    if let gap {
      let (left, right) = (font.extent(of: first), font.extent(of: second))
      let (leftRoom, rightRoom) = (
        left.upperBound - left.lowerBound, right.upperBound - right.lowerBound
      )
      let between = gap + 2 * halfLine
      let room = count == 2 ? (leftRoom + rightRoom) * width + between : leftRoom * width
      starts = SIMD2(
        -0.5 * room - left.lowerBound * width,
        0.5 * room - right.upperBound * width)
    } else if count == 2 {
      starts += SIMD2(-0.5, 0.5) * advance
    }
    var least: Float = 1
    for index in 0..<count {
      let p = Vector2((upright.x - starts[index]) / width, upright.y + 0.5)
      least = min(
        least, font.distance(p, glyph: index == 0 ? first : second, contrast: contrast))
    }
    let isMarked = count == 1 && (ones == 6 || ones == 9) && sides > 6
    if isMarked && mark == .bar {
      let bar = Vector2(max(abs(c.x) - 0.3, 0), c.y + 0.75)
      least = min(least, length(bar))
    } else if isMarked && mark == .dot {
      least = min(least, length(c - Vector2(0.5, -0.5)) - 0.03)
    }
    return least - halfLine
  }
}
