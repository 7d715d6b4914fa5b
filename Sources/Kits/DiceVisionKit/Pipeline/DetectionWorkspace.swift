internal import DiceDetection
internal import DiceGeometry
internal import DiceNetwork
internal import DiceParallel

/// The memory of one call: the network's activations, the sampler's tables, lists of candidates.
///
/// Unchecked: a workspace is in the pool, which nobody reads, or belongs to one call.
final class DetectionWorkspace: @unchecked Sendable {
  let runner: NetworkRunner
  /// Runs tiles; made for the first one.
  var tileRunner: NetworkRunner?
  /// Classifies crops; made for the first ones.
  var classification: CropClassification?
  let sampling: FrameSampling
  /// What networks said, candidate by candidate.
  var candidates = CandidateList()
  /// The boxes in the running, in the order in which they were proposed; once they are classified,
  /// the surest first.
  private(set) var proposals: [Proposal] = []
  var suppression = NonMaximumSuppression.Workspace()
  var rescoring: ContextualRescoring
  /// What suppression left of the proposals, the surest first.
  var selected: [Proposal] = []
  /// The ranks of the selected proposals that make up the result, from left to right.
  var order: [Int] = []
  /// Compares dice with taught faces; made for the first ones.
  var faceComparison: FaceComparison?
  private var classified: [Proposal] = []
  private var identifierCount = 0

  init(
    _ runner: NetworkRunner, of network: GridBoxNetwork, pool: WorkerPool,
    profile: PipelineProfile
  ) {
    self.runner = runner
    sampling = FrameSampling(for: network, pool: pool)
    rescoring = ContextualRescoring(profile.rescoring)
  }

  /// Forgets all candidates and proposals, for the next call.
  func removeAll() {
    candidates.removeAll()
    proposals.removeAll(keepingCapacity: true)
    selected.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    identifierCount = 0
  }

  /// Puts a box in the running, with the scores of a candidate.
  ///
  /// - Parameter ignoresClasses: whether its confidence is that there is a die at all.
  func propose(_ box: BoundingBox, candidateIndex: Int, ignoresClasses: Bool) {
    let candidate = candidates[candidateIndex]
    let confidence = ignoresClasses ? candidate.objectness : candidate.confidence
    proposals.append(
      Proposal(
        identifier: identifierCount, boundingBox: box, confidence: Double(confidence),
        classIndex: candidate.classIndex, candidateIndex: candidateIndex))
    identifierCount += 1
  }

  /// Takes proposals out of the running; the others keep their order.
  func removeProposals(where isRemoved: (Proposal) -> Bool) {
    proposals.removeAll(where: isRemoved)
  }

  /// Lets proposals show the classes that count alone.
  func restrictProposals(to isCounted: [Bool]) {
    for index in proposals.indices {
      let candidateIndex = proposals[index].candidateIndex
      candidates.restrict(candidateIndex, to: isCounted)
      proposals[index].classIndex = candidates[candidateIndex].classIndex
      proposals[index].confidence = Double(candidates[candidateIndex].confidence)
    }
  }

  /// Notes that a proposal was classified: it will have another box and the scores of a candidate.
  ///
  /// - Parameter ignoresClasses: whether the detector's confidence that there is a die stays.
  func classify(
    _ proposal: Proposal, box: BoundingBox, candidateIndex: Int,
    ignoresClasses: Bool
  ) {
    let candidate = candidates[candidateIndex]
    let confidence = ignoresClasses ? proposal.confidence : Double(candidate.confidence)
    classified.append(
      Proposal(
        identifier: proposal.identifier, boundingBox: box, confidence: confidence,
        classIndex: candidate.classIndex, candidateIndex: candidateIndex))
  }

  /// Keeps the classified proposals alone, in the order in which they were noted.
  func keepClassified() {
    swap(&proposals, &classified)
    classified.removeAll(keepingCapacity: true)
  }

  /// Chooses among the proposals into `suppression`.
  func suppress(by rule: NonMaximumSuppression) {
    rule.select(count: proposals.count, using: &suppression) { (index) in
      let proposal = proposals[index]
      return NonMaximumSuppression.Entry(
        boundingBox: proposal.boundingBox, confidence: proposal.confidence,
        classIndex: proposal.classIndex)
    }
  }
}
