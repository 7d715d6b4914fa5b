import DiceGeometry
import BenchmarkSupport
import DiceVisionKit

/// Non-maximum suppression of 10,000 boxes.
enum SuppressionMeasurement {
  static let threshold = 0.5

  static func run(_ settings: Settings) throws -> Table {
    var table = Table(
      "10,000 boxes, all of one class",
      [
        .init("boxes", "boxes"), .init("kept", "kept"),
        .init("medianMilliseconds", "median ms"), .init("spreadMilliseconds", "±"),
      ])
    for (name, extent) in [("scattered over 10,000 pixels", 10_000.0), ("crowded in 500", 500)] {
      let (boxes, confidences) = boxes(10_000, extent: extent)
      let rule = NonMaximumSuppression(
        iouThreshold: threshold, mode: .classAgnostic)
      var workspace = NonMaximumSuppression.Workspace()
      rule.select(boxes: boxes, confidences: confidences, classIndices: [], using: &workspace)
      guard workspace.indices == keptByDefinition(boxes, confidences) else {
        throw WrongResult("\(name): other boxes are kept than the definition says")
      }
      let timing = Timing(rounds: settings.rounds) {
        rule.select(boxes: boxes, confidences: confidences, classIndices: [], using: &workspace)
      }
      table.append(
        .text(name), .count(workspace.indices.count), .number(timing.median, decimals: 3),
        .number(timing.spread, decimals: 3))
    }
    return table
  }

  private static func boxes(
    _ count: Int, extent: Double
  ) -> (boxes: [BoundingBox], confidences: [Float]) {
    var state: UInt64 = 5
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24)
    }
    var boxes: [BoundingBox] = []
    var confidences: [Float] = []
    for _ in 0..<count {
      boxes.append(
        BoundingBox(
          midX: next() * extent, midY: next() * extent, width: 20 + 60 * next(),
          height: 20 + 60 * next()))
      confidences.append(Float(next()))
    }
    return (boxes, confidences)
  }

  /// The definition: in descending order, a box is kept unless a kept one overlaps it too much.
  private static func keptByDefinition(_ boxes: [BoundingBox], _ confidences: [Float]) -> [Int] {
    let order = boxes.indices.sorted {
      confidences[$0] == confidences[$1] ? $0 < $1 : confidences[$0] > confidences[$1]
    }
    var kept: [Int] = []
    for index in order
    where !kept.contains(where: {
      boxes[$0].intersectionOverUnion(with: boxes[index]) > threshold
    }) {
      kept.append(index)
    }
    return kept
  }
}
