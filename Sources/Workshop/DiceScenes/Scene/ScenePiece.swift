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
  /// A die of so many sides with numerals.
  case d4, d6, d8, d10, d12

  /// The kinds of pieces that lie on a table of game pieces.
  public static let ofGames: [PieceKind] = [.pawn, .meeple, .token, .coin, .d20, .domino]

  /// A die with numerals, of 4, 6, 8, 10, 12 or 20 sides; nil for other numbers.
  init?(sides: Int) { self.init(rawValue: "d\(sides)") }

  /// What the piece is called in annotations: `pawn`, `meeple`, `token`, `coin`, `domino`, and `d4` to
  /// `d20`.
  public var label: String { rawValue }
}

/// A game piece of a scene.
struct ScenePiece: Hashable, Sendable {
  var kind: PieceKind
  /// An index into the scene's props.
  var prop: Int
}
