/// The edges of a proper box: finite, `minX ≤ maxX`, `minY ≤ maxY`.
///
/// Overlaps are measured between edges, so that rounding in `x + width` cannot make an intersection
/// larger than either box.
struct Corners: Sendable {
  var minX, minY, maxX, maxY: Double

  init(_ box: BoundingBox) {
    minX = box.minX
    minY = box.minY
    maxX = box.maxX
    maxY = box.maxY
  }

  var width: Double { maxX - minX }
  var height: Double { maxY - minY }
  var midX: Double { minX + (maxX - minX) / 2 }
  var midY: Double { minY + (maxY - minY) / 2 }
  var hasArea: Bool { maxX > minX && maxY > minY }

  /// Whether every edge and every side is so far from the ends of `Double`'s range that no area and no
  /// sum of areas overflows or underflows.
  var isPlain: Bool {
    let largest = max(max(-minX, maxX), max(-minY, maxY))
    let smallest = min(width, height)
    return largest <= BoxOverlap.plainLimit && smallest >= 1 / BoxOverlap.plainLimit
  }

  /// The shared area of two plain boxes: the same number as in ``BoxOverlap``.
  @inline(__always)
  func plainIntersection(with other: Corners) -> Double {
    let width = min(maxX, other.maxX) - max(minX, other.minX)
    let height = min(maxY, other.maxY) - max(minY, other.minY)
    return width > 0 && height > 0 ? width * height : 0
  }
}

/// The lengths from which the measures of overlap of two proper boxes are made.
struct BoxOverlap {
  /// Edges up to this and sides from its inverse leave every area and sum of areas normal numbers.
  static let plainLimit = 0x1p+249

  private var firstWidth, firstHeight: Double
  private var secondWidth, secondHeight: Double
  private var intersectionWidth, intersectionHeight: Double
  private var hullWidth, hullHeight: Double

  init(_ first: Corners, _ second: Corners) {
    // Measures are ratios of areas: dividing all lengths along an axis by one number changes nothing.
    let isPlain = first.isPlain && second.isPlain
    let x = Axis(first.minX, first.maxX, second.minX, second.maxX, isPlain: isPlain)
    let y = Axis(first.minY, first.maxY, second.minY, second.maxY, isPlain: isPlain)
    (firstWidth, firstHeight) = (x.first, y.first)
    (secondWidth, secondHeight) = (x.second, y.second)
    (intersectionWidth, intersectionHeight) = (x.intersection, y.intersection)
    (hullWidth, hullHeight) = (x.hull, y.hull)
  }

  private var intersectionArea: Double { intersectionWidth * intersectionHeight }

  private var unionArea: Double {
    firstWidth * firstHeight + secondWidth * secondHeight - intersectionArea
  }

  var intersectionOverUnion: Double {
    let intersection = intersectionArea
    return intersection > 0 ? min(intersection / unionArea, 1) : 0
  }

  var generalizedIntersectionOverUnion: Double {
    let hull = hullWidth * hullHeight
    guard hull > 0 else { return -1 }
    return intersectionOverUnion - (hull - min(unionArea, hull)) / hull
  }
}

/// The lengths of two intervals, of what they share and of what encloses them.
private struct Axis {
  var first, second, intersection, hull: Double

  init(
    _ firstMin: Double, _ firstMax: Double, _ secondMin: Double, _ secondMax: Double, isPlain: Bool
  ) {
    let innerMin = max(firstMin, secondMin)
    let innerMax = max(min(firstMax, secondMax), innerMin)
    let outerMin = min(firstMin, secondMin)
    let outerMax = max(firstMax, secondMax)
    first = firstMax - firstMin
    second = secondMax - secondMin
    intersection = innerMax - innerMin
    hull = outerMax - outerMin
    guard !isPlain, hull > 0 else { return }
    // Halves, since two finite edges can be further apart than the largest Double.
    let halfHull = outerMax / 2 - outerMin / 2
    first = (firstMax / 2 - firstMin / 2) / halfHull
    second = (secondMax / 2 - secondMin / 2) / halfHull
    intersection = (innerMax / 2 - innerMin / 2) / halfHull
    hull = 1
  }
}
