internal import DiceNetwork
internal import DiceParallel
internal import Synchronization

/// The memory of one call: the network's activations, the sampler's tables, lists of candidates.
///
/// Unchecked: a workspace is in the pool, which nobody reads, or belongs to one call.
final class DetectionWorkspace: @unchecked Sendable {
  let runner: NetworkRunner
  var sampler = InputSampler()
  var candidates = CandidateList()
  /// The boxes that compete, in pixels of the upright picture, clipped to it.
  var boxes: [BoundingBox] = []
  var confidences: [Float] = []
  var classIndices: [Int] = []
  /// For each box its place among the candidates.
  var candidateIndices: [Int] = []
  var suppression = NonMaximumSuppression.Workspace()
  /// The ranks by confidence of the boxes that were kept, from left to right.
  var order: [Int] = []

  init(_ runner: NetworkRunner) { self.runner = runner }

  /// Orders the kept boxes by the x of their centres, then by y, then by confidence.
  func sortKeptBoxes() {
    order.removeAll(keepingCapacity: true)
    for rank in 0..<suppression.indices.count { order.append(rank) }
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
  private let idle: Mutex<[DetectionWorkspace]>
  /// The most workspaces that wait.
  let limit: Int

  /// A pool that keeps at most `limit` workspaces.
  init(_ first: DetectionWorkspace, limit: Int) {
    var workspaces: [DetectionWorkspace] = []
    workspaces.reserveCapacity(limit)
    workspaces.append(first)
    idle = Mutex(workspaces)
    self.limit = limit
  }

  /// A workspace that waits, or nil where all are in use.
  func take() -> DetectionWorkspace? { idle.withLock { (workspaces) in workspaces.popLast() } }

  /// Keeps a workspace for a later call, unless enough of them wait.
  func giveBack(_ workspace: DetectionWorkspace) {
    idle.withLock { (workspaces) in
      if workspaces.count < limit { workspaces.append(workspace) }
    }
  }

  /// How many workspaces wait.
  var count: Int { idle.withLock { (workspaces) in workspaces.count } }
}
