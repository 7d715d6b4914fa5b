public import DiceWeights

/// The networks of the library's own weights.
public enum StandardNetwork: String, CaseIterable, Hashable, Sendable {
  /// ``DiceWeights/NetworkDescription/standard(labels:)``
  case standard
  /// ``DiceWeights/NetworkDescription/fast(labels:)``
  case fast
  /// ``DiceWeights/NetworkDescription/reader(labels:)``
  case reader

  /// The network with its own size of input.
  ///
  /// - Parameter labels: the class labels, "1" to "6" for dice.
  public func description(
    labels: [String] = ["1", "2", "3", "4", "5", "6"]
  ) -> NetworkDescription {
    switch self {
    case .standard: .standard(labels: labels)
    case .fast: .fast(labels: labels)
    case .reader: .reader(labels: labels)
    }
  }

  /// What the network is trained to do.
  public var task: TrainingTask {
    switch self {
    case .standard, .fast: .detection
    case .reader: .reading
    }
  }
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
  /// - Parameter labels: the class labels, "1" to "6" for dice.
  public static func standard(labels: [String] = ["1", "2", "3", "4", "5", "6"]) -> Self {
    var network = NetworkBuilder(classCount: labels.count)
    let stem = network.convolution(.picture, 16, size: 3, stride: 2)
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
      large: (narrow: 64, read: 96), small: (narrow: 48, read: 48))

    return NetworkDescription(
      name: "dice-standard", input: InputRules(width: 416, height: 416), layers: network.layers,
      labels: labels, thresholds: .detector)
  }

  /// A smaller network for slow computers and high frame rates: two detection scales (stride 8 and
  /// 16), 0.15 billion multiply-adds and 0.2 million parameters at 384 by 384.
  ///
  /// Built like the standard network, with fewer channels and one stage less.
  ///
  /// - Parameter labels: the class labels, "1" to "6" for dice.
  public static func fast(labels: [String] = ["1", "2", "3", "4", "5", "6"]) -> Self {
    var network = NetworkBuilder(classCount: labels.count)
    let stem = network.convolution(.picture, 16, size: 3, stride: 2)
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
      large: (narrow: 48, read: 64), small: (narrow: 32, read: 32))

    return NetworkDescription(
      name: "dice-fast", input: InputRules(width: 384, height: 384), layers: network.layers,
      labels: labels, thresholds: .detector)
  }

  /// A network that reads one die: 48 million multiply-adds and 0.67 million parameters at 96 by 96.
  ///
  /// Its input shows a place where a die may be, scaled so that the longer side of the die's top
  /// face would be ``readerDieSide`` pixels long, with what lies around it, and along its left edge
  /// how far down in the picture that is (`PlaceRuler`). The middle one of its three by three cells
  /// says whether a top face is there, where exactly, and which value it shows; the other cells say
  /// nothing.
  ///
  /// - Parameter labels: the class labels, "1" to "6" for dice.
  public static func reader(labels: [String] = ["1", "2", "3", "4", "5", "6"]) -> Self {
    var network = NetworkBuilder(classCount: labels.count)
    let stem = network.convolution(.picture, 16, size: 3, stride: 2)
    let quarter = network.convolution(stem, 32, size: 3, stride: 2)
    let quarterOut = network.stage(quarter, narrow: 16, reads: [32, 32, 32], output: 48)
    let eighth = network.convolution(quarterOut, 64, size: 3, stride: 2)
    let eighthOut = network.stage(eighth, narrow: 48, reads: [48, 48, 48, 48], output: 80)
    let sixteenth = network.convolution(eighthOut, 96, size: 3, stride: 2)
    let sixteenthOut = network.stage(sixteenth, narrow: 48, reads: [80, 80, 80, 80], output: 96)
    let coarse = network.convolution(sixteenthOut, 96, size: 3, stride: 2)
    let coarseOut = network.stage(coarse, narrow: 48, reads: [64, 96, 96], output: 96)
    network.head(coarseOut, stride: 32, baseSize: readerDieSide)

    return NetworkDescription(
      name: "dice-reader", input: InputRules(width: 96, height: 96), layers: network.layers,
      labels: labels, thresholds: .reader)
  }

  /// How long the longer side of a top face is in the input of a reader: 34 pixels.
  public static let readerDieSide: Float = 34
}

extension DefaultThresholds {
  /// The thresholds of the bundled detectors without a reader, chosen on validation pictures
  /// (`Docs/ModelCard.md`).
  static let detector = DefaultThresholds(intersectionOverUnion: 0.45, confidence: 0.36)
  /// Those of the bundled reader, which are for readings in company.
  static let reader = DefaultThresholds(intersectionOverUnion: 0.45, confidence: 0.2)
}
