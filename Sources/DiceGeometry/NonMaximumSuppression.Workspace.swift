extension NonMaximumSuppression {
  /// The memory and the result of a selection, to be used again for the next frame.
  ///
  /// Once it has seen its largest input, further selections allocate nothing, as long as no copies of
  /// its arrays are held.
  public struct Workspace: Sendable {
    /// The kept boxes' places in the input, most confident first.
    public private(set) var indices: [Int] = []
    /// The kept boxes' confidences, in the order of ``indices``.
    public private(set) var confidences: [Double] = []

    var candidates: [Candidate] = []
    var kept: [Candidate] = []

    /// A workspace without memory, which grows as it is used.
    public init() {}
  }

  struct Candidate: Sendable {
    var box: BoundingBox
    var confidence: Double
    var classIndex: Int
    var index: Int
  }
}

extension NonMaximumSuppression.Workspace {
  mutating func reset(
    boxes: [BoundingBox], classIndices: [Int], confidence: (Int) -> Double
  ) {
    indices.removeAll(keepingCapacity: true)
    confidences.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    kept.removeAll(keepingCapacity: true)
    for index in boxes.indices where boxes[index].isProper {
      let confidence = confidence(index)
      guard confidence.isFinite else { continue }
      candidates.append(
        .init(
          box: boxes[index], confidence: confidence + 0,
          classIndex: classIndices.isEmpty ? 0 : classIndices[index], index: index))
    }
  }

  mutating func run(_ rule: NonMaximumSuppression) {
    switch rule.mode {
    case .perClass: hard(rule, isClassAgnostic: false)
    case .classAgnostic: hard(rule, isClassAgnostic: true)
    case .soft(let sigma, let minimum, let isClassAgnostic):
      soft(rule, sigma: sigma, minimum: minimum, isClassAgnostic: isClassAgnostic)
    }
  }

  private mutating func hard(_ rule: NonMaximumSuppression, isClassAgnostic: Bool) {
    candidates.sort { ($1.confidence, $0.index) < ($0.confidence, $1.index) }
    for candidate in candidates {
      guard indices.count < rule.maximumCount else { break }
      let isCovered = kept.contains { other in
        (isClassAgnostic || other.classIndex == candidate.classIndex)
          && other.box.intersectionOverUnion(with: candidate.box)
            > rule.intersectionOverUnionThreshold
      }
      if isCovered { continue }
      kept.append(candidate)
      indices.append(candidate.index)
      confidences.append(candidate.confidence)
    }
  }

  private mutating func soft(
    _ rule: NonMaximumSuppression, sigma: Double, minimum: Double, isClassAgnostic: Bool
  ) {
    candidates.removeAll { $0.confidence < minimum }
    while !candidates.isEmpty, indices.count < rule.maximumCount {
      var best = 0
      for next in candidates.indices
      where candidates[next].confidence > candidates[best].confidence { best = next }
      let chosen = candidates.remove(at: best)
      indices.append(chosen.index)
      confidences.append(chosen.confidence)
      for next in candidates.indices
      where isClassAgnostic || candidates[next].classIndex == chosen.classIndex {
        let overlap = candidates[next].box.intersectionOverUnion(with: chosen.box)
        if overlap > 0 { candidates[next].confidence *= exponential(-overlap * overlap / sigma) }
      }
      candidates.removeAll { $0.confidence < minimum }
    }
  }
}
