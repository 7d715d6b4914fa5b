internal import DiceNumerics

/// How numerals look that stand on a die's faces in place of pips; lengths are in halves of the
/// die's edge.
///
/// They are painted lines of one width, upright on their faces in turns by quarters. A bar under the
/// six tells it from a nine.
struct NumeralStyle: Hashable, Sendable {
  /// Half the height of a numeral without its bar.
  var halfHeight: Float
  /// Half its width as a share of half its height: 0.6 is usual.
  var narrowness: Float
  /// Half the width of the lines.
  var halfLine: Float
  /// For each value, in two bits from twice its number: by how many quarters it is turned.
  var quarterTurns: UInt16
  /// Whether the one stands on a foot.
  var hasFoot: Bool
  /// Whether the three begins with a straight line instead of a bow.
  var hasFlatThree: Bool

  /// Whether paint covers a point of a face.
  ///
  /// - Parameters:
  ///   - point: to the right and upward from the middle of the face, seen from outside.
  @inline(__always)
  func covers(_ point: Vector2, value: Int) -> Bool {
    guard max(abs(point.x), abs(point.y)) < 1 else { return false }
    let turned: Vector2
    switch (quarterTurns >> UInt16(2 * (value & 7))) & 3 {
    case 0: turned = point
    case 1: turned = Vector2(point.y, -point.x)
    case 2: turned = -point
    default: turned = Vector2(-point.y, point.x)
    }
    return distance(turned, value: value) < halfLine
  }

  /// How far a point is from the middle of the nearest line of a numeral.
  private func distance(_ point: Vector2, value: Int) -> Float {
    let h = halfHeight
    let w = h * narrowness
    func line(_ ax: Float, _ ay: Float, _ bx: Float, _ by: Float) -> Float {
      NumeralStyle.distance(point, fromLine: Vector2(ax * w, ay * h), Vector2(bx * w, by * h))
    }
    /// An arc of a circle that is drawn as high as it is wide, from one angle in turns upward.
    func arc(_ centerY: Float, _ radius: Float, _ from: Float, _ to: Float) -> Float {
      // Stretched to the numeral's width, distances are those along the narrower side.
      let q = Vector2(point.x / w * 0.6, point.y / h - centerY)
      return NumeralStyle.distance(q, fromArc: radius, from, to) * min(h, w / 0.6)
    }
    switch value {
    case 1:
      let stem = min(line(0.1, -1, 0.1, 1), line(0.1, 1, -0.6, 0.5))
      return hasFoot ? min(stem, line(-0.55, -1, 0.75, -1)) : stem
    case 2:
      return min(
        arc(0.45, 0.55, -0.09, 0.46), min(line(0.774, 0.152, -0.95, -1), line(-0.95, -1, 0.95, -1)))
    case 3:
      let lower = arc(-0.45, 0.55, -0.44, 0.25)
      if hasFlatThree {
        return min(lower, min(line(-0.85, 1, 0.8, 1), line(0.8, 1, -0.1, 0.1)))
      }
      return min(lower, arc(0.53, 0.47, -0.25, 0.43))
    case 4:
      return min(
        line(0.4, -1, 0.4, 1), min(line(0.4, 1, -1, -0.4), line(-1, -0.4, 1, -0.4)))
    case 5:
      return min(
        arc(-0.4, 0.6, -0.41, 0.38),
        min(line(-0.73, 0.01, -0.6, 1), line(-0.6, 1, 0.8, 1)))
    default:
      // Moved up by half of what the bar needs.
      let lift: Float = 0.2
      let bowl = arc(lift - 0.44, 0.56, 0, 1)
      let stem = min(
        line(-0.93, lift - 0.44, -0.72, lift + 0.2), line(-0.72, lift + 0.2, 0.45, lift + 1))
      return min(bowl, min(stem, line(-0.9, lift - 1.45, 0.9, lift - 1.45)))
    }
  }

  private static func distance(
    _ point: Vector2, fromLine start: Vector2, _ end: Vector2
  ) -> Float {
    let along = end - start
    let t = saturate(dot(point - start, along) / max(dot(along, along), 1e-6))
    return length(point - start - along * t)
  }

  /// The distance from an arc about zero that runs counterclockwise between two angles in turns.
  private static func distance(
    _ point: Vector2, fromArc radius: Float, _ from: Float, _ to: Float
  ) -> Float {
    let reach = length(point)
    let middle = (from + to) * 0.5
    let direction = Vector2(cosineOfTurns(middle), sineOfTurns(middle))
    if dot(point, direction) >= reach * cosineOfTurns((to - from) * 0.5) {
      return abs(reach - radius)
    }
    let start = Vector2(cosineOfTurns(from), sineOfTurns(from)) * radius
    let end = Vector2(cosineOfTurns(to), sineOfTurns(to)) * radius
    return min(length(point - start), length(point - end))
  }
}
