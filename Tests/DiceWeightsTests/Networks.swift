import DiceWeights

/// Descriptions and values that the tests of this module share.
enum Networks {
  /// One convolution from 3 to 6 channels and one head for one class: the smallest legal network.
  static var smallest: NetworkDescription {
    NetworkDescription(
      name: "a",
      input: InputRules(width: 32, height: 32, scales: SIMD3(repeating: 1)),
      layers: [
        .convolution(
          Layer.Convolution(
            input: .input, inputChannels: 3, outputChannels: 6, kernelSize: 1, stride: 1,
            padding: 0, activation: .identity, weights: 0, bias: 1)),
        .detectionHead(
          Layer.DetectionHead(input: .layer(0), stride: 1, baseSize: 8, classCount: 1)),
      ],
      labels: ["1"],
      thresholds: DefaultThresholds(intersectionOverUnion: 0.5, confidence: 0.25))
  }

  /// Values that are exact in every storage but int8: small multiples of 1/8, of both signs.
  static func values(for shapes: NetworkShapes) -> [[Float]] {
    shapes.tensors.enumerated().map { (tensor, shape) in
      (0..<shape.reduce(1, *)).map { (element) in
        Float((element * 7 + tensor * 3) % 31 - 15) / 8
      }
    }
  }
}
