internal import DiceGeometry
internal import DiceNumerics

extension DetectionContext {
  /// Chooses the boxes of the result: of those that overlap the surest, and of these the ones that
  /// are sure enough.
  func select() {
    if let isCounted = core.labels.isCounted, !ignoresClasses {
      workspace.restrictProposals(to: isCounted)
    }
    let least = leastSelectedConfidence
    workspace.removeProposals { (proposal) in
      guard proposal.confidence < Double(least) else { return false }
      trace?.setFate(of: proposal, .belowThreshold)
      return true
    }
    suppress(leastConfidence: least)
    takeSelected()
    keepOneFaceOfEachDie()
    if rescores { rescore() }
    trace?.recordSelection(workspace.selected, threshold: thresholds.confidence)
    orderSelected()
    trace?.recordOrder(workspace)
  }

  /// Whether readings count for each other, as they do where the second stage saw each of them
  /// alone.
  private var rescores: Bool { core.classifier != nil && stages[.contextualRescoring] }

  /// The least confidence of boxes that are chosen among: where they are rescored, faint ones may
  /// gain, and support others.
  private var leastSelectedConfidence: Float {
    guard rescores else { return thresholds.confidence }
    return workspace.rescoring.leastConfidence(threshold: thresholds.confidence)
  }

  /// Chooses among boxes that overlap.
  private func suppress(leastConfidence least: Float) {
    let mode: NonMaximumSuppression.Mode =
      switch core.configuration.suppression {
      case .acrossClasses: .classAgnostic
      case .perClass: .perClass
      case .soft(let sigma):
        .soft(sigma: sigma, minimumConfidence: Double(least), isClassAgnostic: true)
      }
    // Classified boxes are few enough, and which of them are the surest, rescoring decides.
    let maximumCount =
      core.classifier == nil
      ? core.configuration.maximumObservationCount : DiceDetector.proposalLimit
    workspace.suppress(
      by: NonMaximumSuppression(
        iouThreshold: thresholds.intersectionOverUnion, mode: mode,
        maximumCount: maximumCount))
    var overlap = thresholds.intersectionOverUnion
    if case .soft = core.configuration.suppression { overlap = 0 }
    trace?.recordSuppression(
      workspace, overlap: overlap, isPerClass: core.configuration.suppression == .perClass)
  }

  /// Takes up what suppression left, with the confidences that it left them.
  private func takeSelected() {
    for (rank, index) in workspace.suppression.indices.enumerated() {
      var proposal = workspace.proposals[index]
      proposal.confidence = workspace.suppression.confidences[rank]
      workspace.selected.append(proposal)
    }
  }

  /// Of faces of one die with many sides keeps the surest.
  private func keepOneFaceOfEachDie() {
    guard let isManySided = core.labels.isManySided, !ignoresClasses,
      core.configuration.suppression != .perClass
    else { return }
    var count = 0
    for rank in workspace.selected.indices {
      let face = workspace.selected[rank]
      let surer = workspace.selected[..<count].first { (other) in
        isManySided[face.classIndex] && isManySided[other.classIndex]
          && face.boundingBox.isOnOneDie(with: other.boundingBox)
      }
      if let surer {
        trace?.recordOtherFace(face, of: surer)
      } else {
        workspace.selected[count] = face
        count += 1
      }
    }
    workspace.selected.removeLast(workspace.selected.count - count)
  }

  /// Raises or lowers each selected confidence by what the other boxes say of it.
  private func rescore() {
    workspace.rescoring.removeAll()
    for proposal in workspace.selected {
      workspace.rescoring.append(proposal.boundingBox, confidence: proposal.confidence)
    }
    for rank in workspace.selected.indices {
      let support = workspace.rescoring.support(of: rank)
      workspace.selected[rank].confidence = workspace.rescoring.confidence(
        workspace.selected[rank].confidence, support: support)
      trace?.recordRescoring(of: workspace.selected[rank], support: support)
    }
  }

  /// Keeps those of the selected boxes that are sure enough, if they are too many the surest, and
  /// puts them in the order of a result: by the x of their centres, then by y, then the surer one
  /// first.
  private func orderSelected() {
    let selected = workspace.selected
    // Results are in single precision, and so is what they are chosen by.
    func confidence(_ rank: Int) -> Float { Float(selected[rank].confidence) }
    for rank in selected.indices where confidence(rank) >= thresholds.confidence {
      workspace.order.append(rank)
    }
    let maximumCount = core.configuration.maximumObservationCount
    if workspace.order.count > maximumCount {
      workspace.order.heapSort { (first, second) in
        let (a, b) = (confidence(first), confidence(second))
        return a != b ? a > b : first < second
      }
      workspace.order.removeLast(workspace.order.count - maximumCount)
    }
    workspace.order.heapSort { (first, second) in
      let (a, b) = (selected[first].boundingBox, selected[second].boundingBox)
      if a.midX != b.midX { return a.midX < b.midX }
      if a.midY != b.midY { return a.midY < b.midY }
      return first < second
    }
  }
}

extension BoundingBox {
  /// Whether two uppermost faces lie too near each other for two dice of eight sides or more.
  ///
  /// The bodies of such dice are wider than their faces. In 7,680 rendered scenes full of them, seen from
  /// 35 degrees above the table or more, 11 of 97,413 pairs of uppermost faces are nearer; another face of
  /// a die mostly is.
  fileprivate func isOnOneDie(with other: BoundingBox) -> Bool {
    let (x, y) = (midX - other.midX, midY - other.midY)
    let reach = 0.8 * (max(width, height) + max(other.width, other.height)) / 2
    return x * x + y * y < reach * reach
  }
}
