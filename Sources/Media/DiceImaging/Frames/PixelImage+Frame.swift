extension PixelImage {
  /// Copies a frame into memory of its own, rows as stored.
  ///
  /// Gray frames become `gray`, all others `rgb`. Samples of video range are spread over 0...255.
  /// Frames with separate planes are converted pixel by pixel, each with the chroma sample that it
  /// shares with its neighbours, rounded to nearest and clamped; where the sample lies among them
  /// does not count.
  ///
  /// Complexity: proportional to the number of pixels.
  public init(copying frame: borrowing RawFrame) {
    let width = frame.width
    let height = frame.height
    let format: Format = frame.format.isGray ? .gray : .rgb
    let rowCount = width * format.channelCount
    var samples = [UInt8](repeating: 0, count: rowCount * height)
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      var target = samples.baseAddress!
      for y in 0..<height {
        unsafe frame.copyRow(y, to: target)
        unsafe target += rowCount
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
  /// Pixels that share a chroma sample all have it, as `PixelImage(copying:)` describes.
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
    case .luma, .yCbCr420, .yCbCr422, .yCbCr444:
      let luma = unsafe pixels.base.load(
        fromByteOffset: row * pixels.bytesPerRow + column, as: UInt8.self)
      let chroma = unsafe ChromaRow(of: self, row: row)
      let bytes = unsafe chroma.color(luma: luma, column: column)
      return PixelColor(red: bytes.x, green: bytes.y, blue: bytes.z)
    }
  }

  /// Copies a row of gray samples, or of red, green and blue.
  fileprivate func copyRow(_ row: Int, to target: UnsafeMutablePointer<UInt8>) {
    let source = unsafe pixels.base + row * pixels.bytesPerRow
    switch format {
    case .packed(.gray):
      unsafe UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: width)
    case .packed(.rgb):
      unsafe UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: width * 3)
    case .packed(.rgba), .packed(.bgra):
      let isReversed = format == .packed(.bgra)
      var pixel = unsafe target
      for column in 0..<width {
        let samples = unsafe source.loadUnaligned(
          fromByteOffset: column &* 4, as: SIMD4<UInt8>.self)
        unsafe pixel[0] = isReversed ? samples.z : samples.x
        unsafe pixel[1] = samples.y
        unsafe pixel[2] = isReversed ? samples.x : samples.z
        unsafe pixel += 3
      }
    case .luma:
      let chroma = unsafe ChromaRow(of: self, row: row)
      for column in 0..<width {
        let luma = unsafe source.load(fromByteOffset: column, as: UInt8.self)
        unsafe target[column] = chroma.color(luma: luma, column: column).x
      }
    case .yCbCr420, .yCbCr422, .yCbCr444:
      let chroma = unsafe ChromaRow(of: self, row: row)
      var pixel = unsafe target
      for column in 0..<width {
        let luma = unsafe source.load(fromByteOffset: column, as: UInt8.self)
        let color = unsafe chroma.color(luma: luma, column: column)
        unsafe pixel[0] = color.x
        unsafe pixel[1] = color.y
        unsafe pixel[2] = color.z
        unsafe pixel += 3
      }
    }
  }
}

/// The chroma samples that a row of pixels has, and the conversion to colours.
@unsafe struct ChromaRow {
  let cb: UnsafeRawPointer
  let cr: UnsafeRawPointer
  /// Bytes from one chroma sample of a kind to the next; 0 where there are none.
  let step: Int
  /// How far columns are shifted to get to their chroma sample.
  let shift: Int
  let factors: YCbCrFactors

  init(of frame: borrowing RawFrame, row: Int) {
    let subsampling = frame.format.chromaSubsampling ?? .s444
    let chromaRow = row / subsampling.rowsPerSample
    unsafe shift = subsampling.columnsPerSample - 1
    unsafe factors = frame.format.factors
    switch unsafe frame.chroma {
    case .none:
      unsafe (cb, cr) = (frame.pixels.base, frame.pixels.base)
      unsafe step = 0
    case .interleaved(let plane, let order):
      let pairs = unsafe plane.base + chromaRow * plane.bytesPerRow
      unsafe cb = order == .cbCr ? pairs : pairs + 1
      unsafe cr = order == .cbCr ? pairs + 1 : pairs
      unsafe step = 2
    case .separate(let cbPlane, let crPlane):
      unsafe cb = cbPlane.base + chromaRow * cbPlane.bytesPerRow
      unsafe cr = crPlane.base + chromaRow * crPlane.bytesPerRow
      unsafe step = 1
    }
  }

  @inline(__always)
  func color(luma: UInt8, column: Int) -> SIMD4<UInt8> {
    var (blue, red) = (Float(128), Float(128))
    if unsafe step != 0 {
      let offset = unsafe (column &>> shift) &* step
      blue = unsafe Float(cb.load(fromByteOffset: offset, as: UInt8.self))
      red = unsafe Float(cr.load(fromByteOffset: offset, as: UInt8.self))
    }
    return unsafe factors.color(y: Float(luma), cb: blue, cr: red).roundedToBytes
  }

  /// `(Cr − Cb) / 2 + 128`, where there is chroma.
  @inline(__always)
  func redness(column: Int) -> Int {
    let offset = unsafe (column &>> shift) &* step
    let blue = unsafe Int(cb.load(fromByteOffset: offset, as: UInt8.self))
    let red = unsafe Int(cr.load(fromByteOffset: offset, as: UInt8.self))
    return (red &- blue &+ 256) >> 1
  }
}

extension RawFrame.Format {
  /// The conversion of luma and chroma to colours; that of full range where there are none.
  var factors: YCbCrFactors {
    switch self {
    case .packed: YCbCrEncoding(.bt601, .full).factors
    case .luma(let range): YCbCrEncoding(.bt601, range).factors
    case .yCbCr420(let encoding), .yCbCr422(let encoding), .yCbCr444(let encoding):
      encoding.factors
    }
  }
}
