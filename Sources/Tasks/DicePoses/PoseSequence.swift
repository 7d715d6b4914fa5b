/// The poses of one person in the frames of a film, and what is said of them.
public struct PoseSequence: Hashable, Sendable {
  /// What it is called.
  public var id: String
  /// Frames in a second; nil where nobody knows.
  public var framesPerSecond: Double?
  /// The width of the frames in pixels; 0 where it is not told.
  public var width: Int
  /// The height of the frames in pixels; 0 where it is not told.
  public var height: Int
  /// The pose in each frame.
  public var poses: [Pose]
  /// What the person does, for training and for measuring; nil where it is not told.
  public var label: String?

  /// Groups the parts.
  public init(
    id: String, framesPerSecond: Double? = nil, width: Int = 0, height: Int = 0, poses: [Pose],
    label: String? = nil
  ) {
    self.id = id
    self.framesPerSecond = framesPerSecond
    self.width = width
    self.height = height
    self.poses = poses
    self.label = label
  }

  /// The seconds between frames; a thirtieth where the frame rate is not known.
  public var frameDuration: Double { 1 / (framesPerSecond ?? 30) }

  /// The pose in a frame of a film: by its time where the frame rate is known, else by its number; nil where
  /// the sequence has none.
  ///
  /// - Parameters:
  ///   - frame: the number of the frame, from 0.
  ///   - seconds: when it was taken; any number.
  package func pose(inFrame frame: Int, at seconds: Double) -> Pose? {
    var index = frame
    if let framesPerSecond {
      guard let found = Int(exactly: (seconds * framesPerSecond).rounded()) else { return nil }
      index = found
    }
    return poses.indices.contains(index) ? poses[index] : nil
  }
}
