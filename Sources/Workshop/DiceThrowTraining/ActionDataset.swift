public import DicePoses
internal import DiceNumerics

/// Labelled sequences of poses to learn from.
public struct ActionDataset: Hashable, Sendable {
  /// The labels, in the order of the network's outputs.
  public let labels: [String]
  /// The sequences, each with one of the labels.
  public let sequences: [PoseSequence]
  /// The label of each sequence, as an index of ``labels``.
  public let classes: [Int]

  /// The sequences that have one of some labels; others are left out.
  ///
  /// - Parameters:
  ///   - sequences: the sequences.
  ///   - labels: what to learn; nil for all labels that occur, by their names.
  /// - Throws: where fewer than two labels are left, or one comes twice.
  public init(
    _ sequences: [PoseSequence], labels: [String]? = nil
  ) throws(ActionDatasetError) {
    let labels = labels ?? Set(sequences.compactMap(\.label)).sorted()
    guard labels.count >= 2 else { throw .labelCount(found: labels.count) }
    guard Set(labels).count == labels.count else { throw .labelTwice }
    let indices = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
    self.labels = labels
    self.sequences = sequences.filter { $0.label.map { indices[$0] != nil } ?? false }
    classes = self.sequences.map { $0.label.flatMap { indices[$0] } ?? 0 }
  }

  private init(_ dataset: ActionDataset, keeping isKept: (PoseSequence) -> Bool) {
    labels = dataset.labels
    let places = dataset.sequences.indices.filter { isKept(dataset.sequences[$0]) }
    sequences = places.map { dataset.sequences[$0] }
    classes = places.map { dataset.classes[$0] }
  }

  /// The sequences of one of several parts, or all others.
  ///
  /// A sequence's part follows from its name alone, so that sequences with one name stay together.
  ///
  /// - Precondition: `0 <= fold < count`.
  public func fold(_ fold: Int, of count: Int, isLeftOut: Bool) -> ActionDataset {
    precondition(fold >= 0 && fold < count, "a part is one of them")
    return ActionDataset(self) {
      let hash = XXHash64.hash(Array($0.id.utf8))
      return (hash % UInt64(count) == UInt64(fold)) != isLeftOut
    }
  }

  /// A number that follows from all poses and labels.
  var fingerprint: UInt64 {
    var bytes: [UInt8] = []
    for (sequence, label) in zip(sequences, classes) {
      bytes += sequence.id.utf8
      bytes.append(UInt8(truncatingIfNeeded: label))
      for pose in sequence.poses {
        for joint in ActionFeatures.joints {
          guard let point = pose[joint] else { continue }
          for number in [Float(point.location.x), Float(point.location.y), point.confidence] {
            for shift in stride(from: 0, to: 32, by: 8) {
              bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(shift)))
            }
          }
        }
      }
    }
    return XXHash64.hash(bytes)
  }
}

/// Why sequences cannot be learnt from.
public enum ActionDatasetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are two labels at least.
  case labelCount(found: Int)
  /// A label comes once.
  case labelTwice
  /// A label has a sequence, or is one that figures can do.
  case noSequences(label: String)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .labelCount(let found):
      "The sequences have \(found) \(found == 1 ? "label" : "labels"); there must be two at least."
    case .labelTwice: "A label comes twice."
    case .noSequences(let label):
      "No sequence has the label \"\(label)\", and no figure does that."
    }
  }
}
