/// A throw that was scored.
public struct ThrowResult: Hashable, Sendable {
  /// Miles an hour that a metre a second is.
  public static let milesPerHour = 2.2369362920544025
  /// The most points of a way that is kept; of a longer one, so many spread over it.
  public static let pathLimit = 256

  /// The throw's number in its game, from 1 on.
  public var number: Int
  /// The points.
  public var points: Int
  /// What was measured.
  public var outcome: ThrowOutcome
  /// The way through the picture.
  public var path: [ThrowFlight.Point]

  /// A result.
  public init(number: Int, points: Int, outcome: ThrowOutcome, path: [ThrowFlight.Point]) {
    self.number = number
    self.points = points
    self.outcome = outcome
    let count = path.count
    self.path =
      count <= Self.pathLimit
      ? path : (0..<Self.pathLimit).map { path[$0 * (count - 1) / (Self.pathLimit - 1)] }
  }

  /// Where the bag has landed.
  public var place: ThrowPlace { outcome.place }
  /// Which way it was thrown; nil where that is not known.
  public var type: String? { outcome.type }
  /// The speed at release in metres a second.
  public var speed: Double? { outcome.speed }
  /// The speed at release in miles an hour.
  public var speedInMilesPerHour: Double? { outcome.speed.map { $0 * Self.milesPerHour } }
}

/// What a game has come to.
public struct ThrowSummary: Hashable, Sendable {
  /// The throws in their order.
  public var results: [ThrowResult]

  /// The summary of some throws.
  public init(_ results: [ThrowResult]) { self.results = results }

  /// All points; the sum stops at the bounds of `Int`.
  public var points: Int {
    results.reduce(0) { (sum, result) in
      let (next, isOver) = sum.addingReportingOverflow(result.points)
      return isOver ? (result.points < 0 ? .min : .max) : next
    }
  }
  /// The throw with the most points, of several the fastest, then the first; nil without throws.
  public var best: ThrowResult? {
    var best: ThrowResult?
    for result in results {
      guard let known = best else {
        best = result
        continue
      }
      if (result.points, result.speed ?? 0) > (known.points, known.speed ?? 0) { best = result }
    }
    return best
  }
  /// The mean of the speeds that were measured, in metres a second.
  public var meanSpeed: Double? { Self.mean(results.compactMap(\.speed)) }
  /// The greatest speed, in metres a second.
  public var bestSpeed: Double? { results.compactMap(\.speed).max() }
  /// The mean of the angles that were measured, in degrees.
  public var meanAngle: Double? { Self.mean(results.compactMap(\.outcome.releaseAngle)) }

  /// How many throws ended at a place.
  public func count(_ place: ThrowPlace) -> Int { results.count { $0.place == place } }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}

#if !hasFeature(Embedded)
  extension ThrowResult: Codable {}
  extension ThrowSummary: Codable {}
#endif
