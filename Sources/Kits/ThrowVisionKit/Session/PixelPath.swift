internal import DiceGeometry
internal import DiceNumerics

/// A short part of a flight in the picture, as two parabolas over time.
struct PixelPath {
  private let middle: Double
  private let across: SIMD8<Double>
  private let down: SIMD8<Double>

  /// Fits the points that were seen; nil for less than four.
  init?(_ points: some Sequence<ThrowFlight.Point>) {
    let seen = points.filter(\.isDetected)
    guard seen.count >= 4, let first = seen.first, let last = seen.last else { return nil }
    middle = (first.time + last.time) / 2
    var equations = (NormalEquations(unknownCount: 3), NormalEquations(unknownCount: 3))
    for point in seen {
      let t = point.time - middle
      let row = SIMD8(1, t, t * t, 0, 0, 0, 0, 0)
      equations.0.add(row, value: point.location.x)
      equations.1.add(row, value: point.location.y)
    }
    guard let across = equations.0.solution(), let down = equations.1.solution() else {
      return nil
    }
    (self.across, self.down) = (across, down)
  }

  /// Where it is at a time.
  func place(at time: Double) -> PixelPoint {
    let t = time - middle
    return PixelPoint(
      x: across[0] + (across[1] + across[2] * t) * t, y: down[0] + (down[1] + down[2] * t) * t)
  }
}
