import DiceVisionKit

extension Session {
  /// Writes the dice of a picture.
  func tell(_ result: DetectionResult) {
    results.append(Double(result.count))
    for die in result.observations {
      results.append(Double(die.value))
      results.append(Double(die.confidence))
      append(die.boundingBox)
    }
  }

  /// Writes the dice that are followed, and what happened.
  func tell(_ events: [RollTracker.Event], ranDetector: Bool) {
    let dice = follower.tracker.dice
    results.append(ranDetector ? 1 : 0)
    results.append(Double(follower.tracker.phase.rawValue))
    results.append(Double(dice.count))
    for die in dice {
      results.append(Double(die.identifier))
      results.append(Double(die.value ?? 0))
      results.append(Double(die.values.first?.value ?? 0))
      results.append(Double(die.confidence))
      append(die.boundingBox)
      results.append(die.isStill ? 1 : 0)
    }
    for event in events {
      switch event {
      case .rollStarted(let time): append(.rollStarted, startTime: time)
      case .rollEnded(let roll): append(.rollEnded, roll)
      case .resultRevised(let roll): append(.resultRevised, roll)
      case .rollAbandoned: append(.rollAbandoned)
      case .cleared: append(.cleared)
      case .cameraMoved, .dieEntered, .dieMoved, .dieLeft, .unsettled: break
      }
    }
  }

  /// What happened, as a number.
  private enum EventKind: Int {
    case rollStarted = 1
    case rollEnded = 2
    case resultRevised = 3
    case rollAbandoned = 4
    case cleared = 5
  }

  private func append(_ kind: EventKind, _ roll: Roll) {
    append(
      kind, number: roll.number, startTime: roll.startTime, restTime: roll.restTime,
      values: roll.values)
  }

  private func append(
    _ kind: EventKind, number: Int = 0, startTime: Duration = .zero, restTime: Duration = .zero,
    values: [Int] = []
  ) {
    results.append(Double(kind.rawValue))
    results.append(Double(number))
    results.append(Self.seconds(startTime))
    results.append(Self.seconds(restTime))
    results.append(Double(values.count))
    for value in values { results.append(Double(value)) }
  }

  private func append(_ box: BoundingBox) {
    results.append(box.x)
    results.append(box.y)
    results.append(box.width)
    results.append(box.height)
  }

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
