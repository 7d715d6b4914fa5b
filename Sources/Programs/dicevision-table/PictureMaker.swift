internal import DiceCodecs
internal import DiceGeometry
internal import DiceImaging
internal import DiceParallel

/// Makes JPEG pictures of frames for those who look, on a thread of its own.
final class PictureMaker: Sendable {
  /// The most columns and rows of a picture.
  private static let longestSide = 960
  private static let quality = 80
  /// The shortest time between two pictures.
  private static let interval = Duration.milliseconds(80)

  private struct Request: Sendable {
    var frame: StoredFrame
    var orientation: ImageOrientation?
  }

  private let mailbox = Mailbox<Request>()
  private let table: LiveTable

  init(_ table: LiveTable) { self.table = table }

  /// Begins; without a thread there are no pictures.
  func start() {
    _ = DetachedThread.start { [self] in
      var last = ContinuousClock.now - .seconds(1)
      while let request = next() {
        if ContinuousClock.now - last < Self.interval { continue }
        last = .now
        if let picture = Self.picture(request) { table.show(picture) }
      }
    }
  }

  private func next() -> Request? {
    while true {
      if let request = mailbox.take(waiting: 60_000) { return request }
      if mailbox.isOver { return nil }
    }
  }

  /// Takes a frame, if somebody looks.
  func take(_ frame: StoredFrame, orientation: ImageOrientation?) {
    if table.wantsPicture(at: Clock.unixTime) {
      mailbox.replace(with: Request(frame: frame, orientation: orientation))
    }
  }

  /// Ends the thread.
  func stop() { mailbox.close() }

  private static func picture(_ request: Request) -> [UInt8]? {
    var image = request.frame.makeImage()
    let side = max(image.width, image.height)
    if side > longestSide {
      image = image.resized(
        width: max(1, image.width * longestSide / side),
        height: max(1, image.height * longestSide / side))
    }
    if let orientation = request.orientation { image.orientation = orientation }
    return try? JPEGEncoder.encode(image.oriented(), quality: quality)
  }
}
