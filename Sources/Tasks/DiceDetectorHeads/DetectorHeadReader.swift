internal import DiceWeights

/// Reads the heads of a network one after another.
struct DetectorHeadReader {
  private(set) var heads: [DetectorHeads.Head] = []
  private(set) var labels: [String]?
  private(set) var rule: SuppressionRule?

  /// An output that belongs to others.
  private struct ListPart {
    var parameters: HeadParameters
    var output: Int
    var shape: TensorShape
  }

  private var boxes: ListPart?
  private var scores: ListPart?
  private var defaults: ListPart?

  /// The most classes.
  private static let classLimit = 65_536

  /// Reads the head of an output.
  mutating func read(
    _ head: NetworkHead, of name: String, _ output: Int, shape: TensorShape,
    _ input: HeadInputSize
  ) throws(DetectorHeadError) {
    let parameters = HeadParameters(output: name, head: head)
    guard let kind = DetectorHeadKind(rawValue: head.kind) else {
      if head.kind == "classes" { return }
      throw .unknownKind(output: name, kind: head.kind)
    }
    switch kind {
    case .listedBoxes: try keep(&boxes, parameters, output, shape)
    case .boxScores: try keep(&scores, parameters, output, shape)
    case .defaultBoxes: try keep(&defaults, parameters, output, shape)
    case .gridBoxes, .darknetYOLO, .darknetRegion, .anchorGrid, .freeGrid:
      let own = try anchorGrid(kind, parameters)
      try check(shape, own.channelCount, own.strides, name, input)
      heads.append(.anchorGrid(own, output: output))
    case .distanceGrid:
      let classCount = try classes(parameters, usual: .perClass)
      let own = DistanceGridHead(
        binCount: try parameters.integer("bins", in: 1...1024, default: 16),
        classCount: classCount,
        cellOffset: try parameters.number("cell offset", in: 0...1, default: 0.5),
        hasScoresFirst: try parameters.flag("scores first"),
        scores: try parameters.code("activation", default: .sigmoid),
        strides: try GridLevels(parameters).strides)
      try check(shape, own.channelCount, own.strides, name, input)
      heads.append(.distanceGrid(own, output: output))
    case .centerGrid:
      let own = CenterGridHead(classCount: try classes(parameters, usual: .acrossClasses))
      try check(shape, own.channelCount, [], name, input)
      heads.append(.centerGrid(own, output: output))
    case .boxRows:
      let own = BoxRowsHead(
        format: try format(parameters),
        hasObjectness: try parameters.flag("objectness"),
        classCount: try classes(parameters, usual: .perClass),
        scores: try parameters.code("activation", default: .none))
      try check(channels: shape, own.channelCount, name)
      heads.append(.boxRows(own, output: output))
    case .detectionRows:
      let own = DetectionRowsHead(
        format: try format(parameters, order: .leftTopRightBottom),
        classCount: try classes(parameters, usual: .none))
      try check(channels: shape, own.channelCount, name)
      heads.append(.detectionRows(own, output: output))
    }
  }

  /// Joins the outputs that belong together.
  mutating func finish() throws(DetectorHeadError) {
    guard let boxes else {
      for (part, kind) in [(scores, DetectorHeadKind.boxScores), (defaults, .defaultBoxes)]
      where part != nil {
        throw .missingOutput(
          kind: kind.rawValue, needed: DetectorHeadKind.listedBoxes.rawValue)
      }
      return
    }
    guard let scores else {
      throw .missingOutput(
        kind: DetectorHeadKind.listedBoxes.rawValue, needed: DetectorHeadKind.boxScores.rawValue)
    }
    var own = BoxListHead(
      format: try format(boxes.parameters),
      classCount: try classes(scores.parameters, usual: .perClass),
      hasBackground: try scores.parameters.flag("background"),
      scores: try scores.parameters.code("activation", default: .none))
    if boxes.parameters.list("offset scales") != nil {
      let scales = try boxes.parameters.positive(
        "offset scales", counts: 4...4,
        required: "four finite numbers above 0, for y, x, height and width")
      own.offsetScales = SIMD4(scales[0], scales[1], scales[2], scales[3])
      guard let defaults else {
        throw .missingOutput(
          kind: DetectorHeadKind.listedBoxes.rawValue,
          needed: DetectorHeadKind.defaultBoxes.rawValue)
      }
      own.defaultFormat = try format(
        defaults.parameters, order: .centerSizeRowsFirst, unit: .shares)
    }
    try check(channels: boxes.shape, 4, boxes.parameters.output)
    try check(channels: scores.shape, own.scoreCount, scores.parameters.output)
    let count = boxes.shape.height * boxes.shape.width
    for part in [scores, defaults].compactMap({ $0 }) {
      let found = part.shape.height * part.shape.width
      guard found == count else {
        throw .boxCounts(boxes: count, other: part.parameters.output, found: found)
      }
    }
    if let defaults { try check(channels: defaults.shape, 4, defaults.parameters.output) }
    heads.append(
      .boxList(
        own, boxes: boxes.output, scores: scores.output,
        defaults: own.offsetScales == nil ? nil : defaults?.output))
  }

  private func keep(
    _ part: inout ListPart?, _ parameters: HeadParameters, _ output: Int, _ shape: TensorShape
  ) throws(DetectorHeadError) {
    guard part == nil else { throw .repeated(kind: parameters.head.kind) }
    part = ListPart(parameters: parameters, output: output, shape: shape)
  }

  // MARK: Kinds

  private mutating func anchorGrid(
    _ kind: DetectorHeadKind, _ parameters: HeadParameters
  ) throws(DetectorHeadError) -> AnchorGridHead {
    let classCount = try classes(
      parameters, usual: kind == .gridBoxes ? .acrossClasses : .perClass)
    let isActivated = try parameters.flag("activated", default: kind == .freeGrid)
    let scores: ScoreActivation = isActivated ? .none : .sigmoid
    switch kind {
    case .gridBoxes:
      let side = try parameters.positive(
        "base size", counts: 1...1, required: "one finite number above 0")[0]
      return AnchorGridHead(
        anchors: [SIMD2(side, side)], classCount: classCount, offset: .sigmoid(scale: 2),
        sizeFactor: .limitedExponential, objectness: .sigmoid, scores: .softmax)
    case .darknetRegion:
      return AnchorGridHead(
        anchors: try anchors(parameters), anchorsAreCells: true, classCount: classCount,
        offset: .sigmoid(scale: 1), sizeFactor: .exponential, objectness: .sigmoid,
        scores: .softmax)
    case .freeGrid:
      return AnchorGridHead(
        anchors: [SIMD2(1, 1)], anchorsAreCells: true, classCount: classCount,
        offset: .linear(scale: 1), sizeFactor: .exponential, objectness: scores, scores: scores,
        strides: try GridLevels(parameters).strides)
    default:
      let isDarknet = kind == .darknetYOLO
      let scale = try parameters.number("scale", in: 0...16, default: isDarknet ? 1 : 2)
      return AnchorGridHead(
        anchors: try anchors(parameters), classCount: classCount,
        offset: isActivated ? .linear(scale: scale) : .sigmoid(scale: scale),
        sizeFactor: isActivated ? .squared : isDarknet ? .exponential : .squaredSigmoid,
        objectness: scores, scores: scores)
    }
  }

  private func anchors(_ parameters: HeadParameters) throws(DetectorHeadError) -> [SIMD2<Float>] {
    let rule = "widths and heights of 1 to 64 anchors, finite numbers above 0"
    let numbers = try parameters.positive("anchors", counts: 2...128, required: rule)
    guard numbers.count % 2 == 0 else { throw parameters.fault("anchors", rule) }
    return stride(from: 0, to: numbers.count, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
  }

  private func format(
    _ parameters: HeadParameters, order: BoxFormat.Order = .centerSize,
    unit: BoxFormat.Unit = .pixels
  ) throws(DetectorHeadError) -> BoxFormat {
    BoxFormat(
      order: try parameters.code("order", default: order),
      unit: try parameters.code("unit", default: unit))
  }

  // MARK: Rules

  /// The number of classes of a head, whose labels and thresholds are taken.
  private mutating func classes(
    _ parameters: HeadParameters, usual: SuppressionRule.Competition
  ) throws(DetectorHeadError) -> Int {
    var own = parameters.head.labels
    if own.isEmpty, parameters.list("classes") != nil {
      own = (0..<(try parameters.integer("classes", in: 1...Self.classLimit, default: 1)))
        .map { (index) in "\(index)" }
    }
    guard !own.isEmpty, labels.map({ $0 == own }) ?? true else {
      throw .labels(output: parameters.output)
    }
    labels = own
    if rule == nil {
      rule = try SuppressionRule(parameters, usual: SuppressionRule(competition: usual))
    }
    return own.count
  }

  private func check(
    _ shape: TensorShape, _ channelCount: Int, _ strides: [Float], _ name: String,
    _ input: HeadInputSize
  ) throws(DetectorHeadError) {
    try check(channels: shape, channelCount, name)
    let found = shape.height * shape.width
    let required = GridLevels(strides: strides).placeCount(
      rows: shape.height, columns: shape.width, input)
    guard found == required else {
      throw .placeCount(output: name, found: found, required: required)
    }
  }

  private func check(
    channels shape: TensorShape, _ required: Int, _ name: String
  ) throws(DetectorHeadError) {
    guard shape.channels == required else {
      throw .channelCount(output: name, found: shape.channels, required: required)
    }
  }
}
