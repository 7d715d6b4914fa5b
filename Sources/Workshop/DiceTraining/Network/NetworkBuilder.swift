public import DiceWeights

/// Puts a network together, layer by layer: numbers its tensors and knows the shapes of its values.
///
/// Layers are checked when a description is validated, not here; a value that a layer cannot have has
/// no rows, columns or channels.
public struct NetworkBuilder: Sendable {
  /// A value of the network.
  public struct Features: Hashable, Sendable {
    /// The layer, or the network's input, that gives it.
    public let source: Layer.Source
    /// Its shape.
    public let shape: TensorShape
  }

  /// The inputs so far.
  public private(set) var inputs: [NetworkInput] = []
  /// The layers so far.
  public private(set) var layers: [Layer] = []
  /// The outputs so far.
  public private(set) var outputs: [NetworkOutput] = []
  private var tensorCount = 0

  /// A network without layers.
  public init() {}

  /// The description of the network so far.
  public func description(
    name: String, task: String = "", profile: [NamedValues] = []
  ) -> NetworkDescription {
    NetworkDescription(
      name: name, task: task, inputs: inputs, layers: layers, outputs: outputs, profile: profile)
  }

  // MARK: Inputs and outputs

  /// A picture, by default of red, green and blue.
  public mutating func image(
    _ name: String = "image", width: Int, height: Int, isResizable: Bool = true,
    rules: ImageRules = ImageRules()
  ) -> Features {
    input(
      NetworkInput(
        name: name,
        shape: TensorShape(
          height: height, width: width, channels: rules.channelOrder.channelCount),
        isResizable: isResizable, content: .image(rules)))
  }

  /// Numbers as the caller has them, `[H, W, C]`.
  public mutating func tensor(
    _ name: String, height: Int, width: Int, channels: Int, isResizable: Bool = false
  ) -> Features {
    input(
      NetworkInput(
        name: name, shape: TensorShape(height: height, width: width, channels: channels),
        isResizable: isResizable))
  }

  /// Any input.
  public mutating func input(_ input: NetworkInput) -> Features {
    inputs.append(input)
    return Features(source: .input(inputs.count - 1), shape: input.shape)
  }

  /// Makes a layer's value an output.
  ///
  /// - Precondition: the value is that of a layer.
  public mutating func output(_ name: String, _ value: Features, head: NetworkHead? = nil) {
    guard case .layer(let layer) = value.source else {
      preconditionFailure("an output is the value of a layer")
    }
    outputs.append(NetworkOutput(name: name, layer: layer, head: head))
  }

  // MARK: Layers

  /// Adds a layer whose tensors the caller has numbered with ``makeTensor()``.
  public mutating func append(_ layer: Layer, shape: TensorShape) -> Features {
    layers.append(layer)
    return Features(source: .layer(layers.count - 1), shape: shape)
  }

  /// The number of a new tensor.
  public mutating func makeTensor() -> Int {
    defer { tensorCount += 1 }
    return tensorCount
  }

  /// A convolution with a square kernel that keeps the size but for its stride.
  public mutating func convolution(
    _ input: Features, _ channelCount: Int, size: Int, stride: Int = 1, groups: Int = 1,
    activation: Layer.Activation = .leakyReLU(slope: 0.1)
  ) -> Features {
    let (before, after) = ((size - 1) / 2, size / 2)
    return convolution(
      input, channelCount,
      window: Layer.Window(
        height: size, width: size, strideY: stride, strideX: stride,
        padding: Layer.Edges(top: before, left: before, bottom: after, right: after)),
      groups: groups, activation: activation)
  }

  /// A convolution with any window.
  public mutating func convolution(
    _ input: Features, _ channelCount: Int, window: Layer.Window, groups: Int = 1,
    activation: Layer.Activation = .leakyReLU(slope: 0.1)
  ) -> Features {
    let size = window.outputSize(height: input.shape.height, width: input.shape.width)
    let (weights, bias) = (makeTensor(), makeTensor())
    return append(
      .convolution(
        Layer.Convolution(
          input: input.source, inputChannels: input.shape.channels, outputChannels: channelCount,
          window: window, groups: groups, activation: activation, weights: weights, bias: bias)),
      shape: TensorShape(height: size.height, width: size.width, channels: channelCount))
  }

  /// A convolution of each channel by itself, which keeps the size but for its stride.
  public mutating func depthwise(
    _ input: Features, size: Int, stride: Int = 1,
    activation: Layer.Activation = .leakyReLU(slope: 0.1)
  ) -> Features {
    convolution(
      input, input.shape.channels, size: size, stride: stride, groups: input.shape.channels,
      activation: activation)
  }

  /// A weighted sum of all numbers for each output channel.
  public mutating func dense(
    _ input: Features, _ channelCount: Int, activation: Layer.Activation = .identity
  ) -> Features {
    let (weights, bias) = (makeTensor(), makeTensor())
    return append(
      .dense(
        Layer.Dense(
          input: input.source, outputChannels: channelCount, activation: activation,
          weights: weights, bias: bias)),
      shape: TensorShape(height: 1, width: 1, channels: channelCount))
  }

  /// The greatest or the mean value of each window.
  public mutating func pooling(
    _ input: Features, _ kind: Layer.Pooling.Kind = .maximum, window: Layer.Window
  ) -> Features {
    let size = window.outputSize(height: input.shape.height, width: input.shape.width)
    return append(
      .pooling(Layer.Pooling(input: input.source, kind: kind, window: window)),
      shape: TensorShape(
        height: size.height, width: size.width, channels: input.shape.channels))
  }

  /// One number for each channel: global pooling.
  public mutating func globalPooling(
    _ input: Features, _ kind: Layer.Reduction.Kind = .mean
  ) -> Features {
    append(
      .reduction(Layer.Reduction(input: input.source, kind: kind)),
      shape: TensorShape(height: 1, width: 1, channels: input.shape.channels))
  }

  /// Two values combined number by number; extents of 1 are repeated.
  public mutating func elementwise(
    _ operation: Layer.Elementwise.Operation, _ first: Features, _ second: Features,
    activation: Layer.Activation = .identity
  ) -> Features {
    append(
      .elementwise(
        Layer.Elementwise(operation, first.source, second.source, activation: activation)),
      shape: TensorShape(
        height: max(first.shape.height, second.shape.height),
        width: max(first.shape.width, second.shape.width),
        channels: max(first.shape.channels, second.shape.channels)))
  }

  /// Several values side by side, by default in the channels.
  ///
  /// - Precondition: there is at least one.
  public mutating func concatenation(
    _ inputs: [Features], axis: Layer.Axis = .channels
  ) -> Features {
    var shape = inputs[0].shape
    shape[axis] = inputs.reduce(0) { $0 + $1.shape[axis] }
    return append(
      .concatenation(Layer.Concatenation(inputs: inputs.map(\.source), axis: axis)),
      shape: shape)
  }

  /// Every number repeated in a square.
  public mutating func upsampling(_ input: Features, factor: Int = 2) -> Features {
    append(
      .resizing(.repeating(input.source, factor: factor)),
      shape: TensorShape(
        height: input.shape.height * factor, width: input.shape.width * factor,
        channels: input.shape.channels))
  }

  /// A function of each number.
  public mutating func activation(
    _ input: Features, _ function: Layer.Activation
  ) -> Features {
    append(
      .activation(Layer.Pointwise(input: input.source, function: function)), shape: input.shape)
  }

  /// The share of each channel's exponential in their sum.
  public mutating func softmax(_ input: Features) -> Features {
    append(.softmax(Layer.Softmax(input: input.source)), shape: input.shape)
  }
}
