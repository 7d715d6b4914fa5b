internal import DiceRolls

extension RollTracker.Observation {
  /// What a tracker needs of a detected die.
  ///
  /// - Parameter observation: labels that are neither integers of at most nine digits nor faces of a
  ///   kind are left out; where none is left, the observation's value stands alone.
  public init(_ observation: DieObservation) {
    var values: [ValueProbability] = []
    values.reserveCapacity(observation.labels.count)
    for label in observation.labels {
      guard let face = DieFace(label: label.identifier) else { continue }
      values.append(
        ValueProbability(kind: face.kind, value: face.value, confidence: label.confidence))
    }
    if values.isEmpty { values.append(ValueProbability(value: observation.value, confidence: 1)) }
    self.init(
      boundingBox: observation.boundingBox, confidence: observation.objectness, values: values)
  }
}

extension RollTracker {
  /// Takes in what a detector found in a frame and says what happened.
  ///
  /// As ``update(with:at:cameraMotion:)-([RollTracker.Observation],_,_)``.
  public mutating func update(
    with result: DetectionResult, at time: Duration, cameraMotion: CameraMotion = .zero
  ) -> [Event] {
    update(with: result.observations.map(Observation.init), at: time, cameraMotion: cameraMotion)
  }
}

extension ConsecutiveFrameRule {
  /// Whether a roll has ended with what a detector found in a frame.
  public mutating func hasRollEnded(observations: [DieObservation]) -> Bool {
    hasRollEnded(observations: observations.map(RollTracker.Observation.init))
  }
}
