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
  ///   - side: The longer side of the picture in samples.
  init?(_ path: FlightTracker.Path, side: Double) {
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
    var density = 0.0
    var mass = 0.0
    var square = 0.0
    var sign = 0.0
    for sighting in path.sightings {
      density += sighting.density / count
      mass += sighting.mass / count
      square += sighting.mass * sighting.mass / count
      sign += sighting.sign / count
    }
    residual = fit.sum / freedom
    variation = max(0, square - mass * mass).squareRoot() / mass
    let ratio = naturalLogarithm(max(gravityByRadius, 5))
    score = Self.bias
    score += Self.significanceWeight * naturalLogarithm(min(max(significance, 0.5), 30))
    score += Self.travelWeight * naturalLogarithm(travel / side)
    score += Self.gravityWeight * ratio + Self.gravitySquareWeight * ratio * ratio
    score += Self.residualWeight * naturalLogarithm(residual + 0.05)
    score += Self.evidenceWeight * min(path.evidence, 60) / 60
    score += Self.densityWeight * naturalLogarithm(density * 1e4 + 1)
    score += Self.variationWeight * variation
    score += Self.speedWeight * naturalLogarithm(travel / path.radius / duration)
    score += Self.missWeight * Double(path.missed) / count
    score += Self.signWeight * abs(sign)
    guard score.isFinite, significance.isFinite else { return nil }
  }

  // The weights of a logistic regression on paths of rendered films: throws with depth and without, people
  // who walk, leaves, things that fly or roll straight, shake and noise.
  private static let bias = 3.7381
  private static let significanceWeight = 2.5258
  private static let travelWeight = 2.3331
  private static let gravityWeight = -0.5719
  private static let gravitySquareWeight = -0.1263
  private static let residualWeight = -1.1366
  private static let evidenceWeight = 0.3115
  private static let densityWeight = -1.6540
  private static let variationWeight = -1.6486
  private static let speedWeight = 1.8231
  private static let missWeight = -7.6758
  private static let signWeight = 2.2735
}
