internal import DiceFiles
internal import DiceRolls

/// What was seen of a film, to be told where there was no roll.
struct FilmSummary {
  /// Frames that were followed.
  private(set) var frameCount = 0
  /// Whether a roll was told.
  private(set) var hasRoll = false
  private var greatestDieCount = 0
  private var hasMotion = false
  private var hasStart = false

  /// Takes up a frame.
  mutating func add(_ tracker: RollTracker, _ events: [RollTracker.Event]) {
    frameCount += 1
    greatestDieCount = max(greatestDieCount, tracker.dice.count)
    for event in events {
      switch event {
      case .rollEnded: hasRoll = true
      case .rollStarted: hasStart = true
      case .dieMoved: hasMotion = true
      default: break
      }
    }
  }

  /// Why there may have been no roll, in a few sentences.
  ///
  /// - Parameters:
  ///   - expectedDiceCount: how many dice a roll has; nil for any number.
  ///   - requiresMotion: whether dice that lie there are no roll.
  func text(expectedDiceCount: Int?, requiresMotion: Bool) -> String {
    var text =
      "There was no roll in \(NumberText.count(frameCount, "frame", "frames")): "
    if greatestDieCount == 0 { return text + "no die was seen." }
    text += "\(NumberText.count(greatestDieCount, "die", "dice")) at most at once, "
    if hasStart {
      text += "thrown but not seen at rest."
    } else {
      text += hasMotion ? "which moved, but not as thrown dice do." : "and none of them moved."
    }
    if let expectedDiceCount, expectedDiceCount != greatestDieCount {
      text += " --dice asks for rolls of \(expectedDiceCount)."
    }
    if requiresMotion, !hasStart {
      text += " With --laid, dice that appear without being thrown are also rolls."
    }
    return text
  }
}
