// swift-format-ignore-file
// Stands in for Core Graphics. A picture here has one colour for each pixel, and a context of the one
// format that is asked for takes it.

@_exported public import CoreFoundation
@_exported public import struct Foundation.CGFloat
@_exported public import struct Foundation.CGPoint
@_exported public import struct Foundation.CGRect
@_exported public import struct Foundation.CGSize

public enum CGLineCap: Int32, Sendable { case butt, round, square }
public enum CGLineJoin: Int32, Sendable { case miter, round, bevel }

public final class CGColorSpace {
  public init?(name: CFString) {}
  init() {}

  public static let sRGB = CFString("kCGColorSpaceSRGB")
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

public enum CGImageAlphaInfo: UInt32 {
  case none = 0
  case premultipliedLast = 1
  case premultipliedFirst = 2
  case last = 3
  case first = 4
  case noneSkipLast = 5
  case noneSkipFirst = 6
  case alphaOnly = 7
}

public final class CGImage: Sendable {
  public let width: Int
  public let height: Int
  public let pixels: [UInt32]

  public init(width: Int, height: Int, pixels: [UInt32]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}

public class CGContext {
  private let data: UnsafeMutableRawPointer
  private let bytesPerRow: Int

  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    guard let data, bitsPerComponent == 8, bytesPerRow >= width * 4, width < 10_000,
      bitmapInfo == CGImageAlphaInfo.noneSkipLast.rawValue
    else { return nil }
    self.data = data
    self.bytesPerRow = bytesPerRow
  }

  public enum DrawingMode { case scaled }

  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
    for row in 0..<image.height {
      for column in 0..<image.width {
        let pixel = image.pixels[row * image.width + column]
        for channel in 0..<3 {
          data.storeBytes(
            of: UInt8(truncatingIfNeeded: pixel >> UInt32(16 - 8 * channel)),
            toByteOffset: row * bytesPerRow + column * 4 + channel, as: UInt8.self)
        }
      }
    }
  }
}
