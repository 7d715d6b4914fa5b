internal import DiceGeometry

/// Boxes as the distances of their edges from a point in each cell: YOLOv8 and later before decoding,
/// NanoDet, FCOS.
///
/// Each cell has four distances, to the left, top, right and bottom edge, and a number for each class. A
/// distance is one number, or a distribution over `bins` of them, whose mean counts:
///
///     distance = sum over i of i * softmax(bins)[i]
///     left     = (column + cellOffset - distance) * stride, and so on
///     confidence = score of the likeliest class
///
/// Sources: Li et al., "Generalized Focal Loss" (2020); `ultralytics/nn/modules/head.py`;
/// `nanodet/model/head/nanodet_plus_head.py`.
public struct DistanceGridHead: Hashable, Sendable {
  /// The numbers of a distance; 1 where it is the distance itself, in strides.
  public var binCount: Int
  /// The number of classes.
  public var classCount: Int
  /// Where in its cell a point lies, as a share: 0.5 in the middle, 0 at the upper left corner.
  public var cellOffset: Float
  /// Whether the classes stand before the distances.
  public var hasScoresFirst: Bool
  /// How the numbers of classes become scores.
  public var scores: ScoreActivation
  /// The strides of grids that are joined in one list; empty for a map.
  public var strides: [Float]

  /// Groups the parts.
  public init(
    binCount: Int, classCount: Int, cellOffset: Float = 0.5, hasScoresFirst: Bool = false,
    scores: ScoreActivation = .sigmoid, strides: [Float] = []
  ) {
    self.binCount = binCount
    self.classCount = classCount
    self.cellOffset = cellOffset
    self.hasScoresFirst = hasScoresFirst
    self.scores = scores
    self.strides = strides
  }

  /// The numbers of a cell.
  public var channelCount: Int { 4 * binCount + classCount }

  /// Adds the boxes whose confidence is at least a threshold, as ``AnchorGridHead`` does.
  public func append(
    _ values: HeadValues, _ input: HeadInputSize, threshold: Float, output: Int,
    to candidates: inout [BoxCandidate]
  ) {
    guard values.channels == channelCount, classCount > 0, binCount > 0 else { return }
    let numbers = values.numbers
    GridLevels(strides: strides).forEachCell(of: values, input) { (place, level, row, column) in
      let start = place * values.channels
      let distances = start + (hasScoresFirst ? classCount : 0)
      guard
        let best = scores.best(
          numbers, from: hasScoresFirst ? start : start + 4 * binCount, count: classCount),
        best.score >= threshold
      else { return }
      let x = Double(column) + Double(cellOffset)
      let y = Double(row) + Double(cellOffset)
      let box = BoundingBox(
        minX: (x - distance(numbers, distances)) * level.columnStride,
        minY: (y - distance(numbers, distances + binCount)) * level.rowStride,
        maxX: (x + distance(numbers, distances + 2 * binCount)) * level.columnStride,
        maxY: (y + distance(numbers, distances + 3 * binCount)) * level.rowStride)
      guard BoxCandidate.isUsable(box) else { return }
      candidates.append(
        BoxCandidate(
          boundingBox: box, classIndex: best.index, confidence: best.score, output: output,
          place: place))
    }
  }

  /// One distance in strides; NaN where a number is one or infinite.
  private func distance(_ numbers: [Float], _ start: Int) -> Double {
    if binCount == 1 { return Double(numbers[start]) }
    var greatest = -Double.infinity
    for bin in 0..<binCount { greatest = max(greatest, Double(numbers[start + bin])) }
    var sum = 0.0
    var mean = 0.0
    for bin in 0..<binCount {
      let weight = HeadFunctions.exponential(Double(numbers[start + bin]) - greatest)
      sum += weight
      mean += Double(bin) * weight
    }
    return mean / sum
  }
}
