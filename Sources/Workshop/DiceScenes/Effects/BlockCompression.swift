/// The damage that JPEG compression does: 8 by 8 blocks of rounded frequencies, coarser colour.
///
/// Follows ITU-T T.81: the discrete cosine transform, the example quantisation tables of annex K
/// scaled by quality as is customary, colour at half the resolution.
struct BlockCompression {
  /// The steps of a block's frequencies, transposed, and their reciprocals.
  private struct Steps {
    var sizes: [Eight]
    var reciprocals: [Eight]

    init(_ table: [Int], percent: Int) {
      sizes = (0..<8).map { column in
        var result = Eight(repeating: 1)
        for row in 0..<8 {
          let step = (table[row * 8 + column] * percent + 50) / 100
          result[row] = Float(min(max(step, 1), 255))
        }
        return result
      }
      reciprocals = sizes.map { 1 / $0 }
    }
  }

  private let brightnessSteps: Steps
  private let colourSteps: Steps

  init(quality: Int) {
    let quality = min(max(quality, 5), 98)
    let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
    brightnessSteps = Steps(BlockCompression.brightnessTable, percent: percent)
    colourSteps = Steps(BlockCompression.colourTable, percent: percent)
  }

  /// Replaces the samples of the red, green and blue planes of a picture, from 0 to 255, by what
  /// compression leaves of them.
  func apply(to planes: inout [[Float]], width: Int, height: Int) {
    let paddedWidth = (width + 15) / 16 * 16
    let paddedHeight = (height + 15) / 16 * 16
    var luma = [Float](repeating: 0, count: paddedWidth * paddedHeight)
    let halfWidth = paddedWidth / 2
    let halfHeight = paddedHeight / 2
    var blue = [Float](repeating: 0, count: halfWidth * halfHeight)
    var red = blue
    var rows = [[Float]](repeating: [Float](repeating: 0, count: paddedWidth), count: 3)
    for y in 0..<paddedHeight {
      for channel in 0..<3 {
        BlockCompression.copyRow(
          planes[channel], from: min(y, height - 1) * width, count: width, to: &rows[channel])
      }
      let half = (y / 2) * halfWidth
      for x in stride(from: 0, to: paddedWidth, by: 8) {
        let b = rows[2].eight(at: x)
        let r = rows[0].eight(at: x)
        let bright = r * 0.299 + rows[1].eight(at: x) * 0.587 + b * 0.114
        luma.store(bright - 128, at: y * paddedWidth + x)
        let blueWay = (b - bright) * (0.564 * 0.25)
        let redWay = (r - bright) * (0.713 * 0.25)
        let bluePairs = blueWay.evenHalf + blueWay.oddHalf
        let redPairs = redWay.evenHalf + redWay.oddHalf
        for lane in 0..<4 {
          blue[half + x / 2 + lane] += bluePairs[lane]
          red[half + x / 2 + lane] += redPairs[lane]
        }
      }
    }
    compress(&luma, paddedWidth, paddedHeight, brightnessSteps)
    compress(&blue, halfWidth, halfHeight, colourSteps)
    compress(&red, halfWidth, halfHeight, colourSteps)
    var blueRow = [Float](repeating: 0, count: paddedWidth)
    var redRow = blueRow
    for y in 0..<height {
      enlarge(blue, y, halfWidth, halfHeight, &blueRow)
      enlarge(red, y, halfWidth, halfHeight, &redRow)
      for x in stride(from: 0, to: width, by: 8) {
        let bright = luma.eight(at: y * paddedWidth + x) + 128
        let cb = blueRow.eight(at: x)
        let cr = redRow.eight(at: x)
        let count = min(8, width - x)
        let start = y * width + x
        BlockCompression.store(bright + cr * 1.402, count, at: start, of: &planes[0])
        BlockCompression.store(bright - cb * 0.344 - cr * 0.714, count, at: start, of: &planes[1])
        BlockCompression.store(bright + cb * 1.772, count, at: start, of: &planes[2])
      }
    }
  }

  /// Copies a row and repeats its end.
  private static func copyRow(
    _ plane: [Float], from start: Int, count: Int, to row: inout [Float]
  ) {
    for x in stride(from: 0, to: count, by: 8) { row.store(plane.eight(at: start + x), at: x) }
    for x in count..<row.count { row[x] = plane[start + count - 1] }
  }

  /// Stores the first of eight samples, rounded and brought into the range from 0 to 255.
  @inline(__always)
  private static func store(_ value: Eight, _ count: Int, at start: Int, of plane: inout [Float]) {
    let stored = value.maximum(Eight(repeating: 0)).minimum(Eight(repeating: 255)).nearestWholes
    if count == 8 {
      plane.store(stored, at: start)
    } else {
      for lane in 0..<count { plane[start + lane] = stored[lane] }
    }
  }

  /// A row of a plane of half the size, interpolated between the centres of its larger pixels.
  @inline(__always)
  private func enlarge(
    _ plane: [Float], _ y: Int, _ width: Int, _ height: Int, _ row: inout [Float]
  ) {
    // Three quarters of the nearer one and a quarter of the one beyond; borders repeat.
    let near = y / 2
    let far = y & 1 == 0 ? max(near - 1, 0) : min(near + 1, height - 1)
    @inline(__always)
    func value(_ x: Int) -> Float { plane[near * width + x] * 0.75 + plane[far * width + x] * 0.25 }
    var before = value(0)
    var here = before
    for x in 0..<width {
      let next = x + 1 < width ? value(x + 1) : here
      row[2 * x] = here * 0.75 + before * 0.25
      row[2 * x + 1] = here * 0.75 + next * 0.25
      before = here
      here = next
    }
  }

  private func compress(_ plane: inout [Float], _ width: Int, _ height: Int, _ steps: Steps) {
    for top in stride(from: 0, to: height - 7, by: 8) {
      for left in stride(from: 0, to: width - 7, by: 8) {
        let start = top * width + left
        var block = FrequencyBlock(
          plane.eight(at: start), plane.eight(at: start + width),
          plane.eight(at: start + 2 * width), plane.eight(at: start + 3 * width),
          plane.eight(at: start + 4 * width), plane.eight(at: start + 5 * width),
          plane.eight(at: start + 6 * width), plane.eight(at: start + 7 * width))
        block.transform()
        block.transpose()
        block.transform()
        block.round(steps.sizes, steps.reciprocals)
        block.transformBack()
        block.transpose()
        block.transformBack()
        let (r0, r1, r2, r3, r4, r5, r6, r7) = block.rows
        plane.store(r0, at: start)
        plane.store(r1, at: start + width)
        plane.store(r2, at: start + 2 * width)
        plane.store(r3, at: start + 3 * width)
        plane.store(r4, at: start + 4 * width)
        plane.store(r5, at: start + 5 * width)
        plane.store(r6, at: start + 6 * width)
        plane.store(r7, at: start + 7 * width)
      }
    }
  }

  private static let brightnessTable: [Int] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ]

  private static let colourTable: [Int] = [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
    24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  ]
}

/// A block of 8 by 8 samples, or its frequencies.
private struct FrequencyBlock {
  private(set) var rows: (Eight, Eight, Eight, Eight, Eight, Eight, Eight, Eight)

  @inline(__always)
  init(
    _ r0: Eight, _ r1: Eight, _ r2: Eight, _ r3: Eight, _ r4: Eight, _ r5: Eight, _ r6: Eight,
    _ r7: Eight
  ) {
    rows = (r0, r1, r2, r3, r4, r5, r6, r7)
  }

  // cos(k π / 16) / 2, and sqrt(1 / 8), the factors of the orthonormal transform.
  private static let c1: Float = 0.490392640
  private static let c2: Float = 0.461939766
  private static let c3: Float = 0.415734806
  private static let c4: Float = 0.353553391
  private static let c5: Float = 0.277785117
  private static let c6: Float = 0.191341716
  private static let c7: Float = 0.097545161

  /// The discrete cosine transform of every column.
  @inline(__always)
  mutating func transform() {
    typealias B = FrequencyBlock
    let (r0, r1, r2, r3, r4, r5, r6, r7) = rows
    let (s0, s1, s2, s3) = (r0 + r7, r1 + r6, r2 + r5, r3 + r4)
    let (d0, d1, d2, d3) = (r0 - r7, r1 - r6, r2 - r5, r3 - r4)
    let (outer, inner) = (s0 + s3, s1 + s2)
    let (outerWay, innerWay) = (s0 - s3, s1 - s2)
    rows.0 = (outer + inner) * B.c4
    rows.4 = (outer - inner) * B.c4
    rows.2 = outerWay * B.c2 + innerWay * B.c6
    rows.6 = outerWay * B.c6 - innerWay * B.c2
    rows.1 = d0 * B.c1 + d1 * B.c3 + d2 * B.c5 + d3 * B.c7
    rows.3 = d0 * B.c3 - d1 * B.c7 - d2 * B.c1 - d3 * B.c5
    rows.5 = d0 * B.c5 - d1 * B.c1 + d2 * B.c7 + d3 * B.c3
    rows.7 = d0 * B.c7 - d1 * B.c5 + d2 * B.c3 - d3 * B.c1
  }

  /// The inverse of `transform`.
  @inline(__always)
  mutating func transformBack() {
    typealias B = FrequencyBlock
    let (f0, f1, f2, f3, f4, f5, f6, f7) = rows
    let (sum, way) = ((f0 + f4) * B.c4, (f0 - f4) * B.c4)
    let outer = f2 * B.c2 + f6 * B.c6
    let inner = f2 * B.c6 - f6 * B.c2
    let (e0, e3, e1, e2) = (sum + outer, sum - outer, way + inner, way - inner)
    let o0 = f1 * B.c1 + f3 * B.c3 + f5 * B.c5 + f7 * B.c7
    let o1 = f1 * B.c3 - f3 * B.c7 - f5 * B.c1 - f7 * B.c5
    let o2 = f1 * B.c5 - f3 * B.c1 + f5 * B.c7 + f7 * B.c3
    let o3 = f1 * B.c7 - f3 * B.c5 + f5 * B.c3 - f7 * B.c1
    rows = (e0 + o0, e1 + o1, e2 + o2, e3 + o3, e3 - o3, e2 - o2, e1 - o1, e0 - o0)
  }

  /// Rounds each frequency to a multiple of its step.
  @inline(__always)
  mutating func round(_ sizes: [Eight], _ reciprocals: [Eight]) {
    rows.0 = (rows.0 * reciprocals[0]).nearestWholes * sizes[0]
    rows.1 = (rows.1 * reciprocals[1]).nearestWholes * sizes[1]
    rows.2 = (rows.2 * reciprocals[2]).nearestWholes * sizes[2]
    rows.3 = (rows.3 * reciprocals[3]).nearestWholes * sizes[3]
    rows.4 = (rows.4 * reciprocals[4]).nearestWholes * sizes[4]
    rows.5 = (rows.5 * reciprocals[5]).nearestWholes * sizes[5]
    rows.6 = (rows.6 * reciprocals[6]).nearestWholes * sizes[6]
    rows.7 = (rows.7 * reciprocals[7]).nearestWholes * sizes[7]
  }

  /// Swaps rows and columns: three times, each row is interleaved with the one four below.
  @inline(__always)
  mutating func transpose() {
    for _ in 0..<3 {
      let (a, b) = FrequencyBlock.interleaved(rows.0, rows.4)
      let (c, d) = FrequencyBlock.interleaved(rows.1, rows.5)
      let (e, f) = FrequencyBlock.interleaved(rows.2, rows.6)
      let (g, h) = FrequencyBlock.interleaved(rows.3, rows.7)
      rows = (a, b, c, d, e, f, g, h)
    }
  }

  @inline(__always)
  private static func interleaved(_ a: Eight, _ b: Eight) -> (Eight, Eight) {
    var low = a
    low.evenHalf = a.lowHalf
    low.oddHalf = b.lowHalf
    var high = a
    high.evenHalf = a.highHalf
    high.oddHalf = b.highHalf
    return (low, high)
  }
}
