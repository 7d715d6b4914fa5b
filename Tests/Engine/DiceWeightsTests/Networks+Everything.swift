import DiceWeights

extension Networks {
  /// Every kind of input, layer, activation, option and storage, as in
  /// `Fixtures/golden/weights/everything.dvweights`.
  static var everything: NetworkDescription {
    NetworkDescription(
      name: "everything \u{2682}",
      task: "tests of a reader",
      inputs: [
        NetworkInput(
          name: "picture", shape: TensorShape(height: 16, width: 24, channels: 3),
          isResizable: true,
          content: .image(
            ImageRules(
              channelOrder: .bgr, scales: SIMD3(1 / 255, 0.5, -2), biases: SIMD3(0, -1.5, 0.25),
              cropAndScale: .scaleFill, paddingValue: 7))),
        NetworkInput(name: "Ton \u{E9}", shape: TensorShape(height: 1, width: 5, channels: 4)),
        NetworkInput(
          name: "gray", shape: TensorShape(height: 8, width: 8, channels: 1),
          content: .image(
            ImageRules(
              channelOrder: .gray, scales: SIMD3(repeating: 2), biases: SIMD3(repeating: -1),
              cropAndScale: .centerCrop, paddingValue: 0))),
      ],
      layers: windows + arrangements + functions,
      outputs: [
        NetworkOutput(
          name: "boxes", layer: 48,
          head: NetworkHead(
            kind: "grid boxes", labels: ["heads", "Zahl \u{E9}"],
            parameters: [
              NamedValues("base size", [48.5]), NamedValues("anchors", [1, -2.5, 1e-30]),
            ])),
        NetworkOutput(name: "plain", layer: 49),
        NetworkOutput(
          name: "classes", layer: 47,
          head: NetworkHead(kind: "classes", labels: ["a", "b", "c", "d"])),
        NetworkOutput(name: "again", layer: 47),
        NetworkOutput(name: "map", layer: 50),
        NetworkOutput(name: "products", layer: 54),
        NetworkOutput(name: "greatest", layer: 57),
        NetworkOutput(name: "integers", layer: 61),
      ],
      profile: [NamedValues("tile sizes", [416, 640]), NamedValues("weight", [0.5])],
      provenance: [
        ProvenanceEntry(key: "licence", value: "MIT"),
        ProvenanceEntry(key: "credits", value: "first line\nsecond line: \u{4E16}\u{754C}\n"),
        ProvenanceEntry(key: "credits", value: ""),
      ])
  }

  /// The storages of the tensors of ``everything``.
  static let everyStorage: [WeightStorage] = [
    .float16, .float32, .bfloat16, .float16, .int8, .bfloat16, .float32, .int8, .int8, .float32,
    .int8, .float32, .float32, .float32, .float32, .float32, .float32, .float16, .int8, .float32,
    .float16, .float32, .float32, .float32, .float32,
  ]

  /// The shapes of the outputs of the layers of ``everything``, worked out by hand: rows, columns,
  /// channels.
  static let everyShape: [[Int]] = [
    [8, 12, 4], [8, 12, 4], [8, 12, 4], [4, 6, 4], [4, 6, 4], [4, 6, 8], [2, 6, 7], [2, 6, 7],
    [2, 6, 7], [4, 11, 6], [4, 5, 6], [7, 5, 7], [7, 8, 7], [8, 8, 7], [4, 8, 7], [4, 8, 1],
    [8, 8, 1], [8, 8, 1], [8, 8, 7], [8, 8, 7], [3, 5, 7], [6, 10, 7], [2, 2, 7], [2, 4, 7],
    [7, 2, 4], [1, 1, 4], [7, 2, 4], [1, 5, 4], [1, 2, 4], [1, 7, 4], [1, 7, 4], [1, 7, 4],
    [1, 7, 4], [1, 7, 1], [1, 1, 4], [1, 7, 1], [2, 7, 1], [2, 6, 1], [2, 6, 1], [1, 1, 4],
    [1, 1, 4], [1, 1, 4], [1, 1, 4], [1, 1, 4], [1, 1, 4], [1, 1, 4], [1, 1, 4], [1, 1, 4],
    [4, 6, 6], [2, 6, 7], [6, 10, 7], [6, 10, 10], [6, 10, 7], [6, 7, 7], [6, 7, 10],
    [6, 3, 10], [6, 3, 10], [6, 3, 10], [6, 3, 10], [6, 3, 10], [6, 3, 10], [6, 3, 10],
  ]

  /// Layers 0 to 9.
  private static var windows: [Layer] {
    [
      convolution(
        .input(0), 3, 4, window: Layer.Window(size: 3, stride: 2, padding: 1),
        .leakyReLU(slope: 0.125), weights: 0),
      convolution(.layer(0), 4, 4, .silu, weights: 2),
      .elementwise(Layer.Elementwise(.addition, .layer(0), .layer(1), activation: .relu6)),
      .pooling(
        Layer.Pooling(
          input: .layer(2), kind: .maximum, window: Layer.Window(size: 2, stride: 2))),
      .pooling(
        Layer.Pooling(
          input: .layer(3), kind: .maximum, window: Layer.Window(size: 5, padding: 2))),
      .concatenation(Layer.Concatenation(inputs: [.layer(3), .layer(4)])),
      convolution(
        .layer(5), 8, 7,
        window: Layer.Window(
          height: 2, width: 3, strideY: 2, padding: Layer.Edges(left: 1, right: 1)),
        weights: 4),
      convolution(.layer(6), 7, 7, .relu, weights: 6),
      convolution(
        .layer(7), 7, 7,
        window: Layer.Window(
          height: 3, width: 3, dilationX: 2,
          padding: Layer.Edges(top: 1, left: 2, bottom: 1, right: 2)),
        groups: 7, .hardSwish, weights: 8),
      .transposedConvolution(
        Layer.TransposedConvolution(
          input: .layer(8), inputChannels: 7, outputChannels: 6,
          window: Layer.Window(size: 3, stride: 2, padding: 1), extraRows: 1,
          activation: .parametricReLU(slopes: 12), weights: 10, bias: 11)),
    ]
  }

  /// Layers 10 to 25.
  private static var arrangements: [Layer] {
    [
      .slice(Layer.Slice(input: .layer(9), axis: .width, start: 1, count: 5, step: 2)),
      .padding(
        Layer.Padding(
          input: .layer(10), edges: Layer.Edges(top: 1, bottom: 2), channelsAfter: 1,
          mode: .constant(-1.5))),
      .padding(
        Layer.Padding(
          input: .layer(11), edges: Layer.Edges(left: 1, right: 2), mode: .reflection)),
      .padding(Layer.Padding(input: .layer(12), edges: Layer.Edges(top: 1), mode: .edge)),
      .slice(Layer.Slice(input: .layer(13), axis: .height, start: 0, count: 4, step: 2)),
      .slice(Layer.Slice(input: .layer(14), axis: .channels, start: 2, count: 1)),
      .resizing(
        Layer.Resizing(
          input: .layer(15), extent: .factors(y: 2, x: 1), interpolation: .bilinear,
          coordinates: .halfPixel)),
      .elementwise(
        Layer.Elementwise(.subtraction, .layer(16), .input(2), activation: .tanh)),
      .elementwise(
        Layer.Elementwise(.multiplication, .layer(17), .layer(13), activation: .sigmoid)),
      .batchNormalization(
        Layer.BatchNormalization(
          input: .layer(18), scale: 13, shift: 14, mean: 15, variance: 16, epsilon: 1e-3)),
      .resizing(
        Layer.Resizing(
          input: .layer(19), extent: .size(height: 3, width: 5),
          interpolation: .nearestPreferringCeiling, coordinates: .alignCorners)),
      .resizing(.repeating(.layer(20), factor: 2)),
      .resizing(
        Layer.Resizing(
          input: .layer(21), extent: .size(height: 2, width: 2),
          interpolation: .nearestPreferringFloor, coordinates: .halfPixel)),
      .resizing(
        Layer.Resizing(
          input: .layer(22), extent: .factors(y: 1, x: 2), interpolation: .nearestCeiling,
          coordinates: .alignCorners)),
      .rearrangement(
        Layer.Rearrangement(
          input: .layer(23), dimensions: [2, 4, 7], permutation: [2, 0, 1],
          output: TensorShape(height: 7, width: 2, channels: 4))),
      .constant(
        Layer.Constant(tensor: 17, shape: TensorShape(height: 1, width: 1, channels: 4))),
    ]
  }

  /// Layers 26 to 61.
  private static var functions: [Layer] {
    func function(_ input: Int, _ function: Layer.Activation) -> Layer {
      .activation(Layer.Pointwise(input: .layer(input), function: function))
    }
    return [
      .elementwise(
        Layer.Elementwise(
          .division, .layer(24), .layer(25), activation: .hardSigmoid(scale: 0.25, offset: 0.5))),
      .activation(Layer.Pointwise(input: .input(1), function: .elu(alpha: 1.5))),
      .reduction(
        Layer.Reduction(input: .layer(26), kind: .mean, overHeight: true, overWidth: false)),
      .concatenation(Layer.Concatenation(inputs: [.layer(27), .layer(28)], axis: .width)),
      .elementwise(Layer.Elementwise(.maximum, .layer(29), .layer(25), activation: .gelu)),
      .elementwise(Layer.Elementwise(.minimum, .layer(30), .layer(25), activation: .softplus)),
      .softmax(Layer.Softmax(input: .layer(31), axis: .width)),
      .reduction(
        Layer.Reduction(
          input: .layer(32), kind: .maximum, overHeight: false, overWidth: false,
          overChannels: true)),
      .reduction(Layer.Reduction(input: .layer(32), kind: .sum)),
      .reduction(
        Layer.Reduction(
          input: .layer(31), kind: .indexOfMaximum, overHeight: false, overWidth: false,
          overChannels: true)),
      .concatenation(Layer.Concatenation(inputs: [.layer(33), .layer(35)], axis: .height)),
      .pooling(
        Layer.Pooling(
          input: .layer(36), kind: .average,
          window: Layer.Window(height: 2, width: 2, padding: Layer.Edges(top: 1)))),
      .pooling(
        Layer.Pooling(
          input: .layer(37), kind: .averageWithPadding, window: Layer.Window(size: 3, padding: 1))),
      .dense(
        Layer.Dense(
          input: .layer(38), outputChannels: 4, activation: .exponential, weights: 18, bias: 19)),
      .elementwise(
        Layer.Elementwise(
          .addition, .layer(39), .layer(34), activation: .linear(scale: 2, offset: -1))),
      function(40, .logarithm(lower: 0.001)), function(41, .squareRoot),
      function(42, .reciprocal), function(43, .absolute), function(44, .power(exponent: 2.5)),
      function(45, .floor),
      .softmax(Layer.Softmax(input: .layer(46))),
      convolution(.layer(5), 8, 6, groups: 2, weights: 20),
      convolution(.layer(7), 7, 7, weights: 6),
      .softmax(Layer.Softmax(input: .layer(21), axis: .height)),
      .matrixProduct(Layer.MatrixProduct(.layer(50), .layer(21), transposesSecond: true)),
      .matrixProduct(Layer.MatrixProduct(.layer(51), .layer(21))),
      .matrixProduct(Layer.MatrixProduct(.layer(52), .layer(50), transposesFirst: true)),
      .matrixProduct(
        Layer.MatrixProduct(
          .layer(53), .layer(21), transposesFirst: true, transposesSecond: true)),
      .ranking(Layer.Ranking(input: .layer(54), count: 3)),
      .selection(Layer.Selection(input: .layer(54), places: .layer(55))),
      function(56, .errorFunction), function(57, .floor),
      function(58, .requantization(multipliers: 22)),
      .elementwise(
        Layer.Elementwise(
          .requantizedSum, .layer(59), .layer(58), multipliers: 23,
          activation: .requantization(multipliers: 22, isRoundedOnce: true))),
      function(60, .table(numbers: 24)),
    ]
  }
}
