import BenchmarkSupport
import DiceFiles
import DiceImaging
import DiceScenes
import DiceVisionKit

/// A rendered throw and what is true of it.
struct RecordedThrow {
  static let framesPerSecond = 60

  let seed: UInt64
  /// The values at rest, from left to right.
  let values: [Int]
  /// The first frame in which all dice are at rest.
  let firstFrameAtRest: Int
  let film: RecordedFilm

  var frames: [RecordedFilm.Frame] { film.frames }

  /// The throws of `dicevision render --throws --width 480 --height 360`, with twice as many frames.
  static let options = ThrowOptions(
    width: 480, height: 360, frameRate: Double(framesPerSecond),
    // From a frame to the next: as fast as 1...4 pixels at 30 frames a second.
    cameraDrift: 0.5...2)

  /// A throw from the folder, or rendered and put there.
  init(seed: UInt64, folder: String?, detector: DiceDetector) throws {
    self.seed = seed
    let path = folder.map { Paths.joined($0, "throw-\(seed)") }
    if let path, let (film, truth) = try RecordedFilm.read(at: path) {
      guard let values = truth["values"]?.array, let first = truth["firstFrameAtRest"]?.integer
      else { throw WrongResult("\(path) is no recorded throw") }
      self.values = values.compactMap { $0.integer }
      firstFrameAtRest = first
      self.film = film
      return
    }
    let renderer = ThrowRenderer(ThrowScene.random(seed: seed, options: Self.options))
    let scene = renderer.scene
    values = scene.values
    firstFrameAtRest = scene.firstFrameAtRest
    var film = RecordedFilm(width: scene.options.width, height: scene.options.height)
    for index in 0..<scene.frameCount { try film.append(renderer.frame(index).image, detector) }
    self.film = film
    try path.map {
      try film.write(
        to: $0,
        truth: [
          .init(key: "seed", value: .string("\(seed)")),
          .init(key: "values", value: .array(values.map { JSONValue($0) })),
          .init(key: "firstFrameAtRest", value: JSONValue(firstFrameAtRest)),
        ])
    }
  }

  /// A gray picture that a follower reduces to the same luminance as the frame.
  func picture(ofFrame index: Int) -> PixelImage { film.picture(ofFrame: index) }
}
