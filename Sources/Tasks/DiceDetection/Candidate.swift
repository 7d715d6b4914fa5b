public import DiceGeometry

/// A box that a head of boxes on a grid proposes, before non-maximum suppression.
public struct Candidate: Hashable, Sendable {
  /// The box in pixels of the network's input; it may reach over the input's edges.
  public var boundingBox: BoundingBox
  /// How likely there is an object at all: `sigmoid(objectness logit)`, 0...1.
  public var objectness: Float
  /// The most likely class; the lowest index where several are equally likely.
  public var classIndex: Int
  /// `objectness` times the probability of `classIndex`, 0...1.
  public var confidence: Float
  /// The head that proposes the box, counted in the order of the network's heads.
  public var headIndex: Int
  /// The column of its cell.
  public var column: Int
  /// The row of its cell.
  public var row: Int
  /// Where the list keeps the class probabilities.
  var firstProbability: Int
}
