/// A kind of game piece that has a label.
public enum PieceKind: String, CaseIterable, Hashable, Sendable {
  /// A foot, a cone and a ball.
  case pawn
  /// A flat wooden figure with arms and legs, upright or lying.
  case meeple
  /// A thick round chip with a printed face.
  case token
  /// A metal coin.
  case coin
  /// A die of twenty sides with numerals.
  case d20
  /// A domino.
  case domino

  /// What the piece is called in annotations: `pawn`, `meeple`, `token`, `coin`, `d20`, `domino`.
  public var label: String { rawValue }
}

/// A game piece of a scene.
struct ScenePiece: Hashable, Sendable {
  var kind: PieceKind
  /// An index into the scene's props.
  var prop: Int
}
