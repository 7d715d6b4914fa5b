internal import DiceCommandLine
internal import DiceDrawing
internal import DiceGeometry
internal import DiceImaging
internal import DiceTrajectories

/// What is drawn of the trajectories in the air: their points, and the parabola through them.
struct FlightMarks: Overlay {
  private static let colors = [
    PixelColor(red: 255, green: 176, blue: 0), PixelColor(red: 0, green: 190, blue: 255),
    PixelColor(red: 255, green: 90, blue: 160), PixelColor(red: 120, green: 230, blue: 80),
  ]

  private var open: [Trajectory] = []
  private var size = (width: 0, height: 0)

  /// Takes up what a frame changed.
  mutating func update(with news: [Trajectory], size: (width: Int, height: Int)) {
    self.size = size
    for trajectory in news {
      open.removeAll { $0.identity == trajectory.identity }
      if trajectory.state != .ended { open.append(trajectory) }
    }
  }

  func draw<Surface: DrawingSurface>(on surface: inout Surface) {
    let line = surface.suitableLineWidth
    for trajectory in open {
      let color = Self.colors[trajectory.identity % Self.colors.count]
      surface.drawTrail(parabola(of: trajectory), lineWidth: line, color: .white)
      for point in trajectory.detectedPoints {
        let place = point.toImageCoordinates(width: size.width, height: size.height)
        let side = 3 * line
        surface.fill(
          BoundingBox(x: place.x - side / 2, y: place.y - side / 2, width: side, height: side),
          cornerRadius: side / 2, color: color)
      }
      guard let last = trajectory.points.last else { continue }
      let place = last.location.toImageCoordinates(width: size.width, height: size.height)
      let radius = max(trajectory.movingAverageRadius, line) + 2 * line
      surface.stroke(
        BoundingBox(
          x: place.x - radius, y: place.y - radius, width: 2 * radius, height: 2 * radius),
        cornerRadius: radius, lineWidth: 1.5 * line, color: color)
      surface.drawTag(
        "\(trajectory.identity)", at: PixelPoint(x: place.x + radius, y: place.y - radius),
        color: color)
    }
  }

  /// Points of the parabola from the first to the last point.
  private func parabola(of trajectory: Trajectory) -> [PixelPoint] {
    guard let first = trajectory.points.first, let last = trajectory.points.last else { return [] }
    let equation = trajectory.equationCoefficients
    let (start, end) = (first.location.x, last.location.x)
    return (0...40).map { (step) in
      let x = start + (end - start) * Double(step) / 40
      let y = (equation.x * x + equation.y) * x + equation.z
      return NormalizedPoint(x: x, y: y)
        .toImageCoordinates(width: size.width, height: size.height)
    }
  }
}
