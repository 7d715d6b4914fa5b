internal import DiceNumerics

/// The path of a thrown thing in the picture of a pinhole camera.
///
///     x(t) = (a₀ + a₁ t) / (1 + c t)        y(t) = (b₀ + b₁ t + b₂ t²) / (1 + c t)
///
/// A point that moves in space with constant acceleration downwards is seen like this: `c` is its speed away
/// from the camera by its distance, and 0 where it comes no nearer. Time counts from `time`, places from
/// `(x, y)`, y downwards, so that `2 b₂` is the gravity in the picture.
struct FlightFit: Hashable, Sendable {
  /// A place at a time.
  struct Point: Hashable, Sendable {
    var time: Double
    var x: Double
    var y: Double
    var deviation: Double
  }

  var time = 0.0
  var x = 0.0
  var y = 0.0
  /// a₀, a₁, b₀, b₁, b₂, c.
  var coefficients = SIMD8<Double>.zero
  /// The sum of the squares of residuals by their deviations.
  var sum = 0.0
  /// How much the sum grows where there is no gravity: the square of the evidence for it in deviations.
  var gravityEvidence = 0.0

  /// The gravity in the picture, samples by the square of a second.
  var gravity: Double { 2 * coefficients[4] }
  /// Speed away from the camera by distance.
  var recession: Double { coefficients[5] }

  /// How far the recession is from 0, by a second.
  static let recessionDeviation = 0.35

  /// Where the thing is at a time; nil where the path does not say.
  func place(at time: Double) -> (x: Double, y: Double)? {
    let t = time - self.time
    let weight = 1 + coefficients[5] * t
    guard weight > 0.2 else { return nil }
    return (
      x + (coefficients[0] + coefficients[1] * t) / weight,
      y + (coefficients[2] + (coefficients[3] + coefficients[4] * t) * t) / weight
    )
  }

  /// The speed at a time, samples a second.
  func velocity(at time: Double) -> (x: Double, y: Double) {
    let t = time - self.time
    let weight = max(1 + coefficients[5] * t, 0.2)
    let across = (coefficients[0] + coefficients[1] * t) / weight
    let down = (coefficients[2] + (coefficients[3] + coefficients[4] * t) * t) / weight
    return (
      (coefficients[1] - coefficients[5] * across) / weight,
      (coefficients[3] + 2 * coefficients[4] * t - coefficients[5] * down) / weight
    )
  }

  /// Fits a path.
  ///
  /// - Parameters:
  ///   - points: At least three, of different times.
  ///   - expectedGravity: What the gravity is likely to be, give or take itself; nil where nothing is
  ///     known.
  ///   - recessionDeviation: How far the recession is from 0, by a second.
  /// - Returns: nil where the points do not determine a path.
  init?(
    _ points: some RandomAccessCollection<Point>, expectedGravity: Double?,
    recessionDeviation: Double = FlightFit.recessionDeviation, testsGravity: Bool
  ) {
    guard points.count >= 3 else { return nil }
    let share = 1 / Double(points.count)
    for point in points {
      time += point.time * share
      x += point.x * share
      y += point.y * share
    }
    var equations = NormalEquations(unknownCount: 6)
    var straight = NormalEquations(unknownCount: 5)
    for point in points {
      let t = point.time - time
      let (across, down) = (point.x - x, point.y - y)
      let weight = 1 / (point.deviation * point.deviation)
      equations.add(SIMD8(1, t, 0, 0, 0, -t * across, 0, 0), value: across, weight: weight)
      equations.add(SIMD8(0, 0, 1, t, t * t, -t * down, 0, 0), value: down, weight: weight)
      if testsGravity {
        straight.add(SIMD8(1, t, 0, 0, -t * across, 0, 0, 0), value: across, weight: weight)
        straight.add(SIMD8(0, 0, 1, t, -t * down, 0, 0, 0), value: down, weight: weight)
      }
    }
    let trust = 1 / (recessionDeviation * recessionDeviation)
    equations.add(SIMD8(0, 0, 0, 0, 0, 1, 0, 0), value: 0, weight: trust)
    if let expectedGravity {
      let half = expectedGravity / 2
      equations.add(
        SIMD8(0, 0, 0, 0, 1, 0, 0, 0), value: half, weight: 1 / (half * half + 1))
    }
    guard let solution = equations.solution() else { return nil }
    coefficients = solution
    for point in points {
      guard let place = place(at: point.time) else { return nil }
      sum += Self.square(place, point)
    }
    sum += solution[5] * solution[5] * trust
    guard testsGravity else { return }
    straight.add(SIMD8(0, 0, 0, 0, 1, 0, 0, 0), value: 0, weight: trust)
    guard let other = straight.solution() else { return nil }
    var line = self
    line.coefficients = SIMD8(other[0], other[1], other[2], other[3], 0, other[4], 0, 0)
    var otherSum = other[4] * other[4] * trust
    for point in points {
      guard let place = line.place(at: point.time) else {
        otherSum = .infinity
        break
      }
      otherSum += Self.square(place, point)
    }
    gravityEvidence = min(max(0, otherSum - sum), 1e6)
  }

  private static func square(_ place: (x: Double, y: Double), _ point: Point) -> Double {
    let (across, down) = (place.x - point.x, place.y - point.y)
    return (across * across + down * down) / (point.deviation * point.deviation)
  }
}
