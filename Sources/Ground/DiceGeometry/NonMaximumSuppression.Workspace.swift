internal import DiceNumerics

extension NonMaximumSuppression {
  /// The memory and the result of a selection, to be used again for the next frame.
  ///
  /// Once it has seen its largest input, further selections allocate nothing, as long as no copies of
  /// its arrays are held.
  public struct Workspace: Sendable {
    /// The kept boxes' places in the input, most confident first.
    public internal(set) var indices: [Int] = []
    /// The kept boxes' confidences, in the order of ``indices``.
    public internal(set) var confidences: [Double] = []

    /// The count of boxes in the input, for which memory is set aside whatever takes part.
    var inputCount = 0
    /// The boxes that take part, in the order of the input.
    var candidates: [Candidate] = []
    /// The candidates from the most to the least confident.
    var order = DescendingOrder()
    /// The boxes to compare with: the kept ones, or all in the soft mode.
    var index = BoxIndex()
    /// For the soft mode: the candidates that are still to come.
    var queue = ConfidenceQueue()
    /// For the soft mode: the boxes that the latest kept one overlaps.
    var overlaps: [BoxIndex.Overlap] = []

    /// A workspace without memory, which grows as it is used.
    public init() {}
  }

  /// A box that takes part.
  struct Candidate: Sendable {
    var corners: Corners
    var area: Double
    var confidence: Double
    var classIndex: Int
    /// The place in the input.
    var index: Int
  }
}

extension NonMaximumSuppression.Workspace {
  /// Takes the input in: proper boxes with finite confidences.
  @inline(__always)
  mutating func load(
    count: Int, isClassAgnostic: Bool, entry: (Int) -> NonMaximumSuppression.Entry
  ) {
    inputCount = count
    indices.removeAll(keepingCapacity: true)
    indices.reserveCapacity(count)
    confidences.removeAll(keepingCapacity: true)
    confidences.reserveCapacity(count)
    candidates.removeAll(keepingCapacity: true)
    candidates.reserveCapacity(count)
    for index in 0..<count {
      let entry = entry(index)
      guard entry.boundingBox.isProper, entry.confidence.isFinite else { continue }
      let corners = Corners(entry.boundingBox)
      candidates.append(
        NonMaximumSuppression.Candidate(
          corners: corners, area: corners.width * corners.height, confidence: entry.confidence,
          classIndex: isClassAgnostic ? 0 : entry.classIndex, index: index))
    }
  }

  mutating func run(_ rule: NonMaximumSuppression) {
    switch rule.mode {
    case .perClass, .classAgnostic:
      keepGreedily(
        threshold: rule.iouThreshold, maximumCount: rule.maximumCount)
    case .soft(let sigma, let minimumConfidence, _):
      keepSoftly(
        sigma: sigma, minimumConfidence: minimumConfidence, maximumCount: rule.maximumCount)
    }
  }

  /// Keeps each candidate that no kept box covers, from the most to the least confident.
  private mutating func keepGreedily(threshold: Double, maximumCount: Int) {
    order.removeAll(reserving: inputCount)
    for candidate in candidates { order.append(candidate.confidence) }
    order.sort()
    let canCover = threshold < 1
    if canCover { index.reset(for: candidates, capacity: inputCount, threshold: threshold) }
    for rank in 0..<order.count {
      guard indices.count < maximumCount else { return }
      let candidate = candidates[order[rank]]
      if canCover {
        if index.covers(candidate) { continue }
        index.append(candidate)
      }
      indices.append(candidate.index)
      confidences.append(candidate.confidence)
    }
  }

  /// Keeps the most confident candidate and lowers those that it overlaps, until none is left.
  ///
  /// The queue is brought up to date only at its head: confidences never rise, so one whose entry is
  /// still true and stands first is the highest of all.
  private mutating func keepSoftly(sigma: Double, minimumConfidence: Double, maximumCount: Int) {
    candidates.removeAll { $0.confidence < minimumConfidence }
    index.reset(for: candidates, capacity: inputCount, threshold: 0)
    overlaps.reserveCapacity(inputCount)
    for candidate in candidates { index.append(candidate) }
    queue.fill(count: candidates.count, reserving: inputCount) { candidates[$0].confidence }
    while indices.count < maximumCount, let first = queue.first {
      let confidence = candidates[first.number].confidence
      if confidence < minimumConfidence {
        queue.removeFirst()
      } else if confidence < first.confidence {
        queue.lowerFirst(to: confidence)
      } else {
        queue.removeFirst()
        indices.append(candidates[first.number].index)
        confidences.append(confidence)
        candidates[first.number].confidence = -1
        index.collectOverlaps(with: candidates[first.number], into: &overlaps)
        for overlap in overlaps
        where candidates[overlap.number].confidence >= minimumConfidence {
          let share = overlap.intersectionOverUnion
          candidates[overlap.number].confidence *= exponential(-share * share / sigma)
        }
      }
    }
  }
}
