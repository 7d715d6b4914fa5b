internal import DiceFiles
internal import DiceNumerics
package import DiceRolls

/// Sets the events of a film out for people or for programs.
package struct EventPrinter {
  /// Whether events are objects, one a line, in place of text.
  let isJSON: Bool
  /// Whether there is a field of play.
  var hasField: Bool

  /// A printer.
  package init(isJSON: Bool, hasField: Bool = false) {
    self.isJSON = isJSON
    self.hasField = hasField
  }

  /// The whole text for an event, line break included; nil for events that are not told.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - frame: the number of the frame.
  ///   - frameTime: its time.
  package func text(
    for event: RollTracker.Event, frame: Int, time frameTime: Duration
  ) -> String? {
    guard isJSON else { return plainText(event, frameTime) }
    let record = RollRecord(hasField: hasField)
    return record.object(for: event, frame: frame, time: frameTime).map {
      String(decoding: JSONWriter.write(.object($0)), as: UTF8.self) + "\n"
    }
  }

  private func plainText(_ event: RollTracker.Event, _ frameTime: Duration) -> String? {
    let what: String
    switch event {
    case .rollEnded(let roll): what = "roll \(roll.number): \(values(roll))"
    case .resultRevised(let roll): what = "roll \(roll.number), now: \(values(roll))"
    case .rollAbandoned: what = "the dice of the roll are gone"
    case .cleared: what = "no dice"
    case .rollStarted, .cameraMoved, .dieEntered, .dieMoved, .dieLeft, .unsettled: return nil
    }
    let time = NumberText.fixed(frameTime.inSeconds, decimals: 3)
    return String(repeating: " ", count: max(0, 8 - time.count)) + "\(time) s  \(what)\n"
  }

  private func values(_ roll: Roll) -> String {
    let inside =
      roll.dice.isEmpty && !roll.outside.isEmpty
      ? "no dice on the field"
      : (roll.hasKinds ? roll.notation + ": " : "")
        + roll.values.map { "\($0)" }.joined(separator: " ")
        + (roll.hasKinds ? ", total \(roll.total)" : ", sum \(roll.sum)")
    var parts = [inside]
    for (name, dice) in [("cocked", roll.cocked), ("outside", roll.outside)] where !dice.isEmpty {
      parts.append(
        "\(name): " + dice.map { $0.value.map { "\($0)" } ?? "?" }.joined(separator: " "))
    }
    return parts.joined(separator: "; ")
  }
}
