internal import DiceCodecs
internal import DiceGeometry
internal import DicePoses
internal import ThrowVisionKit

/// Who is to be seen in the frames of a film: the place for whatever finds people.
protocol PeopleFinder {
  /// The people of a frame, in pixels of the upright picture.
  mutating func people(
    in frame: VideoFrame, orientation: ImageOrientation?
  ) throws(ToolError) -> [DetectedPerson]
}

/// People who are found in the frames, and whose joints are followed.
struct FoundPeople: PeopleFinder {
  private var follower: PoseFollower

  init(_ detector: PoseDetector) { follower = PoseFollower(detector) }

  mutating func people(
    in frame: VideoFrame, orientation: ImageOrientation?
  ) throws(ToolError) -> [DetectedPerson] {
    var next = follower
    do throws(PoseDetectorError) {
      let found = try frame.withFrame { (raw) throws(PoseDetectorError) in
        try next.people(in: raw, orientation: orientation)
      }
      follower = next
      return found
    } catch { throw .failure(subject: "frame \(frame.index)", sentence: "\(error)") }
  }
}

/// People whose joints a file tells: one sequence for each of them, with a pose for each frame.
struct FilePeople: PeopleFinder {
  let sequences: [PoseSequence]

  func people(
    in frame: VideoFrame, orientation: ImageOrientation?
  ) throws(ToolError) -> [DetectedPerson] {
    sequences.compactMap { sequence in
      var index = frame.index
      if let rate = sequence.framesPerSecond {
        index = Int((frame.timestamp.inSeconds * rate).rounded())
      }
      guard sequence.poses.indices.contains(index) else { return nil }
      return Self.person(sequence.poses[index])
    }
  }

  /// The person of a pose: the box is that of the joints, with a margin; nil without joints.
  static func person(_ pose: Pose) -> DetectedPerson? {
    var box: BoundingBox?
    var confidence: Float = 0
    let joints = pose.joints
    for joint in joints {
      guard let point = pose[joint] else { continue }
      let place = BoundingBox(x: point.location.x, y: point.location.y, width: 0, height: 0)
      box =
        box.map { known in
          BoundingBox(
            minX: min(known.minX, place.minX), minY: min(known.minY, place.minY),
            maxX: max(known.maxX, place.maxX), maxY: max(known.maxY, place.maxY))
        } ?? place
      confidence += point.confidence / Float(joints.count)
    }
    guard let box else { return nil }
    let margin = max(1, 0.05 * max(box.width, box.height))
    return DetectedPerson(
      boundingBox: BoundingBox(
        minX: box.minX - margin, minY: box.minY - margin, maxX: box.maxX + margin,
        maxY: box.maxY + margin), confidence: min(1, confidence), pose: pose)
  }
}
