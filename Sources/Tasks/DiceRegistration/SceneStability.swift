internal import DiceNumerics

/// Whether the camera stands still, from its motions over a short while.
///
///     stability.update(motion, at: time)
///     if stability.isStill { … }
///
/// Memory is bounded: beyond 64 motions in the while, the oldest are joined.
public struct SceneStability: Hashable, Sendable {
  /// What counts as still.
  public struct Configuration: Hashable, Sendable {
    /// How long the camera must have been still, 50 ms...10 s.
    public var duration: Duration = .milliseconds(300)
    /// How far the picture may have moved in that while, from any of its frames to the latest, in
    /// pixels; 0...100,000.
    public var distance = 6.0
    /// Motions below this confidence are not known, and an unknown motion is not still; 0...1.
    public var minimumConfidence: Float = 0.3

    /// The defaults.
    public init() {}
  }

  /// Why a configuration cannot be used.
  public enum ConfigurationError: Error, Hashable, Sendable {
    /// A number is not in its range (a NaN is in none).
    case valueOutOfRange(name: String, value: Double, range: ClosedRange<Double>)
    /// A duration is not in its range.
    case durationOutOfRange(name: String, value: Duration, range: ClosedRange<Duration>)
  }

  /// A step, up to a frame.
  private struct Step: Hashable, Sendable {
    var time: Int64
    var x: Double
    var y: Double
    var isKnown: Bool
  }

  /// What counts as still.
  public let configuration: Configuration
  private var steps: [Step] = []
  private var begin: Int64? = nil

  /// A history without motions.
  public init() {
    configuration = Configuration()
  }

  /// A history without motions.
  ///
  /// - Throws: ``ConfigurationError`` where a number is out of its range.
  public init(configuration: Configuration) throws(ConfigurationError) {
    let durations: ClosedRange<Duration> = .milliseconds(50)...Duration.seconds(10)
    guard durations.contains(configuration.duration) else {
      throw .durationOutOfRange(name: "duration", value: configuration.duration, range: durations)
    }
    guard (0...100_000).contains(configuration.distance) else {
      throw .valueOutOfRange(name: "distance", value: configuration.distance, range: 0...100_000)
    }
    guard (0...1).contains(configuration.minimumConfidence) else {
      throw .valueOutOfRange(
        name: "minimumConfidence", value: Double(configuration.minimumConfidence), range: 0...1)
    }
    self.configuration = configuration
  }

  /// Takes in the motion from the last frame to this one.
  ///
  /// A motion that is not finite is unknown. A time at or before the last one begins anew. The first
  /// frame has no motion, whatever is given.
  public mutating func update(_ motion: CameraMotion, at time: Duration) {
    let now = nanoseconds(time)
    guard begin != nil, now > steps.last?.time ?? begin ?? now else {
      steps.removeAll(keepingCapacity: true)
      begin = now
      return
    }
    let isKnown =
      motion.confidence >= configuration.minimumConfidence && motion.confidence > 0
      && motion.x.magnitude <= 1e5 && motion.y.magnitude <= 1e5
    steps.append(
      Step(time: now, x: isKnown ? motion.x : 0, y: isKnown ? motion.y : 0, isKnown: isKnown))
    // The frame at the beginning of the while is the place from which its first step leads.
    let start = now - nanoseconds(configuration.duration)
    while steps.count > 1, steps[0].time <= start {
      begin = steps[0].time
      steps.removeFirst()
    }
    if steps.count > 64 {
      steps[1].x += steps[0].x
      steps[1].y += steps[0].y
      steps[1].isKnown = steps[0].isKnown && steps[1].isKnown
      steps.removeFirst()
    }
  }

  /// Whether frames cover the whole while, all motions in it are known, and none of its frames is
  /// further than the distance from the latest.
  public var isStill: Bool {
    guard let begin, let last = steps.last,
      last.time - begin >= nanoseconds(configuration.duration)
    else { return false }
    var x = 0.0
    var y = 0.0
    for step in steps.reversed() {
      x += step.x
      y += step.y
      guard step.isKnown, (x * x + y * y).squareRoot() <= configuration.distance else {
        return false
      }
    }
    return true
  }

  /// How far the picture moved over the while, in pixels; unknown motions count as none.
  public var displacement: (x: Double, y: Double) {
    var x = 0.0
    var y = 0.0
    for step in steps {
      x += step.x
      y += step.y
    }
    return (x, y)
  }
}

extension SceneStability.ConfigurationError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .valueOutOfRange(let name, let value, let range):
      "\(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound)."
    case .durationOutOfRange(let name, let value, let range):
      "\(name) is \(Self.text(value)); it must be from \(Self.text(range.lowerBound)) to "
        + "\(Self.text(range.upperBound))."
    }
  }

  private static func text(_ duration: Duration) -> String {
    "\(Double(nanoseconds(duration)) / 1_000_000) ms"
  }
}
