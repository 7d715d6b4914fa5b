import DiceGameKit
import DiceServer
import Synchronization

/// A table at which a game is played; events come one after the other, from whatever thread.
final class Table: Sendable {
  /// What a table shows.
  struct Told: Sendable {
    var game: DiceMathGame
    var outputs: [DiceMathGame.Output] = []
  }

  private struct State {
    var game: DiceMathGame
    var isGone = false
  }

  /// The table's name, which nobody can guess.
  let name: String
  private let state: Mutex<State>
  /// When the game's clock began.
  private let beginning: ContinuousClock.Instant

  /// A table with a game that begins, or goes on where it was saved.
  init(name: String, game: DiceMathGame) {
    self.name = name
    state = Mutex(State(game: game))
    beginning = .now - game.time
  }

  /// Where the game stands.
  var told: Told { state.withLock { Told(game: $0.game) } }

  /// Goes on by an event, and keeps the game where something came of it.
  ///
  /// - Parameter keep: is called before another event can happen at this table.
  func handle(_ event: DiceMathGame.Event, keep: (DiceMathGame) throws -> Void) throws -> Told {
    try state.withLock { state in
      guard !state.isGone else { throw HTTPError(404, "There is no such table.") }
      var next = state.game
      let outputs = next.handle(event, at: .now - beginning)
      // What could not be kept has not happened.
      if !outputs.isEmpty { try keep(next) }
      state.game = next
      return Told(game: next, outputs: outputs)
    }
  }

  /// Ends the game: nothing is kept after `remove`.
  func close(remove: () -> Void) {
    state.withLock { state in
      state.isGone = true
      remove()
    }
  }
}
