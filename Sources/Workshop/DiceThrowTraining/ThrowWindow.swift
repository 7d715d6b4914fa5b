package import DicePoses
internal import DiceGeometry

/// The poses of a sequence with the frame in which a hand is fastest.
package struct ThrowWindow: Sendable {
  /// The poses.
  package var poses: [Pose]
  /// Frames in a second.
  package var framesPerSecond: Double
  /// The frame in which a thing leaves the hand, or the hand is fastest.
  package var release: Double

  /// The window of a whole sequence.
  ///
  /// - Parameter release: the frame of the release; nil takes that of the fastest hand.
  package init(_ sequence: PoseSequence, release: Double? = nil) {
    poses = sequence.poses
    framesPerSecond = sequence.framesPerSecond ?? 30
    self.release = release ?? Double(Self.fastestFrame(of: sequence.poses))
  }

  /// The frame in which a wrist moves fastest against the hips, over four frames.
  package static func fastestFrame(of poses: [Pose]) -> Int {
    var (best, bestFrame) = (-1.0, poses.count / 2)
    for frame in poses.indices.dropFirst(2).dropLast(2) {
      let (before, after) = (poses[frame - 2], poses[frame + 2])
      guard let root = before.derived(.root), let later = after.derived(.root) else { continue }
      for joint in [Joint.leftWrist, .rightWrist] {
        guard let from = before[joint], let to = after[joint] else { continue }
        let x = (to.location.x - later.location.x) - (from.location.x - root.location.x)
        let y = (to.location.y - later.location.y) - (from.location.y - root.location.y)
        if x * x + y * y > best { (best, bestFrame) = (x * x + y * y, frame) }
      }
    }
    return bestFrame
  }

  /// The length of the trunk, the median over the frames that show it; 0 where none does.
  package var torso: Double {
    let lengths = poses.compactMap { (pose) -> Double? in
      guard let root = pose.derived(.root), let neck = pose.derived(.neck) else { return nil }
      return root.location.squaredDistance(to: neck.location).squareRoot()
    }.sorted()
    return lengths.isEmpty ? 0 : lengths[lengths.count / 2]
  }
}
