import DiceRegistration
import DiceDrawing
import DiceCodecs
import DiceVisionKit
import Synchronization
import TestSupport
import Testing

/// A film whose frames are made when they are asked for, and that counts how far it is ahead of a detector that
/// asks it for thresholds.
private final class CountingFilm: AsyncSequence, ThresholdProvider, Sendable {
  typealias Element = VideoFrame
  typealias Failure = Never

  private let frame: StoredFrame
  private let frameCount: Int
  private let madeCount = Atomic<Int>(0)
  private let lookedCount = Atomic<Int>(0)
  private let lead = Atomic<Int>(0)

  init(_ frame: StoredFrame, frameCount: Int) {
    self.frame = frame
    self.frameCount = frameCount
  }

  /// The frames that the detector has looked at, and the most that were made ahead of it.
  var counts: (looked: Int, greatestLead: Int) {
    (lookedCount.load(ordering: .relaxed), lead.load(ordering: .relaxed))
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    let film: CountingFilm
    var index = 0

    mutating func next() async -> VideoFrame? {
      guard index < film.frameCount else { return nil }
      defer { index += 1 }
      film.madeCount.add(1, ordering: .relaxed)
      return VideoFrame(
        index: index, timestamp: .milliseconds(33 * index), stored: film.frame)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(film: self) }

  func featureValue(for name: String) -> Float? {
    guard name == ThresholdName.confidenceThreshold else { return nil }
    let looked = lookedCount.add(1, ordering: .relaxed).newValue
    lead.max(madeCount.load(ordering: .relaxed) - looked, ordering: .relaxed)
    return nil
  }
}

struct RollFollowerTests {
  /// A textured picture, moved by whole pixels.
  private func picture(shift: Int = 0, width: Int = 640, height: Int = 360) -> PixelImage {
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        // Blocks of gray that do not repeat.
        let (column, row) = (UInt32(truncatingIfNeeded: (x - shift + 4000) / 24), UInt32(y / 24))
        var hash = column &* 2_654_435_761 ^ row &* 2_246_822_519
        hash ^= hash >> 15
        hash = hash &* 2_246_822_519
        samples.append(UInt8(truncatingIfNeeded: 60 + hash >> 25))
      }
    }
    return PixelImage(width: width, height: height, format: .gray, samples: samples)
  }

  /// The values of the dice that come into view in a stream of a picture that stands still.
  private func entered(
    _ layout: Layout, regionOfInterest: NormalizedRect? = nil,
    thresholds: some ThresholdProvider & Sendable
  ) async throws -> [Int] {
    let stored = StoredFrame(layout.image)
    let (frames, queue) = AsyncStream<VideoFrame>.makeStream()
    for index in 0..<8 {
      queue.yield(VideoFrame(index: index, timestamp: .milliseconds(40 * index), stored: stored))
    }
    queue.finish()
    var values: [Int] = []
    for try await event in try RollFollower.events(
      in: frames, detector: PatternNetwork().detector(), regionOfInterest: regionOfInterest,
      thresholds: thresholds, waitingFrameLimit: .max)
    {
      if case .dieEntered(let die) = event, let first = die.values.first {
        values.append(first.value)
      }
    }
    return values
  }

  @Test func eventsTakeARegionAndThresholds() async throws {
    let whole = Layout.all[0]
    try await expectEqual(entered(whole, thresholds: Thresholds()), whole.blocks.map(\.value))
    try await expectEqual(entered(whole, thresholds: .with(confidenceThreshold: 1)), [])
    let part = Layout.all[3]
    try await expectEqual(
      entered(
        part, regionOfInterest: part.region, thresholds: AdjustableThresholds()),
      part.blocks.map(\.value))
  }

  @Test func measuresTheMotionOfTheCamera() {
    var motion = FrameMotion()
    expectEqual(picture().withFrame { motion.update($0) }, .zero)
    let moved = picture(shift: 10).withFrame { motion.update($0) }
    #expect(abs(moved.x - 10) < 1.5 && abs(moved.y) < 1.5)
    #expect(moved.confidence > 0.3)
  }

  /// A die that is seen where it was refutes a fast motion of the camera, which a hand may look like.
  @Test func aDieThatStaysHoldsTheField() throws {
    func corner(dieMoves: Bool) throws -> Double {
      var follower = RollFollower()
      for index in 0..<2 {
        var die = four
        if dieMoves {
          die.boundingBox = four.boundingBox.translated(x: Double(24 * index), y: 0)
        }
        _ = picture(shift: 24 * index).withFrame { frame in
          follower.follow(frame, at: .milliseconds(33 * index)) { _ in [die] }
        }
        if index == 0 {
          follower.field = try PlayingField(
            corners: Quadrilateral(BoundingBox(x: 100, y: 60, width: 300, height: 200)))
        }
      }
      return try #require(follower.field).corners.upperLeft.x
    }
    #expect(abs(try corner(dieMoves: false) - 100) < 1)
    #expect(abs(try corner(dieMoves: true) - 124) < 2)
  }

  /// Where the upper left corner of a field, which is set at (100, 60) after the first frame, is after the last one.
  private func fieldCorner(
    frames: Int, milliseconds: Int = 33, dice: (_ index: Int) -> [RollTracker.Observation],
    _ draw: (_ index: Int) -> PixelImage
  ) throws -> Double {
    var follower = RollFollower()
    for index in 0..<frames {
      _ = draw(index).withFrame { frame in
        follower.follow(frame, at: .milliseconds(milliseconds * index)) { _ in dice(index) }
      }
      if index == 0 {
        follower.field = try PlayingField(
          corners: Quadrilateral(BoundingBox(x: 100, y: 60, width: 300, height: 200)))
      }
    }
    return try #require(follower.field).corners.upperLeft.x
  }

  private func die(_ value: Int = 4, x: Double = 0) -> RollTracker.Observation {
    RollTracker.Observation(boundingBox: four.boundingBox.translated(x: x, y: 0), value: value)
  }

  /// A part of the textured picture on a table that shows nothing.
  private func plainTable(with part: BoundingBox, shift: Int) -> PixelImage {
    let textured = picture(shift: shift)
    var samples = [UInt8](repeating: 110, count: 640 * 360)
    for y in Int(part.minY)..<Int(part.maxY) {
      for x in Int(part.minX)..<Int(part.maxX) {
        samples[640 * y + x] = textured.samples[640 * y + x]
      }
    }
    return PixelImage(width: 640, height: 360, format: .gray, samples: samples)
  }

  /// The box of a die that lies still wavers while a hand moves; another die may come near.
  @Test(arguments: [(0.0, 4, true), (6, 4, true), (6, 5, false), (12, 4, false)])
  func aDieWithItsValueStaysThoughItsBoxWavers(
    _ waver: Double, _ value: Int, _ stays: Bool
  ) throws {
    let corner = try fieldCorner(
      frames: 2, dice: { [die($0 == 0 ? 4 : value, x: waver * Double($0))] }
    ) { index in
      plainTable(
        with: BoundingBox(x: 380 + 24 * Double(index), y: 200, width: 200, height: 140),
        shift: 24 * index)
    }
    #expect(stays ? abs(corner - 100) < 1 : corner > 110, "\(corner)")
  }

  /// A hand that moves over the picture hides its motion, and a die that moves with it tells.
  @Test(arguments: [true, false])
  func aDieTellsHowTheCameraMovesBehindAHand(_ isSeen: Bool) throws {
    let corner = try fieldCorner(
      frames: 6, dice: { isSeen ? [die(x: 8 * Double($0))] : [] }
    ) { index in
      // The hand turns, so that it looks otherwise in each frame.
      let (table, hand) = (picture(shift: 8 * index), picture(shift: 1111 * index))
      return PixelImage(
        width: 640, height: 360, format: .gray,
        samples: table.samples.indices.map {
          $0 % 640 < 170 ? table.samples[$0] : hand.samples[$0]
        })
    }
    #expect(abs(corner - (isSeen ? 140 : 100)) < 4, "\(corner)")
  }

  /// What moves over a plain table may be a hand, and with a die that moves with it the camera.
  @Test(arguments: [true, false])
  func whatMovesOverAPlainTableIsNoCameraWhereNoDiceAreSeen(_ isSeen: Bool) throws {
    let corner = try fieldCorner(
      frames: 6, milliseconds: 200, dice: { isSeen ? [die(x: 6 * Double($0))] : [] }
    ) { index in
      var canvas = Canvas(
        PixelImage(
          width: 640, height: 360, format: .rgb,
          samples: [UInt8](repeating: 90, count: 640 * 360 * 3)))
      canvas.fill(
        BoundingBox(x: 380 + 6 * Double(index), y: 200, width: 24, height: 24), color: .white)
      return canvas.image
    }
    #expect(isSeen ? corner > 105 : abs(corner - 100) < 1, "\(corner)")
  }

  @Test func theFieldMovesWithThePictureInEveryFrame() throws {
    // The detector looks at every third frame only, and the field is right in all of them.
    var follower = try RollFollower(configuration: .init(detectionInterval: 3))
    let start = BoundingBox(x: 100, y: 60, width: 300, height: 200)
    for index in 0..<12 {
      var die = four
      die.boundingBox = four.boundingBox.translated(x: Double(4 * index), y: 0)
      _ = picture(shift: 4 * index).withFrame { frame in
        follower.follow(frame, at: .milliseconds(33 * index)) { _ in [die] }
      }
      if index == 1 {
        follower.field = try PlayingField(
          corners: Quadrilateral(start.translated(x: 4, y: 0)))
      }
      guard index >= 1 else { continue }
      let corner = try #require(follower.field).corners.upperLeft
      #expect(
        abs(corner.x - 100 - Double(4 * index)) < 2 && abs(corner.y - 60) < 2,
        "frame \(index): \(corner)")
    }
  }

  @Test func motionIsThatOfTheUprightPicture() {
    // Stored rows of a phone held upright: what moves to the right here moves down for a person.
    var motion = FrameMotion()
    _ = picture().withFrame { motion.update($0, orientation: .right) }
    let moved = picture(shift: 10).withFrame { motion.update($0, orientation: .right) }
    #expect(abs(moved.x) < 1.5 && abs(moved.y - 10) < 1.5)
  }

  @Test func noticesSmallChanges() {
    var motion = FrameMotion()
    #expect(motion.hasChanged)
    _ = picture().withFrame { motion.update($0) }
    motion.remember()
    #expect(!motion.hasChanged)
    var canvas = Canvas(picture().converted(to: .rgb))
    canvas.fill(BoundingBox(x: 300, y: 200, width: 12, height: 12), color: .white)
    _ = canvas.image.withFrame { motion.update($0) }
    #expect(motion.hasChanged)
  }

  @Test func picturesTooSmallToCompareCountAsChanged() {
    var motion = FrameMotion()
    for _ in 0..<3 {
      expectEqual(picture(width: 60, height: 40).withFrame { motion.update($0) }, .zero)
      motion.remember()
      #expect(motion.hasChanged)
    }
  }

  /// Follows 60 frames of a picture that stands still but for a lamp in its corner, which is lit
  /// from a frame on, with a detector that sees what it is told to.
  private func followStandingPicture(
    litFrame: Int = .max, _ see: (_ index: Int, _ call: Int) -> [RollTracker.Observation]
  ) -> (follower: RollFollower, events: [RollTracker.Event], looks: [Int]) {
    var follower = RollFollower()
    var events: [RollTracker.Event] = []
    var looks: [Int] = []
    let dark = picture()
    var canvas = Canvas(dark.converted(to: .rgb))
    canvas.fill(BoundingBox(x: 500, y: 300, width: 20, height: 20), color: .white)
    let lit = canvas.image.converted(to: .gray)
    for index in 0..<60 {
      events += (index >= litFrame ? lit : dark).withFrame { frame in
        follower.follow(frame, at: .milliseconds(33 * index)) { _ in
          looks.append(index)
          return see(index, looks.count)
        }
      }
    }
    return (follower, events, looks)
  }

  private let four = RollTracker.Observation(
    boundingBox: BoundingBox(x: 50, y: 60, width: 40, height: 40), value: 4)

  @Test func timesMayBeAnything() {
    let longest = Duration.seconds(Int64.max) * 18
    let times = [.zero, longest, .zero - longest, longest, .seconds(Int64.max), .zero, .seconds(1)]
    var follower = RollFollower()
    for (index, time) in times.enumerated() {
      _ = picture(shift: 40 * index).withFrame { (frame) in
        follower.follow(frame, at: time) { (_) in [four] }
      }
    }
    #expect(follower.frameCount == times.count && follower.detectionCount == times.count)
  }

  @Test func theDetectorRestsOnceDiceAreReadAndNothingChanges() {
    let (follower, events, looks) = followStandingPicture { (_, _) in [four] }
    for case .rollEnded in events { Issue.record("a die that lies there is no roll") }
    // The die has to be seen at rest for 0.24 s.
    #expect(looks == Array(0..<looks.count) && (3...10).contains(looks.count))
    #expect(follower.detectionCount == looks.count && follower.frameCount == 60)
    expectEqual(follower.tracker.dice.map(\.value), [4])
  }

  @Test func anEmptyTableThatStandsStillIsLookedAtOnce() {
    let looks = followStandingPicture { (_, _) in [] }.looks
    expectEqual(looks, [0])
  }

  @Test func aDieThatOneLookMissedIsLookedForAgain() {
    let (follower, events, looks) = followStandingPicture(litFrame: 30) { (index, _) in
      index == 30 ? [] : [four]
    }
    for case .dieLeft in events { Issue.record("a die that is missed once has not left") }
    #expect(!events.contains(.cleared))
    #expect(looks.contains(31) && looks.count < 16)
    expectEqual(follower.tracker.dice.map(\.value), [4])
  }

  @Test func whatOneLookSeesByMistakeIsNoDie() {
    let ghost = RollTracker.Observation(
      boundingBox: BoundingBox(x: 250, y: 160, width: 40, height: 40), value: 2)
    let (follower, events, _) = followStandingPicture(litFrame: 30) { (index, _) in
      index == 30 ? [four, ghost] : [four]
    }
    expectEqual(events.count { if case .dieEntered = $0 { true } else { false } }, 1)
    expectEqual(follower.tracker.dice.map(\.value), [4])
  }

  @Test func aMisreadingIsNotTakenForManyReadings() {
    let six = RollTracker.Observation(boundingBox: four.boundingBox, value: 6)
    let (follower, _, _) = followStandingPicture { (_, call) in
      [call == 1 ? six : four]
    }
    expectEqual(follower.tracker.dice.map(\.value), [4])
  }

  /// A die that rolls over a plain table, with a faint grain that stands still, and comes to rest.
  @Test func aDieThatRollsOverAPlainTableIsNoMotionOfTheCamera() {
    var follower = RollFollower()
    var rolls: [[Int]] = []
    let grain: [UInt8] = (0..<640 * 360 * 3).map { (index: Int) -> UInt8 in
      UInt8(90 + (index / 3 * 7919) % 3)
    }
    let table = PixelImage(width: 640, height: 360, format: .rgb, samples: grain)
    for index in 0..<40 {
      // 25 pixels a frame and slowing down.
      let place = 80 + 25.0 * Double(min(index, 12)) - Double(min(index, 12) * min(index, 12))
      let box = BoundingBox(x: place, y: 150 + place / 4, width: 44, height: 44)
      var canvas = Canvas(table)
      canvas.fill(box, color: .white)
      canvas.fill(
        BoundingBox(x: box.minX + 18, y: box.minY + 18, width: 8, height: 8), color: .black)
      let events = canvas.image.withFrame { frame in
        follower.follow(frame, at: .milliseconds(33 * index)) { _ in
          // The flight is too blurred to be read.
          index < 5 ? [] : [RollTracker.Observation(boundingBox: box, value: 1)]
        }
      }
      for case .rollEnded(let roll) in events { rolls.append(roll.values) }
    }
    expectEqual(rolls, [[1]])
  }

  /// The rolls of a film of two seconds, in which a die is seen from the middle on, and others all the time.
  private func rolls(
    framesPerSecond: Int, y: Double = 160, beside others: [BoundingBox] = [],
    camera: (_ index: Int) -> Int = { _ in 0 },
    _ draw: (_ canvas: inout Canvas, _ time: Double, _ die: BoundingBox) -> Void
  ) -> [[Int]] {
    var follower = RollFollower()
    var rolls: [[Int]] = []
    let table = picture().converted(to: .rgb)
    for index in 0..<2 * framesPerSecond {
      let time = Double(index) / Double(framesPerSecond)
      let shift = camera(index)
      let die = BoundingBox(x: 300 + Double(shift), y: y, width: 44, height: 44)
      var canvas = Canvas(shift == 0 ? table : picture(shift: shift).converted(to: .rgb))
      // Something blinks, so that the detector looks at every frame.
      if index % 2 == 0 {
        canvas.fill(BoundingBox(x: 8, y: 8, width: 16, height: 16), color: .white)
      }
      draw(&canvas, time, die)
      let events = canvas.image.withFrame { frame in
        follower.follow(frame, at: .milliseconds(1000 * index / framesPerSecond)) { _ in
          others.map { .init(boundingBox: $0, value: 2) }
            + (time < 1 ? [] : [.init(boundingBox: die, value: 4)])
        }
      }
      for case .rollEnded(let roll) in events { rolls.append(roll.values) }
    }
    return rolls
  }

  @Test(arguments: [10, 30, 60])
  func aDieThatIsFirstSeenAtRestWhereTheTableWasBareIsThrown(_ rate: Int) {
    func drawDie(_ canvas: inout Canvas, _ time: Double, _ die: BoundingBox) {
      if time >= 1 { canvas.fill(die, color: .white) }
    }
    expectEqual(rolls(framesPerSecond: rate, drawDie), [[4]])
    // The hand that holds the camera drifts by 60 pixels a second.
    expectEqual(rolls(framesPerSecond: rate, camera: { $0 * 60 / rate }, drawDie), [[4]])
    // Seen in flight by the camera, but not by the detector.
    let late = rolls(framesPerSecond: rate) { canvas, time, die in
      if time >= 1 {
        canvas.fill(die, color: .white)
      } else if time > 0.8 {
        let x = die.minX + 1200 * (time - 1)
        canvas.fill(BoundingBox(x: x, y: 100, width: 60, height: 44), color: .white)
      }
    }
    expectEqual(late, [[4]])
  }

  /// A hand from there would not be seen.
  @Test(arguments: [(310.0, true), (316, false)])
  func aDieAtTheBorderOfThePictureMayBeLaidDown(_ y: Double, _ isThrown: Bool) {
    let found = rolls(framesPerSecond: 30, y: y) { canvas, time, die in
      if time >= 1 { canvas.fill(die, color: .white) }
    }
    expectEqual(found, isThrown ? [[4]] : [])
  }

  @Test(arguments: [10, 30, 60])
  func aDieThatAHandLaysDownIsNotThrown(_ rate: Int) {
    // Two fingers and the back of a hand, which cover the die, from the lower border.
    func drawHand(_ canvas: inout Canvas, _ die: BoundingBox, top: Double) {
      canvas.fill(
        BoundingBox(x: die.minX - 4, y: top, width: 52, height: 360 - top), color: .black)
      canvas.fill(
        BoundingBox(x: die.minX - 40, y: top + 80, width: 130, height: 280 - top), color: .black)
    }
    // The hand is there for a while, and is gone in the frame that shows the die first.
    let fast = rolls(framesPerSecond: rate) { canvas, time, die in
      canvas.fill(die, color: .white)
      if time > 0.3, time < 0.999 { drawHand(&canvas, die, top: 150) }
    }
    expectEqual(fast, [])
    // It is withdrawn for another 0.3 s.
    let slow = rolls(framesPerSecond: rate) { canvas, time, die in
      canvas.fill(die, color: .white)
      if time > 0.3, time < 1.3 { drawHand(&canvas, die, top: 150 + max(time - 0.95, 0) * 900) }
    }
    expectEqual(slow, [])
    // Of the hand that is withdrawn, no more than the fingertips are in the picture.
    let tips = rolls(framesPerSecond: rate) { canvas, time, die in
      canvas.fill(die, color: .white)
      if time > 0.3, time < 0.999 {
        canvas.fill(BoundingBox(x: die.minX - 20, y: 140, width: 84, height: 84), color: .black)
      }
    }
    expectEqual(tips, [])
    // It stays beside the die.
    let staying = rolls(framesPerSecond: rate) { canvas, time, die in
      if time > 0.5 { canvas.fill(die, color: .white) }
      if time > 0.3 { drawHand(&canvas, die, top: time < 1 ? 150 : 230) }
    }
    expectEqual(staying, [])
  }

  /// What lay there all the time must look as it did; what came is left out with its surroundings.
  @Test(arguments: [10, 30, 60])
  func aHandAroundDiceThatLieThereShowsThatNothingIsThrown(_ rate: Int) {
    let others = [100.0, 500].map { BoundingBox(x: $0, y: 100, width: 44, height: 44) }
    func rolls(hand: Bool) -> [[Int]] {
      self.rolls(framesPerSecond: rate, beside: others) { canvas, time, die in
        for other in others {
          if hand, time > 0.3, time < 0.999 {
            canvas.fill(other.scaledAboutCenter(by: 1.9), color: .black)
          }
          canvas.fill(other, color: .white)
        }
        if time > 0.999 { canvas.fill(die, color: .white) }
      }
    }
    expectEqual(rolls(hand: false), [[2, 4, 2]])
    expectEqual(rolls(hand: true), [])
  }

  @Test(arguments: [10, 30, 60])
  func aDieThatLayThereUnseenIsNotThrown(_ rate: Int) {
    let unseen = rolls(framesPerSecond: rate) { canvas, _, die in
      canvas.fill(die, color: .white)
    }
    expectEqual(unseen, [])
    // The light is switched on.
    let lit = rolls(framesPerSecond: rate) { canvas, time, die in
      if time < 1 {
        canvas.fill(BoundingBox(x: 0, y: 0, width: 640, height: 360), color: .black)
      } else {
        canvas.fill(die, color: .white)
      }
    }
    expectEqual(lit, [])
  }

  @Test func whatFliesOverAPlainTableUnseenIsNoMotionOfTheCamera() {
    // A table with a faint grain, and blurred dice that the detector does not find.
    var motion = FrameMotion()
    var samples: [UInt8] = []
    for index in 0..<640 * 360 {
      let block = UInt32(index / 640 / 12 * 71 + index % 640 / 12) &* 2_654_435_761
      samples.append(UInt8(90 + block >> 30))
    }
    let table = PixelImage(width: 640, height: 360, format: .gray, samples: samples)
    func show(_ place: Double) -> CameraMotion {
      var canvas = Canvas(table.converted(to: .rgb))
      canvas.fill(BoundingBox(x: place, y: 100 + place / 3, width: 60, height: 44), color: .white)
      return canvas.image.withFrame { motion.update($0) }
    }
    _ = show(80)
    motion.remember()
    let told = show(200)
    #expect(!motion.background(without: [], movedBy: told, width: 640, height: 360).isMotion)
    let flight = CameraMotion(x: 120, y: 40, confidence: 1)
    #expect(!motion.background(without: [], movedBy: flight, width: 640, height: 360).isMotion)
  }

  @Test func theBackgroundTellsWhetherTheCameraMoved() {
    var motion = FrameMotion()
    _ = picture().withFrame { motion.update($0) }
    motion.remember()
    let moved = picture(shift: 20).withFrame { motion.update($0) }
    let box = BoundingBox(x: 300, y: 100, width: 60, height: 60)
    #expect(motion.background(without: [box], movedBy: moved, width: 640, height: 360).isMotion)
    let wrong = CameraMotion(x: -moved.x, y: 30, confidence: 1)
    #expect(!motion.background(without: [box], movedBy: wrong, width: 640, height: 360).isMotion)
    let nothing = BoundingBox(x: -1e9, y: -1e9, width: 4e9, height: 4e9)
    #expect(
      !motion.background(without: [nothing], movedBy: moved, width: 640, height: 360).isMotion)
    let absurd = CameraMotion(x: 1e300, y: -1e300, confidence: 1)
    #expect(!motion.background(without: [], movedBy: absurd, width: 640, height: 360).isMotion)
    motion.reset()
    #expect(!motion.background(without: [], movedBy: moved, width: 640, height: 360).isMotion)
  }

  @Test func errorsOfTheDetectorComeThrough() {
    struct Broken: Error {}
    var follower = RollFollower()
    #expect(throws: Broken.self) {
      try picture().withFrame { (frame) throws(Broken) in
        _ = try follower.follow(frame, at: .zero) { (_) throws(Broken) in throw Broken() }
      }
    }
  }

  @Test func refusesConfigurationsOutOfRange() {
    var configuration = RollFollower.Configuration()
    configuration.tracker.maximumDiceCount = -1
    #expect(throws: RollTracker.ConfigurationError.self) {
      try RollFollower(configuration: configuration)
    }
  }

  @Test func eventsOfAStreamEndWithIt() async throws {
    let detector = try DiceDetector(configuration: .init(tiling: .none))
    let frame = StoredFrame(picture())
    let frames = AsyncStream<VideoFrame> { frames in
      for index in 0..<5 {
        frames.yield(
          VideoFrame(index: index, timestamp: .milliseconds(33 * index), stored: frame))
      }
      frames.finish()
    }
    var count = 0
    for try await event in try RollFollower.events(
      in: frames, detector: detector, waitingFrameLimit: .max)
    {
      if case .rollEnded = event { count += 1 }
    }
    expectEqual(count, 0)
  }

  @Test func aFilmOfWhichNoFrameIsDroppedWaitsForTheDetector() async throws {
    let film = CountingFilm(StoredFrame(picture()), frameCount: 40)
    let configuration = RollFollower.Configuration(skipsUnchangedFrames: false)
    for try await _ in try RollFollower.events(
      in: film, detector: PatternNetwork().detector(), configuration: configuration,
      thresholds: film, waitingFrameLimit: .max)
    {}
    expectEqual(film.counts.looked, 40)
    expectEqual(film.counts.greatestLead, 0)
  }

  @Test func observationsKeepAllValues() {
    let observation = DieObservation(
      identifier: 1, boundingBox: BoundingBox(x: 1, y: 2, width: 3, height: 4), uprightWidth: 10,
      uprightHeight: 10,
      labels: [
        ClassificationLabel(identifier: "6", confidence: 0.7),
        ClassificationLabel(identifier: "star", confidence: 0.2),
        ClassificationLabel(identifier: "5", confidence: 0.1),
      ], value: 6, confidence: 0.6, objectness: 0.86)
    let converted = RollTracker.Observation(observation)
    expectEqual(converted.values.map(\.value), [6, 5])
    expectEqual(converted.confidence, 0.86)
    expectEqual(converted.boundingBox, observation.boundingBox)
  }
}
