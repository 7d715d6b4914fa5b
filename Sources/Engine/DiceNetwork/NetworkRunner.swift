public import DiceParallel
public import DiceWeights

/// Runs a plan on one set of inputs at a time.
///
/// A runner owns the activations of one input size; the plan and the pool may be shared with others.
/// Use it from one thread at a time. After the first run nothing is allocated.
///
/// ```swift
/// let runner = try NetworkRunner(plan, width: 416, height: 416, pool: WorkerPool())
/// runner.withInput { region in /* write the pixels */ }
/// runner.run()
/// runner.withOutput(0) { region in /* read the numbers */ }
/// ```
///
/// The same inputs give the same bits for every pool and after every other input.
public final class NetworkRunner {
  /// The plan that is run.
  public let plan: NetworkPlan
  /// Whether every layer's output can be read after a run.
  public let keepsFeatureMaps: Bool

  let pool: WorkerPool?
  private(set) var workspace: Workspace

  /// Prepares a plan for inputs of some sizes.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - inputs: The shape of each input; nil takes the network's defaults.
  ///   - pool: Threads that share the work; nil works on the caller's alone.
  ///   - keepsFeatureMaps: Whether all outputs stay readable with ``featureMap(ofLayer:)`` after a
  ///     run. Takes several times the memory; results are the same.
  /// - Throws: `inputShapes` or `activationsTooLarge`.
  public init(
    _ plan: NetworkPlan, inputs: [TensorShape]? = nil, pool: WorkerPool? = nil,
    keepsFeatureMaps: Bool = false
  ) throws(NetworkError) {
    self.plan = plan
    self.pool = pool
    self.keepsFeatureMaps = keepsFeatureMaps || plan.observer != nil
    workspace = try Workspace(
      plan: plan, inputs: inputs ?? plan.shapes.inputs, keepsFeatureMaps: self.keepsFeatureMaps,
      threadCount: pool?.threadCount ?? 1, reusing: nil)
  }

  /// Prepares a plan for a size of its first input; others have their default sizes.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - width: Columns of the input.
  ///   - height: Rows of the input.
  ///   - pool: Threads that share the work; nil works on the caller's alone.
  ///   - keepsFeatureMaps: Whether all outputs stay readable.
  /// - Throws: `inputShapes` or `activationsTooLarge`.
  public convenience init(
    _ plan: NetworkPlan, width: Int, height: Int, pool: WorkerPool? = nil,
    keepsFeatureMaps: Bool = false
  ) throws(NetworkError) {
    try self.init(
      plan, inputs: plan.shapes.inputs.resizingFirst(width: width, height: height), pool: pool,
      keepsFeatureMaps: keepsFeatureMaps)
  }

  /// Columns of the first input.
  public var width: Int { workspace.shapes.inputs[0].width }
  /// Rows of the first input.
  public var height: Int { workspace.shapes.inputs[0].height }
  /// The shapes of all values at the size in use.
  public var shapes: NetworkShapes { workspace.shapes }
  /// The bytes of the activations.
  public var activationByteCount: Int { workspace.arena.count * MemoryLayout<Float>.stride }

  /// Changes the sizes of the inputs; all inputs and outputs become zero.
  ///
  /// Memory is allocated where the size needs more than any size before. Nothing happens where the
  /// sizes stay the same.
  ///
  /// - Throws: `inputShapes` or `activationsTooLarge`; the runner keeps its sizes then.
  public func resize(inputs: [TensorShape]) throws(NetworkError) {
    guard inputs != workspace.shapes.inputs else { return }
    workspace = try Workspace(
      plan: plan, inputs: inputs, keepsFeatureMaps: keepsFeatureMaps,
      threadCount: pool?.threadCount ?? 1, reusing: workspace.arena)
  }

  /// Changes the size of the first input, as ``resize(inputs:)``.
  ///
  /// - Throws: `inputShapes` or `activationsTooLarge`; the runner keeps its size then.
  public func resize(width: Int, height: Int) throws(NetworkError) {
    guard width != self.width || height != self.height else { return }
    try resize(inputs: workspace.shapes.inputs.resizingFirst(width: width, height: height))
  }

  /// Computes all layers from what stands in the inputs.
  ///
  /// - Complexity: ``NetworkShapes/multiplyAddCount`` multiply-adds.
  public func run() {
    for step in workspace.steps { perform(step) }
    if let observer = plan.observer { observer.didRun(self) }
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
}

/// What looks at every run of the plans that are made while it is the current one: their runners keep all feature
/// maps.
package struct RunObserver: Sendable {
  /// Called after each run, on the thread that ran.
  package let didRun: @Sendable (NetworkRunner) -> Void

  #if hasFeature(Embedded)
    /// The observer of plans that are made.
    package static var current: RunObserver? { nil }
  #else
    /// The observer of plans that are made.
    @TaskLocal package static var current: RunObserver?
  #endif

  /// An observer that calls a function.
  package init(didRun: @escaping @Sendable (NetworkRunner) -> Void) { self.didRun = didRun }
}

extension [TensorShape] {
  /// The shapes with other rows and columns of the first one.
  fileprivate func resizingFirst(width: Int, height: Int) -> [TensorShape] {
    var shapes = self
    shapes[0].width = width
    shapes[0].height = height
    return shapes
  }
}
