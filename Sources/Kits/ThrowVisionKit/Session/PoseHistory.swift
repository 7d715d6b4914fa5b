internal import DiceGeometry
internal import DicePoses

/// The latest poses of the player.
struct PoseHistory: Sendable {
  private static let duration = 5.0
  private static let limit = 1500

  private(set) var poses: [TimedPose] = []
  private var boxes: [BoundingBox] = []

  mutating func reset() {
    poses.removeAll(keepingCapacity: true)
    boxes.removeAll(keepingCapacity: true)
  }

  mutating func add(_ player: PoseTracker.TrackedPerson, at time: Double) {
    let old = poses.firstIndex { $0.time >= time - Self.duration } ?? poses.count
    let count = max(old, poses.count - Self.limit + 1)
    if count > 0 {
      poses.removeFirst(min(count, poses.count))
      boxes.removeFirst(min(count, boxes.count))
    }
    poses.append(TimedPose(time: time, pose: player.pose))
    boxes.append(player.boundingBox)
  }

  /// Whether a point lies in the player's box of that time, or near it.
  func isNearPlayer(_ point: ThrowFlight.Point) -> Bool {
    guard let index = poses.lastIndex(where: { $0.time <= point.time + 1e-6 }) else { return false }
    let box = boxes[index]
    let reach = BoundingBox(
      midX: box.midX, midY: box.midY, width: 2.2 * max(box.width, 0.4 * box.height),
      height: 1.5 * box.height)
    return reach.contains(point.location)
  }

  /// The poses of a while.
  func window(from start: Double, to end: Double) -> ArraySlice<TimedPose> {
    guard let first = poses.firstIndex(where: { $0.time >= start }),
      let last = poses.lastIndex(where: { $0.time <= end }), first <= last
    else { return [] }
    return poses[first...last]
  }

  /// The joints at a time, between the poses around it.
  func pose(at time: Double, _ joint: Joint) -> PixelPoint? {
    guard let after = poses.firstIndex(where: { $0.time >= time }),
      let next = poses[after].pose[joint]?.location
    else { return nil }
    guard after > 0, let before = poses[after - 1].pose[joint]?.location else { return next }
    let (from, to) = (poses[after - 1].time, poses[after].time)
    let share = (time - from) / max(to - from, 1e-6)
    guard to - from < 0.2 else { return nil }
    return PixelPoint(
      x: before.x + (next.x - before.x) * share, y: before.y + (next.y - before.y) * share)
  }
}
