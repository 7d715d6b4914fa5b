import DiceModelImport
import DiceWeights
import TestSupport
import Testing

/// Core ML models as Create ML writes classifiers of actions, activities and sounds.
struct CoreMLClassifierTests {
  /// A model with one array in exact shapes, and its layers: fields, operands, parameters.
  private static func exact(
    _ shape: [Int], _ layers: [(UInt64, [String], String, [UInt8])]
  ) -> [UInt8] {
    CoreMLFile.model(
      version: 4, inputs: [CoreMLFile.array("x", shape)],
      outputs: [CoreMLFile.array(layers[layers.count - 1].2, [])],
      content: CoreMLFile.network(
        layers.map { CoreMLFile.layer($0.0, $0.1, [$0.2], $0.3) }, Message.integer(5, 1)))
  }

  private static func constant(_ shape: [Int], _ numbers: [Float]) -> [UInt8] {
    shape.flatMap { Message.integer(1, $0) } + Message.bytes(2, CoreMLFile.floats(numbers))
  }

  private static func imported(_ bytes: [UInt8]) throws -> ImportedModel {
    try ModelImporter.importCoreML(bytes)
  }

  // MARK: Shapes

  /// The end of a classifier of actions: the first extent of a shape, and -1 for the others.
  @Test(arguments: [[], [1]])
  func aMatrixAndAVectorAreJoinedWithAxesInFront(place: [Int]) throws {
    let bytes = Self.exact(
      [1, 3, 1, 1],
      [
        (1070, [], "place", Self.constant(place, [0])),
        (1065, ["x"], "shape", []),
        (930, ["shape", "place"], "count", []),
        (1125, ["count"], "counts", Message.integer(1, 0)),
        (1070, [], "rest", Self.constant([1], [-1])),
        (980, ["counts", "rest"], "target", []),
        (1145, ["x", "target"], "flat", []),
        (175, ["flat"], "y", []),
      ])
    let model = try Self.imported(bytes)
    expectEqual(model.outputs[0].shape, [1, 3])
    // exp(0), exp(1) and exp(2) over their sum.
    let found = try run(model, [[0, 1, 2]])[0]
    #expect(difference(found, [0.090030573, 0.244728471, 0.665240956]) < 1e-6)
  }

  @Test func computedTensorsOfOtherRanksAreJoinedToo() throws {
    // [2, 3] with [3] below, which is [1, 3].
    let below = Self.exact(
      [2, 3],
      [
        (1070, [], "c", Self.constant([3], [7, 8, 9])),
        (980, ["x", "c"], "y", []),
      ])
    let model = try Self.imported(below)
    expectEqual(model.outputs[0].shape, [3, 3])
    try expectEqual(run(model, [[1, 2, 3, 4, 5, 6]])[0], [1, 2, 3, 4, 5, 6, 7, 8, 9])
    // The axis counts in the tensor with the most axes, wherever that stands.
    let behind = Self.exact(
      [1, 2],
      [
        (1070, [], "c", Self.constant([3], [7, 8, 9])),
        (980, ["c", "x"], "y", Message.integer(1, 1)),
      ])
    try expectEqual(run(Self.imported(behind), [[1, 2]])[0], [7, 8, 9, 1, 2])
  }

  @Test func joinsThatDoNotFitAreRefused() throws {
    for (shape, axis, isInterleaved, rule) in [
      // [1, 2] beside [3, 2] along the last axis.
      ([3, 2], 1, 0, "Tensors of different shapes are concatenated."),
      // An axis that no tensor has.
      ([3, 2], 2, 0, "Axis 2 is none of a tensor with 2."),
      ([3, 2], -3, 0, "Axis -3 is none of a tensor with 2."),
      // Interleaved tensors have one shape.
      ([3, 2], 0, 1, "Tensors of different shapes are stacked."),
      ([3, 2], 1, 1, "Axis 1 is none of a tensor with 1."),
    ] {
      let parameters = Message.integer(1, axis) + Message.integer(2, isInterleaved)
      let bytes = Self.exact(
        shape,
        [
          (1070, [], "c", Self.constant([2], [7, 8])),
          (980, ["c", "x"], "y", parameters),
        ])
      #expect(throws: ModelImportError.invalid(place: "y", rule: rule)) {
        try Self.imported(bytes)
      }
    }
    let none = Self.exact([2], [(980, [], "y", [])])
    #expect(throws: ModelImportError.self) { try Self.imported(none) }
  }

  @Test func channelsAreTheLastAxisOfVectorsAndMatrices() throws {
    let halves: [Float] = [0.5, 0.5]
    // exp(0) and exp(ln 3) over their sum.
    let quarters: [Float] = [0.25, 0.75]
    let third: Float = 1.0986123
    for (shape, numbers, right) in [
      ([2], [0, third], quarters), ([2, 2], [1, 1, 0, third], halves + quarters),
      // Behind, the third axis from the end.
      ([2, 1, 2], [1, 0, 1, third], [0.5, 0.25, 0.5, 0.75]),
    ] {
      let model = try Self.imported(Self.exact(shape, [(175, ["x"], "y", [])]))
      expectEqual(model.outputs[0].shape, shape)
      #expect(difference(try run(model, [numbers])[0], right) < 1e-6, "\(shape)")
    }
  }

  // MARK: Activities

  /// The same numbers for whoever computes them again: from -0.8 to 0.8.
  private static func weights(_ seed: Int, _ count: Int) -> [Float] {
    (0..<count).map { Float(($0 * 37 + seed * 11) % 17 - 8) / 10 }
  }

  private static func optionalArray(_ name: String, _ shape: [Int], _ other: [UInt8]) -> [UInt8] {
    let extents = shape.flatMap { Message.integer(1, $0) }
    return Message.text(1, name)
      + Message.bytes(
        3, Message.bytes(5, extents + Message.integer(2, 65600) + other) + Message.integer(1000, 1))
  }

  /// A classifier of activities as Turi Create and Create ML lay it out: two features of three samples, four
  /// filters, a memory of two units, three classes.
  private static func activities(_ defaultNumber: [UInt8] = []) -> [UInt8] {
    func numbers(_ field: UInt64, _ seed: Int, _ count: Int) -> [UInt8] {
      Message.bytes(field, CoreMLFile.floats(weights(seed, count)))
    }
    let convolution =
      Message.integer(1, 4) + Message.integer(2, 2) + Message.integer(10, 1)
      + Message.bytes(20, [1, 3]) + Message.bytes(30, [1, 3]) + Message.bytes(50, [])
      + Message.integer(70, 1) + numbers(90, 1, 24) + numbers(91, 2, 4)
    func slice(_ start: Int, _ end: Int) -> [UInt8] {
      Message.integer(1, start) + Message.integer(2, end) + Message.integer(3, 1)
    }
    var gates: [UInt8] = []
    for gate in 0..<4 {
      gates += numbers(1 + UInt64(gate), 10 + gate, 8)
      gates += numbers(20 + UInt64(gate), 20 + gate, 4)
      gates += numbers(40 + UInt64(gate), 30 + gate, 2)
    }
    let functions = [40, 30, 30].flatMap { Message.bytes(10, Message.bytes($0, [])) }
    let memory =
      Message.integer(1, 4) + Message.integer(2, 2) + functions
      + Message.bytes(15, Message.integer(20, 1) + Message.float(60, 50_000))
      + Message.bytes(20, gates)
    func dense(_ inputs: Int, _ outputs: Int, _ seeds: (Int, Int)) -> [UInt8] {
      Message.integer(1, inputs) + Message.integer(2, outputs) + Message.integer(10, 1)
        + numbers(20, seeds.0, inputs * outputs) + numbers(21, seeds.1, outputs)
    }
    let variances = weights(8, 3).map { abs($0) + 0.5 }
    let normalization =
      Message.integer(1, 3) + Message.float(10, 1e-3) + numbers(15, 5, 3) + numbers(16, 6, 3)
      + numbers(17, 7, 3) + Message.bytes(18, CoreMLFile.floats(variances))
    let negation = Message.bytes(5, Message.float(1, -1))
    let layers: [(UInt64, [String], [String], [UInt8])] = [
      (320, ["x", "y"], ["features"], []),
      (300, ["features"], ["reshape"], Message.bytes(1, [1, 2, 1, 3])),
      (100, ["reshape"], ["conv"], convolution),
      (130, ["conv"], ["relu1"], Message.bytes(10, [])),
      (350, ["stateIn"], ["hiddenIn"], slice(0, 2)),
      (350, ["stateIn"], ["cellIn"], slice(2, 4)),
      (420, ["relu1", "hiddenIn", "cellIn"], ["lstm", "hiddenOut", "cellOut"], memory),
      (320, ["hiddenOut", "cellOut"], ["stateOut"], []),
      (140, ["lstm"], ["dense0"], dense(2, 3, (3, 4))),
      (160, ["dense0"], ["bn"], normalization),
      (130, ["bn"], ["above"], Message.bytes(10, [])),
      (130, ["above"], ["negative"], negation),
      (220, ["negative"], ["limited"], Message.integer(1, 7) + Message.float(2, -6)),
      (130, ["limited"], ["relu6"], negation),
      (140, ["relu6"], ["dense1"], dense(3, 3, (9, 40))),
      (175, ["dense1"], ["activityProbability"], []),
    ]
    let labels = ["sit", "walk", "run"].flatMap { Message.text(1, $0) }
    return CoreMLFile.model(
      inputs: [
        CoreMLFile.array("x", [3]), CoreMLFile.array("y", [3]),
        optionalArray("stateIn", [4], defaultNumber),
      ],
      outputs: [
        CoreMLFile.feature("activityProbability", kind: 6),
        CoreMLFile.feature("activity", kind: 3), CoreMLFile.array("stateOut", [4]),
      ],
      kind: 403,
      content: CoreMLFile.network(
        layers.map { CoreMLFile.layer($0.0, $0.1, $0.2, $0.3) },
        Message.bytes(100, labels) + Message.text(200, "activityProbability")),
      description: Message.text(11, "activity") + Message.text(12, "activityProbability"))
  }

  private static let samples: [[Float]] = [[0.5, -1, 2], [1, 0.25, -0.5]]

  /// The right numbers are those of NumPy.
  @Test func aClassifierOfActivitiesHandsItsStateOn() throws {
    let model = try Self.imported(Self.activities())
    expectEqual(model.inputs.map { $0.name }, ["x", "y", "stateIn"])
    expectEqual(model.inputs.map { $0.shape }, [[3], [3], [4]])
    expectEqual(model.outputs.map { $0.name }, ["activityProbability", "stateOut"])
    expectEqual(model.outputs.map { $0.shape }, [[3], [4]])
    expectEqual(model.description.outputs[0].head?.labels, ["sit", "walk", "run"])
    let first = try run(model, Self.samples + [[0, 0, 0, 0]])
    #expect(difference(first[0], [0.66661778, 0.09607597, 0.23730626]) < 1e-6)
    #expect(difference(first[1], [0.06183814, 0.12967058, 0.12065723, 0.24064153]) < 1e-6)
    let second = try run(model, Self.samples + [first[1]])
    #expect(difference(second[0], [0.66697578, 0.09534905, 0.23767517]) < 1e-6)
    #expect(difference(second[1], [0.07462051, 0.18908752, 0.14941484, 0.36572854]) < 1e-6)
  }

  @Test func optionalInputsAreNamedWithTheirDefaults() throws {
    for (number, text) in [
      ([], "0"), (Message.float(51, 0.25), "0.25"), (Message.integer(41, -3), "-3.0"),
      (CoreMLFile.double(61, 1.5), "1.5"),
    ] {
      let notes = try Self.imported(Self.activities(number)).report.notes
      expectEqual(
        notes, ["The input stateIn is optional in the model: without it, it is \(text)."])
    }
  }

  @Test func inputsMayBeFixed() throws {
    let options = ImportOptions(inputValues: ["stateIn": [0.25]])
    let model = try ModelImporter.importCoreML(Self.activities(), options: options)
    expectEqual(model.inputs.map { $0.name }, ["x", "y"])
    expectEqual(
      model.report.notes, ["The input stateIn is 0.25, 0.25, 0.25, 0.25 in this network."])
    let found = try run(model, Self.samples)
    #expect(difference(found[0], [0.66691829, 0.09546601, 0.23761571]) < 1e-6)
    #expect(difference(found[1], [0.08821831, 0.20038098, 0.17300481, 0.40797094]) < 1e-6)
    for (values, error) in [
      (["state": [0]], ModelImportError.unknownInput(name: "state", known: ["x", "y", "stateIn"])),
      (
        ["stateIn": [1, 2]],
        .invalid(place: "stateIn", rule: "It is given 2 numbers and has 4 positions.")
      ),
      (["stateIn": [.infinity]], .invalid(place: "stateIn", rule: "It takes finite numbers.")),
    ] {
      #expect(throws: error) {
        try ModelImporter.importCoreML(
          Self.activities(), options: ImportOptions(inputValues: values))
      }
    }
    // One of an extent that no file could fill, and a picture.
    let large = CoreMLFile.model(
      inputs: [CoreMLFile.array("x", [1 << 28, 1 << 28, 1 << 28])],
      outputs: [CoreMLFile.array("y", [])],
      content: CoreMLFile.network([CoreMLFile.layer(600, ["x"], ["y"])]))
    let picture = CoreMLFile.model(
      inputs: [CoreMLFile.picture("x", height: 1, width: 2)], outputs: [CoreMLFile.array("y", [])],
      content: CoreMLFile.network([CoreMLFile.layer(600, ["x"], ["y"])]))
    for bytes in [large, picture] {
      #expect(throws: ModelImportError.self) {
        try ModelImporter.importCoreML(bytes, options: ImportOptions(inputValues: ["x": [1]]))
      }
    }
  }

  // MARK: Sounds

  private static func rows(_ rows: [[Double]]) -> [UInt8] {
    rows.flatMap { (row) in
      Message.bytes(1, Message.bytes(1, row.flatMap { CoreMLFile.little($0) }))
    }
  }

  /// A linear classifier of three numbers.
  private static func linear(
    _ weights: [[Double]], _ offsets: [Double], labels: [String], transform: Int = 0,
    encoding: Int = 0, inputs: [[UInt8]] = [CoreMLFile.array("x", [3])]
  ) -> [UInt8] {
    let names = labels.flatMap { Message.text(1, $0) }
    return CoreMLFile.model(
      inputs: inputs,
      outputs: [CoreMLFile.feature("label", kind: 3), CoreMLFile.feature("p", kind: 6)],
      kind: 400,
      content: rows(weights) + Message.bytes(2, offsets.flatMap { CoreMLFile.little($0) })
        + Message.integer(3, transform) + Message.integer(4, encoding)
        + (labels.isEmpty ? [] : Message.bytes(100, names)),
      description: Message.text(11, "label") + Message.text(12, "p"))
  }

  private static let matrix = [[0.2, 0.1, -0.4], [-0.3, 0.25, 0.5], [0.6, -0.2, 0.1]]
  private static let offsets = [0.1, -0.2, 0.3]

  /// The right numbers are those of NumPy.
  @Test func aLinearClassifierHasItsEncodings() throws {
    for (count, first, transform, encoding, right) in [
      (3, 0, 0, 0, [0.16039445, 0.1451309, 0.07576498, 0.61870967]),
      (3, 0, 0, 1, [0.29876054, 0.20177799, 0.49946147]),
      (1, 0, 0, 0, [0.52497918747894, 0.47502081252106]),
      (1, 0, 0, 1, [0.52497918747894, 0.47502081252106]),
      (1, 2, 1, 0, [0.08850799143740207, 0.9114920085625979]),
    ] as [(Int, Int, Int, Int, [Float])] {
      let labels = (0..<right.count).map { "class \($0)" }
      let model = try Self.imported(
        Self.linear(
          Array(Self.matrix[first..<first + count]), Array(Self.offsets[first..<first + count]),
          labels: labels, transform: transform, encoding: encoding))
      expectEqual(model.outputs.map { $0.name }, ["p"])
      expectEqual(model.description.outputs[0].head?.labels, labels)
      #expect(difference(try run(model, [[1, -2, 0.5]])[0], right) < 1e-6, "\(right)")
    }
    // The numbers of several inputs follow each other.
    let parts = try Self.imported(
      Self.linear(
        Self.matrix, Self.offsets, labels: [],
        inputs: [
          CoreMLFile.array("a", [2]), CoreMLFile.feature("b", kind: 2),
        ]))
    expectEqual(parts.description.outputs[0].head, nil)
    #expect(
      difference(
        try run(parts, [[1, -2], [0.5]])[0], [0.16039445, 0.1451309, 0.07576498, 0.61870967])
        < 1e-6)
  }

  @Test func brokenLinearClassifiersAreRefused() {
    let two = ["a", "b"]
    for (bytes, rule) in [
      (Self.linear([], [], labels: two), "Its weights are not rows of one length."),
      (Self.linear([[]], [0], labels: two), "Its weights are not rows of one length."),
      (
        Self.linear([[1, 2, 3], [1]], [0, 0], labels: two),
        "Its weights are not rows of one length."
      ),
      (Self.linear([[1, 2, 3]], [], labels: two), "It has 1 rows of weights, 0 offsets."),
      (Self.linear([[1, 2, 3]], [0], labels: ["a"]), "It has 1 labels for 2 classes."),
      (
        Self.linear(Self.matrix, Self.offsets, labels: two, encoding: 1),
        "It has 2 labels for 3 classes."
      ),
      (
        Self.linear(Self.matrix, Self.offsets, labels: [], transform: 1),
        "Its probit has more than two classes."
      ),
      (
        Self.linear([[1, 2, 3]], [0], labels: two, encoding: 2),
        "Its transform is 0, its encoding 2."
      ),
      (
        Self.linear([[1, 2]], [0], labels: two), "Its rows have 2 weights for 3 numbers."
      ),
    ] {
      #expect(
        throws: ModelImportError.invalid(place: "The linear classifier", rule: rule)
      ) { try Self.imported(bytes) }
    }
    #expect(throws: ModelImportError.self) {
      try Self.imported(Self.linear([[1e300, 2, 3]], [0], labels: two))
    }
  }

  /// A model that computes the spectrogram of `x`.
  private static func preprocessing(
    samples: Int = 15_600, kind: UInt64 = 2003, content: [UInt8] = Message.bytes(20, [])
  ) -> [UInt8] {
    CoreMLFile.model(
      version: 4, inputs: [CoreMLFile.array("x", [samples])],
      outputs: [CoreMLFile.array("spectrogram", [1, 96, 64])], kind: kind, content: content)
  }

  private static let sound = (0..<15_600).map { Float($0 * $0 % 97 - 48) / 96 * 0.5 }

  /// The right numbers are those of NumPy's `rfft` and the format's formulas.
  @Test func soundBecomesASpectrogram() throws {
    let custom = Message.text(10, "TCSoundClassifierPreprocessing")
    for bytes in [Self.preprocessing(), Self.preprocessing(kind: 555, content: custom)] {
      let model = try Self.imported(bytes)
      expectEqual(model.inputs.map { $0.shape }, [[15_600]])
      expectEqual(model.outputs.map { $0.shape }, [[1, 96, 64]])
      let found = try run(model, [Self.sound])[0]
      for (frame, band, right) in [
        (0, 0, 1.9115529), (0, 1, 1.7899454), (0, 63, 2.3550122), (1, 5, 1.5680231),
        (47, 31, 0.4560828), (95, 0, 1.9142762), (95, 20, -0.0680878), (95, 63, 2.3535593),
      ] as [(Int, Int, Float)] {
        #expect(abs(found[frame * 64 + band] - right) < 1e-4, "frame \(frame), band \(band)")
      }
      #expect(abs(found.reduce(0, +) / 6144 - 1.2307988) < 1e-4)
      // Silence: the logarithm of 0.01.
      let silence = try run(model, [[Float](repeating: 0, count: 15_600)])[0]
      #expect(silence.allSatisfy { abs($0 + 4.6051702) < 1e-5 })
    }
  }

  /// A spectrogram, a network that takes means of it, and a linear classifier, as Create ML lays them out.
  @Test func aClassifierOfSoundsIsAPipeline() throws {
    let network = CoreMLFile.model(
      version: 4, inputs: [CoreMLFile.array("spectrogram", [1, 96, 64])],
      outputs: [CoreMLFile.array("features", [1])],
      content: CoreMLFile.network([
        CoreMLFile.layer(
          120, ["spectrogram"], ["features"], Message.integer(1, 1) + Message.integer(60, 1))
      ]))
    let classifier = Self.linear(
      [[1]], [-1.2307988], labels: ["silence", "noise"],
      inputs: [CoreMLFile.array("features", [1])])
    let models = [Self.preprocessing(), network, classifier].flatMap { Message.bytes(1, $0) }
    let bytes = CoreMLFile.model(
      version: 4, inputs: [CoreMLFile.array("x", [15_600])],
      outputs: [CoreMLFile.feature("label", kind: 3), CoreMLFile.feature("p", kind: 6)],
      kind: 200, content: Message.bytes(1, models),
      description: Message.text(11, "label") + Message.text(12, "p"))
    let model = try Self.imported(bytes)
    expectEqual(model.outputs.map { $0.name }, ["p"])
    expectEqual(model.description.outputs[0].head?.labels, ["silence", "noise"])
    #expect(model.description.provenance.contains(ProvenanceEntry(key: "label", value: "label")))
    // The mean is the offset, so that the sum is 0; in silence it is -4.6051702 less the offset.
    #expect(difference(try run(model, [Self.sound])[0], [0.5, 0.5]) < 1e-4)
    let silence = try run(model, [[Float](repeating: 0, count: 15_600)])[0]
    #expect(difference(silence, [0.99708791, 0.00291209]) < 1e-5)
  }

  @Test func whatIsNotInTheFileIsNamed() throws {
    func reasons(_ bytes: [UInt8]) -> [String] {
      do throws(ModelImportError) {
        _ = try ModelImporter.importCoreML(bytes)
        return []
      } catch {
        guard case .unsupported(let operations) = error else { return ["\(error)"] }
        return operations.map { "\($0.name): \($0.reason)" }
      }
    }
    let features = CoreMLFile.model(inputs: [], outputs: [], kind: 2006, content: [])
    let pipeline = CoreMLFile.model(
      inputs: [], outputs: [], kind: 200,
      content: Message.bytes(
        1, Message.bytes(1, features) + Message.bytes(1, Self.linear([], [], labels: []))))
    for bytes in [features, pipeline] {
      expectEqual(
        reasons(bytes),
        [
          "audioFeaturePrint: the network is part of Apple's systems and not in the file; train in "
            + "Create ML with the feature extractor VGGish"
        ])
    }
    expectEqual(
      reasons(Self.preprocessing(content: [])),
      [
        "soundAnalysisPreprocessing: the features are computed by Apple's systems, and the file does "
          + "not say that they are those of VGGish"
      ])
    expectEqual(
      reasons(Self.preprocessing(kind: 555, content: Message.text(10, "Mine"))),
      [
        "customModel: its code, the class Mine, is not in the file"
      ])
    expectEqual(
      reasons(Self.preprocessing(samples: 16_000)),
      ["x: Its samples have the shape [16000]; it reads 15600."])
    let none = CoreMLFile.model(
      inputs: [], outputs: [], kind: 2003, content: Message.bytes(20, []))
    expectEqual(
      reasons(none), ["The preprocessing of sound: It must have one input and one output."])
  }

  // MARK: Hostile files

  @Test func damagedClassifiersAreRefusedOrRead() throws {
    let small = Self.linear([[1, 2, 3]], [0], labels: ["a", "b"])
    for bytes in [small, Self.activities(Message.float(51, 1))] {
      let step = max(1, bytes.count / 400)
      for count in stride(from: 0, to: bytes.count, by: step) {
        _ = try? ModelImporter.importCoreML(Array(bytes[..<count]))
      }
      for place in stride(from: 0, to: bytes.count, by: step) {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(place % 8)
        if let model = try? ModelImporter.importCoreML(damaged) {
          _ = try WeightFile(bytes: model.weightFile())
        }
      }
    }
  }
}
