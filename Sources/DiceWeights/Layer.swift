/// One step of a network.
///
/// A layer's index is its place in ``NetworkDescription/layers``.
///
/// Activations have the layout `[H, W, C]`. Every layer's output is the network's input divided by
/// 1, 2, 4, 8, 16 or 32 in width and height, so any multiple of 32 is a legal input size.
public enum Layer: Hashable, Sendable {
  /// A convolution with a bias and an activation.
  case convolution(Convolution)
  /// The greatest value of each window.
  case maxPooling(MaxPooling)
  /// Every value repeated in a square (nearest neighbour).
  case upsampling(Upsampling)
  /// Several outputs side by side in the channels.
  case concatenation(Concatenation)
  /// The sum of two outputs, value by value.
  case addition(Addition)
  /// The channels of one grid of predictions; nothing reads its output.
  case detectionHead(DetectionHead)

  /// Where a layer reads its values.
  public enum Source: Hashable, Sendable {
    /// The network's input: 3 channels, not downsampled.
    case input
    /// The output of the layer with this index, which is smaller than the reader's own.
    case layer(Int)
  }

  /// What a convolution applies to its sums.
  public enum Activation: Hashable, Sendable {
    /// `x`
    case identity
    /// `x` where `x >= 0`, else `slope * x`; `slope` is in 0...1 (0 is the rectifier).
    case leakyReLU(slope: Float)
    /// `x * sigmoid(x)`, also named SiLU or swish.
    case sigmoidWeighted
  }

  /// What the layer reads, in order.
  public var sources: [Source] {
    switch self {
    case .convolution(let layer): [layer.input]
    case .maxPooling(let layer): [layer.input]
    case .upsampling(let layer): [layer.input]
    case .concatenation(let layer): layer.inputs
    case .addition(let layer): [layer.first, layer.second]
    case .detectionHead(let layer): [layer.input]
    }
  }
}

extension Layer {
  /// A convolution with a bias and an activation.
  ///
  /// `out[y, x, o] = activation(bias[o] + sum over ky, kx, i of
  /// weights[ky, kx, i, o] * in[y * stride + ky - padding, x * stride + kx - padding, i])`
  /// where the input counts as 0 outside its bounds. `out` is exactly `stride` times smaller:
  /// `kernelSize - stride <= 2 * padding <= kernelSize - 1`.
  public struct Convolution: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// Channels of the input, 1...4096.
    public var inputChannels: Int
    /// Channels of the output, 1...4096.
    public var outputChannels: Int
    /// Rows and columns of the kernel, 1...7.
    public var kernelSize: Int
    /// Input pixels between two output pixels: 1, 2 or 4.
    public var stride: Int
    /// Zeros around the input, on all four sides.
    public var padding: Int
    /// What is applied to the sums.
    public var activation: Activation
    /// The index of the tensor of weights, shape `[KH, KW, I, O]`.
    public var weights: Int
    /// The index of the tensor of biases, shape `[O]`.
    public var bias: Int

    /// The shape of the weights: `[kernelSize, kernelSize, inputChannels, outputChannels]`.
    public var weightShape: [Int] { [kernelSize, kernelSize, inputChannels, outputChannels] }
    /// The shape of the biases: `[outputChannels]`.
    public var biasShape: [Int] { [outputChannels] }

    /// Groups the parts of a convolution without checking them.
    public init(
      input: Source, inputChannels: Int, outputChannels: Int, kernelSize: Int, stride: Int,
      padding: Int, activation: Activation, weights: Int, bias: Int
    ) {
      self.input = input
      self.inputChannels = inputChannels
      self.outputChannels = outputChannels
      self.kernelSize = kernelSize
      self.stride = stride
      self.padding = padding
      self.activation = activation
      self.weights = weights
      self.bias = bias
    }
  }

  /// The greatest value of each window of `size` by `size`, for each channel.
  ///
  /// Positions outside the input are left out. `out` is exactly `stride` times smaller:
  /// `size - stride <= 2 * padding <= size - 1`.
  public struct MaxPooling: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// Rows and columns of the window, 1...15.
    public var size: Int
    /// Input pixels between two windows: 1, 2 or 4.
    public var stride: Int
    /// How far windows reach over the input's edge, on all four sides.
    public var padding: Int

    /// Groups the parts of a pooling without checking them.
    public init(input: Source, size: Int, stride: Int, padding: Int) {
      self.input = input
      self.size = size
      self.stride = stride
      self.padding = padding
    }
  }

  /// Nearest-neighbour enlargement: `out[y, x, c] = in[y / factor, x / factor, c]`.
  public struct Upsampling: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// How often every value is repeated in each direction, 2...32; no output is larger than the
    /// network's input.
    public var factor: Int

    /// Groups the parts of an upsampling without checking them.
    public init(input: Source, factor: Int) {
      self.input = input
      self.factor = factor
    }
  }

  /// Several outputs of the same width and height side by side in the channels, in order.
  public struct Concatenation: Hashable, Sendable {
    /// Where the values come from, 2...64; a source may appear more than once.
    public var inputs: [Source]

    /// Groups the inputs without checking them.
    public init(inputs: [Source]) {
      self.inputs = inputs
    }
  }

  /// The sum of two outputs of the same shape, value by value.
  public struct Addition: Hashable, Sendable {
    /// Where the first operand comes from.
    public var first: Source
    /// Where the second operand comes from.
    public var second: Source

    /// Both sources, in order.
    public var inputs: [Source] { [first, second] }

    /// Groups the operands without checking them.
    public init(_ first: Source, _ second: Source) {
      self.first = first
      self.second = second
    }
  }

  /// One grid of predictions, one for each cell.
  ///
  /// The input has `5 + classCount` channels: tx, ty, tw, th, objectness, class logits. For the
  /// cell in column `column` and row `row`, in pixels of the network's input with the origin at the
  /// top left:
  ///
  /// - `centerX = (column + 2 * sigmoid(tx) - 0.5) * stride`, `centerY` likewise with `row`, `ty`
  /// - `width = baseSize * exp(clamp(tw, -4...4))`, `height` likewise with `th`
  /// - `confidence of class k = sigmoid(objectness) * softmax(class logits)[k]`
  public struct DetectionHead: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// Pixels of the network's input for each cell; equals the downsampling of the input.
    public var stride: Int
    /// The side of a box whose tw and th are 0, in pixels of the network's input; more than 0.
    public var baseSize: Float
    /// The number of classes; equals the number of labels.
    public var classCount: Int

    /// The channels of the input: `5 + classCount`.
    public var channelCount: Int { 5 + classCount }

    /// Groups the parts of a head without checking them.
    public init(input: Source, stride: Int, baseSize: Float, classCount: Int) {
      self.input = input
      self.stride = stride
      self.baseSize = baseSize
      self.classCount = classCount
    }
  }
}
