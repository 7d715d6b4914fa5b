import DiceWeights
import Testing

struct NetworkDescriptionTests {
  /// The smallest network with another list of layers.
  private static func with(_ layers: [Layer]) -> NetworkDescription {
    var description = Networks.smallest
    description.layers = layers
    return description
  }

  @Test func infersShapesOfLayersAndTensors() throws {
    let shapes = try Networks.everything.validated()
    #expect(shapes.layers.map(\.channels) == [4, 4, 4, 4, 4, 8, 7, 7, 7, 7, 11, 7, 7, 7])
    #expect(shapes.layers.map(\.downsampling) == [2, 2, 2, 4, 4, 4, 8, 8, 8, 2, 2, 2, 2, 2])
    #expect(
      shapes.tensors == [
        [3, 3, 3, 4], [4], [1, 1, 4, 4], [4], [2, 2, 8, 7], [7], [1, 1, 7, 7], [7],
        [5, 5, 11, 7], [7],
      ])
  }

  @Test func countsSharedTensorsOnceAndTheirWorkTwice() throws {
    let shapes = try Networks.everything.validated()
    #expect(shapes.parameterCount == 108 + 4 + 16 + 4 + 224 + 7 + 49 + 7 + 1925 + 7)
    #expect(shapes.parameterCount(ofLayer: 7) == 56 && shapes.parameterCount(ofLayer: 8) == 0)
    // Outputs at 96 x 64: 48 x 32 at /2, 24 x 16 at /4, 12 x 8 at /8.
    let expected: Int64 =
      (108 + 16) * 1536 + 224 * 96 + 49 * 96 + 1925 * 1536 + 49 * 1536
    #expect(shapes.multiplyAddCount(width: 96, height: 64) == expected)
    #expect(shapes.multiplyAddCount(width: 192, height: 64) == 2 * expected)
    #expect(shapes.multiplyAddCount(ofLayer: 3, width: 96, height: 64) == 0)
    #expect(shapes.multiplyAddCount(ofLayer: 6, width: 96, height: 64) == 224 * 96)
  }

  @Test func countsTheGreatestNetworkWithoutOverflow() throws {
    // 1023 convolutions of 4096 channels that share 2^24 weights, at 4096 x 4096.
    var layers: [Layer] = [Networks.convolution(.input, 3, 64, weights: 0)]
    layers.append(
      .concatenation(Layer.Concatenation(inputs: [Layer.Source](repeating: .layer(0), count: 64))))
    for layer in 2..<1022 {
      layers.append(Networks.convolution(.layer(layer - 1), 4096, 4096, weights: 2))
    }
    layers.append(Networks.convolution(.layer(1021), 4096, 6, weights: 4))
    layers.append(Networks.head(1022))
    let shapes = try Self.with(layers).validated()
    let pixels: Int64 = 4096 * 4096
    #expect(
      shapes.multiplyAddCount(width: 4096, height: 4096)
        == (192 + 1020 * pixels + 4096 * 6) * pixels)
  }

  @Test func sourcesListsWhatALayerReads() {
    let sources = Networks.everything.layers.map(\.sources)
    #expect(sources[0] == [.input] && sources[8] == [.layer(7)])
    #expect(sources[2] == [.layer(0), .layer(1)] && sources[9] == [.layer(6)])
    #expect(sources[3] == [.layer(2)] && sources[10] == [.layer(9), .layer(2)])
  }

  /// Numbers that no file can hold but a description made by hand can.
  @Test func refusesNumbersOutsideTheFormatWithoutTrapping() {
    let least = Int.min
    let greatest = Int.max
    let first = Networks.convolution(.input, 3, 6, weights: 0)
    let cases: [([Layer], WeightFileError)] = [
      (
        [Networks.convolution(.layer(least), 3, 6, weights: 0)],
        .sourceNotEarlier(layer: 0, source: least)
      ),
      (
        [Networks.convolution(.input, least, 6, weights: 0)],
        .channelMismatch(layer: 0, found: 3, required: least)
      ),
      (
        [Networks.convolution(.input, 3, greatest, weights: 0)],
        .channelCount(layer: 0, found: greatest, allowed: 1...4096)
      ),
      (
        [Networks.convolution(.input, 3, 6, size: greatest, weights: 0)],
        .kernelSize(layer: 0, found: greatest, allowed: 1...7)
      ),
      (
        [Networks.convolution(.input, 3, 6, stride: greatest, weights: 0)],
        .stride(layer: 0, found: greatest)
      ),
      (
        [Networks.convolution(.input, 3, 6, padding: greatest, weights: 0)],
        .padding(layer: 0, found: greatest, kernelSize: 1, stride: 1)
      ),
      (
        [Networks.convolution(.input, 3, 6, padding: least, weights: 0)],
        .padding(layer: 0, found: least, kernelSize: 1, stride: 1)
      ),
      (
        [Networks.convolution(.input, 3, 6, weights: least)],
        .tensorIndex(layer: 0, found: least, tensorCount: 4096)
      ),
      (
        [Networks.convolution(.input, 3, 6, weights: greatest - 1)],
        .tensorIndex(layer: 0, found: greatest - 1, tensorCount: 4096)
      ),
      (
        [first, .upsampling(Layer.Upsampling(input: .layer(0), factor: least))],
        .upsamplingFactor(layer: 1, found: least, allowed: 2...32)
      ),
      (
        [first, .concatenation(Layer.Concatenation(inputs: []))],
        .concatenationCount(layer: 1, found: 0, allowed: 2...64)
      ),
      (
        [first, Networks.head(0, classCount: greatest)],
        .headClassCount(layer: 1, found: greatest, required: 1)
      ),
      (
        [first, Networks.head(0, stride: least)],
        .headStride(layer: 1, found: least, required: 1)
      ),
      ([], .layerCount(found: 0, allowed: 1...1024)),
    ]
    for (layers, expected) in cases {
      #expect(throws: expected) { try Self.with(layers).validated() }
    }
  }

  @Test func requiresATensor() {
    let layers: [Layer] = [
      .concatenation(Layer.Concatenation(inputs: [.input, .input])), Networks.head(0),
    ]
    #expect(throws: WeightFileError.tensorCount(found: 0, allowed: 1...4096)) {
      try Self.with(layers).validated()
    }
  }

  @Test func refusesDifferentShapesOfOneTensor() {
    let layers: [Layer] = [
      Networks.convolution(.input, 3, 6, weights: 0),
      Networks.convolution(.layer(0), 6, 6, weights: 0), Networks.head(1),
    ]
    #expect(
      throws: WeightFileError.tensorShape(
        layer: 1, tensor: 0, found: [1, 1, 3, 6], required: [1, 1, 6, 6])
    ) {
      try Self.with(layers).validated()
    }
  }

  @Test(arguments: [1, 2, 4])
  func acceptsExactlyTheWindowsThatDivideTheSize(stride: Int) {
    var accepted = 0
    for size in 1...7 {
      for padding in 0...8 {
        // What the rule promises, tried on sizes instead of solved for.
        var divides = 2 * padding <= size - 1
        for width in [32, 64, 96] {
          divides = divides && (width + 2 * padding - size) / stride + 1 == width / stride
        }
        let layers: [Layer] = [
          Networks.convolution(
            .input, 3, 6, size: size, stride: stride, padding: padding, weights: 0),
          Networks.head(0, stride: stride),
        ]
        let isValid = (try? Self.with(layers).validated()) != nil
        #expect(isValid == divides, "size \(size), padding \(padding)")
        accepted += isValid ? 1 : 0
      }
    }
    #expect(accepted >= 4)
  }

  @Test func comparesLabelsAsBytes() throws {
    // Equal as Swift strings, but not the same bytes.
    var description = Networks.smallest
    description.labels = ["\u{E9}", "e\u{301}"]
    description.layers = [
      Networks.convolution(.input, 3, 7, weights: 0), Networks.head(0, classCount: 2),
    ]
    _ = try description.validated()
    description.labels = ["\u{E9}", "\u{E9}"]
    #expect(throws: WeightFileError.duplicateLabel(index: 1, label: "\u{E9}")) {
      try description.validated()
    }
  }
}
