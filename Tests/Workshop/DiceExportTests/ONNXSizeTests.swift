import DiceExport
import DiceWeights
import TestSupport
import Testing

@Suite struct ONNXSizeTests {
  @Test func openSizesHaveNamesWhereTheyAreShares() throws {
    let file = try ExportCase.resizable().file
    let model = try ReadModel(ONNXModel.encode(file, inputSize: .flexible))
    expectEqual(
      model.inputs.map { $0.shape }, [["1", "3", "height", "width"], ["1", "6", "1", "1"]])
    #expect(
      model.outputs.map { $0.shape } == [
        // Joined, tall, enlarged, inner (two rows and columns less), mean, classes, nearest.
        ["1", "12", "height/2", "width/2"], ["1", "6", "height", "width/2"],
        ["1", "2", "height/2", "width/2"], ["1", "2", "?", "?"], ["1", "12", "1", "1"],
        ["1", "4", "1", "1"], ["1", "6", "5", "4"],
      ])
    #expect(
      model.metadata.contains {
        $0.key == "inputs" && $0.value.hasPrefix("[{\"name\": \"in0\", \"height\": 16, ")
      })
  }

  @Test func sizesOfSeveralInputsAreToldApart() throws {
    var network = CaseNetwork(seed: 0)
    let first = network.input(4, 4, 1, isResizable: true)
    let second = network.input(4, 2, 1, isResizable: true)
    network.output(network.add(.resizing(.repeating(first, factor: 3))))
    network.output(
      network.add(.concatenation(Layer.Concatenation(inputs: [first, second], axis: .width))))
    let model = try ReadModel(ONNXModel.encode(network.file(), inputSize: .flexible))
    expectEqual(
      model.inputs.map { $0.shape },
      [
        ["1", "1", "in0.height", "in0.width"], ["1", "1", "in1.height", "in1.width"],
      ])
    expectEqual(
      model.outputs.map { $0.shape },
      [
        ["1", "1", "in0.height*3", "in0.width*3"], ["1", "1", "in0.height", "?"],
      ])
  }

  @Test func theSizeCanBeChosen() throws {
    let file = try ExportCase.resizable().file
    let chosen = try ONNXModel.encode(file, inputSize: .fixed(width: 40, height: 20))
    let model = try ReadModel(chosen)
    expectEqual(model.inputs.map { $0.shape }, [["1", "3", "20", "40"], ["1", "6", "1", "1"]])
    expectEqual(model.outputs[3].shape, ["1", "2", "8", "18"])
    let shapes = [
      TensorShape(height: 20, width: 40, channels: 3),
      TensorShape(height: 1, width: 1, channels: 6),
    ]
    try expectEqual(ONNXModel.encode(file, inputSize: .shapes(shapes)), chosen)
    try expectEqual(
      ONNXModel.encode(file, inputSize: .fixed(width: 24, height: 16)), ONNXModel.encode(file))
  }

  @Test func sizesThatTheNetworkCannotHaveAreErrors() throws {
    let file = try ExportCase.resizable().file
    func expect(_ size: ONNXModel.InputSize, _ error: WeightFileError) {
      #expect(throws: ONNXExportError.inputShapes(error)) {
        try ONNXModel.encode(file, inputSize: size)
      }
      expectEqual("\(ONNXExportError.inputShapes(error))", error.description)
    }
    let fixed = TensorShape(height: 1, width: 1, channels: 6)
    for (height, width) in [(16, 18), (1, 16)] {
      let shape = TensorShape(height: height, width: width, channels: 3)
      expect(
        .fixed(width: width, height: height), .sizeMultiple(input: 0, found: shape, multiple: 4))
    }
    for (height, width) in [(0, 16), (16, -4), (16, .max), (32_768, 16)] {
      let shape = TensorShape(height: height, width: width, channels: 3)
      expect(.fixed(width: width, height: height), .inputShape(input: 0, found: shape))
    }
    expect(.shapes([fixed]), .shapeCount(found: 1, required: 2))
    let wide = TensorShape(height: 1, width: 2, channels: 6)
    expect(
      .shapes([file.shapes.inputs[0], wide]), .fixedShape(input: 1, found: wide, required: fixed))
    // The convolution without padding has no room.
    let empty = TensorShape(height: 0, width: 2, channels: 2)
    expect(.fixed(width: 8, height: 4), .emptyOutput(layer: 7, shape: empty))
  }

  @Test func nearestNumbersOfAnOpenSizeAreAnError() throws {
    var network = CaseNetwork(seed: 0)
    let input = network.input(4, 4, 1, isResizable: true)
    let mean = network.add(
      .reduction(Layer.Reduction(input: input, kind: .mean, overHeight: true, overWidth: false)))
    for interpolation in [Layer.Resizing.Interpolation.bilinear, .nearestFloor] {
      network.output(
        network.add(
          .resizing(
            Layer.Resizing(
              input: mean, extent: .size(height: 3, width: 3), interpolation: interpolation,
              coordinates: .alignCorners))))
    }
    let file = try network.file()
    let error = ONNXExportError.nearestOfOpenSize(layer: 2)
    #expect(throws: error) { try ONNXModel.encode(file, inputSize: .flexible) }
    #expect("\(error)".contains("Layer 2"))
    let sized = try ONNXModel.encode(file, inputSize: .fixed(width: 6, height: 8))
    try expectEqual(ReadModel(sized).tensors["layer2.columns"]?.integers, [0, 2, 5])
  }

  @Test func aNetworkOfOneSizeHasNoOpenOnes() throws {
    var network = CaseNetwork(seed: 0)
    let input = network.input(2, 2, 1)
    network.output(network.add(.softmax(Layer.Softmax(input: input))))
    let file = try network.file()
    #expect(throws: ONNXExportError.fixedInputs) {
      try ONNXModel.encode(file, inputSize: .flexible)
    }
    #expect("\(ONNXExportError.fixedInputs)".contains("one size"))
  }
}
