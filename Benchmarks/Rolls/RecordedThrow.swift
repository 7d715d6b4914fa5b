import DiceRolls
import BenchmarkSupport
import DiceImaging
import DiceScenes
import DiceVisionKit

/// A rendered throw as a follower meets it: what the detector saw in every frame, and the frame's
/// luminance, reduced as the follower reduces it.
struct RecordedThrow {
  /// A frame of the throw.
  struct Frame {
    /// The reduced luminance, 128 by 64.
    var plane: [UInt8]
    var observations: [RollTracker.Observation]
  }

  static let framesPerSecond = 60
  static let planeWidth = 128
  static let planeHeight = 64

  let seed: UInt64
  /// The values at rest, from left to right.
  let values: [Int]
  /// The first frame in which all dice are at rest.
  let firstFrameAtRest: Int
  let width: Int
  let height: Int
  var frames: [Frame]

  /// The throws of `dicevision render --throws --width 480 --height 360`, with twice as many frames.
  static let options = ThrowOptions(
    width: 480, height: 360, frameRate: Double(framesPerSecond),
    // From a frame to the next: as fast as 1...4 pixels at 30 frames a second.
    cameraDrift: 0.5...2)

  /// Renders a throw and shows every frame to the detector.
  ///
  /// - Throws: `WrongResult` where a frame made of the reduced one is not reduced to the same again,
  ///   and `DetectorError`.
  init(rendering seed: UInt64, for detector: DiceDetector) throws {
    let renderer = ThrowRenderer(ThrowScene.random(seed: seed, options: Self.options))
    let scene = renderer.scene
    self.seed = seed
    values = scene.values
    firstFrameAtRest = scene.firstFrameAtRest
    width = scene.options.width
    height = scene.options.height
    frames = []
    for index in 0..<scene.frameCount {
      let image = renderer.frame(index).image
      let plane = Self.reduced(image)
      let found = try detector.detect(in: image).observations
      frames.append(Frame(plane: plane, observations: found.map(RollTracker.Observation.init)))
      guard Self.reduced(picture(ofFrame: index)) == plane else {
        throw WrongResult("throw \(seed): frame \(index) is not reduced to what it was made of")
      }
    }
  }

  init(
    seed: UInt64, values: [Int], firstFrameAtRest: Int, width: Int, height: Int, frames: [Frame]
  ) {
    self.seed = seed
    self.values = values
    self.firstFrameAtRest = firstFrameAtRest
    self.width = width
    self.height = height
    self.frames = frames
  }

  private static func reduced(_ image: PixelImage) -> [UInt8] {
    var plane = [UInt8](repeating: 0, count: planeWidth * planeHeight)
    image.withFrame { (frame) in
      frame.reduceLuminance(into: &plane, columns: planeWidth, rows: planeHeight)
    }
    return plane
  }

  /// A gray picture that a follower reduces to the same luminance as the frame.
  func picture(ofFrame index: Int) -> PixelImage {
    let plane = frames[index].plane
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height)
    var line = [UInt8](repeating: 0, count: width)
    for row in 0..<Self.planeHeight {
      for column in 0..<Self.planeWidth {
        let last = (column + 1) * width / Self.planeWidth
        for x in column * width / Self.planeWidth..<last {
          line[x] = plane[row * Self.planeWidth + column]
        }
      }
      for _ in row * height / Self.planeHeight..<(row + 1) * height / Self.planeHeight {
        samples.append(contentsOf: line)
      }
    }
    return PixelImage(width: width, height: height, format: .gray, samples: samples)
  }
}
