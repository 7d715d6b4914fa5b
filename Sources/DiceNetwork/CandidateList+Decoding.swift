internal import DiceGeometry
public import DiceKernels
public import DiceWeights

/// The memory of one head's values: channel `k` of the cell in row `y` and column `x` is
/// `origin[y * rowStep + x * columnStep + slots[k]]`.
@safe public struct HeadValues {
  /// The first slot of the cell in row 0 and column 0.
  public var origin: Address
  /// Floats between horizontal neighbours.
  public var columnStep: Int
  /// Floats between vertical neighbours.
  public var rowStep: Int
  /// Columns of cells.
  public var width: Int
  /// Rows of cells.
  public var height: Int
  /// For each channel (tx, ty, tw, th, objectness, class logits) its place in a cell.
  public var slots: [Int]

  /// Groups the parts.
  ///
  /// The memory must stay valid while the value is in use, and all places lie inside it.
  public init(
    origin: Address, columnStep: Int, rowStep: Int, width: Int, height: Int, slots: [Int]
  ) {
    self.origin = origin
    self.columnStep = columnStep
    self.rowStep = rowStep
    self.width = width
    self.height = height
    self.slots = slots
  }
}

extension CandidateList {
  /// Adds the boxes of one head whose confidence is at least a threshold.
  ///
  /// For the cell in column `column` and row `row`, in pixels of the network's input:
  ///
  /// - `centerX = (column + 2 * sigmoid(tx) − 0.5) * stride`, `centerY` likewise
  /// - `width = baseSize * exp(clamp(tw, −4...4))`, `height` likewise
  /// - `confidence = sigmoid(objectness) * max over k of softmax(class logits)[k]`
  ///
  /// Cells whose objectness alone rules them out are passed over before any exponential is taken.
  /// A cell with a NaN in its box, objectness or classes gives no candidate.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - index: The head's index, which candidates carry.
  ///   - values: What the head reads.
  ///   - confidenceThreshold: 0 or less keeps every cell; more than 1 or NaN keeps none.
  /// - Precondition: `values` has `head.channelCount` slots; all heads of a list have the same
  ///   number of classes, 1 at least.
  /// - Complexity: O(cells + candidates · classes).
  public mutating func append(
    _ head: Layer.DetectionHead, index: Int, values: HeadValues, confidenceThreshold: Float
  ) {
    precondition(values.slots.count == head.channelCount, "a head has one slot for each channel")
    begin(classCount: head.classCount)
    let least = leastObjectness(confidenceThreshold)
    let objectnessSlot = values.slots[4]
    for row in 0..<values.height {
      var cell = values.origin.advanced(by: row * values.rowStep)
      for column in 0..<values.width {
        if cell.scalar(at: objectnessSlot) >= least {
          appendCell(
            cell, head, index: index, row: row, column: column, slots: values.slots,
            confidenceThreshold: confidenceThreshold)
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
      if ReferenceKernels.sigmoid(middle) < threshold { lower = middle } else { upper = middle }
    }
    // Far more than the exponential's rounding can move the place; −87 stands for everything below.
    return lower == -87 ? -.infinity : lower - 0.01
  }

  private mutating func appendCell(
    _ cell: Address, _ head: Layer.DetectionHead, index: Int, row: Int, column: Int,
    slots: [Int], confidenceThreshold: Float
  ) {
    let objectness = ReferenceKernels.sigmoid(cell.scalar(at: slots[4]))
    let start = probabilityCount
    var bestClass = 0
    var bestProbability: Float = 0
    let isWhole = appendSoftmax(
      cell, slots: slots, bestClass: &bestClass, bestProbability: &bestProbability)
    let confidence = objectness * bestProbability
    let stride = Double(head.stride)
    let x = Double(ReferenceKernels.sigmoid(cell.scalar(at: slots[0])))
    let y = Double(ReferenceKernels.sigmoid(cell.scalar(at: slots[1])))
    let box = BoundingBox(
      centerX: (Double(column) + 2 * x - 0.5) * stride,
      centerY: (Double(row) + 2 * y - 0.5) * stride,
      width: Double(head.baseSize) * Double(scale(cell.scalar(at: slots[2]))),
      height: Double(head.baseSize) * Double(scale(cell.scalar(at: slots[3]))))
    guard isWhole, confidence >= confidenceThreshold, box.isFinite else {
      dropProbabilities(from: start)
      return
    }
    append(
      Candidate(
        boundingBox: box, objectness: objectness, classIndex: bestClass, confidence: confidence,
        headIndex: index, column: column, row: row, firstProbability: start))
  }

  /// `exp(clamp(t, −4...4))`, NaN for NaN.
  private func scale(_ t: Float) -> Float {
    ReferenceKernels.exponential(t < -4 ? -4 : t > 4 ? 4 : t)
  }
}
