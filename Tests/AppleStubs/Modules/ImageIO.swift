// swift-format-ignore-file
// Stands in for Image I/O. It knows one format: "PIC", an orientation, a width, a height, a gray.

@_exported public import CoreFoundation
@_exported public import CoreGraphics

public enum CGImagePropertyOrientation: UInt32, Sendable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8
}

public let kCGImagePropertyOrientation = CFString("Orientation")

public final class CGImageSource {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

public func CGImageSourceCreateWithData(
  _ data: CFData, _ options: CFDictionary?
) -> CGImageSource? {
  data.bytes.starts(with: "PIC".utf8) && data.bytes.count == 7 ? CGImageSource(data.bytes) : nil
}

public func CGImageSourceCreateImageAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  let (width, height) = (Int(isrc.bytes[4]), Int(isrc.bytes[5]))
  return CGImage(
    width: width, height: height,
    pixels: Array(repeating: UInt32(isrc.bytes[6]) * 0x010101, count: width * height))
}

public func CGImageSourceCopyPropertiesAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? {
  CFDictionary([kCGImagePropertyOrientation: CFNumber(Int(isrc.bytes[3]))])
}
