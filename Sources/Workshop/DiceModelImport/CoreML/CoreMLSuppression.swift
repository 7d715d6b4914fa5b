internal import DiceDetectorHeads
internal import DiceWeights

/// A message `NonMaximumSuppression`: what it says of the boxes that a network gives.
///
/// Boxes are not suppressed by the network of a weight file. Its outputs get heads that say what their
/// numbers mean, and its provenance what the model's own results are called.
///
/// Source: `Docs/ImportedModels.md`.
struct CoreMLSuppression {
  /// What a network in front of a suppression is for.
  static let task = "objects"

  /// The feature with a number for each class of each box.
  let scoresName: String
  /// The feature with four numbers of each box: x and y of the centre, width, height.
  let boxesName: String
  private let labels: [String]
  private let overlapThreshold: Float
  private let confidenceThreshold: Float
  private let isPerClass: Bool
  /// The names of the inputs for thresholds, and of the outputs.
  private let names: [Int: String]

  init(_ message: ProtobufMessage) throws(ModelImportError) {
    var names: [Int: String] = [:]
    do throws(ProtobufError) {
      labels = CoreMLLabels.legal(
        try CoreMLLabels.read(message, texts: 100, integers: 101))
      for field in [200, 201, 202, 203, 210, 211] {
        if let name = try message.text(field), !name.isEmpty { names[field] = name }
      }
      overlapThreshold = Float(try message.double(110) ?? 0)
      confidenceThreshold = Float(try message.double(111) ?? 0)
      isPerClass = try message.message(1)?.integer(1) ?? 0 != 0
    } catch {
      throw .protobuf(error)
    }
    let place = "The suppression of boxes"
    guard let scores = names[200], let boxes = names[201], scores != boxes else {
      throw .invalid(place: place, rule: "It does not name its confidences and coordinates.")
    }
    for threshold in [overlapThreshold, confidenceThreshold] where !(0...1).contains(threshold) {
      throw .invalid(place: place, rule: "A threshold is \(threshold); it must be in 0...1.")
    }
    (scoresName, boxesName) = (scores, boxes)
    self.names = names
  }

  /// A list of boxes with as many numbers each.
  static func list(
    _ value: Value, width: Int, _ builder: inout GraphBuilder
  ) throws(LoweringFault) -> Value {
    let shape = value.shape ?? []
    let count = shape.reduce(1, *)
    guard width > 0, count > 0, count % width == 0, shape.filter({ $0 != 1 }).count <= 2 else {
      throw .invalid("Its shape \(shape) is no list of \(width) numbers.")
    }
    let rows = try builder.reshaped(value, to: [count / width, width])
    return .computed(try builder.arranged(builder.computed(rows), .rowMajor(rank: 2)))
  }

  /// How many numbers a box has for its classes.
  func classCount(_ value: Value) -> Int {
    labels.isEmpty ? value.shape?.last { $0 != 1 } ?? 1 : labels.count
  }

  /// The head of the output with scores.
  func scoresHead(classCount: Int) -> NetworkHead {
    NetworkHead(
      kind: "box scores",
      labels: labels.isEmpty ? (0..<min(classCount, 65_536)).map { "\($0)" } : labels,
      parameters: [
        NamedValues("confidence threshold", [confidenceThreshold]),
        NamedValues("overlap threshold", [overlapThreshold]),
        NamedValues("suppression", [isPerClass ? 1 : 0]),
        NamedValues("maximum count", [65_536]),
      ])
  }

  /// The head of the output with boxes: centre and size in shares of the picture.
  static let boxesHead = NetworkHead(
    kind: "listed boxes", parameters: [NamedValues("order", [0]), NamedValues("unit", [1])])

  /// What the model's own results and thresholds are called.
  func provenance(classCount: Int) -> [ProvenanceEntry] {
    var entries: [ProvenanceEntry] = []
    func add(_ key: String, _ field: Int, _ text: String) {
      guard let name = names[field] else { return }
      entries.append(
        ProvenanceEntry(key: key, value: "\(ModelTensor.shortName(name)): \(text)"))
    }
    add("result", 210, "class scores, ? x \(classCount)")
    add("result", 211, "boxes, order 0, ? x 4")
    add("threshold", 202, "overlap")
    add("threshold", 203, "confidence")
    return entries
  }
}
