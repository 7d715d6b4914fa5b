/// The heap of the module, in WebAssembly's linear memory.
///
/// Small blocks (up to 512 bytes with their header) come from lists of one size each and go back to them.
/// Larger ones come from a list of free blocks in the order of their addresses, the first that is large
/// enough, and are joined with free neighbours when they go back. So a stream of frames, each of which
/// takes and gives back the same blocks, holds the same memory however long it is.
///
/// A block is a multiple of 16 bytes and starts at one. The 16 bytes before what the caller gets say where
/// the block starts and how long it is. A free block starts with its length and the address of the next
/// one, 0 for none.
///
/// Nothing here is shared: the module has one thread. Addresses are below 2 GiB (`--max-memory`), so that
/// they are positive as `Int`.
enum Heap {
  private static let granularity = 16
  private static let smallByteCount = 512
  private static let pageByteCount = 65_536
  /// Memory grows by at least 1 MiB.
  private static let leastPageCount = 16

  /// The first free large block, 0 for none.
  @safe nonisolated(unsafe) private static var firstFree = 0
  /// Where the first free block of each small size stands, by size / 16; 0 before the first use.
  @safe nonisolated(unsafe) private static var smallLists = 0

  /// A block of `byteCount` bytes at a multiple of `alignment`, a power of two; nil where there is no
  /// memory left.
  static func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer? {
    let slack = max(0, alignment - granularity)
    guard byteCount >= 0, byteCount < Int.max - slack - 2 * granularity else { return nil }
    var size = (byteCount + slack + 2 * granularity - 1) / granularity * granularity
    guard let start = size <= smallByteCount ? takeSmall(size) : takeLarge(&size) else {
      return nil
    }
    let place = (start + granularity + slack) & ~(max(alignment, granularity) - 1)
    store(start, at: place - 8)
    store(size, at: place - 4)
    return unsafe UnsafeMutableRawPointer(bitPattern: place)
  }

  /// Takes a block back.
  static func free(_ pointer: UnsafeMutableRawPointer) {
    let place = Int(bitPattern: pointer)
    let start = load(place - 8)
    let size = load(place - 4)
    if size <= smallByteCount {
      let list = smallLists + size / granularity * 4
      store(load(list), at: start + 4)
      store(start, at: list)
    } else {
      giveBack(start, size)
    }
  }

  private static func takeSmall(_ size: Int) -> Int? {
    if smallLists == 0 {
      var byteCount = (smallByteCount / granularity + 1) * 4
      byteCount = (byteCount + granularity - 1) / granularity * granularity
      guard let lists = takeLarge(&byteCount) else { return nil }
      for list in 0...smallByteCount / granularity { store(0, at: lists + list * 4) }
      smallLists = lists
    }
    let list = smallLists + size / granularity * 4
    let first = load(list)
    if first != 0 {
      store(load(first + 4), at: list)
      return first
    }
    // Several at once, so that small blocks lie together and not between large ones.
    var chunkSize = size * max(1, 4096 / size)
    guard let chunk = takeLarge(&chunkSize) else { return nil }
    var rest = chunk + size
    while rest + size <= chunk + chunkSize {
      store(load(list), at: rest + 4)
      store(rest, at: list)
      rest += size
    }
    return chunk
  }

  /// The first free block that is large enough; `size` becomes its length.
  private static func takeLarge(_ size: inout Int) -> Int? {
    while true {
      var previous = 0
      var block = firstFree
      while block != 0 {
        let found = load(block)
        var next = load(block + 4)
        if found >= size {
          if found - size >= 2 * granularity {
            let rest = block + size
            store(found - size, at: rest)
            store(next, at: rest + 4)
            next = rest
          } else {
            size = found
          }
          if previous == 0 { firstFree = next } else { store(next, at: previous + 4) }
          return block
        }
        previous = block
        block = next
      }
      let pageCount = max(leastPageCount, (size + pageByteCount - 1) / pageByteCount)
      let firstPage = growMemory(0, Int32(pageCount))
      guard firstPage >= 0 else { return nil }
      giveBack(Int(firstPage) * pageByteCount, pageCount * pageByteCount)
    }
  }

  /// Puts a large block into the list and joins it with free neighbours.
  private static func giveBack(_ start: Int, _ size: Int) {
    var previous = 0
    var next = firstFree
    while next != 0, next < start {
      previous = next
      next = load(next + 4)
    }
    var size = size
    if next != 0, start + size == next {
      size += load(next)
      next = load(next + 4)
    }
    if previous != 0, previous + load(previous) == start {
      store(load(previous) + size, at: previous)
      store(next, at: previous + 4)
      return
    }
    store(size, at: start)
    store(next, at: start + 4)
    if previous == 0 { firstFree = start } else { store(start, at: previous + 4) }
  }

  @inline(__always)
  private static func load(_ address: Int) -> Int {
    unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.load(as: Int.self)
  }

  @inline(__always)
  private static func store(_ value: Int, at address: Int) {
    unsafe UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
      .storeBytes(of: value, as: Int.self)
  }
}

/// WebAssembly's instruction `memory.grow`: the old number of pages, or −1.
@_extern(c, "llvm.wasm.memory.grow.i32")
private func growMemory(_ memory: Int32, _ pageCount: Int32) -> Int32
