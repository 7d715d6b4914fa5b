internal import DiceDetection
internal import DiceGeometry
internal import DiceNetwork

/// Writes down how a result comes about, while the stages of a call go by.
final class DetectionTrace {
  private(set) var explanation: DetectionExplanation
  /// For each proposal that was classified, its place among the classifications.
  private var classifications: [Int: Int] = [:]

  init() {
    explanation = DetectionExplanation(
      leastConfidence: 0, thresholds: (0, 0),
      result: DetectionResult(observations: [], uprightWidth: 1, uprightHeight: 1))
  }

  func begin(
    leastConfidence: Float, _ thresholds: CheckedThresholds, hasSecondStage: Bool
  ) {
    explanation.leastConfidence = leastConfidence
    explanation.thresholds = (
      thresholds.intersectionOverUnion, Double(decimalOf: thresholds.confidence)
    )
    explanation.hasSecondStage = hasSecondStage
  }

  /// The whole, with the result in the end.
  func finished(_ result: DetectionResult) -> DetectionExplanation {
    explanation.result = result
    return explanation
  }

  // MARK: - Proposals

  /// Keeps what a pass saw and how likely each of its cells holds a die.
  func record(
    _ pass: DetectionContext.InferencePass, of frame: borrowing RawFrame,
    by runner: NetworkRunner, _ core: DetectorCore
  ) {
    var heads: [DetectionExplanation.HeadMap] = []
    let boxes = core.network.boxes
    for index in 0..<boxes.heads.count {
      let map = runner.output(boxes.outputs[index])
      var objectness: [Float] = []
      objectness.reserveCapacity(map.width * map.height)
      for row in 0..<map.height {
        for column in 0..<map.width {
          objectness.append(
            GridBoxHead.objectness(map[row, column, GridBoxHead.objectnessChannel]))
        }
      }
      heads.append(
        DetectionExplanation.HeadMap(
          width: map.width, height: map.height, stride: boxes.heads[index].stride,
          objectness: objectness))
    }
    explanation.passes.append(
      DetectionExplanation.Pass(
        round: pass.round, region: pass.view.region, uprightToInput: pass.view.uprightToInput,
        input: core.inputImage(
          of: frame, through: pass.view, paddingValue: core.network.imageRules.paddingValue),
        heads: heads))
  }

  /// Keeps the proposals of the last pass, each at the place that its identifier says.
  func recordProposals(
    from first: Int, of workspace: DetectionWorkspace, _ labels: ClassLabels
  ) {
    for proposal in workspace.proposals[first...] {
      precondition(
        proposal.identifier == explanation.proposals.count, "every proposal is written down")
      let candidate = workspace.candidates[proposal.candidateIndex]
      explanation.proposals.append(
        DetectionExplanation.Proposal(
          boundingBox: proposal.boundingBox,
          scores: scores(workspace.candidates, proposal.candidateIndex, labels),
          passIndex: explanation.passes.count - 1, headIndex: candidate.headIndex,
          column: candidate.column, row: candidate.row, fate: .belowThreshold))
    }
  }

  // MARK: - Second stage

  /// What a candidate of a list says.
  func scores(
    _ list: CandidateList, _ index: Int, _ labels: ClassLabels
  ) -> DetectionExplanation.Scores {
    let candidate = list[index]
    return DetectionExplanation.Scores(
      objectness: candidate.objectness,
      probabilities: Array(list.classProbabilities(of: candidate)),
      confidence: candidate.confidence, value: labels.values[candidate.classIndex])
  }

  /// Keeps what the second stage says of a proposal, alone and fused with the detector's scores.
  func recordClassification(
    of proposal: Proposal, box: BoundingBox, scores: DetectionExplanation.Scores,
    fused: DetectionExplanation.Scores, window: BoundingBox, input: PixelImage?
  ) {
    guard let input else { return }
    let place = explanation.classifications.count
    explanation.proposals[proposal.identifier].fate = .classified(place)
    classifications[proposal.identifier] = place
    explanation.classifications.append(
      DetectionExplanation.Classification(
        proposalIndex: proposal.identifier, window: window, input: input, scores: scores,
        fused: fused, boundingBox: box, fate: .belowThreshold))
  }

  // MARK: - Selection

  /// Keeps what became of a proposal: of its classification, where it has one.
  func setFate(of proposal: Proposal, _ fate: DetectionExplanation.Fate) {
    if let place = classifications[proposal.identifier] {
      explanation.classifications[place].fate = fate
    } else {
      explanation.proposals[proposal.identifier].fate = fate
    }
  }

  /// Keeps which proposals lost to which in the suppression that has just been.
  ///
  /// - Parameters:
  ///   - overlap: from which intersection over union on boxes compete.
  ///   - isPerClass: whether only those of one class do.
  func recordSuppression(_ workspace: DetectionWorkspace, overlap: Double, isPerClass: Bool) {
    let winners = workspace.suppression.indices
    var isWinner = [Bool](repeating: false, count: workspace.proposals.count)
    for index in winners { isWinner[index] = true }
    for (index, proposal) in workspace.proposals.enumerated() where !isWinner[index] {
      var best: (winner: Proposal, overlap: Double)?
      for other in winners {
        let winner = workspace.proposals[other]
        guard winner.confidence >= proposal.confidence,
          !isPerClass || winner.classIndex == proposal.classIndex
        else { continue }
        let shared = proposal.boundingBox.intersectionOverUnion(with: winner.boundingBox)
        if shared > max(overlap, best?.overlap ?? 0) { best = (winner, shared) }
      }
      if let best {
        setFate(
          of: proposal, .suppressed(by: place(of: best.winner), overlap: best.overlap))
      } else {
        setFate(of: proposal, .beyondLimit)
      }
    }
  }

  /// Keeps that a box lost to a surer one on the same die.
  func recordOtherFace(_ face: Proposal, of surer: Proposal) {
    let overlap = face.boundingBox.intersectionOverUnion(with: surer.boundingBox)
    setFate(of: face, .suppressed(by: place(of: surer), overlap: overlap))
  }

  /// Keeps what the boxes around a classified one make of its confidence.
  func recordRescoring(of proposal: Proposal, support: Double) {
    guard let place = classifications[proposal.identifier] else { return }
    explanation.classifications[place].rescoring = DetectionExplanation.Rescoring(
      support: support, confidence: Float(proposal.confidence))
  }

  /// Keeps which of the selected boxes are not sure enough, before their order says which are kept.
  func recordSelection(_ selected: [Proposal], threshold: Float) {
    for proposal in selected {
      setFate(
        of: proposal, Float(proposal.confidence) < threshold ? .belowThreshold : .beyondLimit)
    }
  }

  /// Keeps which boxes make up the result.
  func recordOrder(_ workspace: DetectionWorkspace) {
    for (place, rank) in workspace.order.enumerated() {
      setFate(of: workspace.selected[rank], .kept(place))
    }
  }

  /// Where a box stands in the list that it competes in.
  private func place(of proposal: Proposal) -> Int {
    classifications[proposal.identifier] ?? proposal.identifier
  }
}
