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
  ///   - activity: Where there was something lately.
  ///   - frame: The last frame that it counts.
  ///   - side: The longer side of the picture in samples.
  init?(_ path: FlightTracker.Path, _ activity: BlobActivity, frame: Int, side: Double) {
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
    var slowest = Double.infinity
    for part in 0...6 {
      let velocity = fit.velocity(at: first.time + duration * Double(part) / 6)
      let square = velocity.x * velocity.x + velocity.y * velocity.y
      slowest = min(slowest, square.squareRoot())
    }
    var features = SIMD16<Double>.zero
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
    features[11] = activity.share(along: path.sightings, frame: frame)
    features[12] = abs(fit.recession)
    features[13] = naturalLogarithm(slowest / side + 0.02)
    features[14] = looks.radiusDeviation
    features[15] = naturalLogarithm(path.radius / side * 320)
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

  // A logistic regression on paths of rendered films, with the features and their squares: throws with depth
  // and without, people who walk and move their arms, leaves, things that fly, roll or swing, shake and noise.
  private static let bias = 0.7895
  private static let weights = SIMD16<Double>(
    1.8082, 0.5577, 0.4395, -1.3641, -0.8318, 0.1111,
    1.3656, 0.4612, 0.0869, -0.3487, -6.2479, -1.6081,
    -0.9796, 0.6113, 9.0841, 0.9466)
  private static let squareWeights = SIMD16<Double>(
    0.1786, -0.0626, -0.1824, 0.0032, -1.5825, -0.0551,
    -1.5137, -0.0202, -11.2245, -1.1416, -4.3780, -2.4552,
    -1.5236, -0.2241, -6.8431, -0.0115)
}
