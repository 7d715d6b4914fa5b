package import DiceDetectorHeads
package import DiceWeights

/// What the outputs of somebody else's network say of the joints of one person: the heads of a weight file, checked
/// against its shapes.
///
/// Source: `Docs/ImportedModels.md`, which has the numbers of each kind.
package struct JointHeads: Hashable, Sendable {
  /// What a weight file for joints says under "task".
  package static let task = "poses"
  /// The sizes of crops over those of boxes that a weight file may have under "crop scale" in its profile.
  package static let cropScales: ClosedRange<Float> = 0.5...4

  /// A head with the outputs that it reads.
  enum Head: Hashable, Sendable {
    case heatmaps(HeatmapHead, output: Int, offsets: Int?)
    case bins(columns: Int, rows: Int)
    case points(JointPointsHead, output: Int)
    case personRows(PersonRowsHead, output: Int)
  }

  let head: Head
  /// The names of the joints, as the file has them.
  package let labels: [String]
  /// The points that the names mean; nil for those that the library does not have.
  package let points: [BodyPoint?]

  /// The outputs that the head reads.
  package var outputs: [Int] {
    switch head {
    case .heatmaps(_, let output, let offsets): [output] + (offsets.map { [$0] } ?? [])
    case .bins(let columns, let rows): [columns, rows]
    case .points(_, let output), .personRows(_, let output): [output]
    }
  }

  /// Whether a network has an output with a head that this module reads.
  package static func areInside(_ description: NetworkDescription) -> Bool {
    description.outputs.contains { (output) in
      output.head.map { PoseHeadKind(rawValue: $0.kind) != nil } ?? false
    }
  }

  /// Takes the heads of a network; outputs without a head are passed over.
  ///
  /// - Throws: the rule that an output breaks.
  package init(
    _ description: NetworkDescription, shapes: NetworkShapes
  ) throws(PoseHeadError) {
    var parts: [PoseHeadKind: Part] = [:]
    for (index, output) in description.outputs.enumerated() {
      guard let head = output.head else { continue }
      guard let kind = PoseHeadKind(rawValue: head.kind) else {
        throw .unknownKind(output: output.name, kind: head.kind)
      }
      guard parts[kind] == nil else { throw .repeated(kind: head.kind) }
      parts[kind] = Part(
        index: index, name: output.name, kind: kind, head: head, shape: shapes.layers[output.layer])
    }
    let kinds: [PoseHeadKind] = [.heatmaps, .columns, .points, .personRows]
    guard let main = kinds.compactMap({ parts[$0] }).first else {
      if let part = parts[.offsets] { throw part.missing(.heatmaps) }
      if let part = parts[.rows] { throw part.missing(.columns) }
      throw .noHead
    }
    labels = main.head.labels
    points = labels.map { (label) in BodyPoint(name: label) }
    guard points.contains(where: { $0 != nil }) else { throw .noJoints(output: main.name) }
    var known: Set<BodyPoint> = []
    for (label, point) in zip(labels, points) {
      if let point, !known.insert(point).inserted {
        throw .repeatedJoint(output: main.name, name: label)
      }
    }
    switch main.kind {
    case .columns:
      guard let rows = parts[.rows] else { throw main.missing(.rows) }
      for bins in [main, rows] { try bins.checkBins(of: labels.count) }
      head = .bins(columns: main.index, rows: rows.index)
    case .points: head = try .points(main.points(), output: main.index)
    case .personRows: head = try .personRows(main.personRows(), output: main.index)
    case .heatmaps, .offsets, .rows:
      let offsets = parts[.offsets]
      head = try .heatmaps(main.heatmaps(), output: main.index, offsets: offsets?.index)
      try offsets?.checkOffsets(of: main)
    }
    guard parts.count == outputs.count else { throw .tooMany(parts.keys.map(\.rawValue).sorted()) }
  }

  /// Calls a closure with the index of each joint and where it is.
  ///
  /// - Parameters:
  ///   - values: The numbers of each output that the head reads, by the output's index.
  ///   - input: The size of the input at which they were computed.
  /// - Precondition: the numbers have the shapes that were checked.
  /// - Complexity: O(numbers).
  package func forEachPlace(
    in values: [HeadValues], _ input: HeadInputSize, _ body: (Int, JointPlace) -> Void
  ) {
    switch head {
    case .heatmaps(let head, let output, nil):
      for joint in labels.indices { body(joint, head.place(of: joint, in: values[output], input)) }
    case .heatmaps(let head, let output, let offsets?):
      for joint in labels.indices {
        body(
          joint, head.place(of: joint, in: values[output], offsets: values[offsets], input))
      }
    case .bins(let columns, let rows):
      for joint in labels.indices {
        body(
          joint,
          JointBins.place(
            of: joint, columns: values[columns], rows: values[rows], input, count: labels.count))
      }
    case .points(let head, let output):
      for joint in labels.indices { body(joint, head.place(of: joint, in: values[output], input)) }
    case .personRows(let head, let output):
      let best = head.best(in: values[output])
      for joint in labels.indices {
        body(
          joint,
          best.map { head.place(of: joint, at: $0, in: values[output], input) } ?? .none)
      }
    }
  }
}

/// An output with a head, whose numbers are checked as they are read.
private struct Part {
  let index: Int
  let name: String
  let kind: PoseHeadKind
  let head: NetworkHead
  let shape: TensorShape

  /// One whole number of a range.
  private func integer(
    _ name: StaticString, in range: ClosedRange<Int>, default usual: Int? = nil
  ) throws(PoseHeadError) -> Int {
    let found = head.parameters.values(named: name) ?? usual.map { [Float($0)] } ?? []
    guard found.count == 1, let number = Int(exactly: found[0]), range.contains(number) else {
      throw .parameter(
        output: self.name, name: name.description, found: found,
        required: "one whole number in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }

  private func format() throws(PoseHeadError) -> JointPointFormat {
    JointPointFormat(
      hasRowFirst: try integer("rows first", in: 0...1, default: 0) == 1,
      unit: try integer("unit", in: 0...1, default: 0) == 1 ? .shares : .pixels,
      isLogit: try integer("activation", in: 0...1, default: 0) == 1)
  }

  func heatmaps() throws(PoseHeadError) -> HeatmapHead {
    let refinement = HeatmapHead.Refinement(
      rawValue: try integer("refinement", in: 0...2, default: 1))
    try check(
      shape.channels == head.labels.count, "\(head.labels.count) channels, one for each joint")
    return HeatmapHead(refinement: refinement ?? .quarter)
  }

  func checkOffsets(of heatmaps: Part) throws(PoseHeadError) {
    let (rows, columns) = (heatmaps.shape.height, heatmaps.shape.width)
    let channels = 2 * heatmaps.shape.channels
    try check(
      shape == TensorShape(height: rows, width: columns, channels: channels),
      "\(rows) rows, \(columns) columns and \(channels) channels, as its heatmaps have")
  }

  func checkBins(of count: Int) throws(PoseHeadError) {
    try check(
      shape.height == count && shape.channels == 1,
      "\(count) rows, one for each joint, and one channel")
  }

  func points() throws(PoseHeadError) -> JointPointsHead {
    let numbers = try integer("numbers", in: 3...64, default: 3)
    let score = try integer("score", in: 2...numbers - 1, default: 2)
    try check(
      shape.elementCount == numbers * head.labels.count,
      "\(numbers) numbers for each of \(head.labels.count) joints")
    return JointPointsHead(format: try format(), numberCount: numbers, scoreIndex: score)
  }

  func personRows() throws(PoseHeadError) -> PersonRowsHead {
    let channels = PersonRowsHead.boxCount + 3 * head.labels.count
    try check(
      shape.channels == channels,
      "\(channels) channels: five of a box and three of each of \(head.labels.count) joints")
    return PersonRowsHead(format: try format())
  }

  private func check(_ fits: Bool, _ required: String) throws(PoseHeadError) {
    guard fits else { throw .shape(output: name, found: shape, required: required) }
  }

  func missing(_ kind: PoseHeadKind) -> PoseHeadError {
    .missingOutput(kind: head.kind, needed: kind.rawValue)
  }
}
