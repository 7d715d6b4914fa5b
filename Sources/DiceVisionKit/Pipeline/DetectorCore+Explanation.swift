internal import DiceKernels
internal import DiceNetwork

extension DiceDetector {
  /// Finds the dice in a picture and says how the result came about.
  ///
  /// Goes through the same stages as ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``,
  /// with the same result, and keeps what each of them had before it; takes time and memory for that.
  package func explain(
    _ image: PixelImage, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil,
    thresholds: some ThresholdProvider = WeightFileThresholds()
  ) throws(DetectorError) -> DetectionExplanation {
    try image.withFrame { (frame) throws(DetectorError) -> DetectionExplanation in
      try core.explain(
        frame,
        request: DetectionRequest(orientation: orientation, regionOfInterest: regionOfInterest),
        thresholds: thresholds)
    }
  }
}

extension DetectorCore {
  /// The dice in a frame, stage by stage as `detect` finds them.
  func explain(
    _ frame: borrowing RawFrame, request: DetectionRequest, thresholds: some ThresholdProvider
  ) throws(DetectorError) -> DetectionExplanation {
    let thresholds = try CheckedThresholds(thresholds, default: defaultThresholds)
    let transform = try transform(of: frame, request)
    let workspace = try takeWorkspace()
    defer { workspaces.giveBack(workspace) }
    var timings = StageTimings()
    workspace.removeBoxes()
    let least = leastConfidence(thresholds)
    var explanation = DetectionExplanation(
      hasReader: reader != nil, leastConfidence: least,
      thresholds: Thresholds(
        iouThreshold: thresholds.intersectionOverUnion,
        confidenceThreshold: Double(thresholds.confidence)),
      result: DetectionResult(observations: [], uprightWidth: 1, uprightHeight: 1))
    var recorder = ProposalRecorder()

    try look(
      at: frame, through: transform, with: workspace.runner, request: request, confidence: least,
      workspace, &timings)
    record(frame, transform, workspace.runner, round: 0, &explanation)
    recorder.add(workspace, labels, look: 0, to: &explanation)
    if zooms {
      var progress = CloserLook.Progress(scale: transform.uprightToInput.a)
      var firstHint = 0
      while let closer = closerLook(
        &progress, firstHint: firstHint, visible: transform.visibleRegion, workspace)
      {
        giveWay(to: closer, workspace)
        recorder.markReplaced(workspace, in: &explanation)
        firstHint = workspace.boxes.count
        for tile in closer.tiles {
          let view = try look(
            at: tile, of: closer, frame, after: transform, request: request, confidence: least,
            workspace, &timings)
          guard let runner = workspace.closerRunner else { continue }
          record(frame, view, runner, round: progress.count, &explanation)
          recorder.add(
            workspace, labels, look: explanation.looks.count - 1, to: &explanation)
        }
      }
    }
    if let reader {
      try explainReading(
        frame, transform, reader, workspace, recorder, &explanation)
    }
    explainChoice(thresholds, workspace, recorder, &explanation)
    explanation.result = DetectionResult(
      observations: observations(of: workspace, transform), uprightWidth: transform.uprightWidth,
      uprightHeight: transform.uprightHeight)
    return explanation
  }

  // MARK: - Stages

  /// Keeps what a look saw and how likely each of its cells holds a die.
  private func record(
    _ frame: borrowing RawFrame, _ transform: ImageTransform, _ runner: NetworkRunner, round: Int,
    _ explanation: inout DetectionExplanation
  ) {
    var heads: [DetectionExplanation.HeadMap] = []
    for index in plan.heads.indices {
      let map = runner.headFeatureMap(index)
      var objectness: [Float] = []
      objectness.reserveCapacity(map.width * map.height)
      for row in 0..<map.height {
        for column in 0..<map.width {
          // Channel 4, after the four numbers of the box.
          objectness.append(ReferenceKernels.sigmoid(map[row, column, 4]))
        }
      }
      heads.append(
        DetectionExplanation.HeadMap(
          width: map.width, height: map.height, stride: plan.heads[index].stride,
          objectness: objectness))
    }
    explanation.looks.append(
      DetectionExplanation.Look(
        round: round, region: transform.region, uprightToInput: transform.uprightToInput,
        input: inputImage(
          of: frame, through: transform, paddingValue: plan.input.paddingValue),
        heads: heads))
  }

  /// Lets the reader look at each proposal and keeps what it says.
  private func explainReading(
    _ frame: borrowing RawFrame, _ transform: ImageTransform, _ reader: DieReader,
    _ workspace: DetectionWorkspace, _ recorder: ProposalRecorder,
    _ explanation: inout DetectionExplanation
  ) throws(DetectorError) {
    chooseProposals(workspace)
    let proposalCount = workspace.boxes.count
    let chosen = workspace.suppression.indices
    var isChosen = [Bool](repeating: false, count: proposalCount)
    for index in chosen { isChosen[index] = true }
    for index in 0..<proposalCount where !isChosen[index] {
      let winner = Self.winner(
        over: index, among: chosen, workspace, threshold: DieReader.proposalOverlap,
        isPerClass: false)
      let proposal = recorder.proposal(of: workspace.candidateIndices[index])
      explanation.proposals[proposal].fate =
        winner.map {
          .suppressed(
            by: recorder.proposal(of: workspace.candidateIndices[$0.index]), overlap: $0.overlap)
        } ?? .beyondLimit
    }
    let dieReading = try readProposals(of: frame, through: transform, with: reader, workspace)
    for (rank, index) in chosen.enumerated() {
      let proposal = recorder.proposal(of: workspace.candidateIndices[index])
      explanation.proposals[proposal].fate = .refusedByReader
      let window = reader.window(around: workspace.boxes[index])
      guard let reading = dieReading.reading(rank),
        let view = ImageTransform(
          window: window, storedWidth: transform.storedWidth, storedHeight: transform.storedHeight,
          orientation: transform.orientation, inputWidth: reader.plan.input.width,
          inputHeight: reader.plan.input.height)
      else { continue }
      let place = workspace.candidates.append(
        reading.place, of: dieReading.candidates(of: reading))
      let own = opinion(of: place, workspace)
      take(place, box: reading.box, for: index, workspace)
      explanation.proposals[proposal].fate = .read(explanation.readings.count)
      explanation.readings.append(
        DetectionExplanation.Reading(
          proposalIndex: proposal, window: window,
          input: inputImage(
            of: frame, through: view, paddingValue: reader.plan.input.paddingValue,
            ruler: reader.ruler(at: workspace.boxes[index], through: transform)),
          opinion: own, pooled: opinion(of: place, workspace), boundingBox: reading.box,
          fate: .belowThreshold))
    }
    workspace.removeBoxes { (index) in index < proposalCount }
  }

  /// Chooses among the boxes that compete and says why.
  private func explainChoice(
    _ thresholds: CheckedThresholds, _ workspace: DetectionWorkspace,
    _ recorder: ProposalRecorder, _ explanation: inout DetectionExplanation
  ) {
    // With a reader the boxes are its readings, in their order.
    var entries: [Int] = []
    for index in 0..<workspace.boxes.count {
      entries.append(
        explanation.hasReader ? index : recorder.proposal(of: workspace.candidateIndices[index]))
    }
    func setFate(_ entry: Int, _ fate: DetectionExplanation.Fate) {
      if explanation.hasReader {
        explanation.readings[entry].fate = fate
      } else {
        explanation.proposals[entry].fate = fate
      }
    }
    let least = leastChosenConfidence(thresholds)
    var kept: [Int] = []
    for index in 0..<workspace.boxes.count {
      if workspace.confidences[index] < least {
        setFate(entries[index], .belowThreshold)
      } else {
        kept.append(entries[index])
      }
    }
    choose(thresholds, workspace)
    let winners = workspace.suppression.indices
    var isWinner = [Bool](repeating: false, count: workspace.boxes.count)
    for index in winners { isWinner[index] = true }
    var overlap = thresholds.intersectionOverUnion
    if case .soft = configuration.suppression { overlap = 0 }
    for index in 0..<workspace.boxes.count where !isWinner[index] {
      let winner = Self.winner(
        over: index, among: winners, workspace, threshold: overlap,
        isPerClass: configuration.suppression == .perClass)
      setFate(
        kept[index],
        winner.map { .suppressed(by: kept[$0.index], overlap: $0.overlap) } ?? .beyondLimit)
    }
    for (rank, index) in winners.enumerated() {
      let confidence = workspace.keptConfidences[rank]
      setFate(kept[index], confidence < thresholds.confidence ? .belowThreshold : .beyondLimit)
      guard explanation.hasReader else { continue }
      explanation.readings[kept[index]].company = DetectionExplanation.Company(
        share: workspace.companyShares[rank], confidence: confidence)
    }
    for place in 0..<workspace.order.count {
      setFate(kept[winners[workspace.order[place]]], .kept(place))
    }
  }

  // MARK: - Parts

  /// The surer one of some boxes that overlaps a box most, if by more than a threshold.
  private static func winner(
    over index: Int, among winners: [Int], _ workspace: DetectionWorkspace, threshold: Double,
    isPerClass: Bool
  ) -> (index: Int, overlap: Double)? {
    var best: (index: Int, overlap: Double)?
    for other in winners where workspace.confidences[other] >= workspace.confidences[index] {
      if isPerClass, workspace.classIndices[other] != workspace.classIndices[index] { continue }
      let overlap = workspace.boxes[index].intersectionOverUnion(with: workspace.boxes[other])
      if overlap > max(threshold, best?.overlap ?? 0) { best = (other, overlap) }
    }
    return best
  }

  private func opinion(
    of candidate: Int, _ workspace: DetectionWorkspace
  ) -> DetectionExplanation.Opinion {
    DetectionExplanation.Opinion(workspace.candidates, candidate, labels)
  }
}

extension DetectionExplanation.Opinion {
  /// What a candidate of a list says.
  init(_ list: CandidateList, _ index: Int, _ labels: ClassLabels) {
    let candidate = list[index]
    var probabilities: [Float] = []
    for probability in list.classProbabilities(of: candidate) { probabilities.append(probability) }
    self.init(
      objectness: candidate.objectness, probabilities: probabilities,
      confidence: candidate.confidence, value: labels.values[candidate.classIndex])
  }
}

/// Keeps proposals as they come, and finds them again by their candidates.
private struct ProposalRecorder {
  /// The proposal of each candidate.
  private var proposals: [Int: Int] = [:]

  /// The proposal of a candidate.
  func proposal(of candidate: Int) -> Int { proposals[candidate] ?? 0 }

  /// Takes up the boxes that came with a look.
  mutating func add(
    _ workspace: DetectionWorkspace, _ labels: ClassLabels, look: Int,
    to explanation: inout DetectionExplanation
  ) {
    for index in 0..<workspace.boxes.count {
      let candidateIndex = workspace.candidateIndices[index]
      if proposals[candidateIndex] != nil { continue }
      let candidate = workspace.candidates[candidateIndex]
      proposals[candidateIndex] = explanation.proposals.count
      explanation.proposals.append(
        DetectionExplanation.Proposal(
          boundingBox: workspace.boxes[index],
          opinion: DetectionExplanation.Opinion(workspace.candidates, candidateIndex, labels),
          lookIndex: look, headIndex: candidate.headIndex, column: candidate.column,
          row: candidate.row, fate: .belowThreshold))
    }
  }

  /// Marks the proposals that are no longer among the boxes.
  func markReplaced(
    _ workspace: DetectionWorkspace, in explanation: inout DetectionExplanation
  ) {
    var isLeft = [Bool](repeating: false, count: explanation.proposals.count)
    for candidate in workspace.candidateIndices { isLeft[proposal(of: candidate)] = true }
    for index in 0..<isLeft.count where !isLeft[index] {
      explanation.proposals[index].fate = .replacedByCloserLook
    }
  }
}
