/// Puts the pieces of a line in order, and says which can be one digit.
struct PieceOrder {
  let ink: InkPieces

  /// Pieces from left to right by their middles; the parts of one piece stay in their order.
  func sorted(_ members: [Int]) -> [Int] {
    let keys = keys(of: members)
    return members.indices.sorted { (keys[$0], members[$0]) < (keys[$1], members[$1]) }
      .map { members[$0] }
  }

  private func keys(of members: [Int]) -> [Int] {
    var greatest: [Int32: Int] = [:]
    var keys = [Int](repeating: 0, count: members.count)
    for place in members.indices.sorted(by: { members[$0] < members[$1] }) {
      let member = members[place]
      let origin = ink.pieces[member].origin
      keys[place] = max(greatest[origin] ?? Int.min, middle(member))
      greatest[origin] = keys[place]
    }
    return keys
  }

  private func middle(_ index: Int) -> Int {
    ink.pieces[index].columns.lowerBound + ink.pieces[index].columns.upperBound
  }

  /// Whether a group is no larger than a digit of a line's usual height can be.
  func fits(_ members: [Int], unit: Float) -> Bool {
    let box = ink.box(of: members)
    return Float(box.columns.count) <= 1.7 * unit && Float(box.rows.count) <= 1.9 * unit
  }
}
