import DiceCodecs
import DiceFiles
import DiceTraining
import DiceVisionTraining
import DiceWeights
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision_workshop

@Suite struct TrainCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws {
    folder = try TemporaryFolder()
    try folder.writePicture("images/a.png", width: 64, height: 64)
    try folder.writePicture("images/b.png", width: 64, height: 48)
    try folder.write(
      """
      [{"image": "a.png", "annotations": [
         {"label": "5", "coordinates": {"x": 20, "y": 20, "width": 16, "height": 16}}]},
       {"image": "b.png", "annotations": [
         {"label": "?", "coordinates": {"x": 10, "y": 10, "width": 12, "height": 12}},
         {"label": "1", "coordinates": {"x": 40, "y": 30, "width": 12, "height": 12}}]}]
      """, to: "set.json")
  }

  func train(_ arguments: String...) -> CallStatus { train(arguments) }

  func train(_ arguments: [String]) -> CallStatus { call.run(self.arguments + arguments) }

  var arguments: [String] {
    [
      "train", "dice", folder.file("set.json"), "--output", folder.file("w.dvweights"), "--samples",
      "8",
      "--batch", "2", "--input", "64", "--threads", "1",
    ]
  }

  private func plan(_ arguments: String...) throws -> TrainingPlan {
    try TrainCommand.plan(
      try ArgumentParser.parse(arguments, for: TrainCommand.command.description))
  }

  // MARK: - Plan

  @Test func withoutOptionsTheRecipeIsTheStandardOne() throws {
    let plan = try plan("a.json", "--output", "w.dvweights")
    expectEqual(plan.options, TrainingOptions())
    expectEqual(plan.sources, [TrainingSource(annotations: "a.json")])
    expectEqual(plan.checkpoint, "w.dvweights.checkpoint")
    expectEqual(plan.storage, .float16)
    #expect(!plan.restarts && plan.log == nil && plan.threadCount == nil)
    expectEqual(plan.network, NetworkDescription.standard())
    #expect(plan.kind == .standard && plan.samples == SampleOptions())
  }

  @Test func optionsReachTheRun() throws {
    let plan = try plan(
      "--annotations", "b.json:boxes=0.1", "a.json:weight=2", "--output=w", "--samples", "10",
      "--batch", "5", "--input", "96", "--learning-rate", "0.001", "--seed", "7", "--storage",
      "float32", "--augmentation", "none", "--images", "photos", "--checkpoint", "c",
      "--checkpoint-every", "3", "--log", "l.csv", "--log-every", "2", "--restart",
      "--provenance", "licence=MIT", "--provenance", "credit=a=b")
    expectEqual(
      plan.sources,
      [
        TrainingSource(annotations: "a.json", images: "photos", weight: 2),
        TrainingSource(annotations: "b.json", images: "photos", boxWeight: 0.1),
      ])
    #expect(plan.options.sampleCount == 10 && plan.options.batchSize == 5)
    #expect(plan.samples.size == 96 && plan.options.learningRate == 0.001)
    #expect(plan.options.seed == 7 && plan.samples.augmentation == .none)
    expectEqual(plan.network.inputs[0].shape, TensorShape(height: 96, width: 96, channels: 3))
    #expect(plan.checkpoint == "c" && plan.checkpointInterval == 3)
    #expect(plan.log == "l.csv" && plan.logInterval == 2)
    #expect(plan.storage == .float32 && plan.restarts)
    expectEqual(
      plan.provenance,
      [
        ProvenanceEntry(key: "licence", value: "MIT"), ProvenanceEntry(key: "credit", value: "a=b"),
      ])
  }

  @Test func aSecondStagesDetectorAndPicturesWithoutMirrorsReachTheRun() throws {
    let plan = try plan(
      "a.json", "--output", "w", "--network", "second-stage", "--detector", "mine.dvweights",
      "--augmentation", "unmirrored")
    expectEqual(plan.detector, "mine.dvweights")
    expectEqual(plan.samples.augmentation.flip, 0)
    expectEqual(plan.samples.augmentation.scale, Augmentation().scale)
    #expect(
      plan.facts(pictureCounts: [1]).contains { $0.value.hasSuffix("augmentation unmirrored") })
  }

  @Test func aDetectorThatIsNotThereEndsTheTrainingOfASecondStage() {
    let missing = folder.file("none.dvweights")
    expectEqual(train("--network", "second-stage", "--detector", missing), .failure)
    #expect(call.errors.contains("none.dvweights"))
  }

  @Test func sourcesSayHowMuchTheyCount() {
    let cases: [(String, TrainingSource?)] = [
      ("a.json", TrainingSource(annotations: "a.json")),
      ("a.json:weight=0.5", TrainingSource(annotations: "a.json", weight: 0.5)),
      ("a:boxes=0:weight=3", TrainingSource(annotations: "a", weight: 3, boxWeight: 0)),
      ("c:/a.json", TrainingSource(annotations: "c:/a.json")),
      ("x:y=z:weight=1", TrainingSource(annotations: "x:y=z")),
      ("", nil), (":weight=1", nil), ("a:weight=0", nil), ("a:weight=-1", nil),
      ("a:weight=nan", nil), ("a:weight=inf", nil), ("a:weight=1e-60", nil), ("a:weight=", nil),
      ("a:weight=1:weight=2", nil), ("a:boxes=1.1", nil), ("a:boxes=nan", nil),
    ]
    for (text, source) in cases {
      expectEqual(TrainingSourceArgument.read(text), source, "\(text)")
    }
  }

  @Test func wrongCallsAreUsageErrors() {
    let calls = [
      ["a.json"], ["--output", "w"], ["a.json:weight=0", "--output", "w"],
      ["a.json", "--output", "w", "--log", "w"],
      ["a.json", "--output", "w", "--checkpoint", "w"],
      ["a.json", "--output", "w", "--annotations", "b:boxes=2"],
    ]
    for arguments in calls {
      expectEqual(ToolCall().run(["train", "dice"] + arguments), .usage, "\(arguments)")
    }
    let hostile = [
      ("--samples", ["0", "-1", "nan", "1000000001"]), ("--batch", ["0", "257"]),
      ("--input", ["0", "32", "100", "4096"]),
      ("--learning-rate", ["0", "-1", "nan", "inf", "2", "1e-320", "1e-46"]),
      ("--seed", ["-1", "1.5", "18446744073709551616"]), ("--threads", ["0", "65"]),
      ("--checkpoint-every", ["0"]), ("--log-every", ["0"]), ("--storage", ["int8"]),
      ("--provenance", ["", "key", "=value"]),
    ]
    for (option, values) in hostile {
      for value in values {
        let call = ToolCall()
        expectEqual(
          call.run("train", "dice", "a.json", "--output", "w", "\(option)=\(value)"), .usage,
          "\(option)=\(value)")
        #expect(call.errors.hasPrefix("dicevision: \(option) must be "))
      }
    }
  }

  @Test func whatWouldFailAfterHoursFailsAtOnce() throws {
    expectEqual(
      call.run("train", "dice", folder.file("set.json"), "--output", folder.file("no/w")), .failure)
    #expect(call.errors.contains("\(folder.path)/no\" does not exist."))
    expectEqual(
      call.run("train", "dice", folder.file("set.json"), "--output", folder.path), .failure)
    expectEqual(train("--provenance", "bad\u{7}key=1"), .failure)
    expectEqual(train("--log", folder.file("no/l.csv")), .failure)
    #expect(!FileSystem.exists(at: folder.file("w.dvweights")))
  }

  @Test func brokenSetsAreNamed() throws {
    try folder.write(#"[{"image": "c.png", "annotations": []}]"#, to: "missing.json")
    for name in ["missing.json", "nothing.json"] {
      let call = ToolCall()
      expectEqual(
        call.run("train", "dice", folder.file(name), "--output", folder.file("w.dvweights")),
        .failure)
      #expect(call.errors.contains(folder.path))
    }
    try folder.write("[]", to: "empty.json")
    expectEqual(
      call.run("train", "dice", folder.file("empty.json"), "--output", folder.file("w")), .failure
    )
    #expect(call.errors.contains("No picture"))
  }

  // MARK: - Labels of any words

  /// A set with words for labels, some of which sound like dice.
  private func writeWords() throws {
    try folder.write(
      """
      [{"image": "a.png", "annotations": [
         {"label": "pawn", "coordinates": {"x": 20, "y": 20, "width": 16, "height": 16}}]},
       {"image": "b.png", "annotations": [
         {"label": "?", "coordinates": {"x": 10, "y": 10, "width": 12, "height": 12}},
         {"label": "one", "coordinates": {"x": 40, "y": 30, "width": 12, "height": 12}}]}]
      """, to: "words.json")
  }

  private func trainWords(_ labels: String, _ more: String...) -> CallStatus {
    call.run(
      [
        "train", "dice", folder.file("words.json"), "--output", folder.file("w.dvweights"),
        "--samples",
        "4", "--batch", "2", "--input", "64", "--threads", "1", "--network", "fast", "--labels",
        labels,
      ] + more)
  }

  @Test func wordsBecomeTheLabelsOfADetectorOfObjects() throws {
    try writeWords()
    try folder.write(" one \npawn\n", to: "names.txt")
    let cases = [
      ("all", ["one", "pawn"]), ("pawn, one,card", ["pawn", "one", "card"]),
      (folder.file("names.txt"), ["one", "pawn"]),
    ]
    for (text, labels) in cases {
      expectEqual(trainWords(text, "--restart"), .success, "\(text): \(call.errors)")
      let file = try WeightFile(bytes: try folder.bytes("w.dvweights"))
      expectEqual(file.description.name, "objects-fast")
      for output in file.description.outputs { expectEqual(output.head?.labels, labels) }
      let finder = try #require(
        try ObjectFinder(FinderOptions(weights: folder.file("w.dvweights"))))
      expectEqual(finder.network.labels, labels)
    }
    #expect(call.errors.contains("words.json: 2 pictures, 3 objects"))
  }

  @Test(arguments: [
    ("one 3", ["3", "one"]), ("d20-17 3", ["d20-17", "d6-3"]), ("d6-3 3", ["d6-3"]),
  ])
  func plainValuesBesideKindsAreOfSixSides(_ words: String, _ labels: [String]) throws {
    let objects = words.split(separator: " ").map {
      #"{"label": "\#($0)", "coordinates": {"x": 20, "y": 20, "width": 16, "height": 16}}"#
    }
    try folder.write(
      #"[{"image": "a.png", "annotations": [\#(objects.joined(separator: ", "))]}]"#,
      to: "words.json")
    expectEqual(trainWords("all"), .success, "\(call.errors)")
    let file = try WeightFile(bytes: try folder.bytes("w.dvweights"))
    for output in file.description.outputs { expectEqual(output.head?.labels, labels) }
  }

  @Test func aSecondStageTellsOtherLabelsApart() throws {
    try writeWords()
    for from in [
      [], ["--from", "second-stage", "--restart"],
      ["--from", "any-dice-second-stage", "--detector", "any-dice", "--restart"],
    ] {
      expectEqual(
        call.run(
          [
            "train", "dice", folder.file("words.json"), "--output", folder.file("w.dvweights"),
            "--samples", "2", "--batch", "2", "--threads", "1", "--network", "second-stage",
            "--labels", "pawn,one",
          ] + from), .success, "\(call.errors)")
      let file = try WeightFile(bytes: try folder.bytes("w.dvweights"))
      expectEqual(file.description.task, StandardNetwork.secondStage.description().task)
      #expect(!file.description.outputs.isEmpty)
      for output in file.description.outputs { expectEqual(output.head?.labels, ["pawn", "one"]) }
    }
  }

  @Test func theLibrarysWeightsAreABeginningForOtherLabels() throws {
    try writeWords()
    expectEqual(trainWords("all", "--from", "fast"), .success, "\(call.errors)")
    // Whoever gets the new weights learns whose photos the first ones learnt from.
    let facts = try WeightFile(bytes: try folder.bytes("w.dvweights")).description.provenance
    #expect(facts.contains { $0.key == "credit" && $0.value.contains("CC BY 4.0") })
    // Other layers are refused as ever.
    expectEqual(trainWords("all", "--from", "standard", "--restart"), .failure)
  }

  @Test func labelsThatCannotBeAreRefused() throws {
    try writeWords()
    for text in ["pawn,", "pawn,pawn", "pawn,?", " "] {
      expectEqual(trainWords(text), .usage, "\(text)")
      #expect(call.errors.contains("a file with one on each line, or all, not \"\(text)\"."))
    }
    expectEqual(trainWords("pawn"), .failure)
    // No value of a die where labels are others.
    #expect(call.errors.contains(#"the label "one" is not a class of the network."#))
    #expect(!call.errors.contains("--labels names others"))
    expectEqual(
      call.run("train", "dice", folder.file("words.json"), "--output", folder.file("x")), .failure
    )
    #expect(call.errors.contains("--labels names others than those of dice."))
    try folder.write(#"[{"image": "a.png", "annotations": []}]"#, to: "words.json")
    expectEqual(trainWords("all"), .failure)
    #expect(call.errors.contains("The annotations have no label."))
  }

  // MARK: - Runs

  @Test func aRunWritesWeightsCheckpointAndTable() throws {
    expectEqual(
      train(
        "--log", folder.file("run.csv"), "--log-every", "2", "--provenance", "licence=MIT"),
      .success)
    let file = try WeightFile(bytes: try folder.bytes("w.dvweights"))
    expectEqual(file.description.inputs[0].shape.width, 64)
    let keys = file.description.provenance.map { $0.key }
    expectEqual(keys, ["licence", "training", "pictures"])
    #expect(file.description.provenance[1].value.contains("4 steps of 2 samples of 64 x 64"))
    #expect(file.description.provenance[2].value.contains("/set: 2 pictures, weight 1, boxes 1"))
    #expect(FileSystem.exists(at: folder.file("w.dvweights.checkpoint")))

    let lines = try folder.text("run.csv").split(separator: "\n")
    expectEqual(lines.first.map { String($0) }, TrainingLog.header)
    expectEqual(lines.count, 3)
    let columns = TrainingLog.header.split(separator: ",").count
    for (line, step) in zip(lines.dropFirst(), [2, 4]) {
      let cells = line.split(separator: ",")
      expectEqual(cells.count, columns)
      #expect(cells[0] == "\(step)" && cells[1] == "\(step * 2)")
      for cell in cells { expectEqual(Double(cell)?.isFinite, true) }
    }
    #expect(call.errors.contains("set.json: 2 pictures, 3 dice"))
    #expect(call.errors.contains("step 4/4 100 %  loss "))
    #expect(call.output.isEmpty)

    let detect = ToolCall()
    let picture = folder.file("images/a.png")
    expectEqual(
      detect.run("detect", "--weights", folder.file("w.dvweights"), picture), .success)
  }

  @Test func anInterruptedRunEndsWithTheSameWeights() throws {
    expectEqual(train("--log", folder.file("run.csv"), "--log-every", "1"), .success)
    let whole = try folder.bytes("w.dvweights")
    let steps = try steps()
    try FileSystem.removeFile(at: folder.file("w.dvweights"))
    try FileSystem.removeFile(at: folder.file("w.dvweights.checkpoint"))

    call.interruption = (looks: 2, signal: 2)
    expectEqual(train("--log", folder.file("run.csv"), "--log-every", "1").rawValue, 130)
    #expect(call.errors.contains("stopped after step 2 of 4"))
    #expect(!FileSystem.exists(at: folder.file("w.dvweights")))
    try expectEqual(self.steps(), ["1", "2"])

    call.interruption = nil
    // A line behind the checkpoint, as a crash would leave it.
    try FileSystem.append([UInt8]("3,6,0,0,0,0,0,0,0\n".utf8), toFileAt: folder.file("run.csv"))
    expectEqual(train("--log", folder.file("run.csv"), "--log-every", "1"), .success)
    #expect(call.errors.contains("going on after step 2 of 4"))
    try expectEqual(folder.bytes("w.dvweights"), whole)
    try expectEqual(self.steps(), steps)
  }

  /// All but the speed, which is another each time.
  func rows() throws -> [String] {
    try folder.text("run.csv").split(separator: "\n").map {
      $0.split(separator: ",").dropLast().joined(separator: ",")
    }
  }

  @Test func theTableAcrossAnInterruptionIsThatWithoutOne() throws {
    let log = ["--log", folder.file("run.csv"), "--log-every", "3"]
    expectEqual(train(log), .success)
    let whole = try rows()
    expectEqual(whole.count, 3)
    for (looks, hadTable) in [(1, true), (2, true), (2, false)] {
      call.interruption = (looks: looks, signal: 2)
      expectEqual(train((hadTable ? log : []) + ["--restart"]).rawValue, 130)
      call.interruption = nil
      expectEqual(train(log), .success)
      try expectEqual(rows(), whole, "\(looks)")
    }
  }

  // MARK: - Pages and warnings

  @Test func aReportMakesItsFolder() throws {
    expectEqual(train("--report", folder.file("report")), .success)
    #expect(FileSystem.exists(at: folder.file("report/index.html")))
    #expect(try folder.text("report/index.csv").hasPrefix(TrainingLog.header))
  }

  @Test func misspeltPartsOfASourceAreSuggested() throws {
    let source = folder.file("set.json")
    for (part, meant) in [("weigth=2", "weight=2"), ("box=0.1", "boxes=0.1")] {
      let call = ToolCall()
      expectEqual(
        call.run("train", "dice", "\(source):\(part)", "--output", folder.file("w")), .usage)
      #expect(call.errors.contains("Did you mean \(source):\(meant)?"), "\(call.errors)")
    }
    expectEqual(
      call.run("train", "dice", folder.file("no.json:x=1"), "--output", folder.file("w")), .failure)
    #expect(call.errors.contains("does not exist"))
  }

  @Test func labelsOutsideTheirPicturesAreCounted() throws {
    try folder.write(annotations(x: 200), to: "set.json")
    expectEqual(train(), .success)
    #expect(call.errors.contains("1 labelled box has its middle outside the picture"))
  }

  /// Losses and overlaps as they were seen in runs with learning rates of 1 and of 0.002.
  @Test func aRunThatGetsWorseIsToldOnce() throws {
    func warnings(_ steps: [(loss: Float, overlap: Float)]) -> [String] {
      var watch = DivergenceWatch()
      return steps.enumerated().compactMap { index, step in
        watch.warning(
          after: TrainingProgress(
            step: index + 1, stepCount: 100, learningRate: 1,
            loss: LossParts(
              terms: [LossParts.Part("all", step.loss)],
              measures: [LossParts.Part("overlap", step.overlap)])))
      }
    }
    typealias Step = (loss: Float, overlap: Float)
    let start: [Step] = [(12.3, 0.33)]
    let ruined = [Step](repeating: (14, 0.0003), count: 60)
    let lost = warnings(start + ruined)
    expectEqual(lost.count, 1)
    #expect(lost[0].hasPrefix("step 20: the network gets worse: boxes overlap"))
    let sound = [Step](repeating: (4, 0.7), count: 100)
    let risen = warnings(sound + [Step](repeating: (30, 0.7), count: 100))
    #expect(risen.count == 1 && risen[0].contains("the loss is"))
    var good = start
    for index in 1..<200 {
      good.append((12 - Float(index % 7) * 0.9, 0.3 + Float(index) / 500))
    }
    #expect(warnings(good).isEmpty)
    // Pictures without dice have nothing to overlap.
    #expect(warnings([Step](repeating: (1, 0), count: 100)).isEmpty)
    // A short run says nothing.
    #expect(warnings(start + ruined.prefix(9)).isEmpty)
  }

  func steps() throws -> [String] {
    try folder.text("run.csv").split(separator: "\n").dropFirst().map {
      String($0.prefix { $0 != "," })
    }
  }

  @Test func sigtermIsToldApart() {
    call.interruption = (looks: 1, signal: 15)
    expectEqual(train().rawValue, 143)
  }

  @Test func aFinishedRunIsWrittenAgainAtOnce() throws {
    expectEqual(train(), .success)
    expectEqual(train("--storage", "float32"), .success)
    #expect(call.errors.contains("going on after step 4 of 4"))
    let file = try WeightFile(bytes: try folder.bytes("w.dvweights"))
    #expect(file.tensors.allSatisfy { $0.storage == .float32 })
  }

  @Test func aCheckpointOfAnotherRunIsRefusedAndKept() throws {
    expectEqual(train(), .success)
    let checkpoint = try folder.bytes("w.dvweights.checkpoint")
    expectEqual(train("--seed", "2"), .failure)
    #expect(call.errors.contains("--restart begins anew"))
    try expectEqual(folder.bytes("w.dvweights.checkpoint"), checkpoint)
    expectEqual(train("--seed", "2", "--restart"), .success)
    #expect(try folder.bytes("w.dvweights.checkpoint") != checkpoint)
  }

  @Test func aDamagedCheckpointIsRefused() throws {
    try folder.write("no checkpoint", to: "w.dvweights.checkpoint")
    expectEqual(train(), .failure)
    #expect(call.errors.contains("w.dvweights.checkpoint: The checkpoint cannot be read"))
  }

  @Test func onATerminalTheProgressLineStaysInPlace() {
    call.isErrorTerminal = true
    call.columns = 120
    call.variables["NO_COLOR"] = "1"
    expectEqual(train(), .success)
    #expect(call.errors.contains(" 25 %  1 of 4"))
    #expect(call.errors.contains("100 %  4 of 4"))
    #expect(call.errors.contains("loss "))
    #expect(call.errors.contains("\u{1B}[K"))
  }
}
