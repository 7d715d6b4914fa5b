internal import DiceNumerics

/// A blur with a Gaussian kernel cut at 2.5 deviations; borders repeat.
struct GaussianBlur {
  private let radius: Int
  /// The weights of the middle and of each distance from it.
  private let kernel: [Float]

  init(deviation: Float) {
    radius = min(max(Int((deviation * 2.5).rounded(.up)), 1), 40)
    var kernel = [Float](repeating: 0, count: radius + 1)
    var total: Float = 0
    for offset in 0...radius {
      let x = Float(offset) / max(deviation, 0.05)
      kernel[offset] = exponential(-0.5 * x * x)
      total += offset == 0 ? kernel[offset] : 2 * kernel[offset]
    }
    for offset in 0...radius { kernel[offset] /= total }
    self.kernel = kernel
  }

  /// Blurs a plane of `width * height` samples.
  func apply(to plane: inout [Float], width: Int, height: Int) {
    precondition(plane.count == width * height, "a plane of this size")
    // Rows are padded on both sides, and at the end to full eights.
    let rowLength = (width + 7) / 8 * 8
    var row = [Float](repeating: 0, count: rowLength + 2 * radius)
    var across = [Float](repeating: 0, count: rowLength * height)
    // Pointers without checks let these loops use vectors. Every index lies in its buffer: `row` and
    // `across` hold whole eights, and the rows above and below are clamped.
    unsafe plane.withUnsafeMutableBufferPointer { plane in
      unsafe across.withUnsafeMutableBufferPointer { across in
        unsafe row.withUnsafeMutableBufferPointer { row in
          unsafe kernel.withUnsafeBufferPointer { kernel in
            for y in 0..<height {
              unsafe blurRow(plane, row, kernel, across, y, width, rowLength)
            }
            for y in 0..<height {
              unsafe blurColumns(across, kernel, plane, y, width, height, rowLength)
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private func blurRow(
    _ plane: UnsafeMutableBufferPointer<Float>, _ row: UnsafeMutableBufferPointer<Float>,
    _ kernel: UnsafeBufferPointer<Float>, _ across: UnsafeMutableBufferPointer<Float>, _ y: Int,
    _ width: Int, _ rowLength: Int
  ) {
    let start = y * width
    for x in 0..<width { unsafe row[x + radius] = plane[start + x] }
    for x in 0..<radius { unsafe row[x] = plane[start] }
    for x in (width + radius)..<(rowLength + 2 * radius) {
      unsafe row[x] = plane[start + width - 1]
    }
    for x in stride(from: 0, to: rowLength, by: 8) {
      var sum = unsafe row.eight(at: x + radius) * kernel[0]
      for offset in 1...radius {
        sum +=
          unsafe (row.eight(at: x + radius - offset) + row.eight(at: x + radius + offset))
          * kernel[offset]
      }
      unsafe across.store(sum, at: y * rowLength + x)
    }
  }

  @inline(__always)
  private func blurColumns(
    _ across: UnsafeMutableBufferPointer<Float>, _ kernel: UnsafeBufferPointer<Float>,
    _ plane: UnsafeMutableBufferPointer<Float>, _ y: Int, _ width: Int, _ height: Int,
    _ rowLength: Int
  ) {
    for x in stride(from: 0, to: width, by: 8) {
      var sum = unsafe across.eight(at: y * rowLength + x) * kernel[0]
      for offset in 1...radius {
        let above = max(y - offset, 0) * rowLength + x
        let below = min(y + offset, height - 1) * rowLength + x
        sum += unsafe (across.eight(at: above) + across.eight(at: below)) * kernel[offset]
      }
      if x + 8 <= width {
        unsafe plane.store(sum, at: y * width + x)
      } else {
        for lane in 0..<(width - x) { unsafe plane[y * width + x + lane] = sum[lane] }
      }
    }
  }
}
