import DiceDrawing
import DiceScenes
import DiceVisionKit
import TestSupport
import Testing

/// A board on a table before a moving camera, in rendered films whose truth is known.
struct BoardFilmTests {
  private static let (width, height) = (320, 240)

  private static func film(seed: UInt64, elevation: ClosedRange<Double>) -> TableFilm {
    TableFilm(
      seed: seed,
      options: ThrowOptions(
        width: width, height: height, dieSize: 36...40, cameraElevation: elevation), side: 8,
      dice: [
        TableFilm.PlacedDie(value: 3, place: SIMD2(0.25, 0.3), turns: 0.03),
        TableFilm.PlacedDie(value: 6, place: SIMD2(0.6, 0.75), turns: 0.125),
        TableFilm.PlacedDie(value: 1, place: SIMD2(0.8, 0.2), turns: 0.2),
      ])
  }

  @Test func theBoardStaysInItsPlaceAndUnderTheDice() throws {
    var (shown, comparedCount) = (0, 0)
    for (seed, elevation) in [(31, 45.0...50.0), (32, 60...65), (33, 80...84)] {
      let film = Self.film(seed: UInt64(seed), elevation: elevation)
      let overlay = BoardOverlay(BoardDrawing(), side: 128)
      var follower = RollFollower()
      for index in 0..<15 {
        // The camera moves four times as far from frame to frame.
        let frame = film.frame(4 * index)
        let boxes = frame.dice.map(\.truth.topFace)
        _ = frame.image.withFrame { (raw) in
          follower.follow(raw, at: .milliseconds(133 * index)) { (_) in
            boxes.map { RollTracker.Observation(boundingBox: $0, value: 3) }
          }
        }
        if index == 0 {
          follower.field = try PlayingField(
            corners: frame.field, size: PlayingField.Size(width: 8, height: 8))
        }
        let field = try #require(follower.field)
        let distance = field.corners.greatestCornerDistance(to: frame.field)
        #expect(distance < 0.01 * 400, "film \(seed), frame \(index): \(distance) pixels")
        guard index % 7 == 0 else { continue }
        let mask = film.mask(ofFrame: 4 * index)
        var canvas = Canvas(frame.image)
        overlay.draw(
          on: &canvas, at: field.centralSquare,
          sparing: boxes.map { (box) in
            DieStance(topFace: box, on: field).outline(margin: BoardOverlay.dieMargin)
          })
        for pixel in mask.indices {
          let isChanged = (3 * pixel..<3 * pixel + 3).contains {
            canvas.image.samples[$0] != frame.image.samples[$0]
          }
          if isChanged { shown += 1 }
          guard mask[pixel] >= 0 else { continue }
          comparedCount += 1
          if isChanged { Issue.record("film \(seed), frame \(index): die \(mask[pixel])") }
        }
      }
    }
    #expect(shown > 50_000 && comparedCount > 10_000, "\(shown), \(comparedCount)")
  }

  @Test func theBoardStaysUnderDiceThatStandOnOthers() throws {
    var (covered, withoutRoom, compared) = (0, 0, 0)
    for (seed, elevation) in [(51, 45.0...50.0), (52, 55...60), (53, 65...70)] {
      let film = TableFilm(
        seed: UInt64(seed),
        options: ThrowOptions(
          width: Self.width, height: Self.height, dieSize: 36...40, cameraElevation: elevation),
        side: 8,
        dice: [
          TableFilm.PlacedDie(value: 3, place: SIMD2(0.35, 0.4), turns: 0.11),
          TableFilm.PlacedDie(value: 6, place: .zero, turns: 0.01, pose: .stacked),
          TableFilm.PlacedDie(value: 1, place: SIMD2(0.7, 0.6), turns: 0.2),
        ])
      let overlay = BoardOverlay(BoardDrawing(), side: 128)
      let field = try PlayingField(
        corners: film.field(ofFrame: 0), size: PlayingField.Size(width: 8, height: 8))
      let frame = film.frame(0)
      // Of the lower die the top face is hidden.
      let dice = frame.dice.filter { $0.index > 0 }.map { (die) in
        BoardClearance.Die(
          identifier: UInt64(die.index),
          stance: DieStance(topFace: die.truth.topFace, on: field))
      }
      expectEqual(dice.count, 2)
      let mask = film.mask(ofFrame: 0)
      func coveredCount(_ outlines: [[PixelPoint]]) -> Int {
        var canvas = Canvas(frame.image)
        overlay.draw(on: &canvas, at: field.centralSquare, sparing: outlines)
        return mask.indices.count { (pixel) in
          mask[pixel] >= 0
            && (3 * pixel..<3 * pixel + 3).contains {
              canvas.image.samples[$0] != frame.image.samples[$0]
            }
        }
      }
      var clearance = BoardClearance()
      covered += coveredCount(clearance.outlines(of: dice, in: frame.image))
      withoutRoom += coveredCount(dice.map { $0.stance.outline(margin: $0.margin) })
      compared += mask.count { $0 >= 0 }
    }
    expectEqual(covered, 0)
    #expect(withoutRoom > 30 && compared > 3000, "\(withoutRoom), \(compared)")
  }

  /// The greatest distance of a field's corners from where they are, in frames of a plain table of which nothing
  /// is seen but the sensor's noise: pixels of 320 by 180.
  ///
  /// - Parameters:
  ///   - rolling: how many of the dice roll, 10 pixels a frame.
  ///   - resting: how many lie still.
  ///   - isPanned: whether the camera pans, so that all that lies still moves as fast.
  private static func fieldError(rolling: Int, resting: Int, isPanned: Bool) throws -> Double {
    var follower = RollFollower()
    let place = Quadrilateral(BoundingBox(x: 40, y: 30, width: 140, height: 120))
    var (state, greatest) = (UInt64(77), 0.0)
    for index in 0..<12 {
      var samples = [UInt8](repeating: 0, count: 320 * 180)
      for pixel in samples.indices {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        samples[pixel] = UInt8(90 + (state >> 33) % 5)
      }
      let shift = isPanned ? Double(10 * index) : 0
      var boxes = (0..<rolling).map { _ in
        BoundingBox(x: Double(60 + 10 * index), y: Double(70 + 2 * index), width: 24, height: 24)
      }
      boxes += [(50.0, 40.0), (110, 60), (70, 120)].prefix(resting).map { (x, y) in
        BoundingBox(x: x + shift, y: y, width: 24, height: 24)
      }
      for box in boxes {
        for row in Int(box.minY)..<Int(box.maxY) {
          for column in Int(box.minX)..<Int(box.maxX) { samples[row * 320 + column] = 230 }
        }
      }
      let image = PixelImage(width: 320, height: 180, format: .gray, samples: samples)
      _ = image.withFrame { (raw) in
        follower.follow(raw, at: .milliseconds(index * 100 / 3)) { (_) in
          boxes.map { RollTracker.Observation(boundingBox: $0, value: 3) }
        }
      }
      if index == 0 { follower.field = try PlayingField(corners: place) }
      let moved = Quadrilateral(BoundingBox(x: 40 + shift, y: 30, width: 140, height: 120))
      greatest = max(
        greatest, try #require(follower.field).corners.greatestCornerDistance(to: moved))
    }
    return greatest
  }

  @Test func theBoardStaysWhereADieRollsOverAPlainTable() throws {
    #expect(try Self.fieldError(rolling: 1, resting: 0, isPanned: false) < 0.01 * 367)
    #expect(try Self.fieldError(rolling: 1, resting: 2, isPanned: false) < 0.01 * 367)
  }

  @Test func theBoardGoesWithAFastCameraWhereAllDiceDo() throws {
    #expect(try Self.fieldError(rolling: 0, resting: 3, isPanned: true) < 0.01 * 367)
  }

  @Test func diceStandWhereTheFieldSays() throws {
    for (seed, elevation) in [(41, 45.0...50.0), (42, 80...84)] {
      let film = Self.film(seed: UInt64(seed), elevation: elevation)
      let field = try PlayingField(
        corners: film.field(ofFrame: 0), size: PlayingField.Size(width: 8, height: 8))
      let seen = film.dice(ofFrame: 0)
      expectEqual(seen.count, 3)
      for die in seen {
        let foot = DieStance(topFace: die.truth.topFace, on: field).foot
        let place = try #require(field.position(of: foot))
        let way = place - film.dice[die.index].place * 8
        #expect((way * way).sum().squareRoot() < 0.3, "film \(seed), die \(die.index): \(way)")
      }
    }
  }
}
