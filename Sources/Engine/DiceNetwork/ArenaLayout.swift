internal import DiceKernels
internal import DiceWeights

/// Where the buffers of a graph lie in one block of memory, for one input size.
///
/// Buffers that are never alive at the same time may share memory.
struct ArenaLayout: Hashable, Sendable {
  /// A buffer at one input size.
  ///
  /// Pixel `(row, column)` begins at `origin + row * rowStep + column * channelStep`.
  struct Region: Hashable, Sendable {
    /// The place of the buffer in the arena, in floats; a multiple of 16.
    var offset: Int
    var height: Int
    var width: Int
    /// Pixels of zeros around it.
    var halo: Layer.Edges
    var channelStep: Int
    /// Whether another buffer uses some of the memory, so that the border must be zeroed again.
    var isShared = false
    /// The first step that writes into another buffer's part of the memory after this one's last
    /// reader; `Int.max` where the values stay until the end of the run.
    var overwrittenAt = Int.max

    var rowStep: Int { (halo.left + width + halo.right) * channelStep }
    var floatCount: Int { (halo.top + height + halo.bottom) * rowStep }
    /// The place of the pixel in row 0 and column 0.
    var origin: Int { offset + halo.top * rowStep + halo.left * channelStep }
    var hasHalo: Bool { halo != Layer.Edges() }
  }

  /// By buffer.
  private(set) var regions: [Region] = []
  /// The floats of the whole arena.
  private(set) var floatCount = 0

  /// The most bytes of an arena, just below 2 GiB.
  static let byteCountLimit = Int64(Int32.max)

  /// Plans an arena.
  ///
  /// - Parameters:
  ///   - shapes: The shapes of all values.
  ///   - keepsAll: Whether no memory is shared, so that all values can be read afterwards.
  ///   - spareCount: The floats behind each buffer that kernels may read.
  ///   - ownsMemory: Whether a buffer shares its memory with no other one.
  /// - Throws: `NetworkError.activationsTooLarge`.
  init(
    graph: Graph, shapes: NetworkShapes, keepsAll: Bool, spareCount: Int = 0,
    ownsMemory: (_ buffer: Int) -> Bool = { (_) in false }
  ) throws(NetworkError) {
    var sizes: [Int64] = []
    for buffer in graph.buffers {
      let shape =
        buffer.value < graph.inputCount
        ? shapes.inputs[buffer.value] : shapes.layers[buffer.value - graph.inputCount]
      let region = Region(
        offset: 0, height: shape.height, width: shape.width, halo: buffer.halo,
        channelStep: buffer.channelStep)
      // At most 2²⁸ pixels with borders of 2¹² on each side, of at most 2²⁷ floats, cannot leave the
      // range of Int64.
      let size =
        Int64(region.halo.top + region.height + region.halo.bottom)
        * Int64(region.halo.left + region.width + region.halo.right) * Int64(region.channelStep)
      try Self.check(size)
      regions.append(region)
      sizes.append((size + Int64(spareCount) + 15) / 16 * 16)
    }
    let offsets = Self.place(
      sizes: sizes,
      lifetimes: graph.buffers.indices.map { (index) in
        ownsMemory(index)
          ? -1...Int.max : graph.buffers[index].firstStep...graph.buffers[index].lastStep
      }, shares: !keepsAll)
    var end: Int64 = 0
    for (index, offset) in offsets.enumerated() { end = max(end, offset + sizes[index]) }
    try Self.check(end)
    for (index, offset) in offsets.enumerated() { regions[index].offset = Int(offset) }
    floatCount = Int(end)
    noteSharing(graph.buffers)
  }

  private static func check(_ floatCount: Int64) throws(NetworkError) {
    guard floatCount <= byteCountLimit / 4 else {
      throw .activationsTooLarge(
        byteCount: floatCount.multipliedReportingOverflow(by: 4).overflow ? .max : floatCount * 4,
        limit: byteCountLimit)
    }
  }

  /// First fit, largest first: the lowest place where a buffer meets no other one alive with it.
  ///
  /// - Parameters:
  ///   - sizes: The size of each buffer; multiples of 16 give places that are multiples of 16.
  ///   - lifetimes: The steps during which each buffer holds values.
  ///   - shares: Whether buffers that are not alive together may overlap.
  /// - Returns: The place of each buffer.
  static func place(
    sizes: [Int64], lifetimes: [ClosedRange<Int>], shares: Bool
  ) -> [Int64] {
    // Equal sizes keep their order, so that a plan is the same every time.
    let order = Self.order(sizes.count) { (a, b) in sizes[a] > sizes[b] }
    var offsets = [Int64](repeating: 0, count: sizes.count)
    // Those that have their place, from the lowest on.
    var placed: [Int] = []
    for index in order {
      var offset: Int64 = 0
      for other in placed where !shares || lifetimes[other].overlaps(lifetimes[index]) {
        if offset + sizes[index] <= offsets[other] { break }
        offset = max(offset, offsets[other] + sizes[other])
      }
      offsets[index] = offset
      var place = placed.count
      while place > 0 && offsets[placed[place - 1]] > offset { place -= 1 }
      placed.insert(index, at: place)
    }
    return offsets
  }

  /// Indices in order, by insertion; the library's own sorting would be most of this file's size.
  private static func order(_ count: Int, _ isBefore: (Int, Int) -> Bool) -> [Int] {
    var order: [Int] = []
    for index in 0..<count {
      var place = order.count
      while place > 0 && isBefore(index, order[place - 1]) { place -= 1 }
      order.insert(index, at: place)
    }
    return order
  }

  private mutating func noteSharing(_ buffers: [FeatureBuffer]) {
    for index in regions.indices {
      let own = regions[index].offset..<regions[index].offset + regions[index].floatCount
      for other in regions.indices where other != index {
        let theirs = regions[other].offset..<regions[other].offset + regions[other].floatCount
        guard own.overlaps(theirs) else { continue }
        regions[index].isShared = true
        if buffers[other].firstStep > buffers[index].firstStep {
          regions[index].overwrittenAt = min(
            regions[index].overwrittenAt, buffers[other].firstStep)
        }
      }
    }
  }
}
