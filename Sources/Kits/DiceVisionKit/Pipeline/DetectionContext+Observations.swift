internal import DiceDetection
internal import DiceGeometry

extension DetectionContext {
  /// The boxes of the result as observations, from left to right.
  func observations() -> [DieObservation] {
    let identifier = core.nextIdentifier()
    var observations: [DieObservation] = []
    observations.reserveCapacity(workspace.order.count)
    for place in 0..<workspace.order.count {
      let proposal = workspace.selected[workspace.order[place]]
      let candidate = workspace.candidates[proposal.candidateIndex]
      observations.append(
        DieObservation(
          identifier: identifier | UInt64(place), boundingBox: proposal.boundingBox,
          uprightWidth: transform.uprightWidth, uprightHeight: transform.uprightHeight,
          labels: core.labels.ranked(workspace.candidates.classProbabilities(of: candidate)),
          value: core.labels.values[candidate.classIndex],
          confidence: Float(proposal.confidence),
          objectness: ignoresClasses ? Float(proposal.confidence) : candidate.objectness))
    }
    return observations
  }
}
