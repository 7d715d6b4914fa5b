public import DiceWeights

/// What the outputs of a network say of objects: the heads of a weight file, checked against its shapes.
///
/// Several heads may propose boxes at several scales; all have the same classes.
///
/// Source: `Docs/ImportedModels.md`, which has the formula of each kind.
public struct DetectorHeads: Hashable, Sendable {
  /// A head with the outputs that it reads.
  public enum Head: Hashable, Sendable {
    /// Boxes around anchors.
    case anchorGrid(AnchorGridHead, output: Int)
    /// Boxes as distances.
    case distanceGrid(DistanceGridHead, output: Int)
    /// FastestDet's boxes.
    case centerGrid(CenterGridHead, output: Int)
    /// Decoded boxes with their scores.
    case boxRows(BoxRowsHead, output: Int)
    /// Results.
    case detectionRows(DetectionRowsHead, output: Int)
    /// Boxes and scores in two lists.
    case boxList(BoxListHead, boxes: Int, scores: Int, defaults: Int?)

    /// The outputs that the head reads.
    public var outputs: [Int] {
      switch self {
      case .anchorGrid(_, let output), .distanceGrid(_, let output), .centerGrid(_, let output),
        .boxRows(_, let output), .detectionRows(_, let output):
        [output]
      case .boxList(_, let boxes, let scores, let defaults):
        [boxes, scores] + (defaults.map { [$0] } ?? [])
      }
    }
  }

  /// The heads, in the order of the outputs.
  public let heads: [Head]
  /// The names of the classes, by class index; their numbers from 0 where the file has no names.
  public let labels: [String]
  /// The makers' thresholds and suppression.
  public let rule: SuppressionRule

  /// Takes the heads of a network.
  ///
  /// Outputs without a head, and those of other kinds (`classes`) beside a detector's, are passed over.
  ///
  /// - Parameters:
  ///   - description: The network.
  ///   - shapes: The shapes of its values.
  /// - Throws: The rule that is broken.
  public init(
    _ description: NetworkDescription, shapes: NetworkShapes
  ) throws(DetectorHeadError) {
    guard let shape = shapes.inputs.first, [1, 3].contains(shape.channels) else {
      throw .noPicture
    }
    let input = HeadInputSize(width: shape.width, height: shape.height)
    var reader = DetectorHeadReader()
    for (index, output) in description.outputs.enumerated() {
      guard let head = output.head else { continue }
      try reader.read(
        head, of: output.name, index, shape: shapes.layers[output.layer], input)
    }
    try reader.finish()
    guard let first = reader.labels, !reader.heads.isEmpty else { throw .noHead }
    heads = reader.heads
    labels = first
    rule = reader.rule ?? SuppressionRule()
  }

  /// Whether a network has an output with a head that this module reads.
  public static func areInside(_ description: NetworkDescription) -> Bool {
    description.outputs.contains { (output) in
      output.head.map { DetectorHeadKind(rawValue: $0.kind) != nil } ?? false
    }
  }

  /// Adds the boxes of all heads.
  ///
  /// - Parameters:
  ///   - values: The numbers of each output that a head reads, by the output's index.
  ///   - input: The size of the input at which they were computed.
  ///   - threshold: The least confidence.
  ///   - candidates: The boxes are added at the end.
  public func append(
    _ values: [HeadValues], _ input: HeadInputSize, threshold: Float,
    to candidates: inout [BoxCandidate]
  ) {
    for head in heads {
      guard head.outputs.allSatisfy({ (index) in values.indices.contains(index) }) else {
        continue
      }
      switch head {
      case .anchorGrid(let head, let output):
        head.append(values[output], input, threshold: threshold, output: output, to: &candidates)
      case .distanceGrid(let head, let output):
        head.append(values[output], input, threshold: threshold, output: output, to: &candidates)
      case .centerGrid(let head, let output):
        head.append(values[output], input, threshold: threshold, output: output, to: &candidates)
      case .boxRows(let head, let output):
        head.append(values[output], input, threshold: threshold, output: output, to: &candidates)
      case .detectionRows(let head, let output):
        head.append(values[output], input, threshold: threshold, output: output, to: &candidates)
      case .boxList(let head, let boxes, let scores, let defaults):
        head.append(
          boxes: values[boxes], scores: values[scores],
          defaults: defaults.map { (index) in values[index] }, input, threshold: threshold,
          output: boxes, to: &candidates)
      }
    }
  }
}

/// The kinds of heads that a weight file names.
public enum DetectorHeadKind: String, CaseIterable, Hashable, Sendable {
  /// This package's own: one anchor, softmax.
  case gridBoxes = "grid boxes"
  /// YOLO v3 and v4 as darknet has them.
  case darknetYOLO = "darknet yolo"
  /// YOLO v2 as darknet has it.
  case darknetRegion = "darknet region"
  /// YOLO v5 and v7 before decoding.
  case anchorGrid = "anchor grid"
  /// YOLOX.
  case freeGrid = "free grid"
  /// YOLOv8 and later before decoding, NanoDet.
  case distanceGrid = "distance grid"
  /// FastestDet.
  case centerGrid = "center grid"
  /// Decoded boxes with scores.
  case boxRows = "box rows"
  /// Results.
  case detectionRows = "detection rows"
  /// Boxes whose scores stand in another output.
  case listedBoxes = "listed boxes"
  /// The scores of listed boxes.
  case boxScores = "box scores"
  /// What listed boxes are offsets from.
  case defaultBoxes = "default boxes"
}
