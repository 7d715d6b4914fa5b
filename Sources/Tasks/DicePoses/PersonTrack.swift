internal import DiceGeometry
internal import DiceNumerics

/// What a tracker knows of one person.
struct PersonTrack: Hashable, Sendable {
  /// A joint over time.
  private struct TrackedJoint: Hashable, Sendable {
    var smoother: PointSmoother
    var confidence: Float
    var lastSeen: Double
  }

  let identity: Int
  let firstSeen: Double
  private(set) var lastSeen: Double
  var hasEntered = false

  private var joints = [TrackedJoint?](repeating: nil, count: Joint.allCases.count)
  private var center: PointSmoother
  private var extent: PointSmoother
  private var confidence: Float
  private var pose = Pose()

  init(
    _ person: DetectedPerson, identity: Int, at seconds: Double,
    _ configuration: PoseTracker.Configuration
  ) {
    self.identity = identity
    firstSeen = seconds
    lastSeen = seconds
    confidence = person.confidence
    let box = person.boundingBox
    center = PointSmoother(SIMD2(box.midX, box.midY))
    extent = PointSmoother(SIMD2(box.width, box.height))
    update(joints: person.pose, at: seconds, configuration)
  }

  private var box: BoundingBox {
    BoundingBox(
      midX: center.place.x, midY: center.place.y, width: max(0, extent.place.x),
      height: max(0, extent.place.y))
  }

  /// The size of the body in pixels, at least 1.
  private var size: Double {
    max(1, (max(0, extent.place.x) * max(0, extent.place.y)).squareRoot())
  }

  func person(at seconds: Double) -> PoseTracker.TrackedPerson {
    PoseTracker.TrackedPerson(
      identity: identity, boundingBox: box, pose: pose, confidence: confidence,
      isSeen: lastSeen == seconds)
  }

  /// How much someone is like this person, 0...1.
  func similarity(
    to other: DetectedPerson, at seconds: Double, _ configuration: PoseTracker.Configuration
  ) -> Double {
    let overlap = box.intersectionOverUnion(with: other.boundingBox)
    var (sum, weight) = (0.0, 0.0)
    for joint in Joint.allCases {
      guard let known = pose[joint], let found = other.pose[joint],
        found.confidence >= configuration.minimumConfidence
      else { continue }
      let share = Double(min(known.confidence, found.confidence))
      sum += share * known.location.squaredDistance(to: found.location).squareRoot()
      weight += share
    }
    guard weight > 0 else { return overlap }
    // Whoever was not seen for a while may have gone farther.
    let reach = size * (0.5 + 1.5 * min(1, seconds - lastSeen))
    return (overlap + max(0, 1 - sum / weight / reach)) / 2
  }

  mutating func update(
    with person: DetectedPerson, at seconds: Double, _ configuration: PoseTracker.Configuration
  ) {
    let step = seconds - lastSeen
    let found = person.boundingBox
    let (middle, sides) = (SIMD2(found.midX, found.midY), SIMD2(found.width, found.height))
    if let smoothing = configuration.smoothing, step <= 0.5 {
      center.update(with: middle, confidence: 1, after: step, size: size, smoothing)
      extent.update(with: sides, confidence: 1, after: step, size: size, smoothing)
    } else {
      center = PointSmoother(middle)
      extent = PointSmoother(sides)
    }
    confidence = person.confidence
    lastSeen = seconds
    update(joints: person.pose, at: seconds, configuration)
  }

  private mutating func update(
    joints found: Pose, at seconds: Double, _ configuration: PoseTracker.Configuration
  ) {
    let memory = configuration.timeToForgetJoint.inSeconds
    for joint in Joint.allCases {
      let index = Int(joint.rawValue)
      guard let point = found[joint], point.confidence >= configuration.minimumConfidence else {
        if let known = joints[index], seconds - known.lastSeen > memory {
          joints[index] = nil
          pose[joint] = nil
        }
        continue
      }
      let place = SIMD2(point.location.x, point.location.y)
      if var known = joints[index], let smoothing = configuration.smoothing,
        seconds - known.lastSeen <= max(memory, 0.5)
      {
        known.smoother.update(
          with: place, confidence: Double(point.confidence), after: seconds - known.lastSeen,
          size: size, smoothing)
        (known.confidence, known.lastSeen) = (point.confidence, seconds)
        joints[index] = known
      } else {
        joints[index] = TrackedJoint(
          smoother: PointSmoother(place), confidence: point.confidence, lastSeen: seconds)
      }
      guard let smoothed = joints[index]?.smoother.place else { continue }
      pose[joint] = Pose.Point(
        PixelPoint(x: smoothed.x, y: smoothed.y), confidence: point.confidence)
    }
  }
}
