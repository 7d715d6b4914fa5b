/// A box that the network proposes, before suppression.
public struct DieCandidate: Hashable, Sendable {
  /// The box in pixels of the upright picture, origin at the upper left; it may reach outside.
  public var boundingBox: BoundingBox
  /// The box in pixels of the network's input, origin at the upper left; it may reach outside.
  public var inputBoundingBox: BoundingBox
  /// All classes from the most to the least likely, as in ``DieObservation/labels``.
  public var labels: [ClassificationLabel]
  /// The number on the die, as in ``DieObservation/value``.
  public var value: Int
  /// `objectness` times the probability of the most likely label, 0...1.
  public var confidence: Float
  /// How likely there is a die at all, 0...1.
  public var objectness: Float
  /// The detection head that proposes the box, counted in the order of the layers.
  public var headIndex: Int
  /// The column of its cell.
  public var column: Int
  /// The row of its cell.
  public var row: Int
}
