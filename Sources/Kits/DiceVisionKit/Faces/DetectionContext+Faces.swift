internal import DiceGeometry
internal import DiceImaging

extension DetectionContext {
  /// The boxes of the result as observations of taught faces, from left to right.
  func taughtFaces(
    in frame: borrowing RawFrame, _ reader: FaceReader
  ) throws(DetectorError) -> [DieObservation] {
    let identifier = core.nextIdentifier()
    var comparison =
      if let comparison = workspace.faceComparison.take() { comparison } else {
        try FaceComparison(reader.network)
      }
    var observations: [DieObservation] = []
    observations.reserveCapacity(workspace.order.count)
    for place in 0..<workspace.order.count {
      let proposal = workspace.selected[workspace.order[place]]
      comparison.compare(proposal.boundingBox, in: frame, through: transform, with: reader)
      let probabilities = comparison.probabilities
      let best = comparison.best
      observations.append(
        DieObservation(
          identifier: identifier | UInt64(place), boundingBox: proposal.boundingBox,
          uprightWidth: transform.uprightWidth, uprightHeight: transform.uprightHeight,
          labels: reader.labels.ranked(probabilities[...]), value: reader.labels.values[best],
          confidence: Float(proposal.confidence) * probabilities[best],
          objectness: Float(proposal.confidence)))
    }
    workspace.faceComparison = comparison
    return observations
  }
}
