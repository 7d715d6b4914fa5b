public import DiceImaging
internal import DicePoses

/// Draws the frames of a film of throws.
///
/// The body is made of limbs with round ends, the board has a hole, and every frame has grain of its own. The same
/// film and seed give the same frames.
public struct ThrowFilmRenderer: Sendable {
  /// The film.
  public let film: ThrowFilm
  private let view: FilmCamera
  private let background: FilmBackground
  private let seed: UInt64

  /// Draws what stands still.
  ///
  /// - Complexity: O(pixels), four rays for each.
  public init(_ film: ThrowFilm, seed: UInt64 = 1) {
    self.film = film
    self.seed = seed
    view = FilmCamera(film.camera)
    background = FilmBackground(view, board: film.board, seed: seed)
  }

  /// A frame.
  ///
  /// - Complexity: O(pixels).
  public func frame(_ index: Int) -> PixelImage {
    let time = film.time(of: index)
    var canvas = FilmCanvas(view, background)
    let skeleton = film.skeleton(at: time)
    if let skeleton {
      for ankle in [Joint.leftAnkle, .rightAnkle] {
        let place = skeleton[ankle]
        canvas.drawShadow(at: SIMD3(place.x + 0.05, place.y, 0), radius: 0.28)
      }
    }
    for (index, bag) in film.bags(at: time).enumerated() {
      canvas.drawBag(
        at: bag.place, isDown: bag.isDown,
        color: index % 2 == 0 ? SIMD3(228, 120, 30) : SIMD3(60, 60, 190))
    }
    if let skeleton { canvas.draw(BodyParts.limbs(of: skeleton)) }
    canvas.addGrain(seed: seed &* 0x9E37_79B9 &+ UInt64(truncatingIfNeeded: index))
    return PixelImage(
      width: film.camera.width, height: film.camera.height, format: .rgb,
      samples: canvas.samples)
  }
}
