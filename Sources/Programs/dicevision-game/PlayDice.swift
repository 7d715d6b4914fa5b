internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFinders
internal import DiceFiles
internal import DiceRolls
internal import DiceVisionKit

/// Dice that are seen: those of a film, or of throws that are rendered.
struct PlayDice {
  /// What happened on the table.
  enum Event: Hashable {
    case rollEnded([Int])
    case rollRevised([Int])
    case cleared
  }

  private enum Source {
    case film(FrameInput)
    /// The next throw's seed, and how many dice it has.
    case throwing(seed: UInt64, diceCount: ClosedRange<Int>)
  }

  /// How many rendered throws may end without a result, one after the other.
  private static let failureLimit = 10

  private var source: Source
  private let configuration: RollFollower.Configuration
  private var follower: RollFollower
  private let finder: any DieFinder
  private let request: FinderRequest
  private var waiting: [Event] = []
  private let environment: Environment

  /// Dice of a film.
  init(
    _ film: FrameInput, _ configuration: RollFollower.Configuration, _ finder: any DieFinder,
    _ request: FinderRequest, _ environment: Environment
  ) throws(ToolError) {
    source = .film(film)
    follower = try Self.follower(configuration)
    (self.configuration, self.finder, self.request) = (configuration, finder, request)
    self.environment = environment
  }

  /// Dice that are thrown again and again, each throw by a seed of its own.
  init(
    seed: UInt64, diceCount: ClosedRange<Int>, _ configuration: RollFollower.Configuration,
    _ finder: any DieFinder, _ request: FinderRequest, _ environment: Environment
  ) throws(ToolError) {
    source = .throwing(seed: seed, diceCount: diceCount)
    follower = try Self.follower(configuration)
    (self.configuration, self.finder, self.request) = (configuration, finder, request)
    self.environment = environment
  }

  private static func follower(
    _ configuration: RollFollower.Configuration
  ) throws(ToolError) -> RollFollower {
    do { return try RollFollower(configuration: configuration) } catch {
      throw .failure(subject: PlayCommand.name, sentence: "\(error)")
    }
  }

  /// What happens next; nil at the end of the film.
  ///
  /// - Throws: `ToolError.file` or `.failure`.
  mutating func next() throws(ToolError) -> Event? {
    while waiting.isEmpty {
      switch source {
      case .film(var film):
        defer { source = .film(film) }
        guard let event = try film.next() else { return nil }
        switch event {
        case .lost(let lost):
          environment.report(.failure(subject: film.name, sentence: "\(lost)"))
        case .frame(let frame): try follow(frame, name: film.name)
        }
      case .throwing(let seed, let diceCount):
        source = .throwing(seed: seed &+ 1, diceCount: diceCount)
        try roll(seed: seed, diceCount)
      }
    }
    return waiting.removeFirst()
  }

  private mutating func follow(_ frame: VideoFrame, name: String) throws(ToolError) {
    let (finder, request) = (finder, request)
    let events = try frame.withFrame { (raw) throws(ToolError) -> [RollTracker.Event] in
      try follower.follow(raw, orientation: request.orientation, at: frame.timestamp) {
        (_) throws(ToolError) -> [RollTracker.Observation] in
        try finder.dice(inFrame: frame.stored, subject: name, request).dice.map(\.observation)
      }
    }
    note(events)
  }

  private mutating func note(_ events: [RollTracker.Event]) {
    for event in events {
      switch event {
      case .rollEnded(let roll): waiting.append(.rollEnded(roll.values))
      case .resultRevised(let roll): waiting.append(.rollRevised(roll.values))
      case .cleared: waiting.append(.cleared)
      default: break
      }
    }
  }

  /// Renders a throw and reads it, and the next ones until there is a result.
  ///
  /// `render`, which is another program's, writes the frames into a folder that is then removed.
  private mutating func roll(seed: UInt64, _ diceCount: ClosedRange<Int>) throws(ToolError) {
    var seed = seed
    for _ in 0..<Self.failureLimit {
      follower = try Self.follower(configuration)
      let folder = try ScratchFolder()
      var film = try rendered(seed: seed, diceCount, in: folder.path)
      while let event = try film.next() {
        guard case .frame(let frame) = event else { continue }
        try follow(frame, name: "throw \(seed)")
      }
      seed &+= 1
      source = .throwing(seed: seed, diceCount: diceCount)
      if !waiting.isEmpty { return }
    }
    throw .failure(
      subject: PlayCommand.name,
      sentence: "\(Self.failureLimit) rendered throws ended without a result.")
  }

  /// The frames of a throw, in a folder of the given one.
  private func rendered(
    seed: UInt64, _ diceCount: ClosedRange<Int>, in folder: String
  ) throws(ToolError) -> FrameInput {
    let status = environment.runSister(
      CommandTable.workshop,
      [
        "render", "--throws", "--seed", "\(seed)", "--dice",
        "\(diceCount.lowerBound)-\(diceCount.upperBound)", "--width", "480", "--height", "360",
        "--format", "png", "--output", folder,
      ])
    guard let status else {
      throw Program.missing(CommandTable.workshop, for: PlayCommand.rendered.description.spelling)
    }
    guard status == .success else {
      throw .failure(subject: "throw \(seed)", sentence: "It cannot be rendered.")
    }
    return try FrameInput(
      Paths.joined(folder, "throw-\(seed)"), frameRate: .standard, command: PlayCommand.name,
      pictureAdvice: "", environment)
  }
}
