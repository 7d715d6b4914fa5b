/// A die that a prediction should find: in pixels of a training picture, and of the network's input
/// once a sample is made of it.
public struct TruthBox: Hashable, Sendable {
  /// The centre.
  public var centerX: Float
  /// The centre.
  public var centerY: Float
  /// The full width.
  public var width: Float
  /// The full height.
  public var height: Float
  /// The index of the label, or nil for a die whose value nobody can read: its place counts neither
  /// as a die nor as background.
  public var classIndex: Int?
  /// How much the box's size teaches, 0...1: 1 for boxes of the top face, less for boxes around
  /// whole dice.
  public var boxWeight: Float

  /// A die at a place.
  public init(
    centerX: Float, centerY: Float, width: Float, height: Float, classIndex: Int?,
    boxWeight: Float = 1
  ) {
    self.centerX = centerX
    self.centerY = centerY
    self.width = width
    self.height = height
    self.classIndex = classIndex
    self.boxWeight = boxWeight
  }

  /// Whether a point lies inside the box.
  func contains(x: Float, y: Float) -> Bool {
    abs(x - centerX) <= width / 2 && abs(y - centerY) <= height / 2
  }
}
