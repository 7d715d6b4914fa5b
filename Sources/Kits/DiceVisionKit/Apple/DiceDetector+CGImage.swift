#if canImport(CoreGraphics)
  public import CoreGraphics

  extension DiceDetector {
    /// The dice in a picture of Core Graphics, from left to right.
    ///
    /// Its samples may have any format and are drawn into memory first. Result and errors are those of
    /// ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``, and `frame` for a
    /// picture that cannot be drawn.
    ///
    /// - Parameters:
    ///   - picture: That of a `UIImage` for instance, which tells the orientation beside it.
    ///   - orientation: How its rows must be turned to stand upright.
    ///   - regionOfInterest: The part of the upright picture to look at; nil for all of it.
    ///   - thresholds: Asked once for each of its two values.
    public func detect(
      in picture: CGImage, orientation: ImageOrientation = .up,
      regionOfInterest: NormalizedRect? = nil, thresholds: some ThresholdProvider = Thresholds()
    ) throws(DetectorError) -> DetectionResult {
      let frame: StoredFrame
      do { frame = try StoredFrame(copying: picture, orientation: orientation) } catch {
        throw .frame(error)
      }
      return try detect(in: frame, regionOfInterest: regionOfInterest, thresholds: thresholds)
    }
  }

  extension StoredFrame {
    /// Draws a picture of Core Graphics into memory, in the colour space sRGB, over black.
    ///
    /// - Throws: ``FrameError``: `noPixels`, `sizeOverflow` or `notDrawable`.
    public init(copying picture: CGImage, orientation: ImageOrientation = .up) throws(FrameError) {
      let (width, height) = (picture.width, picture.height)
      guard width > 0, height > 0 else { throw .noPixels(width: width, height: height) }
      let (bytesPerRow, rowOverflows) = width.multipliedReportingOverflow(by: 4)
      let (byteCount, overflows) = bytesPerRow.multipliedReportingOverflow(by: height)
      guard !rowOverflows, !overflows else {
        throw .sizeOverflow(
          plane: .pixels, width: width, height: height, bytesPerRow: bytesPerRow)
      }
      var samples = [UInt8](repeating: 0, count: byteCount)
      let isDrawn = unsafe samples.withUnsafeMutableBytes { (bytes) -> Bool in
        guard
          let context = unsafe CGContext(
            data: bytes.baseAddress, width: width, height: height, bitsPerComponent: 8,
            bytesPerRow: bytesPerRow,
            space: CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB(),
            bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
        else { return false }
        context.draw(picture, in: CGRect(x: 0, y: 0, width: width, height: height))
        return true
      }
      guard isDrawn else { throw .notDrawable(width: width, height: height) }
      try self.init(
        pixels: samples, format: .rgba, width: width, height: height, orientation: orientation)
    }
  }
#endif
