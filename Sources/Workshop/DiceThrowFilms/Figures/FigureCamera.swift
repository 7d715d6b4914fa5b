public import DiceGeometry
public import DicePoses

/// A camera that looks at a figure.
public struct FigureCamera: Hashable, Sendable {
  /// Degrees around the figure: 0 stands in front of it, 90 at its left.
  public var azimuth: Double
  /// Degrees above the level.
  public var elevation: Double
  /// Degrees by which the picture is turned.
  public var roll: Double
  /// Metres to ``target``.
  public var distance: Double
  /// The focal length in pixels.
  public var focalLength: Double
  /// The place in the picture's middle, in metres.
  public var target: SIMD3<Double>
  /// The width of the picture in pixels.
  public var width: Int
  /// The height of the picture in pixels.
  public var height: Int

  /// A camera.
  public init(
    azimuth: Double, elevation: Double = 0, roll: Double = 0, distance: Double = 5,
    focalLength: Double = 800, target: SIMD3<Double> = SIMD3(0, 0, 0.9), width: Int = 640,
    height: Int = 480
  ) {
    self.azimuth = azimuth
    self.elevation = elevation
    self.roll = roll
    self.distance = distance
    self.focalLength = focalLength
    self.target = target
    self.width = width
    self.height = height
  }

  /// Where a place is seen; nil where it is less than ten centimetres before the camera, or behind it.
  public func project(_ place: SIMD3<Double>) -> PixelPoint? { project(place, frame) }

  /// What the camera looks along, negated, and what is right and up in the picture.
  private var frame: Frame {
    let level = Frame().turned(azimuth).pitched(-elevation)
    let (sine, cosine) = sineAndCosine(degrees: roll)
    return Frame(
      forward: level.forward, left: level.left * cosine + level.up * sine,
      up: level.up * cosine - level.left * sine)
  }

  private func project(_ place: SIMD3<Double>, _ frame: Frame) -> PixelPoint? {
    let offset = place - target
    let depth = distance - (offset * frame.forward).sum()
    guard depth > 0.1 else { return nil }
    return PixelPoint(
      x: Double(width) / 2 + focalLength * (offset * frame.left).sum() / depth,
      y: Double(height) / 2 - focalLength * (offset * frame.up).sum() / depth)
  }

  /// Where the joints of a skeleton are seen, hidden or not.
  public func pose(of skeleton: Skeleton) -> Pose {
    var pose = Pose()
    let frame = frame
    for joint in Joint.allCases {
      if let location = project(skeleton[joint], frame) { pose[joint] = Pose.Point(location) }
    }
    return pose
  }
}
