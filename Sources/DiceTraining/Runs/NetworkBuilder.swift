internal import DiceWeights

/// Puts a network together, layer by layer: numbers its tensors and counts its channels.
struct NetworkBuilder {
  /// What a layer hands on.
  struct Features {
    let source: Layer.Source
    let channelCount: Int

    /// The network's input.
    static let picture = Features(source: .input, channelCount: 3)
  }

  private(set) var layers: [Layer] = []
  private var tensorCount = 0
  let classCount: Int

  init(classCount: Int) { self.classCount = classCount }

  mutating func append(_ layer: Layer, channelCount: Int) -> Features {
    layers.append(layer)
    return Features(source: .layer(layers.count - 1), channelCount: channelCount)
  }

  /// A convolution that keeps the size but for its stride, with a leaky rectifier.
  mutating func convolution(
    _ input: Features, _ channelCount: Int, size: Int, stride: Int = 1,
    activation: Layer.Activation = .leakyReLU(slope: 0.1)
  ) -> Features {
    defer { tensorCount += 2 }
    return append(
      .convolution(
        Layer.Convolution(
          input: input.source, inputChannels: input.channelCount, outputChannels: channelCount,
          kernelSize: size, stride: stride, padding: size / 2, activation: activation,
          weights: tensorCount, bias: tensorCount + 1)),
      channelCount: channelCount)
  }

  mutating func concatenation(_ inputs: [Features]) -> Features {
    append(
      .concatenation(Layer.Concatenation(inputs: inputs.map(\.source))),
      channelCount: inputs.reduce(0) { $0 + $1.channelCount })
  }

  mutating func upsampling(_ input: Features) -> Features {
    append(
      .upsampling(Layer.Upsampling(input: input.source, factor: 2)),
      channelCount: input.channelCount)
  }

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

  /// Predictions of boxes, objectness and classes for each cell.
  mutating func head(_ input: Features, stride: Int, baseSize: Float) {
    let predictions = convolution(input, 5 + classCount, size: 1, activation: .identity)
    layers.append(
      .detectionHead(
        Layer.DetectionHead(
          input: predictions.source, stride: stride, baseSize: baseSize, classCount: classCount)))
  }

  /// A head for large dice (stride 16) and one for small dice (stride 8).
  ///
  /// The coarsest features, of 1/32, are enlarged twice and joined each time with finer ones, so
  /// that a small die is read with knowledge of its surroundings.
  mutating func twoHeads(
    coarse: Features, sixteenth: Features, eighth: Features,
    large: (narrow: Int, read: Int), small: (narrow: Int, read: Int)
  ) {
    let joined = concatenation([upsampling(coarse), sixteenth])
    let narrowed = convolution(joined, large.narrow, size: 1)
    head(convolution(narrowed, large.read, size: 3), stride: 16, baseSize: 80)

    let finerJoined = concatenation([upsampling(narrowed), eighth])
    let finerNarrowed = convolution(finerJoined, small.narrow, size: 1)
    head(convolution(finerNarrowed, small.read, size: 3), stride: 8, baseSize: 24)
  }
}
