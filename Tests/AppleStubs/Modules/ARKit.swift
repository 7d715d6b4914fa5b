// swift-format-ignore-file
// Stands in for ARKit.

@_exported public import CoreVideo
@_exported public import Foundation

public class ARFrame: NSObject {
  public var capturedImage: CVPixelBuffer
  public var timestamp: TimeInterval

  public init(capturedImage: CVPixelBuffer, timestamp: TimeInterval) {
    self.capturedImage = capturedImage
    self.timestamp = timestamp
  }
}
