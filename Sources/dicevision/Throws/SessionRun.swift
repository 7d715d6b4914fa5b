internal import DiceCodecs
internal import DiceFiles
internal import DiceGeometry
internal import DiceImaging
internal import DicePoses
internal import ThrowVisionKit

/// Plays a game of throws from a film, from its first frame to its last.
struct SessionRun {
  /// The most losses that are told one by one.
  private static let toldLossLimit = 10

  private var session: ThrowSession
  private var people: (any PeopleFinder)?
  private let orientation: ImageOrientation?
  private let printer: SessionPrinter
  private var film: MarkedFilm?
  private let environment: Environment
  private var progress: ProgressLine
  private var marks = SessionMarks()
  private var lastFrame = (index: 0, time: 0.0)
  private var lossCount = 0

  init(
    session: ThrowSession, people: (any PeopleFinder)?, orientation: ImageOrientation?,
    printer: SessionPrinter, film: MarkedFilm?, environment: Environment
  ) {
    self.session = session
    self.people = people
    self.orientation = orientation
    self.printer = printer
    self.film = film
    self.environment = environment
    progress = ProgressLine(environment, intervalWithoutTerminal: nil)
  }

  /// Prints what happens in a film, and what it has come to.
  ///
  /// - Returns: `failure` where frames were lost.
  /// - Throws: `ToolError.failure` where there is no frame, or frames differ in size.
  mutating func follow(_ film: FrameInput) throws(ToolError) -> CallStatus {
    var input = film
    let interruption = environment.watchInterruptions()
    defer { progress.clear() }
    while let event = try input.next() {
      if let signal = interruption() { throw .interrupted(signal: signal) }
      switch event {
      case .lost(let lost):
        if case .others(let count) = lost.reason {
          lossCount += count
          continue
        }
        lossCount += 1
        guard lossCount <= Self.toldLossLimit else { continue }
        progress.clear()
        environment.report(.failure(subject: input.name, sentence: "\(lost)"))
      case .frame(let frame):
        try follow(frame, rate: input.frameRate, name: input.name)
      }
    }
    if session.frameCount == 0, lossCount == 0 {
      throw .failure(subject: input.name, sentence: "The film has no frames.")
    }
    let events: [ThrowGame.Event]
    do throws(ThrowSessionError) { events = try session.finish() } catch {
      throw .failure(subject: input.name, sentence: "\(error)")
    }
    try tell(events)
    try environment.print(printer.text(for: session.game.summary))
    let more = lossCount - Self.toldLossLimit
    if more > 0 {
      environment.report(
        .failure(
          subject: input.name,
          sentence: "\(NumberText.grouped(more)) more such \(more == 1 ? "loss" : "losses")."))
    }
    return lossCount == 0 ? .success : .failure
  }

  private mutating func follow(
    _ frame: VideoFrame, rate: FrameRate, name: String
  ) throws(ToolError) {
    var seen: [DetectedPerson]?
    if session.needsPeople, var finder = people {
      seen = try finder.people(in: frame, orientation: orientation)
      people = finder
    }
    lastFrame = (frame.index, frame.timestamp.inSeconds)
    var turned: PixelImage?
    if let orientation {
      turned = frame.makeImage()
      turned?.orientation = orientation
    }
    let events: [ThrowGame.Event]
    do throws(ThrowSessionError) {
      if let turned {
        events = try session.update(with: turned, people: seen, at: frame.timestamp)
      } else {
        events = try frame.withFrame { (raw) throws(ThrowSessionError) in
          try session.update(with: raw, people: seen, at: frame.timestamp)
        }
      }
    } catch { throw .failure(subject: name, sentence: "\(error)") }
    try tell(events)
    if film != nil {
      let orientation = orientation
      let size = frame.withFrame { (raw) -> (width: Int, height: Int) in
        (orientation ?? raw.orientation).swapsAxes
          ? (raw.height, raw.width) : (raw.width, raw.height)
      }
      marks.update(with: session, size: size)
      try film?.write(
        frame, marks, title: "frame \(frame.index)", orientation: orientation, rate: rate)
    }
    let now = environment.seconds()
    if progress.isDue(at: now) {
      let text =
        "\(NumberText.fixed(lastFrame.time, decimals: 2)) s  "
        + SessionMarks.words(session.game.phase)
      progress.show(TerminalText.prefix(text, of: progress.columns - 1), at: now)
    }
  }

  private mutating func tell(_ events: [ThrowGame.Event]) throws(ToolError) {
    for event in events {
      progress.clear()
      try environment.print(
        printer.text(for: event, frame: lastFrame.index, time: lastFrame.time))
    }
  }
}
