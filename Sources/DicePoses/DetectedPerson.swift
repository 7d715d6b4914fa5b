public import DiceGeometry

/// A person who was found in a picture, with the joints of the body.
public struct DetectedPerson: Hashable, Sendable {
  /// The person's box, in pixels of the upright picture, from the top left.
  public var boundingBox: BoundingBox
  /// How sure it is that a person is there, 0 to 1.
  public var confidence: Float
  /// The joints that were found, each with a confidence of its own, in pixels of the upright picture.
  public var pose: Pose

  /// A person.
  public init(boundingBox: BoundingBox, confidence: Float, pose: Pose) {
    self.boundingBox = boundingBox
    self.confidence = confidence
    self.pose = pose
  }
}

#if !hasFeature(Embedded)
  extension DetectedPerson: Codable {}
#endif
