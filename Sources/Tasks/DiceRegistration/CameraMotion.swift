/// How far the picture moved from one frame to the next, because the camera did.
///
/// `(x, y)` is the displacement of what is seen, in pixels of the full frame: a camera that turns to
/// the right moves the picture to the left, `x < 0`. ``ImageRegistration`` measures it.
public struct CameraMotion: Hashable, Sendable {
  /// Pixels to the right.
  public var x: Double
  /// Pixels down.
  public var y: Double
  /// How far the measurement can be trusted, 0...1; 0 says that nothing is known.
  public var confidence: Float

  /// A measured motion.
  public init(x: Double, y: Double, confidence: Float) {
    self.x = x
    self.y = y
    self.confidence = confidence
  }

  /// No motion, and no trust in that: nothing is known.
  public static let zero = CameraMotion(x: 0, y: 0, confidence: 0)

  /// A camera that is known to stand still, on a tripod for instance.
  public static let fixed = CameraMotion(x: 0, y: 0, confidence: 1)

  /// The length of the displacement in pixels.
  public var distance: Double { (x * x + y * y).squareRoot() }
}
