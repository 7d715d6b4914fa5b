internal import DiceNumerics
package import DiceNetwork
internal import DiceWeights

/// The maps that a network gives for one crop, and where the joints are by them.
///
/// Its memory is used again from crop to crop.
package struct JointMaps: Sendable {
  /// Where a joint is by its map.
  package struct Place: Hashable, Sendable {
    /// Shares of the crop's sides from the top left, 0...1.
    package var x: Float
    /// Shares of the crop's sides from the top left, 0...1.
    package var y: Float
    /// The share of the map's probability that lies around the place, 0...1; 0 where the map holds a NaN.
    package var mass: Float
  }

  /// The rows of each map.
  package let rows: Int
  /// The columns of each map.
  package let columns: Int
  /// The number of maps.
  package let count: Int
  /// How many rows and columns around the peak count.
  private let reach: Int
  /// The logits: map by map, row by row.
  private var logits: [Float]

  /// Memory for some maps.
  ///
  /// - Precondition: all three are 1 at least.
  package init(rows: Int, columns: Int, count: Int = PoseHead.labels.count) {
    precondition(rows > 0 && columns > 0 && count > 0, "a map has places")
    self.rows = rows
    self.columns = columns
    self.count = count
    // A bell curve of training has the deviation of a 32nd of the side.
    reach = max(2, max(rows, columns) / 16)
    logits = [Float](repeating: 0, count: rows * columns * count)
  }

  /// Takes the maps of a network's output.
  ///
  /// - Precondition: the output has the shape of these maps, as ``PoseHead`` says.
  package mutating func take(_ output: OutputRegion) {
    read(output) { $0 = $1 }
  }

  /// Takes the mean of the maps and of those of the mirrored crop, turned back: left and right change
  /// sides.
  ///
  /// - Precondition: as for ``take(_:)``.
  package mutating func addMirrored(_ output: OutputRegion) {
    read(output, isMirrored: true) { $0 = ($0 + $1) / 2 }
  }

  @inline(__always)
  private mutating func read(
    _ output: OutputRegion, isMirrored: Bool = false, _ body: (inout Float, Float) -> Void
  ) {
    let side = PoseHead.refinement
    precondition(
      output.height * side == rows && output.width * side == columns
        && output.slots.count == count * side * side, "an output of these maps")
    for map in 0..<count {
      let source = isMirrored ? PoseHead.mirrored[map] : map
      for row in 0..<rows {
        for column in 0..<columns {
          let from = isMirrored ? columns - 1 - column : column
          let channel = side * side * source + row % side * side + from % side
          body(
            &logits[(map * rows + row) * columns + column],
            output[row / side, from / side, channel])
        }
      }
    }
  }

  /// One logit; traps outside the maps.
  package subscript(map: Int, row: Int, column: Int) -> Float {
    get { logits[index(map, row, column)] }
    set { logits[index(map, row, column)] = newValue }
  }

  private func index(_ map: Int, _ row: Int, _ column: Int) -> Int {
    precondition(
      map >= 0 && map < count && row >= 0 && row < rows && column >= 0 && column < columns,
      "a place in the maps")
    return (map * rows + row) * columns + column
  }

  /// Where a joint is: the mean of the places around the peak of the map's softmax.
  ///
  /// So a joint between two places is found between them. The first of several peaks counts. A map with a
  /// NaN or an infinite logit gives the middle with mass 0.
  ///
  /// - Precondition: `map` is one of the maps.
  /// - Complexity: O(places).
  package mutating func place(of map: Int) -> Place {
    let start = index(map, 0, 0)
    var (best, peak) = (-Float.infinity, 0)
    var isFinite = true
    for offset in 0..<rows * columns {
      let logit = logits[start + offset]
      isFinite = isFinite && logit.isFinite
      if logit > best { (best, peak) = (logit, offset) }
    }
    guard isFinite else { return Place(x: 0.5, y: 0.5, mass: 0) }
    let (row, column) = (peak / columns, peak % columns)
    var (all, near, x, y) = (Float(0), Float(0), Float(0), Float(0))
    for offset in 0..<rows * columns {
      let logit = logits[start + offset] - best
      // Less than a millionth of the peak.
      guard logit > -14 else { continue }
      let share = exponential(logit)
      all += share
      let (v, u) = (offset / columns, offset % columns)
      guard abs(v - row) <= reach, abs(u - column) <= reach else { continue }
      near += share
      x += share * (Float(u) + 0.5)
      y += share * (Float(v) + 0.5)
    }
    return Place(
      x: x / near / Float(columns), y: y / near / Float(rows), mass: min(1, near / all))
  }
}
