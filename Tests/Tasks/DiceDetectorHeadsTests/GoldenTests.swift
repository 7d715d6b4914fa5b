import DiceDetectorHeads
import TestSupport
import Testing

/// Heads against what `Tests/Import/heads.py` computes.
struct GoldenTests {
  /// Left, top, width, height, class and confidence of the surest boxes.
  static let boxes: [String: [[Double]]] = Fixtures.decoded("golden/models/heads.json")

  /// As `numbers` of `Tests/Import/heads.py`.
  static func numbers(_ count: Int, seed: Int, _ low: Double, _ high: Double) -> [Float] {
    (0..<count).map { (index) in
      let share = Double((index * index * 31 + index * 7919 + seed * 104_729) % 2003) / 2003
      return Float(low + share * (high - low))
    }
  }

  private static func map(
    _ rows: Int, _ columns: Int, _ channels: Int, seed: Int, _ low: Double, _ high: Double
  ) -> HeadValues {
    HeadValues(
      rows: rows, columns: columns, channels: channels,
      numbers: numbers(rows * columns * channels, seed: seed, low, high))
  }

  private static func compare(
    _ name: String, _ candidates: [BoxCandidate], count: Int
  ) throws {
    let right = try #require(boxes[name])
    expectEqual(candidates.count, count, "\(name)")
    let surest = candidates.enumerated().sorted {
      ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset)
    }.prefix(right.count).map { $0.element }
    for (found, right) in zip(surest, right) {
      let box = found.boundingBox
      for (number, right) in zip([box.x, box.y, box.width, box.height], right) {
        #expect(abs(number - right) < 1e-4, "\(name)")
      }
      expectEqual(found.classIndex, Int(right[4]), "\(name)")
      #expect(abs(Double(found.confidence) - right[5]) < 1e-6, "\(name)")
    }
  }

  @Test func anchorsOfDarknet() throws {
    var found: [BoxCandidate] = []
    AnchorGridHead(
      anchors: [[12, 16], [30, 22], [64, 80]], classCount: 4, offset: .sigmoid(scale: 1.05),
      sizeFactor: .exponential, objectness: .sigmoid, scores: .sigmoid
    ).append(
      Self.map(3, 4, 27, seed: 1, -3, 3), HeadInputSize(width: 128, height: 96), threshold: 0,
      output: 0, to: &found)
    try Self.compare("darknet yolo", found, count: 36)
    found = []
    AnchorGridHead(
      anchors: [[1.5, 2], [0.8, 0.4]], anchorsAreCells: true, classCount: 5,
      offset: .sigmoid(scale: 1), sizeFactor: .exponential, objectness: .sigmoid,
      scores: .softmax
    ).append(
      Self.map(4, 3, 20, seed: 2, -3, 3), HeadInputSize(width: 96, height: 128), threshold: 0,
      output: 0, to: &found)
    try Self.compare("darknet region", found, count: 24)
    found = []
    AnchorGridHead(
      anchors: [[10, 14], [81, 82]], classCount: 3, offset: .linear(scale: 2),
      sizeFactor: .squared, objectness: .none, scores: .none
    ).append(
      Self.map(3, 4, 16, seed: 5, 0, 1), HeadInputSize(width: 128, height: 96), threshold: 1e-9,
      output: 0, to: &found)
    try Self.compare("darknet yolo, activated", found, count: 24)
  }

  @Test func anchorsOfOthers() throws {
    var found: [BoxCandidate] = []
    AnchorGridHead(
      anchors: [[10, 13], [16, 30]], classCount: 3, offset: .sigmoid(scale: 2),
      sizeFactor: .squaredSigmoid, objectness: .sigmoid, scores: .sigmoid
    ).append(
      Self.map(3, 4, 16, seed: 3, -3, 3), HeadInputSize(width: 64, height: 48), threshold: 0,
      output: 0, to: &found)
    try Self.compare("anchor grid", found, count: 24)
    found = []
    AnchorGridHead(
      anchors: [[40, 40]], classCount: 6, offset: .sigmoid(scale: 2),
      sizeFactor: .limitedExponential, objectness: .sigmoid, scores: .softmax
    ).append(
      Self.map(3, 4, 11, seed: 4, -3, 3), HeadInputSize(width: 128, height: 96), threshold: 0,
      output: 0, to: &found)
    try Self.compare("grid boxes", found, count: 12)
    found = []
    AnchorGridHead(
      anchors: [[1, 1]], anchorsAreCells: true, classCount: 4, offset: .linear(scale: 1),
      sizeFactor: .exponential, objectness: .none, scores: .none, strides: [8, 16, 32]
    ).append(
      Self.map(96 + 24 + 6, 1, 9, seed: 6, 0, 1), HeadInputSize(width: 96, height: 64),
      threshold: -1, output: 0, to: &found)
    try Self.compare("free grid", found, count: 126)
  }

  @Test func distances() throws {
    var found: [BoxCandidate] = []
    DistanceGridHead(binCount: 16, classCount: 3).append(
      Self.map(3, 4, 67, seed: 7, -3, 3), HeadInputSize(width: 64, height: 48), threshold: 0,
      output: 0, to: &found)
    try Self.compare("distance grid", found, count: 12)
    found = []
    let count = 13 * 9 + 7 * 5 + 4 * 3 + 2 * 2
    DistanceGridHead(
      binCount: 8, classCount: 2, cellOffset: 0, hasScoresFirst: true, scores: .none,
      strides: [8, 16, 32, 64]
    ).append(
      Self.map(count, 1, 34, seed: 8, 0, 1), HeadInputSize(width: 100, height: 70),
      threshold: 0, output: 0, to: &found)
    try Self.compare("nanodet", found, count: count)
  }

  @Test func centersAndRows() throws {
    var found: [BoxCandidate] = []
    CenterGridHead(classCount: 3).append(
      Self.map(3, 4, 8, seed: 9, 0, 1), HeadInputSize(width: 128, height: 96), threshold: 0,
      output: 0, to: &found)
    try Self.compare("center grid", found, count: 12)
    found = []
    let rows = Self.map(20, 1, 8, seed: 10, 0, 1)
    BoxRowsHead(format: BoxFormat(unit: .shares), hasObjectness: true, classCount: 3).append(
      rows, HeadInputSize(width: 90, height: 60), threshold: 0, output: 0, to: &found)
    try Self.compare("box rows, objectness", found, count: 20)
    found = []
    BoxRowsHead(hasObjectness: false, classCount: 4).append(
      rows, HeadInputSize(width: 90, height: 60), threshold: 0, output: 0, to: &found)
    try Self.compare("box rows", found, count: 20)
  }

  @Test func offsetsFromDefaultBoxes() throws {
    var found: [BoxCandidate] = []
    BoxListHead(
      format: BoxFormat(order: .centerSizeRowsFirst, unit: .shares),
      offsetScales: [10, 10, 5, 5], classCount: 4, hasBackground: true, scores: .softmax
    ).append(
      boxes: Self.map(15, 1, 4, seed: 11, -2, 2), scores: Self.map(15, 1, 5, seed: 12, -4, 4),
      defaults: Self.map(15, 1, 4, seed: 13, 0.1, 0.9), HeadInputSize(width: 300, height: 200),
      threshold: 0, output: 0, to: &found)
    try Self.compare("offsets", found, count: 15)
  }
}
