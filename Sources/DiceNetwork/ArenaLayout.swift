internal import DiceKernels

/// Where the buffers of a graph lie in one block of memory, for one input size.
///
/// Buffers that are never alive at the same time may share memory.
struct ArenaLayout: Hashable, Sendable {
  /// A buffer at one input size.
  ///
  /// Pixel `(row, column)` begins at
  /// `offset + ((row + halo) * (width + 2 * halo) + column + halo) * channelStep`.
  struct Region: Hashable, Sendable {
    /// The place of the buffer in the arena, in floats; a multiple of 16.
    var offset: Int
    var width: Int
    var height: Int
    var halo: Int
    var channelStep: Int
    /// Whether another buffer uses some of the memory, so that the border must be zeroed again.
    var isShared = false
    /// The first step that writes into another buffer's part of the memory after this one's last
    /// reader; `Int.max` where the values stay until the end of the run.
    var overwrittenAt = Int.max

    var rowStep: Int { (width + 2 * halo) * channelStep }
    var floatCount: Int { (height + 2 * halo) * rowStep }
    /// The place of the pixel in row 0 and column 0.
    var origin: Int { offset + halo * rowStep + halo * channelStep }
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
  ///   - keepsAll: Whether no memory is shared, so that all values can be read afterwards.
  ///   - spareCount: The floats behind each buffer that kernels may read.
  ///   - ownsMemory: Whether a buffer shares its memory with no other one.
  /// - Throws: `NetworkError.activationsTooLarge`.
  init(
    graph: Graph, width: Int, height: Int, keepsAll: Bool, spareCount: Int = 0,
    ownsMemory: (_ buffer: Int) -> Bool = { (_) in false }
  ) throws(NetworkError) {
    var sizes: [Int64] = []
    var total: Int64 = 0
    for buffer in graph.buffers {
      let region = Region(
        offset: 0, width: width / buffer.downsampling, height: height / buffer.downsampling,
        halo: buffer.halo, channelStep: buffer.channelStep)
      // Sides of at most 4096 + 6 and channels of at most 2¹⁸ cannot leave the range of Int64.
      let size =
        Int64(region.width + 2 * region.halo) * Int64(region.height + 2 * region.halo)
        * Int64(region.channelStep)
      guard size * 4 <= Self.byteCountLimit else {
        throw .activationsTooLarge(
          width: width, height: height, byteCount: size * 4, limit: Self.byteCountLimit)
      }
      regions.append(region)
      sizes.append((size + Int64(spareCount) + 15) / 16 * 16)
      total += sizes[sizes.count - 1]
    }
    let offsets = Self.place(
      sizes: sizes,
      lifetimes: graph.buffers.indices.map { (index) in
        ownsMemory(index)
          ? -1...Int.max : graph.buffers[index].firstStep...graph.buffers[index].lastStep
      }, shares: !keepsAll)
    var end: Int64 = 0
    for (index, offset) in offsets.enumerated() { end = max(end, offset + sizes[index]) }
    guard end * 4 <= Self.byteCountLimit else {
      throw .activationsTooLarge(
        width: width, height: height, byteCount: end * 4, limit: Self.byteCountLimit)
    }
    for (index, offset) in offsets.enumerated() { regions[index].offset = Int(offset) }
    floatCount = Int(end)
    noteSharing(graph.buffers)
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
    let order = sizes.indices.sorted { (a, b) in
      sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b
    }
    var offsets = [Int64](repeating: 0, count: sizes.count)
    var placed: [Int] = []
    for index in order {
      let conflicts = placed.filter { (other) in
        !shares || lifetimes[other].overlaps(lifetimes[index])
      }.sorted { (a, b) in offsets[a] != offsets[b] ? offsets[a] < offsets[b] : a < b }
      var offset: Int64 = 0
      for other in conflicts {
        if offset + sizes[index] <= offsets[other] { break }
        offset = max(offset, offsets[other] + sizes[other])
      }
      offsets[index] = offset
      placed.append(index)
    }
    return offsets
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
