internal import DiceDetectorHeads
internal import DicePoses
internal import DiceWeights

extension ImportedModel {
  /// The model as a network that finds the joints of one person: its input is a picture, and its outputs have heads.
  ///
  /// `PoseDetector` takes its weight file for joints. Outputs whose numbers lie otherwise than heads have them are
  /// rearranged; as tensors they stay what they were. Joints that the library does not have are kept under their
  /// names and passed over.
  ///
  /// - Throws: ``ModelImportError``: `invalid`, where the model's outputs do not show the family or do not fit it, where
  ///   the joints do not fit, or an option is out of range.
  public func pose(_ options: PoseOptions = PoseOptions()) throws(ModelImportError) -> ImportedModel
  {
    let place = "The network of poses"
    guard JointHeads.cropScales.contains(options.boxScale) else {
      throw .invalid(
        place: place, rule: "The scale of a box is \(options.boxScale); it must be 0.5 to 4.")
    }
    let finding = try finding(options, place)
    var result = self
    try result.makePicture(rules(options, finding.kind), order: options.channelOrder, place: place)
    for output in result.description.outputs.indices {
      result.description.outputs[output].head = nil
    }
    for (index, part) in finding.parts.enumerated() {
      result.description.outputs[part.output].head = NetworkHead(
        kind: part.kind.rawValue, labels: index == 0 ? finding.joints : [],
        parameters: part.parameters)
      result.arrange(part.output, part.places)
    }
    result.description.task = JointHeads.task
    result.description.profile = [NamedValues("crop scale", [options.boxScale])]
    do {
      _ = try JointHeads(result.description, shapes: try result.description.validated())
    } catch let error as PoseHeadError {
      throw .invalid(place: place, rule: "\(error)")
    } catch let error as WeightFileError {
      throw .network(error)
    } catch {
      throw .invalid(place: place, rule: "\(error)")
    }
    return result
  }

  private func finding(
    _ options: PoseOptions, _ place: String
  ) throws(ModelImportError) -> PoseRecognition.Finding {
    let refinement: HeatmapHead.Refinement =
      switch options.refinement {
      case .none: .none
      case .quarter: .quarter
      case .dark: .dark
      }
    let recognition = PoseRecognition(
      model: self, joints: options.joints, refinement: refinement)
    let there =
      "there are "
      + outputs.map { (output) in "\(output.name) \(output.shape)" }.joined(separator: ", ") + "."
    guard let kind = options.kind else {
      if let finding = recognition.finding { return finding }
      throw .invalid(
        place: place,
        rule:
          "Its outputs do not show of what family it is; name the family and the joints: \(there)")
    }
    if let finding = recognition.finding(of: kind) { return finding }
    let joints =
      options.joints.isEmpty
      ? kind.joints == nil ? " of 17 or 16 joints; name the joints if they are others" : ""
      : " of \(options.joints.count) joints"
    throw .invalid(
      place: place,
      rule: "No output has the shape \(PoseRecognition.requirement(of: kind)) of "
        + "\(kind.rawValue)\(joints); \(there)")
  }

  /// How pictures come to the model: as the caller says, as the model's file does, or as its makers do.
  private func rules(_ options: PoseOptions, _ kind: PoseKind) -> ImageRules {
    if let samples = options.samples { return samples.rules }
    var rules = description.inputs.first?.imageRules ?? kind.samples.rules
    // What lies outside a picture is black for the makers of all these models.
    rules.paddingValue = 0
    return rules
  }
}
