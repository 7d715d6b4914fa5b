internal import DiceGeometry

/// Moves the corners of a quadrilateral to where lines through its sides' edges meet, below a pixel.
///
/// Across each side the picture is sampled at many places. The edge is where brightness changes most:
/// of a printed line, which has an edge on either side, the outer one. A line is fitted to the edges of
/// each side, those far off counting less. Where a side is bent, as on a page of a book, each end has a
/// line of its own, fitted to the edges near it.
struct SideRefiner {
  let image: GrayImage
  /// How far from the side edges are looked for, in pixels.
  var reach: Double
  var sampleCount = 48

  private static let step = 0.5

  /// - Returns: The quadrilateral with its corners moved, in the same order; a corner stays where its
  ///   sides have too few edges, or would move farther than three times the reach.
  func refined(_ outline: Quadrilateral) -> Quadrilateral {
    guard outline.isConvex, reach > 0 else { return outline }
    let clockwise = outline.signedArea > 0
    let samples = image.samples
    let sides = (0..<4).map { index in
      edges(
        from: SIMD2(outline[index].x, outline[index].y),
        to: SIMD2(outline[(index + 1) & 3].x, outline[(index + 1) & 3].y), clockwise, samples)
    }
    var result = outline
    for index in 0..<4 {
      let (before, after) = (sides[(index + 3) & 3], sides[index])
      guard let a = before.line(near: 1), let b = after.line(near: 0) else { continue }
      let cross = a.direction.cross(b.direction)
      guard abs(cross) > 0.05 else { continue }
      let corner = a.point + a.direction * ((b.point - a.point).cross(b.direction) / cross)
      let moved = PixelPoint(x: corner.x, y: corner.y)
      guard moved.isFinite,
        moved.squaredDistance(to: outline[index]) <= 9 * reach * reach
      else { continue }
      result[index] = moved
    }
    return result.isConvex ? result : outline
  }

  /// The edges of a side: where they lie along it, 0...1, how far outside of it, and how strong they are.
  private func edges(
    from start: SIMD2<Double>, to end: SIMD2<Double>, _ clockwise: Bool,
    _ samples: ArraySlice<UInt8>
  ) -> SideEdges {
    let along = end - start
    let length = along.length
    let outward = along.perpendicular / max(length, 1e-9) * (clockwise ? -1 : 1)
    var result = SideEdges(start: start, along: along, outward: outward)
    guard length >= 4 else { return result }
    let steps = Int((reach / Self.step).rounded(.up))
    var profile = [Double](repeating: 0, count: 2 * steps + 1)
    var candidates: (rising: [SideEdges.Edge], falling: [SideEdges.Edge]) = ([], [])
    for index in 0..<sampleCount {
      let share = 0.02 + 0.96 * (Double(index) + 0.5) / Double(sampleCount)
      let middle = start + share * along
      var isInside = true
      for place in 0...2 * steps {
        let point = middle + Double(place - steps) * Self.step * outward
        guard let value = brightness(at: point, samples) else {
          isInside = false
          break
        }
        profile[place] = value
      }
      guard isInside else { continue }
      // Rising and falling outwards.
      if let edge = strongest(profile, 1, steps) {
        candidates.rising.append(.init(share: share, offset: edge.offset, strength: edge.strength))
      }
      if let edge = strongest(profile, -1, steps) {
        candidates.falling.append(.init(share: share, offset: edge.offset, strength: edge.strength))
      }
    }
    let (rising, falling) = (
      SideEdges.total(candidates.rising), SideEdges.total(candidates.falling)
    )
    if min(rising.strength, falling.strength) > 0.5 * max(rising.strength, falling.strength) {
      result.edges = rising.offset >= falling.offset ? candidates.rising : candidates.falling
    } else {
      result.edges =
        rising.strength >= falling.strength ? candidates.rising : candidates.falling
    }
    return result
  }

  /// The place of the greatest change in a direction, between samples, and how great it is.
  private func strongest(
    _ profile: [Double], _ sign: Double, _ steps: Int
  ) -> (offset: Double, strength: Double)? {
    func change(_ place: Int) -> Double { sign * (profile[place + 2] - profile[place - 2]) }
    guard profile.count >= 7 else { return nil }
    var (best, greatest) = (0, 0.0)
    for place in 2..<profile.count - 2 where change(place) > greatest {
      (best, greatest) = (place, change(place))
    }
    guard greatest > 5 else { return nil }
    var offset = Double(best - steps)
    if best > 2, best < profile.count - 3 {
      let (left, right) = (change(best - 1), change(best + 1))
      let curvature = left - 2 * greatest + right
      if curvature < 0 { offset += min(max((left - right) / (2 * curvature), -0.5), 0.5) }
    }
    return (offset * Self.step, greatest)
  }

  private func brightness(at point: SIMD2<Double>, _ samples: ArraySlice<UInt8>) -> Double? {
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    guard x >= 0, y >= 0, x < Double(image.width - 1), y < Double(image.height - 1) else {
      return nil
    }
    let (column, row) = (Int(x), Int(y))
    let (fx, fy) = (x - Double(column), y - Double(row))
    let place = row * image.width + column
    func v(_ index: Int) -> Double { Double(samples[index]) }
    return (v(place) * (1 - fx) + v(place + 1) * fx) * (1 - fy)
      + (v(place + image.width) * (1 - fx) + v(place + image.width + 1) * fx) * fy
  }
}

/// The edges found across a side of a quadrilateral.
struct SideEdges {
  struct Edge {
    var share: Double
    var offset: Double
    var strength: Double
  }

  let start: SIMD2<Double>
  let along: SIMD2<Double>
  let outward: SIMD2<Double>
  var edges: [Edge] = []

  static func total(_ edges: [Edge]) -> (strength: Double, offset: Double) {
    let strength = edges.reduce(0) { $0 + $1.strength }
    let offset = edges.reduce(0) { $0 + $1.strength * $1.offset }
    return (strength, strength > 0 ? offset / strength : 0)
  }

  /// The line through the edges; through those of the half near an end where the side is bent.
  ///
  /// - Parameter end: 0 for the side's start, 1 for its end.
  func line(near end: Double) -> (point: SIMD2<Double>, direction: SIMD2<Double>)? {
    guard var fit = Self.fit(edges) else { return nil }
    if fit.error > 0.8 {
      let near = edges.filter { abs($0.share - end) < 0.45 }
      if near.count >= 10, let local = Self.fit(near), local.error < 0.7 * fit.error { fit = local }
    }
    let (first, last) = (fit.offset, fit.offset + fit.slope)
    let point = start + first * outward
    let direction = along + (last - first) * outward
    return (point, direction / max(direction.length, 1e-9))
  }

  /// `offset + slope · share` through edges, by repeated least squares with weights that fall with the
  /// distance (Tukey's), and the median distance.
  private static func fit(_ edges: [Edge]) -> (offset: Double, slope: Double, error: Double)? {
    guard edges.count >= 6 else { return nil }
    var (offset, slope) = (median(edges.map(\.offset)), 0.0)
    var error = 0.0
    for _ in 0..<8 {
      error = median(edges.map { abs($0.offset - offset - slope * $0.share) })
      let limit = max(1, 4 * error)
      var (w, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for edge in edges {
        let residual = (edge.offset - offset - slope * edge.share) / limit
        guard abs(residual) < 1 else { continue }
        let weight = (1 - residual * residual) * (1 - residual * residual)
        w += weight
        x += weight * edge.share
        y += weight * edge.offset
        xx += weight * edge.share * edge.share
        xy += weight * edge.share * edge.offset
      }
      let determinant = w * xx - x * x
      guard w > 3, determinant > 1e-6 * w * w else { return nil }
      slope = (w * xy - x * y) / determinant
      offset = (y - slope * x) / w
    }
    return (offset, slope, error)
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}
