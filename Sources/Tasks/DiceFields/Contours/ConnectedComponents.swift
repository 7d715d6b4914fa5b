public import DiceGeometry

/// Finds the parts of a binary picture's foreground, and how large they are.
///
/// It keeps its memory: once it has seen a picture with as many runs of pixels, it allocates nothing.
public struct ConnectedComponents: Sendable {
  /// Which pixels touch.
  public enum Connectivity: UInt8, CaseIterable, Hashable, Sendable {
    /// Those side by side, above and below.
    case four
    /// Those and the diagonal ones, as contours take it.
    case eight
  }

  /// A part of the foreground.
  public struct Component: Hashable, Sendable {
    /// How many pixels it has.
    public fileprivate(set) var area = 0
    /// The first pixel, row by row from the top.
    public fileprivate(set) var firstPixel: ContourPoint
    /// The box that its pixels cover: for one pixel it has the sides 1.
    public var boundingBox: BoundingBox {
      BoundingBox(
        x: Double(left), y: Double(top), width: Double(right - left),
        height: Double(bottom - top))
    }
    /// The mean of the middles of its pixels.
    public var centroid: PixelPoint {
      PixelPoint(x: Double(twiceSumX) / Double(2 * area), y: Double(twiceSumY) / Double(2 * area))
    }

    fileprivate var left: Int
    fileprivate var top: Int
    fileprivate var right: Int
    fileprivate var bottom: Int
    fileprivate var twiceSumX = 0
    fileprivate var twiceSumY = 0
  }

  /// Pixels side by side in a row.
  private struct Run {
    var row: Int32
    var start: Int32
    var end: Int32
    /// A run of the same part that comes no later; itself for the first one.
    var earlier: Int32
  }

  /// The parts found last, in the order of their first pixels, row by row.
  public private(set) var components: [Component] = []
  private var runs: [Run] = []

  /// Without memory yet.
  public init() {}

  /// Finds the parts of a picture's foreground, in place of those found before.
  ///
  /// - Complexity: O(pixels / 64 + runs).
  public mutating func find(in image: BinaryImage, connectivity: Connectivity = .eight) {
    components.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    let reach: Int32 = connectivity == .eight ? 1 : 0
    let words = image.words.span
    var above = 0..<0
    for row in 0..<image.height {
      let first = runs.count
      var carry: UInt64 = 0
      for index in 0..<image.wordsPerRow {
        let word = words[(row + 1) * image.wordsPerRow + index]
        var edges = word ^ (word << 1 | carry)
        carry = word >> 63
        while edges != 0 {
          let bit = edges.trailingZeroBitCount
          edges &= edges &- 1
          let column = Int32(truncatingIfNeeded: index << 6 + bit)
          if word >> UInt64(bit) & 1 == 1 {
            let place = Int32(truncatingIfNeeded: runs.count)
            runs.append(
              Run(
                row: Int32(truncatingIfNeeded: row), start: column, end: column, earlier: place))
          } else {
            runs[runs.count - 1].end = column
          }
        }
      }
      join(first..<runs.count, with: above, reach: reach)
      above = first..<runs.count
    }
    collect()
  }

  /// Joins the runs of a row with those of the row above that touch them.
  private mutating func join(_ row: Range<Int>, with above: Range<Int>, reach: Int32) {
    var upper = above.lowerBound
    for index in row {
      while upper < above.upperBound, runs[upper].end &+ reach <= runs[index].start { upper += 1 }
      var touching = upper
      while touching < above.upperBound, runs[touching].start < runs[index].end &+ reach {
        join(touching, index)
        touching += 1
      }
    }
  }

  private mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(a), root(b))
    if first < second {
      runs[second].earlier = Int32(truncatingIfNeeded: first)
    } else {
      runs[first].earlier = Int32(truncatingIfNeeded: second)
    }
  }

  /// The first run of a part; halves the way there.
  private mutating func root(_ index: Int) -> Int {
    var index = index
    while Int(runs[index].earlier) != index {
      runs[index].earlier = runs[Int(runs[index].earlier)].earlier
      index = Int(runs[index].earlier)
    }
    return index
  }

  private mutating func collect() {
    for index in runs.indices {
      let first = root(index)
      let run = runs[index]
      let (row, start, end) = (Int(run.row), Int(run.start), Int(run.end))
      // The first run of a part comes first: its row then holds the part's number.
      let number: Int
      if first == index {
        number = components.count
        components.append(
          Component(
            firstPixel: ContourPoint(column: start, row: row), left: start, top: row, right: end,
            bottom: row + 1))
        runs[index].row = Int32(truncatingIfNeeded: number)
      } else {
        number = Int(runs[first].row)
      }
      let count = end - start
      components[number].area += count
      components[number].left = min(components[number].left, start)
      components[number].right = max(components[number].right, end)
      components[number].bottom = row + 1
      components[number].twiceSumX += count * (start + end)
      components[number].twiceSumY += count * (2 * row + 1)
    }
  }
}
