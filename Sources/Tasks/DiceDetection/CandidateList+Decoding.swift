internal import DiceGeometry
internal import DiceKernels
public import DiceNetwork

extension CandidateList {
  /// Adds the boxes of one head whose confidence is at least a threshold.
  ///
  /// For each cell:
  ///
  /// - the box is ``GridBoxHead/boundingBox(column:row:tx:ty:tw:th:)``
  /// - `confidence = sigmoid(objectness) * max over k of softmax(class logits)[k]`
  ///
  /// Cells whose objectness alone rules them out are passed over before any exponential is taken.
  /// A cell with a NaN in its box, objectness or classes gives no candidate.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - index: The head's index, which candidates carry.
  ///   - values: The head's values.
  ///   - confidenceThreshold: 0 or less keeps every cell; more than 1 or NaN keeps none.
  /// - Precondition: `values` has `head.channelCount` slots; all heads of a list have the same
  ///   number of classes, 1 at least.
  /// - Complexity: O(cells + candidates · classes).
  public mutating func append(
    _ head: GridBoxHead, index: Int, values: OutputRegion, confidenceThreshold: Float
  ) {
    append(
      head, index: index, values: values, confidenceThreshold: confidenceThreshold,
      ignoresClasses: false)
  }

  /// Adds the boxes of one head whose confidence, or objectness, is at least a threshold.
  ///
  /// - Parameter ignoresClasses: whether the threshold is for the objectness alone.
  mutating func append(
    _ head: GridBoxHead, index: Int, values: OutputRegion, confidenceThreshold: Float,
    ignoresClasses: Bool
  ) {
    precondition(values.slots.count == head.channelCount, "a head has one slot for each channel")
    begin(classCount: head.classCount)
    let least = leastObjectness(confidenceThreshold)
    let objectnessSlot = values.slots[GridBoxHead.objectnessChannel]
    for row in 0..<values.height {
      var cell = values.origin.advanced(by: row * values.rowStep)
      for column in 0..<values.width {
        if cell.scalar(at: objectnessSlot) >= least {
          appendCell(
            cell, head, index: index, row: row, column: column, slots: values.slots,
            confidenceThreshold: confidenceThreshold, ignoresClasses: ignoresClasses)
        }
        cell = cell.advanced(by: values.columnStep)
      }
    }
  }

  /// A logit below which `sigmoid(logit)` is below a threshold for certain.
  private func leastObjectness(_ threshold: Float) -> Float {
    guard threshold > 0 else { return threshold.isNaN ? .infinity : -.infinity }
    guard threshold <= 1 else { return .infinity }
    var lower: Float = -87
    var upper: Float = 87
    for _ in 0..<32 {
      let middle = 0.5 * (lower + upper)
      if GridBoxHead.objectness(middle) < threshold { lower = middle } else { upper = middle }
    }
    // Far more than the exponential's rounding can move the place; −87 stands for everything below.
    return lower == -87 ? -.infinity : lower - 0.01
  }

  private mutating func appendCell(
    _ cell: Address, _ head: GridBoxHead, index: Int, row: Int, column: Int, slots: [Int],
    confidenceThreshold: Float, ignoresClasses: Bool
  ) {
    let objectness = GridBoxHead.objectness(
      cell.scalar(at: slots[GridBoxHead.objectnessChannel]))
    let start = probabilities.count
    var bestClass = 0
    var bestProbability: Float = 0
    let isWhole = appendSoftmax(
      cell, slots: slots, bestClass: &bestClass, bestProbability: &bestProbability)
    let confidence = objectness * bestProbability
    let box = head.boundingBox(
      column: column, row: row, tx: cell.scalar(at: slots[0]), ty: cell.scalar(at: slots[1]),
      tw: cell.scalar(at: slots[2]), th: cell.scalar(at: slots[3]))
    let judged = ignoresClasses ? objectness : confidence
    guard isWhole, judged >= confidenceThreshold, box.isFinite else {
      dropProbabilities(from: start)
      return
    }
    candidates.append(
      Candidate(
        boundingBox: box, objectness: objectness, classIndex: bestClass, confidence: confidence,
        headIndex: index, column: column, row: row, firstProbability: start))
  }
}
