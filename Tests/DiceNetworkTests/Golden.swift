import DiceKernels
import DiceNetwork
import DiceWeights
import TestSupport

/// A network of `Fixtures/golden/network` at one size, with what ONNX Runtime makes of an input.
struct Golden: CustomStringConvertible, Sendable {
  let name: String
  let width: Int
  let height: Int
  /// Whether the outputs of all layers are stored, not only what heads read.
  let hasAllLayers: Bool

  static let all = [
    Golden(name: "small", width: 64, height: 32, hasAllLayers: true),
    Golden(name: "small", width: 96, height: 64, hasAllLayers: false),
    Golden(name: "edges", width: 32, height: 64, hasAllLayers: false),
    Golden(name: "edges", width: 64, height: 64, hasAllLayers: false),
  ]

  var description: String { "\(name) \(width)x\(height)" }

  func file() throws -> WeightFile {
    try WeightFile(bytes: Fixtures.bytes("golden/network/\(name).weights"))
  }

  /// The input, `[H, W, 3]`.
  func input() throws -> [Float] {
    try bytes("input").map { (value) in Float(value) / 255 }
  }

  /// The outputs one after the other.
  func outputs() throws -> [Float] { try floats("outputs") }

  /// Centre x, centre y, width, height, objectness and classes of every cell.
  func cells() throws -> [Float] { try floats("cells") }

  private func bytes(_ suffix: String) throws -> [UInt8] {
    try Fixtures.bytes("golden/network/\(name)-\(width)x\(height).\(suffix)")
  }

  private func floats(_ suffix: String) throws -> [Float] {
    let bytes = try bytes(suffix)
    return stride(from: 0, to: bytes.count, by: 4).map { (start) in
      var word: UInt32 = 0
      for index in 0..<4 { word |= UInt32(bytes[start + index]) << (8 * index) }
      return Float(bitPattern: word)
    }
  }
}

/// The reference and every instruction set of this machine.
let kernelChoices: [KernelChoice] =
  [.reference]
  + KernelImplementation.allCases.filter { (implementation) in implementation.isAvailable }
  .map { (implementation) in .implementation(implementation) }

/// The greatest difference as a part of the expected values' range.
func relativeDifference(_ found: [Float], _ expected: ArraySlice<Float>) -> Float {
  guard found.count == expected.count, let least = expected.min(), let greatest = expected.max()
  else { return .infinity }
  var difference: Float = 0
  for (value, reference) in zip(found, expected) {
    guard value.isFinite else { return .infinity }
    difference = max(difference, abs(value - reference))
  }
  return difference / max(greatest - least, .leastNormalMagnitude)
}
