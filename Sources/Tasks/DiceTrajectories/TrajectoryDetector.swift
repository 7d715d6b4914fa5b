public import DiceGeometry
public import DiceImaging
internal import DiceNumerics

/// Finds things that are thrown, in a film of a camera that stands still or shakes a little.
///
/// Give it every frame with its time, and look at ``trajectories`` after each:
///
///     var detector = TrajectoryDetector()
///     for frame in film {
///       try detector.update(with: frame.image, at: frame.time)
///       for trajectory in detector.trajectories { print(trajectory.state, trajectory.points.count) }
///     }
///
/// What moves is told from noise, shake, slow changes of the light and from things that do not fly: a
/// trajectory is reported when its points follow the path of a thing that falls freely, seen by a pinhole
/// camera, and not a straight one. Where it bounces, one trajectory ends and another begins.
///
/// A detector keeps its memory: after the first second nothing is allocated for a frame, unless the
/// caller holds on to ``trajectories``. Keep one for each film.
public struct TrajectoryDetector: Sendable {
  /// What counts as a trajectory.
  public struct Options: Hashable, Sendable {
    /// The range of the least number of points.
    public static let lengthRange = 5...100
    /// The range of frames without evidence.
    public static let patienceRange = 1...600

    /// How many points a trajectory has at least before it is reported.
    public var trajectoryLength = 5
    /// A trajectory has ended after so many frames in which it was not seen.
    public var framesWithoutEvidence = 20
    /// The smallest radius of what is looked for, as a share of the picture's longer side.
    public var objectMinimumNormalizedRadius = 0.0
    /// The largest radius of what is looked for, as a share of the picture's longer side.
    public var objectMaximumNormalizedRadius = 0.06
    /// The part to look at, as shares of the upright picture with the origin at the lower left; nil for
    /// all of it.
    public var regionOfInterest: NormalizedRect?

    /// The options of the properties' defaults.
    public init() {}
  }

  /// The shortest side of a frame.
  public static let minimumSide = 32
  /// The longest side of a frame.
  public static let maximumSide = 16_384
  /// The longest side of the picture that is looked at; larger frames are reduced by a whole factor.
  static let reducedSide = 448
  /// After a longer time without frames all begins anew, in seconds.
  static let longestPause = 1.0

  /// What counts as a trajectory.
  ///
  /// Changes count from the next frame on.
  public var options: Options

  /// The trajectories that began, continued or ended with the last frame, by their identities.
  public var trajectories: [Trajectory] { book.news }

  /// How many frames there were.
  public private(set) var frameCount = 0

  /// Where the picture lies against the first frame's, in pixels to the right and down.
  package var pictureShift: SIMD2<Double> {
    SIMD2(shaking.shift.x, shaking.shift.y) * Double(factor)
  }

  private var size = (width: 0, height: 0)
  /// How many pixels there are to a sample.
  private(set) var factor = 1
  private var lastTime: Duration?
  private var workspace = ReducedPlane.Workspace()
  private var plane = ReducedPlane()
  private var previous = ReducedPlane()
  private var shaking = ShakeFollower()
  private var changes = ChangeDetector()
  private var finder = BlobFinder()
  private var blobs: [Blob] = []
  private(set) var tracker = FlightTracker()
  private var book = TrajectoryBook()

  /// A detector.
  public init(_ options: Options = Options()) {
    self.options = options
    blobs.reserveCapacity(BlobFinder.blobLimit)
  }

  /// A detector that asks another network than the library's own.
  package init(network: FlightNetwork) {
    self.init()
    tracker.network = network
  }

  /// Looks at a frame.
  ///
  /// - Parameters:
  ///   - image: The frame.
  ///   - time: When it was taken; later than the frame before.
  /// - Throws: ``TrajectoryError``; all is as it was then.
  public mutating func update(
    with image: PixelImage, at time: Duration
  ) throws(TrajectoryError) {
    try image.withFrame { (frame) throws(TrajectoryError) in try update(with: frame, at: time) }
  }

  /// Looks at a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation; what falls, falls down in the upright picture.
  ///   - orientation: How its stored rows are turned to stand upright; nil for the frame's own.
  ///   - time: When it was taken; later than the frame before.
  /// - Throws: ``TrajectoryError``; all is as it was then.
  public mutating func update(
    with frame: borrowing RawFrame, orientation: ImageOrientation? = nil, at time: Duration
  ) throws(TrajectoryError) {
    let orientation = orientation ?? frame.orientation
    let (width, height) =
      orientation.swapsAxes ? (frame.height, frame.width) : (frame.width, frame.height)
    try check(width, height, time)
    let isNew = prepare(width, height, time)
    plane.update(from: frame, orientation: orientation, factor: factor, &workspace)
    look(at: time.inSeconds, isNew: isNew)
    plane.swap(with: &previous)
    lastTime = time
    book.update(
      tracker, factor: Double(factor),
      width: Double(size.width), height: Double(size.height))
    frameCount += 1
  }

  /// Ends all trajectories: the film is over.
  ///
  /// ``trajectories`` are those that ended with it.
  public mutating func finish() {
    tracker.finish()
    book.update(
      tracker, factor: Double(factor),
      width: Double(size.width), height: Double(size.height))
  }

  /// Forgets all frames and trajectories; identities and frames are counted from the first again.
  public mutating func reset() {
    let network = tracker.network
    self = TrajectoryDetector(options)
    tracker.network = network
  }

  private func check(_ width: Int, _ height: Int, _ time: Duration) throws(TrajectoryError) {
    let sides = Self.minimumSide...Self.maximumSide
    guard sides.contains(width), sides.contains(height) else {
      throw .frameSizeOutOfRange(width: width, height: height)
    }
    if let lastTime {
      guard size == (width, height) else {
        throw .frameSizeChanged(
          width: width, height: height, previousWidth: size.width, previousHeight: size.height)
      }
      guard time > lastTime else { throw .timeNotIncreasing(time, previous: lastTime) }
    }
    guard Options.lengthRange.contains(options.trajectoryLength) else {
      throw .trajectoryLengthOutOfRange(options.trajectoryLength)
    }
    guard Options.patienceRange.contains(options.framesWithoutEvidence) else {
      throw .framesWithoutEvidenceOutOfRange(options.framesWithoutEvidence)
    }
    let (least, most) = (
      options.objectMinimumNormalizedRadius, options.objectMaximumNormalizedRadius
    )
    guard least >= 0, most >= least, most.isFinite else {
      throw .radiiOutOfRange(minimum: least, maximum: most)
    }
    if let region = options.regionOfInterest {
      guard region.width > 0, region.height > 0, region.minX < 1, region.minY < 1,
        region.maxX > 0, region.maxY > 0
      else { throw .regionOfInterestOutOfRange }
    }
  }

  /// Makes ready for a frame.
  ///
  /// - Returns: Whether it has nothing to do with those before.
  private mutating func prepare(_ width: Int, _ height: Int, _ time: Duration) -> Bool {
    tracker.rules.leastSightings = options.trajectoryLength
    tracker.rules.framesWithoutEvidence = options.framesWithoutEvidence
    if lastTime == nil {
      size = (width, height)
      let longest = max(width, height)
      factor = (longest + Self.reducedSide - 1) / Self.reducedSide
      factor = min(factor, min(width, height) / 16)
      plane.resize(width: width / factor, height: height / factor)
      previous.resize(width: width / factor, height: height / factor)
      changes.reset(width: width / factor, height: height / factor)
    } else if let lastTime, time.inSeconds - lastTime.inSeconds > Self.longestPause {
      changes.reset(width: plane.width, height: plane.height)
      shaking = ShakeFollower()
      return true
    }
    return lastTime == nil
  }

  private mutating func look(at time: Double, isNew: Bool) {
    let before = shaking.shift
    let isKnown = shaking.update(plane, at: time)
    let shift = shaking.shift
    if isKnown, !isNew {
      changes.measureNoise(
        plane, previous, x: shift.x - before.x, y: shift.y - before.y,
        brightness: shift.brightness - before.brightness)
    }
    blobs.removeAll(keepingCapacity: true)
    if !isKnown {
      changes.reset(width: plane.width, height: plane.height)
    } else if changes.update(plane, shift: shift, time: time) {
      let side = Double(max(plane.width, plane.height))
      finder.find(
        in: changes.differences, width: plane.width, height: plane.height,
        minimumPeak: Int(max(32, 1.5 * changes.noise)),
        radii: max(
          0.9, options.objectMinimumNormalizedRadius * side)...max(
            0.9, options.objectMaximumNormalizedRadius * side),
        shift: (shift.x, shift.y), into: &blobs)
      if let region = options.regionOfInterest { keepBlobs(in: region, shift) }
    }
    changes.remember(plane, shift: shift, time: time)
    tracker.update(
      &blobs, time: time, shift: (shift.x, shift.y), side: Double(max(plane.width, plane.height)),
      isNew: isNew || !isKnown)
  }

  private mutating func keepBlobs(in region: NormalizedRect, _ shift: ShakeEstimator.Shift) {
    let (width, height) = (Double(size.width), Double(size.height))
    let factor = Double(factor)
    blobs.removeAll { (blob) in
      let x = (blob.x + shift.x) * factor / width
      let y = 1 - (blob.y + shift.y) * factor / height
      return x < region.minX || x > region.maxX || y < region.minY || y > region.maxY
    }
  }
}
