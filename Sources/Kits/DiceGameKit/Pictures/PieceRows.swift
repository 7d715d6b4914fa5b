/// Puts pieces of ink together that can be of one line of digits.
struct PieceRows {
  let pieces: [InkPiece]

  /// Pieces of one line.
  struct Row {
    var members: [Int]
    /// The usual height of a digit.
    var unit: Float
  }

  /// Digits are at least as high, in pixels.
  static let leastHeight = 6

  /// The lines of a picture.
  func rows() -> [Row] {
    let used = pieces.indices.filter { !isFrame($0) }
    return clusters(used).flatMap { rows(of: $0) }
  }

  /// How far two pieces are apart along both axes; negative where they overlap.
  private func gaps(_ one: Int, _ other: Int) -> (x: Int, y: Int) {
    let (a, b) = (pieces[one], pieces[other])
    return (
      max(a.columns.lowerBound, b.columns.lowerBound)
        - min(a.columns.upperBound, b.columns.upperBound),
      max(a.rows.lowerBound, b.rows.lowerBound) - min(a.rows.upperBound, b.rows.upperBound)
    )
  }

  /// How far two pieces' boxes are apart, the greater of both axes; 0 where they overlap.
  func gap(_ one: Int, _ other: Int) -> Float {
    let gaps = gaps(one, other)
    return Float(max(0, gaps.x, gaps.y))
  }

  /// A line around other pieces.
  private func isFrame(_ index: Int) -> Bool {
    let piece = pieces[index]
    guard piece.width >= 20, piece.height >= 20 else { return false }
    let holdsOthers = pieces.indices.contains { other in
      other != index && 4 * pieces[other].height >= piece.height
        && piece.columns.lowerBound < pieces[other].columns.lowerBound
        && piece.columns.upperBound > pieces[other].columns.upperBound
        && piece.rows.lowerBound < pieces[other].rows.lowerBound
        && piece.rows.upperBound > pieces[other].rows.upperBound
    }
    guard holdsOthers else { return false }
    let (edgeX, edgeY) = (piece.width / 8, piece.height / 8)
    let inner = piece.columns.lowerBound + edgeX..<piece.columns.upperBound - edgeX
    var inside = 0
    for run in piece.runs
    where run.row >= piece.rows.lowerBound + edgeY && run.row < piece.rows.upperBound - edgeY {
      inside += run.columns.clamped(to: inner).count
    }
    return 5 * inside <= piece.area
  }

  // MARK: Clusters

  private func areNeighbours(_ one: Int, _ other: Int) -> Bool {
    let (a, b) = (pieces[one], pieces[other])
    let (sizeA, sizeB) = (max(a.width, a.height), max(b.width, b.height))
    let (large, small) = (max(sizeA, sizeB), min(sizeA, sizeB))
    guard large <= 5 * small else { return false }
    let gaps = gaps(one, other)
    let (high, low) = (max(a.height, b.height), min(a.height, b.height))
    if 10 * -gaps.y >= 4 * low, 10 * gaps.x <= 12 * min(high, 2 * small) { return true }
    // The roof of a five, or another part.
    return 2 * low < high && 5 * max(gaps.x, gaps.y) <= large
  }

  private func clusters(_ used: [Int]) -> [[Int]] {
    var left = used
    var clusters: [[Int]] = []
    while let start = left.popLast() {
      var cluster = [start]
      var place = 0
      while place < cluster.count {
        let current = cluster[place]
        var rest: [Int] = []
        for other in left {
          if areNeighbours(current, other) { cluster.append(other) } else { rest.append(other) }
        }
        left = rest
        place += 1
      }
      clusters.append(cluster)
    }
    return clusters
  }

  // MARK: Rows

  private func rows(of cluster: [Int]) -> [Row] {
    let heights = cluster.map { pieces[$0].height }.sorted()
    let highest = heights[heights.count - 1]
    // Of the higher half of pieces, the middle one.
    let high = heights.filter { 2 * $0 >= highest }
    let unit = Float(high[high.count / 2])
    let tall = cluster.filter { Float(pieces[$0].height) >= 0.5 * unit }
      .sorted { pieces[$0].columns.lowerBound < pieces[$1].columns.lowerBound }
    var rows: [Row] = []
    for piece in tall {
      func share(_ row: Row) -> Float {
        guard let last = row.members.last else { return 0 }
        return Float(-gaps(last, piece).y) / Float(min(pieces[last].height, pieces[piece].height))
      }
      let best = rows.indices.max { share(rows[$0]) < share(rows[$1]) }
      if let best, share(rows[best]) >= 0.4 {
        rows[best].members.append(piece)
      } else {
        rows.append(Row(members: [piece], unit: unit))
      }
    }
    for piece in cluster where Float(pieces[piece].height) < 0.5 * unit {
      let size = Float(max(pieces[piece].width, pieces[piece].height))
      guard size >= 0.12 * unit else { continue }
      func distance(_ row: Row) -> Float {
        row.members.reduce(Float.infinity) { min($0, gap($1, piece)) }
      }
      let best = rows.indices.min { distance(rows[$0]) < distance(rows[$1]) }
      if let best { rows[best].members.append(piece) }
    }
    return rows.compactMap { row in
      let heights = row.members.map { pieces[$0].height }.filter { Float($0) >= 0.5 * unit }
        .sorted()
      guard !heights.isEmpty else { return nil }
      let own = heights[heights.count / 2]
      return own >= Self.leastHeight ? Row(members: row.members, unit: Float(own)) : nil
    }
  }
}
