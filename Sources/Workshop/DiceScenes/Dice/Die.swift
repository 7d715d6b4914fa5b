/// What a die looks like, whichever way it lies.
///
/// The local edge is 2 long.
struct DieAppearance: Hashable, Sendable {
  var body: Body
  var layout: DieLayout
  var pips: PipStyle
  var material: Material

  /// The local height at which the top face ends: where the rounding has turned by 45 degrees.
  var rimHeight: Float { 1 - 0.29289323 * body.rounding }
}

/// A die of a scene.
struct Die: Sendable {
  /// An index into the scene's appearances.
  var appearance: Int
  var center: Vector3
  var rotation: Rotation
  /// The length of an edge in world units.
  var size: Float
  var seed: UInt32
}

extension DieLayout {
  /// The side that points up most, given the orientation of the die.
  func topSide(for rotation: Rotation) -> Int {
    DieLayout.side(nearest: rotation.toLocal(Vector3(0, 0, 1)))
  }
}
