internal import DiceTraining

/// What a cell of a head is to learn.
package enum GridRole: Hashable {
  /// That nothing is there.
  case background
  /// Nothing.
  case ignored
  /// The die with this index.
  case die(Int)
}

/// The cells of a head for one size of the network's input.
package struct Grid: Hashable {
  /// Rows of cells.
  var rows: Int
  /// Columns of cells.
  var columns: Int
  /// Pixels of the network's input from one cell to the next.
  var stride: Float
  /// The side of a die that the head is for, in pixels of the network's input.
  var baseSize: Float
}

/// How dice are given to the cells of heads that are to find them in a picture.
///
/// A die is given, on each head that reads its size, the cell its centre lies in and the nearest
/// cell beside it along each axis, where that cell's middle is less than one cell from the centre.
/// The cell across the corner counts neither way. A cell between two dice belongs to the nearer.
/// Cells inside a die that nobody can read count neither way.
///
/// Where a die is given depends on the die alone. If predictions chose among the cells, a network
/// could lower the class term without reading: each cell around a die would bet on another value.
///
/// Source of the three cells: YOLOv5 (Jocher, 2020).
package struct DetectionAssignment: Hashable {
  /// A head is given dice up to this factor larger or smaller than its base size, and the head
  /// whose base size is nearest is given every die.
  static let sizeFactor: Float = 2.6

  let grids: [Grid]

  /// Assigns people or things to cells of some heads.
  package init(grids: [Grid]) { self.grids = grids }

  /// The role of each cell, row by row, for each head.
  package func roles(_ truths: [TruthBox]) -> [[GridRole]] {
    var roles = grids.map { [GridRole](repeating: .background, count: $0.rows * $0.columns) }
    // The squared distance, in cells, of the die that a cell was given.
    var distances = grids.map { [Float](repeating: .infinity, count: $0.rows * $0.columns) }
    for truth in truths where truth.classIndex == nil { ignore(truth, in: &roles) }
    for (index, truth) in truths.enumerated() where truth.classIndex != nil {
      let size = max((truth.width * truth.height).squareRoot(), 1)
      let sizeDistances = grids.map { abs(naturalLogarithm(size / $0.baseSize)) }
      let nearest = sizeDistances.min() ?? 0
      for (head, grid) in grids.enumerated() {
        guard
          sizeDistances[head] <= naturalLogarithm(Self.sizeFactor)
            || sizeDistances[head] == nearest
        else { continue }
        let (x, y) = (truth.centerX / grid.stride, truth.centerY / grid.stride)
        for row in nearCells(y, grid.rows) {
          for column in nearCells(x, grid.columns) {
            let (dx, dy) = (abs(Float(column) + 0.5 - x), abs(Float(row) + 0.5 - y))
            let place = row * grid.columns + column
            guard min(dx, dy) <= 0.5 else {
              if case .background = roles[head][place] { roles[head][place] = .ignored }
              continue
            }
            let distance = dx * dx + dy * dy
            if distance < distances[head][place] {
              distances[head][place] = distance
              roles[head][place] = .die(index)
            }
          }
        }
      }
    }
    return roles
  }

  /// The cells whose centre is less than one cell from a place, in cells.
  private func nearCells(_ place: Float, _ count: Int) -> [Int] {
    let first = Int((place - 1.5).rounded(.up))
    return [first, first + 1].filter { $0 >= 0 && $0 < count && abs(Float($0) + 0.5 - place) < 1 }
  }

  private func ignore(_ truth: TruthBox, in roles: inout [[GridRole]]) {
    for (head, grid) in grids.enumerated() {
      for row in 0..<grid.rows {
        for column in 0..<grid.columns
        where truth.contains(
          x: (Float(column) + 0.5) * grid.stride, y: (Float(row) + 0.5) * grid.stride)
        {
          roles[head][row * grid.columns + column] = .ignored
        }
      }
    }
  }
}

/// How a crop's dice are given to the cells of a head that is to classify what is in its middle: the
/// middle cell alone counts.
///
/// It is given the die whose centre is nearest to it, if that is near enough and about as large as
/// expected, and is background where no die comes near that; it does not count where that is in
/// doubt.
struct CropAssignment: Hashable {
  /// How far a die's centre may lie from the middle along either axis, as a share of the side that
  /// a die should have.
  static let reach: Float = 0.36
  /// Dice whose centre is farther away than this are not what the middle shows.
  static let beyondReach: Float = 0.5
  /// How much larger or smaller than expected a die may be.
  static let sizeFactor: Float = 1.7
  /// Dice that are larger or smaller by more than this are not what the middle shows.
  static let beyondSizeFactor: Float = 2.4

  let grids: [Grid]

  /// The role of each cell, row by row, for each head.
  func roles(_ truths: [TruthBox]) -> [[GridRole]] {
    grids.map { grid in
      var roles = [GridRole](repeating: .ignored, count: grid.rows * grid.columns)
      roles[grid.rows / 2 * grid.columns + grid.columns / 2] = role(
        of: truths, x: Float(grid.columns) / 2 * grid.stride,
        y: Float(grid.rows) / 2 * grid.stride, side: grid.baseSize)
      return roles
    }
  }

  private func role(of truths: [TruthBox], x: Float, y: Float, side: Float) -> GridRole {
    var role = GridRole.background
    var least = Float.infinity
    for (index, truth) in truths.enumerated() {
      let distance = max(abs(truth.centerX - x), abs(truth.centerY - y)) / side
      let ratio = max(truth.width, truth.height, 1) / side
      let factor = max(ratio, 1 / ratio)
      guard distance < min(least, Self.beyondReach), factor < Self.beyondSizeFactor
      else { continue }
      least = distance
      let isCertain =
        truth.classIndex != nil && distance < Self.reach && factor < Self.sizeFactor
      role = isCertain ? .die(index) : .ignored
    }
    return role
  }
}
