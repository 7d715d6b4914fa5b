internal import DiceRolls
internal import DiceFiles
internal import DiceCodecs
internal import DiceVisionKit

/// Follows a film from its first frame to its last.
struct TrackingRun {
  /// The most losses that are told one by one.
  private static let toldLossLimit = 10

  private var follower: RollFollower
  private let finder: any DieFinder
  private let request: FinderRequest
  private let printer: EventPrinter
  private var film: MarkedFilm?
  private let environment: Environment
  private var progress: ProgressLine
  private var summary = FilmSummary()
  private var lossCount = 0

  init(
    follower: RollFollower, finder: any DieFinder, request: FinderRequest, printer: EventPrinter,
    film: MarkedFilm?, environment: Environment
  ) {
    self.follower = follower
    self.finder = finder
    self.request = request
    self.printer = printer
    self.film = film
    self.environment = environment
    progress = ProgressLine(environment, intervalWithoutTerminal: nil)
  }

  /// Prints what happens in a film.
  ///
  /// - Returns: `failure` where frames were lost.
  /// - Throws: `ToolError.failure` where there is no frame.
  mutating func follow(_ film: FrameInput) throws(ToolError) -> CallStatus {
    do throws(ToolError) { try followAll(film) } catch {
      tellLosses(film.name)
      throw error
    }
    tellLosses(film.name)
    if summary.frameCount == 0, lossCount == 0 {
      throw .failure(subject: film.name, sentence: "The film has no frames.")
    }
    if summary.frameCount > 0, !summary.hasRoll {
      let rules = follower.configuration.tracker
      environment.note(
        summary.text(
          expectedDiceCount: rules.expectedDiceCount, requiresMotion: rules.requiresMotion))
    }
    return lossCount == 0 ? .success : .failure
  }

  private mutating func followAll(_ film: FrameInput) throws(ToolError) {
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
  }

  /// Tells how many losses there were besides those that were told one by one.
  private func tellLosses(_ name: String) {
    let count = lossCount - Self.toldLossLimit
    guard count > 0 else { return }
    environment.report(
      .failure(
        subject: name,
        sentence: "\(NumberText.grouped(count)) more such \(count == 1 ? "loss" : "losses")."))
  }

  private mutating func follow(
    _ frame: VideoFrame, rate: FrameRate, name: String
  ) throws(ToolError) {
    let (finder, request) = (finder, request)
    let events = try frame.withFrame { (raw) throws(ToolError) -> [RollTracker.Event] in
      try follower.follow(raw, orientation: request.orientation, at: frame.timestamp) {
        (_) throws(ToolError) -> [RollTracker.Observation] in
        try finder.dice(inFrame: frame.stored, subject: name, request).dice.map(Self.observation)
      }
    }
    summary.add(follower.tracker, events)
    for event in events {
      guard let text = printer.text(for: event, in: frame) else { continue }
      progress.clear()
      try environment.print(text)
    }
    try film?.write(frame, follower.tracker, orientation: request.orientation, rate: rate)
    let now = environment.seconds()
    if progress.isDue(at: now) {
      let values = follower.tracker.dice.map { $0.value.map { "\($0)" } ?? "?" }
      let text =
        "\(NumberText.fixed(frame.timestamp.inSeconds, decimals: 2)) s  "
        + "\(follower.tracker.phase == .rolling ? "rolling" : "at rest")  "
        + (values.isEmpty ? "no dice" : values.joined(separator: " "))
      progress.show(TerminalText.prefix(text, of: progress.columns - 1), at: now)
    }
  }

  /// What a detector found, as a tracker takes it.
  static func observation(_ die: FoundDie) -> RollTracker.Observation {
    guard !die.alternatives.isEmpty else {
      return RollTracker.Observation(
        boundingBox: die.boundingBox, confidence: Float(die.confidence), value: die.value)
    }
    return RollTracker.Observation(
      boundingBox: die.boundingBox, confidence: Float(die.confidence),
      values: die.alternatives.map {
        ValueProbability(value: $0.value, confidence: Float($0.probability))
      })
  }
}

extension Duration {
  /// The duration in seconds.
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
