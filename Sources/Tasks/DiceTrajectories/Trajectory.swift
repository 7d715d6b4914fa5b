public import DiceGeometry

/// A thrown thing's way through the picture, as far as it has been seen.
///
/// Places are shares of the upright picture's sides with the origin at the lower left.
public struct Trajectory: Hashable, Sendable {
  /// Where a trajectory is in its life.
  public enum State: String, Hashable, Sendable {
    /// It is reported for the first time.
    case began
    /// It has a further point.
    case continued
    /// No more points come: there was no evidence for as many frames as the options say, it left the
    /// picture, or the film is over. It is not reported again.
    case ended
  }

  /// A place at a time.
  public struct Point: Hashable, Sendable {
    /// The frame, counted from 0 with the first that the detector saw.
    public let frame: Int
    /// The frame's time.
    public let time: Duration
    /// Where the thing was seen; nil where it was not, and the path alone says where it is.
    public let detected: NormalizedPoint?
    /// Where the path was that was known when the point was added.
    public let projected: NormalizedPoint
    /// The radius of a circle as large as what was seen, in pixels; 0 where nothing was.
    public let radius: Double
    /// How far the picture lay then from where it lay in the first frame, as shares, x to the right and y
    /// upwards: the camera's shake, which ``location`` has in it.
    let shake: SIMD2<Double>

    /// Where the thing is: detected, or else projected.
    public var location: NormalizedPoint { detected ?? projected }
  }

  /// Tells this trajectory from others of the same detector, from 1 on.
  public let identity: Int
  /// What has become of it with the last frame.
  public internal(set) var state: State
  /// A point for every frame from the first to the last in which the thing was seen.
  ///
  /// Points of frames in which it was not are added with the next one in which it was. What is found of the
  /// beginning later is added before the first one.
  public internal(set) var points: [Point]
  /// `a`, `b` and `c` of `y = a x² + b x + c`, fitted to all locations; of a thing that flies straight up
  /// or down the parabola is that of the least coefficients.
  public internal(set) var equationCoefficients: SIMD3<Double>
  /// How sure it is that this is a thing that was thrown, 0...1.
  public internal(set) var confidence: Double
  /// The mean radius of the last ten detected points, in pixels.
  public internal(set) var movingAverageRadius: Double

  /// Where the thing was seen, in the order of time.
  public var detectedPoints: [NormalizedPoint] { points.compactMap(\.detected) }
  /// Where the path was in the frames of `points`.
  public var projectedPoints: [NormalizedPoint] { points.map(\.projected) }
  /// The times of the first and the last point.
  public var timeRange: ClosedRange<Duration> {
    (points.first?.time ?? .zero)...(points.last?.time ?? .zero)
  }
  /// The smallest radius of a detected point, in pixels.
  public var minimumRadius: Double {
    points.reduce(.infinity) { $1.detected == nil ? $0 : min($0, $1.radius) }
  }
  /// The largest radius of a detected point, in pixels.
  public var maximumRadius: Double { points.reduce(0) { max($0, $1.radius) } }

  init(identity: Int) {
    self.identity = identity
    state = .began
    points = []
    equationCoefficients = .zero
    confidence = 0
    movingAverageRadius = 0
  }
}
