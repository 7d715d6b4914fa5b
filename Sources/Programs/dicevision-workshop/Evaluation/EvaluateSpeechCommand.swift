internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameKit
internal import DiceGameTraining
internal import DiceWeights

/// `dicevision evaluate speech`: measures a network that hears spoken numbers.
enum EvaluateSpeechCommand {
  static let name = "evaluate speech"
  static let weights = ValueOption.text(
    "weights", "FILE", "The weight file, as `train speech` writes it.", default: "the library's")

  static let voice = ValueOption.text(
    "voice", "VOICE", "Measures with voices whose names begin so.", default: "all",
    isRepeatable: true)

  static let calibrated = ValueOption.text(
    "calibrated", "FILE",
    "Writes the weights with confidences that are the share of these recordings' numbers heard right."
  )
  static let threshold = ValueOption.number(
    "threshold", "CONFIDENCE", in: 0...1,
    "The least confidence of a number that is reported; goes into the written weights, too.",
    default: "what the weights say")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary:
        "Measures how many spoken numbers are heard right, and how many other words rejected.",
      argument: CommandDescription.Argument(
        name: "FOLDER", summary: "Folders as `train speech` takes them.", counts: 1...1_000),
      groups: [
        CommandDescription.OptionGroup(
          title: "Network",
          options: [weights.description, threshold.description]),
        CommandDescription.OptionGroup(title: "Recordings", options: [voice.description]),
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            calibrated.description, OutputPlan.force.description, ResultArguments.json.description,
          ]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) corpus --voice fsdd-theo --weights speech.dvweights",
          meaning: "Measures with a voice that the network has not learnt from.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let isJSON = try ResultArguments.isJSON(arguments)
    if let path = arguments[calibrated] {
      var plan = OutputPlan(arguments)
      plan.read(arguments[weights].map { [$0] } ?? [])
      plan.write(path, for: calibrated.description.spelling, .beginning(WeightFormat.magic))
      try plan.check()
    }
    let file = try WeightSource.load(arguments[weights] ?? "speech", environment)
    let recognizer: SpokenNumberRecognizer
    do throws(SpokenNumberError) {
      recognizer = try SpokenNumberRecognizer(weights: file.bytes, sampleRate: 16_000)
    } catch {
      throw .failure(subject: arguments[weights] ?? "the library's weights", sentence: "\(error)")
    }
    if let threshold = arguments[threshold] { recognizer.confidenceThreshold = Float(threshold) }
    let voices = arguments.all(voice)
    let corpus = try TrainSpeechCommand.corpus(arguments.positionals) { (name) in
      voices.isEmpty || voices.contains { name.hasPrefix($0) }
    }
    let start = environment.seconds()
    let accuracy: SpeechAccuracy
    do throws(SpokenNumberError) { accuracy = try SpeechAccuracy(of: recognizer, on: corpus) } catch
    {
      throw .failure(subject: name, sentence: "\(error)")
    }
    if let path = arguments[calibrated] {
      let result: WeightFile
      do throws(WeightFileError) {
        result = try SpeechCalibration(accuracy.answers).applied(
          to: file, threshold: arguments[threshold].map { Float($0) })
      } catch { throw .failure(subject: path, sentence: "\(error)") }
      try OutputFile.write(result.bytes, to: path)
    }
    let time = (environment.seconds() - start) / max(accuracy.seconds, 1e-9)
    let kinds = [
      ("words", "numbers of one word heard right", accuracy.words),
      ("numbers", "numbers of several words heard right", accuracy.numbers),
      ("digitStrings", "numbers digit by digit heard right", accuracy.digitStrings),
      ("others", "other words rejected", accuracy.others),
    ]
    if isJSON {
      var fields = kinds.map { (key, _, share) in
        JSONObject.Member(
          key: key,
          value: [
            "count": JSONValue(share.count), "rightCount": JSONValue(share.rightCount),
            "likeliestCount": JSONValue(share.likeliestCount),
          ])
      }
      fields.append(
        JSONObject.Member(
          key: "calibrationError",
          value: .number(NumberText.rounded(accuracy.calibrationError, decimals: 4))))
      fields.append(
        JSONObject.Member(
          key: "mistakes", value: .array(accuracy.mistakes.map { .string($0) })))
      try environment.print(
        String(
          decoding: JSONWriter.write(.object(JSONObject(fields)), layout: .pretty), as: UTF8.self))
      return .success
    }
    var text = ""
    for (_, words, share) in kinds where share.count > 0 {
      text +=
        "\(NumberText.grouped(share.rightCount)) of \(NumberText.grouped(share.count)) \(words), "
        + "\(NumberText.percent(share.share)) (likeliest: "
        + "\(NumberText.percent(Double(share.likeliestCount) / Double(share.count))))\n"
    }
    text +=
      "calibration error \(NumberText.percent(accuracy.calibrationError)); "
      + "\(NumberText.fixed(time, decimals: 4)) of real time\n"
    for mistake in accuracy.mistakes { text += "  \(printable(mistake))\n" }
    try environment.print(text)
    return .success
  }
}
