internal import DiceGameKit

/// A circular board as text: clockwise along the upper row, and back along the lower one.
struct BoardText {
  private let rules: BoardRules
  private let marks: [Character]
  private let width: Int

  /// - Parameter marks: one for each player.
  init(_ rules: BoardRules, marks: [Character]) {
    self.rules = rules
    self.marks = marks
    width = max(4, marks.count)
  }

  /// Marks for players: their initials where these differ, else numbers.
  static func marks(of names: [String]) -> [Character] {
    let initials = names.map { $0.uppercased().first { $0.isASCII && $0.isLetter } }
    let found = initials.compactMap { $0 }
    if found.count == names.count, Set(found).count == names.count { return found }
    return names.indices.map { Character("\($0 + 1)") }
  }

  /// The lines of the board, with pawns where the players stand.
  func lines(_ players: [DiceMathGame.Player]) -> [String] {
    let upper = Array(1...(rules.sectionCount + 1) / 2)
    let lower = Array((upper.count + 1)...rules.sectionCount).reversed()
    return [edge(upper.count)] + row(upper, players) + [edge(upper.count)]
      + row(Array(lower), players) + [edge(lower.count)]
  }

  private func edge(_ count: Int) -> String {
    "+" + String(repeating: String(repeating: "-", count: width + 1) + "+", count: count)
  }

  private func row(_ sections: [Int], _ players: [DiceMathGame.Player]) -> [String] {
    var names = "|"
    var pawns = "|"
    for section in sections {
      names += cell("\(section)" + (section == rules.target ? "*" : ""))
      pawns += cell(
        String(players.indices.filter { players[$0].section == section }.map { marks[$0] }))
    }
    return [names, pawns]
  }

  private func cell(_ text: String) -> String {
    " " + text + String(repeating: " ", count: max(width - text.count, 0)) + "|"
  }
}
