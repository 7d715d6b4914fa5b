public import DiceImaging
internal import DiceNumerics

/// Draws the frames of a film of flights, in shades of gray.
///
/// What moves is blurred as long as the frame is exposed, and every frame has noise of its own. The same film
/// gives the same frames.
public struct FlightFilmRenderer: Sendable {
  /// The film.
  public let film: FlightFilm
  private let background: [Float]
  private let grain: [Float]
  private static let margin = 8
  /// How often in its exposure a thing is drawn.
  private static let exposures = 5

  /// Draws what stands still.
  public init(_ film: FlightFilm) {
    self.film = film
    background = Self.background(film)
    var random = SplitMix64(seed: film.seed &+ 5)
    grain = (0..<1 << 16).map { (_) in
      let sum = (0..<4).reduce(-2.0) { (sum, _) in sum + random.between(0, 1) }
      return Float(sum * 1.7320508 * film.noise)
    }
  }

  /// A frame.
  public func frame(_ index: Int) -> PixelImage {
    let time = film.time(of: index)
    let offset = film.camera.offset(at: time)
    var canvas = GrayCanvas(width: film.width, height: film.height)
    canvas.fill(with: background, margin: Self.margin, offset: offset)
    draw(at: time, offset, on: &canvas)
    let light = film.camera.light(at: time)
    var random = SplitMix64(seed: film.seed &* 0x9E37_79B9 &+ UInt64(truncatingIfNeeded: index))
    return PixelImage(
      width: film.width, height: film.height, format: .gray,
      samples: canvas.samples(
        grain: grain, left: Float(light.left), right: Float(light.right), &random))
  }

  /// What is drawn, the farthest first.
  private enum Figure {
    case disc(GrayCanvas.Disc)
    case limb(GrayLimb, start: FlightCamera.Place, end: FlightCamera.Place)
    case post(FilmPost)
  }

  private func draw(
    at time: Double, _ offset: (x: Double, y: Double), on canvas: inout GrayCanvas
  ) {
    let camera = film.camera
    let shutter = film.exposure / film.framesPerSecond
    var figures: [(depth: Double, figure: Figure)] = film.posts.map { ($0.depth, .post($0)) }
    /// The places in the time of exposure, whose middle is the frame's time.
    func disc(_ radius: Double, _ gray: Double, _ place: (Double) -> SIMD3<Double>?) -> (
      Double, GrayCanvas.Disc
    )? {
      var disc = GrayCanvas.Disc(gray: gray)
      var depth = 0.0
      for part in 0..<Self.exposures {
        let share = (Double(part) + 0.5) / Double(Self.exposures) - 0.5
        guard let found = place(time + share * shutter), let seen = camera.project(found) else {
          continue
        }
        disc.places.append(SIMD2(seen.x + offset.x, seen.y + offset.y))
        disc.radius = radius * camera.focalLength / seen.depth
        depth = seen.depth
      }
      return disc.places.isEmpty ? nil : (depth, disc)
    }
    for mover in film.movers {
      guard var found = disc(mover.radius, mover.gray, { mover.place(at: $0) }) else { continue }
      found.1.aspect = mover.aspect(at: time)
      figures.append((found.0, .disc(found.1)))
    }
    for thing in film.things {
      let person = thing.thrower.map { film.people[$0] }
      let found = disc(thing.radius, thing.gray) { (time) in
        if let place = thing.place(at: time) { return place }
        guard let person, time > thing.release - 2 else { return nil }
        return person.grip(at: time)
      }
      guard var found else { continue }
      found.1.otherGray = thing.otherGray
      found.1.turn = thing.spin * time
      figures.append((found.0, .disc(found.1)))
    }
    for person in film.people {
      for limb in person.limbs(at: time) {
        guard let start = camera.project(limb.start), let end = camera.project(limb.end) else {
          continue
        }
        figures.append(
          ((start.depth + end.depth) / 2, .limb(limb, start: start, end: end)))
      }
    }
    for (_, figure) in figures.sorted(by: { $0.depth > $1.depth }) {
      switch figure {
      case .disc(let disc): canvas.draw(disc)
      case .post(let post): canvas.drawPost(post, offset: offset.x)
      case .limb(let limb, let start, let end):
        canvas.drawLimb(
          SIMD2(start.x + offset.x, start.y + offset.y),
          SIMD2(end.x + offset.x, end.y + offset.y),
          radius: limb.radius * camera.focalLength / start.depth, gray: limb.gray)
      }
    }
  }

  /// Sky, wall or hedge, and ground, with spots of several sizes and some boxes with edges.
  private static func background(_ film: FlightFilm) -> [Float] {
    let (width, height) = (film.width + 2 * margin, film.height + 2 * margin)
    let texture = FilmTexture(seed: film.seed &* 31 &+ 7)
    var random = SplitMix64(seed: film.seed &+ 99)
    let (fine, coarse) = (random.between(8, 70), random.between(20, 90))
    let horizon = Double(height) / 2 + random.between(-20, 60)
    let (above, below) = (random.between(60, 200), random.between(40, 170))
    var samples = [Float](repeating: 0, count: width * height)
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (Double(column), Double(row))
        let base = y < horizon ? above : below
        let value =
          base + coarse * (texture.value(x, y, 60) - 0.5) + fine * (texture.value(x, y, 9) - 0.5)
          + 0.5 * fine * (texture.value(x + 999, y, 3.5) - 0.5)
        samples[row * width + column] = Float(value)
      }
    }
    for _ in 0..<random.index(below: 16) {
      let (left, top) = (random.index(below: width), random.index(below: height))
      let (across, down) = (8 + random.index(below: 140), 6 + random.index(below: 90))
      let gray = Float(random.between(-70, 70))
      for row in top..<min(height, top + down) {
        for column in left..<min(width, left + across) { samples[row * width + column] += gray }
      }
    }
    return samples.map { min(max($0, 8), 247) }
  }
}
