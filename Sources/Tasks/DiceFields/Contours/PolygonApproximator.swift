public import DiceGeometry

/// Leaves out points of a line where the rest is as near as told (Ramer, Douglas and Peucker).
///
/// The result is that of OpenCV's `approxPolyDP`. An approximator keeps its memory: once it has seen a
/// line with as many points, it allocates nothing.
///
/// - A closed line is cut at two points far apart: the one farthest from the first, the one farthest from
///   that, and so on, three times.
/// - A part between two points is replaced by a straight side where none of its points is farther from
///   the side than `epsilon`; else it is cut at the farthest one, the first of several.
/// - At last a point goes whose distance from the line through its neighbours is at most `epsilon / √2`,
///   unless the walk turns back there or that line is level or upright.
public struct PolygonApproximator: Sendable {
  /// The places of the points that are kept, in the order of the walk; a closed line may begin with any.
  public private(set) var kept: [Int] = []
  private var slices: [(start: Int, end: Int)] = []

  /// An approximator without memory yet.
  public init() {}

  /// Approximates a contour of a tree, in pixels of the contours' picture.
  ///
  /// - Parameters:
  ///   - contour: The number of a contour of the tree.
  ///   - tree: The contours; ``kept`` are places in `tree.points[tree.pointRange(of: contour)]`,
  ///     counted from 0.
  ///   - epsilon: The greatest distance in pixels; one that is negative or NaN counts as 0.
  ///   - isClosed: Whether the last point is joined with the first.
  public mutating func approximate(
    _ contour: Int, of tree: ContourTree, epsilon: Double, isClosed: Bool = true
  ) {
    let range = tree.pointRange(of: contour)
    let points = tree.points.span
    approximate(count: range.count, epsilon: epsilon, isClosed: isClosed) { (index) in
      let point = points[range.lowerBound &+ index]
      return PixelPoint(x: Double(point.column), y: Double(point.row))
    }
  }

  /// Approximates points.
  ///
  /// - Parameters:
  ///   - points: The line.
  ///   - epsilon: The greatest distance; one that is negative or NaN counts as 0.
  ///   - isClosed: Whether the last point is joined with the first.
  public mutating func approximate(
    _ points: [PixelPoint], epsilon: Double, isClosed: Bool = true
  ) {
    let span = points.span
    approximate(count: points.count, epsilon: epsilon, isClosed: isClosed) { span[$0] }
  }

  @inline(__always)
  private mutating func approximate(
    count: Int, epsilon: Double, isClosed: Bool, _ point: (Int) -> PixelPoint
  ) {
    kept.removeAll(keepingCapacity: true)
    slices.removeAll(keepingCapacity: true)
    guard count > 0 else { return }
    let limit = epsilon > 0 ? epsilon * epsilon : 0
    // An open line that comes back to where it began is cut as a closed one, after one round.
    let isLoop = isClosed || point(0) == point(count - 1)
    if isLoop {
      let cut = Self.cut(count, rounds: isClosed ? 3 : 1, point)
      if cut.squaredDistance > limit {
        slices.append((cut.far, cut.start))
        slices.append((cut.start, cut.far))
      } else {
        kept.append(cut.start)
      }
    } else {
      slices.append((0, count - 1))
    }
    while let slice = slices.popLast() {
      if let farthest = Self.farthest(in: slice, count, limit, point) {
        slices.append((farthest, slice.end))
        slices.append((slice.start, farthest))
      } else {
        kept.append(slice.start)
      }
    }
    if !isLoop { kept.append(count - 1) }
    dropStraight(limit, isClosed, point)
  }

  /// Two points of a closed line far apart: the last round's first point, and the one farthest from it.
  @inline(__always)
  private static func cut(
    _ count: Int, rounds: Int, _ point: (Int) -> PixelPoint
  ) -> (start: Int, far: Int, squaredDistance: Double) {
    var (start, far, greatest) = (0, 0, 0.0)
    for _ in 0..<rounds {
      start = far
      greatest = 0
      let origin = point(start)
      // Of several equally far ones the first after the start.
      for index in start + 1..<count + start {
        let place = index < count ? index : index - count
        let distance = point(place).squaredDistance(to: origin)
        if distance > greatest { (greatest, far) = (distance, place) }
      }
    }
    return (start, far, greatest)
  }

  /// The point of a slice that is farthest from the side between its ends, where that is too far.
  @inline(__always)
  private static func farthest(
    in slice: (start: Int, end: Int), _ count: Int, _ limit: Double,
    _ point: (Int) -> PixelPoint
  ) -> Int? {
    let (start, end) = (point(slice.start), point(slice.end))
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let squaredLength = dx * dx + dy * dy
    // Distances times the side's length, squared.
    var (greatest, farthest) = (0.0, slice.start)
    var place = slice.start + 1 == count ? 0 : slice.start + 1
    while place != slice.end {
      let (x, y) = (point(place).x - start.x, point(place).y - start.y)
      let along = x * dx + y * dy
      let distance: Double
      if along < 0 {
        distance = (x * x + y * y) * squaredLength
      } else if along > squaredLength {
        distance = point(place).squaredDistance(to: end) * squaredLength
      } else {
        let across = y * dx - x * dy
        distance = across * across
      }
      if distance > greatest { (greatest, farthest) = (distance, place) }
      place = place + 1 == count ? 0 : place + 1
    }
    return greatest > limit * squaredLength ? farthest : nil
  }

  /// Leaves out kept points between two others that lie almost on a line.
  ///
  /// After one that goes the next one stays. Works on the list of kept ones in place, from the last to
  /// the first again for a closed line: what has been replaced there is read as it is now.
  @inline(__always)
  private mutating func dropStraight(
    _ limit: Double, _ isClosed: Bool, _ point: (Int) -> PixelPoint
  ) {
    let count = kept.count
    guard count > 0 else { return }
    var (reading, remaining) = (isClosed ? count - 1 : 0, count)
    func next(_ place: inout Int) { place = place + 1 == count ? 0 : place + 1 }
    var before = kept[reading]
    next(&reading)
    var writing = reading
    var middle = kept[reading]
    next(&reading)
    var index = isClosed ? 0 : 1
    while index < (isClosed ? count : count - 1), remaining > 2 {
      let after = kept[reading]
      next(&reading)
      let (a, b, c) = (point(before), point(middle), point(after))
      let (dx, dy) = (c.x - a.x, c.y - a.y)
      let across = (b.x - a.x) * dy - (b.y - a.y) * dx
      let onward = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y)
      if across * across <= 0.5 * limit * (dx * dx + dy * dy), dx != 0, dy != 0, onward >= 0 {
        remaining -= 1
        before = after
        kept[writing] = after
        next(&writing)
        middle = kept[reading]
        next(&reading)
        index += 2
      } else {
        before = middle
        kept[writing] = middle
        next(&writing)
        middle = after
        index += 1
      }
    }
    if !isClosed { kept[writing] = middle }
    kept.removeLast(count - remaining)
  }
}

extension Polygon {
  /// The polygon with fewer corners, none of those left out farther than told from it.
  ///
  /// See ``PolygonApproximator``.
  ///
  /// - Parameters:
  ///   - epsilon: The greatest distance; one that is negative or NaN counts as 0.
  ///   - isClosed: Whether the side from the last point to the first counts.
  public func approximated(epsilon: Double, isClosed: Bool = true) -> Polygon {
    var approximator = PolygonApproximator()
    approximator.approximate(points, epsilon: epsilon, isClosed: isClosed)
    return Polygon(approximator.kept.map { points[$0] })
  }
}
