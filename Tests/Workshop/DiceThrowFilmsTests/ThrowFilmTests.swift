import DiceThrowFilms
import DiceGeometry
import DiceImaging
import DicePoses
import TestSupport
import Testing

@testable import DiceThrowFilms

@Suite struct ThrowFilmTests {
  /// A throw of each type to each place.
  private static let plan = FigureAction.allCases.filter { $0 != .none }.flatMap { action in
    ThrowFilm.Place.allCases.map { ThrowFilm.Plan(action, $0) }
  }

  private static func length(_ vector: SIMD3<Double>) -> Double {
    (vector * vector).sum().squareRoot()
  }

  private static func isNear(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ distance: Double) -> Bool {
    length(a - b) <= distance
  }

  @Test func theBoardHasItsSizeInTheWorld() {
    let board = ThrowBoard()
    let corners = [(0.0, 0.0), (board.length, 0), (board.length, board.width), (0, board.width)]
      .map { board.place(SIMD2($0.0, $0.1)) }
    for (side, length) in [(0, 1.22), (1, 0.61), (2, 1.22), (3, 0.61)] {
      #expect(abs(Self.length(corners[(side + 1) % 4] - corners[side]) - length) < 1e-12)
    }
    #expect(
      abs(corners[0].z - board.frontHeight) < 1e-12 && abs(corners[1].z - board.rearHeight) < 1e-12)
    #expect(abs((board.normal * board.along).sum()) < 1e-12)
    let above = board.place(board.hole, above: 0.5) - board.place(board.hole)
    #expect(Self.isNear(above, board.normal * 0.5, 1e-12))
  }

  @Test func raysAndProjectionsAreInverse() throws {
    var camera = ThrowFilm().camera
    for roll in [0.0, 12] {
      camera.roll = roll
      let view = FilmCamera(camera)
      var count = 0
      for x in stride(from: 0.0, through: 640, by: 80) {
        for y in stride(from: 0.0, through: 360, by: 60) {
          let ray = view.ray(x: x, y: y)
          #expect(abs((ray * view.ahead).sum() - 1) < 1e-9)
          let seen = try #require(view.project(view.position + ray * 4.5))
          #expect(abs(seen.x - x) < 1e-6 && abs(seen.y - y) < 1e-6 && abs(seen.depth - 4.5) < 1e-9)
          let other = try #require(camera.project(view.position + ray * 4.5))
          #expect(abs(other.x - x) < 1e-6 && abs(other.y - y) < 1e-6)
          count += 1
        }
      }
      expectEqual(count, 63)
      #expect(view.project(view.position - view.ahead) == nil)
    }
  }

  @Test(arguments: [1, 7, 99]) func throwsFlyAsTheyAreTold(_ seed: UInt64) {
    let film = ThrowFilm(Self.plan, seed: seed)
    expectEqual(film.throwsInOrder.count, 9)
    for (index, (flight, plan)) in zip(film.throwsInOrder, Self.plan).enumerated() {
      #expect(flight.action == plan.action && flight.place == plan.place)
      #expect(flight.landingTime > flight.releaseTime + 0.2)
      #expect(abs(Self.length(flight.velocity) - flight.releaseSpeed) < 1e-9)
      let sine = flight.velocity.z / flight.releaseSpeed
      #expect(abs(sine - Self.sine(flight.releaseAngle)) < 1e-9)
      // Gravity alone, from the hand to the place where it lands.
      let t = flight.landingTime - flight.releaseTime
      let end = flight.start + flight.velocity * t + SIMD3(0, 0, -4.905 * t * t)
      #expect(Self.isNear(end, flight.landing, 1e-6), "\(index): \(end) \(flight.landing)")
      let (before, after) = (
        film.bags(at: flight.releaseTime - 1e-6), film.bags(at: flight.releaseTime)
      )
      expectEqual(before.count, after.count)
      if let hand = before.last, let air = after.last {
        #expect(Self.isNear(hand.place, air.place, 0.01) && !hand.isDown && !air.isDown)
      }
      if index > 0 { #expect(flight.releaseTime > film.throwsInOrder[index - 1].landingTime) }
    }
    #expect(film.presence.upperBound < film.duration)
    #expect(film.presence.contains(film.throwsInOrder[8].landingTime))
  }

  /// The sine of an angle of 0 to 90 degrees, by its series.
  private static func sine(_ degrees: Double) -> Double {
    let x = degrees / 180 * .pi
    var (term, sum) = (x, x)
    for n in 1..<12 {
      let divisor: Int = 2 * n * (2 * n + 1)
      term *= -x * x / Double(divisor)
      sum += term
    }
    return sum
  }

  @Test func bagsEndWhereTheTruthSays() {
    let film = ThrowFilm(Self.plan, seed: 5)
    for (index, flight) in film.throwsInOrder.enumerated() {
      let later = film.bags(at: flight.landingTime + 0.5)
      let down = later.filter(\.isDown)
      let expected = film.throwsInOrder[...index].count { $0.place != .hole }
      expectEqual(down.count, expected, "\(index)")
      switch flight.place {
      case .hole:
        expectEqual(flight.position, film.board.hole)
        #expect(Self.isNear(flight.landing, film.board.place(film.board.hole), 0.03))
      case .board:
        let position = flight.position ?? .zero
        #expect(
          (0...film.board.length).contains(position.x)
            && (0...film.board.width).contains(position.y))
        let fromHole = position - film.board.hole
        #expect((fromHole * fromHole).sum().squareRoot() > 2 * film.board.holeRadius)
        #expect(
          Self.isNear(down[down.count - 1].place, film.board.place(position, above: 0.03), 1e-9))
      case .missed:
        expectEqual(flight.position, nil)
        let x = flight.rest.x
        #expect(x < film.board.distance || x > film.board.place(SIMD2(film.board.length, 0)).x)
      }
    }
  }

  @Test func aSeedGivesTheSameFilmAndAnotherOneAnother() {
    let films = [3, 3, 4].map { ThrowFilm(Self.plan, seed: $0) }
    expectEqual(films[0].throwsInOrder, films[1].throwsInOrder)
    #expect(films[0].throwsInOrder != films[2].throwsInOrder)
    expectEqual(films[0].sequence(id: "a"), films[1].sequence(id: "a"))
    let small = ThrowFilm([ThrowFilm.Plan(.underhand, .board)], width: 160)
    let (first, second) = (ThrowFilmRenderer(small), ThrowFilmRenderer(small))
    let frame = first.frame(90)
    // In any order of frames.
    _ = second.frame(3)
    expectEqual(second.frame(90), frame)
    #expect(first.frame(91) != frame)
    #expect(ThrowFilmRenderer(small, seed: 2).frame(90) != frame)
  }

  @Test(arguments: [16, 160, 641]) func theViewIsTheSameInEverySize(_ width: Int) throws {
    let film = ThrowFilm([], width: width)
    let reference = ThrowFilm([], width: 1600)
    #expect(film.camera.width == width && film.camera.height == width * 9 / 16)
    let outline = try #require(film.board.outline(in: film.camera))
    let large = try #require(reference.board.outline(in: reference.camera))
    let scale = Double(width) / 1600
    for (a, b) in zip(outline.corners, large.corners) {
      // Half a row more or less, where the height is rounded down.
      #expect(abs(a.x - b.x * scale) < 1e-6 && abs(a.y - b.y * scale) <= 0.5, "\(a) \(b)")
    }
    let image = ThrowFilmRenderer(film).frame(0)
    #expect(image.width == width && image.height == width * 9 / 16 && image.format == .rgb)
  }

  @Test func whatIsDrawnIsWhereTheTruthSays() throws {
    let film = ThrowFilm([ThrowFilm.Plan(.underhand, .board)], seed: 2)
    let flight = film.throwsInOrder[0]
    let renderer = ThrowFilmRenderer(film)
    func color(_ image: PixelImage, _ place: SIMD3<Double>) throws -> SIMD3<Double> {
      let seen = try #require(film.camera.project(place))
      let start = (Int(seen.y) * image.width + Int(seen.x)) * 3
      return SIMD3(
        Double(image.samples[start]), Double(image.samples[start + 1]),
        Double(image.samples[start + 2]))
    }
    func isOrange(_ color: SIMD3<Double>) -> Bool {
      color.x > color.z + 80 && color.x > color.y + 30
    }
    let empty = renderer.frame(0)
    for time in [0.5 * (flight.releaseTime + flight.landingTime), flight.landingTime + 0.6] {
      let frame = Int(time * film.framesPerSecond)
      let bag = try #require(film.bags(at: film.time(of: frame)).first)
      #expect(isOrange(try color(renderer.frame(frame), bag.place)), "\(time)")
      #expect(!isOrange(try color(empty, bag.place)))
    }
    // Nobody is there at first; then the joints lie in the person's box, and in the picture something changes there.
    #expect(film.person(frame: 0) == nil && film.pose(frame: 0) == nil)
    let middle = Int(flight.releaseTime * film.framesPerSecond)
    let person = try #require(film.person(frame: middle))
    let box = person.boundingBox
    for joint in person.pose.joints {
      let place = try #require(person.pose[joint]?.location)
      #expect(
        box.minX <= place.x && place.x <= box.maxX && box.minY <= place.y && place.y <= box.maxY)
    }
    let root = try #require(film.skeleton(at: film.time(of: middle)))[.root]
    let change = try color(renderer.frame(middle), root) - color(empty, root)
    #expect((change * change).sum() > 400)
  }

  @Test func framesOutsideTheFilmShowTheBoardAlone() {
    let film = ThrowFilm([], width: 64)
    let renderer = ThrowFilmRenderer(film)
    for frame in [-1, Int.min, film.frameCount + 1, Int.max] {
      #expect(film.person(frame: frame) == nil && film.pose(frame: frame) == nil)
      expectEqual(renderer.frame(frame).samples.count, 64 * 36 * 3)
    }
    #expect(film.throwsInOrder.isEmpty && film.frameCount > 0)
    let sequence = ThrowFilm([], width: 64, framesPerSecond: 1).sequence(id: "x")
    expectEqual(sequence.poses.count, ThrowFilm([], width: 64, framesPerSecond: 1).frameCount)
    // A camera that looks away sees no board.
    var camera = film.camera
    camera.target = SIMD3(2, 20, -6)
    expectEqual(ThrowFilm([], camera: camera).board.outline(in: camera), nil)
  }

  @Test func whatIsNoFilmIsRefused() async {
    await #expect(processExitsWith: .failure) { _ = ThrowFilm([], width: 0) }
    await #expect(processExitsWith: .failure) { _ = ThrowFilm([], framesPerSecond: .nan) }
    await #expect(processExitsWith: .failure) { _ = ThrowFilm([], leadIn: .infinity) }
    await #expect(processExitsWith: .failure) {
      _ = ThrowFilm([ThrowFilm.Plan](repeating: ThrowFilm.Plan(.overhand, .hole), count: 1001))
    }
  }
}
