import DiceCodecs
import DiceVisionKit
import TestSupport
import Testing

/// A rendered throw, filmed by a hand that drifts: three dice, at rest from frame 37 of 65 on.
struct RollClipTests {
  private func frames() throws -> [VideoFrame] {
    var stream = FrameStream()
    var bytes = try Fixtures.bytes("clips/throw-34.mjpeg")[...]
    var frames: [VideoFrame] = []
    func take(_ event: FrameStream.Event) {
      if case .frame(let frame) = event { frames.append(frame) } else { Issue.record("\(event)") }
    }
    while let event = try stream.next(from: &bytes) { take(event) }
    while let event = try stream.finish() { take(event) }
    return frames
  }

  @Test func theRollIsToldOnceAndRight() throws {
    let detector = try DiceDetector()
    var follower = RollFollower()
    var rolls: [(frame: Int, roll: Roll)] = []
    let frames = try frames()
    expectEqual(frames.count, 65)
    for frame in frames {
      let events = try follower.follow(frame.stored, with: detector, at: frame.timestamp)
      for case .rollEnded(let roll) in events { rolls.append((frame.index, roll)) }
    }
    expectEqual(rolls.map(\.roll.values), [[6, 3, 6]])
    let frame = try #require(rolls.first?.frame)
    #expect((35...49).contains(frame))
    // The hand drifts to the last frame, so the detector had to look at nearly all of them.
    #expect(follower.frameCount == 65 && follower.detectionCount <= 65)
  }

  @Test func halfTheFramesGiveTheSameRoll() throws {
    let detector = try DiceDetector()
    var follower = try RollFollower(configuration: .init(detectionInterval: 2))
    var values: [[Int]] = []
    for frame in try frames() {
      let events = try follower.follow(frame.stored, with: detector, at: frame.timestamp)
      for case .rollEnded(let roll) in events { values.append(roll.values) }
    }
    expectEqual(values, [[6, 3, 6]])
    #expect(follower.detectionCount <= 33)
  }

  @Test func theSequenceTellsTheSame() async throws {
    let detector = try DiceDetector()
    let film = try frames()
    let frames = AsyncStream<VideoFrame> { frames in
      for frame in film { frames.yield(frame) }
      frames.finish()
    }
    var values: [[Int]] = []
    for try await event in try RollFollower.events(
      in: frames, detector: detector, waitingFrameLimit: .max)
    {
      if case .rollEnded(let roll) = event { values.append(roll.values) }
    }
    expectEqual(values, [[6, 3, 6]])
  }
}
