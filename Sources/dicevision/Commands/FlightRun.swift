internal import DiceCodecs
internal import DiceFiles
internal import DiceGeometry
internal import DiceTrajectories

/// Looks for what flies in a film, from its first frame to its last.
struct FlightRun {
  /// The most losses that are told one by one.
  private static let toldLossLimit = 10

  private var detector: TrajectoryDetector
  private let orientation: ImageOrientation?
  private let printer: TrajectoryPrinter
  private var film: MarkedFilm?
  private let environment: Environment
  private var progress: ProgressLine
  private var marks = FlightMarks()
  private var size = (width: 0, height: 0)
  private var lastFrame = 0
  private var lossCount = 0

  init(
    detector: TrajectoryDetector, orientation: ImageOrientation?, printer: TrajectoryPrinter,
    film: MarkedFilm?, environment: Environment
  ) {
    self.detector = detector
    self.orientation = orientation
    self.printer = printer
    self.film = film
    self.environment = environment
    progress = ProgressLine(environment, intervalWithoutTerminal: nil)
  }

  /// Prints what flies in a film.
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
    if detector.frameCount == 0, lossCount == 0 {
      throw .failure(subject: input.name, sentence: "The film has no frames.")
    }
    detector.finish()
    try tell()
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
    let orientation = orientation
    size = try frame.withFrame { (raw) throws(ToolError) -> (width: Int, height: Int) in
      do throws(TrajectoryError) {
        try detector.update(with: raw, orientation: orientation, at: frame.timestamp)
      } catch { throw .failure(subject: name, sentence: "\(error)") }
      let swaps = (orientation ?? raw.orientation).swapsAxes
      return swaps ? (raw.height, raw.width) : (raw.width, raw.height)
    }
    lastFrame = frame.index
    try tell()
    if film != nil {
      marks.update(with: detector.trajectories, size: size)
      try film?.write(
        frame, marks, title: "frame \(frame.index)", orientation: orientation, rate: rate)
    }
    let now = environment.seconds()
    if progress.isDue(at: now) {
      let text = "\(NumberText.fixed(frame.timestamp.inSeconds, decimals: 2)) s"
      progress.show(TerminalText.prefix(text, of: progress.columns - 1), at: now)
    }
  }

  private mutating func tell() throws(ToolError) {
    for trajectory in detector.trajectories {
      guard let text = printer.text(for: trajectory, frame: lastFrame, size: size) else { continue }
      progress.clear()
      try environment.print(text)
    }
  }
}
