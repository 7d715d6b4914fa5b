internal import DiceDetection
internal import DiceWeights
internal import DiceNetwork
internal import DiceParallel
internal import Synchronization

/// What all copies of a detector share: the network, threads, and memory for calls.
final class DetectorCore: Sendable {
  /// The most pixels of a network's input for each pixel of a smaller copy of a picture; where more
  /// are wanted, the picture is decoded in full.
  ///
  /// Readings of copies and of full pictures were the same in 99 of 100 rendered pictures and in all 60
  /// photos of 12 megapixels; where copies are magnified (more than 1), dice get lost.
  static let sharpScale = 0.9
  let weightFile: WeightFile
  let configuration: DiceDetector.Configuration
  let network: GridBoxNetwork
  /// The second stage, which sees each die by itself; nil where there is none.
  let secondStage: CropClassifier?
  /// Reads numerals in turned crops; nil where there is none, and where taught faces are read.
  let numeralReader: CropClassifier?
  #if hasFeature(Embedded)
    /// Taught faces are not read there: programs stay smaller.
    var faceReader: FaceReader? { nil }
  #else
    /// Tells taught faces; nil where the weights' own classes are read.
    let faceReader: FaceReader?
  #endif
  /// The tuned numbers.
  let profile: PipelineProfile
  let pool: WorkerPool
  let inputWidth: Int
  let inputHeight: Int
  let cropAndScale: CropAndScale
  let labels: ClassLabels
  /// The thresholds of the last stage's weights, which are for the confidences of results.
  let defaultThresholds: RecommendedThresholds
  let workspaces: IdlePool<DetectionWorkspace>
  private let callCount = Atomic<UInt32>(0)

  var plan: NetworkPlan { network.plan }

  var kernelImplementation: DiceDetector.KernelImplementation {
    DiceDetector.KernelImplementation(plan)
  }

  /// Reads weight files and plans their networks, on as many threads as will share later work.
  ///
  /// - Parameters:
  ///   - weights: the detector's weight file.
  ///   - secondStage: the second stage's; nil for none.
  ///   - numeralReader: that of the reader of numerals; nil for none.
  ///   - faceNetwork: that of the network that compares taught faces; nil for none.
  init(
    weights: () -> [UInt8], secondStage: () -> [UInt8]?, numeralReader: () -> [UInt8]?,
    faceNetwork: () -> [UInt8]?, configuration: DiceDetector.Configuration
  ) throws(DetectorError) {
    try Self.check(configuration)
    self.configuration = configuration
    let pool = WorkerPool(threadCount: configuration.threadCount ?? WorkerPool.processorCount)
    self.pool = pool
    func planned(_ index: Int) throws(DetectorError) -> PlannedNetwork? {
      let bytes =
        switch index {
        case 0: weights()
        case 1: secondStage()
        // Taught faces are read in its place.
        default: configuration.faces == nil ? numeralReader() : nil
        }
      guard let bytes else { return nil }
      return try PlannedNetwork(bytes, configuration)
    }
    #if hasFeature(Embedded)
      // Without an operating system there is one thread.
      let (first, second, third) = (try planned(0), try planned(1), try planned(2))
    #else
      let context = PlanningContext()
      let networks = pool.map(count: 3) { (index) in
        context.perform { Result { () throws(DetectorError) in try planned(index) } }
      }
      let (first, second, third) = (
        try networks[0].get(), try networks[1].get(), try networks[2].get()
      )
    #endif
    guard let detector = first else { preconditionFailure("a detector has weights") }
    let file = detector.file
    let network = detector.network
    weightFile = file
    self.network = network
    inputWidth = configuration.inputSize?.width ?? network.width
    inputHeight = configuration.inputSize?.height ?? network.height
    cropAndScale = configuration.cropAndScale ?? CropAndScale(network.imageRules.cropAndScale)
    labels = ClassLabels(network.boxes.labels, kinds: configuration.kinds)
    if let kinds = configuration.kinds, !kinds.isSubset(of: labels.kinds) {
      throw .unknownKinds(found: kinds.subtracting(labels.kinds), known: labels.kinds)
    }
    func classifier(_ planned: PlannedNetwork) throws(DetectorError) -> CropClassifier {
      try CropClassifier(planned.network, labels: network.boxes.labels)
    }
    self.secondStage = try second.map(classifier)
    self.numeralReader = try third.map(classifier)
    var defaultThresholds = (self.secondStage?.network ?? network).boxes.thresholds
    #if hasFeature(Embedded)
      if configuration.faces != nil { throw .unusableFaces(rule: "they are not read here") }
      profile = try PipelineProfile(detector: file, secondStage: second?.file)
    #else
      if let faces = configuration.faces {
        guard !faces.faces.isEmpty else {
          throw .unusableFaces(rule: "one face at least must have been taught")
        }
        guard let bytes = faceNetwork() else {
          throw .unusableFaces(
            rule: "the weights must have a network that compares them, as those of AnyDice have")
        }
        let faceFile: WeightFile
        do { faceFile = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
        profile = try PipelineProfile(
          detector: file, secondStage: second?.file, faces: faceFile)
        faceReader = try FaceReader(
          faces,
          network: FaceNetwork(
            faceFile, kernels: configuration.kernelImplementation?.choice ?? .automatic),
          rule: profile.faces)
        defaultThresholds.confidence = profile.faces.leastObjectness
      } else {
        profile = try PipelineProfile(detector: file, secondStage: second?.file)
        faceReader = nil
      }
    #endif
    self.defaultThresholds = defaultThresholds
    do {
      let runner = try NetworkRunner(
        network.plan, width: inputWidth, height: inputHeight, pool: pool)
      workspaces = IdlePool(
        DetectionWorkspace(runner, of: network, pool: pool, profile: profile),
        limit: max(2, WorkerPool.processorCount))
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

  /// The second stage, where it is at work.
  var classifier: CropClassifier? {
    configuration.stages[.cropClassification] ? secondStage : nil
  }

  /// Whether pictures with small dice are looked at again, in tiles.
  var usesTiles: Bool {
    configuration.tiling == .automatic && cropAndScale == .scaleFit
      && configuration.stages[.tiledInference]
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

  /// The map from a frame to the network's input.
  func transform(
    of frame: borrowing RawFrame, _ request: DetectionRequest
  ) throws(DetectorError) -> ImageTransform {
    try transform(
      storedWidth: frame.width, storedHeight: frame.height,
      orientation: request.orientation ?? frame.orientation,
      regionOfInterest: request.regionOfInterest)
  }

  /// A workspace that nobody else uses until it is given back.
  func takeWorkspace() throws(DetectorError) -> DetectionWorkspace {
    if let workspace = workspaces.take() { return workspace }
    do {
      return DetectionWorkspace(
        try NetworkRunner(plan, width: inputWidth, height: inputHeight, pool: pool),
        of: network, pool: pool, profile: profile)
    } catch { throw .network(error) }
  }

  /// The identifier of the first observation of a call; the others follow.
  func nextIdentifier() -> UInt64 {
    UInt64(callCount.wrappingAdd(1, ordering: .relaxed).newValue) << 32
  }
}

/// A weight file, and its network, ready to run.
private struct PlannedNetwork {
  let file: WeightFile
  let network: GridBoxNetwork

  init(_ bytes: [UInt8], _ configuration: DiceDetector.Configuration) throws(DetectorError) {
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    network = try GridBoxNetwork(
      detecting: file, kernels: configuration.kernelImplementation?.choice ?? .automatic,
      precision: configuration.precision.network)
  }
}

extension CropAndScale {
  /// The rule that a weight file states.
  init(_ stored: ImageRules.CropAndScale) {
    switch stored {
    case .centerCrop: self = .centerCrop
    case .scaleFit: self = .scaleFit
    case .scaleFill: self = .scaleFill
    }
  }
}
