/// The damage that JPEG compression does: 8 by 8 blocks of rounded frequencies, coarser colour.
///
/// Follows ITU-T T.81: the discrete cosine transform, the example quantisation tables of annex K
/// scaled by quality as is customary, colour at half the resolution.
struct BlockCompression {
  private typealias Row = SIMD8<Float>

  private let basis: [Row]
  private let transposedBasis: [Row]
  private let brightnessSteps: [Row]
  private let colourSteps: [Row]

  init(quality: Int) {
    let quality = min(max(quality, 5), 98)
    let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
    var forward = [Row](repeating: Row(repeating: 0), count: 8)
    var backward = forward
    for k in 0..<8 {
      for n in 0..<8 {
        let norm: Float = k == 0 ? 0.35355339 : 0.5
        let value = norm * cosineOfTurns(Float((2 * n + 1) * k) / 32)
        forward[k][n] = value
        backward[n][k] = value
      }
    }
    basis = forward
    transposedBasis = backward
    func rows(_ table: [Int]) -> [Row] {
      (0..<8).map { row in
        var result = Row(repeating: 1)
        for column in 0..<8 {
          let step = (table[row * 8 + column] * percent + 50) / 100
          result[column] = Float(min(max(step, 1), 255))
        }
        return result
      }
    }
    brightnessSteps = rows(BlockCompression.brightnessTable)
    colourSteps = rows(BlockCompression.colourTable)
  }

  /// Replaces the samples of an RGB picture by what compression leaves of them.
  func apply(to samples: inout [UInt8], width: Int, height: Int) {
    let paddedWidth = (width + 15) / 16 * 16
    let paddedHeight = (height + 15) / 16 * 16
    var luma = [Float](repeating: 0, count: paddedWidth * paddedHeight)
    let halfWidth = paddedWidth / 2
    let halfHeight = paddedHeight / 2
    var blue = [Float](repeating: 0, count: halfWidth * halfHeight)
    var red = blue
    for y in 0..<paddedHeight {
      let row = min(y, height - 1) * width
      for x in 0..<paddedWidth {
        let index = (row + min(x, width - 1)) * 3
        let r = Float(samples[index])
        let g = Float(samples[index + 1])
        let b = Float(samples[index + 2])
        let bright = 0.299 * r + 0.587 * g + 0.114 * b
        luma[y * paddedWidth + x] = bright - 128
        let half = (y / 2) * halfWidth + x / 2
        blue[half] += (b - bright) * (0.564 * 0.25)
        red[half] += (r - bright) * (0.713 * 0.25)
      }
    }
    compress(&luma, paddedWidth, paddedHeight, brightnessSteps)
    compress(&blue, halfWidth, halfHeight, colourSteps)
    compress(&red, halfWidth, halfHeight, colourSteps)
    for y in 0..<height {
      // Colour is interpolated between the centres of its larger pixels.
      let fy = max(Float(y) * 0.5 - 0.25, 0)
      let y0 = min(Int(fy), halfHeight - 1)
      let y1 = min(y0 + 1, halfHeight - 1)
      let ty = fy - Float(y0)
      for x in 0..<width {
        let fx = max(Float(x) * 0.5 - 0.25, 0)
        let x0 = min(Int(fx), halfWidth - 1)
        let x1 = min(x0 + 1, halfWidth - 1)
        let tx = fx - Float(x0)
        @inline(__always)
        func read(_ plane: [Float]) -> Float {
          mix(
            mix(plane[y0 * halfWidth + x0], plane[y0 * halfWidth + x1], tx),
            mix(plane[y1 * halfWidth + x0], plane[y1 * halfWidth + x1], tx), ty)
        }
        let bright = luma[y * paddedWidth + x] + 128
        let cb = read(blue)
        let cr = read(red)
        let index = (y * width + x) * 3
        samples[index] = UInt8(clamp(bright + 1.402 * cr, 0, 255) + 0.5)
        samples[index + 1] = UInt8(clamp(bright - 0.344 * cb - 0.714 * cr, 0, 255) + 0.5)
        samples[index + 2] = UInt8(clamp(bright + 1.772 * cb, 0, 255) + 0.5)
      }
    }
  }

  private func compress(_ plane: inout [Float], _ width: Int, _ height: Int, _ steps: [Row]) {
    var block = [Row](repeating: Row(repeating: 0), count: 8)
    for top in stride(from: 0, to: height - 7, by: 8) {
      for left in stride(from: 0, to: width - 7, by: 8) {
        for row in 0..<8 {
          let start = (top + row) * width + left
          var values = Row(repeating: 0)
          for column in 0..<8 { values[column] = plane[start + column] }
          block[row] = values
        }
        transform(&block, basis)
        transform(&block, basis)
        for row in 0..<8 {
          block[row] = (block[row] / steps[row]).rounded(.toNearestOrEven) * steps[row]
        }
        transform(&block, transposedBasis)
        transform(&block, transposedBasis)
        for row in 0..<8 {
          let start = (top + row) * width + left
          for column in 0..<8 { plane[start + column] = block[row][column] }
        }
      }
    }
  }

  /// Multiplies a block by a matrix from the left and transposes it.
  @inline(__always)
  private func transform(_ block: inout [Row], _ matrix: [Row]) {
    var result = (
      Row(repeating: 0), Row(repeating: 0), Row(repeating: 0), Row(repeating: 0),
      Row(repeating: 0), Row(repeating: 0), Row(repeating: 0), Row(repeating: 0)
    )
    for n in 0..<8 {
      let row = block[n]
      result.0 += row * matrix[0][n]
      result.1 += row * matrix[1][n]
      result.2 += row * matrix[2][n]
      result.3 += row * matrix[3][n]
      result.4 += row * matrix[4][n]
      result.5 += row * matrix[5][n]
      result.6 += row * matrix[6][n]
      result.7 += row * matrix[7][n]
    }
    for n in 0..<8 {
      block[n] = Row(
        result.0[n], result.1[n], result.2[n], result.3[n], result.4[n], result.5[n], result.6[n],
        result.7[n])
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
