internal import DiceImaging

/// A picture as the sequence of quantized blocks that a baseline scan holds.
@safe struct JPEGBlockSource {
  private let image: PixelImage
  private let componentCount: Int
  /// Blocks of luminance along the edge of a unit: 1 or 2.
  private let factor: Int
  private let unitsWide: Int
  private let unitsHigh: Int
  private let quantizers: [JPEGQuantizer]

  init(_ image: PixelImage, factor: Int, quantization: [[Int]]) {
    self.image = image
    self.factor = factor
    componentCount = image.format == .gray ? 1 : 3
    unitsWide = ceilingDivide(image.width, 8 * factor)
    unitsHigh = ceilingDivide(image.height, 8 * factor)
    quantizers = quantization.map { JPEGQuantizer($0) }
  }

  /// Calls `body` for each block in the order of the scan, with 64 coefficients in row-major order
  /// and the index of the component; with nil for blocks outside the picture, which repeat the mean of
  /// the block before them.
  func forEachBlock(_ body: (UnsafePointer<Int16>?, Int) -> Void) {
    let stride = unitsWide * 8 * factor
    let planes = (0..<componentCount).map { _ in
      JPEGMemory<UInt8>(count: stride * 8 * factor)
    }
    let block = JPEGMemory<Int16>(count: 64)
    defer { withExtendedLifetime((self, planes, block)) {} }
    for unitRow in 0..<unitsHigh {
      let firstRow = unitRow * 8 * factor
      let rowCount = min(8 * factor, image.height - firstRow)
      unsafe image.samples.withUnsafeBufferPointer { samples in
        guard let base = samples.baseAddress else { return }
        for row in 0..<rowCount {
          let source = unsafe base + (firstRow + row) * image.width * image.format.channelCount
          unsafe convert(source, to: planes, offset: row * stride, paddedWidth: stride)
        }
      }
      var chromaRows = rowCount
      if factor == 2 {
        // An odd last row is averaged with itself.
        if rowCount % 2 == 1 {
          for plane in planes.dropFirst() {
            let last = unsafe plane.base + (rowCount - 1) * stride
            unsafe (last + stride).update(from: last, count: stride)
          }
        }
        chromaRows = (rowCount + 1) / 2
        for plane in planes.dropFirst() {
          unsafe Self.average(plane.base, stride: stride, rows: chromaRows)
        }
      }
      for (index, plane) in planes.enumerated() {
        let valid = index == 0 ? rowCount : chromaRows
        let needed = index == 0 ? 8 * factor : 8
        let last = unsafe plane.base + (valid - 1) * stride
        for row in valid..<max(valid, needed) {
          unsafe (plane.base + row * stride).update(from: last, count: stride)
        }
      }
      let blocksHigh = ceilingDivide(rowCount, 8)
      for unit in 0..<unitsWide {
        for index in 0..<componentCount {
          let edge = index == 0 ? factor : 1
          for row in 0..<edge {
            for column in 0..<edge {
              let blockColumn = unit * edge + column
              let isInside =
                index > 0 || row < blocksHigh && blockColumn * 8 < image.width
              guard isInside else {
                body(nil, index)
                continue
              }
              let source = unsafe planes[index].base + row * 8 * stride + blockColumn * 8
              unsafe JPEGForwardDCT.transform(source, stride: stride).store(block.base)
              unsafe quantizers[min(index, 1)].quantize(block.base)
              unsafe body(block.base, index)
            }
          }
        }
      }
    }
  }

  /// Converts a row of pixels to components and repeats the last one up to the padded width.
  ///
  /// Source: ITU-T T.871, section 7, in integers of 16 fractional bits as libjpeg rounds them.
  private func convert(
    _ source: UnsafePointer<UInt8>, to planes: [JPEGMemory<UInt8>], offset: Int,
    paddedWidth: Int
  ) {
    defer { withExtendedLifetime(planes) {} }
    let width = image.width
    let luma = unsafe planes[0].base + offset
    if componentCount == 1 {
      unsafe luma.update(from: source, count: width)
    } else {
      let blue = unsafe planes[1].base + offset
      let red = unsafe planes[2].base + offset
      let step = image.format.channelCount
      for x in 0..<width {
        let pixel = unsafe source + x &* step
        let r = unsafe Int(pixel[0])
        let g = unsafe Int(pixel[1])
        let b = unsafe Int(pixel[2])
        let y = (19595 &* r &+ 38470 &* g &+ 7471 &* b &+ 32768) &>> 16
        let cb = (-11059 &* r &- 21709 &* g &+ 32768 &* b &+ 8_421_375) &>> 16
        let cr = (32768 &* r &- 27439 &* g &- 5329 &* b &+ 8_421_375) &>> 16
        unsafe luma[x] = UInt8(truncatingIfNeeded: y)
        unsafe blue[x] = UInt8(truncatingIfNeeded: cb)
        unsafe red[x] = UInt8(truncatingIfNeeded: cr)
      }
    }
    for plane in planes {
      let row = unsafe plane.base + offset
      unsafe (row + width).update(repeating: row[width - 1], count: paddedWidth - width)
    }
  }

  /// Replaces two by two samples by their mean, in place: rows 0, 2, 4 … become rows 0, 1, 2 ….
  ///
  /// Halves are rounded down and up in turns along a row, as libjpeg does.
  private static func average(_ plane: UnsafeMutablePointer<UInt8>, stride: Int, rows: Int) {
    for row in 0..<rows {
      let upper = unsafe plane + 2 * row * stride
      let lower = unsafe upper + stride
      let output = unsafe plane + row * stride
      for x in 0..<stride / 2 {
        let sum =
          unsafe Int(upper[2 &* x]) &+ Int(upper[2 &* x &+ 1]) &+ Int(lower[2 &* x])
          &+ Int(lower[2 &* x &+ 1])
        unsafe output[x] = UInt8(truncatingIfNeeded: (sum &+ 1 &+ (x & 1)) &>> 2)
      }
    }
  }
}
