import DiceGeometry
import DicePoses
import TestSupport
import Testing

@Suite struct PoseSequenceTests {
  private static func read(_ text: String) throws(PoseSequenceError) -> [PoseSequence] {
    try PoseSequence.read(jsonLines: Array(text.utf8))
  }

  @Test func readsNamedJoints() throws {
    let sequences = try Self.read(
      #"""
      {"id": "a", "fps": 25, "width": 480, "height": 270, "label": "overhand", "train": true,
      """#.replacing("\n", with: " ")
        + #" "joints": ["left_wrist", "tail", "nose"], "frames": [[[1, 2, 0.5], [0, 0], null], "#
        + "[[3, 4], [9, 9, 1], [5, 6, 0]]]}\n\n  \n{\"id\": 7, \"fps\": null, \"frames\": [["
        + [String](repeating: "[1, 1, 1]", count: 12).joined(separator: ",")
        + ", [8, 9, 0]]]}")
    expectEqual(sequences.map(\.id), ["a", "7"])
    #expect(sequences[0].framesPerSecond == 25 && sequences[0].frameDuration == 0.04)
    #expect(sequences[0].width == 480 && sequences[0].height == 270)
    #expect(sequences[0].label == "overhand" && sequences[1].label == nil)
    let poses = sequences[0].poses
    expectEqual(poses[0].joints, [.leftWrist])
    expectEqual(poses[0][.leftWrist], Pose.Point(PixelPoint(x: 1, y: 2), confidence: 0.5))
    // There are shares, so that a 0 is a missing joint.
    expectEqual(poses[1].joints, [.leftWrist])
    // There are none, so that a 0 is a hidden joint: the last one, the left ankle.
    let hidden = sequences[1].poses[0][.leftAnkle]
    expectEqual(hidden, Pose.Point(PixelPoint(x: 8, y: 9), confidence: 0.5))
    expectEqual(sequences[1].poses[0].joints.count, 13)
  }

  @Test func errorsTellTheLineAndTheRule() {
    func error(_ text: String) -> PoseSequenceError? {
      do throws(PoseSequenceError) { _ = try Self.read("\n" + text) } catch { return error }
      return nil
    }
    expectEqual(error("[]"), .notAnObject(line: 2, found: .array))
    expectEqual(error("{}"), .member(line: 2, key: "id", required: "text or a whole number"))
    guard case .json(line: 2, _) = error("{") else {
      Issue.record("half an object")
      return
    }
    #expect(error(#"{"id": "a"}"#) == .member(line: 2, key: "frames", required: "a list of frames"))
    #expect(
      error(#"{"id": "a", "frames": []}"#)
        == .frameCount(line: 2, found: 0, limit: PoseSequence.frameLimit))
    #expect(
      error(#"{"id": "a", "frames": [[]]}"#)
        == .jointCount(line: 2, frame: 0, found: 0, required: 13))
    let head = #"{"id": "a", "joints": "#
    #expect(
      error(head + #"["x"], "frames": [[null]]}"#) == .joints(line: 2, reason: .noneKnown))
    #expect(
      error(head + #"["nose", "Nose"], "frames": [[null, null]]}"#)
        == .joints(line: 2, reason: .twice))
    for entry in [
      "[1]", "1", "[1, 2, 3, 4]", "[1, 2, 2]", "[1e7, 0]", "[0, -1e7, 1]", "[1, \"2\"]",
    ] {
      #expect(
        error(head + #"["nose"], "frames": [[null], ["# + entry + "]]}")
          == .point(line: 2, frame: 1, joint: 0), "\(entry)")
    }
    for fps in ["0", "-1", "1e9", "\"30\""] {
      guard
        case .member(line: 2, key: "fps", _) = error(
          head + #"["nose"], "fps": \#(fps), "frames": [[null]]}"#)
      else {
        Issue.record("\(fps) frames a second")
        continue
      }
    }
  }
}
