import DiceWeights
import TestSupport

/// Descriptions and values that the tests of this module share.
enum Networks {
  /// One number that stays as it is: the smallest legal network, as in
  /// `Fixtures/golden/weights/smallest.dvweights`.
  static var smallest: NetworkDescription {
    NetworkDescription(
      name: "a",
      inputs: [NetworkInput(name: "x", shape: TensorShape(height: 1, width: 1, channels: 1))],
      layers: [.activation(Layer.Pointwise(input: .input(0), function: .identity))],
      outputs: [NetworkOutput(name: "y", layer: 0)])
  }

  /// A picture, a convolution from 3 to 6 channels and a head for one class, as in
  /// `Fixtures/golden/weights/detector.dvweights`.
  static var detector: NetworkDescription {
    NetworkDescription(
      name: "a",
      inputs: [
        NetworkInput(
          name: "image", shape: TensorShape(height: 32, width: 32, channels: 3), isResizable: true,
          content: .image(ImageRules(scales: SIMD3(repeating: 1))))
      ],
      layers: [convolution(.input(0), 3, 6, weights: 0)],
      outputs: [
        NetworkOutput(
          name: "boxes-1", layer: 0,
          head: NetworkHead(
            kind: "grid boxes", labels: ["1"], parameters: [NamedValues("base size", [8])]))
      ])
  }

  /// The values of the detector's tensors.
  static var detectorValues: [[Float]] {
    [(0..<18).map { Float($0) / 8 - 1 }, (0..<6).map { Float($0) / -2 }]
  }

  /// The detector with other layers, the last of which is its output.
  static func detector(with layers: [Layer]) -> NetworkDescription {
    var description = detector
    description.layers = layers
    description.outputs[0].layer = layers.count - 1
    return description
  }

  /// A convolution whose bias is the tensor behind its weights.
  static func convolution(
    _ input: Layer.Source, _ inputChannels: Int, _ outputChannels: Int,
    window: Layer.Window = Layer.Window(size: 1), groups: Int = 1,
    _ activation: Layer.Activation = .identity, weights: Int
  ) -> Layer {
    .convolution(
      Layer.Convolution(
        input: input, inputChannels: inputChannels, outputChannels: outputChannels, window: window,
        groups: groups, activation: activation, weights: weights, bias: weights + 1))
  }

  /// The lists of floats in a golden file that has one after the other.
  static func floats(_ name: String, shapes: [[Int]]) throws -> [[Float]] {
    let bytes = try Fixtures.bytes("golden/weights/\(name)")
    var rest = bytes[...]
    return shapes.map { shape in
      let count = shape.reduce(1, *)
      let part = rest.prefix(4 * count)
      rest = rest.dropFirst(4 * count)
      return floats(Array(part))
    }
  }

  /// Little-endian floats.
  static func floats(_ bytes: [UInt8]) -> [Float] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { offset in
      Float(bitPattern: bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
  }
}
