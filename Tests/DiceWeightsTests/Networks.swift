import DiceWeights
import TestSupport

/// Descriptions and values that the tests of this module share.
enum Networks {
  /// One convolution from 3 to 6 channels and one head for one class: the smallest legal network,
  /// as in `Fixtures/golden/weights/smallest.dvweights`.
  static var smallest: NetworkDescription {
    NetworkDescription(
      name: "a",
      input: InputRules(width: 32, height: 32, scales: SIMD3(repeating: 1)),
      layers: [convolution(.input, 3, 6, weights: 0), head(0)],
      labels: ["1"],
      thresholds: DefaultThresholds(intersectionOverUnion: 0.5, confidence: 0.25))
  }

  /// The values of the smallest network's tensors.
  static var smallestValues: [[Float]] {
    [(0..<18).map { Float($0) / 8 - 1 }, (0..<6).map { Float($0) / -2 }]
  }

  /// Every kind of layer, activation and storage, as in
  /// `Fixtures/golden/weights/everything.dvweights`.
  static var everything: NetworkDescription {
    NetworkDescription(
      name: "everything \u{2682}",
      input: InputRules(
        width: 96, height: 64, channelOrder: .bgr, scales: SIMD3(1 / 255, 0.5, -2),
        biases: SIMD3(0, -1.5, 0.25), cropAndScale: .scaleFill, paddingValue: 7),
      layers: [
        convolution(
          .input, 3, 4, size: 3, stride: 2, padding: 1, .leakyReLU(slope: 0.125), weights: 0),
        convolution(.layer(0), 4, 4, .sigmoidWeighted, weights: 2),
        .addition(Layer.Addition(.layer(0), .layer(1))),
        .maxPooling(Layer.MaxPooling(input: .layer(2), size: 2, stride: 2, padding: 0)),
        .maxPooling(Layer.MaxPooling(input: .layer(3), size: 5, stride: 1, padding: 2)),
        .concatenation(Layer.Concatenation(inputs: [.layer(3), .layer(4)])),
        convolution(.layer(5), 8, 7, size: 2, stride: 2, weights: 4),
        convolution(.layer(6), 7, 7, .leakyReLU(slope: 0), weights: 6),
        head(7, stride: 8, baseSize: 48.5, classCount: 2),
        .upsampling(Layer.Upsampling(input: .layer(6), factor: 4)),
        .concatenation(Layer.Concatenation(inputs: [.layer(9), .layer(2)])),
        convolution(.layer(10), 11, 7, size: 5, padding: 2, weights: 8),
        convolution(.layer(11), 7, 7, weights: 6),
        head(12, stride: 2, baseSize: 12.25, classCount: 2),
      ],
      labels: ["heads", "Zahl \u{E9}"],
      thresholds: DefaultThresholds(intersectionOverUnion: 0.45, confidence: 1),
      provenance: [
        ProvenanceEntry(key: "licence", value: "MIT"),
        ProvenanceEntry(key: "credits", value: "first line\nsecond line: \u{4E16}\u{754C}\n"),
        ProvenanceEntry(key: "credits", value: ""),
      ])
  }

  /// The storages of the tensors of ``everything``.
  static let everyStorage: [WeightStorage] = [
    .float16, .float32, .bfloat16, .float16, .int8, .bfloat16, .float32, .int8, .int8, .float32,
  ]

  /// A convolution whose bias is the tensor behind its weights.
  static func convolution(
    _ input: Layer.Source, _ inputChannels: Int, _ outputChannels: Int, size: Int = 1,
    stride: Int = 1, padding: Int = 0, _ activation: Layer.Activation = .identity, weights: Int
  ) -> Layer {
    .convolution(
      Layer.Convolution(
        input: input, inputChannels: inputChannels, outputChannels: outputChannels,
        kernelSize: size, stride: stride, padding: padding, activation: activation,
        weights: weights, bias: weights + 1))
  }

  static func head(
    _ layer: Int, stride: Int = 1, baseSize: Float = 8, classCount: Int = 1
  ) -> Layer {
    .detectionHead(
      Layer.DetectionHead(
        input: .layer(layer), stride: stride, baseSize: baseSize, classCount: classCount))
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
