// swift-format-ignore-file
// Stands in for Core Video. A buffer here has its planes in memory of its own, and counts its locks.

@_exported public import CoreFoundation

public typealias OSType = UInt32
public typealias CVReturn = Int32
public typealias CVOptionFlags = UInt64
public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVImageBuffer

public let kCVReturnSuccess: CVReturn = 0
public let kCVReturnInvalidArgument: CVReturn = -6661

public enum CVAttachmentMode: UInt32 {
  case shouldNotPropagate = 0
  case shouldPropagate = 1
}

public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  public let rawValue: CVOptionFlags

  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

public class CVBuffer {
  public let format: OSType
  public let width: Int
  public let height: Int
  public var planes: [(memory: UnsafeMutableRawBufferPointer?, bytesPerRow: Int)] = []
  public var attachments: [CFString: AnyObject] = [:]
  public var lockCount = 0
  public var lockings = 0
  public var lockStatus = kCVReturnSuccess

  public init(format: OSType, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }
}

private func code(_ text: StaticString) -> OSType {
  text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | OSType($1) } }
}

public let kCVPixelFormatType_24RGB: OSType = 24
public let kCVPixelFormatType_32BGRA = code("BGRA")
public let kCVPixelFormatType_32RGBA = code("RGBA")
public let kCVPixelFormatType_OneComponent8 = code("L008")
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange = code("420v")
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange = code("420f")
public let kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange = code("422v")
public let kCVPixelFormatType_422YpCbCr8BiPlanarFullRange = code("422f")
public let kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange = code("444v")
public let kCVPixelFormatType_444YpCbCr8BiPlanarFullRange = code("444f")

public let kCVPixelBufferPixelFormatTypeKey = CFString("PixelFormatType")
public let kCVImageBufferYCbCrMatrixKey = CFString("CVImageBufferYCbCrMatrix")
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2 = CFString("ITU_R_709_2")
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4 = CFString("ITU_R_601_4")
public let kCVImageBufferYCbCrMatrix_ITU_R_2020 = CFString("ITU_R_2020")
public let kCVImageBufferChromaLocationTopFieldKey = CFString("CVImageBufferChromaLocationTopField")
public let kCVImageBufferChromaLocation_Left = CFString("Left")
public let kCVImageBufferChromaLocation_Center = CFString("Center")
public let kCVImageBufferChromaLocation_TopLeft = CFString("TopLeft")

@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  guard pixelBuffer.lockStatus == kCVReturnSuccess else { return pixelBuffer.lockStatus }
  pixelBuffer.lockCount += 1
  pixelBuffer.lockings += 1
  return kCVReturnSuccess
}

@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.lockCount -= 1
  return kCVReturnSuccess
}

public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.format
}

public func CVPixelBufferGetBaseAddress(
  _ pixelBuffer: CVPixelBuffer
) -> UnsafeMutableRawPointer? {
  pixelBuffer.lockCount > 0 ? pixelBuffer.planes.first?.memory?.baseAddress : nil
}

public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.planes.first?.bytesPerRow ?? 0
}

public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  guard pixelBuffer.lockCount > 0, planeIndex < pixelBuffer.planes.count else { return nil }
  return pixelBuffer.planes[planeIndex].memory?.baseAddress
}

public func CVPixelBufferGetBytesPerRowOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int {
  planeIndex < pixelBuffer.planes.count ? pixelBuffer.planes[planeIndex].bytesPerRow : 0
}

public func CVBufferCopyAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
  buffer.attachments[key]
}
