internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceGeometry
internal import DiceTrajectories

/// Looks for what flies in a film, from its first frame to its last.
struct FlightRun {
  private var detector: TrajectoryDetector
  private let orientation: ImageOrientation?
  private let printer: TrajectoryPrinter
  private var film: MarkedFilm?
  private let environment: Environment
  private var marks = FlightMarks()
  private var size = (width: 0, height: 0)
  private var lastFrame = 0
  private var frameCount = 0
  private var hasTold = false

  init(
    detector: TrajectoryDetector, orientation: ImageOrientation?, printer: TrajectoryPrinter,
    film: MarkedFilm?, environment: Environment
  ) {
    self.detector = detector
    self.orientation = orientation
    self.printer = printer
    self.film = film
    self.environment = environment
  }

  /// Prints what flies in a film.
  ///
  /// - Returns: `failure` where frames were lost.
  /// - Throws: `ToolError.failure` where there is no frame, or frames differ in size.
  mutating func follow(_ film: FrameInput) throws(ToolError) -> CallStatus {
    var walk = FilmWalk(film, environment)
    try walk.forEachFrame { (frame, walk) throws(ToolError) in try follow(frame, &walk) }
    detector.finish()
    try tell(&walk)
    // Where frames were lost nobody knows what they showed.
    if !hasTold, frameCount > 0, walk.status == .success {
      environment.note("Nothing was thrown in \(NumberText.count(frameCount, "frame", "frames")).")
    }
    return walk.status
  }

  private mutating func follow(
    _ frame: VideoFrame, _ walk: inout FilmWalk
  ) throws(ToolError) {
    let (orientation, name) = (orientation, walk.name)
    size = try frame.withFrame { (raw) throws(ToolError) -> (width: Int, height: Int) in
      do throws(TrajectoryError) {
        try detector.update(with: raw, orientation: orientation, at: frame.timestamp)
      } catch { throw .failure(subject: name, sentence: "\(error)") }
      let swaps = (orientation ?? raw.orientation).swapsAxes
      return swaps ? (raw.height, raw.width) : (raw.width, raw.height)
    }
    lastFrame = frame.index
    frameCount += 1
    try tell(&walk)
    if film != nil {
      marks.update(with: detector.trajectories, size: size)
      try film?.write(
        frame, marks, title: "frame \(frame.index)", orientation: orientation,
        rate: walk.frameRate)
    }
    walk.showProgress(frame)
  }

  private mutating func tell(_ walk: inout FilmWalk) throws(ToolError) {
    for trajectory in detector.trajectories {
      guard let text = printer.text(for: trajectory, frame: lastFrame, size: size) else { continue }
      hasTold = true
      try walk.print(text)
    }
  }
}
