internal import DiceCodecs
internal import DiceCommandLine
internal import DiceGeometry
internal import DiceImaging
internal import DiceNumerics
internal import DicePoses
internal import ThrowVisionKit

/// Plays a game of throws from a film, from its first frame to its last.
struct SessionRun {
  private var session: ThrowSession
  private var people: (any PeopleFinder)?
  private let orientation: ImageOrientation?
  private let printer: SessionPrinter
  private var film: MarkedFilm?
  private let environment: Environment
  private var marks = SessionMarks()
  private var lastFrame = (index: 0, time: 0.0)

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
  }

  /// Prints what happens in a film, and what it has come to.
  ///
  /// - Returns: `failure` where frames were lost.
  /// - Throws: `ToolError.failure` where there is no frame, or frames differ in size.
  mutating func follow(_ film: FrameInput) throws(ToolError) -> CallStatus {
    var walk = FilmWalk(film, environment)
    try walk.forEachFrame { (frame, walk) throws(ToolError) in try follow(frame, &walk) }
    let events: [ThrowGame.Event]
    do throws(ThrowSessionError) { events = try session.finish() } catch {
      throw .failure(subject: walk.name, sentence: "\(error)")
    }
    try tell(events, &walk)
    try environment.print(printer.text(for: session.game.summary))
    return walk.status
  }

  private mutating func follow(
    _ frame: VideoFrame, _ walk: inout FilmWalk
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
    } catch { throw .failure(subject: walk.name, sentence: "\(error)") }
    try tell(events, &walk)
    if film != nil {
      let orientation = orientation
      let size = frame.withFrame { (raw) -> (width: Int, height: Int) in
        (orientation ?? raw.orientation).swapsAxes
          ? (raw.height, raw.width) : (raw.width, raw.height)
      }
      marks.update(with: session, size: size)
      try film?.write(
        frame, marks, title: "frame \(frame.index)", orientation: orientation,
        rate: walk.frameRate)
    }
    walk.showProgress(frame, SessionMarks.words(session.game.phase))
  }

  private func tell(
    _ events: [ThrowGame.Event], _ walk: inout FilmWalk
  ) throws(ToolError) {
    for event in events {
      try walk.print(printer.text(for: event, frame: lastFrame.index, time: lastFrame.time))
    }
  }
}
