import Accessibility
import DiceGameKit
import DiceVisionKit
import Foundation
import Observation

/// The game, what the camera sees, and what is written: all that the screen shows.
///
/// The rules are `DiceMathGame`'s. This class only tells it what happens, and puts what it answers into
/// sentences.
@MainActor @Observable
final class TableModel {
  let camera = Camera()
  private(set) var reading = CameraReading()
  private(set) var game: DiceMathGame
  private(set) var message = "Throw two dice."
  private(set) var note = ""
  /// What is drawn on the pad, for the eye.
  private(set) var strokes: [[CGPoint]] = []
  /// What is read of the answer so far.
  private(set) var written = ""
  /// Whether a finger is on the pad: the answer's time then stands still.
  var isDrawing = false

  @ObservationIgnored private var recognizer: NumberRecognizer
  @ObservationIgnored private let beginning: ContinuousClock.Instant
  private static let key = "game"

  /// The game that was left, or a new one.
  init(players: [String]) throws {
    recognizer = try NumberRecognizer()
    let rules = try DiceMathGame.Rules(
      .board(.standard), players: players, pause: .milliseconds(1500))
    // What is kept may be anybody's: it is read as carefully as any file.
    let saved = UserDefaults.standard.data(forKey: Self.key)
    let left = saved.flatMap { try? DiceMathGame(savedText: [UInt8]($0)) }
    let game = left ?? DiceMathGame(rules)
    self.game = game
    beginning = .now - game.time
    if left != nil { message = "Here we go on." }
  }

  // MARK: - What happens

  /// Watches the table until the screen goes away.
  func watch() async {
    do {
      for try await reading in try await camera.readings() {
        self.reading = reading
        for event in reading.events {
          switch event {
          case .rollEnded(let roll): tell(.rollEnded(roll.values))
          case .resultRevised(let roll): tell(.rollRevised(roll.values))
          case .cleared: tell(.diceCleared)
          default: break
          }
        }
      }
    } catch {
      say(error.localizedDescription)
    }
  }

  /// Lets an answer's time pass.
  func tick() async {
    while !Task.isCancelled {
      if !isDrawing { tell(.time) }
      try? await Task.sleep(for: .milliseconds(100))
    }
  }

  /// A stroke was drawn: places in points, y down, as the kit wants them.
  func add(_ points: [CGPoint]) {
    strokes.append(points)
    do {
      show(try recognizer.add(Stroke(points.map { (x: Double($0.x), y: Double($0.y)) })))
    } catch {
      note = "That cannot be read."
    }
  }

  /// Takes the last stroke back.
  func undoStroke() {
    if !strokes.isEmpty { strokes.removeLast() }
    if let reading = try? recognizer.undo() { show(reading) }
  }

  /// An answer was typed.
  func answer(typed text: String) {
    if let number = Int(text) { tell(.answerChanged(PlayerAnswer(number))) }
  }

  func next() { tell(.diceCleared) }
  func undo() { tell(.undo) }
  func restart() { tell(.restart) }

  private func show(_ reading: NumberReading) {
    written = reading.text
    // The first stroke of a 4 reads 1: the last digit may still become another one.
    tell(.answerChanged(reading.number.map { PlayerAnswer($0, openness: .lastDigit) }))
  }

  // MARK: - What comes of it

  private func tell(_ event: DiceMathGame.Event) {
    let outputs = game.handle(event, at: .now - beginning)
    guard !outputs.isEmpty else { return }
    for output in outputs { show(output) }
    if case .heard = outputs[0] { return }
    UserDefaults.standard.set(Data(game.savedText), forKey: Self.key)
  }

  private func show(_ output: DiceMathGame.Output) {
    func name(_ player: Int) -> String { game.players[player].name }
    switch output {
    case .turn(let player): say("\(name(player)), throw two dice.")
    case .rollRefused(.alreadyRolled): break
    case .rollRefused(let refusal): note = refusal.description
    case .asked(let questions):
      clearPad()
      say("How much is \(questions.map(\.description).joined(separator: ", or "))?")
    case .heard: break
    case .wrong(let number, _):
      clearPad()
      say("Not \(number).")
    case .hint(let hint): note = hint.description
    case .right(let number, let question): say("Right! \(question) = \(number)")
    case .revealed(let questions):
      note = questions.map { "\($0) = \($0.answer)" }.joined(separator: ", ")
    case .moved(let player, _, let way):
      note = "\(name(player)) moves to \(way.last ?? game.players[player].section)."
    case .level: break
    case .won(let player): say("\(name(player)) wins!")
    case .undone:
      clearPad()
      say("Taken back.")
    case .restarted: clearPad()
    }
  }

  private func clearPad() {
    recognizer.clear()
    strokes = []
    written = ""
  }

  /// Shows a sentence, and lets VoiceOver say it.
  private func say(_ sentence: String) {
    message = sentence
    note = ""
    AccessibilityNotification.Announcement(sentence).post()
  }
}
