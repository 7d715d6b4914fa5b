import DiceFields
import DiceGeometry
import TestSupport
import Testing

/// Everything that OpenCV computed for 32 pictures, 44 polygons and 20 homographies.
@Suite(.enabled(if: GoldenGeometry.folder != nil, Comment(rawValue: GoldenGeometry.absence)))
struct GoldenGeometryTests {
  @Test func contoursHaveTheSamePointsAndParents() throws {
    var count = 0
    for image in try GoldenGeometry.read().images {
      let picture = try GoldenGeometry.picture(image.file)
      let binary = BinaryImage(
        width: picture.width, height: picture.height, samples: picture.samples)
      // A contour is told by its points and by those of all that it lies in.
      func line(_ tree: ContourTree, _ index: Int) -> [[[Int]]] {
        let own = tree[index].points.map { [$0.column, $0.row] }
        return [own] + (tree.parent(of: index).map { line(tree, $0) } ?? [])
      }
      func line(_ key: KeyPath<GoldenGeometry.Border, [[Int]]>, _ index: Int) -> [[[Int]]] {
        let border = image.contours[index]
        return [border[keyPath: key]] + (border.parent < 0 ? [] : line(key, border.parent))
      }
      for chain in ContourTracer.Chain.allCases {
        let key = chain == .corners ? \GoldenGeometry.Border.simple : \.points
        let tree = ContourTracer.tree(of: binary, chain: chain)
        let found = Set(tree.indices.map { line(tree, $0) })
        let wanted = Set(image.contours.indices.map { line(key, $0) })
        #expect(found == wanted && tree.contourCount == image.contours.count, "\(image.file)")
        expectEqual(tree.topLevelContourCount, image.external)
        for index in tree.indices {
          expectEqual(tree.isHole(index), (tree.depth(of: index) % 2 == 1))
        }
      }
      count += image.contours.count
    }
    expectEqual(count, 652)
  }

  @Test func componentsHaveTheSameAreas() throws {
    for image in try GoldenGeometry.read().images {
      let picture = try GoldenGeometry.picture(image.file)
      var components = ConnectedComponents()
      components.find(
        in: BinaryImage(width: picture.width, height: picture.height, samples: picture.samples))
      expectEqual(components.components.count, image.components8, "\(image.file)")
      expectEqual(
        components.components.map(\.area).sorted(), image.componentAreas.sorted(),
        "\(image.file)")
    }
  }

  /// The values are written with seven digits, and lengths were summed up in single precision.
  @Test func polygonsHaveTheSameMeasures() throws {
    let cases = try GoldenGeometry.read().polygons
    expectEqual(cases.count, 44)
    for golden in cases {
      let polygon = Polygon(points(golden.points))
      func near(_ value: Double, _ wanted: Double, _ scale: Double = 1) -> Bool {
        abs(value - wanted) <= 1e-6 * max(abs(wanted), scale)
      }
      #expect(polygon.area == golden.area && polygon.signedArea == golden.orientedArea)
      #expect(near(polygon.perimeter, golden.perimeterClosed))
      #expect(near(polygon.length, golden.perimeterOpen))
      let box = try #require(polygon.boundingBox)
      // OpenCV counts pixels, here are their middles.
      expectEqual([box.x, box.y, box.width + 1, box.height + 1], golden.bounding)
      expectEqual(polygon.isConvex, golden.convex)
      expectEqual(Set(polygon.convexHull.points), Set(points(golden.hull)))
      for approximation in golden.approx {
        let found = polygon.approximated(
          epsilon: approximation.epsilon, isClosed: approximation.closed)
        expectEqual(found.points, points(approximation.points))
      }
      let moments = polygon.moments
      let size = max(golden.area, 1) * 1e4
      for (name, value) in [
        ("m00", moments.m00), ("m10", moments.m10), ("m01", moments.m01), ("mu20", moments.mu20),
        ("mu11", moments.mu11), ("mu02", moments.mu02),
      ] {
        #expect(near(value, try #require(golden.moments[name]), size * 1e-2), "\(name)")
      }
    }
  }

  @Test func polygonsHaveTheSameShapesAround() throws {
    for golden in try GoldenGeometry.read().polygons {
      let polygon = Polygon(points(golden.points))
      let extent = golden.perimeterClosed
      let rectangle = try #require(polygon.minimumAreaRectangle)
      // Sides of single precision: an area errs by their length times their rounding.
      #expect(abs(rectangle.area - golden.minAreaRect.area) <= 1e-6 * extent * extent)
      let circle = try #require(polygon.minimumEnclosingCircle)
      // OpenCV makes its circles larger by 0.0001.
      #expect(circle.radius <= golden.minCircle.radius + 1e-6 * extent)
      #expect(abs(circle.radius - golden.minCircle.radius) <= 1.1e-4 + 1e-6 * extent)
      for (wanted, isDirect) in [(golden.fitEllipse, false), (golden.fitEllipseDirect, true)] {
        guard let wanted else { continue }
        let ellipse =
          isDirect
          ? try Ellipse(directlyFitting: polygon.points) : try Ellipse(fitting: polygon.points)
        let tolerance = 2e-6 * extent
        #expect(abs(ellipse.center.x - wanted.center[0]) <= tolerance)
        #expect(abs(ellipse.center.y - wanted.center[1]) <= tolerance)
        #expect(abs(2 * ellipse.semiMinorAxis - wanted.axes[0]) <= tolerance)
        #expect(abs(2 * ellipse.semiMajorAxis - wanted.axes[1]) <= tolerance)
        // Their angle is that of the first, short axis.
        let turn = (ellipse.angle - wanted.angle - 90).remainder(dividingBy: 180)
        let roundness = wanted.axes[1] - wanted.axes[0]
        #expect(abs(turn) * roundness <= 90 * tolerance, "\(ellipse) \(wanted)")
      }
    }
  }

  @Test func homographiesAreTheSame() throws {
    let cases = try GoldenGeometry.read().homographies
    expectEqual(cases.count, 20)
    for golden in cases {
      let correspondences = zip(points(golden.source), points(golden.target)).map {
        PointCorrespondence(source: $0, target: $1)
      }
      if golden.kind == "four points" {
        let source = try #require(Quadrilateral(corners: points(golden.source)))
        let target = try #require(Quadrilateral(corners: points(golden.target)))
        let exact = try #require(Homography(from: source, to: target))
        let fitted = try Homography(fitting: correspondences)
        for (probe, image) in zip(points(golden.probe ?? []), points(golden.image ?? [])) {
          // The corners are written with seven digits.
          #expect(exact.map(probe).squaredDistance(to: image).squareRoot() < 2e-3)
          #expect(fitted.map(probe).squaredDistance(to: exact.map(probe)).squareRoot() < 1e-8)
        }
        let matrix = try #require(exact.normalized)
        for row in 0..<3 {
          for column in 0..<3 {
            let wanted = golden.matrix[row][column]
            #expect(abs(matrix[row, column] - wanted) <= 1e-4 * max(abs(wanted), 1e-2))
          }
        }
      } else if golden.kind == "least squares" {
        let map = try Homography(fitting: correspondences)
        let wanted = try #require(golden.rmsInliers)
        #expect(abs(map.rootMeanSquareError(of: correspondences) - wanted) < 1e-5)
      } else {
        let consensus = try Homography.consensus(of: correspondences, threshold: 3)
        let outliers = try #require(golden.outliers)
        let inliers = correspondences.indices.filter { !outliers.contains($0) }
        expectEqual(consensus.inliers, inliers)
        let wanted = try #require(golden.rmsInliers)
        let own = consensus.homography.rootMeanSquareError(
          of: inliers.map { correspondences[$0] })
        #expect(own <= wanted + 1e-5)
      }
    }
  }
}
