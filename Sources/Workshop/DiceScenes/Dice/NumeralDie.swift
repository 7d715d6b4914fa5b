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
  /// Whether numerals stand on their heads.
  var isTurned: Bool
  /// Whether the numerals are cut into the faces, and not just painted.
  var isEngraved: Bool
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

  /// The digits of a number as they are written.
  func digits(of number: Int) -> [Int] {
    if countsTens && sides == 10 { return [number / 10 % 10, 0] }
    return number > 9 ? [number / 10, number % 10] : [number]
  }
}

extension NumeralDie {
  /// How far a point is outside the paint of the numerals, in heights of the numeral; at most 1.
  ///
  /// - Parameters:
  ///   - p: a point of the surface.
  ///   - face: the face that it belongs to.
  func distance(_ p: Vector3, onFace face: Int) -> Float {
    let body = Polyhedron.with(sides: sides)
    let plane = body.faces[face]
    let offset = p - plane.center
    let c = Vector2(dot(offset, plane.right), dot(offset, plane.up))
    guard sides == 4 else {
      let turned = isTurned ? -c : c
      let digits = digits(of: number(onFace: face))
      let height = plane.reach * (digits.count > 1 ? 0.95 : 1.15) * size
      return distance(turned * (1 / height), digits)
    }
    // One numeral toward each corner.
    var least: Float = 1
    for corner in plane.corners {
      let away = corner - plane.center
      let up = normalized(Vector3(dot(away, plane.right), dot(away, plane.up), 0))
      let along = c.x * up.x + c.y * up.y
      guard along > 0 else { continue }
      let across = c.x * up.y - c.y * up.x
      let height = plane.reach * 0.52 * size
      var q = Vector2(across, along - plane.reach * 0.92) * (1 / height)
      if isTurned { q = -q }
      var nearest = 0
      for index in body.corners.indices
      where length(body.corners[index] - corner) < length(body.corners[nearest] - corner) {
        nearest = index
      }
      least = min(least, distance(q, [number(atCorner: nearest)]))
    }
    return least
  }

  /// - Parameters:
  ///   - c: to the right and upward from the middle of the numeral, in its heights.
  private func distance(_ c: Vector2, _ digits: [Int]) -> Float {
    let advance = StrokeFont.width * width + 0.16
    guard abs(c.y) < 0.9, abs(c.x) < advance * Float(digits.count) else { return 1 }
    var least: Float = 1
    for (index, digit) in digits.enumerated() {
      let x = c.x - (Float(index) - Float(digits.count - 1) * 0.5) * advance
      let p = Vector2(x / width + StrokeFont.width * 0.5, c.y + 0.5)
      least = min(least, StrokeFont.shared.distance(p, glyph: digit))
    }
    let isMarked = digits.count == 1 && (digits[0] == 6 || digits[0] == 9) && sides > 6
    if isMarked && mark == .bar {
      let bar = Vector2(max(abs(c.x) - 0.3, 0), c.y + 0.75)
      least = min(least, length(bar))
    } else if isMarked && mark == .dot {
      least = min(least, length(c - Vector2(0.5, -0.5)) - 0.03)
    }
    return least - halfLine
  }
}
