/// What a game of throws counts, and how.
public struct ThrowRules: Hashable, Sendable {
  /// The range of the number of throws.
  public static let throwCountRange = 1...1000

  /// Points by where a bag ends.
  public struct Points: Hashable, Sendable {
    /// On the board.
    public var board: Int
    /// In the hole.
    public var hole: Int

    /// Points for the board and the hole.
    public init(board: Int, hole: Int) {
      self.board = board
      self.hole = hole
    }
  }

  /// Which way a throw goes.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// Nearer to the field's middle, by a fifth of the way at least.
    case towardsField
    /// From left to right in the picture.
    case leftToRight
    /// Any way.
    case any
  }

  /// When the scene is stable.
  public enum Stability: Hashable, Sendable {
    /// For a second, the picture moved by no more than this many pixels.
    case still(pixels: Double)
    /// So many shifts have been seen, and the last of them sum to less than this many pixels: the absolute
    /// sum across and the absolute sum down, together.
    case shifts(count: Int, sum: Double)
  }

  /// How speed and angle are measured.
  public enum Measure: String, CaseIterable, Hashable, Sendable {
    /// In space: by gravity, and by the field's size and place.
    case physical
    /// As Apple's sample does: the straight distance of the first points by their duration, with the field's
    /// upper side as the measure of lengths, and the angle of the forearm at release.
    case sample
  }

  /// What tells where a bag has landed.
  public enum Landing: String, CaseIterable, Hashable, Sendable {
    /// What lies on the field afterwards, and where the path ends.
    case resting
    /// The last point that was seen, as if it lay on the field.
    case lastPoint
  }

  /// How many throws a game has, 1...1000.
  public var throwCount = 8
  /// Points for throws of every type.
  public var points = Points(board: 1, hole: 3)
  /// Points for throws of some types, by their labels.
  public var pointsByType = ["underleg": Points(board: 5, hole: 15)]
  /// Less sure types of throws do not count as that, 0...1.
  public var minimumTypeConfidence: Float = 0.5
  /// Which way a throw goes.
  public var direction = Direction.towardsField
  /// The fewest points of a flight that is a throw.
  public var minimumPointCount = 8
  /// The least confidence of a flight that is a throw, 0...1.
  public var minimumConfidence = 0.6
  /// The smallest radius of what is thrown, as a share of the picture's longer side.
  public var minimumRadius = 0.0
  /// A throw has ended after so many frames in which nothing was seen of it.
  public var framesWithoutEvidence = 20
  /// When the scene is stable.
  public var stability = Stability.still(pixels: 6)
  /// Whether throws count only while a player is there, and begin at the player.
  public var requiresPlayer = true
  /// The least confidence of a player, 0...1.
  public var minimumPlayerConfidence: Float = 0.3
  /// Poses are not looked for after so many in flight; nil to look always.
  public var posesInFlight: Int?
  /// How speed and angle are measured.
  public var measure = Measure.physical
  /// What tells where a bag has landed.
  public var landing = Landing.resting

  /// The properties' defaults, as ``standard``.
  public init() {}

  /// The rules with physically right measures: eight throws; 1 point for the board and 3 for the hole, 5
  /// and 15 from under the leg.
  public static let standard = ThrowRules()

  /// The rules of Apple's sample "Building a feature-rich app for sports analysis".
  ///
  /// Throws go from left to right, with 10 points and a confidence of 0.9 at least, of things with a radius
  /// of 6 pixels in 1920. They are scored by the last point. Speed and angle are the sample's.
  public static let sample: ThrowRules = {
    var rules = ThrowRules()
    rules.direction = .leftToRight
    rules.minimumPointCount = 10
    rules.minimumConfidence = 0.9
    rules.minimumRadius = 6.0 / 1920
    rules.stability = .shifts(count: 15, sum: 10)
    rules.minimumPlayerConfidence = 0.6
    rules.posesInFlight = 10
    rules.measure = .sample
    rules.landing = .lastPoint
    return rules
  }()

  /// Whether a flight is a throw.
  public func counts(_ flight: ThrowFlight) -> Bool {
    guard flight.detectedPointCount >= minimumPointCount, flight.confidence >= minimumConfidence,
      !requiresPlayer || flight.startsAtPlayer
    else { return false }
    switch direction {
    case .any: return true
    case .leftToRight:
      return (flight.points.last?.location.x ?? 0) > (flight.points.first?.location.x ?? 0)
    case .towardsField: return flight.approach >= 0.2
    }
  }

  /// The points of a throw.
  public func points(for place: ThrowPlace, type: String?) -> Int {
    let points = type.flatMap { pointsByType[$0] } ?? points
    return switch place {
    case .board: points.board
    case .hole: points.hole
    case .missed: 0
    }
  }

  /// The points of a throw, whose type counts where it is sure enough.
  func points(for outcome: ThrowOutcome) -> Int {
    points(
      for: outcome.place,
      type: outcome.typeConfidence >= minimumTypeConfidence ? outcome.type : nil)
  }

  /// - Throws: ``ThrowSessionError/valueOutOfRange(name:value:range:)``.
  func check() throws(ThrowSessionError) {
    func check(
      _ name: String, _ value: Double, _ range: ClosedRange<Double>
    ) throws(ThrowSessionError) {
      guard range.contains(value) else {
        throw .valueOutOfRange(name: name, value: value, range: range)
      }
    }
    try check("throwCount", Double(throwCount), 1...1000)
    try check("minimumTypeConfidence", Double(minimumTypeConfidence), 0...1)
    try check("minimumPointCount", Double(minimumPointCount), 5...100)
    try check("minimumConfidence", minimumConfidence, 0...1)
    try check("minimumRadius", minimumRadius, 0...0.5)
    try check("framesWithoutEvidence", Double(framesWithoutEvidence), 1...600)
    try check("minimumPlayerConfidence", Double(minimumPlayerConfidence), 0...1)
    if let posesInFlight { try check("posesInFlight", Double(posesInFlight), 0...1000) }
    for points in [points] + pointsByType.values {
      try check("points", Double(points.board), -1e6...1e6)
      try check("points", Double(points.hole), -1e6...1e6)
    }
    switch stability {
    case .still(let pixels): try check("stability.pixels", pixels, 0...1000)
    case .shifts(let count, let sum):
      try check("stability.count", Double(count), 1...600)
      try check("stability.sum", sum, 0...1000)
    }
  }
}

/// Where a bag ends.
public enum ThrowPlace: String, CaseIterable, Hashable, Sendable {
  /// On the board.
  case board
  /// In the hole.
  case hole
  /// Neither.
  case missed
}

#if !hasFeature(Embedded)
  extension ThrowPlace: Codable {}
  extension ThrowRules.Points: Codable {}
  extension ThrowRules.Direction: Codable {}
  extension ThrowRules.Stability: Codable {}
  extension ThrowRules.Measure: Codable {}
  extension ThrowRules.Landing: Codable {}
  extension ThrowRules: Codable {}
#endif
