internal import DiceFiles

/// What a classifier says of a window of poses.
public struct ActionPrediction: Hashable, Sendable {
  /// All labels, in the classifier's order.
  public let labels: [String]
  /// How likely each label is, in the order of ``labels``; they sum to 1.
  public let probabilities: [Float]
  /// The index of the most likely label; the first one of equally likely ones.
  public let index: Int

  /// A prediction.
  ///
  /// - Precondition: there are as many probabilities as labels, and there is one.
  public init(labels: [String], probabilities: [Float]) {
    precondition(labels.count == probabilities.count, "each label has a probability")
    precondition(!labels.isEmpty, "there is a label")
    self.labels = labels
    self.probabilities = probabilities
    var best = 0
    for other in labels.indices where probabilities[other] > probabilities[best] { best = other }
    index = best
  }

  /// The most likely label.
  public var label: String { labels[index] }
  /// How likely it is, 0...1.
  public var confidence: Float { probabilities[index] }

  /// How likely a label is; nil for a label that the classifier does not know.
  public subscript(label: String) -> Float? {
    labels.firstIndex(of: label).map { probabilities[$0] }
  }

  /// What is said of the other labels, given that one of them is right: their probabilities sum to 1 again.
  ///
  /// - Returns: itself where the label is unknown, nil where there is no other, or none that is possible.
  public func excluding(_ label: String) -> ActionPrediction? {
    guard let excluded = labels.firstIndex(of: label) else { return self }
    var (labels, probabilities) = (labels, probabilities)
    labels.remove(at: excluded)
    probabilities.remove(at: excluded)
    let sum = probabilities.reduce(0, +)
    guard sum > 0 else { return nil }
    return ActionPrediction(labels: labels, probabilities: probabilities.map { $0 / sum })
  }
}

extension ActionPrediction: CustomStringConvertible {
  /// "overhand, 99.8 %".
  public var description: String {
    "\(label), \(NumberText.fixed(Double(confidence) * 100, decimals: 1)) %"
  }
}

#if !hasFeature(Embedded)
  extension ActionPrediction: Codable {
    private enum CodingKeys: CodingKey { case labels, probabilities }

    /// Reads labels and probabilities.
    ///
    /// - Throws: what the decoder throws, and an error where there are more or fewer probabilities than
    ///   labels, or one is not in 0...1.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let labels = try container.decode([String].self, forKey: .labels)
      let probabilities = try container.decode([Float].self, forKey: .probabilities)
      guard !labels.isEmpty, labels.count == probabilities.count else {
        throw DecodingError.dataCorruptedError(
          forKey: .probabilities, in: container,
          debugDescription: "There is one probability for each label.")
      }
      guard probabilities.allSatisfy({ (0...1).contains($0) }) else {
        throw DecodingError.dataCorruptedError(
          forKey: .probabilities, in: container, debugDescription: "Probabilities are in 0...1.")
      }
      self.init(labels: labels, probabilities: probabilities)
    }

    /// Writes labels and probabilities.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(labels, forKey: .labels)
      try container.encode(probabilities, forKey: .probabilities)
    }
  }
#endif
