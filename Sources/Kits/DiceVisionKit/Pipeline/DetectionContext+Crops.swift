internal import DiceDetection
internal import DiceGeometry

extension DetectionContext {
  /// Lets the second stage classify the proposals, which take over its boxes and scores.
  mutating func classifyCrops(
    of frame: borrowing RawFrame, with classifier: CropClassifier
  ) throws(DetectorError) {
    var stopwatch = Stopwatch()
    chooseForClassification()
    if showsBlurredDice(to: classifier) {
      needsFullPicture = true
      return
    }
    try request.checkCancellation()
    let classification = try takeClassification(classifier)
    classification.removeAll()
    for index in workspace.suppression.indices {
      classification.append(workspace.proposals[index].boundingBox)
    }
    classification.run(on: frame, through: transform)
    for (rank, index) in workspace.suppression.indices.enumerated() {
      let proposal = workspace.proposals[index]
      guard let outcome = classification.outcome(rank) else {
        trace?.setFate(of: proposal, .refusedBySecondStage)
        continue
      }
      let candidate = workspace.candidates.append(
        outcome.candidateIndex, of: classification.candidates(of: outcome))
      let ownScores = trace?.scores(workspace.candidates, candidate, core.labels)
      if stages[.scoreFusion] {
        workspace.candidates.fuse(candidate, with: proposal.candidateIndex, by: profile.fusion)
      }
      workspace.classify(
        proposal, box: outcome.box, candidateIndex: candidate, ignoresClasses: ignoresClasses)
      if let trace, let ownScores {
        trace.recordClassification(
          of: proposal, box: outcome.box, scores: ownScores,
          fused: trace.scores(workspace.candidates, candidate, core.labels),
          window: classifier.geometry.window(around: proposal.boundingBox),
          input: cropImage(of: proposal, frame, classifier, classification))
      }
    }
    workspace.keepClassified()
    timings.cropClassification += stopwatch.lap()
  }

  /// Chooses the proposals that are classified, the surest first, into the workspace's suppression.
  private func chooseForClassification() {
    workspace.suppress(
      by: NonMaximumSuppression(
        iouThreshold: profile.crops.proposalOverlap, mode: .classAgnostic,
        maximumCount: DiceDetector.proposalLimit))
    trace?.recordSuppression(
      workspace, overlap: profile.crops.proposalOverlap, isPerClass: false)
  }

  /// Whether a crop of what may be a die would be sharper with all pixels of the picture.
  private func showsBlurredDice(to classifier: CropClassifier) -> Bool {
    workspace.suppression.indices.contains { (index) in
      let proposal = workspace.proposals[index]
      let side = max(proposal.boundingBox.width, proposal.boundingBox.height)
      return proposal.confidence >= Double(profile.tiling.proposalConfidence)
        && isBlurred(Double(classifier.geometry.objectSide) / side)
    }
  }

  /// What the classifier saw of a proposal first.
  private func cropImage(
    of proposal: Proposal, _ frame: borrowing RawFrame, _ classifier: CropClassifier,
    _ classification: CropClassification
  ) -> PixelImage? {
    classifier.view(of: proposal.boundingBox, in: transform).map { (view) in
      core.inputImage(
        of: frame, through: view, paddingValue: classifier.network.imageRules.paddingValue)
    }
  }

  private func takeClassification(
    _ classifier: CropClassifier
  ) throws(DetectorError) -> CropClassification {
    if let classification = workspace.classification { return classification }
    let classification = try CropClassification(
      classifier, reader: core.numeralReader, profile: profile, stages: stages, pool: core.pool)
    workspace.classification = classification
    return classification
  }
}
