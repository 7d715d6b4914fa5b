/// Why a board makes no sense.
public enum BoardRulesError: Error, Hashable, Sendable {
  /// The board has too few or too many sections.
  case sectionCount(found: Int, required: ClosedRange<Int>)
  /// Players begin outside the board.
  case start(found: Int, required: ClosedRange<Int>)
  /// The target lies outside the board.
  case target(found: Int, required: ClosedRange<Int>)
  /// Players begin where they win.
  case startIsTarget(Int)
  /// A roll can be used for nothing.
  case noMoves
  /// A use of a roll is named twice.
  case repeatedMove
  /// There are no such dice.
  case sides(found: Int, required: ClosedRange<Int>)
  /// Players can come to this section, and can never win from it.
  case deadEnd(section: Int)
}

extension BoardRulesError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .sectionCount(let found, let required):
      "The board has \(found) sections; it may have \(required.lowerBound) to \(required.upperBound)."
    case .start(let found, let required):
      "Players begin on section \(found); the board has \(required.lowerBound) to \(required.upperBound)."
    case .target(let found, let required):
      "The target is section \(found); the board has \(required.lowerBound) to \(required.upperBound)."
    case .startIsTarget(let section): "Section \(section) is both the start and the target."
    case .noMoves: "A roll can be used for nothing; at least one operation is needed."
    case .repeatedMove: "An operation is named twice; each may be there once."
    case .sides(let found, let required):
      "The dice have \(found) sides; they may have \(required.lowerBound) to \(required.upperBound)."
    case .deadEnd(let section):
      "Players can come to section \(section) and can never win from it."
    }
  }
}
