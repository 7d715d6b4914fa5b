internal import DiceNumerics

/// The way of a thrown thing in space, seen by a pinhole camera that is held level.
///
/// With `P` in metres, `V` in metres a second, `g` downwards and a drag `k` by a metre,
///
///     dP/dt = V        dV/dt = g − k |V| V        x = f Px / Pz        y = f Py / Pz
///
/// Gravity is known, so that the distance `Z` of the first point is what the gravity in the picture says. All
/// unknowns are found together: the greatest of the posterior, by Gauss, Newton, Levenberg and Marquardt. Points
/// that lie far from the path count by their distance and not by its square.
struct SpaceFit {
  /// A point's deviation, in pixels.
  private static let deviation = 1.0
  /// From how many deviations on a point counts by its distance.
  private static let farDeviations = 3.0
  /// What is thrown goes most often across the picture: half the width of a Cauchy distribution of the speed
  /// away from the camera by the distance, by a second.
  private static let recessionWidth = 0.02
  /// The drag of balls for games and of bags, by a metre: a softball has 0.012, a tennis ball and a basketball
  /// 0.02, a volleyball 0.04.
  private static let drag = (mean: 0.02, deviation: 0.007)
  private static let longestStep = 0.034
  private static let iterationLimit = 12
  /// The steps for the derivatives.
  private static let steps = SIMD8(0.1, 0.1, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 0)

  /// The first point from the picture's middle in pixels; its velocity to the right, downwards and away, by
  /// the first point's distance and a second; the logarithm of gravity by that distance; the drag.
  private var unknowns: SIMD8<Double>
  private let focalLength: Double
  private let gravity: Double

  /// A state of the thing, in distances of the first point.
  private struct State {
    var place: SIMD3<Double>
    var velocity: SIMD3<Double>

    /// Moves on by a time, with a step of the midpoint rule.
    mutating func move(by step: Double, gravity: Double, drag: Double) {
      let middle = velocity + Self.change(velocity, gravity, drag) * (step / 2)
      place += middle * step
      velocity += Self.change(middle, gravity, drag) * step
    }

    private static func change(
      _ velocity: SIMD3<Double>, _ gravity: Double, _ drag: Double
    ) -> SIMD3<Double> {
      let speed = (velocity * velocity).sum().squareRoot()
      return SIMD3(0, gravity, 0) - velocity * (drag * speed)
    }
  }

  /// Fits a way.
  ///
  /// - Parameters:
  ///   - points: At least five, in the order of time; places in pixels from the picture's middle.
  ///   - start: A path through the same points.
  ///   - focalLength: In pixels.
  ///   - gravity: In metres by the square of a second.
  /// - Returns: nil where the points do not determine one.
  init?(
    _ points: [FlightFit.Point], start: FlightFit, focalLength: Double, gravity: Double
  ) {
    guard let first = points.first, let place = start.place(at: first.time), start.gravity > 0
    else { return nil }
    (self.focalLength, self.gravity) = (focalLength, gravity)
    let velocity = start.velocity(at: first.time)
    unknowns = SIMD8(
      place.x, place.y, velocity.x / focalLength, velocity.y / focalLength, 0,
      naturalLogarithm(start.gravity / focalLength), Self.drag.mean, 0)
    var seen = [[SIMD2<Double>]](
      repeating: [SIMD2<Double>](repeating: .zero, count: points.count), count: 8)
    see(points, with: unknowns, into: &seen[0])
    var cost = cost(points, seen[0], unknowns)
    guard cost.isFinite else { return nil }
    var damping = 1e-3
    for _ in 0..<Self.iterationLimit {
      let equations = linearized(points, &seen)
      var gain: Double?
      for _ in 0..<5 {
        guard let change = equations.solution(damping: damping) else { return nil }
        let next = unknowns + change
        see(points, with: next, into: &seen[0])
        let nextCost = self.cost(points, seen[0], next)
        if nextCost <= cost {
          gain = cost - nextCost
          (unknowns, cost) = (next, nextCost)
          damping = max(damping / 5, 1e-7)
          break
        }
        damping *= 8
      }
      guard let gain, gain > 1e-4 else { break }
    }
  }

  /// The distance of the first point in metres.
  var distance: Double { gravity / exponential(unknowns[5]) }

  /// The velocity at the first point by its distance: to the right, downwards and away.
  var velocity: SIMD3<Double> { SIMD3(unknowns[2], unknowns[3], unknowns[4]) }

  /// How far the way has gone from the first point after a time and how far it has risen, by the distance.
  func displacement(after duration: Double) -> (way: SIMD3<Double>, rise: Double) {
    var state = start(unknowns)
    let (from, gravity) = (state.place, exponential(unknowns[5]))
    let count = max(1, (duration / 0.01).rounded(.up))
    var top = from.y
    for _ in 0..<Int(min(count, 10_000)) {
      state.move(by: duration / count, gravity: gravity, drag: drag(unknowns))
      top = min(top, state.place.y)
    }
    return (state.place - from, from.y - top)
  }

  private func start(_ unknowns: SIMD8<Double>) -> State {
    State(
      place: SIMD3(unknowns[0] / focalLength, unknowns[1] / focalLength, 1),
      velocity: SIMD3(unknowns[2], unknowns[3], unknowns[4]))
  }

  /// The drag by the first point's distance.
  private func drag(_ unknowns: SIMD8<Double>) -> Double {
    unknowns[6] * gravity / exponential(unknowns[5])
  }

  /// Where the thing is seen at the times of the points.
  private func see(
    _ points: [FlightFit.Point], with unknowns: SIMD8<Double>, into seen: inout [SIMD2<Double>]
  ) {
    var state = start(unknowns)
    let (gravity, drag) = (exponential(unknowns[5]), drag(unknowns))
    var time = points[0].time
    for index in points.indices {
      let span = points[index].time - time
      let count = (span / Self.longestStep).rounded(.up)
      for _ in 0..<Int(min(max(count, 0), 1000)) {
        state.move(by: span / count, gravity: gravity, drag: drag)
      }
      time = points[index].time
      let depth = max(state.place.z, 0.2)
      seen[index] = SIMD2(state.place.x, state.place.y) * (focalLength / depth)
    }
  }

  /// How many deviations a point is away from where it should be.
  private static func residual(
    _ point: FlightFit.Point, _ seen: SIMD2<Double>
  ) -> (value: SIMD2<Double>, length: Double) {
    let value = (SIMD2(point.x, point.y) - seen) / deviation
    return (value, (value * value).sum().squareRoot())
  }

  private func cost(
    _ points: [FlightFit.Point], _ seen: [SIMD2<Double>], _ unknowns: SIMD8<Double>
  ) -> Double {
    var sum = 0.0
    for (point, place) in zip(points, seen) {
      let far = Self.farDeviations
      let length = Self.residual(point, place).length
      sum += length < far ? length * length : far * (2 * length - far)
    }
    let recession = unknowns[4] / Self.recessionWidth
    let drag = (unknowns[6] - Self.drag.mean) / Self.drag.deviation
    return sum + naturalLogarithm(1 + recession * recession) + drag * drag
  }

  /// The equations of the change of the unknowns.
  ///
  /// - Parameter seen: The first is filled with the places of the unknowns, the others with those of each
  ///   unknown changed by its step.
  private func linearized(
    _ points: [FlightFit.Point], _ seen: inout [[SIMD2<Double>]]
  ) -> NormalEquations {
    see(points, with: unknowns, into: &seen[0])
    for index in 0..<7 {
      var changed = unknowns
      changed[index] += Self.steps[index]
      see(points, with: changed, into: &seen[index + 1])
    }
    var equations = NormalEquations(unknownCount: 7)
    for (index, point) in points.enumerated() {
      let (value, length) = Self.residual(point, seen[0][index])
      let weight = length < Self.farDeviations ? 1 : Self.farDeviations / length
      var (across, down) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
      for unknown in 0..<7 {
        let slope =
          (seen[unknown + 1][index] - seen[0][index]) / (Self.steps[unknown] * Self.deviation)
        (across[unknown], down[unknown]) = (slope.x, slope.y)
      }
      equations.add(across, value: value.x, weight: weight)
      equations.add(down, value: value.y, weight: weight)
    }
    let width = Self.recessionWidth
    equations.add(
      SIMD8(0, 0, 0, 0, 1, 0, 0, 0), value: -unknowns[4],
      weight: 1 / (width * width + unknowns[4] * unknowns[4]))
    equations.add(
      SIMD8(0, 0, 0, 0, 0, 0, 1, 0), value: Self.drag.mean - unknowns[6],
      weight: 1 / (Self.drag.deviation * Self.drag.deviation))
    return equations
  }
}
