import AVFoundation
import DiceVisionKit

/// What was seen in a frame.
struct CameraReading: Sendable {
  var dice: [TrackedDie] = []
  /// The sides of the upright picture, in which the dice's boxes are given.
  var width = 1
  var height = 1
  var events: [RollTracker.Event] = []
}

enum CameraError: LocalizedError {
  case notAllowed
  case notFound

  var errorDescription: String? {
    switch self {
    case .notAllowed: "Please allow the camera in the settings."
    case .notFound: "There is no camera here."
    }
  }
}

/// Follows the dice in the frames of the back camera.
///
/// Unchecked, since all but `session`, which the preview shows, is used on one queue only.
final class Camera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  let session = AVCaptureSession()
  private let queue = DispatchQueue(label: "camera")
  private var detector: DiceDetector?
  private var follower = RollFollower()
  private var continuation: AsyncThrowingStream<CameraReading, any Error>.Continuation?

  /// Starts the camera, which stops when nobody waits for readings any more.
  func readings() async throws -> AsyncThrowingStream<CameraReading, any Error> {
    guard await AVCaptureDevice.requestAccess(for: .video) else { throw CameraError.notAllowed }
    let (stream, continuation) = AsyncThrowingStream<CameraReading, any Error>.makeStream()
    continuation.onTermination = { [self] _ in
      queue.async { [self] in session.stopRunning() }
    }
    queue.async { [self] in
      do {
        self.continuation = continuation
        follower = RollFollower()
        if detector == nil { try configure() }
        session.startRunning()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return stream
  }

  private func configure() throws {
    guard
      let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back)
    else { throw CameraError.notFound }
    let input = try AVCaptureDeviceInput(device: device)
    // Its own format, luma and chroma, is one that the library reads where it lies.
    let output = AVCaptureVideoDataOutput()
    output.alwaysDiscardsLateVideoFrames = true
    output.setSampleBufferDelegate(self, queue: queue)
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .hd1280x720
    guard session.canAddInput(input), session.canAddOutput(output) else {
      throw CameraError.notFound
    }
    session.addInput(input)
    session.addOutput(output)
    detector = try DiceDetector(.fast)
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let detector, let buffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    do {
      // The phone is held upright, so rows lie on their side.
      let events = try follower.follow(sampleBuffer, with: detector, orientation: .right)
      continuation?.yield(
        CameraReading(
          dice: follower.tracker.dice, width: CVPixelBufferGetHeight(buffer),
          height: CVPixelBufferGetWidth(buffer), events: events))
    } catch {
      continuation?.finish(throwing: error)
    }
  }
}
