public import DiceGeometry
public import DiceImaging
public import DicePoses

/// Finds the people of a film frame by frame: each crop follows the last pose, and other people are looked for
/// now and then.
///
/// ```swift
/// var follower = PoseFollower(try PoseDetector())
/// let people = try follower.people(in: frame)
/// ```
///
/// A follower does not say who is who; that is a tracker's task.
public struct PoseFollower: Sendable {
  /// What finds people and joints.
  public let detector: PoseDetector
  /// After so many frames other people are looked for; 1 looks in each frame.
  ///
  /// Nobody followed, in each frame.
  public var interval: Int
  /// The people of the last frame.
  public private(set) var people: [DetectedPerson] = []
  private var frameCount = 0

  /// A follower at the beginning of a film.
  ///
  /// - Precondition: `interval` is 1 at least.
  public init(_ detector: PoseDetector, interval: Int = 15) {
    precondition(interval >= 1, "an interval has frames")
    self.detector = detector
    self.interval = interval
  }

  /// The people of the next frame, most confident first.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - orientation: how its rows are to be turned; nil for what the frame says.
  /// - Throws: ``PoseDetectorError``; the people of the last frame are kept then.
  public mutating func people(
    in frame: borrowing RawFrame, orientation: ImageOrientation? = nil
  ) throws(PoseDetectorError) -> [DetectedPerson] {
    var found = try detector.detect(in: frame, following: people, orientation: orientation)
    if found.isEmpty || frameCount % max(1, interval) == 0 {
      found += try detector.detect(in: frame, orientation: orientation, besides: found)
      found = PoseDetector.different(found, limit: detector.options.maximumCount)
    }
    frameCount = (frameCount + 1) % max(1, interval)
    people = found
    return found
  }

  /// The people of the next frame, as ``people(in:orientation:)``.
  public mutating func people(
    in image: PixelImage, orientation: ImageOrientation? = nil
  ) throws(PoseDetectorError) -> [DetectedPerson] {
    try image.withFrame { (frame) throws(PoseDetectorError) in
      try people(in: frame, orientation: orientation)
    }
  }

  /// Forgets everybody: for a cut, or another film.
  public mutating func reset() {
    people = []
    frameCount = 0
  }
}
