import DiceWeights

/// What the files of `Fixtures/version-1/weights` are in version 2.
enum VersionOneNetworks {
  static var smallest: NetworkDescription {
    NetworkDescription(
      name: "a", task: "dice detection",
      inputs: [
        input(width: 32, height: 32, ImageRules(scales: SIMD3(repeating: 1)))
      ],
      layers: [convolution(.input(0), 3, 6, size: 1, weights: 0)],
      outputs: [
        output("boxes-1", 0, labels: ["1"], baseSize: 8, overlap: 0.5, confidence: 0.25)
      ])
  }

  /// The heads, which were layers 8 and 13, are outputs of layers 7 and 11.
  static var everything: NetworkDescription {
    NetworkDescription(
      name: "everything \u{2682}", task: "coins",
      inputs: [
        input(
          width: 96, height: 64,
          ImageRules(
            channelOrder: .bgr, scales: SIMD3(1 / 255, 0.5, -2), biases: SIMD3(0, -1.5, 0.25),
            cropAndScale: .scaleFill, paddingValue: 7))
      ],
      layers: [
        convolution(
          .input(0), 3, 4, size: 3, stride: 2, padding: 1, .leakyReLU(slope: 0.125), weights: 0),
        convolution(.layer(0), 4, 4, size: 1, .silu, weights: 2),
        .elementwise(Layer.Elementwise(.addition, .layer(0), .layer(1))),
        .pooling(
          Layer.Pooling(
            input: .layer(2), kind: .maximum, window: Layer.Window(size: 2, stride: 2))),
        .pooling(
          Layer.Pooling(
            input: .layer(3), kind: .maximum, window: Layer.Window(size: 5, padding: 2))),
        .concatenation(Layer.Concatenation(inputs: [.layer(3), .layer(4)])),
        convolution(.layer(5), 8, 7, size: 2, stride: 2, weights: 4),
        convolution(.layer(6), 7, 7, size: 1, .relu, weights: 6),
        .resizing(.repeating(.layer(6), factor: 4)),
        .concatenation(Layer.Concatenation(inputs: [.layer(8), .layer(2)])),
        convolution(.layer(9), 11, 7, size: 5, padding: 2, weights: 8),
        convolution(.layer(10), 7, 7, size: 1, weights: 6),
      ],
      outputs: [
        output(
          "boxes-8", 7, labels: ["heads", "Zahl \u{E9}"], baseSize: 48.5, overlap: 0.45,
          confidence: 1),
        output(
          "boxes-2", 11, labels: ["heads", "Zahl \u{E9}"], baseSize: 12.25, overlap: 0.45,
          confidence: 1),
      ],
      provenance: [
        ProvenanceEntry(key: "licence", value: "MIT"),
        ProvenanceEntry(key: "credits", value: "first line\nsecond line: \u{4E16}\u{754C}\n"),
        ProvenanceEntry(key: "credits", value: ""),
      ])
  }

  private static func input(width: Int, height: Int, _ rules: ImageRules) -> NetworkInput {
    NetworkInput(
      name: "image", shape: TensorShape(height: height, width: width, channels: 3),
      isResizable: true, content: .image(rules))
  }

  private static func convolution(
    _ input: Layer.Source, _ inputChannels: Int, _ outputChannels: Int, size: Int, stride: Int = 1,
    padding: Int = 0, _ activation: Layer.Activation = .identity, weights: Int
  ) -> Layer {
    .convolution(
      Layer.Convolution(
        input: input, inputChannels: inputChannels, outputChannels: outputChannels,
        window: Layer.Window(size: size, stride: stride, padding: padding), activation: activation,
        weights: weights, bias: weights + 1))
  }

  private static func output(
    _ name: String, _ layer: Int, labels: [String], baseSize: Float, overlap: Float,
    confidence: Float
  ) -> NetworkOutput {
    NetworkOutput(
      name: name, layer: layer,
      head: NetworkHead(
        kind: "grid boxes", labels: labels,
        parameters: [
          NamedValues("base size", [baseSize]), NamedValues("overlap threshold", [overlap]),
          NamedValues("confidence threshold", [confidence]),
        ]))
  }
}
