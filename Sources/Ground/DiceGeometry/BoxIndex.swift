/// Boxes that are added one by one, and the search for those that overlap another box.
///
/// A box B that overlaps a box A by more than `t` lies near it. Along either axis, let `a` and `b` be
/// their lengths, `s` the shared length and `d` the distance of the centres, so that
/// `d ≤ (a + b) / 2 − s`. The other axis shares at most what each box has there, hence the
/// intersection over union is at most `s / (a + b − s)`, and
///
///     s > t (a + b) / (1 + t)     and, since s ≤ a,     b < a / t.
///
/// With `m` the lesser of `a / t` and the largest length of all boxes,
///
///     d < (a + m) (1 − t) / (2 (1 + t)).
///
/// So a search looks at the cells of a grid over centres that lie within that reach, or at all boxes
/// where these are fewer than the cells. What it finds does not depend on which.
struct BoxIndex: Sendable {
  private var boxes: [Candidate] = []
  private var grid = CenterGrid()
  private var usesGrid = false
  private var reach = Reach()
  /// Whether no product of sides can overflow or underflow.
  private var isPlain = true
  private var threshold = 0.0
  /// A little less than the threshold, to spare most divisions.
  private var certainlyBelow = 0.0

  typealias Candidate = NonMaximumSuppression.Candidate

  /// A box of the index and how much of it another box shares.
  struct Overlap: Sendable {
    /// The box's number, in the order in which boxes were added.
    var number: Int
    var intersectionOverUnion: Double
  }

  /// Removes all boxes, and prepares for any of the candidates.
  ///
  /// - Parameters:
  ///   - candidates: All boxes that will be added or searched for.
  ///   - capacity: The count of boxes for which to set memory aside, at least that of the candidates.
  ///   - threshold: The intersection over union that searches must exceed, in 0..<1.
  mutating func reset(for candidates: [Candidate], capacity: Int, threshold: Double) {
    boxes.removeAll(keepingCapacity: true)
    boxes.reserveCapacity(capacity)
    // Lengths are divided by it: −0 would turn the largest reach into the least.
    self.threshold = threshold.magnitude
    certainlyBelow = self.threshold * (1 - 0x1p-40)
    reach = Reach(threshold: certainlyBelow)
    isPlain = true
    var edge = 0.0
    var x = (least: Double.infinity, greatest: -Double.infinity)
    var y = x
    var count = 0
    for candidate in candidates where candidate.corners.hasArea {
      let corners = candidate.corners
      isPlain = isPlain && corners.isPlain
      reach.maximumWidth = max(reach.maximumWidth, corners.width)
      reach.maximumHeight = max(reach.maximumHeight, corners.height)
      edge = max(edge, max(max(-corners.minX, corners.maxX), max(-corners.minY, corners.maxY)))
      x = (min(x.least, corners.midX), max(x.greatest, corners.midX))
      y = (min(y.least, corners.midY), max(y.greatest, corners.midY))
      count += 1
    }
    // Each centre and each end of a range is rounded a few times, by 2⁻⁵³ of the largest edge.
    reach.slack = edge * 0x1p-48
    usesGrid = isPlain && count > 64
    guard usesGrid else { return }
    var sum = (x: 0.0, y: 0.0)
    for candidate in candidates where candidate.corners.hasArea {
      sum.x += reach.x(candidate.corners)
      sum.y += reach.y(candidate.corners)
    }
    grid.reset(
      capacity: capacity, x: x.least...x.greatest, y: y.least...y.greatest,
      radiusX: sum.x / Double(count), radiusY: sum.y / Double(count))
  }

  /// Adds one of the candidates.
  mutating func append(_ box: Candidate) {
    boxes.append(box)
    guard usesGrid else { return }
    if box.corners.hasArea {
      grid.append(x: box.corners.midX, y: box.corners.midY)
    } else {
      grid.skip()
    }
  }
}

// MARK: - Searching

extension BoxIndex {
  /// Whether a box of the candidate's class overlaps it by more than the threshold.
  func covers(_ candidate: Candidate) -> Bool {
    guard candidate.corners.hasArea else { return false }
    guard let cells = cells(near: candidate) else {
      for number in 0..<boxes.count where isOverThreshold(number, candidate) { return true }
      return false
    }
    for row in cells.rows {
      for column in cells.columns {
        var number = grid.newest(column: column, row: row)
        while number >= 0 {
          if isOverThreshold(number, candidate) { return true }
          number = grid.older(than: number)
        }
      }
    }
    return false
  }

  /// Writes the boxes of the candidate's class that overlap it by more than the threshold, in no
  /// particular order.
  func collectOverlaps(with candidate: Candidate, into overlaps: inout [Overlap]) {
    overlaps.removeAll(keepingCapacity: true)
    guard candidate.corners.hasArea else { return }
    guard let cells = cells(near: candidate) else {
      for number in 0..<boxes.count where isOverThreshold(number, candidate) {
        overlaps.append(overlap(number, candidate))
      }
      return
    }
    for row in cells.rows {
      for column in cells.columns {
        var number = grid.newest(column: column, row: row)
        while number >= 0 {
          if isOverThreshold(number, candidate) { overlaps.append(overlap(number, candidate)) }
          number = grid.older(than: number)
        }
      }
    }
  }

  /// The cells to search, or nil where it is quicker to go through all boxes.
  private func cells(near candidate: Candidate) -> CenterGrid.CellRange? {
    guard usesGrid, boxes.count > 8 else { return nil }
    let corners = candidate.corners
    let (x, y) = (corners.midX, corners.midY)
    let (reachX, reachY) = (reach.x(corners), reach.y(corners))
    let cells = grid.cells(x: x - reachX...x + reachX, y: y - reachY...y + reachY)
    return cells.count < boxes.count ? cells : nil
  }

  @inline(__always)
  private func isOverThreshold(_ number: Int, _ candidate: Candidate) -> Bool {
    guard boxes[number].classIndex == candidate.classIndex else { return false }
    guard isPlain else { return overlap(number, candidate).intersectionOverUnion > threshold }
    let intersection = boxes[number].corners.plainIntersection(with: candidate.corners)
    guard intersection > 0 else { return false }
    let union = boxes[number].area + candidate.area - intersection
    return intersection > certainlyBelow * union && intersection / union > threshold
  }

  private func overlap(_ number: Int, _ candidate: Candidate) -> Overlap {
    let overlap = BoxOverlap(boxes[number].corners, candidate.corners)
    return Overlap(number: number, intersectionOverUnion: overlap.intersectionOverUnion)
  }
}

/// How far away along each axis a box can be that overlaps by more than a threshold.
private struct Reach: Sendable {
  var threshold = 0.0
  var maximumWidth = 0.0
  var maximumHeight = 0.0
  /// What rounding can add to a distance of centres.
  var slack = 0.0

  func x(_ corners: Corners) -> Double { along(corners.width, maximum: maximumWidth) }
  func y(_ corners: Corners) -> Double { along(corners.height, maximum: maximumHeight) }

  private func along(_ length: Double, maximum: Double) -> Double {
    let sum = length + min(length / threshold, maximum)
    let distance = sum * (1 - threshold) / (2 * (1 + threshold))
    return distance * (1 + 0x1p-40) + slack
  }
}
