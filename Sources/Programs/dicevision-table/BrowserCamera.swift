internal import DiceParallel
internal import Synchronization

/// Pictures that a page in a browser sends: frames of its camera, and photos.
final class BrowserCamera: Sendable {
  /// A picture file as it came.
  struct Upload: Sendable {
    var bytes: [UInt8]
    /// When it came, in seconds since 1970.
    var unixTime: Double
  }

  /// How long a sender may pause before another one takes its place, in seconds.
  static let patience = 3.0
  /// The most pixels of a frame, and of a photo.
  static let framePixelLimit = 4_000_000
  static let photoPixelLimit = 50_000_000

  private struct Sender {
    var identifier: UInt64
    var unixTime: Double
  }

  let frames = Mailbox<Upload>()
  let photos = Mailbox<Upload>()
  private let sender = Mutex<Sender?>(nil)

  /// Takes a frame in place of one that was not read.
  ///
  /// - Parameter identifier: Names the sender. Of several at once, the first one counts.
  /// - Returns: whether it was taken.
  @discardableResult
  func take(_ bytes: [UInt8], from identifier: UInt64, at unixTime: Double) -> Bool {
    let isTaken = sender.withLock { sender in
      if let current = sender, current.identifier != identifier,
        unixTime - current.unixTime < Self.patience
      {
        return false
      }
      sender = Sender(identifier: identifier, unixTime: unixTime)
      return true
    }
    if isTaken { frames.replace(with: Upload(bytes: bytes, unixTime: unixTime)) }
    return isTaken
  }

  /// Ends waiting on both sides.
  func close() {
    frames.close()
    photos.close()
  }
}
