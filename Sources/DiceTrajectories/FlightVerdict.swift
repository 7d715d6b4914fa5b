internal import DiceMath

/// What speaks for a path being a thrown thing's, and against it.
///
/// The score is the logarithm of odds, learnt from rendered throws and clutter.
struct FlightVerdict: Sendable {
  /// The time from the first sighting to the last, in seconds.
  var duration = 0.0
  /// The gravity that was found by its deviation, which the residuals tell.
  var significance = 0.0
  /// Gravity by radius, by a second squared: 9.81 by the thing's radius in metres.
  var gravityByRadius = 0.0
  /// The logarithm of the odds that this is a thrown thing.
  var score = 0.0

  /// The residuals by their expected deviations, squared, by degree of freedom.
  var residual = 0.0
  /// The deviation of the blobs' masses by their mean.
  var variation = 0.0

  /// What the score was made of.
  private(set) var features = SIMD32<Double>.zero

  /// What holds for all thrown things, whatever the score: time enough to see gravity, a gravity that belongs
  /// to a thing of 14 millimetres to 27 centimetres radius, and looks that do not change at every step.
  var isPlausible: Bool {
    duration > 0.11 && significance > 3.6 && gravityByRadius > 36 && gravityByRadius < 700
      && residual < 4 && variation < 1.2
  }

  /// Weighs a path.
  ///
  /// - Parameters:
  ///   - path: A path with a fit that tested gravity.
  ///   - tracker: Whose path it is, with the last frames' blobs.
  init?(_ path: FlightTracker.Path, of tracker: FlightTracker) {
    guard let fit = path.fit, let first = path.sightings.first, let last = path.sightings.last,
      last.time > first.time, path.radius > 0
    else { return nil }
    let count = Double(path.sightings.count)
    duration = last.time - first.time
    let freedom = max(2 * count - 6, 1)
    // Few residuals say little: a deviation is expected as well.
    significance = (fit.gravityEvidence / ((fit.sum + 3) / (freedom + 8))).squareRoot()
    gravityByRadius = fit.gravity / max(path.radius, 0.5)
    let (x, y) = (last.x - first.x, last.y - first.y)
    let travel = max((x * x + y * y).squareRoot(), 0.01)
    let looks = Looks(path.sightings)
    residual = fit.sum / freedom
    variation = looks.variation
    guard isPlausible else { return }
    let side = tracker.side
    var slowest = Double.infinity
    for part in 0...6 {
      let velocity = fit.velocity(at: first.time + duration * Double(part) / 6)
      let square = velocity.x * velocity.x + velocity.y * velocity.y
      slowest = min(slowest, square.squareRoot())
    }
    features[0] = naturalLogarithm(min(max(significance, 0.5), 30))
    features[1] = naturalLogarithm(travel / side)
    features[2] = naturalLogarithm(max(gravityByRadius, 5))
    features[3] = naturalLogarithm(residual + 0.05)
    features[4] = min(path.evidence, 60) / 60
    features[5] = naturalLogarithm(looks.density * 1e4 + 1)
    features[6] = variation
    features[7] = naturalLogarithm(travel / path.radius / duration)
    features[8] = Double(path.missed) / count
    features[9] = abs(looks.sign)
    features[10] = looks.elongation
    features[11] = tracker.activity.share(
      along: path.sightings, frame: tracker.frame)
    features[12] = abs(fit.recession)
    features[13] = naturalLogarithm(slowest / side + 0.02)
    features[14] = looks.radiusDeviation
    features[15] = naturalLogarithm(path.radius / side * 320)
    let changes = Changes(path.sightings, duration: duration)
    features[16] = changes.ofGravity
    features[17] = naturalLogarithm(duration)
    let before = tracker.sightingsBefore(path)
    features[18] = Double(before.count)
    features[19] = before.deviation
    features[20] = naturalLogarithm(max(changes.gravity, 1) / side)
    score = Self.bias + (features * (Self.weights + Self.squareWeights * features)).sum()
    guard score.isFinite, significance.isFinite else { return nil }
  }

  /// How the blobs of a path look in the mean, and how much that changes.
  private struct Looks {
    var density = 0.0
    var variation = 0.0
    var sign = 0.0
    /// The logarithm of their longer side by the diameter of a circle of the same area.
    var elongation = 0.0
    /// How far the logarithms of their radii lie from a line over time.
    var radiusDeviation = 0.0

    init(_ sightings: [FlightTracker.Sighting]) {
      let count = Double(sightings.count)
      var (time, size, mass, square) = (0.0, 0.0, 0.0, 0.0)
      for sighting in sightings {
        density += sighting.density / count
        mass += sighting.mass / count
        square += sighting.mass * sighting.mass / count
        sign += sighting.sign / count
        elongation += naturalLogarithm(sighting.extent / (2 * sighting.radius)) / count
        time += sighting.time / count
        size += naturalLogarithm(sighting.radius) / count
      }
      variation = max(0, square - mass * mass).squareRoot() / mass
      var (sizes, both, times) = (0.0, 0.0, 0.0)
      for sighting in sightings {
        let (t, s) = (sighting.time - time, naturalLogarithm(sighting.radius) - size)
        sizes += s * s
        both += t * s
        times += t * t
      }
      radiusDeviation = (max(0, sizes - both * both / max(times, 1e-9)) / count).squareRoot()
    }
  }

  /// How a path goes on by polynomials of time, without the depth.
  private struct Changes {
    /// The acceleration downwards, in samples by the square of a second.
    var gravity = 0.0
    /// How much better the path fits where its acceleration may change: the logarithm of 1 and the gain by what is
    /// left.
    var ofGravity = 0.0

    init(_ sightings: [FlightTracker.Sighting], duration: Double) {
      let share = 1 / Double(sightings.count)
      let middle = sightings.reduce(0) { $0 + $1.time * share }
      func row(_ sighting: FlightTracker.Sighting) -> SIMD8<Double> {
        let t = (sighting.time - middle) / duration
        return SIMD8(1, t, t * t, t * t * t, 0, 0, 0, 0)
      }
      func fit(
        _ unknownCount: Int, _ value: (FlightTracker.Sighting) -> Double
      ) -> (solution: SIMD8<Double>, sum: Double)? {
        var equations = NormalEquations(unknownCount: unknownCount)
        for sighting in sightings {
          let deviation = FlightTracker.deviation(radius: sighting.radius)
          equations.add(row(sighting), value: value(sighting), weight: 1 / (deviation * deviation))
        }
        guard let solution = equations.solution() else { return nil }
        var sum = 0.0
        for sighting in sightings {
          let residual =
            (value(sighting) - (row(sighting) * solution).sum())
            / FlightTracker.deviation(radius: sighting.radius)
          sum += residual * residual
        }
        return (solution, sum)
      }
      guard let across = fit(3, { $0.x }), let down = fit(3, { $0.y }) else { return }
      gravity = 2 * down.solution[2] / (duration * duration)
      guard let acrossChanged = fit(4, { $0.x }), let downChanged = fit(4, { $0.y }) else { return }
      let left = acrossChanged.sum + downChanged.sum
      let freedom = Double(max(2 * sightings.count - 8, 1))
      ofGravity = naturalLogarithm(
        1 + max(0, across.sum + down.sum - left) / ((left + 3) / (freedom + 8)))
    }
  }

  // A logistic regression on paths of rendered films, with the features and their squares: throws with depth
  // and without, people who walk and move their arms, leaves, insects, things that fly, roll or swing, shake and
  // noise, and films before photographs in compressed video.
  private static let bias = 14.6401
  private static let weights = padded([
    -0.2783, 0.9735, 2.8782, -1.0113, 1.3637, 0.2897,
    -3.5095, 1.1197, -4.1016, 1.4869, -6.6880, -1.2857,
    -1.2365, 1.0517, 17.0903, -1.8800, -0.5338, 3.6896,
    -0.5111, 1.3088, 3.2447,
  ])
  private static let squareWeights = padded([
    0.2679, -0.0470, -0.6174, -0.0003, -0.9128, -0.0802,
    2.3770, -0.3390, -4.2003, -3.6400, -8.2513, -5.8003,
    0.0753, -0.3586, -39.4038, -0.4511, -0.0250, 0.4531,
    0.0295, -0.5325, -1.2048,
  ])

  /// Numbers with zeros behind them.
  private static func padded(_ numbers: [Double]) -> SIMD32<Double> {
    var vector = SIMD32<Double>.zero
    for (index, number) in numbers.enumerated() { vector[index] = number }
    return vector
  }
}
