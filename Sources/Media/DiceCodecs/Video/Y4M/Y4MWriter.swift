public import DiceImaging

/// Writes pictures as the frames of a YUV4MPEG2 stream (`.y4m`), which FFmpeg and most players read.
///
///     let writer = try Y4MWriter(width: 640, height: 480, frameRate: rate)
///     try output.write(writer.header)
///     for image in images { try output.write(writer.frame(image)) }
///
/// Colours are converted with BT.601, which readers assume of the format, luma and chroma rounded to
/// nearest. With 4:2:0 the chroma of a block is the mean of its pixels.
public struct Y4MWriter: Hashable, Sendable {
  /// How many chroma samples a frame has.
  public enum Chroma: UInt8, CaseIterable, Hashable, Sendable {
    /// One for each block of 2 x 2 pixels, in its middle: `420jpeg`.
    case s420
    /// One for each pixel: `444`.
    case s444
  }

  /// Columns of every frame.
  public let width: Int
  /// Rows of every frame.
  public let height: Int
  /// Frames in a second.
  public let frameRate: FrameRate
  /// How many chroma samples a frame has.
  public let chroma: Chroma
  /// Which part of 0...255 the samples use.
  public let range: YCbCrEncoding.Range

  /// A writer of frames with the given size.
  ///
  /// - Throws: `noPixels` where a side is not positive, `tooManyPixels` where a frame is too large
  ///   for memory.
  public init(
    width: Int, height: Int, frameRate: FrameRate = .standard, chroma: Chroma = .s420,
    range: YCbCrEncoding.Range = .video
  ) throws(Y4MError) {
    guard width > 0, height > 0 else { throw .noPixels(width: width, height: height) }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= Int.max / 8 else {
      throw .tooManyPixels(width: width, height: height, limit: Int.max / 8)
    }
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.chroma = chroma
    self.range = range
  }

  /// The line that begins the stream.
  public var header: [UInt8] {
    let space = chroma == .s420 ? "420jpeg" : "444"
    let extent = range == .full ? "FULL" : "LIMITED"
    return [UInt8](
      ("YUV4MPEG2 W\(width) H\(height) F\(frameRate.numerator):\(frameRate.denominator) Ip A1:1 "
        + "C\(space) XCOLORRANGE=\(extent)\n").utf8)
  }

  /// A frame, its header included.
  ///
  /// - Parameter image: The picture. It is turned upright; alpha is dropped.
  /// - Throws: `wrongPictureSize` where the picture, turned upright, has not the stream's size.
  /// - Complexity: proportional to the number of pixels.
  public func frame(_ image: PixelImage) throws(Y4MError) -> [UInt8] {
    guard image.uprightWidth == width, image.uprightHeight == height else {
      throw .wrongPictureSize(
        width: image.uprightWidth, height: image.uprightHeight, requiredWidth: width,
        requiredHeight: height)
    }
    let marker = [UInt8]("FRAME\n".utf8)
    let side = chroma == .s420 ? 2 : 1
    let chromaWidth = (width - 1) / side + 1
    let chromaHeight = (height - 1) / side + 1
    let chromaCount = chromaWidth * chromaHeight
    let lumaStart = marker.count
    let cbStart = lumaStart + width * height
    var bytes = marker
    bytes.reserveCapacity(cbStart + 2 * chromaCount)
    // Gray pictures keep this chroma.
    bytes += [UInt8](repeating: 128, count: width * height + 2 * chromaCount)

    let upright = image.oriented()
    let channels = upright.format.channelCount
    let isGray = upright.format == .gray
    let weights = YCbCrWeights(.bt601, range)
    let samples = upright.samples
    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe samples.withUnsafeBufferPointer { samples in
        @inline(__always) func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
          let i = (y * width + x) * channels
          if isGray { return unsafe SIMD4(repeating: Float(samples[i])) }
          return unsafe SIMD4(
            Float(samples[i]), Float(samples[i + 1]), Float(samples[i + 2]), 0)
        }
        for top in stride(from: 0, to: height, by: side) {
          for left in stride(from: 0, to: width, by: side) {
            var sum = SIMD4<Float>(repeating: 0)
            var count: Float = 0
            for y in top..<min(top + side, height) {
              for x in left..<min(left + side, width) {
                let color = pixel(x, y)
                unsafe bytes[lumaStart + y * width + x] = weights.luma(color)
                sum += color
                count += 1
              }
            }
            if isGray { continue }
            let (cb, cr) = weights.chroma(sum / count)
            let place = cbStart + top / side * chromaWidth + left / side
            unsafe bytes[place] = cb
            unsafe bytes[place + chromaCount] = cr
          }
        }
      }
    }
    return bytes
  }
}

/// The conversion from red, green and blue to luma and chroma: the inverse of `YCbCrEncoding`.
struct YCbCrWeights: Hashable, Sendable {
  private let weights: SIMD4<Float>
  private let lumaScale: Float
  private let lumaOffset: Float
  private let cbScale: Float
  private let crScale: Float

  init(_ matrix: YCbCrEncoding.Matrix, _ range: YCbCrEncoding.Range) {
    let (kr, kb) = (matrix.redWeight, matrix.blueWeight)
    weights = SIMD4(kr, 1 - kr - kb, kb, 0)
    lumaScale = range == .full ? 1 : 219 / 255
    lumaOffset = range == .full ? 0 : 16
    let chroma: Float = range == .full ? 1 : 224 / 255
    cbScale = chroma / (2 * (1 - kb))
    crScale = chroma / (2 * (1 - kr))
  }

  @inline(__always)
  private func brightness(_ color: SIMD4<Float>) -> Float {
    let parts = color * weights
    return parts.x + parts.y + parts.z
  }

  /// Luma, rounded to nearest.
  @inline(__always)
  func luma(_ color: SIMD4<Float>) -> UInt8 {
    UInt8(min(max(brightness(color) * lumaScale + lumaOffset + 0.5, 0), 255))
  }

  /// Cb and Cr, rounded to nearest.
  @inline(__always)
  func chroma(_ color: SIMD4<Float>) -> (cb: UInt8, cr: UInt8) {
    let base = brightness(color)
    return (
      UInt8(min(max((color.z - base) * cbScale + 128.5, 0), 255)),
      UInt8(min(max((color.x - base) * crScale + 128.5, 0), 255))
    )
  }
}
