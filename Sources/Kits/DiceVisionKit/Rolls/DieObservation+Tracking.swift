internal import DiceRolls

extension RollTracker.Observation {
  /// What a tracker needs of a detected die.
  ///
  /// - Parameter observation: labels that are neither taught faces, integers of at most nine digits
  ///   nor faces of a kind are left out; where none is left, the observation's value stands alone. A
  ///   die that shows an unknown face has no values.
  public init(_ observation: DieObservation) {
    guard !observation.isUnknown else {
      self.init(
        boundingBox: observation.boundingBox, confidence: observation.objectness, values: [])
      return
    }
    var values: [ValueProbability] = []
    values.reserveCapacity(observation.labels.count)
    for label in observation.labels {
      let face = DieFace(label: label.identifier)
      guard let value = label.value ?? face?.value else { continue }
      // Several faces may count the same.
      let kind = face?.kind ?? .d6
      if label.value != nil,
        let place = values.firstIndex(where: { $0.value == value && $0.kind == kind })
      {
        values[place].confidence += label.confidence
      } else {
        values.append(ValueProbability(kind: kind, value: value, confidence: label.confidence))
      }
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
