public import DiceGeometry

/// A board with a hole, as bags are thrown at: it rises away from the player.
///
/// Positions on it are in centimetres from the corner that a camera at the player's right sees at the upper
/// left: x away from the player, y towards the camera.
public struct ThrowBoard: Hashable, Sendable {
  /// How long it is, away from the player, in centimetres.
  public var length = 122.0
  /// How wide it is, in centimetres.
  public var width = 61.0
  /// How far its nearer edge is from where the player stands, in metres.
  public var distance = 2.6
  /// How high its nearer edge is above the ground, in metres.
  public var frontHeight = 0.08
  /// How high its farther edge is above the ground, in metres.
  public var rearHeight = 0.30
  /// The hole's middle on the board.
  public var hole = SIMD2(99.0, 30.5)
  /// The hole's radius in centimetres.
  public var holeRadius = 7.6

  /// A board as the game's rules have it.
  public init() {}

  /// The direction of the board's x axis in the world.
  var along: SIMD3<Double> {
    let rise = (rearHeight - frontHeight) / (length / 100)
    return SIMD3((1 - rise * rise).squareRoot(), 0, rise)
  }

  /// What is up from the board.
  var normal: SIMD3<Double> { SIMD3(-along.z, 0, along.x) }

  /// Where the board's coordinates begin in the world, in metres.
  var origin: SIMD3<Double> { SIMD3(distance, width / 200, frontHeight) }

  /// Where a position on the board lies in the world, in metres.
  public func place(_ position: SIMD2<Double>, above height: Double = 0) -> SIMD3<Double> {
    origin + along * (position.x / 100) + SIMD3(0, -position.y / 100, 0) + normal * height
  }

  /// The corners as a camera sees them, in the order of positions (0, 0), (length, 0), (length, width),
  /// (0, width); nil where one is not before the camera.
  public func outline(in camera: FigureCamera) -> Quadrilateral? {
    Quadrilateral(
      corners: [
        SIMD2(0, 0), SIMD2(length, 0), SIMD2(length, width), SIMD2(0, width),
      ].compactMap { camera.project(place($0)) })
  }
}
