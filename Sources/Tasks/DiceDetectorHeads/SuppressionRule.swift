public import DiceGeometry
public import DiceWeights

/// Which of a detector's boxes are results: its makers' thresholds and suppression.
public struct SuppressionRule: Hashable, Sendable {
  /// Which boxes compete.
  public enum Competition: Int, CaseIterable, Hashable, Sendable {
    /// All: a place has one object.
    case acrossClasses = 0
    /// Those of the same class.
    case perClass = 1
    /// None: the model has suppressed boxes itself.
    case none = 2
  }

  /// Which boxes compete.
  public var competition: Competition
  /// Of two boxes that compete and overlap by more, as intersection over union, the surer one stays.
  public var overlapThreshold: Float
  /// The least confidence of a result.
  public var confidenceThreshold: Float
  /// The most results.
  public var maximumCount: Int

  /// Groups the parts.
  public init(
    competition: Competition = .perClass, overlapThreshold: Float = 0.45,
    confidenceThreshold: Float = 0.25, maximumCount: Int = 300
  ) {
    self.competition = competition
    self.overlapThreshold = overlapThreshold
    self.confidenceThreshold = confidenceThreshold
    self.maximumCount = maximumCount
  }

  /// The numbers of a head that state the rule.
  public var parameters: [NamedValues] {
    [
      NamedValues("confidence threshold", [confidenceThreshold]),
      NamedValues("overlap threshold", [overlapThreshold]),
      NamedValues("suppression", [Float(competition.rawValue)]),
      NamedValues("maximum count", [Float(maximumCount)]),
    ]
  }

  /// The rule of a head; what it does not state is as `usual` has it.
  init(_ parameters: HeadParameters, usual: SuppressionRule) throws(DetectorHeadError) {
    competition = try parameters.code("suppression", default: usual.competition)
    overlapThreshold = try parameters.number(
      "overlap threshold", in: 0...1, default: usual.overlapThreshold)
    confidenceThreshold = try parameters.number(
      "confidence threshold", in: 0...1, default: usual.confidenceThreshold)
    maximumCount = try parameters.integer(
      "maximum count", in: 1...65_536, default: usual.maximumCount)
  }

  /// The most boxes that compete, those of the greatest confidence: a bound on time.
  public static let candidateLimit = 30_000

  /// The boxes that stay, the surest first; of equal ones, the first proposed.
  ///
  /// - Parameters:
  ///   - candidates: Boxes above the confidence threshold; more than ``candidateLimit`` are cut to the
  ///     surest.
  ///   - overlapThreshold: In place of the rule's own.
  /// - Precondition: The overlap threshold is in 0...1.
  public func select(
    _ candidates: inout [BoxCandidate], overlapThreshold: Float? = nil,
    using workspace: inout NonMaximumSuppression.Workspace
  ) {
    if competition == .none || candidates.count > Self.candidateLimit {
      // Sorting by place, too, keeps equal ones in order.
      let order = candidates.indices.sorted { (first, second) in
        let (a, b) = (candidates[first].confidence, candidates[second].confidence)
        return a == b ? first < second : a > b
      }
      let limit = competition == .none ? maximumCount : Self.candidateLimit
      candidates = order.prefix(limit).map { (index) in candidates[index] }
    }
    guard competition != .none else { return }
    let list = candidates
    NonMaximumSuppression(
      iouThreshold: Double(decimalOf: overlapThreshold ?? self.overlapThreshold),
      mode: competition == .perClass ? .perClass : .classAgnostic, maximumCount: maximumCount
    ).select(count: list.count, using: &workspace) { (index) in
      NonMaximumSuppression.Entry(
        boundingBox: list[index].boundingBox, confidence: Double(list[index].confidence),
        classIndex: list[index].classIndex)
    }
    candidates = workspace.indices.map { (index) in list[index] }
  }
}

extension Double {
  /// The number with the same shortest decimal digits: 0.45 for the float 0.45.
  init(decimalOf number: Float) {
    // Thresholds are in 0...1; more than nine digits are of no use to a comparison.
    let scaled = (Double(number) * 1e7).rounded() / 1e7
    self = Float(scaled) == number ? scaled : Double(number)
  }
}
