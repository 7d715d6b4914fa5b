import DiceWeights
import TestSupport
import Testing

struct WeightFileWritingTests {
  private static func encode(
    _ weights: [Float], _ storage: WeightStorage
  ) throws -> WeightFile {
    try WeightFile(
      bytes: WeightFile.encode(
        description: Networks.detector, tensors: [weights, Networks.detectorValues[1]],
        storage: storage))
  }

  @Test func refusesListsThatDoNotFitTheDescription() {
    let values = Networks.detectorValues
    #expect(throws: WeightFileError.valueListCount(found: 1, required: 2)) {
      try WeightFile.encode(
        description: Networks.detector, tensors: [values[0]], storage: .float32)
    }
    #expect(throws: WeightFileError.storageCount(found: 3, required: 2)) {
      try WeightFile.encode(
        description: Networks.detector, tensors: values,
        storages: [.float32, .float32, .float32])
    }
    #expect(throws: WeightFileError.valueCount(tensor: 1, found: 5, required: 6)) {
      try WeightFile.encode(
        description: Networks.detector, tensors: [values[0], Array(values[1].dropLast())],
        storage: .float32)
    }
  }

  @Test(arguments: WeightStorage.allCases, [Float.infinity, -.infinity, .nan])
  func refusesValuesThatAreNotFinite(storage: WeightStorage, value: Float) {
    var weights = Networks.detectorValues[0]
    weights[7] = value
    #expect(throws: WeightFileError.valueNotFinite(tensor: 0, element: 7)) {
      try Self.encode(weights, storage)
    }
  }

  @Test func refusesFiniteValuesThatTheStorageCannotHold() throws {
    var weights = Networks.detectorValues[0]
    weights[3] = 65_519.996
    try expectEqual(Self.encode(weights, .float16).floats(of: 0)[3], 65_504)
    weights[3] = -65_520
    #expect(
      throws: WeightFileError.valueTooLarge(
        tensor: 0, element: 3, found: -65_520, storage: .float16)
    ) {
      try Self.encode(weights, .float16)
    }
    weights[3] = Float(bitPattern: 0x7F7F_7FFF)
    try expectEqual(
      Self.encode(weights, .bfloat16).floats(of: 0)[3], Float(bitPattern: 0x7F7F_0000))
    weights[3] = Float(bitPattern: 0x7F7F_8000)
    #expect(
      throws: WeightFileError.valueTooLarge(
        tensor: 0, element: 3, found: weights[3], storage: .bfloat16)
    ) {
      try Self.encode(weights, .bfloat16)
    }
  }

  @Test func quantizesTheWholeRangeOfFloats() throws {
    // One channel each: greatest values, least values, one sign only, zeros, a tie, a mixture.
    let greatest = Float.greatestFiniteMagnitude
    let least = Float.leastNonzeroMagnitude
    let weights: [Float] = [
      greatest, least, -3, 0, 127, 1e-3,
      -greatest, -least, -2, -0.0, 0.5, 1,
      1, 0, -1, 0, 1.5, -0.25,
    ]
    let read = try Self.encode(weights, .int8).floats(of: 0)
    expectEqual(read.count, 18)
    for (element, value) in read.enumerated() {
      let channel = stride(from: element % 6, to: 18, by: 6).map { weights[$0].magnitude }
      // Half a step, and half a unit in the last place of the greatest value for its rounding.
      let step = channel.max()! / 254 + channel.max()! * .ulpOfOne
      #expect((value - weights[element]).magnitude <= max(step, least), "value \(element)")
    }
    #expect(read[10] == 0 && read[16] == 2, "ties go to even")
  }

  @Test func keepsBiasesAsTheyAre() throws {
    let bias: [Float] = [1e-30, -3e38, 0.1, -0.2, 7, 65_536]
    for storage in WeightStorage.allCases {
      let bytes = try WeightFile.encode(
        description: Networks.detector, tensors: [Networks.detectorValues[0], bias],
        storage: storage)
      try expectEqual(WeightFile(bytes: bytes).floats(of: 1), bias)
    }
  }

  @Test func refusesADescriptionThatIsTooLong() throws {
    var description = Networks.detector
    let text = String(repeating: "x", count: 65_536)
    description.provenance = (0..<63).map { _ in ProvenanceEntry(key: "k", value: text) }
    let bytes = try WeightFile.encode(
      description: description, tensors: Networks.detectorValues, storage: .float32)
    try expectEqual(WeightFile(bytes: bytes).description, description)
    description.provenance.append(ProvenanceEntry(key: "k", value: text))
    #expect(throws: WeightFileError.self) {
      try WeightFile.encode(
        description: description, tensors: Networks.detectorValues, storage: .float32)
    }
  }

  @Test func keepsConstantsAndSlopesAsTheyAre() throws {
    let shape = TensorShape(height: 1, width: 2, channels: 3)
    let network = NetworkDescription(
      name: "a", inputs: [NetworkInput(name: "x", shape: shape)],
      layers: [
        .constant(Layer.Constant(tensor: 0, shape: shape)),
        .elementwise(
          Layer.Elementwise(
            .addition, .input(0), .layer(0), activation: .parametricReLU(slopes: 1))),
        .dense(Layer.Dense(input: .layer(1), outputChannels: 1, weights: 2, bias: 3)),
      ],
      outputs: [NetworkOutput(name: "y", layer: 2)])
    let values: [[Float]] = [
      [1e-30, 2, 3, 4, 5, 6], [0.1, 0.2, 0.3], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.7],
    ]
    let file = try WeightFile(
      bytes: WeightFile.encode(description: network, tensors: values, storage: .bfloat16))
    expectEqual(file.tensors.map(\.storage), [.float32, .float32, .bfloat16, .float32])
    #expect(file.floats(of: 0) == values[0] && file.floats(of: 1) == values[1])
  }

  @Test func keepsTheBytesOfTensorsWhereWordsChange() throws {
    let bytes = try Fixtures.bytes("golden/weights/everything.dvweights")
    let file = try WeightFile(bytes: bytes)
    var description = file.description
    description.name = "a longer name than before"
    description.task = ""
    description.outputs[0].head?.labels = ["one", "two"]
    description.profile = [NamedValues("a", [1])]
    description.provenance = []
    let changed = try file.with(description: description)
    #expect(changed.description == description && changed.tensors.count == file.tensors.count)
    for (old, new) in zip(file.tensors, changed.tensors) {
      expectEqual(changed.bytes[new.byteRange], file.bytes[old.byteRange])
      #expect(new.storage == old.storage && new.shape == old.shape)
    }
    try expectEqual(file.with(description: file.description).bytes, bytes)
    description.outputs[0].head?.labels = ["one", "one"]
    #expect(
      throws: WeightFileError.duplicateName(.label(output: 0, index: 1), text: "one")
    ) { try file.with(description: description) }
  }

  @Test func writesGreatestCountsThatTheRulesAllow() throws {
    let number = TensorShape(height: 1, width: 1, channels: 1)
    var network = NetworkDescription(name: "a", inputs: [], layers: [], outputs: [])
    network.inputs = (0..<64).map { NetworkInput(name: "input \($0)", shape: number) }
    network.layers = [.concatenation(Layer.Concatenation(inputs: (0..<64).map { .input($0) }))]
    for layer in 1..<4096 {
      network.layers.append(
        .activation(Layer.Pointwise(input: .layer(layer - 1), function: .relu)))
    }
    network.outputs = (0..<256).map { NetworkOutput(name: "output \($0)", layer: 4095 - $0) }
    network.outputs[0].head = NetworkHead(
      kind: "classes", labels: (0..<65_536).map { "class \($0)" },
      parameters: (0..<256).map { NamedValues("list \($0)", [Float($0)]) })
    network.profile = [NamedValues("long", (0..<65_536).map { Float($0) })]
    network.provenance = (0..<256).map { ProvenanceEntry(key: "key \($0)", value: "") }
    let bytes = try WeightFile.encode(description: network, tensors: [], storage: .float32)
    try expectEqual(WeightFile(bytes: bytes).description, network)
  }
}
