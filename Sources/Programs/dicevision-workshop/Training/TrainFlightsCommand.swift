internal import DiceCommandLine
internal import DiceFiles
internal import DiceParallel
internal import DiceThrowFilms
internal import DiceThrowTraining
internal import DiceTraining
internal import DiceTrajectories

/// `dicevision train flights`: teaches a network to tell thrown things' paths from others.
enum TrainFlightsCommand {
  static let name = "train flights"

  private static let defaults = FlightTraining()
  private static let films = FlightFilms()

  static let output = ValueOption.text("output", "FILE", "The Swift file to write. Required.")
  static let parks = count("parks", "Films of a park to learn from.", films.parkCount)
  static let gardens = count("gardens", "Films of a garden to learn from.", films.gardenCount)
  static let sessions = count(
    "sessions", "Films of sessions of ten throws to learn from.", films.sessionCount)
  static let left = ValueOption.integer(
    "validation", "N", in: 0...1000,
    "Films of a park that it does not learn from, and that is measured on.", default: "120")
  static let threshold = ValueOption.number(
    "threshold", "SCORE", in: -10...10,
    "What is taken for thrown has a greater score. A greater threshold makes for fewer false reports, and fewer "
      + "throws found.", default: NumberText.fixed(defaults.threshold, decimals: 1))
  static let samples = TrainingArguments.samples(
    "Samples that the run makes.", default: NumberText.grouped(defaults.options.sampleCount))
  static let steps = StepArguments(defaults.options)

  /// The thresholds that are measured, from the chosen one.
  private static let offsets = [-1, -0.5, 0, 0.5, 1]
  /// The seed of the first film that is measured on.
  private static let firstLeftSeed: UInt64 = 4001

  private static func count(
    _ name: String, _ summary: String, _ number: Int
  ) -> ValueOption<Int> {
    .integer(name, "N", in: 0...1000, summary, default: "\(number)")
  }

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains the network that separates thrown objects from other motion.",
      discussion: [
        .paragraph(
          "Draws films, so that everything in them is known. Films of parks and gardens for training have "
            + "the seeds from \(films.firstSeed) on, films of sessions those from "
            + "\(films.firstSessionSeed) on, films for measuring those from \(firstLeftSeed) on. Objects "
            + "in them are followed as `trajectories` follows them; the network learns which are thrown."
        ),
        .paragraph(
          "What comes out is the Swift source file that the library is built with, and what is found with "
            + "several thresholds in the films to measure on."),
      ],
      argument: nil,
      groups: [
        CommandDescription.OptionGroup(
          title: "Films",
          options: [
            parks.description, gardens.description, sessions.description, left.description,
          ]),
        TrainingArguments.learning([
          threshold.description, samples.description, steps.batch.description,
          steps.learningRate.description,
        ]),
        CommandDescription.OptionGroup(
          title: "Results",
          options: [
            output.description, OutputPlan.force.description, ResultArguments.json.description,
          ]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) --output FlightNetwork+Bundled.swift",
          meaning:
            "A network that belongs in Sources/Tasks/DiceTrajectories, in place of the library's own."
        )
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let output = try arguments.required(TrainFlightsCommand.output, of: name)
    let isJSON = try ResultArguments.isJSON(arguments)
    var plan = OutputPlan(arguments)
    plan.write(output, for: TrainFlightsCommand.output.description.spelling, .signed)
    try plan.check()
    var films = FlightFilms()
    films.parkCount = arguments[parks] ?? films.parkCount
    films.gardenCount = arguments[gardens] ?? films.gardenCount
    films.sessionCount = arguments[sessions] ?? films.sessionCount
    var training = FlightTraining()
    training.options = steps.options(
      arguments, sampleCount: arguments[samples] ?? training.options.sampleCount)
    training.threshold = arguments[threshold] ?? training.threshold
    training.threadCount = arguments[TrainCommand.threads]
    let pool = TrainingArguments.pool(arguments, environment)
    var watch = FilmWatch(environment)
    guard
      let looks = FlightLooks(
        of: films, pool: pool,
        progress: { watch.isGoingOn("films to learn from", $0, of: films.count) })
    else { throw watch.interrupted }
    watch.close()
    environment.note(
      "\(NumberText.grouped(looks.count)) looks at \(looks.thingCount(thrown: true)) thrown things and "
        + "\(NumberText.grouped(looks.thingCount(thrown: false))) others")
    let network = try network(training, looks, environment)
    let measured = try measure(
      network, threshold: training.threshold, filmCount: arguments[left] ?? 120, pool, environment)
    if !isJSON { for line in measured { environment.note(line.text) } }
    try OutputFile.write([UInt8](network.source.utf8), to: output)
    environment.note("wrote \(quoted(output))")
    if isJSON {
      let result: JSONValue = [
        "output": .string(output), "lookCount": JSONValue(looks.count),
        "thrownCount": JSONValue(looks.thingCount(thrown: true)),
        "otherCount": JSONValue(looks.thingCount(thrown: false)),
        "validation": .array(measured.map(\.json)),
      ]
      try environment.print(
        String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
    }
    return .success
  }

  private static func network(
    _ training: FlightTraining, _ looks: FlightLooks, _ environment: Environment
  ) throws(ToolError) -> FlightNetwork {
    var watch = ActionTrainingWatch(environment)
    do throws(FlightTrainingError) {
      let network = try training.train(on: looks) { watch.isGoingOn("learning", $0) }
      watch.close()
      // What is measured is what is written.
      return network.rounded
    } catch {
      watch.close()
      if let signal = watch.signal { throw .interrupted(signal: signal) }
      throw .failure(subject: name, sentence: "\(error)")
    }
  }

  /// What is found in films that were not learnt from, with some thresholds.
  private static func measure(
    _ network: FlightNetwork, threshold: Double, filmCount: Int, _ pool: WorkerPool,
    _ environment: Environment
  ) throws(ToolError) -> [MeasuredThreshold] {
    guard filmCount > 0 else { return [] }
    let networks = offsets.map { (offset) in
      var other = network
      other.bias -= offset
      return other
    }
    var measured = offsets.map {
      MeasuredThreshold(threshold: threshold + $0, accuracy: FlightAccuracy())
    }
    var watch = FilmWatch(environment)
    var done = 0
    while done < filmCount {
      let part = min(filmCount - done, 2 * pool.threadCount)
      let first = firstLeftSeed + UInt64(done)
      for found in pool.map(
        count: part,
        {
          FlightAccuracy.accuracies(
            of: networks, in: FlightFilm(.park, seed: first + UInt64($0)))
        })
      {
        for index in measured.indices { measured[index].accuracy.add(found[index]) }
      }
      done += part
      guard watch.isGoingOn("films to measure on", done, of: filmCount) else {
        throw watch.interrupted
      }
    }
    watch.close()
    return measured
  }
}

/// What is found with a threshold.
private struct MeasuredThreshold {
  let threshold: Double
  var accuracy: FlightAccuracy

  var text: String {
    "threshold \(NumberText.fixed(threshold, decimals: 1)): \(accuracy.found) of \(accuracy.thrown) throws found ("
      + NumberText.fixed(100 * accuracy.foundShare, decimals: 1) + " %), "
      + NumberText.fixed(accuracy.wrongByMinute, decimals: 2) + " false reports a minute"
  }

  var json: JSONValue {
    [
      "threshold": JSONValue(threshold), "throwCount": JSONValue(accuracy.thrown),
      "foundCount": JSONValue(accuracy.found), "falseReportCount": JSONValue(accuracy.wrong),
      "minutes": JSONValue(accuracy.minutes),
    ]
  }
}

/// The line of progress while films are drawn, and interruptions.
private struct FilmWatch {
  private let interruption: () -> Int32?
  private let environment: Environment
  private var line: ProgressLine
  private var signal: Int32?

  init(_ environment: Environment) {
    self.environment = environment
    interruption = environment.watchInterruptions()
    line = ProgressLine(environment, intervalWithoutTerminal: 10)
  }

  /// Shows how many films are done; false where the work is to stop.
  mutating func isGoingOn(_ title: String, _ done: Int, of count: Int) -> Bool {
    let now = environment.seconds()
    if line.isDue(at: now) || done == count { line.show("\(title)  \(done)/\(count)", at: now) }
    signal = interruption()
    return signal == nil
  }

  /// Why it stopped.
  var interrupted: ToolError { .interrupted(signal: signal ?? 2) }

  /// Ends the line.
  mutating func close() { line.close() }
}
