/// Why the outputs of a network cannot be read as those of an object detector.
public enum DetectorHeadError: Error, Hashable, Sendable {
  /// The network's first input is not a map of one or three channels that boxes can be measured in.
  case noPicture
  /// No output has a head that proposes boxes.
  case noHead
  /// An output's head is of a kind that is not known.
  case unknownKind(output: String, kind: String)
  /// Heads have no labels, or labels that differ.
  case labels(output: String)
  /// A head has no number of this name, or none that can be used: the rule says what is required.
  case parameter(output: String, name: String, rule: String)
  /// An output has another number of channels than its head calls for.
  case channelCount(output: String, found: Int, required: Int)
  /// An output has another number of places than its head's strides give for the input.
  case placeCount(output: String, found: Int, required: Int)
  /// Two outputs that belong together differ in their numbers of boxes.
  case boxCounts(boxes: Int, other: String, found: Int)
  /// Several outputs have a head of which there may be one: `box scores`, for instance.
  case repeated(kind: String)
  /// A head needs another output: scores their boxes, offsets their default boxes.
  case missingOutput(kind: String, needed: String)
}

extension DetectorHeadError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .noPicture: "A detector's first input must be a picture of one or three channels."
    case .noHead: "The network has no output whose head proposes boxes."
    case .unknownKind(let output, let kind):
      "The head of the output \"\(output)\" is of the kind \"\(kind)\", which proposes no boxes."
    case .labels(let output):
      "The output \"\(output)\" must have labels, the same as every other head's."
    case .parameter(let output, let name, let rule):
      "The output \"\(output)\" must have \"\(name)\": \(rule)."
    case .channelCount(let output, let found, let required):
      "The output \"\(output)\" has \(found) channels; its head calls for \(required)."
    case .placeCount(let output, let found, let required):
      "The output \"\(output)\" has \(found) places; its strides call for \(required)."
    case .boxCounts(let boxes, let other, let found):
      "There are \(boxes) boxes, and \(found) in the output \"\(other)\"."
    case .repeated(let kind): "Several outputs are \"\(kind)\"; only one may be."
    case .missingOutput(let kind, let needed):
      "An output of \"\(kind)\" needs one of \"\(needed)\"."
    }
  }
}
