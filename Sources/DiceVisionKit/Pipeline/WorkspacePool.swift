internal import DiceGeometry
internal import DiceNetwork
internal import DiceParallel
internal import Synchronization

/// The memory of one call: the network's activations, the sampler's tables, lists of candidates.
///
/// Unchecked: a workspace is in the pool, which nobody reads, or belongs to one call.
final class DetectionWorkspace: @unchecked Sendable {
  let runner: NetworkRunner
  /// Runs closer looks; made for the first one.
  var closerRunner: NetworkRunner?
  /// Reads dice; made for the first one.
  var reading: DieReading?
  let sampling: FrameSampling
  var candidates = CandidateList()
  /// The boxes that compete, in pixels of the upright picture, clipped to it.
  var boxes: [BoundingBox] = []
  var confidences: [Float] = []
  var classIndices: [Int] = []
  /// For each box its place among the candidates.
  var candidateIndices: [Int] = []
  var suppression = NonMaximumSuppression.Workspace()
  /// How far each chosen box is in company, by its rank; empty where company does not count.
  var companyShares: [Double] = []
  /// The confidence of each chosen box, by its rank.
  var keptConfidences: [Float] = []
  /// The ranks of the boxes that were kept, from left to right.
  var order: [Int] = []
  private var company = Company()

  init(_ runner: NetworkRunner, pool: WorkerPool) {
    self.runner = runner
    sampling = FrameSampling(for: runner.plan, pool: pool)
  }

  /// The boxes from an index on that say where dice may be.
  ///
  /// The same for every threshold of a call, so that a closer look does not depend on it. Boxes
  /// whose centre lies in the padding, outside the part that is looked at, are none.
  func seeHints(from first: Int, in visible: BoundingBox, _ progress: inout CloserLook.Progress) {
    progress.hints.removeAll(keepingCapacity: true)
    for index in first..<boxes.count
    where confidences[index] >= CloserLook.hintConfidence
      && visible.contains(boxes[index].center)
    {
      progress.hints.append(boxes[index])
      progress.surest = max(progress.surest, confidences[index])
    }
  }

  /// Adds a box to those that compete.
  func append(_ box: BoundingBox, confidence: Float, classIndex: Int, candidateIndex: Int) {
    boxes.append(box)
    confidences.append(confidence)
    classIndices.append(classIndex)
    candidateIndices.append(candidateIndex)
  }

  /// Forgets all candidates and boxes.
  func removeBoxes() {
    candidates.removeAll()
    boxes.removeAll(keepingCapacity: true)
    confidences.removeAll(keepingCapacity: true)
    classIndices.removeAll(keepingCapacity: true)
    candidateIndices.removeAll(keepingCapacity: true)
  }

  /// Takes boxes out of the competition; the others keep their order.
  func removeBoxes(where isRemoved: (_ index: Int) -> Bool) {
    var kept = 0
    for index in 0..<boxes.count where !isRemoved(index) {
      boxes[kept] = boxes[index]
      confidences[kept] = confidences[index]
      classIndices[kept] = classIndices[index]
      candidateIndices[kept] = candidateIndices[index]
      kept += 1
    }
    let surplus = boxes.count - kept
    boxes.removeLast(surplus)
    confidences.removeLast(surplus)
    classIndices.removeLast(surplus)
    candidateIndices.removeLast(surplus)
  }

  /// Keeps those of the chosen boxes that are sure enough, if they are too many the surest, and puts
  /// them in the order of a result.
  ///
  /// - Parameter inCompany: whether the boxes around one count for its confidence.
  func keepBoxes(inCompany: Bool, confidence least: Float, maximumCount: Int) {
    weighConfidences(inCompany: inCompany)
    order.removeAll(keepingCapacity: true)
    for rank in 0..<keptConfidences.count where keptConfidences[rank] >= least {
      order.append(rank)
    }
    if order.count > maximumCount {
      order.sort { (first, second) in
        let (a, b) = (keptConfidences[first], keptConfidences[second])
        return a != b ? a > b : first < second
      }
      order.removeLast(order.count - maximumCount)
    }
    sortKeptBoxes()
  }

  /// The confidences of the chosen boxes, in company or as they are.
  private func weighConfidences(inCompany: Bool) {
    companyShares.removeAll(keepingCapacity: true)
    keptConfidences.removeAll(keepingCapacity: true)
    guard inCompany else {
      for confidence in suppression.confidences { keptConfidences.append(Float(confidence)) }
      return
    }
    company.removeAll()
    for (rank, index) in suppression.indices.enumerated() {
      company.append(boxes[index], confidence: suppression.confidences[rank])
    }
    for (rank, confidence) in suppression.confidences.enumerated() {
      let share = company.share(of: rank)
      companyShares.append(share)
      keptConfidences.append(Float(Company.confidence(confidence, share: share)))
    }
  }

  /// Orders the kept boxes by the x of their centres, then by y, then by rank.
  private func sortKeptBoxes() {
    order.sort { (first, second) in
      let (a, b) = (boxes[suppression.indices[first]], boxes[suppression.indices[second]])
      if a.centerX != b.centerX { return a.centerX < b.centerX }
      if a.centerY != b.centerY { return a.centerY < b.centerY }
      return first < second
    }
  }
}

/// Workspaces that wait for the next call.
final class WorkspacePool: Sendable {
  /// The most workspaces that wait.
  let limit: Int

  #if hasFeature(Embedded)
    private let isLocked = Atomic<Bool>(false)
    /// Read and written while `isLocked` is set by whoever does so.
    nonisolated(unsafe) private var idle: [DetectionWorkspace] = []
  #else
    private let idle: Mutex<[DetectionWorkspace]>
  #endif

  /// A pool that keeps at most `limit` workspaces.
  init(_ first: DetectionWorkspace, limit: Int) {
    var workspaces: [DetectionWorkspace] = []
    workspaces.reserveCapacity(limit)
    workspaces.append(first)
    self.limit = limit
    #if hasFeature(Embedded)
      unsafe idle = workspaces
    #else
      idle = Mutex(workspaces)
    #endif
  }

  /// A workspace that waits, or nil where all are in use.
  func take() -> DetectionWorkspace? { withIdle { (workspaces) in workspaces.popLast() } }

  /// Keeps a workspace for a later call, unless enough of them wait.
  func giveBack(_ workspace: DetectionWorkspace) {
    withIdle { (workspaces) in
      if workspaces.count < limit { workspaces.append(workspace) }
    }
  }

  /// How many workspaces wait.
  var count: Int { withIdle { (workspaces) in workspaces.count } }

  private func withIdle<Result: Sendable>(
    _ body: (inout [DetectionWorkspace]) -> Result
  ) -> Result {
    #if hasFeature(Embedded)
      // There is no Mutex; the lock is held for a few instructions.
      while isLocked.exchange(true, ordering: .acquiring) {}
      defer { isLocked.store(false, ordering: .releasing) }
      return unsafe body(&idle)
    #else
      return idle.withLock { (workspaces) in body(&workspaces) }
    #endif
  }
}
