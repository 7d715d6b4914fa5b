import DiceWeights
import TestSupport
import Testing

struct ResizableInputTests {
  private static func shape(_ height: Int, _ width: Int, _ channels: Int = 3) -> TensorShape {
    TensorShape(height: height, width: width, channels: channels)
  }

  /// A network whose greatest downsampling is 4, with a path back to the size of its input.
  private static var network: NetworkDescription {
    let half = Layer.Window(size: 2, stride: 2)
    var network = Networks.detector(with: [
      Networks.convolution(
        .input(0), 3, 6, window: Layer.Window(size: 3, stride: 2, padding: 1), weights: 0),
      .pooling(Layer.Pooling(input: .layer(0), kind: .average, window: half)),
      .resizing(.repeating(.layer(1), factor: 4)),
      .elementwise(Layer.Elementwise(.addition, .layer(2), .layer(2))),
    ])
    network.inputs[0].shape = shape(8, 12)
    return network
  }

  @Test func sizesFollowTheInput() throws {
    let shapes = try Self.network.shapes(inputs: [Self.shape(16, 4)])
    expectEqual(shapes.inputs, [Self.shape(16, 4)])
    expectEqual(
      shapes.layers,
      [Self.shape(8, 2, 6), Self.shape(4, 1, 6), Self.shape(16, 4, 6), Self.shape(16, 4, 6)])
    #expect(shapes.downsamplings == [2, 4, 1, 1] && shapes.sizeMultiple == 4)
    let same = try Self.network.shapes(inputs: [Self.shape(8, 12)])
    try expectEqual(same, Self.network.validated())
    expectEqual(shapes.multiplyAddCount * 3, same.multiplyAddCount * 2)
  }

  @Test func channelsDoNotFollowTheInput() throws {
    func product(transposesFirst: Bool) -> NetworkDescription {
      var network = Networks.smallest
      network.inputs = [
        NetworkInput(name: "x", shape: Self.shape(8, 12), isResizable: true)
      ]
      network.layers = [
        .matrixProduct(
          Layer.MatrixProduct(
            .input(0), .input(0), transposesFirst: transposesFirst,
            transposesSecond: !transposesFirst))
      ]
      return network
    }
    // Channels by channels at every size; columns by columns at one.
    let channels = try product(transposesFirst: true).shapes(inputs: [Self.shape(5, 7)])
    expectEqual(channels.layers, [Self.shape(5, 3, 3)])
    let columns = product(transposesFirst: false)
    try expectEqual(columns.shapes(inputs: [Self.shape(5, 12)]).layers, [Self.shape(5, 12, 12)])
    #expect(
      throws: WeightFileError.fixedShape(
        input: 0, found: Self.shape(8, 7), required: Self.shape(8, 12))
    ) { try columns.shapes(inputs: [Self.shape(8, 7)]) }
  }

  @Test func refusesShapesThatTheInputsCannotHave() throws {
    let network = Self.network
    #expect(throws: WeightFileError.shapeCount(found: 0, required: 1)) {
      try network.shapes(inputs: [])
    }
    #expect(
      throws: WeightFileError.fixedShape(
        input: 0, found: Self.shape(8, 8, 4), required: Self.shape(8, 12))
    ) { try network.shapes(inputs: [Self.shape(8, 8, 4)]) }
    for side in [Int.min, 0, 16_388, Int.max] {
      #expect(throws: WeightFileError.inputShape(input: 0, found: Self.shape(8, side))) {
        try network.shapes(inputs: [Self.shape(8, side)])
      }
    }
    #expect(
      throws: WeightFileError.sizeMultiple(input: 0, found: Self.shape(8, 10), multiple: 4)
    ) { try network.shapes(inputs: [Self.shape(8, 10)]) }
    var fixed = network
    fixed.inputs[0].isResizable = false
    #expect(
      throws: WeightFileError.fixedShape(
        input: 0, found: Self.shape(8, 8), required: Self.shape(8, 12))
    ) { try fixed.shapes(inputs: [Self.shape(8, 8)]) }
    #expect(throws: Never.self) { try fixed.shapes(inputs: [Self.shape(8, 12)]) }
  }

  @Test func defaultShapeNeedNotBeAMultiple() throws {
    var network = Networks.detector(with: [
      Networks.convolution(
        .input(0), 3, 6, window: Layer.Window(size: 3, stride: 2, padding: 1), weights: 0)
    ])
    network.inputs[0].shape = Self.shape(7, 9)
    let shapes = try network.validated()
    #expect(shapes.layers == [Self.shape(4, 5, 6)] && shapes.sizeMultiple == 2)
    try expectEqual(network.shapes(inputs: [Self.shape(7, 9)]), shapes)
    #expect(
      throws: WeightFileError.sizeMultiple(input: 0, found: Self.shape(9, 9), multiple: 2)
    ) { try network.shapes(inputs: [Self.shape(9, 9)]) }
  }

  @Test func tensorsKeepTheirShapes() throws {
    var network = Networks.detector(with: [
      .dense(Layer.Dense(input: .input(0), outputChannels: 2, weights: 0, bias: 1))
    ])
    network.inputs[0].shape = Self.shape(4, 4)
    #expect(
      throws: WeightFileError.tensorShape(layer: 0, tensor: 0, found: [48, 2], required: [24, 2])
    ) { try network.shapes(inputs: [Self.shape(4, 2)]) }
  }

  @Test func sizeMultipleHasAllStrides() throws {
    // 2 x 3 = 6 along one path, 4 along another: 12.
    func pool(_ input: Layer.Source, _ stride: Int) -> Layer {
      .pooling(
        Layer.Pooling(
          input: input, kind: .maximum, window: Layer.Window(size: stride, stride: stride)))
    }
    var network = Networks.detector(with: [
      pool(.input(0), 2), pool(.layer(0), 3), pool(.input(0), 4),
    ])
    network.inputs[0].shape = Self.shape(24, 24)
    network.outputs.append(NetworkOutput(name: "six", layer: 1))
    let shapes = try network.validated()
    #expect(shapes.downsamplings == [2, 6, 4] && shapes.sizeMultiple == 12)
    try expectEqual(network.shapes(inputs: [Self.shape(36, 12)]).layers[1], Self.shape(6, 2))
  }

  /// Strides whose least common multiple is beyond every size leave only the default one.
  @Test func hugeSizeMultiplesDoNotOverflow() throws {
    var layers: [Layer] = []
    for stride in [64, 63, 61, 59, 55, 53, 47, 43, 41, 37] {
      layers.append(
        .pooling(
          Layer.Pooling(
            input: .input(0), kind: .maximum, window: Layer.Window(size: 1, stride: stride))))
    }
    var network = Networks.detector(with: layers)
    network.outputs = layers.indices.map { NetworkOutput(name: "\($0)", layer: $0) }
    let shapes = try network.validated()
    expectEqual(shapes.sizeMultiple, WeightFormat.maximumExtent)
    #expect(throws: WeightFileError.self) { try network.shapes(inputs: [Self.shape(64, 64)]) }
    try expectEqual(network.shapes(inputs: [Self.shape(32, 32)]), shapes)
  }

  @Test func downsamplingsEndWhereSizesAreFixed() throws {
    let shapes = try Networks.everything.validated()
    // Unequal strides, slices along rows and columns, fixed sizes, reductions and dense layers.
    expectEqual(Array(shapes.downsamplings[0..<10]), [2, 2, 2, 4, 4, 4, 0, 0, 0, 0])
    #expect(shapes.downsamplings[39] == 0 && shapes.downsamplings[48] == 4)
    expectEqual(shapes.sizeMultiple, 4)
  }
}
