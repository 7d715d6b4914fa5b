import DiceDetection
import DiceFiles
import DiceTraining
import DiceWeights
import Foundation

@testable import ThrowVisionKit

/// Networks with weights set by hand, which see dots on black: left joints where it is red, right ones where it
/// is blue, `neck` and the top of the head where it is green.
enum DotNetworks {
  static let side = 64

  /// The logit of a joint where a place of its map, 4 by 4 pixels, is all of its colour.
  static func joints(
    task: String = PoseConstants.task, profile: [NamedValues] = PoseConstants().profile,
    head: NetworkHead = PoseHead.head(), scale: Float = 40
  ) throws -> [UInt8] {
    var network = NetworkBuilder()
    let image = network.image(width: side, height: side)
    let maps = network.convolution(
      image, 56, window: Layer.Window(height: 8, width: 8, strideY: 8, strideX: 8),
      activation: .identity)
    network.output("joints", maps, head: head)
    var weights = [Float](repeating: 0, count: 8 * 8 * 3 * 56)
    for (joint, label) in PoseHead.labels.enumerated() {
      let signs: [Float] =
        label.hasPrefix("left") ? [1, 0, -1] : label.hasPrefix("right") ? [-1, 0, 1] : [0, 1, 0]
      for y in 0..<8 {
        for x in 0..<8 {
          let output = 4 * joint + 2 * (y / 4) + x / 4
          for channel in 0..<3 {
            weights[((y * 8 + x) * 3 + channel) * 56 + output] = signs[channel] * scale / 16
          }
        }
      }
    }
    return try WeightFile.encode(
      description: network.description(name: "dots", task: task, profile: profile),
      tensors: [weights, [Float](repeating: 0, count: 56)], storage: .float32)
  }

  /// A box of 48 pixels in each square of 32 that is not black.
  static func people() throws -> [UInt8] {
    var network = NetworkBuilder()
    let image = network.image(
      width: side, height: side, rules: ImageRules(paddingValue: 0))
    let boxes = network.convolution(
      image, 6, window: Layer.Window(height: 32, width: 32, strideY: 32, strideX: 32),
      activation: .identity)
    network.output(
      "boxes", boxes,
      head: GridBoxes.head(
        labels: [PersonFinder.label], baseSize: 48,
        thresholds: RecommendedThresholds(overlap: 0.2, confidence: 0.5)))
    var weights = [Float](repeating: 0, count: 32 * 32 * 3 * 6)
    for pixel in 0..<32 * 32 * 3 { weights[pixel * 6 + GridBoxHead.objectnessChannel] = 1 }
    return try WeightFile.encode(
      description: network.description(name: "dots", task: PersonFinder.task),
      tensors: [weights, [0, 0, 0, 0, -5, 0]], storage: .float32)
  }
}

/// A folder that is removed in the end.
final class SampleFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "poses-\(UUID().uuidString)", directoryHint: .isDirectory)
    path = url.path(percentEncoded: false)
    try FileSystem.createFolder(at: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = Paths.joined(path, name)
    try FileSystem.writeFile(bytes, to: file)
    return file
  }

  /// Writes a text and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    try write([UInt8](text.utf8), to: name)
  }
}
