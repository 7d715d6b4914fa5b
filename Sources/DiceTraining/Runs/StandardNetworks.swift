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
    let stem = network.convolution(.input, 3, 16, size: 3, stride: 2)
    let quarter = network.convolution(stem, 16, 32, size: 3, stride: 2)
    let quarterNarrow = network.convolution(quarter, 32, 16, size: 1)
    let quarterRead = network.convolution(quarterNarrow, 16, 32, size: 3)

    let eighth = network.convolution(quarterRead, 32, 64, size: 3, stride: 2)
    let eighthNarrow = network.convolution(eighth, 64, 32, size: 1)
    let eighthRead = network.convolution(eighthNarrow, 32, 48, size: 3)
    let eighthJoined = network.concatenation([eighth, eighthRead])
    let eighthOut = network.convolution(eighthJoined, 112, 64, size: 1)

    let sixteenth = network.convolution(eighthOut, 64, 96, size: 3, stride: 2)
    let sixteenthNarrow = network.convolution(sixteenth, 96, 48, size: 1)
    let sixteenthRead = network.convolution(sixteenthNarrow, 48, 64, size: 3)
    let sixteenthNarrower = network.convolution(sixteenthRead, 64, 48, size: 1)
    let sixteenthReread = network.convolution(sixteenthNarrower, 48, 64, size: 3)
    let sixteenthJoined = network.concatenation([sixteenth, sixteenthRead, sixteenthReread])
    let sixteenthOut = network.convolution(sixteenthJoined, 224, 96, size: 1)

    let coarse = network.convolution(sixteenthOut, 96, 128, size: 3, stride: 2)
    let coarseNarrow = network.convolution(coarse, 128, 64, size: 1)
    let coarseRead = network.convolution(coarseNarrow, 64, 96, size: 3)
    let coarseNarrower = network.convolution(coarseRead, 96, 64, size: 1)
    let coarseReread = network.convolution(coarseNarrower, 64, 80, size: 3)
    let coarseNarrowest = network.convolution(coarseReread, 80, 64, size: 1)
    let coarseSurveyed = network.convolution(coarseNarrowest, 64, 80, size: 3)
    let coarseJoined = network.concatenation([coarseRead, coarseReread, coarseSurveyed])
    let coarseOut = network.convolution(coarseJoined, 256, 64, size: 1)

    let enlarged = network.upsampling(coarseOut)
    let joined = network.concatenation([enlarged, sixteenthOut])
    let narrowed = network.convolution(joined, 160, 64, size: 1)
    let largeRead = network.convolution(narrowed, 64, 96, size: 3)
    network.head(largeRead, 96, stride: 16, baseSize: 80)

    let finer = network.upsampling(narrowed)
    let finerJoined = network.concatenation([finer, eighthOut])
    let finerNarrowed = network.convolution(finerJoined, 128, 48, size: 1)
    let smallRead = network.convolution(finerNarrowed, 48, 48, size: 3)
    network.head(smallRead, 48, stride: 8, baseSize: 24)

    return NetworkDescription(
      name: "dice-standard", input: InputRules(width: 416, height: 416), layers: network.layers,
      labels: labels, thresholds: DefaultThresholds(intersectionOverUnion: 0.45, confidence: 0.3))
  }

  /// A smaller network for slow computers and high frame rates: two detection scales (stride 8 and
  /// 16), 0.15 billion multiply-adds and 0.2 million parameters at 384 by 384.
  ///
  /// Built like the standard network, with fewer channels and one stage less.
  ///
  /// - Parameter labels: the class labels, "1" to "6" for dice.
  public static func fast(labels: [String] = ["1", "2", "3", "4", "5", "6"]) -> Self {
    var network = NetworkBuilder(classCount: labels.count)
    let stem = network.convolution(.input, 3, 16, size: 3, stride: 2)
    let quarter = network.convolution(stem, 16, 16, size: 3, stride: 2)

    let eighth = network.convolution(quarter, 16, 32, size: 3, stride: 2)
    let eighthNarrow = network.convolution(eighth, 32, 16, size: 1)
    let eighthRead = network.convolution(eighthNarrow, 16, 32, size: 3)
    let eighthJoined = network.concatenation([eighth, eighthRead])
    let eighthOut = network.convolution(eighthJoined, 64, 32, size: 1)

    let sixteenth = network.convolution(eighthOut, 32, 64, size: 3, stride: 2)
    let sixteenthNarrow = network.convolution(sixteenth, 64, 32, size: 1)
    let sixteenthRead = network.convolution(sixteenthNarrow, 32, 48, size: 3)
    let sixteenthJoined = network.concatenation([sixteenth, sixteenthRead])
    let sixteenthOut = network.convolution(sixteenthJoined, 112, 64, size: 1)

    let coarse = network.convolution(sixteenthOut, 64, 96, size: 3, stride: 2)
    let coarseNarrow = network.convolution(coarse, 96, 48, size: 1)
    let coarseRead = network.convolution(coarseNarrow, 48, 64, size: 3)
    let coarseOut = network.convolution(coarseRead, 64, 48, size: 1)

    let enlarged = network.upsampling(coarseOut)
    let joined = network.concatenation([enlarged, sixteenthOut])
    let narrowed = network.convolution(joined, 112, 48, size: 1)
    let largeRead = network.convolution(narrowed, 48, 64, size: 3)
    network.head(largeRead, 64, stride: 16, baseSize: 80)

    let finer = network.upsampling(narrowed)
    let finerJoined = network.concatenation([finer, eighthOut])
    let finerNarrowed = network.convolution(finerJoined, 80, 32, size: 1)
    let smallRead = network.convolution(finerNarrowed, 32, 32, size: 3)
    network.head(smallRead, 32, stride: 8, baseSize: 24)

    return NetworkDescription(
      name: "dice-fast", input: InputRules(width: 384, height: 384), layers: network.layers,
      labels: labels, thresholds: DefaultThresholds(intersectionOverUnion: 0.45, confidence: 0.3))
  }

  /// A network that reads one die: 31 million multiply-adds and 0.51 million parameters at 96 by 96.
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
    let stem = network.convolution(.input, 3, 16, size: 3, stride: 2)
    let quarter = network.convolution(stem, 16, 32, size: 3, stride: 2)
    let quarterNarrow = network.convolution(quarter, 32, 16, size: 1)
    let quarterRead = network.convolution(quarterNarrow, 16, 32, size: 3)
    let quarterNarrower = network.convolution(quarterRead, 32, 16, size: 1)
    let quarterReread = network.convolution(quarterNarrower, 16, 32, size: 3)
    let quarterJoined = network.concatenation([quarter, quarterRead, quarterReread])
    let quarterOut = network.convolution(quarterJoined, 96, 32, size: 1)

    let eighth = network.convolution(quarterOut, 32, 64, size: 3, stride: 2)
    let eighthNarrow = network.convolution(eighth, 64, 32, size: 1)
    let eighthRead = network.convolution(eighthNarrow, 32, 48, size: 3)
    let eighthNarrower = network.convolution(eighthRead, 48, 32, size: 1)
    let eighthReread = network.convolution(eighthNarrower, 32, 48, size: 3)
    let eighthNarrowest = network.convolution(eighthReread, 48, 32, size: 1)
    let eighthSurveyed = network.convolution(eighthNarrowest, 32, 48, size: 3)
    let eighthJoined = network.concatenation([eighth, eighthRead, eighthReread, eighthSurveyed])
    let eighthOut = network.convolution(eighthJoined, 208, 64, size: 1)

    let sixteenth = network.convolution(eighthOut, 64, 80, size: 3, stride: 2)
    let sixteenthNarrow = network.convolution(sixteenth, 80, 48, size: 1)
    let sixteenthRead = network.convolution(sixteenthNarrow, 48, 80, size: 3)
    let sixteenthNarrower = network.convolution(sixteenthRead, 80, 48, size: 1)
    let sixteenthReread = network.convolution(sixteenthNarrower, 48, 80, size: 3)
    let sixteenthNarrowest = network.convolution(sixteenthReread, 80, 48, size: 1)
    let sixteenthSurveyed = network.convolution(sixteenthNarrowest, 48, 80, size: 3)
    let sixteenthJoined = network.concatenation(
      [sixteenth, sixteenthRead, sixteenthReread, sixteenthSurveyed])
    let sixteenthOut = network.convolution(sixteenthJoined, 320, 80, size: 1)

    let coarse = network.convolution(sixteenthOut, 80, 96, size: 3, stride: 2)
    let coarseNarrow = network.convolution(coarse, 96, 48, size: 1)
    let coarseRead = network.convolution(coarseNarrow, 48, 64, size: 3)
    let coarseNarrower = network.convolution(coarseRead, 64, 48, size: 1)
    let coarseReread = network.convolution(coarseNarrower, 48, 96, size: 3)
    let coarseNarrowest = network.convolution(coarseReread, 96, 48, size: 1)
    let coarseSurveyed = network.convolution(coarseNarrowest, 48, 96, size: 3)
    let coarseJoined = network.concatenation([coarse, coarseRead, coarseReread, coarseSurveyed])
    let coarseOut = network.convolution(coarseJoined, 352, 96, size: 1)
    network.head(coarseOut, 96, stride: 32, baseSize: readerDieSide)

    return NetworkDescription(
      name: "dice-reader", input: InputRules(width: 96, height: 96), layers: network.layers,
      labels: labels, thresholds: DefaultThresholds(intersectionOverUnion: 0.45, confidence: 0.3))
  }

  /// How long the longer side of a top face is in the input of a reader: 34 pixels.
  public static let readerDieSide: Float = 34
}

/// Puts a network together, layer by layer, and numbers its tensors.
struct NetworkBuilder {
  private(set) var layers: [Layer] = []
  private var tensorCount = 0
  let classCount: Int

  init(classCount: Int) { self.classCount = classCount }

  mutating func append(_ layer: Layer) -> Layer.Source {
    layers.append(layer)
    return .layer(layers.count - 1)
  }

  /// A convolution that keeps the size but for its stride, with a leaky rectifier.
  mutating func convolution(
    _ input: Layer.Source, _ inputChannels: Int, _ outputChannels: Int, size: Int,
    stride: Int = 1, activation: Layer.Activation = .leakyReLU(slope: 0.1)
  ) -> Layer.Source {
    defer { tensorCount += 2 }
    return append(
      .convolution(
        Layer.Convolution(
          input: input, inputChannels: inputChannels, outputChannels: outputChannels,
          kernelSize: size, stride: stride, padding: size / 2, activation: activation,
          weights: tensorCount, bias: tensorCount + 1)))
  }

  mutating func concatenation(_ inputs: [Layer.Source]) -> Layer.Source {
    append(.concatenation(Layer.Concatenation(inputs: inputs)))
  }

  mutating func upsampling(_ input: Layer.Source) -> Layer.Source {
    append(.upsampling(Layer.Upsampling(input: input, factor: 2)))
  }

  mutating func head(_ input: Layer.Source, _ inputChannels: Int, stride: Int, baseSize: Float) {
    let predictions = convolution(
      input, inputChannels, 5 + classCount, size: 1, activation: .identity)
    _ = append(
      .detectionHead(
        Layer.DetectionHead(
          input: predictions, stride: stride, baseSize: baseSize, classCount: classCount)))
  }
}
