internal import DiceCommandLine
internal import DiceFiles
internal import DiceTraining
internal import DiceVisionTraining
internal import DiceWeights

/// `dicevision train dice`: teaches a network on annotated pictures.
enum TrainCommand {
  static let name = "train dice"

  private static let defaults = TrainingOptions()

  // MARK: - Pictures

  static let annotations = ValueOption<TrainingSource>(
    "annotations", "SOURCE",
    "A set of pictures; the same as an argument, behind which it comes.",
    requirement: TrainingSourceArgument.requirement, isRepeatable: true,
    read: TrainingSourceArgument.read)
  static let images = ValueOption.text(
    "images", "DIR", "The folder that the pictures' names are relative to.",
    default: "the folder images beside each annotation file, else its own folder")
  static let augmentation = ValueOption<Augmentation>.choice(
    "augmentation", [("standard", Augmentation()), ("unmirrored", .unmirrored), ("none", .none)],
    "Whether pictures are varied in place, size and colours, and every other one mirrored "
      + "(standard), varied but not mirrored, for dice with numerals or other signs "
      + "(unmirrored), or taken as they are (none).", default: "standard")

  static let recipe = ValueOption.text(
    "recipe", "FOLDER",
    "Makes the library's weights anew, from the sets of photos in a folder and rendered scenes, in "
      + "place of one run; --output is then a folder.")
  static let without = ValueOption.text(
    "without", "SET", "With --recipe: leaves out a set of photos.", isRepeatable: true)
  static let effort = ValueOption.number(
    "effort", "SHARE", in: 0...100, excludesLowerBound: true,
    "With --recipe: what all numbers of samples and scenes are multiplied with.", default: "1")

  // MARK: - Learning

  static let network = ValueOption<StandardNetwork>.choice(
    "network", StandardNetwork.allCases.map { ($0.rawValue, $0) },
    "The network to train: the standard detector, one that is three times as fast and misses more, "
      + "or the second-stage classifier of single dice.",
    default: StandardNetwork.standard.rawValue)
  static let labels = ValueOption.text(
    "labels", "LABELS",
    "What a network is to tell apart, words of any kind: labels with commas between them, a file with a "
      + "label on each line, or `all` for those that the annotations have.",
    default: "1,2,3,4,5,6, the values of dice")
  static let detector = ValueOption.text(
    "detector", "WEIGHTS",
    "For the second stage: the weight file of the detector whose proposals it learns from; "
      + "`standard`, `fast` or `any-dice` for one of the library's.",
    default: "standard", knownWords: ["standard", "fast", "any-dice"])
  static let samples = ValueOption.integer(
    "samples", "N", in: 1...1_000_000_000, "Samples that the run makes in all.",
    default: NumberText.grouped(defaults.sampleCount))
  static let epochs = ValueOption.number(
    "epochs", "N", in: 0...10_000, excludesLowerBound: true,
    "Samples as so many times the number of pictures, in place of --samples.")
  private static let steps = StepArguments(defaults)
  static let batch = steps.batch
  static let input = ValueOption.integer(
    "input", "SIZE", in: 64...2048, multipleOf: 32,
    "Width and height of the network's input in pixels.",
    default: "the network's own: "
      + StandardNetwork.allCases.map { "\($0.inputSide) for \($0.rawValue)" }
      .joined(separator: ", "))
  static let crop = ValueOption.integer(
    "crop", "SIZE", in: 64...2048, multipleOf: 32,
    "Width and height of the samples in pixels. Where they are smaller than the input, they show "
      + "parts of it at the same scale, which is faster.",
    default: "as --input")
  static let from = ValueOption.text(
    "from", "WEIGHTS",
    "A weight file to begin with, in place of random weights; a name for one of the library's, "
      + "\(NumberText.alternatives(bundled.map { "`\($0)`" })). What tells labels apart that it does not "
      + "have begins anew.",
    default: "random weights", knownWords: bundled)
  /// The library's weights that a run can begin with.
  private static let bundled = [
    "standard", "fast", "second-stage", "any-dice", "any-dice-second-stage",
  ]
  static let learningRate = steps.learningRate
  static let seed = ValueOption<UInt64>(
    "seed", "N", "Where chance begins: the same run gives the same weights.",
    default: "\(defaults.seed)", requirement: "a whole number from 0 to \(UInt64.max)"
  ) { UInt64($0, radix: 10) }
  static let threads = ValueOption.integer(
    "threads", "N", in: 1...64, "Threads that work on a step; the weights do not depend on it.",
    default: "one per processor")

  // MARK: - Results

  static let output = ValueOption.text(
    "output", "FILE", "The weight file to write. Required.")
  static let storage = ValueOption<WeightStorage>.choice(
    "storage", [("float16", .float16), ("float32", .float32)], "How the weights are stored.",
    default: "float16")
  static let provenance = ValueOption<ProvenanceEntry>(
    "provenance", "KEY=VALUE",
    "A fact about the origin of the weights, to be kept in the file, such as a licence or a "
      + "credit.",
    requirement: "KEY=VALUE with a KEY of 1 to 64 bytes", isRepeatable: true,
    read: readProvenance)
  static let log = ValueOption.text(
    "log", "FILE",
    "Writes a table of the run as CSV: step, images, learning rate, losses, overlap, "
      + "speed.")
  static let logEvery = ValueOption.integer(
    "log-every", "STEPS", in: 1...1_000_000,
    "Steps that a line of the table stands for; losses are their means.", default: "20")

  static let page = ValueOption.text(
    "report", "OUT",
    "Keeps a page for a browser with the curves of the run: a file that ends in html, or a folder "
      + "for index.html. Without --log, the table is kept beside it.")
  static let validation = ValueOption.text(
    "validation", "ANNOTATIONS",
    "Pictures that are not learned from: the weights are measured on them now and then, as "
      + "`evaluate dice` does, in a table beside that of the run.",
    isRepeatable: true)
  static let validateEvery = ValueOption.integer(
    "validate-every", "STEPS", in: 1...1_000_000_000,
    "Steps from one measurement to the next; there is one at the end, too.", default: "1,000")
  static let patience = ValueOption.integer(
    "patience", "N", in: 1...1_000_000,
    "With --validation: keeps the weights that were measured best, and ends the run after so many "
      + "measurements without better ones. Better means more pictures exactly right; of as many, more "
      + "dice right; of as many, a higher average precision.")

  // MARK: - Interruptions

  static let checkpoint = ValueOption.text(
    "checkpoint", "FILE", "Where the state of the run is kept.", default: "OUTPUT.checkpoint")
  static let checkpointEvery = ValueOption.integer(
    "checkpoint-every", "STEPS", in: 1...1_000_000_000, "Steps from one checkpoint to the next.",
    default: "500")
  static let restart = Switch(
    "restart",
    "Begins anew even if there is a checkpoint, and replaces it and the weights.")

  /// The options that say how one run is to be, which a recipe knows itself.
  static let optionsOfSingleRuns: [OptionDescription] = [
    annotations.description, images.description, augmentation.description, network.description,
    labels.description, from.description, detector.description, samples.description,
    epochs.description,
    batch.description, input.description, crop.description, learningRate.description,
    seed.description,
    storage.description, provenance.description, log.description, logEvery.description,
    ResultArguments.json.description, page.description, validation.description,
    validateEvery.description, patience.description,
    checkpoint.description, checkpointEvery.description, restart.description,
    OutputPlan.force.description,
  ]

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains a network on annotated pictures and writes its weights.",
      argument: CommandDescription.Argument(
        name: "SOURCE",
        summary: "A file or folder with annotations (Create ML, COCO, YOLO, Pascal VOC), as "
          + "`FILE[:weight=W][:boxes=B]`. Of a YOLO data set with parts the part `train` is read. W "
          + "says how often its pictures are drawn in proportion to other sets (1 unless given), B "
          + "from 0 to 1 how much the sizes of its boxes teach: less than 1 if boxes enclose "
          + "whole dice and not top faces.",
        counts: 0...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Pictures",
          options: [annotations.description, images.description, augmentation.description]),
        CommandDescription.OptionGroup(
          title: "Learning",
          options: [
            network.description, labels.description, from.description, detector.description,
            samples.description,
            epochs.description, batch.description,
            input.description,
            crop.description, learningRate.description, seed.description, threads.description,
          ]),
        CommandDescription.OptionGroup(
          title: "The library's own weights",
          options: [recipe.description, without.description, effort.description]),
        CommandDescription.OptionGroup(
          title: "Results",
          options: [
            output.description, storage.description, provenance.description, log.description,
            logEvery.description, OutputPlan.force.description, ResultArguments.json.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Watching",
          options: [
            page.description, validation.description, validateEvery.description,
            patience.description,
          ]),
        TrainingArguments.interruptions,
      ],
      sections: [
        HelpSection(
          title: "Interruption and resumption",
          blocks: [
            .paragraph(
              "Control-C (SIGINT) and SIGTERM let the step at hand finish, write a checkpoint and "
                + "end the run with exit status 130 or 143; the same call takes it up where it "
                + "was, and ends with the same weights as if nothing had happened. A checkpoint of "
                + "a run with other options, pictures or labels is refused and stays as it is; "
                + "the message says what differs, and --restart begins anew. A finished run's "
                + "checkpoint stays, too: with it the weights can be written again at once, for "
                + "example with another --storage.")
          ]),
        HelpSection(
          title: "The table of the run",
          blocks: [
            .paragraph(
              "--log writes one line for every so many steps, with these columns; `images` counts "
                + "samples since the beginning. After a resumption the lines behind the checkpoint "
                + "are replaced."),
            .code([TrainingLog.header]),
          ]),
        HelpSection(
          title: "The recipe",
          blocks: [
            .paragraph(
              "With --recipe every folder in FOLDER that holds an annotations.json is a set of "
                + "photos. Scenes are rendered, a first detector is trained, boxes around whole "
                + "dice are tightened to top faces with it, and then the detectors and the second stage "
                + "are trained: standard.dvweights, fast.dvweights and second-stage.dvweights in the "
                + "folder --output. Each step is printed as the call that does it. A step whose "
                + "product is there, with all its pictures, is passed over, so that the same call "
                + "goes on after an interruption.")
          ]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) train dice --output dice.dvweights photos/annotations.json",
          meaning: "Trains on one set with everything as usual."),
        CommandDescription.Example(
          call: "\(Tool.name) train dice --output dice.dvweights faces.json:weight=2 "
            + "whole.json:boxes=0.1 --log run.csv",
          meaning: "Draws the first set twice as often, and does not learn sizes from the second."),
        CommandDescription.Example(
          call: "\(Tool.name) train dice --output small.dvweights --input 256 --samples 20000 "
            + "--provenance licence=MIT set.json",
          meaning: "A short run at a small size."),
        CommandDescription.Example(
          call: "\(Tool.name) train dice --output dice.dvweights --report run.html "
            + "--validation photos/validation.json photos/annotations.json",
          meaning: "Shows in run.html how the run goes, and how well other photos are read."),
        CommandDescription.Example(
          call: "\(Tool.name) train dice --network fast --labels all --from fast "
            + "--output pieces.dvweights pieces/annotations.json",
          meaning: "A detector of whatever the annotations name."),
        CommandDescription.Example(
          call: "\(Tool.name) train dice --recipe photos --without byler-d6 --output weights",
          meaning: "The library's weights, but without having seen one of the sets."),
      ]), run: run)

  private static func readProvenance(_ text: String) -> ProvenanceEntry? {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let key = String(text[..<equals])
    guard (1...64).contains(key.utf8.count) else { return nil }
    return ProvenanceEntry(key: key, value: String(text[text.utf8.index(after: equals)...]))
  }

  // MARK: - Carrying out

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    if let folder = arguments[recipe] {
      return try RecipeRun(folder, arguments, environment).run()
    }
    if let option = [without.description, effort.description].first(where: {
      arguments.contains($0)
    }) {
      throw .usage(.conflict(sentence: "\(option.spelling) is for --recipe."))
    }
    let isJSON = try ResultArguments.isJSON(arguments)
    let result = try TrainingRun(plan(arguments), environment).run()
    if isJSON {
      try environment.print(
        String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
    }
    return .success
  }

  /// What the arguments ask for.
  ///
  /// - Throws: `ToolError.usage` for what is missing or does not go together.
  static func plan(_ arguments: ParsedArguments) throws(ToolError) -> TrainingPlan {
    var sources: [TrainingSource] = []
    for argument in arguments.positionals {
      guard let source = TrainingSourceArgument.read(argument) else {
        throw .usage(
          .invalidValue(
            option: "SOURCE", found: argument, required: TrainingSourceArgument.requirement,
            suggestion: nil))
      }
      sources.append(source)
    }
    sources += arguments.all(annotations)
    for source in sources where !FileSystem.exists(at: source.annotations) {
      guard let meant = TrainingSourceArgument.suggestion(for: source.annotations) else { continue }
      throw .usage(
        .invalidValue(
          option: "SOURCE", found: source.annotations,
          required: TrainingSourceArgument.requirement, suggestion: meant))
    }
    if sources.isEmpty { throw .usage(.missingArgument(name: "SOURCE", command: name)) }
    if let folder = arguments[images] {
      for index in sources.indices { sources[index].images = folder }
    }
    let outputPath = try arguments.required(output, of: name)
    let checkpointPath = arguments[checkpoint] ?? outputPath + ".checkpoint"
    let pagePath = arguments[page]
    let logPath =
      arguments[log]
      ?? pagePath.map { TrainingPlan.log(besidePage: $0) }
    let paths = [outputPath, checkpointPath, logPath, pagePath.map { PageFile.path($0) }]
      .compactMap { $0 }
    if Set(paths).count < paths.count {
      throw .usage(
        .conflict(sentence: "--output, --checkpoint, --log and --report need a file each."))
    }
    for option in [validateEvery.description, patience.description]
    where arguments.contains(option) && !arguments.contains(validation) {
      throw .usage(.conflict(sentence: "\(option.spelling) needs --validation."))
    }
    if arguments.contains(epochs), arguments.contains(samples) {
      throw .usage(.conflict(sentence: "--epochs and --samples exclude each other."))
    }

    let kind = arguments[network] ?? .standard
    if arguments[detector] != nil, !kind.isSecondStage {
      throw .usage(.conflict(sentence: "--detector is for --network second-stage."))
    }
    let labels = try TrainingLabels.read(arguments[Self.labels])
    var options = TrainingOptions()
    options.sampleCount = arguments[samples] ?? options.sampleCount
    options.batchSize = arguments[batch] ?? options.batchSize
    let inputSize = arguments[input] ?? kind.inputSide
    options.learningRate = arguments[learningRate].map { Float($0) } ?? options.learningRate
    options.seed = arguments[seed] ?? options.seed
    var sampleOptions = SampleOptions()
    sampleOptions.size = arguments[crop] ?? inputSize
    sampleOptions.augmentation = arguments[augmentation] ?? sampleOptions.augmentation
    return TrainingPlan(
      sources: sources, kind: kind, labels: labels, inputSize: inputSize,
      initialWeights: arguments[from],
      detector: arguments[detector], options: options, samples: sampleOptions,
      threadCount: arguments[threads], output: outputPath,
      storage: arguments[storage] ?? .float16, provenance: arguments.all(provenance),
      log: logPath, logInterval: arguments[logEvery] ?? 20, page: pagePath,
      validation: arguments.all(validation),
      validationInterval: arguments[validateEvery] ?? 1000, epochs: arguments[epochs],
      patience: arguments[patience], checkpoint: checkpointPath,
      checkpointInterval: arguments[checkpointEvery] ?? 500,
      restarts: arguments.contains(restart), isForced: arguments.contains(OutputPlan.force))
  }
}
