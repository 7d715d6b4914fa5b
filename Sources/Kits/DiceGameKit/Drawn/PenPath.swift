/// The pen's way as the network of ways sees it: 64 places, evenly spaced along the ink.
///
/// Each place has six numbers: x and y, in halves of the group's longer side from the middle of its
/// box; the direction of the pen, a vector of length 1; whether a stroke begins, or ends, at the place.
package enum PenPath {
  package static let placeCount = 64
  package static let channelCount = 6

  /// The numbers of a group, place by place: `[1, 64, 6]`.
  package static func values(of group: InkGroup) -> [Float] {
    let paths = group.normalized
    let counts = counts(of: paths)
    var values: [Float] = []
    values.reserveCapacity(placeCount * channelCount)
    for (path, count) in zip(paths, counts) where count > 0 {
      append(path, count: count, to: &values)
    }
    return values
  }

  /// How many places each path gets: one at least, as far as they suffice, and the rest by length.
  private static func counts(of paths: [[SIMD2<Float>]]) -> [Int] {
    let lengths = paths.map { length(of: $0) }
    let total = lengths.reduce(0, +)
    var counts = [Int](repeating: 0, count: paths.count)
    let spare = max(0, placeCount - 2 * paths.count)
    var left = placeCount
    for index in paths.indices {
      let share = total > 0 ? lengths[index] / total : 1 / Float(paths.count)
      counts[index] = min(left, 2 + Int(share * Float(spare)))
      left -= counts[index]
    }
    let longest = lengths.indices.max { lengths[$0] < lengths[$1] } ?? 0
    counts[longest] += left
    return counts
  }

  private static func length(of path: [SIMD2<Float>]) -> Float {
    var sum: Float = 0
    for place in 1..<max(1, path.count) { sum += InkPath.norm(path[place] - path[place - 1]) }
    return sum
  }

  /// Writes `count` places, evenly spaced along a path.
  private static func append(_ path: [SIMD2<Float>], count: Int, to values: inout [Float]) {
    let step = length(of: path) / Float(max(1, count - 1))
    var places: [SIMD2<Float>] = [path[0]]
    var (segment, passed) = (1, Float(0))
    while places.count < count {
      let goal = step * Float(places.count)
      while segment < path.count - 1,
        passed + InkPath.norm(path[segment] - path[segment - 1]) < goal
      {
        passed += InkPath.norm(path[segment] - path[segment - 1])
        segment += 1
      }
      guard segment < path.count else {
        places.append(path[path.count - 1])
        continue
      }
      let way = path[segment] - path[segment - 1]
      let length = InkPath.norm(way)
      let share = length > 0 ? min(1, (goal - passed) / length) : 0
      places.append(path[segment - 1] + share * way)
    }
    for place in 0..<count {
      var way = places[min(place + 1, count - 1)] - places[max(0, place - 1)]
      let length = InkPath.norm(way)
      way = length > 1e-6 ? way / length : SIMD2()
      values += [
        places[place].x, places[place].y, way.x, way.y, place == 0 ? 1 : 0,
        place == count - 1 ? 1 : 0,
      ]
    }
  }
}
