import DiceGeometry
import DicePoses
import Foundation
import TestSupport
import Testing

@Suite struct PoseTests {
  @Test func aPoseTellsItsJoints() {
    var pose = Pose()
    expectEqual("\(pose)", "no joints")
    pose[.neck] = Pose.Point(PixelPoint(x: 12.54, y: 80))
    pose[.leftWrist] = Pose.Point(PixelPoint(x: -3, y: 96.25))
    expectEqual("\(pose)", "leftWrist (-3, 96.3), neck (12.5, 80)")
  }

  @Test func namesOfJointsAreReadInTheUsualSpellings() {
    for joint in Joint.allCases { expectEqual(Joint(name: joint.name), joint) }
    for name in ["left_wrist", "Left Wrist", "wrist left", "l_wrist", "LWRIST"] {
      expectEqual(Joint(name: name), .leftWrist, "\(name)")
    }
    for name in ["", "left", "wrist", "leftwristt", String(repeating: "leftWrist", count: 20)] {
      expectEqual(Joint(name: name), nil, "\(name)")
    }
    expectEqual(Joint.coco.map(\.name).prefix(3), ["nose", "leftEye", "rightEye"])
    #expect(Joint.coco.count == 17 && Joint.coco.last == .rightAnkle)
  }

  @Test func mirroringSwapsTheSides() {
    var pose = Pose()
    pose[.leftWrist] = Pose.Point(PixelPoint(x: 10, y: 20), confidence: 0.5)
    pose[.head] = Pose.Point(PixelPoint(x: 30, y: 5))
    let mirrored = pose.mirrored(width: 100)
    expectEqual(mirrored[.rightWrist], Pose.Point(PixelPoint(x: 90, y: 20), confidence: 0.5))
    expectEqual(mirrored[.leftWrist], nil)
    expectEqual(mirrored[.head]?.location.x, 70)
    expectEqual(mirrored.mirrored(width: 100), pose)
    for joint in Joint.allCases { expectEqual(joint.mirrored.mirrored, joint) }
    #expect(Joint.nose.mirrored == .nose && Joint.rightAnkle.mirrored == .leftAnkle)
  }

  @Test func whatIsNoPlaceIsMissing() {
    var pose = Pose()
    for value in [Double.nan, .infinity, -2e6] {
      pose[.nose] = Pose.Point(PixelPoint(x: value, y: 0))
      expectEqual(pose[.nose], nil)
    }
    for confidence in [Float.nan, 0, -1] {
      pose[.nose] = Pose.Point(PixelPoint(x: 1, y: 1), confidence: confidence)
      expectEqual(pose[.nose], nil)
    }
    pose[.nose] = Pose.Point(PixelPoint(x: 1, y: 1), confidence: 7)
    expectEqual(pose[.nose]?.confidence, 1)
    expectEqual(pose.joints, [.nose])
    expectEqual(pose.dropping(confidenceBelow: 1).joints, [.nose])
  }

  @Test func middlesFollowFromTheirJoints() {
    var pose = Pose()
    pose[.leftHip] = Pose.Point(PixelPoint(x: 10, y: 50), confidence: 0.4)
    expectEqual(pose.derived(.root), nil)
    pose[.rightHip] = Pose.Point(PixelPoint(x: 30, y: 52))
    expectEqual(pose.derived(.root), Pose.Point(PixelPoint(x: 20, y: 51), confidence: 0.4))
    pose[.leftEye] = Pose.Point(PixelPoint(x: 20, y: 8))
    expectEqual(pose.derived(.head)?.location, PixelPoint(x: 20, y: 8))
    pose[.leftEar] = Pose.Point(PixelPoint(x: 24, y: 8))
    pose[.rightEar] = Pose.Point(PixelPoint(x: 12, y: 10))
    expectEqual(pose.derived(.head)?.location, PixelPoint(x: 18, y: 9))
  }

  @Test func posesSurviveJSON() throws {
    var pose = Pose()
    pose[.leftWrist] = Pose.Point(PixelPoint(x: 10.5, y: 20.25), confidence: 0.5)
    pose[.root] = Pose.Point(PixelPoint(x: -3, y: 7))
    let data = try JSONEncoder().encode(pose)
    try expectEqual(JSONDecoder().decode(Pose.self, from: data), pose)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"leftWrist\""))
    let other = #"{"tail": {"x": 1}, "nose": {"x": 1, "y": 2, "confidence": 1}}"#
    try expectEqual(JSONDecoder().decode(Pose.self, from: Data(other.utf8)).joints, [.nose])
  }
}
