/// Finds straight pieces of edges: neighbouring pixels whose gradients point the same way.
///
/// Regions grow from the pixels with the strongest gradients, as long as a neighbour's gradient is within
/// 22.5 degrees of the region's, and a line is fitted to each.
///
/// Source: R. Grompone von Gioi and others, LSD: a Line Segment Detector, 2012, without its validation:
/// short and thick regions are left out instead.
enum SegmentFinder {
  /// The longest segments of a picture, longest first.
  static func segments(
    in field: GradientField, leastLength: Double, limit: Int
  ) -> [LineSegment] {
    let (width, height) = (field.width, field.height)
    guard width >= 3, height >= 3 else { return [] }
    var isUsed = [Bool](repeating: false, count: width * height)
    // The border has no gradient.
    for column in 0..<width {
      isUsed[column] = true
      isUsed[(height - 1) * width + column] = true
    }
    for row in 0..<height {
      isUsed[row * width] = true
      isUsed[row * width + width - 1] = true
    }
    var result: [LineSegment] = []
    var region: [Int] = []
    for seed in seeds(of: field) where !isUsed[seed] {
      grow(from: seed, in: field, &isUsed, &region)
      guard Double(region.count) >= leastLength else { continue }
      if let segment = fit(region, in: field), segment.length >= leastLength {
        result.append(segment)
      }
    }
    result.sort { $0.length > $1.length }
    return Array(result.prefix(limit))
  }

  /// Pixels with an edge, the strongest first, in classes of magnitude.
  private static func seeds(of field: GradientField) -> [Int] {
    func bin(_ magnitude: Float) -> Int { 255 - min(255, Int(magnitude * 3)) }
    var starts = [Int](repeating: 0, count: 257)
    for magnitude in field.magnitudes where magnitude >= field.threshold {
      starts[bin(magnitude) + 1] += 1
    }
    for index in 0..<256 { starts[index + 1] += starts[index] }
    var seeds = [Int](repeating: 0, count: starts[256])
    for (place, magnitude) in field.magnitudes.enumerated() where magnitude >= field.threshold {
      let bin = bin(magnitude)
      seeds[starts[bin]] = place
      starts[bin] += 1
    }
    return seeds
  }

  private static func grow(
    from seed: Int, in field: GradientField, _ isUsed: inout [Bool], _ region: inout [Int]
  ) {
    let width = field.width
    region.removeAll(keepingCapacity: true)
    region.append(seed)
    isUsed[seed] = true
    var sum = field.gradients[seed] / field.magnitudes[seed]
    var next = 0
    while next < region.count {
      let place = region[next]
      next += 1
      for row in -1...1 {
        for column in -1...1 {
          let other = place + row * width + column
          guard !isUsed[other], field.magnitudes[other] >= field.threshold else { continue }
          let direction = field.gradients[other] / field.magnitudes[other]
          let along = (direction * sum).sum()
          // cos² of 22.5 degrees
          guard along > 0, along * along > 0.8536 * (sum * sum).sum() else { continue }
          isUsed[other] = true
          region.append(other)
          sum += direction
        }
      }
    }
  }

  /// The line through a region along its longer axis; nil for one that is too thick.
  private static func fit(_ region: [Int], in field: GradientField) -> LineSegment? {
    let width = field.width
    var (weight, mean) = (0.0, SIMD2<Double>.zero)
    for place in region {
      let magnitude = Double(field.magnitudes[place])
      weight += magnitude
      mean += magnitude * SIMD2(Double(place % width), Double(place / width))
    }
    mean /= weight
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for place in region {
      let magnitude = Double(field.magnitudes[place])
      let offset = SIMD2(Double(place % width), Double(place / width)) - mean
      xx += magnitude * offset.x * offset.x
      xy += magnitude * offset.x * offset.y
      yy += magnitude * offset.y * offset.y
    }
    let root = ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()
    let thickness = (max(0, (xx + yy - root) / 2) / weight).squareRoot()
    // The eigenvector of the greater eigenvalue, from the row that does not vanish.
    var axis = xx >= yy ? SIMD2((xx - yy + root) / 2, xy) : SIMD2(xy, (yy - xx + root) / 2)
    guard axis.length > 0 else { return nil }
    axis /= axis.length
    var (least, greatest) = (0.0, 0.0)
    for place in region {
      let offset = SIMD2(Double(place % width), Double(place / width)) - mean
      let along = offset.dot(axis)
      least = min(least, along)
      greatest = max(greatest, along)
    }
    guard thickness <= max(1.2, 0.012 * (greatest - least)) else { return nil }
    let middle = mean + SIMD2(0.5, 0.5)
    return LineSegment(start: middle + least * axis, end: middle + greatest * axis)
  }
}
