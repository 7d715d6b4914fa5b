public import DiceGeometry

/// A box that a head proposes, before any suppression.
public struct BoxCandidate: Hashable, Sendable {
  /// Where, in pixels of the network's input; finite and not empty, but it may reach outside.
  public var boundingBox: BoundingBox
  /// The most likely class.
  public var classIndex: Int
  /// How sure the model is of the box and its class.
  ///
  /// A probability in most models; in the model's own units always.
  public var confidence: Float
  /// How sure the model is that there is an object at all; 1 where it has no number for that.
  public var objectness: Float
  /// Which of the network's outputs proposes it.
  public var output: Int
  /// Which of the output's places proposes it, row by row.
  public var place: Int

  /// Groups the parts.
  public init(
    boundingBox: BoundingBox, classIndex: Int, confidence: Float, objectness: Float = 1,
    output: Int = 0, place: Int = 0
  ) {
    self.boundingBox = boundingBox
    self.classIndex = classIndex
    self.confidence = confidence
    self.objectness = objectness
    self.output = output
    self.place = place
  }

  /// Whether a box can be compared with others: it is finite and has an area.
  static func isUsable(_ box: BoundingBox) -> Bool { box.isFinite && !box.isEmpty }
}
