import DiceGeometry
import DiceImaging
import DicePoses
import DiceWeights
import TestSupport
import Testing

@testable import ThrowVisionKit

@Suite struct PoseDetectorTests {
  /// Squares of 8 pixels around places, on black.
  private static func picture(
    width: Int = 96, height: Int = 80,
    dots: [(x: Int, y: Int, color: [UInt8])]
  ) -> PixelImage {
    var samples = [UInt8](repeating: 0, count: 3 * width * height)
    for dot in dots {
      for y in dot.y - 4..<dot.y + 4 {
        for x in dot.x - 4..<dot.x + 4 {
          for channel in 0..<3 { samples[3 * (y * width + x) + channel] = dot.color[channel] }
        }
      }
    }
    return PixelImage(width: width, height: height, format: .rgb, samples: samples)
  }

  private static let red: [UInt8] = [255, 0, 0]
  private static let green: [UInt8] = [0, 255, 0]
  private static let blue: [UInt8] = [0, 0, 255]
  private static let body = picture(dots: [(60, 30, red), (30, 34, blue), (44, 58, green)])

  private static func isNear(
    _ point: Pose.Point?, _ x: Double, _ y: Double, by distance: Double = 1.5
  ) -> Bool {
    guard let point else { return false }
    return point.location.squaredDistance(to: PixelPoint(x: x, y: y)) <= distance * distance
  }

  /// A detector that looks once: a colour stays what it is in a mirror, where sides change.
  private static func detector() throws -> PoseDetector {
    var detector = try PoseDetector(joints: DotNetworks.joints(), people: DotNetworks.people())
    detector.options.usesMirror = false
    return detector
  }

  @Test func placesComeBackFromTheCropToThePicture() throws {
    let box = BoundingBox(x: 20, y: 22, width: 50, height: 44)
    let person = try #require(try Self.detector().pose(in: Self.body, of: box))
    #expect(Self.isNear(person.pose[.leftWrist], 60, 30), "\(person)")
    #expect(Self.isNear(person.pose[.leftAnkle], 60, 30))
    #expect(Self.isNear(person.pose[.rightHip], 30, 34), "\(person)")
    #expect(Self.isNear(person.pose[.neck], 44, 58))
    #expect(Self.isNear(person.pose[.root], 45, 32))
    #expect(Self.isNear(person.pose[.head], 44, 58))
    #expect(person.pose[.nose] == nil && person.pose[.leftEye] == nil)
    #expect(person.confidence > 0.8 && person.pose.joints.count == 15)
    // The outline is a tenth larger than what hugs the joints.
    #expect((person.boundingBox.width - 33).magnitude < 3, "\(person.boundingBox)")
  }

  @Test func theMirroredCropCountsTurnedBackWithSidesExchanged() throws {
    var detector = try Self.detector()
    detector.options.usesMirror = true
    let box = BoundingBox(x: 20, y: 22, width: 50, height: 44)
    let person = try #require(try detector.pose(in: Self.body, of: box))
    // What has no side is found where it is; what is left by its colour is right in the mirror.
    #expect(Self.isNear(person.pose[.neck], 44, 58), "\(person)")
    #expect((person.pose[.leftWrist]?.confidence ?? 0) < 0.2)
  }

  @Test func turnedFramesGiveUprightPlaces() throws {
    let detector = try Self.detector()
    var image = Self.body
    image.orientation = .right
    // Stored (60, 30) stands in the upright picture, 80 wide, at (80 - 30, 60).
    let box = BoundingBox(x: 14, y: 20, width: 44, height: 50)
    let person = try #require(try detector.pose(in: image, of: box))
    #expect(Self.isNear(person.pose[.leftWrist], 50, 60), "\(person.pose)")
    #expect(Self.isNear(person.pose[.rightWrist], 46, 30), "\(person.pose)")
  }

  @Test func peopleAreFoundRefinedAndFollowed() throws {
    let detector = try Self.detector()
    let people = try detector.detect(in: Self.body)
    expectEqual(people.count, 1, "\(people)")
    let person = try #require(people.first)
    #expect(Self.isNear(person.pose[.leftWrist], 60, 30) && person.confidence > 0.5)
    let black = Self.picture(dots: [])
    #expect(try detector.detect(in: black).isEmpty)
    var follower = PoseFollower(detector, interval: 4)
    for step in 0..<6 {
      let moved = Self.picture(dots: [
        (60 + step, 30, Self.red), (30 + step, 34, Self.blue), (44 + step, 58, Self.green),
      ])
      let last = follower.people
      let people = try follower.people(in: moved)
      if step > 0, step % 4 != 0 {
        expectEqual(people, (try detector.detect(in: moved, following: last)))
      }
      expectEqual(people.count, 1)
      #expect(Self.isNear(people.first?.pose[.leftWrist], 60 + Double(step), 30), "\(step)")
    }
    let gone = try black.withFrame { (frame) in try follower.people(in: frame) }
    #expect(gone.isEmpty && follower.people.isEmpty)
  }

  @Test func boxesWithoutAPlaceInThePictureAreNobody() throws {
    let detector = try PoseDetector(
      joints: DotNetworks.joints(), people: DotNetworks.people())
    for box in [
      BoundingBox(x: 200, y: 0, width: 10, height: 10), .zero,
      BoundingBox(x: 0, y: 0, width: .nan, height: 4),
      BoundingBox(x: 0, y: 0, width: .infinity, height: 4),
      BoundingBox(x: 0, y: 0, width: -4, height: 4),
    ] {
      try expectEqual(detector.pose(in: Self.body, of: box), nil, "\(box)")
    }
    let tiny = PixelImage(width: 1, height: 1, format: .gray, samples: [200])
    #expect(try detector.detect(in: tiny).count <= 1)
  }

  @Test func otherWeightsAreRefused() throws {
    let people = try DotNetworks.people()
    let joints = try DotNetworks.joints()
    #expect(throws: PoseDetectorError.task(found: "people", required: "poses")) {
      try PoseDetector(joints: people, people: people)
    }
    #expect(throws: PoseDetectorError.task(found: "poses", required: "people")) {
      try PoseDetector(joints: joints, people: joints)
    }
    #expect(throws: PoseDetectorError.maps(output: "joints")) {
      let head = NetworkHead(kind: PoseHead.kind, labels: ["nose"])
      return try PoseDetector(joints: DotNetworks.joints(head: head), people: people)
    }
    #expect(
      throws: PoseDetectorError.constant(
        name: "crop scale", found: [], required: "1 numbers of 0.5 to 4.0")
    ) { try PoseDetector(joints: DotNetworks.joints(profile: []), people: people) }
    #expect(throws: PoseDetectorError.self) { try PoseDetector(joints: [], people: people) }
    #expect(throws: PoseDetectorError.self) {
      try PoseDetector(joints: Array(joints.dropLast()), people: people)
    }
  }

  @Test func twoWhoAreOneBecomeTheSurer() {
    func person(_ x: Double, _ confidence: Float) -> DetectedPerson {
      DetectedPerson(
        boundingBox: BoundingBox(x: x, y: 0, width: 100, height: 200), confidence: confidence,
        pose: Pose())
    }
    let kept = PoseDetector.different(
      [person(0, 0.5), person(10, 0.9), person(200, 0.7), person(500, 0.6)], limit: 2)
    expectEqual(kept.map(\.confidence), [0.9, 0.7])
  }

  @Test func whoseJointsLieInTheSamePlacesIsOne() {
    /// A person of whom the box holds only the upper part, moved.
    func person(_ confidence: Float, x: Double = 0, height: Double) -> DetectedPerson {
      var pose = Pose()
      let joints: [Joint] = [.leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist]
      for (index, joint) in joints.enumerated() {
        pose[joint] = Pose.Point(
          PixelPoint(x: x + 20 * Double(index), y: 30 + 7 * Double(index)), confidence: 0.8)
      }
      return DetectedPerson(
        boundingBox: BoundingBox(x: x, y: 0, width: 100, height: height), confidence: confidence,
        pose: pose)
    }
    let whole = person(0.9, height: 260)
    // Boxes overlap by half only.
    expectEqual(PoseDetector.different([whole, person(0.8, x: 3, height: 130)], limit: 8), [whole])
    let other = person(0.8, x: 40, height: 130)
    expectEqual(PoseDetector.different([other, whole], limit: 8), [whole, other])
    // Three joints that are sure do not tell.
    var unsure = person(0.8, height: 130)
    for joint in [Joint.leftElbow, .rightElbow] { unsure.pose[joint]?.confidence = 0.1 }
    expectEqual(PoseDetector.different([whole, unsure], limit: 8), [whole, unsure])
  }

  @Test func inputsKeepTheShapeOfThePicture() {
    func size(_ width: Int, _ height: Int) -> [Int] {
      let size = PersonFinder.inputSize(of: (width, height), longerSide: 224, multiple: 32)
      return [size.width, size.height]
    }
    expectEqual(size(640, 360), [224, 128])
    expectEqual(size(360, 640), [128, 224])
    expectEqual(size(500, 500), [224, 224])
    expectEqual(size(16_000_000, 1), [224, 32])
  }
}

@Suite struct JointMapsTests {
  @Test func aPeakBetweenTwoPlacesIsFoundBetweenThem() {
    var maps = JointMaps(rows: 32, columns: 32, count: 2)
    maps[1, 10, 20] = 20
    maps[1, 10, 21] = 20
    let place = maps.place(of: 1)
    #expect((place.x - 21 / 32).magnitude < 1e-4 && (place.y - 10.5 / 32).magnitude < 1e-4)
    #expect(place.mass > 0.99)
  }

  @Test func doubtShowsInTheMass() {
    var maps = JointMaps(rows: 32, columns: 32, count: 1)
    maps[0, 4, 4] = 20
    maps[0, 20, 20] = 20
    let split = maps.place(of: 0)
    #expect((split.mass - 0.5).magnitude < 1e-3 && (split.x - 4.5 / 32).magnitude < 1e-3)
    var flat = JointMaps(rows: 32, columns: 32, count: 1)
    #expect(flat.place(of: 0).mass < 0.05)
    flat[0, 3, 3] = .nan
    expectEqual(flat.place(of: 0), JointMaps.Place(x: 0.5, y: 0.5, mass: 0))
  }

  @Test func mirrorsExchangeSides() {
    for (map, other) in PoseHead.mirrored.enumerated() {
      expectEqual(PoseHead.mirrored[other], map)
      let (own, opposite) = (PoseHead.labels[map], PoseHead.labels[other])
      if own.hasPrefix("left") {
        expectEqual(opposite, "right" + own.dropFirst(4))
      } else if !own.hasPrefix("right") {
        expectEqual(opposite, own)
      }
    }
    expectEqual(PoseHead.labels[PoseHead.leftHip], "leftHip")
    expectEqual(PoseHead.labels[PoseHead.rightHip], "rightHip")
    #expect(PoseHead.joints[PoseHead.neck] == .neck && PoseHead.joints[PoseHead.top] == nil)
  }
}
