internal import DiceNumerics

/// What the box of a die's top face tells of the die beneath it: where it stands, and what it covers.
///
/// A camera that looks down at an angle `e` to the table sees a level square as high as `sin e` of its
/// width, however the square is turned, and an upright edge of length `a` as `a cos e`. A square turned by
/// any angle fills a box whose sides are 4/π of its own in the mean. So with the width and height of the
/// top face's box, and `r = sin e`,
///
///     edge = π/4 · √(width · height / r)        shift = edge · √(1 − r²)
///
/// and the die stands where the middle of its top face is, moved by the shift towards the camera. With a
/// field of known size, `r` and the direction are those of its plane at this place; without, `r` is the
/// ratio of the box's sides, at most 1, and the direction is down. The edge is right within a quarter,
/// since the box does not tell how the die is turned.
///
/// A die that leans shows a face that is not level, and its box may be low: the edge is then taken to be as
/// long as the longer of `width` and `height / r`, which is seldom too short.
public struct DieStance: Hashable, Sendable {
  /// The box of the top face, in pixels.
  public let topFace: BoundingBox
  /// The length of the die's edge in pixels, as far as the box tells; 0 for a box without an area.
  public let edge: Double
  /// How the camera sees a level square there: its height as a share of its width, 0.1...1.
  public let foreshortening: Double
  /// From the middle of the top face to the middle of the face on the table, in pixels.
  public let shift: SIMD2<Double>

  /// The least foreshortening that counts, some 6 degrees above the table.
  public static let leastForeshortening = 0.1

  /// The stance of a die whose top face fills a box.
  ///
  /// A box that is not proper, or has no area, stands where its centre is.
  ///
  /// - Parameters:
  ///   - topFace: the box of the face that is read, in pixels.
  ///   - field: a field on the table, of known size; nil where there is none.
  ///   - isCocked: whether the die leans.
  public init(topFace: BoundingBox, on field: PlayingField? = nil, isCocked: Bool = false) {
    self.topFace = topFace
    guard topFace.isProper, topFace.width > 0, topFace.height > 0 else {
      (edge, foreshortening, shift) = (0, 1, .zero)
      return
    }
    var ratio = min(topFace.height / topFace.width, 1)
    var down = SIMD2(0.0, 1.0)
    if let slant = field?.slant(at: topFace.center) {
      ratio = slant.foreshortening
      down = slant.towardsCamera
    }
    ratio = max(ratio, Self.leastForeshortening)
    foreshortening = ratio
    let (width, length) = (topFace.width, topFace.height / ratio)
    edge = isCocked ? max(width, length) : .pi / 4 * (width * length).squareRoot()
    shift = down * (edge * max(0, 1 - ratio * ratio).squareRoot())
  }

  /// Whether the sides of a top face's box do not fit a face that lies level on a field's plane.
  ///
  /// Their ratio is then outside ``levelRatios`` times that of a level square. False without a field, and where
  /// the camera looks along the table.
  public static func isTilted(_ topFace: BoundingBox, on field: PlayingField?) -> Bool {
    guard topFace.isProper, topFace.width > 0, topFace.height > 0,
      let slant = field?.slant(at: topFace.center), slant.foreshortening >= leastForeshortening
    else { return false }
    return !levelRatios.contains(topFace.height / topFace.width / slant.foreshortening)
  }

  /// How the ratio of the sides of a level face's box may differ from that of the plane.
  public static let levelRatios = 0.85...1.17

  /// The middle of what the die stands on, in pixels.
  public var foot: PixelPoint {
    let center = topFace.center
    return PixelPoint(x: center.x + shift.x, y: center.y + shift.y)
  }

  /// A convex outline around the whole die, clockwise as one sees the picture: the box of its top face, the
  /// same box where the die stands, and all between them.
  ///
  /// - Parameters:
  ///   - margin: By how much both boxes are larger on every side, as a share of the edge.
  ///   - layers: How many dice stand there, one on the other, at least 1.
  /// - Returns: four to six corners; empty for a box without an area.
  public func outline(margin: Double = 0, layers: Int = 1) -> [PixelPoint] {
    guard edge > 0, margin.isFinite else { return [] }
    let extra = max(0, margin) * edge
    // The die may be turned such that its edge is as long as the box is wide.
    let length = 4 / .pi * shift * Double(max(1, layers))
    let near = BoundingBox(
      x: topFace.x - extra, y: topFace.y - extra, width: topFace.width + 2 * extra,
      height: topFace.height + 2 * extra)
    let (first, last) = (
      Quadrilateral(near), Quadrilateral(near.translated(x: length.x, y: length.y))
    )
    var result: [PixelPoint] = []
    for index in 0..<4 {
      // The sides that meet in this corner: where the shift leads out of both, the corner moves; out of
      // one of them, it is there twice.
      let isOut = [
        first.leavesSide((index + 3) & 3, by: length), first.leavesSide(index, by: length),
      ]
      switch (isOut[0], isOut[1]) {
      case (false, false): result.append(first[index])
      case (true, true): result.append(last[index])
      case (true, false): result += [last[index], first[index]]
      case (false, true): result += [first[index], last[index]]
      }
    }
    return result
  }
}

extension Quadrilateral {
  /// Whether a way leads out of an upright box across one of its sides: upper, right, lower, left.
  fileprivate func leavesSide(_ side: Int, by way: SIMD2<Double>) -> Bool {
    switch side {
    case 0: way.y < 0
    case 1: way.x > 0
    case 2: way.y > 0
    default: way.x < 0
    }
  }
}

extension PlayingField {
  /// How the camera sees the field's plane about a point of the picture: how high a level square looks as a
  /// share of its width, and the direction of the picture in which the plane comes nearer, of length 1.
  ///
  /// The map from the plane to the picture, for small steps, makes an ellipse of a circle; its axes tell.
  /// Nil without a size, and beyond the horizon.
  public func slant(
    at point: PixelPoint
  ) -> (foreshortening: Double, towardsCamera: SIMD2<Double>)? {
    guard let size, let place = shares(of: point) else { return nil }
    let weight = homography.weight(at: place)
    // The derivatives of the pixel by centimetres along x and y.
    let across =
      SIMD2(
        homography.first.x - point.x * homography.third.x,
        homography.second.x - point.y * homography.third.x) / (weight * size.width)
    let along =
      SIMD2(
        homography.first.y - point.x * homography.third.y,
        homography.second.y - point.y * homography.third.y) / (weight * size.height)
    // The matrix times its transpose has the squares of the axes as its eigenvalues.
    let a = across.x * across.x + along.x * along.x
    let b = across.x * across.y + along.x * along.y
    let c = across.y * across.y + along.y * along.y
    let mean = (a + c) / 2
    let spread = ((a - c) * (a - c) / 4 + b * b).squareRoot()
    guard mean.isFinite, mean > 0, spread.isFinite else { return nil }
    let ratio = max(0, (mean - spread) / (mean + spread)).squareRoot()
    // The direction of the short axis: the eigenvector of the lesser eigenvalue.
    var axis = SIMD2(b, mean - spread - a)
    let other = SIMD2(mean - spread - c, b)
    if (other * other).sum() > (axis * axis).sum() { axis = other }
    let length = (axis * axis).sum().squareRoot()
    guard length > 1e-12 * mean else { return (1, SIMD2(0, 1)) }
    axis /= length
    // Towards the camera the weight, which is the distance but for a factor, becomes less.
    let determinant = across.x * along.y - across.y * along.x
    guard determinant != 0 else { return nil }
    let step = SIMD2(
      (axis.x * along.y - axis.y * along.x) / determinant,
      (axis.y * across.x - axis.x * across.y) / determinant)
    let change =
      homography.third.x * step.x / size.width + homography.third.y * step.y / size.height
    let isAway = change * weight > 0 || (change == 0 && axis.y < 0)
    return (ratio, isAway ? -axis : axis)
  }
}
