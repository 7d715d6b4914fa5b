import Accessibility
import DiceVisionKit
import Foundation
import Observation

/// What the screen shows.
@MainActor @Observable
final class RollModel {
  let camera = Camera()
  private(set) var reading = CameraReading()
  private(set) var message = "Throw the dice."

  /// Watches until the screen goes away.
  func run() async {
    do {
      for try await reading in try await camera.readings() {
        self.reading = reading
        for event in reading.events { take(event) }
      }
    } catch {
      announce(error.localizedDescription)
    }
  }

  private func take(_ event: RollTracker.Event) {
    switch event {
    case .rollStarted: message = "The dice are rolling."
    case .rollEnded(let roll): announce(sentence(roll))
    case .resultRevised(let roll): announce("Corrected: " + sentence(roll))
    case .unsettled: announce("A die leans: please nudge it.")
    case .cleared: message = "Throw the dice."
    default: break
    }
  }

  private func sentence(_ roll: Roll) -> String {
    let values = roll.values.map { "\($0)" }.joined(separator: ", ")
    return roll.count > 1 ? "\(values). Sum \(roll.sum)." : "\(values)."
  }

  /// Shows a text, and lets VoiceOver say it.
  private func announce(_ text: String) {
    message = text
    AccessibilityNotification.Announcement(text).post()
  }
}
