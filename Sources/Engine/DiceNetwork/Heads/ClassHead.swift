public import DiceWeights

/// An output whose numbers tell how likely each of several classes is.
///
/// The output has one number for each label, in any shape; class `k` is number `k` in the order of
/// `[H, W, C]`. The probabilities are their softmax:
/// `p[k] = exp(x[k] - max x) / sum over j of exp(x[j] - max x)`.
public struct ClassHead: Hashable, Sendable {
  /// The kind of a head in a weight file: raw numbers, before the softmax.
  public static let kind = "class logits"

  /// The names of the classes, by class index; two at least.
  public let labels: [String]

  /// Takes the meaning of a network's output.
  ///
  /// - Parameters:
  ///   - output: the output, with a head of ``kind``.
  ///   - shape: the shape of the output.
  /// - Throws: the rule that the output breaks.
  public init(
    _ output: NetworkOutput, shape: TensorShape
  ) throws(ClassHeadError) {
    guard let head = output.head else { throw .noHead(output: output.name) }
    guard Array(head.kind.utf8) == Array(Self.kind.utf8) else {
      throw .wrongKind(output: output.name, found: head.kind, required: Self.kind)
    }
    guard head.labels.count >= 2, head.labels.count == shape.elementCount else {
      throw .labelCount(
        output: output.name, found: head.labels.count, valueCount: shape.elementCount)
    }
    labels = head.labels
  }

  /// A head for a description.
  public static func head(labels: [String]) -> NetworkHead {
    NetworkHead(kind: kind, labels: labels)
  }

  /// Whether two lists of labels are the same, byte by byte.
  ///
  /// Unlike `==` of strings it needs no Unicode tables, which Embedded Swift does without.
  package static func areEqual(_ labels: [String], _ others: [String]) -> Bool {
    labels.elementsEqual(others) { $0.utf8.elementsEqual($1.utf8) }
  }

  /// Turns logits into probabilities, in place.
  ///
  /// A NaN among the logits makes all of them NaN.
  public static func softmax(_ values: inout [Float]) {
    ReferenceKernels.softmax(&values, range: 0..<values.count)
  }
}

internal import DiceKernels

/// Why an output cannot be read as classes.
public enum ClassHeadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The output has no head.
  case noHead(output: String)
  /// The output's head is of another kind.
  case wrongKind(output: String, found: String, required: String)
  /// There is not one label for each value, or fewer than two.
  case labelCount(output: String, found: Int, valueCount: Int)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .noHead(let output): "The output \"\(output)\" does not say what its numbers mean."
    case .wrongKind(let output, let found, let required):
      "The head of the output \"\(output)\" is of the kind \"\(found)\"; \"\(required)\" is required."
    case .labelCount(let output, let found, let valueCount):
      "The output \"\(output)\" has \(found) labels for \(valueCount) values; there must be one for "
        + "each, and two at least."
    }
  }
}
