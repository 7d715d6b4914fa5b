import DiceExport
import DiceWeights
import TestSupport
import Testing

@Suite struct ONNXModelTests {
  /// Every kind of input, layer, activation and storage.
  private func everything() throws -> WeightFile { try ExportCase.everything().file }

  @Test func statesItsVersionsInputsAndOutputs() throws {
    let model = try ReadModel(ONNXModel.encode(everything()))
    expectEqual(model.version, 9)
    expectEqual(model.operatorSet, 20)
    expectEqual(model.name, "everything \u{2682}")
    expectEqual(model.inputs.map { $0.name }, ["picture", "Ton \u{E9}", "gray"])
    expectEqual(
      model.inputs.map { $0.shape },
      [
        ["1", "3", "16", "24"], ["1", "4", "1", "5"], ["1", "1", "8", "8"],
      ])
    expectEqual(
      model.outputs.map { $0.name },
      ["boxes", "plain", "classes", "again", "map", "products", "greatest", "integers"])
    expectEqual(
      model.outputs.map { $0.shape },
      [
        ["1", "6", "4", "6"], ["1", "7", "2", "6"], ["1", "4", "1", "1"], ["1", "4", "1", "1"],
        ["1", "7", "6", "10"], ["1", "10", "6", "7"], ["1", "10", "6", "3"],
        ["1", "10", "6", "3"],
      ])
  }

  @Test func everyNameIsMadeOnceAndBeforeItIsRead() throws {
    let cases = try ExportCase.all()
    #expect(cases.count > 380)
    for entry in cases {
      let model = try ReadModel(ONNXModel.encode(entry.file))
      var known = Set(model.tensors.keys).union([""])
      for input in model.inputs { #expect(known.insert(input.name).inserted) }
      var read = Set<String>([""])
      for node in model.nodes {
        for input in node.inputs { #expect(known.contains(input)) }
        for output in node.outputs { #expect(known.insert(output).inserted) }
        read.formUnion(node.inputs)
        // What it sorts comes out first.
        if node.operation == "TopK" { read.insert(node.outputs[0]) }
      }
      for output in model.outputs {
        #expect(model.nodes.contains { $0.outputs == [output.name] })
      }
      // Nothing is in the model for nothing.
      expectEqual(known, read.union(model.outputs.map { $0.name }), "\(entry.name)")
      expectEqual(
        model.outputs.map { $0.name }, entry.file.description.outputs.map { $0.name })
    }
  }

  @Test func namesOfTheFileAreKept() throws {
    let entry = try ExportCase.named()
    let model = try ReadModel(ONNXModel.encode(entry.file))
    expectEqual(
      model.nodes.map { $0.outputs },
      [
        ["__layer1"], ["__layer2.sums"], ["__layer2.inner"], ["layer2.sums"],
        ["so viele \u{C4}pfel"], ["tensor0"], ["_layer2"], ["layer0"],
      ])
    expectEqual(model.nodes[0].inputs, ["in0", "__tensor0.value"])
    expectEqual(model.nodes[4].inputs[0], "layer2.sums")
    expectEqual(model.nodes[5].inputs, ["__tensor0.value"])
    expectEqual(model.nodes[6].inputs, ["layer2.sums"])
    expectEqual(model.nodes[7].inputs, ["__tensor0.value"])
    #expect(model.nodes[5...].allSatisfy { $0.operation == "Identity" })
  }

  @Test func outputsNamedLikeInputsAreToldApart() throws {
    var network = CaseNetwork(seed: 0)
    let inputs = (0..<3).map { (_) in network.input(1, 2, 3) }
    for (source, name) in zip(inputs, ["in0", "in0.output", "in1"]) {
      network.output(network.add(.softmax(Layer.Softmax(input: source))), name: name)
    }
    let model = try ReadModel(ONNXModel.encode(network.file()))
    expectEqual(model.inputs.map { $0.name }, ["in0", "in1", "in2"])
    expectEqual(model.outputs.map { $0.name }, ["in0.output.output", "in0.output", "in1.output"])
    expectEqual(
      model.nodes.map { $0.inputs + $0.outputs },
      [
        ["in0", "in0.output.output"], ["in1", "in0.output"], ["in2", "in1.output"],
      ])
    let outputs = model.metadata.first { $0.key == "outputs" }
    let names = [
      "{\"name\": \"in0.output.output\", \"nameInFile\": \"in0\"}", "{\"name\": \"in0.output\"}",
      "{\"name\": \"in1.output\", \"nameInFile\": \"in1\"}",
    ]
    // All three are as large as the input, and along both axes.
    expectEqual(
      outputs?.value.replacing(", \"downsampling\": 1", with: ""),
      "[\(names.joined(separator: ", "))]")
  }

  @Test func layersThatShareATensorEachGetTheirLayout() throws {
    var network = CaseNetwork(seed: 0)
    let input = network.input(3, 3, 2)
    // One tensor as the weights of an ordinary and of two transposed convolutions.
    let weights = network.tensor([2, 1, 2, 4])
    let bias = network.tensor([4])
    let window = Layer.Window(height: 2, width: 1)
    let wide = network.convolution(input, 2, 4, Layer.Window(size: 1))
    network.output(
      network.add(
        .convolution(
          Layer.Convolution(
            input: input, inputChannels: 2, outputChannels: 4, window: window,
            activation: .parametricReLU(slopes: bias), weights: weights, bias: bias))))
    for (source, groups) in [(input, 1), (wide, 2)] {
      network.output(
        network.add(
          .transposedConvolution(
            Layer.TransposedConvolution(
              input: source, inputChannels: 2 * groups, outputChannels: 4, window: window,
              groups: groups, weights: weights, bias: bias))))
    }
    let file = try network.file()
    let model = try ReadModel(ONNXModel.encode(file))
    let values = file.floats(of: weights)
    func weight(_ row: Int, _ i: Int, _ o: Int) -> Float { values[(row * 2 + i) * 4 + o] }
    func expect(_ name: String, _ shape: [Int], _ weight: (_ place: [Int]) -> Float) throws {
      let tensor = try #require(model.tensors[name])
      expectEqual(tensor.shape, shape)
      for place in 0..<16 {
        let (a, b, row) = (place / 2 / shape[1], place / 2 % shape[1], place % 2)
        expectEqual(tensor.values[place], weight([a, b, row]))
      }
    }
    try expect("tensor0", [4, 2, 2, 1]) { weight($0[2], $0[1], $0[0]) }
    try expect("tensor0.transposed1", [2, 4, 2, 1]) { weight($0[2], $0[0], $0[1]) }
    try expect("tensor0.transposed2", [4, 2, 2, 1]) {
      weight($0[2], $0[0] % 2, $0[0] / 2 * 2 + $0[1])
    }
    expectEqual(model.tensors["tensor1"]?.shape, [4])
    expectEqual(model.tensors["tensor1.channels"]?.shape, [4, 1, 1])
    expectEqual(model.tensors["tensor1"]?.values, model.tensors["tensor1.channels"]?.values)
    expectEqual(model.tensors.count, 7)
  }

  @Test func constantsLieAsValuesDo() throws {
    var network = CaseNetwork(seed: 0)
    let constant = network.constant(2, 3, 4)
    network.output(
      network.add(.elementwise(Layer.Elementwise(.addition, network.input(2, 3, 4), constant))))
    let file = try network.file()
    let values = file.floats(of: 0)
    let tensor = try #require(
      try ReadModel(ONNXModel.encode(file)).tensors["tensor0.value"])
    expectEqual(tensor.shape, [1, 4, 2, 3])
    for place in 0..<24 {
      let (channel, pixel) = (place / 6, place % 6)
      expectEqual(tensor.values[place], values[pixel * 4 + channel])
    }
  }

  @Test func theLimitIsKeptToTheByte() throws {
    let file = try everything()
    let bytes = try ONNXModel.encode(file)
    try expectEqual(ONNXModel.encode(file, byteCountLimit: bytes.count), bytes)
    let error = ONNXExportError.modelTooLarge(byteCount: bytes.count, limit: bytes.count - 1)
    #expect(throws: error) { try ONNXModel.encode(file, byteCountLimit: bytes.count - 1) }
    #expect("\(error)".contains("\(bytes.count)"))
  }
}
