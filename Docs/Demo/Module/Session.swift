import DiceVisionKit

/// What the page has opened: a detector, the dice that are followed, and what the latest call told.
final class Session {
  /// Where bytes from outside are written.
  enum Place: Int32 {
    case picture = 0
    case weights = 1
    case secondStage = 2
  }

  var results = Numbers<Double>()
  private(set) var message = Numbers<UInt8>()

  private var detector: DiceDetector?
  private(set) var follower = RollFollower()
  private var picture = Numbers<UInt8>()
  private var weights = Numbers<UInt8>()
  private var secondStage = Numbers<UInt8>()

  /// Memory for `byteCount` bytes.
  func reserve(_ place: Place, byteCount: Int) -> UnsafeMutableRawPointer? {
    switch place {
    case .picture: unsafe picture.reserve(byteCount)
    case .weights: unsafe weights.reserve(byteCount)
    case .secondStage: unsafe secondStage.reserve(byteCount)
    }
  }

  /// Makes the detector.
  func open(usesSecondStage: Bool, tiling: Bool) throws(SessionError) {
    detector = nil
    forget()
    let configuration = DiceDetector.Configuration(
      tiling: tiling ? .automatic : .none,
      secondStage: usesSecondStage ? .weights(secondStage.array) : .none)
    do {
      detector = try DiceDetector(weights: weights.array, configuration: configuration)
    } catch { throw .detector(error) }
  }

  /// Forgets all frames.
  func forget() {
    follower = RollFollower()
  }

  /// Finds the dice in the picture.
  func detect(width: Int, height: Int) throws(SessionError) {
    guard let detector else { throw .noDetector }
    let frame = try frame(width: width, height: height)
    do {
      tell(try detector.detect(in: frame))
    } catch { throw .detector(error) }
  }

  /// Takes in the picture as a frame.
  func follow(width: Int, height: Int, seconds: Double) throws(SessionError) {
    guard let detector else { throw .noDetector }
    guard abs(seconds) < 1e9 else { throw .invalidTime(seconds) }
    let frame = try frame(width: width, height: height)
    let detectionCount = follower.detectionCount
    do {
      let events = try follower.follow(frame, with: detector, at: .seconds(seconds))
      tell(events, ranDetector: follower.detectionCount > detectionCount)
    } catch { throw .detector(error) }
  }

  /// Does something; the count of the results, or −1 and the error's sentence as the message.
  func attempt(_ body: (Session) throws(SessionError) -> Void) -> Int32 {
    results.removeAll()
    message.removeAll()
    do {
      try body(self)
      return Int32(results.count)
    } catch { return fail(error) }
  }

  /// Tells an error, in a function of its own: `attempt` is compiled for each caller.
  @inline(never)
  private func fail(_ error: SessionError) -> Int32 {
    for byte in error.description.utf8 { message.append(byte) }
    return -1
  }

  /// The picture, read in place.
  private func frame(width: Int, height: Int) throws(SessionError) -> RawFrame {
    guard let base = unsafe picture.base, width > 0, height > 0, height <= Int.max / 4 / width,
      width * height * 4 <= picture.count
    else { throw .noPicture(width: width, height: height, byteCount: picture.count) }
    do {
      return try unsafe RawFrame(
        unsafePixels: base, format: .rgba, width: width, height: height, bytesPerRow: width * 4)
    } catch { throw .frame(error) }
  }
}

/// Why a call of the page fails.
enum SessionError: Error {
  /// `open` was not called, or failed.
  case noDetector
  /// The picture's sides are not positive, or its place has fewer bytes.
  case noPicture(width: Int, height: Int, byteCount: Int)
  /// A time is NaN, infinite, or more than thirty years away.
  case invalidTime(Double)
  /// The samples are no frame.
  case frame(FrameError)
  /// The library refuses.
  case detector(DetectorError)

  /// One sentence that says what was found and what was required.
  var description: String {
    switch self {
    case .noDetector: "No detector is open."
    case .noPicture(let width, let height, let byteCount):
      "A picture of \(width) by \(height) pixels of 4 bytes does not stand in \(byteCount) bytes."
    case .invalidTime(let seconds): "\(seconds) s is no time of a frame."
    case .frame(let error): error.description
    case .detector(let error): error.description
    }
  }
}
