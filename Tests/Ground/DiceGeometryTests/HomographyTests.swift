import DiceGeometry
import TestSupport
import Testing

@Suite struct QuadrilateralTests {
  let board = Quadrilateral(
    upperLeft: PixelPoint(x: 1, y: 1), upperRight: PixelPoint(x: 9, y: 2),
    lowerRight: PixelPoint(x: 8, y: 7), lowerLeft: PixelPoint(x: 0, y: 6))

  @Test func measuresByHand() {
    let square = Quadrilateral(BoundingBox(x: 2, y: 3, width: 4, height: 5))
    #expect(square.signedArea == 20 && square.perimeter == 18 && square.isConvex)
    expectEqual(square.center, PixelPoint(x: 4, y: 5.5))
    expectEqual(square.boundingBox, BoundingBox(x: 2, y: 3, width: 4, height: 5))
    #expect(square.contains(PixelPoint(x: 2, y: 3)) && !square.contains(PixelPoint(x: 7, y: 4)))
  }

  @Test func cornersInAnyOrderAreBroughtIntoOne() {
    let corners = board.corners
    for shift in 0..<4 {
      for order in [[0, 1, 2, 3], [0, 3, 2, 1], [0, 2, 1, 3]] {
        let mixed = Quadrilateral(corners: order.map { corners[($0 + shift) % 4] })
        expectEqual(mixed?.clockwiseFromUpperLeft(), board)
      }
    }
  }

  @Test func cornersThatOneAngleCannotTellApartStayClockwise() {
    // Seen from the middle, the two corners far above lie in one direction.
    let tall = [(-1681.0625, 29.0), (-109.0, -1e150), (202.0, -1e150), (1e-300, 86.0)]
      .map { PixelPoint(x: $0.0, y: $0.1) }
    for corners in [tall, tall.reversed()] {
      guard let outline = Quadrilateral(corners: corners) else { continue }
      let ordered = outline.clockwiseFromUpperLeft()
      #expect(outline.isConvex && ordered.signedArea > 0)
      expectEqual(ordered.corners, [tall[1], tall[2], tall[3], tall[0]])
    }
  }

  @Test func degenerateOnesAreNotConvex() {
    var straight = Quadrilateral(BoundingBox(x: 0, y: 0, width: 4, height: 4))
    straight.lowerRight = PixelPoint(x: 2, y: 2)
    #expect(!straight.isConvex, "a corner on the diagonal")
    var concave = straight
    concave.lowerRight = PixelPoint(x: 1, y: 1)
    #expect(!concave.isConvex)
    var crossed = Quadrilateral(BoundingBox(x: 0, y: 0, width: 4, height: 4))
    (crossed.upperLeft, crossed.upperRight) = (crossed.upperRight, crossed.upperLeft)
    #expect(!crossed.isConvex && crossed.signedArea == 0)
    var broken = board
    broken.lowerLeft.x = .nan
    #expect(!broken.isConvex && !broken.contains(PixelPoint(x: 4, y: 4)))
    expectEqual(broken.intersectionOverUnion(with: board), 0)
    expectEqual(Quadrilateral(corners: []), nil)
  }

  @Test func overlapsByHand() {
    let square = Quadrilateral(BoundingBox(x: 0, y: 0, width: 2, height: 2))
    let diamond = Quadrilateral(
      upperLeft: PixelPoint(x: 1, y: -1), upperRight: PixelPoint(x: 3, y: 1),
      lowerRight: PixelPoint(x: 1, y: 3), lowerLeft: PixelPoint(x: -1, y: 1))
    // The diamond of area 8 holds the square of area 4.
    expectEqual(square.intersectionArea(with: diamond), 4)
    expectEqual(square.intersectionOverUnion(with: diamond), 0.5)
    expectEqual(diamond.intersectionOverUnion(with: square), 0.5)
    let reversed = Quadrilateral(corners: square.corners.reversed())
    expectEqual(reversed?.intersectionOverUnion(with: diamond), 0.5)
    let moved = Quadrilateral(BoundingBox(x: 1, y: 1, width: 2, height: 2))
    #expect(abs(square.intersectionOverUnion(with: moved) - 1.0 / 7) < 1e-15)
    let far = Quadrilateral(BoundingBox(x: 5, y: 5, width: 2, height: 2))
    expectEqual(square.intersectionOverUnion(with: far), 0)
  }
}

@Suite struct HomographyTests {
  let board = Quadrilateral(BoundingBox(x: 0, y: 0, width: 122, height: 61))
  let seen = Quadrilateral(
    upperLeft: PixelPoint(x: 110, y: 122), upperRight: PixelPoint(x: 542, y: 48),
    lowerRight: PixelPoint(x: 584, y: 360), lowerLeft: PixelPoint(x: 4, y: 376))

  private func grid(_ map: Homography, noise: Double = 0) -> [PointCorrespondence] {
    var random = SeededGenerator(seed: 5)
    return (0..<30).map { (index) in
      let source = SIMD2(Double(index % 6) * 20, Double(index / 6) * 15)
      let target = map.map(source)
      return PointCorrespondence(
        source: source,
        target: target + SIMD2(random.normal() * noise, random.normal() * noise))
    }
  }

  @Test func cornersLandOnCorners() throws {
    let map = try #require(Homography(from: board, to: seen))
    #expect(map.map(board).greatestCornerDistance(to: seen) < 1e-10)
    let back = try #require(map.inverse)
    #expect(back.map(seen).greatestCornerDistance(to: board) < 1e-10)
    let round = map.concatenated(with: back)
    #expect(round.map(board).greatestCornerDistance(to: board) < 1e-10)
    // Diagonals meet where diagonals meet.
    let middle = map.map(PixelPoint(x: 61, y: 30.5))
    let along = seen.lowerRight, from = seen.upperLeft
    let cross =
      (along.x - from.x) * (middle.y - from.y) - (along.y - from.y) * (middle.x - from.x)
    #expect(abs(cross) < 1e-6)
  }

  @Test func mapsByHand() throws {
    // x' = x / (1 + x), a plane that runs to the horizon.
    let map = Homography(first: SIMD3(1, 0, 0), second: SIMD3(0, 1, 0), third: SIMD3(1, 0, 1))
    expectEqual(map.map(PixelPoint(x: 1, y: 4)), PixelPoint(x: 0.5, y: 2))
    expectEqual(map.weight(at: SIMD2(-1, 3)), 0)
    #expect(!map.map(PixelPoint(x: -1, y: 3)).isFinite)
    #expect(map.determinant == 1 && map[2, 0] == 1)
    let affine = Homography(AffineMap(a: 2, b: 0, c: 0, d: 3, tx: 5, ty: 7))
    expectEqual(affine.map(PixelPoint(x: 1, y: 1)), PixelPoint(x: 7, y: 10))
    expectEqual(affine.normalized, affine)
    expectEqual(Homography(first: .zero, second: .zero, third: SIMD3(0, 0, 1)).inverse, nil)
    let far = Homography(AffineMap(scaleX: 1, scaleY: 1, translationX: 1e7, translationY: 1e7))
    expectEqual(far.inverse?.map(PixelPoint(x: 1e7, y: 1e7)), PixelPoint(x: 0, y: 0))
  }

  @Test func mirroredCornersGiveAMirror() throws {
    let mirrored = Quadrilateral(corners: seen.corners.reversed())!
    let map = try #require(Homography(from: board, to: mirrored))
    #expect(map.map(board).greatestCornerDistance(to: mirrored) < 1e-10)
    #expect(map.determinant < 0)
  }

  @Test func degenerateQuadrilateralsHaveNoMap() {
    var flat = seen
    flat.lowerRight = PixelPoint(
      x: (flat.upperRight.x + flat.lowerLeft.x) / 2, y: (flat.upperRight.y + flat.lowerLeft.y) / 2)
    #expect(Homography(from: board, to: flat) == nil && Homography(from: flat, to: board) == nil)
    expectEqual(Homography(rectangleWidth: 0, height: 3, to: seen), nil)
  }

  @Test func exactPointsGiveTheMapAndNoisyOnesALeastSum() throws {
    let map = try #require(Homography(from: board, to: seen))
    let exact = try Homography(fitting: grid(map))
    #expect(exact.rootMeanSquareError(of: grid(map)) < 1e-9)
    let noisy = grid(map, noise: 0.7)
    let fitted = try Homography(fitting: noisy)
    let error = fitted.rootMeanSquareError(of: noisy)
    #expect(error < map.rootMeanSquareError(of: noisy))
    // No neighbour is better.
    for index in 0..<9 {
      for factor in [1 - 1e-5, 1 + 1e-5] {
        var other = fitted
        if index < 3 { other.first[index] *= factor }
        if (3..<6).contains(index) { other.second[index - 3] *= factor }
        if index >= 6 { other.third[index - 6] *= factor }
        #expect(other.rootMeanSquareError(of: noisy) >= error)
      }
    }
  }

  @Test func weightsCount() throws {
    let map = try #require(Homography(from: board, to: seen))
    var points = grid(map)
    points[7].target.x += 30
    points[7].weight = 1e-9
    #expect(try Homography(fitting: points).map(points[0].source).x - points[0].target.x < 1e-4)
  }

  @Test func wrongCorrespondencesAreOutvoted() throws {
    let map = try #require(Homography(from: board, to: seen))
    var points = grid(map, noise: 0.5)
    let wrong = [1, 4, 8, 9, 15, 16, 22, 23, 24, 29]
    for index in wrong { points[index].target += SIMD2(40, Double(index % 3) * 50 - 60) }
    let consensus = try Homography.consensus(of: points, threshold: 3)
    expectEqual(consensus.inliers, (0..<30).filter { !wrong.contains($0) })
    #expect(consensus.rootMeanSquareError < 1)
    try expectEqual(Homography.consensus(of: points, threshold: 3), consensus, "the same each time")
  }

  @Test func brokenRulesAreErrors() throws {
    let map = try #require(Homography(from: board, to: seen))
    let points = grid(map)
    #expect(throws: HomographyError.tooFewCorrespondences(found: 3, required: 4)) {
      try Homography(fitting: Array(points.prefix(3)))
    }
    var broken = points
    broken[2].target.y = .infinity
    #expect(throws: HomographyError.correspondenceNotUsable(index: 2)) {
      try Homography(fitting: broken)
    }
    broken = points
    broken[5].weight = 0
    #expect(throws: HomographyError.correspondenceNotUsable(index: 5)) {
      try Homography.consensus(of: broken, threshold: 1)
    }
    let line = points.prefix(6)
    #expect(throws: HomographyError.degenerate) { try Homography(fitting: Array(line)) }
    #expect(throws: HomographyError.noConsensus) {
      try Homography.consensus(of: Array(line), threshold: 1)
    }
    #expect(throws: HomographyError.thresholdOutOfRange(0)) {
      try Homography.consensus(of: points, threshold: 0)
    }
    for error: HomographyError in [
      .tooFewCorrespondences(found: 1, required: 4), .correspondenceNotUsable(index: 1),
      .degenerate, .thresholdOutOfRange(0), .noConsensus, .focalLengthOutOfRange(0),
    ] {
      #expect(error.description.hasSuffix("."))
    }
  }
}

@Suite struct CameraPoseTests {
  /// A camera 100 above the plane's (50, 130), which looks at its (50, 30): down by 45 degrees.
  private func pose() throws -> CameraPose {
    let root = 0.5.squareRoot()
    let (focal, center) = (800.0, PixelPoint(x: 320, y: 240))
    // Into the picture go 45 degrees down: y (away from the viewer is −y) and z (down).
    let x = SIMD3(1.0, 0, 0)
    let y = SIMD3(0, root, -root)
    let origin = SIMD3(-50, -30 * root, 30 * root + 100 / root)
    let homography = Homography(
      first: SIMD3(
        focal * x.x + center.x * x.z, focal * y.x + center.x * y.z,
        focal * origin.x + center.x * origin.z),
      second: SIMD3(
        focal * x.y + center.y * x.z, focal * y.y + center.y * y.z,
        focal * origin.y + center.y * origin.z),
      third: SIMD3(x.z, y.z, origin.z))
    return try CameraPose(homography: homography, focalLength: focal, principalPoint: center)
  }

  @Test func aPoseByHand() throws {
    let pose = try pose()
    let middle = try #require(pose.project(SIMD3(50, 30, 0)))
    #expect(abs(middle.x - 320) < 1e-9 && abs(middle.y - 240) < 1e-9)
    #expect(abs(pose.tilt - 45) < 1e-9 && abs(pose.height - 100) < 1e-9)
    let position = pose.position
    #expect(abs(position.x - 50) < 1e-9 && abs(position.y - 130) < 1e-9)
    #expect(abs(position.z + 100) < 1e-9, "above the table is negative")
    // What stands on the table is seen higher up in the picture.
    let top = try #require(pose.project(SIMD3(50, 30, -10)))
    #expect(top.y < middle.y)
    expectEqual(pose.project(SIMD3(50, 300, 0)), nil, "behind the camera")
  }

  @Test func theHomographyTellsPoseAndFocalLength() throws {
    let pose = try pose()
    let scaled = Homography(
      first: pose.homography.first * -3, second: pose.homography.second * -3,
      third: pose.homography.third * -3)
    let again = try CameraPose(
      homography: scaled, focalLength: 800, principalPoint: PixelPoint(x: 320, y: 240))
    #expect(abs(again.height - 100) < 1e-9)
    let focal = try #require(
      CameraPose.focalLength(of: scaled, principalPoint: PixelPoint(x: 320, y: 240)))
    #expect(abs(focal - 800) < 1e-6)
    let above = Homography(first: SIMD3(2, 0, 0), second: SIMD3(0, 2, 0), third: SIMD3(0, 0, 1))
    expectEqual(CameraPose.focalLength(of: above, principalPoint: PixelPoint(x: 0, y: 0)), nil)
  }

  @Test func refinementFindsTheLeastSum() throws {
    let truth = try pose()
    let points = (0..<20).map { (index) in
      let source = SIMD2(Double(index % 5) * 25, Double(index / 5) * 20)
      let image = truth.project(SIMD3(source.x, source.y, 0))!
      return PointCorrespondence(source: source, target: SIMD2(image.x, image.y))
    }
    var other = truth.homography
    other.first.z += 900
    other.second.x += 20
    let start = try CameraPose(
      homography: other, focalLength: 800, principalPoint: truth.principalPoint)
    #expect(start.homography.rootMeanSquareError(of: points) > 1)
    let refined = start.refined(with: points)
    #expect(refined.homography.rootMeanSquareError(of: points) < 1e-6)
    #expect(abs(refined.height - 100) < 1e-4)
  }

  @Test func brokenRulesAreErrors() throws {
    let homography = try pose().homography
    let center = PixelPoint(x: 320, y: 240)
    #expect(throws: HomographyError.focalLengthOutOfRange(0)) {
      try CameraPose(homography: homography, focalLength: 0, principalPoint: center)
    }
    let flat = Homography(first: SIMD3(1, 0, 0), second: SIMD3(2, 0, 0), third: SIMD3(0, 0, 1))
    #expect(throws: HomographyError.degenerate) {
      try CameraPose(homography: flat, focalLength: 1, principalPoint: center)
    }
  }
}
