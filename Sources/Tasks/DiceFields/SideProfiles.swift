internal import DiceGeometry
internal import DiceNumerics

/// Brightness across the sides of a quadrilateral, at evenly spread places, and where it is seen again.
///
/// Each profile has two scales: steps of three pixels for large motions, and of one pixel for exact ones.
struct SideProfiles: Sendable {
  static let countPerSide = 40
  /// Samples on either side of the edge.
  private static let reach = 9
  /// How many steps a profile is looked for to either side.
  private static let search = 14
  private static let length = 2 * reach + 1

  /// The learned samples with mean 0 and length 1, profile by profile, for each scale; zeros for a
  /// profile without contrast or outside the picture.
  private var templates: [[Float]] = [[], []]
  private var isUsable: [[Bool]] = [[], []]
  private var window = [Float](repeating: 0, count: 2 * (reach + search) + 1)
  private var shifts = [Float](repeating: 0, count: 4 * countPerSide)
  private var isSeen = [Bool](repeating: false, count: 4 * countPerSide)

  private static let steps: [Double] = [3, 1]

  /// The share of the profiles that can be told apart from what lies beside them.
  var usableShare: Double {
    Double(isUsable[1].count(where: { $0 })) / Double(4 * Self.countPerSide)
  }

  /// Takes the profiles of a picture.
  mutating func learn(_ outline: Quadrilateral, in image: GrayImage) {
    let samples = image.samples
    for scale in 0..<2 {
      templates[scale] = [Float](repeating: 0, count: 4 * Self.countPerSide * Self.length)
      isUsable[scale] = [Bool](repeating: false, count: 4 * Self.countPerSide)
      for index in 0..<4 * Self.countPerSide {
        guard
          sample(
            outline, index, half: Self.reach, step: Self.steps[scale], samples, image.width,
            image.height)
        else { continue }
        let place = index * Self.length
        var (sum, squares) = (Float(0), Float(0))
        for offset in 0..<Self.length { sum += window[offset] }
        let mean = sum / Float(Self.length)
        for offset in 0..<Self.length {
          let difference = window[offset] - mean
          templates[scale][place + offset] = difference
          squares += difference * difference
        }
        // A contrast of some gray levels, else noise would decide.
        guard squares > Float(Self.length) * 16 else { continue }
        let factor = 1 / squares.squareRoot()
        for offset in 0..<Self.length { templates[scale][place + offset] *= factor }
        isUsable[scale][index] = true
      }
    }
  }

  /// Where the quadrilateral is in the next picture.
  ///
  /// - Parameters:
  ///   - outline: Where it was.
  ///   - motion: How its corners moved in the frame before, x and y in turns.
  /// - Returns: Nil where too few profiles are seen; and the share of the usable ones that are.
  mutating func follow(
    _ outline: Quadrilateral, _ motion: SIMD8<Double>, in image: GrayImage
  ) -> (outline: Quadrilateral?, share: Double) {
    let samples = image.samples
    var current = Self.moved(outline, motion)
    if !current.isConvex { current = outline }
    var share = 0.0
    for scale in 0..<2 {
      // The exact scale twice: after the first time profiles lie where they were learned.
      for _ in 0...scale {
        share = look(for: current, scale, samples, image.width, image.height)
        guard share > 0.3, let step = solve(current, scale) else { return (nil, share) }
        let next = Self.moved(current, step)
        guard next.isConvex, next.signedArea * outline.signedArea > 0,
          next.area > 0.5 * outline.area, next.area < 2 * outline.area
        else { return (nil, share) }
        current = next
      }
    }
    return (current, share)
  }

  private static func moved(_ outline: Quadrilateral, _ step: SIMD8<Double>) -> Quadrilateral {
    var result = outline
    for index in 0..<4 {
      result[index].x += step[2 * index]
      result[index].y += step[2 * index + 1]
    }
    return result
  }

  /// Finds each profile of a scale near the sides, as its shift outwards.
  ///
  /// - Returns: The share of the usable ones that were seen.
  private mutating func look(
    for outline: Quadrilateral, _ scale: Int, _ samples: ArraySlice<UInt8>, _ width: Int,
    _ height: Int
  ) -> Double {
    var (seen, usable) = (0, 0)
    let span = Self.length
    for index in 0..<4 * Self.countPerSide {
      isSeen[index] = false
      guard isUsable[scale][index] else { continue }
      guard
        sample(
          outline, index, half: Self.reach + Self.search, step: Self.steps[scale], samples, width,
          height)
      else { continue }
      usable += 1
      var (best, greatest, left, right, last) = (0, Float(-1), Float(-1), Float(-1), Float(-1))
      for shift in 0...2 * Self.search {
        var (sum, squares, product) = (Float(0), Float(0), Float(0))
        for offset in 0..<span {
          let value = window[shift + offset]
          sum += value
          squares += value * value
          product += value * templates[scale][index * span + offset]
        }
        let variance = squares - sum * sum / Float(span)
        let likeness = variance > Float(span) * 4 ? product / variance.squareRoot() : 0
        if shift == best + 1, greatest == last { right = likeness }
        if likeness > greatest { (best, greatest, left, right) = (shift, likeness, last, -1) }
        last = likeness
      }
      guard greatest > 0.8, best > 0, best < 2 * Self.search else { continue }
      let curvature = left - 2 * greatest + right
      let part = curvature < 0 && right > -1 ? (left - right) / (2 * curvature) : 0
      shifts[index] =
        (Float(best - Self.search) + min(max(part, -0.5), 0.5)) * Float(Self.steps[scale])
      isSeen[index] = true
      seen += 1
    }
    return usable > 0 ? Double(seen) / Double(4 * Self.countPerSide) : 0
  }

  /// The motion of the corners that explains the shifts best, with less weight for those far off.
  private func solve(_ outline: Quadrilateral, _ scale: Int) -> SIMD8<Double>? {
    var step = SIMD8<Double>.zero
    var limit = 20.0 * Self.steps[scale]
    for _ in 0..<5 {
      var equations = NormalEquations(unknownCount: 8)
      // A corner that nothing is seen of goes with the others.
      let mean = (
        x: (step[0] + step[2] + step[4] + step[6]) / 4,
        y: (step[1] + step[3] + step[5] + step[7]) / 4
      )
      for corner in 0..<8 {
        var row = SIMD8<Double>.zero
        row[corner] = 1
        equations.add(row, value: corner & 1 == 0 ? mean.x : mean.y, weight: 0.05)
      }
      for index in 0..<4 * Self.countPerSide where isSeen[index] {
        let (side, share, outward) = Self.place(index, outline)
        let (from, to) = (side, (side + 1) & 3)
        var row = SIMD8<Double>.zero
        row[2 * from] = (1 - share) * outward.x
        row[2 * from + 1] = (1 - share) * outward.y
        row[2 * to] = share * outward.x
        row[2 * to + 1] = share * outward.y
        let residual = ((row * step).sum() - Double(shifts[index])) / limit
        guard abs(residual) < 1 else { continue }
        let weight = (1 - residual * residual) * (1 - residual * residual)
        equations.add(row, value: Double(shifts[index]), weight: weight)
      }
      guard let next = equations.solution() else { return nil }
      step = next
      limit = max(2 * Self.steps[scale], limit / 2)
    }
    return step
  }

  /// Where a profile lies: its side, how far along it, and the outward normal.
  private static func place(
    _ index: Int, _ outline: Quadrilateral
  ) -> (side: Int, share: Double, outward: SIMD2<Double>) {
    let side = index / countPerSide
    let share = (Double(index % countPerSide) + 0.5) / Double(countPerSide)
    let (a, b) = (outline[side], outline[(side + 1) & 3])
    let along = SIMD2(b.x - a.x, b.y - a.y)
    let sign: Double = outline.signedArea > 0 ? -1 : 1
    return (side, share, along.perpendicular / max(along.length, 1e-9) * sign)
  }

  /// Fills the window with the brightness across a side.
  ///
  /// - Returns: False where a sample would lie outside the picture.
  private mutating func sample(
    _ outline: Quadrilateral, _ index: Int, half: Int, step: Double, _ samples: ArraySlice<UInt8>,
    _ width: Int, _ height: Int
  ) -> Bool {
    let (side, share, outward) = Self.place(index, outline)
    let (a, b) = (outline[side], outline[(side + 1) & 3])
    let middle = SIMD2(a.x + share * (b.x - a.x) - 0.5, a.y + share * (b.y - a.y) - 0.5)
    let reach = Double(half) * step * outward
    let least = pointwiseMin(middle - reach, middle + reach)
    let greatest = pointwiseMax(middle - reach, middle + reach)
    guard least.x >= 0, least.y >= 0, greatest.x < Double(width - 1),
      greatest.y < Double(height - 1)
    else { return false }
    for offset in 0...2 * half {
      let point = middle + Double(offset - half) * step * outward
      let (x, y) = (Int(point.x), Int(point.y))
      let (fx, fy) = (Float(point.x - Double(x)), Float(point.y - Double(y)))
      let place = y &* width &+ x
      let above = Float(samples[place]) * (1 - fx) + Float(samples[place + 1]) * fx
      let below =
        Float(samples[place + width]) * (1 - fx) + Float(samples[place + width + 1]) * fx
      window[offset] = above * (1 - fy) + below * fy
    }
    return true
  }
}
