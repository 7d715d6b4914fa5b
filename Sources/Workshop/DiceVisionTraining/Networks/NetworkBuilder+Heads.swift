internal import DiceDetection
internal import DiceTraining
internal import DiceWeights

extension NetworkBuilder {
  /// Reads once or several times, each time what was read before, and joins what was read.
  ///
  /// A reading is a 1x1 convolution that narrows the channels and a 3x3 one. A last 1x1 convolution
  /// joins all of them with what the stage was given.
  ///
  /// - Parameters:
  ///   - reads: the channels of each 3x3 convolution.
  ///   - joinsInput: whether what the stage was given is joined, too.
  mutating func stage(
    _ input: Features, narrow: Int, reads: [Int], joinsInput: Bool = true, output: Int
  ) -> Features {
    var joined = joinsInput ? [input] : []
    var latest = input
    for channelCount in reads {
      let narrowed = convolution(latest, narrow, size: 1)
      latest = convolution(narrowed, channelCount, size: 3)
      joined.append(latest)
    }
    return convolution(joined.count > 1 ? concatenation(joined) : latest, output, size: 1)
  }

  /// Predictions of boxes, objectness and classes for each cell, as an output.
  ///
  /// - Parameter stride: pixels of the network's input from one cell to the next.
  mutating func head(_ input: Features, stride: Int, baseSize: Float, _ labels: HeadLabels) {
    let predictions = convolution(
      input, 5 + labels.labels.count, size: 1, activation: .identity)
    output(
      "boxes-\(stride)", predictions,
      head: GridBoxes.head(
        labels: labels.labels, baseSize: baseSize, thresholds: labels.thresholds))
  }

  /// A head for large dice (stride 16) and one for small dice (stride 8).
  ///
  /// The coarsest features, of 1/32, are enlarged twice and joined each time with finer ones, so
  /// that a small die is read with knowledge of its surroundings.
  mutating func twoHeads(
    coarse: Features, sixteenth: Features, eighth: Features,
    large: (narrow: Int, read: Int), small: (narrow: Int, read: Int), _ labels: HeadLabels
  ) {
    let joined = concatenation([upsampling(coarse), sixteenth])
    let narrowed = convolution(joined, large.narrow, size: 1)
    head(convolution(narrowed, large.read, size: 3), stride: 16, baseSize: 80, labels)

    let finerJoined = concatenation([upsampling(narrowed), eighth])
    let finerNarrowed = convolution(finerJoined, small.narrow, size: 1)
    head(convolution(finerNarrowed, small.read, size: 3), stride: 8, baseSize: 24, labels)
  }

  /// The network so far as a detector, named after what it finds: dice, or objects.
  func detector(named name: String, labels: [String]) -> NetworkDescription {
    labels == StandardNetwork.labels
      ? description(name: "dice-\(name)", task: "dice detection")
      : description(name: "objects-\(name)", task: "object detection")
  }
}

/// What the heads of a network have in common.
struct HeadLabels {
  /// The class labels.
  var labels: [String]
  /// What is recommended to those who use the network.
  var thresholds: RecommendedThresholds
}
