internal import DiceGeometry
internal import DiceNumerics

extension Polygon {
  /// The smallest convex polygon around the points: its corners are some of them.
  ///
  /// Clockwise as one sees the picture, from the leftmost corner, of several the uppermost. No corner is
  /// straight. Points that are not finite do not count; of points on a line the two ends are left, of
  /// points that coincide one.
  ///
  /// Source: A. Andrew, Another Efficient Algorithm for Convex Hulls in Two Dimensions, 1979.
  /// - Complexity: O(n log n).
  public var convexHull: Polygon {
    var sorted = points.filter { $0.isFinite }
    sorted.sort { (a, b) in a.x != b.x ? a.x < b.x : a.y < b.y }
    guard let first = sorted.first, let last = sorted.last, first != last else {
      return Polygon(Array(sorted.prefix(1)))
    }
    var hull: [PixelPoint] = []
    // The upper side from left to right, then the lower one back.
    func add(_ point: PixelPoint, from start: Int) {
      while hull.count >= start + 2,
        !Self.turnsRight(hull[hull.count - 2], hull[hull.count - 1], point)
      {
        hull.removeLast()
      }
      if hull.last != point { hull.append(point) }
    }
    for point in sorted { add(point, from: 0) }
    let upperCount = hull.count
    for point in sorted.dropLast().reversed() { add(point, from: upperCount - 1) }
    if hull.count > 1 { hull.removeLast() }
    return Polygon(hull)
  }

  /// The smallest rectangle, turned as it may be, around the points; nil where none is finite.
  ///
  /// One of its sides lies on a side of the convex hull. Of several as small, that on the first such
  /// side of ``convexHull`` is taken.
  ///
  /// Source: H. Freeman and R. Shapira, Determining the Minimum-Area Encasing Rectangle for an Arbitrary
  /// Closed Curve, 1975.
  /// - Complexity: O(n log n).
  public var minimumAreaRectangle: RotatedRectangle? {
    let hull = convexHull.points
    guard let first = hull.first else { return nil }
    guard hull.count > 1 else {
      return RotatedRectangle(center: first, width: 0, height: 0, angle: 0)
    }
    var best: RotatedRectangle?
    // The corners farthest along the side, across it, and back: they only go on around the hull.
    var (ahead, across, behind) = (1, 1, 1)
    let count = hull.count
    for index in 0..<count {
      let (from, to) = (hull[index], hull[(index + 1) % count])
      let length = from.squaredDistance(to: to).squareRoot()
      let (ux, uy) = ((to.x - from.x) / length, (to.y - from.y) / length)
      func along(_ place: Int) -> Double {
        (hull[place % count].x - from.x) * ux + (hull[place % count].y - from.y) * uy
      }
      func away(_ place: Int) -> Double {
        (hull[place % count].y - from.y) * ux - (hull[place % count].x - from.x) * uy
      }
      ahead = max(ahead, index + 1)
      while ahead < index + count, along(ahead + 1) >= along(ahead) { ahead += 1 }
      across = max(across, ahead)
      while across < index + count, away(across + 1) >= away(across) { across += 1 }
      behind = max(behind, across)
      while behind < index + count, along(behind + 1) <= along(behind) { behind += 1 }
      let (right, left, depth) = (along(ahead), along(behind), away(across))
      let (width, height) = (right - left, max(depth, 0))
      guard width * height < best?.area ?? .infinity else { continue }
      let middle = (left + right) / 2
      best = RotatedRectangle(
        center: PixelPoint(
          x: from.x + ux * middle - uy * height / 2, y: from.y + uy * middle + ux * height / 2),
        width: width, height: height, direction: PixelPoint(x: ux, y: uy))
    }
    return best
  }

  /// The smallest circle around the points; nil where none is finite.
  ///
  /// Source: E. Welzl, Smallest Enclosing Disks, 1991, over the corners of the convex hull.
  /// - Complexity: O(n log n), as the order of the corners is a random one.
  public var minimumEnclosingCircle: Circle? {
    var corners = convexHull.points
    guard let first = corners.first else { return nil }
    var generator = SplitMix64(seed: 1)
    for index in stride(from: corners.count - 1, to: 0, by: -1) {
      corners.swapAt(index, generator.below(index + 1))
    }
    var circle = Circle(center: first, radius: 0)
    for i in corners.indices where !circle.holds(corners[i]) {
      circle = Circle(center: corners[i], radius: 0)
      for j in 0..<i where !circle.holds(corners[j]) {
        circle = Circle(between: corners[i], corners[j])
        for k in 0..<j where !circle.holds(corners[k]) {
          circle = Circle(through: corners[i], corners[j], corners[k]) ?? circle
        }
      }
    }
    return circle
  }

  /// Whether the walk from a by b to c turns to the right as one sees the picture.
  private static func turnsRight(_ a: PixelPoint, _ b: PixelPoint, _ c: PixelPoint) -> Bool {
    (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0
  }
}
