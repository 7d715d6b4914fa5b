import DiceWeights
import TestSupport
import Testing

struct NetworkDescriptionTests {
  @Test func infersShapesOfLayersAndTensors() throws {
    let shapes = try Networks.everything.validated()
    let found = shapes.layers.map { [$0.height, $0.width, $0.channels] }
    expectEqual(found.count, Networks.everyShape.count)
    for (layer, shape) in found.enumerated() {
      expectEqual(shape, Networks.everyShape[layer], "layer \(layer)")
    }
    expectEqual(shapes.inputs, Networks.everything.inputs.map(\.shape))
    expectEqual(
      shapes.tensors,
      [
        [3, 3, 3, 4], [4], [1, 1, 4, 4], [4], [2, 3, 8, 7], [7], [1, 1, 7, 7], [7], [3, 3, 1, 7],
        [7], [3, 3, 7, 6], [6], [6], [7], [7], [7], [7], [1, 1, 4], [12, 4], [4], [1, 1, 4, 6], [6],
        [10, 3], [3, 3], [256],
      ])
    expectEqual(shapes.shape(of: .input(1)), TensorShape(height: 1, width: 5, channels: 4))
    expectEqual(shapes.shape(of: .layer(15)), TensorShape(height: 4, width: 8, channels: 1))
  }

  @Test func countsSharedTensorsOnceAndTheirWorkTwice() throws {
    let shapes = try Networks.everything.validated()
    expectEqual(shapes.parameterCount, 1400)
    #expect(shapes.parameterCount(ofLayer: 7) == 56 && shapes.parameterCount(ofLayer: 49) == 56)
    expectEqual(shapes.parameterCount(ofLayer: 9), 3 * 3 * 7 * 6 + 6 + 6)
    #expect(shapes.parameterCount(ofLayer: 19) == 28 && shapes.parameterCount(ofLayer: 3) == 0)
    // Weights times the positions of the output; for a transposed convolution, of the input. Numbers of
    // a matrix product times what each sums over.
    let expected: [Int: Int64] = [
      0: 108 * 96, 1: 16 * 96, 6: 336 * 12, 7: 49 * 12, 8: 63 * 12, 9: 378 * 12, 39: 12 * 4,
      48: 24 * 24, 49: 49 * 12, 51: 600 * 7, 52: 420 * 10, 53: 294 * 10, 54: 420 * 7,
    ]
    for layer in shapes.layers.indices {
      expectEqual(
        shapes.multiplyAddCount(ofLayer: layer), expected[layer, default: 0], "layer \(layer)")
    }
    expectEqual(shapes.multiplyAddCount, expected.values.reduce(0, +))
  }

  @Test func countsTheGreatestNetworksWithoutOverflow() throws {
    // 2^14 channels and 2^28 shared weights at 2^14 positions: 2^42 a layer.
    let wide = 1 << 14
    var layers = [
      Networks.convolution(.input(0), 1, wide, weights: 0),
      Networks.convolution(.layer(0), wide, wide, weights: 2),
    ]
    for layer in 2..<4096 {
      layers.append(Networks.convolution(.layer(layer - 1), wide, wide, weights: 2))
    }
    var network = Networks.smallest
    network.inputs[0].shape = TensorShape(height: 128, width: 128, channels: 1)
    network.layers = layers
    network.outputs[0].layer = 4095
    let count: Int64 = (1 << 28) + 4095 * (1 << 42)
    try expectEqual(network.validated().multiplyAddCount, count)
  }

  /// 2176 layers of 4033 * 4033 * 2^28 each, which is more than 2^63 together.
  @Test func countsAtMostTheGreatestNumber() throws {
    let window = Layer.Window(
      height: 64, width: 64, dilationY: 64, dilationX: 64,
      padding: Layer.Edges(top: 4032, left: 4032, bottom: 4032, right: 4032))
    var network = Networks.smallest
    network.inputs[0].shape = TensorShape(height: 1, width: 1, channels: 1 << 16)
    network.layers = [Layer](
      repeating: Networks.convolution(.input(0), 1 << 16, 1, window: window, weights: 0),
      count: 2176)
    for sum in 0..<1920 {
      network.layers.append(
        .elementwise(
          Layer.Elementwise(
            .addition, .layer(sum == 0 ? 255 : 2175 + sum), .layer(256 + sum))))
    }
    network.outputs = (0..<256).map {
      NetworkOutput(name: "\($0)", layer: $0 < 255 ? $0 : 4095)
    }
    let shapes = try network.validated()
    expectEqual(shapes.multiplyAddCount(ofLayer: 0), 4033 * 4033 << 28)
    expectEqual(shapes.multiplyAddCount, .max)
  }

  @Test func sourcesListsWhatALayerReads() {
    let sources = Networks.everything.layers.map(\.sources)
    #expect(sources[0] == [.input(0)] && sources[27] == [.input(1)])
    #expect(sources[17] == [.layer(16), .input(2)] && sources[25] == [])
    #expect(sources[5] == [.layer(3), .layer(4)] && sources[39] == [.layer(38)])
  }

  @Test func comparesNamesAsBytes() throws {
    // Equal as Swift strings, but not the same bytes.
    var network = Networks.detector
    network.outputs[0].head?.labels = ["\u{E9}", "e\u{301}"]
    _ = try network.validated()
    network.outputs[0].head?.labels = ["\u{E9}", "\u{E9}"]
    #expect(
      throws: WeightFileError.duplicateName(.label(output: 0, index: 1), text: "\u{E9}")
    ) { try network.validated() }
  }

  /// What a file cannot say, because a gray picture has one scale and bias, or no letters no head.
  @Test func refusesWhatNoFileCanHold() {
    var network = Networks.smallest
    var rules = ImageRules(channelOrder: .gray)
    network.inputs[0].content = .image(rules)
    #expect(throws: Never.self) { try network.validated() }
    rules.scales[1] = 2
    network.inputs[0].content = .image(rules)
    #expect(throws: WeightFileError.inputScale(input: 0, channel: 1, found: 2)) {
      try network.validated()
    }
    rules.scales[1] = 1
    rules.biases[2] = 0.5
    network.inputs[0].content = .image(rules)
    #expect(throws: WeightFileError.inputBias(input: 0, channel: 2, found: 0.5)) {
      try network.validated()
    }
    network = Networks.smallest
    network.outputs[0].head = NetworkHead(kind: "")
    #expect(
      throws: WeightFileError.textLength(.headKind(output: 0), byteCount: 0, allowed: 1...64)
    ) { try network.validated() }
  }

  @Test func findsNumbersByName() {
    let lists = [NamedValues("a", [1]), NamedValues("ab", [2, 3])]
    #expect(lists.values(named: "ab") == [2, 3] && lists.values(named: "a") == [1])
    #expect(lists.values(named: "") == nil && lists.values(named: "abc") == nil)
  }
}
