internal import DiceNumerics

/// What speaks for a path being a thrown thing's, and against it.
///
/// The score is the logarithm of odds, which a small network has learnt from rendered throws and clutter.
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
  /// What the network was asked with; none where the path is not plausible.
  var inputs = FlightNetwork.Inputs()

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
    inputs.append(naturalLogarithm(min(max(significance, 0.5), 30)))
    inputs.append(naturalLogarithm(travel / side))
    inputs.append(naturalLogarithm(max(gravityByRadius, 5)))
    inputs.append(naturalLogarithm(residual + 0.05))
    inputs.append(min(path.evidence, 60) / 60)
    inputs.append(naturalLogarithm(looks.density * 1e4 + 1))
    inputs.append(variation)
    inputs.append(naturalLogarithm(travel / path.radius / duration))
    inputs.append(Double(path.missed) / count)
    inputs.append(abs(looks.sign))
    inputs.append(looks.elongation)
    inputs.append(tracker.activity.share(along: path.sightings, frame: tracker.frame))
    inputs.append(abs(fit.recession))
    inputs.append(naturalLogarithm(slowest / side + 0.02))
    inputs.append(looks.radiusDeviation)
    inputs.append(naturalLogarithm(path.radius / side * 320))
    let changes = Changes(path.sightings, duration: duration)
    inputs.append(changes.ofGravity)
    inputs.append(naturalLogarithm(duration))
    inputs.append(naturalLogarithm(max(changes.gravity, 1) / side))
    inputs.append(naturalLogarithm(looks.contrast + 1))
    inputs.append(min(abs(changes.across) / max(abs(changes.gravity), 1), 3))
    let (start, end) = (fit.velocity(at: first.time), fit.velocity(at: last.time))
    let startSpeed = (start.x * start.x + start.y * start.y).squareRoot()
    let endSpeed = (end.x * end.x + end.y * end.y).squareRoot()
    inputs.append(start.y / max(startSpeed, 1))
    inputs.append(end.y / max(endSpeed, 1))
    inputs.append(abs(looks.growth))
    inputs.append(abs(looks.growth + fit.recession))
    let along = start.x * end.x + start.y * end.y
    inputs.append(along > 0 ? along / max(startSpeed * endSpeed, 1) : -1)
    inputs.append(naturalLogarithm(startSpeed / side + 0.02))
    inputs.append(looks.signDeviation)
    inputs.append(naturalLogarithm(first.radius / path.radius))
    inputs.append(fit.recession)
    var lateSquares = 0.0
    for sighting in path.sightings.suffix(3) {
      guard let place = fit.place(at: sighting.time) else { continue }
      let deviation = FlightTracker.deviation(radius: sighting.radius)
      let (x, y) = ((place.x - sighting.x) / deviation, (place.y - sighting.y) / deviation)
      lateSquares += (x * x + y * y) / 3
    }
    inputs.append(naturalLogarithm(lateSquares + 0.05))
    inputs.append(naturalLogarithm(looks.peak + 1))
    tracker.addSurroundings(of: path, fit, to: &inputs)
    score = tracker.network.score(inputs)
    guard score.isFinite, significance.isFinite else { return nil }
  }

  /// How the blobs of a path look in the mean, and how much that changes.
  private struct Looks {
    var density = 0.0
    var variation = 0.0
    var sign = 0.0
    var signDeviation = 0.0
    /// The mean difference from what was there before, in gray levels, and the mean of the largest ones.
    var contrast = 0.0
    var peak = 0.0
    /// The logarithm of their longer side by the diameter of a circle of the same area.
    var elongation = 0.0
    /// How far the logarithms of their radii lie from a line over time.
    var radiusDeviation = 0.0
    /// The slope of that line, by a second, −5...5.
    var growth = 0.0

    init(_ sightings: [FlightTracker.Sighting]) {
      let count = Double(sightings.count)
      let unit = Double(ReducedPlane.unit)
      var (time, size, mass, square, signs) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for sighting in sightings {
        density += sighting.density / count
        mass += sighting.mass / count
        square += sighting.mass * sighting.mass / count
        sign += sighting.sign / count
        signs += sighting.sign * sighting.sign / count
        contrast += sighting.mass / (sighting.radius * sighting.radius * .pi) / unit / count
        peak += sighting.peak / unit / count
        elongation += naturalLogarithm(sighting.extent / (2 * sighting.radius)) / count
        time += sighting.time / count
        size += naturalLogarithm(sighting.radius) / count
      }
      variation = max(0, square - mass * mass).squareRoot() / mass
      signDeviation = max(0, signs - sign * sign).squareRoot()
      var (sizes, both, times) = (0.0, 0.0, 0.0)
      for sighting in sightings {
        let (t, s) = (sighting.time - time, naturalLogarithm(sighting.radius) - size)
        sizes += s * s
        both += t * s
        times += t * t
      }
      growth = max(-5, min(5, both / max(times, 1e-9)))
      radiusDeviation = (max(0, sizes - both * both / max(times, 1e-9)) / count).squareRoot()
    }
  }

  /// How a path goes on by polynomials of time, without the depth.
  private struct Changes {
    /// The acceleration downwards, in samples by the square of a second.
    var gravity = 0.0
    /// The acceleration to the right.
    var across = 0.0
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
      self.across = 2 * across.solution[2] / (duration * duration)
      guard let acrossChanged = fit(4, { $0.x }), let downChanged = fit(4, { $0.y }) else { return }
      let left = acrossChanged.sum + downChanged.sum
      let freedom = Double(max(2 * sightings.count - 8, 1))
      ofGravity = naturalLogarithm(
        1 + max(0, across.sum + down.sum - left) / ((left + 3) / (freedom + 8)))
    }
  }
}
