extension FlightFilm {
  /// The ranges of chance of a film.
  public struct Setting: Sendable, Hashable {
    /// A word for it.
    public let name: String
    let rates: [Double]
    let duration: Double
    let focalLength: ClosedRange<Double>
    /// Gray levels.
    let noise: ClosedRange<Double>
    /// Pixels.
    let shake: ClosedRange<Double>
    /// Gray levels a second.
    let light: Double
    let throwCount: ClosedRange<Int>
    let posts: ClosedRange<Int>
    let people: ClosedRange<Int>
    /// How many branches with leaves there are.
    let branches: ClosedRange<Int>
    let fallingLeaves: ClosedRange<Int>
    let rolling: ClosedRange<Int>
    let swinging: ClosedRange<Int>
    let birds: ClosedRange<Int>
    let insects: ClosedRange<Int>
    /// Metres from the camera at release.
    let distance: ClosedRange<Double>
    /// The largest speed away from the camera or to it, as a share of that across.
    let depth: Double
    /// Metres.
    let radius: ClosedRange<Double>
    let bounceShare: Double

    /// Balls and bags in a garden, at 30 and 60 frames a second.
    public static let garden = Setting(
      name: "garden", rates: [30, 60], duration: 8, focalLength: 520...760, noise: 1...3.5,
      shake: 0...1.5, light: 5, throwCount: 0...4, posts: 0...2, people: 0...2, branches: 0...2,
      fallingLeaves: 0...6, rolling: 0...2, swinging: 0...2, birds: 0...2, insects: 0...2,
      distance: 2.5...8, depth: 0.6, radius: 0.03...0.11, bounceShare: 0.5)

    /// A park: more of all that moves, more shake, and other rates, lenses and distances.
    public static let park = Setting(
      name: "park", rates: [24, 30, 50, 60], duration: 10, focalLength: 460...900,
      noise: 0.8...4.5, shake: 0...2.2, light: 8, throwCount: 0...5, posts: 0...3, people: 0...3,
      branches: 0...3, fallingLeaves: 0...10, rolling: 0...3, swinging: 0...3, birds: 0...3,
      insects: 0...3, distance: 2...10, depth: 0.9, radius: 0.025...0.12, bounceShare: 0.6)
  }
}
