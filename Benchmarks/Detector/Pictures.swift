import BenchmarkSupport
import DiceFiles
import DiceImaging
import DiceCodecs
import DiceVisionKit

/// The pictures and films that are measured with, and what stands on them.
enum Pictures {
  /// Five dice, from left to right.
  static let sceneValues = [3, 5, 2, 1, 4]

  static func scene(_ settings: Settings) throws -> PixelImage {
    try ImageDecoder.decode(
      FileSystem.readFile(at: "\(settings.fixtures)/scenes/scene-14.jpg", byteLimit: 1 << 24))
  }

  /// A JPEG file of 4000 by 3000 pixels with grain, as from a telephone.
  ///
  /// - Returns: The file, and the values on it; nil for a picture from the command line.
  static func photo(_ settings: Settings) throws -> (bytes: [UInt8], values: [Int]?) {
    if let path = settings.picture {
      return (try FileSystem.readFile(at: path, byteLimit: 1 << 28), nil)
    }
    let scene = try scene(settings).resized(width: 4000, height: 3000)
    var state: UInt32 = 14
    let samples = scene.samples.map { sample in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(clamping: Int(sample) + Int(state >> 28) - 8)
    }
    let image = PixelImage(width: 4000, height: 3000, format: .rgb, samples: samples)
    return (try JPEGEncoder.encode(image), sceneValues)
  }

  /// A frame of 1920 by 1080 pixels, as from a camera.
  static func frame(_ settings: Settings) throws -> StoredFrame {
    let scene = try scene(settings).resized(width: 1440, height: 1080)
    var samples = [UInt8](repeating: 114, count: 1920 * 1080 * 4)
    let source = scene.samples
    for y in 0..<1080 {
      for x in 0..<1440 {
        let from = (y * 1440 + x) * 3
        let to = (y * 1920 + x + 240) * 4
        samples[to] = source[from + 2]
        samples[to + 1] = source[from + 1]
        samples[to + 2] = source[from]
        samples[to + 3] = 255
      }
    }
    return try StoredFrame(
      pixels: samples, format: .bgra, width: 1920, height: 1080, bytesPerRow: 1920 * 4)
  }

  /// The frames of a film.
  static func frames(_ bytes: [UInt8]) throws -> [VideoFrame] {
    var stream = FrameStream()
    var rest = bytes[...]
    var frames: [VideoFrame] = []
    while let event = try stream.next(from: &rest) {
      if case .frame(let frame) = event { frames.append(frame) }
    }
    while let event = try stream.finish() {
      if case .frame(let frame) = event { frames.append(frame) }
    }
    return frames
  }

  static func check(_ result: DetectionResult, _ values: [Int]?, _ name: String) throws {
    guard let values, result.values != values else { return }
    throw WrongResult("\(name): the values are \(result.values), not \(values)")
  }
}
