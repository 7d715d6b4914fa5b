import DiceGeometry
import DicePoses
import TestSupport
import Testing

@Suite struct PeopleOfSequencesTests {
  private func sequence(framesPerSecond: Double?) -> PoseSequence {
    let poses = (0..<5).map { (index) in
      var pose = Pose()
      pose[.neck] = Pose.Point(PixelPoint(x: Double(index), y: 1))
      return pose
    }
    return PoseSequence(id: "a", framesPerSecond: framesPerSecond, poses: poses)
  }

  private func place(_ pose: Pose?) -> Double? { pose?[.neck]?.location.x }

  @Test func withoutAFrameRateAFrameHasThePoseOfItsNumber() {
    let sequence = sequence(framesPerSecond: nil)
    expectEqual(place(sequence.pose(inFrame: 3, at: 100)), 3)
    expectEqual(sequence.pose(inFrame: 5, at: 0), nil)
    expectEqual(sequence.pose(inFrame: -1, at: 0), nil)
  }

  @Test func withAFrameRateAFrameHasThePoseNearestToItsTime() {
    let sequence = sequence(framesPerSecond: 10)
    expectEqual(place(sequence.pose(inFrame: 0, at: 0.19)), 2)
    expectEqual(place(sequence.pose(inFrame: 9, at: 0.44)), 4)
    expectEqual(sequence.pose(inFrame: 0, at: 0.46), nil)
  }

  @Test func timesThatAreFarAwayOrNoNumbersHaveNoPose() {
    let sequence = sequence(framesPerSecond: 10_000)
    for seconds in [1e300, -1e300, .infinity, -.infinity, .nan, 1e15, -1] as [Double] {
      expectEqual(sequence.pose(inFrame: 0, at: seconds), nil)
    }
  }

  @Test func aPersonOfAPoseHasABoxAroundTheJointsAndTheirMeanConfidence() throws {
    var pose = Pose()
    pose[.leftWrist] = Pose.Point(PixelPoint(x: 10, y: 40), confidence: 0.5)
    pose[.head] = Pose.Point(PixelPoint(x: 30, y: 20), confidence: 1)
    pose[.rightAnkle] = Pose.Point(PixelPoint(x: 20, y: 120), confidence: 0.75)
    let person = try #require(DetectedPerson(outlining: pose))
    // A margin of a twentieth of the longer side, 100.
    expectEqual(person.boundingBox, BoundingBox(minX: 5, minY: 15, maxX: 35, maxY: 125))
    #expect(abs(person.confidence - 0.75) < 1e-6)
    expectEqual(person.pose, pose)
  }

  @Test func oneJointHasAPixelAroundItAndNoneIsNobody() throws {
    var pose = Pose()
    expectEqual(DetectedPerson(outlining: pose), nil)
    pose[.nose] = Pose.Point(PixelPoint(x: 4, y: 6), confidence: 0.2)
    let person = try #require(DetectedPerson(outlining: pose))
    expectEqual(person.boundingBox, BoundingBox(minX: 3, minY: 5, maxX: 5, maxY: 7))
  }
}
