public import DiceGeometry

/// A contour of a picture: the border of a part of the foreground, or of a hole in one.
///
/// It shares the memory of its tree. While a contour is kept, the tree's next use takes new memory.
public struct Contour: Sendable {
  let tree: ContourTree
  /// The number of the contour in its tree.
  public let index: Int

  init(tree: ContourTree, index: Int) {
    self.tree = tree
    self.index = index
  }

  /// The pixels of the border, in the order of the walk, of the picture that contours were found in.
  public var points: ArraySlice<ContourPoint> { tree.points[tree.pointRange(of: index)] }

  /// How many points the contour has, at least 1.
  public var pointCount: Int { tree.nodes[index].pointCount }

  /// Whether it is the border of a hole.
  public var isHole: Bool { tree.nodes[index].isHole }

  /// How many contours it lies in.
  public var depth: Int { tree.depth(of: index) }

  /// The contour that it lies in, or nil at the top level.
  public var parent: Contour? { tree.parent(of: index).map { tree[$0] } }

  /// How many contours lie in it and in none of these.
  public var childContourCount: Int { Int(tree.nodes[index].childCount) }

  /// The contours that lie in it and in none of these.
  public var childContours: [Contour] {
    tree.siblings(from: tree.nodes[index].firstChild).map { tree[$0] }
  }

  /// The border in pixels of the upright picture, through the middles of its pixels.
  public var path: [PixelPoint] { points.map { tree.imageMap.map($0.center) } }

  /// The border as shares of the upright picture's sides, with the origin at the lower left.
  public var normalizedPath: [NormalizedPoint] {
    points.map { (point) in
      NormalizedPoint(
        imagePoint: tree.imageMap.map(point.center), width: tree.imageWidth,
        height: tree.imageHeight)
    }
  }

  /// The border in pixels of the upright picture, as a closed polygon.
  public var polygon: Polygon { Polygon(path) }

  /// The border with fewer corners, none of the points left out farther than told from it.
  ///
  /// See ``PolygonApproximator``.
  ///
  /// - Parameter epsilon: The greatest distance in pixels of the upright picture; one that is negative or
  ///   NaN counts as 0.
  public func polygonApproximation(epsilon: Double) -> Polygon {
    polygon.approximated(epsilon: epsilon)
  }

  /// The width of the upright picture divided by its height, which turns normalized lengths across into
  /// the unit of lengths upwards.
  public var aspectRatio: Double { tree.imageWidth / tree.imageHeight }
}
