import DiceWeights
import Testing

struct WeightFileWritingTests {
  private static func encode(
    _ weights: [Float], _ storage: WeightStorage
  ) throws -> WeightFile {
    try WeightFile(
      bytes: WeightFile.encode(
        description: Networks.smallest, tensors: [weights, Networks.smallestValues[1]],
        storage: storage))
  }

  @Test func refusesListsThatDoNotFitTheDescription() {
    let values = Networks.smallestValues
    #expect(throws: WeightFileError.valueListCount(found: 1, required: 2)) {
      try WeightFile.encode(
        description: Networks.smallest, tensors: [values[0]], storage: .float32)
    }
    #expect(throws: WeightFileError.storageCount(found: 3, required: 2)) {
      try WeightFile.encode(
        description: Networks.smallest, tensors: values,
        storages: [.float32, .float32, .float32])
    }
    #expect(throws: WeightFileError.valueCount(tensor: 1, found: 5, required: 6)) {
      try WeightFile.encode(
        description: Networks.smallest, tensors: [values[0], Array(values[1].dropLast())],
        storage: .float32)
    }
  }

  @Test(arguments: WeightStorage.allCases, [Float.infinity, -.infinity, .nan])
  func refusesValuesThatAreNotFinite(storage: WeightStorage, value: Float) {
    var weights = Networks.smallestValues[0]
    weights[7] = value
    #expect(throws: WeightFileError.valueNotFinite(tensor: 0, element: 7)) {
      try Self.encode(weights, storage)
    }
  }

  @Test func refusesFiniteValuesThatTheStorageCannotHold() throws {
    var weights = Networks.smallestValues[0]
    weights[3] = 65_519.996
    #expect(try Self.encode(weights, .float16).floats(of: 0)[3] == 65_504)
    weights[3] = -65_520
    #expect(
      throws: WeightFileError.valueTooLarge(
        tensor: 0, element: 3, found: -65_520, storage: .float16)
    ) {
      try Self.encode(weights, .float16)
    }
    weights[3] = Float(bitPattern: 0x7F7F_7FFF)
    #expect(
      try Self.encode(weights, .bfloat16).floats(of: 0)[3] == Float(bitPattern: 0x7F7F_0000))
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
    #expect(read.count == 18)
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
        description: Networks.smallest, tensors: [Networks.smallestValues[0], bias],
        storage: storage)
      #expect(try WeightFile(bytes: bytes).floats(of: 1) == bias)
    }
  }

  @Test func refusesADescriptionThatIsTooLong() throws {
    var description = Networks.smallest
    let text = String(repeating: "x", count: 65_536)
    description.provenance = (0..<63).map { _ in ProvenanceEntry(key: "k", value: text) }
    let bytes = try WeightFile.encode(
      description: description, tensors: Networks.smallestValues, storage: .float32)
    #expect(try WeightFile(bytes: bytes).description == description)
    description.provenance.append(ProvenanceEntry(key: "k", value: text))
    #expect(throws: WeightFileError.self) {
      try WeightFile.encode(
        description: description, tensors: Networks.smallestValues, storage: .float32)
    }
  }

  @Test func writesGreatestCountsThatTheRulesAllow() throws {
    var description = Networks.smallest
    description.labels = (1...1024).map { "class \($0)" }
    description.layers = [
      Networks.convolution(.input, 3, 1029, weights: 0), Networks.head(0, classCount: 1024),
    ]
    for layer in 1..<1023 {
      description.layers.insert(
        .maxPooling(Layer.MaxPooling(input: .layer(layer - 1), size: 1, stride: 1, padding: 0)),
        at: layer)
    }
    description.layers[1023] = Networks.head(1022, classCount: 1024)
    description.provenance = (0..<256).map { ProvenanceEntry(key: "key \($0)", value: "") }
    let values: [[Float]] = [
      (0..<3 * 1029).map { Float($0) }, [Float](repeating: 0.5, count: 1029),
    ]
    let file = try WeightFile(
      bytes: WeightFile.encode(description: description, tensors: values, storage: .float32))
    #expect(file.description == description)
    #expect(file.floats(of: 0) == values[0])
  }
}
