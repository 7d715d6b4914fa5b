package import DiceCommandLine
internal import DiceFiles
package import DiceGeometry
package import DiceVisionKit
internal import DiceWeights

/// The options that every command with a detector has.
package enum DetectorArguments {
  package static let weights = ValueOption.text(
    "weights", "FILE",
    "Weights to use: a file, `standard` or `fast` for those of the library, or `any-dice` for those that "
      + "read dice of 4 to 20 sides.",
    default: "standard, and any-dice with --kinds", knownWords: ["standard", "fast", "any-dice"])

  package static let inputSize = ValueOption<InputSize>(
    "input", "SIZE",
    "Size of the network's input in pixels, `SIZE` or `WIDTHxHEIGHT`. Larger finds smaller dice "
      + "and takes longer.",
    default: "that of the weights",
    requirement: "a multiple of 32 from 64 to 4096, or two of them as WIDTHxHEIGHT"
  ) { text in
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    var sides: [Int] = []
    for part in parts {
      guard let side = NumberText.integer(String(part)), (64...4096).contains(side),
        side.isMultiple(of: 32)
      else { return nil }
      sides.append(side)
    }
    guard let first = sides.first, let last = sides.last, sides.count <= 2 else { return nil }
    return InputSize(width: first, height: last)
  }

  package static let crop = ValueOption<CropAndScale>.choice(
    "crop", [("fit", .scaleFit), ("fill", .scaleFill), ("center", .centerCrop)],
    "How a picture is brought to the input's shape: all of it with a border (fit), all of it "
      + "stretched (fill), or its middle (center).",
    default: "that of the weights")

  package static let tiling = ValueOption<TilingChoice>.choice(
    "tiling", [("automatic", .automatic), ("none", .none)],
    "Whether pictures with small dice are looked at again, enlarged and in tiles (automatic), or "
      + "every picture once (none).",
    default: "automatic")

  package static let secondStage: ValueOption<SecondStageChoice> = {
    var option = secondStageOption
    option.description.knownWords = ["automatic", "none", "bundled"]
    return option
  }()

  private static let secondStageOption = ValueOption<SecondStageChoice>(
    "second-stage", "WHICH",
    "Whether each die is classified once more by itself: `automatic` (with the library's weights), "
      + "`none`, `bundled` (by the library's second stage), or by that of a weight file.",
    default: "automatic", requirement: "automatic, none, bundled or a file"
  ) { text in text.isEmpty ? nil : SecondStageChoice(text) }

  package static let precision = ValueOption<PrecisionChoice>.choice(
    "precision", [("single", .single), ("bfloat16", .bfloat16), ("int8", .int8)],
    "What the networks compute with: floats (single); bfloat16 numbers if the processor has units for "
      + "them; or 8-bit integers. Both are several times as fast on many processors, and a little less "
      + "exact.",
    default: "single")

  package static let resolution: ValueOption<ResolutionChoice> = {
    var option = resolutionOption
    option.description.knownWords = ["automatic", "full"]
    return option
  }()

  private static let resolutionOption = ValueOption<ResolutionChoice>(
    "resolution", "PIXELS",
    "How much of a JPEG file is decoded: as little as leaves so many pixels along the longer side (a "
      + "half, a quarter or an eighth of its size), faster, but it loses small dice; all of it "
      + "(full); or as little as the dice in it need (automatic).",
    default: "automatic", requirement: "automatic, full or a whole number from 1 to 1000000"
  ) { text in
    switch text {
    case "automatic": .automatic
    case "full": .full
    default:
      NumberText.integer(text).flatMap { (1...1_000_000).contains($0) ? .longerSide($0) : nil }
    }
  }

  package static let confidence = ValueOption.number(
    "confidence", "SHARE", in: 0...1,
    "How sure a detection must be. Raising it loses dice and avoids false ones.",
    default: "that of the second stage's weights, or of the detector's if there is no second "
      + "stage")

  package static let overlap = ValueOption.number(
    "iou", "SHARE", in: 0...1,
    "Of two boxes that overlap by more, as intersection over union, the surer one stays. Lowering "
      + "it joins dice that touch.",
    default: "that of the weights")

  package static let suppression = ValueOption<SuppressionChoice>.choice(
    "suppression",
    [("across", .acrossClasses), ("per-value", .perClass), ("soft", .soft)],
    "Which of two boxes that overlap compete: all (across), those of the same value (per-value), "
      + "or all with the loser's confidence lowered instead (soft).",
    default: "across")

  package static let kinds = ValueOption<Set<DieKind>>(
    "kinds", "KINDS",
    "Which dice count, of "
      + DieKind.allCases.map(\.rawValue).joined(separator: ", ")
      + "; others are passed over. any counts all.",
    default: "what the weights know: d6 of standard and fast",
    requirement: "any, or kinds with commas between them"
  ) { text in
    if text == "any" { return Set(DieKind.allCases) }
    var kinds: Set<DieKind> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = DieKind(rawValue: String(name)) else { return nil }
      kinds.insert(kind)
    }
    return kinds
  }

  package static let faces = ValueOption.text(
    "faces", "SET",
    "Reads faces of your own, which `teach` wrote to this file, in place of those of the weights; "
      + "dice that resemble none of them are unknown. The weights are those of any dice, unless "
      + "--weights names others.",
    default: "the faces of the weights")

  package static let without = ValueOption<PipelineStages>(
    "without", "STAGES",
    "Stages of the pipeline to leave out, to see what they pay: "
      + PipelineStages.Stage.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") + ".",
    requirement: "names of stages with commas between them"
  ) { text in
    var stages = PipelineStages()
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let stage = PipelineStages.Stage(rawValue: String(name)) else { return nil }
      stages[stage] = false
    }
    return stages
  }

  /// What only measurements need.
  package static let measuringGroup = CommandDescription.OptionGroup(
    title: "For measuring", options: [without.description])

  /// What the network sees.
  package static let networkGroup = CommandDescription.OptionGroup(
    title: "Network",
    options: [
      weights.description, inputSize.description, crop.description, tiling.description,
      secondStage.description, precision.description, PictureArguments.threads.description,
    ])

  /// What counts as a detection.
  package static let thresholds = [
    confidence.description, overlap.description, suppression.description, kinds.description,
    faces.description,
  ]

  /// The files that the detector is prepared from, and names of the library's own weights.
  package static func files(_ arguments: ParsedArguments) -> [String] {
    var files = arguments[weights].map { [$0] } ?? []
    if case .file(let path) = arguments[secondStage] { files.append(path) }
    if let path = arguments[faces] { files.append(path) }
    return files
  }

  /// How to prepare the detector that the arguments ask for.
  ///
  /// - Parameter work: the threads that use it; where there are several, each is its only one.
  package static func finderOptions(
    _ arguments: ParsedArguments, besides work: OrderedWork
  ) -> FinderOptions {
    FinderOptions(
      weights: arguments[weights]
        ?? (arguments[kinds] == nil && arguments[faces] == nil
          ? nil : WeightSource.Name.anyDice.rawValue),
      inputSize: arguments[inputSize],
      cropAndScale: arguments[crop], tiling: arguments[tiling] ?? .automatic,
      secondStage: arguments[secondStage] ?? .automatic,
      stages: arguments[without] ?? PipelineStages(),
      suppression: arguments[suppression] ?? .acrossClasses,
      givenSuppression: arguments[suppression],
      precision: arguments[precision] ?? .single,
      resolution: arguments[resolution] ?? .automatic,
      kinds: arguments[kinds].flatMap { $0 == Set(DieKind.allCases) ? nil : $0 },
      faces: arguments[faces],
      threadCount: work.threadCount > 1 ? 1 : arguments[PictureArguments.threads])
  }
}
