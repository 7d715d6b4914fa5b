/// Follows the borders of a binary picture's foreground, and says which lies in which.
///
/// Foreground pixels belong together where they touch at a side or a corner, ground where it touches at
/// a side. Each part of the foreground has an outer border, and one more for each hole in it; both run
/// on foreground pixels. The borders, their parents, the direction of their walk (outer ones against
/// the clock as one sees the picture) and their first points are those of Suzuki's and Abe's method,
/// and of OpenCV's `findContours` with `RETR_TREE`.
///
/// A border passes vertical edges between a pixel of the foreground and one of the ground, each edge
/// belongs to one border, and the first of a border's edges, row by row, is a left one of an outer border
/// or a right one of a hole's. So the picture is searched for edges that no border has passed, a word of
/// 64 pixels at a time, and each border is followed when its first edge is met; the edge before that
/// one in its row belongs to the parent, or to a sibling.
///
/// A tracer keeps its memory: once it has seen a picture of a size with as many points, it allocates
/// nothing. Keep one for each thread.
///
/// Source: S. Suzuki and K. Abe, Topological Structural Analysis of Digitized Binary Images by Border
/// Following, 1985.
public struct ContourTracer: Sendable {
  /// Which points of a border are kept.
  public enum Chain: UInt8, CaseIterable, Hashable, Sendable {
    /// All pixels of the walk, of which each is a neighbour of the next (`CHAIN_APPROX_NONE`).
    case everyPixel
    /// Those where the direction changes: the ends of level, upright and diagonal lines
    /// (`CHAIN_APPROX_SIMPLE`).
    case corners
  }

  /// A bit for each vertical edge that a border has passed, at the place of the pixel to its right.
  private var passed: [UInt64] = []
  /// The border that passed an edge; without meaning where none did.
  private var owners: [Int32] = []
  private let steps: [UInt8] = BorderSteps.table
  private var gathering = [ContourPoint](
    repeating: ContourPoint(bits: 0), count: gatheringCount)
  private var moves = [BorderMove](repeating: BorderMove(), count: 8)

  /// A tracer without memory yet.
  public init() {}

  /// Follows all borders of a picture.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - chain: Which points are kept.
  ///   - tree: Takes the borders in place of those that it had; its memory is used again. The tree's
  ///     points are in pixels of `image`.
  /// - Complexity: O(pixels / 64 + points of the walk). At most four points for each foreground pixel.
  public mutating func trace(
    _ image: BinaryImage, chain: Chain = .corners, into tree: inout ContourTree
  ) {
    tree.reset(width: image.width, height: image.height)
    let wordCount = (image.height + 1) * image.wordsPerRow + 1
    if passed.count < wordCount {
      passed = [UInt64](repeating: 0, count: wordCount)
      owners = [Int32](repeating: 0, count: wordCount * 64)
    } else {
      for index in 0..<wordCount { passed[index] = 0 }
    }
    for direction in 0..<8 {
      let (column, row) = BorderSteps.offset(direction)
      moves[direction] = BorderMove(
        place: row * image.wordsPerRow * 64 + column,
        point: UInt32(truncatingIfNeeded: row << 16 + column))
    }
    unsafe image.words.withUnsafeBufferPointer { (words) in
      unsafe passed.withUnsafeMutableBufferPointer { (passed) in
        unsafe owners.withUnsafeMutableBufferPointer { (owners) in
          unsafe steps.withUnsafeBufferPointer { (steps) in
            unsafe moves.withUnsafeBufferPointer { (moves) in
              unsafe gathering.withUnsafeMutableBufferPointer { (gathering) in
                let walk = unsafe BorderWalk(
                  bits: UnsafeRawPointer(words.baseAddress! + image.wordsPerRow),
                  passed: UnsafeMutableRawPointer(passed.baseAddress!),
                  owners: owners.baseAddress!, steps: steps.baseAddress!,
                  moves: moves.baseAddress!, gathering: gathering.baseAddress!,
                  bitsPerRow: image.wordsPerRow * 64, keepsAll: chain == .everyPixel)
                for row in 0..<image.height {
                  unsafe walk.search(row: row, wordsPerRow: image.wordsPerRow, into: &tree)
                }
              }
            }
          }
        }
      }
    }
  }

  /// The borders of a picture.
  ///
  /// For a single picture; for a film, keep a tracer and a tree.
  public static func tree(of image: BinaryImage, chain: Chain = .corners) -> ContourTree {
    var tracer = ContourTracer()
    var tree = ContourTree()
    tracer.trace(image, chain: chain, into: &tree)
    return tree
  }
}

/// How many points of a walk are gathered before they are appended to the others.
private let gatheringCount = 512

/// The inner loops, on memory of the tracer and the picture.
@unsafe private struct BorderWalk {
  let bits: UnsafeRawPointer
  let passed: UnsafeMutableRawPointer
  let owners: UnsafeMutablePointer<Int32>
  let steps: UnsafePointer<UInt8>
  let moves: UnsafePointer<BorderMove>
  let gathering: UnsafeMutablePointer<ContourPoint>
  let bitsPerRow: Int
  let keepsAll: Bool

  /// Follows the borders whose first edge lies in a row.
  @inline(__always)
  func search(row: Int, wordsPerRow: Int, into tree: inout ContourTree) {
    var carry: UInt64 = 0
    // The last edge to the left of the word, in bits from the first row on.
    var edgeBefore = -1
    for index in row * wordsPerRow..<(row + 1) * wordsPerRow {
      let word = unsafe bits.load(fromByteOffset: index &* 8, as: UInt64.self)
      let edges = word ^ (word << 1 | carry)
      carry = word >> 63
      guard edges != 0 else { continue }
      var open =
        unsafe edges & ~passed.load(fromByteOffset: index &* 8, as: UInt64.self)
      while open != 0 {
        let bit = open.trailingZeroBitCount
        let place = index &* 64 &+ bit
        let before = edges & ((1 << UInt64(bit)) &- 1)
        if before != 0 { edgeBefore = index &* 64 &+ 63 &- before.leadingZeroBitCount }
        let isOuter = word >> UInt64(bit) & 1 == 1
        let neighbor: Int32 = unsafe edgeBefore < 0 ? -1 : owners[edgeBefore]
        let border = tree.addContour(isHole: !isOuter, neighbor: Int(neighbor))
        unsafe follow(
          from: isOuter ? place : place &- 1, row: row, isHole: !isOuter, border: border,
          into: &tree)
        // Edges up to this one are done, and the walk has passed others.
        let rest = bit == 63 ? 0 : ~UInt64(0) << UInt64(bit &+ 1)
        open =
          unsafe edges & rest & ~passed.load(fromByteOffset: index &* 8, as: UInt64.self)
      }
      edgeBefore = index &* 64 &+ 63 &- edges.leadingZeroBitCount
    }
  }

  /// Walks once round a border and keeps its points.
  @inline(__always)
  private func follow(
    from start: Int, row: Int, isHole: Bool, border: Int32, into tree: inout ContourTree
  ) {
    let column = unsafe start &- row &* bitsPerRow
    var point = UInt32(truncatingIfNeeded: row << 16 | column)
    // The last pixel of the walk: the first neighbour with the clock from the ground beside the edge.
    let around = unsafe neighborhood(at: start)
    var last = isHole ? BorderSteps.right : BorderSteps.left
    var count = 0
    repeat {
      last = (last &- 1) & 7
      count += 1
    } while count < 8 && around >> BorderSteps.bit(last) & 1 == 0
    if around & 0b111_101_111 == 0 {
      unsafe mark(start, BorderSteps.passesLeft | BorderSteps.passesRight, border)
      tree.points.append(ContourPoint(bits: point))
      tree.finishContour()
      return
    }
    let firstArrival = (last &+ 4) & 7
    var arrival = firstArrival
    var place = start
    // Points are gathered before they are appended.
    var gathered = 0
    let keeps = unsafe keepsAll ? 1 : 0
    repeat {
      let step = unsafe steps[neighborhood(at: place) &* 8 &+ arrival]
      if step & (BorderSteps.passesLeft | BorderSteps.passesRight) != 0 {
        unsafe mark(place, step, border)
      }
      unsafe gathering[gathered] = ContourPoint(bits: point)
      gathered &+= Int(step &>> 5) | keeps
      if gathered == gatheringCount {
        unsafe tree.append(gathering, count: gathered)
        gathered = 0
      }
      arrival = Int(step & BorderSteps.direction)
      let move = unsafe moves[arrival]
      place &+= move.place
      point &+= move.point
    } while place != start || arrival != firstArrival
    unsafe tree.append(gathering, count: gathered)
    tree.finishContour()
  }

  /// The nine bits around a pixel.
  @inline(__always)
  private func neighborhood(at place: Int) -> Int {
    let byte = unsafe bits + ((place &- 1) >> 3)
    let shift = UInt32(truncatingIfNeeded: (place &- 1) & 7)
    let rowBytes = unsafe bitsPerRow >> 3
    let above = unsafe UInt32((byte - rowBytes).loadUnaligned(as: UInt16.self)) &>> shift & 7
    let level = unsafe UInt32(byte.loadUnaligned(as: UInt16.self)) &>> shift & 7
    let below = unsafe UInt32((byte + rowBytes).loadUnaligned(as: UInt16.self)) &>> shift & 7
    return Int(above | level << 3 | below << 6)
  }

  /// Notes that a border passes the left or the right edge of a pixel, or both.
  @inline(__always)
  private func mark(_ place: Int, _ step: UInt8, _ border: Int32) {
    // Bit 0 for the left edge, bit 1 for the right one, which is the next pixel's place.
    let edges = UInt16(step >> 3 & 3) << UInt16(place & 7)
    let address = unsafe passed + place >> 3
    let value = unsafe address.loadUnaligned(as: UInt16.self) | edges
    unsafe address.storeBytes(of: value, as: UInt16.self)
    if step & BorderSteps.passesLeft != 0 { unsafe owners[place] = border }
    if step & BorderSteps.passesRight != 0 { unsafe owners[place &+ 1] = border }
  }
}
