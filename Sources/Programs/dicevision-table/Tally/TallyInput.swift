internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceGeometry
internal import DiceRolls
internal import DiceStatistics
internal import DiceVisionKit

/// Reads the rolls of all inputs: logs, films, and pictures, which are a roll each.
struct TallyInput {
  private let arguments: ParsedArguments
  private var environment: Environment
  private(set) var rolls = CountedRolls()
  private(set) var status = CallStatus.success
  /// Whether the colours of all dice are known: a log has none.
  private(set) var hasColors = true
  private var finder: (any DieFinder)?

  init(_ arguments: ParsedArguments, _ environment: Environment) {
    self.arguments = arguments
    self.environment = environment
  }

  /// What an input is.
  private enum Kind { case log, film, pictures }

  /// Counts the rolls of all inputs in their order.
  ///
  /// - Throws: `ToolError` where nothing can go on; what one input breaks is told, and the others counted.
  mutating func read() throws(ToolError) {
    for path in arguments.positionals {
      do throws(ToolError) { try read(path) } catch {
        switch error {
        case .file, .failure:
          environment.report(error)
          status = .failure
        default: throw error
        }
      }
    }
    if rolls.isFull {
      status = .failure
      environment.report(
        .failure(
          subject: TallyCommand.name,
          sentence:
            "At most \(NumberText.grouped(CountedRolls.rollLimit)) rolls are counted in one "
            + "call; those behind them are left out."))
    }
  }

  private mutating func read(_ path: String) throws(ToolError) {
    switch try kind(of: path) {
    case .log:
      hasColors = false
      try readLog(path)
    case .film: try readFilm(path)
    case .pictures: try readPictures(path)
    }
  }

  private mutating func kind(of path: String) throws(ToolError) -> Kind {
    let beginning: [UInt8]
    if path == InputFiles.standardInput {
      // What is looked at is handed on.
      let next: () throws(FileError) -> [UInt8]?
      do throws(FileError) {
        next = try environment.openStandardInput()
        beginning = try next() ?? []
      } catch { throw .file(error) }
      environment.openStandardInput = { () throws(FileError) in
        var isFirst = true
        return { () throws(FileError) in
          defer { isFirst = false }
          return isFirst && !beginning.isEmpty ? beginning : try next()
        }
      }
    } else {
      if FileSystem.isFolder(at: path) { return .pictures }
      beginning = FileSystem.beginning(of: path)
    }
    if RollLog.isLog(beginning: beginning) { return .log }
    if path == InputFiles.standardInput { return .film }
    let isMotionJPEG = ["mjpeg", "mjpg"].contains { Paths.hasExtension($0, path: path) }
    if isMotionJPEG || FileKind(beginning: beginning) == .film { return .film }
    // A pipe has no beginning to look at: it brings a film.
    return FileSystem.exists(at: path) && FileSystem.kind(of: path) == .other ? .film : .pictures
  }

  private mutating func readLog(_ path: String) throws(ToolError) {
    let next: () throws(FileError) -> [UInt8]?
    do throws(FileError) {
      if path == InputFiles.standardInput {
        next = try environment.openStandardInput()
      } else {
        let chunks = ByteChunks(try ByteSource(readingFileAt: path))
        next = { () throws(FileError) in try chunks.next() }
      }
    } catch { throw .file(error) }
    let result = try RollLog.count(InputFiles.name(path), into: &rolls, environment, next)
    if result != .success { status = result }
  }

  // MARK: - Films

  private mutating func readFilm(_ path: String) throws(ToolError) {
    var configuration = RollFollower.Configuration(
      detectionInterval: arguments[RollArguments.every] ?? 1)
    configuration.tracker.expectedDiceCount = arguments[RollArguments.dice]
    configuration.tracker.requiresMotion = !arguments.contains(RollArguments.laid)
    var follower: RollFollower
    do { follower = try RollFollower(configuration: configuration) } catch {
      throw .failure(subject: TallyCommand.name, sentence: "\(error)")
    }
    let input = try FrameInput(
      path, frameRate: arguments[FilmArguments.frameRate] ?? .standard, command: TallyCommand.name,
      pictureAdvice: "", environment)
    let finder = try makeFinder(on: OrderedWork(partCount: 1, threadCount: 1))
    let request = request(finder)
    var walk = FilmWalk(input, environment)
    var last: (number: Int, place: Int?)?
    var rolls = rolls
    try walk.forEachFrame { (frame, walk) throws(ToolError) in
      let subject = walk.name
      let events = try frame.withFrame { (raw) throws(ToolError) -> [RollTracker.Event] in
        try follower.follow(raw, orientation: request.orientation, at: frame.timestamp) {
          (_) throws(ToolError) -> [RollTracker.Observation] in
          try finder.dice(inFrame: frame.stored, subject: subject, request).dice.map(\.observation)
        }
      }
      for event in events {
        switch event {
        case .rollEnded(let roll):
          last = (roll.number, rolls.add(counted(roll, frame, request)))
        case .resultRevised(let roll):
          guard let last, last.number == roll.number, let place = last.place else { continue }
          rolls.replace(counted(roll, frame, request), at: place)
        default: break
        }
      }
      walk.showProgress(frame, "\(NumberText.count(rolls.rolls.count, "roll", "rolls"))")
    }
    self.rolls = rolls
    if walk.status != .success { status = walk.status }
  }

  /// A roll of a film: the dice that took part, with their colours in the frame.
  private func counted(
    _ roll: Roll, _ frame: VideoFrame, _ request: FinderRequest
  ) -> CountedRoll {
    var image = frame.makeImage()
    if let orientation = request.orientation { image.orientation = orientation }
    let upright = AnnotatedCopies.upright(image)
    return CountedRoll(
      dice: roll.dice.filter(\.tookPart).map { die in
        CountedRoll.Die(
          kind: die.kind, value: die.value,
          appearance: DieColor.appearance(of: die.boundingBox, in: upright))
      })
  }

  // MARK: - Pictures

  private mutating func readPictures(_ path: String) throws(ToolError) {
    let list = PictureList([path], isRecursive: arguments.contains(PictureArguments.recursive))
    for note in list.notes { environment.note(note) }
    for error in list.errors { environment.report(error) }
    if !list.errors.isEmpty { status = .failure }
    if list.sources.isEmpty { return }
    let work = OrderedWork(
      partCount: list.sources.count,
      threadCount: arguments[PictureArguments.threads] ?? environment.processorCount)
    let finder = try makeFinder(on: work)
    let request = request(finder)
    let reader = PictureReader(
      environment: environment,
      pixelLimit: arguments[PictureArguments.pixelLimit] ?? DecodingLimits().pixelCount)
    var progress = ProgressBar(environment, title: TallyCommand.name, total: list.sources.count)
    defer { progress.clear() }
    var (rolls, status) = (rolls, status)
    let environment = environment
    try work.run(count: list.sources.count) { index -> Result<CountedRoll, ToolError> in
      Result { () throws(ToolError) in
        try Self.roll(of: list.sources[index], finder, request, reader)
      }
    } _: { (index, result) throws(ToolError) in
      switch result {
      case .success(let roll): rolls.add(roll)
      case .failure(let error):
        progress.clear()
        environment.report(error)
        status = .failure
      }
      progress.show(index + 1, list.sources[index].name)
    }
    (self.rolls, self.status) = (rolls, status)
  }

  private static func roll(
    of source: PictureSource, _ finder: any DieFinder, _ request: FinderRequest,
    _ reader: PictureReader
  ) throws(ToolError) -> CountedRoll {
    let (picture, reading) = try finder.dice(of: source, by: reader, request)
    var image = picture.image
    if let orientation = request.orientation { image.orientation = orientation }
    let upright = AnnotatedCopies.upright(image)
    let scale = Double(upright.width) / Double(reading.width)
    return CountedRoll(
      dice: reading.dice.map { die in
        CountedRoll.Die(
          kind: die.namedKind ?? .d6, value: die.value,
          appearance: DieColor.appearance(
            of: die.boundingBox.scaled(x: scale, y: scale), in: upright))
      })
  }

  // MARK: - The detector

  /// The detector, which is made once for all films, and for each folder of pictures.
  private mutating func makeFinder(on work: OrderedWork) throws(ToolError) -> any DieFinder {
    if work.threadCount == 1, let finder { return finder }
    let made = try environment.makeFinder(DetectorArguments.finderOptions(arguments, besides: work))
    if work.threadCount == 1 { finder = made }
    return made
  }

  private func request(_ finder: any DieFinder) -> FinderRequest {
    FinderRequest(
      orientation: arguments[PictureArguments.orientation],
      regionOfInterest: arguments[PictureArguments.region],
      confidence: arguments[DetectorArguments.confidence] ?? finder.network.confidence,
      intersectionOverUnion: arguments[DetectorArguments.overlap]
        ?? finder.network.intersectionOverUnion)
  }
}
