internal import DiceNetwork
internal import DiceParallel
internal import Synchronization

/// What all copies of a detector share: the network, threads, and memory for calls.
final class DetectorCore: Sendable {
  let weightFile: WeightFile
  let configuration: DiceDetector.Configuration
  let plan: NetworkPlan
  /// Reads each die once more; nil where dice are read in the look that found them.
  let reader: DieReader?
  let pool: WorkerPool
  let inputWidth: Int
  let inputHeight: Int
  let cropAndScale: CropAndScale
  let labels: ClassLabels
  let defaultThresholds: Thresholds
  let workspaces: WorkspacePool
  private let callCount = Atomic<UInt32>(0)

  var kernelImplementation: DiceDetector.KernelImplementation {
    DiceDetector.KernelImplementation(plan)
  }

  init(
    _ file: WeightFile, reader: WeightFile?, configuration: DiceDetector.Configuration
  ) throws(DetectorError) {
    try Self.check(configuration)
    let input = file.description.input
    weightFile = file
    self.configuration = configuration
    inputWidth = configuration.inputSize?.width ?? input.width
    inputHeight = configuration.inputSize?.height ?? input.height
    cropAndScale = configuration.cropAndScale ?? CropAndScale(input.cropAndScale)
    labels = ClassLabels(file.description.labels)
    // Whoever has the last word recommends.
    defaultThresholds = Thresholds((reader ?? file).description.thresholds)
    pool = WorkerPool(threadCount: configuration.threadCount ?? WorkerPool.processorCount)
    let kernels = configuration.kernelImplementation?.choice ?? .automatic
    self.reader = try reader.map { (reader) throws(DetectorError) in
      try DieReader(
        reader, labels: file.description.labels, kernels: kernels,
        precision: configuration.precision.network)
    }
    do {
      plan = try NetworkPlan(
        file, kernels: kernels, precision: configuration.precision.network)
      let runner = try NetworkRunner(plan, width: inputWidth, height: inputHeight, pool: pool)
      workspaces = WorkspacePool(
        DetectionWorkspace(runner, pool: pool), limit: max(2, WorkerPool.processorCount))
    } catch { throw .network(error) }
  }

  private static func check(
    _ configuration: DiceDetector.Configuration
  ) throws(DetectorError) {
    if let count = configuration.threadCount, count < 1 { throw .invalidThreadCount(count) }
    guard configuration.maximumObservationCount >= 0 else {
      throw .invalidMaximumObservationCount(configuration.maximumObservationCount)
    }
    if case .soft(let sigma) = configuration.suppression, !(sigma > 0 && sigma.isFinite) {
      throw .invalidSuppressionSigma(sigma)
    }
    if case .longerSide(let side) = configuration.fileResolution, side < 1 {
      throw .invalidFileResolution(side)
    }
    if let kernels = configuration.kernelImplementation, !kernels.isAvailable {
      throw .unavailableKernels(kernels)
    }
  }

  /// The map from a stored picture to the network's input.
  func transform(
    storedWidth: Int, storedHeight: Int, orientation: ImageOrientation,
    regionOfInterest: NormalizedRect?
  ) throws(DetectorError) -> ImageTransform {
    do {
      return try ImageTransform(
        storedWidth: storedWidth, storedHeight: storedHeight, orientation: orientation,
        regionOfInterest: regionOfInterest, cropAndScale: cropAndScale, inputWidth: inputWidth,
        inputHeight: inputHeight)
    } catch { throw .geometry(error) }
  }

  /// A workspace that nobody else uses until it is given back.
  func takeWorkspace() throws(DetectorError) -> DetectionWorkspace {
    if let workspace = workspaces.take() { return workspace }
    do {
      return DetectionWorkspace(
        try NetworkRunner(plan, width: inputWidth, height: inputHeight, pool: pool), pool: pool)
    } catch { throw .network(error) }
  }

  /// The workspace's runner for closer looks, at an input size.
  func takeCloserRunner(
    of workspace: DetectionWorkspace, width: Int, height: Int
  ) throws(DetectorError) -> NetworkRunner {
    do {
      if let runner = workspace.closerRunner {
        try runner.resize(width: width, height: height)
        return runner
      }
      let runner = try NetworkRunner(plan, width: width, height: height, pool: pool)
      workspace.closerRunner = runner
      return runner
    } catch { throw .network(error) }
  }

  /// The identifier of the first observation of a call; the others follow.
  func nextIdentifier() -> UInt64 {
    UInt64(callCount.wrappingAdd(1, ordering: .relaxed).newValue) << 32
  }
}

extension CropAndScale {
  /// The rule that a weight file states.
  init(_ stored: InputRules.CropAndScale) {
    switch stored {
    case .centerCrop: self = .centerCrop
    case .scaleFit: self = .scaleFit
    case .scaleFill: self = .scaleFill
    }
  }
}
