// swift-format-ignore-file
// Stands in for AVFoundation.

@_exported public import CoreMedia
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import QuartzCore

public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let video = AVMediaType(rawValue: "vide")
}

public final class AVCaptureDevice: NSObject {
  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let builtInWideAngleCamera = DeviceType(rawValue: "wide")
  }

  public enum Position: Int, Sendable {
    case unspecified = 0
    case back = 1
    case front = 2
  }

  public class func `default`(
    _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? { nil }

  public class func requestAccess(for mediaType: AVMediaType) async -> Bool { false }
}

public class AVCaptureInput: NSObject {}

public class AVCaptureDeviceInput: AVCaptureInput {
  public init(device: AVCaptureDevice) throws {}
}

public class AVCaptureOutput: NSObject {}

public class AVCaptureConnection: NSObject {}

public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)
}

public class AVCaptureVideoDataOutput: AVCaptureOutput {
  public override init() {}

  public var videoSettings: [String: Any]! = [:]
  public var alwaysDiscardsLateVideoFrames = true

  public func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) {}
}

public class AVCaptureSession: NSObject {
  public struct Preset: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let hd1280x720 = Preset(rawValue: "1280x720")
  }

  public override init() {}

  public var sessionPreset = Preset.hd1280x720

  public func beginConfiguration() {}
  public func commitConfiguration() {}
  public func canAddInput(_ input: AVCaptureInput) -> Bool { true }
  public func addInput(_ input: AVCaptureInput) {}
  public func canAddOutput(_ output: AVCaptureOutput) -> Bool { true }
  public func addOutput(_ output: AVCaptureOutput) {}
  public func startRunning() {}
  public func stopRunning() {}
}

public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let resizeAspectFill = AVLayerVideoGravity(
    rawValue: "AVLayerVideoGravityResizeAspectFill")
}

public class AVCaptureVideoPreviewLayer: CALayer {
  public var session: AVCaptureSession?
  public var videoGravity = AVLayerVideoGravity.resizeAspectFill
}
