internal import DiceKernels
public import DiceParallel
internal import DiceWeights

/// Runs a plan on one picture at a time.
///
/// A runner owns the activations of one input size; the plan and the pool may be shared with others.
/// Use it from one thread at a time. After the first run nothing is allocated.
///
/// ```swift
/// let runner = try NetworkRunner(plan, width: 416, height: 416, pool: WorkerPool())
/// runner.withInput { region in /* write the pixels */ }
/// runner.run()
/// runner.decode(into: &candidates, confidenceThreshold: 0.25)
/// ```
///
/// The same input gives the same bits for every pool and after every other input.
public final class NetworkRunner {
  /// The plan that is run.
  public let plan: NetworkPlan
  /// Whether every layer's output can be read after a run.
  public let keepsFeatureMaps: Bool

  let pool: WorkerPool?
  private(set) var workspace: Workspace

  /// Prepares a plan for one input size.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - width: Columns of the input; nil takes the network's default.
  ///   - height: Rows of the input; nil takes the network's default.
  ///   - pool: Threads that share the work; nil works on the caller's alone.
  ///   - keepsFeatureMaps: Whether all outputs stay readable with ``featureMap(ofLayer:)`` after a
  ///     run. Takes several times the memory; results are the same.
  /// - Throws: `inputSize` or `activationsTooLarge`.
  public init(
    _ plan: NetworkPlan, width: Int? = nil, height: Int? = nil, pool: WorkerPool? = nil,
    keepsFeatureMaps: Bool = false
  ) throws(NetworkError) {
    self.plan = plan
    self.pool = pool
    self.keepsFeatureMaps = keepsFeatureMaps
    workspace = try Workspace(
      plan: plan, width: width ?? plan.input.width, height: height ?? plan.input.height,
      keepsFeatureMaps: keepsFeatureMaps, threadCount: pool?.threadCount ?? 1, reusing: nil)
  }

  /// Columns of the input.
  public var width: Int { workspace.width }
  /// Rows of the input.
  public var height: Int { workspace.height }
  /// The bytes of the activations.
  public var activationByteCount: Int { workspace.arena.count * MemoryLayout<Float>.stride }

  /// Changes the size of the input; the input's pixels and all outputs become zero.
  ///
  /// Memory is allocated where the size needs more than any size before. Nothing happens where the
  /// size stays the same.
  ///
  /// - Throws: `inputSize` or `activationsTooLarge`; the runner keeps its size then.
  public func resize(width: Int, height: Int) throws(NetworkError) {
    guard width != workspace.width || height != workspace.height else { return }
    workspace = try Workspace(
      plan: plan, width: width, height: height, keepsFeatureMaps: keepsFeatureMaps,
      threadCount: pool?.threadCount ?? 1, reusing: workspace.arena)
  }

  /// Calls `body` with the memory of the network's input.
  ///
  /// What `body` does not write keeps its value from the last call, also over runs; at first all
  /// pixels are zero. The region must not be used after `body` returns.
  public func withInput<Result, Failure: Error>(
    _ body: (InputRegion) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let region = workspace.region(0, plan.graph)
    return try body(
      unsafe InputRegion(
        pointer: workspace.origin(0, plan.graph).pointer, rowStride: region.rowStep,
        pixelStride: region.channelStep, width: workspace.width, height: workspace.height,
        channelCount: plan.input.channelCount))
  }

  /// Writes the whole input.
  ///
  /// - Precondition: `values` are `[H, W, C]` without gaps: `height * width * 3` of them.
  public func setInput(_ values: [Float]) {
    let channelCount = plan.input.channelCount
    precondition(
      values.count == width * height * channelCount,
      "an input has one value for each row, column and channel")
    withInput { (region) in
      var index = 0
      for y in 0..<region.height {
        for x in 0..<region.width {
          for c in 0..<channelCount {
            unsafe region.pointer[y * region.rowStride + x * region.pixelStride + c] =
              values[index]
            index += 1
          }
        }
      }
    }
  }

  /// Computes all layers from what stands in the input.
  ///
  /// - Complexity: ``NetworkShapes/multiplyAddCount(width:height:)`` multiply-adds.
  public func run() {
    for step in workspace.steps { perform(step) }
  }

  @inline(__always)
  func perform(_ step: PreparedStep) {
    let count = step.partCount
    if let pool, count > 1 {
      pool.run(count: count, step)
    } else {
      for part in 0..<count { step.perform(part: part) }
    }
  }

  /// A copy of a layer's output in the last run; for a detection head, of what it reads.
  ///
  /// - Parameter index: The index of the layer.
  /// - Returns: Nil where the memory has been used again by a later layer: only with
  ///   ``keepsFeatureMaps`` every output stays. Heads can always be read.
  /// - Precondition: `index` is an index of the plan's layers.
  public func featureMap(ofLayer index: Int) -> FeatureMap? {
    precondition(plan.layers.indices.contains(index), "a layer's index")
    return featureMap(ofValue: index + 1)
  }

  /// A copy of the network's input.
  public func inputFeatureMap() -> FeatureMap {
    // The input's memory is never used again.
    featureMap(ofValue: 0)!
  }

  /// A copy of the channels of a detection head: tx, ty, tw, th, objectness, class logits.
  ///
  /// - Precondition: `index` is an index of ``NetworkPlan/heads``.
  public func headFeatureMap(_ index: Int) -> FeatureMap {
    // What heads read is alive until the end of the run.
    featureMap(ofValue: plan.headLayers[index] + 1)!
  }

  private func featureMap(ofValue value: Int) -> FeatureMap? {
    let region = workspace.region(value, plan.graph)
    guard region.overwrittenAt == .max else { return nil }
    let origin = workspace.origin(value, plan.graph)
    let narrowOrigin = workspace.narrowOrigin(value, plan.graph)
    let isNarrow = plan.isNarrow(value)
    let slots = plan.graph.values[value].slots
    var values: [Float] = []
    values.reserveCapacity(region.height * region.width * slots.count)
    for y in 0..<region.height {
      for x in 0..<region.width {
        let pixel = y * region.rowStep + x * region.channelStep
        for slot in slots {
          values.append(
            isNarrow ? narrowOrigin.scalar(at: pixel + slot) : origin.scalar(at: pixel + slot))
        }
      }
    }
    return FeatureMap(
      height: region.height, width: region.width, channelCount: slots.count, values: values)
  }

  /// Adds the candidates of all heads in the last run to a list.
  ///
  /// The formulas stand at ``CandidateList/append(_:index:values:confidenceThreshold:)``.
  ///
  /// - Parameters:
  ///   - candidates: The list, which is emptied first; its memory is used again.
  ///   - confidenceThreshold: The least confidence that is kept.
  public func decode(into candidates: inout CandidateList, confidenceThreshold: Float) {
    candidates.removeAll()
    append(to: &candidates, confidenceThreshold: confidenceThreshold)
  }

  /// Adds the boxes of the last run to those of other runs of the same plan.
  ///
  /// As ``decode(into:confidenceThreshold:)``, without emptying the list first.
  public func append(to candidates: inout CandidateList, confidenceThreshold: Float) {
    for (index, head) in plan.heads.enumerated() {
      let value = plan.headLayers[index] + 1
      let region = workspace.region(value, plan.graph)
      candidates.append(
        head, index: index,
        values: HeadValues(
          origin: workspace.origin(value, plan.graph), columnStep: region.channelStep,
          rowStep: region.rowStep, width: region.width, height: region.height,
          slots: plan.graph.values[value].slots),
        confidenceThreshold: confidenceThreshold)
    }
  }
}
