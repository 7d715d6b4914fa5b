/// A part of the ground with a surface of its own: a mat, a board, the floor beyond the table.
struct Patch: Hashable, Sendable {
  enum Shape: UInt8, Hashable, Sendable {
    case rectangle
    case disc
    case hexagon
    /// All on the far side of a line through the centre, along the patch's x axis.
    case halfPlane
  }

  var shape: Shape
  var center: Vector2
  var turn: Turn
  var half: Vector2
  /// The radius of a rectangle's corners.
  var corner: Float
  /// An index into the scene's surfaces.
  var surface: Int
  /// Width of a border line inside the outline; none where it is 0.
  var border: Float
  var borderColour: Vector3
  /// Thickness: the patch throws a narrow shadow and shows an edge.
  var lift: Float
  /// Whether the patch lies deeper than the rest (the floor beside a table).
  var isSunk: Bool

  /// The signed distance to the outline, negative inside.
  @inline(__always)
  func distance(_ p: Vector2) -> Float {
    let q = turn.inward(p - center)
    switch shape {
    case .rectangle:
      let d = absolute(q) - half + Vector2(repeating: corner)
      let outside = Vector2(max(d.x, 0), max(d.y, 0))
      return length(outside) + min(max(d.x, d.y), 0) - corner
    case .disc: return length(q) - half.x
    case .hexagon:
      let a = absolute(q)
      return max(a.x * 0.8660254 + a.y * 0.5, a.y) - half.x
    case .halfPlane: return -q.x
    }
  }
}
