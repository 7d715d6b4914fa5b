import DiceGeometry
import DiceImaging
import DiceScenes
import DiceVisionKit

/// A rendered film of half a minute in which hands lay, push, turn and take dice, and nobody throws any.
struct HandFilm: Sendable {
  /// What happens on the table.
  enum Action: String, CaseIterable, Sendable {
    case pass = "a hand passes over the table"
    case shake = "a fist shakes above it"
    case lay = "a die is laid down"
    case take = "a die is taken away"
    case push = "a die is pushed"
    case turn = "a die is turned to another face"
    case move = "a die is carried to another place"
    case light = "the light or the exposure changes"
  }

  static let duration = 30.0
  private static let side = 8.0
  private static let (width, height) = (480, 360)

  let seed: UInt64
  let framesPerSecond: Int
  /// The actions, with the frames in which they begin.
  private(set) var actions: [(frame: Int, action: Action)] = []
  private(set) var film = RecordedFilm(width: width, height: height)

  private var chance: Chance
  private let options: ThrowOptions
  private var dice: [TableFilm.PlacedDie] = []
  private var table: TableFilm
  /// The table as it lies, without a hand; nil where it has changed.
  private var picture: PixelImage?
  private let corners: Quadrilateral
  /// Where a camera in somebody's hand looks, in pixels from the middle, and how fast that changes; nil on a stand.
  private var sway: (offset: SIMD2<Double>, speed: SIMD2<Double>)?
  private var hand: Hand
  private var shoulder = SIMD2<Double>()
  /// Where the fingertips are, in pixels; nil without a hand.
  private var fingertips: SIMD2<Double>?
  private var gain = 1.0
  private let detector: DiceDetector

  /// Renders a film.
  init(seed: UInt64, detector: DiceDetector) throws {
    self.seed = seed
    self.detector = detector
    chance = Chance(state: seed &* 0x9E6C_63D0_876A_0003)
    framesPerSecond = [10, 15, 30][Int(chance.next() * 3)]
    if chance.next() < 0.5 { sway = (.zero, .zero) }
    options = ThrowOptions(
      width: Self.width, height: Self.height, frameRate: Double(framesPerSecond),
      cameraDrift: 0...0, dieSize: 34...60,
      style: chance.next() < 0.5 ? .plain : .varied)
    table = TableFilm(seed: seed, options: options, side: Self.side, dice: [])
    corners = table.field(ofFrame: 0)
    let edge = (corners.upperRight.x - corners.upperLeft.x) / Self.side
    hand = Hand(edge: edge, light: 0.5 + 0.5 * chance.next(), &chance)
    for _ in 0..<Int(chance.next() * 4) {
      if let place = freePlace() { dice.append(die(at: place)) }
    }
    layOut()
    try wait(0.5 + chance.next())
    while Double(film.frames.count) < Self.duration * Double(framesPerSecond) {
      let action = Action.allCases[Int(chance.next() * Double(Action.allCases.count))]
      guard try perform(action) else { continue }
      try wait(0.3 + 1.7 * chance.next())
    }
  }

  // MARK: - The table

  private mutating func die(at place: SIMD2<Double>) -> TableFilm.PlacedDie {
    TableFilm.PlacedDie(
      value: 1 + Int(chance.next() * 6), place: place, turns: chance.next())
  }

  private mutating func freePlace() -> SIMD2<Double>? {
    for _ in 0..<50 {
      let place = SIMD2(0.1 + 0.8 * chance.next(), 0.1 + 0.8 * chance.next())
      if isFree(place) { return place }
    }
    return nil
  }

  private func isFree(_ place: SIMD2<Double>, but index: Int = -1) -> Bool {
    dice.indices.allSatisfy { (other) in
      let way = (dice[other].place - place) * Self.side
      return other == index || (way * way).sum() > 2.9
    }
  }

  private mutating func layOut() {
    table = TableFilm(seed: seed, options: options, side: Self.side, dice: dice)
    picture = nil
  }

  /// Where the middle of a die's top face is seen, in pixels.
  private func top(of die: TableFilm.PlacedDie) -> SIMD2<Double> {
    let alone = TableFilm(seed: seed, options: options, side: Self.side, dice: [die])
    let center = alone.dice(ofFrame: 0).first?.truth.topFace.center
    return center.map { SIMD2($0.x, $0.y) } ?? pixel(die.place)
  }

  /// Where a place of the table is seen, in pixels.
  private func pixel(_ place: SIMD2<Double>) -> SIMD2<Double> {
    func point(_ corner: PixelPoint) -> SIMD2<Double> { SIMD2(corner.x, corner.y) }
    let above = point(corners.upperLeft) * (1 - place.x) + point(corners.upperRight) * place.x
    let below = point(corners.lowerLeft) * (1 - place.x) + point(corners.lowerRight) * place.x
    return above * (1 - place.y) + below * place.y
  }

  // MARK: - Frames

  private mutating func wait(_ seconds: Double) throws {
    for _ in 0..<frameCount(seconds) { try showFrame() }
  }

  private func frameCount(_ seconds: Double) -> Int {
    max(Int(seconds * Double(framesPerSecond)), 1)
  }

  private mutating func showFrame() throws {
    let shown = picture ?? table.frame(0).image
    picture = shown
    var samples = shown.samples
    if let fingertips {
      hand.draw(
        on: &samples, width: Self.width, height: Self.height, fingertips: fingertips,
        from: shoulder)
    }
    moveCamera()
    if let offset = sway?.offset { samples = Self.moved(samples, by: offset) }
    // Each frame has a noise of its own.
    for index in samples.indices {
      let noise = 4 * (chance.next() - 0.5)
      samples[index] = UInt8(min(max(Double(samples[index]) * gain + noise, 0), 255))
    }
    try film.append(
      PixelImage(width: Self.width, height: Self.height, format: .rgb, samples: samples), detector)
  }

  /// A hand that holds a camera pulls it back to where it looked.
  private mutating func moveCamera() {
    guard var (offset, speed) = sway else { return }
    let step = 1 / Double(framesPerSecond)
    let push = SIMD2(chance.next() - 0.5, chance.next() - 0.5) * (700 * step.squareRoot())
    speed += (-8 * offset - 2 * speed) * step + push * step.squareRoot()
    offset += speed * step
    sway = (offset, speed)
  }

  /// A picture that shows everything further to the right and down; its rim is repeated.
  private static func moved(_ samples: [UInt8], by offset: SIMD2<Double>) -> [UInt8] {
    let whole = offset.rounded(.down)
    let part = offset - whole
    let weights = [
      (1 - part.x) * (1 - part.y), part.x * (1 - part.y), (1 - part.x) * part.y, part.x * part.y,
    ].map { Float($0) }
    var moved = samples
    for y in 0..<height {
      let lower = min(max(y - Int(whole.y), 0), height - 1) * width
      let upper = min(max(y - Int(whole.y) - 1, 0), height - 1) * width
      for x in 0..<width {
        let right = min(max(x - Int(whole.x), 0), width - 1)
        let left = min(max(x - Int(whole.x) - 1, 0), width - 1)
        for channel in 0..<3 {
          let sum =
            Float(samples[3 * (lower + right) + channel]) * weights[0]
            + Float(samples[3 * (lower + left) + channel]) * weights[1]
            + Float(samples[3 * (upper + right) + channel]) * weights[2]
            + Float(samples[3 * (upper + left) + channel]) * weights[3]
          moved[3 * (y * width + x) + channel] = UInt8(sum + 0.5)
        }
      }
    }
    return moved
  }

  // MARK: - Actions

  /// Moves the hand, slow at both ends.
  private mutating func reach(_ target: SIMD2<Double>, in seconds: Double) throws {
    let start = fingertips ?? shoulder
    let count = frameCount(seconds)
    for index in 1...count {
      let share = Double(index) / Double(count)
      fingertips = start + (target - start) * (share * share * (3 - 2 * share))
      try showFrame()
    }
  }

  private mutating func enter() {
    let width = Double(Self.width)
    let height = Double(Self.height)
    let spot = chance.next()
    shoulder =
      switch Int(chance.next() * 4) {
      case 0: SIMD2(-7 * hand.edge, height * (0.3 + 0.7 * spot))
      case 1: SIMD2(width + 7 * hand.edge, height * (0.3 + 0.7 * spot))
      default: SIMD2(width * spot, height + 7 * hand.edge)
      }
  }

  private mutating func leave() throws {
    try reach(shoulder, in: 0.3 + 0.6 * chance.next())
    fingertips = nil
  }

  /// Performs an action; false where the table does not allow it.
  private mutating func perform(_ action: Action) throws -> Bool {
    let someDie = dice.isEmpty ? nil : Int(chance.next() * Double(dice.count))
    let place = freePlace()
    switch action {
    case .lay: guard place != nil, dice.count < 6 else { return false }
    case .take, .push, .turn: guard someDie != nil else { return false }
    case .move: guard someDie != nil, place != nil else { return false }
    case .pass, .shake, .light: break
    }
    actions.append((film.frames.count, action))
    if action == .light {
      let (before, after) = (gain, 0.7 + 0.6 * chance.next())
      let count = frameCount(chance.next() < 0.3 ? 0 : 0.6 * chance.next())
      for index in 1...count {
        gain = before + (after - before) * Double(index) / Double(count)
        try showFrame()
      }
      return true
    }
    enter()
    let reachTime = 0.35 + 0.6 * chance.next()
    switch action {
    case .light: break
    case .pass:
      try reach(pixel(SIMD2(chance.next(), chance.next())), in: reachTime)
      try reach(pixel(SIMD2(chance.next(), chance.next())), in: 0.4 + chance.next())
    case .shake:
      try reach(pixel(SIMD2(0.2 + 0.6 * chance.next(), 0.3 + 0.5 * chance.next())), in: reachTime)
      let middle = fingertips ?? shoulder
      for _ in 0..<4 + Int(chance.next() * 6) {
        let swing = SIMD2(chance.next() - 0.5, chance.next() - 0.5) * (2 * hand.edge)
        try reach(middle + swing, in: 0.1)
      }
    case .lay:
      guard let place else { return false }
      let laid = die(at: place)
      try reach(top(of: laid), in: reachTime)
      dice.append(laid)
      layOut()
      try wait(0.1 + 0.3 * chance.next())
    case .take:
      guard let someDie else { return false }
      try reach(top(of: dice[someDie]), in: reachTime)
      try wait(0.1 + 0.2 * chance.next())
      dice.remove(at: someDie)
      layOut()
    case .turn:
      guard let someDie else { return false }
      try reach(top(of: dice[someDie]), in: reachTime)
      dice[someDie] = die(at: dice[someDie].place)
      layOut()
      try wait(0.2 + 0.5 * chance.next())
    case .move:
      guard let someDie, let place else { return false }
      try reach(top(of: dice[someDie]), in: reachTime)
      try wait(0.1 + 0.2 * chance.next())
      dice.remove(at: someDie)
      layOut()
      let laid = die(at: place)
      try reach(top(of: laid), in: 0.3 + 0.5 * chance.next())
      dice.append(laid)
      layOut()
      try wait(0.1 + 0.3 * chance.next())
    case .push:
      guard let someDie else { return false }
      try push(someDie, reachTime)
    }
    try leave()
    return true
  }

  /// Pushes a die away from the hand, at no more than three edges a second.
  private mutating func push(_ index: Int, _ reachTime: Double) throws {
    let start = dice[index].place
    var way = pixel(start) - shoulder
    way /= max((way * way).sum().squareRoot(), 1e-6)
    try reach(pixel(start) - way * (1.9 * hand.edge), in: reachTime)
    let length = 0.4 + 2.2 * chance.next()
    let count = frameCount(length / (0.6 + 2.4 * chance.next()))
    let (turns, turn) = (dice[index].turns, 0.2 * (chance.next() - 0.5))
    for step in 1...count {
      let share = Double(step) / Double(count)
      let place = start + way * (length * share / Self.side)
      guard (0.05...0.95).contains(place.x), (0.05...0.95).contains(place.y),
        isFree(place, but: index)
      else { break }
      dice[index].place = place
      dice[index].turns = turns + turn * share
      layOut()
      fingertips = pixel(place) - way * (1.9 * hand.edge)
      try showFrame()
    }
    try wait(0.2 * chance.next())
  }
}
