internal import DiceGeometry
internal import DiceNumerics
internal import DiceTrajectories

/// Trajectories that are one throw: a path, and those that go on where it ended, after a bounce.
struct FlightChain: Sendable {
  /// The longest pause between the pieces, in seconds.
  private static let longestPause = 0.5
  /// The greatest distance between the pieces, as a share of the picture's width.
  private static let greatestDistance = 0.1

  /// The identity of the first piece.
  let identity: Int
  private(set) var pieces: [Trajectory]
  /// Whether the flight begins at the player.
  var startsAtPlayer = true
  /// Whether the player has been looked at.
  var isPlaced = false

  init(_ trajectory: Trajectory) {
    identity = trajectory.identity
    pieces = [trajectory]
  }

  /// Whether all pieces have ended.
  var isOver: Bool { pieces.allSatisfy { $0.state == .ended } }
  /// The first piece.
  var first: Trajectory { pieces[0] }

  /// Whether a trajectory is one of the pieces, or goes on where the last one ended.
  func continues(with trajectory: Trajectory, width: Int, height: Int) -> Bool {
    if pieces.contains(where: { $0.identity == trajectory.identity }) { return true }
    guard pieces.count < 8, let last = pieces.last?.points.last,
      let next = trajectory.points.first
    else { return false }
    let pause = next.time.inSeconds - last.time.inSeconds
    guard pause > -0.1, pause < Self.longestPause else { return false }
    let here = last.location.toImageCoordinates(width: width, height: height)
    let there = next.location.toImageCoordinates(width: width, height: height)
    let limit = Self.greatestDistance * Double(width)
    return here.squaredDistance(to: there) < limit * limit
  }

  /// Takes news of a piece, or a new piece.
  mutating func take(_ trajectory: Trajectory) {
    if let index = pieces.firstIndex(where: { $0.identity == trajectory.identity }) {
      pieces[index] = trajectory
    } else {
      pieces.append(trajectory)
    }
  }

  /// The whole way.
  func flight(width: Int, height: Int, fieldMiddle: PixelPoint?) -> ThrowFlight {
    var points: [ThrowFlight.Point] = []
    for piece in pieces {
      let after = points.last?.time ?? -.infinity
      for point in piece.points where point.time.inSeconds > after {
        points.append(
          ThrowFlight.Point(
            time: point.time.inSeconds,
            location: point.location.toImageCoordinates(width: width, height: height),
            isDetected: point.detected != nil))
      }
    }
    var approach = 0.0
    if let fieldMiddle, let start = points.first {
      let whole = start.location.squaredDistance(to: fieldMiddle).squareRoot()
      let nearest =
        points.map { $0.location.squaredDistance(to: fieldMiddle) }.min()?.squareRoot() ?? whole
      if whole > 0 { approach = 1 - nearest / whole }
    }
    return ThrowFlight(
      identity: identity, points: points, confidence: pieces[0].confidence, approach: approach,
      startsAtPlayer: startsAtPlayer)
  }
}
