internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameTraining
internal import DiceTraining
internal import DiceWeights

/// `dicevision train speech`: teaches a network to hear numbers.
enum TrainSpeechCommand {
  static let name = "train speech"

  static let samples = TrainingArguments.samples(
    "Samples to learn from, of 2.1 seconds each.", default: "200000")
  static let steps = StepArguments(batchSize: 16, learningRate: 0.004)
  static let without = ValueOption.text(
    "without", "VOICE", "Leaves out voices whose names begin so, to measure with.",
    isRepeatable: true)
  static let initial = ValueOption.text(
    "initial-weights", "FILE", "Begins with these weights in place of random ones.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains a network that hears spoken numbers on recordings of words.",
      argument: CommandDescription.Argument(
        name: "FOLDER",
        summary:
          "Folders with labels.tsv: for each recording a line with its WAV file, its voice, its "
          + "words and, where they are known, the sounds of other words, parted by tabs.",
        counts: 1...1_000),
      groups: [
        TrainingArguments.learning([
          samples.description, steps.batch.description, steps.learningRate.description,
          without.description, initial.description,
        ]),
        TrainingArguments.results(), TrainingArguments.interruptions,
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) corpus --without fsdd-theo --output speech.dvweights",
          meaning: "Trains on all voices but one, which `evaluate speech` can then measure with.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let files = try TrainingFiles(
      arguments, command: name,
      sources: arguments.positionals.map { Paths.joined($0, "labels.tsv") })
    let left = arguments.all(without)
    let corpus = try Self.corpus(arguments.positionals) { (voice) in
      !left.contains { voice.hasPrefix($0) }
    }
    var options = steps.options(arguments, sampleCount: arguments[samples] ?? 200_000)
    options.averageDecay = 0.998
    options.warmUpStepCount = 200
    options.layers.dropout[NetworkDescription.lastSpokenNumberBlock] = 0.1
    let initialWeights = try arguments[initial].map { (path) throws(ToolError) in
      try WeightSource.load(path, environment)
    }
    return try files.train(
      .spokenNumbers, SpeechTask(corpus), options, initialWeights: initialWeights,
      samples: "samples", arguments, environment)
  }

  /// The recordings of several folders.
  static func corpus(
    _ folders: [String], where isWanted: (String) -> Bool
  ) throws(ToolError) -> SpeechCorpus {
    var recordings: [SpeechCorpus.Recording] = []
    for folder in folders {
      do throws(SpeechCorpusError) {
        recordings += try SpeechCorpus(folder: folder, where: isWanted).recordings
      } catch {
        if case .file(let error) = error { throw .file(error) }
        throw .failure(subject: folder, sentence: "\(error)")
      }
    }
    guard !recordings.isEmpty else {
      throw .failure(subject: folders[0], sentence: "There are no recordings of the wanted voices.")
    }
    return SpeechCorpus(recordings)
  }
}
