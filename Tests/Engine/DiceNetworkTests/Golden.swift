import DiceKernels
import DiceNetwork
import DiceWeights
import TestSupport

/// A network of `Fixtures/golden/network` at one size, with what ONNX Runtime makes of its inputs.
struct Golden: CustomStringConvertible, Sendable {
  let name: String
  /// The size of a detector's picture; nil for other networks, which have one size.
  var size: (width: Int, height: Int)?
  /// Whether the outputs of all layers are stored, not only the network's.
  var hasAllLayers = false

  static let detectors = [
    Golden(name: "small", size: (64, 32), hasAllLayers: true),
    Golden(name: "small", size: (96, 64)),
    Golden(name: "edges", size: (32, 64)),
    Golden(name: "edges", size: (64, 64)),
  ]
  static let all =
    detectors
    + ["layers", "mobile", "digits", "segments", "pair", "products", "choices"].map { (name) in
      Golden(name: name)
    }

  var description: String {
    guard let size else { return name }
    return "\(name) \(size.width)x\(size.height)"
  }

  func file() throws -> WeightFile {
    try WeightFile(bytes: Fixtures.bytes("golden/network/\(name).weights"))
  }

  /// The shapes of the inputs.
  func shapes() throws -> [TensorShape] {
    var shapes = try file().description.inputs.map { (input) in input.shape }
    if let size { (shapes[0].width, shapes[0].height) = size }
    return shapes
  }

  /// The inputs, `[H, W, C]` each.
  func inputs() throws -> [[Float]] {
    if size != nil { return [try bytes("input").map { (value) in Float(value) / 255 }] }
    var rest = try floats("input")[...]
    return try shapes().map { (shape) in
      defer { rest = rest.dropFirst(shape.elementCount) }
      return Array(rest.prefix(shape.elementCount))
    }
  }

  /// The outputs one after the other.
  func outputs() throws -> [Float] { try floats("outputs") }

  private func bytes(_ suffix: String) throws -> [UInt8] {
    let size = size.map { (size) in "-\(size.width)x\(size.height)" } ?? ""
    return try Fixtures.bytes("golden/network/\(name)\(size).\(suffix)")
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

/// The greatest difference as a part of the expected values' range, or of a tenth of their magnitude
/// where that is more: values that are all nearly the same have no range to speak of.
func relativeDifference(_ found: [Float], _ expected: ArraySlice<Float>) -> Float {
  guard found.count == expected.count, let least = expected.min(), let greatest = expected.max()
  else { return .infinity }
  var difference: Float = 0
  for (value, reference) in zip(found, expected) {
    guard value.isFinite else { return .infinity }
    difference = max(difference, abs(value - reference))
  }
  let magnitude = max(greatest.magnitude, least.magnitude)
  return difference / max(greatest - least, magnitude / 10, .leastNormalMagnitude)
}
