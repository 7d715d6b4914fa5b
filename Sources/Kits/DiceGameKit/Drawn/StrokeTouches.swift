/// How much the strokes of a cluster touch each other, or stand as close above each other as parts of a
/// digit do and digits of a number do not.
struct StrokeTouches {
  /// The places that are kept of each path.
  private static let pointLimit = 40
  /// For each pair, the later stroke first: 1 where the two cross, down to 0 where they are as far
  /// apart as they may be.
  private var values: [Float]
  private let count: Int

  /// The touches of paths.
  ///
  /// - Parameters:
  ///   - reach: from which distance on paths do not touch at all.
  ///   - columnReach: from which distance on a path above another is no part of the same digit.
  init(_ paths: [InkPath], reach: Float, columnReach: Float) {
    count = paths.count
    values = [Float](repeating: 0, count: count * count)
    guard reach > 0 else { return }
    let short = paths.map { Self.shortened($0.points) }
    for one in paths.indices {
      for other in 0..<one {
        let (a, b) = (paths[one], paths[other])
        let gap = pointwiseMax(a.low - b.high, b.low - a.high)
        if Self.isColumn(a, b), gap.y > -reach, gap.y < columnReach {
          values[one * count + other] = 1 - max(0, gap.y) / columnReach
        }
        guard max(gap.x, gap.y) < reach else { continue }
        let distance = Self.distance(short[one], short[other])
        values[one * count + other] = max(values[one * count + other], 1 - distance / reach)
      }
    }
  }

  /// Whether two paths stand above each other: their boxes share most of the narrower one's width.
  static func isColumn(_ one: InkPath, _ other: InkPath) -> Bool {
    min(one.high.x, other.high.x) - max(one.low.x, other.low.x)
      > 0.7 * min(one.size.x, other.size.x)
  }

  /// The sum over all pairs of a set of strokes.
  func sum(within set: UInt64) -> Double {
    var sum: Float = 0
    for one in 0..<count where set >> UInt64(one) & 1 == 1 {
      for other in 0..<one where set >> UInt64(other) & 1 == 1 {
        sum += values[one * count + other]
      }
    }
    return Double(sum)
  }

  private static func shortened(_ points: [SIMD2<Float>]) -> [SIMD2<Float>] {
    guard points.count > pointLimit else { return points }
    return (0..<pointLimit).map { points[$0 * (points.count - 1) / (pointLimit - 1)] }
  }

  /// The least distance of two paths; 0 where they cross.
  private static func distance(_ one: [SIMD2<Float>], _ other: [SIMD2<Float>]) -> Float {
    var least = Float.infinity
    for place in one.indices {
      let (start, end) = (one[max(0, place - 1)], one[place])
      for index in other.indices {
        let (from, to) = (other[max(0, index - 1)], other[index])
        if cross(start, end, from, to) { return 0 }
        least = min(least, distance(end, from, to), distance(to, start, end))
      }
    }
    return least
  }

  private static func distance(
    _ point: SIMD2<Float>, _ start: SIMD2<Float>, _ end: SIMD2<Float>
  ) -> Float {
    let (way, offset) = (end - start, point - start)
    let square = way.x * way.x + way.y * way.y
    let share =
      square > 0 ? min(max(0, (offset.x * way.x + offset.y * way.y) / square), 1) : 0
    return InkPath.norm(offset - share * way)
  }

  /// Whether two segments cross within both.
  private static func cross(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, _ d: SIMD2<Float>
  ) -> Bool {
    func side(_ p: SIMD2<Float>, _ q: SIMD2<Float>, _ r: SIMD2<Float>) -> Float {
      (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    }
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }
}
