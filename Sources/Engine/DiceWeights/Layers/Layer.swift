/// One step of a network.
///
/// A layer's index is its place in ``NetworkDescription/layers``. Every value has the layout
/// `[H, W, C]`: rows, columns, channels, channels side by side. A vector is `[1, 1, C]`, a sequence
/// `[T, 1, C]`. Formulas use `in` for the input, `out` for the output, and 0-based indices.
public enum Layer: Hashable, Sendable {
  /// A convolution with a bias and an activation.
  case convolution(Convolution)
  /// A convolution's gradient by its input as a layer: enlarges by its stride.
  case transposedConvolution(TransposedConvolution)
  /// A weighted sum of all values of the input for each output channel.
  case dense(Dense)
  /// The greatest or the mean value of each window.
  case pooling(Pooling)
  /// One value for all positions along some axes: global pooling.
  case reduction(Reduction)
  /// Two values combined position by position.
  case elementwise(Elementwise)
  /// Several values side by side along an axis.
  case concatenation(Concatenation)
  /// A part of a value.
  case slice(Slice)
  /// Another number of rows and columns by nearest or bilinear interpolation.
  case resizing(Resizing)
  /// Rows, columns or channels added around a value.
  case padding(Padding)
  /// The same numbers in another shape and order: reshaping and transposition.
  case rearrangement(Rearrangement)
  /// A function of each number.
  case activation(Pointwise)
  /// `exp` of each number over the sum along an axis.
  case softmax(Softmax)
  /// Batch normalisation with fixed statistics.
  case batchNormalization(BatchNormalization)
  /// The numbers of a tensor as a value.
  case constant(Constant)
  /// The products of two values as matrices.
  case matrixProduct(MatrixProduct)
  /// The places of the greatest numbers.
  case ranking(Ranking)
  /// Columns that a second value names.
  case selection(Selection)

  /// Where a layer reads a value.
  public enum Source: Hashable, Sendable {
    /// The network's input with this index.
    case input(Int)
    /// The output of the layer with this index, which is smaller than the reader's own.
    case layer(Int)
  }

  /// An axis of a value.
  public enum Axis: UInt8, CaseIterable, Hashable, Sendable {
    /// Rows.
    case height = 0
    /// Columns.
    case width = 1
    /// Channels.
    case channels = 2
  }

  /// What the layer reads, in order.
  public var sources: [Source] {
    switch self {
    case .convolution(let layer): [layer.input]
    case .transposedConvolution(let layer): [layer.input]
    case .dense(let layer): [layer.input]
    case .pooling(let layer): [layer.input]
    case .reduction(let layer): [layer.input]
    case .elementwise(let layer): [layer.first, layer.second]
    case .concatenation(let layer): layer.inputs
    case .slice(let layer): [layer.input]
    case .resizing(let layer): [layer.input]
    case .padding(let layer): [layer.input]
    case .rearrangement(let layer): [layer.input]
    case .activation(let layer): [layer.input]
    case .softmax(let layer): [layer.input]
    case .batchNormalization(let layer): [layer.input]
    case .constant: []
    case .matrixProduct(let layer): [layer.first, layer.second]
    case .ranking(let layer): [layer.input]
    case .selection(let layer): [layer.input, layer.places]
    }
  }

  /// The tensors of multipliers, whose numbers must stay as they are.
  var multiplierTensors: [Int] {
    func own(_ activation: Activation) -> [Int] {
      if case .requantization(let tensor, _) = activation { [tensor] } else { [] }
    }
    switch self {
    case .convolution(let layer): return own(layer.activation)
    case .transposedConvolution(let layer): return own(layer.activation)
    case .dense(let layer): return own(layer.activation)
    case .activation(let layer): return own(layer.function)
    case .elementwise(let layer):
      return (layer.tensor.map { (tensor) in [tensor] } ?? []) + own(layer.activation)
    default: return []
    }
  }

  /// The tensors that the layer uses and the shapes they must have.
  ///
  /// - Parameters:
  ///   - input: The shape of the layer's first source; for a constant, any.
  ///   - output: The shape of the layer's output.
  public func weightTensors(
    input: TensorShape, output: TensorShape
  ) -> [(tensor: Int, shape: [Int])] {
    switch self {
    case .convolution(let layer):
      return [(layer.weights, layer.weightShape), (layer.bias, [layer.outputChannels])]
        + layer.activation.weightTensors(channels: layer.outputChannels)
    case .transposedConvolution(let layer):
      return [(layer.weights, layer.weightShape), (layer.bias, [layer.outputChannels])]
        + layer.activation.weightTensors(channels: layer.outputChannels)
    case .dense(let layer):
      return [
        (layer.weights, [input.elementCount, layer.outputChannels]),
        (layer.bias, [layer.outputChannels]),
      ] + layer.activation.weightTensors(channels: layer.outputChannels)
    case .elementwise(let layer):
      let tensors = layer.activation.weightTensors(channels: output.channels)
      guard let multipliers = layer.tensor else { return tensors }
      return [(multipliers, [3, 3])] + tensors
    case .activation(let layer): return layer.function.weightTensors(channels: output.channels)
    case .batchNormalization(let layer):
      let shape = [input.channels]
      return [
        (layer.scale, shape), (layer.shift, shape), (layer.mean, shape), (layer.variance, shape),
      ]
    case .constant(let layer):
      return [(layer.tensor, [layer.shape.height, layer.shape.width, layer.shape.channels])]
    case .pooling, .reduction, .concatenation, .slice, .resizing, .padding,
      .rearrangement, .softmax, .matrixProduct, .ranking, .selection:
      return []
    }
  }
}

/// The shape of a value: the network's input, or what a layer gives.
public struct TensorShape: Hashable, Sendable {
  /// Rows.
  public var height: Int
  /// Columns.
  public var width: Int
  /// Channels.
  public var channels: Int

  /// Groups the three without checking them.
  public init(height: Int, width: Int, channels: Int) {
    self.height = height
    self.width = width
    self.channels = channels
  }

  /// The numbers of a value of this shape.
  ///
  /// - Precondition: the shape has passed the limits of the format.
  public var elementCount: Int { height * width * channels }

  /// The extent along an axis.
  public subscript(axis: Layer.Axis) -> Int {
    get {
      switch axis {
      case .height: height
      case .width: width
      case .channels: channels
      }
    }
    set {
      switch axis {
      case .height: height = newValue
      case .width: width = newValue
      case .channels: channels = newValue
      }
    }
  }
}

extension TensorShape: CustomStringConvertible {
  /// "26 x 26 x 64": rows, columns, channels.
  public var description: String { "\(height) x \(width) x \(channels)" }
}
