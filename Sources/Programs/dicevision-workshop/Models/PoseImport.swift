internal import DiceCommandLine
internal import DiceModelImport

/// The options of `dicevision import` about networks that find the joints of a person.
enum PoseImport {
  static let pose = ValueOption<PoseKind?>.choice(
    "pose", [("automatic", nil)] + PoseKind.allCases.map { ($0.rawValue, $0) },
    placeholder: "KIND",
    "Makes a network of poses, for `dicevision pose --joints`, and says of what family it is; automatic "
      + "recognises it by the shapes of its outputs.",
    default: "automatic with --joints, otherwise no network of poses")

  static let joints = ValueOption<[String]>(
    "joints", "NAMES",
    "The order of a network's joints. Those with other names than `dicevision pose` has are left out.",
    default: "the family's, or coco for 17 joints and mpii for 16",
    requirement:
      "\(JointOrder.allCases.map(\.rawValue).joined(separator: ", ")), or different names with "
      + "commas between them"
  ) { (text) in
    if let order = JointOrder(rawValue: text) { return order.names }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1, names.allSatisfy({ (1...64).contains($0.utf8.count) }),
      Set(names).count == names.count
    else { return nil }
    return names
  }

  static let boxScale = ValueOption.number(
    "box-scale", "FACTOR", in: 0.5...4,
    "How much larger than a person's box the part of a picture is that a network of poses is shown.",
    default: "1.25")

  static let refinement = ValueOption<PoseOptions.Refinement>.choice(
    "refinement", PoseOptions.Refinement.allCases.map { ($0.rawValue, $0) },
    "How a joint between the places of a heatmap is found: not at all, a quarter towards the higher neighbour, or "
      + "by a parabola through the smoothed map (dark).", default: "quarter")

  static let samples = ValueOption<PoseOptions.Samples>.choice(
    "samples", PoseOptions.Samples.allCases.map { ($0.rawValue, $0) }, placeholder: "RANGE",
    "What a network of poses takes: ImageNet's mean and deviation, or samples in a range.",
    default: "as the model's file says, or as its makers do")

  static let group = CommandDescription.OptionGroup(
    title: "Poses",
    options: [
      pose.description, joints.description, boxScale.description, refinement.description,
      samples.description,
    ])

  /// Whether the call asks for a network of poses.
  ///
  /// - Throws: where an option makes no sense without one, or beside one.
  static func isAsked(_ arguments: ParsedArguments) throws(ToolError) -> Bool {
    let isAsked = arguments.contains(pose) || arguments.contains(joints)
    let others: [(OptionDescription, Bool)] =
      isAsked
      ? [
        (ImportCommand.detector.description, arguments.contains(ImportCommand.detector)),
        (ImportCommand.labels.description, arguments.contains(ImportCommand.labels)),
        (ImportCommand.crop.description, arguments.contains(ImportCommand.crop)),
      ]
      : [
        (boxScale.description, arguments.contains(boxScale)),
        (refinement.description, arguments.contains(refinement)),
        (samples.description, arguments.contains(samples)),
      ]
    if let other = others.first(where: { $0.1 })?.0.spelling {
      throw .usage(
        .conflict(
          sentence: isAsked
            ? "\(other) is for detectors, and \(pose.description.spelling) for poses."
            : "\(other) needs \(pose.description.spelling)."))
    }
    return isAsked
  }

  /// The model as a network of poses.
  static func network(
    of model: ImportedModel, _ source: String, _ arguments: ParsedArguments
  ) throws(ToolError) -> ImportedModel {
    var options = PoseOptions(
      kind: arguments[pose] ?? nil, joints: arguments[joints] ?? [], samples: arguments[samples],
      channelOrder: arguments[ImportCommand.colors])
    if let scale = arguments[boxScale] { options.boxScale = Float(scale) }
    if let refinement = arguments[refinement] { options.refinement = refinement }
    do throws(ModelImportError) {
      return try model.pose(options)
    } catch {
      throw .failure(subject: source, sentence: "\(error)")
    }
  }
}
