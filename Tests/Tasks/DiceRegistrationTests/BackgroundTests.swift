import DiceGeometry
import TestSupport
import Testing

@testable import DiceRegistration

struct BackgroundTests {
  static let columns = 128
  static let rows = 64
  private let background = Background(
    columns: columns, rows: rows, pixelsPerColumn: 4, pixelsPerRow: 4)

  /// Blocks of gray that do not repeat, moved by whole samples, with some boxes painted over.
  private func plane(shift: Int = 0, boxes: [(BoundingBox, UInt8)] = []) -> [UInt8] {
    var plane: [UInt8] = []
    for row in 0..<Self.rows {
      for column in 0..<Self.columns {
        var hash = UInt32((column - shift + 400) / 3) &* 2_654_435_761
        hash ^= UInt32(row / 3) &* 2_246_822_519
        hash = (hash ^ hash >> 15) &* 2_246_822_519
        var value = UInt8(truncatingIfNeeded: 60 + hash >> 26)
        for (box, paint) in boxes
        where box.contains(PixelPoint(x: Double(column) * 4 + 2, y: Double(row) * 4 + 2)) {
          value = paint
        }
        plane.append(value)
      }
    }
    return plane
  }

  private func frame(_ plane: [UInt8]) -> ReducedFrame { ReducedFrame(luminance: plane) }

  private let die = BoundingBox(x: 200, y: 100, width: 40, height: 40)

  @Test func partsSayWhetherTheCameraMoved() {
    let motion = CameraMotion(x: 12, y: 0, confidence: 1)
    let moved = background.votes(
      plane: plane(shift: 3), earlier: plane(), without: [], movedBy: motion)
    #expect(moved.isMotion && !moved.isRest && moved.moved > 100 && moved.still == 0)
    // Only what lies on the table did.
    let box = BoundingBox(x: 212, y: 100, width: 40, height: 40)
    let rolled = background.votes(
      plane: plane(boxes: [(box, 250)]), earlier: plane(boxes: [(die, 250)]), without: [],
      movedBy: motion)
    #expect(!rolled.isMotion && rolled.isRest && rolled.still > 80)
  }

  /// A hand that covers a third of the picture moves as slowly as a camera in a hand, by two fifths of a sample.
  @Test func moreOfThePictureDeniesTheSlowMotionOfAHand() {
    func isRest(_ columns: Range<Int>) -> Bool {
      var now = plane()
      // What lies under these columns has moved.
      let later = plane(shift: 1)
      for row in 0..<Self.rows {
        for column in columns {
          let index = row * Self.columns + column
          now[index] = UInt8((Int(now[index]) * 3 + Int(later[index]) * 2) / 5)
        }
      }
      return background.votes(
        plane: now, earlier: plane(), without: [],
        movedBy: CameraMotion(x: 1.6, y: 0, confidence: 1)
      ).isRest
    }
    #expect(isRest(0..<40))
    #expect(!isRest(0..<Self.columns))
  }

  /// Where light burns out, samples fit every motion alike; sums that are rounded must not vote.
  @Test(arguments: [0, 90, 200, 255] as [UInt8])
  func aPictureOfOneLevelHasNoSay(_ level: UInt8) {
    let plain = [UInt8](repeating: level, count: Self.columns * Self.rows)
    for step in 1...40 {
      let motion = CameraMotion(x: 0.37 * Double(step), y: 0.11 * Double(step), confidence: 1)
      let votes = background.votes(plane: plain, earlier: plain, without: [], movedBy: motion)
      expectEqual(votes, Background.Votes())
    }
  }

  /// A number that depends on a place and a frame by chance.
  private func hash(_ index: Int, _ frame: Int) -> UInt32 {
    var hash = UInt32(truncatingIfNeeded: index) &* 2_654_435_761
    hash ^= UInt32(truncatingIfNeeded: frame) &* 2_246_822_519
    hash = (hash ^ hash >> 15) &* 2_246_822_519
    return hash ^ hash >> 13
  }

  @Test(arguments: [(2.0, 0.0), (2, 2), (-6, 1.3), (11, -5)])
  func noiseOnAPlainTableSaysNothingOfTheCamera(_ x: Double, _ y: Double) {
    // Interpolated noise is smoother than noise; that must not count for the motion.
    let planes = (0..<2).map { frame in
      (0..<Self.columns * Self.rows).map { UInt8(90 + hash($0, frame) % 5) }
    }
    let votes = background.votes(
      plane: planes[1], earlier: planes[0], without: [],
      movedBy: CameraMotion(x: x, y: y, confidence: 1))
    #expect(!votes.isMotion && votes.moved < 8 && votes.still < 8, "\(votes)")
    #expect(votes.leaningMoved + votes.leaningStill > 100, "\(votes)")
  }

  @Test(arguments: [(1, 0), (0, 1), (1, 1), (2, 1)])
  func manyPartsThatSayLittleTellOfAMotion(_ x: Int, _ y: Int) {
    // A texture as fine as the picture's pixels, of which four by five make a sample.
    func reduced(_ x: Int, _ y: Int) -> [UInt8] {
      var plane: [UInt8] = []
      for row in 0..<Self.rows {
        for column in 0..<Self.columns {
          var sum: UInt32 = 0
          for pixel in 0..<20 {
            let place = (5 * row + pixel / 4 - y) * 4096 + 4 * column + pixel % 4 - x
            sum += 60 + hash(place, 1) % 64
          }
          plane.append(UInt8(sum / 20))
        }
      }
      return plane
    }
    let background = Background(
      columns: Self.columns, rows: Self.rows, pixelsPerColumn: 4, pixelsPerRow: 5)
    let planes = [reduced(0, 0), reduced(x, y)]
    let motion = CameraMotion(x: Double(x), y: Double(y), confidence: 1)
    let votes = background.votes(
      plane: planes[1], earlier: planes[0], without: [], movedBy: motion)
    #expect(votes.isMotion && votes.leaningMoved > 4 * votes.leaningStill, "\(votes)")
    let wrong = background.votes(
      plane: planes[1], earlier: planes[0], without: [],
      movedBy: CameraMotion(x: -motion.x, y: -motion.y, confidence: 1))
    #expect(!wrong.isMotion, "\(wrong)")
  }

  @Test func aDieOnABareTableIsAllThatChanged() {
    let now = plane(boxes: [(die, 250)])
    let change = background.change(
      frame(now), since: frame(plane()), at: die, among: [die], movedBy: .fixed)
    #expect(change.share ?? 0 > 0.7 && change.area == 0 && change.comparedShare > 0.9)
    // It lay there.
    let none = background.change(
      frame(now), since: frame(now), at: die, among: [die], movedBy: .fixed)
    #expect(none.share == 0 && none.surroundingShare == 0 && none.area == 0)
    // Something else went away.
    let other = BoundingBox(x: 320, y: 80, width: 40, height: 80)
    let gone = background.change(
      frame(now), since: frame(plane(boxes: [(other, 200)])), at: die, among: [die],
      movedBy: .fixed)
    #expect(gone.share ?? 0 > 0.7 && abs(gone.area - 3200) < 800)
    // The camera moved by a part of a sample more than is known.
    let drifted = background.change(
      frame(plane(shift: 3, boxes: [(die, 250)])), since: frame(plane()), at: die, among: [die],
      movedBy: CameraMotion(x: 13.5, y: 1, confidence: 1))
    #expect(drifted.share ?? 0 > 0.7 && drifted.area == 0)
    let unknown = background.change(
      frame(plane(shift: 3, boxes: [(die, 250)])), since: frame(plane()), at: die, among: [die],
      movedBy: .fixed)
    #expect(unknown.area > 20_000)
  }

  @Test func whatLayAroundADieShowsInItsSurroundings() {
    let now = plane(boxes: [(die, 250)])
    func surroundingShare(_ box: BoundingBox, among others: [BoundingBox] = []) -> Double {
      background.change(
        frame(now), since: frame(plane(boxes: [(box, 200)])), at: die, among: [die] + others,
        movedBy: .fixed
      ).surroundingShare
    }
    // A hand over it, and what lay on one side of it.
    #expect(surroundingShare(die.scaledAboutCenter(by: 3)) > 0.9)
    let side = die.translated(x: 1.2 * die.width, y: 0)
    #expect((0.05...0.4).contains(surroundingShare(side)))
    // It is another die.
    #expect(surroundingShare(side, among: [side]) < 0.05)
  }

  /// Six levels are a change on a dark table, where a hand is hardly brighter, and none on a bright one.
  @Test(arguments: [(20, true), (120, false)]) func lessIsAChangeInTheDark(
    _ level: Int, _ isChange: Bool
  ) {
    let samples = [UInt8](repeating: UInt8(level), count: Self.columns * Self.rows)
    let brighter = samples.map { $0 + 6 }
    let change = background.change(
      frame(brighter), since: frame(samples), at: die, among: [die], movedBy: .fixed)
    #expect(change.share == (isChange ? 1 : 0) && (change.area > 0) == isChange)
  }

  /// A hand that is as bright as the table is redder, and differs in that from the table alone.
  @Test(arguments: [(7, true), (6, false)])
  func aHandAsBrightAsTheTableShowsInTheColours(_ levels: Int, _ isChange: Bool) {
    let table = frame(plane())
    var hand = table
    hand.colors = table.colors.map { $0 + UInt8(levels) }
    let change = background.change(
      table, since: hand, at: die, among: [die], movedBy: .fixed)
    #expect(change.share == (isChange ? 1 : 0) && (change.surroundingShare > 0.9) == isChange)
    #expect((change.area > 100_000) == isChange)
  }

  @Test func boxesThatTheEarlierPlaneDoesNotShowAreNotCompared() {
    let edge = BoundingBox(x: 470, y: 100, width: 40, height: 40)
    let change = background.change(
      frame(plane(shift: -5, boxes: [(edge, 250)])), since: frame(plane()), at: edge,
      among: [edge], movedBy: CameraMotion(x: -20, y: 0, confidence: 1))
    #expect(change.share == nil && change.area == 0)
  }

  @Test func hostileInputIsNoChange() {
    let absurd = CameraMotion(x: 1e300, y: -.infinity, confidence: 1)
    let boxes = [
      BoundingBox(x: -1e9, y: -1e9, width: 4e9, height: 4e9),
      BoundingBox(x: .nan, y: 0, width: 1, height: 1),
      BoundingBox(x: 1e12, y: 1, width: 1, height: 1),
    ]
    expectEqual(
      background.votes(plane: plane(), earlier: plane(), without: boxes, movedBy: absurd).moved, 0
    )
    for box in boxes + [die] {
      let change = background.change(
        frame(plane()), since: frame(plane()), at: box, among: boxes, movedBy: absurd)
      expectEqual(change.share ?? 0, 0)
      let covered = background.change(
        frame(plane()), since: frame(plane()), at: box, among: boxes, movedBy: .fixed)
      #expect(covered.comparedShare == 0 && covered.share ?? 0 == 0)
    }
    let whole = frame(plane())
    for part in [frame([]), ReducedFrame(luminance: whole.luminance, colors: [])] {
      for (now, then) in [(part, whole), (whole, part)] {
        let change = background.change(now, since: then, at: die, among: [], movedBy: .fixed)
        expectEqual(change.share, nil)
      }
    }
  }

  /// Eight parts are enough for a motion that the registration found, not for one of many that are tried.
  @Test(arguments: [(15, 0, true, false), (16, 7, true, true), (16, 8, false, false)])
  func aMotionThatIsTriedNeedsMoreParts(
    _ moved: Int, _ still: Int, _ isMotion: Bool, _ isClearMotion: Bool
  ) {
    var votes = Background.Votes()
    (votes.moved, votes.still) = (moved, still)
    expectEqual(votes.isMotion, isMotion)
    expectEqual(votes.isClearMotion, isClearMotion)
  }
}
