public import DiceRolls

extension RollTracker.Observation {
  /// What a tracker of rolls needs of a die that an object detector found.
  ///
  /// With `RollFollower`, a detector of dice from anywhere follows rolls:
  ///
  /// ```swift
  /// let events = try follower.follow(frame, at: time) { frame in
  ///   try detector.detect(in: frame).objects.map(RollTracker.Observation.init)
  /// }
  /// ```
  ///
  /// - Parameter object: Its value is its label where that is a whole number of at most nine digits, and the
  ///   index of its class plus 1 where it is not.
  public init(_ object: DetectedObject) {
    self.init(
      boundingBox: object.boundingBox, confidence: min(max(object.confidence, 0), 1),
      values: [ValueProbability(value: object.value, confidence: 1)])
  }
}

extension DetectedObject {
  /// The number on a die: the label where it is a whole number of at most nine digits, else the index of its
  /// class plus 1.
  public var value: Int {
    label.utf8.count <= 9 ? Int(label) ?? classIndex + 1 : classIndex + 1
  }
}
