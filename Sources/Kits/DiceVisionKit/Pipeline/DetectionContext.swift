internal import DiceParallel
internal import DiceDetection
internal import DiceNetwork

/// One call of a detector: what was asked for, and all that its stages work with.
///
/// The stages, in their order, stand in extensions of their own:
///
/// 1. an inference pass over the whole picture proposes boxes,
/// 2. tiled inference proposes more, where dice are small,
/// 3. crop classification sees each of them alone,
/// 4. selection: suppression, contextual rescoring, thresholds,
/// 5. what is left becomes observations.
struct DetectionContext {
  let core: DetectorCore
  let request: DetectionRequest
  let thresholds: CheckedThresholds
  /// From the stored picture to the network's input, and back.
  let transform: ImageTransform
  let workspace: DetectionWorkspace
  var timings: StageTimings
  /// Whether a stage wants to see more of a picture than its smaller copy shows.
  var needsFullPicture = false

  #if hasFeature(Embedded)
    /// Programs without an operating system explain nothing, and carry no code for it.
    var trace: DetectionTrace? { nil }
  #else
    /// Writes down how the result comes about; nil where nobody wants to know.
    let trace: DetectionTrace?
  #endif

  var profile: PipelineProfile { core.profile }
  var stages: PipelineStages { core.configuration.stages }
  /// Whether dice count by their objectness alone, as they do where taught faces are read.
  var ignoresClasses: Bool { request.ignoresClasses || core.faceReader != nil }

  /// Goes through all stages.
  mutating func run(on frame: borrowing RawFrame) throws(DetectorError) -> DetectionResult {
    workspace.removeAll()
    trace?.begin(
      leastConfidence: leastProposalConfidence, thresholds, hasSecondStage: core.classifier != nil)
    try inferWhole(frame)
    if core.usesTiles { try inferTiles(of: frame) }
    if let classifier = core.classifier, !needsFullPicture {
      try classifyCrops(of: frame, with: classifier)
    }
    var stopwatch = Stopwatch()
    select()
    let observations: [DieObservation]
    if let reader = core.faceReader {
      observations = try taughtFaces(in: frame, reader)
    } else {
      observations = self.observations()
    }
    timings.suppression = stopwatch.lap()
    var result = DetectionResult(
      observations: observations, uprightWidth: transform.uprightWidth,
      uprightHeight: transform.uprightHeight, timings: timings)
    result.needsFullPicture = needsFullPicture
    return result
  }

  /// Whether a view of so many pixels of a network's input for each pixel of the frame would be
  /// sharper with all pixels of the picture that the frame is a smaller copy of.
  func isBlurred(_ scale: Double) -> Bool {
    request.reduction > 1 && scale > DetectorCore.sharpScale
  }

  /// The least confidence of proposals: tiles and the second stage go by faint ones, too.
  ///
  /// Where there is a second stage, the threshold has no say: it chooses among detections, and changes
  /// none.
  var leastProposalConfidence: Float {
    var least = core.classifier != nil ? profile.crops.proposalConfidence : thresholds.confidence
    if core.usesTiles { least = min(least, profile.tiling.proposalConfidence) }
    return least
  }
}

extension DetectorCore {
  /// The dice in a frame.
  ///
  /// - Parameter trace: writes down how the result comes about; nil where nobody wants to know.
  func detect(
    in frame: borrowing RawFrame, request: DetectionRequest, thresholds: some ThresholdProvider,
    trace: DetectionTrace? = nil
  ) throws(DetectorError) -> DetectionResult {
    try request.checkCancellation()
    let thresholds = try CheckedThresholds(thresholds, default: defaultThresholds)
    let transform = try transform(of: frame, request)
    let workspace = try takeWorkspace()
    defer { workspaces.giveBack(workspace) }
    let timings = StageTimings(imageDecoding: request.imageDecoding)
    #if hasFeature(Embedded)
      var context = DetectionContext(
        core: self, request: request, thresholds: thresholds, transform: transform,
        workspace: workspace, timings: timings)
    #else
      var context = DetectionContext(
        core: self, request: request, thresholds: thresholds, transform: transform,
        workspace: workspace, timings: timings, trace: trace)
    #endif
    return try context.run(on: frame)
  }
}
