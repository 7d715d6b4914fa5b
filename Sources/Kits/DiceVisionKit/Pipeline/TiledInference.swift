internal import DiceGeometry
internal import DiceNumerics

/// One more pass over a part of a picture, enlarged, in tiles.
///
/// A network sees a die of a given size in its input best. Where the dice of one pass are small,
/// the next one enlarges the part of the picture they lie in so far that they are read with ease.
struct TiledInference: Hashable {
  /// What passes have seen of a picture so far.
  struct Progress: Hashable {
    /// The boxes that the last pass proposed, in pixels of the upright picture.
    var boxes: [BoundingBox] = []
    /// How sure the surest proposal of all passes was.
    var surest = 0.0
    /// Input pixels for each pixel of the picture in the last pass.
    var scale: Double
    /// How many tiled passes there have been.
    var count = 0
    /// How many of them were taken because nothing had been seen.
    var blindCount = 0
  }

  /// The part of the upright picture to look at, in its pixels.
  var region: BoundingBox
  /// Input pixels for each pixel of the picture.
  var scale: Double
  /// Whether the pass is taken because nothing has been seen.
  var isBlind: Bool
  /// The tuned numbers.
  let rule: PipelineProfile.Tiling

  /// The next pass, or nil where another one is not worth it.
  ///
  /// - Parameters:
  ///   - progress: what has been seen.
  ///   - visible: the part of the picture that the first pass saw.
  ///   - rule: the tuned numbers.
  ///   - searchesBlindly: whether a picture is searched in which nothing has been seen.
  init?(
    after progress: Progress, visible: BoundingBox, by rule: PipelineProfile.Tiling,
    searchesBlindly: Bool = true
  ) {
    let before = progress.scale
    guard progress.count < rule.greatestPassCount,
      progress.count - progress.blindCount < rule.greatestLedPassCount
    else { return nil }
    self.rule = rule
    region = visible
    let boxes = progress.boxes
    let side = Self.smallSide(of: boxes, quantile: rule.sideQuantile) * before
    if !boxes.isEmpty, side > 0, side < rule.readableSide {
      isBlind = false
      scale = min(before * rule.wantedSide / side, rule.greatestScale)
    } else {
      guard searchesBlindly, progress.surest < Double(rule.sureConfidence),
        progress.count == 0 || before < rule.blindScale
      else { return nil }
      isBlind = true
      scale = min(before * rule.blindGain, rule.greatestScale)
    }
    let least = before * rule.leastGain
    guard scale >= least else { return nil }
    if !isBlind {
      // All of the picture, if its dice can be read then; else the part that they lie in.
      let whole = scale
      reduce(to: max(least, before * rule.readableSide / side))
      if tileCount > rule.greatestTileCount {
        scale = whole
        region = Self.surroundings(of: boxes, in: visible, by: rule)
      }
    }
    reduce(to: least)
    guard tileCount <= rule.greatestTileCount else { return nil }
  }

  /// Lowers the scale until the tiles are few enough, but not below a limit.
  private mutating func reduce(to least: Double) {
    while tileCount > rule.greatestTileCount, scale / 1.02 >= least { scale /= 1.02 }
  }

  /// The greatest side of a box, in pixels of the picture, that this pass sees better than the one
  /// before.
  var greatestSide: Double { rule.greatestSide / scale }

  /// Whether this pass sees a box of the pass before better.
  func replaces(_ box: BoundingBox) -> Bool {
    region.contains(box.center) && max(box.width, box.height) * scale <= rule.greatestSide
  }

  /// How long the longer side of the small ones among boxes is; 0 for none.
  private static func smallSide(of boxes: [BoundingBox], quantile: Double) -> Double {
    guard !boxes.isEmpty else { return 0 }
    var sides: [Double] = []
    sides.reserveCapacity(boxes.count)
    for box in boxes { sides.append(max(box.width, box.height)) }
    sides.heapSort(by: <)
    return sides[min(sides.count - 1, Int(Double(sides.count) * quantile))]
  }

  /// The box around all boxes, with something around it.
  private static func surroundings(
    of boxes: [BoundingBox], in visible: BoundingBox, by rule: PipelineProfile.Tiling
  ) -> BoundingBox {
    var (minX, minY) = (Double.infinity, Double.infinity)
    var (maxX, maxY) = (-Double.infinity, -Double.infinity)
    var margin = 0.0
    for box in boxes {
      (minX, minY) = (min(minX, box.minX), min(minY, box.minY))
      (maxX, maxY) = (max(maxX, box.maxX), max(maxY, box.maxY))
      margin = max(margin, box.width, box.height)
    }
    margin = min(
      rule.surroundings * margin,
      rule.greatestSurroundings * max(visible.width, visible.height))
    return BoundingBox(
      minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin
    ).clipped(to: visible)
  }
}

// MARK: - Tiles

extension TiledInference {
  /// A tile: what it shows, and the part of it whose dice are its own.
  struct Tile: Hashable {
    var region: BoundingBox
    var core: BoundingBox
    var inputWidth: Int
    var inputHeight: Int
  }

  /// Along one axis: how many tiles, and how long each is in pixels of the input.
  private func division(_ length: Double) -> (count: Int, side: Int) {
    let pixels = max(32, length * scale)
    let overlap = Double(rule.tileOverlap)
    let count = max(
      1, Int(((pixels - overlap) / Double(rule.tileSide - rule.tileOverlap)).rounded(.up)))
    let side = (pixels + Double(count - 1) * overlap) / Double(count)
    return (count, min(rule.tileSide, Int((side / 32).rounded(.up)) * 32))
  }

  /// How many tiles the pass takes.
  var tileCount: Int { division(region.width).count * division(region.height).count }

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
