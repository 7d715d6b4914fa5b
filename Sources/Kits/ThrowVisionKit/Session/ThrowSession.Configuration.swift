public import DiceFields
public import DiceGeometry
public import DicePoses

extension ThrowSession {
  /// A hole in the field.
  public struct Hole: Hashable, Sendable {
    /// Its middle, in the field's unit from the first corner.
    public var center: SIMD2<Double>
    /// Its radius, in the field's unit.
    public var radius: Double

    /// A hole.
    public init(center: SIMD2<Double>, radius: Double) {
      self.center = center
      self.radius = radius
    }
  }

  /// What a session works with.
  public struct Configuration: Hashable, Sendable {
    /// What counts.
    public var rules: ThrowRules
    /// The real length of the field's upper side in the picture, in centimetres, 1...100,000.
    public var fieldWidth = 122.0
    /// The real length of its left side, in centimetres, 1...100,000.
    public var fieldHeight = 61.0
    /// The field's corners in pixels of the upright picture, clockwise from the upper left; nil to look for
    /// them.
    public var fieldCorners: Quadrilateral?
    /// The hole; nil for a field without one.
    public var hole: Hole? = Hole(center: SIMD2(99, 30.5), radius: 7.6)
    /// What is looked for where corners are not given.
    public var fieldDetector: FieldDetector.Options
    /// The least confidence of a field that is looked for, 0...1.
    public var minimumFieldConfidence = 0.15
    /// The focal length in pixels, 1...1,000,000; nil for that of a camera whose picture is 53 degrees wide along
    /// its longer side.
    public var focalLength: Double?
    /// The label of a classifier that says that nothing is thrown; nil where there is none.
    ///
    /// It does not count, since something was seen to fly off.
    public var idleLabel: String? = "none"
    /// How people are followed.
    public var poseTracker = PoseTracker.Configuration()

    /// A board as the game of bean bags has it, and the rules.
    public init(_ rules: ThrowRules = .standard) {
      self.rules = rules
      var options = FieldDetector.Options()
      options.minimumArea = 0.004
      fieldDetector = options
    }

    func check() throws(ThrowSessionError) {
      func check(
        _ name: String, _ value: Double, _ range: ClosedRange<Double>
      ) throws(ThrowSessionError) {
        guard range.contains(value) else {
          throw .valueOutOfRange(name: name, value: value, range: range)
        }
      }
      try check("fieldWidth", fieldWidth, 1...100_000)
      try check("fieldHeight", fieldHeight, 1...100_000)
      try check("minimumFieldConfidence", minimumFieldConfidence, 0...1)
      if let focalLength { try check("focalLength", focalLength, 1...1e6) }
      if let hole {
        try check("hole.center.x", hole.center.x, -1e6...1e6)
        try check("hole.center.y", hole.center.y, -1e6...1e6)
        try check("hole.radius", hole.radius, 0...1e6)
      }
    }
  }
}
