/// A use of a roll on a board.
public struct BoardMove: Hashable, Sendable {
  /// What is asked, and by how much the pawn moves.
  public let question: ArithmeticQuestion
  /// Where the pawn stands.
  public let origin: Int
  /// Where it lands.
  public let destination: Int
  /// Whether it lands on the target.
  public let wins: Bool
}

extension BoardRules {
  /// What a roll may be used for, in the order of ``moves``.
  ///
  /// A difference of 0 is a move, too: the pawn stays.
  ///
  /// - Parameters:
  ///   - values: what the two dice show.
  ///   - section: where the pawn stands.
  /// - Returns: empty where there are not two dice, or a value that they do not have.
  /// - Precondition: `section` is one of the board.
  public func legalMoves(of values: [Int], from section: Int) -> [BoardMove] {
    guard values.count == 2, values.allSatisfy({ (1...sides).contains($0) }) else { return [] }
    var legal: [BoardMove] = []
    for move in moves {
      guard let question = try? ArithmeticQuestion(move, of: values) else { continue }
      let destination = landing(from: section, by: question.answer)
      legal.append(
        BoardMove(
          question: question, origin: section, destination: destination,
          wins: destination == target))
    }
    return legal
  }

  /// What can be won with from a section.
  ///
  /// - Precondition: `section` is one of the board.
  public func outlook(from section: Int) -> BoardOutlook {
    var rolls: [BoardMove] = []
    var count = 0
    for first in 1...sides {
      for second in 1...sides {
        let winning = legalMoves(of: [first, second], from: section).filter { $0.wins }
        if !winning.isEmpty { count += 1 }
        if first >= second { rolls += winning }
      }
    }
    return BoardOutlook(
      section: section, distance: distanceToTarget(from: section), winningMoves: rolls,
      winningRollCount: count, rollCount: sides * sides)
  }
}

/// What a player can win with.
public struct BoardOutlook: Hashable, Sendable {
  /// Where the pawn stands.
  public let section: Int
  /// How far it is clockwise to the target.
  public let distance: Int
  /// The moves that win, each pair of values once, the larger first.
  public let winningMoves: [BoardMove]
  /// How many of the equally likely rolls win.
  public let winningRollCount: Int
  /// How many rolls there are.
  public let rollCount: Int
}

#if !hasFeature(Embedded)
  extension BoardMove: Codable {}
  extension BoardOutlook: Codable {}
#endif
