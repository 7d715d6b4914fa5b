internal import DiceGeometry

/// A quadrilateral with edges along its sides.
struct FoundOutline {
  var outline: Quadrilateral
  /// The share of each side's length with an edge, the mean of all and the least.
  var meanSupport: Double
  var leastSupport: Double
}

/// Finds quadrilaterals among the contours of a picture: sheets, trays, mats, boards with a frame.
struct OutlineFinder {
  private var binarizer = Binarizer()
  private var tracer = ContourTracer()
  private var tree = ContourTree()
  private var binary = BinaryImage(width: 1, height: 1)

  /// - Parameter leastArea: Of an outline, as a share of the picture.
  mutating func outlines(
    in image: GrayImage, _ field: GradientField, leastArea: Double, limit: Int
  ) -> [FoundOutline] {
    let side = max(image.width, image.height)
    var found: [FoundOutline] = []
    let least = leastArea * Double(image.width * image.height)
    let binarizations: [Binarization] =
      [
        .otsu, .adaptiveMean(blockSize: min(255, side / 16 | 1), offset: 6),
        .adaptiveMean(blockSize: min(255, side / 5 | 1), offset: 4),
      ] + [40, 72, 104, 136, 168, 200].map { .fixed(threshold: $0) }
    for binarization in binarizations {
      for polarity in Binarization.Polarity.allCases {
        binarizer.binarize(image, binarization, polarity: polarity, into: &binary)
        tracer.trace(binary, chain: .corners, into: &tree)
        for index in tree.indices where tree.pointRange(of: index).count >= 4 {
          for outline in Self.quadrilaterals(of: tree[index], least) {
            insert(outline, field, into: &found)
          }
        }
      }
    }
    found.sort { $0.value > $1.value }
    return Array(found.prefix(limit))
  }

  private func insert(
    _ outline: Quadrilateral, _ field: GradientField, into found: inout [FoundOutline]
  ) {
    let support = Self.support(of: outline, in: field)
    guard support.least > 0.25, support.mean > 0.5 else { return }
    let next = FoundOutline(
      outline: outline, meanSupport: support.mean, leastSupport: support.least)
    if let index = found.firstIndex(where: {
      $0.outline.intersectionOverUnion(with: outline) > 0.93
    }) {
      if found[index].value < next.value { found[index] = next }
      return
    }
    if found.count < 64 { found.append(next) }
  }

  /// Quadrilaterals near a contour: its approximation, or that of its hull.
  private static func quadrilaterals(of contour: Contour, _ leastArea: Double) -> [Quadrilateral] {
    let polygon = contour.polygon
    guard let box = polygon.boundingBox, box.width * box.height >= leastArea else { return [] }
    let hull = polygon.convexHull
    guard hull.area >= leastArea else { return [] }
    for share in [0.01, 0.02, 0.035, 0.05] {
      let rough = hull.approximated(epsilon: share * hull.perimeter)
      guard rough.points.count >= 4 else { return [] }
      guard rough.points.count == 4 else { continue }
      guard let outline = Quadrilateral(corners: rough.points), outline.isConvex,
        outline.area > 0.85 * hull.area, outline.area >= leastArea
      else { return [] }
      return [outline.clockwiseFromUpperLeft()]
    }
    return []
  }

  /// The shares of the sides that have an edge along them.
  static func support(
    of outline: Quadrilateral, in field: GradientField
  ) -> (mean: Double, least: Double) {
    var (sum, least) = (0.0, 1.0)
    for index in 0..<4 {
      let start = SIMD2(outline[index].x, outline[index].y)
      let end = SIMD2(outline[(index + 1) & 3].x, outline[(index + 1) & 3].y)
      let along = end - start
      let normal = along.perpendicular / max(along.length, 1e-9)
      let floatNormal = SIMD2(Float(normal.x), Float(normal.y))
      var seen = 0
      for step in 0..<32 {
        let middle = start + along * ((Double(step) + 0.5) / 32)
        var isSeen = false
        for offset in -3...3 {
          let gradient = field.gradient(at: middle + Double(offset) * normal)
          let across = abs((gradient * floatNormal).sum())
          isSeen =
            isSeen
            || (across > field.threshold && across > 0.9 * (gradient * gradient).sum().squareRoot())
        }
        seen += isSeen ? 1 : 0
      }
      sum += Double(seen) / 32
      least = min(least, Double(seen) / 32)
    }
    return (sum / 4, least)
  }
}

extension FoundOutline {
  /// What candidates are compared by: support, and a little the size.
  var value: Double {
    meanSupport * leastSupport.squareRoot() * outline.area.squareRoot().squareRoot()
  }
}
