internal import DiceNetwork

extension DetectorCore {
  /// The dice in a frame.
  func detect(
    in frame: borrowing RawFrame, request: DetectionRequest, thresholds: some ThresholdProvider
  ) throws(DetectorError) -> DetectionResult {
    try request.checkCancellation()
    let thresholds = try CheckedThresholds(thresholds, default: defaultThresholds)
    let transform = try transform(of: frame, request)
    let workspace = try takeWorkspace()
    defer { workspaces.giveBack(workspace) }

    var timings = StageTimings(imageDecoding: request.imageDecoding)
    workspace.removeBoxes()
    let least = leastConfidence(thresholds)
    try look(
      at: frame, through: transform, with: workspace.runner, request: request, confidence: least,
      workspace, &timings)
    if zooms {
      try lookCloser(
        at: frame, after: transform, request: request, confidence: least, workspace, &timings)
    }
    if let reader {
      try read(frame, through: transform, with: reader, request: request, workspace, &timings)
    }
    var stopwatch = Stopwatch()
    choose(thresholds, workspace)
    let observations = observations(of: workspace, transform)
    timings.suppression = stopwatch.lap()
    return DetectionResult(
      observations: observations, uprightWidth: transform.uprightWidth,
      uprightHeight: transform.uprightHeight, timings: timings)
  }

  /// Everything the network proposes for a frame.
  func candidates(
    in frame: borrowing RawFrame, request: DetectionRequest, confidenceThreshold: Double?
  ) throws(DetectorError) -> [DieCandidate] {
    let threshold = try CheckedThresholds.check(
      confidenceThreshold ?? defaultThresholds.confidenceThreshold,
      ThresholdName.confidenceThreshold)
    let transform = try transform(of: frame, request)
    let workspace = try takeWorkspace()
    defer { workspaces.giveBack(workspace) }
    workspace.sampling.writeInput(of: workspace.runner, from: frame, through: transform)
    workspace.runner.run()
    workspace.runner.decode(
      into: &workspace.candidates, confidenceThreshold: Float(threshold))
    var candidates: [DieCandidate] = []
    candidates.reserveCapacity(workspace.candidates.count)
    for index in 0..<workspace.candidates.count {
      let candidate = workspace.candidates[index]
      candidates.append(
        DieCandidate(
          boundingBox: transform.inputToUpright.map(candidate.boundingBox),
          inputBoundingBox: candidate.boundingBox,
          labels: labels.ranked(workspace.candidates.classProbabilities(of: candidate)),
          value: labels.values[candidate.classIndex], confidence: candidate.confidence,
          objectness: candidate.objectness, headIndex: candidate.headIndex,
          column: candidate.column, row: candidate.row))
    }
    return candidates
  }

  /// The picture that the network sees of a frame.
  func networkInput(
    of frame: borrowing RawFrame, request: DetectionRequest
  ) throws(DetectorError) -> PixelImage {
    inputImage(
      of: frame, through: try transform(of: frame, request), paddingValue: plan.input.paddingValue)
  }

  /// What a network sees of a frame through a transform, as a picture; a reader sees a ruler, too.
  func inputImage(
    of frame: borrowing RawFrame, through transform: ImageTransform, paddingValue: UInt8,
    ruler: PlaceRuler? = nil
  ) -> PixelImage {
    let (width, height) = (transform.inputWidth, transform.inputHeight)
    var sampler = InputSampler()
    var samples = [UInt8](repeating: 0, count: width * height * 3)
    sampler.sample(
      frame, through: transform, into: &samples, layout: .interleaved(width: width),
      paddingValue: paddingValue)
    ruler?.forEachPixel { (column, row, value) in
      let first = (row * width + column) * 3
      for channel in 0..<3 { samples[first + channel] = UInt8(255 * value) }
    }
    return PixelImage(width: width, height: height, format: .rgb, samples: samples)
  }

  /// Whether pictures with small dice are looked at again.
  var zooms: Bool { configuration.zoom == .automatic && cropAndScale == .scaleFit }

  /// The least confidence of proposals: closer looks and the reader go by weak ones, too.
  func leastConfidence(_ thresholds: CheckedThresholds) -> Float {
    var least = thresholds.confidence
    if zooms { least = min(least, CloserLook.hintConfidence) }
    if reader != nil { least = min(least, DieReader.proposalConfidence) }
    return least
  }

  /// The least confidence of boxes that are chosen among: those of a reader may gain by company, and
  /// are company to others.
  func leastChosenConfidence(_ thresholds: CheckedThresholds) -> Float {
    guard reader != nil else { return thresholds.confidence }
    let least = Company.confidence(toReach: Double(thresholds.confidence))
    return Float(min(least, Company.leastConfidence)).nextDown
  }

  func transform(
    of frame: borrowing RawFrame, _ request: DetectionRequest
  ) throws(DetectorError) -> ImageTransform {
    try transform(
      storedWidth: frame.width, storedHeight: frame.height,
      orientation: request.orientation ?? frame.orientation,
      regionOfInterest: request.regionOfInterest)
  }
}

// MARK: - Stages

extension DetectorCore {
  /// Runs the network on one view of a frame and adds what it proposes to the competing boxes.
  ///
  /// - Parameter core: the part of the upright picture whose boxes are taken; nil for all of it.
  func look(
    at frame: borrowing RawFrame, through transform: ImageTransform, with runner: NetworkRunner,
    request: DetectionRequest, confidence: Float, core: BoundingBox? = nil,
    greatestSide: Double = .infinity, _ workspace: DetectionWorkspace,
    _ timings: inout StageTimings
  ) throws(DetectorError) {
    var stopwatch = Stopwatch()
    workspace.sampling.writeInput(of: runner, from: frame, through: transform)
    timings.preparation += stopwatch.lap()
    try request.checkCancellation()
    runner.run()
    timings.network += stopwatch.lap()
    try request.checkCancellation()
    let first = workspace.candidates.count
    runner.append(to: &workspace.candidates, confidenceThreshold: confidence)
    collectBoxes(
      from: first, through: transform, core: core, greatestSide: greatestSide, workspace)
    timings.decoding += stopwatch.lap()
  }

  /// Looks again, at a larger scale, as long as the dice seen are small.
  private func lookCloser(
    at frame: borrowing RawFrame, after transform: ImageTransform, request: DetectionRequest,
    confidence: Float, _ workspace: DetectionWorkspace, _ timings: inout StageTimings
  ) throws(DetectorError) {
    var progress = CloserLook.Progress(scale: transform.uprightToInput.a)
    var firstHint = 0
    while let closer = closerLook(
      &progress, firstHint: firstHint, visible: transform.visibleRegion, workspace)
    {
      giveWay(to: closer, workspace)
      firstHint = workspace.boxes.count
      for tile in closer.tiles {
        _ = try look(
          at: tile, of: closer, frame, after: transform, request: request, confidence: confidence,
          workspace, &timings)
      }
    }
  }

  /// What to look at next, from the boxes of the look before; nil where nothing is to be gained.
  func closerLook(
    _ progress: inout CloserLook.Progress, firstHint: Int, visible: BoundingBox,
    _ workspace: DetectionWorkspace
  ) -> CloserLook? {
    workspace.seeHints(from: firstHint, in: visible, &progress)
    guard let closer = CloserLook(after: progress, visible: visible) else { return nil }
    progress.count += 1
    if closer.isBlind { progress.blindCount += 1 }
    progress.scale = closer.scale
    return closer
  }

  /// Removes the boxes that a closer look sees better.
  func giveWay(to closer: CloserLook, _ workspace: DetectionWorkspace) {
    workspace.removeBoxes { (index) in
      let box = workspace.boxes[index]
      return closer.region.contains(box.center)
        && max(box.width, box.height) * closer.scale <= CloserLook.greatestSide
    }
  }

  /// Looks at a tile of a closer look, and returns how it is seen.
  func look(
    at tile: CloserLook.Tile, of closer: CloserLook, _ frame: borrowing RawFrame,
    after transform: ImageTransform, request: DetectionRequest, confidence: Float,
    _ workspace: DetectionWorkspace, _ timings: inout StageTimings
  ) throws(DetectorError) -> ImageTransform {
    let runner = try takeCloserRunner(
      of: workspace, width: tile.inputWidth, height: tile.inputHeight)
    let view: ImageTransform
    do {
      view = try ImageTransform(
        storedWidth: transform.storedWidth, storedHeight: transform.storedHeight,
        orientation: transform.orientation,
        regionOfInterest: NormalizedRect(
          imageBox: tile.region, width: transform.uprightWidth, height: transform.uprightHeight),
        cropAndScale: .scaleFit, inputWidth: tile.inputWidth, inputHeight: tile.inputHeight)
    } catch { throw .geometry(error) }
    try look(
      at: frame, through: view, with: runner, request: request, confidence: confidence,
      core: tile.core, greatestSide: CloserLook.greatestSide / closer.scale, workspace, &timings)
    return view
  }

  /// Brings the candidates' boxes to the upright picture and clips them to it.
  ///
  /// Clipped first and suppressed afterwards, so that no two boxes of a result overlap by more than
  /// the threshold, and what lies in the padding alone competes with nothing.
  private func collectBoxes(
    from first: Int, through transform: ImageTransform, core: BoundingBox?, greatestSide: Double,
    _ workspace: DetectionWorkspace
  ) {
    let picture = BoundingBox(
      x: 0, y: 0, width: Double(transform.uprightWidth), height: Double(transform.uprightHeight))
    for index in first..<workspace.candidates.count {
      let candidate = workspace.candidates[index]
      let box = transform.inputToUpright.map(candidate.boundingBox).clipped(to: picture)
      guard box.isProper, !box.isEmpty, max(box.width, box.height) <= greatestSide else {
        continue
      }
      if let core, !core.contains(box.center) { continue }
      workspace.append(
        box, confidence: candidate.confidence, classIndex: candidate.classIndex,
        candidateIndex: index)
    }
  }

  /// Chooses the boxes of the result: of those that overlap the surest, and of these the ones that
  /// are sure enough, in company where a reader saw each of them alone.
  func choose(_ thresholds: CheckedThresholds, _ workspace: DetectionWorkspace) {
    let least = leastChosenConfidence(thresholds)
    workspace.removeBoxes { (box) in workspace.confidences[box] < least }
    suppress(thresholds, least: least, workspace)
    workspace.keepBoxes(
      inCompany: reader != nil, confidence: thresholds.confidence,
      maximumCount: configuration.maximumObservationCount)
  }

  /// Chooses among boxes that overlap.
  private func suppress(
    _ thresholds: CheckedThresholds, least: Float, _ workspace: DetectionWorkspace
  ) {
    let mode: NonMaximumSuppression.Mode =
      switch configuration.suppression {
      case .acrossClasses: .classAgnostic
      case .perClass: .perClass
      case .soft(let sigma):
        .soft(sigma: sigma, minimumConfidence: Double(least), isClassAgnostic: true)
      }
    // A reader sees few enough, and which of them are the surest, their company decides.
    let maximumCount =
      reader == nil ? configuration.maximumObservationCount : DiceDetector.readingLimit
    NonMaximumSuppression(
      intersectionOverUnionThreshold: thresholds.intersectionOverUnion, mode: mode,
      maximumCount: maximumCount
    ).select(
      boxes: workspace.boxes, confidences: workspace.confidences,
      classIndices: workspace.classIndices, using: &workspace.suppression)
  }

  /// The kept boxes as observations, from left to right.
  func observations(
    of workspace: DetectionWorkspace, _ transform: ImageTransform
  ) -> [DieObservation] {
    let identifier = nextIdentifier()
    var observations: [DieObservation] = []
    observations.reserveCapacity(workspace.order.count)
    for place in 0..<workspace.order.count {
      let rank = workspace.order[place]
      let index = workspace.suppression.indices[rank]
      let candidate = workspace.candidates[workspace.candidateIndices[index]]
      observations.append(
        DieObservation(
          identifier: identifier | UInt64(place), boundingBox: workspace.boxes[index],
          uprightWidth: transform.uprightWidth, uprightHeight: transform.uprightHeight,
          labels: labels.ranked(workspace.candidates.classProbabilities(of: candidate)),
          value: labels.values[candidate.classIndex],
          confidence: workspace.keptConfidences[rank],
          objectness: candidate.objectness))
    }
    return observations
  }
}
