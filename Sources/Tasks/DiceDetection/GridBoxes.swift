public import DiceNetwork
public import DiceWeights

/// What a detector's network says of its outputs: heads of boxes on grids, with labels and thresholds.
public struct GridBoxes: Hashable, Sendable {
  /// The kind of such heads in a weight file.
  public static let kind = "grid boxes"
  /// The name of a head's base size among its parameters.
  public static let baseSizeName: StaticString = "base size"
  /// The name of the overlap above which the less confident of two boxes is dropped.
  public static let overlapThresholdName: StaticString = "overlap threshold"
  /// The name of the least confidence of a result.
  public static let confidenceThresholdName: StaticString = "confidence threshold"

  /// The heads, in the order of the network's outputs.
  public var heads: [GridBoxHead]
  /// For each head the index of its output.
  public var outputs: [Int]
  /// The names of the classes, by class index; the same for all heads.
  public var labels: [String]
  /// The thresholds that the network's author recommends, those of the first head.
  public var thresholds: RecommendedThresholds

  /// Takes the heads of a network.
  ///
  /// - Parameters:
  ///   - description: a network whose outputs with heads are all of ``kind``; one at least is.
  ///   - shapes: the shapes of its values for any size of its input.
  /// - Throws: the rule that a head breaks.
  public init(
    _ description: NetworkDescription, shapes: NetworkShapes
  ) throws(GridBoxError) {
    heads = []
    outputs = []
    labels = []
    thresholds = .usual
    for (index, output) in description.outputs.enumerated() {
      guard let head = output.head else { continue }
      guard head.kind.utf8.elementsEqual(Self.kind.utf8) else {
        throw .wrongKind(output: output.name, found: head.kind)
      }
      let isFirst = heads.isEmpty
      if isFirst {
        labels = head.labels
        thresholds = try RecommendedThresholds(head, output: output.name)
      }
      guard !head.labels.isEmpty, labels.elementsEqual(head.labels, by: Self.areEqual) else {
        throw .labels(output: output.name)
      }
      heads.append(try GridBoxHead(head, output, shapes: shapes))
      outputs.append(index)
    }
    guard !heads.isEmpty else { throw .noHead }
  }

  /// Bytes are compared, which needs no Unicode tables.
  private static func areEqual(_ first: String, _ second: String) -> Bool {
    first.utf8.elementsEqual(second.utf8)
  }

  /// The description of a head: what ``init(_:shapes:)`` reads.
  public static func head(
    labels: [String], baseSize: Float, thresholds: RecommendedThresholds
  ) -> NetworkHead {
    NetworkHead(
      kind: kind, labels: labels,
      parameters: [
        NamedValues(baseSizeName.description, [baseSize]),
        NamedValues(overlapThresholdName.description, [thresholds.overlap]),
        NamedValues(confidenceThresholdName.description, [thresholds.confidence]),
      ])
  }
}

/// The thresholds that the author of a network recommends.
public struct RecommendedThresholds: Hashable, Sendable {
  /// Non-maximum suppression drops a box that overlaps a more confident one by more, 0...1.
  public var overlap: Float
  /// Observations with a lower confidence are dropped, 0...1.
  public var confidence: Float

  /// Groups two thresholds without checking them.
  public init(overlap: Float, confidence: Float) {
    self.overlap = overlap
    self.confidence = confidence
  }

  /// What object detectors usually take; those of a head that states none.
  public static let usual = RecommendedThresholds(overlap: 0.45, confidence: 0.25)

  /// The thresholds of a head.
  fileprivate init(_ head: NetworkHead, output: String) throws(GridBoxError) {
    func threshold(_ name: StaticString, default usual: Float) throws(GridBoxError) -> Float {
      guard let values = head.parameters.values(named: name) else { return usual }
      guard values.count == 1,
        values[0] >= 0, values[0] <= 1
      else { throw .threshold(output: output, name: name.description) }
      return values[0]
    }
    overlap = try threshold(GridBoxes.overlapThresholdName, default: Self.usual.overlap)
    confidence = try threshold(
      GridBoxes.confidenceThresholdName, default: Self.usual.confidence)
  }
}

extension GridBoxHead {
  /// The head of a network's output.
  fileprivate init(
    _ head: NetworkHead, _ output: NetworkOutput, shapes: NetworkShapes
  ) throws(GridBoxError) {
    guard let sizes = head.parameters.values(named: GridBoxes.baseSizeName), sizes.count == 1,
      sizes[0] > 0, sizes[0].isFinite
    else { throw .baseSize(output: output.name) }
    let stride = shapes.downsamplings[output.layer]
    guard stride > 0 else { throw .stride(output: output.name) }
    self.init(stride: stride, baseSize: sizes[0], classCount: head.labels.count)
    let channels = shapes.layers[output.layer].channels
    guard channels == channelCount else {
      throw .channelCount(output: output.name, found: channels, required: channelCount)
    }
  }
}

/// Why a network's outputs cannot be read as boxes on a grid.
public enum GridBoxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The network's only input is not a picture of three channels.
  case noPicture
  /// The network cannot be planned.
  case network(NetworkError)
  /// No output has a head.
  case noHead
  /// An output's head is of another kind.
  case wrongKind(output: String, found: String)
  /// A head has no labels, or others than the first one.
  case labels(output: String)
  /// A head's base size is missing, or not a finite number above 0.
  case baseSize(output: String)
  /// A head's threshold is not one number in 0...1.
  case threshold(output: String, name: String)
  /// A head's cells are not a whole number of input pixels apart.
  case stride(output: String)
  /// An output has not five channels and one for each label.
  case channelCount(output: String, found: Int, required: Int)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .noPicture: "The network must have one input, a picture of three channels."
    case .network(let error): error.description
    case .noHead: "The network has no output of boxes on a grid."
    case .wrongKind(let output, let found):
      "The head of the output \"\(output)\" is of the kind \"\(found)\"; \"\(GridBoxes.kind)\" is "
        + "required."
    case .labels(let output):
      "The output \"\(output)\" must have labels, the same as the first one's."
    case .baseSize(let output):
      "The output \"\(output)\" must have a base size, a finite number above 0."
    case .threshold(let output, let name):
      "The output \"\(output)\" must have one number \"\(name)\", from 0 to 1."
    case .stride(let output):
      "The cells of the output \"\(output)\" must lie a whole number of input pixels apart."
    case .channelCount(let output, let found, let required):
      "The output \"\(output)\" has \(found) channels; its labels call for \(required)."
    }
  }
}

extension NetworkDescription {
  /// Changes the thresholds that heads of boxes recommend; nil leaves one as it is.
  public mutating func recommend(overlap: Float?, confidence: Float?) {
    for index in 0..<outputs.count {
      guard var head = outputs[index].head, head.kind.utf8.elementsEqual(GridBoxes.kind.utf8) else {
        continue
      }
      if let overlap { head.set(GridBoxes.overlapThresholdName, overlap) }
      if let confidence { head.set(GridBoxes.confidenceThresholdName, confidence) }
      outputs[index].head = head
    }
  }

  /// Changes for which side of dice each head of boxes is, in pixels of the input; heads beyond the
  /// sizes stay as they are.
  public mutating func setBaseSizes(_ sizes: [Float]) {
    var rest = sizes[...]
    for index in 0..<outputs.count {
      guard var head = outputs[index].head, head.kind.utf8.elementsEqual(GridBoxes.kind.utf8),
        let size = rest.popFirst()
      else { continue }
      head.set(GridBoxes.baseSizeName, size)
      outputs[index].head = head
    }
  }
}

extension NetworkHead {
  /// Puts one number in the place of a name's.
  fileprivate mutating func set(_ name: StaticString, _ value: Float) {
    let entry = NamedValues(name.description, [value])
    for index in 0..<parameters.count
    where parameters[index].name.utf8.elementsEqual(entry.name.utf8) {
      parameters[index] = entry
      return
    }
    parameters.append(entry)
  }
}
