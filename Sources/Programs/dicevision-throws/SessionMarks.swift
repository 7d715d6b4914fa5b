internal import DiceCommandLine
internal import DiceDrawing
internal import DiceFiles
internal import DiceGeometry
internal import DiceImaging
internal import DicePoses
internal import DiceTrajectories
internal import ThrowVisionKit

/// What is drawn of a game of throws: the board, the player's joints, the way of the bag, and the score.
struct SessionMarks: Overlay {
  private static let bones: [(Joint, Joint)] = [
    (.leftShoulder, .rightShoulder), (.leftHip, .rightHip), (.leftShoulder, .leftHip),
    (.rightShoulder, .rightHip), (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist),
    (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist), (.leftHip, .leftKnee),
    (.leftKnee, .leftAnkle), (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
  ]
  private static let left = PixelColor(red: 0, green: 190, blue: 255)
  private static let right = PixelColor(red: 255, green: 176, blue: 0)
  private static let board = PixelColor(red: 120, green: 230, blue: 80)
  private static let way = PixelColor(red: 255, green: 90, blue: 160)

  private var game: ThrowGame?
  private var field: FieldPlane?
  private var hole: ThrowSession.Hole?
  private var player: PoseTracker.TrackedPerson?
  private var flight: [PixelPoint] = []
  private var size = (width: 0, height: 0)

  /// Takes up what is known after a frame.
  mutating func update(with session: ThrowSession, size: (width: Int, height: Int)) {
    game = session.game
    field = session.field
    hole = session.configuration.hole
    player = session.poses.player
    self.size = size
    if session.game.phase != .inFlight { flight = [] }
    for trajectory in session.flights.trajectories
    where session.game.flight != nil && trajectory.state != .ended {
      flight = trajectory.points.map {
        $0.location.toImageCoordinates(width: size.width, height: size.height)
      }
    }
  }

  func draw<Surface: DrawingSurface>(on surface: inout Surface) {
    guard let game else { return }
    let line = surface.suitableLineWidth
    drawField(on: &surface, line)
    if let player, player.isSeen {
      drawSkeleton(player.pose, on: &surface, line)
    }
    for result in game.results.suffix(1) where flight.isEmpty {
      surface.drawTrail(
        result.path.map(\.location), lineWidth: line, color: Self.way.withOpacity(0.6))
    }
    surface.drawTrail(flight, lineWidth: 2 * line, color: Self.way)
    if let last = flight.last {
      let radius = 5 * line
      surface.stroke(
        BoundingBox(midX: last.x, midY: last.y, width: 2 * radius, height: 2 * radius),
        cornerRadius: radius, lineWidth: line, color: .white)
    }
    drawScore(game, on: &surface)
  }

  private func drawField<Surface: DrawingSurface>(on surface: inout Surface, _ width: Double) {
    guard let field else { return }
    for index in 0..<4 {
      Self.drawLine(
        from: field.outline[index], to: field.outline[(index + 1) % 4], width, Self.board, &surface)
    }
    guard let hole else { return }
    let ring = (0...24).compactMap { step -> PixelPoint? in
      let (x, y) = Self.circle(step, of: 24)
      let place = field.homography.map(hole.center + SIMD2(x, y) * hole.radius)
      return place.x.isFinite && place.y.isFinite ? PixelPoint(x: place.x, y: place.y) : nil
    }
    for (from, to) in zip(ring, ring.dropFirst()) {
      Self.drawLine(from: from, to: to, width, Self.board, &surface)
    }
  }

  /// A point of a circle, by the roots of unity.
  private static func circle(_ step: Int, of count: Int) -> (Double, Double) {
    var (x, y) = (1.0, 0.0)
    let (cosine, sine) = (0.9659258262890683, 0.25881904510252074)
    for _ in 0..<step * 24 / count { (x, y) = (x * cosine - y * sine, x * sine + y * cosine) }
    return (x, y)
  }

  private func drawSkeleton<Surface: DrawingSurface>(
    _ pose: Pose, on surface: inout Surface, _ width: Double
  ) {
    for (first, second) in Self.bones {
      guard let from = pose[first], let to = pose[second] else { continue }
      let color = first.rawValue % 2 == 1 ? Self.left : Self.right
      let isMiddle = second == first.mirrored
      let opacity = Double(min(from.confidence, to.confidence))
      Self.drawLine(
        from: from.location, to: to.location, 1.5 * width,
        (isMiddle ? PixelColor.white : color).withOpacity(max(0.3, opacity)), &surface)
    }
    guard let neck = pose.derived(.neck), let head = pose.derived(.head) else { return }
    Self.drawLine(from: neck.location, to: head.location, width, .white, &surface)
  }

  private func drawScore<Surface: DrawingSurface>(_ game: ThrowGame, on surface: inout Surface) {
    let size = surface.suitableTextSize
    var lines = [
      "throw \(game.throwNumber) of \(game.rules.throwCount): \(Self.words(game.phase))",
      NumberText.count(game.summary.points, "point", "points"),
    ]
    if let last = game.results.last {
      lines.append("\(last.number): \(SessionPrinter.words(last))")
    }
    for (index, text) in lines.enumerated() {
      surface.drawTag(
        text, at: PixelPoint(x: size / 2, y: size / 2 + 1.9 * size * Double(index)), color: .white)
    }
  }

  /// What a phase is called.
  static func words(_ phase: ThrowGame.Phase) -> String {
    switch phase {
    case .searchingField: "looking for the board"
    case .waitingForStability: "hold the camera still"
    case .waitingForPlayer: "waiting for a player"
    case .ready: "go"
    case .inFlight: "in flight"
    case .finished: "finished"
    }
  }

  /// A line of even strength: a trail whose first point comes many times.
  private static func drawLine<Surface: DrawingSurface>(
    from start: PixelPoint, to end: PixelPoint, _ width: Double, _ color: PixelColor,
    _ surface: inout Surface
  ) {
    surface.drawTrail(
      [PixelPoint](repeating: start, count: 24) + [end], lineWidth: width, color: color)
  }
}
