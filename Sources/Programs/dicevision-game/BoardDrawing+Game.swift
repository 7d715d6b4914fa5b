internal import DiceDrawing
internal import DiceGameKit
internal import DiceImaging

extension BoardDrawing {
  /// The board of a game with its pawns; nil for a practice, which has none.
  ///
  /// Pawns have the initials of their players, and that of the player whose turn it is has a bright rim.
  init?(_ game: DiceMathGame) {
    guard case .board(let rules) = game.rules.play else { return nil }
    self.init(sectionCount: rules.sectionCount, start: rules.start, target: rules.target)
    let marks = BoardText.marks(of: game.players.map(\.name))
    for (index, player) in game.players.enumerated() {
      pawns.append(
        Pawn(
          section: player.section, label: String(marks[index]),
          color: PixelColor.valueColors[index % PixelColor.valueColors.count],
          isActive: index == game.turn))
    }
  }

  /// The board as an SVG file of 480 by 480.
  func svg(title: String) -> [UInt8] {
    var drawing = SVGCanvas(width: 480, height: 480, title: title)
    draw(on: &drawing, in: BoundingBox(x: 0, y: 0, width: 480, height: 480))
    return drawing.document
  }
}
