/// Where the numbers of a sparse tensor stand: what is stored is only what is not 0.
///
/// Axes, and the blocks that some of them are cut into, are levels of a tree, in an order of the file's. A dense
/// level has all of its places, a sparse one lists those that are there.
///
/// Source: `SparsityParameters` of LiteRT's `schema.fbs`; numbers are places of fields in its tables.
struct TFLiteSparsity {
  /// An axis of the tensor, or of the blocks of one.
  private struct Level {
    /// The tensor's axis.
    let axis: Int
    /// How far apart along the axis its places are.
    let step: Int
    let count: Int
    /// The places that are there, and where in them those of each parent begin; nil for all places.
    let sparse: (begins: [Int], places: [Int])?
  }

  private let levels: [Level]
  private let shape: [Int]

  /// - Parameters:
  ///   - table: The tensor's sparsity.
  ///   - shape: The tensor's shape, whose extents are all above 0.
  ///   - limit: The most integers that a list may have.
  init(_ table: FlatbufferTable, shape: [Int], limit: Int) throws(LoweringFault) {
    self.shape = shape
    do throws(FlatbufferError) {
      levels = try Self.levels(table, shape, limit)
    } catch {
      throw .invalid("Its sparse numbers: \(error)")
    }
    guard !levels.isEmpty else { throw Self.broken }
  }

  private static let broken = LoweringFault.invalid(
    "Its sparse numbers break the rules of their levels.")

  /// The levels; none where they break a rule.
  private static func levels(
    _ table: FlatbufferTable, _ shape: [Int], _ limit: Int
  ) throws(FlatbufferError) -> [Level] {
    let rank = shape.count
    let order = try table.integers(0, byteCount: 4, limit: 2 * TFLiteFile.rankLimit) ?? []
    let blocked = try table.integers(1, byteCount: 4, limit: TFLiteFile.rankLimit) ?? []
    let tables = try table.tables(2, limit: 2 * TFLiteFile.rankLimit)
    guard rank > 0, order.count == rank + blocked.count, tables.count == order.count,
      order.sorted() == Array(order.indices), order.prefix(rank).allSatisfy({ $0 < rank }),
      Set(blocked).count == blocked.count, blocked.allSatisfy({ (0..<rank).contains($0) })
    else { return [] }
    // The blocks' sizes come first: they are the steps of their axes.
    var steps = [Int](repeating: 1, count: rank)
    for (number, table) in zip(order, tables) where number >= rank {
      let axis = blocked[number - rank]
      steps[axis] = try table.integer(1, byteCount: 4) ?? 0
      guard steps[axis] > 0, shape[axis] % steps[axis] == 0 else { return [] }
    }
    var levels: [Level] = []
    for (number, table) in zip(order, tables) {
      let isBlock = number >= rank
      let axis = isBlock ? blocked[number - rank] : number
      let count = isBlock ? steps[axis] : shape[axis] / steps[axis]
      let step = isBlock ? 1 : steps[axis]
      guard try table.integer(0, byteCount: 1) ?? 0 != 0 else {
        guard try table.integer(1, byteCount: 4) == count else { return [] }
        levels.append(Level(axis: axis, step: step, count: count, sparse: nil))
        continue
      }
      let begins = try integers(table, kind: 2, list: 3, limit)
      let places = try integers(table, kind: 4, list: 5, limit)
      guard begins.first == 0, begins.last == places.count,
        zip(begins, begins.dropFirst()).allSatisfy(<=),
        places.allSatisfy({ (0..<count).contains($0) })
      else { return [] }
      levels.append(Level(axis: axis, step: step, count: count, sparse: (begins, places)))
    }
    return levels
  }

  /// A list of integers of 32 bits, or of 16 or 8 bits without signs.
  private static func integers(
    _ table: FlatbufferTable, kind: Int, list: Int, _ limit: Int
  ) throws(FlatbufferError) -> [Int] {
    guard let vector = try table.table(list) else { return [] }
    switch try table.integer(kind, byteCount: 1) ?? 0 {
    case 1: return try vector.integers(0, byteCount: 4, limit: limit) ?? []
    case 2: return try vector.integers(0, byteCount: 2, limit: limit)?.map { $0 & 0xFFFF } ?? []
    case 3: return try vector.integers(0, byteCount: 1, limit: limit)?.map { $0 & 0xFF } ?? []
    default: return []
    }
  }

  /// The place of each stored number in the tensor, row by row.
  ///
  /// - Parameter limit: How many numbers are stored at most.
  func places(limit: Int) throws(LoweringFault) -> [Int] {
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    // The nodes of a level, each with the place that it begins at.
    var nodes = [0]
    for level in levels {
      let stride = strides[level.axis] * level.step
      var next: [Int] = []
      if let (begins, places) = level.sparse {
        guard begins.count == nodes.count + 1 else { throw Self.broken }
        next.reserveCapacity(places.count)
        for (node, start) in nodes.enumerated() {
          var last = -1
          for place in places[begins[node]..<begins[node + 1]] {
            // No place twice: so there are no more nodes than the tensor has numbers.
            guard place > last else { throw Self.broken }
            next.append(start + place * stride)
            last = place
          }
        }
      } else {
        next.reserveCapacity(nodes.count * level.count)
        for start in nodes {
          for place in 0..<level.count { next.append(start + place * stride) }
        }
      }
      nodes = next
    }
    guard nodes.count <= limit else { throw Self.broken }
    return nodes
  }
}
