internal import DiceWeights

/// Reads the layers of a file of version 1 and makes layers and outputs of version 2 of them.
///
/// A detection head was a layer; it becomes an output of the layer that it read. So the layers
/// behind it move up.
struct VersionOneLayers {
  /// A layer of the file.
  private struct Value {
    /// The layer's index in version 2; nil for a head.
    var index: Int?
    var channels: Int
    /// How many times smaller than the network's input it is.
    var downsampling: Int
  }

  /// A detection head of the file.
  private struct Head {
    var layer: Int
    var stride: Int
    var baseSize: Float
  }

  private let classCount: Int
  private var values: [Value] = []
  private var heads: [Head] = []
  /// The layers of version 2.
  private(set) var layers: [Layer] = []

  init(classCount: Int) { self.classCount = classCount }

  /// Reads the content of the section.
  mutating func read(_ part: inout VersionOneReader) throws(VersionOneError) {
    for index in 0..<(try part.count(1...1024, .layerCount)) {
      let kind = try part.count(1...6, .layerKind, byteCount: 2, index: index)
      let byteCount = try part.number(2)
      guard Self.byteCount(kind) ?? byteCount == byteCount else {
        throw .brokenRule(.recordLength, index: index)
      }
      let start = part.offset
      if kind == 6 {
        try head(&part, index)
      } else {
        let (layer, channels, downsampling) = try self.layer(kind, &part, index)
        guard (1...4096).contains(channels) else { throw .brokenRule(.channelCount, index: index) }
        guard [1, 2, 4, 8, 16, 32].contains(downsampling) else {
          throw .brokenRule(.downsampling, index: index)
        }
        values.append(
          Value(index: layers.count, channels: channels, downsampling: downsampling))
        layers.append(layer)
      }
      guard part.offset - start == byteCount else {
        throw .brokenRule(.recordLength, index: index)
      }
    }
    guard !heads.isEmpty else { throw .brokenRule(.head, index: nil) }
  }

  /// An output for each head, named after its stride.
  func outputs(labels: [String], overlap: Float, confidence: Float) -> [NetworkOutput] {
    var outputs: [NetworkOutput] = []
    for (index, head) in heads.enumerated() {
      var name = "boxes-\(head.stride)"
      // Heads of the same stride: "boxes-8", "boxes-8-2", "boxes-8-3".
      let earlier = heads[..<index].filter { (other) in other.stride == head.stride }.count
      if earlier > 0 { name += "-\(earlier + 1)" }
      outputs.append(
        NetworkOutput(
          name: name, layer: head.layer,
          head: NetworkHead(
            kind: "grid boxes", labels: labels,
            parameters: [
              NamedValues("base size", [head.baseSize]),
              NamedValues("overlap threshold", [overlap]),
              NamedValues("confidence threshold", [confidence]),
            ])))
    }
    return outputs
  }

  // MARK: Records

  /// The bytes of a record's fields; nil for a concatenation, which has so many sources.
  private static func byteCount(_ kind: Int) -> Int? {
    switch kind {
    case 1: 28
    case 2, 3, 5: 8
    case 6: 16
    default: nil
    }
  }

  private func layer(
    _ kind: Int, _ part: inout VersionOneReader, _ index: Int
  ) throws(VersionOneError) -> (Layer, channels: Int, downsampling: Int) {
    switch kind {
    case 1: return try convolution(&part, index)
    case 2:
      let (source, value) = try source(&part, index)
      let window = try window(&part, 1...15, index)
      try part.zeros(1)
      return (
        .pooling(Layer.Pooling(input: source, kind: .maximum, window: window)), value.channels,
        value.downsampling * window.strideY
      )
    case 3:
      let (source, value) = try source(&part, index)
      let factor = try part.count(2...32, .factor, index: index)
      guard value.downsampling % factor == 0 else {
        throw .brokenRule(.downsampling, index: index)
      }
      return (
        .resizing(.repeating(source, factor: factor)), value.channels,
        value.downsampling / factor
      )
    case 4:
      let count = try part.count(2...64, .sourceCount, index: index)
      var sources: [Layer.Source] = []
      var (channels, downsampling) = (0, 0)
      for place in 0..<count {
        let (source, value) = try source(&part, index)
        if place > 0, value.downsampling != downsampling {
          throw .brokenRule(.matchingSizes, index: index)
        }
        sources.append(source)
        channels += value.channels
        downsampling = value.downsampling
      }
      return (
        .concatenation(Layer.Concatenation(inputs: sources)), channels, downsampling
      )
    default:
      let (first, value) = try source(&part, index)
      let (second, other) = try source(&part, index)
      guard value.downsampling == other.downsampling else {
        throw .brokenRule(.matchingSizes, index: index)
      }
      guard value.channels == other.channels else {
        throw .brokenRule(.matchingChannels, index: index)
      }
      return (
        .elementwise(Layer.Elementwise(.addition, first, second)), value.channels,
        value.downsampling
      )
    }
  }

  private func convolution(
    _ part: inout VersionOneReader, _ index: Int
  ) throws(VersionOneError) -> (Layer, channels: Int, downsampling: Int) {
    let (source, value) = try source(&part, index)
    let inputChannels = try part.number(4)
    let outputChannels = try part.number(4)
    let window = try window(&part, 1...7, index)
    let activation: Layer.Activation
    switch try part.count(0...2, .activation, byteCount: 1, index: index) {
    case 1:
      let slope = try part.float()
      guard slope >= 0, slope <= 1 else { throw .brokenRule(.slope, index: index) }
      activation = .leakyReLU(slope: slope)
    case 2:
      try part.zeros(4)
      activation = .silu
    default:
      try part.zeros(4)
      activation = .identity
    }
    guard inputChannels == value.channels else {
      throw .brokenRule(.matchingChannels, index: index)
    }
    guard (1...4096).contains(outputChannels) else {
      throw .brokenRule(.channelCount, index: index)
    }
    guard window.height * window.width * inputChannels * outputChannels <= 1 << 28 else {
      throw .brokenRule(.tensorSize, index: index)
    }
    let weights = try part.number(4)
    let bias = try part.number(4)
    let layer = Layer.Convolution(
      input: source, inputChannels: inputChannels, outputChannels: outputChannels, window: window,
      activation: activation, weights: weights, bias: bias)
    return (.convolution(layer), outputChannels, value.downsampling * window.strideY)
  }

  private mutating func head(
    _ part: inout VersionOneReader, _ index: Int
  ) throws(VersionOneError) {
    let (_, value) = try source(&part, index)
    let stride = try part.number(4)
    let baseSize = try part.float()
    guard try part.number(4) == classCount else { throw .brokenRule(.classCount, index: index) }
    guard baseSize.isFinite, baseSize > 0 else { throw .brokenRule(.baseSize, index: index) }
    // The input has three channels, a head's source more than five: it is a layer.
    guard value.channels == 5 + classCount, let layer = value.index else {
      throw .brokenRule(.matchingChannels, index: index)
    }
    guard value.downsampling == stride else { throw .brokenRule(.headStride, index: index) }
    heads.append(Head(layer: layer, stride: stride, baseSize: baseSize))
    values.append(Value(index: nil, channels: value.channels, downsampling: stride))
  }

  /// A source: 0 was the network's input, n the layer n - 1.
  private func source(
    _ part: inout VersionOneReader, _ index: Int
  ) throws(VersionOneError) -> (Layer.Source, Value) {
    let number = try part.number(4)
    if number == 0 { return (.input(0), Value(index: nil, channels: 3, downsampling: 1)) }
    guard number - 1 < values.count else { throw .brokenRule(.earlierSource, index: index) }
    let value = values[number - 1]
    guard let layer = value.index else { throw .brokenRule(.headAsSource, index: index) }
    return (.layer(layer), value)
  }

  /// The side, stride and padding of a window, the same in all directions.
  private func window(
    _ part: inout VersionOneReader, _ sizes: ClosedRange<Int>, _ index: Int
  ) throws(VersionOneError) -> Layer.Window {
    let size = try part.count(sizes, .kernelSize, byteCount: 1, index: index)
    let stride = try part.number(1)
    guard stride == 1 || stride == 2 || stride == 4 else {
      throw .brokenRule(.stride, index: index)
    }
    let padding = try part.number(1)
    guard size - stride <= 2 * padding, 2 * padding <= size - 1 else {
      throw .brokenRule(.padding, index: index)
    }
    return Layer.Window(size: size, stride: stride, padding: padding)
  }
}
