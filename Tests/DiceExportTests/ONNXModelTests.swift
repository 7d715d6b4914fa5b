import DiceExport
import DiceWeights
import TestSupport
import Testing

@Suite struct ONNXModelTests {
  /// Every kind of layer, activation and storage.
  private func everything() throws -> WeightFile {
    try WeightFile(bytes: Fixtures.bytes("golden/weights/everything.dvweights"))
  }

  @Test func statesItsVersionsInputsAndOutputs() throws {
    let model = try ReadModel(ONNXModel.encode(everything()))
    #expect(model.version == 8)
    #expect(model.operatorSet == 17)
    #expect(model.name == "everything \u{2682}")
    #expect(model.inputs.map { $0.name } == ["image"])
    #expect(model.inputs[0].shape == ["1", "3", "64", "96"])
    #expect(model.outputs.map { $0.name } == ["head0", "head1"])
    #expect(model.outputs[0].shape == ["1", "7", "8", "12"])
    #expect(model.outputs[1].shape == ["1", "7", "32", "48"])
  }

  @Test func everyLayerBecomesItsNodes() throws {
    let model = try ReadModel(ONNXModel.encode(everything()))
    #expect(
      model.nodes.map { $0.operation } == [
        "Conv", "LeakyRelu", "Conv", "Sigmoid", "Mul", "Add", "MaxPool", "MaxPool", "Concat",
        "Conv", "Conv", "Relu", "Resize", "Concat", "Conv", "Conv",
      ])
    #expect(model.nodes[0].inputs == ["image", "tensor0", "tensor1"])
    #expect(model.nodes[0].integers["strides"] == [2, 2])
    #expect(model.nodes[0].integers["pads"] == [1, 1, 1, 1])
    #expect(model.nodes[0].integers["kernel_shape"] == [3, 3])
    #expect(model.nodes[1].floats == ["alpha": 0.125])
    #expect(model.nodes[4].inputs == ["layer1.sums", "layer1.sigmoid"])
    #expect(model.nodes[5].inputs == ["layer0", "layer1"])
    #expect(model.nodes[7].integers["pads"] == [2, 2, 2, 2])
    #expect(model.nodes[8].inputs == ["layer3", "layer4"])
    #expect(model.nodes[8].integers == ["axis": [1]])
    #expect(model.nodes[11].outputs == ["head0"])
    #expect(model.nodes[12].inputs == ["layer6", "", "scales4"])
    #expect(
      model.nodes[12].texts == [
        "coordinate_transformation_mode": "asymmetric", "mode": "nearest",
        "nearest_mode": "floor",
      ])
    #expect(model.tensors["scales4"]?.values == [1, 1, 4, 4])
    #expect(model.nodes[15].outputs == ["head1"])
  }

  @Test func everyNameIsMadeOnceAndBeforeItIsRead() throws {
    let files = try ["weights/everything.dvweights", "network/small.weights"].map { name in
      try WeightFile(bytes: Fixtures.bytes("golden/\(name)"))
    }
    for file in files {
      let model = try ReadModel(ONNXModel.encode(file))
      var known = Set(model.tensors.keys).union(["image", ""])
      for node in model.nodes {
        for input in node.inputs { #expect(known.contains(input)) }
        for output in node.outputs { #expect(known.insert(output).inserted) }
      }
      #expect(model.outputs.count >= 2)
      for output in model.outputs { #expect(known.contains(output.name)) }
    }
  }

  @Test func weightsAreTransposedAndBiasesAreNot() throws {
    let file = try everything()
    let model = try ReadModel(ONNXModel.encode(file))
    #expect(file.tensorCount == 10)
    for index in 0..<file.tensorCount {
      let shape = file.tensors[index].shape
      let values = file.floats(of: index)
      let tensor = try #require(model.tensors["tensor\(index)"])
      guard shape.count == 4 else {
        #expect(tensor.shape == shape && tensor.values == values)
        continue
      }
      let (rows, columns, inputs, outputs) = (shape[0], shape[1], shape[2], shape[3])
      #expect(tensor.shape == [outputs, inputs, rows, columns])
      for row in 0..<rows {
        for column in 0..<columns {
          for input in 0..<inputs {
            for output in 0..<outputs {
              let found = tensor.values[((output * inputs + input) * rows + row) * columns + column]
              let wanted = values[((row * columns + column) * inputs + input) * outputs + output]
              #expect(found == wanted)
            }
          }
        }
      }
    }
  }

  @Test func metadataSaysWhatAProgramNeeds() throws {
    let file = try everything()
    let model = try ReadModel(ONNXModel.encode(file))
    let values = Dictionary(uniqueKeysWithValues: model.metadata.map { ($0.key, $0.value) })
    #expect(values["labels"] == "[\"heads\", \"Zahl \u{E9}\"]")
    #expect(values["confidenceThreshold"] == "1.0")
    #expect(values["intersectionOverUnionThreshold"] == "0.45")
    #expect(values["inputWidth"] == "96" && values["inputHeight"] == "64")
    #expect(values["channelOrder"] == "bgr")
    #expect(values["scales"] == "[\(Float(1) / 255), 0.5, -2.0]")
    #expect(values["biases"] == "[0.0, -1.5, 0.25]")
    #expect(values["cropAndScale"] == "scaleFill")
    #expect(values["paddingValue"] == "7")
    #expect(
      values["heads"]
        == "[{\"output\": \"head0\", \"stride\": 8, \"baseSize\": 48.5}, "
        + "{\"output\": \"head1\", \"stride\": 2, \"baseSize\": 12.25}]")
    #expect(values["checksum"]?.utf8.count == 16)
    #expect(UInt64(values["checksum"] ?? "", radix: 16) == file.checksum)
    #expect(values["provenance.licence"] == "MIT")
    // Two entries with one key, the second one empty.
    #expect(values["provenance.credits"] == "first line\nsecond line: \u{4E16}\u{754C}\n\n")
  }

  @Test func theSizeCanBeChosenOrLeftOpen() throws {
    let file = try everything()
    let chosen = try ReadModel(
      ONNXModel.encode(file, inputSize: .fixed(width: 320, height: 160)))
    #expect(chosen.inputs[0].shape == ["1", "3", "160", "320"])
    #expect(chosen.outputs[0].shape == ["1", "7", "20", "40"])
    let open = try ReadModel(ONNXModel.encode(file, inputSize: .flexible))
    #expect(open.inputs[0].shape == ["1", "3", "height", "width"])
    #expect(open.outputs[1].shape == ["1", "7", "height/2", "width/2"])
    #expect(open.metadata.contains { $0.key == "inputWidth" && $0.value == "96" })
    for (width, height) in [(0, 32), (32, 33), (4128, 32), (-32, 32), (32, .max)] {
      #expect(throws: ONNXExportError.inputSize(width: width, height: height)) {
        try ONNXModel.encode(file, inputSize: .fixed(width: width, height: height))
      }
    }
  }

  @Test func twoHeadsMayReadTheSameOutput() throws {
    let weights = Layer.Convolution(
      input: .input, inputChannels: 3, outputChannels: 6, kernelSize: 1, stride: 1, padding: 0,
      activation: .identity, weights: 0, bias: 1)
    let description = NetworkDescription(
      name: "a", input: InputRules(width: 32, height: 32),
      layers: [
        .convolution(weights), head(.layer(0), baseSize: 8), head(.layer(0), baseSize: 16),
      ],
      labels: ["\"1\\"],
      thresholds: DefaultThresholds(intersectionOverUnion: 0.5, confidence: 0.25))
    let bytes = try WeightFile.encode(
      description: description,
      tensors: [[Float](repeating: 0.5, count: 18), [Float](repeating: 0, count: 6)],
      storage: .float32)
    let model = try ReadModel(ONNXModel.encode(WeightFile(bytes: bytes)))
    #expect(model.nodes.map { $0.operation } == ["Conv", "Identity"])
    #expect(model.nodes[0].outputs == ["head0"])
    #expect(model.nodes[1].inputs == ["head0"] && model.nodes[1].outputs == ["head1"])
    #expect(model.metadata.contains { $0.key == "labels" && $0.value == "[\"\\\"1\\\\\"]" })
  }

  @Test func theLimitIsKeptToTheByte() throws {
    let file = try everything()
    let bytes = try ONNXModel.encode(file)
    #expect(try ONNXModel.encode(file, byteCountLimit: bytes.count) == bytes)
    let error = ONNXExportError.modelTooLarge(byteCount: bytes.count, limit: bytes.count - 1)
    #expect(throws: error) { try ONNXModel.encode(file, byteCountLimit: bytes.count - 1) }
    #expect("\(error)".contains("\(bytes.count)"))
  }

  private func head(_ input: Layer.Source, baseSize: Float) -> Layer {
    .detectionHead(
      Layer.DetectionHead(input: input, stride: 1, baseSize: baseSize, classCount: 1))
  }
}
