internal import DiceCodecs
internal import DiceCommandLine
internal import DiceGeometry
internal import DiceNumerics
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
      sequence.pose(inFrame: frame.index, at: frame.timestamp.inSeconds).flatMap {
        DetectedPerson(outlining: $0)
      }
    }
  }
}
