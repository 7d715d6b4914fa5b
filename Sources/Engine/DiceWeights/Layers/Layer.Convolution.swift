extension Layer {
  /// A convolution with a bias and an activation.
  ///
  /// `out[y, x, o] = activation(bias[o] + sum over ky, kx, i of weights[ky, kx, i, o] *
  /// in[y * strideY + ky * dilationY - top, x * strideX + kx * dilationX - left, g * I' + i])`
  /// with `I' = inputChannels / groups` and `g = o / (outputChannels / groups)`; the input counts as
  /// 0 outside its bounds. With as many groups as input channels it is a depthwise convolution.
  public struct Convolution: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// Channels of the input, a multiple of ``groups``.
    public var inputChannels: Int
    /// Channels of the output, a multiple of ``groups``.
    public var outputChannels: Int
    /// Kernel size, stride, dilation and padding.
    public var window: Window
    /// In how many groups channels are convolved by themselves; 1 is an ordinary convolution.
    public var groups: Int
    /// What is applied to the sums.
    public var activation: Activation
    /// The index of the tensor of weights, shape `[KH, KW, I / groups, O]`.
    public var weights: Int
    /// The index of the tensor of biases, shape `[O]`.
    public var bias: Int

    /// The shape of the weights: `[KH, KW, I / groups, O]`.
    public var weightShape: [Int] {
      [window.height, window.width, inputChannels / max(1, groups), outputChannels]
    }
    /// Whether every channel is convolved by itself.
    public var isDepthwise: Bool {
      groups > 1 && groups == inputChannels && outputChannels == inputChannels
    }

    /// Groups the parts of a convolution without checking them.
    public init(
      input: Source, inputChannels: Int, outputChannels: Int, window: Window, groups: Int = 1,
      activation: Activation = .identity, weights: Int, bias: Int
    ) {
      self.input = input
      self.inputChannels = inputChannels
      self.outputChannels = outputChannels
      self.window = window
      self.groups = groups
      self.activation = activation
      self.weights = weights
      self.bias = bias
    }
  }

  /// A transposed convolution with a bias and an activation, also named deconvolution.
  ///
  /// `out` begins as the bias; for every input position and every `ky`, `kx`, `i`, `o` of a group
  /// `out[y * strideY + ky * dilationY - top, x * strideX + kx * dilationX - left, o] +=
  /// weights[ky, kx, i, o] * in[y, x, g * I' + i]` where that lies inside the output, which has
  /// `(n - 1) * stride + span - before - after + extra` rows and columns. The activation comes last.
  public struct TransposedConvolution: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// Channels of the input, a multiple of ``groups``.
    public var inputChannels: Int
    /// Channels of the output, a multiple of ``groups``.
    public var outputChannels: Int
    /// Kernel size, stride, dilation, and how much the padding takes from each edge of the output.
    public var window: Window
    /// Rows more at the bottom: less than the stride.
    public var extraRows: Int
    /// Columns more at the right: less than the stride.
    public var extraColumns: Int
    /// In how many groups channels are convolved by themselves.
    public var groups: Int
    /// What is applied to the sums.
    public var activation: Activation
    /// The index of the tensor of weights, shape `[KH, KW, I / groups, O]`.
    public var weights: Int
    /// The index of the tensor of biases, shape `[O]`.
    public var bias: Int

    /// The shape of the weights: `[KH, KW, I / groups, O]`.
    public var weightShape: [Int] {
      [window.height, window.width, inputChannels / max(1, groups), outputChannels]
    }

    /// The output's rows and columns for an input's.
    public func outputSize(height: Int, width: Int) -> (height: Int, width: Int) {
      (
        (height - 1) * window.strideY + window.spanY - window.padding.top - window.padding.bottom
          + extraRows,
        (width - 1) * window.strideX + window.spanX - window.padding.left - window.padding.right
          + extraColumns
      )
    }

    /// Groups the parts without checking them.
    public init(
      input: Source, inputChannels: Int, outputChannels: Int, window: Window, extraRows: Int = 0,
      extraColumns: Int = 0, groups: Int = 1, activation: Activation = .identity, weights: Int,
      bias: Int
    ) {
      self.input = input
      self.inputChannels = inputChannels
      self.outputChannels = outputChannels
      self.window = window
      self.extraRows = extraRows
      self.extraColumns = extraColumns
      self.groups = groups
      self.activation = activation
      self.weights = weights
      self.bias = bias
    }
  }

  /// `out[0, 0, o] = activation(bias[o] + sum over j of weights[j, o] * in[j])`, where `in[j]` are all
  /// numbers of the input in the order of `[H, W, C]`.
  public struct Dense: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// Channels of the output, which is `[1, 1, O]`.
    public var outputChannels: Int
    /// What is applied to the sums.
    public var activation: Activation
    /// The index of the tensor of weights, shape `[H * W * C, O]`.
    public var weights: Int
    /// The index of the tensor of biases, shape `[O]`.
    public var bias: Int

    /// Groups the parts without checking them.
    public init(
      input: Source, outputChannels: Int, activation: Activation = .identity, weights: Int,
      bias: Int
    ) {
      self.input = input
      self.outputChannels = outputChannels
      self.activation = activation
      self.weights = weights
      self.bias = bias
    }
  }

  /// Every channel normalised with fixed statistics.
  ///
  /// `out[y, x, c] = (in[y, x, c] - mean[c]) / sqrt(variance[c] + epsilon) * scale[c] + shift[c]`
  ///
  /// A plan folds it into the convolution before it where that is read by nothing else.
  public struct BatchNormalization: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// The index of the tensor of scales, `[C]`.
    public var scale: Int
    /// The index of the tensor of shifts, `[C]`.
    public var shift: Int
    /// The index of the tensor of means, `[C]`.
    public var mean: Int
    /// The index of the tensor of variances, `[C]`.
    public var variance: Int
    /// What is added to the variances; finite and above 0.
    public var epsilon: Float

    /// Groups the parts without checking them.
    public init(
      input: Source, scale: Int, shift: Int, mean: Int, variance: Int, epsilon: Float
    ) {
      self.input = input
      self.scale = scale
      self.shift = shift
      self.mean = mean
      self.variance = variance
      self.epsilon = epsilon
    }
  }
}
