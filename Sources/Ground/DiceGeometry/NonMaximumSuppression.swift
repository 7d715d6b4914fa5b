/// Keeps the most confident of boxes that cover the same thing.
///
/// In descending order of confidence, each box is kept unless a kept box overlaps it too much. All
/// comparisons are made in `Double` with ``BoundingBox/intersectionOverUnion(with:)``, and the result
/// is the same to the last bit on every machine.
public struct NonMaximumSuppression: Hashable, Sendable {
  /// Which boxes compete, and what happens to those that lose.
  public enum Mode: Hashable, Sendable {
    /// A kept box removes those of its own class that overlap it by more than the threshold.
    case perClass
    /// A kept box removes those of every class that overlap it by more than the threshold.
    case classAgnostic
    /// A kept box lowers the confidences of those that overlap it, by `exp(−IoU² / sigma)`.
    ///
    /// The next box is the one with the highest confidence after all that. Boxes whose confidence is
    /// below `minimumConfidence`, from the start or after lowering, are removed. The threshold is not
    /// used. Only boxes of the same class are lowered, unless `isClassAgnostic`.
    ///
    /// Source: Bodla et al., "Soft-NMS", ICCV 2017, the Gaussian penalty (equation 3).
    case soft(sigma: Double, minimumConfidence: Double, isClassAgnostic: Bool = false)
  }

  /// The kept boxes, most confident first.
  public struct Selection: Hashable, Sendable {
    /// The kept boxes' places in the input.
    public var indices: [Int]
    /// Their confidences: as given, or as lowered by ``Mode/soft(sigma:minimumConfidence:isClassAgnostic:)``.
    public var confidences: [Double]

    /// A selection of boxes and their confidences, of equal count.
    public init(indices: [Int], confidences: [Double]) {
      self.indices = indices
      self.confidences = confidences
    }
  }

  /// The overlap up to which boxes live side by side, in 0…1.
  ///
  /// A box is removed where its intersection over union with a kept one is *above* this. Raising it
  /// keeps more boxes close to each other; at 0 any shared area removes, at 1 nothing does.
  public let iouThreshold: Double
  /// Which boxes compete, and what happens to those that lose.
  public let mode: Mode
  /// The most boxes to keep.
  public let maximumCount: Int

  /// A rule for keeping boxes.
  ///
  /// - Parameters:
  ///   - iouThreshold: The overlap up to which boxes live side by side.
  ///   - mode: Which boxes compete, and what happens to those that lose.
  ///   - maximumCount: The most boxes to keep; no bound unless told.
  /// - Precondition: The threshold is in 0…1; `sigma` is positive and finite; `minimumConfidence` is
  ///   finite and not negative; `maximumCount` is not negative.
  public init(
    iouThreshold: Double = 0.45, mode: Mode = .perClass,
    maximumCount: Int = .max
  ) {
    precondition(
      iouThreshold >= 0 && iouThreshold <= 1,
      "the intersection over union threshold must be from 0 to 1")
    precondition(maximumCount >= 0, "the maximum count must not be negative")
    if case .soft(let sigma, let minimumConfidence, _) = mode {
      precondition(sigma > 0 && sigma.isFinite, "sigma must be positive and finite")
      precondition(
        minimumConfidence >= 0 && minimumConfidence.isFinite,
        "the minimum confidence must be finite and not negative")
    }
    self.iouThreshold = iouThreshold
    self.mode = mode
    self.maximumCount = maximumCount
  }
}

// MARK: - Choosing

extension NonMaximumSuppression {
  /// The boxes to keep, most confident first.
  ///
  /// - Equal confidences: the lower index first (−0 equals 0).
  /// - A confidence that is not finite, and a box that is improper (NaN, infinite, a negative size), is
  ///   left out and influences nothing.
  /// - A box of zero area overlaps nothing, so it is always kept and removes nothing.
  ///
  /// - Parameters:
  ///   - boxes: The boxes, in any one frame of coordinates.
  ///   - confidences: One for each box, any finite numbers.
  ///   - classIndices: One for each box, any whole numbers; none for boxes all of one class.
  /// - Precondition: `confidences` has the count of `boxes`, and `classIndices` too unless empty.
  /// - Complexity: O(n log n) for boxes of which each overlaps a bounded number of kept ones; at worst
  ///   O(n k) for n boxes of which k are kept.
  public func select(
    boxes: [BoundingBox], confidences: [Double], classIndices: [Int] = []
  ) -> Selection {
    var workspace = Workspace()
    select(
      boxes: boxes, confidences: confidences, classIndices: classIndices, using: &workspace)
    return Selection(indices: workspace.indices, confidences: workspace.confidences)
  }

  /// The boxes to keep, most confident first, for confidences in single precision.
  public func select(
    boxes: [BoundingBox], confidences: [Float], classIndices: [Int] = []
  ) -> Selection {
    var workspace = Workspace()
    select(
      boxes: boxes, confidences: confidences, classIndices: classIndices, using: &workspace)
    return Selection(indices: workspace.indices, confidences: workspace.confidences)
  }

  /// The indices of the boxes to keep, most confident first.
  public func keptIndices(
    boxes: [BoundingBox], confidences: [Double], classIndices: [Int] = []
  ) -> [Int] {
    select(boxes: boxes, confidences: confidences, classIndices: classIndices).indices
  }

  /// The indices of the boxes to keep, most confident first, for confidences in single precision.
  public func keptIndices(
    boxes: [BoundingBox], confidences: [Float], classIndices: [Int] = []
  ) -> [Int] {
    select(boxes: boxes, confidences: confidences, classIndices: classIndices).indices
  }

  /// Writes the boxes to keep into a workspace, reusing its memory.
  public func select(
    boxes: [BoundingBox], confidences: [Double], classIndices: [Int] = [],
    using workspace: inout Workspace
  ) {
    checkCounts(boxes.count, confidences.count, classIndices.count)
    workspace.load(count: boxes.count, isClassAgnostic: isClassAgnostic) { (index) in
      Entry(
        boundingBox: boxes[index], confidence: confidences[index],
        classIndex: classIndices.isEmpty ? 0 : classIndices[index])
    }
    workspace.run(self)
  }

  /// Writes the boxes to keep into a workspace, reusing its memory, for confidences in single
  /// precision.
  public func select(
    boxes: [BoundingBox], confidences: [Float], classIndices: [Int] = [],
    using workspace: inout Workspace
  ) {
    checkCounts(boxes.count, confidences.count, classIndices.count)
    workspace.load(count: boxes.count, isClassAgnostic: isClassAgnostic) { (index) in
      Entry(
        boundingBox: boxes[index], confidence: Double(confidences[index]),
        classIndex: classIndices.isEmpty ? 0 : classIndices[index])
    }
    workspace.run(self)
  }

  /// A box that competes, with what is said of it.
  package struct Entry {
    var boundingBox: BoundingBox
    var confidence: Double
    var classIndex: Int

    /// Groups the parts.
    package init(boundingBox: BoundingBox, confidence: Double, classIndex: Int) {
      self.boundingBox = boundingBox
      self.confidence = confidence
      self.classIndex = classIndex
    }
  }

  /// Writes the boxes to keep into a workspace, reusing its memory, for boxes that are parts of
  /// something larger.
  ///
  /// - Parameter entry: The box at each index in `0..<count`; called once for each, in order.
  package func select(
    count: Int, using workspace: inout Workspace, _ entry: (_ index: Int) -> Entry
  ) {
    workspace.load(count: count, isClassAgnostic: isClassAgnostic, entry: entry)
    workspace.run(self)
  }

  private var isClassAgnostic: Bool {
    switch mode {
    case .perClass: false
    case .classAgnostic: true
    case .soft(_, _, let isClassAgnostic): isClassAgnostic
    }
  }

  private func checkCounts(_ boxes: Int, _ confidences: Int, _ classIndices: Int) {
    precondition(confidences == boxes, "there must be one confidence for each box")
    precondition(
      classIndices == boxes || classIndices == 0, "there must be one class index for each box")
  }
}
