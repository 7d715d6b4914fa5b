internal import DiceDetection
internal import DiceTraining
public import DiceWeights

/// The networks of the library's own weights.
public enum StandardNetwork: String, CaseIterable, Hashable, Sendable {
  /// ``DiceWeights/NetworkDescription/standard(labels:inputSide:)``
  case standard
  /// ``DiceWeights/NetworkDescription/fast(labels:inputSide:)``
  case fast
  /// ``DiceWeights/NetworkDescription/secondStage(labels:inputSide:)``
  case secondStage = "second-stage"

  /// The class labels of dice: "1" to "6".
  public static let labels = ["1", "2", "3", "4", "5", "6"]

  /// The width and height of the network's own input in pixels.
  public var inputSide: Int {
    switch self {
    case .standard: 416
    case .fast: 384
    case .secondStage: 96
    }
  }

  /// The network.
  ///
  /// - Parameters:
  ///   - labels: the class labels.
  ///   - inputSide: the width and height of its input, a multiple of 32; nil for its own.
  public func description(
    labels: [String] = labels, inputSide: Int? = nil
  ) -> NetworkDescription {
    let side = inputSide ?? self.inputSide
    return switch self {
    case .standard: .standard(labels: labels, inputSide: side)
    case .fast: .fast(labels: labels, inputSide: side)
    case .secondStage: .secondStage(labels: labels, inputSide: side)
    }
  }

  /// Whether the network classifies crops, and does not find dice in pictures.
  public var isSecondStage: Bool { self == .secondStage }
}

extension NetworkDescription {
  /// The network of the bundled weights: two detection scales (stride 8 and 16), 0.5 billion
  /// multiply-adds and 0.58 million parameters at 416 by 416.
  ///
  /// A stem and four stages halve the picture to 1/2, 1/4, 1/8, 1/16 and 1/32. Each stage narrows
  /// its channels by 1x1 convolutions and reads by 3x3 ones; what it read stands beside what it
  /// was given. The coarsest stage reads three times, which costs little there and lets it see from
  /// which side the camera looks: of the faces of a die only the table tells which one is on top.
  /// Its features are enlarged twice and joined with the finer ones before each head, so that a small
  /// die is read with knowledge of its surroundings.
  ///
  /// - Parameters:
  ///   - labels: the class labels.
  ///   - inputSide: the width and height of its input.
  public static func standard(
    labels: [String] = StandardNetwork.labels, inputSide: Int = 416
  ) -> Self {
    var network = NetworkBuilder()
    let image = network.image(width: inputSide, height: inputSide)
    let stem = network.convolution(image, 16, size: 3, stride: 2)
    let quarter = network.convolution(stem, 32, size: 3, stride: 2)
    let quarterNarrow = network.convolution(quarter, 16, size: 1)
    let quarterRead = network.convolution(quarterNarrow, 32, size: 3)
    let eighth = network.convolution(quarterRead, 64, size: 3, stride: 2)
    let eighthOut = network.stage(eighth, narrow: 32, reads: [48], output: 64)
    let sixteenth = network.convolution(eighthOut, 96, size: 3, stride: 2)
    let sixteenthOut = network.stage(sixteenth, narrow: 48, reads: [64, 64], output: 96)
    let coarse = network.convolution(sixteenthOut, 128, size: 3, stride: 2)
    let coarseOut = network.stage(
      coarse, narrow: 64, reads: [96, 80, 80], joinsInput: false, output: 64)
    network.twoHeads(
      coarse: coarseOut, sixteenth: sixteenthOut, eighth: eighthOut,
      large: (narrow: 64, read: 96), small: (narrow: 48, read: 48),
      HeadLabels(labels: labels, thresholds: .detector))

    return network.detector(named: "standard", labels: labels)
  }

  /// A smaller network for slow computers and high frame rates: two detection scales (stride 8 and
  /// 16), 0.15 billion multiply-adds and 0.2 million parameters at 384 by 384.
  ///
  /// Built like the standard network, with fewer channels and one stage less.
  ///
  /// - Parameters:
  ///   - labels: the class labels.
  ///   - inputSide: the width and height of its input.
  public static func fast(
    labels: [String] = StandardNetwork.labels, inputSide: Int = 384
  ) -> Self {
    var network = NetworkBuilder()
    let image = network.image(width: inputSide, height: inputSide)
    let stem = network.convolution(image, 16, size: 3, stride: 2)
    let quarter = network.convolution(stem, 16, size: 3, stride: 2)
    let eighth = network.convolution(quarter, 32, size: 3, stride: 2)
    let eighthOut = network.stage(eighth, narrow: 16, reads: [32], output: 32)
    let sixteenth = network.convolution(eighthOut, 64, size: 3, stride: 2)
    let sixteenthOut = network.stage(sixteenth, narrow: 32, reads: [48], output: 64)
    let coarse = network.convolution(sixteenthOut, 96, size: 3, stride: 2)
    let coarseOut = network.stage(
      coarse, narrow: 48, reads: [64], joinsInput: false, output: 48)
    network.twoHeads(
      coarse: coarseOut, sixteenth: sixteenthOut, eighth: eighthOut,
      large: (narrow: 48, read: 64), small: (narrow: 32, read: 32),
      HeadLabels(labels: labels, thresholds: .detector))

    return network.detector(named: "fast", labels: labels)
  }

  /// The second-stage classifier: 48 million multiply-adds and 0.67 million parameters at 96 by 96.
  ///
  /// Its input is a crop around a proposal, scaled so that the longer side of the die's top face
  /// would be ``cropDieSide`` pixels long, with what lies around it. The middle one of its three by three
  /// cells says whether a top face is there, where exactly, and which value it shows; the other cells
  /// say nothing.
  ///
  /// - Parameters:
  ///   - labels: the class labels.
  ///   - inputSide: the width and height of its input.
  public static func secondStage(
    labels: [String] = StandardNetwork.labels, inputSide: Int = 96
  ) -> Self {
    var network = NetworkBuilder()
    let image = network.image(width: inputSide, height: inputSide)
    let stem = network.convolution(image, 16, size: 3, stride: 2)
    let quarter = network.convolution(stem, 32, size: 3, stride: 2)
    let quarterOut = network.stage(quarter, narrow: 16, reads: [32, 32, 32], output: 48)
    let eighth = network.convolution(quarterOut, 64, size: 3, stride: 2)
    let eighthOut = network.stage(eighth, narrow: 48, reads: [48, 48, 48, 48], output: 80)
    let sixteenth = network.convolution(eighthOut, 96, size: 3, stride: 2)
    let sixteenthOut = network.stage(sixteenth, narrow: 48, reads: [80, 80, 80, 80], output: 96)
    let coarse = network.convolution(sixteenthOut, 96, size: 3, stride: 2)
    let coarseOut = network.stage(coarse, narrow: 48, reads: [64, 96, 96], output: 96)
    network.head(
      coarseOut, stride: 32, baseSize: cropDieSide,
      HeadLabels(labels: labels, thresholds: .secondStage))

    return network.description(name: "dice-second-stage", task: "dice crop classification")
  }

  /// How long the longer side of a top face is in the crops of a second-stage classifier: 34 pixels.
  public static let cropDieSide: Float = 34
}

extension RecommendedThresholds {
  /// The thresholds of the bundled detectors without a second stage, chosen on validation pictures
  /// (`Docs/ModelCard.md`).
  static let detector = RecommendedThresholds(overlap: 0.45, confidence: 0.36)
  /// Those of the bundled second-stage classifier, for confidences after contextual rescoring.
  static let secondStage = RecommendedThresholds(overlap: 0.45, confidence: 0.2)
}
