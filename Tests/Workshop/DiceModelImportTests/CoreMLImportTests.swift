import DiceModelImport
import DiceWeights
import TestSupport
import Testing

struct CoreMLImportTests {
  /// What a model answers to one input.
  private static func answer(_ bytes: [UInt8], _ numbers: [Float]) throws -> [Float] {
    try run(ModelImporter.importCoreML(bytes), [numbers])[0]
  }

  // MARK: Layers

  @Test func samePaddingPutsTheOddRowBelow() throws {
    // A sum over two rows, one column, stride 1.
    let parameters =
      Message.integer(1, 1) + Message.integer(2, 1) + Message.bytes(20, [2, 1])
      + Message.bytes(51, []) + Message.bytes(90, CoreMLFile.floats([1, 1]))
    let model = CoreMLFile.chain([1, 3, 1], [(100, parameters)])
    try expectEqual(Self.answer(model, [1, 2, 4]), [3, 6, 4])
    let topHeavy =
      Message.integer(1, 1) + Message.integer(2, 1) + Message.bytes(20, [2, 1])
      + Message.bytes(51, Message.integer(1, 1)) + Message.bytes(90, CoreMLFile.floats([1, 1]))
    try expectEqual(
      Self.answer(CoreMLFile.chain([1, 3, 1], [(100, topHeavy)]), [1, 2, 4]), [1, 3, 6])
  }

  @Test func fourLayersOfReLU6BecomeOneFunction() throws {
    let negation = Message.bytes(5, Message.float(1, -1))
    let threshold = Message.integer(1, 7) + Message.float(2, -6)
    let bytes = CoreMLFile.chain(
      [3], [(130, Message.bytes(10, [])), (130, negation), (220, threshold), (130, negation)])
    let model = try ModelImporter.importCoreML(bytes)
    expectEqual(model.description.layers.count, 1)
    guard case .activation(let layer) = model.description.layers[0] else {
      Issue.record("it is another layer")
      return
    }
    expectEqual(layer.function, .relu6)
    try expectEqual(run(model, [[-1, 3, 9]])[0], [0, 3, 6])
  }

  @Test func zerosStandForDefaults() throws {
    // A unary's scale 1, a batch normalisation's epsilon 1e-5, a slice's stride 1.
    let absolute = CoreMLFile.chain([2], [(220, Message.integer(1, 6) + Message.float(4, 1))])
    try expectEqual(Self.answer(absolute, [-3, 2]), [2, 3])
    let numbers = [15, 16, 17, 18].flatMap { (field) in
      Message.bytes(field, CoreMLFile.floats([[1], [0], [0], [0]][Int(field) - 15]))
    }
    let normal = CoreMLFile.chain([1, 1, 1], [(160, Message.integer(1, 1) + numbers)])
    let result = try Self.answer(normal, [1])[0]
    #expect(abs(result - 1 / Float(1e-5).squareRoot()) < 1e-2)
    let slice = CoreMLFile.chain([3], [(350, Message.integer(1, 1) + Message.integer(2, 3))])
    try expectEqual(Self.answer(slice, [7, 8, 9]), [8, 9])
  }

  @Test func flattenMayPutChannelsLast() throws {
    let numbers: [Float] = [1, 2, 3, 4]
    let first = CoreMLFile.chain([2, 1, 2], [(301, [])])
    let last = CoreMLFile.chain([2, 1, 2], [(301, Message.integer(1, 1))])
    try expectEqual(Self.answer(first, numbers), [1, 2, 3, 4])
    try expectEqual(Self.answer(last, numbers), [1, 3, 2, 4])
  }

  @Test func bilinearUpsamplingSamplesAtWholeSteps() throws {
    let parameters = Message.bytes(1, [1, 2]) + Message.integer(5, 1)
    let model = CoreMLFile.chain([1, 1, 2], [(210, parameters)])
    try expectEqual(Self.answer(model, [0, 2]), [0, 1, 2, 2])
  }

  @Test func exactShapesAreKept() throws {
    // A transpose of a matrix, in a model of version 4.
    let order = Message.integer(1, 1) + Message.integer(1, 0)
    let bytes = CoreMLFile.chain([2, 3], version: 4, [(985, order)], exact: true)
    let model = try ModelImporter.importCoreML(bytes)
    expectEqual(model.outputs[0].shape, [3, 2])
    try expectEqual(run(model, [[1, 2, 3, 4, 5, 6]])[0], [1, 4, 2, 5, 3, 6])
  }

  // MARK: Weights

  @Test func weightsOfAFewBitsAreReadFromTheHighestBit() throws {
    // 4 bits: 1, 2; scale 0.5, bias 1.
    let linear = CoreMLFile.quantized([0x12], bits: 4, CoreMLFile.linear([0.5], [1]))
    let model = CoreMLFile.chain([1], [(140, CoreMLFile.innerProduct(1, 2, linear))])
    try expectEqual(Self.answer(model, [2]), [3, 4])
    // 3 bits, across bytes: 5, 6, 7 in 101 110 11|1.
    let channels = CoreMLFile.quantized(
      [0b1011_1011, 0b1000_0000], bits: 3, CoreMLFile.linear([1, 10, 100], [0, 0, 1]))
    let wide = CoreMLFile.chain([1], [(140, CoreMLFile.innerProduct(1, 3, channels))])
    try expectEqual(Self.answer(wide, [1]), [5, 60, 701])
  }

  @Test func weightsMayBeEntriesOfATable() throws {
    let table = Message.bytes(102, CoreMLFile.floats([10, 20, 30, 40]))
    let weights = CoreMLFile.quantized([0b1101_1000], bits: 2, table)
    let model = CoreMLFile.chain([1], [(140, CoreMLFile.innerProduct(1, 3, weights))])
    try expectEqual(Self.answer(model, [1]), [40, 20, 30])
    let short = CoreMLFile.quantized(
      [0], bits: 2, Message.bytes(102, CoreMLFile.floats([1, 2, 3])))
    #expect(throws: ModelImportError.self) {
      try ModelImporter.importCoreML(
        CoreMLFile.chain([1], [(140, CoreMLFile.innerProduct(1, 3, short))]))
    }
  }

  @Test func halfPrecisionIsRead() throws {
    // 1.5 and -2.
    let half = Message.bytes(2, [0x00, 0x3E, 0x00, 0xC0])
    let model = CoreMLFile.chain([1], [(140, CoreMLFile.innerProduct(1, 2, half))])
    try expectEqual(Self.answer(model, [2]), [3, -4])
  }

  @Test func tooFewWeightsAreRefused() throws {
    let model = CoreMLFile.chain(
      [2], [(140, CoreMLFile.innerProduct(2, 2, CoreMLFile.floats([1, 2, 3])))])
    #expect(
      throws: ModelImportError.invalid(
        place: "1", rule: "It has 3 weights; its parameters make 4.")
    ) { try ModelImporter.importCoreML(model) }
  }

  // MARK: Inputs and outputs

  @Test func picturesBringTheirScaleAndOrderAlong() throws {
    let scaler =
      Message.float(10, 0.5) + Message.float(20, 1) + Message.float(21, 2) + Message.float(22, 3)
    let preprocessing = Message.bytes(2, Message.text(1, "p") + Message.bytes(10, scaler))
    for (colors, order, biases) in [
      (20, ImageRules.ChannelOrder.rgb, SIMD3<Float>(3, 2, 1)), (30, .bgr, SIMD3(1, 2, 3)),
    ] {
      let bytes = CoreMLFile.model(
        inputs: [CoreMLFile.picture("p", height: 2, width: 4, colors: colors)],
        outputs: [CoreMLFile.array("y", [])],
        content: CoreMLFile.network(
          [CoreMLFile.layer(130, ["p"], ["y"], Message.bytes(10, []))], preprocessing))
      let model = try ModelImporter.importCoreML(bytes)
      let rules = try #require(model.description.inputs[0].imageRules)
      #expect(rules.channelOrder == order && rules.biases == biases)
      expectEqual(rules.scales, SIMD3(repeating: 0.5))
      expectEqual(model.inputs[0].shape, [2, 4, 3])
      expectEqual(model.outputs[0].shape, [3, 2, 4])
    }
  }

  @Test func aClassifiersLabelsMayBeIntegers() throws {
    let labels = Message.bytes(101, Message.bytes(1, [4, 7]))
    let bytes = CoreMLFile.model(
      inputs: [CoreMLFile.array("x", [2])],
      outputs: [CoreMLFile.feature("p", kind: 6), CoreMLFile.feature("label", kind: 1)],
      kind: 403,
      content: CoreMLFile.network(
        [CoreMLFile.layer(175, ["x"], ["inside"])], labels + Message.text(200, "inside")),
      description: Message.text(11, "label") + Message.text(12, "p"))
    let model = try ModelImporter.importCoreML(bytes)
    #expect(model.outputs.map { $0.name } == ["p"] && model.outputs[0].shape == [2])
    let head = try #require(model.description.outputs[0].head)
    #expect(head.kind == "classes" && head.labels == ["4", "7"])
    #expect(
      model.description.provenance.contains(ProvenanceEntry(key: "label", value: "label")))
  }

  @Test func aSuppressionOfBoxesBecomesHeads() throws {
    func text(_ field: UInt64, _ text: String) -> [UInt8] { Message.text(field, text) }
    func double(_ field: UInt64, _ value: Double) -> [UInt8] {
      Message.varint(field << 3 | 1)
        + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
    }
    let network = CoreMLFile.model(
      inputs: [CoreMLFile.picture("image", height: 1, width: 2)],
      outputs: [CoreMLFile.array("s", [2, 3]), CoreMLFile.array("b", [])],
      content: CoreMLFile.network([
        CoreMLFile.layer(310, ["image"], ["s"], Message.bytes(1, [0, 3, 1, 2])),
        CoreMLFile.layer(
          290, [], ["b"],
          Message.bytes(1, [2, 4, 1])
            + Message.bytes(2, CoreMLFile.floats([1, 2, 3, 4, 5, 6, 7, 8]))),
      ]))
    let labels = ["ace", "king", "queen"].flatMap { text(1, $0) }
    let suppression = CoreMLFile.model(
      inputs: [], outputs: [], kind: 610,
      content: Message.bytes(1, Message.integer(1, 1)) + Message.bytes(100, labels)
        + double(110, 0.5) + double(111, 0.25) + text(200, "s") + text(201, "b")
        + text(202, "iou") + text(210, "confidence") + text(211, "coordinates"))
    let bytes = CoreMLFile.model(
      version: 4, inputs: [CoreMLFile.picture("image", height: 1, width: 2)], outputs: [],
      kind: 202, content: Message.bytes(1, network) + Message.bytes(1, suppression))
    let model = try ModelImporter.importCoreML(bytes)
    expectEqual(model.outputs.map { $0.name }, ["s", "b"])
    expectEqual(model.outputs.map { $0.shape }, [[2, 3], [2, 4]])
    let head = try #require(model.description.outputs[0].head)
    #expect(head.kind == "box scores" && head.labels == ["ace", "king", "queen"])
    expectEqual(head.parameters.values(named: "overlap threshold"), [0.5])
    expectEqual(head.parameters.values(named: "confidence threshold"), [0.25])
    expectEqual(head.parameters.values(named: "suppression"), [1])
    expectEqual(model.description.outputs[1].head?.kind, "listed boxes")
    let texts = model.description.provenance.map { "\($0.key): \($0.value)" }
    #expect(texts.contains("result: confidence: class scores, ? x 3"))
    #expect(texts.contains("result: coordinates: boxes, order 0, ? x 4"))
    #expect(texts.contains("threshold: iou: overlap"))
    expectEqual(model.description.inputs[0].imageRules?.cropAndScale, .scaleFill)
  }

  // MARK: Refusals

  @Test func programsAreNamedWithWhatToDo() throws {
    let bytes = CoreMLFile.model(version: 6, inputs: [], outputs: [], kind: 502, content: [])
    #expect {
      try ModelImporter.importCoreML(bytes)
    } throws: { (error) in
      "\(error)".contains("mlProgram") && "\(error)".contains("convert_to=\"neuralnetwork\"")
    }
  }

  @Test func allLayersThatCannotBeCarriedOverAreNamed() throws {
    let bytes = CoreMLFile.model(
      inputs: [CoreMLFile.array("x", [2])], outputs: [CoreMLFile.array("c", [])],
      content: CoreMLFile.network([
        CoreMLFile.layer(605, ["x"], ["a"], name: "first"),
        CoreMLFile.layer(605, ["x"], ["b"], name: "second"),
        CoreMLFile.layer(1461, ["a"], ["c"], name: "third"),
        CoreMLFile.layer(9999, ["x"], ["d"], name: "fourth"),
      ]))
    #expect {
      try ModelImporter.importCoreML(bytes)
    } throws: { (error) in
      guard case .unsupported(let operations)? = error as? ModelImportError else { return false }
      return operations.map { $0.name } == ["branch", "argSort", "layer type 9999"]
        && operations.map { $0.count } == [2, 1, 1]
        && operations.map { $0.place } == ["first", "third", "fourth"]
    }
  }

  // MARK: Hostile files

  @Test func damagedFilesAreRefusedOrRead() throws {
    let parameters =
      Message.integer(1, 1) + Message.integer(2, 1) + Message.bytes(20, [2, 1])
      + Message.bytes(51, []) + Message.bytes(90, CoreMLFile.floats([1, 1]))
    let bytes = CoreMLFile.chain(
      [1, 3, 2], [(100, parameters), (301, []), (175, [])])
    _ = try ModelImporter.importCoreML(bytes)
    for count in 0..<bytes.count {
      _ = try? ModelImporter.importCoreML(Array(bytes[..<count]))
    }
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << bit
        if let model = try? ModelImporter.importCoreML(damaged) {
          _ = try WeightFile(bytes: model.weightFile())
        }
      }
    }
  }

  @Test func pipelinesWithinPipelinesHaveADepth() throws {
    var bytes = CoreMLFile.chain([1], [(600, [])])
    for _ in 0..<80 {
      bytes = CoreMLFile.model(
        inputs: [], outputs: [], kind: 202, content: Message.bytes(1, bytes))
    }
    #expect {
      try ModelImporter.importCoreML(bytes)
    } throws: { (error) in
      guard case .protobuf(.tooDeep)? = error as? ModelImportError else { return false }
      return true
    }
  }
}
