#if canImport(ImageIO)
  internal import CoreGraphics
  public import ImageIO

  extension ImageOrientation {
    /// The same orientation: both have EXIF's numbers.
    public init(_ orientation: CGImagePropertyOrientation) {
      self = ImageOrientation(rawValue: UInt8(truncatingIfNeeded: orientation.rawValue)) ?? .up
    }
  }

  extension CGImagePropertyOrientation {
    /// The same orientation: both have EXIF's numbers.
    public init(_ orientation: ImageOrientation) {
      self = CGImagePropertyOrientation(rawValue: UInt32(orientation.rawValue)) ?? .up
    }
  }

  extension DiceDetector {
    /// The picture of a file whose format the library's own decoders do not read and the system does;
    /// nil for other files.
    static func frame(
      refusedAs error: ImageDecodingError, _ bytes: [UInt8], limits: DecodingLimits
    ) throws(DetectorError) -> StoredFrame? {
      switch error {
      case .unsupportedFormat, .unrecognizedFormat: break
      default: return nil
      }
      do { return try StoredFrame.decodedBySystem(bytes, limits: limits) } catch {
        throw .frame(error)
      }
    }
  }

  extension StoredFrame {
    /// The picture of a file in a format that the system knows, HEIC for instance; nil where it
    /// knows none.
    ///
    /// - Throws: ``FrameError``: `tooManyPixels`, before memory is taken, and as
    ///   ``init(copying:orientation:)-(CGImage,_)``.
    static func decodedBySystem(
      _ bytes: [UInt8], limits: DecodingLimits
    ) throws(FrameError) -> StoredFrame? {
      guard let data = unsafe CFDataCreate(nil, bytes, bytes.count),
        let source = CGImageSourceCreateWithData(data, nil),
        let picture = CGImageSourceCreateImageAtIndex(source, 0, nil)
      else { return nil }
      // Sides come from the file's head; samples are decoded when the picture is drawn.
      let (count, overflows) = picture.width.multipliedReportingOverflow(by: picture.height)
      guard !overflows, count <= limits.pixelCount else {
        throw .tooManyPixels(
          width: picture.width, height: picture.height, limit: limits.pixelCount)
      }
      return try StoredFrame(copying: picture, orientation: source.orientation)
    }
  }

  extension CGImageSource {
    /// How the first picture's rows must be turned to stand upright.
    fileprivate var orientation: ImageOrientation {
      let key = unsafe Unmanaged.passUnretained(kCGImagePropertyOrientation).toOpaque()
      var number: UInt8 = 1
      guard let properties = CGImageSourceCopyPropertiesAtIndex(self, 0, nil),
        let value = unsafe CFDictionaryGetValue(properties, key),
        unsafe CFNumberGetValue(
          Unmanaged<CFNumber>.fromOpaque(value).takeUnretainedValue(), .sInt8Type, &number)
      else { return .up }
      return ImageOrientation(rawValue: number) ?? .up
    }
  }
#endif
