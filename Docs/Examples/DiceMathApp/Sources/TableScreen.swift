import DiceGameKit
import SwiftUI

/// The board, what is asked, and below it the camera or the pad.
struct TableScreen: View {
  let model: TableModel
  @State private var typed = ""

  var body: some View {
    VStack(spacing: 12) {
      BoardView(board: .standard, players: model.game.players, turn: model.game.turn)
      Text(model.message)
        .font(.title)
        .multilineTextAlignment(.center)
        .accessibilityAddTraits(.updatesFrequently)
      Text(model.note)
        .font(.headline)
        .multilineTextAlignment(.center)
      // The camera goes on watching while an answer is written: dice are nudged and taken away.
      switch model.game.phase {
      case .waitingForRoll:
        CameraPreview(session: model.camera.session)
          .clipShape(RoundedRectangle(cornerRadius: 16))
          .accessibilityHidden(true)
      case .answering: answer
      case .answered: Button("Next") { model.next() }
      case .won: Button("Play again") { model.restart() }
      }
      if model.game.canUndo {
        Button("Undo step") { model.undo() }
      }
    }
    .padding()
    .task { await model.watch() }
    .task { await model.tick() }
  }

  private var answer: some View {
    VStack(spacing: 8) {
      DrawingPad(model: model)
      HStack {
        Text(model.written.isEmpty ? "Write your answer" : "I read \(model.written)")
        Button("Undo") { model.undoStroke() }
      }
      // For those who do not see the pad, and for those who like keys better.
      HStack {
        TextField("Answer", text: $typed)
          .keyboardType(.numberPad)
        Button("Done") {
          model.answer(typed: typed)
          typed = ""
        }
      }
    }
  }
}
