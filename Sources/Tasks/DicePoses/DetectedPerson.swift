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

  /// The person whose joints are known and whose box is not: it is that of the joints, with a margin, and the
  /// confidence is the mean of those of all joints; nil for a pose without joints.
  package init?(outlining pose: Pose) {
    var box: BoundingBox?
    var confidence: Float = 0
    let joints = pose.joints
    for joint in joints {
      guard let point = pose[joint] else { continue }
      let (x, y) = (point.location.x, point.location.y)
      box = BoundingBox(
        minX: min(box?.minX ?? x, x), minY: min(box?.minY ?? y, y),
        maxX: max(box?.maxX ?? x, x), maxY: max(box?.maxY ?? y, y))
      confidence += point.confidence / Float(joints.count)
    }
    guard let box else { return nil }
    let margin = max(1, 0.05 * max(box.width, box.height))
    self.init(
      boundingBox: BoundingBox(
        minX: box.minX - margin, minY: box.minY - margin, maxX: box.maxX + margin,
        maxY: box.maxY + margin), confidence: min(1, confidence), pose: pose)
  }
}

#if !hasFeature(Embedded)
  extension DetectedPerson: Codable {}
#endif
