internal import DiceNumerics

/// A level camera at the origin of the ground: x is right, y ahead and z up, in metres.
struct FlightCamera: Sendable {
  /// Where something is seen without shake, and how far ahead it is.
  struct Place {
    var x: Double
    var y: Double
    var depth: Double
  }

  let width: Int
  let height: Int
  let focalLength: Double
  let eyeHeight: Double
  /// Gray levels a second.
  let brightening: Double
  private let shake: Double
  private let rates: SIMD4<Double>
  private let phases: SIMD4<Double>
  private let lightRate: Double

  init(
    width: Int, height: Int, focalLength: Double, eyeHeight: Double, shake: Double,
    brightening: Double, _ random: inout SplitMix64
  ) {
    (self.width, self.height, self.focalLength) = (width, height, focalLength)
    (self.eyeHeight, self.shake, self.brightening) = (eyeHeight, shake, brightening)
    rates = SIMD4(
      random.between(0.2, 0.8), random.between(1, 3), random.between(0.2, 0.8),
      random.between(1, 3))
    phases = SIMD4(
      random.between(0, 1), random.between(0, 1), random.between(0, 1), random.between(0, 1))
    lightRate = random.between(0.05, 0.3)
  }

  /// Where a place is seen; nil near the camera and behind it.
  func project(_ place: SIMD3<Double>) -> Place? {
    guard place.y > 0.4 else { return nil }
    return Place(
      x: Double(width) / 2 + focalLength * place.x / place.y,
      y: Double(height) / 2 - focalLength * (place.z - eyeHeight) / place.y, depth: place.y)
  }

  /// How far the picture is moved by shake, in pixels.
  func offset(at time: Double) -> (x: Double, y: Double) {
    (
      shake * (sine(rates[0] * time + phases[0]) + 0.4 * sine(rates[1] * time + phases[1])),
      shake * (sine(rates[2] * time + phases[2]) + 0.4 * sine(rates[3] * time + phases[3]))
    )
  }

  /// By how many gray levels the picture is brighter, on the left and on the right.
  func light(at time: Double) -> (left: Double, right: Double) {
    let swing = brightening / (6.28 * lightRate)
    return (
      swing * sine(lightRate * time + phases[0]), swing * sine(lightRate * time + phases[1])
    )
  }

  /// Whether a limb is before a place.
  func hides(_ limb: GrayLimb, _ place: Place) -> Bool {
    guard let start = project(limb.start), let end = project(limb.end),
      min(start.depth, end.depth) < place.depth
    else { return false }
    let axis = SIMD2(end.x - start.x, end.y - start.y)
    let offset = SIMD2(place.x - start.x, place.y - start.y)
    let square = (axis * axis).sum()
    let share = square > 0 ? min(1, max(0, (offset * axis).sum() / square)) : 0
    let out = offset - axis * share
    let radius = limb.radius * focalLength / start.depth
    return (out * out).sum() < radius * radius
  }
}

/// A sine of a number of turns.
func sine(_ turns: Double) -> Double {
  sineAndCosine(turns: turns - turns.rounded(.down)).sine
}

extension SplitMix64 {
  mutating func between(_ range: ClosedRange<Double>) -> Double {
    between(range.lowerBound, range.upperBound)
  }
  mutating func index(below count: Int) -> Int { Int(next() >> 33) % max(count, 1) }
  mutating func index(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + index(below: range.count)
  }
}
