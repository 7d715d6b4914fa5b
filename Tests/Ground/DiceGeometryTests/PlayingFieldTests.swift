import DiceGeometry
import TestSupport
import Testing

struct PlayingFieldTests {
  /// A camera 60 degrees above a table, before a field of 40 by 30 cm.
  static func field(
    side: PlayingField.Side = .lower, hasSize: Bool = true
  ) throws -> PlayingField {
    try PlayingField(
      corners: quadrilateral([(420, 300), (860, 300), (1010, 640), (270, 640)]),
      size: hasSize ? PlayingField.Size(width: 40, height: 30) : nil, playerSide: side)
  }

  static func quadrilateral(_ points: [(Double, Double)]) -> Quadrilateral {
    Quadrilateral(
      upperLeft: PixelPoint(x: points[0].0, y: points[0].1),
      upperRight: PixelPoint(x: points[1].0, y: points[1].1),
      lowerRight: PixelPoint(x: points[2].0, y: points[2].1),
      lowerLeft: PixelPoint(x: points[3].0, y: points[3].1))
  }

  @Test func cornersAndCentimetresAgree() throws {
    let field = try Self.field()
    let expected = [SIMD2(0.0, 0), SIMD2(40, 0), SIMD2(40, 30), SIMD2(0, 30)]
    for (index, place) in expected.enumerated() {
      let position = try #require(field.position(of: field.corners[index]))
      #expect((position - place).x.magnitude < 1e-9 && (position - place).y.magnitude < 1e-9)
    }
    try expectEqual(Self.field(hasSize: false).position(of: field.corners.center), nil)
    let shares = try #require(try Self.field(hasSize: false).shares(of: field.corners.upperRight))
    #expect((shares - SIMD2(1, 0)).x.magnitude < 1e-9)
  }

  @Test func thePlayersLeftDependsOnTheirSide() throws {
    // The corner of the picture's upper left, as players at each side see it.
    let expected: [(PlayingField.Side, SIMD2<Double>)] = [
      (.lower, SIMD2(0, 1)), (.left, SIMD2(0, 0)), (.upper, SIMD2(1, 0)), (.right, SIMD2(1, 1)),
    ]
    for (side, place) in expected {
      let field = try Self.field(side: side)
      expectEqual(field.playerView(of: SIMD2(0, 0)), place, "\(side)")
      // The far left corner, as that player sees it, is the first of the turned square.
      let square = field.facingPlayer(field.corners)
      let first = try #require(field.shares(of: square.upperLeft))
      let seen = field.playerView(of: first)
      #expect(seen.x.magnitude < 1e-9 && (seen.y - 1).magnitude < 1e-9, "\(side)")
    }
  }

  @Test func depthIsTheDistanceFromTheNearestSide() throws {
    let field = try PlayingField(
      corners: Quadrilateral(BoundingBox(x: 10, y: 20, width: 100, height: 50)))
    expectEqual(field.depth(of: PixelPoint(x: 15, y: 40)), 5)
    expectEqual(field.depth(of: PixelPoint(x: 60, y: 66)), 4)
    expectEqual(field.depth(of: PixelPoint(x: 60, y: 73)), -3)
    #expect(field.contains(PixelPoint(x: 10, y: 20)))
    #expect(!field.contains(PixelPoint(x: .nan, y: 20)))
    expectEqual(field.depth(of: PixelPoint(x: .nan, y: 20)), -.infinity)
  }

  @Test func cornersThatMakeNoFieldAreRefused() {
    let cases: [([(Double, Double)], PlayingFieldError)] = [
      ([(0, 0), (.nan, 0), (10, 10), (0, 10)], .cornerOutOfRange(index: 1)),
      ([(0, 0), (1e8, 0), (10, 10), (0, 10)], .cornerOutOfRange(index: 1)),
      ([(0, 0), (10, 10), (10, 0), (0, 10)], .notConvex),
      ([(0, 0), (5, 0), (10, 0), (0, 10)], .notConvex),
      ([(0, 0), (0, 10), (10, 10), (10, 0)], .notClockwise),
    ]
    for (points, error) in cases {
      #expect(throws: error) { try PlayingField(corners: Self.quadrilateral(points)) }
      #expect(error.description.hasSuffix("."))
    }
    let square = Quadrilateral(BoundingBox(x: 0, y: 0, width: 9, height: 9))
    for size in [(0.0, 4.0), (4, .nan), (4, 1e7)] {
      #expect(throws: PlayingFieldError.self) {
        try PlayingField(
          corners: square, size: PlayingField.Size(width: size.0, height: size.1))
      }
    }
    #expect(throws: PlayingFieldError.wrongCornerCount(3)) {
      try PlayingField(tapped: Array(square.corners.prefix(3)))
    }
  }

  @Test func tapsComeInAnyOrder() throws {
    let corners = try Self.field().corners
    for order in [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0]] {
      try expectEqual(PlayingField(tapped: order.map { corners[$0] }).corners, corners)
    }
  }

  @Test func theCentralSquareIsOneOnTheTable() throws {
    let field = try Self.field()
    let square = field.centralSquare
    for index in 0..<4 {
      let a = try #require(field.position(of: square[index]))
      let b = try #require(field.position(of: square[(index + 1) & 3]))
      #expect(abs(((a - b) * (a - b)).sum() - 900) < 1e-6)
    }
    // It moves with the field.
    let moved = try #require(field.moved(x: 7, y: -3))
    let corner = moved.centralSquare.upperLeft
    #expect(abs(corner.x - square.upperLeft.x - 7) < 1e-6)
    #expect(abs(corner.y - square.upperLeft.y + 3) < 1e-6)
    expectEqual(field.moved(x: 1e8, y: 0), nil)
  }
}

struct DieStanceTests {
  /// A camera that looks down at an angle on a plane of 40 by 40, as where it sees points, and the plane.
  private func view(
    elevation: Double
  ) throws -> (project: (_ x: Double, _ y: Double, _ z: Double) -> PixelPoint, field: PlayingField)
  {
    let pitch = elevation / 180 * Double.pi
    // Sines of the few angles in use, from a rotation that is made of them.
    let (sine, cosine) = (Self.sine(pitch), Self.sine(.pi / 2 - pitch))
    func project(_ x: Double, _ y: Double, _ z: Double) -> PixelPoint {
      let (u, v, w) = (x - 20, (y - 20) * sine - z * cosine, 90 - (y - 20) * cosine - z * sine)
      return PixelPoint(x: 640 + 1000 * u / w, y: 360 + 1000 * v / w)
    }
    let field = try PlayingField(
      corners: Quadrilateral(
        upperLeft: project(0, 0, 0), upperRight: project(40, 0, 0),
        lowerRight: project(40, 40, 0), lowerLeft: project(0, 40, 0)),
      size: PlayingField.Size(width: 40, height: 40))
    return (project, field)
  }

  /// What that camera sees of a die at a place.
  private func look(
    elevation: Double, place: SIMD2<Double>, edge: Double = 1.6
  ) throws -> (field: PlayingField, topFace: BoundingBox, foot: PixelPoint) {
    let (project, field) = try view(elevation: elevation)
    var (low, high) = (
      SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity)
    )
    // Turned by some 13 degrees, where a square fills a box as in the mean over all turns.
    let (s, c) = (0.2290, 0.9734)
    for corner in 0..<4 {
      let (a, b) = (edge / 2 * (corner & 1 == 0 ? -1 : 1), edge / 2 * (corner & 2 == 0 ? -1 : 1))
      let point = project(place.x + a * c - b * s, place.y + a * s + b * c, edge)
      low = pointwiseMin(low, SIMD2(point.x, point.y))
      high = pointwiseMax(high, SIMD2(point.x, point.y))
    }
    return (
      field, BoundingBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y),
      project(place.x, place.y, 0)
    )
  }

  private static func sine(_ x: Double) -> Double {
    var (term, sum) = (x, x)
    for n in 1..<12 {
      let divisor: Int = (2 * n) * (2 * n + 1)
      term *= -x * x / Double(divisor)
      sum += term
    }
    return sum
  }

  @Test func theFootIsBelowTheMiddleOfTheDie() throws {
    for elevation in [35.0, 50, 70, 85] {
      for place in [SIMD2(20.0, 20), SIMD2(5, 8), SIMD2(33, 36)] {
        let seen = try look(elevation: elevation, place: place)
        let stance = DieStance(topFace: seen.topFace, on: seen.field)
        let scale = seen.topFace.width / 1.2
        let error = stance.foot.squaredDistance(to: seen.foot).squareRoot() / scale
        #expect(error < 0.18, "\(elevation), \(place): \(error)")
        // Without the field the box alone tells.
        let alone = DieStance(topFace: seen.topFace)
        #expect(alone.foot.squaredDistance(to: seen.foot).squareRoot() / scale < 0.25)
      }
    }
  }

  @Test func theOutlineIsConvexAndHoldsBothFaces() throws {
    for shiftedTo in [SIMD2(20.0, 20), SIMD2(3, 37), SIMD2(37, 3)] {
      let seen = try look(elevation: 50, place: shiftedTo)
      let stance = DieStance(topFace: seen.topFace, on: seen.field)
      let outline = stance.outline(margin: 0.1)
      #expect((4...8).contains(outline.count))
      func isInside(_ point: PixelPoint) -> Bool {
        outline.indices.allSatisfy { index in
          let (a, b) = (outline[index], outline[(index + 1) % outline.count])
          return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= -1e-9
        }
      }
      for index in 0..<4 {
        let corner = Quadrilateral(seen.topFace)[index]
        #expect(isInside(corner))
        #expect(
          isInside(PixelPoint(x: corner.x + stance.shift.x, y: corner.y + stance.shift.y)))
      }
      #expect(!isInside(PixelPoint(x: seen.topFace.minX - 30, y: seen.topFace.midY)))
      for point in outline { #expect(isInside(point)) }
    }
  }

  @Test func theOutlineOfADieThatLeansHoldsIt() throws {
    for (elevation, degrees) in [45.0, 55, 65].flatMap({ e in [-42.0, -25, 25, 42].map { (e, $0) } }
    ) {
      // A cube on one of its edges, tipped towards the camera or away from it.
      let angle = degrees / 180 * Double.pi
      let (sine, cosine) = (Self.sine(angle), Self.sine(.pi / 2 - angle))
      let edge = 1.6
      var corners: [SIMD3<Double>] = []
      for corner in 0..<8 {
        let (y, z) = (edge * Double(corner >> 1 & 1), edge * Double(corner >> 2))
        corners.append(
          SIMD3(
            20 + edge * (Double(corner & 1) - 0.5), 20 + y * cosine - z * sine,
            y * sine + z * cosine))
      }
      let low = corners.reduce(Double.infinity) { min($0, $1.z) }
      let view = try view(elevation: elevation)
      let seen = corners.map { view.project($0.x, $0.y, $0.z - low) }
      let face = BoundingBox(
        minX: seen[4...].map(\.x).min() ?? 0, minY: seen[4...].map(\.y).min() ?? 0,
        maxX: seen[4...].map(\.x).max() ?? 0, maxY: seen[4...].map(\.y).max() ?? 0)
      let stance = DieStance(topFace: face, on: view.field, isCocked: true)
      #expect(stance.edge >= 0.95 * (seen[1].x - seen[0].x), "\(elevation), \(degrees)")
      let outline = stance.outline(margin: 0.5)
      for point in seen {
        let isInside = outline.indices.allSatisfy { index in
          let (a, b) = (outline[index], outline[(index + 1) % outline.count])
          return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0
        }
        #expect(isInside, "\(elevation), \(degrees): \(point)")
      }
    }
  }

  @Test func strangeBoxesStandWhereTheyAre() {
    for box in [
      BoundingBox(x: 3, y: 4, width: 0, height: 5), BoundingBox(x: 3, y: 4, width: -1, height: 5),
      BoundingBox(x: .nan, y: 4, width: 2, height: 5),
    ] {
      let stance = DieStance(topFace: box)
      #expect(stance.edge == 0 && stance.shift == .zero && stance.outline(margin: 1).isEmpty)
    }
  }

  @Test func aSquareAroundDiceIsNearlyOneOnTheirTable() throws {
    let places = [SIMD2(12.0, 14), SIMD2(22, 25), SIMD2(29, 18)]
    for elevation in [40.0, 55, 75] {
      let seen = try places.map { try look(elevation: elevation, place: $0) }
      let field = try #require(
        PlayingField(
          aroundDice: seen.map(\.topFace), center: PixelPoint(x: 640, y: 380), side: 10,
          pictureWidth: 1280, pictureHeight: 720, focalLength: 1000))
      let truth = seen[0].field
      for index in 0..<4 {
        let a = try #require(truth.position(of: field.corners[index]))
        let b = try #require(truth.position(of: field.corners[(index + 1) & 3]))
        let squares: SIMD2<Double> = (a - b) * (a - b)
        let length: Double = squares.sum().squareRoot()
        #expect(abs(length / 16 - 1) < 0.1, "\(elevation)")
      }
    }
    expectEqual(
      PlayingField(
        aroundDice: [], center: .init(x: 1, y: 1), side: 10, pictureWidth: 9, pictureHeight: 9), nil
    )
    // The horizon is not on the table.
    let flat = BoundingBox(x: 600, y: 400, width: 60, height: 12)
    expectEqual(
      PlayingField(
        aroundDice: [flat], center: PixelPoint(x: 640, y: 20), side: 10, pictureWidth: 1280,
        pictureHeight: 720), nil)
  }
}
