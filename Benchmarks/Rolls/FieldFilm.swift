import BenchmarkSupport
import DiceDrawing
import DiceGeometry
import DiceImaging
import DiceRolls
import DiceScenes
import DiceVisionKit

/// A rendered film of a field with dice on it and beside it, as a follower sees it.
struct FieldFilm: Sendable {
  static let frameCount = 30
  /// The sides of the field in edges of a die.
  static let side = 9.0
  /// Where the overlay is compared with the dice's pixels.
  static let maskedFrames = [10, 20, 29]

  /// How much room is left around dice.
  struct Sparing: Sendable {
    let margin: Double
    /// Room for so many dice, one on the other; nil where the frames tell, by ``BoardClearance``.
    let layers: Int?
    /// The margin of dice that do not seem to lie flat.
    let cockedMargin: Double

    func dice(_ found: [TrackedDie], on field: PlayingField) -> [BoardClearance.Die] {
      found.map { die in
        let leans = die.isCocked || DieStance.isTilted(die.boundingBox, on: field)
        return BoardClearance.Die(
          identifier: die.identifier,
          stance: DieStance(topFace: die.boundingBox, on: field, isCocked: leans),
          margin: leans ? cockedMargin : margin)
      }
    }
  }
  /// The first is what the documents advise.
  static let sparings =
    [
      Sparing(
        margin: BoardOverlay.dieMargin, layers: nil, cockedMargin: BoardOverlay.cockedDieMargin)
    ]
    + [
      (0.2, 1, 0.5), (0.2, 1, 0.2), (0.2, 1, 0.7), (0.35, 1, 0.35), (0.5, 1, 0.5), (0.2, 2, 0.5),
    ].map {
      Sparing(margin: $0.0, layers: $0.1, cockedMargin: $0.2)
    }

  /// A die at the end of the film.
  struct Die: Sendable {
    let pose: TableFilm.Pose
    /// Whether it stands outside, and whether the follower says so.
    let isOutside: Bool
    let isCalledOutside: Bool
    let isCocked: Bool
    /// How far the foot is from the truth, and how far the middle of the box would be, in edges of a die.
    let footError: Double
    let centerError: Double
    /// What a measurement of thresholds needs.
    let ratio: Double
    let size: Double
    let confidence: Double
    let isRead: Bool
  }

  let seed: UInt64
  var dice: [Die] = []
  /// For each frame, the greatest distance of a corner of the field from the truth, as a share of the
  /// picture's diagonal.
  var cornerErrors: [Double] = []
  /// A die in a frame with the board: its pixels, and those that the board changed.
  struct Shown: Sendable {
    let pose: TableFilm.Pose
    let isFound: Bool
    let pixelCount: Int
    /// One for each of ``sparings``.
    let coveredCounts: [Int]
  }
  var shown: [Shown] = []
  /// The pixels of the board beside all dice in the same frames, and how many of them were left out.
  var boardPixelCount = 0
  var leftOutCounts = sparings.map { _ in 0 }
  /// Of dice that are seen in a frame and the next one, how many have another room there.
  var roomChangeCount = 0
  var roomPairCount = 0
  /// The sides of the square around the dice by their boxes alone, as a share of the true length.
  var planeSides: [Double] = []

  /// Renders a film and follows it.
  init(seed: UInt64, detector: DiceDetector) throws {
    self.seed = seed
    var chance = Chance(state: seed &* 0x9E6C_63D0_876A_0001)
    let hasWalls = chance.next() < 0.6
    let film = TableFilm(
      seed: seed,
      options: ThrowOptions(
        diceCount: 1...1, width: 480, height: 360, dieSize: 26...40, cameraElevation: 42...84),
      side: Self.side, wallHeight: hasWalls ? 0.6 + 0.8 * chance.next() : 0,
      dice: Self.dice(&chance, hasWalls: hasWalls))
    var follower = RollFollower()
    var clearance = BoardClearance()
    var rooms: [UInt64: Bool] = [:]
    let board = BoardOverlay(BoardDrawing(), side: 256)
    let diagonal = (480.0 * 480 + 360 * 360).squareRoot()
    for index in 0..<Self.frameCount {
      let frame = film.frame(index)
      var boxes: [BoundingBox] = []
      _ = try frame.image.withFrame { (raw) throws(DetectorError) in
        try follower.follow(raw, with: detector, at: .milliseconds(index * 100 / 3))
      }
      if index == 0 {
        follower.field = try PlayingField(
          corners: frame.field, size: .init(width: Self.side, height: Self.side))
      }
      guard let field = follower.field else { throw WrongResult("film \(seed): no field") }
      cornerErrors.append(field.corners.greatestCornerDistance(to: frame.field) / diagonal)
      boxes = follower.tracker.dice.map { $0.boundingBox }
      let dice = Self.sparings[0].dice(follower.tracker.dice, on: field)
      let cleared = clearance.outlines(of: dice, in: frame.image)
      for (die, outline) in zip(dice, cleared) {
        let hasRoom = outline != die.stance.outline(margin: die.margin)
        if let before = rooms.updateValue(hasRoom, forKey: die.identifier) {
          roomPairCount += 1
          if before != hasRoom { roomChangeCount += 1 }
        }
      }
      if Self.maskedFrames.contains(index) {
        compare(
          frame, film, film.mask(ofFrame: index), board, field, follower.tracker.dice, cleared)
      }
      if index == Self.frameCount - 1 {
        note(frame, film, follower, seed)
        noteSquare(around: boxes, frame)
      }
    }
  }

  /// Three to five flat dice inside, one or two outside, one that leans and, at times, one on another.
  private static func dice(_ chance: inout Chance, hasWalls: Bool) -> [TableFilm.PlacedDie] {
    var dice: [TableFilm.PlacedDie] = []
    func value() -> Int { 1 + Int(chance.next() * 6) }
    func isFree(_ place: SIMD2<Double>) -> Bool {
      dice.allSatisfy { other in
        let way = (other.place - place) * side
        return (way * way).sum() > 2.9
      }
    }
    /// A die in the field without a rim of so many edges, or around it.
    func lay(_ inside: Bool, _ pose: TableFilm.Pose, rim: Double = 0.9) {
      for _ in 0..<100 {
        let span = inside ? 1 - 2 * rim / side : 1 + 3.4 / side
        let place = SIMD2(chance.next() - 0.5, chance.next() - 0.5) * span + 0.5
        let reach = max((place.x - 0.5).magnitude, (place.y - 0.5).magnitude)
        guard isFree(place), inside || reach > 0.5 + (hasWalls ? 1.2 : 0.15) / side else {
          continue
        }
        dice.append(
          TableFilm.PlacedDie(value: value(), place: place, turns: chance.next(), pose: pose))
        return
      }
    }
    lay(true, .leaning(degrees: 8 + 36 * chance.next()), rim: 0.6)
    if chance.next() < 0.5 {
      lay(true, .flat)
      let below = dice[dice.count - 1].place
      dice.append(
        TableFilm.PlacedDie(value: value(), place: below, turns: chance.next(), pose: .stacked))
    }
    for _ in 0..<3 + Int(chance.next() * 3) { lay(true, .flat, rim: hasWalls ? 0.9 : 0.1) }
    for _ in 0..<1 + Int(chance.next() * 2) { lay(false, .flat) }
    return dice
  }

  private mutating func compare(
    _ frame: TableFilm.Frame, _ film: TableFilm, _ mask: [Int], _ board: BoardOverlay,
    _ field: PlayingField, _ found: [TrackedDie], _ cleared: [[PixelPoint]]
  ) {
    let before = frame.image.samples
    /// Which pixels the board changes.
    func drawn(sparing outlines: [[PixelPoint]]) -> [Bool] {
      var canvas = Canvas(frame.image)
      board.draw(on: &canvas, at: field.centralSquare, sparing: outlines)
      let after = canvas.image.samples
      return mask.indices.map { pixel in
        (3 * pixel..<3 * pixel + 3).contains { before[$0] != after[$0] }
      }
    }
    let whole = drawn(sparing: [])
    var counts = [Int](repeating: 0, count: film.dice.count)
    var covered = counts.map { _ in Self.sparings.map { _ in 0 } }
    for pixel in mask.indices {
      if mask[pixel] >= 0 {
        counts[mask[pixel]] += 1
      } else if whole[pixel] {
        boardPixelCount += 1
      }
    }
    for (place, sparing) in Self.sparings.enumerated() {
      let outlines = sparing.layers.map { (layers) in
        sparing.dice(found, on: field).map {
          $0.stance.outline(margin: $0.margin, layers: layers)
        }
      }
      let shown = drawn(sparing: outlines ?? cleared)
      for pixel in mask.indices {
        if mask[pixel] >= 0 {
          if shown[pixel] { covered[mask[pixel]][place] += 1 }
        } else if whole[pixel], !shown[pixel] {
          leftOutCounts[place] += 1
        }
      }
    }
    for index in film.dice.indices where counts[index] > 0 {
      let truth = frame.dice.first { $0.index == index }
      let isFound = found.contains {
        $0.boundingBox.intersectionOverUnion(with: truth?.truth.topFace ?? .zero) > 0.4
      }
      shown.append(
        Shown(
          pose: film.isBelowAnother(index) ? .stacked : film.dice[index].pose, isFound: isFound,
          pixelCount: counts[index], coveredCounts: covered[index]))
    }
  }

  private mutating func note(
    _ frame: TableFilm.Frame, _ film: TableFilm, _ follower: RollFollower, _ seed: UInt64
  ) {
    guard let field = follower.field else { return }
    let found = follower.tracker.dice
    let edges = found.map { DieStance(topFace: $0.boundingBox, on: field).edge }.sorted()
    for truth in frame.dice {
      let box = truth.truth.topFace
      guard
        let die = found.max(by: {
          $0.boundingBox.intersectionOverUnion(with: box)
            < $1.boundingBox.intersectionOverUnion(with: box)
        }), die.boundingBox.intersectionOverUnion(with: box) > 0.4, die.isStill,
        let place = die.place
      else { continue }
      let stance = DieStance(topFace: die.boundingBox, on: field)
      func error(_ point: PixelPoint) -> Double {
        guard let a = field.position(of: point), let b = field.position(of: truth.foot) else {
          return .infinity
        }
        return ((a - b) * (a - b)).sum().squareRoot()
      }
      let placed = film.dice[truth.index]
      let true01 = field.shares(of: truth.foot) ?? .zero
      dice.append(
        Die(
          pose: placed.pose,
          isOutside: true01.x < 0 || true01.x > 1 || true01.y < 0 || true01.y > 1,
          isCalledOutside: place.isOutside, isCocked: place.isCocked,
          footError: error(place.foot), centerError: error(die.boundingBox.center),
          ratio: die.boundingBox.height / die.boundingBox.width / stance.foreshortening,
          size: stance.edge / edges[edges.count / 2], confidence: Double(die.confidence),
          isRead: die.value != nil))
    }
  }

  private mutating func noteSquare(around boxes: [BoundingBox], _ frame: TableFilm.Frame) {
    guard
      let square = PlayingField(
        aroundDice: boxes, center: frame.field.center, side: Self.side, edgeLength: 1,
        pictureWidth: 480, pictureHeight: 360),
      let truth = try? PlayingField(
        corners: frame.field, size: .init(width: Self.side, height: Self.side))
    else { return }
    for index in 0..<4 {
      guard let a = truth.position(of: square.corners[index]),
        let b = truth.position(of: square.corners[(index + 1) & 3])
      else { continue }
      planeSides.append(((a - b) * (a - b)).sum().squareRoot() / Self.side)
    }
  }
}

extension TableFilm {
  /// Whether another die stands on a die.
  func isBelowAnother(_ index: Int) -> Bool {
    index + 1 < dice.count && dice[index + 1].pose == .stacked
  }
}
