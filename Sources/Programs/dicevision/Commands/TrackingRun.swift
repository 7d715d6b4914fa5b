internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFinders
internal import DiceRolls
internal import DiceVisionKit

/// Follows a film from its first frame to its last.
struct TrackingRun {
  private var follower: RollFollower
  private let finder: any DieFinder
  private let request: FinderRequest
  private let printer: EventPrinter
  private var film: DiceFilm?
  private let environment: Environment
  private var summary = FilmSummary()

  init(
    follower: RollFollower, finder: any DieFinder, request: FinderRequest, printer: EventPrinter,
    film: DiceFilm?, environment: Environment
  ) {
    self.follower = follower
    self.finder = finder
    self.request = request
    self.printer = printer
    self.film = film
    self.environment = environment
  }

  /// Prints what happens in a film.
  ///
  /// - Returns: `failure` where frames were lost.
  /// - Throws: `ToolError.failure` where there is no frame.
  mutating func follow(_ film: FrameInput) throws(ToolError) -> CallStatus {
    var walk = FilmWalk(film, environment)
    try walk.forEachFrame { (frame, walk) throws(ToolError) in try follow(frame, &walk) }
    if summary.frameCount > 0, !summary.hasRoll {
      let rules = follower.configuration.tracker
      environment.note(
        summary.text(
          expectedDiceCount: rules.expectedDiceCount, requiresMotion: rules.requiresMotion))
    }
    return walk.status
  }

  private mutating func follow(
    _ frame: VideoFrame, _ walk: inout FilmWalk
  ) throws(ToolError) {
    let (finder, request, name) = (finder, request, walk.name)
    let events = try frame.withFrame { (raw) throws(ToolError) -> [RollTracker.Event] in
      try follower.follow(raw, orientation: request.orientation, at: frame.timestamp) {
        (_) throws(ToolError) -> [RollTracker.Observation] in
        try finder.dice(inFrame: frame.stored, subject: name, request).dice.map(\.observation)
      }
    }
    summary.add(follower.tracker, events)
    for event in events {
      guard
        let text = printer.text(for: event, frame: frame.index, time: frame.timestamp)
      else { continue }
      try walk.print(text)
    }
    try film?.write(frame, follower.tracker, orientation: request.orientation, rate: walk.frameRate)
    walk.showProgress(frame, state)
  }

  /// What is to be seen, for the line of progress: "at rest  5 6 2".
  private var state: String {
    let values = follower.tracker.dice.map { $0.value.map { "\($0)" } ?? "?" }
    return "\(follower.tracker.phase == .rolling ? "rolling" : "at rest")  "
      + (values.isEmpty ? "no dice" : values.joined(separator: " "))
  }
}
