internal import DiceGeometry

/// One box for each cell with a size in shares of the input: FastestDet.
///
/// Each cell has `objectness, x, y, w, h` and the probability of each class. With the grid's `columns`:
///
///     centerX = (column + tanh(x)) / columns * input width     centerY likewise
///     width   = sigmoid(w) * input width                       height likewise
///     confidence = objectness ^ 0.6 * (probability of the likeliest class) ^ 0.4
///
/// Source: `example/onnx-runtime/runtime.py` of FastestDet.
public struct CenterGridHead: Hashable, Sendable {
  /// The number of classes.
  public var classCount: Int

  /// A head for so many classes.
  public init(classCount: Int) { self.classCount = classCount }

  /// The numbers of a cell.
  public var channelCount: Int { 5 + classCount }

  /// Adds the boxes whose confidence is at least a threshold, as ``AnchorGridHead`` does.
  public func append(
    _ values: HeadValues, _ input: HeadInputSize, threshold: Float, output: Int,
    to candidates: inout [BoxCandidate]
  ) {
    guard values.channels == channelCount, classCount > 0 else { return }
    let numbers = values.numbers
    GridLevels(strides: []).forEachCell(of: values, input) { (place, level, row, column) in
      let start = place * values.channels
      let objectness = numbers[start]
      guard let best = ScoreActivation.none.best(numbers, from: start + 5, count: classCount)
      else { return }
      let confidence = Float(
        HeadFunctions.power(Double(objectness), 0.6)
          * HeadFunctions.power(Double(best.score), 0.4))
      guard confidence >= threshold else { return }
      let t = BoxFormat.four(numbers, at: start + 1)
      let box = BoundingBox(
        midX: (Double(column) + HeadFunctions.hyperbolicTangent(t[0])) * level.columnStride,
        midY: (Double(row) + HeadFunctions.hyperbolicTangent(t[1])) * level.rowStride,
        width: HeadFunctions.sigmoid(t[2]) * Double(input.width),
        height: HeadFunctions.sigmoid(t[3]) * Double(input.height))
      guard BoxCandidate.isUsable(box) else { return }
      candidates.append(
        BoxCandidate(
          boundingBox: box, classIndex: best.index, confidence: confidence,
          objectness: objectness, output: output, place: place))
    }
  }
}
