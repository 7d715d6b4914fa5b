#if canImport(CoreVideo)
  internal import CoreFoundation
  public import CoreVideo

  extension RawFrame {
    /// Lends the pixels of a buffer of Core Video to a closure, where they lie and without a copy.
    ///
    /// The buffer is locked for reading meanwhile. Formats are `32BGRA`, `32RGBA`, `24RGB`, one
    /// 8-bit component, and luma with a plane of chroma: `420v`, `420f`, `422v`, `422f`, `444v` and
    /// `444f`. Matrix and siting of chroma are those of the buffer's attachments; BT.709 and the
    /// middle where it has none.
    ///
    /// - Parameters:
    ///   - buffer: That of a camera, a film or a view; of ARKit, `ARFrame.capturedImage`.
    ///   - orientation: How its rows must be turned to stand upright: `.right` for the back camera
    ///     of a phone that is held upright.
    ///   - body: Takes the frame and cannot keep it.
    /// - Returns: What the closure returns.
    /// - Throws: ``FrameError``, and what the closure throws.
    public static func withPixelBuffer<Result>(
      _ buffer: CVPixelBuffer, orientation: ImageOrientation = .up,
      _ body: (borrowing RawFrame) throws -> Result
    ) throws -> Result {
      try withPixelBuffer(
        buffer, orientation: orientation, { (error) -> any Error in error }, body)
    }

    /// The same with errors of one type, into which those of frames are converted.
    static func withPixelBuffer<Result, Failure: Error>(
      _ buffer: CVPixelBuffer, orientation: ImageOrientation,
      _ convert: (FrameError) -> Failure,
      _ body: (borrowing RawFrame) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      let status = CVPixelBufferLockBaseAddress(buffer, .readOnly)
      guard status == kCVReturnSuccess else { throw convert(.bufferNotLocked(status: status)) }
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      let frame: RawFrame
      do throws(FrameError) {
        frame = try unsafe RawFrame(lockedBuffer: buffer, orientation: orientation)
      } catch { throw convert(error) }
      return try body(frame)
    }

    /// Looks at a buffer that stays locked for as long as the frame is used.
    @unsafe
    private init(
      lockedBuffer buffer: CVPixelBuffer, orientation: ImageOrientation
    ) throws(FrameError) {
      let code = CVPixelBufferGetPixelFormatType(buffer)
      switch PixelBufferFormat(code: code) {
      case nil:
        throw .unsupportedPixelFormat(code: code)
      case .packed(let format):
        guard let base = unsafe CVPixelBufferGetBaseAddress(buffer) else { throw .noSamples }
        unsafe try self.init(
          unsafePixels: base, format: format, width: CVPixelBufferGetWidth(buffer),
          height: CVPixelBufferGetHeight(buffer),
          bytesPerRow: CVPixelBufferGetBytesPerRow(buffer), orientation: orientation)
      case .biPlanar(let subsampling, let range):
        guard let luma = unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 0),
          let chroma = unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 1)
        else { throw .noSamples }
        unsafe try self.init(
          unsafeLuma: luma, lumaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 0),
          chroma: chroma, chromaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 1),
          subsampling: subsampling, chromaSiting: ChromaSiting(of: buffer),
          encoding: YCbCrEncoding(YCbCrEncoding.Matrix(of: buffer), range),
          width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
          orientation: orientation)
      }
    }
  }

  extension StoredFrame {
    /// Copies a buffer of Core Video, to keep it or to send it to another thread.
    ///
    /// - Throws: ``FrameError``, as
    ///   ``RawFrame/withPixelBuffer(_:orientation:_:)``.
    public init(
      copying buffer: CVPixelBuffer, orientation: ImageOrientation = .up
    ) throws(FrameError) {
      self = try RawFrame.withPixelBuffer(buffer, orientation: orientation, { $0 }) {
        (frame) throws(FrameError) -> StoredFrame in StoredFrame(copying: frame)
      }
    }
  }

  /// What a buffer's format code says.
  private enum PixelBufferFormat {
    case packed(RawFrame.PixelFormat)
    case biPlanar(RawFrame.ChromaSubsampling, YCbCrEncoding.Range)

    init?(code: OSType) {
      switch code {
      case kCVPixelFormatType_32BGRA: self = .packed(.bgra)
      case kCVPixelFormatType_32RGBA: self = .packed(.rgba)
      case kCVPixelFormatType_24RGB: self = .packed(.rgb)
      case kCVPixelFormatType_OneComponent8: self = .packed(.gray)
      case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: self = .biPlanar(.s420, .video)
      case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: self = .biPlanar(.s420, .full)
      case kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: self = .biPlanar(.s422, .video)
      case kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: self = .biPlanar(.s422, .full)
      case kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: self = .biPlanar(.s444, .video)
      case kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: self = .biPlanar(.s444, .full)
      default: return nil
      }
    }
  }

  extension YCbCrEncoding.Matrix {
    /// The matrix that a buffer's attachment names.
    ///
    /// That of BT.2020 and the others lie nearer to BT.709 than to BT.601.
    fileprivate init(of buffer: CVPixelBuffer) {
      self =
        buffer.attachment(kCVImageBufferYCbCrMatrixKey, is: kCVImageBufferYCbCrMatrix_ITU_R_601_4)
        ? .bt601 : .bt709
    }
  }

  extension RawFrame.ChromaSiting {
    /// Where a buffer's attachment says that chroma lies.
    fileprivate init(of buffer: CVPixelBuffer) {
      let key = kCVImageBufferChromaLocationTopFieldKey
      if buffer.attachment(key, is: kCVImageBufferChromaLocation_Left) {
        self = .left
      } else if buffer.attachment(key, is: kCVImageBufferChromaLocation_TopLeft) {
        self = .topLeft
      } else {
        self = .center
      }
    }
  }

  extension CVPixelBuffer {
    /// Whether the attachment of a key is this one.
    fileprivate func attachment(_ key: CFString, is value: CFString) -> Bool {
      guard let found = CVBufferCopyAttachment(self, key, nil) else { return false }
      return CFEqual(found, value)
    }
  }
#endif
