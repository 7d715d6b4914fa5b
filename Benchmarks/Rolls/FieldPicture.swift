import DiceCodecs
import DiceDrawing
import DiceGeometry
import DiceImaging
import DiceScenes
import DiceVisionKit

/// The picture of a board on a table that the documents show.
enum FieldPicture {
  /// A JPEG file: rendered dice, a board under them at the field's place, and the same board from above.
  ///
  /// The dice's boxes are the detector's.
  static func jpeg(seed: UInt64, detector: DiceDetector) throws -> [UInt8] {
    let film = TableFilm(
      seed: seed,
      options: ThrowOptions(
        diceCount: 1...1, width: 960, height: 640, dieSize: 44...46, cameraElevation: 48...50),
      side: 11,
      dice: [
        TableFilm.PlacedDie(value: 5, place: SIMD2(0.30, 0.40), turns: 0.07),
        TableFilm.PlacedDie(value: 2, place: SIMD2(0.64, 0.58), turns: 0.21),
      ])
    let frame = film.frame(0)
    var board = BoardDrawing()
    board.pawns = [
      BoardDrawing.Pawn(section: 3, label: "A", color: .forValue(5), isActive: true),
      BoardDrawing.Pawn(section: 7, label: "B", color: .forValue(6)),
    ]
    board.highlights = [1, 6]
    board.caption = "5 2"
    let field = try PlayingField(corners: frame.field, size: .init(width: 11, height: 11))
    let found = try detector.detect(in: frame.image).observations
    var canvas = Canvas(frame.image)
    BoardOverlay(board, side: 1024).draw(
      on: &canvas, at: field.facingPlayer(field.centralSquare),
      sparing: found.map {
        DieStance(topFace: $0.boundingBox, on: field).outline(margin: BoardOverlay.dieMargin)
      })
    // The top view beside it, in a corner.
    let corner = BoundingBox(x: 744, y: 16, width: 200, height: 200)
    board.draw(on: &canvas, in: corner)
    return try JPEGEncoder.encode(canvas.image, quality: 82)
  }
}
