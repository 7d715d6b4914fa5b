/// A rectangle of a lattice: its outermost lines.
struct LatticeBox: Hashable {
  var minU: Int
  var maxU: Int
  var minV: Int
  var maxV: Int

  func contains(_ u: Int, _ v: Int) -> Bool {
    u >= minU && u <= maxU && v >= minV && v <= maxV
  }
  /// How many cells it has across and down.
  var columns: Int { maxU - minU }
  var rows: Int { maxV - minV }
}

/// Finds the rectangles of a lattice that the evidence speaks for.
struct LatticeBoxes {
  private let evidence: LatticeEvidence
  private let count: Int
  /// Sums of all evidence above and to the left, `[count + 1, count + 1]`.
  private var upright: [Float]
  private var level: [Float]

  init(_ evidence: LatticeEvidence) {
    self.evidence = evidence
    count = evidence.count
    func sums(_ values: [Float]) -> [Float] {
      let stride = evidence.count + 1
      var sums = [Float](repeating: 0, count: stride * stride)
      for v in 0..<evidence.count {
        var line: Float = 0
        for u in 0..<evidence.count {
          line += values[v * evidence.count + u]
          sums[(v + 1) * stride + u + 1] = sums[v * stride + u + 1] + line
        }
      }
      return sums
    }
    upright = sums(evidence.upright)
    level = sums(evidence.level)
  }

  private func sum(_ sums: [Float], _ u: Range<Int>, _ v: Range<Int>) -> Float {
    let stride = count + 1
    return sums[v.upperBound * stride + u.upperBound] - sums[v.upperBound * stride + u.lowerBound]
      - sums[v.lowerBound * stride + u.upperBound] + sums[v.lowerBound * stride + u.lowerBound]
  }

  /// The evidence within a box, of 0-based numbers, and the number of its edges.
  private func value(_ u0: Int, _ u1: Int, _ v0: Int, _ v1: Int) -> (sum: Float, edges: Int) {
    let columns = u1 - u0
    let rows = v1 - v0
    return (
      sum(upright, u0..<u1 + 1, v0..<v1) + sum(level, u0..<u1, v0..<v1 + 1),
      (columns + 1) * rows + (rows + 1) * columns
    )
  }

  /// A box and what speaks for it.
  struct Scored {
    var box: LatticeBox
    /// The sum of the evidence, in edges.
    var score: Double
    /// The mean evidence of an edge, −1...1.
    var mean: Double
  }

  /// What boards with so many cells gain: those that are played on are square, with few sizes.
  static func prior(columns: Int, rows: Int) -> Double {
    guard columns == rows else { return 1 }
    switch columns {
    case 8, 9, 18: return 1.35
    case 10, 12, 15: return 1.2
    default: return 1.1
    }
  }

  /// The best boxes, best first, none of which shares most of its area with a better one.
  func best(limit: Int, leastCells: Int = 2) -> [Scored] {
    var found: [Scored] = []
    // Lines without any good evidence need not be tried as outermost ones.
    let usable = (0..<count).filter { u in
      (0..<count).contains { v in
        evidence.upright[v * count + u] > 0.3 || evidence.level[v * count + u] > 0.3
      }
    }
    let usableV = (0..<count).filter { v in
      (0..<count).contains { u in
        evidence.upright[v * count + u] > 0.3 || evidence.level[v * count + u] > 0.3
      }
    }
    guard let u0 = usable.first, let v0 = usableV.first else { return [] }
    let u1 = min(count - 1, usable.last! + 1)
    let v1 = min(count - 1, usableV.last! + 1)
    guard u1 - u0 >= leastCells, v1 - v0 >= leastCells else { return [] }
    for left in u0...u1 - leastCells {
      for right in left + leastCells...u1 {
        for top in v0...v1 - leastCells {
          for bottom in top + leastCells...v1 {
            let value = value(left, right, top, bottom)
            guard value.sum > 4 else { continue }
            let score =
              Double(value.sum) * Self.prior(columns: right - left, rows: bottom - top)
            if found.count == 64, score <= found[63].score { continue }
            let scored = Scored(
              box: LatticeBox(
                minU: left + evidence.first, maxU: right + evidence.first,
                minV: top + evidence.first, maxV: bottom + evidence.first),
              score: score, mean: Double(value.sum) / Double(value.edges))
            let place = found.firstIndex { $0.score < score } ?? found.count
            found.insert(scored, at: place)
            if found.count > 64 { found.removeLast() }
          }
        }
      }
    }
    return Array(found.prefix(limit))
  }
}
