/// A second look at a part of a picture, closer than the one before, in tiles.
///
/// A network sees a die of a given size in its input best. Where the dice of one look are small, the
/// next one enlarges the part of the picture they lie in so far that they are read with ease.
struct CloserLook: Hashable {
  /// Candidates of at least this confidence say where dice may be, and how large.
  static let hintConfidence: Float = 0.1
  /// Where no candidate is as sure as this, nothing has been seen that a look could go by.
  static let sureConfidence: Float = 0.3
  /// Dice whose longer side is at least this long in the input need no closer look.
  static let readableSide = 30.0
  /// How long the smaller dice's longer side shall be in the closer look's input.
  static let wantedSide = 42.0
  /// Dice longer than this in the closer look's input are better seen in the look before.
  static let greatestSide = 150.0
  /// The most input pixels for a pixel of the picture.
  static let greatestScale = 1.25
  /// A closer look that enlarges by less is not worth its time.
  static let leastGain = 1.3
  /// By how much more a picture in which nothing was seen is enlarged for one more look.
  static let blindGain = 2.0
  /// Where no look has seen anything sure, one more is worth its time if the last one's input had
  /// fewer pixels than this for each pixel of the picture.
  static let blindScale = 0.25
  /// The most closer looks at a picture.
  static let greatestCount = 3
  /// The longest side of a tile, in pixels of the input.
  static let tileSide = 832
  /// By how much neighbouring tiles overlap: a die of this size is whole in one of them.
  static let tileOverlap = 96
  /// The most tiles; where more would be needed, dice stay smaller.
  static let greatestTileCount = 9

  /// What looks have seen of a picture so far.
  struct Progress: Hashable {
    /// The boxes that the last look proposed, in pixels of the upright picture.
    var hints: [BoundingBox] = []
    /// How sure the surest candidate of all looks was.
    var surest: Float = 0
    /// Input pixels for each pixel of the picture in the last look.
    var scale: Double
    /// How many closer looks there have been.
    var count = 0
    /// How many of them were taken because nothing had been seen.
    var blindCount = 0
  }

  /// The part of the upright picture to look at, in its pixels.
  var region: BoundingBox
  /// Input pixels for each pixel of the picture.
  var scale: Double
  /// Whether it is taken because nothing has been seen.
  var isBlind: Bool

  /// What to look at next, or nil where another look is not worth it.
  ///
  /// - Parameters:
  ///   - progress: what has been seen.
  ///   - visible: the part of the picture that the first look saw.
  init?(after progress: Progress, visible: BoundingBox) {
    let before = progress.scale
    // Looks that are led by what was seen are two at most.
    guard progress.count < Self.greatestCount, progress.count - progress.blindCount < 2 else {
      return nil
    }
    let hints = progress.hints
    region = visible
    let side = Self.smallSide(of: hints) * before
    if !hints.isEmpty, side > 0, side < Self.readableSide {
      isBlind = false
      scale = min(before * Self.wantedSide / side, Self.greatestScale)
    } else {
      guard progress.surest < Self.sureConfidence,
        progress.count == 0 || before < Self.blindScale
      else { return nil }
      isBlind = true
      scale = min(before * Self.blindGain, Self.greatestScale)
    }
    let least = before * Self.leastGain
    guard scale >= least else { return nil }
    if !isBlind {
      // All of the picture, if its dice can be read then; else the part that they lie in.
      let whole = scale
      reduce(to: max(least, before * Self.readableSide / side))
      if tileCount > Self.greatestTileCount {
        scale = whole
        region = Self.surroundings(of: hints, in: visible)
      }
    }
    reduce(to: least)
    guard tileCount <= Self.greatestTileCount else { return nil }
  }

  /// Lowers the scale until the tiles are few enough, but not below a limit.
  private mutating func reduce(to least: Double) {
    while tileCount > Self.greatestTileCount, scale / 1.02 >= least { scale /= 1.02 }
  }

  /// How long the longer side of the small ones among boxes is: a quarter is smaller; 0 for none.
  private static func smallSide(of hints: [BoundingBox]) -> Double {
    guard !hints.isEmpty else { return 0 }
    var sides: [Double] = []
    sides.reserveCapacity(hints.count)
    for hint in hints { sides.append(max(hint.width, hint.height)) }
    sides.sort()
    return sides[sides.count / 4]
  }

  /// The box around all hints, with as much around it as four of the largest small ones.
  private static func surroundings(
    of hints: [BoundingBox], in visible: BoundingBox
  ) -> BoundingBox {
    var (minX, minY) = (Double.infinity, Double.infinity)
    var (maxX, maxY) = (-Double.infinity, -Double.infinity)
    var margin = 0.0
    for hint in hints {
      (minX, minY) = (min(minX, hint.minX), min(minY, hint.minY))
      (maxX, maxY) = (max(maxX, hint.maxX), max(maxY, hint.maxY))
      margin = max(margin, hint.width, hint.height)
    }
    margin = min(4 * margin, 0.25 * max(visible.width, visible.height))
    return BoundingBox(
      minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin
    ).clipped(to: visible)
  }

  // MARK: Tiles

  /// Along one axis: how many tiles, and how long each is in pixels of the input.
  private func division(_ length: Double) -> (count: Int, side: Int) {
    let pixels = max(32, length * scale)
    let overlap = Double(Self.tileOverlap)
    let count = max(
      1, Int(((pixels - overlap) / Double(Self.tileSide - Self.tileOverlap)).rounded(.up)))
    let side = (pixels + Double(count - 1) * overlap) / Double(count)
    return (count, min(Self.tileSide, Int((side / 32).rounded(.up)) * 32))
  }

  /// How many tiles the look takes.
  var tileCount: Int { division(region.width).count * division(region.height).count }

  /// A tile: what it shows, and the part of it whose dice are its own.
  struct Tile: Hashable {
    var region: BoundingBox
    var core: BoundingBox
    var inputWidth: Int
    var inputHeight: Int
  }

  /// The tiles from top to bottom, each row from left to right; all of one input size.
  var tiles: [Tile] {
    let (columns, inputWidth) = division(region.width)
    let (rows, inputHeight) = division(region.height)
    let horizontal = Self.spans(
      region.minX, region.maxX, count: columns, length: Double(inputWidth) / scale)
    let vertical = Self.spans(
      region.minY, region.maxY, count: rows, length: Double(inputHeight) / scale)
    var tiles: [Tile] = []
    tiles.reserveCapacity(rows * columns)
    for y in vertical {
      for x in horizontal {
        tiles.append(
          Tile(
            region: BoundingBox(minX: x.start, minY: y.start, maxX: x.end, maxY: y.end),
            core: BoundingBox(
              minX: x.coreStart, minY: y.coreStart, maxX: x.coreEnd, maxY: y.coreEnd),
            inputWidth: inputWidth, inputHeight: inputHeight))
      }
    }
    return tiles
  }

  private struct Span {
    var start: Double
    var end: Double
    var coreStart: Double
    var coreEnd: Double
  }

  /// Spans of one length that cover `low...high` evenly; cores meet in the middle of overlaps.
  private static func spans(
    _ low: Double, _ high: Double, count: Int, length: Double
  ) -> [Span] {
    let length = min(length, high - low)
    let step = count > 1 ? (high - low - length) / Double(count - 1) : 0
    var spans: [Span] = []
    for index in 0..<count {
      let start = low + Double(index) * step
      spans.append(Span(start: start, end: start + length, coreStart: low, coreEnd: high))
    }
    for index in 1..<max(1, count) {
      let middle = (spans[index - 1].end + spans[index].start) / 2
      spans[index - 1].coreEnd = middle
      spans[index].coreStart = middle
    }
    return spans
  }
}
