/// Measures how far a picture has moved against a key frame, to a small part of a sample.
///
/// Some hundred points with strong edges are chosen in the key frame, spread over it. Of a shift
/// `d` and a change of brightness `b` those are found that make
///
///     Σ w (I(p + d) − K(p) − b)²
///
/// least, by Gauss and Newton with the key frame's gradients (inverse compositional), with weights
/// `w = 1 / (1 + (r / s)²)²` of the residuals, so that what moves by itself does not count.
///
/// Source: S. Baker, I. Matthews, Lucas-Kanade 20 Years On, 2004, section 3.2.
struct ShakeEstimator: Sendable {
  /// A displacement of the picture in samples.
  struct Shift: Hashable, Sendable {
    var x = 0.0
    var y = 0.0
    /// What was added to the samples.
    var brightness = 0.0
    /// The mean of the residuals' magnitudes, in the unit of the samples.
    var residual = 0.0
  }

  private struct Point {
    var x: Int32
    var y: Int32
    var value: Float
    var gradientX: Float
    var gradientY: Float
  }

  /// A cell of the key frame is so many samples wide and high.
  private static let cellSide = 12
  /// How far from the last shift a new one is looked for.
  private static let reach = 5
  private static let margin = 4

  private var points: [Point] = []

  /// Whether there is a key frame with structure.
  var isUsable: Bool { points.count >= 12 }

  /// Takes a key frame: of each cell the two points with the strongest edges.
  mutating func setKey(_ plane: ReducedPlane) {
    points.removeAll(keepingCapacity: true)
    let (width, side) = (plane.width, Self.cellSide)
    let samples = plane.samples.span
    let (right, bottom) = (plane.width - Self.margin, plane.height - Self.margin)
    for top in stride(from: Self.margin, to: bottom, by: side) {
      for left in stride(from: Self.margin, to: right, by: side) {
        var best = (Point(x: 0, y: 0, value: 0, gradientX: 0, gradientY: 0), Float(0))
        var second = best
        for y in top..<min(top + side, bottom) {
          for x in left..<min(left + side, right) {
            let index = y * width + x
            let gradientX = Float(samples[index + 1] - samples[index - 1]) / 2
            let gradientY = Float(samples[index + width] - samples[index - width]) / 2
            let strength = gradientX * gradientX + gradientY * gradientY
            guard strength > second.1 else { continue }
            let point = Point(
              x: Int32(x), y: Int32(y), value: Float(samples[index]), gradientX: gradientX,
              gradientY: gradientY)
            if strength > best.1 {
              second = best
              best = (point, strength)
            } else {
              second = (point, strength)
            }
          }
        }
        // Weaker ones are noise.
        if best.1 > 400 { points.append(best.0) }
        if second.1 > 400 { points.append(second.0) }
      }
    }
  }

  /// The shift of a plane against the key frame.
  ///
  /// - Parameter last: Where it is looked for.
  /// - Returns: nil where the picture does not say.
  func shift(of plane: ReducedPlane, near last: Shift) -> Shift? {
    guard isUsable else { return nil }
    var shift = last
    let start = search(plane, near: last)
    if cost(plane, start.0, start.1, last.brightness, step: 4)
      < 0.8 * cost(plane, Int(last.x.rounded()), Int(last.y.rounded()), last.brightness, step: 4)
    {
      shift.x = Double(start.0)
      shift.y = Double(start.1)
    }
    var scale: Float = 160
    for round in 0..<6 {
      guard let step = improved(shift, plane, &scale, isFirst: round == 0) else { return nil }
      shift = step.shift
      guard abs(shift.x) < Double(plane.width), abs(shift.y) < Double(plane.height) else {
        return nil
      }
      if round > 1, step.length < 0.01 { break }
    }
    return shift
  }

  private func improved(
    _ shift: Shift, _ plane: ReducedPlane, _ scale: inout Float, isFirst: Bool
  ) -> (shift: Shift, length: Double)? {
    let wholeX = Int(shift.x.rounded(.down)), wholeY = Int(shift.y.rounded(.down))
    let partX = Float(shift.x - Double(wholeX)), partY = Float(shift.y - Double(wholeY))
    let (width, height) = (plane.width, plane.height)
    let samples = plane.samples.span
    var (xx, xy, yy, x1, y1, n): (Float, Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0, 0)
    var (rx, ry, r1, total, count): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
    let square = 1 / (scale * scale)
    for point in points {
      let x = Int(point.x) + wholeX, y = Int(point.y) + wholeY
      guard x >= 0, y >= 0, x + 1 < width, y + 1 < height else { continue }
      let index = y * width + x
      let (a, b) = (Float(samples[index]), Float(samples[index + 1]))
      let (c, d) = (Float(samples[index + width]), Float(samples[index + width + 1]))
      let upper = a + (b - a) * partX
      let lower = c + (d - c) * partX
      let residual = upper + (lower - upper) * partY - point.value - Float(shift.brightness)
      let share = 1 / (1 + residual * residual * square)
      let weight = share * share
      let (gx, gy) = (point.gradientX, point.gradientY)
      xx += weight * gx * gx
      xy += weight * gx * gy
      yy += weight * gy * gy
      x1 += weight * gx
      y1 += weight * gy
      n += weight
      rx += weight * gx * residual
      ry += weight * gy * residual
      r1 += weight * residual
      total += min(abs(residual), 3 * scale)
      count += 1
    }
    guard count >= 12, n > 1 else { return nil }
    // The brightness is eliminated, then two equations are left.
    let a = xx - x1 * x1 / n, b = xy - x1 * y1 / n, d = yy - y1 * y1 / n
    let right = (rx - x1 * r1 / n, ry - y1 * r1 / n)
    let determinant = a * d - b * b
    guard determinant > 1e-4 * a * d, determinant.isFinite else { return nil }
    let stepX = (d * right.0 - b * right.1) / determinant
    let stepY = (a * right.1 - b * right.0) / determinant
    let limit: Float = 1.5
    let (movedX, movedY) = (min(max(stepX, -limit), limit), min(max(stepY, -limit), limit))
    var result = shift
    // I(p + d) ≈ K(p) + ∇K · (d − d₀)... the residual falls where d goes against it.
    result.x -= Double(movedX)
    result.y -= Double(movedY)
    result.brightness += Double((r1 - x1 * stepX - y1 * stepY) / n)
    result.residual = Double(total / count)
    scale = max(24, min(scale, 1.5 * total / count))
    return (result, Double(abs(movedX) + abs(movedY)))
  }

  private func search(_ plane: ReducedPlane, near last: Shift) -> (Int, Int) {
    let middle = (Int(last.x.rounded()), Int(last.y.rounded()))
    var best = (middle, cost(plane, middle.0, middle.1, last.brightness, step: 8))
    for y in middle.1 - Self.reach...middle.1 + Self.reach {
      for x in middle.0 - Self.reach...middle.0 + Self.reach {
        let cost = cost(plane, x, y, last.brightness, step: 8)
        if cost < best.1 { best = ((x, y), cost) }
      }
    }
    return best.0
  }

  /// The mean magnitude of the residuals at a shift by whole samples, large ones cut.
  private func cost(
    _ plane: ReducedPlane, _ x: Int, _ y: Int, _ brightness: Double, step: Int
  ) -> Float {
    let samples = plane.samples.span
    var total: Float = 0
    var count: Float = 0
    var index = 0
    while index < points.count {
      let point = points[index]
      let (column, row) = (Int(point.x) + x, Int(point.y) + y)
      if column >= 0, row >= 0, column < plane.width, row < plane.height {
        let residual =
          Float(samples[row * plane.width + column]) - point.value - Float(brightness)
        total += min(abs(residual), 400)
        count += 1
      }
      index += step
    }
    return count >= 8 ? total / count : .infinity
  }
}
