/// A circular board with numbered sections, and how pawns move on it.
///
/// Without other wishes: nine sections, players begin on section 1, move clockwise by the sum or the
/// difference of two dice, and win by landing exactly on section 9. A move that is too large goes past
/// it and round.
///
/// Rules that exist make sense: from every section that a player can come to, the target can be won.
public struct BoardRules: Hashable, Sendable {
  /// What a move does that is larger than the way to the target.
  public enum Overshoot: String, Hashable, Sendable, CaseIterable {
    /// The pawn goes past the target and round.
    case goesRound
    /// The pawn stays where it is.
    case staysPut
    /// The pawn turns back at the target.
    case bouncesBack
  }

  /// How many sections a board may have.
  public static let sectionCounts = 3...99
  /// How many sides dice may have.
  public static let dieSides = 2...20

  /// How many sections there are, numbered clockwise from 1.
  public let sectionCount: Int
  /// Where players begin.
  public let start: Int
  /// Where they win.
  public let target: Int
  /// What a roll may be used for, each once.
  public let moves: [ArithmeticOperation]
  /// What a move does that is too large.
  public let overshoot: Overshoot
  /// How many sides each of the two dice has: they show 1 and so on.
  public let sides: Int

  /// The rules of a board.
  ///
  /// - Parameter target: nil for the last section.
  /// - Throws: what makes no sense about them.
  /// - Complexity: O(`sides`² + sections² · distances).
  public init(
    sectionCount: Int = 9, start: Int = 1, target: Int? = nil,
    moves: [ArithmeticOperation] = [.sum, .difference], overshoot: Overshoot = .goesRound,
    sides: Int = 6
  ) throws(BoardRulesError) {
    guard Self.sectionCounts.contains(sectionCount) else {
      throw .sectionCount(found: sectionCount, required: Self.sectionCounts)
    }
    let sections = 1...sectionCount
    let target = target ?? sectionCount
    guard sections.contains(start) else { throw .start(found: start, required: sections) }
    guard sections.contains(target) else { throw .target(found: target, required: sections) }
    guard start != target else { throw .startIsTarget(start) }
    guard !moves.isEmpty else { throw .noMoves }
    for index in moves.indices where moves[..<index].contains(moves[index]) { throw .repeatedMove }
    guard Self.dieSides.contains(sides) else {
      throw .sides(found: sides, required: Self.dieSides)
    }
    self.sectionCount = sectionCount
    self.start = start
    self.target = target
    self.moves = moves
    self.overshoot = overshoot
    self.sides = sides
    if let section = deadEnd() { throw .deadEnd(section: section) }
  }

  /// The board of the rules as they are without other wishes.
  public static let standard = BoardRules(nineSections: ())

  private init(nineSections: Void) {
    (sectionCount, start, target, moves) = (9, 1, 9, [.sum, .difference])
    (overshoot, sides) = (.goesRound, 6)
  }

  /// The sections' numbers.
  public var sections: ClosedRange<Int> { 1...sectionCount }
}

// MARK: - Ways

extension BoardRules {
  /// How far it is clockwise from a section to the target.
  ///
  /// - Precondition: `section` is one of the board.
  public func distanceToTarget(from section: Int) -> Int {
    precondition(sections.contains(section), "The board has no such section.")
    return (target - section + sectionCount) % sectionCount
  }

  /// Where a pawn lands.
  ///
  /// - Precondition: `section` is one of the board, `distance` is not negative.
  public func landing(from section: Int, by distance: Int) -> Int {
    precondition(distance >= 0, "Pawns move clockwise.")
    let way = distanceToTarget(from: section)
    switch overshoot {
    case .goesRound: break
    case .staysPut: if distance > way { return section }
    case .bouncesBack:
      if distance > way {
        let back = (distance - way) % sectionCount
        return (target - 1 - back + sectionCount) % sectionCount + 1
      }
    }
    return (section - 1 + distance % sectionCount) % sectionCount + 1
  }

  /// The distances that rolls give, ascending.
  public var distances: [Int] {
    var distances = Set<Int>()
    for move in moves {
      for first in 1...sides {
        for second in 1...first {
          if let question = try? ArithmeticQuestion(move, of: [first, second]) {
            distances.insert(question.answer)
          }
        }
      }
    }
    return distances.sorted()
  }

  /// A section that players can come to and cannot win from, the first from the start; nil for good
  /// rules.
  private func deadEnd() -> Int? {
    let distances = distances
    var reached = [start]
    var seen = Set(reached)
    var index = 0
    while index < reached.count {
      let section = reached[index]
      index += 1
      if section == target { continue }
      for distance in distances {
        let next = landing(from: section, by: distance)
        if seen.insert(next).inserted { reached.append(next) }
      }
    }
    var winning: Set = [target]
    var grows = true
    while grows {
      grows = false
      for section in reached where !winning.contains(section) {
        if distances.contains(where: { winning.contains(landing(from: section, by: $0)) }) {
          winning.insert(section)
          grows = true
        }
      }
    }
    return reached.first { !winning.contains($0) }
  }
}

#if !hasFeature(Embedded)
  extension BoardRules.Overshoot: Codable {}

  extension BoardRules: Codable {
    /// Reads rules, and refuses those that make no sense.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      do {
        try self.init(
          sectionCount: try container.decode(Int.self, forKey: .sectionCount),
          start: try container.decode(Int.self, forKey: .start),
          target: try container.decode(Int.self, forKey: .target),
          moves: try container.decode([ArithmeticOperation].self, forKey: .moves),
          overshoot: try container.decode(Overshoot.self, forKey: .overshoot),
          sides: try container.decode(Int.self, forKey: .sides))
      } catch let error as BoardRulesError {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: container.codingPath, debugDescription: "\(error)"))
      }
    }
  }
#endif
