extension PixelImage {
  /// Copies a frame into memory of its own, rows as stored.
  ///
  /// Gray frames stay gray, all others become `rgb`. Frames with separate planes are converted
  /// pixel by pixel, each with the chroma of its block of 2 x 2, rounded to nearest and clamped.
  ///
  /// Complexity: proportional to the number of pixels.
  public init(copying frame: borrowing RawFrame) {
    let width = frame.width
    let height = frame.height
    let format: Format = frame.format == .packed(.gray) ? .gray : .rgb
    var samples = [UInt8](repeating: 0, count: width * height * format.channelCount)
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      var target = samples.baseAddress!
      for y in 0..<height {
        unsafe frame.copyRow(y, to: target)
        unsafe target += width * format.channelCount
      }
    }
    self.init(
      width: width, height: height, format: format, samples: samples,
      orientation: frame.orientation)
  }
}

extension RawFrame {
  /// The colour of a stored pixel.
  ///
  /// - Precondition: `column` is in `0..<width` and `row` in `0..<height`.
  public func color(column: Int, row: Int) -> PixelColor {
    precondition(column >= 0 && column < width && row >= 0 && row < height)
    switch format {
    case .packed(let format):
      let pixel = unsafe pixels.base + row * pixels.bytesPerRow + column * format.channelCount
      func sample(_ index: Int) -> UInt8 {
        unsafe pixel.load(fromByteOffset: index, as: UInt8.self)
      }
      return switch format {
      case .gray: PixelColor(red: sample(0), green: sample(0), blue: sample(0))
      case .rgb, .rgba: PixelColor(red: sample(0), green: sample(1), blue: sample(2))
      case .bgra: PixelColor(red: sample(2), green: sample(1), blue: sample(0))
      }
    case .yCbCr420(let encoding):
      return yCbCrColor(column: column, row: row, factors: encoding.factors)
    }
  }

  private func yCbCrColor(column: Int, row: Int, factors: YCbCrFactors) -> PixelColor {
    let y = unsafe pixels.sample(row: row, byte: column)
    let (cb, cr): (UInt8, UInt8)
    switch unsafe chroma {
    case .none: (cb, cr) = (128, 128)
    case .interleaved(let plane, let order):
      let first = unsafe plane.sample(row: row / 2, byte: column / 2 * 2)
      let second = unsafe plane.sample(row: row / 2, byte: column / 2 * 2 + 1)
      (cb, cr) = order == .cbCr ? (first, second) : (second, first)
    case .separate(let cbPlane, let crPlane):
      cb = unsafe cbPlane.sample(row: row / 2, byte: column / 2)
      cr = unsafe crPlane.sample(row: row / 2, byte: column / 2)
    }
    let bytes = factors.color(y: Float(y), cb: Float(cb), cr: Float(cr)).roundedToBytes
    return PixelColor(red: bytes.x, green: bytes.y, blue: bytes.z)
  }

  /// Copies a row of gray samples, or of red, green and blue.
  fileprivate func copyRow(_ row: Int, to target: UnsafeMutablePointer<UInt8>) {
    if format == .packed(.gray) || format == .packed(.rgb) {
      let count = width * (format == .packed(.gray) ? 1 : 3)
      let source = unsafe pixels.base + row * pixels.bytesPerRow
      unsafe UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: count)
      return
    }
    var pixel = unsafe target
    for column in 0..<width {
      let color = color(column: column, row: row)
      unsafe pixel[0] = color.red
      unsafe pixel[1] = color.green
      unsafe pixel[2] = color.blue
      unsafe pixel += 3
    }
  }
}

extension RawFrame.Plane {
  func sample(row: Int, byte: Int) -> UInt8 {
    unsafe base.load(fromByteOffset: row * bytesPerRow + byte, as: UInt8.self)
  }
}
