// swift-format-ignore-file
// Stands in for Core Media.

@_exported public import CoreVideo

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32

public struct CMTime: Sendable {
  public var value: CMTimeValue
  public var timescale: CMTimeScale
  var isValidNumber: Bool

  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.value = value
    self.timescale = timescale
    isValidNumber = true
  }

  public static let invalid: CMTime = {
    var time = CMTime(value: 0, timescale: 0)
    time.isValidNumber = false
    return time
  }()

  public var isNumeric: Bool { isValidNumber }
}

public class CMSampleBuffer {
  public var imageBuffer: CVImageBuffer?
  public var time: CMTime

  public init(imageBuffer: CVImageBuffer?, time: CMTime) {
    self.imageBuffer = imageBuffer
    self.time = time
  }
}

public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? {
  sbuf.imageBuffer
}

public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.time }
