import DiceDetectorHeads
import DiceGeometry
import DiceWeights
import TestSupport
import Testing

/// Heads as weight files state them.
struct DetectorHeadsTests {
  /// A network whose outputs are constants of these shapes with these heads.
  private static func heads(
    _ outputs: [(TensorShape, NetworkHead?)], input: TensorShape = [96, 128, 3]
  ) throws -> DetectorHeads {
    let network = NetworkDescription(
      name: "test", inputs: [NetworkInput(name: "image", shape: input)],
      layers: outputs.enumerated().map { (index, output) in
        .constant(Layer.Constant(tensor: index, shape: output.0))
      } + [Layer.activation(Layer.Pointwise(input: .input(0), function: .relu))],
      outputs: outputs.enumerated().map { (index, output) in
        NetworkOutput(name: "out\(index)", layer: index, head: output.1)
      } + [NetworkOutput(name: "rest", layer: outputs.count)])
    return try DetectorHeads(network, shapes: network.validated())
  }

  private static func head(
    _ kind: DetectorHeadKind, _ parameters: [String: [Float]] = [:], labels: [String] = ["a", "b"]
  ) -> NetworkHead {
    NetworkHead(
      kind: kind.rawValue, labels: labels,
      parameters: parameters.sorted { $0.key < $1.key }.map { NamedValues($0.key, $0.value) })
  }

  @Test func everyKindIsRead() throws {
    let anchors: [Float] = [10, 20, 30, 40]
    try expectEqual(
      Self.heads([
        ([3, 4, 14], Self.head(.darknetYOLO, ["anchors": anchors, "scale": [1.05]]))
      ]).heads,
      [
        .anchorGrid(
          AnchorGridHead(
            anchors: [[10, 20], [30, 40]], classCount: 2, offset: .sigmoid(scale: 1.05),
            sizeFactor: .exponential, objectness: .sigmoid, scores: .sigmoid), output: 0)
      ])
    try expectEqual(
      Self.heads([
        ([3, 4, 14], Self.head(.darknetRegion, ["anchors": anchors])),
        ([6, 8, 7], Self.head(.gridBoxes, ["base size": [24]])),
      ]).heads.count, 2)
    let three = try Self.heads([
      (
        [12 * 16 + 6 * 8 + 3 * 4, 1, 2 + 32],
        Self.head(
          .distanceGrid,
          ["bins": [8], "strides": [8, 16, 32], "scores first": [1], "activation": [0]])
      )
    ])
    #expect(three.labels == ["a", "b"] && three.rule == SuppressionRule())
    try expectEqual(
      Self.heads([([3, 4, 7], Self.head(.centerGrid))]).rule.competition, .acrossClasses)
    try expectEqual(
      Self.heads([([9, 1, 6], Self.head(.detectionRows))]).rule.competition, .none)
    let rows = try Self.heads([
      (
        [9, 1, 6],
        Self.head(
          .boxRows, ["confidence threshold": [0.5], "overlap threshold": [0.7], "suppression": [0]])
      )
    ])
    expectEqual(
      rows.rule,
      SuppressionRule(
        competition: .acrossClasses, overlapThreshold: 0.7, confidenceThreshold: 0.5))
    let lists = try Self.heads([
      ([9, 1, 3], Self.head(.boxScores, ["background": [1]])),
      (
        [9, 1, 4],
        Self.head(.listedBoxes, ["offset scales": [10, 10, 5, 5], "order": [3]], labels: [])
      ),
      ([9, 1, 4], Self.head(.defaultBoxes, labels: [])),
    ])
    expectEqual(lists.heads.first?.outputs, [1, 0, 2])
    // Classes without names are numbers.
    try expectEqual(
      Self.heads([([9, 1, 7], Self.head(.boxRows, ["classes": [3]], labels: []))]).labels,
      ["0", "1", "2"])
  }

  @Test func whatDoesNotFitIsRefused() throws {
    typealias Fault = DetectorHeadError
    #expect(throws: Fault.noHead) { try Self.heads([([1, 1, 4], nil)]) }
    #expect(throws: Fault.noPicture) {
      try Self.heads([([9, 1, 6], Self.head(.boxRows))], input: [1, 1, 5])
    }
    #expect(throws: Fault.unknownKind(output: "out0", kind: "boxes")) {
      try Self.heads([([1, 1, 4], NetworkHead(kind: "boxes"))])
    }
    #expect(throws: Fault.labels(output: "out0")) {
      try Self.heads([([9, 1, 6], Self.head(.boxRows, labels: []))])
    }
    #expect(throws: Fault.labels(output: "out1")) {
      try Self.heads([
        ([9, 1, 6], Self.head(.boxRows)), ([9, 1, 6], Self.head(.boxRows, labels: ["b", "a"])),
      ])
    }
    #expect(throws: Fault.channelCount(output: "out0", found: 7, required: 6)) {
      try Self.heads([([9, 1, 7], Self.head(.boxRows))])
    }
    #expect(throws: Fault.placeCount(output: "out0", found: 9, required: 192)) {
      try Self.heads([([9, 1, 66], Self.head(.distanceGrid, ["strides": [8]]))])
    }
    // Strides so small that the cells of an input cannot be counted.
    #expect(throws: Fault.placeCount(output: "out0", found: 9, required: .max)) {
      try Self.heads([([9, 1, 66], Self.head(.distanceGrid, ["strides": [1e-30]]))])
    }
    for anchors: [Float] in [[], [1], [1, 2, 3], [0, 1], [-1, 2]] {
      let head = Self.head(.darknetYOLO, anchors.isEmpty ? [:] : ["anchors": anchors])
      #expect(throws: Fault.self) { try Self.heads([([3, 4, 7], head)]) }
    }
    #expect(
      throws: Fault.parameter(
        output: "out0", name: "overlap threshold", rule: "one number in 0.0...1.0")
    ) {
      try Self.heads([([9, 1, 6], Self.head(.boxRows, ["overlap threshold": [1.5]]))])
    }
    #expect(
      throws: Fault.parameter(output: "out0", name: "order", rule: "one whole number in 0...4")
    ) {
      try Self.heads([([9, 1, 6], Self.head(.boxRows, ["order": [5]]))])
    }
    #expect(throws: Fault.missingOutput(kind: "listed boxes", needed: "box scores")) {
      try Self.heads([([9, 1, 4], Self.head(.listedBoxes))])
    }
    #expect(throws: Fault.missingOutput(kind: "box scores", needed: "listed boxes")) {
      try Self.heads([([9, 1, 2], Self.head(.boxScores))])
    }
    #expect(throws: Fault.boxCounts(boxes: 9, other: "out1", found: 8)) {
      try Self.heads([
        ([9, 1, 4], Self.head(.listedBoxes)), ([8, 1, 2], Self.head(.boxScores)),
      ])
    }
    #expect(throws: Fault.repeated(kind: "box scores")) {
      try Self.heads([
        ([9, 1, 2], Self.head(.boxScores)), ([9, 1, 2], Self.head(.boxScores)),
      ])
    }
    #expect(throws: Fault.missingOutput(kind: "listed boxes", needed: "default boxes")) {
      try Self.heads([
        ([9, 1, 4], Self.head(.listedBoxes, ["offset scales": [1, 1, 1, 1]])),
        ([9, 1, 2], Self.head(.boxScores)),
      ])
    }
  }

  @Test func brokenNumbersGiveNoBoxes() throws {
    let rows: [[Float]] = [
      [50, 50, 20, 20, 0.9, 0.1], [.nan, 50, 20, 20, 0.9, 0.1], [50, 50, 20, 20, .nan, 0.9],
      [50, 50, .infinity, 20, 0.9, 0.1], [50, 50, -20, 20, 0.9, 0.1], [50, 50, 20, 0, 0.9, 0.1],
      [50, 50, 20, 20, 0.2, 0.1],
    ]
    var found: [BoxCandidate] = []
    BoxRowsHead(hasObjectness: false, classCount: 2).append(
      HeadValues(rows: 7, columns: 1, channels: 6, numbers: Array(rows.joined())),
      HeadInputSize(width: 100, height: 100), threshold: 0.25, output: 0, to: &found)
    expectEqual(found.map { $0.place }, [0])
    found = []
    DetectionRowsHead(classCount: 2).append(
      HeadValues(
        rows: 4, columns: 1, channels: 6,
        numbers: [
          1, 2, 3, 5, 0.9, 1, 1, 2, 3, 5, 0.9, 2, 1, 2, 3, 5, 0.9, -1, 1, 2, 3, 5, 0.9, .nan,
        ]), HeadInputSize(width: 100, height: 100), threshold: 0.25, output: 0, to: &found)
    expectEqual(found.map { $0.classIndex }, [1])
    expectEqual(found[0].boundingBox, BoundingBox(x: 1, y: 2, width: 2, height: 3))
  }

  @Test func suppressionIsTheModels() {
    func candidate(_ x: Double, _ classIndex: Int, _ confidence: Float) -> BoxCandidate {
      BoxCandidate(
        boundingBox: BoundingBox(x: x, y: 0, width: 10, height: 10), classIndex: classIndex,
        confidence: confidence)
    }
    let all = [candidate(0, 0, 0.5), candidate(1, 0, 0.9), candidate(1, 1, 0.7)]
    var workspace = NonMaximumSuppression.Workspace()
    for (competition, kept) in [
      (SuppressionRule.Competition.acrossClasses, [0.9]), (.perClass, [0.9, 0.7]),
      (.none, [0.9, 0.7, 0.5]),
    ] {
      var boxes = all
      SuppressionRule(competition: competition).select(&boxes, using: &workspace)
      expectEqual(boxes.map { $0.confidence }, kept.map { Float($0) })
    }
    var boxes = all
    SuppressionRule(competition: .none, maximumCount: 2).select(&boxes, using: &workspace)
    expectEqual(boxes.count, 2)
  }
}

extension TensorShape: ExpressibleByArrayLiteral {
  /// Rows, columns and channels.
  public init(arrayLiteral extents: Int...) {
    self.init(height: extents[0], width: extents[1], channels: extents[2])
  }
}
