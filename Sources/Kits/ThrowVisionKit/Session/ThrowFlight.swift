public import DiceGeometry

/// A flight as a game sees it: all of the way, also where it went on after a bounce.
public struct ThrowFlight: Hashable, Sendable {
  /// A place at a time.
  public struct Point: Hashable, Sendable {
    /// Seconds, in the time of the frames.
    public var time: Double
    /// Where it is, in pixels of the upright picture from the top left.
    public var location: PixelPoint
    /// Whether it was seen there; else the path alone says so.
    public var isDetected: Bool

    /// A place at a time.
    public init(time: Double, location: PixelPoint, isDetected: Bool = true) {
      self.time = time
      self.location = location
      self.isDetected = isDetected
    }
  }

  /// Tells this flight from others of the same session.
  public var identity: Int
  /// The way, in the order of time.
  public var points: [Point]
  /// How sure it is that something was thrown, 0...1.
  public var confidence: Double
  /// By which share the way to the field's middle has become shorter from the first point to the nearest one; 0
  /// without a field.
  public var approach: Double
  /// Whether it begins at the player; true where nobody looks for one.
  public var startsAtPlayer: Bool

  /// A flight.
  public init(
    identity: Int, points: [Point], confidence: Double = 1, approach: Double = 1,
    startsAtPlayer: Bool = true
  ) {
    self.identity = identity
    self.points = points
    self.confidence = confidence
    self.approach = approach
    self.startsAtPlayer = startsAtPlayer
  }

  /// How often it was seen.
  public var detectedPointCount: Int { points.count { $0.isDetected } }
}

/// What was measured of a throw when it had ended.
public struct ThrowOutcome: Hashable, Sendable {
  /// Where the bag has landed.
  public var place: ThrowPlace
  /// Where that is on the field, in the field's unit; nil beside it.
  public var position: SIMD2<Double>?
  /// Which way it was thrown; nil where that is not known.
  public var type: String?
  /// How sure the type is, 0...1.
  public var typeConfidence: Float
  /// When it left the hand, in seconds; without poses, when it was seen first.
  public var releaseTime: Double
  /// The speed at release, in metres a second; nil where it could not be measured.
  public var speed: Double?
  /// The angle at release, in degrees: above the horizontal, or that of the forearm as the rules say.
  public var releaseAngle: Double?

  /// An outcome.
  public init(
    place: ThrowPlace, position: SIMD2<Double>? = nil, type: String? = nil,
    typeConfidence: Float = 0, releaseTime: Double = 0, speed: Double? = nil,
    releaseAngle: Double? = nil
  ) {
    self.place = place
    self.position = position
    self.type = type
    self.typeConfidence = typeConfidence
    self.releaseTime = releaseTime
    self.speed = speed
    self.releaseAngle = releaseAngle
  }
}

#if !hasFeature(Embedded)
  extension ThrowFlight: Codable {}
  extension ThrowFlight.Point: Codable {}
  extension ThrowOutcome: Codable {}
#endif
