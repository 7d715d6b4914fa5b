internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceParallel
internal import DiceSystem
internal import Synchronization

/// Reads a source on a thread of its own, again and again where it comes back, and keeps the latest frame.
final class FrameFeed: Sendable {
  /// A frame of the source.
  struct Frame: Sendable {
    var frame: VideoFrame
    /// The time on a clock that goes on when the source begins again.
    var time: Duration
    /// When the frame came in, in seconds since 1970.
    var unixTime: Double
  }

  /// What comes out.
  enum Item: Sendable {
    case frame(Frame)
    /// Nothing comes any more; with what is wrong, or nil.
    case end(ToolError?)
  }

  /// How the source fares.
  enum State: Sendable, Equatable {
    case starting
    case running
    /// It is lost, and tried again in so many seconds.
    case waiting(message: String, seconds: Double)
    case ended
  }

  /// How frames are handed on.
  struct Pace: Sendable {
    /// Whether a film begins again at its end.
    var isLooped = false
    /// Whether every frame is handed on as soon as the one before it was taken, in place of the latest one in
    /// real time.
    var isEveryFrame = false
    /// Frames in a second, for films that do not say.
    var frameRate = FrameRate.standard
  }

  /// Figures since the start.
  struct Statistics: Sendable {
    var state = State.starting
    /// Frames that were read.
    var frameCount = 0
    /// Frames that came while the one before them was not taken, and that replaced it.
    var skippedCount = 0
    /// Parts of the source that gave no frame.
    var lostCount = 0
    /// How often the source began again after it was lost.
    var restartCount = 0
  }

  private static let firstDelay = 0.5
  private static let longestDelay = 15.0

  let mailbox = Mailbox<Item>()
  private let source: LiveSource
  private let pace: Pace
  private let environment: Shared<Environment>
  private let figures = Mutex(Statistics())
  private let child = Mutex<ChildProcess?>(nil)
  private let isStopping = Atomic(false)

  /// A value that several threads use by turns.
  struct Shared<Value>: @unchecked Sendable {
    let value: Value
  }

  init(_ source: LiveSource, pace: Pace, _ environment: Environment) {
    self.source = source
    self.pace = pace
    self.environment = Shared(value: environment)
  }

  /// How the source fares.
  var statistics: Statistics { figures.withLock { $0 } }

  /// Opens the source and begins to read it.
  ///
  /// - Throws: `ToolError` where it can never be read.
  func start() throws(ToolError) {
    let first = Shared(value: try open())
    let isStarted = DetachedThread.start { [self] in run(first.value) }
    if !isStarted { throw .failure(subject: source.name, sentence: "There are no more threads.") }
  }

  /// Ends reading.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    mailbox.close()
    child.withLock { $0?.end() }
  }

  private var isStopped: Bool { isStopping.load(ordering: .relaxed) }

  private func open() throws(ToolError) -> FrameInput {
    switch source {
    case .film(let path):
      return try FrameInput(
        path, frameRate: pace.frameRate, command: LiveCommand.name, pictureAdvice: "",
        environment.value)
    case .ffmpeg(let input, _):
      let process = try ChildProcess("ffmpeg", LiveSource.arguments(input: input))
      child.withLock { $0 = process }
      var buffer = [UInt8](repeating: 0, count: ByteSource.standardByteCount)
      return FrameInput(name: source.name, command: LiveCommand.name) { () throws(FileError) in
        process.read(into: &buffer).map { Array(buffer[..<$0]) }
      }
    case .browser: throw .failure(subject: source.name, sentence: "It comes by itself.")
    }
  }

  // MARK: - Reading

  private func run(_ first: FrameInput) {
    var input: FrameInput? = first
    var delay = Self.firstDelay
    var end = Duration.zero
    while !isStopped {
      let begin = ContinuousClock.now
      let countBefore = statistics.frameCount
      var failure: ToolError?
      do throws(ToolError) {
        var film: FrameInput
        if let input { film = input } else { film = try open() }
        input = nil
        try read(&film, from: &end)
      } catch { failure = error }
      if isStopped { return }
      let isEndless = if case .ffmpeg(_, true) = source { true } else { false }
      let frameCount = statistics.frameCount
      if isEndless {
        if ContinuousClock.now - begin > .seconds(5) { delay = Self.firstDelay }
        let words = child.withLock { $0?.message } ?? ""
        let message = !words.isEmpty ? words : failure.map { "\($0)" } ?? "The stream has ended."
        figures.withLock { figures in
          figures.state = .waiting(message: message, seconds: delay)
          figures.restartCount += 1
        }
        wait(seconds: delay)
        end += ContinuousClock.now - begin
        delay = min(2 * delay, Self.longestDelay)
      } else if pace.isLooped, failure == nil, frameCount > countBefore {
        continue
      } else {
        let words = child.withLock { $0?.message } ?? ""
        if frameCount == 0, failure == nil || !words.isEmpty {
          failure = .failure(
            subject: source.name, sentence: words.isEmpty ? "The film has no frames." : words)
        }
        figures.withLock { $0.state = .ended }
        _ = mailbox.put(.end(failure))
        return
      }
    }
  }

  /// Hands on the frames of a film.
  ///
  /// - Parameter end: the time behind the last frame.
  private func read(_ film: inout FrameInput, from end: inout Duration) throws(ToolError) {
    let base = end
    let start = ContinuousClock.now
    let isPaced: Bool
    switch source {
    case .film("-"): isPaced = false
    case .film, .ffmpeg(_, false): isPaced = !pace.isEveryFrame
    default: isPaced = false
    }
    while !isStopped, let event = try film.next() {
      guard case .frame(let frame) = event else {
        figures.withLock { $0.lostCount += 1 }
        continue
      }
      if isPaced { wait(until: start + frame.timestamp) }
      if isStopped { return }
      let time = base + frame.timestamp
      end = base + film.frameRate.timestamp(ofFrame: frame.index + 1)
      let item = Item.frame(Frame(frame: frame, time: time, unixTime: Clock.unixTime))
      var isSkipped = false
      if pace.isEveryFrame {
        _ = mailbox.put(item)
      } else {
        isSkipped = mailbox.replace(with: item)
      }
      figures.withLock { figures in
        figures.state = .running
        figures.frameCount += 1
        if isSkipped { figures.skippedCount += 1 }
      }
    }
  }

  private func wait(seconds: Double) { wait(until: .now + .seconds(seconds)) }

  private func wait(until instant: ContinuousClock.Instant) {
    while !isStopped {
      let left: Double = (instant - .now) / .microseconds(1)
      if left <= 0 { return }
      usleep(UInt32(min(left, 100_000)))
    }
  }
}

/// The time of day.
enum Clock {
  /// Seconds since 1970.
  static var unixTime: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
