internal import DiceCommandLine
internal import DiceFiles
internal import DiceParallel
internal import DiceThrowTraining
internal import DiceWeights
internal import ThrowArguments
internal import ThrowVisionKit

/// `dicevision evaluate poses`: measures how near to their labels joints are found.
enum EvaluatePosesCommand {
  static let name = "evaluate poses"

  static let without = ValueOption.text(
    "without-people", "FOLDER", "Counts the people who are found in pictures that show none.")
  static let cut = Switch(
    "cut-off",
    "Cuts each photo off below the hips, and measures the joints that are left of people who are upright."
  )
  static let calibrated = ValueOption.text(
    "calibrated", "FILE",
    "Writes the weights of --joints with confidences that fit what was measured. They should not have "
      + "been fitted before.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Measures how near to their labels the joints of people are found.",
      argument: CommandDescription.Argument(
        name: "FOLDER", summary: "A folder with annotations.json and the pictures in images.",
        counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Measurement",
          options: [
            PoseArguments.joints.description, PoseArguments.people.description,
            PoseArguments.confidence.description, without.description,
            TrainPosesCommand.everyone.description, PoseArguments.mirror.description,
            cut.description, EvaluationArguments.threads.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            calibrated.description, OutputPlan.force.description, ResultArguments.json.description,
          ]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) people",
          meaning: "Measures the library's own weights on the tenth that training leaves out.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let folder = arguments.positionals[0]
    let isJSON = try ResultArguments.isJSON(arguments)
    if let output = arguments[calibrated] {
      var plan = OutputPlan(arguments)
      plan.read(arguments[PoseArguments.joints].map { [$0] } ?? [])
      plan.write(output, for: calibrated.description.spelling, .beginning(WeightFormat.magic))
      try plan.check()
    }
    let weights = try PoseArguments.jointWeights(arguments)
    let detector = try PoseArguments.detector(arguments)
    let estimator: PoseEstimator
    do throws(PoseDetectorError) { estimator = try PoseEstimator(weights: weights) } catch {
      throw .failure(subject: arguments[PoseArguments.joints] ?? "weights", sentence: "\(error)")
    }
    if arguments.contains(calibrated), !estimator.hasOwnHead {
      throw .usage(
        .conflict(
          sentence: "\(calibrated.description.spelling) needs a network that `train poses` made."))
    }
    let joints = Set(PoseDataset.labels.indices.filter { estimator.finds($0) })
    let pool = TrainingArguments.pool(arguments, environment)
    var given: PoseAccuracy
    var found: PoseAccuracy
    do throws(PoseDatasetError) {
      var dataset = try PoseDataset(folder: folder)
      if !arguments.contains(TrainPosesCommand.everyone) {
        dataset = dataset.part(isLeftOut: true)
      }
      if arguments.contains(cut) { dataset = dataset.cutBelowHips }
      given = try PoseAccuracy.measure(
        weights: weights, on: dataset, usesMirror: detector.options.usesMirror, pool: pool)
      found = try PoseAccuracy.measure(detector, on: dataset, pool: pool)
    } catch { throw .failure(subject: folder, sentence: "\(error)") }
    // Joints that the network does not know are no mistakes of it.
    given = given.limited(to: joints)
    found = found.limited(to: joints)
    let strangers = try falsePeople(arguments, detector, pool)
    guard !given.readings.isEmpty else {
      throw .failure(subject: folder, sentence: "No person has a labelled trunk.")
    }
    if let output = arguments[calibrated] {
      let bytes: [UInt8]
      do throws(WeightFileError) {
        bytes = try PoseCalibration.calibrated(
          try WeightFile(bytes: weights), by: given, storage: .float32)
      } catch { throw .failure(subject: output, sentence: "\(error)") }
      try OutputFile.write(bytes, to: output)
    }
    try environment.print(isJSON ? json(given, found, strangers) : text(given, found, strangers))
    return .success
  }

  /// The people found in pictures without any: how many pictures there are, and how sure each person is.
  private static func falsePeople(
    _ arguments: ParsedArguments, _ detector: PoseDetector, _ pool: WorkerPool
  ) throws(ToolError) -> (pictureCount: Int, confidences: [Float])? {
    guard let folder = arguments[without] else { return nil }
    let list = PictureList([folder], isRecursive: true)
    for error in list.errors { throw error }
    let paths = list.paths
    let outcomes = pool.map(count: paths.count) { (index) in
      do throws(PoseDatasetError) {
        let image = try PoseDataset.picture(at: paths[index])
        do throws(PoseDetectorError) {
          return Result<[Float], PoseDatasetError>.success(
            try detector.detect(in: image).map(\.confidence))
        } catch { throw .network("\(error)") }
      } catch { return .failure(error) }
    }
    var confidences: [Float] = []
    do throws(PoseDatasetError) {
      for outcome in outcomes { confidences += try outcome.get() }
    } catch { throw .failure(subject: folder, sentence: "\(error)") }
    return (paths.count, confidences)
  }

  private static func text(
    _ given: PoseAccuracy, _ found: PoseAccuracy,
    _ strangers: (pictureCount: Int, confidences: [Float])?
  ) -> String {
    func share(_ value: Double) -> String { NumberText.fixed(value, decimals: 4) }
    var text =
      "\(NumberText.count(given.personCount, "person", "people")), "
      + "\(NumberText.count(given.readings.count, "joint", "joints")) within "
      + "\(NumberText.fixed(PoseAccuracy.bound, decimals: 1)) torsos: \(share(given.share)) with the box "
      + "given, \(share(found.share)) where people are found\n"
    for (joint, label) in PoseDataset.labels.enumerated() {
      guard given.readings.contains(where: { $0.joint == joint }) else {
        text += "  \(label): not measured\n"
        continue
      }
      text += "  \(label): \(share(given.share(of: joint))), \(share(found.share(of: joint)))\n"
    }
    text += "  not found: \(NumberText.count(found.missedCount, "person", "people"))\n"
    if !given.cutOffConfidences.isEmpty {
      text +=
        "  \(NumberText.count(given.cutOffConfidences.count, "joint", "joints")) beyond the edge: "
        + "confidence \(share(given.cutOffConfidence)) on the average with the box given, "
        + "\(share(found.cutOffConfidence)) where people are found\n"
    }
    if let strangers {
      text +=
        "  where there is nobody: "
        + "\(NumberText.count(strangers.confidences.count, "person", "people")) in "
        + "\(NumberText.count(strangers.pictureCount, "picture", "pictures"))\n"
    }
    return text
  }

  private static func json(
    _ given: PoseAccuracy, _ found: PoseAccuracy,
    _ strangers: (pictureCount: Int, confidences: [Float])?
  ) -> String {
    func value(_ accuracy: PoseAccuracy) -> JSONValue {
      func number(_ value: Double) -> JSONValue {
        .number(NumberText.rounded(value, decimals: 5))
      }
      let joints = PoseDataset.labels.enumerated().map { (joint, label) in
        JSONObject.Member(key: label, value: number(accuracy.share(of: joint)))
      }
      return [
        "share": number(accuracy.share), "joints": .object(JSONObject(joints)),
        "people": JSONValue(accuracy.personCount),
        "missed": JSONValue(accuracy.missedCount),
        "labelled": JSONValue(accuracy.readings.count),
        "beyondEdge": JSONValue(accuracy.cutOffConfidences.count),
        "confidenceBeyondEdge": number(accuracy.cutOffConfidence),
      ]
    }
    var result = JSONObject([
      JSONObject.Member(key: "boxGiven", value: value(given)),
      JSONObject.Member(key: "found", value: value(found)),
    ])
    if let strangers {
      result["withoutPeople"] = [
        "pictures": JSONValue(strangers.pictureCount),
        "people": JSONValue(strangers.confidences.count),
      ]
    }
    return String(decoding: JSONWriter.write(.object(result), layout: .pretty), as: UTF8.self)
  }
}
