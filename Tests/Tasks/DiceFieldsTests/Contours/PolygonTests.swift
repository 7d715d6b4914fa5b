import DiceFields
import DiceGeometry
import TestSupport
import Testing

@Suite struct PolygonTests {
  let square = Polygon(points([[0, 0], [4, 0], [4, 4], [0, 4]]))
  /// An L of three unit squares.
  let corner = Polygon(points([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]))

  @Test func measuresByHand() {
    #expect(square.signedArea == 16 && square.perimeter == 16 && square.length == 12)
    expectEqual(Polygon(square.points.reversed()).signedArea, -16)
    #expect(corner.area == 3 && corner.perimeter == 8)
    #expect(square.isConvex && !corner.isConvex)
    #expect(corner.contains(PixelPoint(x: 0.5, y: 1.5)))
    #expect(!corner.contains(PixelPoint(x: 1.5, y: 1.5)))
    expectEqual(corner.boundingBox, BoundingBox(x: 0, y: 0, width: 2, height: 2))
  }

  @Test func momentsByHand() throws {
    let moments = corner.moments
    // Squares with the middles (0.5, 0.5), (1.5, 0.5) and (0.5, 1.5).
    #expect(moments.m00 == 3 && abs(moments.m10 - 2.5) < 1e-15 && abs(moments.m01 - 2.5) < 1e-15)
    let centroid = try #require(moments.centroid)
    #expect(abs(centroid.x - 5.0 / 6) < 1e-15)
    // A square of side 4 about its middle: 4⁴ / 12; third moments about the corner 4 · 4⁴ / 4.
    let own = square.moments
    #expect(abs(own.mu20 - 256.0 / 12) < 1e-12 && abs(own.mu11) < 1e-12)
    #expect(abs(own.m30 - 256) < 1e-12 && abs(own.m03 - 256) < 1e-12)
    #expect(abs(own.m21 - 64.0 / 3 * 8) < 1e-12 && abs(own.m12 - 64.0 / 3 * 8) < 1e-12)
    expectEqual(Polygon(square.points.reversed()).moments.m10, own.m10)
  }

  @Test func aStarIsNotConvexThoughItTurnsOneWay() {
    let star = Polygon(points([[0, -10], [6, 8], [-9.5, -3], [9.5, -3], [-6, 8]]))
    #expect(!star.isConvex)
  }

  @Test func overlapsByHand() {
    #expect(abs(corner.intersectionArea(with: corner) - 3) < 1e-12)
    #expect(abs(corner.intersectionOverUnion(with: square) - 3.0 / 16) < 1e-12)
    let moved = Polygon(points([[0.5, 0.5], [2.5, 0.5], [2.5, 2.5], [0.5, 2.5]]))
    // 1.5 by 1.5 of the large square, less the missing unit square.
    #expect(abs(corner.intersectionArea(with: moved) - 1.25) < 1e-12)
    #expect(abs(moved.intersectionOverUnion(with: corner) - 1.25 / (3 + 4 - 1.25)) < 1e-12)
    let bow = Polygon(points([[0, 0], [2, 2], [2, 0], [0, 2]]))
    #expect(abs(bow.intersectionArea(with: square) - 2) < 1e-12, "two triangles of area 1")
    let broken = Polygon(points([[0, 0], [.nan, 2], [2, 0]]))
    expectEqual(broken.intersectionOverUnion(with: square), 0)
    expectEqual(Polygon([]).intersectionOverUnion(with: square), 0)
  }

  @Test func fewPointsHaveDocumentedMeasures() {
    let nothing = Polygon([])
    #expect(nothing.area == 0 && nothing.perimeter == 0 && nothing.boundingBox == nil)
    #expect(nothing.minimumAreaRectangle == nil && nothing.minimumEnclosingCircle == nil)
    #expect(nothing.approximated(epsilon: 1).points.isEmpty && !nothing.isConvex)
    expectEqual(nothing.moments.centroid, nil)
    let one = Polygon(points([[3, 4]]))
    #expect(one.area == 0 && one.convexHull.points == one.points)
    expectEqual(one.minimumAreaRectangle?.area, 0)
    expectEqual(one.minimumEnclosingCircle, Circle(center: one.points[0], radius: 0))
    expectEqual(one.approximated(epsilon: 1).points, one.points)
    let two = Polygon(points([[0, 0], [3, 4]]))
    #expect(two.area == 0 && two.length == 5 && two.perimeter == 10)
    expectEqual(two.minimumEnclosingCircle?.radius, 2.5)
    expectEqual(two.minimumAreaRectangle?.area, 0)
  }

  @Test func theHullLeavesOutInnerAndStraightPoints() {
    let polygon = Polygon(
      points([[2, 2], [0, 0], [2, 0], [4, 0], [4, 4], [0, 4], [0, 2], [0, 0], [.nan, 1]]))
    expectEqual(polygon.convexHull.points, points([[0, 0], [4, 0], [4, 4], [0, 4]]))
    expectEqual(polygon.convexHull.signedArea, 16)
    let line = Polygon(points([[1, 1], [3, 3], [2, 2]]))
    expectEqual(line.convexHull.points, points([[1, 1], [3, 3]]))
  }

  @Test func theSmallestRectangleAroundADiamondIsTurned() throws {
    let diamond = Polygon(points([[0, 2], [2, 0], [5, 3], [3, 5]]))
    let rectangle = try #require(diamond.minimumAreaRectangle)
    #expect(abs(rectangle.area - 12) < 1e-12)
    #expect(abs(rectangle.angle.magnitude.remainder(dividingBy: 90).magnitude - 45) < 1e-9)
    let corners = rectangle.corners
    for corner in diamond.points {
      #expect(corners.corners.contains { $0.squaredDistance(to: corner) < 1e-20 })
    }
  }

  @Test func theSmallestCircleTouchesTwoOrThreePoints() throws {
    let two = Polygon(points([[0, 0], [6, 0], [3, 1], [3, -2]]))
    expectEqual(two.minimumEnclosingCircle, Circle(center: PixelPoint(x: 3, y: 0), radius: 3))
    let circle = try #require(
      Polygon(points([[5, 0], [-3, 4], [-3, -4], [0, 0]])).minimumEnclosingCircle)
    #expect(abs(circle.radius - 5) < 1e-12 && abs(circle.center.x) < 1e-12)
  }

  @Test func approximationKeepsCornersAndDropsNoise() {
    var noisy: [[Double]] = []
    for step in 0..<40 { noisy.append([Double(step), step % 2 == 0 ? 0 : 0.4]) }
    for step in 0..<40 { noisy.append([40, Double(step)]) }
    for step in 0..<40 { noisy.append([40 - Double(step), 40]) }
    for step in 0..<40 { noisy.append([0, 40 - Double(step)]) }
    let polygon = Polygon(points(noisy))
    let found = Set(polygon.approximated(epsilon: 1).points)
    expectEqual(found, Set(points([[0, 0], [40, 0], [40, 40], [0, 40]])))
    #expect(polygon.approximated(epsilon: 0).points.count > 40)
    #expect(polygon.approximated(epsilon: .nan).points.count > 40)
    expectEqual(polygon.approximated(epsilon: .infinity).points.count, 1)
    let open = polygon.approximated(epsilon: 1, isClosed: false)
    #expect(open.points.first == polygon.points.first && open.points.last == polygon.points.last)
  }

  @Test func numbersThatAreNotFiniteDoNotTrap() {
    let wild = Polygon(
      points([[.nan, 0], [.infinity, 1], [1e308, -1e308], [-1e308, 1e308], [0, 0], [1, 5]]))
    _ = (wild.area, wild.perimeter, wild.isConvex, wild.boundingBox, wild.moments)
    _ = (wild.convexHull, wild.minimumAreaRectangle, wild.minimumEnclosingCircle)
    _ = wild.approximated(epsilon: 1)
    #expect(throws: ShapeFittingError.pointNotFinite(index: 0)) {
      try Ellipse(fitting: wild.points)
    }
  }
}

@Suite struct EllipseTests {
  private func border(_ ellipse: Ellipse, from start: Double = 0, to end: Double = 1)
    -> [PixelPoint]
  {
    (0..<24).map { (step) in
      let turn = (start + (end - start) * Double(step) / 24) * 2 * Double.pi
      let (c, s) = (_cos(turn), _cos(turn - .pi / 2))
      let angle = ellipse.angle * .pi / 180
      let (ac, as_) = (_cos(angle), _cos(angle - .pi / 2))
      let (x, y) = (ellipse.semiMajorAxis * c, ellipse.semiMinorAxis * s)
      return PixelPoint(
        x: ellipse.center.x + x * ac - y * as_, y: ellipse.center.y + x * as_ + y * ac)
    }
  }

  /// The cosine by its series, which needs no library here.
  private func _cos(_ angle: Double) -> Double {
    var (term, sum) = (1.0, 0.0)
    let reduced = angle.remainder(dividingBy: 2 * .pi)
    for step in 1..<30 {
      sum += term
      let divisor: Int = (2 * step - 1) * 2 * step
      term *= -reduced * reduced / Double(divisor)
    }
    return sum
  }

  @Test(arguments: [-60.0, 0, 30, 90])
  func pointsOfAnEllipseGiveItBack(angle: Double) throws {
    let ellipse = Ellipse(
      center: PixelPoint(x: 300, y: 120), semiMajorAxis: 40, semiMinorAxis: 15, angle: angle)
    for fitted in [
      try Ellipse(fitting: border(ellipse)), try Ellipse(directlyFitting: border(ellipse)),
    ] {
      #expect(fitted.center.squaredDistance(to: ellipse.center) < 1e-10)
      #expect(abs(fitted.semiMajorAxis - 40) < 1e-5 && abs(fitted.semiMinorAxis - 15) < 1e-5)
      #expect((fitted.angle - angle).remainder(dividingBy: 180).magnitude < 1e-4)
      #expect(fitted.rootMeanSquareDistance(of: border(ellipse)) < 1e-5)
    }
    expectEqual(abs(ellipse.relativeDistance(of: ellipse.center)), 0)
  }

  @Test func anArcWithNoiseGivesAnEllipseDirectly() throws {
    let ellipse = Ellipse(
      center: PixelPoint(x: 0, y: 0), semiMajorAxis: 40, semiMinorAxis: 20, angle: 0)
    var arc = border(ellipse, to: 0.4)
    for index in arc.indices { arc[index].y += index % 2 == 0 ? 0.2 : -0.2 }
    let fitted = try Ellipse(directlyFitting: arc)
    #expect(fitted.rootMeanSquareDistance(of: arc) < 0.3)
  }

  @Test func pointsThatDetermineNoEllipseAreRefused() {
    #expect(throws: ShapeFittingError.tooFewPoints(found: 4, required: 5)) {
      try Ellipse(fitting: points([[0, 0], [1, 0], [1, 1], [0, 1]]))
    }
    let line = points((0..<9).map { [Double($0), 2 * Double($0)] })
    #expect(throws: ShapeFittingError.degenerate) { try Ellipse(fitting: line) }
    #expect(throws: ShapeFittingError.degenerate) { try Ellipse(directlyFitting: line) }
    let same = points([[Double]](repeating: [3, 3], count: 8))
    #expect(throws: ShapeFittingError.degenerate) { try Ellipse(directlyFitting: same) }
  }
}
