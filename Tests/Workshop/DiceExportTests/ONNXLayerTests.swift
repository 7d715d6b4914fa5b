import DiceExport
import DiceWeights
import TestSupport
import Testing

/// The nodes that layers become, worked out by hand from the ONNX specification.
@Suite struct ONNXLayerTests {
  /// The model of one layer on an input of 4 rows, 6 columns and 2 channels.
  private func model(
    height: Int = 4, width: Int = 6, channels: Int = 2,
    _ layer: (inout CaseNetwork, Layer.Source) -> Layer
  ) throws -> ReadModel {
    var network = CaseNetwork(seed: 0)
    let source = network.input(height, width, channels)
    let layer = layer(&network, source)
    network.output(network.add(layer), name: "out")
    return try ReadModel(ONNXModel.encode(network.file()))
  }

  private let window = Layer.Window(
    height: 3, width: 2, strideY: 2, strideX: 3, dilationY: 2, dilationX: 1,
    padding: Layer.Edges(top: 1, left: 0, bottom: 2, right: 1))

  @Test func convolutions() throws {
    let model = try model { (network, source) in
      let (weights, bias) = (network.tensor([3, 2, 1, 4]), network.tensor([4]))
      return .convolution(
        Layer.Convolution(
          input: source, inputChannels: 2, outputChannels: 4, window: window, groups: 2,
          weights: weights, bias: bias))
    }
    expectEqual(model.nodes.map { $0.operation }, ["Conv"])
    expectEqual(model.nodes[0].inputs, ["in0", "tensor0", "tensor1"])
    expectEqual(
      model.nodes[0].integers,
      [
        "kernel_shape": [3, 2], "pads": [1, 0, 2, 1], "strides": [2, 3], "dilations": [2, 1],
        "group": [2],
      ])
  }

  @Test func transposedConvolutions() throws {
    let model = try model { (network, source) in
      let (weights, bias) = (network.tensor([3, 2, 1, 4]), network.tensor([4]))
      return .transposedConvolution(
        Layer.TransposedConvolution(
          input: source, inputChannels: 2, outputChannels: 4, window: window, extraRows: 1,
          extraColumns: 2, groups: 2, activation: .elu(alpha: 0.5), weights: weights, bias: bias))
    }
    expectEqual(model.nodes.map { $0.operation }, ["ConvTranspose", "Elu"])
    expectEqual(model.nodes[0].inputs, ["in0", "tensor0.transposed2", "tensor1"])
    expectEqual(
      model.nodes[0].integers,
      [
        "kernel_shape": [3, 2], "pads": [1, 0, 2, 1], "strides": [2, 3], "dilations": [2, 1],
        "group": [2], "output_padding": [1, 2],
      ])
    #expect(model.nodes[1].inputs == ["layer0.sums"] && model.nodes[1].floats == ["alpha": 0.5])
  }

  @Test func denseLayersReadRowsOfPixels() throws {
    func dense(_ height: Int, _ width: Int) throws -> ReadModel {
      try model(height: height, width: width) { (network, source) in
        let (weights, bias) = (network.tensor([height * width * 2, 3]), network.tensor([3]))
        return .dense(Layer.Dense(input: source, outputChannels: 3, weights: weights, bias: bias))
      }
    }
    let image = try dense(4, 6)
    expectEqual(image.nodes.map { $0.operation }, ["Transpose", "Flatten", "Gemm", "Reshape"])
    expectEqual(image.nodes[0].integers, ["perm": [0, 2, 3, 1]])
    expectEqual(image.nodes[2].inputs, ["layer0.list", "tensor0", "tensor1"])
    expectEqual(image.tensors["layer0.shape"]?.integers, [1, 3, 1, 1])
    try expectEqual(dense(1, 1).nodes.map { $0.operation }, ["Flatten", "Gemm", "Reshape"])
  }

  @Test func pooling() throws {
    let expected: [(Layer.Pooling.Kind, String, [Int]?)] = [
      (.maximum, "MaxPool", nil), (.average, "AveragePool", [0]),
      (.averageWithPadding, "AveragePool", [1]),
    ]
    for (kind, operation, counts) in expected {
      let window = Layer.Window(
        height: 3, width: 2, strideX: 2, padding: Layer.Edges(top: 1, right: 1))
      let node = try model { (_, source) in
        .pooling(Layer.Pooling(input: source, kind: kind, window: window))
      }.nodes[0]
      expectEqual(node.operation, operation)
      expectEqual(node.integers["count_include_pad"], counts)
      #expect(node.integers["kernel_shape"] == [3, 2] && node.integers["strides"] == [1, 2])
      expectEqual(node.integers["pads"], [1, 0, 0, 1])
    }
  }

  @Test func reductions() throws {
    let expected: [(Layer.Reduction.Kind, String)] = [
      (.maximum, "ReduceMax"), (.mean, "ReduceMean"), (.sum, "ReduceSum"),
    ]
    for (kind, operation) in expected {
      let model = try model { (_, source) in
        .reduction(
          Layer.Reduction(input: source, kind: kind, overHeight: false, overChannels: true))
      }
      expectEqual(model.nodes.map { $0.operation }, [operation])
      expectEqual(model.tensors["layer0.axes"]?.integers, [1, 3])
    }
    let place = try model { (_, source) in
      .reduction(
        Layer.Reduction(input: source, kind: .indexOfMaximum, overHeight: true, overWidth: false))
    }
    expectEqual(place.nodes.map { $0.operation }, ["ArgMax", "Cast"])
    #expect(place.nodes[0].integers == ["axis": [2]] && place.nodes[1].integers == ["to": [1]])
  }

  @Test func softmaxAndConcatenationKnowTheirAxis() throws {
    for (axis, number) in [(Layer.Axis.height, 2), (.width, 3), (.channels, 1)] {
      let softmax = try model { (_, source) in
        .softmax(Layer.Softmax(input: source, axis: axis))
      }
      expectEqual(softmax.nodes[0].operation, "Softmax")
      expectEqual(softmax.nodes[0].integers, ["axis": [number]])
      let joined = try model { (_, source) in
        .concatenation(Layer.Concatenation(inputs: [source, source], axis: axis))
      }
      expectEqual(joined.nodes[0].operation, "Concat")
      expectEqual(joined.nodes[0].inputs, ["in0", "in0"])
      expectEqual(joined.nodes[0].integers, ["axis": [number]])
    }
  }

  @Test func slicesEndBehindTheirLastPosition() throws {
    let model = try model { (_, source) in
      .slice(Layer.Slice(input: source, axis: .width, start: 1, count: 2, step: 3))
    }
    let operands = ["start", "end", "axis", "step"].map { "layer0.\($0)" }
    expectEqual(model.nodes.map { $0.operation }, ["Slice"])
    expectEqual(model.nodes[0].inputs, ["in0"] + operands)
    expectEqual(operands.map { model.tensors[$0]?.integers }, [[1], [5], [3], [3]])
  }

  @Test func padding() throws {
    let modes: [(Layer.Padding.Mode, String)] = [
      (.constant(-1.5), "constant"), (.edge, "edge"), (.reflection, "reflect"),
    ]
    for (mode, name) in modes {
      let model = try model { (_, source) in
        .padding(
          Layer.Padding(
            input: source, edges: Layer.Edges(top: 1, left: 2, bottom: 3, right: 4),
            channelsBefore: 1, mode: mode))
      }
      #expect(model.nodes[0].operation == "Pad" && model.nodes[0].texts == ["mode": name])
      expectEqual(model.tensors["layer0.pads"]?.integers, [0, 1, 1, 2, 0, 0, 3, 4])
      expectEqual(model.tensors["layer0.value"]?.values, (name == "constant" ? [-1.5] : nil))
      expectEqual(model.tensors["layer0.value"]?.shape, (name == "constant" ? [] : nil))
    }
  }

  @Test func batchNormalization() throws {
    let model = try model { (network, source) in
      let tensors = (0..<4).map { (_) in network.tensor([2], 0.5...1) }
      return .batchNormalization(
        Layer.BatchNormalization(
          input: source, scale: tensors[3], shift: tensors[2], mean: tensors[1],
          variance: tensors[0], epsilon: 0.25))
    }
    expectEqual(model.nodes.map { $0.operation }, ["BatchNormalization"])
    expectEqual(model.nodes[0].inputs, ["in0", "tensor3", "tensor2", "tensor1", "tensor0"])
    expectEqual(model.nodes[0].floats, ["epsilon": 0.25])
  }

  @Test func rearrangementsTakeTheShortestWay() throws {
    func rearranged(
      channels: Int = 2, _ dimensions: [Int], _ permutation: [Int], _ output: [Int]
    ) throws -> ReadModel {
      try model(channels: channels) { (_, source) in
        .rearrangement(
          Layer.Rearrangement(
            input: source, dimensions: dimensions, permutation: permutation,
            output: TensorShape(height: output[0], width: output[1], channels: output[2])))
      }
    }
    // Rows, columns and channels in another order.
    let axes = try rearranged([4, 6, 2], [2, 0, 1], [2, 4, 6])
    expectEqual(axes.nodes.map { $0.operation }, ["Transpose"])
    expectEqual(axes.nodes[0].integers, ["perm": [0, 3, 1, 2]])
    // A reshape between pictures goes through rows of pixels.
    let reshape = try rearranged([48], [0], [2, 4, 6])
    expectEqual(reshape.nodes.map { $0.operation }, ["Transpose", "Reshape", "Transpose"])
    expectEqual(reshape.tensors["layer0.shape"]?.integers, [1, 2, 4, 6])
    // Depth to space: two columns out of two channels.
    let space = try rearranged([4, 6, 2, 1], [0, 2, 1, 3], [4, 12, 1])
    expectEqual(space.nodes.map { $0.operation }, ["Transpose", "Reshape", "Transpose", "Reshape"])
    expectEqual(space.tensors["layer0.dimensions"]?.integers, [4, 6, 2, 1])
    expectEqual(space.nodes[2].integers, ["perm": [0, 2, 1, 3]])
    expectEqual(space.tensors["layer0.shape"]?.integers, [1, 1, 4, 12])
    // One channel to one pixel: the numbers lie in the right order already.
    let vector = try rearranged(channels: 1, [24], [0], [1, 1, 24])
    expectEqual(vector.nodes.map { $0.operation }, ["Reshape"])
    expectEqual(vector.tensors["layer0.shape"]?.integers, [1, 24, 1, 1])
  }
}
