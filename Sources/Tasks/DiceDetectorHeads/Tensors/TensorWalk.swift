/// Where the positions of a tensor lie in memory.
package enum TensorWalk {
  /// How far apart positions of each axis lie.
  package static func strides(of shape: [Int]) -> [Int] {
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    return strides
  }

  /// The place of each position of a walk through axes of some extents, the last one fastest.
  package static func places(_ extents: [Int], strides: [Int], from start: Int = 0) -> [Int] {
    var places = [start]
    for (extent, stride) in zip(extents, strides) {
      var next: [Int] = []
      next.reserveCapacity(places.count * extent)
      for place in places {
        for index in 0..<extent { next.append(place + index * stride) }
      }
      places = next
    }
    return places
  }
}

/// Which axes of a tensor lie in the rows, the columns and the channels of a value, slowest first.
///
/// Axes of extent 1 may be named or left out.
package struct Places: Hashable, Sendable {
  package var rows: [Int]
  package var columns: [Int]
  package var channels: [Int]

  /// Places of these axes.
  package init(rows: [Int] = [], columns: [Int] = [], channels: [Int] = []) {
    (self.rows, self.columns, self.channels) = (rows, columns, channels)
  }

  /// Rows, columns, channels.
  package var all: [[Int]] { [rows, columns, channels] }

  /// The numbers in their own order, divided so that no place is larger than need be: the last axis
  /// in channels, the one before in columns.
  package static func rowMajor(rank: Int) -> Places {
    Places(
      rows: Array(0..<max(0, rank - 2)), columns: rank >= 2 ? [rank - 2] : [],
      channels: rank >= 1 ? [rank - 1] : [])
  }
}
