internal import DiceDetectorHeads
internal import DiceWeights

/// Gives the outputs of a model the heads of a family.
struct DetectorAssembly {
  private var model: ImportedModel
  private let kind: DetectorKind
  private var labels: [String]

  init(_ model: ImportedModel, _ kind: DetectorKind, _ labels: [String]) {
    self.model = model
    self.kind = kind
    self.labels = labels.isEmpty ? DetectorRecognition.labels(of: model) : labels
    self.labels = CoreMLLabels.legal(self.labels)
  }

  /// The model with heads.
  mutating func assembled() throws(ModelImportError) -> ImportedModel {
    switch kind {
    case .yolov5:
      try list(.boxRows, width: 5, [NamedValues("objectness", [1])] + boxUnit)
    case .yolov8: try list(.boxRows, width: 4, isTurned: true, boxUnit)
    case .results: try results()
    case .yolox:
      try list(.freeGrid, width: 5, [NamedValues("strides", [8, 16, 32])])
    case .nanodet:
      let strides = [NamedValues("strides", [8, 16, 32, 64])]
      try list(
        .distanceGrid, width: 32,
        [
          NamedValues("bins", [8]), NamedValues("scores first", [1]),
          NamedValues("activation", [0]), NamedValues("cell offset", [0]),
        ] + strides)
    case .yolov8Maps: try maps(.distanceGrid, width: 64, isSingle: false)
    case .fastestdet: try maps(.centerGrid, width: 5, isSingle: true)
    case .yolov8Lists: try twoLists(unit: isTensorFlowLite ? 1 : 0, hasBackground: false)
    case .ssd: try twoLists(unit: 1, hasBackground: true)
    }
    return model
  }

  // MARK: Families

  /// A list whose rows have so many numbers besides those of classes.
  private mutating func list(
    _ head: DetectorHeadKind, width: Int, isTurned: Bool = false,
    _ parameters: [NamedValues] = []
  ) throws(ModelImportError) {
    let index = try output("[1, \(isTurned ? "numbers, boxes" : "boxes, numbers")]") { (shape) in
      shape.count == 3 && shape[0] == 1 && shape[isTurned ? 1 : 2] > width
    }
    let channels = isTurned ? 1 : 2
    try setHead(
      head, of: index, classCount: model.outputs[index].shape[channels] - width, parameters)
    model.arrange(index, Places(rows: [isTurned ? 2 : 1], columns: [], channels: [channels]))
  }

  /// Maps with so many numbers besides those of classes.
  private mutating func maps(
    _ head: DetectorHeadKind, width: Int, isSingle: Bool
  ) throws(ModelImportError) {
    func fits(_ shape: [Int]) -> Bool {
      shape.count == 4 && shape[0] == 1 && shape[1] > width
    }
    let first = try output("[1, numbers, rows, columns]", fits)
    let channels = model.outputs[first].shape[1]
    for index in model.outputs.indices where index == first || !isSingle {
      guard fits(model.outputs[index].shape), model.outputs[index].shape[1] == channels else {
        continue
      }
      try setHead(head, of: index, classCount: channels - width, [])
      model.arrange(index, Places(rows: [2], columns: [3], channels: [1]))
    }
  }

  private mutating func results() throws(ModelImportError) {
    let index = try output("[1, results, 6]") { (shape) in
      shape.count == 3 && shape[0] == 1 && shape[2] == 6
    }
    guard !labels.isEmpty else {
      throw .invalid(
        place: "The labels", rule: "A list of results does not show how many classes there are.")
    }
    try setHead(.detectionRows, of: index, classCount: labels.count, boxUnit)
    model.arrange(index, Places(rows: [1], columns: [], channels: [2]))
  }

  private var isTensorFlowLite: Bool { model.report.format.hasPrefix("TensorFlow Lite") }

  /// The unit of boxes that are in pixels elsewhere: YOLO's makers export TensorFlow Lite models whose boxes are
  /// shares of the picture's sides, which 8 bits hold better.
  private var boxUnit: [NamedValues] { isTensorFlowLite ? [NamedValues("unit", [1])] : [] }

  /// Which axes of a list count boxes and their numbers: the last two, axes of extent 1 before them.
  ///
  /// A list of one axis has one number for each box. Nil where a list has more axes.
  private static func listAxes(_ shape: [Int]) -> (boxes: Int, numbers: Int?)? {
    if shape.count == 1 { return (0, nil) }
    guard shape.count >= 2, shape.dropLast(2).allSatisfy({ $0 == 1 }) else { return nil }
    return (shape.count - 2, shape.count - 1)
  }

  /// A list of boxes with corners, and one of their scores.
  private mutating func twoLists(
    unit: Float, hasBackground: Bool
  ) throws(ModelImportError) {
    func counts(_ shape: [Int]) -> (boxes: Int, numbers: Int)? {
      Self.listAxes(shape).map { (shape[$0.boxes], $0.numbers.map { shape[$0] } ?? 1) }
    }
    let boxes = try output("[1, boxes, 4]") { (shape) in
      Self.listAxes(shape)?.numbers != nil && counts(shape)?.numbers == 4
    }
    let count = counts(model.outputs[boxes].shape)?.boxes ?? 0
    let background = hasBackground ? 1 : 0
    let other = model.outputs.indices.first { (index) in
      guard index != boxes, let found = counts(model.outputs[index].shape) else { return false }
      return found.boxes == count && found.numbers > background
    }
    guard let scores = other else {
      throw .invalid(
        place: "The detector",
        rule: "No output has the shape [1, \(count), \(hasBackground ? "1 + " : "")classes].")
    }
    try setHead(
      .boxScores, of: scores,
      classCount: (counts(model.outputs[scores].shape)?.numbers ?? 1) - background,
      hasBackground ? [NamedValues("background", [1])] : [])
    model.description.outputs[boxes].head = NetworkHead(
      kind: DetectorHeadKind.listedBoxes.rawValue,
      parameters: [NamedValues("order", [1]), NamedValues("unit", [unit])])
    for index in [boxes, scores] {
      guard let axes = Self.listAxes(model.outputs[index].shape) else { continue }
      model.arrange(
        index, Places(rows: [axes.boxes], columns: [], channels: axes.numbers.map { [$0] } ?? []))
    }
  }

  /// The makers' rule.
  ///
  /// A model that takes its best boxes without suppressing any has none that compete.
  private var rule: SuppressionRule {
    var rule = kind.rule
    let choices = LeftOutChoice.operations(of: model.description)
    if kind == .yolov8Lists, choices == ["TopK"] || choices == ["TOPK_V2"] {
      rule.competition = .none
    }
    return rule
  }

  // MARK: Parts

  /// The first output of a shape.
  private func output(
    _ required: String, _ fits: ([Int]) -> Bool
  ) throws(ModelImportError) -> Int {
    if let index = model.outputs.firstIndex(where: { (output) in fits(output.shape) }) {
      return index
    }
    throw .invalid(
      place: "The detector",
      rule: "No output has the shape \(required) of \(kind.rawValue); there are "
        + model.outputs.map { (output) in "\(output.shape)" }.joined(separator: ", ") + ".")
  }

  private mutating func setHead(
    _ head: DetectorHeadKind, of index: Int, classCount: Int, _ parameters: [NamedValues]
  ) throws(ModelImportError) {
    guard labels.isEmpty || labels.count == classCount else {
      throw .invalid(
        place: "The labels",
        rule: "There are \(labels.count); the model has \(classCount) classes.")
    }
    let names = labels.isEmpty ? [NamedValues("classes", [Float(classCount)])] : []
    model.description.outputs[index].head = NetworkHead(
      kind: head.rawValue, labels: labels,
      parameters: rule.parameters + names + parameters)
  }
}
